"""Probes: points in tables and lines in pieces, in files that are made here."""
import pathlib
import tempfile
import unittest

import h5py
import numpy as np

from dnsflow import Run, RunFileError

X, Y, Z = np.linspace(0, 1, 7), np.full(7, 0.5), np.linspace(2, 3, 7)


def write_file(path, file_format, arrays):
    """An HDF5 file as the program writes it: lists without labels, the others along time."""
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": np.bytes_(file_format), "step": 4, "time": 0.4,
                           "case": np.bytes_("case: probes\n")})
        for name, values in arrays.items():
            file[name] = np.asarray(values, dtype=float)
            if file[name].ndim == 2:
                file[name].attrs["axes"] = np.bytes_("time point")


class Probes(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "case.yaml").write_text("case: probes\n")
        (self.folder / "probes_wake.csv").write_text(
            "step,time,velocity_x,velocity_y,velocity_z,pressure\n"
            "0,0,1,0,0,0.5\n10,0.1,1.25,0.5,-0.5,0.25\n20,0.2,1.")
        self.pressure = np.arange(35.0).reshape(5, 7)
        points = {"x": X, "y": Y, "z": Z}
        for last, records in ((1, slice(0, 2)), (4, slice(2, 5))):
            steps = np.arange(5.0)[records]
            write_file(self.folder / f"probes_centre_{last:08}.h5", "dns probes piece", {
                **points, "step": steps, "time": steps / 10, "pressure": self.pressure[records]})
        write_file(self.folder / "probes_centre.h5", "dns probes", {
            **points, "step": np.arange(5), "time": np.arange(5) / 10, "piece_step": [1, 4],
            "piece_records": [2, 3]})
        self.run_with_probes = Run(self.folder)

    def test_have_names(self):
        self.assertEqual(self.run_with_probes.probe_names(), ["centre", "wake"])
        with self.assertRaisesRegex(RunFileError, "probes_none.csv: no such file.*output.probes"):
            self.run_with_probes.probe("none")

    def test_of_points_are_series_without_half_a_line(self):
        wake = self.run_with_probes.probe("wake")
        np.testing.assert_array_equal(wake["step"], [0, 10])
        np.testing.assert_array_equal(wake["velocity_x"], [1, 1.25])
        np.testing.assert_array_equal(wake["pressure"], [0.5, 0.25])

    def test_of_lines_are_arrays_over_time_and_points(self):
        line = self.run_with_probes.probe("centre")
        self.assertEqual(line.axes["pressure"], ("time", "point"))
        np.testing.assert_array_equal(line["pressure"], self.pressure)
        np.testing.assert_array_equal(line.read("pressure", time=slice(1, 4), point=3),
                                      self.pressure[1:4, 3])
        np.testing.assert_array_equal(line["z"], Z)
        self.assertEqual(line.axes["z"], ("point",))

    def test_are_datasets(self):
        try:
            import xarray  # noqa: F401
        except ImportError:
            self.skipTest("no xarray; on Debian: apt-get install python3-xarray")
        line = self.run_with_probes.probe("centre").to_xarray()
        self.assertEqual(set(line.coords), {"time", "step", "x", "y", "z"})
        np.testing.assert_array_equal(line.pressure.isel(time=-1), self.pressure[-1])
        self.assertEqual(self.run_with_probes.probe("wake").to_xarray().velocity_x.units, "U")


if __name__ == "__main__":
    unittest.main()
