"""./course exercise: what the command line says."""
import argparse
import difflib
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import List, Optional

from . import judge, notation, programs, words
from .answers import SOLVED, Answers
from .notation import Exercise, Fault
from .options import ROOT, Parser, Usage, build_folder

USAGE = """\
usage: ./course exercise [NAME [OPTION]]

  ./course exercise                       the exercises, and how far you are
  ./course exercise transpose             those of one chapter
  ./course exercise transpose/in_place    makes answers/transpose/in_place.cu, for
                                          you to edit; once it is there, judges it

  --watch          judges again whenever the file is saved, until you press Ctrl-C
  --hint           a hint: the next of three each time
  --solution       one right answer
  --seed N         the random inputs of an earlier run
  --compiler NAME  nvcc or clang; without it nvcc where it is, else clang
  --json           the verdict as one line of JSON
  --file FILE      judges this file instead of yours

The file is yours: it is never overwritten, and git does not see it. To begin anew,
delete it. Status: 0 solved (or nothing was judged), 1 not solved, 2 a wrong word."""


class NotBuilt(Exception):
    """./course has to build what judges, and to call again."""


NOT_BUILT = 75


class Unknown(Usage):
    """A name is; there is no need to explain the options."""


def _parser() -> Parser:
    one = Parser("./course exercise")
    one.add_argument("name", nargs="?", default="")
    for flag in ("--watch", "--hint", "--solution", "--json", "--names"):
        one.add_argument(flag, action="store_true")
    one.add_argument("--file", type=Path)
    return one


# ---- names ------------------------------------------------------------------

def _find(name: str, every: List[str]) -> str:
    if name in every:
        return name
    same = [one for one in every if one.split("/")[1] == name]
    if len(same) == 1:
        return same[0]
    near = difflib.get_close_matches(name, every, 3, 0.85) or (
        difflib.get_close_matches(name, every, 3, 0.6)) or [
        one for one in every if one.split("/")[1] in difflib.get_close_matches(
            name.split("/")[-1], [other.split("/")[1] for other in every], 3, 0.5)]
    raise Unknown(f"there is no exercise '{name}'" + (
        f"; did you mean {' or '.join(near)}?" if near else
        "; ./course exercise lists them"))


def _shown(path: Path) -> str:
    """Relative to the course, where it is in there."""
    name = os.path.relpath(path, ROOT)
    return str(path) if name.startswith("..") else name


def _list(every: List[str], answers: Answers) -> None:
    rows = []
    for name in every:
        one = notation.read(ROOT, name)
        rows.append((name, str(one.difficulty), answers.state(name), one.title))
    width = max(len(row[0]) for row in rows)
    print(f"{'exercise'.ljust(width)}  difficulty  state   ")
    for name, difficulty, state, title in rows:
        print(f"{name.ljust(width)}  {difficulty:^10}  {state:6}  {title}")
    n = sum(row[2] == SOLVED for row in rows)
    print(f"\n{n} of {len(rows)} solved. To begin or judge one: ./course exercise"
          f" {rows[0][0]}")


# ---- judging ----------------------------------------------------------------

