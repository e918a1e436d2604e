"""Counts of the software device against a GPU's: bench/counters/rules."""
import contextlib
import io
import re
import shutil
import unittest

from support import ROOT, InFolder
from outputs import write_depfile
from results import compare, counters
from results.measure import Workplace
from results.options import reference
from results.rules import Rules

COLUMNS = ("version,kernel,launch,block_z,warp_instructions,ld_requests,"
           "shared_ld_wavefronts,shared_st_wavefronts,shared_ld_conflicts,"
           "barriers")


class Compared(InFolder):
    def setUp(self):
        super().setUp()
        self.rules = self.root / "bench/counters/rules"
        self.rules.parent.mkdir(parents=True)
        shutil.copy(ROOT / "bench/counters/rules", self.rules)
        shutil.copy(ROOT / counters.TABLE,
                    self.write(counters.TABLE, ""))
        self.write("bench/demo/experiments",
                   "counts count demo --count\ntimes time demo --csv\n")
        self.ours("a,k,1,1,100,8,4,4,0,2")

    def table(self, path, machine, *rows, columns=COLUMNS):
        self.write(path, f"# machine: {machine}\n# gpu: GPU {machine}\n"
                   "# date: 2026-01-01T00:00:00Z\n" +
                   "\n".join([columns, *rows]) + "\n")

    def ours(self, *rows):
        self.table("bench/demo/counts.software.csv", "software", *rows)

    def gpus(self, *rows):
        self.table("bench/demo/counts.h200.csv", "h200", *rows)

    def place(self):
        return Workplace(self.root, self.root / "build")

    def pairs(self, machine="h200"):
        place = self.place()
        return compare.pairs(place, compare.in_order_of_the_book(self.root),
                             machine, self.root / "none", self.root / "mine")

    def comparison(self, machine="h200"):
        return compare.compare(self.place(), self.pairs(machine)[0])

    def total(self, equal, explained, unexplained):
        self.assertEqual(self.comparison().total, {
            "equal": equal, "explained": explained,
            "unexplained": unexplained})

    def add_rules(self, *lines):
        with open(self.rules, "a") as file:
            file.write("".join(line + "\n" for line in lines))


class Launches(Compared):
    def test_equal(self):
        self.gpus("a,k,1,1,100,8,4,4,0,")
        self.total(4, 0, 0)
        self.assertIn("1 kernels, 1 launches: 4 counts equal, 0 explained",
                      self.comparison().text("h200"))

    def test_explained(self):
        self.gpus("a,k,1,1,140,8,4,4,0,")
        self.total(3, 1, 0)
        text = self.comparison().text("h200")
        self.assertIn("1.400  compiled", text)
        self.assertIn("compiled: ptxas makes other instructions", text)
        row = self.comparison().kernels_table()[1]
        self.assertTrue(row.startswith("demo,counts,k,1,1.40,equal,equal,none"))
        self.assertTrue(row.endswith(",1.400"))

    def test_out_of_bounds(self):
        """More than four times the instructions; one request too many."""
        self.gpus("a,k,1,1,401,9,4,4,0,")
        self.total(2, 0, 2)
        text = self.comparison().text("h200")
        self.assertIn("demo/counts, launch 1 (k): ld_requests is 9, the"
                      " software device counts 8", text)
        self.assertIn("warp_instructions is 401", text)
        self.assertIn("4.01 (!),1.12 (!),equal",
                      self.comparison().kernels_table()[1])
        self.assertIn("1,1,0,4,2,0,2", self.comparison().totals_table())

    def test_furthest(self):
        """Several counters share a column: the one that is furthest from equal
        shows, and what the software device does not count as a number."""
        self.add_rules("shared_st_wavefronts@demo/counts/k ratio 1 3 x",
                       "shared_ld_wavefronts@demo/counts/k ratio 0.2 1"
                       " merged")
        self.ours("a,k,1,1,100,8,8,4,0,2", "a,k,2,1,100,8,8,4,0,2")
        self.gpus("a,k,1,1,100,8,8,8,0,", "a,k,2,1,100,8,2,4,0,")
        self.assertIn("demo,counts,k,2,equal,equal,0.62,none",
                      self.comparison().kernels_table()[1])
        self.gpus("a,k,1,1,100,8,2,4,1,", "a,k,2,1,100,8,2,4,0,")
        self.assertIn("demo,counts,k,2,equal,equal,0.25,+1 (!)",
                      self.comparison().kernels_table()[1])

    def test_excess(self):
        """Of 2000 wavefronts, 100 may be lost to others."""
        self.ours("a,k,1,1,100,8,1000,1000,0,2")
        self.gpus("a,k,1,1,100,8,1000,1000,100,")
        self.total(4, 1, 0)
        self.gpus("a,k,1,1,100,8,1000,1000,101,")
        self.total(4, 0, 1)
        self.ours("a,k,1,1,100,8,1000,1000,30,2")
        self.gpus("a,k,1,1,100,8,1000,1000,29,")
        self.total(4, 0, 1)

    def test_other_launches(self):
        """Another kernel, another size, one launch more: not the same."""
        self.ours("a,k,1,1,100,8,4,4,0,2", "a,k,2,1,100,8,4,4,0,2")
        self.gpus("a,k,1,1,100,8,4,4,0,", "a,k,2,2,50,4,4,4,0,",
                  "a,m,3,1,1,1,1,1,0,")
        text = self.comparison().text("h200")
        self.assertIn("2 launches are not the same on both sides", text)
        self.assertIn("1 kernels, 1 launches", text)

    def test_names(self):
        """A template argument that is true is a word on one side and a number
        on the other; another number is another kernel."""
        self.ours("a,k<16;true;false>,1,1,100,8,4,4,0,2",
                  "a,k<true>,2,1,100,8,4,4,0,2")
        self.gpus("a,k<16;1;0>,1,1,100,8,4,4,0,",
                  "a,k<(bool)1>,2,1,100,8,4,4,0,")
        self.total(8, 0, 0)
        self.gpus("a,k<16;1;1>,1,1,100,8,4,4,0,",
                  "a,k<(bool)0>,2,1,100,8,4,4,0,")
        self.assertEqual(self.comparison().n_other, 2)

    def test_older_columns(self):
        self.table("bench/demo/counts.h200.csv", "h200", "a,k,1,1,8",
                   columns="version,kernel,launch,block_z,ld_requests")
        self.total(1, 0, 0)


