"""One-dimensional energy spectra of a snapshot along its periodic axes."""
import numpy as np

from dnsflow import RunFileError
from pictures import bodies, style

FEWEST_POINTS = 16  # along an axis: fewer make no spectrum
UNIFORM = 1e-6  # of the spacing: a line this even is uniform
ROUND_OFF = 1e-12  # of the largest value: a spectrum this small is none
SHOWN = 1e-8  # of the largest value: what is below is not


def spacing(coordinates):
    """The distance of neighbours of a uniform line; nothing for a stretched one."""
    steps = np.diff(coordinates)
    return steps.mean() if np.ptp(steps) < UNIFORM * steps.mean() else None


def line_spectrum(values, h):
    """Spectrum of periodic, uniform lines of points at a distance h: (k, E).

    values (..., N), the line last; k (N//2 + 1), E (..., N//2 + 1). With L = N h,

        k_m = 2 pi m / L,   u^_m = 1/N sum_j u_j exp(-i k_m j h),   E_m = L/(2 pi) c_m |u^_m|^2

    c_m = 1 for m = 0 and for m = N/2 (N even), else 2. So sum_m E_m dk with dk = 2 pi/L is the mean
    of u^2 over the line (Parseval), and without m = 0 its variance: no factor 1/2, E integrates to
    <u'u'> and not to energy. Units: k [1/L], E [U^2 L].
    """
    points = values.shape[-1]
    coefficients = np.fft.rfft(values, axis=-1) / points
    twice = np.full(coefficients.shape[-1], 2.0)
    twice[0] = 1
    if points % 2 == 0:
        twice[-1] = 1
    k = 2 * np.pi / (points * h) * np.arange(len(twice))
    return k, points * h / (2 * np.pi) * twice * np.abs(coefficients) ** 2


def widths(flow, axis):
    """The length a point represents along an axis [L]; the nodes of scheme splitting are uniform."""
    if f"{axis}_faces" in flow:
        return np.diff(flow[f"{axis}_faces"])
    return np.ones(len(flow[axis]))


def velocity_spectra(flow, axis):
    """(k, E, share) along a periodic axis, E (3, wavenumbers) of u, v, w, see line_spectrum.

    Means over all lines that meet no body, weighted with the area they represent; share is theirs
    of the cross-section. Nothing along a stretched axis, and where every line meets a body.
    In scheme projection a snapshot holds velocities interpolated from faces to centres, which
    multiplies the spectrum of the component along the axis by cos^2(k h/2).
    """
    h = spacing(flow[axis])
    if h is None:
        return None
    # Plane after plane, so that a large snapshot need not fit into memory.
    planes, other = ("z", "y") if axis == "x" else ("z", "x") if axis == "y" else ("y", "x")
    weights_of_planes, weights = widths(flow, planes), widths(flow, other)
    along = 1 if axis == "x" else 0  # of a plane's two
    area = total = 0
    for number, weight in enumerate(weights_of_planes):
        plane = flow.read("velocity", **{planes: number}).astype(float)
        lines = np.moveaxis(plane, along, -1)  # (other, 3, axis)
        is_free = ~bodies.in_bodies(flow, **{planes: number}).any(axis=along)
        k, energy = line_spectrum(lines[is_free], h)
        areas = weight * weights[is_free]
        area += areas.sum()
        total = total + np.tensordot(areas, energy, axes=1)
    if area == 0:
        return None
    return k, total / area, area / (weights_of_planes.sum() * weights.sum())


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
        spectra = velocity_spectra(flow, axis)
        if spectra is not None and np.isfinite(spectra[1]).all() and spectra[1][:, 1:-1].any():
            k, energy, share = spectra
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
    if periodic_axes(flow) and bodies.are_unknown(flow):
        raise RunFileError(f"{flow.path}: has no `solid`, without which there are no spectra of a "
                           "flow with bodies; the case sets it: output.fields.variables")
    spectra = spectra_of(flow) if "velocity" in flow else {}
    if not spectra:
        return None
    figure, grid = style.new_figure(1, len(spectra), 2.9 if len(spectra) > 1 else 3.6)
    for axes, (axis, spectrum) in zip(grid.flat, spectra.items()):
        draw_axis(axes, axis, *spectrum)
    if len(spectra) > 1:
        style.label_panels(grid.flat)
    figure.suptitle(f"$t = {flow.time:.4g}\\,L/U$", fontsize=10)
    return figure
