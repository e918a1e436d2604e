"""Reading and writing results, and the word that says what they are made of."""
import unittest
from unittest import mock

from support import ROOT, InFolder
from results import result


class Fitting(unittest.TestCase):
    ROW = {"version": "tile", "n": "64", "empty": ""}

    def test_rows(self):
        for wanted, fits in [("*", True), ("version=tile", True),
                             ("version=tile n=64", True), ("n=6", False),
                             ("version=tile n=65", False), ("n=*", True),
                             ("other=*", True), ("empty=", True)]:
            self.assertEqual(result.fits(self.ROW, wanted.split()), fits,
                             wanted)

    def test_unknown_column(self):
        """Even where another condition has decided."""
        with self.assertRaises(KeyError):
            result.fits(self.ROW, ["version=other", "columns=1"])


class Tables(unittest.TestCase):
    TEXT = "# machine: m\n# date: x\n# machine: n\n# free text\na,b\n1,2\n3,\n"

    def test_parts(self):
        table = result.parse(self.TEXT)
        self.assertEqual(table.columns, ["a", "b"])
        self.assertEqual(table.rows, [["1", "2"], ["3", ""]])
        self.assertEqual(table.first_line, 6)
        self.assertEqual(result.head_of(table.head),
                         {"machine": "m", "date": "x"})
        self.assertEqual(table.text(), self.TEXT)
        self.assertEqual(table.column("b"), ["2", ""])

    def test_only_a_head(self):
        self.assertEqual(result.parse("# a: b\n").text(), "# a: b\n")
        self.assertEqual(result.parse("").rows, [])

    def test_every_committed_table(self):
        """Read and written again, each is the same to the byte."""
        files = sorted((ROOT / "bench").glob("*/*.csv"))
        self.assertGreater(len(files), 300)
        for path in files:
            self.assertEqual(result.read(path).text(),
                             path.read_bytes().decode(), path)

    def test_differences(self):
        def said(before, now):
            return result.differences(result.parse(before), result.parse(now))
        self.assertEqual(said("v,n\na,1\nb,2\n", "v,n\na,1\nb,3\n"),
                         ["row 2 (b): n was 2, is 3"])
        self.assertEqual(said("v,n\na,1\n", "v,m\na,1\n"),
                         ["columns: v,n", "now:     v,m"])
        self.assertEqual(said("v\na\nb\n", "v\na\n"),
                         ["rows: there were 2, there are 1"])
        many = said("v,n\n" + "a,1\n" * 30, "v,n\n" + "a,2\n" * 30)
        self.assertEqual(len(many), 21)
        self.assertEqual(many[-1], "… and 10 more")


class Heads(InFolder):
    def test_text_with_a_head_of_its_own(self):
        text = self.write("r.txt", "# not a head: x\n")
        self.write("r.txt.head", "# machine: m\n")
        self.assertEqual(result.read_head(text), {"machine": "m"})
        self.assertEqual(result.content(text), b"# not a head: x\n")

    def test_none(self):
        self.assertEqual(result.read_head(self.root / "gone.csv"), {})


if __name__ == "__main__":
    unittest.main()
