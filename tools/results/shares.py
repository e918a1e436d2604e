"""Does a column share_of_X agree with the column that it is a share of?

A share is a rate divided by X's rate, both of which the same table holds. Which
rate that is, and where X's is, differs from table to table. This module finds
the reading that is true of the reference, and asks whether it is true of
another machine's table:

    column   X's rate is the column X_gb_per_s
    row      it is in the row of version X whose sizes are most alike
    ratio    it is in no cell, but the same for all rows of a direction
    passes   a ceiling is a copy for each pass: share_of_copy times n_passes
"""
import functools
import re
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

READINGS = ("column", "row", "ratio", "passes")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?")
# The same cells and names are asked about again and again.
_remembered = functools.lru_cache(maxsize=1 << 16)


@_remembered
def is_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text))


@_remembered
def last_digit(text: str) -> float:
    """What the last digit of a printed number stands for: 0.001 of 1.500."""
    if "e" in text.lower():
        return 0
    point = text.find(".")
    return 1 if point < 0 else 10.0 ** (point + 1 - len(text))


@_remembered
def is_time_or_rate(name: str) -> bool:
    """Columns whose values are never 0: how long something took, how much of
    it was done in a time. A spread may be 0, and so may a moment."""
    return (bool(re.search(r"(^|_)(ns|us|ms|seconds|hours)$|_per_"
                           r"|^(share_of_|clock_)", name)) and
            not re.search(r"(^|_)spread(_|$)", name) and
            not re.match(r"(at|began|begin|between|end|ended|finished|returned"
                         r"|start)_", name))


def _is_size(name: str) -> bool:
    return (not is_time_or_rate(name) and
            not re.search("spread|repetitions|version", name))


class Reading(NamedTuple):
    """How a share column is to be read."""
    kind: str
    share: int    # columns
    rate: int
    of: str       # X


class Shares:
    """The rows of one table, and what the readings need of them."""

    def __init__(self, columns: List[str], rows: List[List[str]]):
        self.columns = columns
        self.rows = rows
        self.at = {name: i for i, name in enumerate(columns)}
        self._sizes = [i for i, name in enumerate(columns)
                       if i and _is_size(name)]
        self._common: Dict[Tuple[int, int], Dict[str, Tuple[float, float]]] = {}

    def _rate(self, row: List[str], column: int) -> float:
        """A column of rates, or what a time leaves of one; 0 if neither."""
        text = row[column]
        if not is_number(text) or not float(text):
            return 0
        value = float(text)
        return value if "_per_" in self.columns[column] else 1 / value

    @staticmethod
    def _rounding(text: str) -> float:
        """How far rounding may have moved it, as a part of it."""
        value = float(text)
        return last_digit(text) / 2 / value if value else 0

    def _direction(self, row: List[str]) -> str:
        return row[self.at["direction"]] if "direction" in self.at else ""

    def _base_row(self, row: List[str], version: str) -> Optional[List[str]]:
        """The row of the version that is most like this one."""
        best: Optional[List[str]] = None
        most = -1
        for other in self.rows:
            if other[0] != version:
                continue
            alike = sum(other[i] == row[i] for i in self._sizes)
            if alike > most:
                best, most = other, alike
        return best

    def _common_rates(self, share: int,
                      rate: int) -> Dict[str, Tuple[float, float]]:
        """For "ratio": by direction, the rate of X that the rows' shares come
        to, and how exactly. The median row, so that one row that is wrong is
        the one that stands out."""
        if (share, rate) not in self._common:
            found: Dict[str, List[Tuple[float, float]]] = {}
            for row in self.rows:
                value = self._rate(row, rate)
                if (not is_number(row[share]) or not float(row[share]) or
                        not value):
                    continue
                part = float(row[share])
                off = (self._rounding(row[rate]) +
                       last_digit(row[share]) / 2 / part)
                found.setdefault(self._direction(row), []).append(
                    (value / part, off))
            self._common[share, rate] = {
                direction: sorted(all_, key=lambda one: one[0])[
                    (len(all_) - 1) // 2]
                for direction, all_ in found.items()}
        return self._common[share, rate]

    def _base(self, row: List[str], reading: Reading
              ) -> Optional[Tuple[float, float]]:
        """The rate of X for this row, and how exactly; None: unknown."""
        if reading.kind == "passes":
            return 1, 0
        if reading.kind == "ratio":
            return self._common_rates(reading.share, reading.rate).get(
                self._direction(row))
        column, there = reading.rate, row
        if reading.kind == "column":
            column = self.at[reading.of + "_gb_per_s"]
        else:
            base = self._base_row(row, reading.of)
            if base is None:
                return None
            there = base
        rate = self._rate(there, column)
        return (rate, self._rounding(there[column])) if rate else None

    def holds(self, row: List[str], reading: Reading) -> Optional[bool]:
        """Is the share of this row what the reading says? None: the row does
        not show it."""
        text = row[reading.share]
        if not is_number(text) or not is_number(row[reading.rate]):
            return None
        share = float(text)
        if reading.kind == "passes":
            passes = row[self.at["n_passes"]]
            value = (float(row[reading.rate]) * float(passes)
                     if is_number(passes) else 0)
        else:
            value = self._rate(row, reading.rate)
        base = self._base(row, reading)
        if not share or not value or base is None:
            return None
        off = (share * (self._rounding(row[reading.rate]) + base[1]) +
               last_digit(text) * 0.51)
        return abs(share - value / base[0]) <= off

    def _may_be(self, kind: str, rate: int, of: str) -> bool:
        name = self.columns[rate]
        if kind == "passes":
            return (of == "ceiling" and name == "share_of_copy" and
                    "n_passes" in self.at)
        base = of + "_gb_per_s"
        return (is_time_or_rate(name) and not name.startswith("share_of_") and
                name != base and (kind != "column" or base in self.at))

    def _percent(self, reading: Reading) -> float:
        """In how many rows the reading holds; 0 if it is not true of nine in
        ten, or of all but one."""
        said = [one for one in (self.holds(row, reading) for row in self.rows)
                if one is not None]
        n, yes = len(said), sum(said)
        if n >= 2 and (yes >= 0.9 * n or (n - yes <= 1 and n > 2)):
            return 100 * yes / n
        return 0

    def reading_of(self, share: int) -> Optional[Reading]:
        """The reading that is true of most rows: for the reference's table."""
        of = self.columns[share][len("share_of_"):]
        best: Optional[Reading] = None
        most = 0.0
        for kind in READINGS:
            for rate in reversed(range(len(self.columns))):
                if not self._may_be(kind, rate, of):
                    continue
                reading = Reading(kind, share, rate, of)
                percent = self._percent(reading)
                if percent > most:
                    best, most = reading, percent
        return best


def contradictions(columns: List[str], model: List[List[str]],
                   rows: List[List[str]]
                   ) -> Iterator[Tuple[int, int, int]]:
    """Of a table with the model's columns: row (from 0), share column and rate
    column wherever the two do not agree."""
    reference, here = Shares(columns, model), Shares(columns, rows)
    for share, name in enumerate(columns):
        if not name.startswith("share_of_"):
            continue
        reading = reference.reading_of(share)
        if reading is None:
            continue
        for i, row in enumerate(rows):
            if here.holds(row, reading) is False:
                yield i, share, reading.rate
