"""bench/counters/rules: what the counts of the software device and of a GPU
have to do with each other. The file explains itself."""
import pathlib
import re
from typing import Dict, List, NamedTuple

from . import counters
from .errors import Fault


FILE = "bench/counters/rules"


class Rule(NamedTuple):
    counter: str
    group: str
    kind: str            # equal at_least above ratio
    reason: str
    low: str = ""        # ratio
    high: str = ""
    base: List[str] = []    # above: counters
    share: str = ""

    def allows(self, ours: float, gpus: float, base: float) -> bool:
        if self.kind == "ratio":
            return (ours > 0 and gpus >= float(self.low) * ours and
                    gpus <= float(self.high) * ours)
        if self.kind == "at_least":
            return gpus > ours
        return (self.kind == "above" and gpus > ours and
                gpus - ours <= float(self.share) * base)


class Rules:
    def __init__(self, root: pathlib.Path):
        path = root / FILE
        self.by_counter: Dict[str, Rule] = {
            one.column: Rule(one.column, one.group, "equal", "")
            for one in counters.read(root) if one.group}
        self.own: List[Rule] = []    # of one kernel: counter@slug/…/kernel
        self.why: Dict[str, str] = {}
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
            words = re.sub("#.*", "", line).split()
            if words:
                self._read(words, f"{path}:{number}")
        self.groups = list(dict.fromkeys(
            rule.group for rule in self.by_counter.values()))

    def _read(self, words: List[str], place: str) -> None:
        name, *rest = words
        if name == "why":
            self.why[rest[0]] = " ".join(
                [self.why.get(rest[0], ""), *rest[1:]]).strip()
            return
        counter = name.partition("@")[0]
        if counter not in self.by_counter:
            raise Fault(f"'{counter}' has no group in {counters.TABLE}: it is"
                        " not compared", place)
        group = self.by_counter[counter].group
        kind, a, b, c = (rest + [""] * 4)[:4]
        if kind == "ratio":
            rule = Rule(name, group, kind, c, low=a, high=b)
        elif kind == "above":
            rule = Rule(name, group, kind, c, base=a.split("+"), share=b)
        elif kind in ("at_least", "equal"):
            rule = Rule(name, group, kind, a)
        else:
            raise Fault(f"unknown rule '{kind}'; there are: equal at_least"
                        " above ratio", place)
        if "@" in name:
            self.own.append(rule)
        else:
            self.by_counter[name] = rule

    def of(self, counter: str, kernel: str) -> Rule:
        """kernel: slug/experiment/kernel. A kernel may have a rule of its own
        for a counter; a * at its end stands for anything."""
        wanted = f"{counter}@{kernel}"
        for rule in self.own:
            known = rule.counter
            if known == wanted or (known.endswith("*") and
                                   wanted.startswith(known[:-1])):
                return rule
        return self.by_counter[counter]

    def own_of(self, counter: str) -> List[Rule]:
        return [rule for rule in self.own
                if rule.counter.startswith(counter + "@")]

    def allowed(self, counter: str) -> str:
        """What its rules allow, all of them together: the widest bounds."""
        every = [self.by_counter[counter]] + self.own_of(counter)
        bounds = ["1"] + [one for rule in every if rule.kind == "ratio"
                          for one in (rule.low, rule.high)]
        lowest, highest = min(bounds, key=float), max(bounds, key=float)
        any_more = any(rule.kind == "at_least" for rule in every)
        extra = [rule.share for rule in every if rule.kind == "above"]
        if any_more:
            known = f"{lowest} or more"
        elif lowest == highest:
            known = "equal"
        else:
            known = f"{lowest} to {highest}"
        if not extra:
            return known
        if known == "equal":
            return f"up to {extra[-1]} of the wavefronts"
        return f"{known} and {extra[-1]} of the wavefronts"
