"""Edits of a source, and what is cut out of nvcc's PTX."""
import sys
import unittest
from pathlib import Path
from typing import Any, Dict

TOOLS = Path(__file__).resolve().parents[3] / "tools"
sys.path[:0] = [str(TOOLS / "steps"), str(TOOLS)]
import ptx
import scene as scenes
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
        return {one.key: one.break_line for one in scenes.variants(scene)}

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
            list(scenes.variants(scene_of(fault("none", "none", ""))))

    def test_lines_to_predict_are_those_of_the_kernel(self) -> None:
        scene = scene_of()
        scene.described["predict"].append("__syncthreads")
        self.assertEqual(scenes.predicted_lines(scene), [8])
        scene.described["predict"].append("__syncwarp")
        with self.assertRaisesRegex(Fault, "'__syncwarp'"):
            scenes.predicted_lines(scene)


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
        self.assertIn('.file 3 "toolkit/crt/math.hpp"', text)
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
