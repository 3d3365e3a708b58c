"""Spectra of a channel against published ones.

Energy per wave number is compared, so the boxes may differ in length. The measure is the mean of
|E/E_ref - 1| over the longest waves that hold 95 % of the published energy. k = 0, the waves longer
than the box, is left out, and so are waves that the box or the cells of the run cannot hold.
"""
import numpy as np

from curves import across
from dnsflow.joined_windows import durations_of
from dnsflow.uncertainty import FEWEST_BATCHES, uncertainty_of_mean
from pictures import style
from pictures.layers import Layer

SHARE = 0.95  # of the published energy
LIMIT = 0.1  # of the measure: 95 % intervals of E over 11 h/u_tau have half widths of up to 0.07


def spectrum_at(averages, axis, component, y_plus):
    """(k [1/L], E [u_tau^2 L]) of a run at a height, the mean of both halves, without k = 0 and the
    last wave."""
    layer = Layer(averages)
    energy = layer.values(f"spectrum_{axis}_{2 * component}")[:, 1:-1] / layer.u_tau**2
    return averages[f"wavenumber_{axis}"][1:-1], across(layer.places(), energy.T, y_plus)


def at_waves(k, energy, wanted):
    """E at other wave numbers, by straight lines between logarithms."""
    return np.exp(np.interp(np.log(wanted), np.log(k), np.log(energy)))


def compared_waves(k, energy, own):
    """Which of the published wave numbers are compared with a run that has the numbers `own`."""
    below = np.cumsum(energy[1:]) - energy[1:]
    chosen = np.append(False, below < SHARE * energy[1:].sum())
    return chosen & (k > own[0] * (1 - 1e-6)) & (k < own[-1] * (1 + 1e-6))


def compare(report, found, published, name, limit):
    """Criteria of each component along each axis at each height."""
    for (axis, y_plus), (k, energies) in published.items():
        for component, energy in energies.items():
            own, values = found[axis, y_plus, component]
            chosen = compared_waves(k, energy, own)
            off = np.abs(at_waves(own, values, k[chosen]) / energy[chosen] - 1).mean()
            report.bound(f"E_{2 * component} along {axis}, y+ {y_plus:.3g}, to k h = "
                         f"{k[chosen].max():.3g}, mean deviation from {name}", off, limit, True)


def tell_uncertainty(report, windows, found, published):
    """The largest of the half widths of 95 % intervals of E, relative, means over the same waves.
    """
    durations, largest = durations_of(windows), 0
    for (axis, y_plus, component), (own, _) in found.items():
        k, energies = published[axis, y_plus]
        waves = k[compared_waves(k, energies[component], own)]
        mean, half, _ = uncertainty_of_mean(
            [at_waves(*spectrum_at(window, axis, component, y_plus), waves) for window in windows],
            durations)
        largest = max(largest, (half / mean).mean())
    report.bound("uncertainty of spectra, mean over the same waves, largest", largest, None, True)


def draw(found, published, name):
    """The picture: premultiplied, over the published ones."""
    figure, grid = style.new_figure(len(published) // 2, 2, 5.4, sharex="col", sharey="row")
    for axes, ((axis, y_plus), (k, energies)) in zip(grid.flat, published.items()):
        for number, (component, energy) in enumerate(energies.items()):
            axes.semilogx(2 * np.pi / k[1:], k[1:] * energy[1:], **style.REFERENCE, zorder=1,
                          label=None if number else name)
            own, values = found[axis, y_plus, component]
            axes.semilogx(2 * np.pi / own, own * values, f"C{number}",
                          label=f"$k_{axis} E_{{{2 * component}}}$")
        axes.set(title=f"$y^+ = {y_plus:.3g}$", xlabel=f"$\\lambda_{axis}/h$")
        axes.tick_params(labelbottom=True)
        axes.legend()
    for axes in grid[:, 0]:
        axes.set(ylim=(0, None), ylabel="$kE/u_\\tau^2$")
    style.label_panels(grid.flat)
    return figure


def validate(report, run, published, name, scale):
    """Adds criteria to the report; returns the picture, or nothing where the run took no spectra.

    published: (axis, y+) -> (k, {component: E}), see channel_profiles.moser590_spectra.
    """
    averages = run.statistics()
    if any(f"spectrum_{axis}_uu" not in averages for axis, _ in published):
        report.note("Spectra are not compared: the averages hold none (output.statistics.spectra).")
        return None
    found = {(axis, y_plus, component): spectrum_at(averages, axis, component, y_plus)
             for (axis, y_plus), (_, energies) in published.items() for component in energies}
    compare(report, found, published, name, LIMIT * scale)
    windows = [one for one in run.statistics_windows() if "spectrum_x_uu" in one]
    if len(windows) >= FEWEST_BATCHES:
        tell_uncertainty(report, windows, found, published)
    return draw(found, published, name)
