"""Runs on several ranks: a rank is killed or stopped, a run is asked to end, a disk is full.

Promised: whatever happens to one rank, all of them end within 30 s with an exit code that is not 0
and a folder to go on from, on another number of ranks too; the final checkpoint is then that of a
run that nothing happened to, to round-off. SIGUSR2 to the launcher and a file STOP end all ranks
with one checkpoint and 75, a full disk ends them with 3. A rank that hangs ends the others after
the limit that DNS_RANK_TIMEOUT sets.
Tried: kill -9 of a random rank of 2, 3 or 4 at random moments of runs of both schemes that write in
every step, from the start of the ranks to their end; the others at random moments of the run.
"""
import contextlib
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import time

from cases import SCHEMES, settings, write_case
from common import (PATIENCE, PROGRAM, Skip, environment, is_root, remove, run, run_trial, wait,
                    wait_until)
from contents import has_checkpoint, look
from disk_faults import SmallDisk

import h5py
import numpy

RANKS = (2, 3, 4)
SOON = 30  # s
POINTS = "grid.points=[10,9,34]"  # a slab has 8 planes at least; here they differ by a plane
PLUGIN = pathlib.Path(PROGRAM).parent / "libdns_mpi.so"
INSTALLED_PLUGIN = pathlib.Path(PROGRAM).parent.parent / "lib" / "dns" / PLUGIN.name
# As root, on more ranks than cores, unbound and without words of its own: mpirun of Open MPI 4,
# and of 5.
FOR_MPIRUN = {"OMPI_ALLOW_RUN_AS_ROOT": 1, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": 1,
              "OMPI_MCA_rmaps_base_oversubscribe": 1, "OMPI_MCA_orte_execute_quiet": 1,
              "OMPI_MCA_hwloc_base_binding_policy": "none",
              "PRTE_MCA_hwloc_default_binding_policy": "none",
              "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
# Sums over ranks are taken in another order: differences of round-off, which grow a little in the
# steps of a run. Of the largest value of each field.
TOLERANCE = 1e-11


def require_mpi():
    if not shutil.which("mpirun"):
        raise Skip("no MPI: no mpirun; on Debian: apt-get install openmpi-bin")
    if not (PLUGIN.exists() or INSTALLED_PLUGIN.exists()):
        raise Skip("no MPI: this program was built without it")


def launch(ranks, *words, **options):
    """The program and arguments for run() and started(): mpirun on so many ranks, more than cores."""
    return dict(program="mpirun", env=environment(**FOR_MPIRUN, **options)), (
        "-n", str(ranks), PROGRAM, *words)


def run_on(ranks, *words, timeout=60):
    options, words = launch(ranks, *words)
    return run(*words, timeout=timeout, **options)


@contextlib.contextmanager
def started_on(ranks, *words, **variables):
    """mpirun, which has ended when the block ends; its output goes to files."""
    options, words = launch(ranks, *words, **variables)
    process = subprocess.Popen(["mpirun", *map(os.fspath, words)], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               env=options["env"])
    try:
        yield process
    finally:
        if process.poll() is None:
            for rank in ranks_of(process):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(rank, signal.SIGKILL)
            process.kill()
        process.wait()
        process.stderr.close()


def stat_of(pid):
    """State and parent of a process; none when it is gone."""
    try:
        words = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(") ", 1)[1]
    except (OSError, IndexError):
        return "", 0
    return words.split()[0], int(words.split()[1])


def children_of(process):
    return [int(path.name) for path in pathlib.Path("/proc").iterdir()
            if path.name.isdigit() and stat_of(path.name)[1] == process.pid]


def ranks_of(process):
    """The processes of the ranks in their order, as far as they have been started.

    They are children of mpirun, which may be the process or a child of it.
    """
    found = []
    for path in pathlib.Path("/proc").iterdir():
        parent = stat_of(path.name)[1] if path.name.isdigit() else 0
        if parent and process.pid in (parent, stat_of(parent)[1]):
            with contextlib.suppress(OSError):
                words = (path / "environ").read_bytes().split(b"\0")
                rank = next((word for word in words if word.startswith(b"OMPI_COMM_WORLD_RANK=")), b"")
                if rank:
                    found.append((int(rank.split(b"=")[1]), int(path.name)))
    return [pid for _, pid in sorted(found)]


def is_alive(pid):
    return stat_of(pid)[0] not in ("", "Z")


def all_ranks_of(process, ranks):
    """Waits for all of them; those that there are where the run ends before."""
    wait_until(lambda: len(ranks_of(process)) == ranks, process)
    return ranks_of(process)


def newest_checkpoint(directory):
    return max(directory.glob("checkpoint_????????.h5"), default=None)


def fields_of(path):
    """The fields of a checkpoint by name, and its step."""
    with h5py.File(path, "r") as file:
        fields = {name: data[()] for name, data in file.items()
                  if isinstance(data, h5py.Dataset) and data.ndim == 3}
        return fields, int(file.attrs["step"])


def difference_of_flows(path, wanted_path):
    """How the flows of two checkpoints differ, in words; and by how much at most."""
    if path is None:
        return "no checkpoint", numpy.inf
    found, step = fields_of(path)
    wanted, wanted_step = fields_of(wanted_path)
    if step != wanted_step or found.keys() != wanted.keys() or not wanted:
        return f"step {step} of {sorted(found)}, not {wanted_step} of {sorted(wanted)}", numpy.inf
    largest, where = 0, ""
    averages = max((numpy.abs(values).max() for name, values in wanted.items()
                    if name.startswith("statistics_")), default=0)  # some of them are zero
    for name, values in wanted.items():
        scale = (averages if name.startswith("statistics_") else numpy.abs(values).max()) or 1
        error = numpy.abs(found[name] - values).max() / scale
        if not error <= largest:
            largest, where = error, name
    return f"{where} differs by {largest:.1e}" if not largest <= TOLERANCE else "", largest


class Runs:
    """A case, how a run of it ends that nothing happens to, and what was tried of it."""

    def __init__(self, trial, scheme, steps):
        self.trial, self.scheme = trial, scheme
        self.case = write_case(trial.folder / f"{scheme}.yaml", scheme, steps, 1)
        self.directory = trial.folder / "run"
        self.reference = trial.fresh(f"reference_{scheme}")
        result = run("run", self.case, "-o", self.reference, *settings(POINTS), timeout=120)
        if result.code != 0:
            raise RuntimeError(f"the run to compare with ended with {result}")
        self.wanted = newest_checkpoint(self.reference)
        begin = time.monotonic()
        result = run_on(3, "run", self.case, "-o", trial.fresh("run"), *settings(POINTS))
        self.length = time.monotonic() - begin
        self.largest = 0.0
        self.check_end(result.code == 0, "a run on 3 ranks", result)
        trial.note(f"{scheme}: a whole run on 3 ranks takes {self.length:.2f} s")

    def words(self, *more):
        remove(self.directory)
        return ("run", self.case, "-o", self.directory, *settings(POINTS, *more))

    def check_end(self, holds, words, said):
        """Whether the run ended as it should, and the flow that it ended with."""
        problem, error = difference_of_flows(newest_checkpoint(self.directory), self.wanted)
        self.largest = max(self.largest, error)
        self.trial.check_no("" if holds else str(said), words, "end", [self.directory])
        self.trial.check_no(problem, words, "flow", [self.directory])

    def go_on(self, ranks, words):
        """What was interrupted on so many ranks goes on, on another number of them, to its end."""
        problem, kind = look(self.directory)
        newest = newest_checkpoint(self.directory)
        if newest is not None and not problem:
            result = run("info", newest)
            problem, kind = "" if result.code == 0 else f"dns info: {result}", "checkpoint"
        if not self.trial.check_no(problem, words, kind or "folder", [self.directory]):
            return
        others = random.choice([number for number in (1, *RANKS) if number != ranks])
        if has_checkpoint(self.directory):
            arguments = ("resume", self.directory)
        else:
            arguments = ("run", self.case, "-o", self.directory, "--resume", *settings(POINTS))
        result = run(*arguments) if others == 1 else run_on(others, *arguments)
        self.check_end(result.ends_with(0), f"{words}, then {others}", result)


def ends_soon(process, pids, limit=SOON):
    """The exit code within the limit [s], or None; after how long, what ranks stay, what was said."""
    begin = time.monotonic()
    code = wait(process, limit)
    seconds = time.monotonic() - begin
    gone = time.monotonic() + 5 * PATIENCE
    while any(map(is_alive, pids)) and time.monotonic() < gone:
        time.sleep(0.02)
    said = process.stderr.read().decode("utf-8", "replace")
    return code, seconds, [pid for pid in pids if is_alive(pid)], said


def try_kill(runs, slowest):
    """kill -9 of a rank; returns which, of how many, with what exit code."""
    ranks = random.choice(RANKS)
    victim = 0 if random.random() < 0.4 else random.randrange(1, ranks)
    delay = random.uniform(0, 0.8 * runs.length)
    with started_on(ranks, *runs.words()) as process:
        pids = all_ranks_of(process, ranks)
        time.sleep(delay)
        was_there = victim < len(pids) and is_alive(pids[victim])
        if was_there:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pids[victim], signal.SIGKILL)
        code, seconds, left, said = ends_soon(process, pids)
    words = (f"{runs.scheme}: rank {victim} of {ranks} killed {delay:.3f} s after the start "
             f"({newest_checkpoint(runs.directory)}), exit {code} after {seconds:.1f} s")
    slowest.append(seconds)
    # A rank that ends just then is not killed any more.
    holds = code is not None and not left and (code != 0 or is_over(runs))
    runs.trial.check(holds, f"{words}, left {left}: {said[-300:]!r}", "kill: end", [runs.directory])
    runs.go_on(ranks, words)
    return ("over" if code == 0 else "rank 0" if victim == 0 else "another rank"), code


