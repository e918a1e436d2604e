"""The prose of a source file: everything else is masked.

A masked text has the same length and the same lines as the file, so that any
checker may run over it and its line numbers are those of the file. Code
becomes "|", which no phrase continues across. A name within a sentence
(`cudaMalloc`, a citation, the value of a result) becomes zeros, which end no
phrase and are spelled right.
"""
import io
import pathlib
import re
import tokenize
from typing import Callable, Dict, Iterator, List, Optional, Tuple

NAME = "0"    # a word that is not checked
CODE = "|"    # the end of a phrase


class Mask:
    """A text of which pieces are kept, one after the other."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.out = [CODE if c != "\n" else c for c in text]

    def keep(self, start: int, end: int) -> None:
        self.out[start:end] = self.text[start:end]

    def blank(self, start: int, end: int, by: str = " ") -> None:
        for i in range(start, end):
            if self.out[i] != "\n":
                self.out[i] = by

    def blank_all(self, pattern: str, start: int, end: int, by: str = " ",
                  group: int = 0, flags: int = 0) -> None:
        piece = "".join(self.out[start:end])
        for match in re.finditer(pattern, piece, flags):
            self.blank(start + match.start(group), start + match.end(group), by)

    def result(self) -> str:
        return "".join(self.out)


# Names and numbers in comments and messages. An identifier has an underscore,
# a digit, a capital after a small letter, a call's brackets or a path's slash.
NAMES = re.compile(r"""
    `[^`\n]*`                               # quoted as code
  | "[^"\n]{0,40}"                          # quoted, in a comment
  | https?://\S+
  | %[-+\#0]*[\d*]*(?:\.[\d*]+)?(?:ll|l|z|h)?[a-zA-Z]   # printf
  | \{[^{}\n]*\}                            # str.format
  | (?<![\w-])-{1,2}[a-zA-Z][\w-]*          # an option
  | [\w.~*<>$-]*/[\w./*<>$-]*               # a path
  | \$\w+
  | \.?\w+(?:[.:]+[a-zA-Z_]\w*)+            # a.b, a::b
  | \w*[_\d]\w*
  | \w*[a-z][A-Z]\w*
  | \b[A-Z]{2,}s?\b
  | \w+\(\)?
  | \w+\[
  | <[\w./ -]+>
  """, re.X)
SPACED = re.compile(r"[A-Za-z]{2,}[ ,.;:]+(?:\S+ +)*?[a-z]{2,} +\S*[a-z]")


def _names(mask: Mask, start: int, end: int) -> None:
    piece = "".join(mask.out[start:end])
    for match in NAMES.finditer(piece):
        mask.blank(start + match.start(), start + match.end(), NAME)


def _comment(mask: Mask, start: int, end: int, marks: str) -> None:
    """Keeps a comment without the marks at its lines' beginnings."""
    mask.keep(start, end)
    mask.blank_all(marks, start, end, flags=re.M)
    # Marks of snippets, and lines of code within a comment.
    mask.blank_all(r"^[ *]*(begin|end) \w+\s*$", start, end, CODE, flags=re.M)
    mask.blank_all(r"^[ *]{4,}\S.*[;{}()=>]$", start, end, CODE, flags=re.M)
    _names(mask, start, end)


def _message(mask: Mask, start: int, end: int) -> None:
    """Keeps a string that reads as a sentence: three words, two of them in
    small letters."""
    if not SPACED.search(mask.text[start:end].replace("\\n", "  ")):
        return
    mask.keep(start, end)
    mask.blank_all(r"\\.", start, end)
    _names(mask, start, end)


# --- C, CUDA, JavaScript, CSS -------------------------------------------------

C_TOKENS = re.compile(r"""
    (?P<line>//[^\n]*) | (?P<block>/\*.*?\*/)
  | (?P<string>"(?:\\.|[^"\\\n])*") | '(?:\\.|[^'\\\n])*'
  | \#\s*include[^\n]*
  """, re.X | re.S)


def c_like(text: str, messages: bool) -> str:
    mask, string_end = Mask(text), -1
    for match in C_TOKENS.finditer(text):
        if match["line"]:
            _comment(mask, *match.span("line"), r"^\s*//+")
        elif match["block"]:
            _comment(mask, *match.span("block"), r"^\s*/\*+|^\s*\*+(?!/)|\*+/")
        elif match["string"] and messages:
            start, end = match.span("string")
            _message(mask, start + 1, end - 1)
            # "one " "two": adjacent strings are one message.
            if string_end >= 0 and not text[string_end:start].strip():
                mask.blank(string_end - 1, start + 1)
            string_end = end
    _join_lines(mask, text)
    return mask.result()


def _join_lines(mask: Mask, text: str) -> None:
    """What is only space to the left of a comment stays space, so that a
    sentence goes on from one line to the next."""
    for match in re.finditer(r"^[ \t]+(?=//|/\*|\*|--|#|$)", text, re.M):
        mask.blank(*match.span())


# --- Lua, shell and the like --------------------------------------------------

LUA_TOKENS = re.compile(r"""
    (?P<block>--\[\[.*?\]\]) | (?P<line>--[^\n]*)
  | (?P<string>"(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*')
  """, re.X | re.S)


def lua(text: str, messages: bool) -> str:
    mask = Mask(text)
    for match in LUA_TOKENS.finditer(text):
        if match["block"]:
            _comment(mask, *match.span("block"), r"^\s*--\[\[|\]\]$")
        elif match["line"]:
            _comment(mask, *match.span("line"), r"^\s*--+")
        elif match["string"] and messages:
            start, end = match.span("string")
            _message(mask, start + 1, end - 1)
    _join_lines(mask, text)
    return mask.result()


SH_TOKENS = re.compile(r"""
    (?P<comment>(?:(?<=\s)|^)\#[^\n]*)
  | (?P<string>"(?:\\.|[^"\\])*" | '(?:[^'\\\n]|\\.)*')
  """, re.X | re.S | re.M)


def shell(text: str, messages: bool) -> str:
    """Shell, Meson, gnuplot, awk and tables: comments from "#"."""
    mask = Mask(text)
    for match in SH_TOKENS.finditer(text):
        if match["comment"]:
            start, end = match.span("comment")
            if not text.startswith("#!", start):
                _comment(mask, start, end, r"^\s*#+")
        elif messages and "\n" not in match["string"]:
            start, end = match.span("string")
            _message(mask, start + 1, end - 1)
    _join_lines(mask, text)
    return mask.result()


# --- Python -------------------------------------------------------------------

# From Python 3.12 on, a string with expressions in it comes in pieces.
PIECES_START = [getattr(tokenize, name) for name in
                ("FSTRING_START", "TSTRING_START") if hasattr(tokenize, name)]
PIECES_END = [getattr(tokenize, name) for name in
              ("FSTRING_END", "TSTRING_END") if hasattr(tokenize, name)]


def _tokens(text: str) -> Iterator[Tuple[int, int, int]]:
    """Kind and place of each token, a string in pieces as one."""
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    opened: List[int] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        start = lines[token.start[0] - 1] + token.start[1]
        # Python 3.12.1 gives the end of a string of several lines in bytes.
        end = start + len(token.string)
        if token.type in PIECES_START:
            opened.append(start)
        elif token.type in PIECES_END:
            start = opened.pop()
            if not opened:
                yield tokenize.STRING, start, end
        elif not opened:
            yield token.type, start, end


def python(text: str, messages: bool) -> str:
    mask, first_of_line = Mask(text), True
    for kind, start, end in _tokens(text):
        said = text[start:end]
        if kind == tokenize.COMMENT and not said.startswith("#!"):
            _comment(mask, start, end, r"^\s*#+:?")
        elif kind == tokenize.STRING:
            quotes = re.match(r"[a-zA-Z]*('''|\"\"\"|'|\")", said)
            assert quotes
            inner = (start + quotes.end(), end - len(quotes[1]))
            if first_of_line and len(quotes[1]) == 3:
                _comment(mask, *inner, r"(?!x)x")
            elif messages and "\n" not in said:
                _message(mask, *inner)
        if kind not in (tokenize.COMMENT, tokenize.NL, tokenize.INDENT,
                        tokenize.DEDENT):
            first_of_line = kind == tokenize.NEWLINE
    _join_lines(mask, text)
    return mask.result()


# --- Markdown -----------------------------------------------------------------

FRONT_MATTER = ("title", "question", "goals")
IN_SENTENCES = (
    r"`[^`\n]*`(?:\{[^}\n]*\})?",           # code
    r"\$\$.+?\$\$|\$[^$\n ](?:[^$\n]*[^$\n ])?\$",   # formulas
    r"\[(?:[^\]\n]*@)[^\]]*\]",             # citations
    r"@[\w:.-]*\w",                         # references
    r"https?://[^\s)>]+",
    r"(?<!\])\{[\w.]+\}",                   # values
    r"<[^>\n]+>",                           # HTML
)


