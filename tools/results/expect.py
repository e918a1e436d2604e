"""What tests require of results."""
import difflib
import os
import pathlib
import re
from typing import Dict, List, Optional

from . import here, options, result
from .errors import Fault, Skip
from .experiments import Experiment
from .measure import Workplace, text_of_software

# What one ./course of a maintainer does about a result that has changed.
REMEDY = "./course bench --software --reference "


def _now(place: Workplace, one: Experiment) -> str:
    # The committed results are of blocks in order; Meson's setup `shuffled`
    # is not.
    os.environ.pop("SOFTDEVICE_SHUFFLE", None)
    return text_of_software(place, one)


def steady(text: str) -> str:
    """The text without what another compiler, or machine code for another GPU,
    moves inside of the program: "called at leak+0x31d6"."""
    return re.sub(r"\+0x[0-9a-f]+", "+0x…", text)


def check_result(place: Workplace, slug: str, name: str,
                 expected: Optional[pathlib.Path] = None) -> str:
    """Runs an experiment on the software device and compares it with the
    committed result. A file may say what must hold of its rows in any case:
    of a result of another nvcc, too, and of one that was committed anew."""
    one = place.experiment(slug, name)
    committed = place.result_file(one, "software", reference=True)
    shown = committed.relative_to(place.root)
    if not committed.is_file():
        raise Fault("there is no such file", str(shown),
                    f"make it: {REMEDY}{slug}")
    before, now = result.content(committed).decode(), _now(place, one)
    said = "as committed"
    if expected is not None:
        said += ", and " + expect_counts(now, one, expected)
    if steady(before) == steady(now):
        return said
    # Another compiler may make other PTX from the same source. (A text in
    # bench/ has no head; all of them are nvcc's.)
    was = result.read_head(committed).get("toolkit")
    now_by = place.compiler()
    if (was and was != now_by) or here.is_clang(now_by):
        raise Skip(f"{shown} is of {here.in_words(was)} and differs with"
                   f" {here.in_words(now_by)}")
    if committed.suffix == ".csv":
        differences = result.differences(result.parse(before),
                                         result.parse(now))
    else:
        differences = list(difflib.unified_diff(before.split("\n"),
                                                now.split("\n"),
                                                "committed", "now",
                                                lineterm=""))
    raise Fault("the software device now gives another result\n  " +
                "\n  ".join(differences), str(shown), "If the change is meant:"
                f" {REMEDY}{slug}, and look at the difference with git.")


def check_chapter(place: Workplace, slug: str) -> int:
    """All experiments of a chapter, in one process, because starting Python
    takes longer than most of them. tests/<slug>/<experiment>, unless it is a
    program, says more about what comes out. Returns the test's exit status."""
    n_skipped = n_failed = 0
    every = [one for one in place.experiments(slug).values() if one.is_tested]
    for one in every:
        more = place.root / "tests" / slug / one.name
        is_file = more.is_file() and not os.access(more, os.X_OK)
        try:
            said = check_result(place, slug, one.name,
                                more if is_file else None)
            print(f"{one.id}: {said}", flush=True)
        except Skip as reason:
            n_skipped += 1
            skipped = str(reason)
            print(f"left out: {one.id}: {skipped}", flush=True)
        except (Fault, OSError) as fault:
            n_failed += 1
            print(f"FAILED {one.id}\n{fault}", flush=True)
    n_passed = len(every) - n_skipped - n_failed
    print(f"{n_passed} passed, {n_failed} failed, {n_skipped} skipped")
    if n_failed:
        return 1
    if n_passed:
        return 0
    print(skipped if n_skipped else f"no experiment of {slug} is tested")
    return 77


def rows_agree(place: Workplace, slug: str, name: str,
               machine: str = "") -> int:
    """A GPU's committed table has the rows of the software device's, all of
    them and word for word. Returns how many."""
    one = place.experiment(slug, name)
    gpus = place.result_file(one, machine or options.reference(place.root),
                             reference=True)
    shown = gpus.relative_to(place.root)
    if not gpus.is_file():
        raise Skip(f"there is no {shown}")
    ours = result.read(place.result_file(one, "software", reference=True))
    theirs = result.read(gpus)
    if not theirs.rows:
        raise Fault("no rows", str(shown))
    said = result.differences(ours, theirs)
    if said:
        raise Fault("its rows are not the software device's\n  " +
                    "\n  ".join(said), str(shown))
    return len(theirs.rows)


class _Expectations:
    """Lines `column=value … : column=value …`: in the rows that the left side
    picks (`*`: all), the right side must hold. A value is a number, a column,
    or a product of both."""

    def __init__(self, path: pathlib.Path, table: result.Table):
        self.path = path
        self.table = table
        self.faults: List[str] = []
        self.n_checked = 0

    def _value(self, text: str, row: Dict[str, str]) -> float:
        product = 1.0
        for part in text.split("*"):
            number = part if re.fullmatch("[0-9]+", part) else row[part]
            product *= float(number or 0)
        return product

    def _check_line(self, left: List[str], right: List[str]) -> List[str]:
        said: List[str] = []
        fitting = [(n, row) for n, row in
                   enumerate(self.table.as_dicts(), 1)
                   if result.fits(row, left)]
        if not fitting:
            return ["no row fits"]
        for n, row in fitting:
            for pair in right:
                column, value = pair.split("=", 1)
                self.n_checked += 1
                is_, should = self._value(column, row), self._value(value, row)
                if is_ != should:
                    said.append(f"row {n} ({row[self.table.columns[0]]}):"
                                f" {column} is {is_:.15g}, expected"
                                f" {should:.15g}")
        return said

    def check(self) -> None:
        for number, line in enumerate(
                self.path.read_text("utf-8").split("\n"), 1):
            words = re.sub("#.*", "", line).split()
            if not words:
                continue
            left, right = words, []
            if ":" in words:
                at = len(words) - 1 - words[::-1].index(":")
                left, right = words[:at], words[at + 1:]
            if not right or any("=" not in one for one in left + right
                                if one != "*"):
                said = ["a line is: column=value … : column=value …"]
            else:
                try:
                    said = self._check_line(left, right)
                except KeyError as missing:
                    said = [f"there is no column {missing.args[0]}"]
            self.faults += [f"{self.path}:{number}: error: {one}"
                            for one in said]


def expect_counts(now: str, one: Experiment, path: pathlib.Path) -> str:
    """The file says what must hold of the rows of a counting experiment."""
    table = result.parse(now)
    expected = _Expectations(path, table)
    expected.check()
    if expected.faults:
        raise Fault("its counts are not as expected\n" +
                    "\n".join(expected.faults), f"{one.slug}/{one.name}")
    return (f"{expected.n_checked} counts in {len(table.rows)} rows are as"
            " expected")
