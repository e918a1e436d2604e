"""What Meson and the book's filters need to know of the experiments.

`plan FOLDER FILE…` prints a line for each test that Meson has to make, which is
one per chapter: the slug, a tab, and the programs that its experiments run. It
also writes FOLDER/<slug>.tsv for the filters: a line for each experiment, with
name, kind and origin. FILEs are the bench/<slug>/experiments: Meson runs this
again when one of its arguments changes.
"""
import pathlib
from typing import Dict, Iterable, List

from outputs import write_if_changed
from . import experiments


def for_filters(found: Iterable[experiments.Experiment]) -> str:
    return "".join(f"{one.name}\t{one.kind.name}\t{one.origin}\n"
                   for one in found)


def write_lists(root: pathlib.Path, folder: pathlib.Path,
                slugs: List[str]) -> List[experiments.Experiment]:
    """Returns all experiments of the chapters, checked."""
    every: List[experiments.Experiment] = []
    folder.mkdir(parents=True, exist_ok=True)
    for slug in slugs:
        found = experiments.read(root, slug)
        experiments.need_programs(root, found)
        write_if_changed(folder / (slug + ".tsv"), for_filters(found.values()))
        every += found.values()
    for path in folder.glob("*.tsv"):
        if path.stem not in slugs:
            path.unlink()
    return every


def for_meson(every: Iterable[experiments.Experiment]) -> str:
    programs: Dict[str, Dict[str, None]] = {}    # the values: in order, once
    for one in every:
        if one.is_tested:
            programs.setdefault(one.slug, {})[one.program] = None
    return "".join(f"{slug}\t{' '.join(names)}\n"
                   for slug, names in programs.items())
