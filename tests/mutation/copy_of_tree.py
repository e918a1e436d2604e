"""A copy of the tree to mutate, with a build folder of its own.

The copy holds what git would commit now: tracked files and new ones that it
does not ignore. A file is written only where it differs, so that ninja builds
again no more than it has to.

Several mutants at once need a copy each. A build folder names its own place,
in its tests and in what Meson generates, so a second copy would have to be
configured and built again from nothing. Instead the first one is duplicated
when it is built, and each process mounts its duplicate where the first one is.
"""
import ctypes
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict, List

MARK = 'files of the copy'
MADE = 'Made by tests/mutation/mutate; may be deleted with its folder.'

# From <sched.h> and <sys/mount.h>.
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000


def files_of(root: Path) -> List[str]:
    """Tracked and new files, relative to the root."""
    out = subprocess.run(
        ['git', '-C', str(root), 'ls-files', '-z', '--cached', '--others',
         '--exclude-standard'], check=True, stdout=subprocess.PIPE).stdout
    return sorted({name for name in out.decode().split('\0')
                   if name and (root / name).exists()})


class Copy:
    """The copy in `folder`/tree, its build in `folder`/build."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder = root, folder
        self.tree, self.build = folder / 'tree', folder / 'build'
        self.compilers = 0    # that run at once; 0: what ninja thinks best

    def update(self) -> None:
        """Makes the copy equal to the checkout again."""
        mark = self.folder / MARK
        if not mark.exists() and self.folder.exists() \
                and any(self.folder.iterdir()):
            sys.exit(f'error: {self.folder} is not a copy that mutate made; '
                     'name another folder with --work')
        self.folder.mkdir(parents=True, exist_ok=True)
        if not mark.exists():
            mark.write_text(MADE + '\n')
        names = files_of(self.root)
        for name in names:
            source, target = self.root / name, self.tree / name
            if source.is_symlink() or source.is_file():
                self._bring(source, target)
        before = set(mark.read_text().splitlines()[1:])
        for name in before - set(names):
            (self.tree / name).unlink(missing_ok=True)
        mark.write_text('\n'.join([MADE, *names]) + '\n')
        if not (self.tree / '.git').exists():
            subprocess.run(['git', 'init', '-q', str(self.tree)], check=True)

    @staticmethod
    def _bring(source: Path, target: Path) -> None:
        if source.is_symlink():    # it may be one to a folder
            if not target.is_symlink() or (os.readlink(target)
                                           != os.readlink(source)):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.unlink(missing_ok=True)
                target.symlink_to(os.readlink(source))
            return
        if target.exists() and target.read_bytes() == source.read_bytes():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        shutil.copymode(source, target)

    def configure(self) -> None:
        """Meson's first run; later ones are ninja's business."""
        if not (self.build / 'build.ninja').exists():
            run_or_exit(['meson', 'setup', str(self.build), str(self.tree)])

    def introspect(self, what: str) -> List[Dict]:
        """What Meson knows of its tests or targets."""
        run_or_exit(['ninja', '-C', str(self.build), 'build.ninja'])
        out = subprocess.run(['meson', 'introspect', str(self.build),
                              '--' + what], check=True,
                             stdout=subprocess.PIPE).stdout
        return json.loads(out)

    def built(self, outputs: List[str], limit_s: float) -> str:
        """'' when the outputs are built, else ninja's last words."""
        if not outputs:    # ninja would take it for everything
            return ''
        try:
            done = subprocess.run(
                ['ninja', '-C', str(self.build),
                 *([f'-j{self.compilers}'] if self.compilers else []),
                 *outputs],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                timeout=limit_s, check=False)
        except subprocess.TimeoutExpired:
            return f'not built within {limit_s:.0f} s'
        return '' if done.returncode == 0 else done.stdout.decode(
            errors='replace')[-2000:]

    def duplicate(self, nth: int) -> Path:
        """Another folder with the same tree and build, down to the times of
        the files, so that ninja has nothing to do there."""
        folder = self.folder / 'jobs' / str(nth)
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        run_or_exit(['cp', '-a', '--reflink=auto', str(self.tree),
                     str(self.build), str(folder)])
        return folder

    def become(self, folder: Path) -> None:
        """From now on this process, and what it starts, finds the duplicate
        in place of the copy."""
        user, group = os.getuid(), os.getgid()
        libc = ctypes.CDLL(None, use_errno=True)
        called('unshare', libc.unshare(
            CLONE_NEWNS | (CLONE_NEWUSER if user else 0)))
        if user:    # mounting is allowed among one's own users only
            Path('/proc/self/setgroups').write_text('deny')
            Path('/proc/self/uid_map').write_text(f'{user} {user} 1')
            Path('/proc/self/gid_map').write_text(f'{group} {group} 1')
        called('mount', libc.mount(None, b'/', None, MS_REC | MS_PRIVATE,
                                   None))
        called('mount', libc.mount(bytes(folder), bytes(self.folder), None,
                                   MS_BIND, None))

    def remove(self) -> None:
        """Nothing stays."""
        shutil.rmtree(self.folder)


def called(name: str, status: int) -> None:
    """A system call that must not fail."""
    if status != 0:
        number = ctypes.get_errno()
        raise OSError(number, f'{name}: {os.strerror(number)}; '
                      'without --jobs no folder has to be mounted')


def run_or_exit(command: List[str]) -> None:
    """A step that must not fail; its words only when it does."""
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        sys.exit(done.stdout.decode(errors='replace')[-4000:]
                 + f"\nerror: {' '.join(command)} failed")
