"""quick.py TESTS CHOSEN: the tests of ./course test quick, by a rule.

TESTS holds what `meson introspect --tests` printed. Of each listing, the first
of its tests is chosen, which is its check on the software device. Of each other
suite, whatever the chapter, the test with the shortest time limit is chosen, the
first of several; a suite in which all limits are longer than LONGEST_S has none.
The names are written to CHOSEN, a line each. What is printed says what is left
out.
"""
import json
import sys
from typing import Dict, List, NamedTuple, Tuple

# Those with a longer limit compile, or make the whole book.
LONGEST_S = 300


class Choice(NamedTuple):
    chosen: List[str]           # names, with the project's
    n_tests: int                # that those names stand for
    left_out: Dict[str, int]    # by suite: how many tests
    without: List[str]          # suites that have no test here


def suites_of(test: dict) -> List[str]:
    return [name.split(":", 1)[-1] for name in test["suite"]]


def kind_of(test: dict, chapters: List[str]) -> str:
    """The suite's name without the chapter's."""
    return "+".join(name for name in suites_of(test) if name not in chapters)


def chapters_of(tests: List[dict]) -> List[str]:
    """The suites named after chapters are those that have listings."""
    return sorted({suites_of(test)[0] for test in tests
                   if suites_of(test)[1:] == ["listing"]})


def choose(tests: List[dict]) -> Choice:
    chapters = chapters_of(tests)
    best: Dict[Tuple[str, str], dict] = {}
    for test in tests:
        kind = kind_of(test, chapters)
        # "threads who on software", "… on shuffled", "… on gpu"
        part = (test["name"].split(" on ")[0] if kind == "listing" else "")
        limit = 0 if part else test["timeout"]
        before = best.get((kind, part))
        if limit <= LONGEST_S and (
                before is None or (not part and limit < before["timeout"])):
            best[kind, part] = test
    # Meson runs every test of a name.
    names = {test["name"] for test in best.values()}
    left_out: Dict[str, int] = {}
    for test in tests:
        if test["name"] not in names:
            kind = kind_of(test, chapters)
            left_out[kind] = left_out.get(kind, 0) + 1
    kinds = {kind for kind, _ in best}
    return Choice(
        sorted({test["suite"][0].split(":")[0] + ":" + test["name"]
                for test in best.values()}),
        sum(test["name"] in names for test in tests), left_out,
        sorted(kind for kind in left_out if kind not in kinds))


def in_words(choice: Choice) -> str:
    n_left_out = sum(choice.left_out.values())
    lines = [f"{choice.n_tests} of {choice.n_tests + n_left_out} tests: one of"
             " each listing, one of each suite.",
             "Left out, and run by ./course test:"]
    lines += [f"  {n:5} of {kind}" +
              (", which is all of it" if kind in choice.without else "")
              for kind, n in sorted(choice.left_out.items(),
                                    key=lambda item: (-item[1], item[0]))]
    return "\n".join(lines)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as introspected:
        CHOICE = choose(json.load(introspected))
    with open(sys.argv[2], "w", encoding="utf-8") as chosen_file:
        chosen_file.write("".join(name + "\n" for name in CHOICE.chosen))
    print(in_words(CHOICE))
