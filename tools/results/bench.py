"""./course bench: makes the results that are missing."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import time
from typing import Callable, Dict, List, NamedTuple, Optional, Set, Tuple

from . import diagnosis, experiments, here, options, result, run
from .errors import Fault, Interrupted, Skip
from .experiments import Experiment
from .measure import Workplace, is_current, left_out_by_clang, measure
from .options import say, warn

FAILED = "FAILED: "
# What the CUDA runtime says where the driver is older than itself.
NO_CODE = "no kernel image is available"     # … and where it has none for the GPU
TOO_OLD = "CUDA driver version is insufficient"

# What to do about a reason for which something was left out: the first that
# the reason holds.
REMEDIES = [
    (TOO_OLD, f"CUDA 13 needs a driver of version {diagnosis.DRIVER_OF_CUDA_13} or"
     " later: update it; ./course bench --software counts without the GPU."),
    ("ERR_NVGPUCTRPERM", "NVIDIA's driver lets only an administrator read the"
     " counters. Run it as root, or have one load the driver with"
     " NVreg_RestrictProfilingToAdminUsers=0:"
     " https://developer.nvidia.com/ERR_NVGPUCTRPERM"),
    ("ncu (Nsight Compute) was not found", "ncu comes with the CUDA Toolkit,"
     " or as the package cuda-nsight-compute; it must be on PATH or in"
     " CUDA_HOME/bin."),
    ("nvcc was not found", "nvcc comes with the CUDA Toolkit:"
     " https://developer.nvidia.com/cuda-downloads"),
    ("compute-sanitizer", "compute-sanitizer comes with the CUDA Toolkit."),
    ("cuda-gdb", "cuda-gdb comes with the CUDA Toolkit."),
    ("cuobjdump", "cuobjdump comes with the CUDA Toolkit."),
    ("mpirun", "mpirun comes with an MPI, such as the package openmpi-bin."),
    ("GPUs", "The chapter shows the reference's numbers. On a cluster, ask for"
     " more GPUs: tools/slurm/README.md."),
    ("compute capability", "A newer GPU has it; ./course run --software shows"
     " what the listing does."),
    ("memory", "nvidia-smi shows who uses the GPU's memory; end those"
     " programs, or take a GPU with more."),
    ("does not compile", "ninja -C {build} says why."),
    ("wrong on this machine", "This must not happen: please report it with the"
     " messages above."),
    ("FAILED", "The message above says why; ./course bench tries it again."),
    ("software device was not built", "./course doctor says what it needs."),
    ("", "The chapter shows the reference's numbers."),
]


class Wanted(NamedTuple):
    """A result to make."""
    one: Experiment
    machine: str
    file: pathlib.Path

    @property
    def program(self) -> str:
        return f"{self.one.slug}/{self.one.program}"


def in_words(seconds: int) -> str:
    return f"{(seconds + 30) // 60} min" if seconds >= 90 else f"{seconds} s"


def all_results(place: Workplace, slugs: List[str], gpu: str,
                reference: bool = False, software: bool = True
                ) -> List[Wanted]:
    """What a full set has. gpu: the machine of the GPU, or "". Reference
    results that take several GPUs are of a machine of their own. software:
    with what the software device counts."""
    found = []
    for slug in slugs:
        for one in place.experiments(slug).values():
            for machine in ("software" if software else "", gpu):
                if machine and one.kind.runs_on(machine):
                    if reference:
                        machine = options.reference_machine(one, machine)
                    found.append(Wanted(one, machine, place.result_file(
                        one, machine, reference)))
    return found


def first_look(place: Workplace, slug: str) -> List[Experiment]:
    """The times that a chapter is about: of its ladders, or else its first.
    One GPU is enough for them."""
    timed = [one for one in place.experiments(slug).values()
             if one.kind.name == "time" and not one.several and not one.origin]
    return timed[:1] + [one for one in timed[1:] if "ladder" in one.name or
                        "--csv=ladder" in one.arguments]


class TimeLeft:
    """How long the rest takes: as expected, times how wrong the expectation
    has been so far. The first results weigh little: half a minute as expected
    goes before them."""

    def __init__(self, expected: List[int]):
        self.left, self.n = sum(expected), len(expected)
        self.spent = self.planned = 30

    def total(self) -> str:
        return in_words(self.left + self.n)

    def after(self, expected: int, took: int) -> str:
        self.left -= expected
        self.planned += expected
        self.spent += took
        self.n -= 1
        if not self.n:
            return ""
        rest = self.left * self.spent // self.planned + self.n
        return f", about {in_words(rest)} left"


class Bench:
    def __init__(self, place: Workplace, given: argparse.Namespace):
        self.place = place
        self.reference, self.again = given.reference, given.again
        self.gpu_only = given.gpu
        self.quick = given.quick
        self.slugs = given.slugs or experiments.slugs(place.root)
        if given.machine is not None:
            options.need_machine_name(given.machine)
        for slug in given.slugs:
            options.need_slug(place.root, slug)
        self.on_gpu = not given.software and here.gpu_here()
        self.findings = [] if given.software else diagnosis.look()
        self.machine = ""
        if self.on_gpu:
            self.machine = given.machine or options.machine_here(
                place.root, self.reference)
            options.need_machine_name(self.machine)
            self._need_usable()
        elif self.gpu_only or self.quick:
            raise Fault("there is no GPU here, and"
                        f" {'--quick' if self.quick else '--gpu'} wants only"
                        " what a GPU gives")
        # What the software device counts, tests count again at every commit.
        if self.reference and self.on_gpu and not given.changed:
            self._need_commit()
        self.left_out: List[Tuple[str, str]] = []
        self.doubts: List[Tuple[str, str]] = []
        self.n_made = self.n_kept = 0

    def _need_commit(self) -> None:
        """What is measured for all must be there for all."""
        commit = here.commit(self.place.root)
        if commit == "unknown" or commit.endswith("-changed"):
            raise Fault("the results would name no commit that others have"
                        f" ({commit}): commit what is edited in code/, device/,"
                        " bench/common/ and tools/results/ first; without git,"
                        " COURSE_COMMIT names the commit; with --changed they"
                        " are measured all the same")

    def _need_usable(self) -> None:
        """A GPU that no program can use is not measured."""
        for one in self.findings:
            if not one.usable:
                raise Fault(diagnosis.in_words(one))

    # --- what is to be made -------------------------------------------------

    def run(self) -> None:
        compiler = self.place.compiler()
        if here.is_clang(compiler) and self.reference:
            raise Fault(f"{compiler} compiles the listings here, and the results"
                        " in bench/ are of nvcc's programs")
        if here.is_clang(compiler) and self.on_gpu:
            raise Fault(f"{compiler} compiles the listings here, for the software"
                        " device alone: ./course bench --software counts on it")
        if compiler:
            say(f"Compiled by {here.in_words(compiler)}.")
        for one in self.findings:
            say(diagnosis.in_words(one))
        if not self.on_gpu:
            say("Without a GPU: only what the software device counts, no"
                " times.")
        every = self._wanted()
        build_listings(self.place.build, self.slugs, self._does_not_compile,
                       {one.program for one in every} if self.quick else None)
        missing = [one for one in every if self.again or not self._kept(one)]
        if self.n_kept:
            say(f"{self.n_kept} results are here already (--again measures"
                " them anew).")
        self._check_listings(missing)
        bad = {what for what, _ in self.left_out}
        self._measure_all([one for one in missing if one.program not in bad])
        self._sum_up()

    def _wanted(self) -> List[Wanted]:
        every = all_results(self.place, self.slugs, self.machine,
                            self.reference, not (self.gpu_only or self.quick))
        if not self.quick:
            return every
        chosen = {one.id for slug in self.slugs
                  for one in first_look(self.place, slug)}
        return [one for one in every if one.one.id in chosen]

    def _does_not_compile(self, program: str) -> None:
        self.left_out.append((program, FAILED + "it does not compile here"))

    def _kept(self, wanted: Wanted) -> bool:
        if not is_current(self.place, wanted.one, wanted.machine, wanted.file):
            return False
        self.n_kept += 1
        self._note_doubt(wanted,
                         result.read_head(wanted.file).get("doubt", ""))
        return True

    def _note_doubt(self, wanted: Wanted, doubt: str) -> None:
        if doubt:
            self.doubts.append((wanted.one.id, doubt))

    def _check_listings(self, missing: List[Wanted]) -> None:
        """Every listing whose results are missing is checked first; one that
        is wrong here is not measured."""
        environment = dict(os.environ)
        if self.on_gpu:
            environment.update(here.gpu_environment())
        else:
            environment["LD_LIBRARY_PATH"] = str(self.place.build / "device")
        for program in sorted({one.program for one in missing}):
            binary = self.place.build / "code" / program
            if (not os.access(binary, os.X_OK) or
                    here.is_clang(self.place.compiler()) and
                    program in left_out_by_clang(self.place.root)):
                continue
            say(f"Checking {program} …")
            said, status = here.said([str(binary), "--check"],
                                     env=environment, close_fds=False)
            if run.stop_requested():
                raise Interrupted
            if status == 77:
                self.left_out.append((program,
                                      said.rstrip("\n").split("\n")[-1]))
            elif status and TOO_OLD in said:
                self.left_out.append((program, FAILED + TOO_OLD))
            elif status and NO_CODE in said:
                self.left_out.append((program, "needs a higher compute capability"
                    f" than {here.gpu_field('compute_cap')}"))
            elif status:
                sys.stderr.write(said)
                warn(f"{program} is wrong on this machine; nothing of it is"
                     " measured")
                self.left_out.append((program, FAILED +
                                      "it is wrong on this machine"))

    def _expected_seconds(self, wanted: Wanted) -> int:
        """As long as the last time here, or on the reference, or else a guess
        by its kind."""
        one = wanted.one
        pattern = f"{one.name}.*.{one.kind.extension}"
        for path in [wanted.file] + sorted(
                (self.place.root / "bench" / one.slug).glob(pattern)):
            seconds = result.read_head(path).get("seconds", "")
            if seconds.isdigit():
                return int(seconds)
        if wanted.machine == "software" and one.kind.name != "ptx":
            return 1
        return 3 if one.kind.name in ("sass", "ptx") else 5

    # --- making it ----------------------------------------------------------

    def _measure_all(self, wanted: List[Wanted]) -> None:
        expected = [self._expected_seconds(one) for one in wanted]
        left = TimeLeft(expected)
        if wanted:
            say(f"{len(wanted)} to make, in about {left.total()}.")
        for i, (one, seconds) in enumerate(zip(wanted, expected), 1):
            say(f"[{i}/{len(wanted)}] {one.one.id} on {one.machine} … ",
                end="")
            self._measure_one(one, left, seconds)
            if run.stop_requested():
                raise Interrupted

    def _measure_one(self, wanted: Wanted, left: TimeLeft,
                     expected: int) -> None:
        began = time.time()
        said: List[str] = []
        try:
            doubt = measure(self.place, wanted.one, wanted.machine,
                            wanted.file, said.append)
        except Skip as reason:
            left.after(expected, int(time.time() - began))
            say(f"left out: {reason}")
            self.left_out.append((wanted.one.id, str(reason)))
        except Fault as fault:
            left.after(expected, int(time.time() - began))
            say("FAILED")
            print("".join(said) + str(fault), file=sys.stderr, flush=True)
            self.left_out.append((wanted.one.id, FAILED + "see above"))
        else:
            took = int(time.time() - began)
            self.n_made += 1
            self._note_doubt(wanted, doubt)
            say(f"{took} s{f', doubtful: {doubt}' if doubt else ''}" +
                left.after(expected, took))

    # --- how it went ---------------------------------------------------------

    def _remedy(self, why: str) -> str:
        build = os.path.relpath(self.place.build, self.place.root)
        return next(text for part, text in REMEDIES if part in why).replace(
            "{build}", build)

    def _sum_up(self) -> None:
        n_failed = sum(why.startswith(FAILED) for _, why in self.left_out)
        say(f"\n{self.n_made} measured, {self.n_kept} kept,"
            f" {len(self.left_out) - n_failed} left out, {n_failed} failed.")
        if self.left_out:
            say("Left out:")
            for why, names in _grouped(self.left_out).items():
                say("".join(f"    {name}\n" for name in names) +
                    f"  because: {why}\n  {self._remedy(why)}")
        if self.doubts:
            say("Doubtful, and marked so in the book:")
            for why, names in _grouped(self.doubts).items():
                say("".join(f"    {name}\n" for name in names) +
                    f"  because: {why}")
            say("  Measure again when the GPU is cool and idle: ./course bench"
                " --again")
        if self.reference:
            options.note_new_results(self.place.build)
            say("The results are in bench/<slug>/; git diff shows what"
                " changed.")
        else:
            say(f"The results are in {self.place.build}/results/")
            if self.machine:
                say("The book with them: ./course book --results"
                    f" {self.machine}")
        if self.quick:
            say("This was a first look: ./course bench measures the rest.")
        if n_failed:
            raise Fault(f"{n_failed} experiments failed")


def _grouped(lines: List[Tuple[str, str]]) -> Dict[str, List[str]]:
    groups: Dict[str, List[str]] = {}
    for what, why in lines:
        groups.setdefault(why, []).append(what)
    return groups


# --- the build ---------------------------------------------------------------

def _ninja(build: pathlib.Path, *arguments: str, quiet: bool = False) -> int:
    ninja = here.ninja()
    if ninja is None:
        raise Fault("ninja is missing; ./course doctor says how to install it")
    kept = subprocess.DEVNULL if quiet else None
    return subprocess.run(
        [ninja, "-C", str(build), *arguments], stdout=kept, stderr=kept,
        close_fds=False, stdin=subprocess.DEVNULL,
        env=dict(os.environ, NINJA_STATUS="[%f/%t] ")).returncode


def _targets(build: pathlib.Path, pattern: str) -> List[str]:
    said = here.output_of([here.ninja() or "ninja", "-C", str(build), "-t",
                           "targets", "all"]) or ""
    names = (re.sub(r": [A-Za-z_]*$", "", line) for line in said.split("\n"))
    return [name for name in names if re.match(pattern, name)]


def build_listings(build: pathlib.Path, slugs: List[str],
                   on_failure: Callable[[str], None],
                   programs: Optional[Set[str]] = None) -> None:
    """Builds the chapters' listings, or only these programs, and the device.
    A listing that does not compile here takes only its own experiments
    along."""
    listings = [name for name in _targets(
        build, f"code/({'|'.join(slugs)})/")
        if programs is None or name[len("code/"):] in programs]
    device = _targets(build, "device/(libcu|launch_run$)")
    if not listings + device:
        return
    if not _ninja(build, "-k", "0", *device, *listings):
        return
    if device and _ninja(build, *device):
        raise Fault("the build stopped; the message above says where and why")
    for program in listings:
        if _ninja(build, program, quiet=True):
            path = build / program
            if path.is_file():
                path.unlink()
            on_failure(program[len("code/"):])
    if run.stop_requested():
        raise Interrupted
