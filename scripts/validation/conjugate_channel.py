"""Channel at Re_tau 150 between walls that conduct: variances at the surface, Tiselj et al. (2001).

One flow carries three scalars of Prandtl number 0.71 that a source in the fluid heats: temperature,
which passes into walls that conduct as the fluid does, `cold`, 0 at the surfaces, and `steady`, of
which a flux without fluctuations passes. At a surface that is ideal the variance is 0, or the
largest possible one; with walls that conduct it lies between (Tiselj, Bergant, Mavko, Bajsic &
Hetsroni, J. Heat Transfer 123 (2001) 849; Flageul, Benhamadouche, Lamballais & Laurence, Int. J.
Heat Fluid Flow 55 (2015) 34). Exact: the walls take what the source gives and nothing keeps; heat
that leaves the fluid leaves the backs of the walls.
"""
import numpy as np

from curves import mean_from
from pictures import style

SOURCE = 2  # of the fluid between the surfaces, over the area of one [u_tau^2/h]
SCALARS = {"T": "walls that conduct", "cold": "0 at the surface", "steady": "steady flux"}
QUICK = ["grid.points=[48,auto,48]", "time.end=16", "output.statistics.start=8",
         "grid.stretching.y={type: pieces, uniform: [[-0.04,0.04,0.01],[1.96,2.04,0.01]], ratio: 1.1}",
         "output.statistics.every=5", "output.fields.every=0"]


def variance_of(averages, name):
    """Distance from the surface in the fluid [nu/u_tau] and variance, both halves averaged."""
    y = averages["y"]
    fluid = (y > 0) & (y < 2)
    values = averages[f"{name}{name}" if name == "T" else f"{name}_{name}"][fluid]
    half = len(values) // 2
    mean = (values[:half] + values[::-1][:half]) / 2
    return y[fluid][:half] * averages.case["fluid"]["reynolds"], mean


def at_surface(distance, variance):
    """By the parabola through the first three cells."""
    return float(np.polyval(np.polyfit(distance[:3], variance[:3], 2), 0))


def heat_given(series, start, name):
    """Mean flux of a scalar from both bodies into the fluid, over the area of one surface."""
    column = "heat_{}" if name == "T" else name + "_flux_{}"
    return sum(mean_from(series, column.format(body), start) for body in ("low", "high"))


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    run = session.run("channel", "conjugate_channel", QUICK if session.is_quick else [])
    report.runs.append(run)
    averages, series = run.statistics(), run.time_series()
    start = averages.attributes["first_time"]
    area = np.prod([averages.case["grid"]["length"][axis] for axis in (0, 2)])
    figure, ((whole, near),) = style.new_figure(1, 2, 3.4)
    walls = {}
    for turn, (name, words) in enumerate(SCALARS.items()):
        distance, variance = variance_of(averages, name)
        walls[name] = at_surface(distance, variance)
        report.tell(f"{words}: variance at the surface [(source h/u_tau)^2]", walls[name])
        for panel in (whole, near):
            panel.plot(distance, variance, f"C{turn}.-", label=words)
        taken = -heat_given(series, start, name) / area
        report.tell(f"{words}: flux into both surfaces", taken)
    report.bound("steady flux: flux into both surfaces, off the source",
                 abs(-heat_given(series, start, "steady") / area / SOURCE - 1), 1e-3)
    share = walls["T"] / walls["steady"]
    report.compare_difference("variance at the surface over that of steady flux: walls that "
                              "conduct, 0.02 to 0.98", share, 0.5, 0.48)
    report.bound("the same: 0 at the surface", abs(walls["cold"] / walls["steady"]), 0.02)
    report.tell("root mean square at the surface, steady flux", np.sqrt(walls["steady"]))
    whole.set(xlabel="$y^+$", ylabel="$\\overline{\\theta'^2}$", title="variances of scalars")
    near.set(xlabel="$y^+$", xlim=(0, 20), title="beside the surface")
    whole.legend()
    samples, first, last = (averages.attributes[name]
                            for name in ("samples", "first_time", "last_time"))
    report.note(f"{samples:.0f} samples from t = {first:.4g} to {last:.4g} h/u_tau.")
    return figure
