"""Compares the software device's counts with a GPU's, launch by launch, for
every experiment of the kind `count` or `tensor` that has both."""
import math
import pathlib
import re
from typing import Dict, List, NamedTuple, Set, Tuple

from . import counters, experiments, here, result, rules
from .errors import Fault
from .measure import Workplace
from .rules import Rule, Rules

COMPARED = ("count", "tensor")    # kinds
HEAD = ("gpu", "driver", "toolkit", "commit", "date")
MOST_SHOWN = 20


def plain(kernel: str) -> str:
    """A kernel's name without what its writer decides: a template argument
    that is true or false is a word for the software device, and a number for
    Nsight Compute, some versions of which put the type in front."""
    name = re.sub(r"(?<=[<;])\(\w+\)", "", kernel)
    return re.sub(r"(?<=[<;])(true|false)(?=[;>])",
                  lambda word: str(int(word[0] == "true")), name)


class Pair(NamedTuple):
    """An experiment's counts on both sides."""
    id: str
    software: pathlib.Path
    gpu: pathlib.Path


class Counter:
    """What was seen of a counter, over all launches."""

    def __init__(self) -> None:
        self.n_launches = self.n_unused = 0
        self.n = {"equal": 0, "explained": 0, "unexplained": 0}
        self.changes: List[float] = []    # relative
        self.largest_share = 0.0          # for the rule `above`


class Kernel:
    """A kernel of an experiment, its launches added up."""

    def __init__(self, pair: str, name: str):
        self.pair, self.name = pair, name
        self.n_launches = 0
        self.software: Dict[str, float] = {}
        self.gpu: Dict[str, float] = {}
        self.used: Set[str] = set()         # groups
        self.differing: Set[str] = set()    # counters
        self.strange: Set[str] = set()      # groups

    @property
    def id(self) -> str:
        return f"{self.pair}/{self.name}"

    def add(self, counter: str, ours: float, gpus: float) -> None:
        self.software[counter] = self.software.get(counter, 0) + ours
        self.gpu[counter] = self.gpu.get(counter, 0) + gpus


