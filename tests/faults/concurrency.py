"""Two programs in one folder; readers that look at a run that goes on.

Promised: a folder in use is refused with exit 2 and a word on who holds it, to dns run,
run --force, run --resume and resume; the run in it does not notice. Of two runs that start at once
in one folder one is refused. The lock of a process that was killed does not hinder; where files
cannot be locked there is a warning. `dns info`, the lists and dnsflow are right at every
moment of a run.
Tried: a live run of each scheme, pairs of runs, killed and stopped processes.
"""
import os
import signal
import socket
import subprocess

from cases import SCHEMES, settings, write_case
from common import Skip, is_root, remove, run, run_python, run_trial, started, wait, wait_until
from contents import go_on, has_checkpoint, xdmf_problem
from interposer import Interposer

EVERY = 20  # steps between lines of the time series
MORE = ("--set", "time.steps=1000000")
READER = """
import sys, time
import numpy as np
import dnsflow

def look(directory):
    run = dnsflow.Run(directory)
    run.case
    velocity = run.snapshot()['velocity']
    assert np.isfinite(velocity).all() and abs(velocity).max() < 100, 'garbage'
    for step in list(run.snapshot_paths())[-3:]:
        run.snapshot(step).time
    if sys.argv[3] == 'projection':
        assert np.isfinite(run.statistics()['u']).all(), 'garbage'
    series = run.time_series()
    assert np.isfinite(series['kinetic_energy']).all(), 'garbage'
    assert (np.diff(series['step']) == int(sys.argv[4])).all(), 'a hole in the series'

for number in range(int(sys.argv[2])):
    try:
        look(sys.argv[1])
        print('ok')
    except Exception as error:
        print(type(error).__name__, error)
    time.sleep(0.01)
"""


def try_reader(trial, scheme, directory, looks):
    """What dnsflow makes of a live run."""
    lines = run_python(READER, directory, str(looks), scheme, str(EVERY), timeout=300)
    trial.check(lines.code == 0, f"{scheme}: the reader: {lines}", "reader")
    for line in lines.out.split("\n")[:-1]:
        trial.check(line == "ok", f"{scheme}: the reader: {line}", "reader")


def try_looks(trial, scheme, directory, looks):
    """What dns info and the lists say of a live run."""
    for number in range(looks):
        result = run("info", directory)
        trial.check(result.ends_with(0), f"{scheme}: dns info while it runs: {result}", "info")
        if number % 5:
            continue
        oldest = min(directory.glob("checkpoint_????????.h5"), default=None)
        if oldest is not None:  # it may be removed by now
            result = run("info", oldest)
            trial.check(result.ends_with(0, 3), f"{scheme}: dns info {oldest.name}: {result}",
                        "info of a checkpoint")
        trial.check_no(xdmf_problem(directory), scheme, "lists")


def ways_in(case, directory):
    """Ways to enter a folder, by name."""
    return {"run": ("run", case, "-o", directory),
            "run --force": ("run", case, "-o", directory, "--force", *MORE),
            "run --resume": ("run", case, "-o", directory, "--resume", *MORE),
            "resume": ("resume", directory, *MORE)}


def try_to_enter(trial, scheme, case, directory, process):
    """A second program beside a live run."""
    for name, arguments in ways_in(case, directory).items():
        result = run(*arguments, timeout=5)
        words = f"{scheme}: dns {name} beside a live run"
        if not trial.check(result.ends_with(2), f"{words}: {result}", f"{name} is let in"):
            continue
        lacking = [what for what in (str(process.pid), socket.gethostname())
                   if what not in result.err]
        trial.check(not lacking, f"{words}: {lacking} not named: {result}", "who holds it")
        trial.check(process.poll() is None, f"{words}: the first ended", "first run ended")


def try_live_run(trial, scheme, looks):
    """Looks at a run, tries to enter its folder, and ends it."""
    case = write_case(trial.folder / f"{scheme}.yaml", scheme, 10 ** 6, 40)
    directory = trial.folder / f"live_{scheme}"
    often = settings("output.fields.every=2000", f"output.timeseries.every={EVERY}")
    if scheme == "projection":
        often += settings("output.slices.every=2000")
    with started("run", case, "-o", directory, *often) as process:
        wait_until(lambda: has_checkpoint(directory), process)
        if scheme == "projection":
            wait_until((directory / "statistics.h5").exists, process)
        try_reader(trial, scheme, directory, looks)
        try_looks(trial, scheme, directory, looks)
        try_to_enter(trial, scheme, case, directory, process)
        process.terminate()
        code = wait(process, 30)
    trial.check(code == 75, f"{scheme}: the first run ends with {code}", "first run ended")
    lines = (directory / "timeseries.csv").read_text().split("\n")[1:-1]
    steps = [int(line.split(",")[0]) for line in lines]
    trial.check(steps == [EVERY * number for number in range(len(steps))],
                f"{scheme}: {len(steps)} lines for {len(set(steps))} steps", "mixed time series",
                [directory / "timeseries.csv"])


