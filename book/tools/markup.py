"""Reads HTML as this book writes it, and refuses everything else.

html.parser would repair what it meets (a value without quotes, two attributes
of one name, a bare '<'), but a page check has to report exactly that. It also
takes ten times as long, and every edited page is read while its author waits.
"""
import html
import re
from typing import Iterator, NamedTuple, Optional

SPACE = " \t\n\r\f\v"
VOID = frozenset("area base br col embed hr img input link meta param source "
                 "track wbr".split())

_TAG = re.compile(r"""<(?:
    (?P<closes>/?) (?P<name>[A-Za-z][^\s=/>"'<]*)
    (?P<attributes>(?:\s+[^\s=/>"'<]+(?:="[^"]*"|='[^']*')?)*) \s* (?P<void>/?)>
  | !--.*?--> | (?P<doctype>!DOCTYPE[ ]html)>)""", re.VERBOSE | re.DOTALL)
_ATTRIBUTE = re.compile(r"""([^\s=/>"'<]+)(?:="([^"]*)"|='([^']*)')?""")


class Tag(NamedTuple):
    line: int
    text: str                   # between the previous tag and this one
    name: str                   # "" for the doctype
    closes: bool
    is_void: bool               # <br>, or <path/> in a drawing
    attributes: dict[str, str]
    raw: Optional[str]          # what <script> or <style> contains


class Unreadable(Exception):
    """What is wrong with the markup, and in which line."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line, self.what = line, what


def _why(text: str, at: int) -> str:
    """Why no tag can be read here."""
    part = text[at:at + 4000]
    if part.startswith("<!--"):
        return "'-->' is missing"
    name = re.match(r"</?([A-Za-z][^\s=/>]*)", part)
    if not name:
        return "a bare '<' in the text"
    rest = part[name.end():]
    good = re.match(r"""(?:\s+[^\s=/>"'<]+(?:="[^"]*"|='[^']*')?)*\s*""", rest)
    rest = rest[good.end():] if good else rest
    bad = re.match(r"""\s*[^\s=/>"'<]*=(.)""", rest, re.DOTALL)
    if not bad:
        return f"<{name[1]} never ends"
    if bad[1] in "\"'":
        return "an attribute's value never ends"
    return "an attribute's value without quotes"


def _attributes(line: int, name: str, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, double, single in _ATTRIBUTE.findall(text):
        if key in found:
            raise Unreadable(line, f"<{name}> has two attributes '{key}'")
        value = double or single
        found[key] = html.unescape(value) if "&" in value else value
    return found


def tags(text: str) -> Iterator[Tag]:
    """Every tag of a page in turn. Raises Unreadable at the first fault."""
    at, line, last = 0, 1, 0    # `line` is that of `last`
    before = ""
    while True:
        start = text.find("<", at)
        if start < 0:
            return
        before += text[at:start]
        line += text.count("\n", last, start)
        last = start
        found = _TAG.match(text, start)
        if not found:
            raise Unreadable(line, _why(text, start))
        at = found.end()
        closes, name, given, void, doctype = found.groups()
        if name is None:
            if doctype:
                yield Tag(line, before, "", False, True, {}, None)
                before = ""
            continue
        attributes = _attributes(line, name, given) if given else {}
        raw = None
        if name in ("script", "style") and not closes:
            end = text.find(f"</{name}>", at)
            if end < 0:
                raise Unreadable(line, f"<{name}> is never closed")
            raw, at = text[at:end], end
        yield Tag(line, before, name, bool(closes), bool(void) or name in VOID,
                  attributes, raw)
        before = ""
