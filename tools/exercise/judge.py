"""Judges an answer: launches it on the software device with all checks, on the cases
of its exercise, the smallest first, next to the reference, which one thread of the same
device runs. The first case that fails is told. Only where all are right, counts are
compared with the goals."""
import csv
import hashlib
import os
import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Tuple

from . import notation, programs, words
from .notation import Case, Exercise, Fault, Goal, Parameter
from .programs import Ptx

CHECKS = "memory,init,race,sync"
LIMIT = 5                # seconds for a launch, which takes a few milliseconds
PATIENCE = 120           # seconds for all that launch_run does with one case
APART = 1 << 16          # bytes between buffers: what misses one hits no other
SHOWN = 12               # so many elements are shown in full

SOLVED, WRONG, COSTLY, BROKEN = "solved", "wrong", "costly", "broken"


class Verdict(NamedTuple):
    """SOLVED; WRONG: a result, or what a check found; COSTLY: right, but a goal is
    missed; BROKEN: it does not compile, or cannot be launched."""
    verdict: str
    text: str
    line: int = 0            # in the reader's file; 0: of none
    case: Case = {}
    printed: str = ""        # by the kernel
    goals: Tuple[str, ...] = ()

    def as_json(self, name: str, compiler: str, seed: int) -> Dict:
        return {"exercise": name, "verdict": self.verdict, "message": self.text,
                "line": self.line, "case": self.case, "compiler": compiler,
                "seed": seed, "goals": list(self.goals)}


class Bench(NamedTuple):
    """What an answer is judged with."""
    exercise: Exercise
    launch_run: Path
    folder: Path             # of the files that launches name
    reference: Ptx
    seed: int
    front: Tuple[str, ...] = ()     # what puts launch_run into a sandbox


# ---- launches ---------------------------------------------------------------

def _argument(one: Parameter, buffers: Dict[str, str], names) -> str:
    if one.type:
        if one.name not in names:
            raise Fault(f"`case` has no {one.name}")
        return f"{one.type}:{one.name}"
    if one.name not in buffers:
        raise Fault(f"there is no buffer {one.name}")
    return buffers[one.name]


def launch_text(bench: Bench, answer: Ptx, inside: str, case: Case, order: int,
                shows: List[str]) -> str:
    """The launch that launch_run carries out. `order`: of blocks and warps."""
    exercise = bench.exercise
    names = {**case, "seed": bench.seed}
    lines = [f"ptx {answer.hash}",      # first: from then on memory is watched
             f"align {APART}",
             *[f"knob {name} {number}" for name, number in names.items()]]
    mine = {text.split()[1]: text.split()[1] for _, text in exercise.lines
            if text.startswith("buffer ")}
    formal = notation.parameters(exercise.code["reference"], "reference")
    compared = [one.name for one in formal if not one.type]
    theirs = {**mine, **{name: f"{name}_wanted" for name in compared}}
    # All of the reference comes after the answer, which could read or change what is
    # there before it. Its inputs are new ones.
    wanted, began = [f"ptx {bench.reference.hash}"], False
    for _, text in exercise.lines:
        if not text.startswith("launch "):
            lines.append(text)
            if text.split()[1] in compared:
                wanted.append(re.sub(r"^(\w+ )(\w+)", r"\1\2_wanted", text))
            continue
        if not began:
            wanted.append(" ".join(
                [f"launch reference 1 1 limit={PATIENCE}"]
                + [_argument(one, theirs, names) for one in formal]))
            began = True
        parts = notation.split(text)[1:]
        given = programs.arguments(parts)
        options = [word for word in parts[3:] if word not in given]
        own = notation.parameters(exercise.model(), parts[0])
        lines.append(" ".join(
            ["launch", answer.kernel(parts[0], inside), *parts[1:3],
             f"limit={LIMIT}", *([f"seed={order}"] if order else []), *options,
             *(given or [_argument(one, mine, names) for one in own])]))
        if not shows:       # what it prints could look like a buffer's numbers
            lines.append("shows")
    lines += wanted
    within = f" within {exercise.within}" if exercise.within else ""
    # What is const is compared, too: nothing may have been written to it.
    lines += [f"expect {one.name} like {one.name}_wanted{within}" for one in sorted(
        (one for one in formal if not one.type), key=lambda one: one.is_const)]
    lines += [f"shows {name}" for name in shows]
    return "".join(line + "\n" for line in lines)