class Matrices(Compared):
    """Experiments of the kind tensor are compared as those of count are."""

    def test_tensor(self):
        self.write("bench/demo/experiments", "matrices tensor demo --count\n")
        columns = "version,kernel,launch,block_z,matrix_instructions"
        self.table("bench/demo/matrices.software.csv", "software",
                   "a,k,1,1,64", columns=columns)
        self.table("bench/demo/matrices.h200.csv", "h200", "a,k,1,1,64",
                   columns=columns)
        self.total(1, 0, 0)
        row = self.comparison().kernels_table()[1]
        self.assertTrue(row.startswith("demo,matrices,k,1,none"))
        self.assertTrue(row.endswith(","))
        self.table("bench/demo/matrices.h200.csv", "h200", "a,k,1,1,63",
                   columns=columns)
        self.total(0, 0, 1)


class RulesOfOne(Compared):
    def test_own_rule(self):
        self.ours("a,k,1,1,100,8,4,4,0,2", "a,l,2,1,100,8,4,4,0,2")
        self.gpus("a,k,1,1,100,4,4,4,0,", "a,l,2,1,100,8,4,4,0,")
        self.total(7, 0, 1)
        text = self.rules.read_text()
        self.add_rules("ld_requests@demo/count* ratio 0.5 1 vectors")
        self.total(7, 1, 0)
        self.assertIn("vectors", self.comparison().text("h200"))
        self.rules.write_text(text)
        self.add_rules("ld_requests@demo/counts/k ratio 0.5 1 vectors")
        self.total(7, 1, 0)
        self.gpus("a,k,1,1,100,8,4,4,0,", "a,l,2,1,100,4,4,4,0,")
        self.total(7, 0, 1)

    def test_widths(self):
        """How much the rules of a counter allow, all together."""
        self.gpus("a,k,1,1,100,8,4,4,0,")
        self.rules.write_text(
            "why demo a reason\nld_requests equal\n"
            "warp_instructions ratio 0.5 2 demo\n"
            "shared_ld_wavefronts at_least demo\n"
            "shared_ld_conflicts above shared_ld_wavefronts 0.05"
            " demo\nld_requests@demo/counts/k ratio 0.25 1 demo\n"
            "ld_requests@demo/other/* ratio 1 3 demo\n"
            "shared_ld_conflicts@demo/other/* ratio 0 1 demo\n")
        table = self.comparison().csv("summary")
        for text in ("largest_share,own_rules,allowed,reason",
                     "ld_requests,equal,1,0,1,0,0,1.0000,1.0000,0.0000,2,"
                     "0.25 to 3,", "warp_instructions,ratio,1,0,1,0,0,1.0000,"
                     "1.0000,0.0000,0,0.5 to 2,", ",0,1 or more,demo",
                     ",1,0 to 1 and 0.05 of the wavefronts,demo"):
            self.assertIn(text, table)

    def test_unknown_rule(self):
        self.add_rules("branches maybe")
        self.refuses("error: unknown rule 'maybe'", Rules, self.root)

    def test_not_compared(self):
        self.add_rules("barriers equal")
        self.refuses("'barriers' has no group in device/report/counts.def",
                     Rules, self.root)


