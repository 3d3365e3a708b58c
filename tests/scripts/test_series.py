"""Snapshots and averages of several times as arrays over time."""
import shutil
import unittest

from small_runs import PROJECTION, RunsTestCase

import h5py
import numpy as np

from dnsflow import ArrayFile, Run, RunFileError

PERIODIC = """
case: box
scheme: projection
device: cpu
grid: {points: [7, 8, 9], length: [1.0, 1.0, 1.0]}
fluid: {reynolds: 100}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {velocity: ["1 + sin(2*pi*y)", "0.5", "0"]}
time: {step: 1.0e-3, steps: 2}
output:
  statistics: {start: 0, every: 1, average: [x, y, z]}
"""


def edit(path, change):
    with h5py.File(path, "r+") as file:
        change(file)


def without_checksum(change):
    """An edit of an array u that its checksum does not tell."""
    def edited(file):
        file["u"][...] = change(file["u"][()])
        del file["u"].attrs["crc32"]
    return edited


class Snapshots(RunsTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = cls.make_run("cells", PROJECTION)
        cls.run_of_cells = Run(cls.folder)
        cls.joined = cls.run_of_cells.snapshots().joined()
        cls.velocity = np.array([flow["velocity"] for flow in cls.run_of_cells.snapshots()])

    def test_are_a_sequence(self):
        series = self.run_of_cells.snapshots()
        self.assertEqual(len(series), 5)
        self.assertEqual([flow.step for flow in series], list(range(5)))
        self.assertEqual([flow.step for flow in series[1:4:2]], [1, 3])
        self.assertEqual(series[-1].step, 4)
        with self.assertRaises(IndexError):
            series[5]

    def test_lie_along_time(self):
        self.assertEqual(self.joined.axes["velocity"], ("time", "z", "y", "x", "component"))
        self.assertEqual(self.joined.axes["y_faces"], ("y_faces",))
        np.testing.assert_array_equal(self.joined["velocity"], self.velocity)
        np.testing.assert_array_equal(self.joined["step"], np.arange(5))
        np.testing.assert_allclose(self.joined["time"], 1e-3 * np.arange(5), atol=1e-17)
        np.testing.assert_array_equal(self.joined["y"], self.run_of_cells.snapshot(2)["y"])
        self.assertEqual(self.joined.case, self.run_of_cells.case)

    def test_are_read_in_parts(self):
        for time in (3, -1, slice(None), slice(1, 4), slice(0, 5, 2), slice(4, 0, -2), slice(2, 2)):
            np.testing.assert_array_equal(
                self.joined.read("velocity", time=time, z=2, x=slice(1, 4), component=1),
                self.velocity[time, ..., 1][..., 2, :, 1:4] if isinstance(time, int)
                else self.velocity[time][:, 2, :, 1:4, 1])
        with self.assertRaises(IndexError):
            self.joined.read("velocity", time=5)
        with self.assertRaisesRegex(KeyError, "holds no vorticity"):
            self.joined["vorticity"]

    def test_what_one_of_them_lacks_is_left_out(self):
        folder = self.make_run("lacking", PROJECTION)
        edit(folder / "fields_00000002.h5", lambda file: file.__delitem__("pressure"))
        joined = Run(folder).snapshots().joined()
        self.assertNotIn("pressure", joined)
        self.assertEqual(joined["temperature"].shape, (5, 16, 10, 16))

    def test_of_another_grid_are_refused(self):
        folder = self.make_run("grids", PROJECTION)
        other = self.make_run("other", PROJECTION, "grid.points=[16,8,16]")
        shutil.copy(other / "fields_00000002.h5", folder)
        joined = Run(folder).snapshots().joined()
        self.assertEqual(joined.read("velocity", time=slice(3, 5)).shape, (2, 16, 10, 16, 3))
        with self.assertRaisesRegex(RunFileError, "fields_00000002.h5: holds no velocity of "):
            joined["velocity"]

    def test_that_are_missing_or_damaged_are_an_error(self):
        empty = Run(self.make_run("empty", PROJECTION, "output.fields.every=0"))
        with self.assertRaisesRegex(RunFileError, "empty: holds no dns snapshot"):
            empty.snapshots().joined()
        folder = self.make_run("damaged", PROJECTION)
        whole = (folder / "fields_00000003.h5").read_bytes()
        (folder / "fields_00000003.h5").write_bytes(whole[:len(whole) // 2])
        with self.assertRaisesRegex(RunFileError, "fields_00000003.h5: cannot be read"):
            Run(folder).snapshots().joined()


class Averages(RunsTestCase):
    """Averages of windows of time; the files are made of averages over all times."""

    def make_windows(self, name, case):
        """Two windows: the averages as they are, and u doubled."""
        folder = self.make_run(name, case)
        for step, first in ((100, 0.0), (200, 1.0)):
            path = folder / f"statistics_{step:08}.h5"
            shutil.copy(folder / "statistics.h5", path)
            edit(path, lambda file, step=step, first=first: file.attrs.update(
                {"step": step, "first_time": first + 0.1, "last_time": first + 1}))
        edit(path, without_checksum(lambda u: 2 * u))
        return Run(folder)

    def test_of_windows_have_the_times_of_their_middles(self):
        run = self.make_windows("windows", PROJECTION)
        windows = run.statistics_windows()
        self.assertEqual([window.attributes["last_time"] for window in windows], [1, 2])
        joined = windows.joined()
        np.testing.assert_allclose(joined["time"], [0.55, 1.55])
        np.testing.assert_array_equal(joined["samples"], [4, 4])
        self.assertEqual(joined.axes["uv"], ("time", "y"))
        self.assertEqual(joined.axes["y_plus"], ("time", "y"))  # friction differs between them
        u = run.statistics()["u"]
        np.testing.assert_array_equal(joined["u"], [u, 2 * u])

    def test_over_all_axes_are_numbers_over_time(self):
        run = self.make_windows("numbers", PERIODIC)
        joined = run.statistics_windows().joined()
        self.assertEqual(joined.axes["u"], ("time",))
        np.testing.assert_allclose(joined["u"], [1, 2], atol=1e-6)
        np.testing.assert_allclose(joined.read("u", time=1), 2, atol=1e-6)

    def test_of_no_window_are_an_empty_sequence(self):
        folder = self.make_run("none", PERIODIC)
        self.assertEqual(len(Run(folder).statistics_windows()), 0)
        self.assertIsInstance(Run(folder).statistics(), ArrayFile)


if __name__ == "__main__":
    unittest.main()
