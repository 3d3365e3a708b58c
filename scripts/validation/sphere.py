"""Sphere in a stream: Re 100 (drag), Re 300 (frequency, drag, lift of the hairpin vortices).

16 and 32 cells across the diameter D. Box -10 to 20 D x +-10 D x +-10 D; outside of a core of equal
cells, x -1 to 4 D, y and z +-1 D, they grow by 4 %. Coefficients are forces over
rho U^2/2 pi D^2/4. At Re 300 the wake keeps a plane of symmetry, and the lift lies in it. Against
Johnson & Patel, J. Fluid Mech. 378 (1999) 19; the drag curve of Clift, Grace & Weber (1978) has
1.087 at Re 100.
"""
import math

import numpy as np

from curves import mean_between, upward_crossings
from dnsflow.coefficients import references_of
from pictures import style
from validation.graded import coordinate_settings, graded_faces

CASE = "sphere"
JOHNSON_PATEL = {100: {"Cd": 1.09}, 300: {"St": 0.137, "Cd": 0.656, "mean Cl": 0.069}}
LIMITS = {16: {"St": 0.1, "Cd": 0.08, "mean Cl": 0.2}, 32: {"St": 0.04, "Cd": 0.03, "mean Cl": 0.1}}
LIMIT_OF_QUICK = 0.25  # of the drag; there are no vortices yet
END = {100: 50, 300: 160}  # [D/U]
LATE = 60  # the averages at Re 300 are those of the last D/U


def settings_of(session, reynolds, cells):
    """The same case on a grid of `cells` across D."""
    if session.is_quick:
        box, core, growth = (-4, 8, 4), (-0.75, 1.5, 0.75), 0.12
    else:
        box, core, growth = (-10, 20, 10), (-1, 4, 1), 0.04
    spacing = 1 / cells
    along = graded_faces(box[0], box[1], core[:2], spacing, growth)
    across = graded_faces(-box[2], box[2], (-core[2], core[2]), spacing, growth)
    counts = (len(along) - 1, len(across) - 1)
    settings = [f"fluid.reynolds={reynolds}", f"grid.points=[{counts[0]},{counts[1]},{counts[1]}]",
                f"grid.length=[{box[1] - box[0]},{2 * box[2]},{2 * box[2]}]",
                f"grid.origin=[{box[0]},{-box[2]},{-box[2]}]",
                f"time.step={0.4 * spacing:.17g}",
                f"time.end={END[reynolds] / 5 if session.is_quick else END[reynolds]}",
                "output.fields.every=1000000", "output.timeseries.every=5",
                "output.checkpoint.every=5000"]
    if reynolds == 100:
        settings.append("initial.velocity=[1,0,0]")
    label = f"{cells}_quick" if session.is_quick else str(cells)
    return settings + coordinate_settings(
        session.folder, {"x": along, "y": across, "z": across}, label)


def coefficients(run):
    """Time, coefficients of the drag and of the forces along y and z, largest slip."""
    series, scale = run.time_series(), references_of(run.case)["ball"].scale
    drag, side_y, side_z = (scale * series[f"force_ball_{axis}"] for axis in "xyz")
    return series["time"], drag, side_y, side_z, series["body_slip"]


def figures_100(run):
    """Those with a reference, and others."""
    time, drag, side_y, side_z, slip = coefficients(run)
    before = np.interp(time[-1] - 5, time, drag)
    return ({"Cd": drag[-1]},
            {"change of Cd over the last 5 D/U": abs(drag[-1] - before),
             "lift": math.hypot(side_y[-1], side_z[-1]), "largest slip [U]": slip[-1]})


def figures_300(run):
    """Over the whole periods of the lift in the last 60 D/U, or all of these if it has none."""
    time, *curves, slip = coefficients(run)
    late = time >= max(time[-1] - LATE, time[-1] / 2)
    time, slip = time[late], slip[late]
    drag, side_y, side_z = (curve[late] for curve in curves)
    mean_y, mean_z = (mean_between(time, side, time[0], time[-1]) for side in (side_y, side_z))
    mean = math.hypot(mean_y, mean_z)
    lift = (side_y * mean_y + side_z * mean_z) / mean  # in the plane of symmetry
    ends = upward_crossings(time, lift - mean)
    has_periods = len(ends) > 2
    span = (ends[0], ends[-1]) if has_periods else (time[0], time[-1])
    strouhal = (len(ends) - 1) / (span[1] - span[0]) if has_periods else math.nan
    across = (side_z * mean_y - side_y * mean_z) / mean
    return ({"St": strouhal, "Cd": mean_between(time, drag, *span),
             "mean Cl": math.hypot(*(mean_between(time, side, *span)
                                     for side in (side_y, side_z)))},
            {"amplitude of Cd": (drag.max() - drag.min()) / 2,
             "amplitude of Cl": (lift.max() - lift.min()) / 2,
             "largest force across the plane of symmetry": abs(across).max(),
             "whole periods": max(len(ends) - 1, 0), "largest slip [U]": slip.max()})


def compare(report, run, reynolds, cells, is_quick):
    """Criteria of one run."""
    figures, others = (figures_100 if reynolds == 100 else figures_300)(run)
    title = f"Re {reynolds}, D/h {cells}"
    for name, reference in JOHNSON_PATEL[reynolds].items():
        if is_quick and name != "Cd":
            report.tell(f"{title}: {name}", figures[name])
            continue
        report.compare(f"{title}: {name}, Johnson & Patel", figures[name], reference,
                       LIMIT_OF_QUICK if is_quick else LIMITS[cells][name])
    for name, value in others.items():
        report.tell(f"{title}: {name}", value)


def draw(runs):
    figure, (panels,) = style.new_figure(1, 2, 2.9)
    for (reynolds, cells), run in runs.items():
        time, drag, side_y, side_z, _ = coefficients(run)
        panels[0].plot(time, drag, lw=0.8, label=f"Re {reynolds}, D/h {cells}")
        if reynolds == 300:
            panels[1].plot(time, np.hypot(side_y, side_z), lw=0.8, label=f"D/h {cells}")
    for reference in JOHNSON_PATEL.values():
        panels[0].axhline(reference["Cd"], **style.LAW)
    panels[1].axhline(JOHNSON_PATEL[300]["mean Cl"], **style.LAW,
                      label="mean, Johnson & Patel")
    panels[0].set(xlabel="$t\\,U/D$", ylabel="$C_D$", ylim=(0.5, 1.3),
                  title="drag (dashed: Johnson & Patel)")
    panels[1].set(xlabel="$t\\,U/D$", ylabel="$C_L$", ylim=(0, 0.15), title="lift at Re 300")
    for axes in panels:
        axes.legend()
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    runs = {}
    for cells in [8] if session.is_quick else [16, 32]:
        for reynolds in (100, 300):
            run = session.run(f"re{reynolds}_cells_{cells}", CASE,
                              settings_of(session, reynolds, cells))
            report.runs.append(run)
            runs[reynolds, cells] = run
            compare(report, run, reynolds, cells, session.is_quick)
    return draw(runs)
