"""bench/<slug>/experiments: which experiments a chapter has.

A line is an experiment:

    name  kind  program  [SOFTDEVICE_…=value …]  [argument …]

`#` begins a comment. A comment of one of these forms says whose a result is,
where it is not the GPU's that its head names:

    # computed: laws prefixes     out of formulas, the same on every machine
    # documented: limits          copied from what NVIDIA publishes
    # cpu: same more              times of the host's CPU alone
    # cpu+gpu: offload            times of both

and another names those that need more than one GPU:

    # several GPUs: links peers
"""
import pathlib
import re
from typing import Dict, List, NamedTuple, Tuple

from .errors import Fault
from .kinds import KINDS, Kind

# Which kinds of experiments each origin is for.
ORIGINS = {"computed": ("table", "derived"), "documented": ("table",),
           "cpu": ("time",), "cpu+gpu": ("time",)}
_ORIGIN = re.compile(r"#\s*(%s):\s*(.*)" %
                     "|".join(map(re.escape, ORIGINS)))
_SEVERAL = re.compile(r"#\s*several GPUs:\s*(.*)")


class Experiment(NamedTuple):
    slug: str
    name: str
    kind: Kind
    program: str
    settings: Tuple[str, ...]    # SOFTDEVICE_…=value
    arguments: Tuple[str, ...]
    origin: str                  # one of ORIGINS, or "": measured
    place: str                   # bench/<slug>/experiments:<line>
    several: bool = False        # needs more than one GPU

    @property
    def id(self) -> str:
        return f"{self.slug}/{self.name}"

    @property
    def target(self) -> str:
        return f"code/{self.slug}/{self.program}"

    @property
    def is_tested(self) -> bool:
        """Must the software device give the committed result again?"""
        return self.kind.software and self.kind.tested

    @property
    def is_derived(self) -> bool:
        return self.kind.name == "derived"


def source_of(root: pathlib.Path, slug: str, program: str) -> pathlib.Path:
    """code/<slug>/<program>.cu, or .c where there is no such file."""
    source = root / "code" / slug / (program + ".cu")
    return source if source.exists() else source.with_suffix(".c")


def _read_line(slug: str, words: List[str], place: str) -> Experiment:
    if len(words) < 3:
        raise Fault("a line needs name, kind and program", place)
    name, kind, program, *rest = words
    if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
        raise Fault(f"'{name}' cannot name an experiment", place,
                    "use letters, digits, _ and -")
    if kind not in KINDS:
        raise Fault(f"unknown kind '{kind}'; there are: {' '.join(KINDS)}",
                    place)
    n_settings = 0
    while (n_settings < len(rest) and
           re.match(r"SOFTDEVICE_\w*=", rest[n_settings])):
        n_settings += 1
    return Experiment(slug, name, KINDS[kind], program,
                      tuple(rest[:n_settings]), tuple(rest[n_settings:]), "",
                      place)


def _set_origins(found: Dict[str, Experiment],
                 lines: List[Tuple[str, str, str]]) -> None:
    for place, origin, names in lines:
        for name in names.split():
            one = found.get(name)
            if one is None:
                raise Fault(f"'{name}' is {origin}, but there is no such"
                            " experiment", place, "correct the name")
            if one.origin:
                raise Fault(f"'{name}' is {one.origin} and {origin}", place,
                            "name it once")
            if one.kind.name not in ORIGINS[origin]:
                raise Fault(
                    f"'{name}' is {origin}, but its kind is '{one.kind.name}'",
                    place, "only experiments of the kind "
                    f"{' or '.join(ORIGINS[origin])} can be {origin}")
            found[name] = one._replace(origin=origin)


def _set_several(found: Dict[str, Experiment],
                 lines: List[Tuple[str, str]]) -> None:
    for place, names in lines:
        for name in names.split():
            one = found.get(name)
            if one is None:
                raise Fault(f"'{name}' needs several GPUs, but there is no such"
                            " experiment", place, "correct the name")
            if one.kind.software:
                raise Fault(
                    f"'{name}' needs several GPUs, but its kind"
                    f" '{one.kind.name}' runs on the software device, too",
                    place, "only experiments of a kind that runs on GPUs alone"
                    " can need several")
            found[name] = one._replace(several=True)


def read(root: pathlib.Path, slug: str) -> Dict[str, Experiment]:
    """The chapter's experiments by name, in the file's order; none if it has
    no such file. Raises Fault with file, line and remedy."""
    path = root / "bench" / slug / "experiments"
    if not path.is_file():
        return {}
    found: Dict[str, Experiment] = {}
    origins: List[Tuple[str, str, str]] = []
    several: List[Tuple[str, str]] = []
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        place = f"bench/{slug}/experiments:{number}"
        line = line.strip()
        if line.startswith("#"):
            match = _ORIGIN.fullmatch(line)
            if match:
                origins.append((place, match[1], match[2]))
            match = _SEVERAL.fullmatch(line)
            if match:
                several.append((place, match[1]))
            continue
        if not line:
            continue
        one = _read_line(slug, line.split(), place)
        if one.name in found:
            raise Fault(f"a second experiment '{one.name}'; the first is in"
                        f" line {found[one.name].place.split(':')[1]}", place,
                        "give it another name")
        found[one.name] = one
    _set_origins(found, origins)
    _set_several(found, several)
    return found


def need_programs(root: pathlib.Path,
                  experiments: Dict[str, Experiment]) -> None:
    for one in experiments.values():
        if not (one.is_derived or
                source_of(root, one.slug, one.program).exists()):
            raise Fault(f"there is no {one.target}.cu or .c", one.place,
                        "write it, or correct the program's name")


def slugs(root: pathlib.Path) -> List[str]:
    """The chapters that have code, as ./course shows them."""
    return sorted(folder.name for folder in (root / "code").glob("*/")
                  if folder.is_dir() and folder.name != "common")


def with_experiments(root: pathlib.Path) -> List[str]:
    return sorted(path.parent.name
                  for path in (root / "bench").glob("*/experiments"))
