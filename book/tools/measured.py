#!/usr/bin/env python3
"""What the pages say of all results together, for Ninja.

  measured.py heads|machines|gallery|downloads ROOT BUILD MACHINES DEPFILE OUTPUT

MACHINES are those of ./course book --results, between commas, or empty.

  heads      for the page "How these numbers were made", one fact per line:
             <slug>/<experiment>, machine, key, value between tabs; and, with an
             empty machine, the bounds of a doubtful run
  machines   the machines of this copy's numbers, one per line: name, GPU,
             compute capability, driver, toolkit, commits, first date, last
             date, number of files
  gallery    for the page "Machines": the cards of machines, those in
             bench/machines and those made of results, one fact per line
  downloads  the results that pages link to, copied into <build>/book/html/data;
             OUTPUT is a stamp
"""
import pathlib
import re
import shutil
import sys
from typing import Iterator

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

from outputs import write_depfile, write_if_changed     # noqa: E402
from results import cards, conditions                   # noqa: E402
from results.result import read as read_table, read_head    # noqa: E402

Path = pathlib.Path
Fact = tuple[str, str, str, str]


def watched(root: Path) -> list[Path]:
    """New files show in their folders."""
    bench = root / "bench"
    return [bench, *sorted(path for path in bench.iterdir() if path.is_dir())]


def result_files(root: Path, build: Path, machines: list[str]) -> list[Path]:
    files = sorted(path for kind in ("csv", "launch")
                   for path in (root / "bench").glob(f"*/*.{kind}"))
    for machine in machines:
        files += sorted((build / "results" / machine).glob("*/*.csv"))
    return files


def facts_of(path: Path) -> list[Fact]:
    name = f"{path.parent.name}/{path.name.split('.')[0]}"
    head = read_head(path)
    machine = head.get("machine", "")
    # Heads of earlier runs do not say how far the times spread; rows do.
    if ("spread_percent_median" not in head and
            not head.get("gpu", "").startswith("software")):
        head.update(conditions.head_of_spreads(
            conditions.spreads(read_table(path))))
    return [(name, machine, key, value) for key, value in head.items()]


def heads(paths: list[Path]) -> str:
    facts: list[Fact] = [("bounds", "", name, str(value))
                         for name, value in conditions.BOUNDS.items()]
    for path in paths:
        facts += facts_of(path)
    facts.sort(key=lambda fact: (fact[1].encode(), fact[0].encode()))
    return "".join("\t".join(fact) + "\n" for fact in facts)


def day(date: str) -> str:
    """Of a day its time is left out; what was quoted may be of "2007 to
    2025"."""
    return date[:10] if re.match("[0-9-]+T", date) else date


class Machine:
    def __init__(self) -> None:
        self.commits: list[str] = []
        self.days: list[str] = []
        self.n_files = 0

    def add(self, head: dict[str, str]) -> None:
        date = day(head.get("date", ""))
        self.days += [date.partition(" to ")[0], date.rpartition(" to ")[2]]
        commit = head.get("commit", "")
        if f" {commit} " not in f" {' '.join(self.commits)} ":
            self.commits.append(commit)
        self.n_files += 1


def machines_of(paths: list[Path]) -> str:
    found: dict[tuple[str, ...], Machine] = {}
    names: dict[tuple[str, ...], str] = {}
    for path in paths:
        head = read_head(path)
        if not head.get("machine"):
            continue
        given = [head.get(key, "") for key in
                 ("machine", "gpu", "compute_capability", "driver", "toolkit")]
        key = tuple(given[:2] + given[3:])
        names.setdefault(key, "\t".join(given))
        found.setdefault(key, Machine()).add(head)
    return "".join(sorted(
        f"{names[key]}\t{' '.join(one.commits)}\t{min(one.days)}\t"
        f"{max(one.days)}\t{one.n_files}\n" for key, one in found.items()))


def gallery(root: Path) -> str:
    """machine, its facts; ladder, what it is; rate, of which version where."""
    lines: list[tuple[str, ...]] = []
    known = cards.all_cards(root)
    for card in known:
        name = card.facts["machine"]
        lines += [("machine", name, "contributed" if card.contributed else
                   "bench")]
        lines += [("fact", name, key, value)
                  for key, value in card.facts.items()]
    for one in cards.headlines(root):
        slug = one.experiment.partition("/")[0]
        lines.append(("ladder", one.name, one.title, one.unit, slug))
        for card in known:
            lines += [("rate", one.name, row[1], card.facts["machine"],
                       row[2], row[3]) for row in card.rows
                      if row[0] == one.name]
    return "".join("\t".join(line) + "\n" for line in lines)


def downloads(root: Path, build: Path,
              machines: list[str]) -> Iterator[tuple[Path, str]]:
    """Each file that is offered, and what it is called there."""
    for folder in (root / "bench", build / "bench"):    # given, then computed
        for path in sorted(folder.glob("*/*.csv")):
            yield path, f"{path.parent.name}/{path.name}"
    for machine in machines:
        for path in sorted((build / "results" / machine).glob("*/*.csv")):
            yield path, f"{path.parent.name}/{path.stem}.{machine}.csv"


def copy_all(offered: list[tuple[Path, str]], folder: Path) -> None:
    """Nothing is missing from the folder at any time but a moment."""
    new = folder.with_name(folder.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    for path, name in offered:
        (new / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(path, new / name)
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)


def main(arguments: list[str]) -> None:
    what, root, build, machines_text, depfile, output = arguments
    tree, built = Path(root), Path(build)
    machines = [one for one in machines_text.split(",") if one]
    if what == "downloads":
        offered = list(downloads(tree, built, machines))
        paths = [path for path, _ in offered]
        copy_all(offered, built / "book/html/data")
        Path(output).write_text("")
    else:
        paths = result_files(tree, built, machines)
        if what == "gallery":
            text = gallery(tree)
            paths += [*tree.glob("bench/headlines"), *cards.contributed(tree)]
        else:
            text = heads(paths) if what == "heads" else machines_of(paths)
        write_if_changed(output, text)
    write_depfile(depfile, output, watched(tree) + paths)


if __name__ == "__main__":
    main(sys.argv[1:])
