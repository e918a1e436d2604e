"""Tests of the mutants themselves: what is mutated, chosen, run and kept."""
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from types import SimpleNamespace
from typing import Dict, List

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import table  # noqa: E402
from candidates import (Mutant, chosen, lines_of_diff,  # noqa: E402
                        mutants_of)
from code_text import blanked  # noqa: E402
from copy_of_tree import Copy  # noqa: E402
from jobs import Choice, Jobs  # noqa: E402
from suites import Runner, Test, guards_of, outcome, tests_for  # noqa: E402

C = '''#include <a.h>
#define LIMIT(x) (x + 1)
/* if (a < b) */
static int f(int a, const char *text)
{
  int n = 0;

  if (a < 8 && !text)
    n = a * 2;
  for (int i = 0; i < a; i++)
    n++;
  remember(n, "a < b");
  return n == 0 ? true : false;
}
'''

LUA = '''-- if a < b then
local function f(a, b)
  if not a and b ~= '#' then
    M.seen[a] = b
  end
  return a == 1 or b .. [[ < ]]
end
'''


needs_git = unittest.skipUnless(shutil.which('git'), 'there is no git here')


def edits(path: str, text: str) -> List[str]:
    """The operator and the changed line of every mutant."""
    return [f'{m.operator}: {m.after}' for m in mutants_of(path, text)]


def passing(name: str, command: str, rank: int = 0) -> Test:
    """A test that is a line of shell."""
    return Test(name, ['sh', '-c', command], {}, '/', [], rank)


class WhatIsMutated(unittest.TestCase):
    def test_c(self) -> None:
        self.assertEqual(sorted(edits('a.c', C)), sorted([
            'arithmetic: #define LIMIT(x) (x - 1)',
            'constant + 1: #define LIMIT(x) (x + 2)',
            'constant + 1: int n = 1;',
            'relation: if (a <= 8 && !text)',
            'and/or: if (a < 8 || !text)',
            'constant + 1: if (a < 9 && !text)',
            'negated condition: if (!(a < 8 && !text))',
            'dropped negation: if (a < 8 && text)',
            'arithmetic: n = a + 2;',
            'constant + 1: n = a * 3;',
            'dropped statement: ;',
            'relation: for (int i = 0; i <= a; i++)',
            'constant + 1: for (int i = 1; i < a; i++)',
            '++/--: n--;',
            'dropped statement: ;',
            'dropped statement: ;',
            'relation: return n != 0 ? true : false;',
            'constant + 1: return n == 1 ? true : false;',
            'truth: return n == 0 ? false : false;',
            'truth: return n == 0 ? true : true;',
        ]))

    def test_lua(self) -> None:
        self.assertEqual(sorted(edits('a.lua', LUA)), sorted([
            "dropped negation: if a and b ~= '#' then",
            "and/or: if not a or b ~= '#' then",
            "relation: if not a and b == '#' then",
            "negated condition: if not (not a and b ~= '#') then",
            'dropped statement: ',
            'relation: return a ~= 1 or b .. [[ < ]]',
            'and/or: return a == 1 and b .. [[ < ]]',
            'constant + 1: return a == 2 or b .. [[ < ]]',
        ]))

    def test_blanks_keep_every_position(self) -> None:
        for text, language in ((C, 'c'), (LUA, 'lua')):
            code = blanked(text, language)
            self.assertEqual(len(code), len(text))
            self.assertEqual(code.count('\n'), text.count('\n'))
            self.assertNotIn('< b', code)

    def test_applied_changes_one_line(self) -> None:
        for mutant in mutants_of('a.c', C):
            changed = mutant.applied(C).splitlines()
            differ = [i + 1 for i, (old, new)
                      in enumerate(zip(C.splitlines(), changed)) if old != new]
            self.assertEqual(differ, [mutant.line])


