"""The steady flow of a case by Newton's method, from rest and without time steps."""
import numpy as np

from validation import newton
from validation.steady_equations import AXES, Fields, SteadyFlow


def steady_solution(case):
    """Fields whose equations hold to round-off, the pressure with mean zero, and the largest change
    in each step of Newton's method. Along periodic axes nothing happens: they have one cell.

    The matrix is a dense one: (4000 unknowns)^2 are 128 MB and some seconds a step.
    """
    problem = SteadyProblem(case)
    unknowns, changes = newton.solve(problem.rests, problem.at_rest(), 1e-13)
    return problem.fields(unknowns), changes


class SteadyProblem:
    """SteadyFlow as equations for arrays of unknowns: velocities at faces that are not walls,
    pressure, temperature."""

    def __init__(self, case):
        is_wide = [case["boundaries"].get(axis) != "periodic" for axis in "xyz"]
        self.cells = [count if wide else 1 for count, wide in zip(case["grid"]["points"], is_wide)]
        lengths = [length / count * cells for length, count, cells in
                   zip(case["grid"]["length"], case["grid"]["points"], self.cells)]
        self.flow = SteadyFlow({**case, "grid": {"points": self.cells, "length": lengths}})
        self.moving = [axis for axis in AXES if is_wide[axis]]  # velocities that are not 0

    def at_rest(self):
        shapes = [[count - (axis == other) for other, count in enumerate(self.cells)]
                  for axis in self.moving]
        shapes += [self.cells] * (1 + self.flow.has_temperature)
        return [np.zeros(shape) for shape in shapes]

    def fields(self, unknowns):
        velocity = []
        for axis in AXES:
            walls = [(int(axis == other),) * 2 for other in AXES]
            if axis in self.moving:
                velocity.append(np.pad(unknowns[self.moving.index(axis)], walls))
            else:
                velocity.append(np.zeros([2 if axis == other else count
                                          for other, count in enumerate(self.cells)]))
        pressure, *temperature = unknowns[len(self.moving):]
        return Fields(tuple(velocity), pressure - pressure.mean(), *temperature)

    def rests(self, unknowns):
        """One array for each of the unknowns. One cell has no equation of its own, for the flow
        through all walls is 0: the first one, whose pressure is 0 instead."""
        fields = self.fields(unknowns)
        divergence = sum(self.flow.divergence(fields))
        divergence[0, 0, 0] = unknowns[len(self.moving)][0, 0, 0]
        rests = [sum(self.flow.momentum(fields, axis)) for axis in self.moving] + [divergence]
        return rests + ([sum(self.flow.heat(fields))] if self.flow.has_temperature else [])
