#!/usr/bin/env python3
"""epub.py FOLDER OUTLINE MACHINES CSS OUTPUT: the book as an EPUB 3, out of the
finished pages in FOLDER.

Its files are the pages' texts as XML: a link leads where it leads on the web. What needs a script or another file stays
behind: panels, downloads, lists of the search. Names, order and dates come from
the pages and from the results' heads: the same pages give the same bytes.
"""
import html
import os
import re
import sys
import zipfile
from typing import Iterator, NamedTuple
from urllib.parse import unquote
from xml.sax.saxutils import escape, quoteattr

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             "../../tools"))

from markup import Tag, Unreadable, tags    # noqa: E402
from outputs import fail                    # noqa: E402

# Pages that no chapter is, before the first one and after the last.
FRONT = [("start", "Get started")]
BACK = [("measured", "How these numbers were made"), ("machines", "Machines"),
        ("teaching", "Teaching with this book"), ("bibliography", "Bibliography")]

# Elements that are of no use without scripts, a wide margin or a web server:
# the tag with its content. Of others, only the tag.
LEFT_OUT = {"neighbours", "lanes", "lane-reader", "ladder-map", "data",
            "sidenote", "reading", "progress"}
ONLY_TAGS = {"main", "picture", "source", "script"}
MEDIA = {".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg"}


class Page(NamedTuple):
    slug: str
    number: str
    part: str
    title: str


class Text(NamedTuple):
    """A page's <main> as XML."""
    body: str
    pictures: list[str]         # files next to the page that it shows
    uses: set[str]              # what the package's list must say it uses
    ids: set[str]
    links: list[tuple[int, str, str]]   # (line, page, place or "")


def read_rows(path: str) -> Iterator[list[str]]:
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n").split("\t")


def order(outline: str) -> list[Page]:
    chapters = [Page(slug, number, part, title)
                for number, slug, part, title, *_ in read_rows(outline)]
    return [*(Page(slug, "", "", title) for slug, title in FRONT), *chapters,
            *(Page(slug, "", chapters[-1].part, title) for slug, title in BACK)]


def main_part(path: str) -> Iterator[Tag]:
    """The tags inside of <main>, each with the text before it."""
    inside = False
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        for tag in tags(text):
            if tag.name == "main":
                if tag.closes:
                    yield tag
                    return
                inside = True
            elif inside:
                yield tag
    except Unreadable as error:
        fail(f"{path}:{error.line}: {error.what}")
    fail(f"{path}: no <main> that ends")


def opening(tag: Tag, attributes: dict[str, str]) -> str:
    written = "".join(f" {key}={quoteattr(value)}"
                      for key, value in attributes.items())
    return f"<{tag.name}{written}{'/' if tag.is_void else ''}>"


def without_what_epub_lacks(tag: Tag) -> tuple[Tag, dict[str, str]]:
    """EPUB 3.2 knows three roles of a drawing and no link in one without a name
    of its own: a ladder of versions is a picture there, with its description."""
    attributes = dict(tag.attributes)
    if tag.name == "svg" and attributes.get("role") == "group":
        attributes["role"] = "img"
    if tag.name == "a" and "step" in attributes.get("class", "").split():
        tag = tag._replace(name="g")
        attributes = {key: value for key, value in attributes.items()
                      if key in ("id", "class")}
    return tag, attributes


def read_page(path: str, known: set[str]) -> Text:
    """`known`: the slugs of the pages that are in the book."""
    own = os.path.splitext(os.path.basename(path))[0]
    out: list[str] = []
    pictures: list[str] = []
    uses: set[str] = set()
    ids: set[str] = set()
    links: list[tuple[int, str, str]] = []
    ends: list[str] = []        # what closes each open element
    hidden = 0                  # open elements, from one on that is left out
    for tag in main_part(path):
        if not hidden:
            out.append(escape(html.unescape(tag.text)))
        if tag.name == "main":
            break
        if tag.closes:
            end = ends.pop()
            if hidden:
                hidden -= 1
            else:
                out.append(end)
            continue
        tag, attributes = without_what_epub_lacks(tag)
        if hidden or LEFT_OUT & set(attributes.get("class", "").split()):
            if not tag.is_void:
                ends.append("")
                hidden += 1
            continue
        if tag.name == "a" and not is_address(attributes.get("href", "")):
            target, hash_, place = attributes.get("href", "").partition("#")
            slug = target.removesuffix(".html") if target else own
            if slug not in known:
                attributes.pop("href", None)
            elif hash_ or target:
                links.append((tag.line, slug, place))
                attributes["href"] = f"{slug}.xhtml{hash_}{place}"
        if tag.name == "img":
            pictures.append(attributes["src"])
            attributes.pop("loading", None)
        if tag.name in ("svg", "math"):
            uses.add({"svg": "svg", "math": "mathml"}[tag.name])
        if "id" in attributes:
            ids.add(attributes["id"])
        shown = tag.name not in ONLY_TAGS
        if shown:
            out.append(opening(tag, attributes))
        if tag.raw is not None and shown:
            out.append(escape(tag.raw))
        if not tag.is_void:
            ends.append(f"</{tag.name}>" if shown else "")
    return Text("".join(out), pictures, uses, ids, links)


