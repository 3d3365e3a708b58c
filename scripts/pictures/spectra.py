"""Energy spectra: those of the averages where the run has them, else of lines of a snapshot.

Averages that keep one axis have premultiplied ones at some heights, of flows between walls in wall
units.
"""
import numpy as np

from dnsflow import spectrum
from dnsflow.grid import has_faces, is_interpolated, require_known_bodies, widths
from pictures import layers, profiles, style
from pictures.labels import scaled
from pictures.ranges import ROUND_OFF, largest

FEWEST_POINTS = 16  # along an axis: fewer make no spectrum
BESIDE_OTHERS = 1e-12  # of the largest value: a spectrum this small is none
FEWEST_OF_SLOPE = 3  # wavenumbers that make a slope
NEAR_SLOPE = 0.35  # a slope this near to -5/3 is one of an inertial range
SHOWN = 1e-8  # of the largest value: what is below is not


def periodic_axes(flow):
    """The axes along which a spectrum is meaningful."""
    boundaries = flow.case["boundaries"]
    return [axis for axis in "xyz"
            if boundaries.get(axis) == "periodic" and len(flow[axis]) >= FEWEST_POINTS]


def spectra_of(flow):
    """Axis -> (k, E (3, wavenumbers), share of the lines) to be shown, where there is energy.

    Without the mean, and without the last one, of values that alternate in sign.
    """
    found = {}
    for axis in periodic_axes(flow):
        try:
            k, energy, share = spectrum(flow, axis)
        except ValueError:  # stretched, or bodies on all lines
            continue
        waves = energy[:, 1:-1]  # what is round-off of floats beside the mean flow is none
        if np.isfinite(energy).all() and (waves.max(initial=0) >
                                          BESIDE_OTHERS * energy[:, 0].max()):
            found[axis] = k[1:-1], waves, share
    return found


def inertial_range(k, energy):
    """First and last of the wavenumbers between which a spectrum falls about as k^(-5/3); nothing
    where it does so over less than a factor of two.

    The slope at each is that of a line through the logarithms of those within a factor sqrt(2).
    """
    found = []
    for middle in k:
        near = (k >= middle / 2**0.5) & (k <= middle * 2**0.5) & (energy > 0)
        if np.count_nonzero(near) < FEWEST_OF_SLOPE:
            continue
        slope = np.polyfit(np.log(k[near]), np.log(energy[near]), 1)[0]
        if abs(slope + 5 / 3) <= NEAR_SLOPE:
            found.append(middle)
        elif found:
            break
    return (found[0], found[-1]) if found and found[-1] >= 2 * found[0] else None


def draw_slope(axes, k, energy):
    """k^(-5/3) above the sum of the spectra, where that falls so."""
    total = energy.sum(axis=0)
    ends = inertial_range(k, total)
    if ends is None:
        return
    inside = (k >= ends[0]) & (k <= ends[1])
    law = k[inside] ** (-5 / 3)
    top = energy.max(axis=0)[inside]
    axes.loglog(k[inside], 2 * np.max(top / law) * law, **style.LAW, label="$k^{-5/3}$")


def is_homogeneous(case):
    """Whether a flow is periodic along all axes, without bodies: no mean shear cuts its spectra
    into those of layers.
    """
    return not case.get("solids") and all(
        case["boundaries"].get(axis) == "periodic" for axis in "xyz")


def draw_axis(axes, axis, k, energy, share, over="", may_be_inertial=False):
    """One panel; over: what the spectra are means over, may_be_inertial: with k^(-5/3) if seen."""
    most = energy.max()
    for component, values in zip("uvw", energy):
        if values.max() > BESIDE_OTHERS * most:
            axes.loglog(k, values, label=f"$E_{{{component * 2}}}$")
    if may_be_inertial:
        draw_slope(axes, k, energy)
    axes.set_ylim(bottom=0.5 * energy[energy > SHOWN * most].min())
    axes.set(xlabel=scaled(f"$k_{axis} @L$"), ylabel=scaled("$E/(@U^2 @L)$"))
    if share < 1 - BESIDE_OTHERS:
        over = f"lines clear of bodies,\n{100 * share:.3g} % of all"
    axes.set_title(over)
    axes.legend()


def averaged_spectrum(averages, axis, square):
    """A spectrum of statistics.h5 along an axis, averaged over the axes that are kept too."""
    name = f"spectrum_{axis}_{square}"
    values = averages[name]
    for place, kept in reversed(list(enumerate(averages.axes[name]))):
        if f"{kept}_faces" in averages:
            values = np.average(values, axis=place, weights=widths(averages, kept))
    return values


def averaged_spectra_of(averages):
    """The same as spectra_of from statistics.h5, of the axes for which the case asks; in double and
    from velocities at faces, so that nothing is smoothed."""
    found = {}
    for axis in "xyz":
        if f"spectrum_{axis}_uu" not in averages:
            continue
        k = averages[f"wavenumber_{axis}"]
        energy = np.array([averaged_spectrum(averages, axis, 2 * name) for name in "uvw"])
        waves = energy[:, 1:-1]
        if len(k) > 2 and np.isfinite(energy).all() and (
                waves.max() * k[1] > (ROUND_OFF * largest_mean(averages)) ** 2):
            found[axis] = k[1:-1], waves, 1
    return found


