"""The PTX that nvcc put into a program, without what does not run.

nvcc embeds fat binaries (device/fatbin/fatbin.h says what they look like). Of
the PTX in them this module keeps what the kernels do: no lines, no files, no
debugger's tables, nothing that depends on where a source file lies or on the
order of its functions.
"""
import ctypes
import ctypes.util
import functools
import hashlib
import pathlib
import re
import struct
from typing import Iterator, List, Optional, Set

from .errors import Skip

_MAGIC = struct.pack("<I", 0xba55ed50)
_KIND_PTX = 1
_LZ4, _ZSTD = 0x2000, 0x8000
# Every build has this PTX, for whatever GPU it compiles besides.
ARCHITECTURE = 90


@functools.lru_cache(maxsize=None)
def _zstd() -> ctypes.CDLL:
    for name in ("libzstd.so.1", ctypes.util.find_library("zstd")):
        try:
            library = ctypes.CDLL(name or "libzstd.so")
        except OSError:
            continue
        library.ZSTD_decompress.restype = ctypes.c_size_t
        library.ZSTD_decompress.argtypes = [
            ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p,
            ctypes.c_size_t]
        return library
    raise Skip("libzstd.so.1 was not found: without it the PTX of programs"
               " cannot be read")


def _plain(data: bytes, flags: int, n_plain: int) -> bytes:
    if flags & _LZ4:
        raise Skip("the PTX is compressed with LZ4, as older toolkits do it")
    if not flags & _ZSTD:
        return data
    out = ctypes.create_string_buffer(n_plain)
    if _zstd().ZSTD_decompress(out, n_plain, data, len(data)) != n_plain:
        raise Skip("the PTX of a program cannot be decompressed")
    return out.raw


class _Entry:
    """One entry of a fat binary."""

    def __init__(self, data: bytes, at: int):
        (self.kind, _, header, payload, self.n_packed) = struct.unpack_from(
            "<HHIQI", data, at)
        self.architecture, = struct.unpack_from("<I", data, at + 28)
        self.flags, _, self.n_plain = struct.unpack_from("<QQQ", data, at + 40)
        self.payload = at + header
        self.end = self.payload + payload
        if not self.flags & (_LZ4 | _ZSTD):
            self.n_packed = payload

    def text(self, data: bytes) -> str:
        packed = data[self.payload:self.payload + self.n_packed]
        return _plain(packed, self.flags, self.n_plain).rstrip(b"\0").decode(
            "utf-8", errors="replace")


def _containers(data: bytes) -> Iterator[List[_Entry]]:
    at = 0
    while True:
        at = data.find(_MAGIC, at)
        if at < 0:
            return
        header, body = struct.unpack_from("<HQ", data + bytes(16), at + 6)
        end = at + header + body
        if at % 8 or header < 16 or end > len(data):
            at += 4
            continue
        entries: List[_Entry] = []
        at += header
        while at < end:
            entries.append(_Entry(data, at))
            at = entries[-1].end
        yield entries


def _chosen(entries: List[_Entry]) -> Optional[_Entry]:
    """The newest PTX that a GPU of capability 9.0 can take."""
    fitting = [one for one in entries if one.kind == _KIND_PTX and
               one.architecture <= ARCHITECTURE]
    return max(fitting, key=lambda one: one.architecture, default=None)


def of_program(path: pathlib.Path) -> List[str]:
    """The modules of PTX that the program holds for compute capability 9.0,
    each once. Raises Skip where they cannot be read."""
    data = path.read_bytes()
    try:
        chosen = [_chosen(entries) for entries in _containers(data)]
        return sorted({one.text(data) for one in chosen if one})
    except struct.error:
        raise Skip(f"{path.name} holds a damaged fat binary") from None


# --- what of it runs ------------------------------------------------------------

