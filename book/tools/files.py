"""Outputs that keep their time when they would not change, and depfiles.

Meson's custom targets are restat targets for Ninja: what depends on an
untouched file is not built again.
"""
import os
import sys
from typing import Iterable, NoReturn


def fail(message: str) -> NoReturn:
    print(message, file=sys.stderr)
    sys.exit(1)


def write_if_changed(path: str, text: str) -> None:
    new = text.encode("utf-8")
    try:
        with open(path, "rb") as old:
            if old.read() == new:
                return
    except OSError:
        pass
    with open(path + ".tmp", "wb") as file:
        file.write(new)
    os.replace(path + ".tmp", path)


def write_depfile(path: str, target: str, inputs: Iterable[str]) -> None:
    def escaped(name: str) -> str:
        return name.replace("#", "\\#").replace(" ", "\\ ")
    with open(path, "w", encoding="utf-8") as file:
        file.write(escaped(target) + ":" + "".join(
            f" \\\n  {escaped(name)}" for name in inputs) + "\n")
