#!/usr/bin/env python3
"""test_grade.py BUILD COMPILER: ./course grade, on answers that are right, wrong,
strange and hostile. A bad one costs its own row, and no other."""
import csv
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

from exercise import notation, programs, sandbox    # noqa: E402  after the path is set

BUILD, COMPILER = sys.argv[1:3]
del sys.argv[1:3]

NAME = "hello/backwards"
EXERCISE = notation.read(ROOT, NAME)
RIGHT = EXERCISE.model()
HOLE = EXERCISE.skeleton()


def kernel(body: str, before: str = "") -> str:
    """The exercise's kernel with another body."""
    head = RIGHT[:RIGHT.index("{", RIGHT.index("__global__"))]
    return f"{before}\n{head}{{\n{body}\n}}\n"


# Who hands in what, and the verdict; the text that the message must contain.
HANDED_IN = {
    "ada": (RIGHT, "solved", ""),
    "bob": (HOLE, "wrong", "should be"),
    "zoë <b>&amp;": (RIGHT, "solved", ""),
    "=1+1": (HOLE, "wrong", "should be"),
    "no kernel": ("int x;\n", "broken", "There is no kernel"),
    "shouts": ("#error <b>" + 20000 * "more " + "\n", "broken", "does not compile"),
    "empty": ("", "broken", "There is no kernel"),
    "no C": ("This is my answer.\n", "broken", "does not compile"),
    "loops": (kernel("for (volatile int i = 0;; i++) ;"), "wrong", ""),
    "traps": (kernel('asm volatile("trap;");'), "wrong", ""),
    "no PTX": (kernel('asm volatile("no such instruction;");'), "broken", ""),
    "talks": (kernel('for (int i = 0; i < 100000; i++) printf("%d %s\\n", i, "words");',
                     "#include <stdio.h>"), "wrong", ""),
    "large frame": (kernel("volatile int x[60000]; for (int i = 0; i < 60000; i++)"
                           " x[i] = i;"), "wrong", ""),
    "spies": ('#include "/etc/passwd"\n', "broken", "No such file|not found"),
    "copies": (f'#include "{ROOT}/exercises/{NAME}.cu"\n', "broken",
               "No such file|not found"),
    "copies, too": (f'#include "../exercises/{NAME}.cu"\n', "broken",
                    "No such file|not found"),
    "templates": ("template <int n> struct many { static const long value ="
                  " many<2 * n>::value + many<2 * n + 1>::value; };\n"
                  "long x = many<1>::value;\n", "broken", "does not compile"),
    "constants": ("constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
                  "static_assert(f(60) == 0, \"\");\n", "broken", "does not compile"),
    "the build": (f'#include "{BUILD}/build.ninja"\n', "broken",
                  "No such file|not found"),
}


