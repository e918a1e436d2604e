"""./course bench, results, export and import, without Meson around them."""
import contextlib
import io
import os
import shutil
import subprocess
import tarfile
import unittest
from unittest import mock

from demo import NCU, Demo
from results import check, cli, run
from results.bench import Bench, TimeLeft
from results.errors import Fault, Interrupted, Usage


class Commands(Demo):
    def call(self, function, *arguments):
        """Returns all that was printed; a fault's text is at its end."""
        self.fault = ""
        said = io.StringIO()
        with contextlib.redirect_stdout(said), \
                contextlib.redirect_stderr(said):
            try:
                function(*arguments)
            except Fault as fault:
                self.fault = str(fault)
        return said.getvalue() + self.fault

    def do(self, *words):
        """A command, as ./course gives it to tools/results."""
        given = cli.parser().parse_args(words)
        return self.call(given.run, self.place(), given)

    def bench(self, *arguments):
        return self.do("bench", *arguments)

    def ran(self, argument):
        """How often the program was run with this argument."""
        runs = self.root / "runs"
        return (runs.read_text().split("\n").count(argument)
                if runs.exists() else 0)

    def result(self, path):
        return self.build / "results" / path

    def says(self, said, *wanted):
        for text in wanted:
            self.assertIn(text, said)


