#!/usr/bin/env python3
"""Rules of the software device's source tree that no compiler checks.

A room, that is a folder of device/, includes only the rooms that the table in
device/README.md, section "Inside", lets it include. Host memory comes from
support/host_memory.h alone. A table (*.def) gives each of its macros a default
and undefines it at its end, so including it takes no more than defining the
macros that are needed; each of its rows begins a line, where a search finds it. And each file says at its head what it is for.

Usage: rules.py DEVICE_FOLDER. Prints each violation as FILE:LINE: and ends
with status 1 if there is one.
"""

import re
import sys
from pathlib import Path
from typing import Dict, Iterator, List

INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')
ALLOCATION = re.compile(
    r'\b(malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign'
    r'|strdup|strndup|asprintf|vasprintf)\s*\(')
HEAD = re.compile(r'(#define _\w+_SOURCE\b.*\n)*/\*')
COMMENT = re.compile(r'/\*.*?\*/', re.DOTALL)


ROOM = re.compile(r'\| `(\w+)/` \|.*\|([^|]*)\|')


def rooms_of(readme: str) -> Dict[str, List[str]]:
    """What each room may include: rooms, or single headers of them."""
    return {row.group(1): re.findall(r'`([^`]+)`', row.group(2))
            for row in map(ROOM.match, readme.splitlines()) if row}


def without_comments(text: str) -> str:
    """The same lines, with spaces in place of comments."""
    return COMMENT.sub(lambda c: re.sub(r'[^\n]', ' ', c.group()), text)


def target_of(device: Path, source: Path, name: str) -> str:
    """The included file, relative to the device's folder."""
    for folder in (source.parent, device):
        found = (folder / name).resolve()
        if found.is_file() and device in found.parents:
            return found.relative_to(device).as_posix()
    return ''


def complaint(device: Path, source: Path, line: str, known: List[str]) -> str:
    """What is wrong with one line, or nothing."""
    room = source.relative_to(device).parts[0]
    included = INCLUDE.match(line)
    if included:
        target = target_of(device, source, included.group(1))
        if target and not {target, target.split('/')[0]} & {room, *known}:
            return (f'{room}/ may not include {target}. It may include '
                    f'{", ".join(known) or "no other room"}: see the table in '
                    'device/README.md, section "Inside"')
    allocated = ALLOCATION.search(line)
    # What include/ declares is for programs and their kernels.
    if allocated and room not in ('support', 'include'):
        return (f'{allocated.group(1)}: host memory comes from the functions in '
                'device/support/host_memory.h, which say when there is none left')
    return ''


def table_complaint(text: str) -> str:
    """What is wrong with one table, or nothing."""
    defined = set(re.findall(r'^#define (\w+)', text, re.M))
    ended = set(re.findall(r'^#undef (\w+)$', text, re.M))
    used = set(re.findall(r'^([A-Z]\w+)\(', text, re.M))
    for names, lack in ((used - defined, 'no default'),
                        (defined - ended, 'no #undef at the end')):
        if names:
            return f'{", ".join(sorted(names))} has {lack}'
    late = re.search(r'^(?! *#).*\) *(' + '|'.join(sorted(used)) + r')\(', text,
                     re.M) if used else None
    if late:
        return f'a row {late.group(1)} begins in mid-line; give it a line'
    return ''


def violations(device: Path) -> Iterator[str]:
    """Everything that breaks a rule."""
    readme = device / 'README.md'
    rooms = rooms_of(readme.read_text(encoding='utf-8'))
    for room in sorted(rooms):
        if not (device / room).is_dir():
            yield f'{readme}:1: there is no room {room}/'
    for source in sorted(device.rglob('*.[ch]')):
        room = source.relative_to(device).parts[0]
        if room not in rooms:
            yield (f'{source}:1: device/README.md doesn\'t say what {room}/ may '
                   'include: add a row to the table in its section "Inside"')
            continue
        text = source.read_text(encoding='utf-8')
        if not HEAD.match(text):
            yield f'{source}:1: no comment says what this file is for'
        text = without_comments(text)
        for number, line in enumerate(text.splitlines(), 1):
            wrong = complaint(device, source, line, rooms[room])
            if wrong:
                yield f'{source}:{number}: {wrong}'
    for table in sorted(device.rglob('*.def')):
        wrong = table_complaint(
            without_comments(table.read_text(encoding='utf-8')))
        if wrong:
            yield f'{table}:1: {wrong}'


def main(arguments: List[str]) -> int:
    found = list(violations(Path(arguments[0]).resolve()))
    print('\n'.join(found) or 'every include, allocation, table and head is as it should be')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
