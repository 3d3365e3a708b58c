"""Profiles of a flow between two walls in wall units, and those of published simulations.

Wall units: velocities in the friction velocity u_tau, lengths in nu/u_tau, stresses in u_tau^2.
Every profile is a pair (y+, values) from the wall to the middle, by these names:
U mean velocity; u, v, w root mean squares of the fluctuations along the flow, across the walls and
along the span; p that of pressure over density; uv their Reynolds stress -u'v'.
"""
from typing import Callable, NamedTuple

import numpy as np

from dnsflow.grid import widths
from dnsflow.wall_friction import slopes_at_wall
from reference_data import reference_table

AXIS_ALONG = {"u": "x", "v": "y", "w": "z"}
REFERENCE_REYNOLDS = 180  # u_tau h / nu of fd2() and s2a()


def fd2():
    """Staggered second-order differences, 512 x 256 x 256: Vreman & Kuerten (2014), FD2."""
    _, y_centre, mean, uu, ww, _, y_face, vv, uv = reference_table("channel180_fd2.dat")
    return {"U": (y_centre, mean), "u": (y_centre, np.sqrt(uu)), "w": (y_centre, np.sqrt(ww)),
            "v": (y_face, np.sqrt(vv)), "uv": (y_face, -uv)}


def s2a():
    """The same of a spectral method: Vreman & Kuerten (2014), S2a."""
    columns = reference_table("channel180_s2a.dat", comments="%")
    y_plus, mean, _, _, u, v, w, p, uv = columns[:9]
    return {"U": (y_plus, mean), "u": (y_plus, u), "v": (y_plus, v), "w": (y_plus, w),
            "p": (y_plus, p), "uv": (y_plus, -uv)}


def s2a_budget():
    """Production and dissipation of k of S2a [u_tau^4/nu]: -u'v' dU/dy and nu |grad u'|^2."""
    columns = reference_table("channel180_s2a.dat", comments="%")
    y_plus, slope, uv, dissipation = columns[0], columns[3], columns[8], columns[10]
    return {"production": (y_plus, -uv * slope / REFERENCE_REYNOLDS),
            "dissipation": (y_plus, dissipation / REFERENCE_REYNOLDS)}


def moser590():
    """A spectral method at Re_tau 587.19: Moser, Kim & Mansour (1999)."""
    y_plus, mean, uu, vv, ww, uv, pp = reference_table("channel590_moser.dat")[1:8]
    roots = zip("uvwp", np.sqrt([uu, vv, ww, pp]))
    return {"U": (y_plus, mean), "uv": (y_plus, -uv),
            **{name: (y_plus, root) for name, root in roots}}


def moser590_spectra():
    """Spectra of moser590: (axis, y+) -> (k [1/h], {component: E [u_tau^2 h]}), one-sided.

    As in statistics.h5 the sum of E dk over all k is the variance.
    """
    found = {}
    for y_plus, columns in ((19.39, slice(1, 4)), (297.77, slice(4, 7))):
        for axis in "xz":
            table = reference_table(f"channel590_moser_spectra_{axis}.dat")
            found[axis, y_plus] = table[0], dict(zip("uvw", table[columns] / table[0, 1]))
    return found


def hoyas950():
    """A spectral method at Re_tau 933.96: Hoyas & Jimenez (2006), del Alamo et al. (2004)."""
    y_plus, *columns = reference_table("channel950_hoyas.dat")[1:8]
    profiles = dict(zip(("U", "u", "v", "w", "uv", "p"), columns))
    profiles["uv"] = -profiles["uv"]
    return {name: (y_plus, values) for name, values in profiles.items()}


def published_budget(file):
    """Terms of k [u_tau^4/nu] of channel590_moser.dat or channel950_hoyas.dat, by the names of
    budget_of; dissipation as a positive number, like s2a_budget."""
    table = reference_table(file)
    terms = dict(zip(("production", "dissipation", "turbulent_transport", "pressure_transport",
                      "viscous_diffusion"), table[8:]))
    terms["dissipation"] = -terms["dissipation"]
    return {name: (table[1], values) for name, values in terms.items()}


def both_halves(values, sign=1):
    """The mean of a profile and its mirror image, wall to centre."""
    half = len(values) // 2
    return (values[:half] + sign * values[::-1][:half]) / 2


class Half(NamedTuple):
    """What profiles are taken from the walls to the middle."""

    wall: str  # "both", "y_min", ...
    take: Callable  # (values, sign of the mirror image) -> values from the wall to the middle
    u_tau: float  # friction velocity [U]


def mean_of_halves(averages):
    """The Half that is the mean of both, in the friction velocity of both walls."""
    return Half("both", both_halves, averages.attributes["friction_velocity"])


def wall_friction(averages, viscosity, normal, end):
    """The friction velocity [U] at the low (end 0) or high wall (-1) across an axis, from the mean
    shear between wall and first cell, as friction_velocity of statistics.h5."""
    slopes = slopes_at_wall(averages, averages, AXIS_ALONG[normal], end)
    return np.sqrt(viscosity * np.hypot(*slopes))


def halves_apart(averages, viscosity, normal="v"):
    """The Half at the low and the Half at the high wall, each in its own friction velocity."""
    axis = AXIS_ALONG[normal]
    y, middle = averages[axis], np.mean(averages[f"{axis}_faces"][[0, -1]])
    slack = 1e-9 * np.ptp(averages[f"{axis}_faces"])
    low, high = np.count_nonzero(y < middle - slack), np.count_nonzero(y > middle + slack)
    return [Half(f"{axis}_min", lambda values, sign=1: values[:low],
                 wall_friction(averages, viscosity, normal, 0)),
            Half(f"{axis}_max", lambda values, sign=1: sign * values[::-1][:high],
                 wall_friction(averages, viscosity, normal, -1))]


