"""What the judge says: a finding of the device's checks, a wrong number or a refused
launch, in words that explain a mistake to someone who learns, and do not say how it is
put right."""
import json
import re
import textwrap
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple

# A table, so that the page can say the same.
SENTENCES: Dict[str, str] = json.loads(
    (Path(__file__).parent / "sentences.json").read_text("utf-8"))
# Which check's finding is told first: what comes later often follows from it.
ORDER = ("sync", "memory", "race", "init")
NEW_NUMBERS = ("nan (0xfff5fff5)", "nan (0xfff5fff5fff5fff5)", "-nan (0xfff5fff5)",
               "-nan (0xfff5fff5fff5fff5)", "-655371", "4294311925")


class Side(NamedTuple):
    did: str             # load of 4 bytes
    block: str
    thread: str
    line: int
    source: str


class Mistake(NamedTuple):
    text: str
    line: int
    ends: bool           # the launch


# How many elements a buffer has, and, of a matrix, its rows and columns.
Shape = Callable[[str], Tuple[int, List[int]]]


def _element(name: str, i: int, shape: Shape) -> str:
    """Element i of a buffer; of a matrix by row and column."""
    sides = shape(name)[1]
    if len(sides) == 2 and min(sides) > 1:
        return (f"the element in row {i // sides[1]}, column {i % sides[1]} of"
                f" `{name}`")
    return f"{name}[{i}]"


# ---- findings ---------------------------------------------------------------

_HEAD = re.compile(r"softdevice: (memory|init|race|sync): (.*)")
_DID = re.compile(r"  (?:an? )?(.+?) by block \((.*?)\), thread \((.*?)\)$")
_AT = re.compile(r"  at (.*?):(\d+)(?::\d+)?$")
_SOURCE = re.compile(r" *(\d+) \| (.*)")
_MEMORY = r"(?:variable (\w+)|the (dynamic shared memory)) of (\d+) bytes"
_STORY = re.compile(r"(\d+) bytes? into " + _MEMORY)
_BEYOND = re.compile(r"(right|\d+ bytes?) (past the end of|before) +" + _MEMORY)
_FAULT = re.compile(r"the launch failed: (\w+) .*thread \((.*?)\).*", re.S)


def _blocks(said: str) -> List[List[str]]:
    """Each finding's lines."""
    found: List[List[str]] = []
    for line in said.splitlines():
        if _HEAD.match(line):
            found.append([line])
        elif line.startswith(" ") and found:
            found[-1].append(line)
        elif found:
            found.append([])
    return [block for block in found if block and _HEAD.match(block[0])]


def _sides(block: List[str]) -> List[Side]:
    found: List[Side] = []
    for line in block:
        did, at, source = _DID.match(line), _AT.match(line), _SOURCE.match(line)
        if did:
            found.append(Side(did[1], did[2], did[3], 0, ""))
        elif found and at and not found[-1].line:
            found[-1] = found[-1]._replace(line=int(at[2]))
        elif found and source and not found[-1].source:
            found[-1] = found[-1]._replace(source=source[2])
    return found


def _who(side: Side, other: Optional[Side] = None) -> str:
    def short(text: str) -> str:
        x, y, z = text.split(",")
        return f"({text})" if z != "0" else f"({x},{y})" if y != "0" else x
    with_block = other is not None and other.block != side.block
    return (f"thread {short(side.thread)}"
            + (f" of block {short(side.block)}" if with_block
               or side.block != "0,0,0" and other is None else ""))


def _does(side: Side) -> str:
    word = side.did.split(" ")[0]
    return {"load": "reads", "store": "writes", "atomic": "changes"}.get(word, word)