class Comparison:
    def __init__(self, rules: Rules):
        self.rules = rules
        self.counters = {name: Counter() for name in rules.by_counter}
        self.kernels: Dict[str, Kernel] = {}
        self.n_compared = self.n_other = 0
        self.strange: List[str] = []
        self.head: Dict[str, str] = {}

    @property
    def total(self) -> Dict[str, int]:
        return {how: sum(one.n[how] for one in self.counters.values())
                for how in ("equal", "explained", "unexplained")}

    # --- launches ---------------------------------------------------------

    def add_pair(self, pair: Pair) -> None:
        ours, gpus = result.read(pair.software), result.read(pair.gpu)
        head = result.head_of(gpus.head)
        if head.get("date", "") > self.head.get("date", ""):
            self.head.update(head)
        if not ours.rows or not gpus.rows:
            return
        said = [name for name in
                ours.columns[:self._first_counter(ours.columns)]
                if name != "launch" and name in gpus.columns]
        both = list(zip(ours.as_dicts(), gpus.as_dicts()))
        for n, (our, gpu) in enumerate(both, 1):
            # The same launch has the same kernel, grid and block, and the
            # program said the same about it.
            if (all(our[name] == gpu[name] for name in said
                    if name != "kernel") and
                    plain(our["kernel"]) == plain(gpu["kernel"])):
                self._add_launch(pair.id, n, our, gpu)
            else:
                self.n_other += 1
        self.n_other += len(ours.rows) + len(gpus.rows) - 2 * len(both)

    def _first_counter(self, columns: List[str]) -> int:
        return next((i for i, name in enumerate(columns)
                     if name in self.rules.by_counter), len(columns))

    def _add_launch(self, pair: str, n: int, our: Dict[str, str],
                    gpu: Dict[str, str]) -> None:
        self.n_compared += 1
        key = f"{pair}/{our['kernel']}"
        kernel = self.kernels.setdefault(key, Kernel(pair, our["kernel"]))
        kernel.n_launches += 1
        for name in self.counters:
            if name in our and gpu.get(name, "") != "":
                ours, gpus = float(our[name] or 0), float(gpu[name])
                kernel.add(name, ours, gpus)
                self._note(kernel, n, name, ours, gpus, our)

    def _note(self, kernel: Kernel, n: int, name: str, ours: float,
              gpus: float, our: Dict[str, str]) -> None:
        counter = self.counters[name]
        counter.n_launches += 1
        if not ours and not gpus:
            counter.n_unused += 1
            return
        rule = self.rules.of(name, kernel.id)
        general = self.rules.by_counter[name]
        how = ("equal" if ours == gpus else
               "explained" if rule.allows(ours, gpus, _base(rule, our))
               else "unexplained")
        counter.n[how] += 1
        group = general.group
        kernel.used.add(group)
        if how == "equal":
            return
        kernel.differing.add(name)
        if how == "unexplained":
            kernel.strange.add(group)
            self.strange.append(
                f"{kernel.pair}, launch {n} ({kernel.name}): {name} is"
                f" {gpus:.0f}, the software device counts {ours:.0f}")
        counter.changes.append((gpus - ours) / ours if ours > 0 else 1)
        base = _base(general, our)
        if base:
            counter.largest_share = max(counter.largest_share,
                                        (gpus - ours) / base)

    # --- as CSV -------------------------------------------------------------

    def _word(self, kernel: Kernel, group: str) -> str:
        """"equal", "none" where nothing of the kind happened, or how many
        times the software device's count the GPU's is, for the counter that
        is furthest from equal. Where the software device counts nothing: how
        many."""
        if group not in kernel.used:
            return "none"
        most, shown = -1.0, "equal"
        for name, rule in self.rules.by_counter.items():
            if rule.group != group or name not in kernel.differing:
                continue
            ours, gpus = kernel.software[name], kernel.gpu[name]
            far = abs(math.log(gpus / ours)) if ours * gpus else 1000
            if far > most:
                most = far
                shown = f"{gpus / ours:.2f}" if ours else f"+{gpus:.0f}"
        return shown + (" (!)" if group in kernel.strange else "")

    def kernels_table(self) -> List[str]:
        groups = self.rules.groups
        lines = [",".join(["slug", "experiment", "kernel", "launches", *groups,
                           "instructions_ratio"])]
        for one in self.kernels.values():
            ours = one.software.get("warp_instructions", 0)
            ratio = (f"{one.gpu['warp_instructions'] / ours:.3f}" if ours
                     else "")
            lines.append(",".join(
                [*one.pair.split("/"), one.name, str(one.n_launches)] +
                [self._word(one, group) for group in groups] +
                [ratio]))
        return lines

    def summary_table(self) -> List[str]:
        lines = ["counter,rule,launches,unused,equal,explained,unexplained,"
                 "lowest_ratio,highest_ratio,largest_share,own_rules,allowed,"
                 "reason"]
        for name, one in self.counters.items():
            rule = self.rules.by_counter[name]
            lines.append(
                f"{name},{rule.kind},{one.n_launches},{one.n_unused},"
                f"{one.n['equal']},{one.n['explained']},"
                f"{one.n['unexplained']},"
                f"{1 + min(one.changes + [0]):.4f},"
                f"{1 + max(one.changes + [0]):.4f},{one.largest_share:.4f},"
                f"{len(self.rules.own_of(name))},{self.rules.allowed(name)},"
                f"{rule.reason or 'none'}")
        return lines

    def totals_table(self) -> List[str]:
        total = self.total
        return ["kernels,launches,other_launches,counts,equal,explained,"
                "unexplained",
                f"{len(self.kernels)},{self.n_compared},{self.n_other},"
                f"{sum(total.values())},{total['equal']},"
                f"{total['explained']},{total['unexplained']}"]

    def csv(self, mode: str) -> str:
        tables = {"kernels": self.kernels_table,
                  "summary": self.summary_table, "totals": self.totals_table}
        head = {"machine": self.head.get("machine", "")}
        head.update((key, self.head.get(key, "")) for key in HEAD)
        head.update(command=f"tools/results compare {mode}", repetitions="1")
        return result.write_head(head) + "".join(
            line + "\n" for line in tables[mode]())

    # --- as text --------------------------------------------------------------

    def _text_of(self, kernel: Kernel, name: str, reasons: Set[str]) -> str:
        ours, gpus = kernel.software[name], kernel.gpu[name]
        line = f"    {name:<30} {ours:14.0f} {gpus:14.0f}"
        if name not in kernel.differing:
            return line + "     equal"
        rule: Rule = self.rules.of(name, kernel.id)
        reasons.add(rule.reason)
        ratio = f"{gpus / ours:.3f}" if ours else ""
        group = self.rules.by_counter[name].group
        why = "see below" if group in kernel.strange else rule.reason
        return f"{line} {ratio:>9}  {why}"

    def text(self, shown: str) -> str:
        lines = [f"{'launches of a kernel, added up':<34} {'software':>14}"
                 f" {shown:>14} {'ratio':>9}"]
        reasons: Set[str] = set()
        last = ""
        for one in self.kernels.values():
            if one.pair != last:
                last = one.pair
                lines += ["", last]
            lines.append(f"  {one.name} ({one.n_launches})")
            lines += [self._text_of(one, name, reasons)
                      for name in self.counters
                      if one.software.get(name) or one.gpu.get(name)]
        total = self.total
        lines += ["", f"{len(self.kernels)} kernels, {self.n_compared}"
                  f" launches: {total['equal']} counts equal,"
                  f" {total['explained']} explained, {total['unexplained']}"
                  " unexplained"]
        if self.n_other:
            lines.append(f"{self.n_other} launches are not the same on both"
                         " sides and were left out")
        lines += [f"{reason}: {why}" for reason, why in self.rules.why.items()
                  if reason in reasons]
        return "".join(line + "\n" for line in
                       lines + self.strange[:MOST_SHOWN])


