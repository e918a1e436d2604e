"""The random sample: what counts as a sentence, and that a seed is a seed."""
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TEXT = """\
---
title: A chapter about warps
goals:
  - say why a warp waits for its lanes
---

## Why a warp waits for its lanes {#sec:why}

A [warp]{.term of="warp"} has 32 lanes, which run `x += 1` together. They
[wait]{holds=all_wait}. Short one.

```c
int this_is_code_and_not_a_sentence = 1;
```

![The lanes of a warp, one by one.](a.gp){#fig:a alt="A row of thirty-two cells."}

- a list item counts as a sentence
"""


def run(*arguments):
    return subprocess.run([sys.executable, str(HERE / "sample"), *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8")


class Sample(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "chapters").mkdir()
        (self.root / "chapters/06-warps.md").write_text(TEXT)
        (self.root / "chapters/07-other.md").write_text(
            "".join(f"Sentence number {n} is one of very many.\n\n"
                    for n in range(200)))

    def drawn(self, *arguments):
        ran = run("--root", str(self.root), *arguments)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout.splitlines()

    def test_sentences(self):
        lines = self.drawn("--seed", "5", "warps")
        self.assertCountEqual([line.split(". ", 1)[1] for line in lines[1:]], [
                "06-warps.md:4: say why a warp waits for its lanes",
                "06-warps.md:7: Why a warp waits for its lanes",
                "06-warps.md:9: A warp has 32 lanes, which run `x += 1`"
                " together.",
                "06-warps.md:16: The lanes of a warp, one by one.",
                "06-warps.md:16: A row of thirty-two cells.",
                "06-warps.md:18: a list item counts as a sentence"])

    def test_seed(self):
        first = self.drawn("--count", "20", "--seed", "3", "other")
        self.assertEqual(len(first), 21)
        self.assertEqual(first, self.drawn("--count", "20", "--seed", "3",
                                           "other"))
        self.assertNotEqual(first[1:], self.drawn("--count", "20", "--seed",
                                                  "4", "other")[1:])

    def test_unknown_chapter(self):
        ran = run("--root", str(self.root), "nothing")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("there are warps, other", ran.stderr)

    def test_judged(self):
        lines = self.drawn("--count", "10", "other")
        lines[3] = "2" + lines[3][1:]
        path = self.root / "judged"
        path.write_text("\n".join(lines))
        said = self.drawn("--judged", str(path))
        self.assertEqual(said[0], "1 of 10 read twice (10 %)")
        self.assertIn(said[1], lines[3])


if __name__ == "__main__":
    unittest.main()
