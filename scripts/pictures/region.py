"""The part of a plane that is drawn."""
import numpy as np

from dnsflow.errors import NamedEntries
from pictures.options import UsageError


def points_within(file, axis, ends):
    """The slice of the cells along an axis that lie between two ends, whole or in part, or of the
    nodes between them. Raises UsageError where there are none.
    """
    low, high = ends
    faces = file[f"{axis}_faces"] if f"{axis}_faces" in file else None
    if faces is None:
        inside = (file[axis] >= low) & (file[axis] <= high)
    else:
        inside = (faces[1:] > low) & (faces[:-1] < high)
    numbers = np.flatnonzero(inside)
    if not len(numbers):
        places = file[axis] if faces is None else faces
        raise UsageError(f"--region is '{axis}={low:g}:{high:g}', but must meet the flow, "
                         f"{axis} from {places[0]:.6g} to {places[-1]:.6g} [L]")
    return slice(int(numbers[0]), int(numbers[-1]) + 1)


def parts_within(file, across, region):
    """Axis -> slice of points, of the axes of a plane that the region, axis -> ends, is of."""
    return {axis: points_within(file, axis, region[axis]) for axis in across
            if axis in (region or {})}


def coordinates_of(file, across, parts):
    """The coordinates and faces of the axes of a plane, by name, of these parts."""
    found = NamedEntries(file.path)
    for axis in across:
        part = parts.get(axis, slice(None))
        found[axis] = file[axis][part]
        if f"{axis}_faces" in file:
            end = None if part.stop is None else part.stop + 1
            found[f"{axis}_faces"] = file[f"{axis}_faces"][part.start:end]
    return found
