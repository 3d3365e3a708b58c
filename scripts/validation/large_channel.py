"""A turbulent channel on a large grid, started from runs on coarser ones, against a spectral one.

The mean velocity is held at that of the reference. Averages over time, planes and both halves,
scaled with the measured friction velocity; uncertainties are those of 95 % from windows of time, as
`dns average` has them. The averages begin SETTLING after the last start.
"""
import json
from typing import NamedTuple

import numpy as np

from channel_profiles import budget_of, profiles_of, uncertainties_of
from curves import cubic_at, mean_from
from pictures import style
from validation import channel_spectra
from validation.channel import compare, compare_budget, draw
from validation.halves import tell_asymmetry

AVERAGED_LATER = ["output.statistics.start=1e6", "output.statistics.budgets=false"]


class Stage(NamedTuple):
    """A run on some cells until a time after its start [h/u_tau]."""

    cells: list
    end: float


class LargeChannel(NamedTuple):
    """A case, its reference, the coarser runs before it, and when its averages begin and end."""

    case: str
    reference: str
    profiles: dict
    budget: dict
    stages: list
    settling: float
    end: float
    spectra: dict = {}  # see channel_spectra.validate
    settings: list = []  # the last run has them besides the settings of the case


def quick_variant(flow):
    """The same flow on few cells for a short time."""
    return flow._replace(stages=[Stage([32, 32, 32], 3.0)], settling=0.5, end=2.5)


QUICK = ["grid.points=[48,48,48]", "output.statistics.every=5", "output.statistics.window=0.2"]


def run_of(session, flow):
    """All runs, the one to compare last."""
    runs, start = [], []
    for number, stage in enumerate(flow.stages, 1):
        runs.append(session.run(f"start{number}", flow.case, start, [
            f"grid.points={stage.cells}", f"time.end={stage.end}", *AVERAGED_LATER]))
        start = [f"initial={{type: file, path: {json.dumps(str(runs[-1].folder))}}}"]
    settings = start + flow.settings + [f"output.statistics.start={flow.settling}", f"time.end={flow.end}"]
    if session.is_quick:
        settings += QUICK
    return [*runs, session.run("channel", flow.case, settings)]


def tell_differences(report, profiles, flow):
    """Of the stresses at all heights, over their peaks."""
    for name in ("u", "v", "w", "uv"):
        y_plus, values = profiles[name]
        known = y_plus < flow.profiles[name][0][-1]
        off = values[known] - cubic_at(*flow.profiles[name], y_plus[known])
        report.bound(f"{name}, largest difference over its peak", np.abs(off).max() / values.max(),
                     None, True)


def tell_uncertainty(report, averages, viscosity):
    """Half of the 95 % intervals, at most, relative, of what is compared."""
    profiles = profiles_of(averages, viscosity)
    y_plus, mean = profiles["U"]
    for name, half in uncertainties_of(averages, viscosity).items():
        if name == "U":
            report.bound("uncertainty of U+, y+ > 1, largest", (half / mean)[y_plus > 1].max(),
                         None, True)
        elif name != "p":
            peak = np.argmax(profiles[name][1])
            report.bound(f"uncertainty of {name} at its peak", half[peak] / profiles[name][1][peak],
                         None, True)
    if "friction_velocity_uncertainty" in averages.attributes:
        report.tell("uncertainty of the friction velocity [u_tau]",
                    averages.attributes["friction_velocity_uncertainty"])


def halves_of(series, start):
    """The friction velocity in both halves of the time from `start` on."""
    middle = (start + series["time"][-1]) / 2
    early = {name: series[name][series["time"] <= middle] for name in series}
    return [mean_from(part, "friction_velocity", first)
            for part, first in ((early, start), (series, middle))]


def cost_of(runs):
    """What all runs together took, as a sentence."""
    joules = sum(run.energy for run in runs)
    energy = "" if np.isnan(joules) else f", {joules:.3g} kWh of the GPU"
    last = runs[-1]
    return (f"{sum(run.minutes for run in runs):.3g} minutes in all{energy}; the last run "
            f"{last.minutes:.3g} minutes, {np.prod(last.cells) / 1e6:.3g} million cells, "
            f"{last.parts[-1]['step']} steps.")


def validate(session, report, flow):
    """Adds runs and criteria to the report; returns the picture."""
    if session.is_quick:
        flow = quick_variant(flow)
    runs = run_of(session, flow)
    report.runs += runs
    run = runs[-1]
    viscosity = 1 / run.case["fluid"]["reynolds"]
    scale = 30 if session.is_quick else 1
    averages, series = run.statistics(), run.time_series()
    profiles = profiles_of(averages, viscosity)
    compare(report, profiles, flow.profiles, flow.reference, scale, 0.02)
    tell_differences(report, profiles, flow)
    budget = budget_of(averages, viscosity)
    compare_budget(report, budget, flow.budget, flow.reference, 0.05 * scale)
    off = np.abs(profiles["total"][1] - profiles["balance"][1]).max()
    report.bound("-u'v'+ + dU+/dy+ against 1 - y/h, largest difference", off, 0.02 * scale)
    friction_velocity = averages.attributes["friction_velocity"]
    report.compare("friction velocity at the mean velocity of the reference", friction_velocity, 1,
                   0.01 * scale)
    first, last = averages.attributes["first_time"], averages.attributes["last_time"]
    driving = mean_from(series, "driving_x", first)
    report.compare("driving force against the wall shear", driving, friction_velocity**2,
                   0.01 * scale)
    for name, value in zip(("first", "second"), halves_of(series, first)):
        report.tell(f"friction velocity, {name} half of the time", value)
    tell_asymmetry(report, run)
    joined = run.averages()
    tell_uncertainty(report, joined, viscosity)
    if flow.spectra:
        figure = channel_spectra.validate(report, run, flow.spectra, flow.reference, scale)
        if figure is not None:
            picture = session.folder / f"{flow.case}_spectra.png"
            style.save(figure, picture)
            report.note(f"Spectra: {picture.name}.")
    report.tell("largest divergence [u_tau/h]", series["divergence_max"].max())
    report.note(f"{averages.attributes['samples']:.0f} samples from t = {first:.4g} to {last:.4g} "
                "h/u_tau.")
    report.note(cost_of(runs))
    for note in joined.notes:
        report.note(f"Uncertainties: {note}.")
    return draw(profiles, {flow.reference: flow.profiles}, budget, flow.budget)
