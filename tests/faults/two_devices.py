"""Runs on two ranks, a GPU each: they end as runs on one do, and leave its files; faults end them.

Promised: every way in which a run ends has the exit code of a run on one rank, all ranks are gone
then, and the files are those of one rank to round-off. Whatever happens to a rank, all of them end
within 30 s, not with 0; the newest checkpoint is good, and what goes on from it, on one rank or on
two, ends with the flow of a run that nothing happened to.
Tried: runs of both schemes and precisions, with bodies, statistics, planes, probes and order 6 (periodic and between walls), started by
`mpirun` and by `--ranks`, finished, stopped in every way, diverged, refused and resumed; ranks, mpirun
and the program that started them killed with -9 at random moments, from their start on; a rank that
hangs; SIGTERM and Ctrl-C twice. Prints a line for each.

Environment:
    FAULTS_DEVICE=cuda    on GPUs; without it on CPUs, with smaller boxes
    DNS_SHARE_GPUS, DNS_TRANSPORT, DNS_NCCL    are passed on: ranks that share a GPU and a stand-in for NCCL
"""
import contextlib
import csv
import os
import random
import signal
import subprocess
import time

from cases import DEVICE, settings
from common import PATIENCE, PROGRAM, environment, remove, run, run_trial
from ranks import FOR_MPIRUN, children_of, is_alive, newest_checkpoint, ranks_of, require_mpi

import h5py
import numpy

ON_GPU = DEVICE == "cuda"
SOON = 30           # s
START = 20          # s, until a run on two ranks takes its first step
FEW = 20            # steps
POINTS = [48, 40, 64] if ON_GPU else [12, 10, 34]
STEPS = 3000 if ON_GPU else 1000  # of runs that are interrupted
EVERY = STEPS // 20
HANGS = 8 if ON_GPU else 2  # s: DNS_RANK_TIMEOUT; GPUs take some seconds to get ready
# Of the largest value. Sums over ranks are taken in another order, and flows are laminar.
TOLERANCE = {("double", FEW): 1e-12, ("float", FEW): 1e-5, ("double", STEPS): 1e-10}
PASSED_ON = {name: os.environ[name] for name in ("DNS_SHARE_GPUS", "DNS_TRANSPORT", "DNS_NCCL")
             if name in os.environ}