def largest_mean(averages):
    return max(largest(averages[name]) for name in "uvw")


def draw_height(axes, layer, axis, number):
    """The premultiplied spectra along an axis at one height."""
    k = layer.averages[f"wavenumber_{axis}"][1:-1]
    velocity, length = (layer.u_tau, layer.viscosity / layer.u_tau) if layer.is_channel else (1, 1)
    most = 0
    for component in layer.components:
        energy = layer.values(f"spectrum_{axis}_{2 * component}")[number][1:-1]
        values = k * energy / velocity**2
        most = max(most, largest(values))
        if largest(values) > max(BESIDE_OTHERS * most,
                                 (ROUND_OFF * largest_mean(layer.averages) / velocity) ** 2):
            axes.semilogx(2 * np.pi / k / length, values, label=f"$k_{axis} E_{{{2 * component}}}$")
    axes.set_title(layer.words_of(number))


def draw_heights(averages, wanted=None):
    """One panel per axis and height, see layers.layers_of and Layer.heights."""
    found = layers.layers_of(averages)
    layer = found[0]
    along = [axis for axis in "xyz" if f"spectrum_{axis}_uu" in averages
             and len(averages[f"wavenumber_{axis}"]) > 2]
    heights = [(half, number) for half in found for number in half.heights(wanted)]
    figure, grid = style.new_figure(len(heights), len(along), 0.3 + 2.4 * len(heights),
                                    sharex="col", sharey="row")
    for row, (half, number) in zip(grid, heights):
        for axes, axis in zip(row, along):
            draw_height(axes, half, axis, number)
            axes.tick_params(labelbottom=True)
        row[0].set_ylim(bottom=0)
        row[0].set_ylabel("$kE/u_\\tau^2$" if layer.is_channel else scaled("$kE/@U^2$"))
    for axes, axis in zip(grid[-1], along):
        axes.set_xlabel(f"$\\lambda_{axis}^+$" if layer.is_channel else
                        scaled(f"$\\lambda_{axis}/@L$"))
    if not any(axes.get_lines() for axes in grid.flat):
        raise style.NothingToDraw("nothing fluctuates")
    for axes in grid.flat:
        if axes.get_lines():
            axes.legend()
    style.label_panels(grid.flat)
    style.set_title(figure, layer.title())
    return figure


def draw_shells(axes, averages):
    """E(k) of a periodic box, without the mean flow and empty shells."""
    k, energy = averages["wavenumber"], averages["spectrum_k"]
    is_shown = (k > 0) & (energy > SHOWN * energy.max())
    axes.loglog(k[is_shown], energy[is_shown], label="$E$")
    if np.count_nonzero(is_shown) > 2:
        draw_slope(axes, k[is_shown], energy[is_shown][np.newaxis])
    axes.set(xlabel=scaled("$k @L$"), ylabel=scaled("$E/(@U^2 @L)$"), title="mean over time")
    axes.legend()


def has_averaged(averages):
    """Whether the averages hold any."""
    return averages is not None and any(name.startswith("spectrum_") for name in averages)


def draw_averages(averages, wanted=None):
    """Where averages keep one axis, see draw_heights; else one panel per axis, and one of E(k).
    Raises NothingToDraw.
    """
    if layers.axis_of(averages) is not None and "spectrum_k" not in averages:
        return draw_heights(averages, wanted)
    spectra = averaged_spectra_of(averages)
    has_shells = "spectrum_k" in averages and averages["spectrum_k"][1:].any()
    panels = len(spectra) + has_shells
    if panels == 0:
        raise style.NothingToDraw("nothing fluctuates")
    columns = 2 if panels == 4 else panels
    figure, grid = style.new_figure(panels // columns, columns, 2.8 * (panels // columns))
    for axes, (axis, spectrum) in zip(grid.flat, spectra.items()):
        others = ", ".join(other for other in "xyz" if other != axis)
        draw_axis(axes, axis, *spectrum, f"mean over {others} and time",
                  is_homogeneous(averages.case))
    if has_shells:
        draw_shells(grid.flat[len(spectra)], averages)
    if panels > 1:
        style.label_panels(grid.flat)
    style.set_title(figure, profiles.span_of_time(averages))
    return figure


def draw(flow):
    """One panel per periodic axis. Raises NothingToDraw; RunFileError where bodies cannot be left
    out.
    """
    if periodic_axes(flow):
        require_known_bodies(flow)
    spectra = spectra_of(flow) if "velocity" in flow or has_faces(flow) else {}
    if not spectra:
        raise style.NothingToDraw("no velocity varies along a periodic axis of equal spacings, "
                                  f"{FEWEST_POINTS} points at least and clear of bodies")
    figure, grid = style.new_figure(1, len(spectra), 2.9 if len(spectra) > 1 else 3.6)
    for axes, (axis, curves) in zip(grid.flat, spectra.items()):
        others = " and ".join(other for other in "xyz" if other != axis)
        draw_axis(axes, axis, *curves, f"mean over {others}", is_homogeneous(flow.case))
    if len(spectra) > 1:
        style.label_panels(grid.flat)
    where = ", of velocities at centres" if is_interpolated(flow) else ""
    style.set_title(figure, scaled(f"$t = {flow.time:.4g}\\,@L/@U${where}"))
    return figure
