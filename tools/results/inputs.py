"""What a result was made from, as one word: if that changes, ./course bench
measures again.

The word is a checksum over the line of the experiment, the compiler's version,
the program's sources, how it is measured and, for what the software device
counts, the device.
"""
import hashlib
import pathlib
import re
from typing import Iterator, List, Set

from .experiments import Experiment, source_of

# The edition of how things are measured: another one has all results measured
# again.
METHOD = 1
METHOD_OF_TEXTS = 1      # what tools say
METHOD_OF_COUNTS = 1     # what Nsight Compute counts


def sources(root: pathlib.Path, main: pathlib.Path) -> List[pathlib.Path]:
    """The source and, followed, the files of its #include "…"."""
    found: List[pathlib.Path] = []
    known: Set[pathlib.Path] = set()

    def follow(path: pathlib.Path) -> None:
        if path in known or not path.is_file():
            return
        known.add(path)
        found.append(path)
        text = path.read_text("utf-8", errors="replace")
        for name in re.findall(r'^ *# *include *"([^"]+)"', text, re.M):
            beside = path.parent / name
            follow(beside if beside.is_file() else root / "code" / name)
    follow(main)
    return found


def _pieces(root: pathlib.Path, build: pathlib.Path, one: Experiment,
            on_software: bool, toolkit: str) -> Iterator[bytes]:
    yield repr((one.kind.name, one.program, one.settings, one.arguments,
                toolkit, METHOD)).encode()
    for path in sources(root, source_of(root, one.slug, one.program)):
        yield path.read_bytes()
    if one.kind.name in ("check", "sanitizer", "debugger", "coredump"):
        yield f"texts {METHOD_OF_TEXTS}".encode()
    if one.kind.name in ("debugger", "coredump"):
        yield (root / "bench" / one.slug / (one.name + ".gdb")).read_bytes()
    if one.kind.metrics:
        yield (root / "bench/common" / one.kind.metrics).read_bytes()
        yield f"counts {METHOD_OF_COUNTS}".encode()
    if on_software:
        for library in ("libcudart.so.13", "libsoftdevice.so"):
            yield (build / "device" / library).read_bytes()


def word(root: pathlib.Path, build: pathlib.Path, one: Experiment,
         on_software: bool, toolkit: str) -> str:
    return hashlib.sha256(b"\0".join(
        _pieces(root, build, one, on_software, toolkit))).hexdigest()[:16]
