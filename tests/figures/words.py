#!/usr/bin/env python3
"""In the page's drawings, wide and narrow, no text leaves its drawing and none
lies on another. Texts are as wide as figures/drawing/widths.lua says: pages ship
the font that it measures.

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