def _place(block: List[str], side: Side, shape: Shape) -> str:
    """Which element, where the device knows the variable and the access's size."""
    text = " ".join(block)
    size = re.search(r"of (\d+) bytes?", side.did)
    within, beyond = _STORY.search(text), _BEYOND.search(text)
    is_global = " of shared memory: " not in text and " of local memory: " not in text
    if not size:
        return ""
    if within and int(within[1]) % int(size[1]) == 0:
        i = int(within[1]) // int(size[1])
        if int(within[1]) + int(size[1]) > int(within[4]):
            return (f"{size[1]} bytes at once, of which the last are beyond the end of"
                    f" `{within[2]}`")
        if is_global and within[2]:
            return _element(within[2], i, shape)
        return f"element {i} of {_named(within)}"
    if beyond:
        bytes_ = int(beyond[5])
        apart = 0 if beyond[1] == "right" else int(beyond[1].split()[0])
        i = (-apart if beyond[2] == "before" else bytes_ + apart) // int(size[1])
        end, word = (0, "first") if i < 0 else (bytes_ // int(size[1]) - 1, "last")
        if is_global and beyond[3]:
            return f"{beyond[3]}[{i}], where {beyond[3]}[{end}] is the {word} element"
        return f"element {i} of {_named(beyond, 3)}, where {end} is the {word}"
    return ""


def _named(match, first: int = 2) -> str:
    """The variable of _MEMORY, whose groups begin there."""
    return f"`{match[first]}`" if match[first] else f"the {match[first + 1]}"


def _lanes(match) -> str:
    """A mask as a list: lanes 0 to 15 and 20."""
    mask = int(match[1], 16)
    runs: List[List[int]] = []
    for lane in range(32):
        if mask >> lane & 1:
            if runs and runs[-1][1] == lane - 1:
                runs[-1][1] = lane
            else:
                runs.append([lane, lane])
    parts = [str(a) if a == b else f"{a}, {b}" if b == a + 1 else f"{a} to {b}"
             for a, b in runs]
    if len(parts) > 4:
        return f"lanes {', '.join(parts[:3])} and others"
    word = "lane " if bin(mask).count("1") == 1 else "lanes "
    return word + " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def _one(text: str) -> str:
    """One lane waits, is and ends; one thread is none of `1 threads`."""
    text = re.sub(r"\bof 1 threads\b", "of 1 thread", text)
    return re.sub(r"(\blane \d+(?: of warp \d+|, which the mask names,|, which)?)"
                  r" (are|wait|end)\b",
                  lambda match: match[1] + {"are": " is", "wait": " waits",
                                            "end": " ends"}[match[2]], text)


def mistake(said: str, shape: Shape) -> Optional[Mistake]:
    """The finding that is told first, or why the launch ended."""
    fault = _FAULT.search(said)
    blocks = sorted(_blocks(said), key=lambda block: ORDER.index(
        _HEAD.match(block[0])[1]))      # type: ignore
    if fault and (fault[1] in ("timeout", "endless") or not blocks):
        return _fault(fault, said)
    if not blocks:
        return None
    block = blocks[0]
    title = _HEAD.match(block[0])[2]    # type: ignore
    sides = _sides(block)
    if not sides:
        return Mistake("\n".join(block), 0, False)
    here = sides[0]
    there = sides[1] if len(sides) > 1 else here
    sentence = next((text for start, text in SENTENCES.items()
                     if title.startswith(start)), "")
    details = [line.strip() for line in block if not (
        _HEAD.match(line) or _DID.match(line) or _AT.match(line)
        or "|" in line or line.startswith(("  in kernel ", "  address 0x",
                                           "  or after it")))]
    place = _place(block, here, shape)
    detail = _one(re.sub(r"lanes 0x([0-9a-f]{8})", _lanes, " ".join(details)))
    text = sentence.format(
        line=here.line, elsewhere="" if there.line == here.line else
        f"on line {there.line} ", who=_who(here, there if there is not here
                                                   else None),
        other_who=_who(there, here), does=_does(here), other_does=_does(there),
        place=place or "a place in memory", detail=detail) or f"{title}: {detail}"
    text = text[0].upper() + text[1:]
    lines = [side for side in sides if side.line]
    for i, side in enumerate(lines):
        if side.source and side.line not in [one.line for one in lines[:i]]:
            text += ("\n\n" if i == 0 else "\n") + (
                f"{side.line:6} | {side.source}")
    if len(blocks) > 1:
        text += ("\n\nThe checks found " + ("one more mistake" if len(blocks) == 2
                 else f"{len(blocks) - 1} more mistakes")
                 + ", which may come of this one.")
    return Mistake(text, here.line, False)


def _fault(fault, said: str) -> Mistake:
    """Why the launch ended early. A line of a header is not the reader's."""
    reason = re.sub(r".*? bytes \d+: |\s*\([^()]*:\d+\)$", "",
                    fault[0].partition("the launch failed: ")[2].splitlines()[0])
    at = re.search(r"\(([^()\s]+\.cu):(\d+)\)$", fault[0], re.M)
    failed = re.search(r"(\S+):(\d+): .*Assertion `(.*)[`'] failed", said)
    line = int(failed[2]) if failed else int(at[2]) if at else 0
    sentence = SENTENCES.get("fault " + fault[1],
                             "the launch ended early: {detail}.{where}")
    text = sentence.format(where=f" It was last on line {line}." if at else "",
                           detail=reason, line=line,
                           condition=failed[3] if failed else "")
    return Mistake(text[0].upper() + text[1:], line, True)


# ---- values -----------------------------------------------------------------

_VALUE = re.compile(r": (\w+)\[(\d+)\] is (.*), expected (.*); (\d+) of (\d+) differ")


def plain_numbers(text: str) -> str:
    """Without the bits of floating-point numbers; memory that was never written is
    a question mark."""
    for new in NEW_NUMBERS:
        text = re.sub(r"(?<![\w.-])" + re.escape(new) + r"(?![\w.])", "?", text)
    return re.sub(r" \(0x[0-9a-f]+\)", "", text).replace("-nan", "nan")


def value(said: str, shape: Shape, is_new: Callable[[str], bool]) -> str:
    """What is wrong in the first buffer in which something is; "" if nothing is."""
    match = _VALUE.search(said)
    if not match:
        return ""
    name, index, got, wanted, n, total = match.groups()
    place = _element(name, int(index), shape)
    if got in NEW_NUMBERS and is_new(name):
        text = f"nothing was ever written to {place}, which should be"
        text += f" {plain_numbers(wanted)}"
    else:
        got, wanted = (plain_numbers(got), plain_numbers(wanted)) if (
            plain_numbers(got) != plain_numbers(wanted)) else (got, wanted)
        text = f"{place} should be {wanted}, and it is {got}"
    if int(total) > 1:
        text += ("; it is the only one of " + total + " that is wrong"
                 if n == "1" else f"; {n} of {total} elements are wrong")
    return text


def changed(said: str) -> str:
    """The first buffer in which something is wrong."""
    match = _VALUE.search(said)
    return match[1] if match else ""


def shortened(said: str, most: int = 40) -> str:
    rows = said.splitlines()
    if len(rows) <= most:
        return said
    return "\n".join([*rows[:most], f"… and {len(rows) - most} more lines"])


def number(found: float) -> str:
    return f"{found:.0f}" if found == int(found) else f"{found:.1f}"


def quote(source: str, line: int, before: str) -> str:
    rows = source.splitlines()
    if not 0 < line <= len(rows):
        return ""
    return f"{before}\n\n{line:6} | {rows[line - 1]}\n"


# ---- what cannot run --------------------------------------------------------

def refused(said: str) -> str:
    reason = re.search(r"error: (.*)", said)
    text = reason[1] if reason else said.strip()
    if "another number of parameters" in text or "another size" in text:
        return ("The kernel's parameters are not those that it had. The host passes"
                " what the question says, so they must stay as they were.")
    if text.startswith(("cannot be launched: ", "does not load: ")):
        return "It cannot run: " + text.partition(": ")[2]
    return "It cannot run: " + text


def line_of_error(said: str) -> int:
    match = re.search(r"[:(](\d+)(?::\d+)?\)?: error", said)
    return int(match[1]) if match else 0


def wrap(text: str, width: int = 78) -> str:
    """Paragraphs; what is indented, or said by a compiler, stays as it is."""
    found = []
    verbatim = False
    for row in text.split("\n"):
        verbatim = verbatim or row == "It does not compile. The compiler says:"
        found += [row] if verbatim or row.startswith(" ") or not row else (
            textwrap.wrap(row, width, break_long_words=False,
                          break_on_hyphens=False))
    return "\n".join(found)
