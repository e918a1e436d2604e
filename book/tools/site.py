#!/usr/bin/env python3
"""The finished pages as a folder for a web server: what ./course site calls.

  site.py check BUILD FOLDER          can the site be put there?
  site.py make BUILD FOLDER SECRET…   puts it there

BUILD is the folder that ./course book made: html/ and the PDF. Published is what
index.html leads to: the files that a page links to or shows, and those that its
styles and scripts name. A SECRET is a folder of the machine that built the pages;
no file may name it.

The site is made in a folder next to FOLDER and then renamed, so FOLDER never holds
half of it. A folder that this program made before is replaced; any other that is
not empty stops it.
"""
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Iterator, Optional
from urllib.parse import unquote

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             "../../tools"))

from check import SHOWN, check_all          # noqa: E402
from markup import tags                     # noqa: E402
from outputs import fail                    # noqa: E402
from pages import known, make_record        # noqa: E402

# By this file a folder is known to be replaceable. No page leads to it.
MARK = ".made-by-course-site"
ROOT = Path(__file__).resolve().parents[2]
# Links from the pages to what is next to their folder: the PDF.
ABOVE = re.compile(r'(href=")\.\./([^"/]+")')
ELSEWHERE = re.compile("[a-z+.-]+:|//")
PREVIEW = "og:image"
NAMES_IN_SCRIPTS = re.compile(r'"([\w./-]+\.(?:js|css|json|png|svg|woff2))"')
NAMES_IN_STYLES = re.compile(r'url\("?([^)"#]+)"?\)')


# ---- What the pages lead to ---------------------------------------------

def of_page(text: str) -> Iterator[str]:
    for tag in tags(text):
        for key in ("href", "content", *SHOWN):
            value = tag.attributes.get(key, "").partition("#")[0]
            if not value or ELSEWHERE.match(value):
                continue
            if key != "content" or tag.attributes.get("property") == PREVIEW:
                yield unquote(value)
        scene = tag.attributes.get("data-step", "").replace("/", "-")
        if scene:
            yield f"steps/{scene}.js"
            yield f"steps/{scene}.run.js"


def names_in(path: Path) -> Iterator[str]:
    """The files of the book's folder that this one asks for, as far as they
    are there, and links that lead elsewhere."""
    if path.suffix == ".html":
        yield from of_page(path.read_text(encoding="utf-8"))
    elif path.suffix in (".js", ".css"):
        pattern = (NAMES_IN_SCRIPTS if path.suffix == ".js"
                   else NAMES_IN_STYLES)
        yield from pattern.findall(path.read_text(encoding="utf-8"))


def published(html: Path) -> list[Path]:
    """All that index.html leads to, without what pages say about files that
    were not built: check_all reports those."""
    found = {html / "index.html"}
    new = list(found)
    while new:
        path = new.pop()
        for name in names_in(path):
            # Scripts name files as the page would, and styles as they are.
            other = Path(os.path.normpath(
                (path.parent if path.suffix == ".css" else html) / name))
            if other not in found and other.is_file() and (
                    html in other.parents or other.parent == html.parent):
                found.add(other)
                new.append(other)
    return sorted(found)


# ---- Where it goes --------------------------------------------------------

def why_not(build: Path, folder: Path) -> Optional[str]:
    """Why the site cannot be put there; None if it can."""
    place = folder.resolve()
    built = build.resolve().parent
    if place == built or built in place.parents:
        return (f"{folder} is inside the build folder, {built}; name one"
                " outside of it")
    if place == ROOT or place in ROOT.parents or place in built.parents:
        return (f"{folder} holds this repository or its build; name a folder of"
                " the site's own")
    for own in ROOT.iterdir():
        if own.is_dir() and (place == own or own in place.parents) and (
                own.name == ".git" or own.name in OWN_FOLDERS):
            return f"{folder} is part of this repository; name another folder"
    if place.exists() and not place.is_dir():
        return f"{folder} is a file; name a folder"
    if not place.parent.is_dir():
        return f"there is no folder {place.parent} to put {place.name} into"
    if place.is_dir():
        there = sorted(path.name for path in place.iterdir())
        if there and MARK not in there:
            return (f"{folder} holds files that ./course site did not put there"
                    f" ({', '.join(there[:3])}{', …' if there[3:] else ''});"
                    " name an empty folder, or a new one")
        strangers = others(place)
        if strangers:
            return (f"{folder} would be replaced, and holds files that"
                    " ./course site did not put there"
                    f" ({', '.join(strangers[:3])}"
                    f"{', …' if strangers[3:] else ''}); move them away")
        if os.path.ismount(place):
            return (f"{folder} is where a disk is mounted, and cannot be"
                    f" replaced; name a folder in it: {folder}/warp-by-warp")
    try:
        os.rmdir(tempfile.mkdtemp(dir=place.parent))
    except OSError:
        return (f"cannot write into {place.parent}, where the site is made and"
                f" then renamed to {place.name}; name a folder where you may"
                " write, and copy it from there")
    return None


