"""Cylinder across a stream: Re 40 (drag, recirculation), Re 100 (frequency, forces, heat).

Two-dimensional, 10, 20 and 40 cells across the diameter D. Box -20 D to 35 D x +-30 D; outside of a
core of equal cells, x -1 to 8 D, y +-1 D, they grow by 4 %. Forces and heat are those of the time
series; Nu = heat Re Pr/(pi L_z) with D, U and the excess temperature of the cylinder 1. Ranges are
those of the literature at these Reynolds numbers.
"""
import math

import numpy as np

from curves import across, cubic_at, mean_between, upward_crossings
from dnsflow.coefficients import references_of
from pictures import style
from reference_data import CYLINDER_RANGES
from validation.graded import coordinate_settings, graded_faces

PRANDTL = 0.7
CASE = "cylinder_wake"
# Of the literature. The finest grid must come as close to a range as `limit`, over its middle.
RANGES_40, RANGES_100 = CYLINDER_RANGES[40], CYLINDER_RANGES[100]
# An independent model of the same method on such grids, by cells across D.
MODEL_40 = {10: {"Cd": 1.548, "Lr/D": 2.267, "Nu": 3.273},
            20: {"Cd": 1.5405, "Lr/D": 2.279, "Nu": 3.260},
            40: {"Cd": 1.5376, "Lr/D": 2.273, "Nu": 3.260}}
MODEL_100 = {10: {"St": 0.1637, "Cd": 1.377, "Cl' amplitude": 0.310, "Nu": 5.28},
             20: {"St": 0.1654, "Cd": 1.354, "Cl' amplitude": 0.325, "Nu": 5.156},
             40: {"St": 0.1659, "Cd": 1.347, "Cl' amplitude": 0.328, "Nu": 5.141}}
LIMIT_OF_MODEL = 0.02  # the grids are not the same
LIMITS_OF_RANGES = {10: 0.05, 20: 0.02, 40: 0.015}


def settings_of(session, reynolds, cells):
    """The same case on a grid of `cells` across D; the faces go in text files beside the runs."""
    if session.is_quick:
        box, core, growth = (-10, 20, 12), (-1, 4, 1), 0.08
    else:
        box, core, growth = (-20, 35, 30), (-1, 8, 1), 0.04
    spacing = 1 / cells
    axes = {"x": graded_faces(box[0], box[1], core[:2], spacing, growth),
            "y": graded_faces(-box[2], box[2], (-core[2], core[2]), spacing, growth)}
    counts = [len(faces) - 1 for faces in axes.values()]
    end = {40: 150, 100: 220}[reynolds]
    step = 0.4 * spacing  # CFL 0.6 on 1.5 U
    settings = [f"fluid.reynolds={reynolds}", f"grid.points=[{counts[0]},{counts[1]},4]",
                f"grid.length=[{box[1] - box[0]},{2 * box[2]},{4 * spacing:.17g}]",
                f"grid.origin=[{box[0]},{-box[2]},0]", f"time.step={step:.17g}",
                f"time.end={end / 2 if session.is_quick else end}",
                "output.fields.every=1000000", "output.fields.precision=double",
                "output.timeseries.every=5", "output.checkpoint.every=5000"]
    if reynolds == 40:
        settings.append("initial.velocity=[1,0,0]")
    label = f"{cells}_quick" if session.is_quick else str(cells)
    return settings + coordinate_settings(session.folder, axes, label)


def coefficients(run):
    """Time, drag and lift coefficient, Nusselt number, largest slip."""
    series = run.time_series()
    span = run.case["grid"]["length"][2]
    reynolds, scale = run.case["fluid"]["reynolds"], references_of(run.case)["rod"].scale
    return (series["time"], scale * series["force_rod_x"], scale * series["force_rod_y"],
            series["heat_rod"] * reynolds * PRANDTL / (math.pi * span), series["body_slip"])


