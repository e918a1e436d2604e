"""./course exercise as a reader meets it, without its shell: files, states, hints,
verdicts. BUILD COMPILER are this program's arguments."""
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path
from typing import Dict, Tuple

ROOT = Path(__file__).resolve().parents[3]
BUILD, COMPILER = "", ""
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/exercise")]
from exercise import cli, judge, notation, programs
from exercise.judge import Verdict
from together import compiled

NUMBER = "hello/number"


class Front(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.answers = Path(self.folder.name)
        self.file = self.answers / (NUMBER + ".cu")
        self.environment = {**os.environ, "COURSE_ANSWERS": self.folder.name,
                            "COURSE_BUILD": BUILD}

    def call(self, *words: str) -> Tuple[int, str]:
        said = io.StringIO()
        with unittest.mock.patch.dict(os.environ, self.environment), (
                contextlib.redirect_stdout(said)), contextlib.redirect_stderr(said):
            status = cli.main(list(words))
        return status, said.getvalue()

    def judge(self, body: str) -> Tuple[int, str]:
        """Of an answer to hello/number: `body` takes the place of the hole."""
        self.file.parent.mkdir(exist_ok=True)
        text = notation.read(ROOT, NUMBER).skeleton()
        hole = next(row for row in text.splitlines() if "Your code" in row)
        self.file.write_text(text.replace(hole, body), "utf-8")
        return self.call(NUMBER, "--compiler", COMPILER)

    def judged(self, name: str, answers: Dict[str, str]) -> Dict[str, Verdict]:
        exercise = notation.read(ROOT, name)
        compiler = programs.compilers(Path(BUILD))[COMPILER]
        bench = judge.prepare(exercise, compiler, ROOT, Path(BUILD), self.answers, 1)
        return {one: judge.judge(bench, ptx, answers[one], inside)
                for one, (ptx, inside) in
                compiled(compiler, answers, self.answers, ROOT).items()}

    def says(self, got: Tuple[int, str], status: int, *wanted: str) -> None:
        text = " ".join(got[1].split())
        for one in wanted:
            self.assertIn(one, text)
        self.assertEqual(got[0], status, got[1])

    def state(self) -> str:
        row = next(row for row in self.call()[1].splitlines()
                   if row.startswith(NUMBER + " "))
        return row.split()[2]

    # -- the file

    def test_begun_judged_solved(self) -> None:
        self.assertEqual(self.state(), "open")
        self.says(self.call(NUMBER), 0, "Each thread is to write", "Your file is")
        self.assertEqual(self.file.read_text("utf-8"),
                         programs.readers_file(notation.read(ROOT, NUMBER)))
        self.assertEqual(self.state(), "tried")
        self.says(self.call(NUMBER, "--compiler", COMPILER), 1,
                  "nothing was ever written to out[0]")
        self.says(self.judge("out[blockIdx.x * blockDim.x + threadIdx.x] ="
                             " blockIdx.x * blockDim.x + threadIdx.x;"), 0, "Solved:")
        self.assertEqual(self.state(), "solved")
        self.says(self.judge("out[0] = 0;"), 1, "With blocks = 1 and threads = 32")
        self.assertEqual(self.state(), "tried")

    def test_never_overwritten(self) -> None:
        self.judge("/* mine */")
        before = self.file.read_text("utf-8")
        for words in (["--hint"], ["--solution"], ["--compiler", COMPILER]):
            self.call(NUMBER, *words)
        self.assertEqual(self.file.read_text("utf-8"), before)

    def test_hints_one_at_a_time(self) -> None:
        for n in (1, 2, 3):
            self.says(self.call(NUMBER, "--hint"), 0, f"Hint {n} of 3")
        self.says(self.call(NUMBER, "--hint"), 0, "You have all three hints", "1. A",
                  "--solution")

    def test_solution_solves(self) -> None:
        self.file.parent.mkdir()
        self.file.write_text(self.call(NUMBER, "--solution")[1], "utf-8")
        self.says(self.call(NUMBER, "--compiler", COMPILER), 0, "Solved:")

    # -- names

    def test_wrong_names(self) -> None:
        self.says(self.call("hello/numbr"), 2, "did you mean hello/number?")
        self.says(self.call("helo/number"), 2, "hello/number")
        self.says(self.call("zzzz"), 2, "./course exercise lists them")
        self.says(self.call(NUMBER, "--hints"), 2, "--hints", "usage:")
        self.says(self.call(NUMBER, "--file", "nowhere.cu"), 2, "there is no file")
        self.says(self.call(NUMBER, "--seed", "-3"), 2, "from 0 to 2^31 - 1")

    def test_short_names(self) -> None:
        self.says(self.call("number", "--solution"), 0, "__global__ void number")
        listed = self.call("hello")[1]
        self.assertIn(NUMBER, listed)
        self.assertNotIn("transpose/", listed)

    # -- verdicts

    def test_compile_error(self) -> None:
        got = self.judge("out[0] = undeclared;")
        self.says(got, 1, "It does not compile", "undeclared", "number.cu")
        text = self.file.read_text("utf-8").splitlines()
        line = next(i for i, row in enumerate(text, 1) if "undeclared" in row)
        self.assertRegex(got[1], rf"number\.cu[:(]{line}\b")

    def test_endless_loop(self) -> None:
        """On a busy machine the time may be over before the device has noticed that
        nothing changes any more."""
        got = self.judge("volatile int *p = out; while (p[0] != 99) p[0] = 1;")
        self.says(got, 1, "It was last on line 3")
        self.assertRegex(got[1], "can never end|does not come to an end")

    def test_loop_too_long(self) -> None:
        with unittest.mock.patch.object(judge, "LIMIT", 1):
            self.says(self.judge("volatile int *p = out;"
                                 " for (long i = 1; i != 0; i += 2) p[0] = i;"),
                      1, "does not come to an end", "It was last on line 3")

    def test_kernel_renamed(self) -> None:
        self.file.parent.mkdir()
        self.file.write_text("__global__ void numbers(int *out) { }\n")
        self.says(self.call(NUMBER, "--compiler", COMPILER), 1,
                  "There is no kernel `number` in this file")

    def test_two_kernels_of_one_name(self) -> None:
        self.file.parent.mkdir()
        self.file.write_text("__global__ void number(float *out) { out[0] = 0; }\n"
                             "__global__ void number(int *out) { out[0] = 0; }\n")
        self.says(self.call(NUMBER, "--compiler", COMPILER), 1,
                  "There are 2 kernels `number`")

    def test_other_parameters(self) -> None:
        self.file.parent.mkdir()
        self.file.write_text("__global__ void number(int *out, int n)"
                             " { out[0] = n; }\n")
        self.says(self.call(NUMBER, "--compiler", COMPILER), 1,
                  "parameters are not those that it had")

    def test_more_shared_memory_than_there_is(self) -> None:
        self.says(self.judge("__shared__ int big[20000]; big[threadIdx.x] = 1;"
                             " __syncthreads(); out[0] = big[0];"),
                  1, "It cannot run", "more than 49152 bytes of shared memory")

    def test_what_is_to_be_read_was_changed(self) -> None:
        other = self.answers / "add.cu"
        model = notation.read(ROOT, "kernels/guard").model()
        other.write_text(model.replace(
            "c[i] = a[i] + b[i];", "c[i] = a[i] + b[i], ((float *)b)[i] = -1;"))
        self.says(self.call("kernels/guard", "--file", str(other), "--compiler",
                            COMPILER), 1, "b[0] should be", "and it is -1",
                  "has changed what it is given to read")

    def test_far_outside(self) -> None:
        """Buffers are so far apart that it hits no other."""
        other = self.answers / "add.cu"
        model = notation.read(ROOT, "kernels/guard").model()
        other.write_text(model.replace("c[i] = a[i] + b[i];",
                                       "c[i] = a[i] + b[i], c[i + 200] = 0;"))
        self.says(self.call("kernels/guard", "--file", str(other), "--compiler",
                            COMPILER), 1, "outside of the array: c[200], where c[0]")

    def test_no_answer_lies_in_memory(self) -> None:
        """What another buffer's distance away is copied would be right if the
        reference had been there. Powers of two and three times as much, both ways."""
        bytes_ = sorted({n << k for n in (1, 3) for k in range(7, 25)})
        kernel = ("__global__ void number(int *out)\n{\n"
                  "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "  out[i] = *(int *)((char *)(out + i) + %d);\n}\n")
        answers = {f"{way}_{n}": kernel % (n if way == "behind" else -n)
                   for n in bytes_ for way in ("behind", "before")}
        found = self.judged(NUMBER, answers)
        self.assertEqual({name: "outside of the array" in verdict.text
                          for name, verdict in found.items()},
                         dict.fromkeys(answers, True))

    def test_no_answer_lies_between_inputs(self) -> None:
        kernel = ("__global__ void add(float *c, const float *a, const float *b,"
                  " int n)\n{\n"
                  "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "  if (i < n) c[i] = %s[i + %d];\n}\n")
        answers = {f"{buffer}_{n}".replace("-", "before_"): kernel % (buffer, n * 16384)
                   for buffer in "cab" for n in range(-6, 7)}
        self.assertNotIn(judge.SOLVED, [verdict.verdict for verdict in
                         self.judged("kernels/guard", answers).values()])

    def test_the_reference_is_launched_last(self) -> None:
        """All that names it or what it writes comes after the answer's launches."""
        for name in notation.names(ROOT):
            exercise = notation.read(ROOT, name)
            answer = programs.Ptx("answer", [one for one in exercise.kernels()])
            bench = judge.Bench(exercise, Path(), Path(),
                                programs.Ptx("theirs", ["reference"]), 1)
            lines = judge.launch_text(bench, answer, "", exercise.cases[0], 0,
                                      []).splitlines()
            theirs = [i for i, line in enumerate(lines)
                      if re.search(r"_wanted\b|reference|theirs", line)]
            self.assertEqual(lines[0], "ptx answer")
            self.assertGreater(theirs[0], max(
                i for i, line in enumerate(lines)
                if line.startswith("launch ") and "reference" not in line), name)

    def test_right_in_one_order_only(self) -> None:
        self.file.parent.mkdir()
        self.file.write_text(
            "__device__ int next;\n"
            "__global__ void number(int *out)\n"
            "{ out[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(&next, 1); }\n")
        self.says(self.call(NUMBER, "--compiler", COMPILER), 1, "should be")

    def test_assert(self) -> None:
        self.says(self.judge("assert(threadIdx.x > 0);"), 1, "asserts that threadIdx.x > 0")

    def test_one_lane_is_missing(self) -> None:
        self.says(self.judge("if (threadIdx.x != 1) __syncwarp(); out[0] = 0;"), 1,
                  "Line 3: lanes that the mask of __syncwarp names do not come to it:"
                  " lanes 0 and 2 to 31 of warp 0 are here, lane 1, which the mask"
                  " names, is not.")

    def test_trap(self) -> None:
        self.says(self.judge("__trap();"), 1, "ended itself")

    def test_what_the_kernel_prints(self) -> None:
        self.says(self.judge('printf("hello from %d\\n", threadIdx.x);'), 1,
                  "Your kernel printed: hello from 0")
        self.says(self.judge('for (int i = 0; i < 99; i++) printf("%d\\n", i);'), 1,
                  "18 19 … and 79 more lines")

    def test_printed_numbers_are_no_buffers(self) -> None:
        other = self.answers / "add.cu"
        model = notation.read(ROOT, "kernels/guard").model()
        other.write_text(model.replace(
            "c[i] = a[i] + b[i];",
            'c[i] = 0; if (i == 0) printf("a = 7 8\\nc_wanted = 7 8\\nand");'))
        status, text = self.call("kernels/guard", "--file", str(other), "--compiler",
                                 COMPILER)
        self.assertEqual(status, 1)
        self.assertIn("Your kernel printed:\n  a = 7 8\n", text)
        self.assertEqual(re.findall(r"^  (\w+|c, \w+)  ", text, re.M),
                         ["a", "b", "c, expected", "c, yours"], text)

    def test_json(self) -> None:
        self.judge("out[threadIdx.x] = threadIdx.x;")
        status, text = self.call(NUMBER, "--json", "--seed", "5", "--compiler",
                                 COMPILER)
        found = json.loads(text)
        self.assertEqual(status, 1)
        self.assertEqual(text.count("\n"), 1)
        self.assertEqual(found["verdict"], "wrong")
        self.assertEqual(found["case"], {"blocks": 2, "threads": 1})
        self.assertEqual((found["exercise"], found["compiler"], found["seed"]),
                         (NUMBER, COMPILER, 5))

    def test_another_file_changes_no_state(self) -> None:
        other = self.answers / "other.cu"
        other.write_text(notation.read(ROOT, NUMBER).model(), "utf-8")
        self.says(self.call(NUMBER, "--file", str(other), "--compiler", COMPILER), 0,
                  "Solved:")
        self.assertEqual(self.state(), "open")

    def test_progress_that_is_no_json(self) -> None:
        (self.answers / "progress.json").write_text("{")
        self.says(self.call(NUMBER, "--hint"), 0, "Hint 1 of 3")

    def test_watch(self) -> None:
        self.judge("out[0] = 0;")
        watching = subprocess.Popen(
            [sys.executable, str(ROOT / "tools/exercise"), NUMBER, "--watch",
             "--json", "--compiler", COMPILER], env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert watching.stdout and watching.stderr

        def verdict() -> Dict:
            assert watching.stdout
            while True:
                line = watching.stdout.readline()
                self.assertTrue(line, "it has ended")
                if line.startswith(b"{"):
                    return json.loads(line)
        try:
            self.assertEqual(verdict()["verdict"], "wrong")
            model = notation.read(ROOT, NUMBER).model()
            new = self.file.with_suffix(".new")      # as editors save
            new.write_text(model, "utf-8")
            new.replace(self.file)
            self.assertEqual(verdict()["verdict"], "solved")
        finally:
            watching.terminate()
            watching.stdout.close()
            watching.stderr.close()
            watching.wait()


if __name__ == "__main__":
    BUILD, COMPILER = sys.argv.pop(1), sys.argv.pop(1)
    if COMPILER not in programs.compilers(Path(BUILD)):
        print(f"needs {COMPILER}, which was not found")
        sys.exit(77)
    unittest.main()
