"""Checks what one machine measured before others rely on it.

Required of each file: its experiment exists; the head says all that ./course
bench writes, and the machine's own name; columns and names of versions are
those of the reference's file; each row has a value for each column, and where
the reference has a number there is a number (neither nan nor inf), not negative
where the reference never is, and not 0 where it is a time or a rate; a share
agrees with the column that it is a share of; lines end as ./course bench ends
them, the last one, too.

COMPLETE, for results that go into the repository: every experiment is there
that needs one GPU only, none is doubtful, and the repository has the tree of
code/ that was measured, or the commit, unchanged. SHOWN, for ./course book --results: only what the book
would show wrongly.
"""
import collections
import pathlib
import re
import sys
from typing import Counter, Dict, Iterable, List, Optional, Set, Union

from . import experiments, here, options, result, shares
from .columns import Columns
from .experiments import Experiment
from .measure import Workplace

WHOLE, COMPLETE, SHOWN = "whole", "complete", "shown"
DOUBTFUL = "doubtful"    # as COMPLETE, but doubtful runs pass
HEAD = ("machine gpu compute_capability driver clocks_sm_mhz"
        " temperature_before_c temperature_after_c other_processes toolkit"
        " compile_flags commit date command repetitions seconds inputs").split()


def report(faults: Iterable[str]) -> None:
    sys.stdout.flush()
    for fault in faults:
        print(fault, file=sys.stderr)


class Faults:
    """Those of one file. Of one kind a few are enough to see what is wrong."""

    def __init__(self, path: Union[pathlib.Path, str]):
        self.path = path
        self.said: List[str] = []
        self.n_of_kind: Counter[str] = collections.Counter()

    def add(self, text: str, line: int = 0, kind: str = "") -> None:
        self.n_of_kind[kind] += 1
        if not kind or self.n_of_kind[kind] <= 3:
            self.said.append(f"{self.path}{f':{line}' if line else ''}: error:"
                             f" {text}")

    def end(self, machine: str, slug: str) -> List[str]:
        self.said += [f"{self.path}: error: and {n - 3} more of these: {kind}"
                      for kind, n in self.n_of_kind.items() if kind and n > 3]
        if self.said:
            self.said.append(
                f"  measured on '{machine}'; measure it again there (./course"
                f" bench --again {slug}),\n  or remove the file, and the book"
                " shows the other results")
        return self.said


class Column:
    """What a column of the reference holds, which is what others' may hold.
    is_signed: it may be below 0, although the reference's is not."""

    def __init__(self, name: str, cells: List[str], is_signed: bool = False):
        self.name = name
        self.is_signed = is_signed
        self.texts: Set[str] = {one for one in cells
                                if one and not shares.is_number(one)}
        numbers = [one for one in cells if shares.is_number(one)]
        self.has_empty = "" in cells or not cells
        self.has_number = bool(numbers)
        self.has_negative = any(float(one) < 0 for one in numbers)
        # How many of its last digits the smallest one is.
        self.smallest = min((self._digits(one) for one in numbers),
                            default=0)
        self.has_zero = any(float(one) == 0 for one in numbers)

    @staticmethod
    def _digits(text: str) -> float:
        digit = shares.last_digit(text)
        return float(text) / digit if float(text) and digit else 1e9

    def fault_of(self, text: str) -> str:
        """What is wrong with a cell; "" if nothing. A machine that is a
        hundred times slower may print a small rate as 0."""
        if text == "":
            return "" if self.has_empty else "is empty"
        if text in self.texts:
            return ""
        if re.fullmatch(r"[-+]?(nan|inf|infinity)(\(.*\))?", text.lower()):
            return f"is '{text}'"
        if not shares.is_number(text):
            return (f"is '{text}', which is not a number"
                    if self.has_number and not self.texts else "")
        value = float(text)
        if (value < 0 and self.has_number and not self.has_negative and
                not self.is_signed):
            return f"is {text}, below 0"
        if (value == 0 and shares.is_time_or_rate(self.name) and
                not self.has_zero and self.smallest >= 100):
            return f"is {text}, and a time or a rate is never 0"
        return ""


