"""Waves in a laminar channel on a staggered grid: stream functions, and their discrete growth.

One-axis operators of the scheme `projection` across the channel, written from the design,
independently of the program: slopes between neighbours, at a wall over half a cell.
"""
import numpy as np


# c_m for m = 1, 3, ...: sum c_m m^(2 j) is 1 for j = 0 and 0 for 0 < j < order/2.
WEIGHTS = {2: [1], 4: [9 / 8, -1 / 8], 6: [150 / 128, -25 / 128, 3 / 128],
           8: [1225 / 1024, -245 / 1024, 49 / 1024, -5 / 1024]}


class Channel:
    """Cells between walls at faces[0] and faces[-1], `cells_x` uniform ones over a length 2 pi.

    order: of the differences along x, sum c_m/m (f(x + m h/2) - f(x - m h/2))/h; 2 across.
    """

    def __init__(self, faces, cells_x, reynolds, order=2):
        self.faces = faces
        self.widths = np.diff(faces)
        self.centres = (faces[1:] + faces[:-1]) / 2
        self.distances = np.diff(np.concatenate([faces[:1], self.centres, faces[-1:]]))
        self.step = 2 * np.pi / cells_x
        self.viscosity = 1 / reynolds
        self.weights = [(2 * n + 1, weight) for n, weight in enumerate(WEIGHTS[order])]

    def laminar(self):
        """The steady flow of the discrete equations, driven by 2 nu; near 1 - y^2."""
        return np.linalg.solve(second_difference(self.widths, self.distances),
                               -2 * np.ones(len(self.widths)))

    def velocity(self, stream, x_faces):
        """u at x faces and v at low y faces, both (y, x), of the stream function stream(x, y).

        Differences of the values at the corners of the cells, so that the divergence is round-off.
        """
        corners = stream(x_faces[None, :], self.faces[:, None])  # one more than cells along x and y
        u = np.diff(corners, axis=0)[:, :-1] / self.widths[:, None]
        around = corners[:-1, :-1]  # periodic
        v = -sum(weight / m * (np.roll(around, -(m + 1) // 2, axis=1)
                               - np.roll(around, (m - 1) // 2, axis=1))
                 for m, weight in self.weights) / self.step
        return u, v

    def growth(self):
        """Largest growth rate of energy among the waves exp(i x) of the linearised differences.

        With the stream function s at the inner y faces, q = B s is free of divergence and
        B^H M d(B s)/dt = B^H M A B s, M the volumes of u and v. Time is continuous.
        """
        u, cells, inner = self.laminar(), len(self.widths), len(self.widths) - 1
        mean_along_x = sum(c * np.cos(m * self.step / 2) for m, c in self.weights)
        slope_along_x = sum(2 * c / m * np.sin(m * self.step / 2)
                            for m, c in self.weights) / self.step
        wide_slope = slope_along_x * mean_along_x  # of the mean of neighbours
        face_distances = self.distances[1:-1]

        to_faces = np.zeros((cells, inner))  # +1, -1: the y faces of each cell
        to_faces[:-1, :] += np.eye(inner)
        to_faces[1:, :] -= np.eye(inner)
        b = np.vstack([to_faces / self.widths[:, None], -1j * slope_along_x * np.eye(inner)])
        volumes = np.concatenate([self.widths, face_distances])

        u_at_faces = (u[1:] + u[:-1]) / 2
        carried = (u[1:] * self.widths[1:] + u[:-1] * self.widths[:-1]) / (2 * face_distances)
        a = np.zeros((cells + inner, cells + inner), complex)
        a[:cells, :cells] = -2j * wide_slope * np.diag(u) + self.diffusion(
            self.widths, self.distances, slope_along_x)
        a[:cells, cells:] = -mean_along_x * (to_faces * u_at_faces) / self.widths[:, None]
        a[cells:, cells:] = -1j * wide_slope * np.diag(carried) + self.diffusion(
            face_distances, self.widths, slope_along_x)
        projected = b.conj().T * volumes
        rates = np.linalg.eigvals(np.linalg.solve(projected @ b, projected @ a @ b))
        return 2 * rates.real.max()

    def diffusion(self, widths, distances, slope_along_x):
        across = second_difference(widths, distances)
        return self.viscosity * (across - slope_along_x**2 * np.eye(len(widths)))


def second_difference(widths, distances):
    """d2/dy2 of values that vanish at both walls, as a matrix; one distance more than widths."""
    up = 1 / (distances[1:-1] * widths[:-1])
    down = 1 / (distances[1:-1] * widths[1:])
    here = -(1 / distances[1:] + 1 / distances[:-1]) / widths
    return np.diag(here) + np.diag(up, 1) + np.diag(down, -1)
