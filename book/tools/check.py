"""Checks the finished pages.

By itself, a page must have every element closed and nested, every id once,
headings in their order, a name for each drawing and link, a stop for the Tab
key on everything that scrolls, no markup of a chapter in its text, and nothing
that a network would have to deliver. Together, the links of all pages must arrive.
"""
import os
import re
from typing import NamedTuple, Optional
from urllib.parse import unquote

from markup import SPACE, Tag, Unreadable

NO_PAGE = "correct the label, or give the place that name"
KEEP_A_COPY = "keep a copy in the book: pages make no request"
FETCHING_STYLE = "a style that fetches something"
TEMPLATE = "see book/templates/page.html"
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
NAMED = HEADINGS | {"a", "button", "summary", "title"}      # need a name
PLACED = HEADINGS | {"a", "main", "title", "html"}  # have rules of their own
SHOWN = frozenset(("src", "srcset", "poster", "data", "xlink:href"))
NAMING = frozenset(("aria-labelledby", "aria-describedby", "aria-controls",
                    "for"))
FETCHES = re.compile(r"@import|url\((?:[\"']?http|//)")


class Entry(NamedTuple):
    """What is known of one line of a page."""
    kind: str       # fault, link, source or style
    line: int
    text: str       # a fault: what is wrong; else the target
    more: str = ""  # a fault's remedy, a link as written, a source's element


class Open(NamedTuple):
    name: str
    line: int


