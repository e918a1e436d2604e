"""What exercises are made of, and what is refused."""
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))
from exercise import notation, programs
from exercise.notation import Fault

HEAD = """\
//! title A sum
//! difficulty 2
//! question Add up n numbers
//!   in a row.
//!
//!   Two paragraphs.
//! # not a line
//! hint One.
//! hint Two.
//! hint Three.
//! case n=1,33 values=0,1
//! words values random equal
//! buffer sum s32 1
//! buffer in s32 n = (values ? 7 : mix(i+seed)%10)
//! launch add (n+31)/32 32,1 shared=(4*n)
//! measure n=64 values=0
//! goal atomic_requests n/32 : atomic operations
//! wrong first : only the first
//!   replace + in[1]
//!   with
//!   says no
//! wrong later : the second of two
//!   after {
//!   replace in[0]
//!   with in[9]
//!   says one
//!   says two
//! wrong other : something else
//!   says three
"""
CODE = """
enum { N = 1 };

// begin reference
__global__ void reference(int *sum, const int *in, int n) { }
// end reference

// begin model
__global__ void add(int *sum, const int *__restrict__ in, size_t n)
{
  // hole: add.
  sum[0] = in[0] + in[1];
  // end hole
}
// end model

// begin other
__global__ void add(int *sum, const int *in, size_t n) { }
// end other
"""


class Notation(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        (self.root / "exercises/demo").mkdir(parents=True)

    def read(self, text: str = HEAD + CODE) -> notation.Exercise:
        (self.root / "exercises/demo/sum.cu").write_text(text, "utf-8")
        return notation.read(self.root, "demo/sum")

    def refused(self, text: str, message: str) -> None:
        with self.assertRaises(Fault) as caught:
            self.read(text)
        self.assertIn(message, str(caught.exception))

    def test_all_lines(self) -> None:
        one = self.read()
        self.assertEqual(one.title, "A sum")
        self.assertEqual(one.texts["question"],
                         ["Add up n numbers in a row.\n\nTwo paragraphs."])
        self.assertEqual(one.cases, [{"n": 1, "values": 0}, {"n": 1, "values": 1},
                                     {"n": 33, "values": 0}, {"n": 33, "values": 1}])
        self.assertEqual(one.measured, {"n": 64, "values": 0})
        self.assertEqual(one.goals[0].most, "n/32")
        self.assertEqual([wrong.says for wrong in one.wrong],
                         [["no"], ["one", "two"], ["three"]])
        self.assertEqual(one.kernels(), ["add"])

    def test_what_the_reader_gets(self) -> None:
        one = self.read()
        text = programs.readers_file(one)
        self.assertIn("  /* Your code: add. */\n}\n", text)
        self.assertNotIn("in[0] + in[1]", text)
        self.assertNotIn("hole", text)
        self.assertIn("add<<<(n + 31) / 32, dim3(32, 1), 4 * n>>>(sum, in, n);", text)
        self.assertIn("at most n/32 atomic operations (n = 64 and values = random)",
                      text)
        self.assertIn("  sum[0] = in[0] + in[1];\n", one.model())
        self.assertNotIn("hole", one.model())
        self.assertTrue(one.model().startswith("enum { N = 1 };\n"))

    def test_wrong_answers(self) -> None:
        one = self.read()
        self.assertIn("sum[0] = in[0] ;", one.answer("first"))
        self.assertIn("sum[0] = in[9] + in[1];", one.answer("later"))
        self.assertIn("size_t n) { }", one.answer("other"))
        self.assertTrue(one.answer("other").startswith("enum { N = 1 };\n"))

    def test_begin_with_a_wrong_answer(self) -> None:
        one = self.read(HEAD + "//! start first\n" + CODE)
        self.assertEqual(one.skeleton(), one.answer("first"))

    def test_parameters(self) -> None:
        one = self.read()
        self.assertEqual(notation.parameters(one.model(), "add"), [
            ("sum", "", False), ("in", "", True), ("n", "u64", False)])
        with self.assertRaises(Fault):
            notation.parameters(one.model(), "sub")

    def test_refused(self) -> None:
        for before, after, message in (
                ("title A sum", "titel A sum", "no such line"),
                ("difficulty 2", "difficulty 4", "1, 2 or 3"),
                ("//! hint Two.\n", "", "3 `hint`, and there are 2"),
                ("case n=1,33", "case n=one", "NAME=NUMBER"),
                ("case n=1,33", "case seed=1", "other than i, mix and seed"),
                ("//! measure n=64 values=0\n", "", "needs a line `measure`"),
                ("measure n=64 values=0", "measure n=64", "the same names"),
                ("goal atomic_requests n/32 :", "goal atomics / n :", "goal COUNT"),
                ("//!   with in[9]\n", "", "a `with` is missing"),
                ("replace in[0]", "replace in[8]", "the model has no 'in[8]'"),
                ("//!   says three\n", "", "what must the judge say"),
                ("//! wrong other : something else\n//!   says three\n", "",
                 "three wrong answers"),
                ("// begin other", "// begin others", "does not fit"),
                ("// end model", "", "does not fit"),
                ("  // end hole\n", "", "no `// hole: TEXT`"),
                ("// begin reference", "// begin model", "does not fit"),
                ("//! launch add (n+31)/32 32,1 shared=(4*n)\n", "", "are needed")):
            text = (HEAD + CODE).replace(before, after, 1)
            self.assertNotEqual(text, HEAD + CODE, before)
            self.refused(text, message)

    def test_start_must_be_there(self) -> None:
        self.refused(HEAD + "//! start nothing\n" + CODE, "names no wrong answer")

    def test_values(self) -> None:
        self.assertEqual(notation.value("(n+31)/32*2", {"n": 33}), 4)
        for text in ("n+", "m", "n/0", "__import__('os')", "n**9", "n.real"):
            with self.assertRaises(Fault):
                notation.value(text, {"n": 1})

    def test_words_of_a_launch(self) -> None:
        self.assertEqual(notation.split("launch k (n + 1)/2 32  x u32:(a == b)"),
                         ["launch", "k", "(n + 1)/2", "32", "x", "u32:(a == b)"])


if __name__ == "__main__":
    unittest.main()
