"""python3 tools/results claims: false claims are listed, with their values."""
import os
import pathlib
import shutil
import unittest

from test_bench import Commands


ROOT = pathlib.Path(__file__).resolve().parents[3]
CHAPTER = """# Demo

[Tiles are fast]{holds=fast}, and [slow]{holds=slow}. They take {time}
here, and {other}.
[Two and two]{holds=four}.

```values
time = speed.time_us[version=tile]; digits=1
other = speed.time_us[version=brick]; digits=1 holds="> 9"
lost = speed.time_us[version=stone]; digits=1
fast: time < 2
slow: time > 2 and speed.time_us[version=brick] > 1
gone: speed.time_us[version=wood] > 1
four: 2 + 2 == 4
```
"""
HEAD = """# machine: {0}
# gpu: GPU of {0}
# driver: 1
# toolkit: 13.0
# commit: abc
# date: 2026-11-20
version,time_us
"""


@unittest.skipUnless(shutil.which("pandoc"), "there is no pandoc")
class Claims(Commands):
    def setUp(self):
        super().setUp()
        path = os.environ["PATH"]
        os.environ["PATH"] = path + ":" + str(pathlib.Path(
            shutil.which("pandoc", path=os.defpath) or "").parent)
        shutil.copytree(ROOT / "book/filters", self.tree / "book/filters")
        self.write("a course/chapters/01-demo.md", CHAPTER)
        self.write("a course/bench/demo/experiments", "speed time demo --csv\n")
        self.write("a course/build/bench/experiments/demo.tsv",
                   "speed\ttime\tmeasured\n")
        self.result("h200", 1.5, 12)
        self.result("big", 2.5, 12)

    def result(self, machine, tile, brick, path="bench/demo/speed.{}.csv"):
        self.write("a course/" + path.format(machine), HEAD.format(machine) +
                   f"tile,{tile}\nbrick,{brick}\n")

    def claims(self, *words):
        said = self.do("claims", *words)
        return [line for line in said.split("\n") if "chapters/" in line], said

    def test_reference(self):
        rows, said = self.claims()
        self.assertEqual(len(rows), 3, said)
        self.says(rows[0], "| chapters/01-demo.md:3 | slow | slow |",
                  "demo/speed.time_us[version=tile] > 2 and",
                  "demo/speed.time_us[version=tile] = 1.5; "
                  "demo/speed.time_us[version=brick] = 12 |")
        self.says("".join(rows[1:]), "| lost |", "has no row with"
                  " version=stone**", "| gone |")
        self.says(said, "5 claims: 1 false, 2 that cannot be computed.",
                  "3 claims fail")

    def test_another_machine(self):
        rows, _ = self.claims("--machine", "big")
        self.assertIn("| fast | Tiles are fast |", rows[0])
        self.assertNotIn("| slow |", "".join(rows))
        self.result("mine", 1.5, 7, "build/results/{}/demo/speed.csv")
        rows, _ = self.claims("--machine", "mine")
        self.assertIn("| other |", "".join(rows))
        self.says(self.claims("--machine", "none")[1], "no results of a"
                  " machine 'none'")

    def test_chapters(self):
        self.write("a course/chapters/02-more.md", "```values\nx: 2 + 2 == 5\n```\n")
        self.assertEqual(len(self.claims("demo")[0]), 3)
        rows, said = self.claims("more")
        self.assertEqual(len(rows), 1, said)
        self.write("a course/chapters/02-more.md", "```values\nx = (1\n```\n")
        self.says(self.claims("more")[1], "chapters/02-more.md:1: error: ")
        self.says(self.claims("none")[1], "no chapter 'none'; there are: demo"
                  " more")

    def test_all_hold(self):
        self.write("a course/chapters/01-demo.md", "[Fast]{holds=fast}\n\n"
                   "```values\nfast: speed.time_us[version=tile] < 2\n```\n")
        self.assertEqual(self.claims()[1].strip(), "1 claims: 0 false, 0 that"
                         " cannot be computed.")


if __name__ == "__main__":
    unittest.main()