class _File:
    """One file of a set."""

    def __init__(self, set_: "_Set", path: pathlib.Path, one: Experiment):
        self.set, self.path, self.one = set_, path, one
        self.faults = Faults(path)
        self.model_path = set_.place.result_file(
            one, (options.reference_of_two if one.several else
                  options.reference)(set_.place.root), reference=True)

    def _is_readable(self, data: bytes) -> bool:
        if data and not data.endswith(b"\n"):
            lines = data.count(b"\n") + 1
            self.faults.add(f"it ends in the middle of line {lines}: it was cut"
                            " off; copy it again")
        if data.startswith(b"\xef\xbb\xbf"):
            self.faults.add("it begins with a byte order mark; take the file"
                            " as ./course bench wrote it", 1)
            return False
        at = data.find(b"\r\n")
        if at >= 0:
            self.faults.add(
                "the lines end with CR LF, as Windows writes them; take the"
                " file as ./course bench wrote it, or remove the carriage"
                " returns: sed -i 's/\\r$//'", data[:at].count(b"\n") + 1)
            return False
        return True

    def check(self) -> List[str]:
        data = self.path.read_bytes()
        if self._is_readable(data):
            if self.path.suffix == ".csv":
                self._check_table(result.parse(data.decode(errors="replace")))
            elif self.set.mode != SHOWN:
                head = result.read_head(self.path)
                if self.path.with_name(self.path.name + ".head").is_file():
                    self._check_head(head)
        return self.faults.end(self.set.machine, self.one.slug)

    def _check_head(self, head: Dict[str, str]) -> None:
        machine = self.set.machine
        lacking = [f"'{key}'" for key in HEAD if not head.get(key)]
        if lacking:
            self.faults.add(f"the head has no {', '.join(lacking)}; measure it"
                            " with ./course bench")
        if head.get("machine", machine) != machine:
            self.faults.add(f"it was measured on '{head['machine']}', not on"
                            f" '{machine}'")
        if self.set.mode not in (COMPLETE, DOUBTFUL):
            return
        if "doubt" in head and self.set.mode == COMPLETE:
            self.faults.add(f"doubtful: {head['doubt']}; measure it again")
        why = self.set.why_lost(head)
        if why:
            self.faults.add(why)

    def _check_table(self, table: result.Table) -> None:
        model: Optional[result.Table] = None
        if self.model_path.is_file():
            model = result.read(self.model_path)
        same_columns = self._check_columns(table, model)
        if table.columns:
            whole = self._check_rows(table, model)
        if self.set.mode != SHOWN:
            self._check_head(result.head_of(table.head))
        if not table.rows:
            self.faults.add("it holds no row")
            return
        # Of other columns, and of rows that are cut off, nothing follows.
        if not same_columns or model is None:
            return
        if self.set.mode != SHOWN and self.path != self.model_path:
            self._check_names(table, model)
        if whole and model.rows:
            self._check_shares(table, model)

    def _check_columns(self, table: result.Table,
                       model: Optional[result.Table]) -> bool:
        if model is None or not table.columns or table.columns == model.columns:
            return True
        line = table.first_line - 1
        for name in model.columns:
            if name not in table.columns:
                self.faults.add(f"the column {name} is missing", line)
        for name in table.columns:
            if name not in model.columns:
                self.faults.add(f"the reference has no column '{name}'", line)
        self.faults.add("its columns are not those of the reference: " +
                        ",".join(model.columns), line)
        return False

    def _check_rows(self, table: result.Table,
                    model: Optional[result.Table]) -> bool:
        """Are all cells there, and good?"""
        n = len(table.columns)
        columns = [Column(name, [row[i] for row in model.rows
                                 if i < len(row)] if model else [],
                          self.set.names.is_signed(name))
                   for i, name in enumerate(table.columns)]
        before = sum(self.faults.n_of_kind.values())
        for i, row in enumerate(table.rows):
            line, what = table.first_line + i, f"row {i + 1} ({row[0]})"
            if len(row) != n:
                cut = ": it was cut off" if len(row) < n else ""
                self.faults.add(f"{what} has {len(row)} values for {n}"
                                f" columns{cut}", line, "values for each row")
                continue
            for column, cell in zip(columns, row):
                why = column.fault_of(cell)
                if why:
                    self.faults.add(f"{what}: {column.name} {why}", line,
                                    column.name)
        return sum(self.faults.n_of_kind.values()) == before

    def _check_names(self, table: result.Table, model: result.Table) -> None:
        def names(rows: List[List[str]]) -> Dict[str, int]:
            return {row[0]: table.first_line + i for i, row in enumerate(rows)
                    if not shares.is_number(row[0])}
        here_, there = names(table.rows), names(model.rows)
        for name in there:
            if name not in here_:
                self.faults.add(f"it has no row of {name}, which the reference"
                                " has")
        for name, line in here_.items():
            if name not in there and model.rows:
                self.faults.add(f"it has a row of {name}, which the reference"
                                " has not", line)

    def _check_shares(self, table: result.Table, model: result.Table) -> None:
        columns = table.columns
        for i, share, rate in shares.contradictions(columns, model.rows,
                                                    table.rows):
            row = table.rows[i]
            self.faults.add(
                f"row {i + 1} ({row[0]}): {columns[share]} is {row[share]},"
                f" which contradicts {columns[rate]} of the same table"
                f" ({row[rate]})", table.first_line + i, columns[share])


