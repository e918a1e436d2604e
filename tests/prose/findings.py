"""What is found in prose: words of words.tsv, spelling, and proselint's
checks. Each of them reads masked texts (extract.py) by the name of the file.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
from typing import Dict, Iterable, List, NamedTuple, Set

HERE = pathlib.Path(__file__).resolve().parent

# Where a rule holds: for which files.
WHERE = {"all": lambda path: True,
         "prose": lambda path: path.endswith(".md"),
         "chapters": lambda path: path.startswith("chapters/")}


class Finding(NamedTuple):
    path: str
    line: int
    what: str       # which of the three
    found: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}: {self.found}: " \
               f"{self.remedy}"


class Fault(Exception):
    """A table of this folder is not as it should be."""


class Rule(NamedTuple):
    where: str
    pattern: "re.Pattern[str]"
    write: str


def rules(path: pathlib.Path = HERE / "words.tsv") -> List[Rule]:
    read = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 3 or cells[0] not in WHERE:
            raise Fault(f"{path.name}:{number}: a row is where, pattern, write,"
                        f" separated by tabs; where is one of {', '.join(WHERE)}")
        try:
            pattern = re.compile(cells[1], re.I | re.M)
        except re.error as error:
            raise Fault(f"{path.name}:{number}: {error}")
        read.append(Rule(cells[0], pattern, cells[2]))
    return read


class Flow(NamedTuple):
    """A text whose paragraphs are one line each, with one space between words
    and one bar for code: and where each of its characters was."""
    text: str
    at: List[int]


def flowing(text: str) -> Flow:
    pieces, at = [], []
    for match in re.finditer(r"\|(?:[|\s]*\|)?|\s+|[^\s|]+", text):
        piece = match[0]
        if piece[0] == "|":
            piece = "|\n" if "\n" in piece else "|"
        elif piece.isspace():
            piece = "\n" if piece.count("\n") > 1 else " "
        pieces.append(piece)
        at += range(match.start(), match.start() + len(piece))
    return Flow("".join(pieces), at)


def words(texts: Dict[str, str], table: List[Rule]) -> List[Finding]:
    found = []
    for path, text in texts.items():
        flow = flowing(text)
        for rule in table:
            if not WHERE[rule.where](path):
                continue
            for match in rule.pattern.finditer(flow.text):
                line = 1 + text.count("\n", 0, flow.at[match.start()])
                found.append(Finding(path, line, "words", f'"{match[0]}"',
                                     f"write: {rule.write}"))
    return found


def dictionary(path: pathlib.Path = HERE / "dictionary") -> List[str]:
    """The project's own words: one on a line, in order, none twice."""
    lines = [line for line in path.read_text("utf-8").splitlines()
             if line and not line.startswith("#")]
    for before, after in zip(lines, lines[1:]):
        if (before.lower(), before) >= (after.lower(), after):
            raise Fault(f"{path.name}: '{after}' should be before '{before}',"
                        " or is there twice")
    return lines


def _without_ending(word: str) -> str:
    """A term's possessive is as right as the term."""
    return re.sub("'s$", "", word)


def misspelt(all_words: Iterable[str], own: List[str]) -> Set[str]:
    """Of all words those that are not British English and not our own."""
    with tempfile.TemporaryDirectory() as folder:
        personal = pathlib.Path(folder) / "own"
        personal.write_text("\n".join(own) + "\n", "utf-8")
        ran = subprocess.run(
            ["hunspell", "-l", "-d", "en_GB", "-i", "utf-8", "-p",
             str(personal)], input="\n".join(sorted(set(all_words))) + "\n",
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
            env={**os.environ, "LC_ALL": "C.UTF-8"})
    if ran.returncode or "Can't open" in ran.stderr:
        raise Fault(f"hunspell: {ran.stderr.strip()}")
    return set(ran.stdout.split())


WORD = re.compile(r"(?<!\w)[A-Za-zÀ-ÖØ-öø-ÿ]+(?:['’][A-Za-z]+)*")


def spelling(texts: Dict[str, str], own: List[str]) -> List[Finding]:
    places = collections.defaultdict(list)
    for path, text in texts.items():
        for number, line in enumerate(text.split("\n"), 1):
            for match in WORD.finditer(line):
                word = _without_ending(match[0].replace("’", "'"))
                if len(word) > 2 and not re.match(r"\w*[0_]|[0|]", word):
                    places[word].append((path, number))
    return [Finding(path, line, "spelling", f'"{word}"',
                    "misspelt, or a term for tests/prose/dictionary")
            for word in sorted(misspelt(places, own) & set(places))
            for path, line in places[word]]


# Proselint calls these redundant; they say what is meant.
TERMS = re.compile(r"'(for free|number of different|fall down)\W?'")


def _short(text: str) -> str:
    """The same lines with less in them to search."""
    return re.sub(r"\|+", "|", re.sub("0+", "0", text))


def proselint(texts: Dict[str, str], cache: pathlib.Path) -> List[Finding]:
    """One process reads all texts, with the checks of proselint.json. What it
    found in a text it keeps in the cache."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        (top / "proselint").mkdir()
        shutil.copy(HERE / "proselint.json", top / "proselint/config")
        names = {}
        for number, (path, text) in enumerate(texts.items()):
            names[f"{number}.md"] = path
            (top / f"{number}.md").write_text(_short(text), "utf-8")
        (cache / "proselint").mkdir(parents=True, exist_ok=True)
        ran = subprocess.run(
            ["proselint", *names], cwd=folder, encoding="utf-8",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder,
                 "XDG_CACHE_HOME": str(cache), "LC_ALL": "C.UTF-8"})
        for line in ran.stdout.splitlines():
            match = re.match(r"(?:.*/)?(\d+\.md):(\d+):\d+: (\S+) (.*)", line)
            if match and not TERMS.search(match[4]):
                found.append(Finding(names[match[1]], int(match[2]),
                                     "proselint", match[3], match[4]))
        if ran.returncode not in (0, 1) or "Traceback" in ran.stdout:
            raise Fault(f"proselint: {ran.stdout.strip()[-400:]}")
    return found


def missing_tools() -> List[str]:
    """What cannot run here, by the name of its Debian package."""
    missing = [package for tool, package in (
        ("hunspell", "hunspell"), ("proselint", "python3-proselint"))
        if not shutil.which(tool)]
    if "hunspell" not in missing:
        ran = subprocess.run(["hunspell", "-D"], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if b"en_GB" not in ran.stdout:
            missing.append("hunspell-en-gb")
    return missing