def is_over(runs):
    newest = newest_checkpoint(runs.directory)
    return newest is not None and newest.name == runs.wanted.name


def try_stop(runs, way):
    """SIGUSR2 to mpirun or the file STOP, in a run that writes nothing but its last checkpoint."""
    ranks = random.choice(RANKS)
    endless = ("time.steps=1000000", "output.checkpoint.every=0", "output.fields.every=0")
    delay = random.uniform(0, 1)
    with started_on(ranks, *runs.words(*endless)) as process:
        pids = all_ranks_of(process, ranks)
        wait_until((runs.directory / "timeseries.csv").exists, process)
        time.sleep(delay)
        if way == "STOP":
            (runs.directory / "STOP").touch()
        else:
            process.send_signal(signal.SIGUSR2)
        code, seconds, left, said = ends_soon(process, pids)
    count = len(list(runs.directory.glob("checkpoint_*")))
    words = f"{runs.scheme}: {way} after {delay:.3f} s to {ranks} ranks: exit {code}"
    said_once = said.count("checkpoint written") == 1
    runs.trial.check(code == 75 and count == 1 and not left and said_once,
                     f"{words} after {seconds:.1f} s, {count} checkpoints, left {left}: {said!r}",
                     f"{way}: end", [runs.directory])
    newest = newest_checkpoint(runs.directory)
    if newest is None:
        return
    step = int(newest.stem.split("_")[1])
    others = random.choice([number for number in (1, *RANKS) if number != ranks])
    arguments = ("resume", runs.directory, "--steps", str(step + 2))
    result = run(*arguments) if others == 1 else run_on(others, *arguments)
    runs.trial.check(result.ends_with(0), f"{words}, then {others} ranks: {result}",
                     f"{way}: resume", [runs.directory])


