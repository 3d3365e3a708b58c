"""Ways to end a run early: signals, a file named STOP, the limit of wall time.

Promised: the run ends after its step with a checkpoint, exit 75 and a word about it; `dns resume`
then leaves the bits of a run that was never stopped. SIGUSR1 writes output and goes on, a run under
nohup outlives SIGHUP, and the second Ctrl-C ends at once with 130. A signal at the start ends it
with 75 too: handlers stand before the case is read.
Tried: each way at random moments of runs of both schemes.
"""
import contextlib
import os
import pathlib
import random
import signal
import subprocess
import time

from cases import SCHEMES, settings, write_case
from common import PATIENCE, remove, run, run_trial, started, wait, wait_until
from contents import (difference, go_on, has_checkpoint, make_reference, run_content,
                      without_older_checkpoints)

PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
WAYS = ("TERM", "XCPU", "INT", "HUP", "USR2", "STOP", "STOP folder", "limit", "USR1", "nohup",
        "TERM TERM", "XCPU XCPU", "INT TERM", "closed stderr")
SAYS_SO = ("TERM", "XCPU", "INT", "HUP", "USR2", "STOP", "STOP folder", "limit")
SENT = {"nohup": "HUP", "closed stderr": "TERM", "STOP": "", "STOP folder": "",
        "limit": ""}  # others: the way
CODES = {"USR1": (0,), "nohup": (0,)}  # others: 75, or 0 when the run was over before
EVERY = 10  # steps


def outlive_hangup():
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def comparable(content, wanted, way):
    """What is compared: the newest checkpoint, and without snapshots that the run alone has.

    A stop or SIGUSR1 may leave a checkpoint and a snapshot more, an expectation; after SIGUSR1 the
    lists name this snapshot too.
    """
    kept = {name: value for name, value in without_older_checkpoints(content).items()
            if name in wanted or not name.startswith(("fields_0", "slice_"))}
    if way == "USR1":
        kept = {name: value for name, value in kept.items()
                if not (name.startswith("fields") and name.endswith(".xdmf"))}
    return kept


class Stopping:
    """A whole run of a scheme, to be stopped in many ways."""

    def __init__(self, trial, scheme, steps):
        self.trial, self.scheme = trial, scheme
        self.case = write_case(trial.folder / f"{scheme}.yaml", scheme, steps, EVERY)
        self.directory = trial.folder / "run"
        begin = time.monotonic()
        self.wanted = make_reference(self.case, trial.fresh("reference"))
        self.length = time.monotonic() - begin
        trial.note(f"{scheme}: a whole run takes {self.length:.2f} s")

    def stop(self, way, delay):
        """Runs and stops; returns the exit code and what was said on stderr."""
        remove(self.directory)
        options = dict(PIPES, preexec_fn=outlive_hangup) if way == "nohup" else PIPES
        limit = settings(f"run.wall_time_limit={delay:.3f}") if way == "limit" else []
        with started("run", self.case, "-o", self.directory, *limit, **options) as process:
            if way == "closed stderr":
                process.stderr.close()
            wait_until((self.directory / "timeseries.csv").exists, process)
            time.sleep(0 if way == "limit" else delay)
            if way.startswith("STOP") and process.poll() is None:
                stop = self.directory / "STOP"
                (stop.touch if way == "STOP" else stop.mkdir)()
            for name in SENT.get(way, way).split():
                if process.poll() is None:
                    process.send_signal(getattr(signal, "SIG" + name))
            code = wait(process, 30)
            said = "" if way == "closed stderr" else process.stderr.read().decode()
        return code, said

    def problem_after(self, way, code, said):
        """What is wrong with the end of a run and with what goes on from there: (words, kind)."""
        if code not in CODES.get(way, (0, 75)):
            return said[-200:], f"{way}: exit code"
        if code == 75 and way in SAYS_SO and "checkpoint written" not in said:
            return f"not said: {said[-200:]!r}", "not said"
        if code == 75:
            info = run("info", self.directory)
            if info.code != 0:
                return f"info: {info}", "info"
            limit = settings("run.wall_time_limit=1000") if way == "limit" else []
            result = run("resume", self.directory, *limit, timeout=120)
            if result.code != 0:
                return f"resume: {result}", "resume"
        is_late = code == 0 and way.startswith("STOP")  # it may come after the run's last look
        if (self.directory / "STOP").exists() and not is_late:
            return "a file STOP is there", "STOP stays"
        differs = difference(comparable(run_content(self.directory), self.wanted, way),
                             comparable(self.wanted, self.wanted, way))
        return differs, f"{way}: bits"

    def try_way(self, way):
        delay = random.uniform(0.3 if way == "limit" else 0, self.length)
        code, said = self.stop(way, delay)
        problem, kind = self.problem_after(way, code, said)
        self.trial.check_no(problem, f"{self.scheme} {way} after {delay:.3f} s: exit {code}", kind,
                            [self.directory])
        return code


