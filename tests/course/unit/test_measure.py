"""How each kind of experiment is run, and what its result says."""
import contextlib
import io
import os
import pathlib
import tempfile
import unittest

from support import ROOT
from demo import NCU, Demo
from results import conditions, expect, launches, result, runners, texts
from results.errors import Fault, Skip

FIXTURES = ROOT / "tests/course/ncu"


class OnSoftware(Demo):
    def test_counts(self):
        lines = self.measure("counts", "software")
        self.holds(lines, "# machine: software", "# gpu: software device",
                   "# toolkit: 13.0.88", "# compile_flags: -std=c++17 -O3"
                   " -gencode arch=compute_90,code=sm_90", "# commit: abc123",
                   "# command: code/demo/demo --count", "# repetitions: 1",
                   "version,n_elems,kernel,launch,ld_sectors",
                   "tile,64,demo_tile,0,4")
        self.assertRegex("\n".join(lines), r"\n# date: [0-9]{4}-[0-9]{2}-"
                         r"[0-9]{2}T[0-9:]{8}Z\n")
        self.assertRegex("\n".join(lines), r"\n# tree: [0-9a-f]{12}\n# inputs: line=[0-9a-f]{12} .*"
                         r" device=[0-9a-f]{12}\n")

    def test_rows_and_launches(self):
        """A row for each launch, or the columns would be of different ones."""
        self.write("more", "padded,64\n")
        self.refuses("bench/demo/experiments:3: error: the program printed 2"
                     " rows about 1 launches", self.measure, "counts",
                     "software")
        self.assertFalse((self.root / "r.csv").exists())

    def test_launch(self):
        """What of memory does not matter is left out; and the build makes the
        table of what is kept, with the settings of the experiment."""
        self.add_experiment("steps trace demo --count")
        kept = self.tree / "bench/demo"
        for name in ("map", "steps"):
            lines = self.measure(name, "software",
                                 kept / f"{name}.software.launch")
            self.holds(lines, "# machine: software", "ptx 0123456789abcdef",
                       "buffer a f32 4", "launch tile 1 32 a b")
        self.holds(self.measure("map", "software"), "buffer b f32 4 = 2",
                   "# command: SOFTDEVICE_ACCESS_BLOCK=1/0/0 code/demo/demo"
                   " --count")
        self.assertEqual(
            [path.name for path in (kept / "launches").iterdir()],
            ["0123456789abcdef.ptx.gz"])
        place = self.place()
        launches.write_tables(
            self.tree, str(self.build / "device/launch_run"), self.root,
            [place.experiment("demo", name) for name in ("map", "steps")],
            str(self.root / "depends"))
        self.holds((self.root / "map.software.csv").read_text().split("\n"),
                   "# machine: software", "demo_tile,1/0/0,code/demo.cu,1")
        self.holds((self.root / "steps.software.csv").read_text().split("\n"),
                   "t,1,0,0,0,0,0,code/demo/demo.cu,7")
        self.assertIn("0123456789abcdef.ptx.gz",
                      (self.root / "depends").read_text())
        self.refuses("comes from the software device", self.measure, "steps",
                     "stand_in", error=Skip)

    def test_launch_without_its_ptx(self):
        file = self.tree / "bench/demo/map.software.launch"
        self.measure("map", "software", file)
        (file.parent / "launches/0123456789abcdef.ptx.gz").unlink()
        with self.assertRaisesRegex(Fault, "it names 0123456789abcdef.ptx"):
            launches.table(self.place().experiment("demo", "map"), file,
                           str(self.build / "device/launch_run"))

    def test_blobs_that_no_launch_names(self):
        file = self.tree / "bench/demo/map.software.launch"
        self.measure("map", "software", file)
        other = self.write("a course/bench/demo/launches/ab.data.gz", "")
        self.measure("map", "software", file)
        self.assertFalse(other.exists())

    def test_output(self):
        self.assertEqual(self.measure("said", "software"),
                         ["tile  an idea", ""])
        self.assertIn("workers 1\n", self.errors)
        self.assertEqual(result.read_head(self.root / "r.txt")["machine"],
                         "software")

    def test_atomics(self):
        """The same program, but for what the software device writes down."""
        self.write("a course/bench/common/ncu_atomic_metrics", "")
        self.add_experiment("banks atomics demo --count")
        self.holds(self.measure("banks", "software"),
                   "version,n_elems,kernel,launch,shared_atomic_requests",
                   "tile,64,demo_tile,0,7")

    def test_checks(self):
        """That they find something is no failure."""
        self.add_experiment("checks check demo SOFTDEVICE_SHUFFLE=3")
        self.holds(self.measure("checks", "software"), "$ SOFTDEVICE_SHUFFLE=3"
                   " softdevice --check ./demo --version tile",
                   "softdevice: all 3 at 0x5…", "did --version tile")

    def test_failing_program(self):
        """The result of before stays."""
        self.write("r.csv", "old\n")
        self.write("broken", "")
        self.refuses("bench/demo/experiments:3: error: 'demo --count' ended"
                     " with exit status 1", self.measure, "counts", "software")
        self.assertIn("demo: error: out of luck\n", self.errors)
        self.assertEqual((self.root / "r.csv").read_text(), "old\n")
        self.assertFalse((self.root / "r.csv.new").exists())

    def test_refused(self):
        self.refuses("bench/demo/experiments: error: no experiment 'nothing'"
                     " in it", self.measure, "nothing", "software")
        self.refuses("measures no times", self.measure, "speed", "software",
                     error=Skip)
        (self.build / "code/demo/demo").unlink()
        self.refuses("demo is not built; ./course bench builds it",
                     self.measure, "counts", "software")
        (self.root / "bin/nvcc").unlink()
        if not os.path.exists("/usr/bin/nvcc"):
            self.refuses("nvcc was not found", self.measure, "counts",
                         "software", error=Skip)

    def test_same_result(self):
        """What a test expects of the software device changes with its content
        only."""
        file = self.tree / "bench/demo/counts.software.csv"
        self.measure("counts", "software", file)
        old = "# machine: software\n# date: long ago\n" + \
            result.content(file).decode()
        file.write_text(old)
        self.measure("counts", "software", file)
        self.assertEqual(file.read_text(), old)
        self.write("sectors", "8\n")
        self.measure("counts", "software", file)
        self.assertNotIn("long ago", file.read_text())


