"""Runs one experiment and writes its result, with where it comes from in the
head."""
import contextlib
import datetime
import os
import pathlib
import re
import sys
import tempfile
import time
from typing import Callable, Dict, Iterator, List, Optional

from . import experiments, here, inputs, launches, result
from .conditions import Conditions, Spreads, head_of_spreads, spreads
from .errors import Fault, Skip
from .experiments import Experiment
from .run import Run, here_lines
from .runners import RUNNERS


class Workplace:
    """The tree, the build folder, and what was asked about them once."""

    def __init__(self, root: pathlib.Path, build: pathlib.Path):
        self.root, self.build = root, build
        self._experiments: Dict[str, Dict[str, Experiment]] = {}
        self._compiler: Optional[str] = None
        self._programs = inputs.Programs(build)

    def experiments(self, slug: str) -> Dict[str, Experiment]:
        if slug not in self._experiments:
            self._experiments[slug] = experiments.read(self.root, slug)
        return self._experiments[slug]

    def experiment(self, slug: str, name: str) -> Experiment:
        found = self.experiments(slug)
        if name not in found:
            raise Fault(f"no experiment '{name}' in it",
                        f"bench/{slug}/experiments")
        return found[name]

    def compiler(self) -> str:
        """What compiles the listings here, as heads name it."""
        if self._compiler is None:
            self._compiler = here.compiler(self.build)
        return self._compiler

    def inputs_of(self, one: Experiment, on_software: bool) -> inputs.Inputs:
        return inputs.Inputs(self.root, self.build, one, on_software,
                             self._programs)

    def state(self, one: Experiment, machine: str,
              head: Dict[str, str]) -> inputs.State:
        """Is the result with this head what its program would give today?
        Nothing runs."""
        return inputs.state(head, self.inputs_of(one, machine == "software"),
                            self.compiler())

    def result_file(self, one: Experiment, machine: str,
                    reference: bool = False) -> pathlib.Path:
        extension = one.kind.extension
        if reference:
            return (self.root / "bench" / one.slug /
                    f"{one.name}.{machine}.{extension}")
        return (self.build / "results" / machine / one.slug /
                f"{one.name}.{extension}")


def is_current(place: Workplace, one: Experiment, machine: str,
               file: pathlib.Path) -> bool:
    """Was the file made from the same kernels, launches, arguments and method,
    by the same compiler? Nothing runs."""
    if not file.is_file() or not file.stat().st_size:
        return False
    head = result.read_head(file)
    try:
        return (head.get("toolkit") == place.compiler() != "" and
                place.state(one, machine, head).is_current)
    except OSError:
        return False


def left_out_by_clang(root: pathlib.Path) -> Dict[str, str]:
    """The listings that clang cannot compile, with the reasons."""
    lines = (root / "code/clang.left_out").read_text("utf-8").splitlines()
    return {name: reason for name, _, reason in
            (line.partition("\t") for line in lines)}


def _need_all(place: Workplace, one: Experiment, machine: str) -> None:
    """Raises Skip or Fault where it cannot run."""
    experiments.need_programs(place.root, {one.name: one})
    if not place.compiler():
        raise Skip("nvcc was not found")
    if here.is_clang(place.compiler()):
        _need_clang(place, one, machine)
    if not one.kind.runs_on(machine):
        raise Skip(one.kind.why_not or "the build computes it")
    binary = place.build / one.target
    if not os.access(binary, os.X_OK):
        raise Fault(f"{binary} is not built; ./course bench builds it",
                    one.place)
    if machine == "software":
        if not (place.build / "device/libcudart.so.13").exists():
            raise Skip("the software device was not built")
    elif not here.gpu_here():
        raise Skip("no NVIDIA GPU here")


def _need_clang(place: Workplace, one: Experiment, machine: str) -> None:
    """clang compiles nearly all listings, for the software device alone."""
    reason = left_out_by_clang(place.root).get(f"{one.slug}/{one.program}")
    if machine != "software":
        raise Skip("nvcc was not found: clang compiles for the software device")
    if reason:
        raise Skip(f"nvcc was not found: {reason}")
    if one.kind.needs_nvcc:
        raise Skip("nvcc was not found: this is about its output")


def _compile_flags(place: Workplace, one: Experiment) -> str:
    """The compiler's options, without this machine's paths."""
    ninja = here.ninja()
    said = here.output_of([ninja, "-C", str(place.build), "-t", "commands",
                           one.target]) if ninja else None
    lines = [line for line in (said or "").split("\n")
             if re.search("nvcc|softdevice-cc| -c ", line)]
    words = (lines or [""])[-1].replace("'", "").split()[1:]
    flags: List[str] = []
    while words:
        word = words.pop(0)
        if re.fullmatch(r"-(MF|MQ|MT|o|I|c)", word):
            del words[:1]
        elif re.match(r"-(?!I|MD|MF|W|fdiagnostics)", word):
            flags.append(word)
            if word in ("-gencode", "-arch", "-code"):
                flags += words[:1]
                del words[:1]
    return " ".join(flags)