HEAD = """\
case: two_devices
device: {device}
precision: {precision}
"""
SPLITTING = HEAD + """\
scheme: splitting
grid: {{points: {points}, length: [1, 1, 2]}}
fluid: {{reynolds: 50, prandtl: 0.72}}
boundaries:
  x_min: {{type: inflow, velocity: [1, 0, 0], temperature: 1.0}}
  x_max: {{type: outflow}}
  y_min: {{type: wall, temperature: 1.0}}
  y_max: {{type: wall, temperature: 1.2}}
  z: periodic
initial: {{velocity: [1, 0.05*sin(pi*z), 0], temperature: 1.0}}
time: {{step: 1.0e-3, steps: {steps}, global_iterations: 2, local_iterations: 2}}
output: {{fields: {{every: {every}}}, checkpoint: {{every: {every}}}, {output}}}
"""
PROJECTION = HEAD + """\
scheme: projection
grid: {{points: {points}, length: [6.28, 2, 3.14], stretching: {{{stretched}: {{type: tanh, factor: 1.5}}}}}}
fluid: {{reynolds: 50, prandtl: 0.71}}
boundaries:
  x: periodic
{walls}
initial:
  velocity: ["1 + 0.1*sin(x)", "0.1*sin(x)*sin(2*z)", "0.1*cos(x)"]
  temperature: "1"
time: {{step: 2.0e-3, steps: {steps}}}
output: {{fields: {{every: {every}}}, checkpoint: {{every: {every}}}, {output}}}
"""
# Pressure is phi of the last stage, with the round-off of velocity over a third of the step.
ORDER_6 = HEAD + """\
scheme: projection
grid: {{points: {points}, length: [6.28, 2, 3.14]}}
accuracy: {{order: 6}}
fluid: {{reynolds: 50, prandtl: 0.71}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
forcing: {{type: formula, acceleration: ["0.1*sin(2*z)", 0, "0.1*sin(3.14159*y)"], linear: 0.1}}
initial:
  velocity: ["1 + 0.1*sin(x)", "0.1*sin(x)*sin(2*z)", "0.1*cos(x)"]
  temperature: "1 + 0.1*cos(2*z)"
time: {{step: 1.0e-2, steps: {steps}}}
output: {{fields: {{every: {every}}}, checkpoint: {{every: {every}}}, {output}}}
"""
# Walls along y, on a grid like that of projection(); held flux.
CHANNEL_ORDER_6 = HEAD + """\
scheme: projection
grid: {{points: {points}, length: [6.28, 2, 3.14], stretching: {{y: {{type: tanh, factor: 1.5}}}}}}
accuracy: {{order: [6, 2, 6]}}
fluid: {{reynolds: 50, prandtl: 0.71}}
boundaries: {{x: periodic, y_min: {{type: wall, temperature: 1}}, y_max: {{type: wall, temperature: 0}}, z: periodic}}
forcing: {{type: bulk_velocity, value: [1, 0, 0.1]}}
initial:
  velocity: ["1 + 0.1*sin(x)", "0.1*sin(x)*sin(2*z)", "0.1*cos(x)"]
  temperature: "1"
time: {{step: 5.0e-3, steps: {steps}}}
output: {{fields: {{every: {every}}}, checkpoint: {{every: {every}}}, {output}}}
"""
WALLS = {"y": "  y_min: {type: wall, temperature: 1}\n  y_max: {type: wall, temperature: 0}\n  z: periodic",
         "z": "  y: periodic\n  z_min: {type: wall, temperature: 1}\n  z_max: {type: wall, temperature: 0}"}
BODY = "solids={ball: {shape: sphere, center: [0.5, 0.5, 1], radius: 0.3, temperature: 1}}"
STATISTICS = "statistics: {every: 2, spectra: [x]}"
RECORDS = ("planes: {every: 2, cut: {axis: x, at: 0.3}}, "
           "probes: {at: {at: [0.3, 0.4, 1.1]}, line: {from: [0.4, 0.5, 0.1], to: [0.4, 0.5, 1.9], count: 4}}")


