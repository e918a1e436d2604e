"""What outdates a result and what does not: the parts of `inputs`."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from demo import Demo
from results import experiments, inputs, ptx, sources

NVCC = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"

LISTING = """#include "common/options.h"
#include "common/timing.h"
#include "near.h"
/* Adds. */
enum { BLOCK = 256 };

__global__ void add(float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] + 1.0f;
}

typedef struct { const char *name; void (*launch)(float *x, int n); } version;

static int blocks_for(int n) { return (n + BLOCK - 1) / BLOCK; }

static void launch_add(float *d_x, int n)
{
  add<<<blocks_for(n), BLOCK>>>(d_x, n);
}

static const version versions[] = {{"add", launch_add}};

static int check(float *d_x, int n)
{
  versions[0].launch(d_x, n);
  return d_x != 0;
}

int main(int argc, char **argv)
{
  int size = 1 << 20;
  float *d_x;
  cudaMalloc(&d_x, size * sizeof *d_x);
  return check(d_x, size);
}
"""
TIMING = """enum { TIMING_WARM_UP = 3 };
static int timing_next(int *t) { return ++*t < TIMING_WARM_UP; }
static void timing_print_row(int t) { printf("%d", t); }
"""
EXPERIMENTS = """speed   time      demo --csv
counts  count     demo --count
session debugger  demo
code    sass      demo add
"""


class Listing(Demo):
    EXPERIMENTS = EXPERIMENTS

    def setUp(self):
        super().setUp()
        self.source("demo/demo.cu", LISTING)
        self.source("demo/near.h", "enum { NEAR = 1 };\n")
        self.source("common/options.h", "struct options { int n; };\n")
        self.source("common/timing.h", TIMING)
        self.write("a course/bench/demo/session.gdb", "run\n")
        self.compiled()

    def source(self, name, text):
        self.write("a course/code/" + name, text)

    def edit(self, name, old, new):
        path = self.tree / "code" / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))


class Parts(Listing):
    def parts(self, on_software=False):
        self.compiled()
        place = self.place()
        return {one.name: place.inputs_of(one, on_software).parts
                for one in place.experiments("demo").values()}

    def changed(self, before, now=None):
        """Which parts of which results are others now."""
        now = now or self.parts()
        return {name: {part for part in {**before[name], **now[name]}
                       if before[name].get(part) != now[name].get(part)}
                for name in before}

    def after(self, name, old, new):
        before = self.parts()
        path = self.tree / "code" / name
        text = path.read_text()
        self.edit(name, old, new)
        changed = self.changed(before)
        path.write_text(text)
        return changed

    def test_parts(self):
        parts = self.parts()
        self.assertEqual(set(parts["speed"]), {
            "line", "method", "kernels", "launchers", "timing"})
        self.assertEqual(set(parts["counts"]), {
            "line", "method", "kernels", "launchers", "metrics"})
        self.assertEqual(set(parts["session"]), {
            "line", "method", "kernels", "launchers", "source", "commands"})
        self.assertEqual(set(parts["code"]), {"line", "method", "kernels"})
        self.assertEqual(set(self.parts(True)["counts"]) -
                         set(parts["counts"]), {"device"})

    def test_what_outdates_nothing(self):
        """Only the text that shows the source's lines."""
        for name, old, new in [
                ("demo/demo.cu", "/* Adds. */", "// Sums up.\n\n\n"),
                ("demo/demo.cu", "{ return (n", "\n{\n    return (  n"),
                ("demo/demo.cu", "size", "n_elems"),
                ("demo/demo.cu", "static int check(", "static int check_more("
                 "float *d_x) { return !d_x; }\nstatic int check("),
                ("demo/demo.cu", "const char *name;", "const char *name;"
                 " const char *idea;"),
                ("demo/demo.cu", "1 << 20", "1 << 21"),
                ("common/options.h", "int n;", "int n, m;"),
                ("common/timing.h", '"%d"', '"%d\\n"'),
                ("common/timing.h", "enum", "/* three */ enum")]:
            changed = self.after(name, old, new)
            self.assertLessEqual(changed.pop("session"), {"source"}, new)
            self.assertEqual(changed, {"speed": set(), "counts": set(),
                                       "code": set()}, new)

    def test_a_launcher(self):
        for old, new in [("<<<blocks_for(n)", "<<<2 * blocks_for(n)"),
                         ("n + BLOCK - 1", "n + BLOCK"),
                         ("BLOCK = 256", "BLOCK = 128"),
                         ("add<<<", "add<<<1, 1>>>(d_x, 1);\n  add<<<")]:
            changed = self.after("demo/demo.cu", old, new)
            self.assertEqual(changed["speed"], {"launchers"}, new)
            self.assertEqual(changed["counts"], {"launchers"}, new)
            self.assertEqual(changed["session"], {"launchers", "source"}, new)
            self.assertEqual(changed["code"], set(), new)

    def test_how_times_are_taken(self):
        for old, new in [("= 3", "= 4"), ("++*t", "(*t)++")]:
            changed = self.after("common/timing.h", old, new)
            self.assertEqual(changed, {"speed": {"timing"}, "counts": set(),
                                       "session": set(), "code": set()})

    def test_the_line(self):
        before = self.parts()
        self.experiments("# another place\n" + EXPERIMENTS.replace(
            "--csv", "--csv --size 3"))
        self.assertEqual(self.changed(before), {
            "speed": {"line"}, "counts": set(), "session": set(),
            "code": set()})

    def test_the_method(self):
        before = self.parts()
        for name, changed in (("METHOD", {"speed", "counts", "session",
                                          "code"}),
                              ("METHOD_OF_TEXTS", {"session"}),
                              ("METHOD_OF_COUNTS", {"counts"})):
            with mock.patch.object(inputs, name, 7):
                now = self.changed(before)
            self.assertEqual({one for one, parts in now.items()
                              if "method" in parts}, changed)

    def test_what_the_tools_are_asked(self):
        before = self.parts()
        self.write("a course/bench/common/ncu_metrics", "stores = b.sum\n")
        self.write("a course/bench/demo/session.gdb", "bt\n")
        self.assertEqual(self.changed(before), {
            "speed": set(), "counts": {"metrics"}, "session": {"commands"},
            "code": set()})

    def test_code_of_the_host_that_is_measured(self):
        """Programs in C, those that launch nothing, and times of the CPU."""
        self.experiments(EXPERIMENTS + "# cpu: speed\n")
        self.assertIn("host", self.parts()["speed"])
        changed = self.after("demo/demo.cu", "1 << 20", "1 << 21")
        self.assertEqual(changed["speed"], {"host"})
        self.assertEqual(changed["counts"], set())
        self.assertEqual(self.after("demo/demo.cu", "/* Adds. */", "")["speed"],
                         set())
        self.experiments(EXPERIMENTS)
        self.edit("demo/demo.cu", "<<<blocks_for(n), BLOCK>>>", "")
        self.assertIn("host", self.parts()["speed"])

    def test_work_of_the_host(self):
        """Where nothing is launched by name, what copies and prefetches."""
        self.edit("demo/demo.cu", "static int check", "static void copy_in("
                  "float *d_x)\n{\n  cudaMemcpy(d_x, d_x, 4, cudaMemcpyDefault"
                  ");\n}\n\nstatic int check")
        changed = self.after("demo/demo.cu", "cudaMemcpy(", "cudaMemcpyAsync(")
        self.assertEqual(changed["speed"], {"launchers"})


