"""The kinds of experiments: one row for each, and all that differs by kind.

How a kind is run is a function of runners.py; everything else is here.
CONTRIBUTING.md shows this table (`python3 tools/results kinds`).
"""
from typing import Dict, NamedTuple


class Kind(NamedTuple):
    name: str
    software: bool      # runs on the software device
    gpu: bool           # runs on a GPU
    extension: str      # of the result: csv, txt or launch
    runs: str           # what is run, for the page
    result: str         # what comes out of it, for the page
    why_not: str = ""   # why it cannot run on the other device
    metrics: str = ""   # counted: the table of Nsight Compute's metrics
    variable: str = ""  # where the software device writes
    tested: bool = True  # on the software device: a test wants the same again

    @property
    def is_timed(self) -> bool:
        return self.name in ("time", "mpi")

    @property
    def needs_nvcc(self) -> bool:
        """Is it about what nvcc writes, and not about what a program does?"""
        return self.name == "ptx"

    @property
    def is_launch(self) -> bool:
        """Is its table made by the build, of launches?"""
        return self.extension == "launch"

    def runs_on(self, machine: str) -> bool:
        return self.software if machine == "software" else self.gpu


BOTH = (True, True)
SOFTWARE = (True, False)
GPU = (False, True)

_FROM_SOFTWARE = "comes from the software device"
_TOOLS = "NVIDIA's tools watch a GPU"
_COMPILER = "comes from the GPU's compiler"

KINDS: Dict[str, Kind] = {kind.name: kind for kind in (
    Kind("time", *GPU, "csv", "the program, on a GPU",
         "what it prints, a CSV", "the software device measures no times"),
    Kind("mpi", *GPU, "csv",
         "the program under `mpirun`, one process per GPU", "the same",
         "the software device measures no times"),
    Kind("table", *BOTH, "csv",
         "the program, on the software device and on a GPU",
         "what it prints, a CSV without times"),
    Kind("count", *BOTH, "csv",
         "the program, on the software device and on a GPU under `ncu`",
         "requests, sectors, conflicts … of each launch",
         metrics="ncu_metrics", variable="SOFTDEVICE_COUNTS"),
    Kind("caches", *BOTH, "csv", "the same",
         "loads of constants and texture fetches of each launch",
         metrics="ncu_cache_metrics", variable="SOFTDEVICE_CACHES"),
    Kind("atomics", *BOTH, "csv", "the same",
         "atomics on shared memory of each launch",
         metrics="ncu_atomic_metrics", variable="SOFTDEVICE_ATOMICS"),
    Kind("tensor", *BOTH, "csv", "the same",
         "matrix instructions and bulk copies of each launch",
         metrics="ncu_tensor_metrics", variable="SOFTDEVICE_TENSOR"),
    Kind("profile", *GPU, "csv", "as `count`, only on a GPU",
         "what reached L2 and memory",
         "the software device has no caches beyond L1",
         metrics="ncu_memory_metrics"),
    Kind("states", *GPU, "csv", "as `count`, only on a GPU",
         "what the warps waited for",
         "the software device schedules no warps", metrics="ncu_state_metrics"),
    Kind("access", *SOFTWARE, "launch", "the program, on the software device",
         "its launches, of which the build makes a CSV: which lane touched"
         " which address", _FROM_SOFTWARE, variable="SOFTDEVICE_ACCESS_MAP"),
    Kind("trace", *SOFTWARE, "launch", "the program, on the software device",
         "the same with another CSV: which instructions each warp executed,"
         " with which lanes", _FROM_SOFTWARE, variable="SOFTDEVICE_TRACE"),
    Kind("output", *SOFTWARE, "txt", "the program, on the software device",
         "what it prints, as text", _FROM_SOFTWARE),
    Kind("ptx", *SOFTWARE, "txt", "nothing; the argument names a kernel",
         "its PTX", _FROM_SOFTWARE, tested=False),
    Kind("sass", *GPU, "txt", "nothing; the argument names a kernel",
         "its machine code", _COMPILER),
    Kind("ptxas", *GPU, "txt",
         "nothing; the argument is how the kernels' names begin",
         "registers and spills, as the assembler reports them", _COMPILER),
    Kind("check", *SOFTWARE, "txt",
         "each version of the program, under the software device's checks",
         "what they report, as text", _FROM_SOFTWARE),
    Kind("sanitizer", *GPU, "txt",
         "the same on a GPU, by itself and under compute-sanitizer's tools",
         "what they report, as text", _TOOLS),
    Kind("tools", *GPU, "csv",
         "the program, by itself and under each tool, only on a GPU",
         "what it prints, with the tool as first column", _TOOLS),
    Kind("report", *GPU, "txt", "the program, on a GPU under `ncu`",
         "what Nsight Compute says of the launches in the NVTX range"
         " `measured`, as text", "Nsight Compute watches a GPU"),
    Kind("debugger", *GPU, "txt",
         "the program under cuda-gdb, with the commands of `<name>.gdb`, only"
         " on a GPU", "the session, as text", _TOOLS),
    Kind("coredump", *GPU, "txt",
         "the program with GPU core dumps on, then cuda-gdb on the dump, with"
         " the commands of `<name>.gdb`, only on a GPU",
         "both sessions, as text", _TOOLS),
    Kind("derived", False, False, "csv",
         "nothing; the build computes it from other results",
         "a CSV in the build folder"),
)}


def as_markdown() -> str:
    """The table of CONTRIBUTING.md."""
    lines = ["| kind | what is run | result |", "|---|---|---|"]
    lines += [f"| `{kind.name}` | {kind.runs} | {kind.result} |"
              for kind in KINDS.values()]
    return "\n".join(lines) + "\n"
