"""Rows of results by version and condition, for the rooflines' tables."""
import math

from results import result
from results.errors import Fault


class Rows:
    """A result's rows; an unknown column is a fault of the table that asks for
    it, with the chapter's slug."""

    def __init__(self, path, place, slug):
        self.path, self.place, self.slug = path, place, slug
        self.rows = result.read(path).as_dicts()

    def fault(self, text):
        return Fault(f"{self.slug}: {text}", self.place)

    def cell(self, row, column):
        if column not in row:
            raise self.fault(f"no column '{column}' in {self.path}")
        return row[column]

    def size(self, row, text):
        """"32*n_warps" of a row."""
        return math.prod(float(part if part.isdigit() else
                               self.cell(row, part))
                         for part in text.split("*"))

    def of(self, version, only, may_be_several=True):
        """The rows of this version that meet all conditions. Only launches
        that are to be added may be several (column=*): rows that differ in
        that column."""
        wanted = ["version=" + version] + (
            [] if only == "-" else only.split(","))
        added = [one[:-2] for one in wanted if one.endswith("=*")]
        found = {}
        for row in self.rows:
            try:
                if not result.fits(row, wanted):
                    continue
            except KeyError as missing:
                self.cell(row, missing.args[0])
            several = tuple(row[column] for column in added
                            if may_be_several)
            if several in found:
                raise self.fault(f"several rows of version {version} in"
                                 f" {self.path}; add a condition")
            found[several] = row
        return list(found.values())

    def total(self, rows, *columns):
        return sum(float(self.cell(row, column) or 0)
                   for row in rows for column in columns)


def rounded(value, digits):
    """A rate of a slow machine is not 0."""
    text = f"{value:.{digits}f}"
    return f"{value:.3g}" if value > 0 and not float(text) else text