class States(Listing):
    def state(self, head=None, name="speed", toolkit="13.0.88"):
        place = self.place()
        one = place.experiment("demo", name)
        return inputs.state(head or self.head, place.inputs_of(one, False),
                            toolkit)

    def setUp(self):
        super().setUp()
        place = self.place()
        words = place.inputs_of(place.experiment("demo", "speed"),
                                False).words()
        self.head = {"inputs": words, "toolkit": "13.0.88"}

    def test_current(self):
        self.assertEqual(self.state(), ("current", ""))

    def test_stale(self):
        self.edit("demo/demo.cu", "BLOCK = 256", "BLOCK = 128")
        self.edit("common/timing.h", "= 3", "= 4")
        self.compiled()
        self.assertEqual(self.state(), (
            "stale", "changed since: the host's functions that launch, what"
            " measures times (code/common/timing.h, rounds.h)"))

    def test_stale_without_the_program(self):
        """What the sources alone say."""
        (self.build / "code/demo/demo").unlink()
        self.assertEqual(self.state(), (
            "unknown", "code/demo/demo is not compiled here"))
        self.edit("demo/demo.cu", "BLOCK = 256", "BLOCK = 128")
        self.assertEqual(self.state().word, "stale")

    def test_a_program_older_than_its_source(self):
        path = self.tree / "code/demo/demo.cu"
        stamp = (self.build / "code/demo/demo").stat().st_mtime + 10
        os.utime(path, (stamp, stamp))
        self.assertEqual(self.state(), ("unknown", "code/demo/demo was compiled"
                                        " before its sources changed"))

    def test_kernels(self):
        place = self.place()
        now = place.inputs_of(place.experiment("demo", "speed"), False)
        now.parts["kernels"] = "0123456789ab"
        self.assertEqual(inputs.state(self.head, now, "13.0.88"), (
            "stale", "changed since: the PTX of its kernels"))
        self.assertEqual(inputs.state(self.head, now, "13.1.7"), (
            "unknown", "nvcc 13.1.7 makes other PTX than nvcc 13.0.88 did"))

    def test_older_heads(self):
        for head, reason in [
                ({}, "its head does not say what it was made from"),
                ({"inputs": "0123456789abcdef"},
                 "its head has a checksum of an older form")]:
            self.assertEqual(self.state({"toolkit": "13.0.88", **head}),
                             ("unknown", reason))

    def test_kernels_that_could_not_be_read(self):
        """The result is kept; what it was made from is not known."""
        program = self.build / "code/demo/demo"
        moved = program.rename(program.with_name("gone"))
        place = self.place()
        words = place.inputs_of(place.experiment("demo", "speed"),
                                False).words()
        self.assertIn(" kernels=unknown", words)
        moved.rename(program)
        self.assertEqual(self.state({**self.head, "inputs": words}), (
            "unknown", "the PTX of its kernels could not be read where it was"
            " measured"))


