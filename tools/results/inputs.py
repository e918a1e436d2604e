"""What a result was made from, as one line of its head:

    # inputs: line=… method=… kernels=… launchers=… timing=…

Each part is a checksum of one thing that decides the result; README.md says
what is in each and what is in none. From the parts it follows whether a result
is what its program would give today, and if not, why not.
"""
import hashlib
import json
import os
import pathlib
import re
from typing import Dict, Iterable, List, NamedTuple, Tuple

from . import here, ptx, sources
from .errors import Skip
from .experiments import Experiment, source_of

CURRENT, STALE, UNKNOWN = "current", "stale", "unknown"

# The edition of how things are measured: another one has all results measured
# again.
METHOD = 2
METHOD_OF_TEXTS = 1      # what tools say
METHOD_OF_COUNTS = 1     # what Nsight Compute counts

# What a part's change means, in the words of a report.
PARTS = {
    "line": "its line in bench/<slug>/experiments",
    "method": "how it is measured (METHOD)",
    "kernels": "the PTX of its kernels",
    "launchers": "the host's functions that launch",
    "host": "the host's code, which is what is measured",
    "timing": "what measures times (code/common/timing.h, rounds.h)",
    "source": "the lines of its source, which the text shows",
    "commands": "its commands for cuda-gdb",
    "metrics": "the metrics that Nsight Compute counts",
    "device": "the software device",
}

# Texts that name or show lines of the source.
SHOW_LINES = ("check", "sanitizer", "debugger", "coredump")
OF_TOOLS = SHOW_LINES + ("report",)
# What times are taken with.
TIMING = ("timing.h", "rounds.h")

_LAUNCHES = re.compile(
    r"cuda(Launch\w+|GraphLaunch)|cuLaunch\w+|cuGraphLaunch|nvrtc\w+|"
    r"cublas(Lt)?[A-Z]\w*(gemm|gemv|axpy|dot|nrm2|scal|asum|Matmul)\w*|"
    r"cublas[SDHCZG]\w+|cufftExec\w+|curandGenerate\w+|"
    r"nccl(AllReduce|Reduce|Broadcast|AllGather|ReduceScatter|Send|Recv)")
# Host functions whose own work is what a chapter measures.
_WORKS = re.compile(
    r"cuda(Mem(cpy|set|Prefetch|Advise|Discard)\w*|(Malloc|Free)\w+|"
    r"HostRegister|HostUnregister|HostAlloc|StreamBeginCapture|"
    r"StreamWaitEvent|GraphInstantiate\w*|GraphAdd\w+|DevicePrimaryCtx\w*|"
    r"DeviceSetLimit|FuncSetAttribute|StreamSetAttribute|"
    r"CtxResetPersistingL2Cache)")
_STOPWATCHES = re.compile(
    r"cudaEventRecord\w*|clock_gettime|timing_host_us|omp_get_wtime")
# The rest of a listing: it checks, fills, prints, or asks others to do it.
_HARNESS = re.compile(
    r"main|(check|verify|test|expect|compare|print|show|list|usage|help|"
    r"measure|count|allocate|free|fill|prepare|poison|parse|read|write|new|"
    r"make|load|save|release|destroy|upload|download)(_\w*)?|"
    r"\w+_(free|new|check|print|destroy|create|allocate)")


def _sum(pieces: Iterable[object]) -> str:
    """Twelve digits are enough to tell changes from accidents."""
    return hashlib.sha256(repr(list(pieces)).encode()).hexdigest()[:12]


def _launches(one: sources.Definition) -> bool:
    return "<<<" in one.tokens or any(_LAUNCHES.fullmatch(word)
                                      for word in one.tokens)


def _is_root(one: sources.Definition, is_timed: bool) -> bool:
    if not one.is_function or one.is_of_device:
        return False
    if _launches(one) or (is_timed and any(_STOPWATCHES.fullmatch(word)
                                           for word in one.tokens)):
        return True
    return (not _HARNESS.fullmatch(one.name) and
            any(_WORKS.fullmatch(word) for word in one.tokens))


def _host(paths: List[pathlib.Path]) -> str:
    return _sum(sources.tokens(path.read_text("utf-8", errors="replace"))
                for path in paths)


def _launchers(paths: List[pathlib.Path], is_timed: bool) -> str:
    """"" if nothing is launched."""
    every = [one for path in paths for one in
             sources.definitions(path.read_text("utf-8", errors="replace"))]
    roots = [one for one in every if _is_root(one, is_timed)]
    return _sum(sorted(one.tokens for one in sources.reached(every, roots))
                ) if roots else ""


def _timing(root: pathlib.Path, paths: List[pathlib.Path]) -> str:
    """What prints a table of times takes none."""
    return _sum(sorted(
        one.tokens for path in paths if path.name in TIMING and
        path.parent == root / "code/common"
        for one in sources.definitions(path.read_text("utf-8"))
        if not one.name.startswith("timing_print")))


