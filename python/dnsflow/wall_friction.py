"""Friction of the walls of a flow, from the mean shear stress on them."""
from typing import NamedTuple

import numpy as np

from dnsflow.uncertainty import uncertainty_of_mean


class Friction(NamedTuple):
    """The friction velocity of all walls, with its uncertainty."""

    velocity: float  # [U]
    uncertainty: float  # half of the 95 % interval [U]
    share: float  # of the time within which values correlate, see uncertainty_of_mean


def faces_with_friction(case):
    """(axis, end, section of the case) of each wall whose shear follows from mean velocities: all but
    those that give the shear, or the slip length by a formula; end 0 or -1."""
    found = []
    for axis in "xyz":
        for end, name in ((0, f"{axis}_min"), (-1, f"{axis}_max")):
            face = case["boundaries"].get(name)
            if (isinstance(face, dict) and face.get("type") == "wall" and "shear" not in face
                    and not isinstance(face.get("slip_length"), str)):
                found.append((axis, end, face))
    return found


def slopes_at_wall(averages, values, axis, end):
    """d<V>/dn (2, points) of the velocity along a wall, relative to the wall [U/L].

    averages  where the grid and the case are: see ArrayFile
    values    u, v, w by name: (..., points along the axes of `averages`)
    axis, end of the wall, end 0 or -1

    n leads into the fluid. The shear is that between the wall and the first cell, or with order 4
    across walls a mean of the first three; with slip, between these and a point a slip length
    behind the wall. A wall whose velocity is a formula
    or in a file counts as one at rest.
    """
    face = averages.case["boundaries"][f"{axis}_{'max' if end else 'min'}"]
    # solver/numerics/order_across_walls.hpp
    weights = np.array([79, -6, -1]) / 72 if f"{axis}_widths" in averages else np.array([1])

    def beside_wall(values, place=-1):
        values = np.flip(values, place) if end else values
        return sum(weight * np.take(values, n, axis=place) for n, weight in enumerate(weights))

    distance = np.abs(beside_wall(averages[axis]) - averages[f"{axis}_faces"][end])
    place = list(averages.axes["u"]).index(axis) - len(averages.axes["u"])
    slopes = []
    for name in "uvw":
        if name != "uvw"["xyz".index(axis)]:
            velocity = face["velocity"]
            given = velocity["uvw".index(name)] if isinstance(velocity, list) else None
            speed = given if isinstance(given, (int, float)) else 0
            slopes.append((beside_wall(values[name], place) - speed) /
                          (distance + face.get("slip_length", 0)))
    return np.array(slopes)


def areas_of_wall(averages, axis, end):
    """The fluid's share of the wall times the length of each point [L^2 or less, (points)]."""
    axes = averages.axes["u"]
    area = np.ones([1 if other == axis else len(averages[other]) for other in axes])
    for place, other in enumerate(axes):
        if other != axis:
            widths = np.diff(averages[f"{other}_faces"])
            area = area * widths.reshape([-1 if here == place else 1 for here in range(len(axes))])
    area = np.take(area, 0, axis=axes.index(axis))
    if "fluid" in averages:
        area = area * np.take(averages["fluid"], end, axis=axes.index(axis))
    return area


def friction_of(stresses, areas, durations):
    """The Friction of walls whose shear stress is known at times that follow one another.

    stresses   (times, 2, points of all walls): both components [U^2]
    areas      (points): of the walls
    durations  (times) [L/U]

        u_tau = sqrt(mean over the walls of |<tau>|),   <tau> the mean over time of the vector

    Stresses are projected on the direction of their mean before the uncertainty is estimated.
    """
    mean = np.average(stresses, axis=0, weights=durations)
    size = np.sqrt((mean**2).sum(axis=0))
    direction = np.divide(mean, size, out=np.zeros_like(mean), where=size > 0)
    over_walls = np.average((stresses * direction).sum(axis=1), axis=1, weights=areas)
    stress, half, share = uncertainty_of_mean(over_walls, durations)
    velocity = max(float(stress), 0) ** 0.5
    return Friction(velocity, half / (2 * velocity) if velocity > 0 else np.nan, share)


def friction_of_windows(averages, values, durations):
    """The Friction of the mean flow; None without walls that have friction.

    averages, values: see slopes_at_wall; values (windows, ...) lasting `durations` [L/U].
    """
    stresses, areas = [], []
    for axis, end, _ in faces_with_friction(averages.case):
        if axis in averages.axes["u"]:
            area = areas_of_wall(averages, axis, end).ravel()
            slopes = slopes_at_wall(averages, values, axis, end)
            slopes = slopes.reshape(2, len(durations), -1)[..., area > 0]
            stresses.append(np.moveaxis(slopes, 1, 0))
            areas.append(area[area > 0])
    if not areas or not sum(map(len, areas)):
        return None
    viscosity = 1 / averages.case["fluid"]["reynolds"]
    return friction_of(viscosity * np.concatenate(stresses, axis=2), np.concatenate(areas),
                       durations)


def friction_of_series(case, series, durations):
    """The Friction of the wall shears of a time series (wall_shear_*), over all walls by their
    areas; None without them. Each line counts for `durations` [L/U].
    """
    stresses, areas = [], []
    for axis, end, _ in faces_with_friction(case):
        columns = [series.get(f"wall_shear_{axis}_{'max' if end else 'min'}_{other}")
                   for other in "xyz" if other != axis]
        if all(column is not None for column in columns):
            stresses.append(columns)
            areas.append(np.prod([length for other, length in zip("xyz", case["grid"]["length"])
                                  if other != axis]))
    if not areas:
        return None
    return friction_of(np.transpose(stresses, (2, 1, 0)), np.array(areas), durations)


def wall_units(case, velocity, averages):
    """y_plus, ..., friction_reynolds by name, of walls with a friction velocity [U].

    *_plus: distance from the nearest wall times friction_velocity Re, along the axes kept between
    walls; friction_reynolds: half the distance of two walls times the same.
    """
    per_length = velocity * case["fluid"]["reynolds"]
    ends = {}
    for axis, end, _ in faces_with_friction(case):
        ends.setdefault(axis, []).append(end)
    found = {}
    for axis, walls in ends.items():
        if f"{axis}_faces" in averages:
            faces, places = averages[f"{axis}_faces"], averages[axis]
            found[f"{axis}_plus"] = per_length * np.min(
                [np.abs(places - faces[end]) for end in walls], axis=0)
    for axis in "xyz":
        if len(ends.get(axis, ())) == 2:
            found["friction_reynolds"] = per_length * case["grid"]["length"]["xyz".index(axis)] / 2
            break
    return found
