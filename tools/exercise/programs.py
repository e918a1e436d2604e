"""What an exercise's code becomes: the reader's file, and PTX."""
import hashlib
import os
import re
import shutil
import subprocess
import textwrap
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Tuple

from . import notation
from .notation import Exercise, Fault

COMPILE_SECONDS = 120        # a template that never ends must not, either


class Compiler(NamedTuple):
    name: str                # nvcc or clang
    command: List[str]


def compilers(build: Path) -> Dict[str, Compiler]:
    """Those that are here, the one to prefer first."""
    found = {}
    home = os.environ.get("CUDA_HOME") or os.environ.get(
        "CUDA_PATH") or "/usr/local/cuda"
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path=home + "/bin")
    if nvcc:
        found["nvcc"] = Compiler("nvcc", [nvcc, "-arch=compute_90"])
    if shutil.which("clang"):
        found["clang"] = Compiler("clang", [str(build / "device/softdevice"), "cc",
                                            "-arch=sm_90"])
    return found


def choose(build: Path, name: Optional[str]) -> Compiler:
    """The one of this name; without a name, the first that there is."""
    there = compilers(build)
    name = name or next(iter(there), "")
    if name not in there:
        raise Fault(f"{name or 'nvcc or clang'} was not found; ./course doctor says"
                    " how to install it")
    return there[name]


class Ptx(NamedTuple):
    hash: str                # how the name of its file begins
    kernels: List[str]       # mangled

    def kernel(self, name: str, inside: str = "") -> str:
        """The mangled name of a kernel, in a namespace or in none; a Fault, which says
        why, if there is not exactly one."""
        ending = f"{len(name)}{name}"
        wanted = (f"_ZN{len(inside)}{inside}{ending}E" if inside
                  else f"_Z{ending}")
        found = [one for one in self.kernels
                 if one.startswith(wanted) or one == name and not inside]
        if len(found) == 1:
            return found[0]
        raise Fault(f"There are {len(found)} kernels `{name}` in this file, with"
                    " different parameters." if found else
                    f"There is no kernel `{name}` in this file. Its name and"
                    " parameters must be as they were.")


def compile_ptx(compiler: Compiler, source: Path, root: Path, folder: Path
                ) -> Tuple[Path, str]:
    """The file of PTX, and what the compiler says; a Fault with its message if there
    is none. `source` is named as below `root`, and so are lines in messages."""
    name = os.path.relpath(source, root)
    path = folder / "out.ptx"
    command = [*compiler.command, "-std=c++17", "-O3", "-lineinfo", "-I", "code",
               "-ptx", name if not name.startswith("..") else str(source),
               "-o", str(path)]
    try:
        done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              timeout=COMPILE_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise Fault(f"{name}: error: the compiler was not done after"
                    f" {COMPILE_SECONDS} seconds") from None
    said = done.stdout.decode("utf-8", "replace").strip()
    if done.returncode != 0:
        raise Fault(said or f"the compiler ended with status {done.returncode}")
    return path, said


def take(path: Path, folder: Path) -> Ptx:
    """The PTX of a file, put where launches find it."""
    text = path.read_bytes()
    digits = hashlib.sha256(text).hexdigest()[:16]
    (folder / (digits + ".ptx")).write_bytes(text)
    return Ptx(digits, re.findall(r"\.entry\s+([\w$]+)",
                                  text.decode("utf-8", "replace")))


def reference_source(exercise: Exercise) -> str:
    return exercise.shared_code + exercise.code["reference"]


# ---- the reader's file ------------------------------------------------------

def launch_words(words: List[str], exercise: Exercise) -> str:
    """A `launch` as the host would write it."""
    def extent(text: str) -> str:
        parts = [part.strip("()") if re.fullmatch(r"\([^()]*\)", part) else part
                 for part in re.split(r",(?![^(]*\))", text)]
        parts = [re.sub(r"(?<=[\w)])([-+*/%])(?=[\w(])", r" \1 ", part)
                 for part in parts]
        return parts[0] if len(parts) == 1 else f"dim3({', '.join(parts)})"
    shared = [word[7:] for word in words[3:] if word.startswith("shared=")]
    names = [one.name for one in
             notation.parameters(exercise.model(), words[0])]
    given = arguments(words)
    return (f"{words[0]}<<<{', '.join(map(extent, words[1:3] + shared))}>>>"
            f"({', '.join([one.split(':')[-1] for one in given] or names)})")


def arguments(words: List[str]) -> List[str]:
    """Those that a `launch` has written out."""
    return [word for word in words[3:] if not re.match(r"[a-z]+=", word)]


def readers_file(exercise: Exercise) -> str:
    """The question as a comment, then the skeleton."""
    def wrap(text: str) -> List[str]:
        return textwrap.wrap(text, 76, break_long_words=False,
                             break_on_hyphens=False)
    head = [f"{exercise.title}  ({exercise.name}, difficulty"
            f" {exercise.difficulty} of 3)", ""]
    for paragraph in exercise.texts["question"][0].split("\n\n"):
        head += [*wrap(paragraph), ""]
    head += ["The host launches", ""]
    head += [f"  {launch_words(words, exercise)};" for words in exercise.launches()]
    head += [""]
    for goal in exercise.goals:
        head += wrap(f"Goal: at most {goal.most} {goal.words}"
                     f" ({describe(exercise, exercise.measured)}).")
    if exercise.goals:
        head += [""]
    head += [f"./course exercise {exercise.name}          judges what is written here",
             f"./course exercise {exercise.name} --hint   gives a hint, three in all"]
    lines = "\n".join((" * " + line).rstrip() for line in head)
    return f"/*{lines[2:]} */\n{exercise.skeleton()}"


def describe(exercise: Exercise, case) -> str:
    """n = 33 and values = equal"""
    def word(name: str) -> str:
        words = exercise.words.get(name, [])
        return words[case[name]] if case[name] < len(words) else str(case[name])
    parts = [f"{name} = {word(name)}" for name in case]
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
