"""Passive scalars of Prandtl numbers 0.2, 0.71, 2 in the channel at Re_tau 180: Kader (1981).

A uniform source heats the fluid and walls at 0 cool it, with the numbers of Kim & Moin, Turbulent
Shear Flows 6 (1989) 85. Exact: the walls take what the source gives and the fluid does not keep,
and the flux across the channel falls linearly to 0 in the middle once the mean is steady. Next to a
wall the mean is Pr y+. From y+ = 30 on it is compared with the correlation of Kader (Int. J. Heat
Mass Transfer 24 (1981) 1541) for Prandtl numbers from 0.7 on. That was fitted to larger Reynolds
numbers, and goes over from one law to the other around y+ = 5 with too low values: 4.1 for Pr 1,
where velocity, which obeys nearly the same equation, is 4.8. At Re_tau 180 velocity itself lies up
to 6 % above 2.44 ln y+ + 5, hence the limit.
"""
import numpy as np

from channel_profiles import both_halves, profiles_of, s2a, stress_at_centres, wall_distances
from curves import mean_from
from pictures import style
from validation.halves import tell_asymmetry

SOURCE = 1  # of every scalar of the case [1/time]
SUBLAYER, OUTSIDE = 2, 30  # y+ up to which conduction alone counts; from which on Kader's law does
LEAST_PRANDTL = 0.7  # from which on it does
QUICK = ["grid.points=[48,48,32]", "time.end=16", "output.statistics.start=10",
         "output.statistics.every=5", "output.fields.every=0"]


def kader(y_plus, prandtl, outer):
    """Mean scalar in wall units between smooth walls; outer: y/h, distance over half the height."""
    beta = (3.85 * prandtl**(1 / 3) - 1.3)**2 + 2.12 * np.log(prandtl)
    gamma = 0.01 * (prandtl * y_plus)**4 / (1 + 5 * prandtl**3 * y_plus)
    wake = 1.5 * (2 - outer) / (1 + 2 * (1 - outer)**2)
    return (prandtl * y_plus * np.exp(-gamma)
            + (2.12 * np.log((1 + y_plus) * wake) + beta) * np.exp(-1 / gamma))


def scalars_of(case):
    """(Prandtl number, names of the mean, of its flux across the walls, of its mean over the box
    and its fluxes among the time series), by Prandtl numbers."""
    others = [(scalar["prandtl"], name, f"v_{name}", name, name)
              for name, scalar in case["scalars"].items()]
    return sorted([(case["fluid"]["prandtl"], "T", "vT", "temperature", "heat"), *others])


class Scalar:
    """Mean and fluxes of one scalar between the walls, both halves averaged, in wall units."""

    def __init__(self, averages, prandtl, name, flux):
        y, faces = averages["y"], averages["y_faces"]
        u_tau = averages.attributes["friction_velocity"]
        viscosity = 1 / averages.case["fluid"]["reynolds"]
        distance = both_halves(wall_distances(averages, "y"))
        mean = both_halves(averages[name])
        wall_flux = viscosity / prandtl * mean[0] / distance[0]
        conducted = both_halves(
            stress_at_centres(averages[name], viscosity / prandtl, y, faces), -1)
        self.outer = distance / (np.ptp(faces) / 2)
        self.y_plus = distance * u_tau / viscosity
        self.mean = mean * u_tau / wall_flux
        self.carried = -both_halves(averages[flux], -1) / wall_flux
        self.total = conducted / wall_flux + self.carried


def given_and_kept(series, averages, mean, flux):
    """What both walls take per time, and what the fluid between them, of height 2, gains."""
    start, end = (averages.attributes[name] for name in ("first_time", "last_time"))
    taken = (mean_from(series, f"{flux}_flux_y_max", start)
             - mean_from(series, f"{flux}_flux_y_min", start))
    ends = np.interp([start, end], series["time"], series[f"{mean}_mean"])
    kept = np.diff(ends)[0] / (end - start)
    return taken, 2 * kept


def compare(report, words, scalar, prandtl, scale):
    """Criteria of one mean scalar."""
    report.bound(f"{words}: flux across the channel over that at the wall against 1 - y/h, "
                 "largest difference", np.abs(scalar.total - (1 - scalar.outer)).max(),
                 0.01 * scale)
    inner, outside = scalar.y_plus < SUBLAYER, scalar.y_plus > OUTSIDE
    report.bound(f"{words}: mean, y+ < {SUBLAYER}, largest deviation from Pr y+",
                 np.abs(scalar.mean / (prandtl * scalar.y_plus) - 1)[inner].max(), 0.02 * scale,
                 True)
    off = np.abs(scalar.mean / kader(scalar.y_plus, prandtl, scalar.outer) - 1)
    report.bound(f"{words}: mean, y+ > {OUTSIDE}, largest deviation from Kader", off[outside].max(),
                 0.06 * scale if prandtl >= LEAST_PRANDTL else None, True)


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    run = session.run("channel", "scalar_channel", QUICK if session.is_quick else [])
    report.runs.append(run)
    averages, series = run.statistics(), run.time_series()
    scale = 5 if session.is_quick else 1
    velocity = profiles_of(averages, 1 / averages.case["fluid"]["reynolds"])["U"][1]
    report.compare("mean velocity+ in the middle, Vreman & Kuerten S2a", velocity[-1],
                   s2a()["U"][1][-1], 0.02 * scale)
    figure, ((means, fluxes),) = style.new_figure(1, 2, 3.4)
    for turn, (prandtl, name, carried, mean, flux) in enumerate(scalars_of(averages.case)):
        words, scalar = f"Pr {prandtl:g}", Scalar(averages, prandtl, name, carried)
        taken, kept = given_and_kept(series, averages, mean, flux)
        report.tell(f"{words}: flux into both walls", taken)
        report.compare(f"{words}: the same and what the fluid gains, the source", taken + kept,
                       2 * SOURCE, 0.002 * scale)
        compare(report, words, scalar, prandtl, scale)
        outside = scalar.y_plus > OUTSIDE
        if prandtl >= LEAST_PRANDTL:
            law = kader(scalar.y_plus, prandtl, scalar.outer)[outside]
            means.semilogx(scalar.y_plus[outside], law, **style.REFERENCE,
                           label=f"Kader (1981), {words}")
        means.semilogx(scalar.y_plus, scalar.mean, f"C{turn}.", label=words)
        fluxes.plot(scalar.y_plus, scalar.carried, f"C{turn}.", label=words)
    tell_asymmetry(report, run, [name for _, name, *_ in scalars_of(averages.case)])
    fluxes.plot(scalar.y_plus, 1 - scalar.outer, **style.LAW, label="total: $1 - y/h$")
    means.set(xlabel="$y^+$", ylabel="$\\overline{\\theta}^+$", title="mean scalars")
    fluxes.set(xlabel="$y^+$", ylabel="$-\\overline{v'\\theta'}^+$", title="turbulent fluxes")
    means.legend()
    fluxes.legend()
    samples, first, last = (averages.attributes[name]
                            for name in ("samples", "first_time", "last_time"))
    report.note(f"{samples:.0f} samples from t = {first:.4g} to {last:.4g} h/u_tau.")
    return figure
