#!/usr/bin/env python3
"""In the page's drawings, wide and narrow, no text leaves its drawing and none
lies on another, or on a line or mark that shows data. Texts are as wide as
figures/drawing/widths.lua says: pages ship the font that it measures.

    words.py SOURCE_ROOT FIGURES...    a folder of figures, or a file
"""
import math
import re
import sys
import xml.etree.ElementTree as tree
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

SVG = "{http://www.w3.org/2000/svg}"
# Capitals and digits above the baseline, descenders below it, in letter sizes.
# Digits do not descend, and most letters do not either.
ASCENT, DESCENT = 0.72, 0.12
SLACK = 1.0          # units that two boxes may share
TOUCH = 1.5          # how far a line may reach into a text's box
# Strokes that text may lie on: grids, axes, and what is as pale as paper.
BEHIND = {"s-grid", "s-muted", "s-cell", "s-paper"}
Point = Tuple[float, float]


class Text(NamedTuple):
    said: str
    x: float         # of its middle
    y: float
    wide: float
    high: float
    angle: float     # degrees, clockwise


def read_widths(source: str) -> Dict[str, float]:
    """A letter's width, by letter, in sizes of the letter."""
    widths: Dict[str, float] = {}
    for line in source.splitlines():
        row = re.match(r'\s*\[(\d+)\] = "(.*)",$', line)
        if row:
            letters = re.sub(r"\\(.)", r"\1", row.group(2))
            widths.update({each: int(row.group(1)) / 1000 for each in letters})
    return widths


def texts(root: tree.Element, widths: Dict[str, float]) -> Iterator[Text]:
    for node in root.iter(SVG + "text"):
        said = "".join(node.itertext()).strip()
        if not said or node.get("aria-hidden"):
            continue
        transform = node.get("transform", "")
        moved = re.search(r"translate\(([-\d.]+)[ ,]+([-\d.]+)\)", transform)
        turned = re.search(r"rotate\(([-\d.]+)", transform)
        x = float(moved.group(1)) if moved else float(node.get("x", "0"))
        y = float(moved.group(2)) if moved else float(node.get("y", "0"))
        angle = float(turned.group(1)) if turned else 0.0
        size = float(node.get("font-size", "13"))
        wide = sum(widths.get(each, 0.6) for each in said) * size
        along = {"end": -wide / 2, "middle": 0.0}.get(
            node.get("text-anchor", "start"), wide / 2)
        up = size * (ASCENT - DESCENT) / 2
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        yield Text(said, x + along * c + up * s, y + along * s - up * c,
                   wide, size * (ASCENT + DESCENT), angle)


