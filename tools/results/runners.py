"""How each kind of experiment is run: for each a function that returns the
result, without its head."""
import pathlib
import re
import subprocess
from typing import Callable, Dict, List

from . import here, ncu, texts
from .errors import Skip
from .run import Run

HANG_SECONDS = 30    # a program may be broken on purpose
SANITIZER_TOOLS = ("none", "memcheck", "racecheck", "initcheck", "synccheck")


def time(run: Run) -> str:
    return run.program()


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

def _with_short_paths(path: pathlib.Path, column: int) -> str:
    """A column holds a file, which shall be code/… on every machine."""
    lines = []
    for line in texts.lines_of(path.read_text()):
        cells = line.split(",")
        if len(cells) > column:
            cells[column] = re.sub(r"^.*/code/", "code/", cells[column])
        lines.append(",".join(cells))
    return texts.joined(lines)


def access(run: Run) -> str:
    run.program(SOFTDEVICE_ACCESS_MAP=str(run.work / "map"))
    return _with_short_paths(run.work / "map", 2)


def trace(run: Run) -> str:
    run.program(SOFTDEVICE_TRACE=str(run.work / "map"), SOFTDEVICE_WORKERS="1")
    return _with_short_paths(run.work / "map", 7)


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
        ran = subprocess.run([run.binary] + words, env=environment,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
        said += ran.stdout.decode(errors="replace")
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
    """Sections of Nsight Compute's report on the launches in the NVTX range
    "measured"."""
    program = run.need("ncu", "ncu (Nsight Compute)")
    log = run.work / "raw"
    run.output([program, "--log-file", str(log), "--clock-control", "none",
                "--apply-rules", "no", "--nvtx", "--nvtx-include", "measured/",
                "--section", "SpeedOfLight", "--section",
                "MemoryWorkloadAnalysis", "--section", "Occupancy",
                run.binary] + run.arguments)
    text = log.read_text(errors="replace")
    if "ERR_NVGPUCTRPERM" in text:
        raise Skip(ncu.NO_PERMISSION)
    lines = [re.sub(r"^\[[0-9]*\] ", "", line).rstrip(" ")
             for line in texts.lines_of(_without_places(run, text))
             if not line.startswith("==PROF==")]
    return re.sub(r"\n{3,}", "\n\n", texts.for_a_page(texts.joined(lines)))


def debugger(run: Run) -> str:
    """A session of cuda-gdb with the commands of bench/<slug>/<name>.gdb, with
    the program compiled for it, without optimisation."""
    program = run.need("cuda-gdb")
    compiled = str(run.work / run.one.program)
    run.compiled([run.nvcc, "-std=c++17", "-g", "-G", "--cudart=shared", "-I",
                  str(run.root / "code"), "-arch=" + here.gpu_arch(), "-o",
                  compiled, str(run.source)])
    commands = run.root / "bench" / run.one.slug / (run.one.name + ".gdb")
    ran = subprocess.run(
        ["timeout", str(HANG_SECONDS), program, "-batch", "-x", str(commands),
         "--args", compiled] + run.arguments, cwd=run.root,
        env=run.environment(), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = _without_places(run, ran.stdout.decode(errors="replace"))
    text = text.replace(f"{run.work}/", "")
    return texts.for_a_page(texts.joined([
        line.expandtabs(8) for line in texts.lines_of(text)
        if not re.match(r"exec: |\[New Thread|\[Detaching|\[Thread", line) and
        "libthread_db" not in line]))


# --- code ---------------------------------------------------------------------

def _expanded(line: str, stops: List[int]) -> str:
    """Tabs to spaces up to the next of the stops; beyond them, one space."""
    first, *parts = line.split("\t")
    for part in parts:
        at = len(first)
        stop = next((stop for stop in stops if stop > at), at + 1)
        first += " " * (stop - at) + part
    return first


def _of_kernel(line: str, name: str) -> bool:
    """C++ compilers write a function f as _Z1f followed by its parameters."""
    return not name or f"_Z{len(name)}{name}" in line


def ptx(run: Run) -> str:
    name = (run.arguments + [""])[0]
    run.output([run.nvcc, "-std=c++17", "-O3", "-I", str(run.root / "code"),
                "-ptx", "-arch=compute_90", "-o", str(run.work / "ptx"),
                str(run.source)])
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
                         "-arch=" + here.gpu_arch(), "-o",
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
    "time": time, "table": table, "count": count, "caches": count,
    "atomics": count, "profile": count, "states": count, "access": access,
    "trace": trace, "output": output, "ptx": ptx, "sass": sass, "ptxas": ptxas,
    "check": check, "sanitizer": sanitizer, "tools": tools, "report": report,
    "debugger": debugger,
}
