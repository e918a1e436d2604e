"""For programs that compute results from other results, such as
bench/roofline/points: their command line, and which files they read.

    PROGRAM --root ROOT [--results DIR] [--depfile FILE --target NAME] MACHINE

Results of the software device and of the reference are in ROOT/bench; those of
another machine are DIR/<slug>/<experiment>.*, or contributed ones in ROOT/bench.
"""
import pathlib
import sys
from typing import Callable, List, Set

from . import options, plan
from .errors import Fault, Usage


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


def main(program: str, lines: Callable[[Sources], List[str]]) -> int:
    """Prints the lines that the function makes from what it reads."""
    try:
        given, rest = options.parse(
            program, sys.argv[1:], [],
            ["--root", "--results", "--depfile", "--target"])
        if len(rest) != 1 or "--root" not in given:
            raise Usage(f"{program}: expected --root ROOT … MACHINE")
        root = pathlib.Path(given["--root"])
        sources = Sources(
            root, pathlib.Path(given.get("--results") or root / "none"),
            rest[0])
        text = "".join(line + "\n" for line in lines(sources))
    except Usage as usage:
        print(usage, file=sys.stderr)
        return 2
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 1
    if "--depfile" in given:
        plan.depfile(pathlib.Path(given["--depfile"]), given["--target"],
                     sorted(sources.depends))
    sys.stdout.write(text)
    return 0