def try_hang(runs, victim):
    """SIGSTOP of a rank, which the others notice; rank 0 may be about to write: 24 times as long.

    Once another rank has given up, mpirun wakes and ends this one, within a second: with a longer
    limit it says nothing any more.
    """
    ranks, limit = 3, 1.5
    endless = ("time.steps=1000000", "output.checkpoint.every=50", "output.fields.every=0",
               "output.timeseries.every=100")
    delay = random.uniform(0, 1)
    with started_on(ranks, *runs.words(*endless), DNS_RANK_TIMEOUT=limit) as process:
        pids = all_ranks_of(process, ranks)
        wait_until(lambda: has_checkpoint(runs.directory), process)
        time.sleep(delay)
        os.kill(pids[victim], signal.SIGSTOP)
        code, seconds, left, said = ends_soon(process, pids, SOON + 24 * limit)
    words = (f"{runs.scheme}: rank {victim} stopped after {delay:.3f} s: exit {code} after "
             f"{seconds:.1f} s")
    runs.trial.check(code == 5 and not left and said.count("error: ") == 1 and " s for " in said,
                     f"{words}, left {left}: {said!r}", "hang", [runs.directory])
    problem, kind = look(runs.directory)
    runs.trial.check_no(problem, words, f"hang: {kind}", [runs.directory])


