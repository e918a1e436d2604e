#!/usr/bin/env python3
"""The stepped listings: code/<slug>/steps/<name>.step, their PTX, their pages.

    stepper make ROOT NVCC [SLUG[/NAME]…]
                        compile what the scenes need, and keep it beside them;
                        ./course steps does this
    stepper check ROOT NVCC SLUG/NAME [KEPT]
                        the same, compared with what is there; nvcc's output
                        is kept in the folder KEPT until its input changes
    stepper book ROOT LAUNCH_RUN SLUG/NAME FOLDER DEPFILE
                        record the scene, and write into FOLDER what the page
                        loads: <slug>-<name>.js, <slug>-<name>.run.js; and for
                        figures .json, .trace.csv, .access.csv

Each set of choices of a scene's variants, and each of its breaks, is a text of
PTX, cut down to its kernel; all of them are in <name>.ptx.gz. scene.py says what a
scene is made of.
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import pages                    # noqa: E402  after the path is set
import ptx                      # noqa: E402
from scene import Fault         # noqa: E402


def main() -> int:
    commands = {"make": ptx.make, "check": ptx.check, "book": pages.write}
    if len(sys.argv) < 3 or sys.argv[1] not in commands:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        return commands[sys.argv[1]](sys.argv[2:])
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 1


sys.exit(main())