@unittest.skipUnless(os.access(NVCC, os.X_OK), "there is no nvcc")
class Kernels(unittest.TestCase):
    """With the compiler: which changes of a source change what runs."""
    SOURCE = """#include "common/timing.h"
namespace {
__device__ float twice(float x) { return 2.0f * x; }
}
static __device__ __noinline__ float slow(float *x)
{
  __shared__ float tile[32];
  tile[threadIdx.x] = *x;
  __syncthreads();
  return tile[31 - threadIdx.x];
}
__global__ void first(float *x) { x[threadIdx.x] = twice(x[threadIdx.x]); }
__global__ void second(float *x)
{
  for (int i = 0; i < 9; i++)
    if (x[i] > 1.0f)
      x[i] += slow(x);
}
int host_variable;
int main() { first<<<1, 32>>>(0); second<<<1, 32>>>(0); }
"""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="ptx test.")
        cls.root = pathlib.Path(cls.folder.name)
        cls.before = cls.checksum("before")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def checksum(cls, name, source=SOURCE, common="", flags=(),
                 file="demo.cu"):
        folder = cls.root / name
        path = folder / "code" / "demo" / file
        for part in (path.parent, folder / "code/common"):
            part.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        (folder / "code/common/timing.h").write_text(
            "static __global__ void flush(float *x) { *x = 0; }\n" + common)
        out = folder / "program"
        subprocess.run([NVCC, "-std=c++17", "-O3", "-lineinfo", "-fatbin",
                        "-I", str(folder / "code"), "-gencode",
                        "arch=compute_90,code=compute_90", *flags, "-o",
                        str(out), str(path)], check=True)
        return ptx.checksum(ptx.of_program(out))

    def edited(self, old, new, **more):
        self.assertIn(old, self.SOURCE)
        return self.checksum(self._testMethodName,
                             self.SOURCE.replace(old, new), **more)

    def test_an_operator(self):
        self.assertNotEqual(self.edited("2.0f * x", "2.0f + x"), self.before)

    def test_a_loop_bound(self):
        self.assertNotEqual(self.edited("i < 9", "i < 8"), self.before)

    def test_nothing_that_runs(self):
        """Comments, lines, the host, the order of kernels, the file's name and
        place, a kernel of code/common, and machine code beside the PTX."""
        first = self.SOURCE[self.SOURCE.index("__global__ void first"):
                            self.SOURCE.index("__global__ void second")]
        moved = self.SOURCE.replace(first, "").replace(
            "int host", first + "/* more\n\n\n */ int renamed_host")
        self.assertEqual(
            self.checksum("a/b c", moved, file="renamed.cu", common="\n\n"
                          "static __global__ void poison(float *x)"
                          " { *x = 1; }\n",
                          flags=["-gencode", "arch=compute_90,code=sm_90"]),
            self.before)

    def test_what_is_kept(self):
        self.assertEqual(ptx.what_runs(""" .version 9.0
.visible .entry k(
.param .u64 k_param_0
)
.maxntid 256, 1, 1
{
.loc 1 2 3
$L__BB7_1:
ret;
}
.global .align 4 .u32 unused;
.file 1 "/x/code/demo/demo.cu"
.section .debug_str
{
.b8 1
}
"""), [".visible .entry k(\n.param .u64 k_param_0\n)\n.maxntid 256, 1, 1\n{\n"
            "$L__BB_1:\nret;\n}"])

    def test_names_of_files(self):
        """What nvcc makes of a static function's names in files of other names
        and places, in another process."""
        names = ["_ZZN48_INTERNAL_79611280_9_shapes_cu_main11take_ticketE5taken",
                 "_ZZN57_INTERNAL_0da6b04d_7_sort_cu_34e5f9e4_99811take_ticket"
                 "E5taken"]
        self.assertEqual(*[ptx.what_runs(f".func f()\n{{\nst [{name}];\n}}")
                           for name in [names[0], names[0].replace(
                               "79611280_9_shapes_cu", "0da6b04d_6_walk_cu")]])
        self.assertEqual(*[ptx.what_runs(f".func f()\n{{\nst [{name}];\n}}")
                           for name in [names[1], names[1].replace(
                               "_99811", "_123411")]])


