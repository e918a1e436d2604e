#!/usr/bin/env python3
"""Joins ES modules into one script, because a page from a disk loads no modules:

    bundle NAME ENTRY OUTPUT [DEPFILE]

OUTPUT defines the global NAME as what ENTRY exports, for node, too. What a module
exports and imports is at the beginning of a line or of a statement, as
`import {a, b as c} from "…"`, `import * as a from "…"`, `export const a`, `export
function a`, `export class a`, `export {a}`, `export default class a`. Our modules share
one scope, which is smaller, so no two may define the same name, and none is imported
by another; those of others keep their own. The import of "…?script" is the text
of that module's own bundle, for a worker. What exports a default alone is that. The
licence of others' code is in the script, too.
"""
import json
import os
import re
import sys
from pathlib import Path
from typing import Dict, List, NamedTuple, Set

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))
from outputs import write_depfile, write_if_changed  # noqa: E402

_IMPORT = re.compile(
    r"""(?:^|(?<=;))import\s*(?:\*\s*as\s+(?P<all>\w+)|\{(?P<names>[^}]*)\}"""
    r"""|(?P<default>\w+))\s*from\s*"(?P<path>[^"]+)";?""", re.M)
_DECLARED = re.compile(
    r"(?:^|(?<=[;}]))export (?P<default>default )?"
    r"(?P<rest>(?:const|let|class|async function|function) (?P<name>[\w$]+))", re.M)
_LISTED = re.compile(
    r"""(?:^|(?<=[;}]))export\s*\{(?P<names>[^}]*)\};?""", re.M)


_OWN = re.compile(r"^(?:const|let|class|async function|function) "
                  r"(?:([\w$]+)|\{([^}]*)\})", re.M)


class Module(NamedTuple):
    name: str
    text: str                   # without imports and exports
    exported: Dict[str, str]    # what it is called there, and here
    is_ours: bool

    def script(self) -> str:
        if self.is_ours:
            return self.text.rstrip() + "\n"
        return (f"const {self.name} = (() => {{\n{self.text.rstrip()}\n"
                f"return {_fields(self.exported)};\n}})();\n")


def _fields(exported: Dict[str, str]) -> str:
    return "{ " + ", ".join(
        there if there == here else f"{there}: {here}"
        for there, here in exported.items()) + " }"


def _pairs(names: str) -> List[List[str]]:
    """`a, b as c` as pairs: what it is there, and what it is here."""
    words = [part.split() for part in names.split(",") if part.strip()]
    return [[part[0], part[-1]] for part in words]


def _value(exported: Dict[str, str]) -> str:
    """A default alone is the value itself."""
    return (exported["default"] if list(exported) == ["default"]
            else _fields(exported))


def _licence(path: Path) -> str:
    """Of a module of others: the text beside its package.json."""
    for folder in path.parents:
        if (folder / "package.json").is_file():
            package = json.loads((folder / "package.json").read_text("utf-8"))
            text = (folder / "LICENSE-MIT").read_text("utf-8").rstrip()
            return (f"/* {package['name']} {package['version']}\n\n{text} */\n")
    raise SystemExit(f"{path}: error: its package.json is missing, and with it"
                     " whose it is")


class Bundle:
    """All modules that an entry needs, each after those that it imports."""

    def __init__(self, entry: Path):
        self.modules: Dict[Path, Module] = {}
        self.open: List[Path] = []
        self.also: Set[Path] = set()
        self.names: Dict[str, Path] = {}    # of our modules' one scope
        self.entry = self.add(entry.resolve())

    def add(self, path: Path) -> Module:
        if path in self.modules:
            return self.modules[path]
        if path in self.open:
            raise SystemExit(f"{path}:1: error: it imports itself, by way of "
                             + ", ".join(one.name for one in self.open))
        is_ours = path.suffix == ".mjs"
        self.open.append(path)
        text = path.read_text("utf-8")
        exported: Dict[str, str] = {}
        text = _IMPORT.sub(lambda found: self.imported(path, found), text)
        text = _DECLARED.sub(lambda found: _declared(found, exported), text)
        text = _LISTED.sub(lambda found: _listed(found, exported), text)
        left = re.search(r"(^|;)\s*(import|export)\b[^\n]{0,40}", text, re.M)
        if left:
            raise SystemExit(f"{path}: error: bundle.py does not know this form"
                             f" of it: {left.group().strip()}")
        module = Module(f"module_{len(self.modules)}", text, exported, is_ours)
        if is_ours:
            self.take_names(path, text)
        self.modules[path] = module
        self.open.pop()
        return module

    def take_names(self, path: Path, text: str) -> None:
        for one, several in _OWN.findall(text):
            for name in [one] if one else re.findall(r"[\w$]+", several):
                if self.names.setdefault(name, path) != path:
                    raise SystemExit(f"{path}: error: {name} is a name in"
                                     f" {self.names[name].name}, too; bundled,"
                                     " both have one scope")

    def imported(self, path: Path, found: "re.Match[str]") -> str:
        file, _, how = found["path"].partition("?")
        target = (path.parent / file).resolve()
        if not target.is_file():
            raise SystemExit(f"{path}: error: there is no {found['path']}")
        if how == "script":
            inner = Bundle(target)
            self.also.update(inner.reads())
            return f"const {found['default']} = {json.dumps(inner.script())};"
        module = self.add(target)
        names = _pairs(found["names"] or "")
        if module.is_ours:
            if not names or any(there != here for there, here in names):
                raise SystemExit(f"{path}: error: from our own modules names are"
                                 f" imported as they are: {found.group()}")
            missing = {there for there, _ in names} - set(module.exported)
            if missing:
                raise SystemExit(f"{path}: error: {target.name} does not export "
                                 + ", ".join(sorted(missing)))
            return ""
        if found["all"]:
            return f"const {found['all']} = {module.name};"
        if found["default"]:
            return f"const {found['default']} = {module.name}.default;"
        return f"const {_fields(dict(names))} = {module.name};"

    def reads(self) -> List[Path]:
        return sorted({*self.modules, *self.also})

    def script(self, name: str = "") -> str:
        licences = {_licence(path) for path, one in self.modules.items()
                    if not one.is_ours}
        return ("".join(sorted(licences)) + ("" if not name else f"var {name} = ") + "(() => {\n"
                '"use strict";\n'
                + "".join(one.script() for one in self.modules.values())
                + f"return {_value(self.entry.exported)};\n}})();\n"
                + (f'if (typeof module === "object") module.exports = {name};\n'
                   if name else ""))


def _declared(found: "re.Match[str]", exported: Dict[str, str]) -> str:
    exported["default" if found["default"] else found["name"]] = found["name"]
    return found["rest"]


def _listed(found: "re.Match[str]", exported: Dict[str, str]) -> str:
    exported.update({there: here for here, there in _pairs(found["names"])})
    return ""


def main() -> int:
    if len(sys.argv) not in (4, 5):
        print(__doc__, file=sys.stderr)
        return 2
    name, entry, output, *depfile = sys.argv[1:]
    bundle = Bundle(Path(entry))
    text = (f"// Made by book/stepper/bundle.py from {os.path.basename(entry)}"
            " and what it imports.\n" + bundle.script(name))
    if output == "-":
        print(text, end="")
        return 0
    write_if_changed(output, text)
    if depfile:
        write_depfile(depfile[0], output, bundle.reads())
    return 0


if __name__ == "__main__":
    sys.exit(main())
