"""Files that check_format.py must accept, and one that it must not."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import check_format

STYLE = 'BasedOnStyle: LLVM\nIndentWidth: 2\n'


def status_of(text: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / '.clang-format').write_text(STYLE, encoding='utf-8')
        (root / 'device').mkdir()
        (root / 'device' / 'one.cu').write_text(text, encoding='utf-8')
        with contextlib.redirect_stdout(io.StringIO()):
            return check_format.main([folder])


@unittest.skipUnless(check_format.clang_format(), 'no clang-format 14 here')
class Format(unittest.TestCase):
    def test_formatted(self) -> None:
        self.assertEqual(status_of('int one(void) { return 1; }\n'), 0)

    def test_not_formatted(self) -> None:
        self.assertEqual(status_of('int one(void){return 1;}\n'), 1)


class Files(unittest.TestCase):
    def test_exceptions_exist(self) -> None:
        root = Path(__file__).resolve().parents[2]
        for name in check_format.EXCEPTIONS:
            self.assertTrue(any(root.glob(name)), name)


if __name__ == '__main__':
    unittest.main()
