"""The commands of python3 tools/results; ./course, Meson and the tests call
them. COMMANDS at the end lists them."""
import os
import pathlib
import signal
import sys
from typing import TYPE_CHECKING, List

from .errors import Fault, Interrupted, Skip, Usage
from .run import request_stop

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
    """SLUG NAME BUILD [FILE]: a test; the software device still gives the
    committed result, and its counts are as FILE says: a line names rows
    (column=value …, or *), then after a colon what must hold of them
    (column=value …; a value is a number, a column or a product of both)."""
    from . import expect
    slug, name, build, *files = arguments
    print(expect.check_result(_place(build), slug, name,
                              pathlib.Path(files[0]) if files else None))


def check_results(arguments: List[str]) -> int:
    """SLUG BUILD: a test; check-result for all experiments of a chapter, each
    with tests/SLUG/NAME as its FILE where that is there."""
    from . import expect
    slug, build = arguments
    return expect.check_chapter(_place(build), slug)


def rows_agree(arguments: List[str]) -> None:
    """SLUG NAME: a test; a GPU's committed rows are the software device's."""
    from . import expect
    slug, name = arguments
    print(expect.rows_agree(_place("build"), slug, name), "rows agree")


def ncu(arguments: List[str]) -> None:
    """TABLE [LOG]: the metrics to ask ncu for, with commas; or, of what `ncu
    --csv --page raw --print-units base` wrote, the rows as CSV."""
    from . import ncu as module
    columns = module.read_table(pathlib.Path(arguments[0]))
    if len(arguments) == 1:
        print(",".join(module.metrics(columns)))
    else:
        for row in module.rows(columns, pathlib.Path(arguments[1])):
            print(",".join(row))


def _course_place() -> "Workplace":
    from .measure import Workplace
    from .options import build_folder
    return Workplace(ROOT, build_folder(ROOT))


def bench(arguments: List[str]) -> None:
    """[--check] …: ./course bench; with --check, only whether the arguments
    are right."""
    from .bench import Bench
    if arguments[:1] == ["--check"]:
        Bench(_course_place(), arguments[1:])
    else:
        Bench(_course_place(), arguments).run()


def count(arguments: List[str]) -> None:
    """[--check] …: ./course count."""
    from .count import Count
    if arguments[:1] == ["--check"]:
        Count(_course_place(), arguments[1:])
    else:
        Count(_course_place(), arguments).run()


def sets(arguments: List[str]) -> None:
    """./course results: the machines whose results are here."""
    from . import sets as module
    module.show(_course_place(), arguments)


def need(arguments: List[str]) -> None:
    """MACHINE,…: are their results here, and can the book show them?"""
    from . import sets as module
    module.need(_course_place(), ",".join(arguments))


def export(arguments: List[str]) -> None:
    """MACHINE [FILE]: ./course export."""
    from . import sets as module
    module.export(_course_place(), arguments)


def import_(arguments: List[str]) -> None:
    """[--machine NAME] [--reference] FOLDER_OR_FILE: ./course import."""
    from . import sets as module
    module.take_over(_course_place(), arguments)


def check(arguments: List[str]) -> None:
    """[--complete | --shown] FOLDER_OR_MACHINE: checks a set of results;
    --complete, as for results that go into the repository; --shown, only what
    the book would show wrongly."""
    from . import check as module
    from .options import parse
    given, rest = parse("check", arguments, ["--complete", "--shown"])
    if len(rest) != 1:
        raise Usage("check: name one folder or machine")
    mode = (module.COMPLETE if "--complete" in given else
            module.SHOWN if "--shown" in given else module.WHOLE)
    folder = pathlib.Path(rest[0])
    faults = module.check_set(_course_place(),
                              folder if folder.is_dir() else rest[0], mode)
    module.report(faults)
    if faults:
        raise Fault(f"{rest[0]} cannot be relied on; the messages above say"
                    " why")


def compare(arguments: List[str]) -> None:
    """[--results DIR] [--depfile FILE --target NAME] MACHINE MODE: all counts
    of the software device next to a machine's, as CSV; MODE: kernels, summary
    or totals."""
    from . import compare as module
    from .options import parse
    from .plan import depfile
    given, rest = parse("compare", arguments, [],
                        ["--results", "--depfile", "--target"])
    if len(rest) != 2 or rest[1] not in ("kernels", "summary", "totals"):
        raise Usage("compare: expected MACHINE kernels|summary|totals")
    place = _course_place()
    nowhere = place.build / "none"
    found, depends = module.pairs(
        place, module.in_order_of_the_book(ROOT), rest[0], nowhere,
        pathlib.Path(given.get("--results", nowhere)))
    if "--depfile" in given:
        depfile(pathlib.Path(given["--depfile"]), given["--target"], depends)
    if found:
        sys.stdout.write(module.compare(place, found).csv(rest[1]))


def heads(arguments: List[str]) -> None:
    """ROOT BUILD MACHINES DEPFILE TARGET: what the heads of all results say,
    for book/pages."""
    from . import heads as module
    from .plan import depfile
    root, build = pathlib.Path(arguments[0]), pathlib.Path(arguments[1])
    files = module.result_files(root, build, arguments[2])
    # New files show in their folders, changed ones by themselves.
    folders = [path for path in (root / "bench").glob("*") if path.is_dir()]
    code = pathlib.Path(__file__).parent
    depfile(pathlib.Path(arguments[3]), arguments[4],
            [code / "conditions.py", code / "heads.py", root / "bench",
             *folders, *files])
    sys.stdout.write(module.heads(files))


COMMANDS = {
    "plan": plan, "kinds": kinds, "measure": measure, "bench": bench,
    "count": count, "results": sets, "need": need, "export": export,
    "import": import_, "check": check, "compare": compare,
    "check-result": check_result, "check-results": check_results,
    "rows-agree": rows_agree,
    "heads": heads, "ncu": ncu,
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
    signal.signal(signal.SIGTERM, request_stop)
    try:
        return COMMANDS[name](rest) or 0
    except Skip as skip:
        print(skip)
        return 77
    except Usage as usage:
        print(f"course: error: {usage}", file=sys.stderr)
        return 2
    except Fault as fault:
        sys.stdout.flush()
        print(fault, file=sys.stderr)
        return 1
    except BrokenPipeError:    # of `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except OSError as error:
        print(f"course: error: {error}", file=sys.stderr)
        return 1
    except (Interrupted, KeyboardInterrupt):
        print("\ncourse: interrupted; what is done is kept, the same command"
              " goes on", file=sys.stderr)
        return 130
    return 0
