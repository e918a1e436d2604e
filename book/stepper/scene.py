"""Scenes: code/<slug>/steps/<name>.step. A scene is a launch, in the notation of
device/tools/launch.h, and what a page needs around it: which listing it belongs to,
the question, the knobs that a reader may turn. Its lines, in the order in which they
need each other; `#` begins a comment:

    listing LABEL               the listing that it belongs to
    source FILE                 from the repository's root
    kernel NAME                 as in the source, with template arguments
    question TEXT               what to find out by trying
    predict TEXT                how a line begins whose requests are asked for
    flags WORD…                 for nvcc
    argument NAME DEFAULT of CHOICE… : LABEL
    argument NAME DEFAULT from LOW to HIGH [step N] : LABEL
    variant NAME DEFAULT : LABEL
                                needs the compiler; its choices follow:
      is CHOICE                 and what follows is done to the source:
      kernel NAME
      listing LABEL
      define NAME[=VALUE]
      launch …                  in place of the scene's
      after TEXT, replace TEXT, with TEXT
    break NAME : LABEL          a fault; after, replace, with as above

A CHOICE is a number, or a word, or WORD=NUMBER. All other lines are the launch's:
memory, `shared`, and `launch *`, because the PTX of a scene has one kernel. Their
expressions may use the knobs. For the tests (tests/steps), with the knobs turned so:

    program [KNOB=VALUE…] : PROGRAM ARGUMENT…
                                does the same launch
    agrees [KNOB=VALUE…] : EXPERIMENT COLUMN=VALUE… [per COLUMN[=N]]
                                a row of bench/ with the same counts, or the same for
                                each of what COLUMN counts, which are N here; or per
                                blocks
    answer [KNOB=VALUE…] : CONDITION
                                of the counts, that the question's answer needs; or
                                report TEXT

What the panel asks, and what answers it, from runs:

    ask [KNOB=VALUE…] : QUESTION? EXPRESSION
                                a number, of the run with its knobs turned so
    choose KNOB [of VALUE…] [KNOB=VALUE…] : QUESTION? CONDITION
                                those values of the knob (or breaks, if KNOB is break)
                                for whose run this holds; conditions.py has the names

With its knobs turned, a scene is a launch that launch_run runs (launch_of): `ptx`, a
line `knob` for each knob and break, then its own lines. js/launch.mjs makes the same
text in a page.
"""
import re
from pathlib import Path
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple

LAUNCH_LINES = ("buffer", "variable", "shared", "set", "launch")
_NAME = re.compile(r"[a-z][a-z_0-9]*")
_NUMBER = re.compile(r"-?(0x[0-9a-fA-F]+|[0-9]+)")


class Fault(Exception):
    """The message says where, what is wrong, and what to do."""


class Scene(NamedTuple):
    root: Path
    name: str                   # "reduction/strided"
    path: Path
    described: Dict[str, Any]

    @property
    def slug(self) -> str:
        return self.name.split("/")[0]

    @property
    def packed(self) -> Path:
        """Where its PTX is."""
        return self.path.with_suffix(".ptx.gz")

    def knobs(self, kind: str) -> List[Dict[str, Any]]:
        return [knob for knob in self.described["knobs"]
                if knob["kind"] == kind]

    def source(self) -> str:
        return (self.root / self.described["source"]).read_text("utf-8")


# ---- reading ----------------------------------------------------------------

def _number(word: str) -> Optional[int]:
    return int(word, 0) if _NUMBER.fullmatch(word) else None


