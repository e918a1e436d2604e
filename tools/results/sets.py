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

from . import check, experiments, options, result
from .bench import all_results
from .errors import Fault
from .measure import Workplace
from .options import say


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
             if path.is_file()]
    folder = place.build / "results"
    for pattern in ("*/*/*.csv", "*/*/*.txt"):
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


def _rename(folder: pathlib.Path, machine: str) -> pathlib.Path:
    before = folder.name
    for path in folder.rglob("*"):
        if path.is_file():
            text = path.read_bytes()
            path.write_bytes(re.sub(
                rb"(?m)^# machine: %s$" % re.escape(before.encode()),
                b"# machine: " + machine.encode(), text))
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
        faults = check.check_set(
            place, folder,
            check.COMPLETE if given.reference else check.WHOLE)
        if faults:
            # The messages name the files as the reader knows them.
            check.report([fault.replace(f"{work}/", "") for fault in faults])
            raise Fault("these results are not taken over; the messages above"
                        " say why")
        if given.reference:
            _into_bench(place, folder, machine)
        else:
            _into_build(place, folder, machine)


def _into_build(place: Workplace, folder: pathlib.Path, machine: str) -> None:
    to = place.build / "results" / machine
    if to.exists():
        raise Fault(f"there are results of a machine '{machine}' here already;"
                    " give the new ones another name: --machine <name>")
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(str(folder), str(to))
    say(f"Taken over. The book with them: ./course book --results {machine}")


def _into_bench(place: Workplace, folder: pathlib.Path, machine: str) -> None:
    if options.in_bench(place.root, machine):
        raise Fault(f"bench/ holds results of a machine '{machine}' already;"
                    " give the new ones another name: --machine <name>")
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".csv", ".txt"):
            slug = path.relative_to(folder).parts[0]
            shutil.copyfile(path, place.root / "bench" / slug /
                            f"{path.stem}.{machine}{path.suffix}")
    options.note_new_results(place.build)
    say("Taken over into bench/<chapter>/; git status shows the files.")