def _attributes(mask: Mask, start: int, end: int) -> None:
    """Of attributes, the words that a reader sees."""
    seen = list(re.finditer(r'\b(?:alt|title|otherwise)="([^"]*)"',
                            mask.text[start:end]))
    # A sentence goes on after a span's attributes.
    mask.blank(start, end, CODE if seen else " ")
    for match in seen:
        mask.keep(start + match.start(1), start + match.end(1))


def _front_matter(mask: Mask, end: int) -> None:
    mask.blank(0, end, CODE)
    key = ""
    for match in re.finditer(r"^(?:(\w+):|  - )[ ]*(.*)$", mask.text[:end],
                             re.M):
        key = match[1] or key
        if key in FRONT_MATTER:
            mask.keep(match.start(2), match.end(2))


def markdown(text: str, messages: bool) -> str:
    mask = Mask(text)
    mask.keep(0, len(text))
    front = re.match(r"---\n.*?\n---\n", text, re.S)
    if front:
        _front_matter(mask, front.end())
    start = front.end() if front else 0
    for match in re.finditer(r"^( *)(```+|~~~+)(.*)\n(?:.*\n)*?\1\2[ ]*$", text,
                             re.M):
        mask.blank(*match.span(), CODE)
        if match[3] == "values":
            for said in re.finditer(r'otherwise="([^"]*)"', match[0]):
                mask.keep(match.start() + said.start(1),
                          match.start() + said.end(1))
    mask.blank_all(r"(?:(?<=\n\n)|(?<=\n\|\n))(?: {4}\S.*\n)+", start,
                   len(text), CODE)    # indented code
    for match in re.finditer(r"\{(?=[.#]|\w+=)(?:[^{}\"]|\"[^\"]*\")*\}", text):
        if mask.out[match.start()] != CODE:
            _attributes(mask, *match.span())
    for pattern in IN_SENTENCES:
        mask.blank_all(pattern, start, len(text), NAME, flags=re.S)
    mask.blank_all(r"\]\([^)\n]*\)|\[\]", start, len(text))   # targets of links
    mask.blank_all(r"[*_]+(?=\w)|(?<=[\w.,;:!?])[*_]+(?!\w)", start, len(text))
    mask.blank_all(r"(?:\^[^\s^]+\^|~[^\s~]+~)", start, len(text), NAME)
    mask.blank_all(r"^[ ]*(?:[-*+]|\d+\.)(?=\s)", start, len(text), CODE,
                   flags=re.M)
    mask.blank_all(r"^[ ]*(?:#+|>|:::+|:)(?=\s)", start, len(text), flags=re.M)
    mask.blank_all(r"!?\[|\]", start, len(text))
    # Words with digits or underscores, and words in capitals, are names.
    mask.blank_all(r"\b\w*(?:_\w+|[a-z][A-Z]\w*|[A-Za-z]\d+\w*)\b", start,
                   len(text), NAME)
    mask.blank_all(r"\b[A-Z]{2,}s?\b", start, len(text), NAME)
    return mask.result()


