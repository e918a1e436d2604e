"""What the search and the lists show of a finished page.

The sections with their headings and text, the captions of listings, figures
and tables, and where the page first uses the words of the glossary.
"""
import html
import json
import re
from typing import Optional

from markup import SPACE, Tag

# Letters on both sides of these belong to one word.
INLINE = frozenset("a span em strong code sub sup i b kbd abbr mi mo mn mrow "
                   "msub msup math semantics small cite q".split())
# Drawings and the data below them, formulas' sources, the page's own links,
# where numbers come from.
SKIPPED = frozenset("svg annotation nav script style button".split())
SKIPPED_CLASSES = frozenset("data provenance part sidenote".split())
RUNS = re.compile(f"[{SPACE}]+")


def joined(parts: list[str]) -> str:
    return RUNS.sub(" ", "".join(parts)).strip(" ")


def first_sentence(text: str) -> str:
    end = re.search(r"[.?](?= [A-Z])", text)
    return text[:end.end()] if end else text


class Section:
    def __init__(self, place: str) -> None:
        self.place = place
        self.heading: list[str] = []
        self.text: list[str] = []


class Index:
    """One page, tag by tag."""

    def __init__(self, page: str) -> None:
        self.page = page
        self.title: list[str] = []
        self.sections = [Section("")]
        self.captions: list[list[str]] = []
        self.terms: list[list[str]] = []
        self.roles: list[str] = []      # of the open elements of <main>
        self.in_main = False
        self.skipping = 0
        self.heading: Optional[list[str]] = None    # being read
        self.float_id = ""      # the listing, figure or table around
        self.in_caption = self.in_label = False
        self.label: list[str] = []
        self.caption: list[str] = []

    def role_of(self, tag: Tag, classes: list[str], place: str) -> str:
        name = tag.name
        if name in SKIPPED or not SKIPPED_CLASSES.isdisjoint(classes):
            return "skipped"
        if name == "h1":
            return "title"
        if name in ("h2", "h3", "h4") and place or place.startswith("term:"):
            return "heading"
        if self.float_id and not self.in_caption and \
                ("caption" in classes or name in ("figcaption", "caption")):
            return "caption"
        if self.in_caption and "label" in classes:
            return "label"
        return ""

    def take_term(self, tag: Tag, classes: list[str], place: str) -> None:
        """<a class="term" id="use-warp" href="glossary.html#term:warp">"""
        _, mark, term = tag.attributes.get("href", "").partition("#term:")
        if mark and place.startswith("use-"):
            self.terms.append([f"term:{term}", f"{self.page}#{place}",
                               joined(self.title),
                               "used" if "first" in classes else "explained"])

    def open(self, tag: Tag) -> None:
        if not tag.attributes and self.skipping:    # most of a drawing
            self.roles.append("")
            return
        classes = tag.attributes.get("class", "").split()
        place = tag.attributes.get("id", "")
        role = "" if self.skipping else self.role_of(tag, classes, place)
        if place.startswith(("lst:", "fig:", "tbl:")):
            self.float_id = place
        if "term" in classes:
            self.take_term(tag, classes, place)
        if role == "skipped":
            self.skipping += 1
        elif role == "title":
            self.heading = self.title
        elif role == "heading":
            self.sections.append(Section(place))
            self.heading = self.sections[-1].heading
        elif role == "caption":
            self.in_caption = True
        elif role == "label":
            self.in_label = True
        self.roles.append(role)

    def close(self) -> None:
        role = self.roles.pop() if self.roles else ""
        if role == "skipped":
            self.skipping -= 1
        elif role in ("title", "heading"):
            self.heading = None
        elif role == "caption":
            self.end_caption()
        elif role == "label":
            self.in_label = False

    def end_caption(self) -> None:
        label = joined(self.label)
        if label:
            self.captions.append(
                [self.float_id[:3], f"{self.page}#{self.float_id}", label,
                 first_sentence(joined(self.caption)), joined(self.title)])
        self.label, self.caption = [], []
        self.float_id, self.in_caption = "", False

    def take_text(self, text: str) -> None:
        if self.heading is not None:
            self.heading.append(text)
            return
        self.sections[-1].text.append(text)
        if self.in_label:
            self.label.append(text)
        elif self.in_caption:
            self.caption.append(text)

    def take(self, tag: Tag) -> None:
        if self.in_main and not self.skipping:
            if tag.text:
                self.take_text(html.unescape(tag.text))
            if tag.name not in INLINE:
                self.take_space()
        if tag.name == "main":
            self.in_main = not tag.closes
        elif self.in_main and tag.closes:
            self.close()
        elif self.in_main and not tag.is_void:
            self.open(tag)

    def take_space(self) -> None:
        """The end of a block, which is the end of a word."""
        if self.heading is not None:
            self.heading.append(" ")
        else:
            self.sections[-1].text.append(" ")
        if self.in_caption and not self.in_label:
            self.caption.append(" ")

    def record(self) -> dict[str, object]:
        """The page's lines of the files below, finished but for its number."""
        return {"searched": quoted([self.page, joined(self.title)]),
                "sections": [quoted([one.place, joined(one.heading),
                                     joined(one.text)])[1:]
                             for one in self.sections],
                "captions": rows(self.captions), "terms": rows(self.terms)}


def quoted(fields: list[str]) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def rows(lines: list[list[str]]) -> str:
    return "".join("\t".join(line) + "\n" for line in lines)


# ---- Files made of all pages ----------------------------------------------

def search_script(records: list[dict]) -> str:
    """sections.js, for js/search.js: every section with its page."""
    return ('window.book_sections = {\n"pages": [\n' +
            ",\n".join(one["searched"] for one in records) +
            '],\n"sections": [\n' +
            ",\n".join(f"[{i},{section}" for i, one in enumerate(records)
                       for section in one["sections"]) + "]};\n")


def listed(records: list[dict], key: str) -> str:
    """captions.tsv or terms.tsv: fields between tabs."""
    return "".join(one[key] for one in records)