class _Reader:
    """Of one scene. `knob` and `choice` are those that a line belongs to."""

    def __init__(self, path: Path):
        self.path, self.line = path, 0
        self.scene: Dict[str, Any] = {
            "predict": [], "flags": [], "knobs": [], "notes": [], "lines": [],
            "asks": []}
        self.knob: Optional[Dict[str, Any]] = None
        self.choice: Optional[Dict[str, Any]] = None

    def refuse(self, text: str, line: int = 0) -> Fault:
        return Fault(f"{self.path}:{line or self.line}: error: {text}")

    def read(self, text: str) -> Dict[str, Any]:
        for line in text.split("\n"):
            self.line += 1
            key, _, rest = line.strip().partition(" ")
            if key and not key.startswith("#"):
                self.read_line(key, rest.strip())
        self.check()
        return self.scene

    def read_line(self, key: str, rest: str) -> None:
        in_variant = self.choice is not None and self.knob is not None and (
            self.knob["kind"] == "variant")
        if key in ("kernel", "listing", "source", "question"):
            if not rest:
                raise self.refuse(f"this line is written as: {key} TEXT")
            own = in_variant and key in ("kernel", "listing")
            (self.choice if own and self.choice else self.scene)[key] = rest
        elif key == "predict":
            self.scene["predict"].append(rest)
        elif key == "flags":
            self.scene["flags"] += rest.split()
        elif key in ("argument", "variant", "break"):
            self.read_knob(key, rest)
        elif key in ("is", "define", "after", "replace", "with"):
            self.read_choice(key, rest)
        elif key in ("program", "agrees", "answer"):
            if ": " not in rest and not rest.startswith(": "):
                raise self.refuse("this line has the knobs, then ' : ': " + key)
            self.scene["notes"].append(
                {"line": self.line, "key": key, "text": rest})
        elif key in ("ask", "choose"):
            self.read_ask(key, rest)
        elif key in LAUNCH_LINES:
            self.read_launch(key, f"{key} {rest}", in_variant)
        else:
            raise self.refuse("no such line; book/stepper/scene.py lists what"
                              f" there is: {key}")

    def read_ask(self, key: str, rest: str) -> None:
        before, colon, text = f" {rest}".partition(" : ")
        question, mark, expression = text.rpartition("? ")
        words = before.split()
        knob = words.pop(0) if key == "choose" and words else ""
        values: List[str] = []
        if words and words[0] == "of":
            values = [word for word in words[1:] if "=" not in word]
            words = words[1 + len(values):]
        if (not colon or not mark or bool(knob) != (key == "choose")
                or any("=" not in word for word in words)):
            raise self.refuse(f"this line is written as: {key} "
                              + ("KNOB [of VALUE…] " if key == "choose" else "")
                              + "[KNOB=VALUE…] : QUESTION? EXPRESSION")
        self.scene["asks"].append({
            "line": self.line, "text": question + "?", "expression": expression,
            "settings": words, "knob": knob, "values": values})

    def read_launch(self, key: str, text: str, in_variant: bool) -> None:
        if key != "launch":
            self.scene["lines"].append((self.line, text))
        elif in_variant and self.choice and not self.scene["lines"]:
            self.choice["launch"] = (self.line, text)
        else:
            self.scene["launch"] = (self.line, text)

    # -- knobs

    def read_knob(self, kind: str, rest: str) -> None:
        before, colon, label = f" {rest} ".partition(" : ")
        words = before.split()
        if not colon:
            raise self.refuse("a knob's line ends with ' : ' and what it is,"
                              " for the reader")
        name = words[0] if words else ""
        if not _NAME.fullmatch(name) or name in ("i", "mix"):
            raise self.refuse("a knob's name is of small letters, digits and _,"
                              f" and neither i nor mix: {name}")
        if any(knob["name"] == name for knob in self.scene["knobs"]):
            raise self.refuse(f"a second knob of this name: {name}")
        self.knob = {"name": name, "label": label.strip(), "kind": kind,
                     "line": self.line}
        self.choice = None
        self.scene["knobs"].append(self.knob)
        if kind == "argument":
            self.read_argument(self.knob, words)
        elif kind == "variant":
            if len(words) != 2:
                raise self.refuse("this line is written as: variant NAME"
                                  " DEFAULT : LABEL")
            self.knob.update({"default": words[1], "choices": []})
        else:
            self.knob.update({"default": name, "choices": []})
            self.new_choice(name)

    def read_argument(self, knob: Dict[str, Any], words: List[str]) -> None:
        how = words[2] if len(words) > 2 else ""
        if how == "of" and len(words) > 3:
            knob.update({"default": words[1], "choices": []})
            for word in words[3:]:
                if "number" not in self.new_choice(word):
                    raise self.refuse("a choice of an argument is a number, or"
                                      f" WORD=NUMBER: {word}")
        elif how == "from" and len(words) in (6, 8) and words[4] == "to":
            numbers = [_number(word) for word in
                       (words[1], words[3], words[5], *words[7:])]
            if None in numbers:
                raise self.refuse("a range is written as: from LOW to HIGH"
                                  " [step N]")
            knob.update(zip(("default", "min", "max", "step"),
                            numbers + [1] * (len(numbers) == 3)))
            if knob["min"] > knob["max"] or knob["step"] < 1:
                raise self.refuse("the range is empty")
        else:
            raise self.refuse("this line is written as: argument NAME DEFAULT of"
                              " CHOICE… : LABEL, or with: from LOW to HIGH")
        self.check_value(knob, str(knob["default"]))

    def check_value(self, knob: Dict[str, Any], word: str) -> None:
        complaint = wrong_value(knob, word)
        if complaint:
            raise self.refuse(complaint, knob["line"])

    # -- choices

    def new_choice(self, word: str) -> Dict[str, Any]:
        name, equals, number = word.partition("=")
        value = _number(number if equals else name)
        if not name or equals and value is None:
            raise self.refuse(f"a number is expected, not {number}")
        self.choice = {"word": name, "defines": [], "edits": []}
        if value is not None:
            self.choice["number"] = value
        assert self.knob is not None
        self.knob["choices"].append(self.choice)
        return self.choice

    def read_choice(self, key: str, rest: str) -> None:
        kind = self.knob["kind"] if self.knob else ""
        if key == "is":
            if kind != "variant":
                raise self.refuse("`is` belongs to the variant before it; there"
                                  " is none")
            self.new_choice(rest)
        elif key == "define":
            if self.choice is None or kind != "variant":
                raise self.refuse("`define` belongs to an `is` before it; there"
                                  " is none")
            self.choice["defines"].append(rest)
        elif self.choice is None:
            raise self.refuse(f"{key} belongs to an `is` or a `break` before it;"
                              " there is none")
        else:
            self.read_edit(self.choice["edits"], key, rest)

    def read_edit(self, edits: List[Dict[str, str]], key: str,
                  rest: str) -> None:
        if not edits or "with" in edits[-1]:
            edits.append({"after": ""})
        if key == "replace" and not rest:
            raise self.refuse("this line is written as: replace TEXT")
        if key == "with" and "replace" not in edits[-1]:
            raise self.refuse("`with` comes after `replace`")
        edits[-1][key] = rest

    # -- the whole

    def check(self) -> None:
        for knob in self.scene["knobs"]:
            self.check_knob(knob)
        for key in ("listing", "source", "kernel"):
            if key not in self.scene:
                raise self.refuse("a scene needs lines `listing`, `source` and"
                                  " `kernel`", 1)
        if "question" not in self.scene:
            raise self.refuse("a line `question` is missing: what is to be found"
                              " out by trying?", 1)
        if "launch" not in self.scene:
            raise self.refuse("a line `launch` is missing", 1)

    def check_knob(self, knob: Dict[str, Any]) -> None:
        if knob["kind"] == "variant":
            if not knob["choices"]:
                raise self.refuse("the variant's choices are missing: a line `is"
                                  " CHOICE` each", knob["line"])
            self.check_value(knob, knob["default"])
        for choice in knob.get("choices", []):
            if knob["kind"] == "break" and not choice["edits"]:
                raise self.refuse("a break needs lines `replace` and `with`",
                                  knob["line"])
            if any("with" not in edit for edit in choice["edits"]):
                raise self.refuse("an edit needs both `replace` and `with`",
                                  knob["line"])


