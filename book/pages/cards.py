#!/usr/bin/env python3
"""cards.py OUTPUT PAGE…: what js/cards.js shows of other pages, as a script
that a page of file:// can load: the glossary's explanations, and of each
listing, figure and table that another page's text refers to the caption and, of
a listing, the first lines."""

import html
import json
import re
import sys
from pathlib import Path
from typing import Dict, List, Tuple

MOST_LINES = 12
REFERENCE = re.compile(
    r'href="([a-z0-9_]+\.html)#((?:lst|fig|tbl):[\w-]+)" class="ref')
TERM = re.compile(r'<dt><span id="(term:[\w-]+)">(.*?)</span></dt>\s*'
                  r'<dd>(.*?)</dd>', re.S)
CAPTION = re.compile(r'<(?:div class="caption"|figcaption|caption)[^>]*>(.*?)'
                     r'</(?:div|figcaption|caption)>', re.S)
MEASURED = re.compile(r'<span class="measured">.*', re.S)
CODE = re.compile(r'<pre[^>]*><code[^>]*>(.*?)</code></pre>', re.S)
NOT_TEXT = re.compile(r'<summary>.*?</summary>|<[^>]+>', re.S)


def text_of(markup: str) -> str:
    """The words of a piece of HTML, in one line."""
    return " ".join(html.unescape(NOT_TEXT.sub("", markup)).split())


def code_of(markup: str) -> str:
    """The first lines of a listing whose HTML begins here."""
    end = markup.find('\n</div>\n</div>')
    blocks = CODE.findall(markup[:end] if end > 0 else markup)
    lines = html.unescape(NOT_TEXT.sub("", "\n".join(blocks))).split("\n")
    if len(lines) <= MOST_LINES:
        return "\n".join(lines)
    more = len(lines) - MOST_LINES
    return "\n".join(lines[:MOST_LINES] + [f"… {more} more lines"])


def card_of(page: str, label: str, name: str) -> List[str]:
    """Heading, caption and code of a label of a page."""
    place = page.find(f' id="{label}"')
    if place < 0:
        raise SystemExit(f"cards.py: {name} has no {label}")
    found = CAPTION.search(page, place)
    if not found:
        raise SystemExit(f"cards.py: {name}: {label} has no caption")
    caption = text_of(MEASURED.sub("", found.group(1)))
    number = re.match(r"\w+ [\dA-Z]+\.\d+", caption)
    heading = number.group(0) if number else ""
    card = [heading, caption[len(heading):].strip()]
    if label.startswith("lst:"):
        card.append(code_of(page[place:page.find('<div id="lst:', place + 9)]))
    return card


def cards(pages: Dict[str, str]) -> Dict[str, List[str]]:
    """All cards by what a link names: "term:warp", "matmul.html#lst:tile"."""
    made: Dict[str, List[str]] = {}
    wanted: Dict[Tuple[str, str], bool] = {}
    for page in pages.values():
        for name, label in REFERENCE.findall(page):
            wanted[name, label] = True
        if ' id="term:' in page:
            for term, word, meaning in TERM.findall(page):
                made[term] = [text_of(word), text_of(meaning)]
    for name, label in sorted(wanted):
        if name in pages:
            made[f"{name}#{label}"] = card_of(pages[name], label, name)
    return dict(sorted(made.items()))


def main() -> None:
    output, *names = sys.argv[1:]
    pages = {Path(name).name: Path(name).read_text(encoding="utf-8")
             for name in names}
    found = cards(pages)
    made = "window.book_cards = " + json.dumps(
        found, ensure_ascii=False, separators=(",", ":")) + ";\n"
    file = Path(output)
    if not file.exists() or file.read_text(encoding="utf-8") != made:
        file.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