class Measured(Commands):
    def test_without_gpu(self):
        said = self.bench()
        self.says(said, "Without a GPU: only what the software device counts",
                  "Checking demo/demo …\n", "[3/3] demo/said on software … ",
                  "3 measured, 0 kept, 0 left out, 0 failed.")
        self.assertTrue(self.result("software/demo/counts.csv").exists())
        self.assertTrue(self.result("software/demo/said.txt").exists())

    def test_arguments(self):
        for name in ("A B", "A", "software", "", "../up", "h200.csv"):
            self.says(self.bench("--machine", name),
                      f"'{name}' cannot be the name of a machine")
        self.says(self.bench("--machine=A B", "--software"), "cannot be")
        self.says(self.bench("nosuch"), "no chapter 'nosuch'; there are: demo")
        for words in (["--frob"], ["--machine"]):
            with self.assertRaises(Usage):
                self.bench(*words)

    def test_what_only_a_gpu_gives(self):
        self.says(self.bench("--gpu"), "there is no GPU here")
        self.with_gpu()
        self.bench("--gpu", "--machine", "mine")
        self.assertTrue(self.result("mine/demo/speed.csv").exists())
        self.assertFalse(self.result("software").exists())

    def test_a_first_look(self):
        """A chapter's ladders, or its first time; the rest is left for
        later."""
        self.says(self.bench("--quick"), "there is no GPU here, and --quick")
        self.with_gpu()
        self.experiments("# cpu: host\n# several GPUs: links\n"
                         "counts count demo --count\n"
                         "host time demo --csv\nlinks time demo --csv\n"
                         "speed time demo --csv\nmore time demo --csv\n"
                         "low_ladder time demo --csv\n"
                         "steps time demo --csv=ladder\n")
        self.write("times", "version,time_us\ntile,1\n")
        said = self.bench("--quick", "--machine", "mine")
        self.says(said, "./course bench measures the rest")
        found = sorted(path.name for path in self.result("mine/demo").iterdir())
        self.assertEqual(found, ["low_ladder.csv", "speed.csv"])
        self.says(said, "demo/steps on mine")
        self.says(self.bench("--gpu", "--machine", "mine"), "2 results are"
                  " here already", "demo/more on mine")

    def test_a_first_look_builds_what_it_needs(self):
        self.with_gpu()
        self.experiments("speed time demo --csv\nmore time other --csv\n")
        self.write("a course/code/demo/other.cu", "")
        self.stand_in("bin/ninja", 'case "$*" in *targets*)\n'
                      'echo "code/demo/demo: CUSTOM_COMMAND"\n'
                      'echo "code/demo/other: CUSTOM_COMMAND" ;;\n'
                      '*commands*) echo "/x/nvcc -c x.cu" ;;\n'
                      '*) echo "$*" >>"$work/built" ;; esac')
        self.bench("--quick", "--machine", "mine")
        built = (self.root / "built").read_text()
        self.assertIn("code/demo/demo", built)
        self.assertNotIn("code/demo/other", built)

    def test_a_reference_names_a_commit(self):
        self.with_gpu()
        for commit in ("abc123-changed", "unknown"):
            with mock.patch.dict(os.environ, COURSE_COMMIT=commit):
                self.says(self.bench("--reference", "--machine", "big"),
                          "the results would name no commit that others have"
                          f" ({commit})")
                self.assertEqual(self.ran("--csv"), 0)
        with mock.patch.dict(os.environ, COURSE_COMMIT="abc123-changed"):
            self.bench("--reference", "--changed", "--machine", "big")
        self.assertEqual(self.ran("--csv"), 1)

    def test_counts_need_no_commit(self):
        """Those of the software device are counted again by a test."""
        self.experiments("counts count demo --count\n")
        with mock.patch.dict(os.environ, COURSE_COMMIT="abc123-changed"):
            self.says(self.bench("--reference", "--software"),
                      "[1/1] demo/counts on software")

    def test_a_listing_that_is_wrong(self):
        self.write("broken", "")
        said = self.bench()
        self.says(said, "demo: error: out of luck", "demo/demo is wrong on this"
                  " machine; nothing of it is measured",
                  "0 measured, 0 kept, 0 left out, 1 failed.")
        self.assertFalse(self.result("").exists())

    def test_an_experiment_that_fails(self):
        """It does not take the others along."""
        self.with_gpu()
        self.write("broken--csv", "")
        said = self.bench()
        self.says(said, "demo/speed on stand_in_1 … FAILED\n",
                  "demo: error: no luck",
                  "3 measured, 0 kept, 1 left out, 1 failed.")
        self.assertIn("1 experiments failed", self.fault)
        (self.root / "broken--csv").unlink()
        said = self.bench()
        self.says(said, "3 results are here already (--again measures them"
                  " anew).", "1 measured, 3 kept, 1 left out, 0 failed.",
                  "The book with them: ./course book --results stand_in_1")

    def test_resumed(self):
        self.with_gpu()
        self.bench()
        self.assertEqual((self.ran("--csv"), self.ran("--list")), (1, 1))
        self.says(self.bench(), "4 results are here already")
        self.assertEqual((self.ran("--csv"), self.ran("--list")), (1, 1))
        self.bench("--again")
        self.assertEqual((self.ran("--csv"), self.ran("--list")), (2, 2))
        # Other code, other arguments, another compiler: measured anew.
        # Comments and what code/common says are not what is measured.
        changes = [("a course/code/demo/demo.cu", "int n = 1;\n", 1),
                   ("a course/code/demo/demo.cu", "/* n */ int n\n= 1;\n", 0),
                   ("a course/code/demo/demo.cu", "int n = 1;\n"
                    "int m = 1;\n", 1),
                   ("a course/code/common/help.h", "int helps;\n", 0),
                   ("a course/bench/demo/experiments",
                    self.EXPERIMENTS.replace("--csv", "--csv --size 3"), 1),
                   ("toolkit", "14.1\n", 1)]
        n = 2
        for path, text, more in changes:
            self.write(path, text)
            self.compiled()
            self.bench()
            n += more
            self.assertEqual(self.ran("--csv"), n, text)
            self.bench()
            self.assertEqual(self.ran("--csv"), n, text)

    def test_left_out(self):
        """Why, and what to do about it."""
        self.with_gpu()
        self.write("skip--csv", "needs 2 GPUs, here is 1\n")
        self.stand_in("bin/ncu", NCU)
        self.write("raw", "==ERROR== ERR_NVGPUCTRPERM\n")
        self.says(self.bench(), "    demo/speed\n  because: needs 2 GPUs, here"
                  " is 1\n", "tools/slurm/README.md", "demo/counts on stand_in_1"
                  " … left out: this user may not read",
                  "https://developer.nvidia.com/ERR_NVGPUCTRPERM",
                  "3 measured, 0 kept, 2 left out, 0 failed.")

    def test_that_does_not_compile(self):
        self.stand_in("bin/ninja", 'case "$*" in *targets*)\n'
                      'echo "code/demo/demo: CUSTOM_COMMAND" ;;\n'
                      '*commands*) ;; *) exit 1 ;; esac')
        self.says(self.bench(), "because: FAILED: it does not compile here",
                  "ninja -C build says why.", "0 measured, 0 kept, 0 left out,"
                  " 1 failed.")

    def test_stopped(self):
        """The experiment that runs is finished, the next one is not begun."""
        self.addCleanup(run._stop.clear)
        self.stand_in("bin/nvcc", "echo release 13.0, V13.0.88")
        bench = Bench(self.place(), cli.parser().parse_args(["bench"]))
        run.request_stop()
        bench._check_listings = lambda missing: None
        with contextlib.redirect_stdout(io.StringIO()) as said:
            with self.assertRaises(Interrupted):
                bench.run()
        self.says(said.getvalue(), "[1/3]")
        self.assertNotIn("[2/3]", said.getvalue())
        self.assertTrue(self.result("software/demo/counts.csv").exists())

    def test_doubts(self):
        self.with_gpu()
        self.write("others", "4711\n")
        for _ in range(2):    # of a result that is kept, too
            self.says(self.bench(), "Doubtful, and marked so in the book:\n"
                      "    demo/speed\n  because: other programs used the GPU"
                      " (1)\n")


