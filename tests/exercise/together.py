"""All answers of an exercise, compiled at once: each in a namespace of its own."""
import re
import sys
from pathlib import Path
from typing import Dict, List, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from exercise import notation, programs  # noqa: E402


def answers_of(exercise: notation.Exercise) -> Dict[str, str]:
    return {"model": exercise.model(), "skeleton": exercise.skeleton(),
            **{"wrong_" + wrong.name: exercise.answer(wrong.name)
               for wrong in exercise.wrong}}


def together(answers: Dict[str, str]) -> str:
    """One source with all answers. What they include comes first; lines are numbered
    as in each of them."""
    included: List[str] = []
    bodies = []
    for name, text in answers.items():
        rows = []
        for row in text.splitlines():
            if row.lstrip().startswith("#include"):
                included.append(row)
                row = ""
            rows.append(row)
        bodies.append(f'namespace {name} {{\n#line 1 "{name}.cu"\n'
                      + "\n".join(rows) + "\n}\n")
    return "\n".join(dict.fromkeys(included)) + "\n" + "".join(bodies)


def compiled(compiler: programs.Compiler, answers: Dict[str, str], folder: Path,
             root: Path) -> Dict[str, Tuple[programs.Ptx, str]]:
    """The PTX of each, and the namespace of its kernels. Macros know no namespaces:
    with them, each answer is compiled by itself."""
    if any(re.search(r"^\s*#\s*define", text, re.M) for text in answers.values()):
        found = {}
        for name, text in answers.items():
            source = folder / (name + ".cu")
            source.write_text(text, "utf-8")
            found[name] = programs.take(programs.compile_ptx(
                compiler, source, root, folder)[0], folder), ""
        return found
    source = folder / "answers.cu"
    source.write_text(together(answers), "utf-8")
    ptx = programs.take(programs.compile_ptx(compiler, source, root, folder)[0],
                        folder)
    return {name: (ptx, name) for name in answers}
