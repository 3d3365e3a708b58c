"""Runs on several ranks: a rank is killed at a chosen moment, is stopped for a while, or its calls
fail.

Promised: all ranks end, not with 0 unless the run was over, with one message; going on on the same
number of ranks leaves, bit for bit, the files of a run to which nothing happened. Ranks that were
stopped for less than the limit go on.
Tried: kill -9 while a rank starts, while each kind of file is written, within steps and at the end;
SIGSTOP and SIGCONT; each kind of call on the files of the run failing on one rank alone.
"""
import contextlib
import errno
import os
import random
import signal
import time

from cases import SCHEMES, settings, write_case
from common import remove, run_trial, wait_until
from contents import (difference, has_checkpoint, leftovers, look, run_content,
                      without_older_checkpoints)
from interposer import LONG, Interposer
from ranks import (POINTS, all_ranks_of, ends_soon, is_alive, require_mpi, run_on,
                   started_on)

MOMENTS = {"start": None, "checkpoint": "checkpoint_*.part", "snapshot": "fields_*.part",
           "list": "*.xdmf.part", "step": "timeseries.csv", "end": None}
KINDS = ("open", "openr", "write", "fsync", "rename", "close", "pread", "stat", "opendir")
PLACES = (1, 2, 3, 5, 10, 30, 100)
ERRORS = (errno.EIO, errno.ESTALE, errno.ENOSPC, errno.EMFILE)
STOPPED = 6  # s, less than the limit


class Ranks:
    """Cases of both schemes on some ranks, and how runs of them end to which nothing happens."""

    def __init__(self, trial, steps):
        self.trial, self.steps = trial, steps
        self.directory = trial.folder / "run"
        self.interposer = Interposer(trial, self.directory)
        self.known = {}

    def case(self, scheme, ranks):
        """The case, what its folder holds at the end, and how long it takes [s]."""
        if (scheme, ranks) not in self.known:
            case = write_case(self.trial.folder / f"{scheme}.yaml", scheme, self.steps, 1)
            folder, begin = self.trial.fresh("whole"), time.monotonic()
            result = run_on(ranks, "run", case, "-o", folder, *settings(POINTS), timeout=120)
            if result.code != 0:
                raise RuntimeError(f"the run to compare with ended with {result}")
            self.known[scheme, ranks] = (case, run_content(folder), time.monotonic() - begin)
        return self.known[scheme, ranks]

    def started(self, scheme, ranks, **faults):
        remove(self.directory)
        case = self.case(scheme, ranks)[0]
        return started_on(ranks, "run", case, "-o", self.directory, *settings(POINTS), **faults)

    def is_over(self):
        return (self.directory / f"checkpoint_{self.steps:08d}.h5").exists()

    def differs(self, scheme, ranks):
        wanted = self.case(scheme, ranks)[1]
        return difference(without_older_checkpoints(run_content(self.directory)),
                          without_older_checkpoints(wanted))

    def go_on(self, scheme, ranks, words):
        if not self.directory.exists():
            return
        problem, kind = look(self.directory)
        if not problem:
            arguments = ("resume", self.directory)
            if not has_checkpoint(self.directory):
                arguments = ("run", self.case(scheme, ranks)[0], "-o", self.directory, "--resume",
                             *settings(POINTS))
            result = run_on(ranks, *arguments, timeout=120)
            problem, kind = ("" if result.code == 0 else str(result)), "resume"
        if not problem:
            problem, kind = self.differs(scheme, ranks), "bits"
        if not problem and leftovers(self.directory):
            problem, kind = f"left for ever: {leftovers(self.directory)}", "leftover .part"
        self.trial.check_no(problem, words, f"going on: {kind}", [self.directory])


def await_moment(runs, moment, process, length):
    if moment == "start":
        time.sleep(random.uniform(0, 0.25))
    elif moment == "end":
        wait_until((runs.directory / f"fields_{runs.steps:08d}.h5").exists, process)
        time.sleep(random.uniform(0, 0.1))
    else:
        wait_until((runs.directory / "timeseries.csv").exists, process)
        time.sleep(random.uniform(0, length / 2))
        wait_until(lambda: any(runs.directory.glob(MOMENTS[moment])), process)


