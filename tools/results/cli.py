"""The commands of python3 tools/results; ./course, Meson and the tests call
them. COMMANDS at the end lists them."""
import os
import pathlib
import sys
from typing import TYPE_CHECKING, List

from .errors import Fault, Skip, Usage

if TYPE_CHECKING:
    from .measure import Workplace

ROOT = pathlib.Path(__file__).resolve().parents[2]


def plan(arguments: List[str]) -> None:
    """--meson FOLDER FILE…: the tests of the experiments, for bench/meson.build
    and, as tables in FOLDER, the experiments for the book's filters."""
    from . import plan as plans
    if len(arguments) < 2 or arguments[0] != "--meson":
        raise Usage("plan: expected --meson FOLDER FILE…")
    files = [pathlib.Path(name).resolve() for name in arguments[2:]]
    root = files[0].parents[2] if files else ROOT
    every = plans.write_lists(root, pathlib.Path(arguments[1]),
                              [path.parent.name for path in files])
    sys.stdout.write(plans.for_meson(every))


def kinds(arguments: List[str]) -> None:
    """The kinds of experiments, as the table of CONTRIBUTING.md."""
    from .kinds import as_markdown
    sys.stdout.write(as_markdown())


def _place(build: str) -> "Workplace":
    from .measure import Workplace
    return Workplace(ROOT, pathlib.Path(build).resolve())


def measure(arguments: List[str]) -> None:
    """SLUG NAME MACHINE BUILD FILE: runs one experiment and writes its result;
    what makes it doubtful is printed."""
    from .measure import measure as run
    if len(arguments) != 5:
        raise Usage("measure: expected SLUG NAME MACHINE BUILD FILE")
    slug, name, machine, build, file = arguments
    place = _place(build)
    doubt = run(place, place.experiment(slug, name), machine,
                pathlib.Path(file).absolute())
    if doubt:
        print(doubt)


def check_result(arguments: List[str]) -> None:
    """SLUG NAME BUILD: a test; the software device still gives the committed
    result."""
    from . import expect
    slug, name, build = arguments
    expect.check_result(_place(build), slug, name)


def rows_agree(arguments: List[str]) -> None:
    """SLUG NAME: a test; a GPU's committed rows are the software device's."""
    from . import expect
    slug, name = arguments
    print(expect.rows_agree(_place("build"), slug, name), "rows agree")


def expect_counts(arguments: List[str]) -> None:
    """BUILD SLUG NAME FILE: a test; counts are as the file says."""
    from . import expect
    build, slug, name, file = arguments
    print(expect.expect_counts(_place(build), slug, name, pathlib.Path(file)))


COMMANDS = {
    "plan": plan, "kinds": kinds, "measure": measure,
    "check-result": check_result, "rows-agree": rows_agree,
    "expect-counts": expect_counts,
}


def help_text() -> str:
    lines = ["usage: python3 tools/results COMMAND …", ""]
    lines += [f"  {name:<14} {' '.join((function.__doc__ or '').split())}"
              for name, function in COMMANDS.items()]
    return "\n".join(lines) + "\n"


def main(arguments: List[str]) -> int:
    name, *rest = arguments or ["help"]
    if name not in COMMANDS:
        sys.stderr.write(help_text())
        return 2
    try:
        COMMANDS[name](rest)
    except Skip as skip:
        print(skip)
        return 77
    except Usage as usage:
        print(f"course: error: {usage}", file=sys.stderr)
        return 2
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    return 0
