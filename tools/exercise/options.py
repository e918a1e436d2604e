"""What the command lines of ./course exercise and ./course grade have in common."""
import argparse
import os
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[2]


class Usage(Exception):
    """The command line is wrong; exit status 2."""


class Parser(argparse.ArgumentParser):
    def __init__(self, prog: str):
        super().__init__(prog=prog, allow_abbrev=False, add_help=False)
        self.add_argument("--compiler", choices=["nvcc", "clang"])
        self.add_argument("--seed", type=_seed)

    def error(self, message: str) -> NoReturn:
        raise Usage(message)


def _seed(word: str) -> int:
    if not (word.isascii() and word.isdecimal()) or int(word) >= 1 << 31:
        raise argparse.ArgumentTypeError("it is a number from 0 to 2^31 - 1")
    return int(word)


def build_folder() -> Path:
    return Path(os.environ.get("COURSE_BUILD") or ROOT / "build").resolve()
