"""./course results, export, import, and what ./course book --results needs.

A set is what one machine measured: build/results/<machine>/ holds a reader's,
bench/*/*.<machine>.* the repository's.
"""
import argparse
import pathlib
import re
import shutil
import tarfile
import tempfile
from typing import Dict, List, Tuple

from . import cards, check, experiments, options, result
from .bench import all_results
from .errors import Fault
from .measure import Workplace
from .options import say
from .stale import mark


def machines(place: Workplace) -> List[str]:
    """The machines that ./course bench has measured here."""
    return sorted(folder.name for folder in
                  (place.build / "results").glob("*") if folder.is_dir())


class Summary:
    """A line of ./course results."""

    def __init__(self) -> None:
        self.gpu = self.date = "-"
        self.n = self.n_doubtful = self.n_quoted = 0

    def add(self, head: Dict[str, str]) -> None:
        self.n += 1
        self.gpu = head.get("gpu", self.gpu)
        self.date = max(self.date, head.get("date", "")[:10])
        self.n_doubtful += "doubt" in head
        self.n_quoted += head.get("commit", "").startswith("none")

    def note(self, n_full: int) -> str:
        if self.n_quoted:
            return f"{self.n} tables, quoted"
        doubtful = f", {self.n_doubtful} doubtful" if self.n_doubtful else ""
        return f"{self.n} of {n_full} results{doubtful}"


def _all_files(place: Workplace) -> List[Tuple[str, str, pathlib.Path]]:
    """Where a result is, its machine, its file."""
    found = [("bench", path.name.split(".")[-2], path)
             for path in sorted((place.root / "bench").glob("*/*.*.*"))
             if path.is_file() and path.suffix != ".head"]
    folder = place.build / "results"
    for pattern in ("*/*/*.csv", "*/*/*.txt", "*/*/*.launch"):
        found += [("build/results", path.relative_to(folder).parts[0], path)
                  for path in sorted(folder.glob(pattern))]
    return found


def show(place: Workplace, _: argparse.Namespace) -> None:
    sets: Dict[Tuple[str, str], Summary] = {}
    for where, machine, path in _all_files(place):
        sets.setdefault((where, machine), Summary()).add(
            result.read_head(path))
    slugs = experiments.slugs(place.root)
    for (where, machine), one in sorted(sets.items()):
        gpu = "" if machine == "software" else machine
        n_full = sum(wanted.machine == machine for wanted in
                     all_results(place, slugs, gpu))
        say(f"{machine:<20} {one.gpu:<28} {one.date:<10}"
            f"  {one.note(n_full)}, in {where}/")
    say("\nIn the book beside the reference: ./course book --results"
        " <machine>,…")


def need(place: Workplace, given: argparse.Namespace) -> None:
    """Checks that these machines' results are here, and that the book can
    show them."""
    for name in filter(None, given.machines.split(",")):
        folder = place.build / "results" / name
        if not folder.is_dir() and not options.in_bench(place.root, name,
                                                        "csv"):
            raise Fault(f"no results of a machine '{name}' here; there are: "
                        + "".join(one + " " for one in machines(place)) +
                        "(./course bench makes them, ./course results lists"
                        " them)")
        faults = check.check_set(place, folder if folder.is_dir() else name,
                                 check.SHOWN)
        if faults:
            check.report(faults)
            raise Fault("the book cannot show the results of the machine"
                        f" '{name}': the messages above name the file, the row"
                        " and the column")
        if folder.is_dir():
            _mark_stale(place, name)


def _mark_stale(place: Workplace, machine: str) -> None:
    stale = mark(place, machine)
    if stale:
        say(f"{len(stale)} results of '{machine}' are marked as stale: what they"
            " were measured with has changed since. python3 tools/results stale"
            f" {machine} names them; ./course bench measures them again.")


def export(place: Workplace, given: argparse.Namespace) -> None:
    """Packs a set to be taken elsewhere."""
    name = given.machine
    folder = place.build / "results" / name
    if not name or not folder.is_dir():
        raise Fault(f"no results of a machine '{name}' in build/results; there"
                    f" are: {' '.join(machines(place))}")
    archive = given.archive or pathlib.Path(name + ".tgz")
    new = archive.with_name(archive.name + ".new")
    with tarfile.open(new, "w:gz") as tar:
        tar.add(folder, arcname=name)
    new.replace(archive)
    say(f"Packed: {archive}. On the other machine: ./course import {archive}")
    card = cards.of_set(place.root, folder)
    if card:
        path = archive.with_name(name + ".card")
        path.write_text(card.text(), encoding="utf-8")
        say(f"Its card: {path}, {len(card.ladders())} of"
            f" {len(cards.headlines(place.root))} ladders, for the page"
            " \"Machines\": bench/machines/README.md says how to send it.")
    else:
        say("No card for the page \"Machines\": none of its ladders is"
            " measured; ./course bench --quick does that.")


def _unpack(source: pathlib.Path, to: pathlib.Path) -> pathlib.Path:
    """A copy of the set, as the folder to/<machine>."""
    if source.is_dir():
        source = source.resolve()
        shutil.copytree(source, to / source.name, symlinks=True)
    elif source.is_file():
        try:
            with tarfile.open(source, "r:gz") as tar:
                for member in tar.getmembers():
                    _need_plain(source, member.name, member.isfile() or
                                member.isdir())
                    if member.name.startswith("/") or ".." in pathlib.Path(
                            member.name).parts:
                        raise Fault(f"{source} holds a path that leads out of"
                                    f" it: {member.name}")
                tar.extractall(to)
        except (tarfile.TarError, OSError, EOFError):
            raise Fault(f"{source} is not an archive that ./course export"
                        " packed") from None
    else:
        raise Fault(f"there is no folder or file {source}")
    for path in to.rglob("*"):
        _need_plain(source, path.name, not path.is_symlink() and
                    (path.is_file() or path.is_dir()))
    folders = list(to.iterdir())
    if len(folders) != 1 or not folders[0].is_dir():
        raise Fault("it does not hold the results of one machine:"
                    " <machine>/<chapter>/<experiment>.csv")
    return folders[0]