class Programs:
    """The checksums of programs' kernels, remembered in the build folder: PTX
    is long."""

    def __init__(self, build: pathlib.Path):
        self._path = build / "results.kernels"
        self._build = build
        try:
            self._known: Dict[str, List[object]] = json.loads(
                self._path.read_text())
        except (OSError, ValueError):
            self._known = {}
        self._launchers: Dict[Tuple[object, ...], str] = {}

    def launchers(self, paths: List[pathlib.Path], is_timed: bool) -> str:
        key = (is_timed, *((path, path.stat().st_mtime_ns) for path in paths))
        if key not in self._launchers:
            self._launchers[key] = _launchers(paths, is_timed)
        return self._launchers[key]

    def kernels(self, one: Experiment, files: List[pathlib.Path]) -> str:
        """Raises Skip where the program is not there, or older than its
        sources."""
        program = self._build / one.target
        if not os.access(program, os.X_OK):
            raise Skip(f"{one.target} is not compiled here")
        paths = [program]
        loaded = program.with_name(program.name + ".ptx")
        if loaded.is_file():
            paths.append(loaded)
        stamps = [(path.stat().st_mtime_ns, path.stat().st_size)
                  for path in paths]
        if any(path.stat().st_mtime_ns > stamps[0][0] for path in files):
            raise Skip(f"{one.target} was compiled before its sources changed")
        key = [METHOD, *(list(stamp) for stamp in stamps)]
        known = self._known.get(one.target)
        if known and known[:-1] == key:
            return str(known[-1])
        modules = ptx.of_program(program) + [
            path.read_text("utf-8") for path in paths[1:]]
        word = ptx.checksum(modules)[:12] if modules else "none"
        self._known[one.target] = [*key, word]
        self._keep()
        return word

    def _keep(self) -> None:
        """Only to be quick the next time: a folder that cannot be written to
        does no harm."""
        try:
            new = self._path.with_name(f"{self._path.name}.{os.getpid()}")
            new.write_text(json.dumps(self._known, indent=0))
            os.replace(new, self._path)
        except OSError:
            pass


class Inputs:
    """The parts of one experiment's result, as the tree and the build folder
    are now. `unknown` says of a part why it cannot be told."""

    def __init__(self, root: pathlib.Path, build: pathlib.Path,
                 one: Experiment, on_software: bool, programs: Programs):
        self.parts: Dict[str, str] = {}
        self.unknown: Dict[str, str] = {}
        kind = one.kind
        files = sources.files(root, source_of(root, one.slug, one.program))
        own = sources.own_files(root, source_of(root, one.slug, one.program))
        self.parts["line"] = _sum([kind.name, one.program, one.settings,
                                   one.arguments])
        self.parts["method"] = _sum([
            METHOD, METHOD_OF_TEXTS if kind.name in OF_TOOLS else 0,
            METHOD_OF_COUNTS if kind.metrics else 0])
        in_c = bool(files) and files[0].suffix == ".c"
        if not in_c:
            try:
                self.parts["kernels"] = programs.kernels(one, files)
            except (Skip, OSError) as reason:
                self.unknown["kernels"] = str(reason)
        if kind.name not in ("sass", "ptx", "ptxas"):
            launchers = "" if in_c or one.origin in ("cpu", "cpu+gpu") else \
                programs.launchers(own, kind.is_timed)
            if launchers:
                self.parts["launchers"] = launchers
            else:
                self.parts["host"] = _host(own)
        if kind.is_timed:
            self.parts["timing"] = _timing(root, files)
        if kind.name in SHOW_LINES:
            self.parts["source"] = _sum(path.read_bytes() for path in own)
        if kind.name in ("debugger", "coredump"):
            self.parts["commands"] = _sum([
                (root / "bench" / one.slug / (one.name + ".gdb")
                 ).read_bytes()])
        if kind.metrics:
            self.parts["metrics"] = _sum([
                (root / "bench/common" / kind.metrics).read_bytes()])
        if on_software:
            self.parts["device"] = _sum(
                (build / "device" / library).read_bytes()
                for library in ("libcudart.so.13", "libsoftdevice.so"))

    def words(self) -> str:
        """For a head. A part that cannot be told says so."""
        every = {**self.parts, **{part: UNKNOWN for part in self.unknown}}
        return " ".join(f"{part}={word}" for part, word in every.items())


def parts_of(words: str) -> Dict[str, str]:
    """Of a head; {} where it has none of this form."""
    pairs = [word.partition("=") for word in words.split()]
    if not pairs or not all(sep and value for _, sep, value in pairs):
        return {}
    return {part: word for part, _, word in pairs}


class State(NamedTuple):
    """Is a result what its program would give today?"""
    word: str      # one of the three above
    reason: str    # why not; "" for CURRENT

    @property
    def is_current(self) -> bool:
        return self.word == CURRENT


def _changed(was: Dict[str, str], now: Inputs) -> Tuple[List[str], List[str]]:
    """The parts that are other than they were, and those of which that cannot
    be told."""
    changed, untold = [], []
    for part in PARTS:
        if was.get(part) == UNKNOWN:
            untold.append(f"{PARTS[part]} could not be read where it was"
                          " measured")
        elif part in now.unknown:
            untold.append(now.unknown[part])
        elif was.get(part) != now.parts.get(part):
            changed.append(part)
    return changed, untold


def state(head: Dict[str, str], now: Inputs, toolkit: str) -> State:
    """toolkit: the compiler's version here; "" without one. Another compiler
    may make other PTX of the same source: then nothing is known."""
    was = parts_of(head.get("inputs", ""))
    if not was:
        return State(UNKNOWN, "its head does not say what it was made from"
                     if not head.get("inputs") else
                     "its head has a checksum of an older form")
    changed, untold = _changed(was, now)
    if changed == ["kernels"] and toolkit != head.get("toolkit"):
        return State(UNKNOWN, f"{here.in_words(toolkit)} makes other PTX than"
                     f" {here.in_words(head.get('toolkit'))} did")
    if changed:
        return State(STALE, "changed since: " + ", ".join(
            PARTS[part] for part in changed))
    if untold:
        return State(UNKNOWN, untold[0])
    return State(CURRENT, "")
