"""./course grade: judges the answers of many into one table."""
import argparse
import csv
import html
import io
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional

from outputs import write_if_changed

from . import judge, notation, programs, sandbox
from .notation import Fault
from .options import ROOT, Parser, Usage, build_folder

MOST = 3000              # characters of a message: compilers can say megabytes
MISSING, REFUSED, STOPPED = "missing", "refused", "stopped"
COLUMNS = ("student", "exercise", "verdict", "line", "message", "file")
USAGE = """\
usage: ./course grade FOLDER [EXERCISE …] [OPTION]

FOLDER holds a folder for each student, and that the files of this student, named as
in answers/ (transpose/in_place.cu) or without the chapter (in_place.cu). With one
EXERCISE it may instead hold a file for each student (ada.cu). Judged are these
exercises, or all that anyone has handed in. FOLDER/grades.csv and FOLDER/grades.html
say the verdicts: solved; costly, right but over a goal; wrong; broken, does not compile
or cannot be launched; stopped, took too long; refused, no file to read; missing.

  --compiler NAME  nvcc or clang; without it nvcc where it is, else clang
  --seed N         the same random inputs for all, of an earlier run; without it new
  --jobs N         how many at a time; without it, as many as there are processors
  --unprotected    where bubblewrap cannot be had: without a sandbox. A submission is
                   compiled and its kernels run on the software device, never its host
                   code; still, do this only with submissions that you trust

Status: 0 all is judged, 1 something stopped the judging, 2 a wrong word."""


class Submission(NamedTuple):
    student: str
    exercise: str
    file: Optional[Path]     # None: nothing was handed in


class Row(NamedTuple):
    student: str
    exercise: str
    verdict: str
    line: int                # in the student's file; 0: of none
    message: str
    file: str


def _parser() -> Parser:
    one = Parser("./course grade")
    one.add_argument("folder", type=Path)
    one.add_argument("exercises", nargs="*")
    one.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    one.add_argument("--unprotected", action="store_true")
    return one


# ---- who handed in what -------------------------------------------------------

def _files(folder: Path, every: List[str]) -> Dict[str, Path]:
    """The exercises in one student's folder."""
    found: Dict[str, Path] = {}
    for name in every:
        chapter, own = name.split("/")
        alone = sum(other.split("/")[1] == own for other in every) == 1
        for path in (folder / chapter / (own + ".cu"),
                     *([folder / (own + ".cu")] if alone else [])):
            if os.path.lexists(path):
                found[name] = path
                break
    return found


def submissions(folder: Path, asked: List[str], every: List[str]) -> List[Submission]:
    """Of all students, in the order of their names."""
    students: Dict[str, Dict[str, Path]] = {}
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith(".") or entry.name in ("grades.csv", "grades.html"):
            continue
        if entry.is_dir() and not entry.is_symlink():
            students[entry.name] = _files(entry, every)
        elif entry.suffix == ".cu" and len(asked) == 1:
            students[entry.stem] = {asked[0]: entry}
    handed_in = {name for files in students.values() for name in files}
    names = asked or [name for name in every if name in handed_in]
    return [Submission(student, name, files.get(name))
            for student, files in students.items() for name in names]


# ---- judging -------------------------------------------------------------------

class Grader:
    def __init__(self, given: argparse.Namespace, build: Path):
        self.build, self.protected = build, not given.unprotected
        self.compiler = programs.choose(build, given.compiler)
        self.seed = given.seed
        self.reads = [build / "device", ROOT / "device", ROOT / "code"]
        home = Path(self.compiler.command[0]).resolve().parents[1]
        if not {Path("/usr"), build} & {home, *home.parents}:
            self.reads.append(home)

    def prepare(self, name: str) -> notation.Exercise:
        """Also compiles the reference, once and outside of the sandbox, which shows no
        exercise: a submission could include its model."""
        exercise = notation.read(ROOT, name)
        with tempfile.TemporaryDirectory(prefix="course-grade-") as folder:
            bench = judge.prepare(exercise, self.compiler, ROOT, self.build,
                                  Path(folder), self.seed)
        self.seed = bench.seed
        return exercise

    def judge(self, exercise: notation.Exercise, one: Submission) -> Row:
        def row(verdict: str, message: str, line: int = 0) -> Row:
            if len(message) > MOST:
                message = message[:MOST] + " […]"
            return Row(one.student, one.exercise, verdict, line, message,
                       str(one.file or ""))
        if one.file is None:
            return row(MISSING, "")
        with tempfile.TemporaryDirectory(prefix="course-grade-") as made:
            folder = Path(made).resolve()
            source = folder / one.file.name
            try:
                sandbox.copy(one.file, source)
            except Fault as fault:
                return row(REFUSED, str(fault))
            compiler, front = self.compiler, []
            if self.protected:
                front = sandbox.command([self.build / "device"], folder, ROOT, False)
                compiler = compiler._replace(command=[
                    *sandbox.command(self.reads, folder, ROOT), *compiler.command])
            bench = judge.prepare(exercise, self.compiler, ROOT, self.build, folder,
                                  self.seed)._replace(front=tuple(front))
            try:
                found = judge.judge_file(bench, compiler, ROOT, source)
            except (Fault, OSError, MemoryError) as fault:
                return row(STOPPED, str(fault).replace(f"{folder}/", ""))
        return row(found.verdict, found.text.replace(f"{folder}/", ""), found.line)


