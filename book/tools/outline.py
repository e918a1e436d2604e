#!/usr/bin/env python3
"""outline.py CHAPTER…: the order of the book, from each chapter's front matter.

One line per chapter, fields between tabs: number, slug, part, title, question,
file. The number comes from the file's name; from 91 on it is an appendix's
letter. 10i-slug.md is the book's interlude, which follows chapter 10 and counts
neither as a chapter nor as a part. Parts are numbered as they come. Of each
file only the front matter is read.

  outline.py OUTPUT CHAPTER…      the same into a file, if it would change it
"""
import os
import re
import sys
from typing import Callable, Iterator

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             "../../tools"))

from outputs import write_if_changed    # noqa: E402

KEYS = ("slug", "part", "title", "question")
ROMAN = "I II III IV V VI VII VIII IX X".split()
Fault = Callable[[int, str, str], None]


def front_matter(path: str) -> Iterator[tuple[int, str]]:
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip()
            if number == 1:
                if not line.startswith("---"):
                    return
            elif line in ("---", "..."):
                return
            else:
                yield number, line


def check_line(line: str, continues: bool) -> tuple[bool, str]:
    """What the front matter of a chapter may hold is `key: value`, and under
    `goals:` items that begin with "  - ". What YAML would read in another way
    is refused here, because pandoc would name neither line nor file. Gives
    whether the next line may go on, and what is wrong."""
    if not line or line.startswith("#"):
        return continues, ""
    item = re.match(r" +- +(.*)|[a-z]+:(?: +(.*)|$)", line)
    if item:
        text = item[1] or item[2] or ""
    elif re.match(" +[^ ]", line) and continues:
        text = ""
    else:
        return continues, "not a line of a front matter: " + line
    quoted = r'".*"|\'.*\'|\[(".*"(, *)?)*\]'
    if not re.fullmatch(quoted, text) and \
            re.search(r"""^[]["'{}&*!%@`]|: | #|:$""", text):
        return bool(text), ("YAML reads this otherwise than it is meant: " +
                            text)
    return bool(text), ""


def value_of(text: str) -> str:
    if re.fullmatch('".*"', text):
        text = text[1:-1].replace('\\"', '"')
    elif re.fullmatch("'.*'", text):
        text = text[1:-1].replace("''", "'")
    return text.replace("\t", " ")


def read_front(path: str, fault: Fault) -> dict[str, str]:
    front, continues = dict.fromkeys(KEYS, ""), False
    for number, line in front_matter(path):
        continues, wrong = check_line(line, continues)
        if wrong:
            fault(number, wrong, "write `key: value`, or `  - goal` under "
                  "`goals:`" if wrong.startswith("not") else
                  "put the value in double quotes")
        key, mark, text = line.partition(":")
        if mark and key in KEYS:
            front[key] = value_of(text.strip())
            if front[key][:1] in ("|", ">"):
                fault(number, "front matter over several lines",
                      "write it in one line, in quotes if it holds a colon")
    return front


def outline(paths: list[str]) -> tuple[str, str]:
    """The lines, and what is wrong with the chapters."""
    lines, faults, part, n_parts = [], [], "", 0
    named: dict[str, str] = {}
    for path in paths:
        name = os.path.basename(path)

        def fault(line: int, what: str, remedy: str) -> None:
            faults.append(f"chapters/{name}:{line}: error: {what}\n"
                          f"  {remedy}\n")

        front = read_front(path, fault)
        if not re.fullmatch(r"[0-9]+i?-[a-z0-9_]+\.md", name):
            fault(1, "a chapter's file is named NN-slug.md", "rename it")
            continue
        place = name.partition("-")[0]
        interlude = place.endswith("i")
        number = "i" if interlude else str(int(place))
        if number in named:
            fault(1, f"{named[number]} has number {number}, too",
                  "a book has one interlude" if interlude else
                  "give one of them another: the number is the chapter's")
        named.setdefault(number, name)
        appendix = not interlude and int(place) > 90
        for key in KEYS:
            if not front[key] and not (key == "question" and appendix):
                fault(1, f"the front matter has no '{key}'",
                      f"add a line '{key}: …'")
        if name != f"{place}-{front['slug']}.md":
            fault(1, f"slug '{front['slug']}' differs from the file's name",
                  f"name the file NN-{front['slug']}.md")
        shown = front["part"]
        if not appendix and not interlude:
            n_parts += shown != part
            part = shown
            shown = f"Part {ROMAN[n_parts - 1]}: {shown}"
        lines.append("\t".join((
            chr(ord("A") + int(place) - 91) if appendix else number,
            front["slug"], shown, front["title"], front["question"],
            name)) + "\n")
    return "".join(lines), "".join(faults)


def main(arguments: list[str]) -> None:
    output = "" if arguments[0].endswith(".md") else arguments.pop(0)
    lines, faults = outline(arguments)
    sys.stderr.write(faults)
    sys.stderr.flush()
    if not output:
        sys.stdout.write(lines)
    elif not faults:
        write_if_changed(output, lines)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main(sys.argv[1:])
