"""Several faulty copies of a listing in one source file.

Each copy is in a namespace of its own, fault_<number>_. Headers are included
before that, outside of all namespaces: their guards keep the copies from
including them again.

A faulty copy is there for its faulty kernels. The others are emptied, because
compiling them is most of the work, and what the device runs in their place is
compiled from the listing itself, which is at the end of the file (split.py).
"""
import re
from typing import Iterator, List, NamedTuple, Set

from faults import Fault, place, plant

_SKIPPED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
                      r"|'(?:\\.|[^'\\\n])*'", re.S)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", re.M)
_ATTRIBUTE = re.compile(r"__launch_bounds__\s*\((?:[^()]|\([^()]*\))*\)"
                        r"|\btemplate\s*<[^{}]*?>(?=\s*[\w_])")
_NAME = re.compile(r"(\w+)\s*\(")
_MAIN = re.compile(r"^int main\(", re.M)


class Function(NamedTuple):
    name: str
    is_kernel: bool
    start: int      # of its head
    body: int       # of its opening brace
    end: int        # after its closing brace


def _blank(match: "re.Match[str]") -> str:
    return re.sub(r"[^\n]", " ", match.group())


def functions(text: str) -> Iterator[Function]:
    """Those that are defined outside of braces."""
    code = _DIRECTIVE.sub(_blank, _SKIPPED.sub(_blank, text))
    depth = 0
    start = body = 0
    for match in re.finditer(r"[{};]", code):
        at, sign = match.start(), match.group()
        if sign == "{":
            if depth == 0:
                body = at
            depth += 1
            continue
        if sign == "}":
            depth -= 1
        if depth != 0:
            continue
        if sign == "}" and body > start:
            head = _ATTRIBUTE.sub(" ", code[start:body])
            name = _NAME.search(head)
            if name and "=" not in head.split("(")[0] and not re.match(
                    r"\s*(struct|union|enum|class|namespace|extern)\b\s*\w*\s*$",
                    head):
                yield Function(name.group(1), "__global__" in head, start,
                               body, at + 1)
        start = at + 1


def untouched_kernels(text: str, fault: Fault) -> Set[str]:
    """Kernels that neither are the function with the fault nor call it, nor
    anything that calls it. Empty if the fault is not inside of a function."""
    at = place(text, fault)
    found = list(functions(text))
    touched = {one.name for one in found
               if at is not None and one.body < at < one.end}
    if not touched:
        return set()
    while True:
        callers = {one.name for one in found if one.name not in touched
                   and touched & set(re.findall(r"\w+",
                                                text[one.body:one.end]))}
        if not callers:
            return {one.name for one in found
                    if one.is_kernel and one.name not in touched}
        touched |= callers


def _without_bodies(text: str, names: Set[str]) -> str:
    """Lines stay where they are, for messages."""
    for one in reversed(list(functions(text))):
        if one.is_kernel and one.name in names:
            lines = "\n" * text.count("\n", one.body, one.end)
            text = text[:one.body] + "{" + lines + "}" + text[one.end:]
    return text


def _headers(text: str) -> str:
    """Directives, without those that include anything but headers."""
    lines = [match.group() for match in _DIRECTIVE.finditer(text)]
    return "\n".join(line for line in lines
                     if not re.match(r'\s*#\s*include\s*"[^"]*\.(?!h")', line)
                     and not re.match(r"\s*#\s*pragma", line))


def _in_namespace(fault: Fault, text: str, name: str) -> str:
    return (f"namespace fault_{fault.number}_ {{\n#line 1 \"{name}\"\n{text}\n"
            "}\n")


def joined_kernels(text: str, faults: List[Fault], name: str) -> str:
    """All faulty copies, then the listing itself."""
    parts = [_headers(text)]
    for fault in faults:
        copy = _without_bodies(plant(text, fault) or "",
                               untouched_kernels(text, fault))
        parts.append(_in_namespace(fault, copy, name))
    return "\n".join(parts + [f"#line 1 \"{name}\"", text])


def joined_programs(text: str, faults: List[Fault], name: str) -> str:
    """All faulty copies as one program, which runs the one whose number is in
    the environment's PLANTED_FAULT."""
    parts = [_headers(text), "#include <stdlib.h>"]
    for fault in faults:
        parts.append(_in_namespace(fault, plant(text, fault) or "", name))
    cases = "".join(
        f"  case {fault.number}: return fault_{fault.number}_::main("
        + ("" if re.search(r"^int main\((void)?\)", text, re.M)
           else "argc, argv") + ");\n" for fault in faults)
    return "\n".join(parts + [
        "int main(int argc, char **argv)\n{\n  (void)argc, (void)argv;\n"
        "  switch (atoi(getenv(\"PLANTED_FAULT\"))) {\n" + cases
        + "  }\n  return 99;\n}\n"])