def try_kill(runs, scheme, moment):
    ranks = random.choice((2, 3))
    victim, length = random.randrange(ranks), runs.case(scheme, ranks)[2]
    with runs.started(scheme, ranks) as process:
        pids = all_ranks_of(process, ranks)
        await_moment(runs, moment, process, length)
        if victim < len(pids) and is_alive(pids[victim]):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pids[victim], signal.SIGKILL)
        code, seconds, left, said = ends_soon(process, pids)
    words = f"{scheme}: rank {victim} of {ranks} killed at {moment}: exit {code} after {seconds:.1f} s"
    holds = code is not None and not left and (code != 0 or runs.is_over())
    runs.trial.check(holds, f"{words}, left {left}: {said[-300:]!r}", "kill", [runs.directory])
    runs.go_on(scheme, ranks, words)


def try_stop(runs, scheme):
    ranks, victim = 2, random.randrange(2)
    length = runs.case(scheme, ranks)[2]
    with runs.started(scheme, ranks) as process:
        pids = all_ranks_of(process, ranks)
        wait_until((runs.directory / "timeseries.csv").exists, process)
        time.sleep(random.uniform(0, length / 2))
        with contextlib.suppress(ProcessLookupError, IndexError):
            os.kill(pids[victim], signal.SIGSTOP)
            time.sleep(STOPPED)
            os.kill(pids[victim], signal.SIGCONT)
        code, _, left, said = ends_soon(process, pids)
    words = f"{scheme}: rank {victim} stopped for {STOPPED} s: exit {code}"
    runs.trial.check(code == 0 and not left, f"{words}, left {left}: {said!r}", "stop")
    runs.trial.check_no(runs.differs(scheme, ranks), words, "stop: bits", [runs.directory])


def try_failure(runs, scheme):
    ranks = random.choice((2, 3))
    victim, kind, place = random.randrange(ranks), random.choice(KINDS), random.choice(PLACES)
    error, span = random.choice(ERRORS), random.choice((1, 1, LONG))
    faults = {"LD_PRELOAD": runs.interposer.library, "FAULT_FOLDER": runs.directory,
              "FAULT_RANK": victim, "FAULT_KIND": kind, "FAIL_AT": place, "FAIL_WITH": error,
              "FAIL_FOR": span}
    with runs.started(scheme, ranks, **faults) as process:
        pids = all_ranks_of(process, ranks)
        code, seconds, left, said = ends_soon(process, pids, 40)
    words = (f"{scheme}: {errno.errorcode[error]} at {kind} {place}{', and on' if span > 1 else ''}"
             f" on rank {victim} of {ranks}: exit {code} after {seconds:.1f} s")
    is_said = code == 0 or said.count("error: ") == 1
    runs.trial.check(code in (0, 2, 3) and not left and is_said,
                     f"{words}, left {left}: {said[-400:]!r}", "failure", [runs.directory])
    if code == 0:
        runs.trial.check_no(runs.differs(scheme, ranks), words, "exit 0 and wrong output",
                            [runs.directory])
    else:
        runs.go_on(scheme, ranks, words)


def main(trial, options):
    require_mpi()
    runs = Ranks(trial, options.steps)
    for number in range(options.kills):
        moment = list(MOMENTS)[number % len(MOMENTS)]
        try_kill(runs, SCHEMES[number // len(MOMENTS) % len(SCHEMES)], moment)
    for number in range(options.stops):
        try_stop(runs, SCHEMES[number % len(SCHEMES)])
    for number in range(options.failures):
        try_failure(runs, SCHEMES[number % len(SCHEMES)])


if __name__ == "__main__":
    run_trial(main, __doc__, {"kills": (24, 2, "ranks killed"),
                              "stops": (4, 0, "ranks stopped for a while"),
                              "failures": (60, 4, "calls that fail"),
                              "steps": (40, 6, "of the runs")})
