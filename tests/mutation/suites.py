"""The tests that guard a folder, and how they are run: cheapest first, two or
more at once, until the first one fails."""
import os
import resource
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Set, Tuple

DEVICE = ['count', 'ptx', 'matrix', 'wgmma', 'order', 'check', 'texture',
          'rounding', 'arithmetic', 'runtime', 'fuzz', 'driver', 'intrinsics',
          'program', 'launch', 'cublas', 'cublaslt']


def first(*suites: str) -> List[str]:
    """The device's suites, these before the others."""
    return [*suites, *(s for s in DEVICE if s not in suites)]


# Folder or file, the suites that guard it in the order in which they are run,
# and the suite that their tests must belong to as well ('': none).
GUARDS: Dict[str, Tuple[str, List[str]]] = {
    'device/exec': ('device', DEVICE),
    'device/count': ('device', DEVICE),
    'device/check': ('device', first('check')),
    'device/core': ('device', first('runtime', 'driver', 'check')),
    'device/runtime': ('device', first('runtime')),
    'device/driver': ('device', first('driver')),
    'device/cublas': ('device', first('cublas', 'cublaslt')),
    'device/cublaslt': ('device', first('cublaslt', 'cublas')),
    'device/cc': ('device', ['clang']),
    'device/include': ('device', ['clang']),
    'device/package': ('device', ['package']),
    'device/linked': ('device', first('runtime', 'program')),
    'device/ptx': ('device', first('ptx', 'order', 'fuzz')),
    'device/report': ('device', first('runtime')),
    'device/report/recording.c': ('', ['steps', 'webassembly']),
    'device/tools': ('device', first('launch', 'ptx')),
    'device/tools/record.c': ('', ['steps', 'launch']),
    'device/support/setting.c': ('device', first('house', 'runtime')),
    'device/support/sha256.c': ('device', first('launch')),
    'device/ptx/cut.c': ('device', first('launch', 'ptx')),
    'device/report/launch.c': ('device', first('launch', 'runtime')),
    'device/report/contents.c': ('device', first('launch', 'runtime')),
    'device/support/rounding.c': ('device', first('rounding', 'arithmetic')),
    'device/webassembly': ('device', ['webassembly']),
    'device': ('device', DEVICE),
    'book/filters': ('book', ['filter']),
}

SKIPPED = 77
MEMORY = 6 << 30


def guards_of(path: str) -> Tuple[str, List[str]]:
    """The longest entry of GUARDS that is the file or holds it."""
    folders = [f for f in GUARDS if (path + '/').startswith(f + '/')]
    if not folders:
        raise KeyError(path)
    return GUARDS[max(folders, key=len)]


@dataclass
class Test:
    """One of Meson's tests."""
    name: str
    command: List[str]
    environment: Dict[str, str]
    folder: str
    needs: List[str]           # targets, by Meson's id
    rank: int                  # of its suite
    seconds: float = 1.0       # on the tree as it is


def tests_for(path: str, described: List[Dict], build: Path,
              only: str = '') -> List[Test]:
    """The guards of a file among Meson's tests, or only some suites."""
    room, suites = guards_of(path)
    if only:
        suites = [s for s in suites if s in only.split(',')]
    tests: List[Test] = []
    for test in described:
        own = {s.split(':', 1)[-1] for s in test['suite']}
        if (not room or room in own) and own & set(suites):
            rank = min(suites.index(s) for s in own if s in suites)
            tests.append(Test(test['name'], test['cmd'], test['env'],
                              test['workdir'] or str(build),
                              test['depends'], rank))
    return tests


def outputs_of(tests: List[Test], targets: List[Dict], build: Path
               ) -> List[str]:
    """What ninja has to build for these tests: what they depend on, and every
    built file that their commands name."""
    by_id = {t['id']: t['filename'] for t in targets}
    wanted: Set[str] = set()
    named = {a for test in tests for a in test.command}
    for test in tests:
        for need in test.needs:
            wanted.update(by_id.get(need, []))
    for files in by_id.values():
        wanted.update(f for f in files if f in named)
    prefix = str(build.resolve()) + os.sep
    return sorted(f[len(prefix):] for f in wanted if f.startswith(prefix))


def limit(seconds: float) -> None:
    """In the child: no endless loop, no memory of others, its own group."""
    os.setsid()
    cpu = int(20 + 10 * seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def outcome(test: Test, stop: threading.Event) -> str:
    """'passed', 'skipped', 'failed', 'timeout', or 'stopped'."""
    environment = dict(os.environ, **test.environment)
    with subprocess.Popen(
            test.command, cwd=test.folder, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=lambda: limit(test.seconds)) as child:
        status, word = wait(child, 60 + 20 * test.seconds, stop)
        end_group(child)
    if word:
        return word
    return {0: 'passed', SKIPPED: 'skipped',
            -signal.SIGXCPU: 'timeout'}.get(status, 'failed')


def wait(child: 'subprocess.Popen[bytes]', limit_s: float,
         stop: threading.Event) -> Tuple[int, str]:
    """The status, or why nobody waited for it."""
    end = time.monotonic() + limit_s
    while True:
        try:
            return child.wait(0.2), ''
        except subprocess.TimeoutExpired:
            if stop.is_set():
                return 0, 'stopped'
            if time.monotonic() > end:
                return 0, 'timeout'


def end_group(child: 'subprocess.Popen[bytes]') -> None:
    """What the test started goes with it."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Runner:
    """Runs tests until one fails; remembers which failed for which file."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.noticed: Dict[str, List[str]] = {}

    def first_failure(self, path: str, tests: List[Test]) -> str:
        """The name of a test that fails, '' when none does. First those that
        noticed another mutant of the file or have its name."""
        known = self.noticed.get(path, [])
        subject = Path(path).stem
        queue = sorted(tests, key=lambda t: (
            known.index(t.name) if t.name in known else len(known),
            subject not in t.name, t.rank, t.seconds))
        found: List[Tuple[str, str]] = []
        stop, lock = threading.Event(), threading.Lock()

        def work() -> None:
            while not stop.is_set():
                with lock:
                    if not queue:
                        return
                    test = queue.pop(0)
                result = outcome(test, stop)
                if result in ('failed', 'timeout'):
                    with lock:
                        found.append((test.name, result))
                    stop.set()
        self._run(work, stop)
        if not found:
            return ''
        name, how = found[0]
        self.noticed.setdefault(path, []).insert(0, name)
        return name if how == 'failed' else f'{name} (no end)'

    def measured(self, tests: List[Test]) -> List[Test]:
        """The tests that pass on the tree as it is, with their durations."""
        passed: List[Test] = []
        queue = list(tests)
        lock = threading.Lock()
        stop = threading.Event()

        def work() -> None:
            while True:
                with lock:
                    if not queue:
                        return
                    test = queue.pop(0)
                test.seconds = 60
                start = time.monotonic()
                result = outcome(test, stop)
                test.seconds = time.monotonic() - start
                with lock:
                    if result == 'passed':
                        passed.append(test)
                    else:
                        print(f'left out, {result} without a mutant: '
                              f'{test.name}', flush=True)
        self._run(work, stop)
        return passed

    def _run(self, work, stop: threading.Event) -> None:
        threads = [threading.Thread(target=work)
                   for _ in range(self.workers)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except BaseException:
            stop.set()
            for thread in threads:
                thread.join()
            raise
