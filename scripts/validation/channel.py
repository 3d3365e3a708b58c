"""Turbulent channel at a friction Reynolds number of 180 against Vreman & Kuerten (2014).

Averages over time, planes and both halves, scaled with the measured friction velocity, against
their staggered second-order data (FD2, 512 x 256 x 256) and their spectral data (S2a). The
deviation of the mean velocity is the largest of |U+ - U+_ref| / U+_ref at the cells with y+ > 1,
the reference interpolated there by cubics.
"""
import numpy as np

from channel_profiles import budget_of, fd2, profiles_of, s2a, s2a_budget, velocity_of_walls
from curves import cubic_at, maximum
from dnsflow.grid import widths
from pictures import budgets, style
from validation.halves import tell_asymmetry

NU = 1 / 180  # of the references and of the case, in u_tau h
QUICK = ["grid.points=[48,48,32]", "time.end=12", "output.statistics.start=8",
         "output.statistics.every=5", "output.fields.every=0"]


def compare(report, profiles, reference, name, scale, limit_of_shear=0.015):
    """Criteria against one database; `scale` widens the limits of the quick variant."""
    y_plus, mean = profiles["U"]
    known = y_plus < reference["U"][0][-1]
    expected = cubic_at(*reference["U"], y_plus[known])
    off = np.abs(mean[known] / expected - 1)[y_plus[known] > 1]
    report.bound(f"U+, y+ > 1, largest deviation from {name}", off.max(), 0.01 * scale, True)
    for key, words, limit in (("u", "u' rms+", 0.02), ("v", "v' rms+", 0.02),
                              ("w", "w' rms+", 0.02), ("uv", "-u'v'+", limit_of_shear)):
        value, place = maximum(*profiles[key])
        expected, expected_place = maximum(*reference[key])
        report.compare(f"{words}, peak, {name}", value, expected, limit * scale)
        report.compare(f"{words}, y+ of the peak, {name}", place, expected_place)


def compare_budget(report, budget, reference, name, limit=None):
    """The budget of turbulent kinetic energy against one database."""
    production, place = maximum(*budget["production"])
    expected, expected_place = maximum(*reference["production"])
    report.compare(f"production of k+, peak, {name}", production, expected, limit)
    report.compare(f"production of k+, y+ of the peak, {name}", place, expected_place)
    y_plus, loss = budget["dissipation"]
    at_cells = cubic_at(*reference["dissipation"], y_plus)
    report.compare(f"dissipation of k+ next to the wall, {name}", -loss[0], at_cells[0])
    report.bound(f"dissipation of k+, largest difference from {name} over its largest value",
                 np.abs(-loss - at_cells).max() / at_cells.max(), limit, True)
    report.tell("sum of the budget of k, largest, over the peak of production",
                np.abs(budget["residual"][1]).max() / production)


def draw_budget(axes, budget, reference):
    """The terms of k over published ones, in the colours of `dns plot`."""
    budgets.draw_reference(axes, reference)
    for name, look in budgets.TERMS.items():
        if name in budget:
            axes.semilogx(*budget[name], marker=".", lw=0.6, label=name.replace("_", " "), **look)
    axes.set(xlabel="$y^+$", ylabel="terms$\\,\\nu/u_\\tau^4$", title="budget of $k$")
    axes.legend(fontsize=6.5, ncol=3, columnspacing=1, loc="upper left")


def draw(profiles, references, budget, budget_of_reference):
    """The picture of the profiles over those of references, label -> profiles."""
    figure, ((means, stresses), (balance, terms)) = style.new_figure(2, 2, 5.4)
    draw_budget(terms, budget, budget_of_reference)
    for look, (label, reference) in zip((style.REFERENCE, style.LAW), references.items()):
        means.semilogx(*reference["U"], **look, label=label)
        for key in ("u", "v", "w", "uv"):
            stresses.plot(*reference[key], **look)
    means.semilogx(*profiles["U"], "C0.", label="present")
    middle = profiles["U"][0][-1]
    for axes in (means, terms):
        axes.set_xlim(0.2, 1.1 * middle)
    means.set(xlabel="$y^+$", ylabel="$\\overline{u}^+$", title="mean velocity")
    for turn, (key, label) in enumerate((
            ("u", "$u_\\mathrm{rms}$"), ("v", "$v_\\mathrm{rms}$"), ("w", "$w_\\mathrm{rms}$"),
            ("uv", "$-\\overline{u'v'}$"))):
        stresses.plot(*profiles[key], f"C{turn}.", label=label)
    stresses.set(xlabel="$y^+$", ylabel="rms$^+$, stress$^+$", title="fluctuations")
    balance.plot(*profiles["balance"], **style.REFERENCE, label="$1 - y/h$")
    balance.plot(*profiles["total"], "C0.", label="total")
    balance.plot(*profiles["uv"], "C3.", label="$-\\overline{u'v'}^+$")
    balance.set(xlabel="$y^+$", ylabel="stress$^+$", title="balance of stresses")
    for axes in (means, stresses, balance):
        axes.legend()
    style.label_panels((means, stresses, balance, terms))
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    run = session.run("channel", "channel_retau180", QUICK if session.is_quick else [])
    report.runs.append(run)
    averages = run.statistics()
    profiles = profiles_of(averages, NU)
    references = {"FD2": fd2(), "S2a": s2a()}
    scale = 15 if session.is_quick else 1
    for name, reference in references.items():
        compare(report, profiles, reference, name, scale)
    budget = budget_of(averages, NU)
    if budget:
        compare_budget(report, budget, s2a_budget(), "S2a")
    off = np.abs(profiles["total"][1] - profiles["balance"][1]).max()
    report.bound("-u'v'+ + dU+/dy+ against 1 - y/h, largest difference", off, 0.01 * scale)
    friction_velocity = averages.attributes["friction_velocity"]
    report.compare("friction velocity against sqrt(-dp/dx h)", friction_velocity, 1, 0.01 * scale)
    heights = widths(averages, "y")
    mean = averages["u"] - velocity_of_walls(averages, "y", "u")
    bulk = (mean * heights).sum() / heights.sum() / friction_velocity
    report.compare("bulk velocity+, FD2", bulk, 15.701)
    tell_asymmetry(report, run)
    divergence = run.time_series()["divergence_max"].max()
    report.tell("largest divergence [u_tau/h]", divergence)
    samples, first, last = (averages.attributes[name] for name in
                            ("samples", "first_time", "last_time"))
    report.note(f"{samples:.0f} samples from t = {first:.4g} to {last:.4g} h/u_tau.")
    return draw(profiles, {f"Vreman & Kuerten {name}": reference
                           for name, reference in references.items()}, budget, s2a_budget())
