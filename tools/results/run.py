"""Running a listing's program for one experiment."""
import os
import pathlib
import subprocess
import sys
from typing import Callable, Dict, List, Optional

from . import here
from .errors import Fault, Interrupted, Skip
from .experiments import Experiment, source_of


class Run:
    """One experiment on one device: where its parts are, and how its program
    and the tools that watch it are called."""

    def __init__(self, root: pathlib.Path, build: pathlib.Path,
                 one: Experiment, machine: str, work: pathlib.Path, nvcc: str,
                 tell: Callable[[str], object] = sys.stderr.write):
        self.root, self.build, self.one, self.work = root, build, one, work
        self.machine, self.nvcc = machine, nvcc
        self.on_software = machine == "software"
        self.binary = str(build / one.target)
        self.source = source_of(root, one.slug, one.program)
        self.arguments = list(one.arguments)
        self.tell = tell    # what programs write to standard error

    def environment(self, **more: str) -> Dict[str, str]:
        environment = dict(os.environ)
        if self.on_software:
            environment["LD_LIBRARY_PATH"] = str(self.build / "device")
            environment.update(setting.split("=", 1)
                               for setting in self.one.settings)
        else:
            environment.update(here.gpu_environment())
        environment.update(more)
        return environment

    def fault(self, message: str) -> Fault:
        return Fault(message, self.one.place)

    def need(self, name: str, called: str = "") -> str:
        """The path of a tool of the CUDA Toolkit."""
        path = here.find_program(name)
        if path is None:
            raise Skip(f"{called or name} was not found")
        return path

    def output(self, command: List[str],
               environment: Optional[Dict[str, str]] = None) -> str:
        """What the command prints. It must succeed; 77 means that it cannot
        run here, and its last line why."""
        ran = subprocess.run(
            command, env=environment or self.environment(), close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        printed, errors = (text.decode("utf-8", errors="replace")
                           for text in (ran.stdout, ran.stderr))
        self.tell(errors)
        if ran.returncode == 77:
            said = (printed + errors).strip("\n").split("\n")
            raise Skip(said[-1])
        if ran.returncode < 0 and stop_requested():
            raise Interrupted
        if ran.returncode:
            command_line = " ".join([self.one.program] + self.arguments)
            raise self.fault(f"'{command_line}' ended with exit status"
                             f" {ran.returncode}")
        return printed

    def program(self, **environment: str) -> str:
        return self.output([self.binary] + self.arguments,
                           self.environment(**environment))

    def compiled(self, command: List[str]) -> str:
        """Standard error of a compiler, which must succeed."""
        said, status = here.said(command)
        if status:
            self.tell(said)
            raise self.fault("nvcc failed")
        return said

    def versions(self) -> List[List[str]]:
        """The program's arguments for each version that it lists; or the
        arguments as they are, where they name a version."""
        if "--version" in self.arguments:
            return [self.arguments]
        listed = here_lines([self.binary, "--list"], self.environment())
        if not listed:
            raise self.fault(f"'{self.one.program} --list' names no version")
        return [["--version", line.split()[0]] + self.arguments
                for line in listed]


def here_lines(command: List[str], environment: Dict[str, str]) -> List[str]:
    said, _ = here.said(command, subprocess.DEVNULL, env=environment)
    return [line for line in said.split("\n") if line.split()]


_stop: List[bool] = []


def request_stop(*_: object) -> None:
    """A signal's handler: the experiment that runs is finished, and the next
    one is not begun."""
    _stop.append(True)


def stop_requested() -> bool:
    return bool(_stop)
