"""Stale results: found, a fault in bench/, a mark among a reader's."""
import unittest

from test_bench import Commands
from results import result, stale
from results.errors import Skip


class Stale(Commands):
    def setUp(self):
        super().setUp()
        self.with_gpu()
        self.write("a course/code/demo/demo.cu", "int n = 1;\n")
        self.experiments("speed time demo --csv\n")
        self.compiled()

    def measured(self, file):
        self.measure("speed", file.split("/")[-2] if "results" in file else
                     file.split(".")[-2], self.tree / file)
        return self.tree / file

    def change(self):
        self.write("a course/code/demo/demo.cu", "int n = 2;\n")
        self.compiled()

    def stale(self, *words):
        return self.do("stale", *words)

    def test_current(self):
        self.measured("bench/demo/speed.big.csv")
        self.says(self.stale("--gate"),
                  "1 results: 1 current, 0 stale, 0 of unknown state.")
        self.assertEqual(self.fault, "")

    def test_stale(self):
        self.measured("bench/demo/speed.big.csv")
        self.change()
        for words in ([], ["--gate"], ["big"], ["big", "--gate"]):
            self.says(self.stale(*words), "stale, big: changed since: the"
                      " host's code, which is what is measured\n"
                      "    demo/speed\n1 results: 0 current, 1 stale")
            self.assertIn("1 results are not what their programs would give",
                          self.fault)
        self.says(self.stale("other"), "0 results")
        self.assertEqual(self.fault, "")

    def test_an_older_head(self):
        """Nothing is known, which the test of the book's results refuses."""
        file = self.measured("bench/demo/speed.big.csv")
        old = result.read(file)
        lines = [line for line in old.head if "# inputs" not in line]
        for more in ([], ["# inputs: 0123456789abcdef"]):
            file.write_text(old._replace(head=lines + more).text())
            self.says(self.stale(), "1 of unknown state")
            self.assertEqual(self.fault, "")
            self.says(self.stale("--gate"), "1 heads do not say what"
                      " the result was made from, such as")

    def test_without_the_program(self):
        self.measured("bench/demo/speed.big.csv")
        (self.build / "code/demo/demo").unlink()
        self.says(self.stale(), "unknown, big: code/demo/demo is not compiled"
                  " here\n    demo/speed\n1 results")
        self.assertEqual(self.fault, "")
        with self.assertRaises(Skip):
            self.stale("--gate")

    def test_texts_have_heads(self):
        """In bench/, too, if a GPU gave them."""
        self.stand_in("bin/cuobjdump", "echo 'Function : _Z1kv'\n"
                      "echo '/*0000*/ EXIT ;'")
        self.stand_in("bin/nvcc", 'echo "release 13.0, V13.0.88"')
        self.experiments("said output demo --list\ncode sass demo k\n")
        said = self.tree / "bench/demo/said.software.txt"
        code = self.tree / "bench/demo/code.big.txt"
        self.measure("said", "software", said)
        self.measure("code", "big", code)
        self.assertFalse(said.with_name(said.name + ".head").exists())
        self.assertIn("kernels", result.read_head(code)["inputs"])
        self.says(self.stale("--gate"), "1 results: 1 current")

    def test_quoted(self):
        self.write("a course/bench/demo/speed.cited.csv", "# machine: cited\n"
                   "# commit: none: from a book\nversion,time_us\ntile,1\n")
        self.says(self.stale(), "0 results")

    def test_marked(self):
        file = self.measured("build/results/mine/demo/speed.csv")
        good = file.read_text()
        place = self.place()
        self.assertEqual(stale.mark(place, "mine"), [])
        self.assertEqual(file.read_text(), good)
        self.change()
        self.assertEqual([one.one.id for one in stale.mark(self.place(),
                                                           "mine")],
                         ["demo/speed"])
        self.assertEqual(result.read_head(file)["stale"], "changed since: the"
                         " host's code, which is what is measured")
        self.assertEqual(result.content(file), b"version,time_us\ntile,1.5\n")
        self.write("a course/code/demo/demo.cu", "int n = 1;\n")
        self.compiled()
        stale.mark(self.place(), "mine")
        self.assertEqual(file.read_text(), good)

    def test_marked_for_the_book(self):
        file = self.measured("build/results/mine/demo/speed.csv")
        self.assertNotIn("stale", self.do("need", "mine"))
        self.change()
        self.says(self.do("need", "mine"), "1 results of 'mine' are marked as"
                  " stale", "python3 tools/results stale mine names them")
        self.assertIn("stale", result.read_head(file))

    def test_briefly(self):
        self.measured("bench/demo/speed.big.csv")
        self.assertEqual(self.stale("--brief"), "")
        self.change()
        self.says(self.stale("--brief"), "1 of the book's results are stale")
        self.assertEqual(self.fault, "")


if __name__ == "__main__":
    unittest.main()
