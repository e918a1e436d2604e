"""Shared by the unit tests of tools/results."""
import pathlib
import sys
import tempfile
import unittest
from typing import Type

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

from results.errors import Fault  # noqa: E402


class InFolder(unittest.TestCase):
    """A test with an empty folder, whose name holds a space."""

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="results test.")
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)

    def write(self, path: str, text: str) -> pathlib.Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def refuses(self, expected: str, function, *arguments,
                error: Type[Exception] = Fault) -> None:
        """The call must fail with a message that holds this text."""
        with self.assertRaises(error) as caught:
            function(*arguments)
        self.assertIn(expected, str(caught.exception))