class Grade(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        made = tempfile.TemporaryDirectory(prefix="grade test.")
        cls.addClassCleanup(made.cleanup)
        cls.folder = Path(made.name)
        for student, (text, _, _) in HANDED_IN.items():
            path = cls.folder / student / (NAME + ".cu")
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
        (cls.folder / "nothing").mkdir()
        own = NAME.split("/")[1] + ".cu"
        for student in ("a link", "a linked folder", "a pipe", "a folder", "a mountain",
                        "no letters"):
            (cls.folder / student).mkdir()
        (cls.folder / "a linked folder" / NAME.split("/")[0]).symlink_to(
            cls.folder / "ada" / NAME.split("/")[0])
        (cls.folder / "a link" / own).symlink_to(cls.folder / "ada" / (NAME + ".cu"))
        os.mkfifo(cls.folder / "a pipe" / own)
        (cls.folder / "a folder" / own).mkdir()
        (cls.folder / "a mountain" / own).write_bytes(b"\n" * (3 << 20))
        (cls.folder / "no letters" / own).write_bytes(bytes(range(256)))
        cls.ran = cls.grade(cls.folder)
        cls.rows = {}
        if cls.ran.returncode == 0:
            with (cls.folder / "grades.csv").open(encoding="utf-8", newline="") as file:
                cls.rows = {row["student"].removeprefix("'"): row
                            for row in csv.DictReader(file)}

    @staticmethod
    def grade(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, ROOT / "tools/exercise", "grade", folder, "--compiler",
             COMPILER, *words], capture_output=True, text=True,
            env={**os.environ, "COURSE_BUILD": BUILD})

    def verdict(self, student: str) -> str:
        return self.rows[student]["verdict"]

    def test_all_is_judged(self) -> None:
        self.assertEqual((self.ran.returncode, self.ran.stderr), (0, ""))
        self.assertEqual(len(self.rows), len(HANDED_IN) + 7)

    def test_each_gets_what_it_deserves(self) -> None:
        for student, (_, verdict, said) in HANDED_IN.items():
            with self.subTest(student):
                row = self.rows[student]
                self.assertEqual(row["verdict"], verdict, row["message"])
                self.assertRegex(row["message"], said or "^")

    def test_what_is_no_file_is_refused(self) -> None:
        for student in ("a link", "a linked folder", "a pipe", "a folder", "a mountain"):
            with self.subTest(student):
                self.assertEqual(self.verdict(student), "refused")
        self.assertEqual(self.verdict("no letters"), "broken")
        self.assertEqual(self.verdict("nothing"), "missing")

    def test_host_code_is_not_run(self) -> None:
        # Not even where it could do harm.
        with tempfile.TemporaryDirectory() as made:
            mark = Path(made) / "was_here"
            (Path(made) / "ada.cu").write_text(
                RIGHT + f'#include <stdlib.h>\nstatic int n = system("touch {mark}");\n',
                encoding="utf-8")
            ran = self.grade(Path(made), NAME, "--unprotected")
            self.assertIn("ada hello/backwards: solved", ran.stdout)
            self.assertFalse(mark.exists())

    def test_no_secret_and_no_folder_of_ours_is_in_a_message(self) -> None:
        for student, row in self.rows.items():
            with self.subTest(student):
                self.assertNotIn("root:", row["message"])
                self.assertNotIn("course-grade-", row["message"])

    def test_no_message_fills_the_table(self) -> None:
        for student, row in self.rows.items():
            with self.subTest(student):
                self.assertLess(len(row["message"]), 4000)

    def test_a_page_shows_names_as_text(self) -> None:
        page = (self.folder / "grades.html").read_text(encoding="utf-8")
        self.assertIn("<th>zoë &lt;b&gt;&amp;amp;</th>", page)
        self.assertNotIn("<b>", page)

    def test_a_spreadsheet_computes_no_name(self) -> None:
        text = (self.folder / "grades.csv").read_text(encoding="utf-8")
        self.assertIn("\n'=1+1,", text)

    def test_a_file_for_each(self) -> None:
        with tempfile.TemporaryDirectory() as made:
            (Path(made) / "ada.cu").write_text(RIGHT, encoding="utf-8")
            ran = self.grade(Path(made), NAME, "--seed", "7")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertIn(f"1/1 ada {NAME}: solved", ran.stdout)
            self.assertIn("--seed 7.", (Path(made) / "grades.html").read_text("utf-8"))

    def test_wrong_words(self) -> None:
        for words, said in ((["no/where"], "there is no exercise 'no/where'"),
                            (["--jobs", "0"], "at least 1"),
                            (["--seed", "-3"], "from 0 to 2^31 - 1"),
                            (["--what"], "usage: ./course grade")):
            ran = self.grade(self.folder, *words)
            self.assertEqual(ran.returncode, 2)
            self.assertIn(said, ran.stderr)
        with tempfile.TemporaryDirectory() as made:
            ran = self.grade(Path(made))
            self.assertEqual(ran.returncode, 1)
            self.assertIn("holds no answers", ran.stderr)


class Sandbox(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)

    def run_inside(self, text: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [*sandbox.command([ROOT / "code"], self.folder, ROOT), "sh", "-c", text],
            capture_output=True, text=True, timeout=120)

    def test_it_writes_only_into_its_folder(self) -> None:
        ran = self.run_inside(f"echo x >'{self.folder}/own' && echo x >/tmp/own &&"
                              f" echo x >'{ROOT}/code/own'")
        self.assertNotEqual(ran.returncode, 0)
        self.assertTrue((self.folder / "own").exists())
        self.assertFalse((ROOT / "code/own").exists())
        self.assertFalse(Path("/tmp/own").exists())

    def test_it_sees_neither_homes_nor_passwords_nor_processes(self) -> None:
        ran = self.run_inside(f"ls /etc/passwd /root /home '{ROOT}/exercises'; ps -e |"
                              " wc -l; ls /proc | grep -c '^[0-9]'")
        self.assertEqual(ran.stderr.count("No such file"), 4, ran.stderr)
        self.assertLess(int(ran.stdout.split()[-1]), 10)

    def test_it_has_no_network(self) -> None:
        ran = self.run_inside("cat /proc/net/dev")
        self.assertEqual(re.findall(r"^ *(\w+):", ran.stdout, re.MULTILINE), ["lo"])

    def test_a_file_and_memory_have_a_limit(self) -> None:
        ran = self.run_inside(f"head -c 100M /dev/zero >'{self.folder}/large'")
        self.assertNotEqual(ran.returncode, 0)
        self.assertLessEqual((self.folder / "large").stat().st_size,
                             sandbox.FILE_BYTES)
        # tail keeps what has no end of line.
        ran = self.run_inside("head -c 3G /dev/zero | tail -n 1 | wc -c")
        self.assertIn("memory exhausted", ran.stderr)


if __name__ == "__main__":
    lacking = sandbox.why_not()
    if COMPILER not in programs.compilers(Path(BUILD)):
        lacking = f"no {COMPILER} here"
    if lacking:
        print("skipped: " + lacking)
        sys.exit(77)
    unittest.main()
