"""nvcc's PTX of a scene's variants, cut down to one kernel each."""
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Tuple

import kept as keeping
import runs
import scene as scenes
from scene import Fault, Scene
from variants import Variant, variants

_FLAGS = ["-std=c++17", "-O3", "-lineinfo", "-ptx", "-w"]
_HEAD = (".version", ".target", ".address_size")
_DEFINES = re.compile(
    r"(?:\.\w+\s+)*\.(entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)"
    r"|(?:\.\w+\s+)*?\.(?:global|const|shared)\b[^;={]*?([\w$]+)\s*"
    r"(?:\[[^\]]*\])*\s*(?:=|;)", re.S)


class Item(NamedTuple):
    text: str
    name: str
    is_entry: bool


def _items(ptx: str) -> List[Item]:
    """The module's variables and functions."""
    found: List[Item] = []
    lines: List[str] = []
    depth = 0
    for line in ptx.split("\n"):
        code = line.split("//")[0].rstrip()
        if not lines and (not code or code.lstrip().startswith(
                _HEAD + (".file", ".section", ".b8 "))):
            continue
        if not code:
            continue
        lines.append(code)
        if '"' not in code:
            depth += code.count("{") - code.count("}")
        if depth == 0 and code.endswith((";", "}")):
            text = "\n".join(lines)
            match = _DEFINES.match(text.lstrip())
            if match:
                found.append(Item(text, match.group(2) or match.group(3),
                                  match.group(1) == "entry"))
            lines = []
    return found


def _readable(names: List[str]) -> Dict[str, str]:
    """Kernels as the source has them: function, template arguments."""
    done = subprocess.run(["c++filt"], input="\n".join(names) + "\n",
                          text=True, stdout=subprocess.PIPE, check=True)
    found = {}
    for name, text in zip(names, done.stdout.split("\n")):
        depth, end = 0, len(text)
        for i, sign in enumerate(text):
            depth += (sign == "<") - (sign == ">")
            if sign == "(" and depth == 0 and i > 0:
                end = i
                break
        plain = re.sub(r"\((?:int|unsigned int|bool|unsigned|\w+)\)", "",
                       text[:end])
        found[name] = re.sub(r"^.*?(\w+(<.*)?)$", r"\1", plain).replace(" ", "")
    return found


def _wanted(items: List[Item], kernel: str) -> Optional[str]:
    entries = [one.name for one in items if one.is_entry]
    readable = _readable(entries)
    plain = kernel.replace(" ", "")
    found = [name for name in entries if readable[name] == plain]
    if not found:
        found = [name for name in entries
                 if readable[name].split("<")[0] == plain]
    return found[0] if len(found) == 1 else None


def _needed(items: List[Item], entry: str) -> List[Item]:
    """The kernel, and what it names, and what that names."""
    by_name: Dict[str, List[Item]] = {}
    for one in items:
        by_name.setdefault(one.name, []).append(one)
    seen, todo = set(), [entry]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        for one in by_name[name]:
            todo += [word for word in set(re.findall(r"[\w$]+", one.text))
                     if word in by_name and word not in seen]
    return [one for one in items if one.name in seen]


def _short(path: str, work: Path, source: Path, root: Path) -> str:
    """The same on every machine: from the repository's root, or one by which the
    device knows the toolkit's headers, whose code is their caller's doing."""
    if Path(path).parent == work:
        path = str(source)
    text = str(Path(path).resolve()) if Path(path).exists() else path
    try:
        return Path(text).relative_to(root.resolve()).as_posix()
    except ValueError:
        return "cuda/include/" + text.split("/include/")[-1]


def cut(ptx: str, kernel: str, work: Path, source: Path, root: Path) -> str:
    items = _items(ptx)
    entry = _wanted(items, kernel)
    if entry is None:
        raise Fault(f"{source}: error: no kernel, or several, that '{kernel}'"
                    " means; give the template arguments as well")
    kept = _needed(items, entry)
    body = "\n".join(one.text for one in kept)
    used = set(re.findall(r"\.loc\s+(\d+)", body)) | set(
        re.findall(r"inlined_at (\d+)", body))
    head = [line for line in ptx.split("\n") if line.startswith(_HEAD)]
    files = []
    for number, path in re.findall(r'^\s*\.file\s+(\d+)\s+"([^"]*)"', ptx,
                                   re.M):
        if number in used:
            name = _short(path, work, source, root)
            files.append(f'.file {number} "{name}"')
    body = re.sub(r"function_name [^,\n]+, ", "", body)
    return "\n".join(head + [body] + files) + "\n"