class Time(Commands):
    def test_expected(self):
        self.with_gpu()
        self.says(self.bench(), "5 to make, in about 18 s.")
        path = self.result("stand_in_1/demo/speed.csv")
        path.write_text(path.read_text().replace("# seconds: 0",
                                                 "# seconds: 600"))
        self.says(self.bench("--again"), "5 to make, in about 10 min.")

    def test_left(self):
        left = TimeLeft([10, 10, 10])
        self.assertEqual(left.total(), "33 s")
        # Half as fast as expected, with half a minute as expected before.
        self.assertEqual(left.after(10, 40), ", about 37 s left")
        self.assertEqual(left.after(10, 10), ", about 17 s left")
        self.assertEqual(left.after(10, 10), "")


class Names(Commands):
    def test_old_gpu(self):
        self.with_gpu()
        self.write("capability", "7.0\n")
        self.says(self.bench(), "This GPU has compute capability 7.0",
                  "./course bench --software")
        self.says(self.bench("--software"), "3 measured")
        self.write("capability", "12.0\n")
        self.says(self.bench(), "1 measured, 3 kept")

    def test_reference_gpu(self):
        """On the GPU that the repository's results are of, a reader's have
        another name, and the reference keeps its own."""
        self.with_gpu()
        self.experiments("speed time demo --csv\n")
        self.bench("--reference")
        bench = self.tree / "bench/demo"
        self.assertTrue((bench / "speed.stand_in_1.csv").exists())
        self.says(self.bench(), "./course book --results my_stand_in_1")
        self.bench("--reference")
        self.assertFalse((bench / "speed.my_stand_in_1.csv").exists())
        found = (self.build / ".course-found").read_text()
        self.assertIn("new results", found)