class Judge:
    """Judges one file, as often as it is asked to."""
    def __init__(self, exercise: Exercise, file: Path, given: argparse.Namespace,
                 build: Path, folder: Path):
        self.exercise, self.file, self.given, self.build = (
            exercise, file, given, build)
        self.compiler = programs.choose(build, given.compiler)
        self.bench = judge.prepare(exercise, self.compiler, ROOT, build, folder,
                                   given.seed)
        self.gpu = judge.gpu_program(ROOT, folder) if os.environ.get(
            "COURSE_GPU") == "yes" else None

    def once(self, answers: Optional[Answers]) -> judge.Verdict:
        found = judge.judge_file(self.bench, self.compiler, ROOT, self.file, self.gpu)
        if answers:
            answers.judged(self.exercise.name, found)
        if self.given.json:
            print(json.dumps(found.as_json(self.exercise.name, self.compiler.name,
                                           self.bench.seed)), flush=True)
        else:
            print(self.text(found), flush=True)
        return found

    def text(self, found: judge.Verdict) -> str:
        parts = [f"{_shown(self.file)}, compiled by {self.compiler.name}:"]
        if found.printed.strip():
            parts.append("Your kernel printed:\n" + "\n".join(
                "  " + row for row in
                words.shortened(found.printed, 20).splitlines()))
        if found.verdict == judge.SOLVED:
            n = len(self.exercise.cases) + (self.exercise.measured is not None)
            solved = (f"Solved: right for all {n} inputs, and the checks are silent"
                      + (", and right on the GPU" if self.gpu else "") + ".")
            parts.append("\n".join([solved, *(f"  {one}" for one in found.goals)]))
        else:
            parts += [found.text, f"A hint: ./course exercise {self.exercise.name}"
                      " --hint"]
        return words.wrap("\n\n".join(parts)) + "\n"

    def watch(self, answers: Optional[Answers]) -> None:
        print("Judged whenever you save the file. Ctrl-C ends this.\n", flush=True)
        seen = None
        while True:
            try:
                status = self.file.stat()
                now = (status.st_mtime_ns, status.st_size, status.st_ino)
            except OSError:          # an editor is just replacing it
                now = seen
            if now != seen:
                seen = now
                self.once(answers)
            time.sleep(0.2)


def _judge(exercise: Exercise, given: argparse.Namespace, answers: Answers) -> int:
    mine = given.file is None
    file = answers.path(exercise.name) if mine else given.file.resolve()
    if mine and answers.begin(exercise) and not given.json:
        print(words.wrap(exercise.texts["question"][0]))
        print(f"\nYour file is {_shown(file)}.\nEdit it, then judge it with the same"
              f" command: ./course exercise {exercise.name}")
        if not given.watch:
            return 0
    if not file.is_file():
        raise Unknown(f"there is no file {file}")
    if os.environ.get("COURSE_JUDGE") == "ask":
        raise NotBuilt
    build = build_folder()
    with tempfile.TemporaryDirectory(prefix="course-exercise-") as folder:
        one = Judge(exercise, file, given, build, Path(folder))
        if given.watch:
            one.watch(answers if mine else None)
        verdict = one.once(answers if mine else None)
    return 0 if verdict.verdict == judge.SOLVED else 1


def _hint(exercise: Exercise, answers: Answers) -> None:
    hints = exercise.texts["hint"]
    n = answers.next_hint(exercise)
    if n > len(hints):
        print("You have all three hints:\n")
        for i, hint in enumerate(hints, 1):
            print(words.wrap(f"{i}. {hint}") + "\n")
        print(f"One right answer: ./course exercise {exercise.name} --solution")
    else:
        print(words.wrap(f"Hint {n} of {len(hints)}: {hints[n - 1]}"))


def main(arguments: List[str]) -> int:
    try:
        given = _parser().parse_args(arguments)
        answers = Answers(Path(os.environ.get("COURSE_ANSWERS") or ROOT / "answers"))
        every = notation.names(ROOT)
        if given.names:
            print("\n".join(every))
            return 0
        chapter = [one for one in every if one.split("/")[0] == given.name]
        if not given.name or chapter:
            _list(chapter or every, answers)
            return 0
        exercise = notation.read(ROOT, _find(given.name, every))
        if given.hint:
            _hint(exercise, answers)
        elif given.solution:
            print(exercise.model(), end="")
        else:
            return _judge(exercise, given, answers)
        return 0
    except Usage as usage:
        more = "" if isinstance(usage, Unknown) else "\n" + USAGE
        print(f"course: error: {usage}{more}", file=sys.stderr)
        return 2
    except NotBuilt:
        return NOT_BUILT
    except BrokenPipeError:    # of `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except (Fault, OSError) as fault:
        print(f"course: error: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print()
        return 130
