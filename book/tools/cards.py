"""What js/cards.js shows of other pages, as a script that a page of file:// can
load: the glossary's explanations, and of each listing, figure and table that
another page's text refers to the caption and, of a listing, the first lines.
"""
import html
import json
import re

MOST_LINES = 12
REFERENCE = re.compile(
    r'href="([a-z0-9_]+\.html)#((?:lst|fig|tbl):[\w-]+)" class="ref')
LABEL = re.compile(r' id="((?:lst|fig|tbl):[\w-]+)"')
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


def card_of(page: str, label: str) -> list[str]:
    """Heading, caption and code of a label of a page."""
    place = page.find(f' id="{label}"')
    found = CAPTION.search(page, place)
    caption = text_of(MEASURED.sub("", found[1])) if found else ""
    number = re.match(r"\w+ [\dA-Zi]+\.\d+", caption)
    heading = number[0] if number else ""
    card = [heading, caption[len(heading):].strip()]
    if label.startswith("lst:"):
        card.append(code_of(page[place:page.find('<div id="lst:', place + 9)]))
    return card


def cards_of(page: str) -> dict[str, object]:
    """A page's part: the labels of other pages that it refers to, and the cards
    of its own labels and terms."""
    own = {label: card_of(page, label)
           for label in dict.fromkeys(LABEL.findall(page))}
    if ' id="term:' in page:
        own.update((term, [text_of(word), text_of(meaning)])
                   for term, word, meaning in TERM.findall(page))
    return {"refers": sorted(set(REFERENCE.findall(page))), "cards": own}


def cards(records: list[dict]) -> str:
    """cards-data.js, by what a link names: "term:warp",
    "matmul.html#lst:tile"."""
    of_page = {one["name"]: one["cards"] for one in records}
    made = {label: card for own in of_page.values()
            for label, card in own.items() if label.startswith("term:")}
    for one in records:
        for name, label in one["refers"]:
            if label in of_page.get(name, {}):
                made[f"{name}#{label}"] = of_page[name][label]
    return "window.book_cards = " + json.dumps(
        dict(sorted(made.items())), ensure_ascii=False,
        separators=(",", ":")) + ";\n"