class SeveralGpus(Commands):
    """Experiments that one GPU is not enough for."""

    def setUp(self):
        super().setUp()
        self.with_gpu()
        self.experiments("# several GPUs: pair\nspeed time demo --csv\n"
                         "pair time demo --csv\n")

    def head(self, path):
        return (self.tree / path).read_text().split("version,")[0]

    def test_reference(self):
        """They are of a machine of their own, which the head names."""
        self.write("gpus", "GPU 0: NVIDIA Stand-In 1\n"
                   "GPU 1: NVIDIA Stand-In 1\n")
        self.bench("--reference")
        head = self.head("bench/demo/pair.stand_in_1x2.csv")
        self.says(head, "# machine: stand_in_1x2\n",
                  "# gpu: 2 × NVIDIA Stand-In 1\n# gpus: 2\n")
        head = self.head("bench/demo/speed.stand_in_1.csv")
        self.says(head, "# machine: stand_in_1\n",
                  "# gpu: NVIDIA Stand-In 1\n# gpus: 2\n")

    def test_reference_of_three(self):
        """The book looks for those of two GPUs only."""
        self.write("gpus", "GPU 0: NVIDIA Stand-In 1\n"
                   "GPU 1: NVIDIA Stand-In 1\nGPU 2: NVIDIA Stand-In 1\n")
        self.says(self.bench("--reference"), "demo/pair: a reference for"
                  " several GPUs is of two, and here are 3")

    def test_a_readers(self):
        """Theirs are all in one folder."""
        self.write("gpus", "GPU 0: NVIDIA Stand-In 1\n"
                   "GPU 1: NVIDIA Stand-In 1\nGPU 2: NVIDIA Stand-In 1\n")
        self.bench("--machine", "mine")
        self.says(self.result("mine/demo/pair.csv").read_text(),
                  "# machine: mine\n", "# gpu: 3 × NVIDIA Stand-In 1\n")

    def test_not_demanded(self):
        """A set is complete without them, but if they are there, they are
        compared with the reference's."""
        self.write("gpus", "GPU 0: NVIDIA Stand-In 1\n"
                   "GPU 1: NVIDIA Stand-In 1\n")
        self.bench("--machine", "h200", "--reference")
        self.bench("--machine", "mine")
        file = self.result("mine/demo/pair.csv")
        good = file.read_text()
        file.write_text(good.replace("tile,", "bricks,"))
        faults = check.check_set(self.place(), self.result("mine"))
        self.assertIn("it has no row of tile", "".join(faults))
        file.unlink()
        faults = check.check_set(self.place(), self.result("mine"),
                                 check.COMPLETE)
        self.assertNotIn("it is missing", "".join(faults))

    def test_mpi(self):
        """The kind mpi starts a process for each GPU."""
        self.experiments("# several GPUs: ranks\nranks mpi demo --csv\n")
        which = shutil.which
        with mock.patch("results.here.shutil.which", lambda name:
                        None if name == "mpirun" else which(name)):
            self.says(self.bench(), "    demo/ranks\n  because: mpirun was"
                      " not found\n  mpirun comes with an MPI")
        self.write("gpus", "GPU 0: NVIDIA Stand-In 1\n"
                   "GPU 1: NVIDIA Stand-In 1\n")
        self.stand_in("bin/mpirun", 'echo "$1 $2" >"$work/ranks"; shift 2;'
                      ' exec "$@"')
        self.bench("--machine", "mine")
        self.assertEqual((self.root / "ranks").read_text(), "-n 2\n")
        self.says(self.result("mine/demo/ranks.csv").read_text(),
                  "# repetitions: 20\n", "tile,1.5")

    def test_mpirun_as_root(self):
        """Only Open MPI's, and only for root."""
        self.with_gpu()
        self.experiments("ranks mpi demo --csv\n")
        for vendor, user, allowed in [("(Open MPI) 5.0", 0, "1 1"),
                                      ("(Open MPI) 4.1", 1000, " "),
                                      ("HYDRA", 0, " ")]:
            self.stand_in("bin/mpirun", f'case $1 in --version) echo "mpirun'
                          f' {vendor}" ;; *) echo "$OMPI_ALLOW_RUN_AS_ROOT'
                          ' $OMPI_ALLOW_RUN_AS_ROOT_CONFIRM" >"$work/ranks";'
                          ' shift 2; exec "$@" ;; esac')
            with mock.patch("os.geteuid", lambda: user):
                self.bench("--again", "--machine", "mine")
            self.assertEqual((self.root / "ranks").read_text(), allowed + "\n",
                             vendor)


