"""What this machine has: the CUDA Toolkit's programs, GPUs, a commit.

tools/here.sh answers the first questions for ./course, before Python runs.
"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
from typing import Any, Dict, List, Optional, Tuple


def find_program(name: str) -> Optional[str]:
    """The CUDA Toolkit's program: on PATH, in CUDA_HOME or CUDA_PATH, or
    where the toolkit installs itself."""
    found = shutil.which(name)
    if found:
        return found
    home = (os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or
            "/usr/local/cuda")
    path = os.path.join(home, "bin", name)
    return path if os.access(path, os.X_OK) else None


def said(command: List[str], stderr: int = subprocess.STDOUT,
         **more: Any) -> Tuple[str, int]:
    """What the command prints, and its exit status. It gets no input."""
    ran = subprocess.run(command, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=stderr, **more)
    return ran.stdout.decode("utf-8", errors="replace"), ran.returncode


def output_of(command: List[str]) -> Optional[str]:
    """What the command prints; None if it fails or is not there."""
    try:
        printed, status = said(command, subprocess.DEVNULL)
    except OSError:
        return None
    return printed if status == 0 else None


def toolkit(nvcc: str) -> str:
    """The compiler's version, such as 13.0.88."""
    printed = output_of([nvcc, "--version"]) or ""
    return "\n".join(re.findall(r", V(.*)", printed))


CLANG = "clang"    # how the version of that compiler begins in a result's head


def compiler(build: pathlib.Path) -> str:
    """What compiles the listings in this build folder, as heads name it: nvcc's
    version, or "clang 14.0.6"; "" where nothing does. Meson wrote down which of
    them it is."""
    try:
        name = (build / "code/compiler").read_text("utf-8").strip()
    except OSError:
        name = "nvcc"
    if name == CLANG:
        printed = output_of([CLANG, "--version"]) or ""
        return " ".join([CLANG, *re.findall(r"version (\d[\d.]*)", printed)[:1]])
    nvcc = find_program("nvcc") if name == "nvcc" else None
    return toolkit(nvcc) if nvcc else ""


def is_clang(version: Optional[str]) -> bool:
    """Is this compiler, of a head or of the build folder, clang?"""
    return (version or "").startswith(CLANG)


def in_words(version: Optional[str]) -> str:
    """nvcc 13.0.88, clang 14.0.6"""
    if is_clang(version):
        return str(version)
    return f"nvcc {version or 'unknown'}"


def _list_of_gpus() -> List[str]:
    printed = output_of(["nvidia-smi", "-L"]) or ""
    return [line for line in printed.split("\n") if line.startswith("GPU")]


def gpu_here() -> bool:
    """Is there a GPU that programs can use?"""
    return bool(_list_of_gpus())


def _slices() -> List[Tuple[str, str, str]]:
    """Of each MIG slice: the number of its GPU, its profile, its UUID."""
    found, gpu = [], "0"
    for line in (output_of(["nvidia-smi", "-L"]) or "").split("\n"):
        of_gpu = re.match(r"GPU (\d+):", line)
        one = re.match(r" +MIG (\S+) .*UUID: (MIG-[^)]*)\)", line)
        if of_gpu:
            gpu = of_gpu[1]
        elif one:
            found.append((gpu, one[1], one[2]))
    return found


def gpu_index() -> str:
    """CUDA numbers GPUs by speed by default, nvidia-smi by bus. A MIG slice is
    asked for by its UUID, which nvidia-smi takes for none of its GPUs."""
    first = (os.environ.get("CUDA_VISIBLE_DEVICES") or "0").split(",")[0]
    if first.startswith("MIG-"):
        return next((gpu for gpu, _, uuid in _slices() if uuid == first), "0")
    return first


def mig_is_on() -> bool:
    return gpu_field("mig.mode.current") == "Enabled"


def mig_slices() -> List[str]:
    """The profiles of the slices of the GPU that programs use, such as
    1g.10gb."""
    first = (os.environ.get("CUDA_VISIBLE_DEVICES") or "0").split(",")[0]
    return ([profile for _, profile, uuid in _slices() if uuid == first] or
            [profile for gpu, profile, _ in _slices() if gpu == gpu_index()])


