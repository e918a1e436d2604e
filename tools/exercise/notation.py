"""Exercises: exercises/<slug>/<name>.cu. One file has all of an exercise: what it asks
and how it is judged as lines after `//!`, then the code. `#` begins a comment, and a
line that is indented goes on with the one before it:

    title TEXT
    difficulty 1                1 easy, 2 middling, 3 hard
    question TEXT               what is to be written. An empty line `//!` begins a
                                new paragraph
    hint TEXT                   three of them, each of which says more
    case NAME=NUMBER[,…] …      the inputs, smallest first: each number of a name with
                                each of the others
    words NAME WORD…            what 0, 1, 2 … of a name in `case` is called
    measure NAME=NUMBER …       the case whose counts are compared with the goals
    goal COUNT MOST : TEXT      in the measured case, COUNT must be MOST or less.
                                COUNT: a column of the counts (device/MANUAL.md), a sum
                                of some (a+b), or a quotient of two such (a/b). TEXT
                                is what one says of the number: sectors per request
    within NUMBER               how far floating-point results may be off
    start NAME                  the reader begins with this wrong answer, to repair it
    wrong NAME : TEXT           an answer that students give, and why it is wrong.
                                After it:
      replace TEXT, with TEXT   what differs from the model, as often as needed; the
                                first place in the model is meant, or, with `after
                                TEXT` before it, the first one after that. Without
                                them the answer is the code NAME, see below
      says TEXT                 must be in what the judge says of it

All other lines are a launch's (device/tools/launch.h): buffer, set, launch. Their
expressions may use the names of `case`, and `seed`, another number in each run. A
buffer without values has never been written. Messages name elements of a buffer whose
COUNT is written as ROWS*COLUMNS by row and column; (A*B) is an array. A `launch` needs no arguments where the
kernel's parameters are called as the buffers and the names of `case`.

The code comes between `// begin NAME` and `// end NAME`:

    reference   a kernel of this name, in plain C, that one thread runs. Its parameters
                are called as above; what it writes into a buffer that is not const is
                what the answer must write
    model       the answer. What is between `// hole: TEXT` and `// end hole` is left
                out of the reader's file, where the TEXT takes its place
    NAME        a wrong answer

Lines of code before the first of these belong to all of them.
"""
import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

LAUNCH_LINES = ("buffer", "set", "launch")
TEXTS = ("title", "question", "hint")
_NAME = re.compile(r"[a-z][a-z_0-9]*")
_MARK = re.compile(r"\s*// (begin|end) (\w+)\s*$")
_HOLE = re.compile(r"( *)// hole: (.*)")
_KERNEL = re.compile(r"__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?"
                     r"(\w+)\s*\(([^)]*)\)", re.S)
# How C spells what the notation for launches has.
TYPES = {"size_t": "u64", "unsigned long long": "u64", "uint64_t": "u64",
         "long long": "s64", "int64_t": "s64",
         "unsigned": "u32", "unsigned int": "u32", "uint32_t": "u32",
         "int": "s32", "int32_t": "s32", "float": "f32", "double": "f64"}


class Fault(Exception):
    """The message says where, what is wrong, and what to do."""


class Parameter(NamedTuple):
    name: str
    type: str            # of the notation; "" for a pointer
    is_const: bool       # what it points to


class Edit(NamedTuple):
    after: str
    replace: str
    put: str


@dataclass
class Wrong:
    name: str
    line: int
    why: str
    edits: List[Edit] = field(default_factory=list)
    says: List[str] = field(default_factory=list)


class Goal(NamedTuple):
    line: int
    count: str           # ld_sectors/ld_requests
    most: str
    words: str


Case = Dict[str, int]


