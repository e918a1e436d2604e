#!/usr/bin/env python3
"""Makes the font of figures, captions and tables: Warp Sans.

    make.py FOLDER      FOLDER holds texgyreheros-{regular,bold}.otf

Writes warp-sans-{regular,bold}.{otf,woff2} next to this file: TeX Gyre Heros with the
letters of ASCII and of the file `letters` only, under another name. Raised and
lowered digits that Heros lacks are made of its digits, as high and as large as
its own ¹. Needs Debian's fonttools and python3-brotli.
"""
import pathlib
import sys

from fontTools.misc.transform import Transform
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

HERE = pathlib.Path(__file__).resolve().parent
RAISED = dict(zip("⁰⁴⁵⁶⁷⁸⁹⁻", "0456789−"))
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789"))
# How far below the line a lowered digit reaches, in units of the font (1000).
LOWERED_BY = -140


def bounds(font, letter):
    glyphs = font.getGlyphSet()
    pen = BoundsPen(glyphs)
    glyphs[font.getBestCmap()[ord(letter)]].draw(pen)
    return pen.bounds


def add(font, letter, sources, move=Transform()):
    """Adds `letter`: the glyphs of `sources`, one on the other, moved."""
    glyphs, cmap = font.getGlyphSet(), font.getBestCmap()
    name = "uni%04X" % ord(letter)
    width = round(glyphs[cmap[ord(sources[0])]].width * move[0])
    top = font["CFF "].cff.topDictIndex[0]
    pen = T2CharStringPen(width - top.Private.nominalWidthX, glyphs)
    for source in sources:
        glyphs[cmap[ord(source)]].draw(TransformPen(pen, move))
    top.charset.append(name)
    strings = top.CharStrings
    strings.charStrings[name] = len(strings.charStringsIndex)
    strings.charStringsIndex.append(
        pen.getCharString(top.Private, top.GlobalSubrs))
    font["hmtx"].metrics[name] = (width, 0)
    font.setGlyphOrder(top.charset)
    font["maxp"].numGlyphs = len(top.charset)
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[ord(letter)] = name


def add_small_digits(font):
    one, small = bounds(font, "1"), bounds(font, "¹")
    size = (small[3] - small[1]) / (one[3] - one[1])
    raised = Transform(size, 0, 0, size, 0, small[1] - one[1] * size)
    for letter, source in RAISED.items():
        add(font, letter, source, raised)
    lowered = Transform(size, 0, 0, size, 0, LOWERED_BY)
    for letter, source in LOWERED.items():
        add(font, letter, source, lowered)


def rename(font, style):
    names = {1: "Warp Sans", 4: f"Warp Sans {style}", 6: f"WarpSans-{style}",
             16: "Warp Sans"}
    for record in font["name"].names:
        if record.nameID in names:
            record.string = names[record.nameID]
    cff = font["CFF "].cff
    cff.fontNames[0] = f"WarpSans-{style}"
    cff.topDictIndex[0].FamilyName = "Warp Sans"
    cff.topDictIndex[0].FullName = f"Warp Sans {style}"


def make(source, style):
    font = TTFont(source)
    letters = (HERE / "letters").read_text("utf-8").replace("\n", "")
    options = Options(layout_features=["kern"], desubroutinize=True,
                      hinting=False, notdef_outline=True)
    wanted = set(map(ord, letters)) | set(range(0x20, 0x7f))
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=wanted)
    subsetter.subset(font)
    add_small_digits(font)
    # Both have their shaft in one place.
    add(font, "↔", "→←")
    rename(font, style)
    missing = wanted - set(font.getBestCmap())
    if missing:
        sys.exit(f"make.py: not in {source}: "
                 + " ".join(map(chr, sorted(missing))))
    # Pages load the one; Pango, which draws the figures for print, reads only
    # the other.
    font.save(HERE / f"warp-sans-{style.lower()}.otf")
    font.flavor = "woff2"
    font.save(HERE / f"warp-sans-{style.lower()}.woff2")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for one in ("Regular", "Bold"):
        make(f"{sys.argv[1]}/texgyreheros-{one.lower()}.otf", one)
