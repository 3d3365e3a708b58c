"""Runs on several ranks: calls that fail on one of them, kills while files are written, pauses.

Promised: whatever happens to one rank, all end, with one message; `dns resume` on the same number
of ranks then leaves the bits of a run that nothing happened to. A rank that is stopped for a while
changes no bit.
Tried: random calls that change files failing with errors of disks on a random rank of 2 or 3, once
or from there on; kill -9 at the start, while a file is written and at the end; SIGSTOP, SIGCONT.
"""
import collections
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
from ranks import POINTS, all_ranks_of, ends_soon, is_alive, require_mpi, run_on, started_on

RANKS = (2, 3)
MOMENTS = {"the start": "", "a checkpoint": "checkpoint_*.part", "a snapshot": "fields_*.part",
           "a list": "*.xdmf.part", "the end": "fields_{:08}.h5"}
CALLS = (1, 2, 3, 5, 10, 30, 100, 300)  # numbers of the first that fails
ERRORS = (errno.EIO, errno.ESTALE, errno.ENOSPC, errno.EMFILE)
PAUSE = 3  # s


class Runs:
    """Runs of both schemes on 2 and 3 ranks, and what is left of those that nothing happens to."""

    def __init__(self, trial, steps):
        self.trial, self.steps = trial, steps
        self.directory = trial.folder / "run"
        self.cases = {scheme: write_case(trial.folder / f"{scheme}.yaml", scheme, steps, 1)
                      for scheme in SCHEMES}
        self.wanted, self.length = {}, {}
        for scheme in SCHEMES:
            for ranks in RANKS:
                begin = time.monotonic()
                result = run_on(ranks, *self.words(scheme), timeout=120)
                if result.code != 0:
                    raise RuntimeError(f"the run to compare with ended with {result}")
                self.length[scheme, ranks] = time.monotonic() - begin
                self.wanted[scheme, ranks] = run_content(self.directory)

    def words(self, scheme):
        remove(self.directory)
        return ("run", self.cases[scheme], "-o", self.directory, *settings(POINTS))

    def check_bits(self, words, scheme, ranks):
        differs = difference(without_older_checkpoints(run_content(self.directory)),
                             without_older_checkpoints(self.wanted[scheme, ranks]))
        self.trial.check_no(differs, words, "bits", [self.directory])

    def go_on(self, words, scheme, ranks):
        problem, kind = look(self.directory)
        if not self.trial.check_no(problem, words, kind or "look", [self.directory]):
            return
        arguments = ("resume", self.directory)
        if not has_checkpoint(self.directory):
            arguments = ("run", self.cases[scheme], "-o", self.directory, "--resume",
                         *settings(POINTS))
        result = run_on(ranks, *arguments, timeout=120)
        if self.trial.check(result.ends_with(0), f"{words}: {arguments[0]}: {result}", "resume",
                            [self.directory]):
            self.check_bits(f"{words}, then {arguments[0]}", scheme, ranks)
            self.trial.check(not leftovers(self.directory),
                             f"{words}: left {leftovers(self.directory)}", "leftover",
                             [self.directory])

    def try_kill(self, number):
        scheme, ranks = SCHEMES[number % 2], random.choice(RANKS)
        moment = list(MOMENTS)[number % len(MOMENTS)]
        victim = random.randrange(ranks)
        with started_on(ranks, *self.words(scheme)) as process:
            pids = all_ranks_of(process, ranks)
            if moment == "the start":
                time.sleep(random.uniform(0, 0.25))
            elif moment == "the end":
                wait_until((self.directory / MOMENTS[moment].format(self.steps)).exists, process)
            else:
                wait_until((self.directory / "timeseries.csv").exists, process)
                time.sleep(random.uniform(0, self.length[scheme, ranks] / 2))
                wait_until(lambda: any(self.directory.glob(MOMENTS[moment])), process)
            if victim < len(pids):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pids[victim], signal.SIGKILL)
            code, seconds, left, said = ends_soon(process, pids)
        words = f"{scheme}: rank {victim} of {ranks} killed at {moment}: exit {code}"
        is_over = (self.directory / f"checkpoint_{self.steps:08}.h5").exists()
        self.trial.check(code is not None and not left and (code != 0 or is_over),
                         f"{words} after {seconds:.1f} s, left {left}: {said[-300:]!r}",
                         "kill: end", [self.directory])
        self.go_on(words, scheme, ranks)
        return "killed", code

    def try_pause(self, number):
        scheme, ranks = SCHEMES[number % 2], random.choice(RANKS)
        victim = random.randrange(ranks)
        with started_on(ranks, *self.words(scheme)) as process:
            pids = all_ranks_of(process, ranks)
            wait_until((self.directory / "timeseries.csv").exists, process)
            time.sleep(random.uniform(0, self.length[scheme, ranks] / 2))
            if victim < len(pids) and is_alive(pids[victim]):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pids[victim], signal.SIGSTOP)
                    time.sleep(PAUSE)
                    os.kill(pids[victim], signal.SIGCONT)
            code, _, left, said = ends_soon(process, pids)
        words = f"{scheme}: rank {victim} of {ranks} stopped for {PAUSE} s: exit {code}"
        if self.trial.check(code == 0 and not left, f"{words}, left {left}: {said[-300:]!r}",
                            "pause: end", [self.directory]):
            self.check_bits(words, scheme, ranks)
        return "stopped for a while", code

    def try_call(self, number, interposer):
        scheme, ranks = SCHEMES[number % 2], random.choice(RANKS)
        victim, first, error = random.randrange(ranks), random.choice(CALLS), random.choice(ERRORS)
        span = random.choice((1, 1, LONG))
        faults = {"LD_PRELOAD": interposer.library, "FAULT_FOLDER": self.directory,
                  "FAULT_RANK": victim, "FAIL_AT": first, "FAIL_WITH": error, "FAIL_FOR": span}
        with started_on(ranks, *self.words(scheme), **faults) as process:
            pids = all_ranks_of(process, ranks)
            code, seconds, left, said = ends_soon(process, pids)
        words = (f"{scheme}: call {first} of rank {victim} of {ranks} fails with "
                 f"{errno.errorcode[error]}, {span} times: exit {code}")
        holds = code == 0 or code in (2, 3) and said.count("error: ") == 1
        self.trial.check(holds and not left,
                         f"{words} after {seconds:.1f} s, left {left}: {said[-400:]!r}",
                         "call: end", [self.directory])
        if code == 0:
            self.check_bits(words, scheme, ranks)
        elif self.directory.exists():
            self.go_on(words, scheme, ranks)
        return "a call failed", code


def main(trial, options):
    require_mpi()
    runs = Runs(trial, options.steps)
    interposer = Interposer(trial, runs.directory)
    ends = collections.Counter()
    for number in range(options.kills):
        ends[runs.try_kill(number)] += 1
    for number in range(options.pauses):
        ends[runs.try_pause(number)] += 1
    for number in range(options.calls):
        ends[runs.try_call(number, interposer)] += 1
    for (what, code), count in sorted(ends.items(), key=str):
        trial.note(f"{what}, exit {code}: {count}")


if __name__ == "__main__":
    run_trial(main, __doc__, {"kills": (20, 2, "ranks killed"),
                              "pauses": (4, 1, "ranks stopped for a while"),
                              "calls": (40, 2, "runs with failing calls"),
                              "steps": (40, 10, "of the runs")})