def wrong_value(knob: Dict[str, Any], word: str) -> str:
    """What is wrong with turning the knob so, or nothing."""
    if "choices" in knob:
        there = any(choice["word"] == word for choice in knob["choices"])
        return "" if there else f"not one of the knob's choices: {word}"
    value = _number(word)
    if value is None:
        return f"a number is expected, not {word}"
    if (value < knob["min"] or value > knob["max"]
            or (value - knob["min"]) % knob["step"]):
        return f"outside of the knob's range, or between its steps: {word}"
    return ""


def parse(path: Path) -> Dict[str, Any]:
    return _Reader(path).read(path.read_text("utf-8"))


def read(root: Path, name: str) -> Scene:
    path = root / "code" / (name.replace("/", "/steps/") + ".step")
    if not path.is_file():
        raise Fault(f"{path}: error: there is no such scene")
    scene = Scene(root, name, path, parse(path))
    if not (root / scene.described["source"]).is_file():
        raise Fault(f"{path}:1: error: there is no source"
                    f" {scene.described['source']}; paths begin at the"
                    " repository's root")
    return scene


def names(root: Path) -> List[str]:
    return [f"{path.parent.parent.name}/{path.stem}" for path in
            sorted((root / "code").glob("*/steps/*.step"))]


# ---- with its knobs turned --------------------------------------------------

