"""The commands of python3 tools/results; ./course, Meson and the tests call
them. Each is a function of the Workplace and of what the command line says."""
import argparse
import os
import pathlib
import signal
import sys
from typing import Callable, List, NoReturn, Optional

from . import cards, check as checks, claims, columns, compare as compared, derived
from . import counters, diagnosis, expect, kinds
from . import launches, ncu as metrics, options, plan as plans, sets, stale
from .bench import Bench
from .count import Count
from .errors import Fault, Interrupted, Skip, Usage
from .measure import Workplace, measure
from .run import request_stop

ROOT = pathlib.Path(__file__).resolve().parents[2]
Given = argparse.Namespace


def plan(_: Workplace, given: Given) -> None:
    root = given.files[0].resolve().parents[2] if given.files else ROOT
    every = plans.write_lists(root, given.folder,
                              [path.parent.name for path in given.files])
    sys.stdout.write(plans.for_meson(every))


def measure_one(place: Workplace, given: Given) -> None:
    doubt = measure(place, place.experiment(given.slug, given.name),
                    given.machine, given.file.absolute())
    if doubt:
        print(doubt)


def check_result(place: Workplace, given: Given) -> None:
    print(expect.check_result(place, given.slug, given.name, given.file))


def check_results(place: Workplace, given: Given) -> int:
    return expect.check_chapter(place, given.slug)


def views(place: Workplace, given: Given) -> None:
    every = [one for one in place.experiments(given.slug).values()
             if one.kind.is_launch]
    launches.write_tables(place.root, given.launch_run, given.folder, every,
                          given.depfile)


def rows_agree(place: Workplace, given: Given) -> None:
    print(expect.rows_agree(place, given.slug, given.name), "rows agree")


def ncu(_: Workplace, given: Given) -> None:
    columns = metrics.read_table(given.table)
    if given.log:
        for row in metrics.rows(columns, given.log):
            print(",".join(row))
    else:
        print(",".join(metrics.metrics(columns)))


def bench(place: Workplace, given: Given) -> None:
    one = Bench(place, given)
    if not given.check:
        one.run()


def count(place: Workplace, given: Given) -> None:
    one = Count(place, given)
    if not given.check:
        one.run()


def check(place: Workplace, given: Given) -> None:
    if given.of == options.REFERENCE:
        given.of = options.reference(place.root)
    folder = pathlib.Path(given.of)
    faults = checks.check_set(place, folder if folder.is_dir() else given.of,
                              given.mode)
    checks.report(faults)
    if faults:
        raise Fault(f"{given.of} cannot be relied on; the messages above say"
                    " why")


def check_cards(place: Workplace, given: Given) -> None:
    paths = given.files or cards.contributed(place.root)
    faults = [fault for path in paths
              for fault in cards.faults_of(place.root, path)]
    checks.report(faults)
    if faults:
        raise Fault("a card must be as ./course export writes it")
    print(len(paths), "cards")


def gpu(_: Workplace, given: Given) -> int:
    findings = diagnosis.look()
    if given.usable:
        for one in findings:
            if not one.usable:
                options.warn(diagnosis.in_words(one))
        return not diagnosis.usable(findings)
    for one in findings:
        print(diagnosis.in_words(one))
    return 0


def compare(place: Workplace, given: Given) -> None:
    nowhere = place.build / "none"
    found, depends = compared.pairs(
        place, compared.in_order_of_the_book(ROOT), given.machine, nowhere,
        given.results or nowhere)
    derived.note_depends(given, depends)
    if found:
        sys.stdout.write(compared.compare(place, found).csv(given.mode))


class Parser(argparse.ArgumentParser):
    def __init__(self, **more: object) -> None:
        super().__init__(allow_abbrev=False, **more)    # type: ignore

    def error(self, message: str) -> NoReturn:
        raise Usage(message)