def recirculation_length(run):
    """From the rear of the cylinder to where u on the axis of the wake changes sign [D]."""
    flow = run.snapshot()
    u = flow["velocity"][:, :, :, 0].mean(axis=0, dtype=float)
    x, on_axis = flow["x"], across(flow["y"], u.T, 0.0)
    behind = (x > 0.6) & (x < 8)
    place = x[behind]
    change = np.flatnonzero((on_axis[behind][:-1] < 0) & (on_axis[behind][1:] >= 0))
    if len(change) == 0:
        return math.nan
    fine = np.linspace(place[change[-1]], place[change[-1] + 1], 1001)
    return float(np.interp(0, cubic_at(x, on_axis, fine), fine)) - 0.5


def figures_40(run):
    """Those with a range in the literature, and others."""
    time, drag, lift, nusselt, slip = coefficients(run)
    before = np.interp(time[-1] - 5, time, drag)
    return ({"Cd": drag[-1], "Lr/D": recirculation_length(run), "Nu": nusselt[-1]},
            {"change of Cd over the last 5 D/U": abs(drag[-1] - before), "lift": abs(lift[-1]),
             "largest slip [U]": slip[-1]})


def figures_100(run):
    """Over the whole periods of the last 60 D/U."""
    time, drag, lift, nusselt, slip = coefficients(run)
    late = time > time[-1] - 60
    ends = upward_crossings(time[late], lift[late])
    if len(ends) < 3:
        return dict.fromkeys(RANGES_100, math.nan), {}
    span = (ends[0], ends[-1])
    values = lift[(time >= span[0]) & (time <= span[1])]
    half = len(values) // 2
    return ({"St": (len(ends) - 1) / (span[1] - span[0]), "Cd": mean_between(time, drag, *span),
             "Cl' amplitude": (values.max() - values.min()) / 2,
             "Nu": mean_between(time, nusselt, *span)},
            {"amplitude of Cl, second half over first, off 1":
                 abs(values[half:].max() / values[:half].max() - 1),
             "largest slip [U]": slip[late].max()})


def compare(report, run, reynolds, cells, is_quick):
    """Criteria of one run: ranges of the literature, and the model of the method."""
    figures, others = (figures_40 if reynolds == 40 else figures_100)(run)
    ranges, model = (RANGES_40, MODEL_40) if reynolds == 40 else (RANGES_100, MODEL_100)
    title = f"Re {reynolds}, D/h {cells}"
    for name, (low, high) in ranges.items():
        limit = None if name == "Cl' amplitude" and cells == 10 else LIMITS_OF_RANGES[cells]
        report.compare(f"{title}: {name}, literature {low:g} to {high:g}", figures[name],
                       (low + high) / 2, 0.1 if is_quick else limit)
        if not is_quick:
            report.compare(f"{title}: {name}, model of the method", figures[name],
                           model[cells][name], LIMIT_OF_MODEL)
    for name, value in others.items():
        report.tell(f"{title}: {name}", value)


def draw(runs):
    figure, (panels,) = style.new_figure(1, 2, 2.9)
    for (reynolds, cells), run in runs.items():
        time, drag, lift, *_ = coefficients(run)
        panels[0].plot(time, drag, lw=0.8, label=f"Re {reynolds}, D/h {cells}")
        if reynolds == 100:
            panels[1].plot(time, lift, lw=0.8, label=f"D/h {cells}")
    panels[0].set(xlabel="$t\\,U/D$", ylabel="$C_D$", ylim=(1.2, 1.8), title="drag")
    panels[1].set(xlabel="$t\\,U/D$", ylabel="$C_L$", title="lift at Re 100")
    for axes in panels:
        axes.legend()
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    runs = {}
    for cells in [10] if session.is_quick else [10, 20, 40]:
        for reynolds in (40, 100):
            run = session.run(f"re{reynolds}_cells_{cells}", CASE,
                              settings_of(session, reynolds, cells))
            report.runs.append(run)
            runs[reynolds, cells] = run
            compare(report, run, reynolds, cells, session.is_quick)
    return draw(runs)
