"""durations.py BUILD: what took how long in a build folder, for .ci/run.

ninja's and Meson's logs have it. Two steps that ran at the same time count twice,
so the sums are more than what a clock would have said.
"""
import json
import re
import sys
from pathlib import Path
from typing import Dict, Iterable, List, NamedTuple, Tuple

MOST_SHOWN = 12


class Step(NamedTuple):
    group: str
    name: str
    seconds: float


def of_build(log: Path, build: Path) -> List[Step]:
    """Of each step the last time that it was done."""
    last: Dict[Tuple[str, ...], Step] = {}
    outputs: Dict[str, Tuple[str, ...]] = {}
    if not log.is_file():
        return []
    for line in log.read_text(encoding="utf-8").splitlines():
        words = line.split("\t")
        if len(words) < 5:
            continue
        # One command may have several outputs: begin, end and hash are the same.
        path = words[3].replace(f"{build}/", "")
        folders = path.split("/")
        group = "/".join(folders[:2] if folders[0] in ("tests", "device")
                         and len(folders) > 2 else folders[:1])
        command = (words[0], words[1], words[4])
        if outputs.get(path, command) != command:
            last.pop(outputs[path], None)
        outputs[path] = command
        last[command] = Step(
            "build " + re.sub(r"\.[ap]$|\.so.*", "", group), path,
            (int(words[1]) - int(words[0])) / 1000)
    return list(last.values())


def of_tests(log: Path) -> List[Step]:
    if not log.is_file():
        return []
    tests = [json.loads(line) for line in
             log.read_text(encoding="utf-8").splitlines() if line.strip()]
    steps = []
    for test in tests:
        suites, _, name = re.sub("^[^:]*:", "", test["name"]).rpartition(" / ")
        kind = suites.split("+")
        # Of a chapter's suite the second word says what is tested.
        group = (suites if kind[0] in ("device", "book", "course")
                 else kind[-1])
        steps.append(Step("test " + (group or "other"), name,
                          float(test.get("duration", 0))))
    return steps


def table(steps: Iterable[Step]) -> List[str]:
    groups: Dict[str, List[Step]] = {}
    for step in steps:
        groups.setdefault(step.group, []).append(step)
    ordered = sorted(groups.items(), key=lambda item: -sum(
        step.seconds for step in item[1]))
    lines = [f"{'':<30} {'number':>6} {'seconds':>8}  the longest"]
    for group, members in ordered:
        longest = max(members, key=lambda step: step.seconds)
        total = sum(step.seconds for step in members)
        if total >= 1:
            lines.append(f"{group:<30} {len(members):6} {total:8.0f}  "
                         f"{longest.name} ({longest.seconds:.0f})")
    return lines


def longest(steps: Iterable[Step]) -> List[str]:
    ordered = sorted(steps, key=lambda step: -step.seconds)[:MOST_SHOWN]
    return [f"{step.seconds:6.0f} s  {step.group}: {step.name}"
            for step in ordered]


def main(build: Path) -> None:
    steps = of_build(build / ".ninja_log", build) + of_tests(
        build / "meson-logs/testlog.json")
    print("\n".join(["What took how long, added up over what ran at the same"
                     " time:", *table(steps), "", "The longest of all:",
                     *longest(steps)]))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
