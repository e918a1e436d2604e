"""python3 tools/exercise …: see cli.py; python3 tools/exercise grade …: grade.py."""
import pathlib
import sys

if not __package__:
    sys.path[0] = str(pathlib.Path(__file__).resolve().parent.parent)

from exercise import cli, grade  # noqa: E402  after the path is set

if sys.argv[1:2] == ["grade"]:
    sys.exit(grade.main(sys.argv[2:]))
sys.exit(cli.main(sys.argv[1:]))