class Committed(Demo):
    """The tests of committed results."""

    def check(self, name):
        expect.check_result(self.place(), "demo", name)

    def commit(self, name):
        one = self.place().experiment("demo", name)
        self.measure(name, "software",
                     self.place().result_file(one, "software", True))

    def test_committed(self):
        self.refuses("bench/demo/counts.software.csv: error: there is no such"
                     " file\n  make it: ./course bench --software --reference"
                     " demo", self.check, "counts")
        self.commit("counts")
        self.commit("said")
        self.check("counts")
        self.check("said")
        self.write("sectors", "8\n")
        self.refuses("row 1 (tile): ld_sectors was 4, is 8", self.check,
                     "counts")
        self.write("toolkit", "14.1\n")
        self.refuses("is of nvcc 13.0.88 and differs with nvcc 14.1",
                     self.check, "counts", error=Skip)

    def test_text(self):
        self.commit("said")
        file = self.tree / "bench/demo/said.software.txt"
        self.assertFalse(file.with_name(file.name + ".head").exists())
        file.write_text("tile  another idea\n")
        self.refuses("-tile  another idea\n  +tile  an idea", self.check,
                     "said")

    def test_expected_counts(self):
        self.commit("counts")

        def expected(text):
            return expect.check_result(self.place(), "demo", "counts",
                                       self.write("counts", text))
        self.assertEqual(expected("# all\nversion=tile : ld_sectors=4\n"
                                  "* : n_elems=16*ld_sectors # too\n"),
                         "as committed, and 2 counts in 1 rows are as"
                         " expected")
        for text, why in [("* : ld_sectors=5\n", "counts:1: error: row 1"
                           " (tile): ld_sectors is 4, expected 5"),
                          ("version=padded : ld_sectors=4\n", "no row fits"),
                          ("* : sectors=4\n", "there is no column sectors"),
                          ("ld_sectors=4\n", "a line is: column=value")]:
            self.refuses(why, expected, text)

    def test_expected_counts_of_another_nvcc(self):
        """What must hold does so of whatever runs now."""
        self.commit("counts")
        self.write("toolkit", "14.1\n")
        self.write("sectors", "8\n")
        rule = self.write("counts", "* : ld_sectors=4\n")
        self.refuses("ld_sectors is 8, expected 4", expect.check_result,
                     self.place(), "demo", "counts", rule)


