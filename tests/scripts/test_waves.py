"""Growth of waves in channels as an eigenvalue of the differences, beside an independent program."""
import unittest

import numpy as np

from validation.orr_sommerfeld import GROWTH, REYNOLDS
from validation.staggered_waves import Channel


def deviation(cells_x, cells_y, order):
    """Of the growth from Orr-Sommerfeld theory, in percent."""
    faces = np.tanh(2 * np.linspace(-1, 1, cells_y + 1)) / np.tanh(2)
    return 100 * (Channel(faces, cells_x, REYNOLDS, order).growth() / GROWTH - 1)


class WavesTest(unittest.TestCase):
    def test_growth_is_that_which_runs_of_the_other_program_have(self):
        for cells_x, cells_y, order, expected in ((32, 96, 2, -7.9), (32, 96, 4, -6.4),
                                                  (32, 96, 6, -6.4), (16, 96, 6, -6.4),
                                                  (16, 96, 2, -13.7), (32, 192, 6, -1.6)):
            with self.subTest(cells_x=cells_x, cells_y=cells_y, order=order):
                self.assertAlmostEqual(deviation(cells_x, cells_y, order), expected, delta=0.3)

    def test_velocity_of_a_stream_function_has_no_divergence(self):
        faces = np.tanh(np.linspace(-1, 1, 10))
        x_faces = np.linspace(0, 2 * np.pi, 17)
        for order in (2, 4, 6, 8):
            channel = Channel(faces, 16, REYNOLDS, order)
            u, v = channel.velocity(lambda x, y: np.sin(x + y) * (1 + y**3), x_faces)
            along_x = sum(weight / m * (np.roll(u, -(m + 1) // 2, axis=1)
                                        - np.roll(u, (m - 1) // 2, axis=1))
                          for m, weight in channel.weights) / channel.step
            across = np.diff(v, axis=0)
            self.assertLess(np.abs((along_x[:-1] + across / channel.widths[:-1, None])).max(),
                            1e-13)


if __name__ == "__main__":
    unittest.main()
