"""Outputs of nvcc, kept in the build folder under a checksum of all that went
into them: the next run of a test compiles only what has changed."""
import hashlib
import os
import subprocess
from pathlib import Path
from typing import Iterable, Optional, Sequence, Set


def files(root: Path, folders: Iterable[Path]) -> bytes:
    """The names and contents of all files in folders below `root`."""
    return b"\0".join(
        str(path.relative_to(root)).encode() + b"\0" + path.read_bytes()
        for folder in folders for path in sorted(folder.rglob("*"))
        if path.is_file())


def compiler(nvcc: str) -> bytes:
    """Another nvcc, or another release of it, may make something else."""
    version = subprocess.run([nvcc, "--version"], check=False,
                             stdout=subprocess.PIPE).stdout
    return nvcc.encode() + b"\0" + version


class Kept:
    """A folder that one test at a time uses."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.used: Set[str] = set()

    def name(self, parts: Sequence[bytes]) -> str:
        """Under which an output made of these parts is kept."""
        checksum = hashlib.sha256()
        for part in parts:
            checksum.update(part)
        name = checksum.hexdigest()
        self.used.add(name)
        return name

    def find(self, name: str) -> Optional[Path]:
        path = self.folder / name
        return path if path.exists() else None

    def keep(self, name: str, output: bytes, mode: int = 0o644) -> None:
        """Two at once, or one that is interrupted, leave no half of a file."""
        self.folder.mkdir(parents=True, exist_ok=True)
        unfinished = self.folder / f"{name}.{os.getpid()}"
        unfinished.write_bytes(output)
        unfinished.chmod(mode)
        os.replace(unfinished, self.folder / name)

    def forget_unused(self) -> None:
        """Removes what was kept of texts that are no more."""
        if self.folder.exists():
            for path in self.folder.iterdir():
                if path.name not in self.used:
                    path.unlink()
