"""Turns what Nsight Compute prints into the columns of our count tables.

A table of metrics (bench/common/ncu_metrics) says which metrics make a column:
lines `column = metric [+ metric | - metric] …`, where an indented line goes on
with the column above. A log is what `ncu --csv --page raw --print-units base`
writes: lines of ncu's own that begin with "==", a row of quoted names, a row of
units, a row for each launch.
"""
import csv
import io
import pathlib
import re
from typing import Dict, Iterator, List, Tuple

from .errors import Fault, Skip

Terms = List[Tuple[int, str]]    # sign, metric
NO_PERMISSION = ("this user may not read the GPU's counters"
                 " (ERR_NVGPUCTRPERM)")
LAUNCH_COLUMNS = ["kernel", "launch", "grid_x", "grid_y", "grid_z", "block_x",
                  "block_y", "block_z"]


def _add_terms(terms: Terms, words: List[str], place: str) -> None:
    sign = 0 if terms else 1
    for word in words:
        if sign:
            terms.append((sign, word))
            sign = 0
        elif word in ("+", "-"):
            sign = 1 if word == "+" else -1
        else:
            raise Fault(f"expected + or - before '{word}'", place)
    if sign and terms:
        raise Fault("a metric must follow the last + or -", place)


def read_table(path: pathlib.Path) -> Dict[str, Terms]:
    columns: Dict[str, Terms] = {}
    terms: Terms = []
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        words = line.split()
        place = f"{path}:{number}"
        if not words or words[0].startswith("#"):
            continue
        if line[0] in " \t" and columns:
            _add_terms(terms, words, place)
            continue
        if words[1:2] != ["="]:
            raise Fault(f"'{words[0]}' must be followed by ' = '", place)
        terms = columns[words[0]] = []
        _add_terms(terms, words[2:], place)
    return columns


def metrics(columns: Dict[str, Terms]) -> List[str]:
    """What to ask ncu for: each metric once."""
    return list(dict.fromkeys(metric for terms in columns.values()
                              for _, metric in terms))


def _kernel(name: str) -> str:
    """The bare name: "void tile<float, 4>(const float *)" is "tile<float;4>",
    because a comma would begin another cell."""
    name = re.sub("^void ", "", name)
    depth = 0
    for end, letter in enumerate(name):
        if letter == "(" and not depth:
            name = name[:end]
            break
        depth += (letter == "<") - (letter == ">")
    return name.replace(" ", "").replace(",", ";")


def _dimensions(text: str, place: str) -> List[str]:
    """The numbers of "(64, 32, 1)"; in "(1,024, 1, 1)" a comma without a space
    after it belongs to the number."""
    inside = text.strip("()")
    numbers = [one.replace(",", "").strip() for one in
               inside.split(", " if ", " in inside else ",")]
    if (not text.startswith("(") or len(numbers) != 3 or
            not all(one.isdigit() for one in numbers)):
        raise Fault(f"'{text}' is not the size of a grid or block", place)
    return numbers


def _count(text: str, metric: str, place: str) -> int:
    """"1,048,576" or "4096.00" as a number."""
    if not re.fullmatch(r"[0-9][0-9,]*(\.0*)?", text):
        raise Fault(f"{metric} is '{text}', which is not a count", place)
    return int(text.split(".")[0].replace(",", ""))


def _records(path: pathlib.Path) -> Iterator[Tuple[str, List[str]]]:
    """The log's rows with the place of each; the first holds the names."""
    text = path.read_text("utf-8", errors="replace").replace("\r\n", "\n")
    if "ERR_NVGPUCTRPERM" in text:
        raise Skip(NO_PERMISSION)
    lines = text.split("\n")
    start = 0
    while start < len(lines) and not lines[start].startswith('"ID"'):
        if lines[start].startswith("==ERROR=="):
            raise Fault(f"ncu says: {lines[start]}", f"{path}:{start + 1}")
        start += 1
    if start == len(lines):
        raise Fault('no row of names, which begins with "ID": did ncu see a'
                    " kernel?", f"{path}:{text.count(chr(10)) + 1}")
    reader = csv.reader(io.StringIO("\n".join(lines[start:])), strict=True)
    while True:
        place = f"{path}:{start + 1 + reader.line_num}"
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise Fault(f"it cannot be read as CSV: {error}", place) from None
        if record and not record[0].startswith("=="):
            yield place, record


def rows(columns: Dict[str, Terms], path: pathlib.Path) -> List[List[str]]:
    """The table of counts in the log: names, then a row for each launch."""
    records = _records(path)
    place, names = next(records)
    at = {name: i for i, name in enumerate(names)}
    for name in ["Kernel Name", "Grid Size", "Block Size"] + metrics(columns):
        if name not in at:
            raise Fault(f"ncu wrote no column '{name}'; does this GPU have the"
                        " metric? bench/common/ncu_metrics asks for it", place)
    table = [LAUNCH_COLUMNS + list(columns)]
    for place, record in records:
        if len(record) != len(names):
            raise Fault(f"{len(record)} fields, but {len(names)} names", place)
        if not record[0]:
            continue    # the row of units
        row = [_kernel(record[at["Kernel Name"]]), str(len(table))]
        row += _dimensions(record[at["Grid Size"]], place)
        row += _dimensions(record[at["Block Size"]], place)
        for terms in columns.values():
            row.append(str(sum(
                sign * _count(record[at[metric]], metric, place)
                for sign, metric in terms)) if terms else "")
        table.append(row)
    if len(table) == 1:
        raise Fault("no launch in it", place)
    return table
