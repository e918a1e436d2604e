#!/usr/bin/env python3
"""Writes the linker's version script of libsoftdevice.so.

The functions it exports begin with softdevice_. Their version is a checksum of
the headers that the device's libraries share: one that was built with other
headers asks for another version, and the loader says so.

Usage: exports.py DEVICE_FOLDER MAP DEPFILE
"""

import hashlib
import sys
from pathlib import Path

ROOMS = ('core', 'memory', 'support')


def main() -> None:
    device, version_script, depfile = map(Path, sys.argv[1:])
    headers = sorted(file for room in ROOMS
                     for end in ('*.h', '*.def')
                     for file in (device / room).rglob(end))
    headers.append(device / 'check/operand.h')
    checksum = hashlib.sha256()
    for header in headers:
        checksum.update(header.read_bytes())
    version_script.write_text(
        f'softdevice_{checksum.hexdigest()[:12]} {{\n'
        '  global: softdevice_*;\n  local: *;\n};\n', encoding='utf-8')
    depfile.write_text(
        f'{version_script}: ' + ' '.join(map(str, headers)) + '\n',
        encoding='utf-8')


if __name__ == '__main__':
    main()
