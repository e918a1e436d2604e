"""device/report/counts.def: the counters of the software device, one row each,
and what is made of them here."""
import argparse
import pathlib
import re
from typing import Dict, Iterator, List, NamedTuple, Tuple

from .errors import Fault
from .kinds import KINDS
from .measure import Workplace
from .options import say

TABLE = "device/report/counts.def"
MANUAL = "device/MANUAL.md"
_TEXT = r'((?:"[^"]*"\s*)+)'
_ROW = re.compile(r"COUNTER\((\w+), (\w+), (\w+), (\w+), (\w+),\s*" +
                  _TEXT + r",\s*" + _TEXT + r"\)")
_HEAD = "| Column | Counts |\n|---|---|\n"
# Of each file of counts, the list of metrics that makes the same of a GPU's.
_LISTS = {kind.variable.replace("SOFTDEVICE_", ""): kind.metrics
          for kind in KINDS.values() if kind.variable and kind.metrics}


class Counter(NamedTuple):
    """The table's head says what each field is."""
    file: str
    column: str
    class_: str
    value: str
    group: str             # "" if it is not compared
    metrics: List[str]     # of Nsight Compute, added up
    meaning: str


def _joined(text: str) -> str:
    return "".join(re.findall('"([^"]*)"', text))


def read(root: pathlib.Path) -> List[Counter]:
    path = root / TABLE
    text = path.read_text("utf-8")
    found: List[Counter] = []
    for start in re.finditer(r"^COUNTER\(", text, re.M):
        row = _ROW.match(text, start.start())
        if not row:
            line = text.count("\n", 0, start.start()) + 1
            raise Fault("a row is: file, column, class, value, group, metrics,"
                        " meaning, the last two as text", f"{path}:{line}")
        file, column, class_, value, group, metrics, meaning = row.groups()
        found.append(Counter(
            file, column, class_, value, "" if group == "none" else group,
            [one for one in _joined(metrics).split(" + ") if one],
            _joined(meaning)))
    return found


def metrics_of(counters: List[Counter]) -> str:
    """The lines of a list of metrics (ncu.py)."""
    several = any(len(one.metrics) > 1 for one in counters)
    width = 0 if several else max(len(one.column) for one in counters)
    lines = []
    for one in counters:
        line = f"{one.column:<{width}} ="
        plain = " ".join([line, *one.metrics])
        lines += ([line, *(f"  {'+' if i else ' '} {metric}"
                           for i, metric in enumerate(one.metrics))]
                  if several or len(plain) > 80 else [plain])
    return "".join(line + "\n" for line in lines)


def _rows_of(counters: List[Counter]) -> str:
    return "".join(f"| `{one.column}` | {one.meaning} |\n" for one in counters)


def _with_tables(manual: str, by_file: Dict[str, List[Counter]]) -> str:
    """The manual with the rows of each file's table, which is known by the
    column that it begins with."""
    def table(match: "re.Match[str]") -> str:
        for counters in by_file.values():
            if match[1] == counters[0].column:
                return _HEAD + _rows_of(counters)
        return match[0]
    return re.sub(re.escape(_HEAD) + r"\| `(\w+)` .*\n(?:\|.*\n)*", table,
                  manual)


def made(root: pathlib.Path) -> Iterator[Tuple[pathlib.Path, str]]:
    """The files that hold a part of the table, and how they should be."""
    by_file: Dict[str, List[Counter]] = {}
    for one in read(root):
        by_file.setdefault(one.file, []).append(one)
    for file, name in _LISTS.items():
        path = root / "bench/common" / name
        head = path.read_text("utf-8").partition("\n\n")[0]
        yield path, head + "\n\n" + metrics_of(by_file[file])
    manual = root / MANUAL
    yield manual, _with_tables(manual.read_text("utf-8"), by_file)


def update(place: Workplace, given: argparse.Namespace) -> None:
    differing = [(path, text) for path, text in made(place.root)
                 if path.read_text("utf-8") != text]
    for path, text in differing:
        name = path.relative_to(place.root)
        if given.write:
            path.write_text(text, "utf-8")
            say(f"written: {name}")
        else:
            say(f"{name}: error: it is not what {TABLE} says")
    if differing and not given.write:
        raise Fault("python3 tools/results counters --write makes them anew")
