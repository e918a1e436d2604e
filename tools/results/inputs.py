"""What a result was made from, as one word: if that changes, ./course bench
measures again.

The word is the checksum of POSIX cksum over the line of the experiment, the
compiler's version, the program's sources, how it is measured and, for what the
software device counts, the device. Results of readers carry it; the way of
computing it must not change without a reason to measure everything again.
"""
import pathlib
import re
import zlib
from typing import Iterator, List, Set

from .experiments import Experiment, source_of

# How things are measured, as (checksum, length) of the programs that did so
# when the first results were made. To have everything measured again after a
# change of method, add a number here.
METHOD = (0xdda84cfe, 24372)
METHOD_OF_TEXTS = (0x02350bc6, 832)       # what tools say
METHOD_OF_COUNTS = (0x867f07a3, 11911)    # what Nsight Compute counts

_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class Checksum:
    """POSIX cksum. zlib's checksum is the same with the bits of each byte,
    and of the result, in reverse."""

    def __init__(self) -> None:
        self.state = 0
        self.length = 0

    def _feed(self, data: bytes) -> None:
        self.state = zlib.crc32(data.translate(_REVERSED),
                                self.state ^ 0xffffffff) ^ 0xffffffff

    def add(self, data: bytes) -> None:
        self._feed(data)
        self.length += len(data)

    def add_known(self, state: int, length: int) -> None:
        """Adds a text of which only this is known. Checksums are linear: the
        text's own, and what so many zeros make of the state before."""
        self._feed(bytes(length))
        self.state ^= state
        self.length += length

    def word(self) -> str:
        length, digits = self.length, b""
        while length:
            digits += bytes([length & 255])
            length >>= 8
        state = self.state
        self._feed(digits)
        value = int(f"{self.state:032b}"[::-1], 2) ^ 0xffffffff
        self.state = state
        return f"{value}-{self.length}"


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
            on_software: bool, toolkit: str) -> Iterator[object]:
    settings = "".join(" " + setting for setting in one.settings)
    yield (f"{one.kind.name} {one.program}{settings}"
           f" {' '.join(one.arguments)}\n{toolkit}\n").encode()
    for path in sources(root, source_of(root, one.slug, one.program)):
        yield path.read_bytes()
    yield METHOD
    if one.kind.name in ("check", "sanitizer", "debugger", "coredump"):
        yield METHOD_OF_TEXTS
    if one.kind.name in ("debugger", "coredump"):
        yield (root / "bench" / one.slug / (one.name + ".gdb")).read_bytes()
    if one.kind.metrics:
        yield (root / "bench/common" / one.kind.metrics).read_bytes()
        yield METHOD_OF_COUNTS
    if on_software:
        for library in ("libcudart.so.13", "libsoftdevice.so"):
            yield (build / "device" / library).read_bytes()


def word(root: pathlib.Path, build: pathlib.Path, one: Experiment,
         on_software: bool, toolkit: str) -> str:
    checksum = Checksum()
    for piece in _pieces(root, build, one, on_software, toolkit):
        if isinstance(piece, tuple):
            checksum.add_known(*piece)
        else:
            checksum.add(piece)
    return checksum.word()
