"""Values of a snapshot between its points, of order 4."""
from typing import NamedTuple

import numpy as np

from dnsflow.errors import RunFileError
from dnsflow.gradients import AXES
from dnsflow.grid import SURFACE, has_faces, period_of, value_at_face

POINTS = 4  # of a polynomial along an axis


class Stencil(NamedTuple):
    """The points beside each place on an axis."""

    numbers: np.ndarray  # (places, points)
    weights: np.ndarray  # (places, points): Lagrange's polynomials


def stencil(coordinates, period, places):
    """The Stencil of the POINTS points nearest to each place, as many on both sides where they are
    there; around a periodic axis, else at the ends those that are last. Exact for cubics.
    """
    count = len(coordinates)
    numbers = np.arange(count)
    if period is not None:
        places = coordinates[0] + (places - coordinates[0]) % period
        numbers = np.arange(-POINTS // 2, count + POINTS // 2)
        coordinates = coordinates[numbers % count] + numbers // count * period
    used = min(POINTS, len(coordinates))
    first = np.searchsorted(coordinates, places) - used // 2
    near = np.clip(first, 0, len(coordinates) - used)[:, None] + np.arange(used)
    at = coordinates[near]
    weights = np.ones(near.shape)
    for one in range(used):
        for other in range(used):
            if other != one:
                weights[:, one] *= (places - at[:, other]) / (at[:, one] - at[:, other])
    return Stencil(numbers[near] % count, weights)


class Placed(NamedTuple):
    """One number at each point of a grid (nz, ny, nx), and where the points are."""

    values: np.ndarray
    coordinates: dict  # by axis


def with_boundaries(flow, name, component, placed):
    """With the values on boundaries that are given there, as points of their own."""
    values, coordinates = placed.values, dict(placed.coordinates)
    for axis, number in AXES.items():
        for end in (0, -1) if f"{axis}_faces" in flow else ():
            face, given = flow[f"{axis}_faces"][end], value_at_face(flow, axis, end, name,
                                                                    component)
            if given is not None and face != coordinates[axis][end]:
                at = len(coordinates[axis]) if end else 0
                values = np.insert(values, at, given, axis=number)
                coordinates[axis] = np.insert(coordinates[axis], at, face)
    return Placed(values, coordinates)


def values_between(flow, placed, points):
    """The values at points (count, 3)."""
    along = {axis: stencil(placed.coordinates[axis], period_of(flow, axis), points[:, number])
             for number, axis in enumerate("xyz")}
    found = np.zeros(len(points))
    for k, of_z in enumerate(along["z"].weights.T):
        for j, of_y in enumerate(along["y"].weights.T):
            for i, of_x in enumerate(along["x"].weights.T):
                found += of_z * of_y * of_x * placed.values[
                    along["z"].numbers[:, k], along["y"].numbers[:, j], along["x"].numbers[:, i]]
    return found


class Interpolator:
    """An array of a snapshot, called with any points (..., 3) of x, y, z [L].

        velocity = Interpolator(flow)            # reads the array, once
        velocity([[0.5, 0.1, 0.2]])              # (1, 3)
        Interpolator(flow, "temperature")([0.5, 0.1, 0.2])

    Polynomials of third degree through 4 points along each axis, at any distances: the error is of
    order 4 in these. Where the case gives a number for a velocity, temperature or scalar at a wall
    or inflow, it is one of the points; else the polynomial of the last 4 is continued up to the
    face. Around periodic axes points may lie anywhere. Velocities are taken from the faces of cells
    where the snapshot holds them (output.fields.location: faces); those at centres are means of two
    faces, of order 2 along their own axis. Beside bodies, values in them count. NaN outside of the
    domain and in bodies.

    Raises RunFileError for an array that is not at the points of the flow.
    """

    def __init__(self, flow, name="velocity"):
        self._flow = flow
        self._axes = {axis: np.asarray(flow[axis], float) for axis in AXES}
        self._solid = flow["solid"] if "solid" in flow else None
        if name == "velocity" and has_faces(flow):
            self._components = [self._on_faces(axis) for axis in "xyz"]
            return
        values = flow[name].astype(float)
        shape = tuple(len(self._axes[axis]) for axis in "zyx")
        if values.shape not in (shape, (*shape, 3)):
            raise RunFileError(f"{flow.path}: {name} is not at the points of the flow")
        parts = [values] if values.shape == shape else np.moveaxis(values, -1, 0)
        self._components = [
            with_boundaries(flow, name, component, Placed(part, self._axes))
            for component, part in zip([None] if values.shape == shape else "xyz", parts)]

    def __call__(self, points):
        points = np.asarray(points, float)
        if points.shape[-1:] != (3,):
            raise ValueError(f"points have the shape {points.shape}, but must have (..., 3)")
        flat = points.reshape(-1, 3)
        inside = np.flatnonzero(np.isfinite(flat).all(axis=1))
        inside = inside[self._is_fluid(flat[inside])]
        found = np.full((len(flat), len(self._components)), np.nan)
        for number, placed in enumerate(self._components):
            found[inside, number] = values_between(self._flow, placed, flat[inside])
        return found.reshape(points.shape[:-1] + ((3,) if len(self._components) == 3 else ()))

    def _on_faces(self, component):
        values = self._flow[f"velocity_{component}"].astype(float)
        faces = np.asarray(self._flow[f"{component}_faces"], float)
        if period_of(self._flow, component) is not None:  # the last face is the first again
            values, faces = np.delete(values, -1, axis=AXES[component]), faces[:-1]
        placed = Placed(values, {**self._axes, component: faces})
        return with_boundaries(self._flow, "velocity", component, placed)

    def _is_fluid(self, points):
        """Which points (count, 3) are in the domain and in no body."""
        found, nearest = np.ones(len(points), bool), []
        for places, axis in zip(points.T, "xyz"):
            period = period_of(self._flow, axis)
            if period is None:
                ends = self._flow[f"{axis}_faces" if f"{axis}_faces" in self._flow else axis]
                found &= (places >= ends[0]) & (places <= ends[-1])
            numbers, weights = stencil(self._axes[axis], period, places)
            largest = weights.argmax(axis=1)  # that of the nearest point
            nearest.insert(0, numbers[np.arange(len(points)), largest])
        return found if self._solid is None else found & (self._solid[tuple(nearest)] <= SURFACE)


def interpolate(flow, points, name="velocity"):
    """An array of a snapshot at any points (..., 3): (..., 3) of a vector, (...) of a scalar.

    The same as Interpolator(flow, name)(points), which see.
    """
    return Interpolator(flow, name)(points)
