#!/usr/bin/env python3
"""Reads finished pages.

  pages.py check [--later LINK]… FILE…   every fault of the pages, status 1;
                                         LINK may be built after the pages
  pages.py search|captions|terms FILE…   what the search and the lists show
  pages.py collect SEARCH CAPTIONS TERMS FILE… [--search-only FILE…]
                                         the same, into three files
  pages.py record PAGE.html RECORD       what is known of a page, as JSON

FILE is a page or its record. The build keeps records, so that after an edit
it reads one page again. Outputs that would not change are left alone.
"""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from check import Entry, PageCheck, check_all       # noqa: E402
from files import fail, write_if_changed            # noqa: E402
from index import Index, rows, search_script        # noqa: E402
from markup import Unreadable, tags                 # noqa: E402

FORMAT = "record of a page, 1"


def make_record(path: str, text: str) -> dict:
    name = os.path.basename(path)
    page, index, unreadable = PageCheck(name), Index(name), None
    try:
        for tag in tags(text):
            page.take(tag)
            index.take(tag)
    except Unreadable as fault:
        unreadable = fault
    return {"format": FORMAT, "page": path, "name": name,
            "entries": page.finish(unreadable), **index.record()}


def from_json(path: str, text: str) -> dict:
    try:
        record = json.loads(text)
        if record["format"] == FORMAT:
            record["entries"] = [Entry(*one) for one in record["entries"]]
            return record
    except (ValueError, KeyError, TypeError):
        pass
    fail(f"{path}:1: error: a record that cannot be read\n  make it anew")


def read(path: str) -> dict:
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{path}: error: cannot be read: "
             f"{getattr(error, 'strerror', None) or 'it is not UTF-8'}\n"
             "  build it first")
    return from_json(path, text) if text.startswith("{") else \
        make_record(path, text)


def check(arguments: list[str]) -> None:
    later = set()
    while len(arguments) > 1 and arguments[0] == "--later":
        later.add(arguments[1])
        arguments = arguments[2:]
    if not arguments or arguments[0].startswith("-"):
        usage()
    records = [read(path) for path in arguments]
    faults = check_all(((one["page"], one["entries"]) for one in records),
                       later)
    if faults:
        fail("\n".join(faults))
    print(len(records), "pages")


def collect(arguments: list[str]) -> None:
    search, captions, terms, *names = arguments
    chapters = names
    if "--search-only" in names:
        at = names.index("--search-only")
        chapters = names[:at]
        names = chapters + names[at + 1:]
    records = [read(path) for path in names]
    of_chapters = records[:len(chapters)]
    write_if_changed(search, search_script(records))
    write_if_changed(captions, rows(of_chapters, "captions"))
    write_if_changed(terms, rows(of_chapters, "terms"))


def usage() -> None:
    print((__doc__ or "").strip(), file=sys.stderr)
    sys.exit(2)


def main(arguments: list[str]) -> None:
    for stream in (sys.stdout, sys.stderr):     # whatever the locale says
        stream.reconfigure(encoding="utf-8")
    mode, arguments = (arguments or [""])[0], arguments[1:]
    if mode == "check":
        check(arguments)
    elif mode == "record" and len(arguments) == 2:
        record = json.dumps(read(arguments[0]), ensure_ascii=False)
        write_if_changed(arguments[1], record + "\n")
    elif mode == "collect" and len(arguments) > 3:
        collect(arguments)
    elif mode == "search" and arguments:
        sys.stdout.write(search_script([read(path) for path in arguments]))
    elif mode in ("captions", "terms") and arguments:
        sys.stdout.write(rows([read(path) for path in arguments], mode))
    else:
        usage()


if __name__ == "__main__":
    main(sys.argv[1:])
