"""The list of files whose phrases are still to be rewritten, which only
shrinks."""
import collections
import pathlib
from typing import Dict, List, Set

from findings import Fault, Finding

HEAD = """\
# Files that are still to be rewritten, with how many phrases of words.tsv they
# hold. tests/prose/check words fails if a file holds more than that, or none.
# After rewriting, `tests/prose/check --shrink` lowers the numbers; nothing
# raises them.
"""


def read(path: pathlib.Path) -> Dict[str, int]:
    listed: Dict[str, int] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        name, tab, count = line.partition("\t")
        if not tab or not count.isdigit() or int(count) == 0:
            raise Fault(f"{path.name}:{number}: a row is a file, a tab and how"
                        " many phrases it holds, at least 1")
        if name in listed:
            raise Fault(f"{path.name}:{number}: '{name}' is there twice")
        listed[name] = int(count)
    return listed


def counted(seen: List[Finding]) -> Dict[str, int]:
    return collections.Counter(one.path for one in seen)


def complaints(seen: List[Finding], listed: Dict[str, int], known: Set[str]
               ) -> List[str]:
    """What is wrong, file by file: findings in files that should be clean,
    and rows of the list that are no longer true."""
    counts, lines = counted(seen), []
    for one in seen:
        if counts[one.path] > listed.get(one.path, 0):
            lines.append(str(one))
    for name, count in listed.items():
        row = f"tests/prose/todo: {name}: "
        if name not in known:
            lines.append(row + "there is no such file; remove the row")
        elif not counts[name]:
            lines.append(row + "it is clean now; remove the row"
                         " (tests/prose/check --shrink)")
        elif counts[name] > count:
            lines.append(row + f"{counts[name]} phrases, where {count} were"
                         " allowed; rewrite the sentences above")
    return lines


def shrink(path: pathlib.Path, counts: Dict[str, int]) -> None:
    rows = sorted((name, min(count, counts[name]))
                  for name, count in read(path).items() if counts.get(name))
    path.write_text(HEAD + "".join(f"{name}\t{count}\n" for name, count in rows),
                    "utf-8")