class Files(Compared):
    def test_readers(self):
        """A reader's results are elsewhere, under the experiment's name."""
        self.gpus("a,k,1,1,100,8,4,4,0,")
        self.table("mine/demo/counts.csv", "mine", "a,k,1,1,100,7,4,4,0,")
        self.assertIn("ld_requests is 7",
                      self.comparison("mine").text("mine"))
        self.assertIn("# machine: mine\n# gpu: GPU mine\n",
                      self.comparison("mine").csv("totals"))

    def test_one_chapter(self):
        self.write("bench/other/experiments", "counts count demo\n")
        self.gpus("a,k,1,1,100,9,4,4,0,")
        for name in ("software", "h200"):
            shutil.copy(self.root / "bench/demo/counts.software.csv",
                        self.root / f"bench/other/counts.{name}.csv")
        with contextlib.redirect_stdout(io.StringIO()) as said:
            compare.show(self.place(), "other", "h200")
        self.assertIn("4 counts equal", said.getvalue())
        with contextlib.redirect_stdout(io.StringIO()):
            self.refuses("a difference that nothing explains", compare.show,
                         self.place(), "demo", "h200")

    def test_nothing(self):
        self.assertEqual(self.pairs()[0], [])
        self.refuses("nothing to compare: make the counts with", compare.show,
                     self.place(), "demo", "h200")
        self.gpus("a,m,1,1,100,8,4,4,0,")
        self.refuses("nothing to compare", compare.show, self.place(), "demo",
                     "h200")

    def test_two_compilers(self):
        """A GPU's counts are compared with those of its own compiler's program,
        even where newer ones of another compiler's are here."""
        self.gpus("a,k,1,1,100,8,4,4,0,2")
        newer = self.root / "none/demo/counts.csv"
        self.table("none/demo/counts.csv", "software", "a,k,1,1,100,9,9,9,9,9")
        self.assertEqual(self.pairs()[0][0].software, newer)
        newer.write_text("# toolkit: clang 14.0.6\n" + newer.read_text())
        self.assertEqual(self.pairs()[0][0].software,
                         self.root / "bench/demo/counts.software.csv")
        self.assertEqual(self.comparison().total["unexplained"], 0)

    def test_depfile(self):
        self.gpus("a,k,1,1,100,8,4,4,0,")
        path = self.root / "d"
        write_depfile(path, "out/x.csv", self.pairs()[1])
        text = path.read_text()
        self.assertTrue(text.startswith("out/x.csv: \\\n"))
        self.assertIn("bench/demo/counts.h200.csv", text)
        self.assertIn("bench/demo/experiments", text)
        self.assertIn("results\\ test", text)
        self.assertNotIn("times", text)


class OfTheBook(unittest.TestCase):
    def test_each_reason_is_a_section(self):
        rules = Rules(ROOT)
        chapter = next((ROOT / "chapters").glob("*-counters.md")).read_text()
        reasons = {rule.reason for rule in
                   [*rules.by_counter.values(), *rules.own] if rule.reason}
        self.assertTrue(reasons)
        for reason in reasons:
            self.assertIn(reason, rules.why, "bench/counters/rules: no `why`")
            self.assertTrue(re.search(r"{#sec:counters-%s}" % reason, chapter),
                            f"no section {{#sec:counters-{reason}}}")

    def test_committed_counts(self):
        """What this copy of the book holds must be explained."""
        place = Workplace(ROOT, ROOT / "build")
        nowhere = ROOT / "none"
        found, _ = compare.pairs(place, compare.in_order_of_the_book(ROOT),
                                 reference(ROOT), nowhere, nowhere)
        comparison = compare.compare(place, found)
        self.assertGreater(comparison.n_compared, 300)
        self.assertEqual(comparison.n_other, 0)
        self.assertEqual(comparison.strange, [])


if __name__ == "__main__":
    unittest.main()
