"""Reading and writing results, and the word that says what they are made of."""
import unittest
from unittest import mock

from support import ROOT, InFolder
from results import experiments, inputs, result


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


class Inputs(InFolder):
    def test_what_changes_it(self):
        self.write("bench/demo/experiments", "speed time demo A --csv\n"
                   "counts count demo --csv\nsession debugger demo\n")
        self.write("bench/demo/session.gdb", "run\n")
        self.write("bench/common/ncu_metrics", "a = b\n")
        self.write("code/demo/demo.cu", '#include "common/a.h"\n'
                   '#  include "near.h"\n#include <stdio.h>\n')
        self.write("code/common/a.h", '#include "b.h"\n#include "a.h"\n')
        self.write("code/common/b.h", "")
        self.write("code/demo/near.h", "near\n")
        self.write("build/device/libcudart.so.13", "runtime API")
        self.write("build/device/libsoftdevice.so", "device")

        def words():
            found = experiments.read(self.root, "demo")
            return [inputs.word(self.root, self.root / "build", one,
                                on_software, "13.0")
                    for one in found.values() for on_software in (False, True)]
        before = words()
        self.assertEqual(len(set(before)), 6)
        for path, changed in [
                ("code/demo/demo.cu", [0, 1, 2, 3, 4, 5]),
                ("code/common/b.h", [0, 1, 2, 3, 4, 5]),
                ("code/demo/near.h", [0, 1, 2, 3, 4, 5]),
                ("bench/common/ncu_metrics", [2, 3]),
                ("bench/demo/session.gdb", [4, 5]),
                ("build/device/libcudart.so.13", [1, 3, 5]),
                ("build/device/libsoftdevice.so", [1, 3, 5])]:
            text = (self.root / path).read_text()
            self.write(path, text + "// more\n")
            now = words()
            self.assertEqual([i for i in range(6) if now[i] != before[i]],
                             changed, path)
            self.write(path, text)
        self.write("bench/demo/experiments", "speed time demo A --csv --more\n"
                   "counts count demo --csv\nsession debugger demo\n")
        self.assertNotEqual(words()[0], before[0])

    def test_another_way_of_measuring(self):
        self.write("bench/demo/experiments", "speed time demo --csv\n"
                   "told check demo\n")
        self.write("code/demo/demo.cu", "")

        def words():
            return [inputs.word(self.root, self.root, one, False, "13.0")
                    for one in experiments.read(self.root, "demo").values()]
        before = words()
        for name, changed in (("METHOD", [0, 1]), ("METHOD_OF_TEXTS", [1])):
            with mock.patch.object(inputs, name, 2):
                now = words()
            self.assertEqual([i for i in range(2) if now[i] != before[i]],
                             changed, name)


if __name__ == "__main__":
    unittest.main()
