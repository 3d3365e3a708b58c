"""A resume that changes the case.

Promised: averages of one flow and of another, or taken in another way, are never mixed. A change of
the grid, the fluid, buoyancy, boundaries, forcing or output.statistics starts new averages with the
first step after the resume, and says so; a change of time steps, precision, threads or other output
leaves them going on, silently.
Tried: dns resume --set, and dns run --resume of an edited case file, one key after the other.
"""
import re

from cases import settings, write_case
from common import run, run_trial
from contents import make_reference

import h5py

FIRST, LAST = 6, 10  # steps: of the first run, and after the resume
NEW_FLOW = ("fluid.reynolds=90", "fluid.prandtl=1.5", "buoyancy.rayleigh=2e4",
            "buoyancy.direction=x", "boundaries.y_min.temperature=2",
            "boundaries.y_max.velocity=[0.1,0,0]", "forcing.value=[1.1,0,0]",
            "forcing.type=pressure_gradient", "output.statistics.window=100",
            "output.statistics.budgets=true")
SAME_FLOW = ("time.step=1e-3", "time.cfl=0.2", "precision=float", "run.threads=2", "device=cpu",
             "output.fields.every=2", "output.checkpoint.keep=1", "output.timeseries.every=2",
             "run.wall_time_limit=1000")
SAYS_SO = re.compile(r"averages +begin anew")


def averages_in(directory):
    """Samples, and the time of the first of them."""
    with h5py.File(directory / "statistics.h5") as file:
        return int(file.attrs["samples"]), float(file.attrs["first_time"])


def time_of_step(directory, step):
    for line in (directory / "timeseries.csv").read_text().split("\n")[1:]:
        words = line.split(",")
        if words[0] == str(step):
            return float(words[1])
    return None


def try_change(trial, how, arguments, directory, is_new):
    """One resume: the samples tell which averages went on."""
    result = run(*arguments)
    if not trial.check(result.ends_with(0), f"{how}: {result}", "exit code"):
        return
    samples, first_time = averages_in(directory)
    wanted = LAST - FIRST if is_new else LAST
    first = time_of_step(directory, FIRST + 1 if is_new else 1)
    trial.check(samples == wanted, f"{how}: {samples} samples instead of {wanted}",
                "averages are mixed" if is_new else "averages are lost")
    if first is not None:  # the time series may leave out steps
        trial.check(first_time == first, f"{how}: the first sample is of time {first_time}, "
                    f"not {first}", "time of the first sample")
    says = SAYS_SO.search(result.err) is not None
    trial.check(says == is_new, f"{how}: {'not said' if is_new else 'said without a reason'}: "
                f"{result.err[-600:]!r}", "what is said")


def main(trial, options):
    case = write_case(trial.folder / "case.yaml", "projection", FIRST, 1)
    changes = [(change, True) for change in NEW_FLOW] + [(change, False) for change in SAME_FLOW]
    for change, is_new in changes[::4] if options.quick else changes:
        directory = trial.fresh("run")
        make_reference(case, directory)
        try_change(trial, f"dns resume --set {change}",
                   ("resume", directory, "--steps", str(LAST), *settings(change)), directory,
                   is_new)
        trial.fresh("run")
        make_reference(case, directory)
        try_change(trial, f"dns run --resume --set {change}",
                   ("run", case, "-o", directory, "--resume", "--steps", str(LAST),
                    *settings(change)), directory, is_new)


if __name__ == "__main__":
    run_trial(main, __doc__)
