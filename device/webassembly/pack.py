"""Packs a WebAssembly module as a script that a page opened from a disk can
load: gzip in base64, handed to runner.device, which the page has.

    pack.py MODULE SCRIPT
"""
import base64
import gzip
import sys

NOTICE = """\
// The software device of Warp by Warp as WebAssembly, packed. It
// contains parts of wasi-libc and of LLVM's compiler-rt (Apache 2.0 with LLVM
// exceptions; musl: MIT).
"""


def main() -> None:
    module, script = sys.argv[1:]
    with open(module, "rb") as file:
        packed = gzip.compress(file.read(), 9, mtime=0)
    with open(script, "w", encoding="ascii") as file:
        file.write(NOTICE)
        file.write(f'runner.device("{base64.b64encode(packed).decode()}");\n')


main()
