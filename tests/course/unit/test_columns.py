"""bench/columns: one name for one thing."""
import unittest

from support import InFolder
from results.columns import Columns

TABLE = """# A comment.

version  -   which
time_us  µs  median
gap_us   ±µs between pieces
ink_*    -   a pixel
rate_per_us 1/µs  a rate
spread_us µs  = time_spread_us: old
"""


class Table(InFolder):
    def setUp(self):
        super().setUp()
        self.table(TABLE)
        self.result("demo", "version,time_us,time_spread_us,gap_us,ink_1,"
                    "rate_per_us")
        self.result("old", "version,spread_us")

    def table(self, text):
        self.write("bench/columns", text)

    def result(self, slug, names):
        self.write(f"bench/{slug}/speed.big.csv", names + "\n")

    def faults(self):
        return list(Columns(self.root).check())

    def says(self, text):
        said = self.faults()
        self.assertEqual(len(said), 1, said)
        self.assertIn(text, said[0])

    def test_good(self):
        self.assertEqual(self.faults(), [])

    def test_unknown(self):
        self.result("demo2", "version,tme_us")
        self.says("bench/demo2/speed.big.csv: error: bench/columns has no"
                  " column 'tme_us'; did you mean time_us?")

    def test_unknown_spread(self):
        self.result("demo2", "version,other_spread_us")
        self.says("no column 'other_spread_us'")

    def test_a_name_that_will_be_renamed(self):
        self.result("demo2", "version,spread_us")
        self.says("bench/demo2/speed.big.csv: error: the column 'spread_us' is"
                  " to be called: time_spread_us")
        self.result("demo2", "version")
        self.result("old", "version")
        said = "\n".join(self.faults())
        self.assertIn("bench/columns:8: error: no result has a column"
                      " 'spread_us': remove the row", said)
        self.assertIn("old no longer has 'spread_us'", said)

    def test_rows(self):
        for line, message in [
                ("time_us  µs  again", "a second row for time_us; the first is"
                 " in line 4"),
                ("Time  - x", "a row is: name, unit, what it holds"),
                ("lost  -  nothing", "no result has a column 'lost'")]:
            self.table(TABLE + line + "\n")
            self.says(message)
        self.table(TABLE.replace("time_us  µs", "time_us  ms"))
        self.says("bench/columns:4: error: time_us must have the unit µs")

    def test_signed(self):
        columns = Columns(self.root)
        self.assertTrue(columns.is_signed("gap_us"))
        self.assertFalse(columns.is_signed("time_us"))
        self.assertFalse(columns.is_signed("none"))


if __name__ == "__main__":
    unittest.main()
