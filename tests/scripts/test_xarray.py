"""Snapshots open in xarray with its engines for HDF5: every array with its coordinates."""
import importlib.util
import pathlib
import re
import sys
import unittest
import warnings

from small_runs import PROJECTION, SKIPPED, SPLITTING, RunsTestCase

import numpy as np

from dnsflow import Run

ENGINES = [engine for engine, module in (("h5netcdf", "h5netcdf"), ("netcdf4", "netCDF4"))
           if importlib.util.find_spec(module)]
try:
    import xarray
except ImportError:
    ENGINES = []
if not ENGINES:
    print("skipped: no xarray with h5netcdf or netCDF4; on Debian: "
          "apt-get install python3-xarray python3-h5netcdf python3-netcdf4")
    sys.exit(SKIPPED)

DERIVED = "velocity, temperature, vorticity, q_criterion"
AXES = {
    "velocity": ("z", "y", "x", "component"),
    "vorticity": ("z", "y", "x", "component"),
    "temperature": ("z", "y", "x"),
    "q_criterion": ("z", "y", "x"),
    "velocity_x": ("z", "y", "x_faces"),
    "velocity_y": ("z", "y_faces", "x"),
    "velocity_z": ("z_faces", "y", "x"),
}


class Snapshots(RunsTestCase):
    """Both schemes, compressed and not."""

    def expect_whole(self, flow, names):
        """Values, axes and coordinates of all arrays of an ArrayFile, in every engine."""
        for engine in ENGINES:
            with self.subTest(engine=engine), warnings.catch_warnings():
                warnings.simplefilter("error", UserWarning)
                with xarray.open_dataset(flow.path, engine=engine) as opened:
                    self.assertEqual(set(opened.data_vars), names)
                    self.assertEqual(set(opened.coords), set(flow) - names)
                    self.assertEqual(opened.attrs["step"], flow.step)
                    for name in flow:
                        np.testing.assert_array_equal(opened[name], flow[name])
                    for name in names:
                        self.assertEqual(opened[name].dims, AXES[name])
                        self.assertEqual(set(opened[name].coords), set(AXES[name]))
                        self.assertIn(opened[name].attrs["location"].split()[0],
                                      ("nodes", "cell", "faces"))

    def test_of_cells_with_faces(self):
        for compression in (0, 3):
            run = Run(self.make_run(f"cells_{compression}", PROJECTION,
                                    "output.fields.location=faces",
                                    f"output.fields.variables=[{DERIVED}]",
                                    f"output.fields.compression={compression}"))
            self.expect_whole(run.snapshot(), set(AXES))

    def test_of_nodes(self):
        run = Run(self.make_run("nodes", SPLITTING, f"output.fields.variables=[{DERIVED}]"))
        self.expect_whole(run.snapshot(), set(AXES) - {"velocity_x", "velocity_y", "velocity_z"})

    def test_components_are_chosen_by_number(self):
        flow = Run(self.make_run("chosen", PROJECTION)).snapshot(0)
        with xarray.open_dataset(flow.path, engine=ENGINES[0]) as opened:
            middle = opened["velocity"].sel(component=2).sel(y=0, method="nearest")
            self.assertEqual(middle.dims, ("z", "x"))
            np.testing.assert_allclose(middle[0], 0.5 * np.sin(3 * opened["x"]), atol=1e-14)

    def test_the_example_of_the_guide_works_as_it_stands_there(self):
        guide = (pathlib.Path(__file__).parents[2] / "docs" / "paraview.md").read_text()
        example, = (text for text in re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
                    if "import xarray" in text)
        run = self.make_run("guide", PROJECTION)
        results = {}
        exec(example.replace("runs/channel", str(run))  # pylint: disable=exec-used
             .replace("h5netcdf", ENGINES[0]), results)
        flow = Run(run).snapshot(0)
        np.testing.assert_allclose(results["profile"], flow["velocity"][..., 0].mean(axis=(0, 2)),
                                   atol=1e-15)

    def test_averages_open_too(self):
        averages = Run(self.make_run("averages", PROJECTION)).statistics()
        for engine in ENGINES:
            with self.subTest(engine=engine):
                with xarray.open_dataset(averages.path, engine=engine) as opened:
                    self.assertEqual(opened["uv"].dims, ("y",))
                    np.testing.assert_array_equal(opened["uv"], averages["uv"])
                    np.testing.assert_array_equal(opened["y_faces"], averages["y_faces"])


if __name__ == "__main__":
    unittest.main()
