"""Recorded planes as h5py reads them: values, coordinates, and folders that are moved."""
import os
import unittest

from small_runs import PROJECTION, SPLITTING, RunsTestCase

import h5py
import numpy as np

PLANES = "output.planes={every: 1, precision: double, cut: {axis: z, at: 1.1}}"


class Planes(RunsTestCase):
    def test_of_cells_are_at_centres_and_at_faces(self):
        folder = self.make_run("cells", PROJECTION, PLANES, "output.checkpoint.every=2")
        with h5py.File(folder / "planes_cut.h5") as file:
            np.testing.assert_array_equal(file["step"], np.arange(5))
            np.testing.assert_allclose(file["time"], 1e-3 * np.arange(5), atol=1e-15)
            x, y = file["x_faces"][:], file["y"][:]
            z = np.pi / 16 * (np.array([5, 6]) + 0.5)  # centres around the plane
            weight = (1.1 - z[0]) / (z[1] - z[0])
            u = y[:, None] * ((1 - weight) * np.cos(4 * z[0]) + weight * np.cos(4 * z[1]))
            self.assertEqual(file["velocity_x_faces"].shape, (5, 10, 17))
            np.testing.assert_allclose(file["velocity_x_faces"][0],
                                       np.broadcast_to(u, (10, x.size)), atol=1e-12)
            np.testing.assert_allclose(file["velocity_x"][0], np.broadcast_to(u, (10, 16)),
                                       atol=1e-12)
            for name in ("velocity_x", "velocity_y", "velocity_z", "temperature", "pressure"):
                self.assertEqual(file[name].shape, (5, 10, 16))
                self.assertTrue(np.isfinite(file[name][:]).all())
            self.assertEqual([file.attrs[name] for name in ("axis", "at", "location")],
                             [b"z", 1.1, b"cells"])

    def test_are_found_wherever_the_folder_is(self):
        folder = self.make_run("nodes", SPLITTING, PLANES)
        moved = folder.rename(self.scratch / "elsewhere")
        before = os.getcwd()
        for place, name in ((self.scratch, "elsewhere/planes_cut.h5"), (moved, "planes_cut.h5"),
                            (before, moved / "planes_cut.h5")):
            os.chdir(place)
            try:
                with h5py.File(name) as file:
                    y = file["y"][1:-1]
                    np.testing.assert_allclose(file["velocity_x"][0][1:-1],
                                               np.broadcast_to(y[:, None], (6, 9)), atol=1e-14)
            finally:
                os.chdir(before)

    def test_of_a_piece_that_is_gone_are_no_numbers(self):
        folder = self.make_run("gone", SPLITTING, PLANES, "output.checkpoint.every=1")
        (folder / "planes_cut_00000001.h5").unlink()
        with h5py.File(folder / "planes_cut.h5") as file:
            self.assertEqual([np.isnan(file["temperature"][n]).all() for n in range(3)],
                             [True, True, False])  # step 0 is in the same piece


if __name__ == "__main__":
    unittest.main()
