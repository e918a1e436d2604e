"""Runs what a stranger's source makes run (a compiler that reads it, the software
device that executes its kernels) where it can do no harm: in namespaces of its own,
made by bubblewrap (Debian: bubblewrap).

It sees the system's programs, the folders that it is given to read, and one folder to
write; neither the network nor other processes, homes or /etc. What it writes, and how
much processor time and memory it takes, is limited. Host code of a submission is never
executed: the judge takes its kernels only. What this does not protect from: errors of
the kernel below, and errors of the compiler or the device that these limits do not
hold.
"""
import os
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Iterable, List

from .notation import Fault

SECONDS = 20             # of processor time for one command
FILE_BYTES = 64 << 20    # for each file that a compiler writes
MEMORY_BYTES = 2 << 30   # private memory that it writes to; reserved space is free
TMP_BYTES = 256 << 20

SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin",
          "/etc/alternatives", "/etc/ld.so.cache")


def why_not() -> str:
    """Why there is no sandbox here; empty if there is one."""
    for program, package in (("bwrap", "bubblewrap"), ("prlimit", "util-linux")):
        if not shutil.which(program):
            return f"{program} was not found (Debian: {package})"
    done = subprocess.run([*command([], Path("/tmp"), Path("/")), "true"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        return "bwrap cannot make namespaces here: " + done.stdout.decode(
            "utf-8", "replace").strip()
    return ""


def command(reads: Iterable[Path], writes: Path, at: Path,
            compiles: bool = True) -> List[str]:
    """What to put in front of a command, which runs in the folder `at`. The device,
    which does not compile, keeps the GPU's memory in a file without a name and as large
    as that, mostly a hole; what it writes otherwise are its own tables."""
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session",
             "--clearenv", "--setenv", "PATH", "/usr/bin:/bin", "--setenv", "TMPDIR",
             "/tmp", "--proc", "/proc", "--dev", "/dev", "--size", str(TMP_BYTES),
             "--tmpfs", "/tmp"]
    for name in SYSTEM:
        if os.path.islink(name):
            words += ["--symlink", os.readlink(name), name]
        else:
            words += ["--ro-bind-try", name, name]
    for path in reads:
        words += ["--ro-bind", str(path), str(path)]
    return [*words, "--bind", str(writes), str(writes), "--chdir", str(at),
            "prlimit", f"--cpu={SECONDS}", f"--data={MEMORY_BYTES}", "--core=0",
            *([f"--fsize={FILE_BYTES}"] if compiles else []), "--"]


def copy(file: Path, to: Path, most_bytes: int = 1 << 20) -> None:
    """A submission's bytes, without what a name can hide: a link to another file, or
    to a folder on the way to it, a pipe that never ends, a terabyte of zeros. The way
    to the folder of all submissions must be free of links itself."""
    if file.parent != file.parent.resolve():
        raise Fault("in a link to a folder, which is not followed")
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise Fault("a link, which is not followed" if file.is_symlink()
                    else f"cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise Fault("not a file")
    with os.fdopen(handle, "rb") as source:
        content = source.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise Fault(f"larger than {most_bytes} bytes")
    to.write_bytes(content)
