#!/usr/bin/env python3
"""Are all C and CUDA files as clang-format writes them?

Usage: check_format.py ROOT [FILE...]. Without files: all of the project's. The
style is in ROOT/.clang-format. Prints each file that differs, with the command
that formats it, and ends with status 1 if there is one.

Versions of clang-format disagree about details, so only the one of Debian 12
decides. Where it isn't installed, the status is 77, which Meson calls a skip,
and a line says so.
"""

import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import Iterator, List, Optional

VERSION = 14
# Not code/: a listing is laid out for the page that shows it, its outputs and
# results name its lines, and reformatting it would outdate them.
FOLDERS = ('bench', 'book', 'device', 'figures', 'tests', 'tools')
SUFFIXES = ('.c', '.h', '.cu', '.cuh')
# Not formatted, with the reason. Patterns, as fnmatch has them.
EXCEPTIONS = {
    'tools/skeleton/*': 'becomes a listing',
    'tests/book/*': 'what the filters are given, good style or bad',
    'tests/device/check/asserts.cu': 'its expected report names lines',
    'tests/device/check/broken.cu': 'its expected report names lines',
    'tests/device/check/host.cu': 'its expected report names lines',
    # clang-format takes LOCAL(name)(arguments) for a macro and a block.
    'device/cublas/level2_template.h': 'calls functions by made-up names',
    'device/cublas/level3_template.h': 'calls functions by made-up names',
    'tests/device/cublas/results.h': 'calls functions by made-up names',
}


def clang_format() -> Optional[str]:
    """The program of the wanted version."""
    for name in (f'clang-format-{VERSION}', 'clang-format'):
        program = shutil.which(name)
        if program is None:
            continue
        said = subprocess.run([program, '--version'], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        version = re.search(r'version (\d+)', said)
        if version and int(version.group(1)) == VERSION:
            return program
    return None


def files_of(root: Path) -> Iterator[Path]:
    """The files that have to be formatted."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob('*')):
            name = path.relative_to(root).as_posix()
            if path.suffix in SUFFIXES and not any(
                    fnmatch(name, pattern) for pattern in EXCEPTIONS):
                yield path


def wrong_files(program: str, root: Path, paths: List[Path]) -> List[Path]:
    """Those that clang-format would change. One process reads many files,
    since loading it takes longer than formatting one.
    """
    said = subprocess.run(
        [program, f'--style=file:{root / ".clang-format"}', '--dry-run',
         '-Werror', '--ferror-limit=1', *map(str, paths)],
        check=False, text=True, stderr=subprocess.PIPE)
    named = set(re.findall(r'^(.+?):\d+:\d+: error: code should be',
                           said.stderr, re.MULTILINE))
    if said.returncode != 0 and not named:
        raise RuntimeError(said.stderr)
    return [path for path in paths if str(path) in named]


def main(arguments: List[str]) -> int:
    root = Path(arguments[0]).resolve()
    paths = [Path(name) for name in arguments[1:]] or list(files_of(root))
    program = clang_format()
    if program is None:
        print(f'skipped: there is no clang-format {VERSION} here')
        return 77
    wrong = wrong_files(program, root, paths)
    for path in wrong:
        print(f'{path}:1: not formatted; run: {program} -i {path}')
    print(f'{len(paths)} files, {len(wrong)} to be formatted')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
