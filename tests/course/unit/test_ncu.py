"""What Nsight Compute prints, as columns of our tables. The inputs in ../ncu
are fixtures, written by hand in ncu's format, with metrics of no real GPU."""
import unittest

from support import ROOT, InFolder
from results import ncu, result
from results.errors import Skip

FIXTURES = ROOT / "tests/course/ncu"


class Rows(InFolder):
    def refused(self, expected: str, *changes):
        """The log, changed in some lines, is refused with file and line."""
        lines = (FIXTURES / "raw.csv").read_text().split("\n")
        for number, old, new in changes:
            self.assertIn(old, lines[number - 1])
            lines[number - 1] = lines[number - 1].replace(old, new)
        log = self.write("raw.csv", "\n".join(lines))
        self.refuses(f"{log}:{expected}", ncu.rows,
                     ncu.read_table(FIXTURES / "table"), log)

    def rows_of(self, table) -> str:
        rows = ncu.rows(ncu.read_table(table), FIXTURES / "raw.csv")
        return "".join(",".join(row) + "\n" for row in rows)

    def test_rows(self):
        self.assertEqual(self.rows_of(FIXTURES / "table"),
                         (FIXTURES / "rows.csv").read_text())

    def test_metrics_once_each(self):
        self.assertEqual(ncu.metrics(ncu.read_table(FIXTURES / "table")),
                         ["inst.sum", "atom.sum", "red.sum", "waves.sum",
                          "ideal.sum"])

    def test_refused_logs(self):
        self.refused("4: error: ncu wrote no column 'waves.sum'",
                     (4, '"waves.sum"', '"other.sum"'))
        self.refused("6: error: inst.sum is 'n/a', which is not a count",
                     (6, '"1,048,576"', '"n/a"'))
        self.refused("7: error: 15 fields, but 16 names",
                     (7, '"7.00","0","1"', '"7.00","0"'))
        self.refused("2: error: ncu says: ==ERROR== out of luck",
                     (2, '==PROF== Profiling "tile" - 0: '
                      '0%....50%....100% - 1 pass', "==ERROR== out of luck"))
        self.refused("7: error: it cannot be read as CSV",
                     (7, '"7.00","0","1"', '"7.00","0","1'))
        self.refused("6: error: '32, 8' is not the size of a grid or block",
                     (6, '"(32, 8, 1)"', '"32, 8"'))

    def test_no_launch(self):
        text = (FIXTURES / "raw.csv").read_text().split("\n")
        columns = ncu.read_table(FIXTURES / "table")
        log = self.write("raw.csv", "\n".join(text[:5]) + "\n")
        self.refuses("error: no launch in it", ncu.rows, columns, log)
        log = self.write("raw.csv", "\n".join(text[:3]) + "\n")
        self.refuses(f"{log}:4: error: no row of names", ncu.rows, columns, log)

    def test_no_permission(self):
        log = self.write("raw.csv", "==ERROR== ERR_NVGPUCTRPERM - no\n")
        self.refuses("may not read the GPU's counters", ncu.rows,
                     ncu.read_table(FIXTURES / "table"), log, error=Skip)

    def test_windows_line_ends(self):
        log = self.root / "raw.csv"
        log.write_bytes((FIXTURES / "raw.csv").read_bytes().replace(
            b"\n", b"\r\n"))
        self.assertEqual(len(ncu.rows(ncu.read_table(FIXTURES / "table"),
                                      log)), 3)


class Tables(InFolder):
    def test_indented_terms(self):
        text = (FIXTURES / "table").read_text()
        table = self.write("table", text.replace("= ", "=\n    ").replace(
            " + ", "\n  + "))
        self.assertIn("\n  + ", table.read_text())
        self.assertEqual(Rows.rows_of(self, table),
                         (FIXTURES / "rows.csv").read_text())

    def test_refused_tables(self):
        for text, expected in [
                ("# x\na b\n", ":2: error: 'a' must be followed by ' = '"),
                ("a =\n    x +\n", ":2: error: a metric must follow the last"),
                ("a = x y\n", ":1: error: expected + or - before 'y'")]:
            table = self.write("table", text)
            self.refuses(f"{table}{expected}", ncu.read_table, table)

    def test_the_real_one(self):
        """It makes the columns that the software device writes, in order."""
        columns = ncu.read_table(ROOT / "bench/common/ncu_metrics")
        self.assertIn("smsp__inst_executed.sum", ncu.metrics(columns))
        theirs = result.read(ROOT / "bench/transpose/counts.software.csv")
        first = theirs.columns.index("block_z") + 1
        self.assertEqual(list(columns), theirs.columns[first:])


if __name__ == "__main__":
    unittest.main()
