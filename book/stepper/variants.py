"""The edits that a scene's choices and breaks make in its source."""
import itertools
import re
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from scene import Fault, Scene


class Variant(NamedTuple):
    """One file of PTX."""
    key: str
    settings: Tuple[str, ...]   # of the knobs
    kernel: str
    defines: Tuple[str, ...]
    text: str                   # of the source, edited
    break_line: int             # of the break's edit; 0: not broken
    is_default: bool            # apart from the break


def kernel_start(text: str, kernel: str) -> int:
    """Where the kernel's definition begins; -1: it has none."""
    plain = kernel.split("<")[0]
    match = re.search(r"__global__[^;{}]*?\b" + re.escape(plain) + r"\s*\(",
                      text)
    return match.start() if match else -1


def _edited(text: str, kernel: str, edit: Dict[str, str]
            ) -> Optional[Tuple[str, int]]:
    """The text after the edit, and the edit's line; None: no such place. It is
    looked for in the kernel, after `after` if that is there; where the kernel
    has no such text, in the whole file after it."""
    start = kernel_start(text, kernel)
    end = text.find("\n}", start)
    if edit.get("after"):
        inside = text.find(edit["after"], start, end)
        if inside < 0:
            inside, end = text.find(edit["after"]), len(text)
        start = inside
    at = text.find(edit["replace"], start, end) if start >= 0 else -1
    if at < 0:
        return None
    return (text[:at] + edit["with"] + text[at + len(edit["replace"]):],
            text.count("\n", 0, at) + 1)


def variants(scene: Scene) -> Iterator[Variant]:
    """All of them. Breaks that a variant's kernel has no place for are left
    out, and so are combinations of breaks."""
    knobs, source = scene.knobs("variant"), scene.source()
    for chosen in itertools.product(*(knob["choices"] for knob in knobs)):
        words = [choice["word"] for choice in chosen]
        settings = tuple(f"{knob['name']}={word}"
                         for knob, word in zip(knobs, words))
        kernel = scene.described["kernel"]
        text: str = source
        for choice in chosen:
            kernel = choice.get("kernel", kernel)
        for choice, knob in zip(chosen, knobs):
            for edit in choice["edits"]:
                found = _edited(text, kernel, edit)
                if found is None:
                    raise Fault(_no_place(scene, knob, edit))
                text = found[0]
        defines = tuple(define for choice in chosen
                        for define in choice["defines"])
        is_default = all(knob["default"] == word
                         for knob, word in zip(knobs, words))
        stem = ".".join(words) or "plain"
        yield Variant(stem, settings, kernel, defines, text, 0, is_default)
        for fault in scene.knobs("break"):
            one: Optional[Tuple[str, int]] = (text, 0)
            line = 0
            for edit in fault["choices"][0]["edits"]:
                one = _edited(one[0], kernel, edit) if one else None
                line = line or (one[1] if one else 0)
            if one is not None:
                yield Variant(f"{stem}.{fault['name']}",
                              settings + (f"break={fault['name']}",), kernel,
                              defines, one[0], line, is_default)
            elif is_default:
                raise Fault(_no_place(scene, fault,
                                      fault["choices"][0]["edits"][0]))


def _no_place(scene: Scene, knob: Dict[str, Any], edit: Dict[str, str]) -> str:
    where = (f"after '{edit['after']}'" if edit.get("after")
             else "in the kernel")
    return (f"{scene.path}:{knob['line']}: error: '{edit['replace']}' is not to"
            f" be found {where} of {scene.described['source']}; the listing"
            " may have changed")


def predicted_lines(scene: Scene) -> List[int]:
    """Of each variant's kernel the lines that begin as `predict` says."""
    text = scene.source()
    kernels = {scene.described["kernel"]} | {
        choice["kernel"] for knob in scene.knobs("variant")
        for choice in knob["choices"] if "kernel" in choice}
    found = set()
    for wanted in scene.described["predict"]:
        here = set()
        for kernel in kernels:
            start = kernel_start(text, kernel)
            end = text.find("\n}", start)
            first = text.count("\n", 0, start) + 1
            here |= {first + i for i, line in
                     enumerate(text[start:end].split("\n"))
                     if line.strip().startswith(wanted)}
        if not here:
            raise Fault(f"{scene.path}:1: error: no line of the kernel begins"
                        f" with '{wanted}', which is to be predicted")
        found |= here
    return sorted(found)
