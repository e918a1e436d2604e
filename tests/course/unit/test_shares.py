"""Shares that agree, or not, with the column that they are a share of."""
import unittest

import support  # noqa: F401  sets the path
from results import shares


class Readings(unittest.TestCase):
    def contradictions(self, columns, rows, row, share):
        """Of the rows as a model, one of which has another share."""
        changed = [list(one) for one in rows]
        changed[row][columns.index("share_of_copy")] = share
        return list(shares.contradictions(columns, rows, changed))

    def holds(self, columns, rows, row, good, bad):
        self.assertEqual(self.contradictions(columns, rows, row, good), [])
        self.assertEqual([at for at, _, _ in self.contradictions(
            columns, rows, row, bad)], [row])

    def test_row(self):
        """Rounding explains one unit of the last digit, but not three."""
        columns = ["version", "n", "gb_per_s", "share_of_copy"]
        rows = [["copy", "8", "1000.0", "1.0000"],
                ["copy", "9", "2000.0", "1.0000"],
                ["tile", "8", "500.0", "0.5000"],
                ["tile", "9", "500.0", "0.2500"]]
        self.holds(columns, rows, 2, "0.5001", "0.5003")
        self.holds(columns, rows, 3, "0.2500", "0.5000")

    def test_column(self):
        columns = ["version", "copy_gb_per_s", "gb_per_s", "share_of_copy"]
        rows = [["a", "1000.0", "500.0", "0.5000"],
                ["b", "2000.0", "500.0", "0.2500"],
                ["c", "4000.0", "400.0", "0.1000"]]
        self.holds(columns, rows, 1, "0.2500", "0.2501")

    def test_ratio(self):
        """The rate of copy is in no cell: a row contradicts the others, as far
        as the rounding of small shares shows it."""
        columns = ["version", "gb_per_s", "share_of_copy"]
        rows = [[name, f"{1000.0 * share:.1f}", f"{share:.4f}"]
                for name, share in zip("abcde", (.5, .25, .125, .75, .9))]
        self.holds(columns, rows, 3, "0.7501", "0.7600")

    def test_times(self):
        """A time leaves a rate, too: half the time is twice the rate."""
        columns = ["version", "time_us", "share_of_copy"]
        rows = [["copy", "100.00", "1.0000"], ["a", "200.00", "0.5000"],
                ["b", "400.00", "0.2500"]]
        self.holds(columns, rows, 1, "0.5000", "0.5003")

    def test_last_digit(self):
        self.assertAlmostEqual(shares.last_digit("1.500"), 0.001)
        self.assertEqual(shares.last_digit("15"), 1)
        self.assertEqual(shares.last_digit("1e6"), 0)


if __name__ == "__main__":
    unittest.main()
