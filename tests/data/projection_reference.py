#!/usr/bin/env python3
"""Implicit steps of scheme projection a second time, in NumPy: makes projection_*.h5 anew.

    tests/data/projection_reference.py periodic|walls FILE.h5

Written from docs/method_projection.md alone, with dense matrices for the lines. `--as-factors`
leaves out what the balance of momentum adds; the fields are then those of the factors alone.
"""
import sys

import h5py
import numpy as np

PI = np.pi
CASES = {
    "periodic": {
        "cells": (12, 10, 14), "length": (2.0, 1.5, 2.5), "nu": 1 / 40, "stretching": None,
        "dt": 0.02, "iterations": 1, "force": (0, 0, 0),
        "start": (lambda x, y, z: 1 + np.sin(PI * x) * np.cos(4 * PI * y / 3),
                  lambda x, y, z: 0.5 * np.cos(PI * x) * np.sin(0.8 * PI * z),
                  lambda x, y, z: 0.3 * np.sin(4 * PI * y / 3) - 0.2 * np.cos(PI * x)),
    },
    "walls": {
        "cells": (10, 17, 12), "length": (3.0, 2.0, 1.5), "nu": 1 / 180, "stretching": 1.8,
        "dt": 0.01, "iterations": 2, "force": (1, 0, 0.25),
        "start": (lambda x, y, z: 8 * y * (2 - y) + 0.5 * np.sin(4 * PI * z / 3),
                  lambda x, y, z: 0.4 * np.sin(2 * PI * x / 3) * y * (2 - y),
                  lambda x, y, z: 0.6 * np.cos(2 * PI * x / 3) * np.sin(PI * y)),
    },
}


class Axis:
    """Faces, widths of cells, distances of centres; beyond walls the first cell mirrored."""

    def __init__(self, cells, length, stretching):
        self.n, self.has_walls = cells, stretching is not None
        at = np.arange(cells + 1) / cells
        if self.has_walls:
            self.faces = length / 2 * (1 + np.tanh(stretching * (2 * at - 1)) / np.tanh(stretching))
        else:
            self.faces = length * at
        self.width = np.diff(self.faces)
        self.below = np.roll(self.width, 1)
        if self.has_walls:
            self.below[0] = self.width[0]
        self.distance = (self.width + self.below) / 2  # of the centres beside each low face
        self.distance_above = np.append(self.distance[1:], self.distance[0])
        if self.has_walls:
            self.distance_above[-1] = self.width[-1]


