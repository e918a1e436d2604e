"""Several mutants at once: which ones, and the processes that judge them."""
import multiprocessing
import os
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

import table
from candidates import Mutant


class Choice:
    """The mutants of one group that a run takes: as many as are wanted, not
    counting those that do not build. Which they are does not depend on the
    order in which the verdicts come in."""

    def __init__(self, mutants: List[Mutant], count: int,
                 known: Callable[[Mutant], Optional[Dict[str, str]]],
                 late: Callable[[], bool] = lambda: False) -> None:
        self.queue = list(mutants)
        self.missing = len(mutants) if count < 0 else count
        self.known, self.late = known, late
        self.rows: List[Dict[str, str]] = []

    def next(self) -> Optional[Mutant]:
        """The next one to be judged, as far as one can say by now."""
        while self.queue and self.missing > 0:
            row = self.known(self.queue[0])
            if row is None and self.late():
                return None
            mutant = self.queue.pop(0)
            self.missing -= 1
            if row is None:
                return mutant
            self.add(row)
        return None

    def left(self) -> int:
        """How many were wanted and not begun with."""
        return min(len(self.queue), self.missing)

    def add(self, row: Dict[str, str]) -> None:
        """What became of one."""
        self.rows.append(row)
        if row['verdict'] not in (table.NOTICED, table.SURVIVED):
            self.missing += 1


class Jobs:
    """Processes that judge, each in a duplicate of the copy."""

    def __init__(self, run: Any) -> None:
        self.run = run
        share = max(1, (os.cpu_count() or 1) // run.options.jobs)
        run.runner.workers = min(run.runner.workers, share)
        run.copy.compilers = share + 1

    def work(self, folder: Path, pipe: Connection) -> None:
        """In a process of its own, until there is nothing left to judge."""
        self.run.copy.become(folder)
        while True:
            mutant = pipe.recv()
            if mutant is None:
                return
            pipe.send(self.run.judge(mutant))

    def judge_all(self, choices: List[Choice]) -> None:
        """Until every choice has what it wants."""
        print(f'{self.run.options.jobs} duplicates of the copy …', flush=True)
        fork = multiprocessing.get_context('fork')
        pipes: List[Connection] = []
        processes: List[multiprocessing.process.BaseProcess] = []
        try:
            for nth in range(self.run.options.jobs):
                folder = self.run.copy.duplicate(nth)
                mine, its = fork.Pipe()
                process = fork.Process(target=self.work, args=(folder, its))
                process.start()
                its.close()
                pipes.append(mine)
                processes.append(process)
            self.hand_out(choices, pipes)
            for process in processes:
                process.join()
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.join()

    def hand_out(self, choices: List[Choice], pipes: List[Connection]) -> None:
        """A mutant to every process that has none, until none is left."""
        busy: Dict[Connection, Choice] = {}
        idle = list(pipes)
        while True:
            for choice in choices:
                mutant = choice.next() if idle else None
                while mutant:
                    pipe = idle.pop(0)
                    pipe.send(mutant)
                    busy[pipe] = choice
                    mutant = choice.next() if idle else None
            if not busy:
                break
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                row = pipe.recv()
                self.run.keep(row)
                busy.pop(pipe).add(row)
                idle.append(pipe)
        for pipe in pipes:
            pipe.send(None)
