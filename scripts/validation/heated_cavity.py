"""Air in a square cavity heated from the side at Rayleigh 1e4 and 1e6: Nusselt numbers.

References: Hortmann, Peric & Scheuerer (1990) for the mean Nusselt number (reference_data), de Vahl
Davis (1983) for the velocities, which are in units of thermal diffusivity over side. The Nusselt
numbers of the hot wall, of the cold one and of the whole cavity must agree.
"""
import math

import numpy as np

from curves import across, maximum
from pictures import style
from reference_data import CAVITY_NUSSELT, reference_table

PRANDTL = 0.71
LIMITS = {1e4: 0.005, 1e6: 0.01}  # of the Nusselt numbers, by Rayleigh number


def middle_profiles(run, reynolds):
    """(y, u) on x = 1/2 and (x, v) on y = 1/2 in kappa/L."""
    flow = run.snapshot()
    plane = flow["velocity"].mean(axis=0, dtype=float) * reynolds * PRANDTL
    x, y = flow["x"], flow["y"]
    return (y, across(x, plane[:, :, 0], 0.5)), (x, across(y, plane[:, :, 1].T, 0.5))


def compare(report, run, rayleigh, reynolds, scale):
    """Criteria of one Rayleigh number; `scale` widens them for the quick variant."""
    name = f"Ra {rayleigh:.0e}".replace("e+0", "e")
    series = run.time_series()
    hot, cold, volume = (series[f"nusselt_{where}"][-1] for where in ("x_min", "x_max", "volume"))
    reference, limit = CAVITY_NUSSELT[rayleigh], LIMITS[rayleigh]
    report.compare(f"{name}: Nusselt number, hot wall", hot, reference, limit * scale)
    report.compare(f"{name}: Nusselt number, cold wall", cold, reference, limit * scale)
    report.compare(f"{name}: Nusselt number, volume", volume, reference, limit * scale)
    spread = np.ptp([hot, cold, volume]) / hot  # NaN when one is NaN
    report.bound(f"{name}: spread of the three", spread, 1e-3)
    table = dict(zip(reference_table("heated_cavity.dat")[0],
                     zip(*reference_table("heated_cavity.dat")[1:])))[rayleigh]
    _, u_max, u_place, v_max, v_place = table[:5]
    u_on_x, v_on_y = middle_profiles(run, reynolds)
    for words, profile, expected, place in (("u on x = 1/2", u_on_x, u_max, u_place),
                                            ("v on y = 1/2", v_on_y, v_max, v_place)):
        value, found = maximum(*profile)
        report.compare(f"{name}: largest {words} [kappa/L]", value, expected)
        report.compare_difference(f"{name}: its place", found, place)
    rate = (hot / series["nusselt_x_min"][-2] - 1) / (series["time"][-1] - series["time"][-2])
    report.bound(f"{name}: relative change of the Nusselt number per time at the end", abs(rate))
    return {"series": series, "u": u_on_x, "v": v_on_y, "reference": reference,
            "u_max": (u_place, u_max), "v_max": (v_place, v_max)}


def draw(found):
    figure, grid = style.new_figure(len(found), 3, 2.5 * len(found))
    for row, (rayleigh, one) in zip(grid, found.items()):
        series = one["series"]
        for where, label in (("x_min", "hot"), ("x_max", "cold"), ("volume", "volume")):
            row[0].plot(series["time"], series[f"nusselt_{where}"], label=label)
        row[0].axhline(one["reference"], **style.LAW, label="Hortmann et al.")
        row[0].set(xlabel="$t\\,U/L$", ylabel="$Nu$",
                   title=f"$Ra = {style.power_of_ten(rayleigh)}$",
                   ylim=(0, 2 * one["reference"]))
        for axes, value, place, line in ((row[1], "u", "y", "x"), (row[2], "v", "x", "y")):
            axes.plot(*one[value], label="present")
            axes.plot(*one[f"{value}_max"], "ks", mfc="none", label="de Vahl Davis")
            axes.set(xlabel=f"${place}/L$", ylabel=f"${value}L/\\kappa$",
                     title=f"on ${line} = L/2$")
        for axes in row:
            axes.legend()
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    found = {}
    for rayleigh in [1e4] if session.is_quick else LIMITS:
        reynolds = math.sqrt(rayleigh / PRANDTL)
        settings = [f"buoyancy.rayleigh={rayleigh!r}", f"fluid.reynolds={reynolds!r}",
                    "output.fields.precision=double", "output.fields.every=1000000"]
        if rayleigh == 1e4:
            settings.append("time.end=100")
        if session.is_quick:
            settings.append("grid.points=[32,32,4]")
        run = session.run(f"rayleigh_{rayleigh:.0e}".replace("e+0", "e"), "heated_cavity", settings)
        report.runs.append(run)
        found[rayleigh] = compare(report, run, rayleigh, reynolds, 4 if session.is_quick else 1)
    return draw(found)
