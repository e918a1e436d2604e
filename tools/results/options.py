"""What the commands of ./course have in common: options, names, messages."""
import os
import pathlib
import re
import sys
from typing import List

from . import experiments, here
from .errors import Fault, Usage

# A machine with two of a GPU, as the names of results have it.
TWO = "x2"

# What stands for the reference's name in figures and chapters.
REFERENCE = "reference"


def reference(root: pathlib.Path) -> str:
    """The machine whose numbers are the book's: bench/reference names it, and
    nothing else does."""
    path = root / "bench/reference"
    return path.read_text("utf-8").strip() if path.is_file() else REFERENCE


def reference_of_two(root: pathlib.Path) -> str:
    """The machine whose numbers for several GPUs are the book's. It need not
    have the reference's GPU: bench/reference_of_two names another one. The
    book's filters (lib/settings.lua) and figures/common/draw do the same."""
    path = root / "bench/reference_of_two"
    return (path.read_text("utf-8").strip() if path.is_file() else
            reference(root) + TWO)


def of_reference(root: pathlib.Path, path: str) -> str:
    """bench/demo/speed.reference.csv as that file is called."""
    return re.sub(rf"\.{REFERENCE}({TWO})?\.(csv|txt)$",
                  lambda match: "." + (reference_of_two(root) if match[1] else
                                       reference(root)) + "." + match[2], path)


def say(text: str = "", end: str = "\n") -> None:
    print(text, end=end, flush=True)


def warn(text: str) -> None:
    sys.stdout.flush()
    print(f"course: {text}", file=sys.stderr, flush=True)


def need_slug(root: pathlib.Path, slug: str) -> None:
    known = experiments.slugs(root)
    if not slug:
        raise Usage(f"which chapter? One of: {' '.join(known)}")
    if slug not in known:
        raise Fault(f"no chapter '{slug}'; there are: {' '.join(known)}")


def need_machine_name(name: str) -> None:
    if name == "software" or not re.fullmatch("[a-z0-9_]+", name):
        raise Fault(f"'{name}' cannot be the name of a machine: use a-z, 0-9"
                    " and _, and not 'software'")


def in_bench(root: pathlib.Path, machine: str,
             extension: str = "*") -> List[pathlib.Path]:
    """The repository's results of a machine."""
    return sorted((root / "bench").glob(f"*/*.{machine}.{extension}"))


def machine_here(root: pathlib.Path, reference: bool) -> str:
    """The name for results of this machine's GPU. A reader's own results must
    not have the name of a reference that is in the repository."""
    name = here.gpu_machine()
    if not reference and in_bench(root, name, "csv"):
        return "my_" + name
    return name


def reference_machine(one: experiments.Experiment, machine: str) -> str:
    """The name that a result in bench/ carries: of h100, what needs several
    GPUs was measured on h100x2, a machine with two of them."""
    if not one.several:
        return machine
    n = here.n_gpus()
    if n > 2:
        raise Fault(f"{one.slug}/{one.name}: a reference for several GPUs is of"
                    f" two, and here are {n}. Choose two of them:"
                    " CUDA_VISIBLE_DEVICES=0,1")
    return machine + TWO


def note_new_results(build: pathlib.Path) -> None:
    """Which figures can be drawn may have changed: Meson must look again."""
    build.mkdir(parents=True, exist_ok=True)
    with open(build / ".course-found", "a", encoding="utf-8") as file:
        file.write("new results\n")


def build_folder(root: pathlib.Path) -> pathlib.Path:
    return pathlib.Path(os.environ.get("COURSE_BUILD") or
                        root / "build").absolute()