class Sources(unittest.TestCase):
    def test_tokens(self):
        self.assertEqual(sources.tokens('a // b\n/* c */"d" /**/ "e"\'"\'<<<'),
                         ["a", '"de"', "'\"'", "<<<"])
        self.assertEqual(sources.tokens('R"(a\n"b)"'), ['"a\\n\\"b"'])
        self.assertEqual(sources.tokens("1'000.5e-3f+x"),
                         ["1'000.5e-3f", "+", "x"])

    def test_definitions(self):
        found = sources.definitions(
            "#define N 4 /* four */\nnamespace a {\nenum { B, C = 2 };\n"
            "extern \"C\" {\nint f(int x) { return x; }\n}\n}\n"
            "static const int d[] = {1, 2}, e = 3;\n"
            "template <int I> void g() { if (I) { f(I); } }\n"
            "__global__ __launch_bounds__(64) void k() { }\n")
        self.assertEqual([sorted(one.names) for one in found],
                         [["B", "C"], ["f"], ["d", "e"], ["g"], ["k"], ["N"]])
        self.assertEqual([one.is_function for one in found],
                         [False, True, False, True, True, False])
        self.assertEqual([one.is_of_device for one in found],
                         [False] * 4 + [True, False])

    def test_all_listings(self):
        """Each function of the course's listings is found as one: braces that
        were misunderstood would swallow the rest of a file."""
        root = pathlib.Path(__file__).resolve().parents[3]
        for path in sorted((root / "code").glob("*/*.cu")):
            every = sources.definitions(path.read_text("utf-8"))
            names = {one.name for one in every if one.is_function}
            self.assertIn("main", names | (
                set() if "int main(" in path.read_text("utf-8") else
                {"main"}), path)


class Experiments(unittest.TestCase):
    def test_all_have_parts(self):
        """No kind is without a part that its program decides."""
        root = pathlib.Path(__file__).resolve().parents[3]
        for slug in experiments.with_experiments(root):
            for one in experiments.read(root, slug).values():
                if one.is_derived:
                    continue
                with tempfile.TemporaryDirectory() as nowhere:
                    now = inputs.Inputs(root, pathlib.Path(nowhere), one,
                                        False, inputs.Programs(
                                            pathlib.Path(nowhere)))
                self.assertTrue({"kernels", "host"} &
                                ({*now.parts} | {*now.unknown}), one.id)


if __name__ == "__main__":
    sys.exit(unittest.main())
