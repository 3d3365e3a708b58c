"""Turbulence in a periodic box kept going by a linear force: balance and isotropy.

Means over 25 turnovers. The force gives 2 A k, k the kinetic energy, which dissipation takes in the
mean. Nothing prefers a direction: the variances of u, v, w are alike and their covariances 0, up to
what few large eddies leave in so many turnovers.
"""
import numpy as np

from curves import mean_from
from pictures import style

QUICK = ["grid.points=[32,32,32]", "time.end=40"]
START = 20.0


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    settings = ["output.fields.every=0",
                "output.statistics={start: 20, every: 5, average: [x, y, z]}"]
    run = session.run("box", "forced_box", settings + (QUICK if session.is_quick else []))
    report.runs.append(run)
    series, averages = run.time_series(), run.statistics()
    scale = 5 if session.is_quick else 1
    energy = mean_from(series, "kinetic_energy", START)
    dissipation = mean_from(series, "dissipation", START)
    report.compare("dissipation against 2 A k", dissipation,
                   2 * run.case["forcing"]["linear"] * energy, 0.03 * scale)
    size = (2 / 3 * energy)**1.5 / dissipation / run.case["grid"]["length"][0]
    report.compare("(2/3 k)^(3/2)/dissipation, of the box, Rosales & Meneveau", size, 0.19,
                   0.2 * scale)
    variances = [float(averages[name][0]) for name in ("uu", "vv", "ww")]
    mean = np.mean(variances)
    for name, variance in zip("uvw", variances):
        report.compare(f"variance of {name} against their mean", variance, mean, 0.1 * scale)
    for name in ("uv", "uw", "vw"):
        report.bound(f"covariance {name} over the mean variance",
                     abs(float(averages[name][0])) / mean, 0.1 * scale)
    bulk = max(np.abs(series[f"bulk_velocity_{axis}"]).max() for axis in "xyz")
    report.bound("largest bulk velocity [U]", bulk,
                 1e-12 if session.precision == "double" else 1e-5)
    figure, ((axes,),) = style.new_figure(1, 1, 3.6)
    axes.plot(series["time"], series["dissipation"], label="dissipation")
    axes.plot(series["time"], 2 * run.case["forcing"]["linear"] * series["kinetic_energy"],
              label="2 A k")
    axes.set(xlabel="$t\\,U/L$", ylabel="[U$^3$/L]")
    axes.legend()
    return figure
