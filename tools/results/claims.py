"""Which claims of the book are false? All chapters in seconds, no page made.

The words of a claim are held against its numbers only when a page is built.
"""
import argparse
import pathlib
import shutil
import subprocess
import tempfile
from typing import List, NamedTuple

from . import options
from .errors import Fault, Skip
from .measure import Workplace
from .options import say


class Failed(NamedTuple):
    """A claim that is false, or cannot be computed."""
    chapter: str
    line: str
    name: str
    wrong: str      # "false", or why it cannot be computed
    words: str
    expression: str
    values: str

    def row(self) -> str:
        check = self.expression if self.wrong == "false" else \
            f"{self.expression} **{self.wrong}**"
        cells = [f"{self.chapter}:{self.line}", self.name, self.words, check,
                 self.values]
        return "| " + " | ".join(cell.replace("|", "\\|")
                                 for cell in cells) + " |"


def _chapters(root: pathlib.Path, slugs: List[str]) -> List[str]:
    paths = sorted((root / "chapters").glob("[0-9]*.md"))
    known = {path.stem.partition("-")[2]: path for path in paths}
    for slug in slugs:
        if slug not in known:
            raise Fault(f"no chapter '{slug}'; there are: {' '.join(known)}")
    return [f"chapters/{path.name}" for slug, path in known.items()
            if not slugs or slug in slugs]


def _of_machine(place: Workplace, machine: str) -> List[str]:
    """Whom pandoc is to ask."""
    if (place.build / "results" / machine).is_dir():
        return ["-M", f"book-machine={machine}"]
    if options.in_bench(place.root, machine, "csv"):
        return ["-M", f"book-reference={machine}"]
    raise Fault(f"no results of a machine '{machine}' here; ./course results"
                " lists them")


def find(place: Workplace, slugs: List[str], machine: str
         ) -> "tuple[List[Failed], List[int]]":
    """Those that fail; the numbers of claims, of false ones and of others."""
    pandoc = shutil.which("pandoc")
    if pandoc is None:
        raise Skip("pandoc was not found")
    with tempfile.NamedTemporaryFile("w") as empty:
        empty.write("[]")
        empty.flush()
        ran = subprocess.run(
            [pandoc, "-f", "native", "-t", "plain", "--wrap=none", "-L",
             str(place.root / "book/filters/claims.lua"), "-M",
             f"book-root={place.root}", "-M", f"book-build={place.build}",
             "-M", "claims-of=" + ",".join(_chapters(place.root, slugs)),
             *(_of_machine(place, machine) if machine else []), empty.name],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if ran.returncode:
        raise Fault(ran.stderr.rstrip())
    *lines, counts = ran.stdout.rstrip("\n").split("\n")
    return ([Failed(*line.split("\t")) for line in lines],
            [int(word) for word in counts.split("\t")])


def show(place: Workplace, given: argparse.Namespace) -> None:
    failed, (n_all, n_false, n_other) = find(place, given.slugs,
                                             given.machine or "")
    if failed:
        say("| place | name | words | must hold | values |\n"
            "|---|---|---|---|---|")
    for one in failed:
        say(one.row())
    say(f"{n_all} claims: {n_false} false, {n_other} that cannot be computed.")
    if failed:
        raise Fault(f"{len(failed)} claims fail")