def _turned(scene: Scene, settings: Iterable[str]) -> Dict[str, str]:
    """The word of each knob, in the scene's order, and of "break" if one is made.
    Settings are NAME=WORD."""
    wanted = dict(setting.partition("=")[::2] for setting in settings)
    breaks = {knob["name"] for knob in scene.knobs("break")}
    found = {}
    for knob in scene.described["knobs"]:
        if knob["kind"] == "break":
            continue
        word = wanted.pop(knob["name"], str(knob["default"]))
        complaint = wrong_value(knob, word)
        if complaint:
            raise Fault(f"{scene.path}:{knob['line']}: error: {complaint}")
        found[knob["name"]] = word
    broken = wanted.pop("break", None)
    if wanted or broken is not None and broken not in breaks:
        raise Fault(f"{scene.path}:1: error: no such knob or break: "
                    + " ".join(wanted or [str(broken)]))
    if broken is not None:
        found["break"] = broken
    return found


def _choice(knob: Dict[str, Any], word: str) -> Dict[str, Any]:
    return next((choice for choice in knob.get("choices", [])
                 if choice["word"] == word), {})


def key_of(scene: Scene, settings: Iterable[str]) -> str:
    """Of its PTX: the values of the variants, joined by dots, then the break;
    "plain" if there are no variants."""
    turned = _turned(scene, settings)
    words = [turned[knob["name"]] for knob in scene.knobs("variant")]
    return ".".join([*(words or ["plain"]),
                     *([turned["break"]] if "break" in turned else [])])


def launch_of(scene: Scene, settings: Iterable[str], ptx: str
              ) -> List[Tuple[int, str]]:
    """The lines that launch_run reads, each with the scene's line that it is
    from. `ptx`: the checksum of the kernel's text."""
    turned = _turned(scene, settings)
    lines = [(1, f"ptx {ptx}")]
    launch = scene.described["launch"]
    for knob in scene.described["knobs"]:
        word = turned.get(knob["name"])
        if knob["kind"] == "break" or word is None:
            continue
        choice = _choice(knob, word)
        number = f" {choice['number']}" if "number" in choice else ""
        lines.append((knob["line"], f"knob {knob['name']} {word}{number}"))
        launch = choice.get("launch", launch)
    if "break" in turned:
        lines.append((1, f"knob break {turned['break']}"))
    return lines + scene.described["lines"] + [launch]