class Chapter(Demo):
    """All committed results of a chapter, as one test."""

    def check(self):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            status = expect.check_chapter(self.place(), "demo")
        return status, said.getvalue()

    def setUp(self):
        super().setUp()
        tested = [one for one in self.place().experiments("demo").values()
                  if one.is_tested]
        for one in tested:
            self.measure(one.name, "software",
                         self.place().result_file(one, "software", True))
        self.n = len(tested)

    def test_as_committed(self):
        self.assertGreater(self.n, 2)
        status, said = self.check()
        self.assertEqual(status, 0)
        self.assertIn("demo/counts: as committed\n", said)
        self.assertIn("demo/said: as committed\n", said)
        self.assertTrue(said.endswith(
            f"\n{self.n} passed, 0 failed, 0 skipped\n"), said)

    def test_another_result_is_named_and_the_others_go_on(self):
        self.write("sectors", "8\n")
        status, said = self.check()
        self.assertEqual(status, 1)
        self.assertIn("FAILED demo/counts\nbench/demo/counts.software.csv:"
                      " error:", said)
        self.assertIn("demo/said: as committed\n", said)
        self.assertTrue(said.endswith(
            f"\n{self.n - 1} passed, 1 failed, 0 skipped\n"), said)

    def test_a_result_that_is_not_there(self):
        (self.tree / "bench/demo/said.software.txt").unlink()
        status, said = self.check()
        self.assertEqual(status, 1)
        self.assertIn("FAILED demo/said\n", said)

    def test_what_cannot_run_here_is_named(self):
        self.write("toolkit", "14.1\n")
        self.write("sectors", "8\n")
        status, said = self.check()
        self.assertEqual(status, 0)
        self.assertIn("left out: demo/counts: bench/demo/counts.software.csv is"
                      " of nvcc 13.0.88 and differs with nvcc 14.1\n", said)

    def test_nothing_can_run_here(self):
        (self.tree / "build/device/libcudart.so.13").unlink()
        status, said = self.check()
        self.assertEqual(status, 77)
        self.assertTrue(said.endswith("the software device was not built\n"),
                        said)

    def test_what_else_must_hold(self):
        file = self.tree / "tests/demo/counts"
        self.write("a course/tests/demo/counts", "* : ld_sectors=5\n")
        status, said = self.check()
        self.assertEqual(status, 1)
        self.assertIn("ld_sectors is 4, expected 5", said)
        file.chmod(0o755)       # a test of its own, which is called like it
        self.assertEqual(self.check()[0], 0)


