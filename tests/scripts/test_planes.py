"""Recorded planes as h5py and dnsflow read them: values, coordinates, folders that are moved."""
import os
import unittest

from small_runs import PROJECTION, SPLITTING, RunsTestCase

import h5py
import numpy as np

from dnsflow import Run, RunFileError

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


class PlanesOfARun(RunsTestCase):
    """Run.plane against the same records as HDF5 joins them."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = cls.make_run("planes", PROJECTION, PLANES, "output.checkpoint.every=2")
        cls.good = {path: path.read_bytes() for path in cls.folder.glob("planes_*.h5")}

    def tearDown(self):
        for path, content in self.good.items():
            path.write_bytes(content)

    def test_have_all_records(self):
        run = Run(self.folder)
        self.assertEqual(run.plane_names(), ["cut"])
        planes = run.plane("cut")
        self.assertEqual(planes.attributes["at"], 1.1)
        self.assertEqual(planes.axes["velocity_y_faces"], ("time", "y_faces", "x"))
        np.testing.assert_array_equal(planes["step"], np.arange(5))
        with h5py.File(self.folder / "planes_cut.h5") as file:
            for name in planes:
                np.testing.assert_array_equal(planes[name], file[name][()])

    def test_are_read_in_parts(self):
        planes = Run(self.folder).plane("cut")
        whole = planes["velocity_x"]
        self.assertGreater(len(self.good), 2)  # the records are in several pieces
        for time in (0, 4, -2, slice(1, 4), slice(0, 5, 3), slice(4, 1, -1), slice(3, 3),
                     np.array([4, 0, 1, 1])):
            np.testing.assert_array_equal(planes.read("velocity_x", time=time, y=slice(2, 9, 3)),
                                          whole[time][..., 2:9:3, :])

    def test_of_a_piece_that_is_gone_are_an_error_for_its_records_alone(self):
        planes = Run(self.folder).plane("cut")
        (self.folder / "planes_cut_00000002.h5").unlink()
        self.assertEqual(planes.read("pressure", time=slice(3, 5)).shape, (2, 10, 16))
        with self.assertRaisesRegex(RunFileError, "planes_cut_00000002.h5: cannot be read"):
            planes.read("pressure", time=0)
        for path in self.good:
            path.unlink(missing_ok=True)
        with self.assertRaisesRegex(RunFileError, "output.planes"):
            Run(self.folder).plane("cut")

    def test_of_another_run_are_refused(self):
        other = self.make_run("other", PROJECTION, PLANES.replace("every: 1", "every: 2"),
                              "output.checkpoint.every=2")
        name = "planes_cut_00000002.h5"
        (self.folder / name).write_bytes((other / name).read_bytes())
        with self.assertRaisesRegex(RunFileError, f"{name}: does not hold the steps"):
            Run(self.folder).plane("cut")["pressure"]

    def test_with_damaged_lists_are_refused(self):
        path = self.folder / "planes_cut.h5"
        for name, values in (("piece_records", [3, np.nan]), ("piece_records", [-3, 8]),
                             ("piece_records", [4, 4]), ("piece_records", [2.0**60, 2]),
                             ("piece_step", [2, 5.5]), ("step", [0, 1, 2, 3, np.inf]),
                             ("time", [0.0])):
            with h5py.File(path, "r+") as file:
                del file[name]
                file[name] = np.array(values, dtype=float)
            with self.subTest(name=name, values=values), self.assertRaises(RunFileError):
                planes = Run(self.folder).plane("cut")
                planes["pressure"]
            path.write_bytes(self.good[path])

    def test_with_values_that_do_not_match_their_checksum_are_refused(self):
        with h5py.File(self.folder / "planes_cut_00000004.h5", "r+") as file:
            file["velocity_z"][...] *= 2
        planes = Run(self.folder).plane("cut")
        with self.assertRaisesRegex(RunFileError, "planes_cut_00000004.h5: the values of veloc"):
            planes["velocity_z"]


if __name__ == "__main__":
    unittest.main()
