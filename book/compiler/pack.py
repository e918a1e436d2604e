#!/usr/bin/env python3
"""Packs parts of the page's compiler as scripts that a page opened from a disk
can load: gzip in base64, each handed to compiler.part.

    pack.py clang FOLDER OUTPUT         FOLDER: gen/ of the npm package @yowasp/clang
    pack.py device IR_MODULE HEADERS OUTPUT
                                        softdevice ir and the folder of its headers
"""
import base64
import gzip
import json
import sys
import tarfile
from pathlib import Path
from typing import Dict, Iterator, Tuple

NOTICE = {
    'clang': """\
// clang as WebAssembly, from the npm package @yowasp/clang, packed: LLVM and libc++
// (Apache 2.0 with LLVM exceptions), wasi-libc (MIT and others), YoWASP (ISC).
""",
    'device': """\
// softdevice ir of Warp by Warp as WebAssembly, and its headers, packed. The module
// contains parts of wasi-libc and of LLVM's compiler-rt (Apache 2.0 with LLVM
// exceptions; musl: MIT).
"""}

# Of the package's own headers, those that device code has a use for.
HEADERS = ('include/c++/v1/', 'include/wasm32-wasip1/')
PLAIN = ('std', '__std', 'float', '__float', 'limits', 'inttypes', 'iso646')


def _is_wanted(name: str) -> bool:
    if name.startswith(HEADERS):
        return '__cxx03/' not in name
    folder, _, file = name.rpartition('/')
    return folder == 'include' and file.startswith(PLAIN)


def _resources(path: Path) -> bytes:
    """The package's archive with fewer headers. Its blocks are copied as they are:
    the package wants names of folders without a slash, and Python adds one."""
    data = path.read_bytes()
    with tarfile.open(path) as archive:
        kept = [data[member.offset:member.offset_data + -(-member.size // 512) * 512]
                for member in archive if member.isdir() or _is_wanted(member.name)]
    return b''.join(kept) + bytes(1024)


def clang_parts(folder: Path) -> Iterator[Tuple[str, bytes]]:
    yield 'bundle.js', (folder / 'bundle.js').read_bytes()
    for module in sorted(folder.glob('*.wasm')):
        yield module.name, module.read_bytes()
    yield 'llvm-resources.tar', _resources(folder / 'llvm-resources.tar')


def headers_of(folder: Path) -> Dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text(encoding='utf-8')
            for path in sorted(folder.rglob('*'))
            if path.is_file() and not path.name.startswith(('meson', '.'))
            and path.suffix in ('', '.h')}


def device_parts(module: Path, headers: Path) -> Iterator[Tuple[str, bytes]]:
    yield 'ir.wasm', module.read_bytes()
    yield 'headers.json', json.dumps(headers_of(headers)).encode()


def main() -> None:
    kind, *paths, output = sys.argv[1:]
    parts = {'clang': clang_parts, 'device': device_parts}[kind]
    with open(output, 'w', encoding='ascii') as file:
        file.write(NOTICE[kind])
        for name, data in parts(*map(Path, paths)):
            packed = base64.b64encode(gzip.compress(data, 6, mtime=0)).decode()
            file.write(f'compiler.part("{name}", "{packed}");\n')


main()
