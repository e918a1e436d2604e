"""What counts as prose in each kind of file."""
import pathlib
import re
import sys
import unittest

import extract

HERE = pathlib.Path(__file__).resolve().parent


def seen(masked):
    """The words of a masked text, a line each, without empty lines."""
    lines = [" ".join(line.strip(" |").replace("|", " ").split())
             for line in masked.split("\n")]
    return [line for line in lines if line]


class Comments(unittest.TestCase):
    def test_c(self):
        lines = seen(extract.c_like(
            "/* One bad index.\n * Nothing says so. */\n"
            "int n = 'a'; // elements of `x[i]`, see mem_find\n"
            "// begin broken\n", True))
        self.assertEqual(lines, ["One bad index.", "Nothing says so.",
                                 "elements of 000000, see 00000000"])

    def test_lines_are_kept(self):
        text = '/* a\n * b */\nf("one two three");\n'
        masked = extract.c_like(text, True)
        self.assertEqual([len(line) for line in masked.split("\n")],
                         [len(line) for line in text.split("\n")])

    def test_messages_are_sentences(self):
        text = 'f("cannot open %s: no such file\\n"); g("grid", "a.b c.d");\n'
        self.assertEqual(seen(extract.c_like(text, True)),
                         ["cannot open 00: no such file"])
        self.assertEqual(seen(extract.c_like(text, False)), [])

    def test_message_on_two_lines(self):
        masked = extract.c_like('f("there is no room "\n  "for it here");', True)
        self.assertRegex(masked, r"no room\s+for it here")

    def test_comment_does_not_reach_the_next(self):
        masked = extract.c_like("/* it is */\nint behind;\n/* the end */", True)
        self.assertNotRegex(masked, r"is\s+the end")

    def test_python(self):
        text = ('#!/usr/bin/env python3\n"""What it does."""\n'
                'KEY = "behind the end"\nx = {"a b c": 1}  # why it does so\n'
                'raise Fault(f"{path}: a row is a file and a number")\n')
        self.assertEqual(seen(extract.python(text, True)),
                         ["What it does.", "behind the end", "why it does so",
                          "000000: a row is a file and a number"])

    def test_python_strings_with_expressions(self):
        quoted = "row['name']" if sys.version_info < (3, 12) else 'row["name"]'
        text = (f'say(f"the row {{{quoted}}} of {{n or f\'{{m}} more\'}} is not "\n'
                '    rf"{n:>{width}} wide enough for it")  # as it was\n'
                'f"""Not what a module does,\nwhich is {n}"""  # but a string\n'
                'f("{{two rows of it}}")  # … and back\n')
        masked = extract.python(text, True)
        self.assertEqual(len(masked), len(text))
        self.assertEqual(seen(masked), [
            "the row 0000000000000 of {n or f'000 more'} is not",
            "{n:>0000000} wide enough for it as it was",
            "Not what a module does,", "which is 000 but a string",
            "{0000000000000000} … and back"])

    def test_lua(self):
        text = ("-- How it is drawn.\nlocal s = 'x' .. \"--not a comment\"\n"
                "--[[ A longer\nstory. ]]\nerror('the table has no row')\n")
        self.assertEqual(seen(extract.lua(text, True)),
                         ["How it is drawn.", "A longer", "story.",
                          "the table has no row"])

    def test_shell(self):
        text = ("#!/bin/sh\n# What is proven.\nx=${y#z} # why\n"
                'echo "the file is not there"\n')
        self.assertEqual(seen(extract.shell(text, True)),
                         ["What is proven.", "why", "the file is not there"])


class Markdown(unittest.TestCase):
    def holds(self, text, expected):
        masked = extract.markdown(text, True)
        self.assertEqual(len(masked), len(text))
        self.assertEqual(seen(masked), expected)

    def test_front_matter(self):
        self.holds("---\ntitle: Warps\nslug: warps\ngoals:\n  - say why\n---\n",
                   ["Warps", "say why"])

    def test_spans_and_names(self):
        self.holds("A [warp]{.term of=\"warp\"} has `x` and {slowdown} of\n"
                   "[the lanes]{holds=all_lanes} in @fig:a-b [@cuda].\n",
                   ["A warp has 000 and 0000000000 of",
                    "the lanes in 00000000 0000000."])

    def test_caption_alt_and_title(self):
        self.holds('![Each lane.](figures/a.gp){#fig:a alt="A row of cells."}\n',
                   ["Each lane. A row of cells."])
        self.holds('::: {.exercise #exr:a title="Which tool?"}\nText.\n:::\n',
                   ["Which tool?", "Text."])

    def test_code_and_values(self):
        self.holds("Before.\n\n```c\nint behind;\n```\n\n```values\na: 1 == 1\n"
                   '  ; otherwise="Not in your run."\n```\n',
                   ["Before.", "Not in your run."])

    def test_links_lists_and_formulas(self):
        self.holds("# Why\n\n- See [the *page*](a/b.md), $n^2$.\n",
                   ["Why", "See the page , 00000."])


class Kinds(unittest.TestCase):
    def test_by_extension_and_interpreter(self):
        self.assertIs(extract.kind_of(HERE / "check"), extract.python)
        self.assertIs(extract.kind_of(HERE / "extract.py"), extract.python)
        self.assertIsNone(extract.kind_of(HERE / "words.tsv"))
        self.assertIsNone(extract.kind_of(HERE / "dictionary"))

    def test_reads_itself(self):
        masked = extract.prose(HERE / "extract.py")
        self.assertIn("The prose of a source file", masked)
        self.assertFalse(re.search("import tokenize", masked))


if __name__ == "__main__":
    unittest.main()
