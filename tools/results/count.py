"""./course count: the counts of a chapter's kernels on the software device,
next to a GPU's."""
import argparse
import pathlib
import sys
from typing import Dict, List

from . import compare, here, options, result
from .bench import build_listings
from .errors import Fault, Skip
from .experiments import Experiment
from .measure import Workplace, measure
from .options import say


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Count:
    def __init__(self, place: Workplace, given: argparse.Namespace):
        self.place, self.slug = place, given.slug
        options.need_slug(place.root, self.slug)
        self.counted = [one for one in place.experiments(self.slug).values()
                        if one.kind.name in compare.COMPARED]
        if not self.counted:
            raise Fault(f"bench/{self.slug}/experiments has none of the kind"
                        f" {' or '.join(compare.COMPARED)}")
        self.on_gpu = not given.software and here.gpu_here()
        self.machine = options.reference(place.root)

    def run(self) -> None:
        compiler = self.place.compiler()
        if compiler:
            _tell(f"Compiled by {here.in_words(compiler)}.")
            build_listings(self.place.build, [self.slug], lambda program: None)
            self._count_all()
        else:
            _tell("Without nvcc and clang: the counts in the repository, of both"
                  " sides.")
        n_alone = sum(self._show_alone(one) for one in self.counted)
        if n_alone == len(self.counted):
            return
        if self.machine == options.reference(self.place.root):
            _tell("Beside the software device: the reference's counts"
                  f" ({self.machine}).")
        compare.show(self.place, self.slug, self.machine)

    def _count_on(self, one: Experiment, machine: str) -> None:
        _tell(f"Counting {one.id} on {machine} …")
        measure(self.place, one, machine,
                self.place.result_file(one, machine))

    def _count_all(self) -> None:
        for one in self.counted:
            try:
                self._count_on(one, "software")
            except Skip as reason:
                if here.is_clang(self.place.compiler()):
                    _tell(f"{one.id} is left out: {reason}")
                    continue
                raise Fault("the software device cannot count it:"
                            f" {reason}") from None
        if not self.on_gpu or here.is_clang(self.place.compiler()):
            return
        mine = options.machine_here(self.place.root, False)
        for one in self.counted:
            try:
                self._count_on(one, mine)
            except Skip as reason:
                _tell(f"The GPU's counts are left out: {reason}")
                return
        self.machine = mine

    def _show_alone(self, one: Experiment) -> bool:
        """Where no GPU's counts of the same compiler's program are here: what the
        software device counts by itself."""
        def newest(machine: str):
            path = self.place.result_file(one, machine)
            return path if path.is_file() else self.place.result_file(
                one, machine, reference=True)
        ours, gpus = newest("software"), newest(self.machine)
        if not ours.is_file():
            return False
        if gpus.is_file():
            if compare.compiled_alike(ours, gpus):
                return False
            say(f"\n{one.id}")
            say(_added_up(result.read(ours)))
            say(f"Counted with {_compiler_of(ours)}; the GPU's counts are of"
                f" {_compiler_of(gpus)}, whose\ninstructions are others: they are"
                " not compared.")
            return True
        say(f"\n{one.id}")
        say(_added_up(result.read(ours)))
        say("The software device counted this; there are no GPU's counts of"
            f" {one.id} yet:\n./course count {self.slug} on a machine with a"
            " GPU compares them.")
        return True


def _compiler_of(path: pathlib.Path) -> str:
    return here.in_words(result.read_head(path).get("toolkit"))


def _added_up(table: result.Table) -> str:
    """Of each kernel the launches added up, without counters that are 0."""
    last = "block_z" if "block_z" in table.columns else "launch"
    counters = table.columns[table.columns.index(last) + 1:]
    kernels: Dict[str, List[Dict[str, str]]] = {}
    for row in table.as_dicts():
        kernels.setdefault(row["kernel"], []).append(row)
    lines = []
    for kernel, rows in kernels.items():
        lines.append(f"  {kernel} ({len(rows)})")
        for name in counters:
            total = sum(float(row[name] or 0) for row in rows)
            if total:
                lines.append(f"    {name:<30} {total:14.0f}")
    return "\n".join(lines) + "\n"
