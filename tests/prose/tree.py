"""Which files hold prose of this project."""
import pathlib
import shutil
import subprocess
from typing import Dict, List, Optional

import extract

# Not ours, or made by a program, or test data that is wrong on purpose.
SKIPPED = ("book/js/vendor/", "book/stepper/vendor/", "build", "tests/prose/words.tsv",
           ".git/", "node_modules/", "code/constant_texture/lines.h", "tests/prose/test_", "tests/book/fixture/", "tests/mutation/table.tsv", "LICENSE")


def files(root: pathlib.Path) -> List[str]:
    """Tracked files, and new ones that git would not ignore; in a copy without
    git, or where it is not installed, all files."""
    names = _known_to_git(root)
    if names is None:
        names = [str(path.relative_to(root)) for path in root.rglob("*")]
    return sorted({name for name in names if name and (root / name).is_file()
                   and not (root / name).is_symlink()
                   and not name.startswith(SKIPPED)
                   and not _is_test_data(name)})


def _known_to_git(root: pathlib.Path) -> Optional[List[str]]:
    git = shutil.which("git")
    if git is None:
        return None
    ran = subprocess.run([git, "-C", str(root), "ls-files", "-z", "--cached",
                          "--others", "--exclude-standard"],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return ran.stdout.decode().split("\0") if ran.returncode == 0 else None


def _is_test_data(name: str) -> bool:
    """Markdown below tests/ is input and expected output of filters, except
    for manuals."""
    return name.startswith("tests/") and (
        name.endswith((".md", ".css")) and not name.endswith("README.md"))


def texts(root: pathlib.Path) -> Dict[str, str]:
    """The masked prose of all files. What a test hands to a program as text
    is data, so of tests only the comments count."""
    read = {}
    for name in files(root):
        try:
            text = extract.prose(root / name, not name.startswith("tests/"))
        except (SyntaxError, ValueError) as error:
            raise SystemExit(f"{name}: cannot be read: {error}")
        if text is not None:
            read[name] = text
    return read