def try_second_interrupt(trial, number):
    """Ctrl-C twice within one long step."""
    case = write_case(trial.folder / "long.yaml", "splitting", 50, 0)
    directory, said = trial.fresh("run"), trial.fresh("said")
    long_steps = settings("grid.points=[48,48,48]", "time.global_iterations=20",
                          "time.local_iterations=20")
    for _ in range(number):
        remove(directory)
        with (open(said, "w", encoding="utf-8") as errors,
              started("run", case, "-o", directory, *long_steps, stderr=errors) as process):
            wait_until((directory / "timeseries.csv").exists, process)
            time.sleep(random.uniform(0, 0.5))
            process.send_signal(signal.SIGINT)
            wait_until(lambda: "ends after this step" in said.read_text(), process)
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            code = wait(process, 30)
            seconds = time.monotonic() - begin
        trial.check(code == 130 and seconds < PATIENCE,
                    f"second Ctrl-C: exit {code} after {seconds:.2f} s", "second Ctrl-C")


def is_caught(process, number):
    """Whether a process catches a signal, or holds it back, by now."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        masks = dict(line.split(":", 1) for line in status)
    return any(int(masks[name], 16) >> (number - 1) & 1 for name in ("SigCgt", "SigBlk"))


def try_early(trial, case, words, code, is_late):
    """What a signal at the start leaves: a checkpoint, and a folder to go on with.

    A signal that comes before the program has its handlers, while the loader works, kills it as it
    kills any program: an expectation. Then nothing has been touched.
    """
    directory = trial.folder / "run"
    if code == -signal.SIGTERM and not is_late:
        trial.check(not directory.exists(), f"{words}: killed, and the folder is there",
                    "signal at the start")
        return
    if trial.check(code == 75, f"{words}: exit {code}", "signal at the start"):
        trial.check(has_checkpoint(directory), f"{words}: no checkpoint", "after an early signal")
        result = go_on(case, directory)
        trial.check(result.ends_with(0), f"{words}: going on: {result}", "after an early signal")


def try_start(trial, case, number):
    """Signals at random moments of the start, of a run that is not over by then."""
    directory = trial.folder / "run"
    many_steps = settings("time.steps=400")
    for _ in range(number):
        remove(directory)
        delay = random.uniform(0, 0.08)
        with started("run", case, "-o", directory, *many_steps) as process:
            time.sleep(delay)
            is_late = is_caught(process, signal.SIGTERM)
            process.send_signal(signal.SIGTERM)
            code = wait(process, 30)
        try_early(trial, case, f"SIGTERM {delay:.4f} s after the start", code, is_late)


def has_open(process, path):
    """Whether a program has a file open by now."""
    folder = pathlib.Path(f"/proc/{process.pid}/fd")
    with contextlib.suppress(OSError):
        return any(os.readlink(link) == str(path) for link in folder.iterdir())
    return False


def try_before_first_work(trial, case):
    """A signal while the program reads its case: here it waits for a pipe."""
    directory, pipe = trial.fresh("run"), trial.fresh("pipe.yaml")
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDWR)  # that nobody writes to would be empty
    with started("run", pipe, "-o", directory) as process:
        trial.check(wait_until(lambda: has_open(process, pipe), process),
                    "a case comes through a pipe", "pipe")
        process.send_signal(signal.SIGTERM)
        os.write(end, case.read_bytes())
        os.close(end)
        code = wait(process, 30)
    try_early(trial, case, "SIGTERM while the case is read", code, is_late=True)


def try_limits_of_wall_time(trial, case):
    """The limit counts anew after a resume: each makes at least a step."""
    directory = trial.fresh("run")
    result = run("run", case, "-o", directory, *settings("run.wall_time_limit=0.001"))
    trial.check(result.ends_with(75), f"run.wall_time_limit=0.001: {result}", "limit")
    result = run("resume", directory)
    trial.check(result.ends_with(75), f"resume with the same limit: {result}", "limit")


def main(trial, options):
    codes = {}
    for scheme in SCHEMES:
        stopping = Stopping(trial, scheme, options.steps)
        for way in WAYS:
            for _ in range(options.rounds):
                code = stopping.try_way(way)
                codes[way, code] = codes.get((way, code), 0) + 1
    try_second_interrupt(trial, options.rounds)
    try_start(trial, trial.folder / "splitting.yaml", 10 * options.rounds)
    try_before_first_work(trial, trial.folder / "splitting.yaml")
    try_limits_of_wall_time(trial, trial.folder / "splitting.yaml")
    trial.note("exit codes: " + ", ".join(f"{way} {code}: {count}"
                                          for (way, code), count in sorted(codes.items(), key=str)))


if __name__ == "__main__":
    run_trial(main, __doc__, {"rounds": (6, 1, "trials of each way"),
                              "steps": (300, 100, "of the runs")})
