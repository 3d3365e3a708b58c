"""What can be drawn on a plane of a snapshot: values, labels and colours of each."""
import functools
from typing import NamedTuple

import numpy as np

from dnsflow import q_criterion, vorticity
from dnsflow.grid import in_bodies
from pictures.frame import frame_velocity
from pictures.ranges import largest

AXES = "xyz"
FLOATS = 1e-5  # of a scale: round-off of floats


class Variable(NamedTuple):
    """A quantity on a plane."""

    label: str
    is_signed: bool = False  # the colour map with zero in its middle, as in pictures of a run
    is_peaked: bool = False  # at corners and in sheets: colours leave the extremes out


VARIABLES = {
    "speed": Variable("$|\\mathbf{u}|/@U$"),
    "u": Variable("$u/@U$", True),
    "v": Variable("$v/@U$", True),
    "w": Variable("$w/@U$", True),
    "T": Variable("$T/@T$"),
    "p": Variable("$p/(\\rho @U^2)$", True, True),
    "vorticity": Variable("$|\\mathbf{\\omega}|\\,@L/@U$", False, True),
    "vorticity_x": Variable("$\\omega_x\\,@L/@U$", True, True),
    "vorticity_y": Variable("$\\omega_y\\,@L/@U$", True, True),
    "vorticity_z": Variable("$\\omega_z\\,@L/@U$", True, True),
    "q": Variable("$Q\\,@L^2/@U^2$", True, True),
}
STORED = {"T": "temperature", "p": "pressure"}


def scalars_of(case):
    """Names of the scalars besides temperature."""
    return list((case or {}).get("scalars", {}))


def variable_named(name):
    """One of VARIABLES, or a scalar of the case."""
    return VARIABLES.get(name, Variable(name))


class FlowVariables:
    """The variables of a snapshot, on its planes.

    Velocities are relative to walls that all move alike. Vorticity and q are computed from the
    velocity where the snapshot does not hold them, once.
    """

    def __init__(self, flow):
        self.flow = flow
        self.frame = frame_velocity(flow.case)
        self.scalars = scalars_of(flow.case)
        self._derived = {}

    def names(self):
        """Those that can be drawn."""
        has_velocity = "velocity" in self.flow
        return [name for name in VARIABLES if (
            STORED[name] in self.flow if name in STORED else
            has_velocity or self._array_of(name) in self.flow)] + self._scalars_there()

    def _scalars_there(self):
        return [name for name in self.scalars if name in self.flow]

    def label(self, name):
        """With the velocity of the walls, where velocities are relative to it."""
        label = variable_named(name).label
        if name in ("u", "v", "w") and self.frame["uvw".index(name)]:
            return label.replace(f"${name}", f"$({name} - {name}_w)", 1)
        if name == "speed" and self.frame.any():
            return label.replace("\\mathbf{u}", "\\mathbf{u} - \\mathbf{u}_w")
        return label

    @functools.cached_property
    def speed(self):
        """The largest component of the velocity on the three middle planes [U]; 0 without one."""
        if "velocity" not in self.flow:
            return 0
        found = []
        for axis in AXES:
            where = {axis: len(self.flow[axis]) // 2}
            plane = self.flow.read("velocity", **where)
            found.append(largest((plane - self.frame.astype(plane.dtype))[
                ~in_bodies(self.flow, **where)]))
        return max(found)

    def round_off(self, name):
        """What is this small is zero, of floats: of the scales of the flow, and its narrowest
        cells.
        """
        if name == "T" or name in self.scalars:
            return 0
        scale = FLOATS * self.speed ** (2 if name in ("p", "q") else 1)
        if name not in ("q", *(word for word in VARIABLES if word.startswith("vorticity"))):
            return scale
        narrowest = min(np.diff(self.flow[axis]).min() for axis in AXES if len(self.flow[axis]) > 1)
        return scale / narrowest ** (2 if name == "q" else 1)

    def on_plane(self, name, **where):
        """Values (slow axis, fast axis)."""
        if name in STORED or name in self.scalars:
            return self.flow.read(STORED.get(name, name), **where)
        if name in ("speed", "u", "v", "w"):
            velocity = self.flow.read("velocity", **where)
            velocity = velocity - self.frame.astype(velocity.dtype)
            return magnitude(velocity) if name == "speed" else velocity[..., "uvw".index(name)]
        values = self._plane_of(self._array_of(name), where)
        if name == "vorticity":
            return magnitude(values)
        return values if name == "q" else values[..., AXES.index(name[-1])]

    @staticmethod
    def _array_of(name):
        """The name in the file."""
        return "q_criterion" if name == "q" else name.partition("_")[0]

    def _plane_of(self, array, where):
        """Of what the file holds, else of what is computed from the velocity."""
        if array in self.flow:
            return self.flow.read(array, **where)
        if array not in self._derived:
            make = {"vorticity": vorticity, "q_criterion": q_criterion}[array]
            self._derived[array] = make(self.flow)
        return self._derived[array][tuple(where.get(axis, slice(None)) for axis in "zyx")]


def magnitude(vectors):
    return np.sqrt((vectors.astype(float) ** 2).sum(axis=-1))
