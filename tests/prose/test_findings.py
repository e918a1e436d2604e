"""Planted faults: every kind of finding, in every kind of file, and what is
good English all the same."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import extract
import findings
import todo
import tree

HERE = pathlib.Path(__file__).resolve().parent
MISSING = findings.missing_tools()

# A sentence for each row of the word list in STYLE, and others that must pass.
WRONG = """\
It reads behind the end of the array.
The bytes lie behind it.
The barrier stands behind both.
The other stands in the loop.
The array lies in shared memory.
A figure beside it shows this.
On the way down the sums move left.
There is no room for a second tile.
Now mend the kernel.
The device tells of a race.
The report tells how it happened.
It is told by the chapter on warps.
Each thread makes 121 additions.
Leave the barrier away.
The block comes into being.
It is worth to look at it.
Nobody wrote there.
Somebody reads it.
The sum is kept by whoever comes last.
It runs. Who wants more has to leave out a pass.
So many threads run as there are elements.
By far not all of it.
It was compiled with less and less registers.
Six thousand million of them.
Each path more costs the same.
It takes 400 clocks.
The kernel moves three sectors a request.
The nearer they lie, the better can you believe it.
The loads were in vain.
The first program was for nothing.
It computes something else than you want.
Pick one by lot.
While stores are under way, wait.
The rest is rubbish.
This is no time that a block needs.
It is twice larger than, and faster as the other one.
It is inside of the allocation.
This allows to skip a pass.
The kernel halves the field.
""".splitlines()
RIGHT = """\
This is the idea behind the scan, and it falls behind.
It stands for a warp; you can tell whether it does.
A stand-alone program needs no more than that.
There is no time to lose, and it is no longer slow.
Room for improvement remains.
Who writes the result? The thread that arrives last.
There are so many that it pays, and so on.
The clock runs at 1980 MHz; each clock cycle counts.
Nobody's fault.
The elements a thread loads come next to each other.
It is no faster than before.
You can tell how long it took.
""".splitlines()


class Words(unittest.TestCase):
    table = findings.rules()

    def found(self, name, text):
        masked = extract.KINDS[pathlib.PurePath(name).suffix](text, True)
        return findings.words({name: masked}, self.table)

    def test_each_phrase(self):
        for sentence in WRONG:
            with self.subTest(sentence):
                self.assertTrue(self.found("a.md", f"First.\n\n{sentence}\n"))

    def test_good_english(self):
        for sentence in RIGHT:
            with self.subTest(sentence):
                self.assertEqual(self.found("a.md", f"First. {sentence}\n"), [])

    def test_numbers(self):
        for wrong in ("of 16,384 threads", "It has 1,188 blocks.", "2,147,483",
                      "the 65536 registers", "at most 262144.",
                      "some 1 048 tests"):
            with self.subTest(wrong):
                self.assertEqual(
                    len(self.found("chapters/a.md", f"First {wrong} here.")), 1)
        for right in ("of 16 384 threads", "4 194 304", "It has 1188 blocks.",
                      "`65536`", "rows 1,2 and 3", "{value_12345}", "of 8 KiB",
                      "0.12345", "pi is 3.14159", "in 2006 and 2007"):
            with self.subTest(right):
                self.assertEqual(
                    self.found("chapters/a.md", f"First {right} here."), [])
        self.assertEqual(self.found("device/a.md", "a report of 557056"), [])

    def test_each_row_is_needed(self):
        """No row that none of the sentences above is for."""
        text = {"a.md": "\n\n".join(WRONG)}
        house = {rule.pattern.pattern for rule in self.table
                 if rule.where != "all"}
        for rule in self.table:
            if rule.pattern.pattern not in house | SPARE:
                with self.subTest(rule.pattern.pattern):
                    self.assertTrue(findings.words(text, [rule]))

    def test_across_lines_and_in_every_kind(self):
        for name, text in {
                "a.md": "First.\n\nIt reads behind\n  the end.\n",
                "a.cu": "int x; /* first */\n/* reads behind\n * the end */\n",
                "a.py": "x = 1\n\n# it reads behind\n# the end\n",
                "a.lua": "x = 1\n\n-- it reads behind\n-- the end\n",
                "a.js": "x = 1\n\n// it reads behind\n// the end\n",
                "a.gp": "x = 1\n\n# it reads behind\n# the end\n"}.items():
            with self.subTest(name):
                one, = self.found(name, text)
                self.assertEqual((one.line, one.found),
                                 (text[:text.index("behind")].count("\n") + 1,
                                  '"behind "'))

    def test_not_in_code(self):
        self.assertEqual(self.found("a.cu", "int mend = nobody;\n"), [])
        self.assertEqual(self.found("a.md", "The `mend` of\n\n```c\nmend\n```\n"),
                         [])

    def test_bad_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "words.tsv"
            for text, said in {"all\tx\n": ":1: a row is",
                               "some\tx\ty\n": ":1: a row is",
                               "# a\nall\t(x\ty\n": ":2: "}.items():
                path.write_text(text)
                with self.assertRaisesRegex(findings.Fault, said):
                    findings.rules(path)


# Rows for further forms of a phrase.
SPARE = {rule.pattern.pattern for rule in Words.table if rule.pattern.pattern in (
    r"\b(want|wants|wanted) to be (known|told|seen)\b",
    r"\bother as\b|\bdifferent as\b",
    r"\binformations\b|\bhardwares\b|\bsoftwares\b|\badvices\b",
    r"\bsince (two|three|many|some|several|\d+) (years|days|hours)\b",
    r"\bso much [^.;:!?|]{0,40}\bas\b(?! (to|a result)\b)") or
    rule.pattern.pattern.startswith((r"(?<=[.!?:] )Who", r"(?<=[.!?] )Who"))}


class Todo(unittest.TestCase):
    SEEN = [findings.Finding("a.md", 1, "words", "x", "y"),
            findings.Finding("a.md", 2, "words", "x", "y"),
            findings.Finding("b.md", 3, "words", "x", "y")]

    def complaints(self, listed, known=("a.md", "b.md", "c.md")):
        return todo.complaints(self.SEEN, listed, set(known))

    def test_all_listed(self):
        self.assertEqual(self.complaints({"a.md": 2, "b.md": 1}), [])
        self.assertEqual(self.complaints({"a.md": 3, "b.md": 1}), [])

    def test_not_listed(self):
        self.assertEqual(self.complaints({"a.md": 2}), ["b.md:3: words: x: y"])

    def test_more_than_listed(self):
        lines = self.complaints({"a.md": 1, "b.md": 1})
        self.assertEqual(lines[:2], [str(one) for one in self.SEEN[:2]])
        self.assertIn("a.md: 2 phrases, where 1 were", lines[2])

    def test_clean_or_gone(self):
        lines = self.complaints({"a.md": 2, "b.md": 1, "c.md": 1, "d.md": 1})
        self.assertIn("c.md: it is clean now", lines[0])
        self.assertIn("d.md: there is no such file", lines[1])

    def test_shrinks_only(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "todo"
            path.write_text("a\t2\nb\t5\nc\t1\n")
            todo.shrink(path, {"a": 4, "b": 3, "new": 7})
            self.assertEqual(todo.read(path), {"a": 2, "b": 3})

    def test_bad_lists(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "todo"
            for text, said in {"a 2\n": ":1: a row is", "a\t0\n": ":1: a row",
                               "a\t1\na\t1\n": ":2: 'a' is there twice"}.items():
                path.write_text(text)
                with self.assertRaisesRegex(findings.Fault, said):
                    todo.read(path)


class Dictionary(unittest.TestCase):
    def test_order(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "dictionary"
            for text in ("b\na\n", "a\na\n"):
                path.write_text(text)
                with self.assertRaises(findings.Fault):
                    findings.dictionary(path)


@unittest.skipIf("hunspell" in " ".join(MISSING), "hunspell is not here")
class Spelling(unittest.TestCase):
    def test_planted(self):
        text = "The kernal writes to the neighbors' cells; memcheck's colour."
        found = findings.spelling({"a.md": text}, ["memcheck"])
        self.assertEqual([one.found for one in found],
                         ['"kernal"', '"neighbors"'])

    def test_each_term_is_needed(self):
        """The dictionary holds nothing that is English anyway."""
        own = findings.dictionary()
        self.assertEqual(set(own) - findings.misspelt(own, []), set())


@unittest.skipIf("proselint" in " ".join(MISSING), "proselint is not here")
class Proselint(unittest.TestCase):
    def test_planted(self):
        with tempfile.TemporaryDirectory() as folder:
            found = findings.proselint(
                {"a.md": "Fine.\n\nThe the kernel is fine.\n",
                 "b.md": "It is in close proximity to L1.\n"},
                pathlib.Path(folder))
        self.assertEqual({(one.path, one.line) for one in found},
                         {("a.md", 3), ("b.md", 1)})


class Program(unittest.TestCase):
    """The whole program on a small tree with a planted fault."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        (self.root / "tests/prose").mkdir(parents=True)
        (self.root / "tests/prose/todo").write_text("")
        (self.root / "a.c").write_text("/* It reads behind\n * the end. */\n")
        self.addCleanup(self.folder.cleanup)

    def run_check(self, *arguments):
        ran = subprocess.run([sys.executable, str(HERE / "check"), "--root",
                              str(self.root), *arguments], cwd=self.root,
                             stdout=subprocess.PIPE, encoding="utf-8",
                             stderr=subprocess.STDOUT)
        return ran.returncode, ran.stdout

    def test_words(self):
        status, said = self.run_check("words")
        self.assertEqual(status, 1)
        self.assertIn('a.c:1: words: "behind "', said)
        (self.root / "tests/prose/todo").write_text("a.c\t1\n")
        self.assertEqual(self.run_check("words")[0], 0)
        (self.root / "a.c").write_text("/* It reads past the end. */\n")
        status, said = self.run_check("words")
        self.assertEqual(status, 1)
        self.assertIn("a.c: it is clean now", said)
        self.assertEqual(self.run_check("--shrink")[0], 0)
        self.assertEqual(self.run_check("words")[0], 0)

    def test_unknown_file(self):
        status, said = self.run_check("nothing.c")
        self.assertEqual(status, 2)
        self.assertIn("nothing.c", said)


class Tree(unittest.TestCase):
    def test_files(self):
        names = tree.files(HERE.parents[1])
        self.assertIn("chapters/09-debugging.md", names)
        self.assertIn("tests/prose/extract.py", names)
        self.assertNotIn("book/js/vendor/minisearch.js", names)
        self.assertFalse([name for name in names if name.startswith("build/")])

    def test_without_git(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in (".git/a.md", "node_modules/b/a.md", "book/a.md"):
                (root / name).parent.mkdir(parents=True)
                (root / name).write_text("A word.\n")
            with mock.patch.dict(os.environ, PATH=folder):
                self.assertEqual(tree.files(root), ["book/a.md"])


if __name__ == "__main__":
    unittest.main()