class OnGpu(Demo):
    def test_times(self):
        self.refuses("no NVIDIA GPU here", self.measure, "speed", "stand_in",
                     error=Skip)
        self.with_gpu()
        self.holds(self.measure("speed", "stand_in"), "# machine: stand_in",
                   "# gpu: NVIDIA Stand-In 1", "# compute_capability: 9.0",
                   "# driver: 580.1", "# clocks_sm_mhz: 1980",
                   "# clocks_memory_mhz: 1980", "# temperature_before_c: 40",
                   "# temperature_after_c: 40", "# repetitions: 20",
                   "tile,1.5")

    def ncu(self, name, metrics):
        """Counts of a log, as ncu would write it of one launch."""
        self.with_gpu()
        table = (FIXTURES / "table").read_text()
        self.write(f"a course/bench/common/{metrics}", table)
        raw = (FIXTURES / "raw.csv").read_text().split("\n")
        self.write("raw", "\n".join(raw[:6]) + "\n")
        self.stand_in("bin/ncu", NCU)
        self.holds(self.measure(name, "stand_in"),
                   "version,n_elems,kernel,launch,grid_x,grid_y,grid_z,"
                   "block_x,block_y,block_z,instructions,atomics,conflicts,"
                   "barriers", "tile,64,tile,1,64,64,1,32,8,1,1048576,12,4096,")
        self.assertEqual((self.root / "metrics").read_text(),
                         "inst.sum,atom.sum,red.sum,waves.sum,ideal.sum\n")

    def test_counts(self):
        self.with_gpu()
        self.refuses("ncu (Nsight Compute) was not found", self.measure,
                     "counts", "stand_in", error=Skip)
        self.ncu("counts", "ncu_metrics")
        self.write("raw", "==ERROR== ERR_NVGPUCTRPERM\n")
        self.refuses("may not read", self.measure, "counts", "stand_in",
                     error=Skip)

    def test_states(self):
        """The same with another table of metrics."""
        self.add_experiment("waits states demo --count")
        self.ncu("waits", "ncu_state_metrics")
        self.refuses("schedules no warps", self.measure, "waits", "software",
                     error=Skip)

    def with_sanitizer(self, says):
        self.with_gpu()
        self.stand_in("bin/compute-sanitizer", f'{says} "========= $*"\n'
                      'while case $1 in --*) true ;; *) false ;; esac; do'
                      ' shift 2; done\nexec "$@"')

    def test_sanitizer(self):
        self.add_experiment("watched sanitizer demo")
        self.refuses("tools watch a GPU", self.measure, "watched", "software",
                     error=Skip)
        self.with_gpu()
        self.refuses("compute-sanitizer was not found", self.measure,
                     "watched", "stand_in", error=Skip)
        self.with_sanitizer("echo")
        lines = self.measure("watched", "stand_in")
        start = "$ compute-sanitizer --tool "
        self.holds(lines, "$ ./demo --version tile", start + "memcheck"
                   " --leak-check full --print-limit 3 ./demo \\",
                   *(f"{start}{tool} --print-limit 3 ./demo --version tile"
                     for tool in ("racecheck", "initcheck", "synccheck")))
        self.assertEqual(sum(line.startswith("========= --tool")
                             for line in lines), 5)
        self.assertLessEqual(max(map(len, lines)), 80)

    def test_tools(self):
        self.add_experiment("cost tools demo --csv")
        self.with_sanitizer(":")
        self.holds(self.measure("cost", "stand_in"), "tool,version,time_us",
                   "none,tile,1.5", "racecheck,tile,1.5")

    def test_report(self):
        self.add_experiment("told report demo --count")
        self.with_gpu()
        self.stand_in("bin/ncu", 'log=$2\n'
                      'echo "==PROF== Connected to process 7" >"$log"\n'
                      'printf "[7] demo@127.0.0.1  \\n\\n\\n\\n" >>"$log"\n'
                      'echo "$*" | sed "s/.*--nvtx-include/of/" >>"$log"\n'
                      'cat "${0%/*}/advice" >>"$log"')
        (self.tree.parent / "bin/advice").write_text(
            "    OPT   Est. Speedup: 3.03%\n          The grid is too small\n"
            "          for this device.\n    -----    " + "-" * 106 +
            "\n    INF   Another rule\n\n    Section: Occupancy\n"
            "    ----- ------------\n          12.50\n")
        lines = self.measure("told", "stand_in")
        self.holds(lines, "    OPT   Est. Speedup: 3.03% The grid is too small"
                   " for this device.", "    INF   Another rule",
                   "    ----- ------------", "          12.50")
        self.assertEqual(lines[:2], ["demo@127.0.0.1", ""])
        self.assertTrue(lines[2].startswith("of measured/ "))
        self.assertLessEqual(max(map(len, lines)), 80)
        self.refuses("Nsight Compute watches a GPU", self.measure, "told",
                     "software", error=Skip)

    def test_debugger(self):
        self.add_experiment("session debugger demo --list")
        self.write("a course/bench/demo/session.gdb", "run\n")
        self.with_gpu()
        self.refuses("cuda-gdb was not found", self.measure, "session",
                     "stand_in", error=Skip)
        self.stand_in("bin/cuda-gdb", 'echo "[New Thread 7]"\necho "commands'
                      ' of ${3##*/}, $(echo "$*" | sed "s/.*--args //")"')
        self.assertEqual(self.measure("session", "stand_in"),
                         ["commands of session.gdb, demo --list", ""])

    def test_coredump(self):
        self.add_experiment("dump coredump demo --list")
        self.write("a course/bench/demo/dump.gdb", "bt\n")
        self.with_gpu()
        self.refuses("cuda-gdb was not found", self.measure, "dump",
                     "stand_in", error=Skip)
        program = (
            '[ -z "$CUDA_COREDUMP_SHOW_PROGRESS" ] ||\n'
            '  printf "[00:00:01.5] coredump: %s\\n" "Detected 14" "5%..." \\\n'
            '    "SM 1/2 has finished state collection"\n'
            '[ "$CUDA_ENABLE_COREDUMP_ON_EXCEPTION" = 1 ] &&'
            ' echo "$0" >"$CUDA_COREDUMP_FILE"\nkill -ABRT $$')
        self.stand_in("a course/build/code/demo/demo", program)
        self.stand_in("compiled", program)
        self.stand_in("bin/nvcc", 'case "$*" in *-G*) while [ "$1" != -o ]; do'
                      ' shift; done; cp "$work/compiled" "$2" ;;\n'
                      ' *) echo "release 13.0, V13.0.88" ;; esac')
        self.stand_in("bin/cuda-gdb", 'echo "[New Thread 7]"\n'
                      'echo "a   table   that is wider than a page, whose'
                      ' columns   need only one space   each: $(($# + 4))"\n'
                      'case "$*" in *-ex*) printf "\\n\\nFatal signal: Aborted"'
                      '; exit 134 ;; esac')
        lines = self.measure("dump", "stand_in")
        self.assertEqual(lines, [
            "$ CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1 CUDA_COREDUMP_FILE=demo.core \\",
            "    CUDA_COREDUMP_SHOW_PROGRESS=1 ./demo --list",
            "coredump: Detected 14",
            "$ cuda-gdb ./demo",
            "(cuda-gdb) target cudacore demo.core",
            "a table that is wider than a page, whose columns need only one"
            " space each: 8",
            "(cuda-gdb itself was aborted)",
            "$ cuda-gdb ./demo    # compiled with -g -G",
            "a table that is wider than a page, whose columns need only one"
            " space each: 8", ""])

    def test_coredump_without_dump(self):
        self.add_experiment("dump coredump demo --list")
        self.write("a course/bench/demo/dump.gdb", "bt\n")
        self.with_gpu()
        self.stand_in("bin/cuda-gdb", "")
        self.refuses("left no core dump; it said: tile  an idea", self.measure,
                     "dump", "stand_in")