class WhichAreTaken(unittest.TestCase):
    def keys(self, text: str, seed: str) -> List[str]:
        return [m.key for m in chosen(mutants_of('a.c', text), seed)]

    def test_keys_differ(self) -> None:
        keys = self.keys(C + C.replace('f(', 'g('), '1')
        self.assertEqual(len(set(keys)), len(keys))

    def test_the_seed_decides(self) -> None:
        self.assertEqual(self.keys(C, '1'), self.keys(C, '1'))
        self.assertNotEqual(self.keys(C, '1'), self.keys(C, '2'))
        self.assertEqual(sorted(self.keys(C, '1')), sorted(self.keys(C, '2')))

    def test_an_edit_elsewhere_keeps_the_names(self) -> None:
        more = 'int before = 7;\n' + C
        self.assertLess(set(self.keys(C, '1')), set(self.keys(more, '1')))

    def test_operators_take_turns(self) -> None:
        first = [m.operator for m in chosen(mutants_of('a.c', C), '1')][:8]
        self.assertEqual(len(set(first)), 8)


class HowTestsRun(unittest.TestCase):
    def test_the_first_failure_is_named(self) -> None:
        runner = Runner(2)
        tests = [passing('good', 'true'), passing('bad', 'false', 1)]
        self.assertEqual(runner.first_failure('a.c', tests), 'bad')
        self.assertEqual(runner.first_failure('a.c', tests[:1]), '')

    def test_a_skip_is_no_failure(self) -> None:
        self.assertEqual(
            Runner(1).first_failure('a.c', [passing('skip', 'exit 77')]), '')

    def test_what_noticed_before_is_asked_first(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            mark = os.path.join(folder, 'asked')
            tests = [passing('cheap', f'touch {mark}'),
                     passing('dear', 'false', 5)]
            runner = Runner(1)
            runner.first_failure('a.c', tests)
            os.remove(mark)
            self.assertEqual(runner.first_failure('a.c', tests), 'dear')
            self.assertFalse(os.path.exists(mark))

    def test_a_loop_without_end_is_ended(self) -> None:
        test = passing('loop', 'while :; do :; done')
        test.seconds = -1.9     # leaves it one second
        self.assertEqual(outcome(test, threading.Event()), 'timeout')

    def test_what_fails_without_a_mutant_is_left_out(self) -> None:
        tests = [passing('good', 'true'), passing('bad', 'false')]
        with open(os.devnull, 'w') as silence:
            out, sys.stdout = sys.stdout, silence
            try:
                names = [t.name for t in Runner(2).measured(tests)]
            finally:
                sys.stdout = out
        self.assertEqual(names, ['good'])

    def test_guards(self) -> None:
        described = [
            {'name': n, 'cmd': ['true'], 'env': {}, 'workdir': None,
             'depends': [], 'suite': ['p:' + s for s in suites]}
            for n, suites in (('a', ['device', 'check']),
                              ('b', ['device', 'nvrtc']),
                              ('c', ['book', 'filter']),
                              ('d', ['chapter', 'check']),
                              ('e', ['chapter', 'steps']))]
        build = Path('/b')
        self.assertEqual([t.name for t in tests_for(
            'device/exec/a.c', described, build)], ['a'])
        self.assertEqual([t.name for t in tests_for(
            'book/filters/a.lua', described, build)], ['c'])
        self.assertEqual(tests_for('device/exec/a.c', described, build,
                                   'ptx,count'), [])
        self.assertEqual(guards_of('device/check/race.c')[1][0], 'check')
        self.assertEqual([t.name for t in tests_for(
            'device/report/recording.c', described, build)], ['e'])
        self.assertRaises(KeyError, guards_of, 'tools/a.c')


class Judged:
    """In place of a run: a mutant's verdict is the last word of its text."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self.options = SimpleNamespace(jobs=jobs)
        self.copy = Copy(folder, folder / 'copy')
        (self.copy.tree).mkdir(parents=True)
        (self.copy.build).mkdir()
        (self.copy.tree / 'a.c').write_text('as it was')
        self.runner = Runner(1)
        self.kept: List[Dict[str, str]] = []

    def judge(self, mutant: Mutant) -> Dict[str, str]:
        """Writes into the copy, as a run does, and reads that again."""
        file = self.copy.tree / 'a.c'
        if file.read_text() != 'as it was':
            return {'key': mutant.key, 'verdict': 'seen by another process'}
        file.write_text(mutant.after)
        time.sleep(0.05)
        kept = file.read_text() == mutant.after
        file.write_text('as it was')
        return {'key': mutant.key, 'verdict': mutant.after.split()[-1]
                if kept else 'changed by another process'}

    def keep(self, row: Dict[str, str]) -> None:
        self.kept.append(row)


class WhatIsAskedFor(unittest.TestCase):
    MUTATE = Path(__file__).resolve().parent / 'mutate'

    def test_lines_of_a_diff(self) -> None:
        diff = ('--- a.c\n+++ a.c\n@@ -3 +3,2 @@ f\n-x\n+y\n+z\n'
                '@@ -9,2 +10,0 @@\n-x\n-y\n--- /dev/null\n+++ b c.c\t\n'
                '@@ -0,0 +1 @@\n+x\n')
        self.assertEqual(lines_of_diff(diff),
                         {'a.c': {3, 4}, 'b c.c': {1}})

    def mutate(self, *arguments: str) -> str:
        return subprocess.run(
            [sys.executable, str(self.MUTATE), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            cwd=self.MUTATE.parents[2], check=False).stdout.decode()

    @needs_git
    def test_what_list_printed(self) -> None:
        listed = self.mutate('--list', '--count', '2', 'device/count')
        self.assertEqual(listed.count('\n'), 6)
        with tempfile.NamedTemporaryFile('w', suffix='keys') as file:
            file.write(listed)
            file.flush()
            self.assertEqual(self.mutate('--list', '--keys', file.name),
                             listed)
            file.write('device/count/sectors.c:1: relation: 0123456789\n')
            file.flush()
            self.assertEqual(self.mutate('--list', '--keys', file.name),
                             'gone: device/count/sectors.c: 0123456789\n'
                             + listed)
            file.truncate(0)
            self.assertIn('no line names a mutant',
                          self.mutate('--list', '--keys', file.name))


class SeveralAtOnce(unittest.TestCase):
    @staticmethod
    def mutants(verdicts: List[str]) -> List[Mutant]:
        return [Mutant('a.c', 'relation', i, '', f'{i} {v}', 1, 0, 0, '')
                for i, v in enumerate(verdicts)]

    def test_a_choice_is_of_those_that_build(self) -> None:
        mutants = self.mutants([table.NOTICED, table.UNBUILT, table.SURVIVED,
                                table.SAME, table.NOTICED, table.NOTICED])
        choice = Choice(mutants, 3, lambda m: {'verdict': table.SAME}
                        if m.after.endswith(table.SAME) else None)
        taken = []
        mutant = choice.next()
        while mutant:
            taken.append(mutant.line)
            choice.add({'verdict': mutant.after.split(' ', 1)[1]})
            mutant = choice.next()
        self.assertEqual(taken, [0, 1, 2, 4])

    def test_late_is_no_verdict(self) -> None:
        """What is known is still taken, and what is begun with is counted."""
        mutants = self.mutants([table.SAME, table.NOTICED, table.SAME,
                                table.NOTICED, table.NOTICED])
        begun: List[int] = []
        choice = Choice(mutants, 4, lambda m: {'verdict': table.SAME}
                        if m.after.endswith(table.SAME) else None,
                        lambda: len(begun) == 1)
        mutant = choice.next()
        while mutant:
            begun.append(mutant.line)
            mutant = choice.next()
        self.assertEqual((begun, len(choice.rows), choice.left()), ([1], 2, 2))

    def test_each_process_has_a_copy_of_its_own(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            run = Judged(Path(folder), 3)
            groups = [self.mutants([table.NOTICED, table.SURVIVED] * 2)] * 2
            choices = [Choice(g, -1, lambda m: None) for g in groups]
            try:
                with open(os.devnull, 'w') as silence, \
                        redirect_stdout(silence):
                    Jobs(run).judge_all(choices)
            except (EOFError, BrokenPipeError):
                self.skipTest('no folder may be mounted here')
            self.assertEqual(
                sorted(r['verdict'] for r in run.kept),
                sorted([table.NOTICED, table.SURVIVED] * 4))
            self.assertEqual((run.copy.tree / 'a.c').read_text(), 'as it was')


class WhatIsKept(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)

    def test_rows_come_back(self) -> None:
        row = dict.fromkeys(table.COLUMNS, 'x')
        row['before'] = 'a\t"b"'
        file = self.path / 'table.tsv'
        table.append(file, row, ['seed: 1'])
        table.append(file, row, ['seed: 1'])
        rows = table.rows(file, table.COLUMNS)
        self.assertEqual([r['before'] for r in rows], ['a "b"', 'a "b"'])

    def test_a_reason_must_be_one(self) -> None:
        file = self.path / 'equivalent.tsv'
        head = '\t'.join(table.EQUIVALENT) + '\n'
        file.write_text(head + '12\ta.c\tx\tequivalent\n')
        self.assertRaises(SystemExit, table.equivalents, file)
        file.write_text(head + '12\ta.c\tx\tboth give the larger one\n')
        self.assertEqual(table.equivalents(file),
                         {'12': 'both give the larger one'})

    @needs_git
    def test_the_copy_follows_the_checkout(self) -> None:
        root = self.path / 'root'
        root.mkdir()
        os.system(f'git init -q {root}')
        (root / 'stays').write_text('1')
        (root / 'goes').write_text('1')
        copy = Copy(root, self.path / 'copy')
        copy.update()
        before = (copy.tree / 'stays').stat().st_mtime_ns
        (copy.tree / 'mutated').write_text('not ours')
        (root / 'goes').unlink()
        (root / 'comes').write_text('2')
        copy.update()
        self.assertEqual((copy.tree / 'stays').stat().st_mtime_ns, before)
        self.assertFalse((copy.tree / 'goes').exists())
        self.assertEqual((copy.tree / 'comes').read_text(), '2')

    @needs_git
    def test_links_stay_links(self) -> None:
        root = self.path / 'root'
        root.mkdir()
        os.system(f'git init -q {root}')
        (root / 'folder').symlink_to('.')
        (root / 'other').symlink_to('here')
        copy = Copy(root, self.path / 'copy')
        (root / 'here').write_text('1')
        copy.update()
        (root / 'other').unlink()
        (root / 'other').symlink_to('folder')
        copy.update()
        self.assertEqual(os.readlink(copy.tree / 'folder'), '.')
        self.assertEqual(os.readlink(copy.tree / 'other'), 'folder')

    @needs_git
    def test_a_mutated_copy_is_put_right(self) -> None:
        root = self.path / 'root'
        root.mkdir()
        os.system(f'git init -q {root}')
        (root / 'a.c').write_text(C)
        copy = Copy(root, self.path / 'copy')
        copy.update()
        (copy.tree / 'a.c').write_text('interrupted')
        copy.update()
        self.assertEqual((copy.tree / 'a.c').read_text(), C)

    def test_another_folder_is_left_alone(self) -> None:
        (self.path / 'precious').write_text('mine')
        self.assertRaises(SystemExit, Copy(self.path, self.path).update)

    def test_summary_leaves_equivalent_ones_out(self) -> None:
        verdicts = [table.NOTICED] * 3 + [table.SURVIVED, table.SAME]
        text = table.summary([{'file': 'device/exec/a.c', 'verdict': v}
                              for v in verdicts])
        self.assertIn('3 noticed (75 %), 1 survived; 1 equivalent', text)


if __name__ == '__main__':
    unittest.main()
