"""Does the shell understand each shell program to its end?

A program that only a GPU or a rare event calls can hold a fault that no other
test meets: an apostrophe too many ends a list in the middle.
"""

import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ('bench', 'book', 'code', 'device', 'figures', 'tests', 'tools')


def programs() -> Iterator[Path]:
    yield ROOT / 'course'
    yield ROOT / '.ci' / 'run'
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob('*')):
            if not path.is_file() or path.suffix not in ('', '.sh', '.in'):
                continue
            with path.open('rb') as file:
                if file.readline().startswith(b'#!/bin/sh'):
                    yield path


def faults_of(path: Path) -> str:
    said = subprocess.run(['sh', '-n', str(path)], check=False, text=True,
                          stderr=subprocess.PIPE)
    return said.stderr


class Shell(unittest.TestCase):
    def test_programs(self) -> None:
        found = list(programs())
        self.assertIn(ROOT / 'tests' / 'device' / 'ptx' / 'on_gpu', found)
        for path in found:
            self.assertEqual(faults_of(path), '', path)

    def test_a_fault(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'list'
            path.write_text("#!/bin/sh\nnames='\nit isn't here\n'\n",
                            encoding='utf-8')
            self.assertNotEqual(faults_of(path), '')


if __name__ == '__main__':
    unittest.main()