def try_file_limit(runs):
    """The files of a rank may not grow beyond a limit, from a moment of the run on."""
    ranks = random.choice(RANKS)
    victim = random.randrange(ranks)
    limit = random.choice((0, 512, 4096, 20000, 50000))
    with started_on(ranks, *runs.words()) as process:
        pids = all_ranks_of(process, ranks)
        wait_until((runs.directory / "timeseries.csv").exists, process)
        time.sleep(random.uniform(0, runs.length / 3))
        with contextlib.suppress(ProcessLookupError, IndexError):
            resource.prlimit(pids[victim], resource.RLIMIT_FSIZE, (limit, limit))
        code, seconds, left, said = ends_soon(process, pids)
    words = f"{runs.scheme}: files of {limit} bytes on rank {victim} of {ranks}: exit {code}"
    holds = code == 3 and said.count("error: ") == 1 or code == 0 and is_over(runs)
    runs.trial.check(holds and not left,
                     f"{words} after {seconds:.1f} s, left {left}: {said!r}", "ulimit -f",
                     [runs.directory])
    runs.go_on(ranks, words)


def try_full_disk(runs, disk):
    """A disk that is too small, most likely, and that is enlarged then."""
    ranks = random.choice(RANKS)
    whole = sum(path.stat().st_size for path in runs.reference.iterdir())
    size = random.randint(4096, int(whole * 1.05)) // 4096 * 4096
    runs.directory = disk.path / "run"
    try:
        words = runs.words()
        disk.resize(size)
        result = run_on(ranks, *words)
        words = f"{runs.scheme} on {ranks} ranks and a disk of {size} bytes, needing {whole}"
        is_said = result.code == 0 or result.err.count("No space left") == 1
        runs.trial.check(result.ends_with(0, 3) and is_said, f"{words}: {result}", "full disk: end",
                         [runs.directory])
        disk.resize("64m")
        runs.go_on(ranks, words)
    finally:
        runs.directory = runs.trial.folder / "run"


def try_scheme(trial, scheme, options, codes, slowest):
    runs = Runs(trial, scheme, options.steps)
    for _ in range(options.kills // len(SCHEMES)):
        how = try_kill(runs, slowest)
        codes[how] = codes.get(how, 0) + 1
    for _ in range(options.rounds):
        for way in ("SIGUSR2", "STOP"):
            try_stop(runs, way)
        try_file_limit(runs)
        for victim in (2,) if options.quick else (0, 2):
            try_hang(runs, victim)
    if not options.quick and is_root():
        with SmallDisk(trial.folder / f"disk_{scheme}") as disk:
            for _ in range(options.rounds if disk.is_there else 0):
                try_full_disk(runs, disk)
    trial.note(f"{scheme}: flows differ by {runs.largest:.1e} at most")


def main(trial, options):
    require_mpi()
    codes, slowest = {}, []
    for scheme in SCHEMES:
        try_scheme(trial, scheme, options, codes, slowest)
    if options.quick or not is_root():
        trial.note("full disks are not tried: they need root")
    trial.note("killed: " + ", ".join(f"{what}, exit {code}: {count}"
                                      for (what, code), count in sorted(codes.items(), key=str)))
    trial.note(f"the others ended {max(slowest):.1f} s after a kill at the latest")


if __name__ == "__main__":
    run_trial(main, __doc__, {"kills": (50, 6, "ranks killed"),
                              "rounds": (5, 1, "trials of each other way and scheme"),
                              "steps": (60, 10, "of the runs")})