def parser() -> Parser:
    whole = Parser(prog="python3 tools/results")
    commands = whole.add_subparsers(metavar="COMMAND", required=True)

    def command(name: str, run: Callable[[Workplace, Given], Optional[int]],
                says: str, *words: str) -> argparse.ArgumentParser:
        """words: its arguments in their order."""
        one = commands.add_parser(name, help=says, description=says)
        one.set_defaults(run=run)
        for word in words:
            one.add_argument(word, **({"type": pathlib.Path} if word in (
                "folder", "file", "build", "table") else {}))
        return one

    one = command("plan", plan, "the tests of the experiments, for"
                  " bench/meson.build, and, as tables in FOLDER, the"
                  " experiments for the book's filters", "folder")
    one.add_argument("files", nargs="*", type=pathlib.Path)
    command("kinds", lambda *_: print(kinds.as_markdown(), end=""),
            "the kinds of experiments, as the table of CONTRIBUTING.md")
    command("measure", measure_one, "runs one experiment and writes its"
            " result; what makes it doubtful is printed",
            "slug", "name", "machine", "build", "file")
    one = command("check-result", check_result, "a test: the software device"
                  " still gives the committed result, and its counts are as"
                  " FILE says: a line names rows (column=value …, or *), then"
                  " after a colon what must hold of them (column=value …; a"
                  " value is a number, a column or a product of both)",
                  "slug", "name", "build")
    one.add_argument("file", nargs="?", type=pathlib.Path)
    command("check-results", check_results, "a test: check-result for all"
            " experiments of a chapter, each with tests/SLUG/NAME as its FILE"
            " where that is there", "slug", "build")
    command("views", views, "tables of a chapter's launches, for the build",
            "slug", "launch_run", "folder", "depfile")
    command("rows-agree", rows_agree, "a test: a GPU's committed rows are the"
            " software device's", "slug", "name")
    one = command("ncu", ncu, "the metrics to ask ncu for, with commas; or, of"
                  " what `ncu --csv --page raw --print-units base` wrote, the"
                  " rows as CSV", "table")
    one.add_argument("log", nargs="?", type=pathlib.Path)

    one = command("bench", bench, "./course bench; with --check, only whether"
                  " the arguments are right")
    for flag in ("--check", "--software", "--gpu", "--quick", "--reference",
                 "--again", "--changed"):
        one.add_argument(flag, action="store_true")
    one.add_argument("--machine")
    one.add_argument("slugs", nargs="*")
    one = command("count", count, "./course count")
    one.add_argument("--check", action="store_true")
    one.add_argument("--software", action="store_true")
    one.add_argument("slug", nargs="?", default="")
    one = command("claims", claims.show, "the book's claims that are false or"
                  " cannot be computed, with their values, as a table: on the"
                  " reference, or on MACHINE, be it in build/results or in"
                  " bench/")
    one.add_argument("--machine")
    one.add_argument("slugs", nargs="*")
    command("columns", columns.show, "a test: bench/columns has the columns of"
            " all results; which of them will be renamed")
    one = command("counters", counters.update, f"a test: what is made of"
                  f" {counters.TABLE} is up to date; --write: make it so")
    one.add_argument("--write", action="store_true")
    one = command("stale", stale.show, "results that are not what their"
                  " programs would give today, and why: those of MACHINE, or all"
                  " of bench/; --gate, as a test; --brief, in a line")
    one.add_argument("machine", nargs="?", default="")
    for flag in ("--gate", "--brief"):
        one.add_argument(flag, action="store_true")
    command("results", sets.show, "the machines whose results are here")
    command("need", sets.need, "are the results of these machines here, and"
            " can the book show them?", "machines")
    one = command("export", sets.export, "packs a machine's results",
                  "machine")
    one.add_argument("archive", nargs="?", type=pathlib.Path)
    one = command("import", sets.take_over, "takes over a folder"
                  " <machine>/<slug>/<experiment>.csv, or an archive of one",
                  "source")
    one.add_argument("--machine")
    for flag in ("--reference", "--doubtful", "--add"):
        one.add_argument(flag, action="store_true")
    one = command("check", check, "checks a folder or machine of results;"
                  " --complete, as for results that go into the repository;"
                  " --shown, only what the book would show wrongly", "of")
    for mode in (checks.COMPLETE, checks.SHOWN):
        one.add_argument("--" + mode, dest="mode", action="store_const",
                         const=mode, default=checks.WHOLE)
    one = command("gpu", gpu, "what is the matter with the GPU here; --usable: is"
                  " there one that programs can use? If not, says why")
    one.add_argument("--usable", action="store_true")
    one = command("cards", check_cards, "a test: the cards of machines, those in"
                  " bench/machines or these files, are whole")
    one.add_argument("files", nargs="*", type=pathlib.Path)
    one = command("compare", compare, "all counts of the software device next"
                  " to a machine's, as CSV")
    derived.add_arguments(one)
    one.add_argument("mode", choices=["kernels", "summary", "totals"])
    return whole


def main(arguments: List[str]) -> int:
    signal.signal(signal.SIGTERM, request_stop)
    if not arguments:
        parser().print_help(sys.stderr)
        return 2
    try:
        given = parser().parse_args(arguments)
        build = getattr(given, "build", None) or options.build_folder(ROOT)
        return given.run(Workplace(ROOT, build.resolve()), given) or 0
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
