"""Flows that diverge.

Promised: exit 4 with the variable, the place, the step and the CFL number; no file is touched when
the first flow is bad already; the last good checkpoint stays, and no file holds a NaN. Exit 2 with
the key, the place and a checkpoint where a formula at a boundary has no value any more.
Tried: initial flows, boundaries, fluids and time steps that no flow survives, in both schemes and
precisions.
"""
import re

from cases import SCHEMES, settings, write_case
from common import run, run_trial, thinned
from contents import has_checkpoint

import h5py
import numpy as np

AT_ONCE = {  # the first flow is bad
    "NaN": ("initial.velocity=[\"0/x/0\",0,0]",),
    "root of a negative number": ("initial.velocity=[\"sqrt(x-0.5)\",0,0]",),
    "temperature NaN": ("initial.temperature=\"log(-1-x)\"",),
    "1e300": ("initial.velocity=[1e300,1e300,1e300]",),
    "noise 1e308": ("initial.noise.amplitude=1e308",),
}
AT_ONCE_SPLITTING = {"1/(y-0.5)": ("initial.velocity=[\"1/(y-0.5)\",0,0]",)}  # inf at a node
LATER_SPLITTING = {
    "growing inflow": ("boundaries.x_min.velocity=[\"exp(2000*t)\",0,0]",),
}
UNDEFINED_SPLITTING = {
    "inflow NaN": ("boundaries.x_min.velocity=[\"sqrt(0.0205-t)\",0,0]",),
    "inflow infinite": ("boundaries.x_min.velocity=[\"1/(t<0.02)\",0,0]",),
}
LATER_PROJECTION = {
    "wall growing": ("boundaries.y_min.velocity=[\"exp(3000*t)\",0,0]",),
}
UNDEFINED_PROJECTION = {
    "hot wall": ("boundaries.y_min.temperature=\"1/(t<0.02)\"",),
    "wall NaN": ("boundaries.y_min.velocity=[\"sqrt(0.0205-t)\",0,0]",),
}
PERHAPS = {  # may diverge, may be refused, may be survived: an expectation
    "1e30": ("initial.velocity=[1e30,0,0]",),
    "step 1e5": ("time.step=1e5",), "step 1e300": ("time.step=1e300",),
    "Reynolds 1e-300": ("fluid.reynolds=1e-300",), "Reynolds 1e300": ("fluid.reynolds=1e300",),
    "Reynolds 1e-8, step 10": ("fluid.reynolds=1e-8", "time.step=10"),
    "Prandtl 1e-300": ("fluid.prandtl=1e-300",),
    "length 1e-200": ("grid.length=[1e-200,1e-200,1e-200]",),
    "length 1e200": ("grid.length=[1e200,1e200,1e200]",),
    "lengths 1e300 and 1e-300": ("grid.length=[1e300,1e-300,1]",),
    "origin 1e300": ("grid.origin=[1e300,0,0]",),
    "tolerance": ("time.global_tolerance=1e-300", "time.max_global_iterations=3"),
}
PERHAPS_SPLITTING = {
    "fast": ("initial.velocity=[\"2000*sin(50*x)\",\"1000*cos(40*y)\",900]",)}
PERHAPS_PROJECTION = {
    "Rayleigh 1e300": ("buoyancy.rayleigh=1e300",),
    "forcing 1e300": ("forcing.type=pressure_gradient", "forcing.value=[1e300,0,0]"),
    "bulk velocity 1e200": ("forcing.value=[1e200,0,0]",),
}
TRIALS = {"splitting": {"at once": {**AT_ONCE, **AT_ONCE_SPLITTING}, "later": LATER_SPLITTING,
                        "undefined later": UNDEFINED_SPLITTING,
                        "perhaps": {**PERHAPS, **PERHAPS_SPLITTING}},
          "projection": {"at once": AT_ONCE, "later": LATER_PROJECTION,
                         "undefined later": UNDEFINED_PROJECTION,
                         "perhaps": {**PERHAPS, **PERHAPS_PROJECTION}}}
CODES = {"at once": (2, 4), "later": (4,), "undefined later": (2,), "perhaps": (0, 2, 4)}
SAID = {"step": r"step \d+: the flow diverged", "CFL": "CFL",
        "variable": r"(velocity_[xyz]|temperature|pressure|u|v|w|p|T) is \S+ at",
        "place": r"(cell|node) \(\d+, \d+, \d+\), x = "}


def bad_numbers(directory):
    """Where a run's files are not finite; skewness of what does not fluctuate may be NaN."""
    def may_be_nan(name):
        return name.startswith(("skewness_", "flatness_"))

    found = []
    for path in sorted(directory.glob("*.h5")):
        with h5py.File(path) as file:
            found += [f"{path.name}:{name}" for name, data in file.items()
                      if not may_be_nan(name) and not np.isfinite(data[()]).all()]
            if not np.isfinite(file.attrs["time"]):
                found.append(f"{path.name}@time")
    for table in sorted(directory.glob("*.csv")):
        if re.search(r"nan|inf", table.read_text().split("\n", 1)[-1], re.I):
            found.append(table.name)
    return found


def try_flow(trial, scheme, precision, when, name, changes):
    case = write_case(trial.folder / "case.yaml", scheme, 120, 4, precision)
    directory = trial.fresh("run")
    result = run("run", case, "-o", directory, *settings(*changes), timeout=60)
    words = f"{scheme} {precision} {name}: dns run --set {' --set '.join(changes)}"
    if not trial.check(result.ends_with(*CODES[when]), f"{words}: {result}", f"{when}: exit code"):
        return
    if result.code == 4:
        lacking = [what for what, pattern in SAID.items() if not re.search(pattern, result.err)]
        trial.check(not lacking, f"{words}: the message lacks {lacking}: {result}", "message")
    if when == "undefined later":
        said = re.search(r"of which there is a checkpoint: boundaries\.\S+: .* at x = ", result.err)
        trial.check(said and has_checkpoint(directory), f"{words}: {result}", "undefined later")
    files = list(directory.glob("*.h5")) if directory.exists() else []
    if when == "at once":
        trial.check(not files, f"{words}: files: {files}", "files though the first flow is bad")
    if not directory.exists():
        return
    found = bad_numbers(directory)
    trial.check(not found, f"{words} (exit {result.code}): not finite: {found[:6]}", "NaN in files")
    if result.code == 4 and has_checkpoint(directory):
        again = run("resume", directory, timeout=60)
        trial.check(again.ends_with(0, 4), f"{words}: resume: {again}", "resume")
        info = run("info", directory)
        trial.check(info.ends_with(0), f"{words}: info: {info}", "info")


def main(trial, options):
    trials = [(scheme, precision, when, name, changes) for scheme in SCHEMES
              for precision in ("double", "float") for when, flows in TRIALS[scheme].items()
              for name, changes in flows.items()]
    for one in thinned(trials, options.every):
        try_flow(trial, *one)


if __name__ == "__main__":
    run_trial(main, __doc__, {"every": (1, 4, "one in so many flows is tried")})