class PageCheck:
    """One page, tag by tag."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.entries: list[Entry] = []
        self.ids: dict[str, None] = {}      # in the page's order
        self.wanted: list[tuple[int, str, str, str]] = []   # ids of this page
        self.open: list[Open] = []
        self.unnamed: list[int] = []    # depths of links … without a name yet
        self.heading = 0
        self.counts = {"h1": 0, "main": 0, "title": 0}
        self.in_svg = 0
        self.has_doctype = self.has_language = False

    def fault(self, line: int, what: str, remedy: str) -> None:
        self.entries.append(Entry("fault", line, what, remedy))

    # ---- Attributes -----------------------------------------------------

    def note_id(self, line: int, given: str) -> None:
        if not given or any(c in given for c in " \t\n"):
            self.fault(line, f"id '{given}' is empty or holds a space",
                       "give the heading or block another label")
        elif given in self.ids:
            self.fault(line, f"id '{given}' is there twice",
                       "rename one of the two labels or headings")
        else:
            self.ids[given] = None

    def check_href(self, tag: Tag, target: str) -> None:
        remote = target.startswith("//") or "://" in target
        if not target:
            self.fault(tag.line, "an empty link", "write its target")
        elif target[0] == "/" and not (remote and tag.name != "a") or \
                target.startswith("file:"):
            self.fault(tag.line, f"a link to '{target}' on this machine",
                       "name it relative to the page")
        elif remote and tag.name != "a":
            self.fault(tag.line, f"<{tag.name}> fetches '{target}'",
                       KEEP_A_COPY)
        elif not re.match("[a-z+.-]+:", target):
            self.check_target(tag.line, target)

    def check_target(self, line: int, target: str) -> None:
        place = unquote(target)
        page, _, there = place.partition("#")
        if page in ("", self.name) and there:
            self.wanted.append(
                (line, there, f"a link to '{target}', which no page has",
                 NO_PAGE))
        elif page:
            self.entries.append(
                Entry("link", line, place if there else page, target))

    def check_source(self, tag: Tag, target: str) -> None:
        if target.startswith("//") or "://" in target:
            self.fault(tag.line, f"<{tag.name}> fetches '{target}'",
                       KEEP_A_COPY)
        elif target[:1] != "#" and not re.match("[a-z+.-]+:", target):
            self.entries.append(Entry("source", tag.line, target, tag.name))

    def check_attributes(self, tag: Tag) -> None:
        for key, value in tag.attributes.items():
            if key == "id":
                self.note_id(tag.line, value)
            elif key == "href":
                self.check_href(tag, value)
            elif key in SHOWN:
                self.check_source(tag, value)
            elif key in NAMING:
                for one in value.split():
                    self.wanted.append((tag.line, one,
                        f"{key} names '{one}', which this page lacks",
                        "correct the id"))
        if tag.attributes.get("rel") == "stylesheet" and \
                "href" in tag.attributes:
            self.entries.append(
                Entry("style", tag.line, tag.attributes["href"]))

    # ---- Names ----------------------------------------------------------

    @staticmethod
    def has_name(tag: Tag) -> bool:
        return any(tag.attributes.get(key)
                   for key in ("aria-label", "aria-labelledby", "title"))

    def check_names(self, tag: Tag) -> None:
        given = tag.attributes
        if tag.name == "img" and "alt" not in given:
            self.fault(tag.line, "a picture without alt text",
                       'say in alt="…" what one sees in it')
        if tag.name == "svg" and given.get("aria-hidden") != "true" and \
                not (given.get("role") in ("img", "group") and
                     self.has_name(tag)):    # a group, if it holds links
            self.fault(tag.line, "a drawing without a name",
                       'give it role="img" and aria-labelledby, or hide it')
        if "data-scrolls" in given and not (
                given.get("tabindex") == "0" and self.has_name(tag) and
                ("role" in given or tag.name == "section")):
            self.fault(tag.line, f"<{tag.name}> scrolls, but not by keyboard",
                       'give it tabindex="0", a role and an aria-label '
                       '(pages/page.lua)')

    # ---- Structure ------------------------------------------------------

    def check_place(self, tag: Tag) -> None:
        name = tag.name
        if name == "a" and any(one.name == "a" for one in self.open):
            self.fault(tag.line, "a link inside of a link",
                       "a heading or term that is a link holds no other")
        if name in HEADINGS:
            level = int(name[1])
            if level > self.heading + 1:
                self.fault(tag.line, f"<h{level}> after <h{self.heading}>",
                           "leave out no level of headings")
            self.heading = level
        if name in self.counts and not (name == "title" and self.in_svg):
            self.counts[name] += 1
        if name == "html":
            self.has_language = bool(tag.attributes.get("lang"))

    def push(self, tag: Tag) -> None:
        if tag.name in NAMED and not self.has_name(tag) and \
                tag.attributes.get("aria-hidden") != "true":
            self.unnamed.append(len(self.open))
        self.in_svg += tag.name == "svg"
        self.open.append(Open(tag.name, tag.line))

    def pop(self) -> bool:
        """Did the element that ends have a name if it needs one?"""
        ended = self.open.pop()
        self.in_svg -= ended.name == "svg"
        if self.unnamed and self.unnamed[-1] == len(self.open):
            self.unnamed.pop()
            return False
        return True

    def close(self, tag: Tag) -> None:
        nested = bool(self.open) and self.open[-1].name == tag.name
        if not nested and not any(one.name == tag.name for one in self.open):
            self.fault(tag.line, f"</{tag.name}> closes nothing",
                       "remove it, or open the element before")
            return
        while self.open[-1].name != tag.name:
            last = self.open[-1]
            self.fault(tag.line,
                       f"</{tag.name}> closes <{last.name}> of line "
                       f"{last.line}",
                       "close elements in the reverse order of their opening")
            self.pop()
        last = self.open[-1]
        if not self.pop():
            self.fault(last.line, f"<{last.name}> without a text",
                       "a reader who hears the page needs a name: text or "
                       "aria-label")

    def take(self, tag: Tag) -> None:
        if not tag.name:
            self.has_doctype = True
            return
        # Text and pictures name everything that they are in.
        if self.unnamed and (tag.name == "img" or tag.text.strip(SPACE)):
            self.unnamed.clear()
        if ":::" in tag.text and not any(
                one.name in ("pre", "code") for one in self.open):
            self.fault(tag.line, "':::' in the text of the page",
                       "end a block with ::: in a line of its own")
        if tag.closes:
            self.close(tag)
        else:
            if tag.name in PLACED:
                self.check_place(tag)
            if tag.attributes:
                self.check_attributes(tag)
            if tag.name in ("img", "svg") or "data-scrolls" in tag.attributes:
                self.check_names(tag)
            if not tag.is_void:
                self.push(tag)
        if tag.raw and FETCHES.search(tag.raw):
            self.fault(tag.line, FETCHING_STYLE, KEEP_A_COPY)

    def check_whole(self) -> None:
        if not self.has_doctype:
            self.fault(1, "no <!DOCTYPE html>", TEMPLATE)
        if not self.has_language:
            self.fault(1, "<html> without a language", TEMPLATE)
        for name, shown, remedy in (
                ("title", "titles", TEMPLATE), ("main", "<main>", TEMPLATE),
                ("h1", "<h1>", "the title is a page's only heading of the"
                 " first level")):
            if self.counts[name] != 1:
                self.fault(1, f"{self.counts[name]} {shown} instead of one",
                           remedy)
        for left in reversed(self.open):
            self.fault(left.line, f"<{left.name}> is never closed", "close it")

    def finish(self, unreadable: Optional[Unreadable]) -> list[Entry]:
        """What is wrong with the page, and what other files decide."""
        if unreadable:
            self.fault(unreadable.line, unreadable.what,
                       "correct the markup there")
        else:
            self.check_whole()
        for line, wanted, what, remedy in self.wanted:
            if wanted not in self.ids:
                self.fault(line, what, remedy)
        return sorted(self.entries, key=lambda entry: entry.line)


# ---- All pages ----------------------------------------------------------

class Files:
    """Files next to the pages, each looked at once."""

    def __init__(self) -> None:
        self.found: dict[str, bool] = {}
        self.fetching: dict[str, bool] = {}

    def exists(self, path: str) -> bool:
        if path not in self.found:
            self.found[path] = os.path.exists(path)
        return self.found[path]

    def fetches(self, path: str) -> bool:
        if path not in self.fetching:
            try:
                with open(path, encoding="utf-8") as sheet:
                    self.fetching[path] = bool(FETCHES.search(sheet.read()))
            except OSError:
                self.fetching[path] = False
        return self.fetching[path]


def fault_of(kind: str, text: str, more: str, folder: str,
             files: Files) -> Optional[tuple[str, str]]:
    """What is wrong with an entry whose place no page has, and the remedy."""
    if kind == "fault":
        return text, more
    if kind == "link":
        if "#" in text:
            return f"a link to '{more}', which no page has", NO_PAGE
        if not files.exists(os.path.join(folder, text)):
            return (f"a link to '{more}', which is not there",
                    "correct the link, or build the file")
    if kind == "source" and not files.exists(os.path.join(folder, text)):
        return (f"<{more}> shows '{text}', which is not there",
                "correct the path, or build the file")
    if kind == "style" and files.fetches(os.path.join(folder, text)):
        return FETCHING_STYLE, KEEP_A_COPY
    return None


# Each page's path, its ids and what else is known of it.
Pages = list[tuple[str, list[str], list[Entry]]]


def is_later(kind: str, text: str, later: set[str]) -> bool:
    return kind == "link" and text.partition("#")[0] in later


def places_of(pages: Pages, later: set[str]) -> Pages:
    """What the pages in `later` must be checked against: the places that they
    may lead to, and the links to places in them."""
    return [(path, ids, [one for one in entries if "#" in one[2] and
                         is_later(one[0], one[2], later)])
            for path, ids, entries in pages]


def check_all(pages: Pages, later: set[str]) -> list[str]:
    """The faults of all pages; `later` is built later: links to it, and to
    places in it, may be right."""
    places: set[str] = set()
    for path, ids, _ in pages:
        name = os.path.basename(path)
        places.add(name)
        places.update(f"{name}#{one}" for one in ids)
    files, faults = Files(), []
    for path, _, entries in pages:
        folder = os.path.dirname(path)
        for kind, line, text, more in entries:
            if kind == "link" and text in places or \
                    is_later(kind, text, later):
                continue
            fault = fault_of(kind, text, more, folder, files)
            if fault:
                faults.append(f"{path}:{line}: error: {fault[0]}\n"
                              f"  {fault[1]}")
    return faults