def mig_profile() -> str:
    """Of the slice that programs see, which is one at most; "" without MIG."""
    slices = mig_slices() if mig_is_on() else []
    return slices[0] if slices else ""


def gpu_name() -> str:
    """NVIDIA H100 80GB HBM3, or NVIDIA H100 80GB HBM3 MIG 1g.10gb."""
    profile = mig_profile()
    return gpu_field("name") + (f" MIG {profile}" if profile else "")


def gpu_field(name: str) -> str:
    """A field of the GPU that CUDA programs use here (nvidia-smi
    --help-query-gpu names them); "unknown" if the driver does not say. One
    question at a time: a field that a driver lacks would spoil the others."""
    printed = output_of(["nvidia-smi", "-i", gpu_index(), f"--query-gpu={name}",
                      "--format=csv,noheader,nounits"]) or ""
    return printed.split("\n")[0] or "unknown"


def n_gpus() -> int:
    """How many GPUs CUDA programs may use here."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if mig_is_on():
        return 1    # a program sees one slice, however many are named
    if visible:
        return len([one for one in visible.split(",") if one])
    return len(_list_of_gpus())


def gpu_machine() -> str:
    """The short name of this machine's GPU, as file names carry it: "NVIDIA
    GeForce RTX 4090" is geforce_rtx_4090."""
    name = re.sub(r"^nvidia ", "", gpu_name().lower())
    return re.sub(r"[^a-z0-9]+", "_", name).strip("_")


def gpu_arch() -> str:
    return "sm_" + gpu_field("compute_cap").replace(".", "")


def gpu_environment() -> Dict[str, str]:
    """The environment in which a listing runs on the GPU."""
    environment = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
    nvcc = find_program("nvcc")
    if nvcc:
        libraries = pathlib.Path(nvcc).resolve().parents[1] / "lib64"
        if libraries.is_dir():
            before = os.environ.get("LD_LIBRARY_PATH")
            environment["LD_LIBRARY_PATH"] = (
                f"{libraries}:{before}" if before else str(libraries))
    return environment


def processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as text:
            match = re.search(r"^model name[^:]*: (.*)", text.read(), re.M)
    except OSError:
        return ""
    return match[1] if match else ""


def ninja() -> Optional[str]:
    """Fedora calls it ninja-build."""
    return shutil.which("ninja") or shutil.which("ninja-build")


def commit(root: pathlib.Path) -> str:
    """The repository's commit, with -changed if sources differ from it.
    COURSE_COMMIT names it where there is no git."""
    known = os.environ.get("COURSE_COMMIT")
    if known:
        return known
    git = ["git", "-C", str(root)]
    name = output_of(git + ["rev-parse", "--short=12", "HEAD"])
    if not name:
        return "unknown"
    changed = output_of(git + ["status", "--porcelain", "--", "code", "device",
                               "bench/common", "tools/results"])
    return name.strip() + ("-changed" if changed else "")


def _object(kind: str, data: bytes) -> bytes:
    return hashlib.sha1(f"{kind} {len(data)}\0".encode() + data).digest()


def _tree(folder: pathlib.Path) -> bytes:
    entries: List[Tuple[bytes, bytes]] = []
    for path in folder.iterdir():
        name = path.name.encode()
        if path.is_symlink():
            entries.append((name, b"120000 " + name + b"\0" + _object(
                "blob", os.readlink(path).encode())))
        elif path.is_file():
            mode = b"100755 " if os.access(path, os.X_OK) else b"100644 "
            entries.append((name, mode + name + b"\0" + _object(
                "blob", path.read_bytes())))
        elif path.name != "__pycache__" and any(path.iterdir()):
            entries.append((name + b"/", b"40000 " + name + b"\0" +
                            _tree(path)))
    return _object("tree", b"".join(entry for _, entry in sorted(entries)))


def tree(root: pathlib.Path, folder: str) -> str:
    """The folder's name in git, worked out from its files: that of a commit
    that has them, wherever they were measured, with git or without."""
    return _tree(root / folder).hex()[:12]
