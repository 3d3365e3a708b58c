"""What objects of dnsflow print of themselves, and the errors of what is not there."""
import unittest

from small_runs import PROJECTION, RunsTestCase

import numpy as np

from dnsflow import Run, RunFileError
from dnsflow.shown import MOST_ROWS, Shown
from dnsflow.units import cf_attributes_of


class Table(Shown):
    def __init__(self, *rows):
        self._rows = lambda: rows

    def _title(self):
        return "a < b"


class Shows(unittest.TestCase):
    def test_columns_are_aligned(self):
        self.assertEqual(repr(Table(("u", 1.5), ("velocity", "x", "U"), ("w",))),
                         "a < b\n  u         1.5\n  velocity  x    U\n  w")
        self.assertEqual(repr(Table()), "a < b")

    def test_html_is_escaped(self):
        self.assertEqual(Table(("<i>", 2))._repr_html_(),
                         "<b>a &lt; b</b><table><tr><td>&lt;i&gt;</td><td>2</td></tr></table>")

    def test_long_tables_are_counted(self):
        lines = repr(Table(*([("row",)] * (MOST_ROWS + 2)))).splitlines()
        self.assertEqual((len(lines), lines[-1]), (MOST_ROWS + 2, "  and 2 more"))


class Printed(RunsTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.read = Run(cls.make_run("cells", PROJECTION, "output.statistics.window=0.002",
                                    "output.planes={every: 2, cut: {axis: z, at: 1.1}}"))

    def test_a_run_prints_what_its_folder_holds(self):
        shown = repr(self.read)
        for line in ("case         cells: projection, 16 x 10 x 16, Re 100",
                     "time series  5 lines to t = 0.004",
                     "averages     from t = 0.001 to 0.004, windows 2",
                     "snapshots    5: steps 0 to 4", "planes       cut", "probes       none"):
            self.assertIn(f"\n  {line}", shown)
        self.assertIn("<td>5: steps 0 to 4</td>", self.read._repr_html_())

    def test_a_run_says_what_cannot_be_read(self):
        folder = self.scratch / "damaged"
        folder.mkdir()
        (folder / "case.yaml").write_text("grid: {")
        shown = repr(Run(folder))
        self.assertIn("is not written by dns", shown)
        self.assertRegex(shown, "time series  none")
        self.assertRegex(shown, "snapshots    none")

    def test_files_print_their_arrays(self):
        for arrays, lines in (
                (self.read.snapshot(),
                 (r"dns snapshot .*fields_00000004.h5: step 4, time 0.004",
                  r"  velocity +\(z: 16, y: 10, x: 16, component: 3\) +float64 +\[U\]")),
                (self.read.snapshots(), ("5 dns snapshot files of .*", "  fields_00000000.h5")),
                (self.read.statistics(), ("dns statistics .*: .*last time 0.004",
                                          r"  uv +\(y: 10\) +float64 +\[U\^2\]")),
                (self.read.averages(), (r"  friction_reynolds +\S+ \+- nan",
                                        r"  uv +\(y: 10\) +\[U\^2\]")),
                (self.read.plane("cut"), (r"  velocity_x +\(time: 3, y: 10, x: 16\) .*",)),
                (self.read.time_series(), ("TimeSeries .*: 5 lines, time 0 to 0.004",
                                           r"  kinetic_energy +\S+ +\[U\^2\]"))):
            for line in lines:
                with self.subTest(line):
                    self.assertRegex(repr(arrays), f"(?m)^{line}$")
            self.assertIn("<table>", arrays._repr_html_())

    def test_points_that_are_not_there_are_named(self):
        flow = self.read.snapshot()
        for error in (IndexError, RunFileError):
            with self.assertRaisesRegex(error, r"velocity of .*fields_00000004.h5 has the points "
                                               r"\(z: 16, .*, and none at z=16, x=1"):
                flow.read("velocity", z=16, x=1)
            with self.assertRaisesRegex(error, "holds 5 dns snapshot files, .* no number 5"):
                self.read.snapshots()[5]
        self.assertEqual(len(list(self.read.snapshots())), 5)
        with self.assertRaisesRegex(RunFileError, "lacks the column speed"):
            self.read.time_series()["speed"]

    def test_names_of_the_cf_conventions(self):
        self.assertEqual(cf_attributes_of("x"),
                         {"long_name": "coordinates of the points along the axis", "units": "L",
                          "axis": "X"})
        self.assertEqual(cf_attributes_of("uv")["long_name"],
                         "covariance of velocity along x and velocity along y")
        self.assertEqual(cf_attributes_of("salt"), {"long_name": "salt"})
        try:
            import xarray  # noqa: F401
        except ImportError:
            self.skipTest("no xarray")
        dataset = self.read.snapshot().to_xarray()
        self.assertEqual(dataset.y.attrs["axis"], "Y")
        self.assertEqual(dataset.pressure.attrs["long_name"], "pressure over density (z, y, x), of the time of the velocity")


class Tables(RunsTestCase):
    """Arrays and columns as tables."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.read = Run(cls.make_run("cells", PROJECTION, "output.fields.precision=float",
                                    "output.planes={every: 2, cut: {axis: z, at: 1.1}}"))

    def read_back(self, name):
        """The columns of a file, each number as the text says."""
        header, *lines = (self.scratch / name).read_text().splitlines()
        return dict(zip(header.split(","), np.loadtxt(lines, delimiter=",", ndmin=2).T))

    def test_of_a_flow_has_a_line_for_each_point(self):
        flow = self.read.snapshot()
        flow.to_csv(self.scratch / "flow.csv")
        columns = self.read_back("flow.csv")
        self.assertEqual(list(columns)[:3], ["x", "y", "z"])
        z, y, x = np.meshgrid(*(flow[axis] for axis in "zyx"), indexing="ij")
        for axis, places in (("x", x), ("y", y), ("z", z)):
            np.testing.assert_array_equal(columns[axis], places.ravel())
        np.testing.assert_array_equal(columns["velocity_z"].astype("f4"),
                                      flow["velocity"][..., 2].ravel())

    def test_of_records_has_times_and_steps(self):
        record = self.read.plane("cut")
        record.to_csv(self.scratch / "cut.csv")
        columns = self.read_back("cut.csv")
        self.assertEqual(list(columns)[:4], ["time", "x", "y", "step"])
        np.testing.assert_array_equal(columns["step"], np.repeat([0, 2, 4], 160))
        np.testing.assert_array_equal(columns["velocity_x"].astype("f4"),
                                      record["velocity_x"].ravel())

    def test_of_averages_and_series_as_pandas(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("no pandas")
        for source in (self.read.statistics(), self.read.averages()):
            table = source.to_pandas()
            np.testing.assert_array_equal(table["uv"], source["uv"])
            np.testing.assert_array_equal(table["y"], source["y"])
        series = self.read.time_series()
        self.assertEqual(list(series.to_pandas()["step"]), [0, 1, 2, 3, 4])
        series.to_csv(self.scratch / "series.csv")
        for name, values in self.read_back("series.csv").items():
            np.testing.assert_array_equal(values, series[name])


if __name__ == "__main__":
    unittest.main()