def _base(rule: Rule, our: Dict[str, str]) -> float:
    """What the rule `above` is a share of."""
    return sum(float(our.get(name) or 0) for name in rule.base)


def in_order_of_the_book(root: pathlib.Path) -> List[str]:
    """The slugs that have experiments, in the order of the chapters."""
    chapters = [path.stem.split("-", 1)[1] for path in
                sorted((root / "chapters").glob("[0-9]*-*.md"))]
    known = experiments.with_experiments(root)
    return [slug for slug in dict.fromkeys(chapters + known) if slug in known]


def pairs(place: Workplace, slugs: List[str], machine: str,
          ours: pathlib.Path, gpus: pathlib.Path
          ) -> Tuple[List[Pair], List[pathlib.Path]]:
    """What there is to compare, and the files and folders that decide it. Newer
    results than the repository's are in the folders ours and gpus."""
    found: List[Pair] = []
    depends = [place.root / rules.FILE, place.root / counters.TABLE]
    for slug in slugs:
        folder = place.root / "bench" / slug
        # New results show in their folder.
        depends += [folder / "experiments", folder]
        depends += [gpus / slug] * (gpus / slug).is_dir()
        for one in place.experiments(slug).values():
            if one.kind.name not in COMPARED:
                continue
            files = []
            for newer, name in ((ours, "software"), (gpus, machine)):
                path = newer / slug / (one.name + ".csv")
                files.append(path if path.is_file() else
                             place.result_file(one, name, reference=True))
            if all(path.is_file() for path in files):
                files[0] = _of_same_compiler(*files, place.result_file(
                    one, "software", reference=True))
                found.append(Pair(one.id, *files))
                depends += files
    return found, depends


def compiled_alike(one: pathlib.Path, other: pathlib.Path) -> bool:
    """Were both counted with programs of nvcc, or both with clang's?"""
    return (here.is_clang(result.read_head(one).get("toolkit")) ==
            here.is_clang(result.read_head(other).get("toolkit")))


def _of_same_compiler(ours: pathlib.Path, gpus: pathlib.Path,
                      committed: pathlib.Path) -> pathlib.Path:
    """Another compiler's program needs other instructions: a GPU's counts are
    compared with those of its own compiler's, if there are any."""
    if not compiled_alike(ours, gpus) and committed.is_file():
        return committed
    return ours


def compare(place: Workplace, found: List[Pair]) -> Comparison:
    comparison = Comparison(rules.Rules(place.root))
    for pair in found:
        comparison.add_pair(pair)
    return comparison


def show(place: Workplace, slug: str, machine: str) -> None:
    """For ./course count: text, and a fault if something is unexplained."""
    results = place.build / "results"
    found, _ = pairs(place, [slug], machine, results / "software",
                     results / machine)
    comparison = compare(place, found)
    if not comparison.n_compared:
        raise Fault("nothing to compare: make the counts with ./course bench"
                    f" --software --reference {slug}, on a GPU without"
                    " --software")
    print(comparison.text(machine), end="", flush=True)
    if comparison.total["unexplained"]:
        raise Fault("a difference that nothing explains; bench/counters/rules"
                    " says what may differ and why")
