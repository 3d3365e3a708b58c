"""One-dimensional energy spectra of a snapshot along its periodic axes."""
import collections

import numpy as np

from dnsflow.gradients import AXES, mean_of_neighbours
from dnsflow.grid import in_bodies, is_periodic, require_known_bodies, spacing, widths

Spectrum = collections.namedtuple("Spectrum", "wavenumber energy share")


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


def energy_on_plane(flow, component, axis, planes, number, h):
    """(k, E (other axis, wavenumbers)) of one component on plane `number` across the axis `planes`.

    Of velocities on faces along their own axis as they are, else the mean of E at both faces.
    """
    name, where = f"velocity_{component}", {planes: slice(number, number + 1)}
    if name in flow:
        if component == planes:
            where = {f"{planes}_faces": slice(number, number + 2)}
        values = flow.read(name, **where)
    else:
        values = flow.read("velocity", **where)[..., "xyz".index(component)]
    lines = np.moveaxis(values.astype(float), AXES[axis], -1)
    k, energy = line_spectrum(lines[..., :len(flow[axis])], h)  # the last face is the first again
    across = [other for other in "zyx" if other != axis]
    if name in flow and component != axis:
        energy = mean_of_neighbours(energy, across.index(component))
    return k, energy.take(0, axis=across.index(planes))


def spectrum(flow, axis):
    """One-sided spectra of u, v, w of a snapshot along a periodic, uniform axis: a Spectrum.

    wavenumber  k (n//2 + 1) [1/L]
    energy      E (3, n//2 + 1) [U^2 L], see line_spectrum: sum E dk is the mean of u^2 (Parseval)
    share       of the cross-section that counts

    Means over all lines that meet no body, weighted with the area they represent; share is theirs
    of the cross-section. Of cells the velocities on their faces are taken where the snapshot holds
    them, and the sum of all E dk is twice the kinetic energy of the time series; those at centres
    are their means, which multiplies the spectrum of the component along the axis by cos^2(k h/2).
    Raises ValueError for an axis that is not periodic or is stretched, or whose lines all meet
    bodies; RunFileError where the snapshot does not say where bodies are.
    """
    require_known_bodies(flow)
    h = spacing(flow[axis])
    if h is None or not is_periodic(flow, axis):
        raise ValueError(f"{flow.path}: {axis} is not periodic with equal spacings")
    # Plane after plane, so that a large snapshot need not fit into memory.
    planes, other = ("z", "y") if axis == "x" else ("z", "x") if axis == "y" else ("y", "x")
    weights_of_planes, weights = widths(flow, planes), widths(flow, other)
    along = 1 if axis == "x" else 0  # of a plane's two
    area, total = 0, np.zeros((3, len(flow[axis]) // 2 + 1))
    for number, weight in enumerate(weights_of_planes):
        areas = weight * weights * ~in_bodies(flow, **{planes: number}).any(axis=along)
        area += areas.sum()
        for row, component in enumerate("xyz"):
            k, energy = energy_on_plane(flow, component, axis, planes, number, h)
            total[row] += areas @ np.where(areas[:, None] > 0, energy, 0)  # no values of bodies
    if area == 0:
        raise ValueError(f"{flow.path}: every line along {axis} meets a body")
    return Spectrum(k, total / area, area / (weights_of_planes.sum() * weights.sum()))
