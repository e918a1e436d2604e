#!/usr/bin/env python3
"""Writes widths.lua: how wide the letters of the book's figures are.

    widths.py FONT.otf > widths.lua

The font is book/fonts/warp-sans-regular.otf. Drawings measure their text with
this table, and refuse a letter that is not in it, as charts do: it would come from
whatever font the machine has. A test compares the table with the font.
"""
import struct
import sys
from typing import Dict, List, Tuple

def tables(font: bytes) -> Dict[str, Tuple[int, int]]:
    count = struct.unpack_from(">H", font, 4)[0]
    found = {}
    for i in range(count):
        tag, _, start, length = struct.unpack_from(">4sLLL", font, 12 + 16 * i)
        found[tag.decode()] = (start, length)
    return found


def glyphs(font: bytes, cmap: int) -> Dict[int, int]:
    """Code point -> glyph, from the format-4 table for the BMP."""
    for i in range(struct.unpack_from(">H", font, cmap + 2)[0]):
        start = cmap + struct.unpack_from(">HHL", font, cmap + 4 + 8 * i)[2]
        if struct.unpack_from(">H", font, start)[0] == 4:
            break
    else:
        raise SystemExit("widths.py: the font has no format-4 character map")
    n = struct.unpack_from(">H", font, start + 6)[0] // 2

    def numbers(at: int, kind: str) -> List[int]:
        return list(struct.unpack_from(f">{n}{kind}", font, start + at))

    ends, firsts = numbers(14, "H"), numbers(16 + 2 * n, "H")
    deltas, ranges = numbers(16 + 4 * n, "h"), numbers(16 + 6 * n, "H")
    found = {}
    for i in range(n):
        for code in range(firsts[i], min(ends[i], 0xFFFE) + 1):
            glyph = code
            if ranges[i]:
                at = (start + 16 + 6 * n + 2 * i + ranges[i]
                      + 2 * (code - firsts[i]))
                glyph = struct.unpack_from(">H", font, at)[0]
                if glyph == 0:
                    continue
            found[code] = (glyph + deltas[i]) % 65536
    return found


def widths(path: str) -> Dict[str, int]:
    """Width of each letter that the font has, in thousandths of its size."""
    with open(path, "rb") as file:
        font = file.read()
    at = tables(font)
    unit = struct.unpack_from(">H", font, at["head"][0] + 18)[0]
    n_metrics = struct.unpack_from(">H", font, at["hhea"][0] + 34)[0]
    of = glyphs(font, at["cmap"][0])
    found = {}
    for code, glyph in sorted(of.items()):
        metric = at["hmtx"][0] + 4 * min(glyph, n_metrics - 1)
        advance = struct.unpack_from(">H", font, metric)[0]
        found[chr(code)] = round(1000 * advance / unit)
    return found


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    print("-- Widths of Warp Sans in thousandths of the letter size, by")
    print("-- width. Written by widths.py.")
    by_width: Dict[int, str] = {}
    for letter, width in widths(sys.argv[1]).items():
        by_width[width] = by_width.get(width, "") + letter
    print("return {")
    for width in sorted(by_width):
        text = by_width[width].replace("\\", "\\\\").replace('"', '\\"')
        print(f'  [{width}] = "{text}",')
    print("}")


if __name__ == "__main__":
    main()
