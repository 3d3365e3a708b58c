"""What scripts/validate rotating_channel and scalar_channel compare with."""
import unittest

import numpy as np

from validation.rotating_channel import ONSET, ROTATION, WAVE
from validation.scalar_channel import kader


def chebyshev(degree):
    """The matrix of differentiation at the points cos(pi j/degree), and these."""
    y = np.cos(np.pi * np.arange(degree + 1) / degree)
    ends = np.r_[2, np.ones(degree - 1), 2] * (-1)**np.arange(degree + 1)
    matrix = np.outer(ends, 1 / ends) / (y[:, None] - y + np.eye(degree + 1))
    return matrix - np.diag(matrix.sum(axis=1)), y


def growth_of_rolls(reynolds, rotation, wave, degree=32):
    """Largest growth rate of u(y), v(y) exp(i wave z) in U = 1 - y^2, v clamped at the walls:

    du/dt = (R - U') v + L u/Re,   L dv/dt = L^2 v/Re + wave^2 R u,   L = d2/dy2 - wave^2.
    """
    d, y = chebyshev(degree)
    d2 = d @ d
    one = np.eye(degree + 1)
    clamped = np.diag(np.r_[0, 1 / (1 - y[1:-1]**2), 0])  # v = (1 - y^2) q, q = 0 at the walls
    d4 = (np.diag(1 - y**2) @ d2 @ d2 - 8 * np.diag(y) @ d @ d2 - 12 * d2) @ clamped
    laplacian = d2 - wave**2 * one
    squared = d4 - 2 * wave**2 * d2 + wave**4 * one
    terms = [[laplacian / reynolds, rotation * one + np.diag(2 * y)],
             [wave**2 * rotation * one, squared / reynolds]]
    inner = slice(1, -1)
    matrix = np.block([[term[inner, inner] for term in row] for row in terms])
    half = degree - 1
    matrix[half:] = np.linalg.solve(laplacian[inner, inner], matrix[half:])
    return np.linalg.eigvals(matrix).real.max()


class RollsTest(unittest.TestCase):
    def test_begin_at_the_published_reynolds_number(self):
        self.assertLess(growth_of_rolls(ONSET - 0.01, ROTATION, WAVE), 0)
        self.assertGreater(growth_of_rolls(ONSET + 0.01, ROTATION, WAVE), 0)

    def test_begin_later_with_other_waves_and_rates(self):
        for rotation, wave in ((ROTATION, 2.3), (ROTATION, 2.6), (0.3, WAVE), (0.37, WAVE)):
            self.assertLess(growth_of_rolls(ONSET + 0.1, rotation, wave), 0)


class KaderTest(unittest.TestCase):
    def test_conduction_at_the_wall(self):
        for prandtl in (0.71, 1, 2):
            self.assertAlmostEqual(kader(0.1, prandtl, 1e-4) / (0.1 * prandtl), 1, delta=1e-3)

    def test_logarithmic_law_far_from_it(self):
        for prandtl, offset in ((0.71, 3.83), (1, 6.50), (2, 14.08)):
            self.assertAlmostEqual(kader(1e4, prandtl, 0) - 2.12 * np.log(1e4), offset, delta=0.02)

    def test_the_middle_lies_above_that_law_by_the_wake(self):
        self.assertAlmostEqual(kader(1e4, 1, 1) - kader(1e4, 1, 0), 2.12 * np.log(1.5), delta=1e-6)


if __name__ == "__main__":
    unittest.main()
