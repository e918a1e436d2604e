"""Outputs that keep their time when they would not change, and depfiles.

Meson's custom targets are restat targets for Ninja: what depends on an
untouched file is not built again.
"""
import os
import re
import sys
from typing import Iterable, NoReturn


def fail(message: str) -> NoReturn:
    print(message, file=sys.stderr)
    sys.exit(1)


def write_if_changed(path: "str | os.PathLike[str]", text: str) -> None:
    new = text.encode("utf-8")
    try:
        with open(path, "rb") as old:
            if old.read() == new:
                return
    except OSError:
        pass
    unfinished = f"{path}.tmp"
    with open(unfinished, "wb") as file:
        file.write(new)
    os.replace(unfinished, path)


def write_depfile(path: "str | os.PathLike[str]", target: str,
                  inputs: Iterable[object]) -> None:
    """Writes down for Ninja what the target was made from."""
    names = [re.sub(r"([ #])", r"\\\1", str(one))
             for one in [target, *inputs]]
    with open(path, "w", encoding="utf-8") as file:
        file.write(names[0] + ":" + "".join(f" \\\n  {name}"
                                            for name in names[1:]) + "\n")
