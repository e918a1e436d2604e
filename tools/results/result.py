"""A result: the lines `# key: value` of its head, and a table or a text.

A table is a CSV file that begins with its head; its first line holds the names
of the columns, and no cell holds a comma, a quote or a line break. Launches
(launches.py) begin with their head, too. The head of
a text is a file of its own, <file>.head, among a reader's results; in bench/
a text has none.
"""
import pathlib
import re
from typing import Dict, Iterable, List, NamedTuple

_HEAD_LINE = re.compile(r"#\s*([a-z_]+):\s*(.*?)\s*")


# Files that begin with their head.
WITH_HEAD = (".csv", ".launch")


class Table(NamedTuple):
    head: List[str]          # its lines, without line ends
    columns: List[str]
    rows: List[List[str]]    # cells
    first_line: int          # number of the line that holds rows[0]

    def text(self) -> str:
        lines = self.head + [",".join(self.columns)] if self.columns \
            else self.head
        return "".join(line + "\n" for line in
                       lines + [",".join(row) for row in self.rows])

    def column(self, name: str) -> List[str]:
        at = self.columns.index(name)
        return [row[at] for row in self.rows]

    def as_dicts(self) -> List[Dict[str, str]]:
        return [dict(zip(self.columns, row)) for row in self.rows]


def fits(row: Dict[str, str], conditions: Iterable[str]) -> bool:
    """Does a row meet each `column=value`? `*` is any value, and by itself any
    row. Raises KeyError where there is no such column."""
    pairs = [one.partition("=") for one in conditions if one != "*"]
    return all([value == "*" or row[column] == value
                for column, _, value in pairs])


def parse(text: str) -> Table:
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    n_head = 0
    while n_head < len(lines) and lines[n_head].startswith("#"):
        n_head += 1
    cells = [line.split(",") for line in lines[n_head:]
             if not line.startswith("#")]
    return Table(lines[:n_head], cells[0] if cells else [], cells[1:],
                 n_head + 2)


def read(path: pathlib.Path) -> Table:
    return parse(path.read_text("utf-8"))


def head_of(lines: List[str]) -> Dict[str, str]:
    """The head's values; of a key that comes twice, the first."""
    head: Dict[str, str] = {}
    for line in lines:
        match = _HEAD_LINE.fullmatch(line)
        if match:
            head.setdefault(match[1], match[2])
    return head


def read_head(path: pathlib.Path) -> Dict[str, str]:
    """The head of the result at this path, or of the text with a head of its
    own; empty if there is none."""
    own = path.with_name(path.name + ".head")
    lines: List[str] = []
    try:
        with open(own if own.is_file() else path, encoding="utf-8",
                  errors="replace") as file:
            for line in file:
                if not line.startswith("#"):
                    break
                lines.append(line.rstrip("\n"))
    except OSError:
        return {}
    return head_of(lines)


def content(path: pathlib.Path) -> bytes:
    """What of the file a run has to give again: all but the head."""
    data = path.read_bytes()
    if path.suffix not in WITH_HEAD:
        return data
    return b"".join(line for line in data.splitlines(keepends=True)
                    if not line.startswith(b"#"))


def write_head(keys: Dict[str, str]) -> str:
    return "".join(f"# {key}: {value}\n" for key, value in keys.items())


def differences(before: Table, now: Table, most: int = 20) -> List[str]:
    """In words, where two tables differ."""
    if before.columns != now.columns:
        return ["columns: " + ",".join(before.columns),
                "now:     " + ",".join(now.columns)]
    said: List[str] = []
    for n, (old, new) in enumerate(zip(before.rows, now.rows), 1):
        if old == new:
            continue
        said += [f"row {n} ({old[0]}): {name} was {was}, is {cell}"
                 for name, was, cell in zip(before.columns, old, new)
                 if was != cell]
        if len(old) != len(new):
            said.append(f"row {n} ({old[0]}): had {len(old)} cells,"
                        f" has {len(new)}")
    if len(before.rows) != len(now.rows):
        said.append(f"rows: there were {len(before.rows)}, there are"
                    f" {len(now.rows)}")
    if len(said) > most:
        said[most:] = [f"… and {len(said) - most} more"]
    return said
