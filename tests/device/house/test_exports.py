"""The version under which the core exports its functions follows its headers."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Dict

SCRIPT = Path(__file__).resolve().parents[3] / 'device/core/exports.py'


def version_of(headers: Dict[str, str]) -> str:
    """The first line of the version script for a tree of these headers."""
    with tempfile.TemporaryDirectory() as folder:
        device = Path(folder)
        for name, text in headers.items():
            (device / name).parent.mkdir(parents=True, exist_ok=True)
            (device / name).write_text(text, encoding='utf-8')
        subprocess.run([sys.executable, SCRIPT, device, device / 'out.map',
                        device / 'out.d'], check=True)
        dependencies = (device / 'out.d').read_text(encoding='utf-8').split()
        shared = [n for n in headers if not n.startswith('exec/')]
        assert dependencies[0].endswith('out.map:'), dependencies
        assert len(dependencies) == 1 + len(shared), dependencies
        return (device / 'out.map').read_text(encoding='utf-8').split()[0]


class Versions(unittest.TestCase):
    tree = {'core/calls.def': 'CALL(a)', 'core/graph/graph.h': 'int a;',
            'memory/memory.h': 'int b;', 'exec/launch.h': 'int c;',
            'check/operand.h': 'int d;'}

    def test_same_headers(self) -> None:
        self.assertEqual(version_of(self.tree), version_of(dict(self.tree)))

    def test_changed_headers(self) -> None:
        before = version_of(self.tree)
        self.assertRegex(before, '^softdevice_[0-9a-f]{12}$')
        for name in self.tree:
            after = version_of({**self.tree, name: 'changed'})
            self.assertEqual(after == before, name.startswith('exec/'), name)


if __name__ == '__main__':
    unittest.main()