class Ran(NamedTuple):
    status: int
    printed: str
    said: str
    counts: List[Dict[str, str]]
    lines: List[Dict[str, str]]


def _rows(path: Path) -> List[Dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def run(bench: Bench, text: str, with_counts: bool = False) -> Ran:
    path = bench.folder / "case.launch"
    path.write_text(text, encoding="utf-8")
    command: List[str] = [*bench.front, str(bench.launch_run), "--check", CHECKS,
                          "--check-status", "0"]
    files = {}
    if with_counts:
        files = {one: bench.folder / (one + ".csv")
                 for one in ("counts", "atomics", "lines")}
        for one, file in files.items():
            file.unlink(missing_ok=True)
            command += ["--" + one, str(file)]
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("SOFTDEVICE_")}
    try:
        done = subprocess.run([*command, str(path)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              env=environment, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        raise Fault(f"the software device was not done after {PATIENCE} s") from None
    counts = [{**more, **row} for row, more in zip(
        _rows(files["counts"]), _rows(files["atomics"]))] if files else []
    return Ran(done.returncode, done.stdout.decode("utf-8", "replace"),
               done.stderr.decode("utf-8", "replace"), counts,
               _rows(files["lines"]) if files else [])


# ---- one case ---------------------------------------------------------------

def _shape(bench: Bench, name: str, case: Case) -> Tuple[int, List[int]]:
    """How many elements a buffer has, and, where its COUNT is ROWS*COLUMNS, both."""
    for _, text in bench.exercise.lines:
        parts = notation.split(text)
        if parts[0] == "buffer" and parts[1] == name:
            both = re.fullmatch(r"(\w+|\([^()]*\))\*(\w+|\([^()]*\))", parts[3])
            return (notation.value(parts[3], case),
                    [notation.value(one, case) for one in both.groups()]
                    if both else [])
    return 0, []


def _is_new(bench: Bench, name: str) -> bool:
    """Has the buffer no values of its own?"""
    return any(text.split()[:2] == ["buffer", name] and " = " not in text + " "
               for _, text in bench.exercise.lines)


def _written(bench: Bench) -> List[str]:
    """What an answer has to write, in the reference's order."""
    formal = notation.parameters(bench.exercise.code["reference"], "reference")
    return [one.name for one in formal if not one.type and not one.is_const]


def _small(bench: Bench, case: Case) -> List[str]:
    """The buffers to show in full: all of them, if they are small."""
    names = [text.split()[1] for _, text in bench.exercise.lines
             if text.startswith("buffer ")]
    if all(_shape(bench, name, case)[0] <= SHOWN for name in names):
        return names
    return []


def judge_case(bench: Bench, answer: Ptx, inside: str, case: Case, order: int,
               with_counts: bool = False) -> Tuple[Optional[Verdict], Ran]:
    ran = run(bench, launch_text(bench, answer, inside, case, order, []),
              with_counts)
    where = "With " + programs.describe(bench.exercise, case)
    mistake = words.mistake(ran.said, lambda name: _shape(bench, name, case))
    if mistake is None and ran.status == 0:
        return None, ran
    if ran.status not in (0, 1):
        return Verdict(BROKEN, words.refused(ran.said), 0, case), ran
    value = words.value(ran.said, lambda name: _shape(bench, name, case),
                        lambda name: _is_new(bench, name))
    if value and words.changed(ran.said) not in _written(bench):
        value += ". The kernel has changed what it is given to read"
    text = []
    if mistake:
        text.append(f"{where}: {mistake.text}")
        if value and not mistake.ends:
            text.append(f"What comes out is wrong, too: {value}.")
        elif not mistake.ends:
            text.append("What comes out is right, this time. Nothing promises that"
                        " it will be the next time.")
    elif value:
        text.append(f"{where}, {value}.")
        text += _arrays(bench, answer, inside, case, order)
    else:
        text.append(f"{where}: {ran.said.strip()}")
    if "seed" in "".join(line for _, line in bench.exercise.lines):
        text.append(f"The input was drawn at random; --seed {bench.seed} draws the"
                    " same again.")
    return Verdict(WRONG, "\n\n".join(text), mistake.line if mistake else 0, case,
                   ran.printed), ran


def _arrays(bench: Bench, answer: Ptx, inside: str, case: Case, order: int
            ) -> List[str]:
    """All of a small input and output. What is both is shown as it came out."""
    names = _small(bench, case)
    compared = _written(bench)
    if not names:
        return []
    shows = ([name for name in names if name not in compared]
             + [one for name in compared if name in names
                for one in (name + "_wanted", name)])
    ran = run(bench, launch_text(bench, answer, inside, case, order, shows))
    rows = [line.partition(" = ") for line in ran.printed.splitlines()
            if line.partition(" = ")[0] in shows]
    rows = [(f"{name[:-7]}, expected" if name.endswith("_wanted") else
             f"{name}, yours" if name in compared else name, values)
            for name, _, values in rows]
    width = max(len(name) for name, _ in rows) if rows else 0
    return ["\n".join(f"  {name.ljust(width)}  {words.plain_numbers(values)}"
                      for name, values in rows)]


# ---- goals ------------------------------------------------------------------

def _counted(text: str, row: Dict[str, str]) -> float:
    def total(part: str) -> int:
        for name in part.split("+"):
            if name not in row:
                raise Fault(f"there is no count {name}")
        return sum(int(row[name] or 0) for name in part.split("+"))
    above, _, below = text.partition("/")
    if not below:
        return total(above)
    n = total(below)
    return total(above) / n if n else 0.0


def _worst_line(goal: Goal, ran: Ran, own: List[Dict[str, str]]) -> int:
    launches = {row["launch"] for row in own}
    rows = [row for row in ran.lines if row.get("launch") in launches
            and int(row["line"])]
    try:
        return int(max(rows, key=lambda row: _counted(goal.count, row))["line"])
    except (ValueError, Fault):
        return 0


def judge_goals(bench: Bench, ran: Ran, case: Case, source: str) -> Verdict:
    """The counts of all launches of the answer, together."""
    own = [row for row in ran.counts if row["kernel"] != "reference"]
    total = {name: str(sum(int(row[name] or 0) for row in own)) for name in own[0]
             if name != "kernel" and own[0][name].isdigit()}
    missed, met, line = [], [], 0
    for goal in bench.exercise.goals:
        found, most = _counted(goal.count, total), notation.value(goal.most, case)
        text = f"{words.number(found)} {goal.words}"
        if found <= most:
            met.append(f"{text} (the goal is at most {most})")
            continue
        missed.append(f"{text}; the goal is at most {most}.")
        worst = _worst_line(goal, ran, own)
        if worst and worst != line:
            line = line or worst
            missed[-1] += words.quote(source, worst, " It is this line that costs"
                                      " most:")
    if not missed:
        return Verdict(SOLVED, "", 0, case, ran.printed, tuple(met))
    return Verdict(COSTLY, "All results are right. With "
                   + programs.describe(bench.exercise, case) + " there are "
                   + "\nThere are ".join(missed).rstrip("\n"), line, case, ran.printed,
                   tuple(met))


# ---- an answer --------------------------------------------------------------

def judge(bench: Bench, answer: Ptx, source: str, inside: str = "") -> Verdict:
    """`source`: the answer's text, for the lines that a message shows. `inside`: the
    namespace of its kernels."""
    exercise = bench.exercise
    for kernel in exercise.kernels():
        try:
            answer.kernel(kernel, inside)
        except Fault as fault:
            return Verdict(BROKEN, str(fault))
    for order, case in enumerate(exercise.cases):
        verdict, ran = judge_case(bench, answer, inside, case, order)
        if verdict:
            return verdict
    if exercise.measured is None:
        return Verdict(SOLVED, "", 0, case, ran.printed)
    verdict, ran = judge_case(bench, answer, inside, exercise.measured, 0, True)
    return verdict or judge_goals(bench, ran, exercise.measured, source)


def prepare(exercise: Exercise, compiler: programs.Compiler, root: Path, build: Path,
            folder: Path, seed: Optional[int] = None) -> Bench:
    """Compiles the reference, or takes it from the build folder, where an earlier run
    has kept it."""
    text = programs.reference_source(exercise).replace(
        "__global__ void reference", 'extern "C" __global__ void reference')
    kept = build / "exercises" / (hashlib.sha256(
        (compiler.name + text).encode()).hexdigest()[:16] + ".ptx")
    if not kept.is_file():
        source = folder / "reference.cu"
        source.write_text(text, encoding="utf-8")
        path, _ = programs.compile_ptx(compiler, source, root, folder)
        kept.parent.mkdir(exist_ok=True)
        new = kept.with_suffix(f".{os.getpid()}")
        shutil.copyfile(path, new)
        new.replace(kept)
    if seed is None:
        seed = random.SystemRandom().randrange(1, 1000000)
    return Bench(exercise, build / "device/launch_run", folder,
                 programs.take(kept, folder), seed)


def judge_file(bench: Bench, compiler: programs.Compiler, root: Path, source: Path,
               gpu: Optional[Path] = None) -> Verdict:
    """`gpu`: what runs launches on a GPU, if there is one."""
    try:
        path, _ = programs.compile_ptx(compiler, source, root, bench.folder)
        ptx = programs.take(path, bench.folder)
    except Fault as fault:
        return Verdict(BROKEN, "It does not compile. The compiler says:\n\n"
                       + words.shortened(str(fault)),
                       words.line_of_error(str(fault)))
    found = judge(bench, ptx, source.read_text("utf-8", "replace"))
    if gpu and found.verdict == SOLVED:
        return judge_on_gpu(bench, gpu, ptx) or found
    return found


# ---- a GPU ------------------------------------------------------------------

def gpu_program(root: Path, folder: Path) -> Path:
    """launch_run for a GPU, as tests/device/ptx/on_gpu builds it."""
    cuda = os.environ.get("CUDA_HOME") or os.environ.get(
        "CUDA_PATH") or "/usr/local/cuda"
    tools, program = root / "device/tools", folder / "launch_run_gpu"
    command = [os.environ.get("CC", "cc"), "-std=c11", "-D_POSIX_C_SOURCE=200809L",
               f"-I{root}", f"-I{cuda}/include", str(root / "tests/device/ptx/ptx_gpu.c"),
               *[str(tools / name) for name in ("launch_run.c", "launch_read.c",
                                                "launch_value.c", "read_file.c")],
               *[str(root / "device/support" / name) for name in (
                   "host_memory.c", "sha256.c")],
               "-o", str(program), f"-L{cuda}/lib64/stubs", "-lcuda", "-lm"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    if done.returncode:
        raise Fault("what runs launches on the GPU does not compile:\n"
                    + done.stdout.decode("utf-8", "replace"))
    return program


def judge_on_gpu(bench: Bench, program: Path, answer: Ptx) -> Optional[Verdict]:
    """The same launches on a GPU: what is right on the software device must be right
    there. None if it is. This has not been tried on a GPU yet."""
    path = bench.folder / "gpu.launch"
    for case in bench.exercise.cases:
        path.write_text(launch_text(bench, answer, "", case, 0, []), "utf-8")
        done = subprocess.run([str(program), str(path)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              timeout=PATIENCE, check=False)
        said = done.stdout.decode("utf-8", "replace")
        if done.returncode:
            value = words.value(said, lambda name: _shape(bench, name, case),
                                lambda name: False)
            return Verdict(WRONG, "Right on the software device, and wrong on the GPU."
                           f" With {programs.describe(bench.exercise, case)}:"
                           f" {value or said.strip()}.", 0, case)
    return None