class Sets(Commands):
    """A set of the machine `mine` in build/results, and a reference."""

    def setUp(self):
        super().setUp()
        self.with_gpu()
        self.experiments(self.EXPERIMENTS.replace("counts  count", "#"))
        self.bench("--machine", "h200", "--reference")
        self.bench("--machine", "mine")
        self.file = self.result("mine/demo/speed.csv")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.root)

    def edit(self, old, new):
        self.file.write_text(self.file.read_text().replace(old, new))

    def test_list(self):
        self.edit("# inputs", "# doubt: hot\n# inputs")
        said = self.do("results")
        self.assertRegex(said, r"(?m)^h200 +NVIDIA Stand-In 1 +20.*"
                         r" 1 of 1 results, in bench/$")
        self.assertRegex(said, r"(?m)^mine +NVIDIA Stand-In 1 +[0-9-]{10} +1 of"
                         r" 1 results, 1 doubtful, in build/results/$")
        self.assertRegex(said, r"(?m)^software .* 2 of 2 results, in"
                         r" build/results/$")

    def test_export_and_import(self):
        self.says(self.do("export", "mine"), "Packed: mine.tgz")
        self.says(self.do("import", "mine.tgz"), "build/results holds results"
                  " of a machine 'mine' already", "--machine <name>")
        self.do("import", "--machine", "theirs", "mine.tgz")
        text = self.result("theirs/demo/speed.csv").read_text()
        self.says(text, "# machine: theirs\n", "tile,1.5\n")
        shutil.move(str(self.result("mine")), "elsewhere")
        self.says(self.do("import", "elsewhere"),
                  "it was measured on 'mine', not on 'elsewhere'")
        os.mkdir("to")
        os.rename("elsewhere", "to/mine")
        self.says(self.do("import", "to/mine"), "Taken over.")
        self.says(self.do("import", "no_such"), "no folder or file")
        self.says(self.do("export", "no_such"), "no results of a machine")
        self.write("text", "text")
        self.says(self.do("import", "text"), "is not an archive")
        with self.assertRaises(Usage):
            self.do("import")

    def test_what_is_good(self):
        """A result that is bad does not take the others along."""
        self.experiments(self.EXPERIMENTS.replace("counts  count", "#") +
                         "more time demo --csv\n")
        self.bench("--machine", "mine")
        self.edit("tile,1.5", "tile,nan")
        shutil.copytree(self.result("mine"), "mine")
        self.says(self.do("import", "--machine", "theirs", "mine"),
                  "theirs/demo/speed.csv:", "time_us is 'nan'",
                  "1 results of 'theirs'", "is left out; all else is taken"
                  " over")
        theirs = self.result("theirs/demo")
        self.assertEqual([path.name for path in theirs.iterdir()],
                         ["more.csv"])
        self.edit("tile,nan", "tile,1.25")
        shutil.copyfile(self.file, "mine/demo/speed.csv")
        self.says(self.do("import", "--machine", "theirs", "--add", "mine"),
                  "2 results of 'theirs'; 1 files were here and are replaced")
        self.assertIn("tile,1.25", (theirs / "speed.csv").read_text())
        self.edit("NVIDIA Stand-In 1", "NVIDIA Other")
        shutil.copyfile(self.file, "mine/demo/speed.csv")
        self.says(self.do("import", "--machine", "theirs", "--add", "mine"),
                  "'theirs' here already, an NVIDIA Stand-In 1, and these are"
                  " of an NVIDIA Other")

    def test_columns_that_may_be_negative(self):
        """A gap below 0 is no mistake; a time below 0 is one."""
        self.write("a course/bench/columns", "gap_us  ±µs  between pieces\n"
                   "time_us  µs  median\n")
        reference = self.tree / "bench/demo/speed.h200.csv"
        for path in (reference, self.file):
            path.write_text(path.read_text().replace("time_us", "time_us,gap_us"
                                                     ).replace("1.5", "1.5,7"))
        self.edit("1.5,7", "1.5,-7")
        self.assertEqual(check.check_set(self.place(), self.result("mine")), [])
        self.edit("1.5,-7", "-1.5,7")
        self.assertIn("time_us is -1.5, below 0", "".join(
            check.check_set(self.place(), self.result("mine"))))

    def test_of_several_gpus(self):
        """Their results have the name of a machine with two."""
        self.experiments("# several GPUs: links\nspeed time demo --csv\n"
                         "links time demo --csv\n")
        self.bench("--machine", "mine")
        self.do("import", "--reference", "--machine", "big",
                str(self.result("mine")))
        found = sorted(path.name for path in
                       (self.tree / "bench/demo").glob("*.big*.csv"))
        self.assertEqual(found, ["links.bigx2.csv", "speed.big.csv"])
        self.assertIn("# machine: bigx2\n",
                      (self.tree / "bench/demo/links.bigx2.csv").read_text())

    def test_doubtful(self):
        """No reference, unless it is asked for."""
        self.edit("# inputs", "# doubt: hot\n# inputs")
        folder = str(self.result("mine"))
        self.says(self.do("import", "--reference", folder), "doubtful: hot")
        self.assertIn("nothing of these", self.fault)
        self.do("import", "--reference", "--doubtful", folder)
        self.assertEqual(self.fault, "")

    def test_archives_that_lead_elsewhere(self):
        outside = self.root.parent / f"{self.root.name} outside"
        for name, link in [("mine/link", "/etc/passwd"),
                           (f"../{outside.name}", "")]:
            with tarfile.open("bad.tgz", "w:gz") as tar:
                member = tarfile.TarInfo(name)
                if link:
                    member.type, member.linkname = tarfile.SYMTYPE, link
                tar.addfile(member)
            self.assertRegex(self.do("import", "bad.tgz"),
                             "such as a link: link|leads out of it")
        self.assertFalse(outside.exists())

    def test_refused(self):
        """What is bad is named as the reader knows it."""
        self.edit("tile,1.5", "tile,nan")
        shutil.copytree(self.result("mine"), "mine")
        line = self.file.read_text().count("\n")
        self.says(self.do("import", "--machine", "theirs", "mine"),
                  f"theirs/demo/speed.csv:{line}: error: row 1 (tile): time_us"
                  " is 'nan'", "measured on 'theirs'; measure it again there",
                  "nothing of these results is taken over")
        self.assertFalse(self.result("theirs").exists())
        self.says(self.do("need", "h200,mine"),
                  f"{self.file}:{line}: error: row 1 (tile): time_us is 'nan'",
                  "cannot show the results of the machine 'mine'")
        self.says(self.do("need", "other"), "no results of"
                  " a machine 'other' here; there are: mine software")

    def refused_set(self, old, new, message, mode=check.WHOLE):
        good = self.file.read_text()
        self.assertIn(old, good)
        self.edit(old, new)
        faults = check.check_set(self.place(), self.result("mine"), mode)
        self.assertTrue(any(message in one for one in faults), faults)
        self.file.write_text(good)

    @unittest.skipUnless(shutil.which("git"), "there is no git here")
    def test_contributed(self):
        for command in ("init -q", "-c user.name=a -c user.email=b commit -q"
                        " --allow-empty -m c"):
            subprocess.run(["git", "-C", self.tree, *command.split()],
                           check=True)
        folder = str(self.result("mine"))
        self.says(self.do("import", "--reference", folder),
                  "the commit 'abc123' is not in this repository")
        commit = subprocess.check_output(
            ["git", "-C", self.tree, "rev-parse", "HEAD"], text=True)
        self.edit("# commit: abc123\n", f"# commit: {commit}")
        self.refused_set("# seconds: 0\n", "", "the head has no 'seconds'")
        self.refused_set("# machine: mine", "# machine: other",
                         "it was measured on 'other', not on 'mine'")
        self.refused_set("version,", "name,", "its columns are not those of"
                         " the reference: version,time_us")
        self.refused_set("tile,", "bricks,", "it has no row of tile, which the"
                         " reference has")
        self.refused_set("tile,1.5", "tile,1.5,7", "has 3 values")
        self.refused_set("# inputs", "# doubt: hot\n# inputs", "doubtful: hot;"
                         " measure it again", check.COMPLETE)
        self.refused_set(commit, commit.strip() + "-changed\n",
                         "measured with changed sources", check.COMPLETE)
        self.refused_set("# commit", "# tree: 0123456789ab\n# commit: 0123abc"
                         "\n# was", "the commit '0123abc' is not in this"
                         " repository", check.COMPLETE)
        self.experiments("speed time demo --csv\nmore time demo --csv\n")
        self.refused_set("tile", "tile", "demo/more.csv: error: it is missing",
                         check.COMPLETE)
        self.experiments("more time demo --csv\n")
        self.refused_set("tile", "tile", "there is no experiment demo/speed")
        self.experiments("speed time demo --csv\n")
        self.says(self.do("import", "--reference", folder),
                  "Taken over into bench/<chapter>/")
        taken = self.tree / "bench/demo/speed.mine.csv"
        self.assertEqual(taken.read_text(), self.file.read_text())
        self.assertEqual(check.check_set(self.place(), "mine",
                                         check.COMPLETE), [])
        self.says(self.do("import", "--reference", folder),
                  "bench/ holds results of a machine 'mine' already")


if __name__ == "__main__":
    unittest.main()