class Doubts(Demo):
    def setUp(self):
        super().setUp()
        self.with_gpu()
        self.write("watch--csv", "")    # something of the GPU is seen

    def test_none(self):
        lines = self.measure("speed", "stand_in")
        self.holds(lines, "# throttle_reasons: none", "# other_processes: 0",
                   "# clocks_sm_before_mhz: 1980", "# clocks_sm_busy_mhz: 1980",
                   "# temperature_highest_c: 41")
        self.assertEqual(self.doubt, "")
        self.assertNotIn("# doubt", "\n".join(lines))

    def doubted(self, watched, expected):
        self.write("watched", watched)
        lines = self.measure("speed", "stand_in")
        self.assertEqual(self.doubt, expected)
        self.assertEqual(f"# doubt: {expected}" in lines, bool(expected))
        return lines

    def test_slowed_down(self):
        self.doubted("1980, 88, 97, 0x0000000000000060\n", "the GPU lowered its"
                     " clocks while measuring (software_thermal"
                     " hardware_thermal)")
        self.doubted("1980, 60, 97, 0x0000000000000004\n", "the GPU lowered its"
                     " clocks while measuring (power_cap)")
        self.doubted("1980, 60, 97, 0x0\n1200, 60, 97, 0x0\n"
                     "1200, 60, 97, 0x0\n", "the clock was 1200 MHz half of the"
                     " time, after 1980 MHz")
        # Settings and idleness slow nothing down that was meant to be fast.
        self.doubted("345, 60, 97, 0x0000000000000113\n", "")

    def test_others(self):
        self.write("others", "4711\n")
        self.measure("speed", "stand_in")
        self.assertEqual(self.doubt, "other programs used the GPU (1)")

    def test_spreads(self):
        self.write("times", "v,time_us,time_spread_us\na,100,11\nb,100,1\n"
                   "c,2,0.9\n")
        lines = self.measure("speed", "stand_in")
        self.assertEqual(self.doubt,
                         "1 of 3 times spread by more than 10 %")
        self.holds(lines, "# spread_percent_median: 11.0",
                   "# spread_percent_largest: 45.0")


