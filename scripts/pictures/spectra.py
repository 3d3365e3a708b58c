"""Energy spectra: those of the averages where the run has them, else of lines of a snapshot."""
import numpy as np

from dnsflow import spectrum
from dnsflow.grid import has_faces, is_interpolated, require_known_bodies, widths
from pictures import profiles, style
from pictures.labels import scaled

FEWEST_POINTS = 16  # along an axis: fewer make no spectrum
ROUND_OFF = 1e-12  # of the largest value: a spectrum this small is none
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
        if np.isfinite(energy).all() and energy[:, 1:-1].any():
            found[axis] = k[1:-1], energy[:, 1:-1], share
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
    largest = energy.max()
    for component, values in zip("uvw", energy):
        if values.max() > ROUND_OFF * largest:
            axes.loglog(k, values, label=f"$E_{{{component * 2}}}$")
    if may_be_inertial:
        draw_slope(axes, k, energy)
    axes.set_ylim(bottom=0.5 * energy[energy > SHOWN * largest].min())
    axes.set(xlabel=scaled(f"$k_{axis} @L$"), ylabel=scaled("$E/(@U^2 @L)$"))
    if share < 1 - ROUND_OFF:
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
        if len(k) > 2 and np.isfinite(energy).all() and energy[:, 1:-1].any():
            found[axis] = k[1:-1], energy[:, 1:-1], 1
    return found


def draw_shells(axes, averages):
    """E(k) of a periodic box, without the mean flow and empty shells."""
    k, energy = averages["wavenumber"], averages["spectrum_k"]
    is_shown = (k > 0) & (energy > SHOWN * energy.max())
    axes.loglog(k[is_shown], energy[is_shown], label="$E$")
    if np.count_nonzero(is_shown) > 2:
        draw_slope(axes, k[is_shown], energy[is_shown][np.newaxis])
    axes.set(xlabel=scaled("$k @L$"), ylabel=scaled("$E/(@U^2 @L)$"), title="mean over time")
    axes.legend()


def draw_averages(averages):
    """One panel per axis of the spectra among the averages, and one of E(k); nothing without."""
    spectra = averaged_spectra_of(averages)
    has_shells = "spectrum_k" in averages and averages["spectrum_k"][1:].any()
    panels = len(spectra) + has_shells
    if panels == 0:
        return None
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
    figure.suptitle(profiles.span_of_time(averages), fontsize=10)
    return figure


def draw(flow):
    """One panel per periodic axis; nothing where there is none, or no velocity.

    Raises RunFileError where bodies cannot be left out.
    """
    if periodic_axes(flow):
        require_known_bodies(flow)
    spectra = spectra_of(flow) if "velocity" in flow or has_faces(flow) else {}
    if not spectra:
        return None
    figure, grid = style.new_figure(1, len(spectra), 2.9 if len(spectra) > 1 else 3.6)
    for axes, (axis, curves) in zip(grid.flat, spectra.items()):
        others = " and ".join(other for other in "xyz" if other != axis)
        draw_axis(axes, axis, *curves, f"mean over {others}", is_homogeneous(flow.case))
    if len(spectra) > 1:
        style.label_panels(grid.flat)
    where = ", of velocities at centres" if is_interpolated(flow) else ""
    figure.suptitle(scaled(f"$t = {flow.time:.4g}\\,@L/@U${where}"), fontsize=10)
    return figure
