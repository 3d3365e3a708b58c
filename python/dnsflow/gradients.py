"""Derivatives of the velocity of a snapshot, of second order."""
import numpy as np

from dnsflow.grid import has_faces, period_of

AXES = {"x": 2, "y": 1, "z": 0}  # their numbers in arrays (nz, ny, nx)


def taken(values, number, first, last):
    """The part first:last along an axis of this number."""
    return values[(slice(None),) * number + (slice(first, last),)]


def mean_of_neighbours(values, number):
    return (taken(values, number, 1, None) + taken(values, number, None, -1)) / 2


def derivative(values, coordinates, number, period=None):
    """d values/ds at the points `coordinates` of the axis of this number, exact for parabolas.

    Central differences of three points at any distances, one-sided ones of three points at both
    ends; with a period the ends are neighbours (numpy.gradient).
    """
    if period is None:
        return np.gradient(values, coordinates, axis=number, edge_order=2)
    around = np.concatenate([np.take(values, [-1], axis=number), values,
                             np.take(values, [0], axis=number)], axis=number)
    places = np.concatenate([coordinates[-1:] - period, coordinates, coordinates[:1] + period])
    return taken(np.gradient(around, places, axis=number), number, 1, -1)


def continued(values, places, number, wanted, neighbours):
    """Values along the axis of this number at the place `wanted` beyond an end, by a straight line
    through those of the two numbers `neighbours`.
    """
    one, other = neighbours
    near, far = (np.take(values, [neighbour], axis=number) for neighbour in neighbours)
    return near + (near - far) * (wanted - places[one]) / (places[one] - places[other])


class CentredGradients:
    """Those of velocity (nz, ny, nx, 3), all at its points."""

    def __init__(self, flow):
        self._flow = flow
        self._velocity = flow["velocity"].astype(float)

    def across(self, component, axis):
        """d component/d axis."""
        return derivative(self._velocity[..., "xyz".index(component)], self._flow[axis],
                          AXES[axis], period_of(self._flow, axis))

    along = across

    def at_points(self, values, first, second):
        """What across() gave, at the points."""
        return values


class StaggeredGradients:
    """Those of velocity_x (nz, ny, nx + 1), velocity_y, velocity_z on the faces of cells.

    Every derivative is the difference of two neighbours over their distance: along the own axis at
    the centres, across it at the edges between the faces of both axes. On a boundary it is
    continued from the two edges beside it.
    """

    def __init__(self, flow):
        self._flow = flow
        self._velocity = {axis: flow[f"velocity_{axis}"].astype(float) for axis in AXES}

    def along(self, component, axis):
        """d component/d axis along its own axis, at the centres (nz, ny, nx)."""
        return self._differences(component, axis, self._flow[f"{axis}_faces"])

    def across(self, component, axis):
        """d component/d axis, one more than cells along both, at the edges."""
        number, places = AXES[axis], self._flow[axis]
        period = period_of(self._flow, axis)
        inner = self._differences(component, axis, places)
        if period is None:
            faces, between = self._flow[f"{axis}_faces"], (places[1:] + places[:-1]) / 2
            low = continued(inner, between, number, faces[0], (0, 1))
            high = continued(inner, between, number, faces[-1], (-1, -2))
        else:
            first, last = (np.take(self._velocity[component], [end], axis=number)
                           for end in (0, -1))
            low = high = (first - last) / (places[0] + period - places[-1])
        return np.concatenate([low, inner, high], axis=number)

    def at_points(self, values, first, second):
        """The means of values at edges over the four around each cell, in the plane of two axes."""
        return mean_of_neighbours(mean_of_neighbours(values, AXES[first]), AXES[second])

    def _differences(self, component, axis, places):
        number = AXES[axis]
        shape = [-1 if other == number else 1 for other in range(3)]
        return np.diff(self._velocity[component], axis=number) / np.diff(places).reshape(shape)


def gradients_of(flow):
    """Those of a snapshot, from the faces of cells where it holds the velocity there."""
    return StaggeredGradients(flow) if has_faces(flow) else CentredGradients(flow)
