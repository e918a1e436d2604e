"""The table of the device's counters, and what is made of it."""
import argparse
import contextlib
import io
import unittest

from support import ROOT, InFolder
from results import counters, ncu
from results.columns import Columns
from results.kinds import KINDS
from results.measure import Workplace

ROWS = """#ifndef COUNTER
#define COUNTER(...)
#endif
COUNTER(COUNTS, loads, GLOBAL_LOAD, warps, global,
        "l.sum",
        "what"
        " loads")
COUNTER(COUNTS, both, ANY, warps, none, "a.sum"
        " + b.sum", "all")
COUNTER(CACHES, words, TEXTURE, warps, none, "w.sum", "words")
COUNTER(CACHES, fetches, TEXTURE, warps, none, "", "fetches")
COUNTER(ATOMICS, atomics, TEXTURE, warps, none, "x.sum", "atomics")
COUNTER(TENSOR, products, MATRIX, warps, matrix, "%s.sum", "products")
COUNTER(REPORT, kept, MATRIX, warps, none, "", "kept")
""" % ("m" * 80)
MANUAL = """One.

| Column | Counts |
|---|---|
| `loads` | what loads |
| `both` | all |

| Column | Counts |
|---|---|
| `others` | stays |
"""


class Made(InFolder):
    def setUp(self):
        super().setUp()
        self.write(counters.TABLE, ROWS)
        self.write(counters.MANUAL, MANUAL)
        for kind in KINDS.values():
            if kind.metrics and kind.variable:
                self.write("bench/common/" + kind.metrics, "# Head.\n\n")

    def update(self, write: bool) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            counters.update(Workplace(self.root, self.root / "build"),
                            argparse.Namespace(write=write))
        return out.getvalue()

    def test_metrics(self):
        self.update(True)
        self.assertEqual(
            (self.root / "bench/common/ncu_metrics").read_text(),
            "# Head.\n\nloads =\n    l.sum\nboth =\n    a.sum\n  + b.sum\n")
        self.assertEqual(
            (self.root / "bench/common/ncu_cache_metrics").read_text(),
            "# Head.\n\nwords   = w.sum\nfetches =\n")
        self.assertEqual(ncu.read_table(
            self.root / "bench/common/ncu_tensor_metrics"),
            {"products": [(1, "m" * 80 + ".sum")]})

    def test_one_row_is_enough(self):
        """A new counter shows in the list, the manual and the dictionary."""
        self.update(True)
        self.assertEqual(self.update(False), "")
        self.write(counters.TABLE, ROWS + 'COUNTER(COUNTS, new, ANY, warps,'
                   ' none, "n.sum", "new ones")\n')
        self.refuses("counters --write makes them anew", self.update, False)
        said = self.update(True)
        self.assertIn("written: bench/common/ncu_metrics", said)
        self.assertIn("written: device/MANUAL.md", said)
        self.assertNotIn("ncu_cache_metrics", said)
        self.assertEqual((self.root / counters.MANUAL).read_text(),
                         MANUAL.replace("| all |\n",
                                        "| all |\n| `new` | new ones |\n"))
        self.assertIsNotNone(Columns(self.root).find("new"))

    def test_bad_row(self):
        self.write(counters.TABLE, ROWS + "COUNTER(COUNTS, new)\n")
        self.refuses("counts.def:15: error: a row is: file, column",
                     counters.read, self.root)

    def test_one_name_once(self):
        self.write("bench/columns", "loads   -   what\n")
        self.assertEqual(list(Columns(self.root).check()), [
            "bench/columns:1: error: a second row for loads:"
            " device/report/counts.def has it"])


class OfTheDevice(unittest.TestCase):
    def test_every_file(self):
        """Each file of counts that a kind of experiment asks for has rows."""
        files = {one.file for one in counters.read(ROOT)}
        self.assertEqual(files - {"REPORT"}, {
            kind.variable[len("SOFTDEVICE_"):] for kind in KINDS.values()
            if kind.variable and kind.metrics})


if __name__ == "__main__":
    unittest.main()