def try_pairs(trial, pairs):
    """Two runs at the very same time into one new folder."""
    case = write_case(trial.folder / "both.yaml", "splitting", 100, 1)
    directory = trial.folder / "both"
    ends = {}
    for _ in range(pairs):
        remove(directory)
        words = ("run", case, "-o", directory)
        with (started(*words, stderr=subprocess.PIPE) as one,
              started(*words, stderr=subprocess.PIPE) as other):
            codes = sorted(wait(process, 60) for process in (one, other))
            said = [process.stderr.read().decode()[-160:] for process in (one, other)]
        ends[tuple(codes)] = ends.get(tuple(codes), 0) + 1
        trial.check(codes == [0, 2], f"two runs at once end with {codes}: {said}", "two at once")
    trial.note(f"exit codes of pairs: {ends}")


def try_killed_holder(trial, case, number):
    """The lock of a process that was killed, or is being traced no more, does not hinder."""
    directory = trial.folder / "killed"
    for _ in range(number):
        remove(directory)
        with started("run", case, "-o", directory) as process:
            wait_until(lambda: has_checkpoint(directory), process)
            process.send_signal(signal.SIGKILL)
            process.wait()
        result = go_on(case, directory, "--steps", "100", timeout=60)
        trial.check(result.ends_with(0), f"going on after kill -9: {result}", "a dead lock hinders")


def try_stopped_holder(trial, case):
    """A suspended process (Ctrl-Z) still holds its folder."""
    directory = trial.fresh("suspended")
    with started("run", case, "-o", directory, *MORE) as process:
        wait_until(lambda: has_checkpoint(directory), process)
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        result = run("resume", directory, timeout=5)
        process.send_signal(signal.SIGCONT)
        trial.check(result.ends_with(2), f"resume beside a suspended run: {result}", "suspended")


def try_removed_lock(trial, case, number):
    """run.lock is taken away, or replaced, under a live run: no other run gets in."""
    directory = trial.folder / "unlocked"
    for turn in range(number):
        remove(directory)
        with started("run", case, "-o", directory, *MORE) as process:
            wait_until(lambda: has_checkpoint(directory), process)
            lock = directory / "run.lock"
            lock.unlink()
            if turn % 2:
                lock.write_text("another file\n")
            for words in (("resume", directory), ("run", case, "-o", directory, "--force")):
                result = run(*words, timeout=20)
                trial.check(result.ends_with(2) and "is in use" in result.err,
                            f"{words[0]} after run.lock was taken away: {result}", "lock removed")
            holder = f"process {process.pid} "
            is_back = wait_until(lambda: lock.exists() and holder in lock.read_text(), process, 10)
            trial.check(is_back, "run.lock does not come back", "lock removed")
            result = run("resume", directory, timeout=20)
            trial.check(result.ends_with(2) and holder in result.err,
                        f"resume after run.lock came back: {result}", "lock removed")
            process.terminate()
            code = wait(process, 30)
        trial.check(code == 75, f"the run whose lock was taken away ends with {code}",
                    "lock removed")
        trial.check(not (directory / "run.lock").exists(), "run.lock is left", "lock removed")


def try_file_system_without_locks(trial, case):
    """Nothing can be refused there; it is said, and the run is as good as any."""
    directory = trial.fresh("no_locks")
    interposer = Interposer(trial, directory)
    result = interposer.run("run", case, "-o", directory, "--steps", "10", NO_LOCKS=1)
    trial.check(result.ends_with(0) and "lock" in result.err.lower(),
                f"a file system without locks: {result}", "no locks")


def try_read_only_folder(trial, case):
    """A finished run that another may only read can be looked at."""
    directory = trial.fresh("read_only")
    run("run", case, "-o", directory, "--steps", "4")
    os.chmod(directory, 0o555)
    result = run("info", directory)
    os.chmod(directory, 0o755)
    trial.check(result.ends_with(0), f"dns info of a read-only run: {result}", "read only")


def main(trial, options):
    for scheme in SCHEMES:
        try_live_run(trial, scheme, options.looks)
    case = write_case(trial.folder / "small.yaml", "splitting", 100, 1)
    try_pairs(trial, options.pairs)
    try_killed_holder(trial, case, options.pairs)
    try_stopped_holder(trial, case)
    try_removed_lock(trial, case, options.removals)
    if not is_root():  # who may write everywhere
        try_read_only_folder(trial, case)
    try:
        try_file_system_without_locks(trial, case)
    except Skip as reason:
        trial.note(f"not tried: {reason}")


if __name__ == "__main__":
    run_trial(main, __doc__, {"looks": (100, 8, "looks of each reader at each live run"),
                              "pairs": (25, 3, "pairs of runs, and kills"),
                              "removals": (6, 2, "of the lock of a live run")})
