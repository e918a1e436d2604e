"""Launches that stand for a program: what the software device writes down of an
experiment of the kind `access` or `trace`, and the table that the build makes of
it, without the program and without a compiler.

    bench/<slug>/<name>.software.launch      its head, and the launches
    bench/<slug>/launches/<hash>.ptx.gz      their kernels, and what is in their
    bench/<slug>/launches/<hash>.data.gz     memory, by checksum
    build/bench/<slug>/<name>.software.csv   the table

device/tools/launch.h explains the notation.
"""
import gzip
import os
import pathlib
import re
import subprocess
import tempfile
from typing import Dict, Iterable, List, Tuple

from outputs import write_depfile, write_if_changed
from . import result, texts
from .errors import Fault
from .experiments import Experiment

FOLDER = "launches"
# The names that the tables of each kind have.
COLUMNS = {
    "access": "kernel,launch,file,line,space,operation,block_x,block_y,block_z,"
              "warp,lane,request,step,address,bytes,allocation,offset,sector,"
              "bank,wavefront".split(","),
    "trace": "kernel,launch,block_x,block_y,block_z,warp,step,file,line,"
             "ptx_line,opcode,active_mask,executed_mask".split(","),
}
_BLOB = re.compile(r"^ptx ([0-9a-f]+)$|= data ([0-9a-f]+)$", re.M)
_VALUES = re.compile(r"^(buffer|variable|set) .* = ")
# What a launch may not lose: these and nothing else are compared.
_VIEWS = ("SOFTDEVICE_ACCESS_MAP", "SOFTDEVICE_TRACE", "SOFTDEVICE_COUNTS")


def blobs(text: str) -> List[str]:
    """The files that the launches name."""
    return sorted({f"{ptx}.ptx" if ptx else f"{data}.data"
                   for ptx, data in _BLOB.findall(text)})


def _environment(settings: Iterable[str], **more: str) -> Dict[str, str]:
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith("SOFTDEVICE_")}
    return {**kept, **dict(setting.split("=", 1) for setting in settings),
            **more}


def _run(launch_run: str, path: pathlib.Path,
         environment: Dict[str, str]) -> None:
    ran = subprocess.run([launch_run, path.name], cwd=path.parent,
                         env=environment, text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    if ran.returncode:
        raise Fault(f"its launches end with exit status {ran.returncode}:"
                    f" {ran.stderr.strip()}", path.name)


# --- writing ----------------------------------------------------------------

def _views(launch_run: str, path: pathlib.Path,
           settings: Iterable[str]) -> List[bytes]:
    """What all blocks of the launches do."""
    files = {name: path.with_name(name) for name in _VIEWS}
    _run(launch_run, path, _environment(
        settings, SOFTDEVICE_ACCESS_BLOCK="all", SOFTDEVICE_ACCESS_WARP="",
        **{name: str(file) for name, file in files.items()}))
    return [file.read_bytes() for file in files.values()]


def _without(line: str) -> str:
    """The line without the contents of memory that it gives."""
    return "" if line.startswith("set ") else line[:line.index(" = ")]


def reduced(text: str, folder: pathlib.Path, launch_run: str,
            settings: Tuple[str, ...]) -> str:
    """Contents of memory are left out where the same happens without them: the
    same instructions, by the same lanes, at the same addresses."""
    path = folder / "reduced.launch"
    lines = text.split("\n")
    path.write_text(text, "utf-8")
    wanted = _views(launch_run, path, settings)
    for number, line in enumerate(lines):
        if not _VALUES.match(line):
            continue
        tried = lines[:number] + [_without(line)] + lines[number + 1:]
        path.write_text("\n".join(tried), "utf-8")
        try:
            if _views(launch_run, path, settings) == wanted:
                lines = tried
        except Fault:
            pass
    return "\n".join(line for line in lines if line) + "\n"


def keep(text: str, work: pathlib.Path, folder: pathlib.Path) -> None:
    """Puts what the launches name into the folder. The same text is packed as
    the same bytes."""
    for name in blobs(text):
        path = folder / (name + ".gz")
        if not path.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(gzip.compress((work / name).read_bytes(),
                                           mtime=0))


def forget_unused(folder: pathlib.Path) -> None:
    """Of the blobs of the folder's results, those that none of them names."""
    named = {name for path in folder.glob("*.launch")
             for name in blobs(path.read_text("utf-8"))}
    for path in (folder / FOLDER).glob("*.gz"):
        if path.stem not in named:
            path.unlink()


# --- the tables -------------------------------------------------------------

def _with_short_paths(text: str, column: int) -> str:
    """A column holds a file, which shall be the same on every machine: code/…,
    or the name under which a header of the toolkit is included."""
    lines = []
    for line in texts.lines_of(text):
        cells = line.split(",")
        if len(cells) > column:
            cells[column] = re.sub(r"^.*/(?:include/|(?=code/))", "",
                                   cells[column])
        lines.append(",".join(cells))
    return texts.joined(lines)


def unpack(file: pathlib.Path, work: pathlib.Path) -> pathlib.Path:
    """The launches of a result, and what they name, in the folder `work`."""
    text = file.read_text("utf-8")
    path = work / file.name
    path.write_text(text, "utf-8")
    for name in blobs(text):
        packed = file.parent / FOLDER / (name + ".gz")
        if not packed.is_file():
            raise Fault(f"it names {name}, but there is no {packed.name} in"
                        f" {packed.parent}", str(file))
        (work / name).write_bytes(gzip.decompress(packed.read_bytes()))
    return path


def table(one: Experiment, file: pathlib.Path, launch_run: str) -> str:
    """The rows of the experiment, with the head of its launches."""
    column = COLUMNS[one.kind.name].index("file")
    with tempfile.TemporaryDirectory(prefix="launches.") as name:
        work = pathlib.Path(name)
        path = unpack(file, work)
        _run(launch_run, path, _environment(
            one.settings, **{one.kind.variable: str(work / "view")}))
        rows = (work / "view").read_text("utf-8")
    head = result.write_head(result.read_head(file))
    return head + _with_short_paths(rows, column)


def write_tables(root: pathlib.Path, launch_run: str, folder: pathlib.Path,
                 every: List[Experiment], depfile: str) -> None:
    """FOLDER/<name>.software.csv, of all experiments of a chapter."""
    made, read = [], []
    for one in every:
        file = root / "bench" / one.slug / f"{one.name}.software.launch"
        target = folder / f"{one.name}.software.csv"
        write_if_changed(target, table(one, file, launch_run))
        made.append(target)
        read += [file, *(file.parent / FOLDER / (name + ".gz")
                         for name in blobs(file.read_text("utf-8")))]
    if made:
        write_depfile(depfile, str(made[0]),
                      [*read, root / "bench" / every[0].slug / "experiments"])