def is_address(href: str) -> bool:
    return re.match(r"[a-z]+:", href) is not None


def check_links(texts: dict[str, Text], folder: str) -> None:
    for slug, text in texts.items():
        for line, target, place in text.links:
            if place and unquote(place) not in texts[target].ids:
                fail(f"{folder}/{slug}.html:{line}: the link to {target}.html#"
                     f"{place} leads to what the EPUB leaves out (LEFT_OUT in "
                     "book/tools/epub.py)")


# ---- The files of the package ----------------------------------------------

def document(title: str, body: str) -> str:
    return ('<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
            '<html xmlns="http://www.w3.org/1999/xhtml" '
            'xmlns:epub="http://www.idpf.org/2007/ops" lang="en" '
            f'xml:lang="en">\n<head>\n<title>{escape(title)}</title>\n'
            '<link rel="stylesheet" type="text/css" href="epub.css"/>\n'
            f'</head>\n<body>\n{body}\n</body>\n</html>\n')


def contents(pages: list[Page]) -> str:
    lines = ['<nav epub:type="toc" id="toc">', "<h1>Contents</h1>", "<ol>"]
    part = ""
    for page in pages:
        if page.part != part:
            if part:
                lines.append("</ol></li>")
            lines.append(f"<li><span>{escape(page.part)}</span><ol>")
            part = page.part
        name = f"{page.number} {page.title}".strip()
        lines.append(f'<li><a href="{page.slug}.xhtml">{escape(name)}</a></li>')
    lines += ["</ol></li>" if part else "", "</ol>", "</nav>"]
    return document("Contents", "\n".join(lines))


def package(pages: list[Page], texts: dict[str, Text], pictures: list[str],
            day: str) -> str:
    items = ['<item id="nav" href="contents.xhtml" properties="nav" '
             'media-type="application/xhtml+xml"/>',
             '<item id="css" href="epub.css" media-type="text/css"/>',
             '<item id="cover" href="preview.png" properties="cover-image" '
             'media-type="image/png"/>']
    for page in pages:
        uses = " ".join(sorted(texts[page.slug].uses))
        said = f' properties="{uses}"' if uses else ""
        items.append(f'<item id="page-{page.slug}" href="{page.slug}.xhtml"'
                     f'{said} media-type="application/xhtml+xml"/>')
    for number, name in enumerate(pictures):
        items.append(f'<item id="picture-{number}" href={quoteattr(name)} '
                     f'media-type="{MEDIA[os.path.splitext(name)[1]]}"/>')
    spine = ['<itemref idref="nav"/>',
             *(f'<itemref idref="page-{page.slug}"/>' for page in pages)]
    return f'''<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" xml:lang="en"
  unique-identifier="name">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="name">warp-by-warp</dc:identifier>
<dc:title>Warp by Warp: A CUDA course in C that measures itself</dc:title>
<dc:creator>The authors of Warp by Warp</dc:creator>
<dc:language>en</dc:language>
<dc:rights>Text: CC BY 4.0. Code: MIT.</dc:rights>
<meta property="dcterms:modified">{day}T00:00:00Z</meta>
</metadata>
<manifest>
{chr(10).join(items)}
</manifest>
<spine>
{chr(10).join(spine)}
</spine>
</package>
'''


CONTAINER = '''<?xml version="1.0" encoding="utf-8"?>
<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">
<rootfiles>
<rootfile full-path="book/package.opf"
  media-type="application/oebps-package+xml"/>
</rootfiles>
</container>
'''


def newest_day(machines: str) -> str:
    """The day of the newest number in the book."""
    days = [cells[7] for cells in read_rows(machines) if len(cells) > 7 and
            re.fullmatch(r"20\d\d-\d\d-\d\d", cells[7])]
    return max(days, default="2026-01-01")


def main() -> None:
    if len(sys.argv) != 6:
        fail(__doc__.split("\n\n")[0])
    folder, outline, machines, css, output = sys.argv[1:]
    pages = [page for page in order(outline)
             if os.path.exists(f"{folder}/{page.slug}.html")]
    slugs = {page.slug for page in pages}
    texts = {page.slug: read_page(f"{folder}/{page.slug}.html", slugs)
             for page in pages}
    check_links(texts, folder)
    pictures = sorted({name for text in texts.values()
                       for name in text.pictures})
    unfinished = output + ".tmp"
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(name: str, content: "str | bytes",
                kind: int = zipfile.ZIP_DEFLATED) -> None:
            archive.writestr(zipfile.ZipInfo(name), content, kind)

        def add_file(name: str, path: str) -> None:
            with open(path, "rb") as file:
                add("book/" + name, file.read())

        # The first file names the kind, and is not compressed.
        add("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        add("META-INF/container.xml", CONTAINER)
        add("book/package.opf",
            package(pages, texts, pictures, newest_day(machines)))
        add("book/contents.xhtml", contents(pages))
        add_file("epub.css", css)
        add_file("preview.png", f"{folder}/preview.png")
        for page in pages:
            add(f"book/{page.slug}.xhtml",
                document(page.title, texts[page.slug].body))
        for name in pictures:
            add_file(name, f"{folder}/{name}")
    os.replace(unfinished, output)


if __name__ == "__main__":
    main()
