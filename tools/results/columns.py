"""bench/columns: the names that the columns of results may have. Those of the
device's counters are in the table of counters."""
import argparse
import difflib
import pathlib
import re
from typing import Dict, Iterator, List, NamedTuple, Optional, Set

from . import counters, experiments, launches, result
from .errors import Fault
from .measure import Workplace
from .options import say

_UNITS = {"us": "µs", "ms": "ms", "ns": "ns", "ps": "ps", "bytes": "bytes",
          "gb_per_s": "GB/s", "mb_per_s": "MB/s", "gflop_per_s": "GFLOP/s",
          "tflop_per_s": "TFLOP/s", "mhz": "MHz", "kib": "KiB",
          "cycles": "cycles", "percent": "%"}


class Column(NamedTuple):
    name: str
    unit: str
    meaning: str
    is_signed: bool        # may be below 0 on one machine and not on another
    instead: str           # "" or the name that it will have
    slugs: Set[str]        # chapters that may use it until then
    line: int              # 0: of a counter


def _row(text: str, line: int) -> Optional[Column]:
    match = re.fullmatch(r"([a-z][a-z0-9_]*\*?) +(\S+) +(\S.*)", text)
    if match is None:
        return None
    name, unit, meaning = match.groups()
    instead, slugs = "", set()
    if meaning.startswith("= "):
        instead, _, users = meaning[2:].rpartition(": ")
        slugs = set(users.split())
    return Column(name, unit.lstrip("±") or "-", meaning, unit[0] == "±",
                  instead, slugs, line)


class Columns:
    """The table. Without the file any name is good."""

    def __init__(self, root: pathlib.Path):
        self.root = root
        self.rows: Dict[str, Column] = {}
        self.families: List[Column] = []
        self.faults: List[str] = []
        path = root / "bench/columns"
        self.is_there = path.is_file()
        lines = path.read_text("utf-8").split("\n") if self.is_there else []
        for number, text in enumerate(lines, 1):
            if text and not text.startswith("#"):
                self._add(text, number)
        if (root / counters.TABLE).is_file():
            for one in counters.read(root):
                if one.column in self.rows:
                    self._fault(self.rows[one.column].line, "a second row for"
                                f" {one.column}: {counters.TABLE} has it")
                self.rows[one.column] = Column(one.column, "-", one.meaning,
                                               False, "", set(), 0)

    def _fault(self, line: int, text: str) -> None:
        self.faults.append(f"bench/columns:{line}: error: {text}")

    def _add(self, text: str, line: int) -> None:
        row = _row(text, line)
        if row is None:
            self._fault(line, "a row is: name, unit, what it holds")
            return
        if row.name in self.rows:
            self._fault(line, f"a second row for {row.name}; the first is in"
                        f" line {self.rows[row.name].line}")
        suffix = next((one for one in sorted(_UNITS, key=len, reverse=True)
                       if row.name == one or row.name.endswith("_" + one)),
                      "")
        is_rate = row.name.endswith("_per_" + suffix)
        if suffix and not is_rate and _UNITS[suffix] != row.unit:
            self._fault(line, f"{row.name} must have the unit"
                        f" {_UNITS[suffix]}")
        self.rows[row.name] = row
        if row.name.endswith("*"):
            self.families.append(row)

    def find(self, name: str) -> Optional[Column]:
        """The row of a name; of X_spread_us the row of X_us."""
        if name in self.rows:
            return self.rows[name]
        base = re.sub(r"_spread(_[a-z]+)$", r"\1", name)
        if base != name and base in self.rows:
            return self.rows[base]
        return next((one for one in self.families
                     if name.startswith(one.name[:-1])), None)

    def is_signed(self, name: str) -> bool:
        row = self.find(name)
        return row is not None and row.is_signed

    def _wrong_with(self, name: str, slug: str) -> str:
        row = self.find(name)
        if row is None:
            near = difflib.get_close_matches(name, self.rows, 1)
            return (f"bench/columns has no column '{name}'" +
                    (f"; did you mean {near[0]}?" if near else
                     ": use one that it has, or add a row"))
        if row.instead and slug not in row.slugs:
            return f"the column '{name}' is to be called: {row.instead}"
        return ""

    def check(self) -> Iterator[str]:
        """The faults of the table and of all results in bench/."""
        yield from self.faults
        used: Dict[str, Set[str]] = {}
        for path in sorted(self.root.glob("bench/*/*.csv")):
            slug = path.parent.name
            for name in result.read(path).columns:
                said = self._wrong_with(name, slug)
                if said and slug not in used.get(name, ()):
                    yield f"{path.relative_to(self.root)}: error: {said}"
                used.setdefault(name, set()).add(slug)
        # Tables that the build makes of launches, by experiment.
        for slug in experiments.with_experiments(self.root):
            for one in experiments.read(self.root, slug).values():
                for name in launches.COLUMNS.get(one.kind.name, ()):
                    used.setdefault(name, set()).add(slug)
        yield from self._unused(used)

    def _unused(self, used: Dict[str, Set[str]]) -> Iterator[str]:
        found: Dict[str, Set[str]] = {}
        for name, slugs in used.items():
            row = self.find(name)
            if row:
                found.setdefault(row.name, set()).update(slugs)
        for row in self.rows.values():
            if row.line and row.name not in found:
                yield (f"bench/columns:{row.line}: error: no result has a"
                       f" column '{row.name}': remove the row")
            for slug in sorted(row.slugs - found.get(row.name, set())):
                yield (f"bench/columns:{row.line}: error: {slug} no longer has"
                       f" '{row.name}': remove it from the row")


def show(place: Workplace, _: argparse.Namespace) -> None:
    columns = Columns(place.root)
    faults = list(columns.check())
    for fault in faults:
        say(fault)
    later = [one for one in columns.rows.values() if one.instead]
    say(f"{len(columns.rows)} names, {len(later)} of them to be renamed:")
    for one in later:
        say(f"    {one.name} → {one.instead} ({len(one.slugs)} chapters)")
    if faults:
        raise Fault(f"{len(faults)} faults in the columns of results")
