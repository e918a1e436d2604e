#!/usr/bin/env python3
"""Labels of chapters, and the snippets that chapters cite.

  labels.py list LABELS INDEX COMMAND…   what COMMAND, a pandoc with
                                         list_labels.lua, prints; INDEX is
                                         what other chapters' pages need of it
  labels.py merge INDEX USES LABELS…     those of all chapters: the index that
                                         references are resolved by, and the
                                         snippets that are cited
  labels.py coverage ROOT USES [DEPFILE TARGET]
                                         fails unless a chapter cites every tag
                                         under ROOT/code

A label or slug in two chapters is an error. Outputs that would not change are
left alone, so that Ninja makes no page anew for a line more in a chapter.
"""
import os
import re
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             "../../tools"))

from outputs import fail, write_depfile, write_if_changed   # noqa: E402

# As filters/lib/snippet.lua reads them.
MARKER = re.compile(rb"^[ \t]*(?://|#)[ \t]*(?:begin|end)[ \t]+(?P<tag>\S+)\s*?$",
                    re.M)
WHOSE_YAML = "Error parsing YAML metadata"      # pandoc 3 says first
NOT_YAML = re.compile(r"^YAML parse exception at line (\d+).*")


def index_of(rows: list[list[str]]) -> str:
    return "".join("\t".join(row[1:5]) + "\n"
                   for row in rows if row[0] == "label")


def explained(messages: str, chapter: str) -> str:
    """Pandoc 2 names neither the file of a faulty front matter nor its line
    there: it counts from the line after the opening ---. Pandoc 3 names the
    file as it was handed over."""
    lines = messages.splitlines()
    for at, line in enumerate(lines):
        found = NOT_YAML.match(line)
        if found:
            reason = lines[at + 1:]
            if at > 0 and lines[at - 1].startswith(WHOSE_YAML):
                at -= 1
            lines[at:] = [
                f"chapters/{os.path.basename(chapter)}:"
                f"{int(found.group(1)) + 1}: error: the front matter is not "
                f"YAML: {' '.join(reason)}",
                "  write `key: value` or `  - goal`, in double quotes where the"
                " value holds a colon, a quote or a bracket"]
            break
    return "".join(line + "\n" for line in lines)


def list_labels(labels: str, index: str, command: list[str]) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8", check=False)
    sys.stderr.write(explained(done.stderr, command[-1]))
    if done.returncode != 0:
        sys.exit(done.returncode)
    write_if_changed(labels, done.stdout)
    write_if_changed(index, index_of(
        [line.split("\t") for line in done.stdout.splitlines()]))


def merge(index: str, uses: str, files: list[str]) -> None:
    rows = []
    for name in files:
        with open(name, encoding="utf-8") as file:
            rows += [line.rstrip("\n").split("\t") for line in file]
    chapter: dict[str, str] = {}
    place: dict[str, str] = {}
    faults = []
    for kind, name, *rest in rows:
        if kind == "slug":
            if name in chapter:
                faults.append(f'{rest[0]}:1: error: slug "{name}" is also that '
                              f"of {chapter[name]}\n"
                              "  give every chapter a slug of its own")
            chapter[name] = rest[0]
        elif kind == "label":
            if name in place and not name.startswith("chp:"):
                faults.append(f'{rest[3]}: error: label "{name}" is there twice'
                              f"\n  first in {place[name]}; give one another "
                              "name")
            place[name] = rest[3]
    if faults:
        fail("\n".join(faults))
    write_if_changed(index, index_of(rows))
    write_if_changed(uses, "".join("\t".join(row[1:3]) + "\n"
                                   for row in rows if row[0] == "use"))


def under_code(root: str) -> list[str]:
    """All there is under code/ to look into and to watch."""
    watched = []
    for folder, _, names in os.walk(os.path.join(root, "code")):
        watched.append(folder)
        watched += [path for name in names if not name.startswith(".")
                    for path in [os.path.join(folder, name)]
                    if not os.path.islink(path)]
    return sorted(watched)


def markers(path: str) -> dict[str, int]:
    """The tags of a file, with the line of each one's first marker."""
    found: dict[str, int] = {}
    with open(path, "rb") as file:
        text = file.read()
    for marker in MARKER.finditer(text):
        tag = marker["tag"].decode("utf-8", "replace").strip()
        found.setdefault(tag, text.count(b"\n", 0, marker.start()) + 1)
    return found


def coverage(root: str, uses: str, outputs: list[str]) -> None:
    """That the markers of a tag fit together is found where it is cited."""
    with open(uses, encoding="utf-8") as file:
        used = {tuple(line.rstrip("\n").split("\t")) for line in file}
    watched, faults, n_tags = under_code(root), [], 0
    for path in watched:
        if path.endswith(".md") or os.path.isdir(path):
            continue
        shown = os.path.relpath(path, root)
        for tag, line in markers(path).items():
            n_tags += 1
            if (shown, tag) not in used:
                faults.append(f"{shown}:{line}: error: tag '{tag}' is cited by "
                              "no chapter\n  cite it with ::: {.listing …}, or "
                              "remove its markers")
    if faults:
        fail("\n".join(faults))
    text = f"{n_tags} tags, all cited\n"
    if outputs:
        write_depfile(outputs[0], outputs[1], watched)
        write_if_changed(outputs[1], text)
    else:
        sys.stdout.write(text)


def main(arguments: list[str]) -> None:
    mode, arguments = (arguments or [""])[0], arguments[1:]
    if mode == "list" and len(arguments) > 2:
        list_labels(arguments[0], arguments[1], arguments[2:])
    elif mode == "merge" and len(arguments) > 2:
        merge(arguments[0], arguments[1], arguments[2:])
    elif mode == "coverage" and len(arguments) in (2, 4):
        coverage(arguments[0], arguments[1], arguments[2:])
    else:
        print((__doc__ or "").strip(), file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main(sys.argv[1:])
