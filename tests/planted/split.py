"""The PTX of source.joined_kernels, taken apart: what the device runs for each
fault, under the names that the listing's own program has for it."""
import re
import subprocess
from typing import Dict, List, NamedTuple, Optional, Set

_NAMED = re.compile(r"[A-Za-z_$][\w$]*fault_\d+_[\w$]*")
_WITHOUT_END = (".version", ".target", ".address_size", ".file", "//")
_DEFINES = re.compile(
    r"^(?:\.\w+\s+)*\.(entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)"
    r"|^\.(?:\w+\s+\.)*?(?:global|const|shared)\b[^;={]*?([\w$]+)\s*"
    r"(?:\[[^\]]*\])*\s*(?:=|;)", re.S)


class NotAlike(Exception):
    """A faulty copy has kernels that the listing does not have."""


class Item(NamedTuple):
    text: str
    name: str           # of the kernel, function or variable, or ""
    is_entry: bool


def items(ptx: str) -> List[Item]:
    """Statements outside of braces, and functions with their bodies."""
    found: List[Item] = []
    lines: List[str] = []
    depth = 0

    def end() -> None:
        text = "\n".join(lines)
        match = _DEFINES.match(text.lstrip())
        name = (match.group(2) or match.group(3)) if match else ""
        found.append(Item(text, name, bool(match) and
                          match.group(1) == "entry"))
        lines.clear()

    for line in ptx.split("\n"):
        code = line.split("//")[0].rstrip()
        if not lines and (not code or line.startswith(_WITHOUT_END)):
            found.append(Item(line, "", False))
            continue
        lines.append(line)
        if '"' not in code:
            depth += code.count("{") - code.count("}")
        if depth == 0 and code.endswith((";", "}")):
            end()
    if lines:
        end()
    return found


def demangled(names: List[str]) -> Dict[str, str]:
    if not names:
        return {}
    done = subprocess.run(["c++filt"], input="\n".join(names) + "\n",
                          text=True, stdout=subprocess.PIPE, check=True)
    return dict(zip(names, done.stdout.split("\n")))


def function_name(readable: str) -> str:
    """'void ns::tile<16>(float*)' -> 'tile'"""
    head, depth = "", 0
    for sign in readable:
        depth += (sign == "<") - (sign == ">")
        if depth == 0 and sign == "(":
            break
        if depth == 0 and sign != ">":
            head += sign
    return re.split(r"[\s:]+", head.strip())[-1]


def _is_of_a_copy(one: Item) -> bool:
    # The first question is the quick one: most text is the listing's own.
    return "fault_" in one.text and bool(_NAMED.search(one.text))


def sound(all_items: List[Item]) -> str:
    """The listing's own part."""
    return "\n".join(one.text for one in all_items
                     if not _is_of_a_copy(one)) + "\n"


def faulty(all_items: List[Item], number: int, emptied: Set[str]) -> str:
    """The listing's part with what copy `number` has in another way. Raises
    NotAlike."""
    ours = re.compile(f"fault_{number}_")
    others = [one for one in all_items if not _is_of_a_copy(one)]
    copies = [one for one in all_items if ours.search(one.text)]

    tokens = sorted({name for one in copies
                     for name in _NAMED.findall(one.text)})
    readable = demangled(tokens)
    known = {text: name for name, text in demangled(
        [one.name for one in others if one.name]).items()}
    names: Dict[str, str] = {}
    for token, text in readable.items():
        plain: Optional[str] = known.get(
            text.replace(f"fault_{number}_::", ""))
        if plain:
            names[token] = plain

    replaced: Dict[str, str] = {}
    added: List[str] = []
    for one in copies:
        if not one.name:
            continue
        if one.is_entry and function_name(readable[one.name]) in emptied:
            continue
        if one.is_entry and one.name not in names:
            raise NotAlike(readable[one.name])
        text = _NAMED.sub(lambda match: names.get(match.group(),
                                                  match.group()), one.text)
        if one.name in names:
            replaced[names[one.name]] = text
        else:
            added.append(text)

    result: List[str] = []
    for one in others:
        if added and (one.is_entry or one.name in replaced):
            result += added
            added = []
        result.append(replaced.get(one.name, one.text) if one.name
                      else one.text)
    return "\n".join(result + added) + "\n"