OWN_FOLDERS = frozenset("bench book chapters code device figures tests tools"
                        .split())


def others(place: Path) -> list[str]:
    """The files in a site that its list does not name."""
    try:
        listed = set((place / MARK).read_text(encoding="utf-8").split("\n"))
    except OSError:
        return []
    return sorted(name for name in (
        str(path.relative_to(place)) for path in place.rglob("*")
        if not path.is_dir() or path.is_symlink())
        if name not in listed and name != MARK)


# ---- Making it ------------------------------------------------------------

def copy(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".html":
        to.write_text(ABOVE.sub(r"\1\2", path.read_text(encoding="utf-8")),
                      encoding="utf-8")
    else:
        shutil.copyfile(path, to)


def need_no(secrets: list[bytes], path: Path, shown: str) -> None:
    data = path.read_bytes()
    for secret in secrets:
        if secret in data:
            fail(f"error: {shown} names {secret.decode()}, a folder of this"
                 " machine\n  what makes the file must name it relative to the"
                 " repository")


def need_links(new: Path) -> None:
    faults = check_all([known(make_record(
        str(path), path.read_text(encoding="utf-8")))
        for path in sorted(new.glob("*.html"))], set())
    if faults:
        fail("\n".join(fault.replace(f"{new}/", "") for fault in faults))


def fill(build: Path, new: Path, secrets: list[bytes]) -> list[str]:
    html = build / "html"
    names = []
    for path in published(html):
        name = str(path.relative_to(html if html in path.parents else build))
        names.append(name)
        copy(path, new / name)
        need_no(secrets, new / name, name)
    need_links(new)
    return sorted(names)


def make_readable(new: Path) -> None:
    """For a web server's user, whatever umask or mkdtemp have chosen."""
    for path in [new, *new.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)


def put(new: Path, place: Path) -> None:
    """The new folder in the place of the old one, which goes last."""
    old = Path(tempfile.mkdtemp(prefix=f".{place.name}.old.",
                                dir=place.parent))
    try:
        if place.is_dir():
            place.rename(old / "site")
        new.rename(place)
    except OSError:
        if (old / "site").is_dir() and not place.exists():
            (old / "site").rename(place)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def make(build: Path, folder: Path, secrets: list[bytes]) -> None:
    place = folder.resolve()
    new = Path(tempfile.mkdtemp(prefix=f".{place.name}.new.",
                                dir=place.parent))
    try:
        names = fill(build, new, secrets)
        (new / MARK).write_text("\n".join(names) + "\n", encoding="utf-8")
        make_readable(new)
        size = sum((new / name).stat().st_size for name in names)
        put(new, place)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    print(f"The site is ready: {folder} ({len(names)} file"
          f"{'s' if len(names) > 1 else ''}, {size / 1e6:.1f} MB). Any web server can serve the folder as it is;"
          " its first page is index.html.")


def main(arguments: list[str]) -> None:
    if len(arguments) < 3 or arguments[0] not in ("check", "make"):
        print((__doc__ or "").strip(), file=sys.stderr)
        sys.exit(2)
    build, folder = Path(arguments[1]), Path(arguments[2])
    reason = why_not(build, folder)
    if reason:
        fail(f"course: error: {reason}")
    if arguments[0] == "check":
        return
    if not (build / "html/index.html").is_file():
        fail(f"course: error: there are no pages in {build}")
    # The name of a folder such as / or /src is in the paths of other machines.
    secrets = [one.rstrip("/").encode() + b"/" for one in arguments[3:]
               if one.count("/") > 1 or len(one) > 5]
    try:
        make(build, folder, secrets)
    except OSError as error:
        fail(f"course: error: the site could not be written: "
             f"{error.filename or folder}: {error.strerror}")


if __name__ == "__main__":
    main(sys.argv[1:])
