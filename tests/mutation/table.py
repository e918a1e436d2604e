"""The table of a run, and the mutants that change nothing observable."""
import csv
import sys
from pathlib import Path
from typing import Dict, Iterable, List

COLUMNS = ['key', 'file', 'line', 'operator', 'before', 'after', 'verdict',
           'noticed_by', 'seconds']
EQUIVALENT = ['key', 'file', 'after', 'reason']

NOTICED, SURVIVED = 'noticed', 'SURVIVED'
UNBUILT, SAME = 'does not build', 'equivalent'


def rows(path: Path, columns: List[str]) -> List[Dict[str, str]]:
    """The rows of a table, none where there is no file."""
    if not path.exists():
        return []
    with path.open(newline='') as file:
        lines = csv.reader((l for l in file if not l.startswith('#')),
                           delimiter='\t', quoting=csv.QUOTE_NONE)
        head = next(lines, [])
        if head != columns:
            sys.exit(f"error: {path}: the columns must be "
                     f"{', '.join(columns)}")
        found = []
        for row in lines:
            if len(row) != len(columns):
                sys.exit(f'error: {path}: a row has {len(row)} cells, '
                         f"must have {len(columns)}: {' '.join(row)}")
            found.append(dict(zip(columns, row)))
    return found


def append(path: Path, row: Dict[str, str], head: Iterable[str]) -> None:
    """One more row; a new table begins with the lines of the head."""
    new = not path.exists()
    with path.open('a', newline='') as file:
        if new:
            file.writelines(f'# {line}\n' for line in head)
            file.write('\t'.join(COLUMNS) + '\n')
        file.write('\t'.join(row[c].replace('\t', ' ') for c in COLUMNS)
                   + '\n')


def equivalents(path: Path) -> Dict[str, str]:
    """Why a mutant cannot be noticed, by its key."""
    reasons = {}
    for row in rows(path, EQUIVALENT):
        if len(row['reason'].split()) < 4:
            sys.exit(f"error: {path}: {row['key']} needs a reason in a "
                     'sentence')
        reasons[row['key']] = row['reason']
    return reasons


def summary(done: List[Dict[str, str]]) -> str:
    """Counts by folder, and the share that was noticed."""
    folders: Dict[str, Dict[str, int]] = {}
    for row in done:
        parts = row['file'].split('/')
        counts = folders.setdefault('/'.join(parts[:2]), {})
        counts[row['verdict']] = counts.get(row['verdict'], 0) + 1
    lines = []
    total: Dict[str, int] = {}
    for name, counts in sorted(folders.items()):
        lines.append(describe(name, counts))
        for verdict, n in counts.items():
            total[verdict] = total.get(verdict, 0) + n
    lines.append(describe('all', total))
    return '\n'.join(lines)


def describe(name: str, counts: Dict[str, int]) -> str:
    """One line of the summary."""
    noticed, survived = counts.get(NOTICED, 0), counts.get(SURVIVED, 0)
    share = 100 * noticed / (noticed + survived) if noticed + survived else 0
    return (f'{name:14} {noticed + survived:4} mutants, {noticed} noticed '
            f'({share:.0f} %), {survived} survived; '
            f'{counts.get(SAME, 0)} equivalent, '
            f'{counts.get(UNBUILT, 0)} do not build')
