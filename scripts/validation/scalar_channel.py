"""Passive scalars of Prandtl numbers 0.2, 0.71 and 2 in the channel at Re_tau 180 against Kader (1981).

A uniform source heats the fluid and walls at 0 cool it, as in Kim & Moin, Turbulent Shear Flows 6
(1989) 85. In a steady flow each wall takes the source of its half, and the flux across the channel
falls linearly to 0 in the middle: both are exact. Kader's correlation (Int. J. Heat Mass Transfer
24 (1981) 1541) was fitted to experiments at larger Reynolds numbers.
"""
import numpy as np

from channel_profiles import both_halves, profiles_of, s2a, stress_at_centres
from curves import mean_from
from pictures import style

SOURCE = 1  # of every scalar of the case [1/time]
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
    """(Prandtl number, name of the mean, of its flux across the walls, of its columns), ascending."""
    others = [(scalar["prandtl"], name, f"v_{name}", name) for name, scalar in case["scalars"].items()]
    return sorted([(case["fluid"]["prandtl"], "T", "vT", "heat"), *others])


class Scalar:
    """Mean and fluxes of one scalar between the walls, both halves averaged, in wall units."""

    def __init__(self, averages, prandtl, name, flux):
        y, faces = averages["y"], averages["y_faces"]
        u_tau, viscosity = averages.attributes["friction_velocity"], 1 / averages.case["fluid"]["reynolds"]
        self.prandtl = prandtl
        distance = both_halves(y - faces[0], -1) + np.ptp(faces) / 2
        self.outer = distance / (np.ptp(faces) / 2)
        self.y_plus = distance * u_tau / viscosity
        conducted = both_halves(stress_at_centres(averages[name], viscosity / prandtl, y, faces), -1)
        first = both_halves(averages[name])[0]
        self.widths = np.diff(faces)[:len(distance)]
        self.wall_flux = viscosity / prandtl * first / distance[0]
        self.mean = both_halves(averages[name]) * u_tau / self.wall_flux
        self.carried = -both_halves(averages[flux], -1) / SOURCE
        self.flux = conducted / SOURCE + self.carried

    def over_the_channel(self, values):
        return np.average(values, weights=self.widths)


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    run = session.run("channel", "scalar_channel", QUICK if session.is_quick else [])
    report.runs.append(run)
    averages, series = run.statistics(), run.time_series()
    scale = 15 if session.is_quick else 1
    start = averages.attributes["first_time"]
    figure, ((means, fluxes),) = style.new_figure(1, 2, 3.4)
    for turn, (prandtl, name, flux, column) in enumerate(scalars_of(averages.case)):
        scalar = Scalar(averages, prandtl, name, flux)
        words = f"Pr {prandtl:g}"
        walls = [mean_from(series, f"{column}_flux_y_{end}", start) for end in ("max", "min")]
        report.compare(f"{words}: flux into both walls against the source", walls[0] - walls[1], 2 * SOURCE,
                       0.01 * scale)
        report.bound(f"{words}: flux across the channel against 1 - y/h, largest difference",
                     np.abs(scalar.flux - (1 - scalar.outer)).max(), 0.01 * scale)
        known = kader(scalar.y_plus, prandtl, scalar.outer)
        off = (scalar.mean / known - 1)[scalar.y_plus > 1]
        report.bound(f"{words}: mean, y+ > 1, largest deviation from Kader", np.abs(off).max(), 0.1 * scale, True)
        report.bound(f"{words}: mean over the channel, deviation from Kader",
                     scalar.over_the_channel(scalar.mean) / scalar.over_the_channel(known) - 1,
                     0.05 * scale, True)
        means.semilogx(scalar.y_plus, known, **style.REFERENCE, label="Kader (1981)" if turn == 0 else None)
        means.semilogx(scalar.y_plus, scalar.mean, f"C{turn}.", label=words)
        fluxes.plot(scalar.y_plus, scalar.carried, f"C{turn}.", label=words)
    velocity = profiles_of(averages, 1 / averages.case["fluid"]["reynolds"])["U"]
    peak = s2a()["U"]
    report.compare("mean velocity+ in the middle, Vreman & Kuerten S2a", velocity[1][-1], peak[1][-1],
                   0.02 * scale)
    fluxes.plot(scalar.y_plus, 1 - scalar.outer, **style.LAW, label="total: $1 - y/h$")
    means.set(xlabel="$y^+$", ylabel="$\\overline{\\theta}^+$", title="mean scalars")
    fluxes.set(xlabel="$y^+$", ylabel="$-\\overline{v'\\theta'}^+$", title="turbulent fluxes")
    means.legend()
    fluxes.legend()
    samples, first, last = (averages.attributes[name] for name in ("samples", "first_time", "last_time"))
    report.note(f"{samples:.0f} samples from t = {first:.4g} to {last:.4g} h/u_tau.")
    return figure
