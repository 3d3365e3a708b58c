"""The steady equations of second-order differences on equal staggered cells, written to be read.

    div(u u) - nu lap u + grad p - b (T - T_ref) e = 0,   div u = 0,   div(u T) - kappa lap T = 0

between walls and around periodic axes. Every control volume takes the fluxes through its faces:
velocities and advected quantities there are means of two neighbours, derivatives are differences of
two neighbours. Half a cell beyond a wall lies a ghost value: 2 given - inner, or the inner value
where no heat passes. Harlow & Welch, Phys. Fluids 8 (1965) 2182; these are the differences of
scheme projection (docs/method.md) and of CaNS, of which nothing is used here.

Arrays have the axes x, y, z. Velocity a lives on the n + 1 faces across axis a (periodic: the last
is the first again), temperature and pressure at the centres of the n cells.
"""
from typing import NamedTuple

import numpy as np

AXES = (0, 1, 2)


class Fields(NamedTuple):
    """velocity: three arrays; pressure; temperature, or None."""

    velocity: tuple
    pressure: np.ndarray
    temperature: np.ndarray = None


def imbalance(equations):
    """The largest absolute sum of the terms of any equation over the largest term of any."""
    sums = [abs(sum(terms)).max() for terms in equations]
    return np.max(sums) / np.max([abs(term).max() for terms in equations for term in terms])


def part(q, axis, start, stop=None):
    """q[start:stop] along an axis."""
    return q[(slice(None),) * axis + (slice(start, stop),)]


def mean(q, axis):
    """Of neighbours along an axis."""
    return (part(q, axis, 1) + part(q, axis, 0, -1)) / 2


class SteadyFlow:
    """The equations of one case: a box of equal cells between walls at rest or moving along
    themselves, or periodic.

    case  as dnsflow reads it, its velocities and temperatures of walls numbers
    """

    def __init__(self, case):
        cells, lengths = case["grid"]["points"], case["grid"]["length"]
        self.spacing = [length / count for length, count in zip(lengths, cells)]
        self.periodic = [case["boundaries"].get(axis) == "periodic" for axis in "xyz"]
        self.walls = case["boundaries"]
        self.viscosity = 1 / case["fluid"]["reynolds"]
        self.has_temperature = case["fluid"].get("prandtl") is not None
        if self.has_temperature:
            self.diffusivity = self.viscosity / case["fluid"]["prandtl"]
            buoyancy = case["buoyancy"]
            self.buoyancy = buoyancy["rayleigh"] * self.viscosity * self.diffusivity
            self.warm_rises_along = "xyz".index(buoyancy["direction"])
            self.reference_temperature = buoyancy["reference_temperature"]

    def imbalances(self, fields):
        """By name what is left of each equation, over its largest term."""
        found = {"momentum": imbalance([self.momentum(fields, axis) for axis in AXES]),
                 "divergence": imbalance([self.divergence(fields)])}
        if self.has_temperature:
            found["heat"] = imbalance([self.heat(fields)])
        return found

    def divergence(self, fields):
        """Terms of div u = 0 in all cells."""
        return [self.difference(fields.velocity[axis], axis) for axis in AXES]

    def momentum(self, fields, axis):
        """Terms of the equation of one velocity, at the faces across its axis that are not walls.
        """
        velocity = fields.velocity
        terms = []
        for along in AXES:
            if along == axis:  # from centre to centre of the cells on both sides
                q = velocity[axis]
                flux = mean(q, along) ** 2, -self.viscosity * self.difference(q, along)
                flux = [self.around_faces(one, along) for one in flux]
            else:
                q = self.with_ghosts(self.inner_faces(velocity[axis], axis), along,
                                     lambda wall, axis=axis: wall["velocity"][axis])
                advecting = mean(self.around_faces(velocity[along], axis), axis)
                flux = advecting * mean(q, along), -self.viscosity * self.difference(q, along)
            terms += [self.difference(one, along) for one in flux]
        terms.append(self.difference(self.around_faces(fields.pressure, axis), axis))
        if self.has_temperature and self.warm_rises_along == axis:
            warmth = fields.temperature - self.reference_temperature
            terms.append(-self.buoyancy * mean(self.around_faces(warmth, axis), axis))
        return terms

    def heat(self, fields):
        """Terms of the equation of the temperature in all cells."""
        terms = []
        for axis in AXES:
            q = self.with_ghosts(fields.temperature, axis, given_temperature)
            terms.append(self.difference(fields.velocity[axis] * mean(q, axis), axis))
            terms.append(-self.diffusivity * self.difference(self.difference(q, axis), axis))
        return terms

    def difference(self, q, axis):
        """Of neighbours along an axis over the width of a cell."""
        return np.diff(q, axis=axis) / self.spacing[axis]

    def inner_faces(self, q, axis):
        """The faces that have an equation: none in a wall, each periodic one once."""
        return part(q, axis, 0 if self.periodic[axis] else 1, -1)

    def around_faces(self, q, axis):
        """Values in cells so that neighbours lie on both sides of each inner face."""
        return np.concatenate([part(q, axis, -1), q], axis) if self.periodic[axis] else q

    def with_ghosts(self, q, axis, given):
        """Values half a cell from the ends of an axis, with one more beyond each end.

        given(wall): the value at a wall, None where the gradient is 0
        """
        first, last = part(q, axis, 0, 1), part(q, axis, -1)
        if self.periodic[axis]:
            return np.concatenate([last, q, first], axis)
        beyond = []
        for end, inner in (("min", first), ("max", last)):
            value = given(self.walls[f"{'xyz'[axis]}_{end}"])
            beyond.append(inner if value is None else 2 * value - inner)
        return np.concatenate([beyond[0], q, beyond[1]], axis)


def given_temperature(wall):
    """At a wall; None where no heat passes."""
    value = wall["temperature"]
    return None if value == {"gradient": 0} else value


def fields_of(flow):
    """Fields of a snapshot with the velocity at faces, in double."""
    def along_xyz(name):
        return np.asarray(flow[name], float).T

    return Fields(tuple(along_xyz(f"velocity_{axis}") for axis in "xyz"), along_xyz("pressure"),
                  along_xyz("temperature") if "temperature" in flow else None)