# "main" stands for the last number where the source has a main(); a process
# number may follow, of which the length of the next name cannot be told.
_OF_FILE = re.compile(
    r"\d*(?:_INTERNAL|_GLOBAL__N)__?[0-9a-f]{8}_\d+_\w+?_(?:cu|cpp|cc|cxx)_"
    r"(?:main|[0-9a-f]{8})(?:_\d+)?|"
    r"__nv_static_\d+__[0-9a-f]{8}_\d+_\w+?_(?:cu|cpp|cc|cxx)_"
    r"(?:main|[0-9a-f]{8})(?:_\d+)?_")
_COMMENT = re.compile(r"(?<![\w\"/.:])//[^\n]*|/\*.*?\*/", re.S)
_LINE = re.compile(r"\.(loc|file|version)\b|\$L__(tmp|func_begin|func_end|"
                   r"info_string)\w*:")
_BEGINS = re.compile(r"\.(visible|weak|extern|common|entry|func|shared|global|"
                     r"const|section|file|target|address_size|alias)\b")
# These names say which function of the file it is.
_COUNTED = re.compile(r"(\$L__BB|__local_depot)\d+")


class _Piece:
    """A function or a variable: its lines, without those that do not run."""

    def __init__(self) -> None:
        self.lines: List[str] = []
        self.first_file = ""    # the number of the file that it begins in

    def add(self, line: str) -> None:
        if line.startswith(".loc") and not self.first_file:
            self.first_file = line.split()[1]
        if not _LINE.match(line):
            self.lines.append(line)

    def text(self) -> str:
        return "\n".join(self.lines)

    def begins(self, *words: str) -> bool:
        return bool(self.lines) and bool(
            set(self.lines[0].split(None, 2)[:2]) & set(words))

    @property
    def is_function(self) -> bool:
        return self.begins(".entry", ".func")

    @property
    def variable(self) -> str:
        """Its name; "" if this is no variable."""
        match = re.match(r"[^={]*?([\w$]+)(?:\[\w*\])*\s*(?:;|=|$)",
                         self.lines[0]) if self.begins(
            ".shared", ".global", ".const") and not self.is_function else None
        return match[1] if match else ""


def _pieces(text: str) -> Iterator[_Piece]:
    """What is at the outermost level, without sections for debuggers."""
    depth = 0
    piece = _Piece()
    for line in text.split("\n"):
        line = line.strip()
        if not line or (not depth and line.startswith("@@DWARF")):
            continue
        if depth == 0 and _BEGINS.match(line):
            yield piece
            piece = _Piece()
        piece.add(line)
        depth += line.count("{") - line.count("}")
    yield piece


def _common_files(text: str) -> Set[str]:
    """The numbers of the files in code/common."""
    return {number for number, name in re.findall(
        r'^\s*\.file\s+(\d+)\s+"([^"]*)"', text, re.M)
        if "/code/common/" in "/" + name}


def what_runs(text: str) -> List[str]:
    """The module's functions and variables, in an order of their own. Kernels
    of code/common fill, check and empty caches: no chapter measures them, and
    what times are taken with is a part of its own."""
    common = _common_files(text)
    text = _COMMENT.sub("", text)
    text = _OF_FILE.sub("_OF_FILE_", text)
    text = _COUNTED.sub(r"\1", text)
    kept = [one for one in _pieces(text) if one.lines and
            not one.begins(".section") and
            not (one.begins(".entry") and one.first_file in common)]
    code = {word for one in kept if not one.variable
            for word in re.findall(r"[\w$]+", one.text())}
    initial = {word for one in kept if one.variable
               for word in re.findall(r"[\w$]+", one.text().partition("=")[2])}
    return sorted(one.text() for one in kept if not one.variable or
                  one.variable in code or one.variable in initial)


def checksum(modules: List[str]) -> str:
    """Of all that the modules run. What two of them have in common counts
    once, as in a program that was linked twice."""
    pieces = sorted({piece for text in modules for piece in what_runs(text)})
    return hashlib.sha256("\0".join(pieces).encode()).hexdigest()
