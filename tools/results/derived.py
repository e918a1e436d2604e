"""For programs that compute results from other results, such as
bench/roofline/points: their command line, and which files they read.

    PROGRAM --root ROOT [--results DIR] [--depfile FILE --target NAME] MACHINE

Results of the software device and of the reference are in ROOT/bench; those of
another machine are DIR/<slug>/<experiment>.*, or contributed ones in ROOT/bench.
"""
import argparse
import pathlib
import sys
from typing import Callable, Iterable, List, Set

from outputs import write_depfile
from .errors import Fault


class Sources:
    def __init__(self, root: pathlib.Path, results: pathlib.Path,
                 machine: str):
        self.root, self.results, self.machine = root, results, machine
        self.depends: Set[pathlib.Path] = set()

    def add(self, path: pathlib.Path) -> pathlib.Path:
        """Notes that the output depends on this file or folder: new files
        show in their folder."""
        if path.exists():
            self.depends.add(path)
        return path

    def of(self, slug: str, name: str, machine: str,
           extension: str = "csv") -> pathlib.Path:
        return self.add(self.root / "bench" / slug /
                        f"{name}.{machine}.{extension}")

    def mine(self, slug: str, name: str,
             extension: str = "csv") -> pathlib.Path:
        """The machine's own file."""
        self.add(self.root / "bench" / slug)
        self.add(self.results / slug)
        own = self.results / slug / f"{name}.{extension}"
        return (self.add(own) if own.is_file() else
                self.of(slug, name, self.machine, extension))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What these programs are told beside the root."""
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--depfile")
    parser.add_argument("--target")
    parser.add_argument("machine")


def note_depends(given: argparse.Namespace,
                 depends: Iterable[pathlib.Path]) -> None:
    if given.depfile:
        write_depfile(given.depfile, given.target, depends)


def main(program: str, lines: Callable[[Sources], List[str]]) -> int:
    """Prints the lines that the function makes from what it reads."""
    parser = argparse.ArgumentParser(prog=program)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    add_arguments(parser)
    given = parser.parse_args()
    sources = Sources(given.root, given.results or given.root / "none",
                      given.machine)
    try:
        text = "".join(line + "\n" for line in lines(sources))
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 1
    note_depends(given, sorted(sources.depends))
    sys.stdout.write(text)
    return 0