def _need_plain(source: pathlib.Path, name: str, plain: bool) -> None:
    if not plain:
        raise Fault(f"{source} holds something that is not a file, such as a"
                    f" link: {pathlib.PurePath(name).name}")


def _name_machine(path: pathlib.Path, before: str, machine: str) -> None:
    path.write_bytes(re.sub(
        rb"(?m)^# machine: %s$" % re.escape(before.encode()),
        b"# machine: " + machine.encode(), path.read_bytes()))


def _rename(folder: pathlib.Path, machine: str) -> pathlib.Path:
    for path in folder.rglob("*"):
        if path.is_file():
            _name_machine(path, folder.name, machine)
    return folder.rename(folder.with_name(machine))


def take_over(place: Workplace, given: argparse.Namespace) -> None:
    """./course import: takes over a folder <machine>/<slug>/<experiment>.csv,
    or an archive of one."""
    with tempfile.TemporaryDirectory(prefix="course.") as work:
        folder = _unpack(pathlib.Path(given.source), pathlib.Path(work))
        machine = given.machine or folder.name
        options.need_machine_name(machine)
        if machine != folder.name:
            folder = _rename(folder, machine)
        mode = check.WHOLE
        if given.reference:
            mode = check.DOUBTFUL if given.doubtful else check.COMPLETE
        good, faults = _good(place, folder, mode)
        # The messages name the files as the reader knows them.
        check.report([fault.replace(f"{work}/", "") for fault in faults])
        if not good:
            raise Fault("nothing of these results is taken over"
                        + ("; the messages above say why" if faults else
                           ": there are none"))
        if given.reference:
            _into_bench(place, folder, machine, good, given.add)
        else:
            _into_build(place, folder, machine, good, given.add)
        if faults:
            raise Fault("what the messages above name is left out; all else is"
                        " taken over")


def _good(place: Workplace, folder: pathlib.Path, mode: str
          ) -> Tuple[List[pathlib.Path], List[str]]:
    """The results without faults, with their heads, and the other ones'
    faults."""
    good: List[pathlib.Path] = []
    faults: List[str] = []
    for path, said in check.check_files(place, folder, mode).items():
        faults += said
        if not said:
            own = path.with_name(path.name + ".head")
            good += [path, own] if own.is_file() else [path]
    return good, faults


def _need_room(machine: str, new: List[pathlib.Path],
               here_: List[pathlib.Path], where: str, add: bool) -> None:
    """Results of one name are of one machine: only who asks for it puts more
    to them, and never those of another GPU."""
    if here_ and not add:
        raise Fault(f"{where} holds results of a machine '{machine}' already:"
                    " give the new ones another name, --machine <name>, or"
                    " put them to those that are there, --add")

    def gpus(paths: List[pathlib.Path]) -> List[str]:
        found = {result.read_head(path).get("gpu", "") for path in paths
                 if path.suffix in (".csv", ".txt")}
        return sorted(re.sub(r"^\d+ × ", "", one) for one in found if one)
    old = gpus(here_)
    others = [one for one in gpus(new) if old and one not in old]
    if others:
        raise Fault(f"there are results of a machine '{machine}' here already,"
                    f" an {old[0]}, and these are of an {others[0]}: give them"
                    " another name: --machine <name>")


def _put(files: Dict[pathlib.Path, pathlib.Path], machine: str) -> None:
    """Takes files over, from → to; says what they replace."""
    n_before = sum(to.is_file() for to in files.values())
    for path, to in files.items():
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)
    n = sum(path.suffix != ".head" for path in files)
    say(f"{n} results of '{machine}'" +
        (f"; {n_before} files were here and are replaced" if n_before else ""))


def _into_build(place: Workplace, folder: pathlib.Path, machine: str,
                good: List[pathlib.Path], add: bool) -> None:
    to = place.build / "results" / machine
    _need_room(machine, good, sorted(to.rglob("*")), "build/results", add)
    _put({path: to / path.relative_to(folder) for path in good}, machine)
    say(f"Taken over. The book with them: ./course book --results {machine}")


def _bench_name(machine: str, path: pathlib.Path, several: bool) -> str:
    """speed.csv is speed.h200.csv there, or speed.h200x2.csv, and said.txt.head
    goes with said.h200.txt."""
    name, _, extension = path.name.partition(".")
    return f"{name}.{machine}{options.TWO if several else ''}.{extension}"


def _into_bench(place: Workplace, folder: pathlib.Path, machine: str,
                good: List[pathlib.Path], add: bool) -> None:
    _need_room(machine, good, options.in_bench(place.root, machine), "bench/",
               add)
    files: Dict[pathlib.Path, pathlib.Path] = {}
    for path in good:
        slug = path.relative_to(folder).parts[0]
        one = place.experiments(slug)[path.name.split(".")[0]]
        if one.several:
            _name_machine(path, machine, machine + options.TWO)
        files[path] = (place.root / "bench" / slug /
                       _bench_name(machine, path, one.several))
    _put(files, machine)
    options.note_new_results(place.build)
    say("Taken over into bench/<chapter>/; git status shows the files.")
