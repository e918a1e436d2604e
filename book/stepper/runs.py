"""Scenes as launch_run runs them, with the PTX that is kept next to them."""
import gzip
import hashlib
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Dict, Iterable, Tuple

from scene import Fault, Scene, key_of, launch_of

_HEAD = "// PTX of "


def packed(texts: Dict[str, str]) -> bytes:
    """All PTX of a scene, by key. Its variants differ in a few lines, so together
    they take little more than one of them. `gzip -dc` shows them."""
    text = "".join(f"{_HEAD}{key}\n{ptx}" for key, ptx in sorted(texts.items()))
    return gzip.compress(text.encode(), mtime=0)


def unpacked(path: Path) -> Dict[str, str]:
    """The same back; nothing where there is no such file."""
    if not path.is_file():
        return {}
    text = gzip.decompress(path.read_bytes()).decode()
    parts = re.split(f"^{_HEAD}(.*)\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def checksum(ptx: str) -> str:
    return hashlib.sha256(ptx.encode()).hexdigest()[:16]


def run(launch_run: str, scene: Scene, texts: Dict[str, str],
        settings: Iterable[str], *options: str,
        statuses: Tuple[int, ...] = (0,)) -> str:
    """What launch_run prints, if it ends with one of these statuses. Its complaints
    are about the scene's lines."""
    settings = tuple(settings)
    key = key_of(scene, settings)
    if key not in texts:
        raise Fault(f"{scene.path}:1: error: there is no PTX of {key}; ./course"
                    f" steps {scene.name} makes it")
    lines = launch_of(scene, settings, checksum(texts[key]))
    with tempfile.TemporaryDirectory() as folder:
        launch = Path(folder, "launch")
        launch.write_text("".join(text + "\n" for _, text in lines), "utf-8")
        Path(folder, checksum(texts[key]) + ".ptx").write_text(texts[key],
                                                               "utf-8")
        done = subprocess.run([launch_run, *options, str(launch)], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False)
        if done.returncode not in statuses:
            raise Fault(re.sub(
                "^" + re.escape(str(launch)) + r":(\d+):",
                lambda found: f"{scene.path}:{lines[int(found[1]) - 1][0]}:",
                done.stderr.rstrip(), flags=re.M))
    return done.stdout


def viewed(launch_run: str, scene: Scene, texts: Dict[str, str],
           settings: Iterable[str], *options: str) -> str:
    """Of all blocks, and up to where a check or a fault ends the launch: as far as
    a recording goes."""
    return run(launch_run, scene, texts, settings, "--block", "all", "--check",
               "memory,init,race,sync", *options, statuses=(0, 1))


def recorded(launch_run: str, scene: Scene, texts: Dict[str, str],
             settings: Iterable[str] = (), *options: str) -> str:
    return run(launch_run, scene, texts, settings, "--recording", "-", *options)
