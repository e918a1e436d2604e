"""What the heads of all results say, for the page "How these numbers were
made". A line for each fact, fields separated by tabs:

    <slug>/<experiment>  machine  key  value

and, with an empty machine, what the page says of how things are measured:

    bounds               ''       name in conditions.BOUNDS  number
"""
import pathlib
import re
from typing import List, Tuple

from . import conditions, result

Fact = Tuple[str, str, str, str]


def result_files(root: pathlib.Path, build: pathlib.Path,
                 machines: str) -> List[pathlib.Path]:
    files = sorted((root / "bench").glob("*/*.csv"))
    for machine in filter(None, machines.split(",")):
        files += sorted((build / "results" / machine).glob("*/*.csv"))
    return [path for path in files if path.is_file()]


def _head_lines(path: pathlib.Path) -> List[str]:
    """Access maps have thousands of rows: only the head is read."""
    lines = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if not line.startswith("#"):
                break
            lines.append(line.rstrip("\n"))
    return lines


def facts_of(path: pathlib.Path) -> List[Fact]:
    name = f"{path.parent.name}/{path.name.split('.')[0]}"
    pairs = [(match[1], match[2]) for match in
             (re.match(r"# *([a-z_]*): *(.*)", line)
              for line in _head_lines(path)) if match]
    head = dict(reversed(pairs))
    machine = head.get("machine", "")
    # Heads of earlier runs do not say how far the times spread; rows do.
    if ("spread_percent_median" not in head and
            not head.get("gpu", "").startswith("software")):
        pairs += conditions.head_of_spreads(
            conditions.spreads(result.read(path)))
    return [(name, machine, key, value) for key, value in pairs]


def heads(files: List[pathlib.Path]) -> str:
    facts: List[Fact] = [("bounds", "", name, str(value))
                         for name, value in conditions.BOUNDS.items()]
    for path in files:
        facts += facts_of(path)
    facts.sort(key=lambda fact: (fact[1].encode(), fact[0].encode()))
    return "".join("\t".join(fact) + "\n" for fact in facts)
