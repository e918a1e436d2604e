"""python3 tools/exercise …: see cli.py."""
import pathlib
import sys

if not __package__:
    sys.path[0] = str(pathlib.Path(__file__).resolve().parent.parent)

from exercise.cli import main  # noqa: E402  after the path is set

sys.exit(main(sys.argv[1:]))
