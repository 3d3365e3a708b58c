"""Derivatives of the velocity of a snapshot, of second order."""
import numpy as np

from dnsflow.grid import has_faces, period_of, velocity_of_wall

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


class CentredGradients:
    """Those of velocity (nz, ny, nx, 3), all at its points.

    A wall whose velocity is known is one of the three points beside it.
    """

    def __init__(self, flow):
        self._flow = flow
        self._velocity = flow["velocity"].astype(float)

    def across(self, component, axis):
        """d component/d axis."""
        values, places = self._velocity[..., "xyz".index(component)], self._flow[axis]
        number, inner = AXES[axis], [0, None]
        for end in (0, -1) if f"{axis}_faces" in self._flow else ():
            wall = velocity_of_wall(self._flow, axis, end, component)
            if wall is not None:
                at = len(places) if end else 0
                values = np.insert(values, at, wall, axis=number)
                places = np.insert(places, at, self._flow[f"{axis}_faces"][end])
                inner[end] = -1 if end else 1
        slopes = derivative(values, places, number, period_of(self._flow, axis))
        return taken(slopes, number, *inner)

    along = across

    def at_points(self, values, first, second):
        """What across() gave, at the points."""
        return values


class StaggeredGradients:
    """Those of velocity_x (nz, ny, nx + 1), velocity_y, velocity_z on the faces of cells.

    Every derivative is the difference of two neighbours over their distance: along the own axis at
    the centres, across it at the edges between the faces of both axes. On a boundary it is
    continued by a straight line from the two differences beside it, the outer of which is that to
    the wall where its velocity is known.
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
            low, high = (self._on_plane(component, axis, inner, end) for end in (0, -1))
        else:
            first, last = (np.take(self._velocity[component], [end], axis=number)
                           for end in (0, -1))
            low = high = (first - last) / (places[0] + period - places[-1])
        return np.concatenate([low, inner, high], axis=number)

    def at_points(self, values, first, second):
        """The means of values at edges over the four around each cell, in the plane of two axes."""
        return mean_of_neighbours(mean_of_neighbours(values, AXES[first]), AXES[second])

    def _on_plane(self, component, axis, inner, end):
        """d component/d axis at the low (end 0) or high end (-1), from the differences inside."""
        number, places, plane = AXES[axis], self._flow[axis], self._flow[f"{axis}_faces"][end]
        between = (places[1:] + places[:-1]) / 2
        wall = velocity_of_wall(self._flow, axis, end, component)
        near, place = np.take(inner, [end], axis=number), between[end]
        if wall is None:
            beside = -2 if end else 1
            far, other = np.take(inner, [beside], axis=number), between[beside]
        else:
            far, other = near, place
            outermost = np.take(self._velocity[component], [end], axis=number)
            near, place = (outermost - wall) / (places[end] - plane), (places[end] + plane) / 2
        return near + (near - far) * (plane - place) / (place - other)

    def _differences(self, component, axis, places):
        number = AXES[axis]
        shape = [-1 if other == number else 1 for other in range(3)]
        return np.diff(self._velocity[component], axis=number) / np.diff(places).reshape(shape)


def gradients_of(flow):
    """Those of a snapshot, from the faces of cells where it holds the velocity there."""
    return StaggeredGradients(flow) if has_faces(flow) else CentredGradients(flow)