@dataclass
class Exercise:
    name: str                                # transpose/in_place
    path: Path
    texts: Dict[str, List[str]]              # each text is its paragraphs, joined
    difficulty: int
    cases: List[Case]
    words: Dict[str, List[str]]
    measured: Optional[Case]
    goals: List[Goal]
    within: str
    lines: List[Tuple[int, str]]             # the launch's
    start: str
    wrong: List[Wrong]
    code: Dict[str, str]
    shared_code: str

    @property
    def title(self) -> str:
        return self.texts["title"][0]

    @property
    def slug(self) -> str:
        return self.name.split("/")[0]

    def launches(self) -> List[List[str]]:
        return [split(text)[1:] for _, text in self.lines
                if text.startswith("launch ")]

    def kernels(self) -> List[str]:
        """Those that the reader writes, in the order of their launches."""
        return list(dict.fromkeys(words[0] for words in self.launches()))

    def model(self) -> str:
        """The model as a reader may see it, without the marks of holes."""
        return "".join(line for line in self._whole("model")
                       if not _HOLE.match(line) and line.strip() != "// end hole")

    def skeleton(self) -> str:
        if self.start:
            return self.answer(self.start)
        found, inside = [], False
        for line in self._whole("model"):
            hole = _HOLE.match(line)
            if hole:
                found += [f"{hole[1]}/* Your code: {hole[2]} */\n"]
                inside = True
            elif line.strip() == "// end hole":
                inside = False
            elif not inside:
                found.append(line)
        return "".join(found)

    def answer(self, name: str) -> str:
        """A wrong answer's text."""
        one = next(wrong for wrong in self.wrong if wrong.name == name)
        if not one.edits:
            return "".join(self._whole(name))
        text = self.model()
        for edit in one.edits:
            begin = text.find(edit.after)
            at = text.find(edit.replace, begin + len(edit.after))
            if begin < 0 or at < 0:
                raise Fault(f"{self.path}:{one.line}: error: the model has no"
                            f" '{edit.replace}'"
                            + (f" after '{edit.after}'" if edit.after else ""))
            text = text[:at] + edit.put + text[at + len(edit.replace):]
        return text

    def _whole(self, name: str) -> List[str]:
        return (self.shared_code + self.code[name]).splitlines(keepends=True)


# ---- words and expressions --------------------------------------------------

