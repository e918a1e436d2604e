"""Edits of a source, and what is cut out of nvcc's PTX."""
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "book/stepper"), str(ROOT / "tools")]
import pages
import ptx
import runs
import scene as scenes
import variants as edited
from scene import Fault

SOURCE = """\
__device__ int twice(int x)
{
  return 2 * x;
}

__global__ void first(int *out)
{
  __syncthreads();
  out[0] = twice(1);
}

template <int N>
__global__ void second(int *out)
{
  for (int i = 0; i < N; i++) {
    __syncthreads();
    out[i] = i;
  }
  __syncthreads();
}
"""

PTX = """\
//
.version 9.0
.target sm_90
.address_size 64

	// .globl	_Z5firstPi
.global .align 4 .u32 unused;
.global .align 4 .u32 used;
.func (.param .b32 r) _Z5twicei(.param .b32 a)
{
	ld.global.u32 	%r1, [used];
}
.visible .entry _Z5firstPi(
	.param .u64 _Z5firstPi_param_0
)
{
	.loc	2 7 3, function_name $L__info_string0, inlined_at 3 9 1
	call.uni (r), _Z5twicei, (a);	// a call
	ret;
}
.visible .entry _Z6secondILi4EEvPi(
	.param .u64 _Z6secondILi4EEvPi_param_0
)
{
	ret;
}
.visible .entry _Z6secondILi8EEvPi(
	.param .u64 _Z6secondILi8EEvPi_param_0
)
{
	ret;
}
	.file	1 "/usr/local/cuda/include/crt/other.h"
	.file	2 "/tmp/work/demo.cu"
	.file	3 "/usr/local/cuda/bin/../targets/x/include/crt/math.hpp"
	.section	.debug_str
{
$L__info_string0:
.b8 95,90
}
"""


class FakeScene(scenes.Scene):
    def source(self) -> str:
        return SOURCE


def scene_of(*knobs: Dict[str, Any]) -> scenes.Scene:
    return FakeScene(Path("root"), "demo/first", Path("first.step"),
                     {"kernel": "first", "source": "code/demo/demo.cu",
                      "predict": [], "knobs": list(knobs)})


def choice(word: str, *edits: Dict[str, str], **more: Any) -> Dict[str, Any]:
    return {"word": word, "defines": [], "edits": list(edits), **more}


def variant(default: str, *choices: Dict[str, Any]) -> Dict[str, Any]:
    return {"name": "version", "kind": "variant", "line": 4,
            "default": default, "choices": list(choices)}


def fault(name: str, replace: str, with_: str, after: str = ""
          ) -> Dict[str, Any]:
    return {"name": name, "kind": "break", "line": 9, "choices": [choice(
        name, {"after": after, "replace": replace, "with": with_})]}


class Edits(unittest.TestCase):
    def lines_of(self, scene: scenes.Scene) -> Dict[str, int]:
        return {one.key: one.break_line for one in edited.variants(scene)}

    def test_an_edit_stays_in_the_kernel(self) -> None:
        scene = scene_of(variant("a", choice("a"), choice(
            "b", kernel="second")), fault("barrier", "__syncthreads();", ""))
        self.assertEqual(self.lines_of(scene), {
            "a": 0, "a.barrier": 8, "b": 0, "b.barrier": 16})

    def test_after_is_sought_in_the_kernel_first(self) -> None:
        scene = scene_of(variant("b", choice("b", kernel="second")), fault(
            "last", "__syncthreads();", "", after="out[i]"))
        self.assertEqual(self.lines_of(scene), {"b": 0, "b.last": 19})

    def test_a_function_that_the_kernel_calls_can_be_named(self) -> None:
        scene = scene_of(fault("twice", "2 * x", "3 * x", after="int twice"))
        self.assertEqual(self.lines_of(scene), {"plain": 0, "plain.twice": 3})

    def test_a_variant_without_the_text_has_no_such_break(self) -> None:
        scene = scene_of(variant("a", choice("a"), choice(
            "b", kernel="second")), fault("out", "out[0]", "out[1]"))
        self.assertEqual(self.lines_of(scene), {"a": 0, "a.out": 9, "b": 0})

    def test_the_default_must_have_it(self) -> None:
        with self.assertRaisesRegex(Fault, "first.step:9: error: 'none' is not"
                                    " to be found in the kernel"):
            list(edited.variants(scene_of(fault("none", "none", ""))))

    def test_lines_to_predict_are_those_of_the_kernel(self) -> None:
        scene = scene_of()
        scene.described["predict"].append("__syncthreads")
        self.assertEqual(edited.predicted_lines(scene), [8])
        scene.described["predict"].append("__syncwarp")
        with self.assertRaisesRegex(Fault, "'__syncwarp'"):
            edited.predicted_lines(scene)


class Ran(pages.Runner):
    """Executed as many barriers as the knob says, or 4."""

    def recorded(self, *settings: str) -> str:
        barriers = [int(word.split("=")[1]) for word in settings if "n=" in word]
        return json.dumps({"counts": {"barriers": (barriers or [4])[0]}, "steps": [],
                           "buffers": [], "report": None, "code": []})


