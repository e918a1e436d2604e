"""nvcc, for faulty listings. With fewer optimisations it needs half the time
(with the fewest of all, functions of joined copies get the same name). What it
made is kept in the build, under a checksum of all that went into it: the next
run of the tests compiles only what has changed. Listings with wgmma are optimised
in full: its registers have to be left alone until they are waited for."""
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Sequence, Tuple

import source
import split
from faults import Fault, plant

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import kept as keeping                                          # noqa: E402

_FLAGS = ["-w", "-std=c++17", "-lineinfo"]
_PTX = ["-ptx"]
_FEWER = ["--Ofast-compile=mid"]
_HOST = ["-O1", "--cudart=shared"]
_HOPPER = '#include "common/hopper.h"'


def _arch(text: str, *kinds: str) -> List[str]:
    """A listing with this include is PTX of compute_90a, as in the build."""
    suffix = "a" if _HOPPER in text else ""
    return [f"-{kind}=compute_90{suffix}" for kind in kinds]


class Compiler:
    def __init__(self, nvcc: str, code: Path, slug: str, work: Path,
                 kept: Path):
        self.nvcc, self.code, self.slug, self.work = nvcc, code, slug, work
        self.kept = keeping.Kept(kept)       # one folder for each slug
        # What every program of this chapter may depend on.
        self.common = keeping.compiler(nvcc) + b"\0" + keeping.files(
            code, [code / "common", code / slug])

    def forget_unused(self) -> None:
        self.kept.forget_unused()

    def text(self, name: str) -> str:
        return (self.code / self.slug / name).read_text("utf-8")

    def _has_wgmma(self, program: str) -> bool:
        return _HOPPER in self.text(program + ".cu")

    def _nvcc(self, folder: Path, program: str, output: Path,
              flags: Sequence[str], libraries: str,
              may_refuse: bool = False) -> Tuple[bool, str]:
        kinds = ("arch", "code") if flags is _HOST else ("arch",)
        few = flags is _PTX and not self._has_wgmma(program)
        words = [*_FLAGS, *_arch(self.text(program + ".cu"), *kinds), *flags,
                 *(_FEWER if few else []), *libraries.split()]
        name = self.kept.name([self.common, keeping.files(folder, [folder]),
                               "\0".join(words).encode()])
        there = self.kept.find(name)
        if there:
            shutil.copy(there, output)
            return True, ""
        # For copies side by side: what nvcc refuses is refused the next time.
        refusal = self.kept.name([name.encode(), b"refused"])
        there = self.kept.find(refusal) if may_refuse else None
        if there:
            return False, there.read_text("utf-8")
        done = subprocess.run(
            [self.nvcc, *words, "-I", str(self.code), "-o", str(output),
             str(folder / (program + ".cu"))], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode == 0:
            self.kept.keep(name, output.read_bytes(), output.stat().st_mode)
        elif may_refuse:
            self.kept.keep(refusal, done.stdout.encode())
        return done.returncode == 0, done.stdout

    def one(self, fault: Fault) -> Tuple[Path, str]:
        """The fault alone. Returns the output, or what nvcc says."""
        folder = self.work / f"alone_{fault.number}"
        folder.mkdir()
        name = fault.header or fault.program + ".cu"
        at = folder
        if fault.header:
            # A header is found before the one of code/ in a folder beside the
            # program.
            at = folder / self.slug
            at.mkdir()
            (folder / (fault.program + ".cu")).write_text(
                self.text(fault.program + ".cu"), "utf-8")
        (at / name).write_text(plant(self.text(name), fault) or "", "utf-8")
        output = folder / ("wrong" if fault.in_host else "wrong.ptx")
        good, said = self._nvcc(folder, fault.program, output,
                                _HOST if fault.in_host else _PTX,
                                fault.libraries)
        return output, "" if good else said

    def _joined(self, faults: List[Fault], text: str, output: str,
                flags: Sequence[str]) -> Path:
        program = faults[0].program
        folder = self.work / f"joined_{faults[0].number}"
        folder.mkdir()
        (folder / (program + ".cu")).write_text(text, "utf-8")
        good, said = self._nvcc(folder, program, folder / output, flags,
                                faults[0].libraries, may_refuse=True)
        if not good:
            raise split.NotAlike("\n".join(said.split("\n")[:5]))
        return folder / output

    def kernels(self, faults: List[Fault]) -> Tuple[Path, Dict[int, Path]]:
        """Faults in the kernels of one program. Returns the program's PTX and
        that of each fault by its number; raises NotAlike where copies side by
        side are not the same program, or do not compile."""
        name = faults[0].program + ".cu"
        text = self.text(name)
        ptx = self._joined(faults, source.joined_kernels(text, faults, name),
                           "joined.ptx", _PTX)
        parts = split.items(ptx.read_text("utf-8"))
        plain = ptx.with_name("sound.ptx")
        plain.write_text(split.sound(parts), "utf-8")
        found: Dict[int, Path] = {}
        for fault in faults:
            path = ptx.with_name(f"fault_{fault.number}.ptx")
            path.write_text(split.faulty(
                parts, fault.number, source.untouched_kernels(text, fault)),
                "utf-8")
            found[fault.number] = path
        return plain, found

    def programs(self, faults: List[Fault]) -> Path:
        """Faults that need the whole program: one that holds them all."""
        name = faults[0].program + ".cu"
        return self._joined(faults, source.joined_programs(
            self.text(name), faults, name), "wrong", _HOST)