def split(text: str) -> List[str]:
    """Words as launches have them: spaces within parentheses belong to a word."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter.isspace() and depth <= 0:
            found.append("")
        else:
            found[-1] += letter
    return [word for word in found if word]


def value(text: str, names: Case) -> int:
    """An expression of whole numbers with + - * / % and parentheses."""
    if not re.fullmatch(r"[\w\s+*/%()-]*", text) or "**" in text:
        raise Fault(f"not an expression of + - * / %: {text}")
    try:
        return int(eval(text.replace("/", "//"),        # noqa: S307  checked above
                        {"__builtins__": {}}, dict(names)))
    except (NameError, SyntaxError, ZeroDivisionError, TypeError) as error:
        raise Fault(f"not an expression of the names in `case`: {text} ({error})"
                    ) from None


def parameters(code: str, kernel: str) -> List[Parameter]:
    """Of the kernel in the code; a Fault if it is not there."""
    for match in _KERNEL.finditer(code):
        if match[1] == kernel:
            return [_parameter(text) for text in match[2].split(",")
                    if text.strip()]
    raise Fault(f"there is no kernel {kernel}")


def _parameter(text: str) -> Parameter:
    plain = " ".join(re.sub(r"__restrict__|\bconst\b", "", text).split())
    match = re.fullmatch(r"(.+?)\s*(\*?)\s*(\w+)", plain)
    if not match or not match[2] and match[1] not in TYPES:
        raise Fault(f"a parameter is a pointer or of one of {', '.join(TYPES)},"
                    f" not: {text.strip()}")
    return Parameter(match[3], "" if match[2] else TYPES[match[1]],
                     "const" in text)


# ---- reading ----------------------------------------------------------------

class _Reader:
    def __init__(self, path: Path, name: str):
        self.path, self.line = path, 0
        self.texts: Dict[str, List[str]] = {key: [] for key in TEXTS}
        self.one = Exercise(name, path, self.texts, 0, [], {}, None, [], "", [], "",
                            [], {}, "")
        self.measured = 0

    def refuse(self, text: str, line: int = 0) -> Fault:
        return Fault(f"{self.path}:{line or self.line}: error: {text}")

    def read(self, text: str) -> Exercise:
        rows = list(enumerate(text.splitlines(), 1))
        for line, row in self.joined(rows):
            self.line = line
            key, _, rest = row.partition(" ")
            self.read_line(key, rest.strip())
        self.read_code([(line, row) for line, row in rows
                        if not row.startswith("//!")])
        self.check()
        return self.one

    def joined(self, rows: List[Tuple[int, str]]) -> Iterator[Tuple[int, str]]:
        """The lines after `//!`, with those that go on with them. What belongs to a
        `wrong` is indented, too, and keeps a line of its own."""
        now: Optional[List] = None
        for line, row in rows:
            if not row.startswith("//!"):
                continue
            text = row[3:]
            own = text.strip().split(" ")[0] in ("after", "replace", "with", "says")
            of_wrong = now is not None and now[1].split(" ")[0] in (
                "wrong", "after", "replace", "with", "says")
            if now is not None and (not text.strip() or text.startswith("   ")
                                    and not (own and of_wrong)):
                now[1] += "\n\n" if not text.strip() else (
                    "" if now[1].endswith("\n") else " ") + text.strip()
                continue
            if now is not None:
                yield now[0], now[1].strip()
            now = [line, text.strip()] if text.strip() and not (
                text.strip().startswith("#")) else None
        if now is not None:
            yield now[0], now[1].strip()

    def read_line(self, key: str, rest: str) -> None:
        if not rest and key != "with":
            raise self.refuse(f"something is missing after `{key}`")
        if key in TEXTS:
            self.texts[key].append(rest)
        elif key == "difficulty":
            if rest not in ("1", "2", "3"):
                raise self.refuse("a difficulty is 1, 2 or 3")
            self.one.difficulty = int(rest)
        elif key == "case":
            self.one.cases += self.read_cases(rest)
        elif key == "measure":
            self.one.measured, = self.read_cases(rest)[:1]
            self.measured = self.line
        elif key == "words":
            name, *words = rest.split()
            self.one.words[name] = words
        elif key == "goal":
            self.read_goal(rest)
        elif key == "within":
            self.one.within = rest
        elif key == "start":
            self.one.start = rest
        elif key in LAUNCH_LINES:
            self.one.lines.append((self.line, f"{key} {rest}"))
        else:
            self.read_wrong(key, rest)

    def read_cases(self, rest: str) -> List[Case]:
        names, numbers = [], []
        for word in rest.split():
            name, equals, values = word.partition("=")
            if not equals or not _NAME.fullmatch(name) or name in (
                    "i", "mix", "seed") or not re.fullmatch(r"\d+(,\d+)*", values):
                raise self.refuse("a case is written as NAME=NUMBER[,NUMBER…], with a"
                                  f" name other than i, mix and seed: {word}")
            names.append(name)
            numbers.append([int(number) for number in values.split(",")])
        return [dict(zip(names, case)) for case in itertools.product(*numbers)]

    def read_goal(self, rest: str) -> None:
        before, colon, words = rest.partition(" : ")
        parts = before.split()
        if not colon or len(parts) != 2 or not re.fullmatch(
                r"\w+(\+\w+)*(/\w+(\+\w+)*)?", parts[0]):
            raise self.refuse("this line is written as: goal COUNT MOST : TEXT, where"
                              " COUNT is a column, a+b or a/b, without spaces")
        self.one.goals.append(Goal(self.line, parts[0], parts[1], words.strip()))

    def read_wrong(self, key: str, rest: str) -> None:
        if key == "wrong":
            name, _, why = rest.partition(" : ")
            if not why or not _NAME.fullmatch(name):
                raise self.refuse("this line is written as: wrong NAME : TEXT")
            self.one.wrong.append(Wrong(name, self.line, why))
        elif key not in ("after", "replace", "with", "says"):
            raise self.refuse("no such line; tools/exercise/notation.py lists what"
                              f" there is: {key}")
        elif not self.one.wrong:
            raise self.refuse(f"`{key}` comes after a line `wrong`")
        elif key == "says":
            self.one.wrong[-1].says.append(rest)
        else:
            self.read_edit(self.one.wrong[-1].edits, key, rest)

    def read_edit(self, edits: List[Edit], key: str, rest: str) -> None:
        """An edit without its `with` holds a newline there."""
        open_edit = edits[-1] if edits and edits[-1].put == "\n" else None
        if key == "after":
            edits.append(Edit(rest, "", "\n"))
        elif key == "replace" and open_edit and not open_edit.replace:
            edits[-1] = open_edit._replace(replace=rest)
        elif key == "replace":
            edits.append(Edit("", rest, "\n"))
        elif open_edit is None or not open_edit.replace:
            raise self.refuse("`with` comes after `replace`")
        else:
            edits[-1] = open_edit._replace(put=rest)

    def read_code(self, rows: List[Tuple[int, str]]) -> None:
        inside, shared = "", []
        for self.line, row in rows:
            mark = _MARK.match(row)
            if mark and mark[2] != "hole":
                if (mark[1] == "begin") != (not inside) or (
                        mark[1] == "end" and mark[2] != inside):
                    raise self.refuse(f"`{row.strip()}` does not fit what was begun")
                if mark[1] == "begin" and mark[2] in self.one.code:
                    raise self.refuse(f"a second piece of code {mark[2]}")
                inside = mark[2] if mark[1] == "begin" else ""
                if inside:
                    self.one.code[inside] = ""
            elif inside:
                self.one.code[inside] += row + "\n"
            elif not self.one.code:
                shared.append(row + "\n")
        if inside:
            raise self.refuse(f"`// end {inside}` is missing")
        self.one.shared_code = "".join(shared).lstrip("\n")

    # -- the whole

    def check(self) -> None:
        one = self.one
        for key, n in (("title", 1), ("question", 1), ("hint", 3)):
            if len(self.texts[key]) != n:
                raise self.refuse(f"there must be {n} `{key}`, and there are"
                                  f" {len(self.texts[key])}", 1)
        for name in ("reference", "model"):
            if name not in one.code:
                raise self.refuse(f"the code `// begin {name}` is missing", 1)
        if not one.difficulty or not one.cases or not one.kernels():
            raise self.refuse("lines `difficulty`, `case` and `launch` are needed", 1)
        if len(one.wrong) < 3:
            raise self.refuse("at least three wrong answers are needed, those that"
                              " students really give", 1)
        if one.goals and one.measured is None:
            raise self.refuse("a goal needs a line `measure`", one.goals[0].line)
        names = set(one.cases[0])
        for case in one.cases + ([one.measured] if one.measured else []):
            if set(case) != names:
                raise self.refuse("all cases have the same names", self.measured or 1)
        for wrong in one.wrong:
            self.check_wrong(wrong)
        if one.start and one.start not in [wrong.name for wrong in one.wrong]:
            raise self.refuse(f"`start` names no wrong answer: {one.start}", 1)
        if not one.start and "// end hole" not in one.code["model"]:
            raise self.refuse("the model has no `// hole: TEXT` … `// end hole`", 1)

    def check_wrong(self, wrong: Wrong) -> None:
        if any(edit.put == "\n" for edit in wrong.edits):
            raise self.refuse("a `with` is missing", wrong.line)
        if not wrong.edits and wrong.name not in self.one.code:
            raise self.refuse("a wrong answer is edits (replace, with) or code"
                              f" `// begin {wrong.name}`", wrong.line)
        if not wrong.says:
            raise self.refuse("what must the judge say of it? A line `says`",
                              wrong.line)
        self.one.answer(wrong.name)


def read(root: Path, name: str) -> Exercise:
    path = root / "exercises" / (name + ".cu")
    if not path.is_file():
        raise Fault(f"{path}: error: there is no such exercise")
    return _Reader(path, name).read(path.read_text("utf-8"))


def names(root: Path) -> List[str]:
    """In the order of the book."""
    places = {path.stem.partition("-")[2]: path.name
              for path in (root / "chapters").glob("[0-9]*.md")}
    found = [f"{path.parent.name}/{path.stem}" for path in
             (root / "exercises").glob("*/*.cu")]
    return sorted(found, key=lambda name: (
        places.get(name.split("/")[0], "99"), name))