class Flow:
    """u, v, w [axis] at low faces; index order x, y, z."""

    def __init__(self, case):
        self.axes = [Axis(n, length, case["stretching"] if s == 1 else None)
                     for s, (n, length) in enumerate(zip(case["cells"], case["length"]))]
        self.case, self.nu = case, case["nu"]
        places = [[a.faces[:-1], (a.faces[1:] + a.faces[:-1]) / 2] for a in self.axes]
        self.velocity = []
        for c, start in enumerate(case["start"]):
            grid = np.meshgrid(*[places[s][0 if s == c else 1] for s in range(3)], indexing="ij")
            self.velocity.append(start(*grid) + np.zeros(case["cells"]))
        self.laplacian = self.matrix_of_laplacian()
        for _ in range(2):
            self.velocity, _ = self.project(self.velocity, 1.0)
        self.before = [q.copy() for q in self.velocity]
        self.pressure = np.zeros(case["cells"])

    def along(self, values, s):
        shape = [1, 1, 1]
        shape[s] = -1
        return np.reshape(values, shape)

    def closed(self, q, s):
        """Nothing flows through walls."""
        if self.axes[s].has_walls:
            q = q.copy()
            q[(slice(None),) * s + (0,)] = 0
        return q

    def divergence(self, velocity):
        return sum((np.roll(self.closed(velocity[s], s), -1, s) - self.closed(velocity[s], s))
                   / self.along(self.axes[s].width, s) for s in range(3))

    def gradient(self, p, s):
        return self.closed((p - np.roll(p, 1, s)) / self.along(self.axes[s].distance, s), s)

    def matrix_of_laplacian(self):
        cells = self.case["cells"]
        columns = []
        for n in range(np.prod(cells)):
            p = np.zeros(np.prod(cells))
            p[n] = 1
            p = p.reshape(cells)
            columns.append(self.divergence([self.gradient(p, s) for s in range(3)]).ravel())
        return np.linalg.pinv(np.array(columns).T, rcond=1e-12)

    def project(self, velocity, dt):
        phi = (self.laplacian @ self.divergence(velocity).ravel() / dt).reshape(self.case["cells"])
        phi = phi - (phi * self.volume(None)).sum()
        return [self.closed(velocity[s], s) - dt * self.gradient(phi, s) for s in range(3)], phi

    def volume(self, c):
        """Control volumes of a component, as shares of the box."""
        share = 1.0
        for s, axis in enumerate(self.axes):
            of_axis = axis.distance.copy() if s == c else axis.width
            share = share * self.along(of_axis / of_axis.sum(), s)
        return share

    def matrices(self, c, s, advecting, dt):
        """A_s of a component: a dense matrix for each line, lines last to first axis but s."""
        axis, other = self.axes[s], self.axes[c]
        low = self.closed(advecting[s], s)
        if c == s:
            low = (low + np.roll(low, 1, s)) / 2  # at centres, that below first
        else:
            share = self.along(other.below / (other.below + other.width), c)
            low = share * np.roll(low, 1, c) + (1 - share) * low
        high = np.roll(low, -1, s)
        if c == s:
            size, below, above = axis.distance, axis.below, axis.width
        else:
            size, below, above = axis.width, axis.distance, axis.distance_above
        size, below, above = (self.along(v, s) for v in (size, below, above))
        lower = dt / 2 * (-low / (2 * size) - self.nu / (size * below))
        upper = dt / 2 * (high / (2 * size) - self.nu / (size * above))
        diagonal = dt / 2 * self.nu / size * (1 / below + 1 / above) + 0 * low
        lower, diagonal, upper = (np.moveaxis(v, s, -1).reshape(-1, axis.n)
                                  for v in (lower, diagonal, upper))
        lines = np.zeros((len(lower), axis.n, axis.n))
        for i in range(axis.n):
            lines[:, i, i] += diagonal[:, i]
            for to, row in ((i - 1, lower), (i + 1, upper)):
                if axis.has_walls and not 0 <= to < axis.n:
                    if c != s:
                        lines[:, i, i] -= row[:, i]  # no slip: q beyond the wall is -q
                else:
                    lines[:, i, to % axis.n] += row[:, i]
        if axis.has_walls and c == s:
            lines[:, 0, :] = 0  # the face on the wall
            lines[:, :, 0] = 0
        return lines

    def of_lines(self, act, s, q):
        moved = np.moveaxis(q, s, -1)
        found = act(moved.reshape(-1, self.axes[s].n, 1)).reshape(moved.shape)
        return np.moveaxis(found, -1, s)

    def wall_shear(self, velocity, c):
        """What both walls take from a component, over the volume."""
        axis = self.axes[1]
        if not axis.has_walls or c == 1:
            return 0.0
        weight = self.volume(c)[:, :1, :] / (axis.width[0] / axis.width.sum())
        at_walls = velocity[c][:, :1, :] / axis.width[0] + velocity[c][:, -1:, :] / axis.width[-1]
        return float(2 * self.nu * (weight * at_walls).sum() / axis.width.sum())

    def kappa(self):
        axis = self.axes[1]
        if not axis.has_walls:
            return 0.0
        return 2 * self.nu * (1 / axis.width[0] + 1 / axis.width[-1]) / axis.width.sum()

    def solutions(self, advecting, dt):
        """V*."""
        solved = []
        for c in range(3):
            lines = [self.matrices(c, s, advecting, dt) for s in range(3)]
            q = self.closed(self.velocity[c], c)
            rows = -2 * sum(self.of_lines(lambda x, m=lines[s]: m @ x, s, q) for s in range(3))
            rows = rows + dt * (self.case["force"][c] - self.gradient(self.pressure, c))
            rows = self.closed(rows, c)
            for s in (2, 1, 0):
                whole = np.eye(self.axes[s].n) + lines[s]
                rows = self.of_lines(lambda x, m=whole: np.linalg.solve(m, x), s, rows)
            solved.append(q + rows)
        return solved

    def lack(self, star, c, dt):
        """What momentum along a periodic axis lacks, as a uniform velocity."""
        if self.axes[c].has_walls:
            return 0.0
        change = float((self.volume(c) * (star[c] - self.velocity[c])).sum())
        now, then = self.wall_shear(self.velocity, c), self.wall_shear(star, c)
        return ((dt * (self.case["force"][c] - (now + then) / 2) - change)
                / (1 + dt / 2 * self.kappa()))

    def step(self, balanced):
        dt, iterations = self.case["dt"], self.case["iterations"]
        advecting = [1.5 * now - 0.5 * old for now, old in zip(self.velocity, self.before)]
        for _ in range(iterations):
            star = self.solutions(advecting, dt)
            following, phi = self.project(star, dt)
            if balanced:
                following = [q + self.lack(star, c, dt) for c, q in enumerate(following)]
            advecting = [(now + new) / 2 for now, new in zip(self.velocity, following)]
        self.before, self.velocity = self.velocity, following
        self.pressure = self.pressure + phi

    def at_centres(self, c):
        q = self.closed(self.velocity[c], c)
        return (q + np.roll(q, -1, c)) / 2


def main():
    name, path = sys.argv[1:3]
    flow = Flow(CASES[name])
    with h5py.File(path, "w") as file:
        file.attrs["source"] = "tests/data/projection_reference.py; values at cell centres"
        for step in range(1, 7):
            flow.step(balanced="--as-factors" not in sys.argv)
            if step not in (1, 6):
                continue
            group = file.create_group(f"step{step:06d}")
            for c, axis in enumerate("xyz"):
                group[f"velocity_{axis}"] = flow.at_centres(c).T
            group["pressure"] = flow.pressure.T


if __name__ == "__main__":
    main()