class _Set:
    def __init__(self, place: Workplace, of: Union[pathlib.Path, str],
                 mode: str):
        self.place, self.mode = place, mode
        self.folder = of if isinstance(of, pathlib.Path) else None
        self.machine = of.name if isinstance(of, pathlib.Path) else of
        self._known: Dict[str, bool] = {}
        self.names = Columns(place.root)
        git = ["git", "-C", str(place.root), "rev-parse"]
        # A copy without git, or a shallow one, knows no old commits.
        shallow = here.output_of(git + ["--is-shallow-repository"])
        self.has_history = (shallow or "").strip() == "false"

    def _has(self, name: str, kind: str) -> bool:
        """Does git have it? What cannot be asked counts as there."""
        if not self.has_history:
            return True
        if name not in self._known:
            self._known[name] = bool(name) and here.output_of(
                ["git", "-C", str(self.place.root), "cat-file", "-e",
                 f"{name}^{{{kind}}}"]) is not None
        return self._known[name]

    def why_lost(self, head: Dict[str, str]) -> str:
        """Why the sources that were measured cannot be had again; "" if they
        can, by the commit or by the tree of code/, which was worked out from
        the files that were there."""
        commit, tree = head.get("commit", ""), head.get("tree", "")
        if tree and self._has(tree, "tree"):
            return ""
        if commit.endswith("-changed"):
            return f"measured with changed sources ({commit})"
        if not self._has(commit, "commit"):
            return f"the commit '{commit}' is not in this repository"
        return ""

    def file_of(self, one: Experiment) -> pathlib.Path:
        if self.folder is None:
            return self.place.result_file(one, self.machine, reference=True)
        return self.folder / one.slug / f"{one.name}.{one.kind.extension}"

    def _files(self) -> List[pathlib.Path]:
        if self.folder is not None:
            found: Iterable[pathlib.Path] = self.folder.rglob("*")
        else:
            found = options.in_bench(self.place.root, self.machine)
        return sorted(path for path in found
                      if path.suffix in (".csv", ".txt"))

    def _check_file(self, path: pathlib.Path) -> List[str]:
        slug, name = path.parent.name, path.name.split(".")[0]
        known = self.place.experiments(slug)
        if name in known:
            return _File(self, path, known[name]).check()
        if self.mode == SHOWN:
            return []    # what the book no longer asks for it does not show
        faults = Faults(path)
        faults.add(f"there is no experiment {slug}/{name}")
        return faults.end(self.machine, slug)

    def by_file(self) -> Dict[pathlib.Path, List[str]]:
        """Each file and its faults."""
        return {path: self._check_file(path) for path in self._files()}

    def missing(self) -> List[str]:
        return [f"{self.file_of(one)}: error: it is missing:"
                f" ./course bench {slug}"
                for slug in experiments.with_experiments(self.place.root)
                for one in self.place.experiments(slug).values()
                if one.kind.gpu and not one.several and
                not self.file_of(one).is_file()]

    def check(self) -> List[str]:
        by_file = self.by_file()
        faults = [fault for some in by_file.values() for fault in some]
        if not by_file:
            shown = self.folder or self.machine
            faults.append(f"{shown}: error: it holds no results")
        return faults + (self.missing() if self.mode == COMPLETE else [])


def check_files(place: Workplace, folder: pathlib.Path, mode: str = WHOLE
                ) -> Dict[pathlib.Path, List[str]]:
    """Each result of a folder <machine>/<slug>/<experiment>.*, and its
    faults."""
    return _Set(place, folder, mode).by_file()


def check_set(place: Workplace, of: Union[pathlib.Path, str],
              mode: str = WHOLE) -> List[str]:
    """The faults of a folder <machine>/<slug>/<experiment>.*, or of a machine
    whose results are bench/<slug>/<experiment>.<machine>.*."""
    return _Set(place, of, mode).check()