# --- which is which -----------------------------------------------------------

KINDS: Dict[str, Callable[[str, bool], str]] = {
    ".md": markdown, ".c": c_like, ".h": c_like, ".cu": c_like, ".js": c_like,
    ".mjs": c_like,
    ".css": c_like, ".lua": lua, ".py": python, ".sh": shell, ".build": shell,
    ".gp": shell, ".awk": shell,
}
INTERPRETERS = {"python3": python, "sh": shell, "bash": shell, "lua": lua,
                "lua5.4": lua, "awk": shell, "node": c_like}
TABLES = {"experiments": shell, "rules": shell, "packages": shell,
          "wrong": shell}


def kind_of(path: pathlib.Path) -> Optional[Callable[[str, bool], str]]:
    if path.suffix in KINDS:
        return KINDS[path.suffix]
    if path.suffix:
        return None
    if path.name in TABLES:
        return TABLES[path.name]
    with open(path, "rb") as file:
        first = file.readline().decode(errors="replace")
    words: List[str] = re.findall(r"[\w.]+", first) if first[:2] == "#!" else []
    return INTERPRETERS.get(words[-1]) if words else None


def prose(path: pathlib.Path, messages: bool = True) -> Optional[str]:
    """The masked text, or None for files that hold none."""
    kind = kind_of(path)
    if kind is None:
        return None
    return kind(path.read_text("utf-8", errors="replace"), messages)