def splitting(steps, precision="double", output="timeseries: {every: 1}"):
    return SPLITTING.format(device=DEVICE, precision=precision, points=POINTS, steps=steps,
                            every=EVERY if steps > FEW else FEW // 2, output=output)


def projection(steps, precision="double", walls="y", output="timeseries: {every: 1}"):
    return PROJECTION.format(device=DEVICE, precision=precision, points=POINTS, steps=steps,
                             stretched=walls, walls=WALLS[walls], output=output,
                             every=EVERY if steps > FEW else FEW // 2)


def order_6(precision="double"):
    return ORDER_6.format(device=DEVICE, precision=precision, points=POINTS, steps=FEW,
                          every=FEW // 2, output="statistics: {every: 2, spectra: [x, y, z]}")


def channel_order_6(precision="double"):
    return CHANNEL_ORDER_6.format(device=DEVICE, precision=precision, points=POINTS, steps=FEW,
                                  every=FEW // 2,
                                  output=f"statistics: {{every: 2, spectra: [x, z]}}, {RECORDS}")


class Started:
    """A run on two ranks, all of whose processes are gone when the block ends."""

    def __init__(self, trial, way, *words, **variables):
        if way == "mpirun":
            words = ("mpirun", "-n", "2", PROGRAM, *words)
        else:
            words = (PROGRAM, *words, "--ranks", "2")
        self.said_in = trial.fresh("said")
        env = environment(**{**FOR_MPIRUN, **PASSED_ON, **variables})
        with open(self.said_in, "wb") as said:
            self.process = subprocess.Popen([*map(os.fspath, words)], stdin=subprocess.DEVNULL,
                                            stdout=said, stderr=said, env=env)
        self.ranks = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in {*self.ranks, *ranks_of(self.process)}:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()

    @property
    def said(self):
        return self.said_in.read_text(encoding="utf-8", errors="replace")

    def wait_until(self, condition, seconds=START):
        end = time.monotonic() + seconds * PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            if condition():
                return True
            time.sleep(0.005)
        return condition()

    def find_ranks(self):
        self.wait_until(lambda: len(ranks_of(self.process)) == 2)
        self.ranks = ranks_of(self.process)
        return self.ranks

    def end(self, limit=SOON):
        """The exit code, None if it has not ended within the limit [s]; after how long; ranks left."""
        begin = time.monotonic()
        try:
            code = self.process.wait(limit * PATIENCE)
        except subprocess.TimeoutExpired:
            code = None
        while any(map(is_alive, self.ranks)) and time.monotonic() < begin + limit * PATIENCE:
            time.sleep(0.02)
        return code, time.monotonic() - begin, [pid for pid in self.ranks if is_alive(pid)]


def numbers_of(path):
    """The numbers of a file by name, but quotients of small ones; of a time series those of the flow."""
    if path.suffix == ".h5":
        with h5py.File(path, "r") as file:
            return {name: data[()] for name, data in file.items()
                    if isinstance(data, h5py.Dataset) and data.dtype.kind == "f" and data.size and
                    not name.startswith(("skewness", "flatness"))}
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    kept = ("step", "time", "kinetic_energy", "u", "v", "w", "temperature")
    return {name: numpy.array([float(row[name]) for row in rows])
            for name in (rows[0] if rows else ()) if name in kept}


def difference(found, wanted, tolerance):
    """How two files differ by more than round-off, in words, and by how much at most."""
    values, reference = numbers_of(found), numbers_of(wanted)
    if values.keys() != reference.keys():
        return f"{found.name} holds {sorted(values)}, not {sorted(reference)}", numpy.inf
    largest, where = 0.0, ""
    means = "statistics" in found.name  # some of them are zero
    scale_of_all = max((numpy.abs(data).max() for data in reference.values()), default=1)
    for name, data in reference.items():
        if data.shape != values[name].shape:
            return f"{found.name} {name} is {values[name].shape}, not {data.shape}", numpy.inf
        # Pressure is small beside the square of velocity, whose round-off it has.
        of_all = means or name == "pressure" or name.startswith("statistics_")
        scale = (scale_of_all if of_all else numpy.abs(data).max()) or 1
        if name in ("velocity_x", "velocity_y", "velocity_z", "u", "v", "w"):  # of one flow
            scale = max(numpy.abs(reference[other]).max() for other in reference
                        if len(other) == len(name) and other[:-1] == name[:-1] or
                        len(name) == 1 and other in "uvw")
        error = numpy.abs(values[name] - data).max() / scale
        if not error <= largest:
            largest, where = error, name
    words = f"{found.name} {where} differs by {largest:.1e}"
    return "" if largest <= tolerance else words, largest


def files_of(folder):
    return {path.name for path in folder.iterdir()
            if path.suffix in (".h5", ".csv") and "piece_" not in path.name and
            not path.name.startswith(("planes_", "probes_")) or path.suffix == ".csv" and
            path.name.startswith("probes_")}


def differences(folder, reference, tolerance):
    """How the files of a run differ from those of a run on one rank."""
    if files_of(folder) != files_of(reference):
        return f"the files {sorted(files_of(folder) ^ files_of(reference))} are there once only"
    problems = [difference(folder / name, reference / name, tolerance)[0]
                for name in sorted(files_of(reference))]
    return "; ".join(filter(None, problems))


class Case:
    """A case file, and a run of it on one rank to compare with."""

    def __init__(self, trial, name, text, *options):
        self.name, self.options = name, settings(*options)
        self.steps = STEPS if f"steps: {STEPS}" in text else FEW
        self.precision = "float" if "precision: float" in text else "double"
        self.file = trial.fresh(f"{name}.yaml")
        self.file.write_text(text)
        self.reference = trial.fresh(f"reference_{name}")
        result = run(*self.words(self.reference), timeout=300, env=environment())
        if result.code != 0:
            raise RuntimeError(f"the run of {name} on one rank ended with {result}")

    @property
    def tolerance(self):
        return TOLERANCE[self.precision, self.steps]

    def words(self, folder, *more):
        return ("run", self.file, "-o", folder, *self.options, *settings(*more))


class Trials:
    def __init__(self, trial):
        self.trial, self.folder, self.number = trial, trial.folder / "run", 0

    def fresh(self):
        remove(self.folder)
        return self.folder

    def report(self, words, *problems):
        problem = "; ".join(filter(None, problems))
        self.number += 1
        print(f"{self.number:3} {'ok  ' if not problem else 'FAIL'} {words}", flush=True)
        self.trial.check_no(problem, words, words.split(":")[0], [self.folder])

    def expect(self, words, started, wanted, limit=120):
        """Waits for the end of a run: what is wrong with it, in words."""
        code, seconds, left = started.end(limit)
        problem = "" if code == wanted and not left else (
            f"exit {code} after {seconds:.1f} s, not {wanted}; ranks left: {left}; "
            f"{started.said[-400:]!r}")
        return f"{words}: exit {code} after {seconds:.1f} s", problem

    def finish(self, case, way, *more, **variables):
        with Started(self.trial, way, *case.words(self.fresh()), *more, **variables) as started:
            words, problem = self.expect(f"{case.name} by {way}: finished", started, 0)
        self.report(words, problem, differences_of(self.folder, case))

    def command(self, what, way, wanted, *arguments, limit=SOON):
        with Started(self.trial, way, *arguments) as started:
            words, problem = self.expect(f"{what} by {way}", started, wanted, limit)
        self.report(words, problem)

    def stop(self, case, way, how, resumed_on):
        limit = ("run.wall_time_limit=6" if ON_GPU else "run.wall_time_limit=1") if how == "limit" else ""
        with Started(self.trial, way, *case.words(self.fresh(), *filter(None, [limit]))) as started:
            started.find_ranks()
            started.wait_until((self.folder / "timeseries.csv").exists)
            if how != "limit":
                time.sleep(random.uniform(0.1, 0.5))
            if how == "STOP":
                (self.folder / "STOP").touch()
            elif how != "limit":
                started.process.send_signal(getattr(signal, f"SIG{how}"))
            words, problem = self.expect(f"{case.name} by {way}: {how}", started, 75)
        self.report(words, problem)
        self.go_on(case, f"{case.name} by {way}: {how}", resumed_on,
                   *(settings("run.wall_time_limit=1000") if limit else ()))

    def go_on(self, case, words, ranks, *more):
        """The newest checkpoint is good, and the run goes on from it to the flow of the reference."""
        words = f"{words}: resumed on {ranks}"
        newest = newest_checkpoint(self.folder) if self.folder.exists() else None
        if newest is None:
            arguments = (*case.words(self.folder), "--force")
            words += " (from the start)"
        else:
            arguments = ("resume", self.folder, *more)
            words += f" (from {newest.name[11:19]})"
            good = run("info", newest)
            if good.code != 0:
                return self.report(words, f"dns info: {good}")
        if ranks == 1:
            result = run(*arguments, timeout=300)
            problem = "" if result.ends_with(0) else str(result)
        else:
            with Started(self.trial, "mpirun", *arguments) as started:
                words, problem = self.expect(words, started, 0)
        return self.report(words, problem, flow_differs(self.folder, case))

    def fault(self, case, way, name, inject, resumed_on, longest, **variables):
        """inject(started), from the start of the ranks on; then all end soon, not with 0."""
        with Started(self.trial, way, *case.words(self.fresh()), **variables) as started:
            started.find_ranks()
            inject(started)
            code, seconds, left = started.end(longest)
            is_over = code == 0
            problem = "" if code not in (0, None) and not left else (
                f"exit {code} after {seconds:.1f} s; ranks left: {left}; {started.said[-400:]!r}")
        words = f"{case.name} by {way}: {name}"
        if is_over:
            self.report(f"{words}: was over before", "" if not left else problem)
            return
        self.report(f"{words}: exit {code} after {seconds:.1f} s", problem)
        self.go_on(case, words, resumed_on)


def differences_of(folder, case):
    return differences(folder, case.reference, case.tolerance) if folder.exists() else "no folder"


def flow_differs(folder, case):
    newest, wanted = newest_checkpoint(folder), newest_checkpoint(case.reference)
    if newest is None or newest.name != wanted.name:
        return f"the newest checkpoint is {newest}, not {wanted.name}"
    return difference(newest, wanted, case.tolerance)[0]


def try_ends(trials, cases):
    trial = trials.trial
    for name, way, more in (("splitting_double", "mpirun", ()), ("splitting_float", "--ranks", ()),
                            ("splitting_body", "mpirun", ()), ("projection_double", "--ranks", ()),
                            ("projection_float", "mpirun", ()), ("projection_body", "--ranks", ()),
                            ("projection_walls_z", "mpirun", ()), ("order_6_double", "mpirun", ()),
                            ("order_6_float", "--ranks", ()),
                            ("channel_order_6_double", "--ranks", ()),
                            ("channel_order_6_float", "mpirun", ())):
        trials.finish(cases[name], way, *more)
    if ON_GPU:
        for name in ("projection_double", "order_6_double", "channel_order_6_double"):
            trials.finish(cases[name], "mpirun", DNS_TRANSPORT="host")
    for name, way, how, ranks in (("splitting_long", "mpirun", "USR2", 2),
                                  ("projection_long", "--ranks", "TERM", 1),
                                  ("splitting_long", "--ranks", "INT", 1),
                                  ("projection_long", "mpirun", "STOP", 2),
                                  ("projection_long", "--ranks", "limit", 2)):
        trials.stop(cases[name], way, how, ranks)
    case = cases["projection_double"]
    diverging = ("time.step=30", "time.steps=300", 'initial.velocity=["60*sin(x)*z", "40*sin(x)*sin(2*z)", "9*x"]')
    trials.command("diverged", "mpirun", 4, *case.words(trials.fresh(), *diverging))
    trials.command("diverged", "--ranks", 4, *case.words(trials.fresh(), *diverging))
    trials.command("refused, a wrong key", "mpirun", 2, *case.words(trials.fresh(), "fluid.reynolds=-1"))
    overlap = ("solids={one: {shape: sphere, center: [1, 1, 0.5], radius: 0.4, temperature: 1}, other: "
               "{shape: sphere, center: [1.2, 1, 0.5], radius: 0.4, temperature: 1, velocity: [1, 0, 0]}}")
    trials.command("refused, bodies of one rank", "mpirun", 2, *case.words(trials.fresh(), overlap))
    thin = "grid.points=[16,16,15]"
    trials.command("refused, thin slabs", "--ranks", 2, *case.words(trials.fresh(), thin))
    late = 'forcing.acceleration=["z > 1.6 ? sqrt(0.03-t) : 0", 0, 0]'
    trials.command("refused, a force in a step", "mpirun", 2, *case.words(trials.fresh(), late))
    trials.command("refused, a folder that is used", "mpirun", 2,
                   *case.words(cases["projection_double"].reference))
    trials.command("dns check", "mpirun", 0, "check", case.file)
    trials.command("dns bench scaling", "--ranks", 0, "bench", "scaling", "--points", "32",
                   "--precision", "double", "--device", DEVICE, limit=4 * SOON)
    with Started(trial, "mpirun", *cases["projection_long"].words(trials.fresh())) as started:
        started.find_ranks()
        started.wait_until((trials.folder / "timeseries.csv").exists)
        time.sleep(0.3)
        remove(trials.folder)
        words, problem = trials.expect("the folder vanishes: mpirun", started, 3, SOON)
    trials.report(words, problem)


def killed(victim, longest_delay):
    def inject(started):
        time.sleep(random.uniform(0, longest_delay))
        if victim < len(started.ranks):
            with contextlib.suppress(ProcessLookupError):
                os.kill(started.ranks[victim], signal.SIGKILL)
    return inject


def launcher_killed(number, delay):
    def inject(started):
        time.sleep(delay)
        launcher = [started.process.pid] if number == 0 else children_of(started.process)
        for process in launcher:  # none where the run is over
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    return inject


def signalled_twice(name, folder):
    """The second one comes while nothing ends: the launcher, which would pass on the first, is stopped."""
    def inject(started):
        started.wait_until((folder / "timeseries.csv").exists)
        launcher = children_of(started.process)
        os.kill(launcher[0], signal.SIGSTOP)
        for _ in range(2):
            started.process.send_signal(getattr(signal, f"SIG{name}"))
            time.sleep(0.5)
        os.kill(launcher[0], signal.SIGCONT)
    return inject


def hanging(victim, folder):
    def inject(started):
        started.wait_until((folder / "timeseries.csv").exists)
        time.sleep(random.uniform(0, 0.5))
        os.kill(started.ranks[victim], signal.SIGSTOP)
    return inject


def try_faults(trials, cases, number):
    long = [cases["splitting_long"], cases["projection_long"]]
    begin = time.monotonic()
    trials.finish(long[1], "mpirun")
    length = time.monotonic() - begin
    for n in range(number):
        way = ("mpirun", "--ranks")[n // 2 % 2]
        trials.fault(long[n // 2 % 2], way, f"kill -9 of rank {n % 2}", killed(n % 2, 0.9 * length),
                     1 + n % 2, SOON)
    for n in range(4):
        trials.fault(long[n // 2], "mpirun", f"rank {n % 2} hangs", hanging(n % 2, trials.folder),
                     1 + n % 2, HANGS + SOON, DNS_RANK_TIMEOUT=HANGS)
    for name in ("TERM", "INT"):
        trials.fault(long[0], "--ranks", f"SIG{name} twice", signalled_twice(name, trials.folder), 2, SOON)
    trials.fault(long[1], "mpirun", "kill -9 of mpirun", launcher_killed(0, 0.5 * length), 2, SOON)
    trials.fault(long[1], "--ranks", "kill -9 of mpirun", launcher_killed(1, 0.5 * length), 1, SOON)
    trials.fault(long[0], "--ranks", "kill -9 of the program that started them",
                 launcher_killed(0, 0.5 * length), 1, SOON)


def main(trial, options):
    require_mpi()
    cases = {case.name: case for case in (
        Case(trial, "splitting_double", splitting(FEW, output=RECORDS)),
        Case(trial, "splitting_float", splitting(FEW, "float")),
        Case(trial, "splitting_body", splitting(FEW), BODY),
        Case(trial, "projection_double", projection(FEW, output=f"{STATISTICS}, {RECORDS}")),
        Case(trial, "projection_float", projection(FEW, "float")),
        Case(trial, "projection_body", projection(FEW, output="statistics: {every: 2}"), BODY),
        Case(trial, "projection_walls_z", projection(FEW, walls="z")),
        Case(trial, "order_6_double", order_6()),
        Case(trial, "order_6_float", order_6("float")),
        Case(trial, "channel_order_6_double", channel_order_6()),
        Case(trial, "channel_order_6_float", channel_order_6("float")),
        Case(trial, "splitting_long", splitting(STEPS)),
        Case(trial, "projection_long", projection(STEPS, output=STATISTICS)))}
    trials = Trials(trial)
    if options.ends:
        try_ends(trials, cases)
    if options.kills:
        try_faults(trials, cases, options.kills)


if __name__ == "__main__":
    run_trial(main, __doc__, {"ends": (1, 1, "0: not the ways to end"),
                              "kills": (12, 1, "ranks killed; 0: no faults")})
