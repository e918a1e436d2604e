"""tests/<slug>/wrong: the faults to plant in a chapter's listings."""
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional

KEYS = ("fault", "program", "after", "replace", "with", "message", "version",
        "libraries", "header", "in", "check")


class BadFile(Exception):
    """The message names the file, the line and what is wrong."""


class Fault(NamedTuple):
    number: int                # 1 is the first of the file
    fault: str                 # what was done wrong
    program: str
    after: str                 # the first `replace` after this text …
    replace: str
    with_: str                 # … becomes this
    message: str               # what the program must say then
    version: str = ""          # only this one is checked, to save time
    libraries: str = ""        # words for nvcc
    header: str = ""           # the text is in this one, not in the program
    in_: str = ""              # "host": not in a kernel alone
    check: str = ""            # the device's check that notices it

    @property
    def in_host(self) -> bool:
        return self.in_ != ""


def read(path: Path) -> List[Fault]:
    found: List[Fault] = []
    block: Dict[str, str] = {}

    def end() -> None:
        if not block:
            return
        for key in ("fault", "program", "after", "replace", "with", "message"):
            if key not in block:
                raise BadFile(f"{path}: error: "
                              f"'{block.get('fault', '')}' has no line {key}:")
        renamed = {{"with": "with_", "in": "in_"}.get(key, key): value
                   for key, value in block.items()}
        found.append(Fault(number=len(found) + 1, **renamed))
        block.clear()

    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        if line.startswith("#"):
            continue
        if not line:
            end()
            continue
        key, colon, value = line.partition(":")
        if key not in KEYS or not colon:
            raise BadFile(f"{path}:{number}: error: no such key: {key}")
        if key in block:
            raise BadFile(f"{path}:{number}: error: a second {key}: in a block;"
                          " blocks are separated by empty lines")
        block[key] = value[1:] if value.startswith(" ") else value
    end()
    if not found:
        raise BadFile(f"{path}: error: no block in it")
    return found


def place(text: str, fault: Fault) -> Optional[int]:
    """Where the text to replace begins; None if there is no such place."""
    start = text.find(fault.after)
    at = text.find(fault.replace, start) if start >= 0 else -1
    return at if at >= 0 else None


def plant(text: str, fault: Fault) -> Optional[str]:
    at = place(text, fault)
    if at is None:
        return None
    return text[:at] + fault.with_ + text[at + len(fault.replace):]
