"""Makes what programs and tools print fit for the book: no place of this
machine, no line that a page cannot hold."""
import re
from typing import Iterable, List

COLUMNS = 80


def without_places(text: str, slug: str, *folders: str) -> str:
    text = re.sub(rf"[^ \"'(\n]*code/{slug}/", f"code/{slug}/", text)
    for folder in folders:
        text = text.replace(folder + "/", "")
    return text


def without_addresses(text: str) -> str:
    """Addresses of the host, which differ each time."""
    return re.sub(r"0x(5)[0-9a-f]{11}|0x(7f)[0-9a-f]{10}",
                  lambda match: f"0x{match[1] or match[2]}…", text)


def few_assertions(text: str) -> str:
    """Not a thousand lines from a thousand threads whose assertion failed."""
    kept: List[str] = []
    n = 0

    def end_group() -> None:
        if n > 3:
            kept.append(f"… ({n - 3} more lines of this kind)")
    for line in lines_of(text):
        if re.search(r" Assertion `.*` failed\.$", line):
            n += 1
            if n <= 3:
                kept.append(line)
            continue
        end_group()
        n = 0
        kept.append(line)
    end_group()
    return joined(kept)


def _wrapped(line: str) -> List[str]:
    """Breaks at a space, where there is one; the rest goes on further in. What
    all lines of compute-sanitizer begin with is repeated; a command goes on
    after "\\"."""
    is_command = line.startswith("$ ")
    most = COLUMNS - 2 * is_command
    match = re.match(r"(=========)? *", line)
    indent = match.end() if match else 0
    front = line[:indent] + "    "
    parts: List[str] = []
    while len(line.encode()) > COLUMNS:
        at = line.rfind(" ", indent + 1, most + 1)
        if at < 0:
            at = most
        parts.append(line[:at] + (" \\" if is_command else ""))
        rest = line[at:]
        line = front + (rest[1:] if rest.startswith(" ") else rest)
        indent = len(front)
    return parts + [line]


def for_a_page(text: str) -> str:
    return joined([part for line in lines_of(text) for part in _wrapped(line)])


def with_rules_in_one_line(lines: Iterable[str]) -> List[str]:
    """Nsight Compute wraps what its rules say at a width of its own, and draws
    lines between them: one line for each, to be wrapped for the page."""
    joined_lines: List[str] = []
    in_rule = False
    for line in lines:
        if in_rule and re.match(r" {10}\S", line):
            joined_lines[-1] += " " + line.strip()
        elif re.fullmatch(r" *-{5} +-{20,}", line):
            continue
        else:
            in_rule = re.match(r"    (OPT|INF|WRN) ", line) is not None
            joined_lines.append(line)
    return joined_lines


def lines_of(text: str) -> List[str]:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def joined(lines: List[str]) -> str:
    return "".join(line + "\n" for line in lines)