class Asks(unittest.TestCase):
    def asked(self, line: str) -> Dict[str, Any]:
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        path = Path(folder, "one.step")
        path.write_text("listing lst:x\nsource x\nkernel x\nquestion x\n"
                        "argument n 1 of 1 2 3 : numbers\n"
                        f"launch * 1 1\n{line}\n", "utf-8")
        scene = scenes.Scene(Path(folder), "x/one", path, scenes.parse(path))
        return pages._ask(Ran("", scene, {}), scene.described["asks"][0])

    def test_a_run_answers(self) -> None:
        self.assertEqual(self.asked("ask n=2 : How many? 10 * barriers"), {
            "text": "How many?", "knobs": {"n": "2"}, "answer": 20})
        self.assertEqual(self.asked("choose n : Which? barriers > 1"), {
            "text": "Which?", "knobs": {}, "knob": "n", "answer": ["2", "3"],
            "choices": [["1", "1"], ["2", "2"], ["3", "3"]]})
        self.assertEqual(self.asked("choose n of 1 2 : Is it 1? barriers == 1")
                         ["answer"], ["1"])

    def test_what_is_no_question_is_refused(self) -> None:
        for line, why in (("ask : How many? nothing", "'nothing': name"),
                          ("ask : How many? barriers / 3", "no whole number: 1.3"),
                          ("choose n : Which? barriers > 0", "3 of 3 choices"),
                          ("choose n : Which? barriers > 3", "0 of 3 choices")):
            with self.assertRaisesRegex(Fault, "one.step:7: error: .*" + why):
                self.asked(line)


class Launches(unittest.TestCase):
    """What launch_run gets of a scene whose knobs are turned."""

    def scene(self) -> scenes.Scene:
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        path = Path(folder, "sum.step")
        path.write_text("""\
listing lst:sum
source code/demo/demo.cu
kernel first
question ?
variant order rows : order
  is rows
  is columns
    launch * 2 n x
argument n 8 from 4 to 16 step 4 : numbers
argument data even of odd=1 even=2 : data
break barrier : Leave out the barrier
  replace __syncthreads();
  with
buffer x s32 n = (data==1 ? 2*i+1 : 2*i)
launch * 1 n x
""", "utf-8")
        return scenes.Scene(Path(folder), "demo/sum", path, scenes.parse(path))

    def text(self, *settings: str) -> str:
        return "\n".join(line for _, line in scenes.launch_of(
            self.scene(), settings, "abc"))

    def test_as_in_the_book(self) -> None:
        self.assertEqual(self.text(), """\
ptx abc
knob order rows
knob n 8
knob data even 2
buffer x s32 n = (data==1 ? 2*i+1 : 2*i)
launch * 1 n x""")

    def test_turned(self) -> None:
        self.assertEqual(self.text("order=columns", "n=12", "data=odd",
                                   "break=barrier"), """\
ptx abc
knob order columns
knob n 12
knob data odd 1
knob break barrier
buffer x s32 n = (data==1 ? 2*i+1 : 2*i)
launch * 2 n x""")
        self.assertEqual(scenes.key_of(self.scene(), ["break=barrier"]),
                         "rows.barrier")

    def test_what_a_knob_cannot_be(self) -> None:
        for setting, line, said in (
                ("n=7", 9, "outside of the knob's range"),
                ("n=20", 9, "outside of the knob's range"),
                ("n=x", 9, "a number is expected"),
                ("data=3", 10, "not one of the knob's choices"),
                ("break=n", 1, "no such knob or break"),
                ("m=1", 1, "no such knob or break")):
            with self.assertRaisesRegex(Fault, f"sum.step:{line}: error: {said}"):
                self.text(setting)

    def test_ptx_is_packed_and_comes_back(self) -> None:
        texts = {"rows": "// a\n.version 9.0\n", "rows.barrier": "b\n"}
        path = self.scene().packed
        self.assertEqual(runs.unpacked(path), {})
        path.write_bytes(runs.packed(texts))
        self.assertEqual(runs.unpacked(path), texts)
        self.assertEqual(runs.packed(texts), runs.packed(dict(reversed(
            list(texts.items())))))


class Cut(unittest.TestCase):
    def cut(self, kernel: str) -> str:
        return ptx.cut(PTX, kernel, Path("/tmp/work"),
                       Path("/root/code/demo/demo.cu"), Path("/root"))

    def test_a_kernel_comes_with_what_it_needs_and_nothing_else(self) -> None:
        text = self.cut("first")
        for wanted in ("_Z5firstPi(", "_Z5twicei(", " used;"):
            self.assertIn(wanted, text)
        for other in ("second", "unused", "debug_str", "//"):
            self.assertNotIn(other, text)

    def test_files_are_named_alike_everywhere(self) -> None:
        text = self.cut("first")
        self.assertIn('.file 2 "code/demo/demo.cu"', text)
        self.assertIn('.file 3 "cuda/include/crt/math.hpp"', text)
        self.assertNotIn(".file 1", text)
        self.assertIn("inlined_at 3 9 1", text)

    def test_template_arguments_choose_the_instance(self) -> None:
        self.assertIn("ILi8EE", self.cut("second<8>"))
        self.assertNotIn("ILi4EE", self.cut("second<8>"))

    def test_a_name_of_several_kernels_is_refused(self) -> None:
        with self.assertRaisesRegex(Fault, "'second' means"):
            self.cut("second")
        with self.assertRaisesRegex(Fault, "'third' means"):
            self.cut("third")


if __name__ == "__main__":
    unittest.main()