def _repetitions(run: Run) -> str:
    """How often a time was measured: as the arguments say, else as the
    program's help says."""
    match = re.search(r"--repetitions[ =]([0-9]+)", " ".join(run.arguments))
    if not match and run.one.kind.is_timed:
        match = re.search(
            r"--repetitions.*\(default ([0-9]+)\)",
            "\n".join(here_lines([run.binary, "--help"], run.environment())))
    return match[1] if match else "1"


def _head(place: Workplace, run: Run, began: float,
          watch: Optional[Conditions],
          spread: Optional[Spreads]) -> Dict[str, str]:
    one = run.one
    head = {"machine": run.machine}
    if watch is None:
        head.update(gpu="software device", driver="none",
                    compute_capability=os.environ.get(
                        "SOFTDEVICE_COMPUTE_CAPABILITY", "9.0"))
    else:
        gpu, n_gpus = here.gpu_name(), here.n_gpus()
        if one.several:
            gpu = f"{n_gpus} × {gpu}"
        head.update(gpu=gpu, gpus=str(n_gpus),
                    compute_capability=here.gpu_field("compute_cap"),
                    driver=here.gpu_field("driver_version"))
        head.update(watch.head())
        head["cpu"] = here.processor()
    now = datetime.datetime.now(datetime.timezone.utc)
    head.update(
        toolkit=place.compiler(),
        compile_flags=_compile_flags(place, one),
        commit=here.commit(place.root),
        date=now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        command=" ".join([*one.settings, one.target, *one.arguments]),
        repetitions=_repetitions(run),
        seconds=str(int(time.time() - began)),
        tree=here.tree(place.root, "code"),
        inputs=place.inputs_of(one, run.on_software).words())
    if watch is not None:
        head.update(head_of_spreads(spread))
        doubts = watch.doubts(spread)
        if doubts:
            head["doubt"] = "; ".join(doubts)
    return head


def _write(place: Workplace, file: pathlib.Path, head: Dict[str, str],
           text: str) -> None:
    """Under another name first, so that an interrupted run leaves what was
    there before. What the software device counts is a test's expectation when
    it is in bench/: if only its head would change, it stays as it was."""
    has_head = file.suffix in result.WITH_HEAD
    in_bench = place.root / "bench" in file.parents
    if (in_bench and head["machine"] == "software" and file.is_file() and
            result.content(file) == text.encode()):
        return
    lines = result.write_head(head)
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(file.name + ".new")
    try:
        new.write_bytes(((lines if has_head else "") + text).encode())
        if not has_head and not (in_bench and head["machine"] == "software"):
            file.with_name(file.name + ".head").write_text(lines)
        os.replace(new, file)
    finally:
        if new.exists():
            new.unlink()


@contextlib.contextmanager
def _prepared(place: Workplace, one: Experiment, machine: str,
              tell: Callable[[str], object]) -> Iterator[Run]:
    _need_all(place, one, machine)
    with tempfile.TemporaryDirectory(prefix="measure.") as work:
        yield Run(place.root, place.build, one, machine, pathlib.Path(work),
                  here.find_program("nvcc") or "", tell)


def text_of_software(place: Workplace, one: Experiment) -> str:
    """What the software device gives now, for tests: no head, no file."""
    with _prepared(place, one, "software", sys.stderr.write) as run:
        return RUNNERS[one.kind.name](run)


def measure(place: Workplace, one: Experiment, machine: str,
            file: pathlib.Path,
            tell: Callable[[str], object] = sys.stderr.write) -> str:
    """Returns what makes the result doubtful; "" if nothing does."""
    with _prepared(place, one, machine, tell) as run:
        began = time.time()
        watch = Conditions(one.kind) if machine != "software" else None
        try:
            text = RUNNERS[one.kind.name](run)
        finally:
            if watch is not None:
                watch.end()
        if not text:
            command = " ".join([one.program, *one.arguments])
            raise run.fault(f"'{command}' printed no result")
        spread = spreads(result.parse(text)) if watch is not None else None
        head = _head(place, run, began, watch, spread)
        if one.kind.is_launch:
            launches.keep(text, run.work, file.parent / launches.FOLDER)
        _write(place, file, head, text)
        if one.kind.is_launch:
            launches.forget_unused(file.parent)
        return head.get("doubt", "")
