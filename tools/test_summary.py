"""test_summary.py TESTLOG: sums up Meson's testlog.json, for ./course test.

Prints a table by suite, why tests were skipped, or left out a part, which
failed, and as the last line "N passed, N failed, N skipped".
"""
import json
import re
import sys
from typing import Dict, List, Tuple

PASSED = ("OK", "EXPECTEDFAIL")


def plain(name: str) -> str:
    """"project:suite+suite / test", or "suite+suite - project:test" as newer
    Mesons write it, as "suite+suite / test"."""
    newer = re.match(r"(.*?) - [^ :]*:(.*)", name)
    return f"{newer[1]} / {newer[2]}" if newer else re.sub(
        "^[^:]*:", "", name)


def reason_of(test: dict) -> str:
    lines = test.get("stdout", "").rstrip("\n").split("\n")
    return re.sub("^skipped: ", "", lines[-1])


def summary(tests: List[dict]) -> str:
    counts: Dict[str, Dict[str, int]] = {}
    total = {"passed": 0, "failed": 0, "skipped": 0}
    skipped: Dict[str, List[str]] = {}
    failed: List[Tuple[str, str]] = []
    for test in tests:
        name, result = plain(test["name"]), test["result"]
        kind = ("passed" if result in PASSED else
                "skipped" if result == "SKIP" else "failed")
        suite = (re.split(r"\+| / ", name)[0] if " / " in name else "other")
        counts.setdefault(suite, dict.fromkeys(total, 0))[kind] += 1
        total[kind] += 1
        if kind == "skipped":
            skipped.setdefault(reason_of(test), []).append(name)
        elif kind == "failed":
            failed.append((name, result.lower()))
        else:
            for what, why in re.findall("^left out: (.*?): (.*)$",
                                        test.get("stdout", ""), re.M):
                skipped.setdefault(why, []).append(f"{name}, {what}")
    lines = [f"{'suite':<16} {'passed':>8} {'failed':>8} {'skipped':>8}"]
    lines += [f"{suite:<16} {n['passed']:8} {n['failed']:8} {n['skipped']:8}"
              for suite, n in counts.items()]
    if skipped:
        lines += ["", "Skipped, and why:"]
    for reason, names in skipped.items():
        who = names[0] if len(names) == 1 else f"{len(names)} tests"
        lines.append(f"  {who}: {reason}")
    if failed:
        lines += ["", "Failed (build/meson-logs/testlog.txt has their output):"]
        lines += [f"  {name} ({how})" for name, how in failed]
    return "\n".join(lines + ["", ", ".join(
        f"{n} {kind}" for kind, n in total.items())])


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as log:
        print(summary([json.loads(line) for line in log if line.strip()]))
