"""Plants the faults of one file, and says which of them a check notices."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Tuple

import faults as fault_file
from compiler import Compiler
from faults import Fault
from split import NotAlike


class Planted(NamedTuple):
    executable: Path
    ptx: str                   # instead of the executable's own, or ""
    number: int                # for an executable with several faults, or 0


class Planting:
    def __init__(self, build: Path, slug: str, file: Path, nvcc: str,
                 work: Path):
        self.build, self.slug, self.file = build, slug, file
        root = Path(__file__).resolve().parents[2]
        self.compiler = Compiler(nvcc, root / "code", slug, work,
                                 build / "planted" / slug)
        self.work = work
        self.planted: Dict[int, Planted] = {}
        # The program without the fault, compiled in the same way.
        self.sound: Dict[int, Planted] = {}
        self.sound_runs: Dict[Tuple[Planted, str, str], Tuple[int, str]] = {}
        self.failed = False

    def complain(self, what: str, said: str = "") -> None:
        print(f"{self.file}: error: {what}", file=sys.stderr)
        if said:
            print(*said.split("\n")[:20], sep="\n", file=sys.stderr)
        self.failed = True

    def executable(self, program: str) -> Path:
        return self.build / "code" / self.slug / program

    def run_check(self, planted: Planted, version: str = "",
                  checks: str = "") -> Tuple[int, str]:
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("SOFTDEVICE_CHECK",
                                       "SOFTDEVICE_CHECK_STATUS")}
        environment.update(
            LD_LIBRARY_PATH=str(self.build / "device"),
            SOFTDEVICE_WORKERS="1", SOFTDEVICE_SHUFFLE="5",
            SOFTDEVICE_PTX=planted.ptx, PLANTED_FAULT=str(planted.number))
        if checks:
            environment["SOFTDEVICE_CHECK"] = checks
        words = [str(planted.executable), "--check", "--seed", "1"]
        done = subprocess.run(words + (["--version", version] if version
                                       else []), env=environment,
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout.decode("utf-8", "replace")

    def obstacle(self, program: str) -> str:
        """Why a program of the build cannot run here; "" if it can."""
        path = self.executable(program)
        if not os.access(path, os.X_OK):
            return "it is not built"
        needs = subprocess.run(
            ["ldd", str(path)], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=dict(
                os.environ, LD_LIBRARY_PATH=str(self.build / "device"))).stdout
        missing = re.search(r"^\s*(\S+) => not found$", needs, re.M)
        if missing:
            return f"it needs {missing.group(1)}"
        if ("libcublas.so" in needs and
                not (self.build / "device" / "libcublas.so.13").exists()):
            return "the device has no cuBLAS"
        return ""

    # --- compiling ----------------------------------------------------------

    def compile_alone(self, fault: Fault) -> None:
        output, said = self.compiler.one(fault)
        if said:
            self.complain(f"{fault.fault}: does not compile", said)
        elif fault.in_host:
            self.planted[fault.number] = Planted(output, "", fault.number)
        else:
            self.planted[fault.number] = Planted(
                self.executable(fault.program), str(output), 0)

    def compile_kernels(self, faults: List[Fault]) -> None:
        executable = self.executable(faults[0].program)
        plain, found = self.compiler.kernels(faults)
        sound = Planted(executable, str(plain), 0)
        for version in versions_of(faults):
            status, said = self.run_check(sound, version)
            if status != 0:
                raise NotAlike("without a fault it fails: " + said)
        for number, path in found.items():
            self.planted[number] = Planted(executable, str(path), 0)
            self.sound[number] = sound

    def compile_programs(self, faults: List[Fault]) -> None:
        executable = self.compiler.programs(faults)
        for fault in faults:
            self.planted[fault.number] = Planted(executable, "", fault.number)

    def compile_group(self, faults: List[Fault]) -> None:
        """Faults of one program, of one kind."""
        if len(faults) > 1 and not faults[0].header:
            try:
                if faults[0].in_host:
                    self.compile_programs(faults)
                else:
                    self.compile_kernels(faults)
                return
            except NotAlike as reason:
                print(f"{faults[0].program}: faults are compiled one by one:"
                      f" {reason}")
        for fault in faults:
            self.compile_alone(fault)

    # --- checking -----------------------------------------------------------

    def run_sound(self, fault: Fault) -> Tuple[int, str]:
        sound = self.sound.get(
            fault.number, Planted(self.executable(fault.program), "", 0))
        key = (sound, fault.version, fault.check)
        if key not in self.sound_runs:
            self.sound_runs[key] = self.run_check(*key)
        return self.sound_runs[key]

    def check(self, fault: Fault) -> None:
        if fault.check:
            status, said = self.run_sound(fault)
            if status != 0:
                self.complain(f"{fault.fault}: the check {fault.check} stops "
                              f"{fault.program} without the fault, too:", said)
                return
        status, said = self.run_check(self.planted[fault.number],
                                      fault.version, fault.check)
        line = next((line for line in said.split("\n")
                     if fault.message in line), None)
        if status == 0:
            self.complain(f"{fault.fault}: {fault.program} --check did not "
                          "notice" + ("" if fault.in_host else " (a fault that"
                                      " is not in a kernel alone says 'in: "
                                      "host')"))
        elif line is None:
            self.complain(f"{fault.fault}: noticed (status {status}), but not "
                          "as expected:", said)
        else:
            print(f"{fault.fault}: {line}")

    def can_be_planted(self, fault: Fault, obstacles: Dict[str, str]) -> bool:
        if fault.program not in obstacles:
            obstacles[fault.program] = self.obstacle(fault.program)
        if obstacles[fault.program]:
            print(f"left out: {fault.fault}, in {fault.program}: "
                  f"{obstacles[fault.program]}")
            return False
        name = fault.header or fault.program + ".cu"
        if fault_file.place(self.compiler.text(name), fault) is None:
            self.complain(f"{fault.fault}: the text to replace is not in "
                          f"{name}")
            return False
        return True

    def plant(self, faults: List[Fault]) -> int:
        obstacles: Dict[str, str] = {}
        here = [fault for fault in faults
                if self.can_be_planted(fault, obstacles)]
        groups: Dict[Tuple[str, ...], List[Fault]] = {}
        for fault in here:
            kind = (fault.program, fault.in_, fault.libraries, fault.header)
            groups.setdefault(kind, []).append(fault)
        for group in groups.values():
            self.compile_group(group)
            for fault in group:
                if fault.number in self.planted:
                    self.check(fault)
        self.compiler.forget_unused()
        if not here and not self.failed:
            return 77
        return 1 if self.failed else 0


def versions_of(faults: List[Fault]) -> List[str]:
    """What a program without the faults has to be run with: the one version
    that they are about, or all at once."""
    versions = {fault.version for fault in faults}
    return list(versions) if len(versions) == 1 else [""]


def main(arguments: List[str], usage: Optional[str]) -> int:
    if len(arguments) not in (3, 4):
        print(usage, file=sys.stderr)
        return 2
    build, slug, file = Path(arguments[0]), arguments[1], Path(arguments[2])
    nvcc = arguments[3] if len(arguments) > 3 else ""
    if not nvcc:
        print("skipped: nvcc was not found")
        return 77
    if not (build / "device" / "libcudart.so.13").exists():
        print("skipped: the software device is not built")
        return 77
    try:
        faults = fault_file.read(file)
    except fault_file.BadFile as reason:
        print(reason, file=sys.stderr)
        return 1
    work = Path(tempfile.mkdtemp(prefix="wrong_kernels."))
    try:
        return Planting(build, slug, file, nvcc, work).plant(faults)
    finally:
        if os.environ.get("KEEP_PLANTED"):
            print(f"kept: {work}")
        else:
            shutil.rmtree(work)
