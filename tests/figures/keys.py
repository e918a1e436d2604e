#!/usr/bin/env python3
"""No key of a chart lies on its plot: it would cover data, and gnuplot leaves
the grid out below it. A script loads figures/common/key.gp or ends.gp, or says
where on the screen its key is, outside of the plot.

    keys.py SOURCE_ROOT
"""
import re
import sys
from pathlib import Path
from typing import Iterator, List, Tuple


def key_commands(script: str) -> Iterator[Tuple[int, str]]:
    """Line and text of each `set key`, continued lines joined."""
    number = 0
    lines = script.splitlines()
    while number < len(lines):
        start, text = number + 1, lines[number]
        while text.endswith("\\") and number + 1 < len(lines):
            number += 1
            text = text[:-1] + lines[number]
        number += 1
        for found in re.finditer(r"\bset key\b([^;}]*)",
                                 re.sub(r"(^|\s)#.*", "", text)):
            yield start, found.group(1)


def faults(script: str) -> List[int]:
    """The lines that put a key on the plot. Words for its inside (top left …)
    only say how it is aligned where a place on the screen is given."""
    bad = []
    placed = False
    for line, said in key_commands(script):
        if re.match(r"\s*off\b", said):
            continue
        at = re.search(r"\bat\s+(.*?),\s*(\w+)", said)
        if at:
            placed = at.group(1).strip().startswith("screen") and \
                at.group(2) == "screen"
            if not placed:
                bad.append(line)
        elif not placed:
            bad.append(line)
    return bad


def self_test() -> None:
    assert faults("set key top left") == [1]
    assert faults("set key at graph 0.9, graph 0.4 right top") == [1]
    assert faults("a = 1\nif (b) { set key \\\n  bottom right }") == [2]
    assert faults("set key at screen 0.1, graph 1") == [1]
    assert not faults("set key at screen 0.9, \\\n  screen 0.9 right top")
    assert not faults("# set key top left\nset key off top left\nunset key")
    assert not faults("set key at screen 0.1, screen 0.9\nset key font tiny")
    assert not faults("load 'figures/common/key.gp'")


def main() -> int:
    self_test()
    root = Path(sys.argv[1])
    scripts = sorted((root / "figures").glob("*/*.gp"))
    if len(scripts) < 100:
        print(f"error: {len(scripts)} charts below {root}/figures: too few")
        return 1
    found = 0
    for script in scripts:
        for line in faults(script.read_text(encoding="utf-8")):
            found += 1
            print(f"{script.relative_to(root)}:{line}: error: the key lies on "
                  "the plot\n  load 'figures/common/key.gp' instead, or name "
                  "the lines at their ends ('figures/common/ends.gp')")
    print(f"{len(scripts)} charts, {found} keys on a plot")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
