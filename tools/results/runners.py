"""How each kind of experiment is run: for each a function that returns the
result, without its head."""
import os
import pathlib
import re
import subprocess
from typing import Callable, Dict, List

from . import here, launches, ncu, texts
from .errors import Skip
from .run import Run

HANG_SECONDS = 30    # a program may be broken on purpose
SANITIZER_TOOLS = ("none", "memcheck", "racecheck", "initcheck", "synccheck")


def time(run: Run) -> str:
    return run.program()


def _allowed_as_root(run: Run, launcher: str) -> Dict[str, str]:
    """Open MPI's mpirun refuses root unless two variables say that it is
    meant. In a container there is often no other user."""
    said = here.output_of([launcher, "--version"]) or ""
    if os.geteuid() or "Open MPI" not in said:
        return {}
    run.tell("mpirun runs as root: OMPI_ALLOW_RUN_AS_ROOT is set for it\n")
    return {"OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def mpi(run: Run) -> str:
    """One process for each GPU of this machine."""
    launcher = run.need("mpirun")
    return run.output(
        [launcher, "-n", str(here.n_gpus()), run.binary] + run.arguments,
        run.environment(**_allowed_as_root(run, launcher)))


table = time    # the same at every run


# --- counted ----------------------------------------------------------------

def _counts_of_software(run: Run) -> List[str]:
    path = run.work / "counts"
    printed = run.program(**{run.one.kind.variable: str(path)})
    return _with_launches(run, printed, texts.lines_of(path.read_text()))


def _counts_of_gpu(run: Run) -> List[str]:
    program = run.need("ncu", "ncu (Nsight Compute)")
    columns = ncu.read_table(run.root / "bench/common" / run.one.kind.metrics)
    log = run.work / "raw"
    printed = run.output(
        [program, "--csv", "--page", "raw", "--print-units", "base",
         "--clock-control", "none", "--log-file", str(log), "--metrics",
         ",".join(ncu.metrics(columns)), run.binary] + run.arguments)
    return _with_launches(run, printed, [",".join(row) for row in
                                         ncu.rows(columns, log)])


def _with_launches(run: Run, printed: str, counts: List[str]) -> List[str]:
    """What the program printed about its launches (a line of names and one
    line for each launch) goes to the left of what was counted."""
    rows = texts.lines_of(printed)
    if not rows:
        rows = ["version"] + [line.split(",")[0] for line in counts[1:]]
    if len(rows) != len(counts):
        raise run.fault(f"the program printed {len(rows) - 1} rows about"
                        f" {len(counts) - 1} launches")
    return [f"{row},{line}" for row, line in zip(rows, counts)]


def count(run: Run) -> str:
    return texts.joined(_counts_of_software(run) if run.on_software
                        else _counts_of_gpu(run))


# --- what the software device writes down -----------------------------------

def launch(run: Run) -> str:
    """What the program launches, with what of its memory matters."""
    path = run.work / "all.launch"
    run.program(SOFTDEVICE_LAUNCH=str(path), SOFTDEVICE_WORKERS="1",
                SOFTDEVICE_SOURCE_BASE=str(run.root))
    if not path.is_file():
        raise run.fault("its launches cannot be written down")
    return launches.reduced(path.read_text("utf-8"), run.work,
                            str(run.build / "device/launch_run"),
                            run.one.settings)


def output(run: Run) -> str:
    # One worker, so that what several blocks print comes in the same order.
    return run.program(SOFTDEVICE_WORKERS="1",
                       SOFTDEVICE_SOURCE_BASE=str(run.root))


def check(run: Run) -> str:
    """That the checks find something is no failure here."""
    said = ""
    environment = run.environment(
        SOFTDEVICE_CHECK="all", SOFTDEVICE_CHECK_STATUS="0",
        SOFTDEVICE_WORKERS="1", SOFTDEVICE_SOURCE_BASE=str(run.root))
    for words in run.versions():
        command = ["$", *run.one.settings, "softdevice", "--check",
                   "./" + run.one.program, *words]
        said += " ".join(command) + "\n"
        said += here.said([run.binary] + words, env=environment)[0]
    said = texts.without_addresses(_without_places(run, said))
    return texts.for_a_page(texts.few_assertions(said))


def _without_places(run: Run, text: str) -> str:
    return texts.without_places(text, run.one.slug, str(run.root),
                                str(run.build))


# --- NVIDIA's tools ---------------------------------------------------------

def _sanitizer_options(tool: str) -> List[str]:
    """"padded" is memcheck with space between allocations. Three messages of a
    kind are enough."""
    if tool == "none":
        return []
    options = {"memcheck": ["--leak-check", "full"],
               "padded": ["--padding", "512"]}.get(tool, [])
    name = "memcheck" if tool == "padded" else tool
    return ["--tool", name] + options + ["--print-limit", "3"]


def sanitizer(run: Run) -> str:
    """What each version does by itself and under each tool. All of them run
    side by side: nothing is timed."""
    program = run.need("compute-sanitizer")
    started = []
    for words in run.versions():
        for tool in SANITIZER_TOOLS + ("padded",):
            options = _sanitizer_options(tool)
            watcher = [program] + options if options else []
            path = run.work / f"said.{len(started)}"
            with open(path, "wb") as file:
                started.append((subprocess.Popen(
                    ["timeout", str(HANG_SECONDS)] + watcher + [run.binary] +
                    words, env=run.environment(), stdin=subprocess.DEVNULL,
                    stdout=file, stderr=subprocess.STDOUT), path, " ".join(
                        ["$"] + ["compute-sanitizer"] * bool(options) +
                        options + ["./" + run.one.program] + words)))
    said = ""
    for process, path, command in started:
        ended = process.wait() != 124
        said += command + "\n" + path.read_text(errors="replace")
        if not ended:
            said += f"(ended after {HANG_SECONDS} s)\n"
    return texts.for_a_page(_without_places(run, said))


def tools(run: Run) -> str:
    """What the program measures, by itself and under each tool."""
    program = run.need("compute-sanitizer")
    lines: List[str] = []
    for tool in SANITIZER_TOOLS:
        watcher = [] if tool == "none" else [
            program, "--tool", tool, "--log-file", str(run.work / "log")]
        printed = texts.lines_of(run.output(
            watcher + [run.binary] + run.arguments))
        lines += ["tool," + line for line in printed[:1] if not lines]
        lines += [f"{tool},{line}" for line in printed[1:]]
    return texts.joined(lines)


def report(run: Run) -> str:
    """Nsight Compute's report on the launches in the NVTX range "measured":
    all sections, with the advice that its rules give."""
    program = run.need("ncu", "ncu (Nsight Compute)")
    log = run.work / "raw"
    run.output([program, "--log-file", str(log), "--clock-control", "none",
                "--set", "full", "--nvtx", "--nvtx-include", "measured/",
                run.binary] + run.arguments)
    text = log.read_text(errors="replace")
    if "ERR_NVGPUCTRPERM" in text:
        raise Skip(ncu.NO_PERMISSION)
    lines = texts.with_rules_in_one_line(
        re.sub(r"^\[[0-9]*\] ", "", line).rstrip(" ")
        for line in texts.lines_of(_without_places(run, text))
        if not line.startswith("==PROF=="))
    return re.sub(r"\n{3,}", "\n\n", texts.for_a_page(texts.joined(lines)))


def _compiled_for_debugger(run: Run) -> str:
    """The program without optimisation, so that its variables are there."""
    compiled = str(run.work / run.one.program)
    run.compiled([run.nvcc, "-std=c++17", "-g", "-G", "--cudart=shared", "-I",
                  str(run.root / "code"),
                  "-arch=" + here.gpu_arch() + _dialect(run), "-o", compiled,
                  str(run.source)])
    return compiled


def _commands(run: Run) -> str:
    return str(run.root / "bench" / run.one.slug / (run.one.name + ".gdb"))


def _session(run: Run, text: str) -> str:
    """What cuda-gdb printed, without what differs each time. Its tables are
    wider than a page: long lines keep one space between columns."""
    text = _without_places(run, text).replace(f"{run.work}/", "")
    lines = [line.expandtabs(8).rstrip() for line in texts.lines_of(text)
             if not re.match(r"exec: |\[New Thread|\[Detaching|\[Thread", line)
             and "libthread_db" not in line]
    return texts.for_a_page(texts.joined([
        re.sub(r"(?<=\S) +", " ", line) if len(line) > texts.COLUMNS else line
        for line in lines]))


def _said(run: Run, command: List[str], folder: pathlib.Path,
          **environment: str) -> "tuple[str, int]":
    """What a program prints that may fail, hang or be aborted."""
    return here.said(["timeout", str(HANG_SECONDS)] + command, cwd=folder,
                     env=run.environment(**environment))


def debugger(run: Run) -> str:
    """A session of cuda-gdb with the commands of bench/<slug>/<name>.gdb."""
    program = run.need("cuda-gdb")
    compiled = _compiled_for_debugger(run)
    text, _ = _said(run, [program, "-batch", "-x", _commands(run), "--args",
                          compiled] + run.arguments, run.root)
    return _session(run, text)


def coredump(run: Run) -> str:
    """What the driver says while it writes a dump of the program as the book
    builds it, and what cuda-gdb makes of that dump; then a session with a dump
    of the program that was compiled for the debugger."""
    program = run.need("cuda-gdb")
    compiled = _compiled_for_debugger(run)
    dump = run.one.program + ".core"
    words = " ".join(["./" + run.one.program] + run.arguments)
    said = f"$ CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1 CUDA_COREDUMP_FILE={dump}" \
           f" CUDA_COREDUMP_SHOW_PROGRESS=1 {words}\n"
    text, _ = _dumped(run, run.binary, dump, CUDA_COREDUMP_SHOW_PROGRESS="1")
    said += "".join(line + "\n" for line in texts.lines_of(
        re.sub(r"(?m)^\[[\d:.]+\] ", "", text))
        if re.match(r"coredump: (Starting|Detected|  - )", line) or
        not line.startswith("coredump: "))
    text, status = _said(run, [program, "-batch", run.binary, "-ex",
                               "target cudacore " + dump], run.work)
    said += f"$ cuda-gdb ./{run.one.program}\n(cuda-gdb) target cudacore {dump}\n"
    said += text.split("\n\nFatal signal:")[0].rstrip("\n") + "\n"
    if status < 0 or status > 127:
        said += "(cuda-gdb itself was aborted)\n"
    _dumped(run, compiled, dump)
    text, _ = _said(run, [program, "-batch", compiled, "-x", _commands(run)],
                    run.work)
    return _session(run, said + "$ cuda-gdb ./" + run.one.program +
                    "    # compiled with -g -G\n" + text)


def _dumped(run: Run, binary: str, dump: str, **more: str
            ) -> "tuple[str, int]":
    """The program is aborted once the dump is written: no dump of the host."""
    text, status = _said(
        run, ["sh", "-c", 'ulimit -c 0; exec "$0" "$@"', binary] +
        run.arguments, run.work, CUDA_ENABLE_COREDUMP_ON_EXCEPTION="1",
        CUDA_COREDUMP_FILE=str(run.work / dump), **more)
    if not (run.work / dump).is_file():
        raise run.fault(f"{run.one.program} left no core dump; it said: "
                        + text.strip()[-300:])
    return text, status


# --- code ---------------------------------------------------------------------

def _expanded(line: str, stops: List[int]) -> str:
    """Tabs to spaces up to the next of the stops; beyond them, one space."""
    first, *parts = line.split("\t")
    for part in parts:
        at = len(first)
        stop = next((stop for stop in stops if stop > at), at + 1)
        first += " " * (stop - at) + part
    return first


def _dialect(run: Run) -> str:
    """Listings for Hopper's own instructions are compiled for 90a."""
    is_hopper = '#include "common/hopper.h"' in run.source.read_text("utf-8")
    return "a" if is_hopper else ""


def _mangled(argument: str) -> str:
    """A template's argument as C++ compilers write it: a whole number, a type
    of the program, or a type with arguments of its own, t<1;2>."""
    if re.fullmatch(r"\d+", argument):
        return f"Li{argument}E"
    of = re.fullmatch(r"(\w+)(?:<([\w;]+)>)?", argument)
    if not of:
        raise ValueError(argument)
    own = f"{len(of[1])}{of[1]}"
    if not of[2]:
        return own
    return own + "I" + "".join(map(_mangled, of[2].split(";"))) + "E"


def _of_kernel(line: str, name: str) -> bool:
    """C++ compilers write a function f as _Z1f followed by its parameters, and
    f<t>, whose first argument is a type t of the program, as _Z1fI1t."""
    function = re.fullmatch(r"(\w+)(?:<(\w+(?:<[\w;]+>)?)>)?", name)
    if not function:
        return name in line
    mangled = f"_Z{len(function[1])}{function[1]}"
    if function[2]:
        return f"{mangled}I{_mangled(function[2])}" in line
    return re.search(mangled + "(?!I)", line) is not None


def ptx(run: Run) -> str:
    name = (run.arguments + [""])[0]
    run.output([run.nvcc, "-std=c++17", "-O3", "-I", str(run.root / "code"),
                "-ptx", "-arch=compute_90" + _dialect(run), "-o",
                str(run.work / "ptx"), str(run.source)])
    kept: List[str] = []
    inside = False
    for line in texts.lines_of((run.work / "ptx").read_text()):
        if re.match(r"(\.visible )?\.(entry|func)", line):
            inside = _of_kernel(line, name)
        if inside and (line.strip() or (kept and kept[-1].strip())):
            kept.append(_expanded(line, [4, 24]))
        if line.startswith("}"):
            inside = False
    if not kept:
        raise run.fault(f"no kernel '{name}' in the PTX of {run.one.program}")
    return texts.joined(kept)


def _cubin(run: Run, *options: str) -> str:
    return run.compiled([run.nvcc, "-std=c++17", "-O3", "-I",
                         str(run.root / "code"), "-cubin", *options,
                         "-arch=" + here.gpu_arch() + _dialect(run), "-o",
                         str(run.work / "cubin"), str(run.source)])


def sass(run: Run) -> str:
    name = (run.arguments + [""])[0]
    disassembler = run.need("cuobjdump")
    _cubin(run)
    kept: List[str] = []
    inside = False
    for line in texts.lines_of(run.output(
            [disassembler, "-sass", str(run.work / "cubin")])):
        if "Function :" in line:
            inside = _of_kernel(line, name)
        if inside and re.search(r"/\*[0-9a-f]+\*/ +[^ ]", line):
            line = re.sub(r" */\* 0x[0-9a-f]+ \*/ *$", "", line)
            kept.append(line.lstrip(" "))
    if not kept:
        raise run.fault(f"no kernel '{name}' in the machine code of"
                        f" {run.one.program}")
    return texts.joined(kept)


def ptxas(run: Run) -> str:
    """What the assembler says about the kernels whose names begin so, without
    the spaces that make its lines too long for a page."""
    name = (run.arguments + [""])[0]
    kept: List[str] = []
    inside = False
    for line in texts.lines_of(_cubin(run, "-Xptxas", "-v")):
        if " Compiling entry function " in line:
            inside = bool(re.search(rf"_Z[0-9]+{re.escape(name)}", line))
        if inside and " Compile time = " not in line:
            kept.append(re.sub(r"^ptxas info +: ", "ptxas info: ", line))
    if not kept:
        raise run.fault(f"no kernel '{name}…' in what ptxas says of"
                        f" {run.one.program}")
    return texts.joined(kept)


RUNNERS: Dict[str, Callable[[Run], str]] = {
    "time": time, "mpi": mpi, "table": table, "count": count, "caches": count,
    "atomics": count, "tensor": count, "profile": count, "states": count,
    "access": launch, "trace": launch, "output": output, "ptx": ptx,
    "sass": sass, "ptxas": ptxas, "check": check, "sanitizer": sanitizer,
    "tools": tools, "report": report, "debugger": debugger,
    "coredump": coredump,
}
