"""Planted violations that rules.py has to notice, and what it must accept."""

import tempfile
import unittest
from pathlib import Path
from typing import Dict, List

import rules


README = '''
| Room | What is in it | May include |
|---|---|---|
| `support/` | memory | |
| `ptx/` | text | `support` |
| `exec/` | launches | `ptx` `support` |
| `report/` | files | `exec/launch.h` `support` |
'''
ROOMS = ('support', 'ptx', 'exec', 'report')


def violations_of(files: Dict[str, str], bare: str = '') -> List[str]:
    """What is wrong with these files. All but `bare` get a head."""
    with tempfile.TemporaryDirectory() as folder:
        device = Path(folder).resolve() / 'device'
        for room in ROOMS:
            (device / room).mkdir(parents=True)
        for name, text in {'README.md': README, **files}.items():
            (device / name).parent.mkdir(parents=True, exist_ok=True)
            if name.endswith(('.c', '.h')) and name != bare:
                text = '/* Its head. */' + text
            (device / name).write_text(text, encoding='utf-8')
        return [v[len(str(device)) + 1:] for v in rules.violations(device)]


class Includes(unittest.TestCase):
    def test_upwards(self) -> None:
        found = violations_of({
            'exec/launch.h': '', 'ptx/parser.c': '\n#include "../exec/launch.h"\n'})
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith('ptx/parser.c:2: ptx/ may not '
                                            'include exec/launch.h'), found)

    def test_by_the_include_folder(self) -> None:
        found = violations_of({
            'exec/warp.h': '', 'ptx/parser.c': '#include "exec/warp.h"'})
        self.assertEqual(len(found), 1)

    def test_one_header_of_a_room(self) -> None:
        self.assertEqual(violations_of({
            'exec/launch.h': '', 'report/access.c': '#include "../exec/launch.h"'}), [])
        self.assertEqual(len(violations_of({
            'exec/warp.h': '', 'report/access.c': '#include "../exec/warp.h"'})), 1)

    def test_down_within_and_outside(self) -> None:
        self.assertEqual(violations_of({
            'ptx/module.h': '#include <stdio.h>\n#include "types.h"\n',
            'ptx/types.h': '', 'exec/lanes/memory.c':
            '#include "../../ptx/module.h"\n#include "cblas.h"\n'}), [])

    def test_in_a_comment(self) -> None:
        self.assertEqual(violations_of({
            'exec/launch.h': '',
            'ptx/parser.c': '/*\n#include "../exec/launch.h"\n*/\n'}), [])

    def test_room_without_a_row(self) -> None:
        self.assertEqual(len(violations_of({'attic/box.c': ''})), 1)

    def test_row_without_a_room(self) -> None:
        found = violations_of({'README.md': README + '| `attic/` | boxes | |\n'})
        self.assertEqual(found, ['README.md:1: there is no room attic/'])


class Allocations(unittest.TestCase):
    def test_bare(self) -> None:
        for call in ('malloc(8)', 'calloc(1, 8)', 'realloc(p, 8)', 'strdup(s)'):
            found = violations_of({'exec/warp.c': f'void *p = {call};\n'})
            self.assertEqual(len(found), 1, call)
            self.assertTrue(found[0].startswith('exec/warp.c:1: '), found)

    def test_allowed(self) -> None:
        self.assertEqual(violations_of({
            'support/host_memory.c': 'void *p = calloc(1, 8);\n',
            'exec/warp.c': '/* malloc(8) */ void *p = host_new(1, 8);\n'}), [])


TABLE = '#ifndef ROW\n#define ROW(...)\n#endif\n{}\nROW(one, 1)\n{}'


class Heads(unittest.TestCase):
    def test_lacking(self) -> None:
        self.assertEqual(
            violations_of({'exec/warp.c': 'int one;\n'}, bare='exec/warp.c'),
            ['exec/warp.c:1: no comment says what this file is for'])

    def test_after_a_feature_macro(self) -> None:
        text = '#define _GNU_SOURCE 1 /* on_exit */\n/* Its head. */\n'
        self.assertEqual(
            violations_of({'exec/warp.c': text}, bare='exec/warp.c'), [])


class Tables(unittest.TestCase):
    def test_whole(self) -> None:
        self.assertEqual(violations_of({
            'ptx/rows.def': TABLE.format('', '#undef ROW\n')}), [])

    def test_not_undefined(self) -> None:
        self.assertEqual(violations_of({'ptx/rows.def': TABLE.format('', '')}),
                         ['ptx/rows.def:1: ROW has no #undef at the end'])

    def test_row_without_default(self) -> None:
        self.assertEqual(violations_of({
            'ptx/rows.def': TABLE.format('LONG(two, 2)', '#undef ROW\n')}),
                         ['ptx/rows.def:1: LONG has no default'])

    def test_two_rows_in_a_line(self) -> None:
        self.assertEqual(violations_of({
            'ptx/rows.def': TABLE.format('ROW(two) ROW(three)',
                                         '#undef ROW\n')}),
                         ['ptx/rows.def:1: a row ROW begins in mid-line; give'
                          ' it a line'])


if __name__ == '__main__':
    unittest.main()
