"""What can be drawn on a plane of a snapshot: values, labels and colours of each."""
from typing import NamedTuple

import numpy as np

from dnsflow import q_criterion, vorticity
from pictures.frame import frame_velocity

AXES = "xyz"


class Variable(NamedTuple):
    """A quantity on a plane."""

    label: str
    colour_map: str
    is_peaked: bool = False  # at corners and in sheets: colours leave the extremes out


VARIABLES = {
    "speed": Variable("$|\\mathbf{u}|/@U$", "viridis"),
    "u": Variable("$u/@U$", "viridis"),
    "v": Variable("$v/@U$", "viridis"),
    "w": Variable("$w/@U$", "viridis"),
    "T": Variable("$T/@T$", "inferno"),
    "p": Variable("$p/(\\rho @U^2)$", "cividis", True),
    "vorticity": Variable("$|\\mathbf{\\omega}|\\,@L/@U$", "magma_r", True),
    "vorticity_x": Variable("$\\omega_x\\,@L/@U$", "coolwarm", True),
    "vorticity_y": Variable("$\\omega_y\\,@L/@U$", "coolwarm", True),
    "vorticity_z": Variable("$\\omega_z\\,@L/@U$", "coolwarm", True),
    "q": Variable("$Q\\,@L^2/@U^2$", "coolwarm", True),
}
STORED = {"T": "temperature", "p": "pressure"}


def scalars_of(case):
    """Names of the scalars besides temperature."""
    return list((case or {}).get("scalars", {}))


def variable_named(name):
    """One of VARIABLES, or a scalar of the case."""
    return VARIABLES.get(name, Variable(name, "inferno"))


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