def corners(text: Text) -> List[Tuple[float, float]]:
    c = math.cos(math.radians(text.angle))
    s = math.sin(math.radians(text.angle))
    return [(text.x + a * text.wide / 2 * c - b * text.high / 2 * s,
             text.y + a * text.wide / 2 * s + b * text.high / 2 * c)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def share(a: Text, b: Text) -> bool:
    """Do their boxes share more than SLACK? Boxes may be turned, so that each
    box's two axes are tried as the line between them."""
    reach = (a.wide + a.high + b.wide + b.high) / 2
    if abs(a.x - b.x) > reach or abs(a.y - b.y) > reach:
        return False
    ours, theirs = corners(a), corners(b)
    for angle in (a.angle, a.angle + 90, b.angle, b.angle + 90):
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        p = [x * c + y * s for x, y in ours]
        q = [x * c + y * s for x, y in theirs]
        if max(p) - min(q) < SLACK or max(q) - min(p) < SLACK:
            return False
    return True


def drawn_segments(path: str) -> Iterator[Tuple[Point, Point]]:
    """The straight pieces of a path; curves are left out."""
    here = begin = (0.0, 0.0)
    for command, rest in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        found = [float(each) for each in re.findall(r"-?\d*\.?\d+", rest)]
        if command in "hv":
            there = (here[0] + found[0], here[1]) if command == "h" else (
                here[0], here[1] + found[0])
            yield here, there
            here = there
        elif command in "zZ":
            yield here, begin
            here = begin
        elif command in "ML":
            pairs = list(zip(found[::2], found[1::2]))
            if command == "M":
                here = begin = pairs.pop(0)
            for there in pairs:
                yield here, there
                here = there
        elif found:
            here = (found[-2], found[-1])


def crosses(text: Text, start: Point, end: Point) -> bool:
    """Does the line between two points cross the text's box, made smaller by
    TOUCH? In the text's own axes, it is cut at the box's four sides."""
    c = math.cos(math.radians(text.angle))
    s = math.sin(math.radians(text.angle))
    (ax, ay), (bx, by) = (
        ((x - text.x) * c + (y - text.y) * s,
         (y - text.y) * c - (x - text.x) * s) for x, y in (start, end))
    wide, high = text.wide / 2 - TOUCH, text.high / 2 - TOUCH
    if wide <= 0 or high <= 0:
        return False
    low, up = 0.0, 1.0
    for step, space in ((ax - bx, ax + wide), (bx - ax, wide - ax),
                        (ay - by, ay + high), (by - ay, high - ay)):
        if step == 0:
            if space < 0:
                return False
        elif step < 0:
            low = max(low, space / step)
        else:
            up = min(up, space / step)
    return low <= up


def lines_of_data(root: tree.Element) -> List[Tuple[Point, Point]]:
    found = []
    for node in root.iter(SVG + "path"):
        strokes = {each for each in node.get("class", "").split()
                   if each.startswith("s-")}
        if strokes and not strokes & BEHIND:
            found.extend(drawn_segments(node.get("d", "")))
    # The middle of a mark, such as a point of a chart.
    for node in root.iter(SVG + "use"):
        at = re.match(r"translate\(([-\d.]+)[ ,]+([-\d.]+)\)",
                      node.get("transform", ""))
        if at:
            middle = (float(at.group(1)), float(at.group(2)))
            found.append((middle, middle))
    return found


def is_covered(text: Text, root: tree.Element) -> bool:
    """Is it in a filled disc, which hides the line below? Or has it a halo?"""
    for node in root.iter(SVG + "circle"):
        if re.search(r"\bf-", node.get("class", "")) and math.dist(
                (text.x, text.y), (float(node.get("cx", "0")),
                                   float(node.get("cy", "0")))) < 3:
            return True
    return any(node.get("aria-hidden") and
               "".join(node.itertext()).strip() == text.said
               for node in root.iter(SVG + "text"))


def struck_through(root: tree.Element, seen: List[Text]) -> Iterator[str]:
    lines = lines_of_data(root)
    for text in seen:
        if any(crosses(text, a, b) for a, b in lines) and not is_covered(
                text, root):
            yield f'a line or mark lies on "{text.said}" at {text.x:.0f}, {text.y:.0f}'


def faults(root: tree.Element, widths: Dict[str, float]) -> List[str]:
    width, height = map(float, root.get("viewBox", "").split()[2:])
    found, seen = [], []
    for text in texts(root, widths):
        xs, ys = zip(*corners(text))
        if (min(xs) < -SLACK or max(xs) > width + SLACK or
                min(ys) < -SLACK or max(ys) > height + SLACK):
            found.append(f'"{text.said}" sticks out: {min(xs):.0f} to '
                         f"{max(xs):.0f} of {width:.0f} across, {min(ys):.0f} "
                         f"to {max(ys):.0f} of {height:.0f} down")
        found.extend(f'"{text.said}" lies on "{other.said}" at '
                     f"{text.x:.0f}, {text.y:.0f}"
                     for other in seen if share(text, other))
        seen.append(text)
    if not seen:
        found.append("it has no text")
    found.extend(struck_through(root, seen))
    return found


def check(files: List[Path], widths: Dict[str, float]) -> int:
    n_bad = 0
    for file in files:
        for fault in faults(tree.parse(file).getroot(), widths):
            print(f"{file.parent.name}/{file.name}: {fault}")
            n_bad += 1
    return n_bad


def planted(widths: Dict[str, float]) -> Optional[str]:
    """What the check overlooks of faults that were put in, if anything."""
    def drawn(*said: str) -> tree.Element:
        return tree.fromstring(
            f'<svg xmlns="{SVG[1:-1]}" viewBox="0 0 100 50">' +
            "".join(said) + "</svg>")

    def path(where: str, role: str) -> str:
        return f'<path class="{role}" d="{where}"/>'

    one = '<text x="10" y="20" font-size="10">some words</text>'
    cases = [
        ("nothing", 0, [one]),
        ("words below each other", 0, [one, one.replace("20", "29")]),
        ("words on each other", 1, [one, one.replace("20", "27")]),
        ("words that touch", 1, [one, one.replace('"10" y', '"45" y')]),
        ("words that stick out", 1, [one.replace('"10" y', '"60" y')]),
        ("words too low", 1, [one.replace('"20"', '"51"')]),
        ("turned words on others", 1, [one, '<text transform="translate(20,'
                                       '40) rotate(270)" font-size="10">'
                                       "turned</text>"]),
        ("turned words beside others", 0, [one, '<text transform="translate('
                                           '8,45) rotate(-90)" font-size="8">'
                                           "turned</text>"]),
        ("no words", 1, []),
        ("a line across", 1, [one, path("M5 5L40 30", "s-1")]),
        ("a line from a corner", 1, [one, path("M0 0 M5,5 L40,30", "s-lane")]),
        ("an outline around", 0, [one, path("M8 8h80v20h-80z", "s-ink")]),
        ("an outline across", 1, [one, path("M8 8h80v8h-80z", "s-ink")]),
        ("a line below", 0, [one, path("M5 22.5L95 22.5", "s-1")]),
        ("a line of the grid", 0, [one, path("M5 5L40 30", "s-grid")]),
        ("a line across turned words", 1, [
            '<text transform="translate(20,45) rotate(270)" font-size="10">'
            "turned</text>", path("M5 30L40 30", "s-1")]),
        ("a mark on words", 1, [
            one, '<use href="#point" transform="translate(30,16) scale(3)"/>']),
        ("a mark beside words", 0, [
            one, '<use href="#point" transform="translate(4,16) scale(3)"/>']),
        ("a halo", 0, [one.replace("<text", '<text aria-hidden="true"'), one,
                       path("M5 5L40 30", "s-1")]),
        ("a number in a disc", 0, [
            path("M50 0L50 50", "s-ink"),
            '<circle cx="50" cy="16" r="9" class="f-paper"/>',
            '<text x="50" y="19" font-size="10" text-anchor="middle">2</text>']),
    ]
    for name, n_faults, said in cases:
        if len(faults(drawn(*said), widths)) != n_faults:
            return name
    return None


def main() -> int:
    root, places = Path(sys.argv[1]), [Path(each) for each in sys.argv[2:]]
    widths = read_widths(
        (root / "figures/drawing/widths.lua").read_text(encoding="utf-8"))
    overlooked = planted(widths)
    if overlooked:
        print("the check is wrong about: " + overlooked)
        return 1
    files = [file for place in places for file in
             (sorted(place.glob("*/*.svg")) if place.is_dir() else [place])]
    if not files:
        print("skipped: no figure was drawn")
        return 77
    n_bad = check(files, widths)
    print(f"{len(files)} drawings, {n_bad} misplaced texts")
    return 1 if n_bad else 0


if __name__ == "__main__":
    sys.exit(main())