class Names(unittest.TestCase):
    """Which lines of an assembler belong to the kernel that is asked for."""
    def test_function(self):
        line = ".visible .entry _Z3addPKfS0_Pfi("
        self.assertTrue(runners._of_kernel(line, "add"))
        self.assertFalse(runners._of_kernel(line, "ad"))
        self.assertTrue(runners._of_kernel(line, ""))

    def test_template(self):
        line = "Function : _Z6chainsI7int_addiEvP4spanPT0_S3_S3_i"
        self.assertTrue(runners._of_kernel(line, "chains<int_add>"))
        self.assertFalse(runners._of_kernel(line, "chains<int_mad>"))
        self.assertFalse(runners._of_kernel(line, "chains"))

    def test_a_kernel_is_found_by_a_type_with_arguments(self) -> None:
        line = ("\tFunction : _Z10warpgroupsI4planILi128ELi176ELi2ELi0ELi1E"
                "Li0EEEvP13__nv_bfloat16")
        for name, holds in (("warpgroups<plan<128;176;2;0;1;0>>", True),
                            ("warpgroups<plan<128;176;2;0;1;1>>", False),
                            ("warpgroups<plan<128;176;2;0;1>>", False),
                            ("warpgroups<plan>", True),
                            ("warpgroups", False)):
            self.assertEqual(runners._of_kernel(line, name), holds, name)


class Places(unittest.TestCase):
    """A source's name does not depend on where things are installed."""
    def test_short_paths(self):
        self.assertEqual(
            launches._with_short_paths(
                "kernel,file,line\n"
                "a,/home/me/book/code/demo/demo.cu,7\n"
                "a,/opt/cuda-13.1/include/cuda/pipeline,9\n"
                "a,code/demo/demo.cu,7\n", 1),
            "kernel,file,line\na,code/demo/demo.cu,7\n"
            "a,cuda/pipeline,9\na,code/demo/demo.cu,7\n")


class Summaries(unittest.TestCase):
    def test_clocks(self):
        seen = conditions.summarise("1980, 60, 97, 0x0\n1200, 61, 97, 0x0\n"
                                    "1200, 60, 97, 0x0\n300, 60, 20, 0x0\n"
                                    "345, 60, 97, 0x1\n[N/A], 99, 97, 0x4\n"
                                    "1, 2\n")
        self.assertEqual((seen.median_clock, seen.clocks, seen.temperature,
                          seen.reasons), (1200, [1980, 1200, 1200], 61, "none"))
        self.assertEqual(conditions.summarise("").reasons, "unknown")

    def test_page(self):
        long = "$ " + "word " * 30
        lines = texts.for_a_page(long + "\n========= " + "a" * 100 + "\n")
        self.assertTrue(all(len(line) <= 80 for line in lines.split("\n")))
        self.assertIn(" \\\n    word", lines)
        self.assertIn("\n=========     aaaa", lines)

    def test_assertions(self):
        line = "a.cu:1: Assertion `x` failed.\n"
        self.assertEqual(texts.few_assertions(line * 5 + "end\n" + line),
                         line * 3 + "… (2 more lines of this kind)\nend\n" +
                         line)


if __name__ == "__main__":
    unittest.main()
