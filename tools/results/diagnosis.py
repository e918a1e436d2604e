"""What is the matter with this machine's GPU, and what to do about it.

./course doctor prints it, ./course run and bench act on it. Everything comes from
nvidia-smi, nvcc and /sys; no CUDA program is run.
"""
import os
import pathlib
import re
from typing import Iterator, List, NamedTuple

from . import here

# CUDA 13's programs need a driver of branch 580 (CUDA Toolkit 13.0 release notes,
# table of minimum driver versions); nvcc 13 compiles for 7.5 and later.
DRIVER_OF_CUDA_13 = 580
LEAST_CAPABILITY = (7, 5)
NVIDIA = "0x10de"           # the vendor's number on the PCI bus
DISPLAY = "0x03"            # how the PCI classes of GPUs begin


class Finding(NamedTuple):
    what: str
    remedy: str
    usable: bool        # can programs use the GPU all the same?


# Part of what nvidia-smi prints when it fails, and the remedy.
FAILURES = [
    ("version mismatch", "The driver was updated, and the one before is still"
     " loaded: restart the machine."),
    ("communicate with the NVIDIA driver", "The driver's kernel module is not"
     " loaded: restart the machine; if that does not help, install the driver"
     " anew. In a container, start it with --gpus all."),
    ("No devices were found", "The driver runs, and sees no GPU. On a cluster, ask"
     " for one; in a container, start it with --gpus all; else dmesg says why."),
    ("", "nvidia-smi says why."),
]


def _has_nvidia_display() -> bool:
    """A GPU without a driver is on the PCI bus all the same."""
    devices = pathlib.Path(os.environ.get("COURSE_SYS", "/sys"),
                           "bus/pci/devices")
    for device in devices.glob("*"):
        try:
            if (device / "vendor").read_text().strip() == NVIDIA and \
                    (device / "class").read_text().startswith(DISPLAY):
                return True
        except OSError:
            continue
    return False


def _without_list() -> Iterator[Finding]:
    """nvidia-smi lists no GPU: it is not there, or says why not."""
    try:
        printed, status = here.said(["nvidia-smi", "-L"])
    except OSError:
        if _has_nvidia_display():
            yield Finding("this machine has an NVIDIA GPU, but no driver for it:"
                          " nvidia-smi was not found", "Install NVIDIA's driver,"
                          f" version {DRIVER_OF_CUDA_13} or later. In a"
                          " container, start it with --gpus all.", False)
        return
    lines = [line.strip() for line in printed.split("\n") if line.strip()]
    if not lines and status == 0:
        lines = ["No devices were found"]
    if lines and (status or "No devices" in lines[0]):
        remedy = next(text for part, text in FAILURES if part in printed or
                      part in lines[0])
        yield Finding("the driver's nvidia-smi fails: " + lines[0], remedy, False)


def _driver() -> Iterator[Finding]:
    version = here.gpu_field("driver_version")
    branch = re.match(r"\d+", version)
    nvcc = here.find_program("nvcc")
    toolkit = re.match(r"\d+", here.toolkit(nvcc) if nvcc else "")
    if branch and toolkit and int(toolkit[0]) >= 13 and \
            int(branch[0]) < DRIVER_OF_CUDA_13:
        yield Finding(
            f"the driver, {version}, is older than CUDA 13 asks for"
            f" ({DRIVER_OF_CUDA_13})", "Update the driver. On a machine that is"
            " not yours, its cuda-compat package may be enough; without either,"
            " programs say that the driver version is insufficient, and"
            " ./course run --software works.", True)


def _mig() -> Iterator[Finding]:
    if not here.mig_is_on():
        return
    slices = here.mig_slices()
    if not slices:
        yield Finding(
            "MIG is on and no instance exists, so programs find no GPU",
            "An administrator creates one (nvidia-smi mig -cgi 0 -C), or turns MIG"
            " off (nvidia-smi -mig 0).", False)
        return
    yield Finding(
        f"MIG is on: programs see one slice, {here.mig_profile()}",
        "Times are the slice's, not the whole GPU's; ./course bench names the"
        " machine accordingly. CUDA_VISIBLE_DEVICES=MIG-… chooses another slice.",
        True)


def _capability() -> Iterator[Finding]:
    match = re.fullmatch(r"(\d+)\.(\d+)", here.gpu_field("compute_cap"))
    if not match:
        yield Finding("the driver does not say the GPU's compute capability",
                      "It is older than CUDA 13 asks for; update it.", True)
        return
    capability, shown = (int(match[1]), int(match[2])), match[0]
    if capability < LEAST_CAPABILITY:
        yield Finding(
            f"this GPU has compute capability {shown}, and the CUDA Toolkit"
            " compiles for 7.5 and later", "./course bench --software counts"
            " without the GPU; times need a newer one.", False)
        return
    nvcc = here.find_program("nvcc")
    known = here.output_of([nvcc, "--list-gpu-arch"]) if nvcc else None
    if known and "compute_" in known and \
            f"compute_{match[1]}{match[2]}" not in known.split():
        # Listings hold PTX for 9.0, which later GPUs run, too.
        yield Finding(
            f"this nvcc does not know compute capability {shown}",
            "A newer toolkit makes machine code for it." + (
                " Until then, the driver compiles the listings when they start."
                if capability > (9, 0) else ""), capability > (9, 0))
    if capability < (9, 0):
        yield Finding(
            f"compute capability {shown} lacks clusters, bulk copies and wgmma,"
            " which came with 9.0", "./course bench leaves out the listings that"
            " need them; ./course run --software shows what they do.", True)
    elif capability > (9, 0):
        yield Finding(
            f"compute capability {shown} has no wgmma, which 9.0 alone has",
            "./course bench leaves out the listings that need it; ./course run"
            " --software shows what they do.", True)


def _home() -> Iterator[Finding]:
    home = os.environ.get("HOME", "")
    if not home or not os.path.isdir(home) or os.access(home, os.W_OK) or \
            os.environ.get("CUDA_CACHE_PATH"):
        return
    yield Finding(f"the driver cannot keep what it compiles: {home} cannot be"
                  " written", "CUDA_CACHE_PATH=/a/folder/of/yours lets programs"
                  " start faster.", True)


def look() -> List[Finding]:
    if not here.gpu_here():
        return list(_without_list())
    return [finding for ask in (_capability, _mig, _driver, _home)
            for finding in ask()]


def usable(findings: List[Finding]) -> bool:
    return here.gpu_here() and all(one.usable for one in findings)


def in_words(one: Finding) -> str:
    return f"{one.what[0].upper()}{one.what[1:]}.\n  {one.remedy}"
