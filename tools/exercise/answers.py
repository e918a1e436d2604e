"""The reader's folder, answers/: a file for each exercise that was begun, and
progress.json, which says how each was judged last and how many hints were given."""
import json
import os
from pathlib import Path
from typing import Any, Dict

from . import judge, programs
from .notation import Exercise

OPEN, TRIED, SOLVED = "open", "tried", "solved"


class Answers:
    def __init__(self, folder: Path):
        self.folder = folder
        self.file = folder / "progress.json"

    def path(self, name: str) -> Path:
        return self.folder / (name + ".cu")

    def _all(self) -> Dict[str, Dict[str, Any]]:
        try:
            found = json.loads(self.file.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _keep(self, name: str, key: str, value: Any) -> None:
        every = self._all()
        every.setdefault(name, {})[key] = value
        self.folder.mkdir(parents=True, exist_ok=True)
        new = self.file.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps(every, indent=1, sort_keys=True) + "\n", "utf-8")
        new.replace(self.file)

    def begin(self, exercise: Exercise) -> bool:
        """Makes the reader's file. False: it is there already, and stays."""
        path = self.path(exercise.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(programs.readers_file(exercise))
        except FileExistsError:
            return False
        return True

    def state(self, name: str) -> str:
        if not self.path(name).is_file():
            return OPEN
        solved = self._all().get(name, {}).get("verdict") == judge.SOLVED
        return SOLVED if solved else TRIED

    def judged(self, name: str, verdict: judge.Verdict) -> None:
        self._keep(name, "verdict", verdict.verdict)

    def next_hint(self, exercise: Exercise) -> int:
        """Which one to give, from 1; the number of hints + 1: there are no more."""
        given = self._all().get(exercise.name, {}).get("hints", 0)
        n = given + 1 if isinstance(given, int) else 1
        if n <= len(exercise.texts["hint"]):
            self._keep(exercise.name, "hints", n)
        return n