class Nvcc:
    """The compiler. With a folder, what it made is kept there."""

    def __init__(self, scene: Scene, program: str,
                 folder: Optional[Path] = None):
        self.scene, self.program = scene, program
        self.source = scene.root / scene.described["source"]
        self.kept = keeping.Kept(folder) if folder else None
        code = scene.root / "code"
        self.common = b"\0".join([
            keeping.compiler(program), str(scene.root).encode(),
            keeping.files(code, [code / "common", self.source.parent])])

    def words(self, variant: Variant) -> List[str]:
        arch = "90a" if '#include "common/hopper.h"' in variant.text else "90"
        return [*_FLAGS, f"-arch=compute_{arch}", "-I",
                str(self.scene.root / "code"), "-I", str(self.source.parent),
                *(f"-D{define}" for define in variant.defines),
                *self.scene.described["flags"]]

    def ptx(self, variant: Variant, work: Path) -> str:
        """As if it had been compiled in the folder `work`."""
        words = self.words(variant)
        name = self.kept.name([self.common, variant.text.encode(),
                               "\0".join(words).encode()]) if self.kept else ""
        there = self.kept.find(name) if self.kept else None
        if there:
            return there.read_text("utf-8").replace("@work@", str(work))
        made = self.compile(variant, words, work)
        if self.kept:
            self.kept.keep(name, made.replace(str(work), "@work@").encode())
        return made

    def compile(self, variant: Variant, words: List[str], work: Path) -> str:
        (work / self.source.name).write_text(variant.text, "utf-8")
        done = subprocess.run(
            [self.program, *words, "-o", str(work / "made.ptx"),
             str(work / self.source.name)], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        if done.returncode != 0:
            raise Fault(f"{self.scene.path}: error: nvcc refuses the variant"
                        f" {variant.key}:\n{done.stdout.rstrip()}")
        return (work / "made.ptx").read_text("utf-8")


def compiled(nvcc: Nvcc, variant: Variant) -> str:
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder).resolve()
        return cut(nvcc.ptx(variant, work), variant.kernel, work, nvcc.source,
                   nvcc.scene.root)


def all_compiled(scene: Scene, nvcc: Nvcc) -> Dict[str, str]:
    """By key. What differs in its kernel alone is compiled once. A break that
    changes nothing in a variant's kernel is left out."""
    made: Dict[str, str] = {}
    once: Dict[Tuple[str, ...], Dict[str, str]] = {}
    for variant in variants(scene):
        same = once.setdefault((variant.text, *variant.defines), {})
        if variant.kernel not in same:
            same[variant.kernel] = compiled(nvcc, variant)
        made[variant.key] = same[variant.kernel]
        whole = variant.key.rpartition(".")[0]
        if variant.break_line and made[variant.key] == made[whole]:
            if variant.is_default:
                raise Fault(f"{scene.path}: error: the break {variant.key}"
                            " changes nothing in the kernel's PTX")
            del made[variant.key]
    return made


def make(arguments: List[str]) -> int:
    root, nvcc = Path(arguments[0]), arguments[1]
    for name in scenes.names(root):
        if arguments[2:] and not {name, name.split("/")[0]} & set(
                arguments[2:]):
            continue
        scene = scenes.read(root, name)
        made = all_compiled(scene, Nvcc(scene, nvcc))
        # Another zlib packs the same texts otherwise: they alone count.
        if runs.unpacked(scene.packed) != made:
            scene.packed.write_bytes(runs.packed(made))
            print(f"{scene.packed.relative_to(root)}: {len(made)} texts,"
                  f" {scene.packed.stat().st_size} bytes")
    return 0


def check(arguments: List[str]) -> int:
    """A later release of the toolkit may make other PTX of the same source."""
    root, program, name, *kept = arguments
    scene = scenes.read(Path(root), name)
    there = runs.unpacked(scene.packed)
    nvcc = Nvcc(scene, program, Path(kept[0], name) if kept else None)
    made = all_compiled(scene, nvcc)
    if nvcc.kept:
        nvcc.kept.forget_unused()
    where = f"{scene.packed.relative_to(root)}: error"
    remedy = f"; ./course steps {name} makes it anew"
    bad = []
    for key in sorted(set(made) | set(there)):
        if key not in there:
            bad.append(f"{where}: {key} is missing{remedy}")
        elif key not in made:
            bad.append(f"{where}: the scene has no such variant: {key}{remedy}")
        elif made[key] != there[key]:
            bad.append(f"{where}: nvcc makes something else of {key}, with the"
                       f" source as it is now{remedy}")
    print("\n".join(bad))
    return 1 if bad else 0
