#!/usr/bin/env python3
"""Faulty copies side by side in one source file, and their PTX taken apart."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import faults
import source
import split
from faults import Fault

LISTING = """\
#include <stdio.h>
#include "common/cuda_check.h"
#define SIZE(x) { x }
enum { TILE = 16 };

// { a brace in a comment
__device__ float half_of(float x) { return x / 2; }

__device__ float quarter_of(float x) { return half_of(half_of(x)); }

template <int n>
__global__ void __launch_bounds__(TILE * (2 + n)) quarter(float *y)
{
  if (y) { y[n] = quarter_of(y[n]); }
}

__global__ void copy(float *y) { y[0] = '{'; }

struct version { const char *name; };
static struct version versions[] = { { "copy" } };

int main(int argc, char **argv)
{
  return printf("}");
}
"""

PTX = """\
//
.version 9.0
.target sm_90
.address_size 64

\t// .globl\t_ZN8fault_2_4copyEPf
.const .align 4 .b8 _ZN8fault_2_7c_tableE[8] = {1, 2};
.const .align 4 .b8 _ZN8fault_2_3newE[4];
.const .align 4 .b8 c_table[8] = {1, 1};

.visible .entry _ZN8fault_1_4copyEPf(
\t.param .u64 _ZN8fault_1_4copyEPf_param_0
)
{
\tret;
}

.visible .entry _ZN8fault_2_4copyEPf(
\t.param .u64 _ZN8fault_2_4copyEPf_param_0
)
{
\tld.const.f32 %f1, [_ZN8fault_2_7c_tableE];
\tret;
}

.visible .entry _Z4copyPf(
\t.param .u64 _Z4copyPf_param_0
)
{
\t{ // inner
\tst.global.f32 [%rd1], %f1;
\t}
\tret;
}

.visible .entry _Z7quarterPf(
\t.param .u64 _Z7quarterPf_param_0
)
{
\tret;
}
"""


def fault(**values: str) -> Fault:
    given = dict(number=1, fault="f", program="demo", after="", replace="",
                 with_="", message="m")
    given.update(values)
    return Fault(**given)    # type: ignore[arg-type]


class Source(unittest.TestCase):
    def test_functions(self) -> None:
        self.assertEqual(
            [(one.name, one.is_kernel) for one in source.functions(LISTING)],
            [("half_of", False), ("quarter_of", False), ("quarter", True),
             ("copy", True), ("main", False)])

    def test_kernels_that_call_the_fault_are_kept(self) -> None:
        inside = fault(after="float half_of", replace="x / 2")
        self.assertEqual(source.untouched_kernels(LISTING, inside), {"copy"})

    def test_nothing_is_emptied_for_a_fault_outside_of_functions(self) -> None:
        outside = fault(after="enum", replace="16")
        self.assertEqual(source.untouched_kernels(LISTING, outside), set())

    def test_joined_kernels(self) -> None:
        text = source.joined_kernels(
            LISTING, [fault(after="void copy", replace="y[0]", with_="y[1]")],
            "demo.cu")
        copy, listing = text.split("namespace fault_1_ {")[1].split(
            '}\n\n#line 1 "demo.cu"\n')
        self.assertIn("copy(float *y) { y[1] = '{'; }", copy)
        self.assertNotIn("y[n] = quarter_of", copy)
        self.assertEqual(listing, LISTING)
        self.assertEqual(copy.index("copy(float") > 0, True)
        self.assertEqual(copy.split("copy(float")[0].count("\n"),
                         LISTING.split("copy(float")[0].count("\n") + 2)

    def test_joined_programs(self) -> None:
        text = source.joined_programs(
            LISTING, [fault(number=3, after="printf", replace="}", with_="{"),
                      fault(number=4, after="printf", replace="}", with_="")],
            "demo.cu")
        self.assertIn("case 3: return fault_3_::main(argc, argv);", text)
        self.assertIn('namespace fault_4_ {', text)
        self.assertIn("y[n] = quarter_of", text)


class Split(unittest.TestCase):
    def setUp(self) -> None:
        self.items = split.items(PTX)

    def test_sound(self) -> None:
        text = split.sound(self.items)
        self.assertNotIn("fault_", text)
        self.assertIn("st.global.f32", text)
        self.assertIn(".target sm_90", text)

    def test_faulty_kernel_takes_the_place_of_its_own(self) -> None:
        text = split.faulty(self.items, 2, {"quarter"})
        self.assertIn("[c_table]", text)
        self.assertIn("c_table[8] = {1, 2}", text)
        self.assertNotIn("{1, 1}", text)
        self.assertNotIn("st.global.f32", text)
        self.assertEqual(text.count(".entry"), 2)
        self.assertLess(text.index("fault_2_3newE"), text.index(".entry"))

    def test_emptied_kernel_is_the_listings_own(self) -> None:
        text = split.faulty(self.items, 1, {"copy"})
        self.assertIn("st.global.f32", text)
        self.assertEqual(text, split.sound(self.items))

    def test_kernel_that_the_listing_does_not_have(self) -> None:
        other = PTX.replace("_Z4copyPf", "_Z5otherPf")
        with self.assertRaises(split.NotAlike):
            split.faulty(split.items(other), 2, set())

    def test_function_name(self) -> None:
        for text, name in (("void fault_1_::tile<16, 2>(float*)", "tile"),
                           ("copy(float (*)(int))", "copy"),
                           ("void k<float (int)>(float*)", "k")):
            with self.subTest(text):
                self.assertEqual(split.function_name(text), name)


class Files(unittest.TestCase):
    def read(self, text: str) -> None:
        with tempfile.NamedTemporaryFile("w", suffix="wrong") as file:
            file.write(text)
            file.flush()
            faults.read(Path(file.name))

    def test_a_key_twice(self) -> None:
        with self.assertRaisesRegex(faults.BadFile, ":2: error: a second fau"):
            self.read("fault: a\nfault: b\n")

    def test_place_is_after_the_other_text(self) -> None:
        one = fault(after="void b", replace="x", with_="y")
        self.assertEqual(faults.plant("a x\nvoid b x\n", one),
                         "a x\nvoid b y\n")
        self.assertIsNone(faults.plant("x\nvoid b\n", one))


if __name__ == "__main__":
    unittest.main()
