"""One-dimensional energy spectra of a snapshot along its periodic axes."""
import numpy as np

from dnsflow import spectrum
from dnsflow.grid import has_faces, is_interpolated, require_known_bodies
from pictures import style

FEWEST_POINTS = 16  # along an axis: fewer make no spectrum
ROUND_OFF = 1e-12  # of the largest value: a spectrum this small is none
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


def draw_slope(axes, k, energy):
    """k^(-5/3) above the largest of the spectra, over the middle of the wavenumbers."""
    middle = slice(len(k) // 16 + 1, max(len(k) // 2, 4))
    law = k[middle] ** (-5 / 3)
    top = energy.max(axis=0)[middle]
    axes.loglog(k[middle], 2 * np.max(top / law) * law, **style.LAW, label="$k^{-5/3}$")


def draw_axis(axes, axis, k, energy, share):
    """One panel."""
    largest = energy.max()
    for component, values in zip("uvw", energy):
        if values.max() > ROUND_OFF * largest:
            axes.loglog(k, values, label=f"$E_{{{component * 2}}}$")
    draw_slope(axes, k, energy)
    axes.set_ylim(bottom=0.5 * energy[energy > SHOWN * largest].min())
    axes.set(xlabel=f"$k_{axis} L$", ylabel="$E/(U^2 L)$")
    if share < 1 - ROUND_OFF:
        axes.set_title(f"lines clear of bodies,\n{100 * share:.3g} % of all")
    axes.legend()


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
        draw_axis(axes, axis, *curves)
    if len(spectra) > 1:
        style.label_panels(grid.flat)
    where = ", of velocities at centres" if is_interpolated(flow) else ""
    figure.suptitle(f"$t = {flow.time:.4g}\\,L/U${where}", fontsize=10)
    return figure
