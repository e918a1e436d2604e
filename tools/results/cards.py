"""The card of a machine: what its GPU is, and its times of a few ladders.

A whole set of results has hundreds of files, a card less than a hundred lines. It
is what a reader sends who has measured for five minutes (./course bench --quick),
and what the page "Machines" shows. bench/headlines names the ladders. A card looks like a
result:

    # machine: rtx_4090
    # gpu: NVIDIA GeForce RTX 4090
    …
    ladder,version,value,doubt
    transpose,copy,912.40,

doubt is empty, or a question mark where the run was doubtful. The cards of readers
are bench/machines/<machine>.card; a machine whose results are in bench/ has none,
because it is made of those.
"""
import pathlib
import re
from typing import Callable, Dict, Iterator, List, NamedTuple, Optional

from . import options, result
from .errors import Fault

COLUMNS = ["ladder", "version", "value", "doubt"]
# What a card says of the machine, as the heads of its results do.
FACTS = ("machine", "gpu", "compute_capability", "driver", "toolkit", "cpu",
         "commit", "date")
# Of a fact that need not be there.
OPTIONAL = ("cpu",)


class Headline(NamedTuple):
    name: str
    title: str
    unit: str
    experiment: str     # <slug>/<name>
    column: str


class Card(NamedTuple):
    facts: Dict[str, str]
    rows: List[List[str]]       # cells, as COLUMNS says
    contributed: bool           # or made of results in bench/

    def ladders(self) -> List[str]:
        return list(dict.fromkeys(row[0] for row in self.rows))

    def text(self) -> str:
        return (result.write_head(self.facts) + ",".join(COLUMNS) + "\n" +
                "".join(",".join(row) + "\n" for row in self.rows))


def headlines(root: pathlib.Path) -> List[Headline]:
    found = []
    path = root / "bench/headlines"
    lines = path.read_text("utf-8").split("\n") if path.is_file() else []
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != len(Headline._fields):
            raise Fault(f"bench/headlines:{number}: {len(fields)} fields instead"
                        f" of {len(Headline._fields)}; tabs are between them")
        found.append(Headline(*fields))
    return found


def make(root: pathlib.Path, machine: str,
         file_of: Callable[[str, str], pathlib.Path]) -> Optional[Card]:
    """The card of a machine's results; file_of gives the file of an experiment,
    by slug and name, which may not be there. None if there is no ladder."""
    rows: List[List[str]] = []
    heads: List[Dict[str, str]] = []
    for one in headlines(root):
        path = file_of(*one.experiment.split("/"))
        if not path.is_file():
            continue
        table, head = result.read(path), result.read_head(path)
        doubt = "?" if head.get("doubt") or head.get("stale") else ""
        rows += [[one.name, row["version"], row[one.column], doubt]
                 for row in table.as_dicts()]
        heads.append(head)
    if not heads:
        return None
    facts = {key: heads[0].get(key, "") for key in FACTS}
    facts["machine"] = machine
    facts["date"] = max(head.get("date", "") for head in heads)
    commits = dict.fromkeys(head.get("commit", "") for head in heads)
    facts["commit"] = " ".join(filter(None, commits))
    return Card({key: value for key, value in facts.items() if value}, rows,
                False)


def of_set(root: pathlib.Path, folder: pathlib.Path) -> Optional[Card]:
    """The card of a reader's set, build/results/<machine>."""
    return make(root, folder.name,
                lambda slug, name: folder / slug / f"{name}.csv")


def of_bench(root: pathlib.Path, machine: str) -> Optional[Card]:
    return make(root, machine, lambda slug, name:
                root / "bench" / slug / f"{name}.{machine}.csv")


def faults_of(root: pathlib.Path, path: pathlib.Path) -> Iterator[str]:
    """What is wrong with a card, each with the place."""
    table = result.read(path)
    facts = result.head_of(table.head)
    shown = path.name
    for key in FACTS:
        if not facts.get(key) and key not in OPTIONAL:
            yield f"{shown}: error: its head lacks '{key}'"
    if facts.get("machine", path.stem) != path.stem:
        yield (f"{shown}: error: it is the card of '{facts['machine']}': name it"
               f" {facts['machine']}.card")
    if not re.fullmatch("[a-z0-9_]+", path.stem) or path.suffix != ".card":
        yield f"{shown}: error: a card is named <machine>.card, of a-z, 0-9, _"
    if options.in_bench(root, path.stem, "csv"):
        yield (f"{shown}: error: bench/ has results of a machine '{path.stem}':"
               " give this one another name: ./course export, --machine")
    if table.columns != COLUMNS:
        yield (f"{shown}:{len(table.head) + 1}: error: the columns are not"
               f" {','.join(COLUMNS)}")
        return
    known = {one.name for one in headlines(root)}
    seen = set()
    for number, row in enumerate(table.rows, table.first_line):
        place = f"{shown}:{number}: error: "
        if len(row) != len(COLUMNS):
            yield f"{place}{len(row)} cells instead of {len(COLUMNS)}"
            continue
        if row[0] not in known:
            yield f"{place}bench/headlines has no ladder '{row[0]}'"
        if not re.fullmatch("[a-z0-9_]+", row[1]) or (row[0], row[1]) in seen:
            yield f"{place}'{row[1]}' is no version, or is there twice"
        if not re.fullmatch(r"\d+(\.\d+)?", row[2]) or float(row[2]) <= 0:
            yield f"{place}'{row[2]}' is no rate"
        if row[3] not in ("", "?"):
            yield f"{place}doubt is empty or ?, not '{row[3]}'"
        seen.add((row[0], row[1]))
    if not table.rows:
        yield f"{shown}: error: it has no row"


def contributed(root: pathlib.Path) -> List[pathlib.Path]:
    return sorted(path for path in (root / "bench/machines").glob("*")
                  if path.is_file() and path.name != "README.md")


def read(path: pathlib.Path) -> Card:
    table = result.read(path)
    return Card(result.head_of(table.head), table.rows, True)


def all_cards(root: pathlib.Path) -> List[Card]:
    """Of the reference, of the other machines in bench/, of readers."""
    names = set()
    for one in headlines(root):
        slug, name = one.experiment.split("/")
        names |= {path.name.split(".")[1] for path in
                  (root / "bench" / slug).glob(f"{name}.*.csv")}
    first = options.reference(root)
    ordered = sorted(names - {"software", "cited"},
                     key=lambda name: (name != first, name))
    found = [of_bench(root, name) for name in ordered]
    return [card for card in found if card] + [
        read(path) for path in contributed(root)]
