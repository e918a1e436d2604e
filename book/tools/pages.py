#!/usr/bin/env python3
"""Reads finished pages.

  pages.py collect FOLDER [--later LINK]… CHAPTER… [--search-only PAGE…]
                   [--check-only PAGE…]
      checks these pages and writes into FOLDER what the search, the lists and
      the cards show of them, and places.json: what the pages that are made of
      the lists must be checked against
  pages.py check [--later LINK]… FILE…
      every fault of pages, and of the pages that a places.json stands for

A fault gives status 1. LINK is a page or file that is built later. What is known
of each page is kept in FOLDER/records, so that after an edit one page is read
again. Outputs that would not change are left alone.
"""
import json
import os
import sys
from typing import Any

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             "../../tools"))

from cards import cards, cards_of                   # noqa: E402
from check import Entry, PageCheck, Pages, check_all, places_of     # noqa: E402
from index import Index, listed, search_script      # noqa: E402
from markup import Unreadable, tags                 # noqa: E402
from outputs import fail, write_if_changed          # noqa: E402

TOOLS = [os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
         for name in ("cards.py", "check.py", "index.py", "markup.py",
                      "pages.py")]
MANY = 4        # pages from which on it pays to read them side by side


# ---- One page -----------------------------------------------------------

def make_record(path: str, text: str) -> dict:
    name = os.path.basename(path)
    page, index, unreadable = PageCheck(name), Index(name), None
    try:
        for tag in tags(text):
            page.take(tag)
            index.take(tag)
    except Unreadable as fault:
        unreadable = fault
    entries = page.finish(unreadable)
    return {"page": path, "name": name, "ids": list(page.ids),
            "entries": entries, **index.record(), **cards_of(text)}


def read(path: str) -> dict:
    try:
        with open(path, encoding="utf-8") as file:
            return make_record(path, file.read())
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{path}: error: cannot be read: "
             f"{getattr(error, 'strerror', None) or 'it is not UTF-8'}\n"
             "  build it first")


# ---- What is kept of it -------------------------------------------------

def record_path(folder: str, path: str) -> str:
    return os.path.join(folder, "records", os.path.basename(path) + ".json")


def is_fresh(record: str, path: str) -> bool:
    """Is the record newer than its page and than what made it?"""
    try:
        written = os.stat(record).st_mtime_ns
        return all(os.stat(one).st_mtime_ns < written
                   for one in [path, *TOOLS])
    except OSError:
        return False


def keep(record: str, path: str) -> None:
    text = json.dumps(read(path), ensure_ascii=False)
    with open(record + ".tmp", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(record + ".tmp", record)


def keep_all(stale: list[tuple[str, str]]) -> None:
    if len(stale) < MANY:
        for record, path in stale:
            keep(record, path)
        return
    # Only here, because an edit should not wait for these modules.
    from concurrent.futures import ProcessPoolExecutor
    with ProcessPoolExecutor() as pool:
        list(pool.map(keep, *zip(*stale)))


def read_kept(folder: str, paths: list[str]) -> list[dict]:
    os.makedirs(os.path.join(folder, "records"), exist_ok=True)
    kept = [(record_path(folder, path), path) for path in paths]
    keep_all([one for one in kept if not is_fresh(*one)])
    return [load(record) for record, _ in kept]


def load(path: str) -> Any:
    with open(path, encoding="utf-8") as file:
        return json.load(file)


# ---- All pages ----------------------------------------------------------

def known(record: dict) -> tuple[str, list[str], list[Entry]]:
    return record["page"], record["ids"], record["entries"]


def stop_if_any(faults: list[str]) -> None:
    if faults:
        fail("\n".join(faults))


def collect(folder: str, later: set[str], arguments: list[str]) -> None:
    groups: dict[str, list[str]] = {}
    group = groups["chapters"] = []
    for one in arguments:
        if one in ("--search-only", "--check-only"):
            group = groups.setdefault(one, [])
        else:
            group.append(one)
    records = read_kept(folder, sum(groups.values(), []))
    chapters = records[:len(groups["chapters"])]
    searched = records[:len(chapters) + len(groups.get("--search-only", []))]
    pages = [known(one) for one in records]

    def write(name: str, text: str) -> None:
        write_if_changed(os.path.join(folder, name), text)

    write("sections.js", search_script(searched))
    write("captions.tsv", listed(chapters, "captions"))
    write("terms.tsv", listed(chapters, "terms"))
    write("cards-data.js", cards(chapters))
    write("places.json", json.dumps(places_of(pages, later),
                                     ensure_ascii=False) + "\n")
    stop_if_any(check_all(pages, later))


def check(later: set[str], paths: list[str]) -> None:
    pages: Pages = []
    for path in paths:
        if path.endswith(".json"):
            pages += load(path)
        else:
            pages.append(known(read(path)))
    stop_if_any(check_all(pages, later))
    print(len(pages), "pages")


def main(arguments: list[str]) -> None:
    mode, arguments = (arguments or [""])[0], arguments[1:]
    folder = arguments.pop(0) if mode == "collect" and arguments else ""
    later = set()
    while len(arguments) > 1 and arguments[0] == "--later":
        later.add(arguments[1])
        arguments = arguments[2:]
    is_known = mode == "collect" and folder or mode == "check"
    if not is_known or not arguments or arguments[0].startswith("-"):
        print((__doc__ or "").strip(), file=sys.stderr)
        sys.exit(2)
    if mode == "collect":
        collect(folder, later, arguments)
    else:
        check(later, arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
