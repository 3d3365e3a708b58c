"""Axes of a snapshot: periods, widths, bodies."""
import numpy as np

from dnsflow.errors import RunFileError

SURFACE = 0.5  # of `solid`, 1 in bodies and 0 in the flow
UNIFORM = 1e-6  # of the spacing: a line this even is uniform


def is_periodic(flow, axis):
    return flow.case["boundaries"].get(axis) == "periodic"


def period_of(flow, axis):
    """The length of a periodic axis [L]; None for another one."""
    return flow.case["grid"]["length"]["xyz".index(axis)] if is_periodic(flow, axis) else None


def velocity_of_wall(flow, axis, end, component):
    """A component of the velocity of the wall at the low (end 0) or high end (-1) of an axis [U].

    None where there is no wall, its velocity is a formula or in a file, or the fluid beside it has
    another one.
    """
    face = flow.case["boundaries"].get(f"{axis}_{'max' if end else 'min'}")
    if not isinstance(face, dict) or face.get("type") != "wall":
        return None
    if axis != component and ("shear" in face or face.get("slip_length", 0)):
        return None
    if not isinstance(face["velocity"], list):
        return None
    velocity = face["velocity"]["xyz".index(component)]
    return velocity if isinstance(velocity, (int, float)) else None


def value_at_face(flow, axis, end, name, component=None):
    """The number that the case gives for an array at the low (end 0) or high end (-1) of an axis.

    component: of the velocity. None where the case gives none, or the fluid beside has another one.
    """
    if name == "velocity":
        wall = velocity_of_wall(flow, axis, end, component)
        if wall is not None:
            return wall
    face = flow.case["boundaries"].get(f"{axis}_{'max' if end else 'min'}")
    if not isinstance(face, dict) or "turbulence" in face:
        return None
    if name == "velocity":
        given = face.get("velocity") if face["type"] == "inflow" else None
        value = given["xyz".index(component)] if isinstance(given, list) else None
    else:
        value = face.get(name) if name == "temperature" else (face.get("scalars") or {}).get(name)
    return value if isinstance(value, (int, float)) else None


def spacing(coordinates):
    """The distance of neighbours of a uniform line [L]; None for a stretched one."""
    steps = np.diff(coordinates)
    return steps.mean() if np.ptp(steps) < UNIFORM * steps.mean() else None


def widths(flow, axis):
    """The length that each point represents along an axis [L]: its cell, or half the way to both
    neighbours of a node.
    """
    if f"{axis}_widths" in flow:
        return flow[f"{axis}_widths"]
    if f"{axis}_faces" in flow:
        return np.diff(flow[f"{axis}_faces"])
    steps = np.diff(flow[axis])
    if is_periodic(flow, axis):  # the nodes are uniform
        return np.append(steps, steps[-1])
    return (np.append(steps, 0) + np.append(0, steps)) / 2


def has_faces(flow):
    """Whether a snapshot holds the velocity on the faces of cells."""
    return all(f"velocity_{axis}" in flow for axis in "xyz")


def is_interpolated(flow):
    """Whether a snapshot of cells holds but the means of the velocities at both faces."""
    return "x_faces" in flow and not has_faces(flow)


def require_known_bodies(flow):
    """Raises RunFileError for a flow with bodies whose snapshot does not say where they are."""
    if flow.case.get("solids") and "solid" not in flow:
        raise RunFileError(f"{flow.path}: has no `solid`, without which bodies cannot be left out; "
                           "the case sets it: output.fields.variables")


def in_bodies(flow, **where):
    """Which points of a snapshot, of numbers or slices along axes as in flow.read(), are in bodies.

    None where it has no `solid`.
    """
    if "solid" in flow:
        return flow.read("solid", **where) > SURFACE
    places = [np.asarray(flow[axis])[where.get(axis, slice(None))] for axis in "zyx"]
    return np.zeros([len(part) for part in places if np.ndim(part)], dtype=bool)