# ---- tables --------------------------------------------------------------------

def as_csv(rows: List[Row]) -> str:
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    for row in rows:
        # A spreadsheet takes what begins like this for a formula.
        table.writerow(["'" + cell if cell[:1] in ("=", "+", "-", "@") else cell
                        for cell in map(str, row)])
    return out.getvalue()


STYLE = """body { font: 1rem/1.5 sans-serif; margin: 2rem; }
table { border-collapse: collapse; }
th, td { border: 1px solid #999; padding: 0.3rem 0.6rem; text-align: left;
  vertical-align: top; }
pre { white-space: pre-wrap; max-width: 40rem; }
.solved { background: #d6efe2; } .costly { background: #fdf3cf; }
.wrong, .broken, .stopped, .refused { background: #f8ded8; }"""


def as_html(rows: List[Row], seed: int, compiler: str) -> str:
    names = list(dict.fromkeys(row.exercise for row in rows))
    of_student: Dict[str, Dict[str, Row]] = {}
    for row in rows:
        of_student.setdefault(row.student, {})[row.exercise] = row

    def cell(row: Row) -> str:
        said = html.escape(row.verdict)
        if row.message:
            said = (f"<details><summary>{said}</summary>"
                    f"<pre>{html.escape(row.message)}</pre></details>")
        return f'<td class="{row.verdict}">{said}</td>'

    lines = ["<!DOCTYPE html>", '<html lang="en">', '<head><meta charset="utf-8">',
             f"<title>Grades</title><style>{STYLE}</style></head>", "<body>",
             "<h1>Grades</h1>", f"<p>Compiled by {compiler}, judged on the software"
             f" device with the random inputs of --seed {seed}.</p>", "<table>",
             "<tr><th>Student</th>" + "".join(
                 f"<th>{html.escape(name)}</th>" for name in names)
             + "<th>Solved</th></tr>"]
    for student, own in of_student.items():
        n = sum(row.verdict == judge.SOLVED for row in own.values())
        lines.append(f"<tr><th>{html.escape(student)}</th>"
                     + "".join(cell(own[name]) for name in names)
                     + f"<td>{n} of {len(names)}</td></tr>")
    return "\n".join([*lines, "</table>", "</body>", "</html>", ""])


def _grade(given: argparse.Namespace) -> None:
    every = notation.names(ROOT)
    for name in given.exercises:
        if name not in every:
            raise Usage(f"there is no exercise '{name}'; ./course exercise lists them")
    if not given.folder.is_dir():
        raise Usage(f"there is no folder {given.folder}")
    if given.jobs < 1:
        raise Usage("--jobs: at least 1")
    if not given.unprotected:
        lacking = sandbox.why_not()
        if lacking:
            raise Fault(f"no sandbox: {lacking}.\nSubmissions of strangers are not"
                        " judged without one; --unprotected does it all the same")
    grader = Grader(given, build_folder())
    handed_in = submissions(given.folder.resolve(), given.exercises, every)
    if not handed_in:
        raise Fault(f"{given.folder} holds no answers: wanted is a folder for each"
                    " student, or, with one exercise, a file for each")
    exercises = {name: grader.prepare(name)
                 for name in dict.fromkeys(one.exercise for one in handed_in)}
    rows: List[Row] = []
    with ThreadPoolExecutor(given.jobs) as pool:
        for row in pool.map(lambda one: grader.judge(exercises[one.exercise], one),
                            handed_in):
            rows.append(row)
            print(f"{len(rows)}/{len(handed_in)} {row.student} {row.exercise}:"
                  f" {row.verdict}", flush=True)
    tables = {"grades.csv": as_csv(rows),
              "grades.html": as_html(rows, grader.seed, grader.compiler.name)}
    for name, text in tables.items():
        # A file's name may be any bytes.
        write_if_changed(given.folder / name,
                         text.encode("utf-8", "replace").decode("utf-8"))
    print(f"\n{given.folder}/grades.csv\n{given.folder}/grades.html")


def main(arguments: List[str]) -> int:
    sys.stdout.reconfigure(errors="replace")     # a file's name may be any bytes
    try:
        _grade(_parser().parse_intermixed_args(arguments))
        return 0
    except Usage as usage:
        print(f"course: error: {usage}\n{USAGE}", file=sys.stderr)
        return 2
    except (Fault, OSError) as fault:
        print(f"course: error: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("course: interrupted; no table was written", file=sys.stderr)
        return 130