def wall_distances(averages, axis):
    """Distance of the points along an axis from the nearest wall [L]."""
    y, faces = averages[axis], averages[f"{axis}_faces"]
    return np.minimum(y - faces[0], faces[-1] - y)


def velocity_of_walls(averages, normal, stream):
    """The velocity of both walls across an axis, along the flow [U]."""
    face = averages.case["boundaries"][f"{normal}_min"]
    return face["velocity"]["uvw".index(stream)]


def stress_at_centres(mean, viscosity, y, faces, slip_length=0):
    """nu dU/dy at the cells: the mean of the slopes at both faces, like -u'v'; walls at rest, which
    the fluid has a slip length behind them."""
    with_walls = np.concatenate([[0], mean, [0]])
    places = np.concatenate([faces[:1] - slip_length, y, faces[-1:] + slip_length])
    slope = np.diff(with_walls) / np.diff(places)
    return viscosity * (slope[:-1] + slope[1:]) / 2


def stress_by_sums(averages, viscosity, stream, axis):
    """((viscous and Reynolds stress, -1), (distance from the nearest wall, 1)) at the cells, means
    of both faces, the stress as the walls and the changes of the mean momentum leave it: the
    differences that order 4 takes across walls are of no stress at the faces."""
    edges = np.concatenate([[0], np.cumsum(widths(averages, axis))])
    changes = sum(averages[f"momentum_{stream}_{name}"] for name in ("advection", "diffusion"))
    along = "uvw".replace("uvw"["xyz".index(axis)], "").index(stream)
    at_wall = viscosity * slopes_at_wall(averages, averages, axis, 0)[along]
    stress = at_wall + np.concatenate([[0], np.cumsum(widths(averages, axis) * changes)])
    at_cells = [(values[:-1] + values[1:]) / 2 for values in (stress, edges)]
    return (at_cells[0], -1), (np.minimum(at_cells[1], edges[-1] - at_cells[1]), 1)


def covariance(averages, one, other):
    """The average of u_one' u_other', in whatever order the file names them."""
    return averages["".join(sorted(one + other))]


def profiles_of(averages, viscosity, stream="u", normal="v", span="w", half=None):
    """The profiles of a run's statistics.h5 [u_tau, nu/u_tau] of a Half; None: the mean of both.

    Moreover `viscous`, nu dU/dy; `total`, the sum of viscous and Reynolds stress; and `balance`,
    the 1 - y/h that it must equal in a steady, symmetric flow driven by a uniform force. viscosity
    in the units of the run, [U L]; stream, normal, span: the components along the flow, across
    walls that move alike, and the third. Mean velocities are relative to the walls.
    """
    half = half or mean_of_halves(averages)
    axis, u_tau = AXIS_ALONG[normal], half.u_tau
    y, faces = averages[axis], averages[f"{axis}_faces"]
    mean = averages[stream] - velocity_of_walls(averages, axis, stream)
    distance = half.take(wall_distances(averages, axis))
    reynolds = -half.take(covariance(averages, stream, normal), -1)
    slip_length = averages.case["boundaries"][f"{axis}_min"].get("slip_length", 0)
    viscous = half.take(stress_at_centres(mean, viscosity, y, faces, slip_length), -1)
    direction = np.sign(viscous[0])
    total, from_wall = viscous + reynolds, distance
    if f"momentum_{stream}_advection" in averages:
        total, from_wall = (half.take(values, sign) for values, sign in
                            stress_by_sums(averages, viscosity, stream, axis))
    profiles = {"U": half.take(mean) / u_tau * direction,
                "uv": reynolds / u_tau**2 * direction,
                "viscous": viscous / u_tau**2 * direction,
                "total": total / u_tau**2 * direction,
                "balance": 1 - from_wall / (np.ptp(faces) / 2)}
    for name, component in (("u", stream), ("v", normal), ("w", span)):
        profiles[name] = np.sqrt(half.take(averages[2 * component])) / u_tau
    profiles["p"] = np.sqrt(half.take(averages["pp"])) / u_tau**2
    y_plus = distance * u_tau / viscosity
    return {name: (y_plus, values) for name, values in profiles.items()}


def uncertainties_of(averages, viscosity, stream="u", normal="v", span="w", half=None):
    """Name -> half of the 95 % interval of a profile of profiles_of, where it is known.

    Both halves count as one sample: what they have in common is not known. The interval of the
    friction velocity is left out.
    """
    half = half or mean_of_halves(averages)
    u_tau = half.u_tau
    profiles = profiles_of(averages, viscosity, stream, normal, span, half)
    sources = {"U": (stream, u_tau), "uv": ("".join(sorted(stream + normal)), u_tau**2)}
    for name, component in (("u", stream), ("v", normal), ("w", span)):
        sources[name] = 2 * component, 2 * profiles[name][1] * u_tau**2
    sources["p"] = "pp", 2 * profiles["p"][1] * u_tau**4
    return {name: half.take(averages[f"{source}_uncertainty"]) / scale
            for name, (source, scale) in sources.items() if f"{source}_uncertainty" in averages}


def budget_of(averages, viscosity, normal="v"):
    """The budget of k of a run's statistics.h5 [u_tau^4/nu], averaged over both halves: its terms
    by name, dissipation with the sign of a loss, and `residual`, their sum. Empty where the run
    took no budgets."""
    u_tau = averages.attributes["friction_velocity"]
    y_plus = both_halves(wall_distances(averages, AXIS_ALONG[normal])) * u_tau / viscosity
    prefix = "budget_k_"
    return {name[len(prefix):]: (y_plus, both_halves(averages[name]) * viscosity / u_tau**4)
            for name in averages if name.startswith(prefix)}
