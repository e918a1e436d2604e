"""Which results are not what their programs would give today?

Of the repository's results those of GPUs are asked: what the software device
counts is counted again by tests. A stale result is a fault there. Of a
reader's it is a mark in the book: `stale` in its head, beside `doubt`.
"""
import argparse
import os
import pathlib
from typing import Dict, Iterator, List, NamedTuple, Tuple

from . import experiments, result
from .errors import Fault, Skip
from .experiments import Experiment
from .inputs import STALE, UNKNOWN, State, parts_of
from .measure import Workplace
from .options import say


class Found(NamedTuple):
    one: Experiment
    machine: str
    path: pathlib.Path
    head: Dict[str, str]
    state: State


def _is_quoted(head: Dict[str, str]) -> bool:
    """From somebody's publication: no program of ours gives it."""
    return head.get("commit", "").startswith("none")


def _in_bench(place: Workplace, machine: str
              ) -> Iterator[Tuple[Experiment, str, pathlib.Path]]:
    for slug in experiments.with_experiments(place.root):
        for one in place.experiments(slug).values():
            if one.is_derived:
                continue
            pattern = f"{one.name}.*.{one.kind.extension}"
            for path in sorted((place.root / "bench" / slug).glob(pattern)):
                name = path.name.split(".")[1]
                if name == machine or (not machine and name != "software"):
                    yield one, name, path


def _in_build(place: Workplace, machine: str
              ) -> Iterator[Tuple[Experiment, str, pathlib.Path]]:
    for slug in experiments.with_experiments(place.root):
        for one in place.experiments(slug).values():
            path = place.result_file(one, machine)
            if path.is_file():
                yield one, machine, path


def find(place: Workplace, machine: str) -> List[Found]:
    """Of a machine's results, in build/results or else in bench/; of all in
    bench/ where machine is ""."""
    is_readers = bool(machine) and (place.build / "results" / machine).is_dir()
    found = []
    for one, name, path in (_in_build if is_readers else _in_bench)(
            place, machine):
        head = result.read_head(path)
        if not _is_quoted(head):
            found.append(Found(one, name, path, head,
                               place.state(one, name, head)))
    return found


def _grouped(found: List[Found]) -> Dict[Tuple[str, str, str], List[str]]:
    groups: Dict[Tuple[str, str, str], List[str]] = {}
    for one in found:
        if not one.state.is_current:
            groups.setdefault((*one.state, one.machine), []).append(one.one.id)
    return groups


def _lacks_inputs(one: Found) -> bool:
    """A head that must say what the result was made from, and does not."""
    return not parts_of(one.head.get("inputs", ""))


def show(place: Workplace, given: argparse.Namespace) -> None:
    """Prints what is not current, and fails if anything is stale. --gate is
    the test: a head of an older form fails as well, and without a compiled
    program there is nothing to test."""
    if given.brief:
        _show_briefly(place)
        return
    found = find(place, given.machine)
    for (word, reason, machine), names in sorted(_grouped(found).items()):
        say(f"{word}, {machine}: {reason}")
        for name in names:
            say(f"    {name}")
    count = {word: sum(one.state.word == word for one in found)
             for word in (STALE, UNKNOWN)}
    say(f"{len(found)} results: {len(found) - sum(count.values())} current,"
        f" {count[STALE]} stale, {count[UNKNOWN]} of unknown state.")
    lacking = [one for one in found if _lacks_inputs(one)]
    if given.gate and lacking:
        raise Fault(f"{len(lacking)} heads do not say what the result was made"
                    f" from, such as {lacking[0].path}: measure it with"
                    " ./course bench")
    if count[STALE]:
        raise Fault(f"{count[STALE]} results are not what their programs would"
                    " give today; ./course bench --reference measures them"
                    " again")
    if given.gate and all(one.state.word == UNKNOWN for one in found):
        raise Skip("nothing can be told: "
                   f"{found[0].state.reason if found else 'no results'}")


def _show_briefly(place: Workplace) -> None:
    """For the end of ./course book; silent where nothing is known to be
    stale."""
    n = sum(one.state.word == STALE for one in find(place, ""))
    if n:
        say(f"{n} of the book's results are stale: their kernels, or how they"
            " are measured, changed since. python3 tools/results stale names"
            " them.")


def mark(place: Workplace, machine: str) -> List[Found]:
    """Writes into the heads of a reader's results which of them are stale, and
    takes it out of those that no longer are. Returns the stale ones."""
    found = find(place, machine)
    for one in found:
        reason = one.state.reason if one.state.word == STALE else ""
        if reason != one.head.get("stale", ""):
            _write_mark(one.path, reason)
    return [one for one in found if one.state.word == STALE]


def _write_mark(path: pathlib.Path, reason: str) -> None:
    own = path.with_name(path.name + ".head")
    path = own if own.is_file() else path
    lines = [line for line in path.read_text("utf-8").split("\n")
             if not line.startswith("# stale:")]
    n_head = next((i for i, line in enumerate(lines)
                   if not line.startswith("#")), len(lines))
    if reason:
        lines.insert(n_head, f"# stale: {reason}")
    new = path.with_name(path.name + ".new")
    new.write_text("\n".join(lines), "utf-8")
    os.replace(new, path)
