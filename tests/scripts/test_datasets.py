"""What dnsflow reads as xarray.Dataset: values, coordinates, units; read when they are used."""
import contextlib
import pickle
import sys
import unittest
import unittest.mock

from small_runs import PROJECTION, SKIPPED, SPLITTING, RunsTestCase

import numpy as np

from dnsflow import ArrayFile, Run, RunFileError

try:
    import xarray  # noqa: F401
except ImportError:
    print("skipped: no xarray; on Debian: apt-get install python3-xarray")
    sys.exit(SKIPPED)

PLANES = "output.planes={every: 1, precision: double, cut: {axis: z, at: 1.1}}"


@contextlib.contextmanager
def reads_counted():
    """Names of the arrays that are read, in a list."""
    names = []
    read = ArrayFile.read

    def counted(self, name, **where):
        names.append(name)
        return read(self, name, **where)
    with unittest.mock.patch.object(ArrayFile, "read", counted):
        yield names


class Datasets(RunsTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_of_cells = Run(cls.make_run("cells", PROJECTION, PLANES,
                                            "output.checkpoint.every=2"))
        cls.run_of_nodes = Run(cls.make_run("nodes", SPLITTING))

    def assert_same(self, dataset, arrays):
        names = set(arrays) - {"component"}
        self.assertEqual(set(dataset.variables) - {"component"}, names)
        for name in names:
            np.testing.assert_array_equal(dataset[name].values, arrays[name])
            self.assertEqual(dataset[name].dims, arrays.axes[name])

    def test_of_snapshots_have_their_arrays_coordinates_and_units(self):
        for run in (self.run_of_cells, self.run_of_nodes):
            flow = run.snapshot()
            dataset = flow.to_xarray()
            self.assert_same(dataset, flow)
            self.assertEqual(dataset.attrs["time"], flow.time)
            for name, units in (("velocity", "U"), ("temperature", "T0"), ("x", "L")):
                self.assertEqual(dataset[name].attrs["units"], units)
        u = dataset.velocity.sel(component="x").sel(y=0.95, method="nearest")
        number = np.argmin(abs(flow["y"] - 0.95))
        np.testing.assert_array_equal(u.values, flow["velocity"][:, number, :, 0])

    def test_of_snapshots_have_the_dimension_time(self):
        dataset = self.run_of_cells.snapshots().to_xarray()
        velocity = np.array([flow["velocity"] for flow in self.run_of_cells.snapshots()])
        np.testing.assert_array_equal(dataset.velocity.values, velocity)
        np.testing.assert_allclose(dataset.time, 1e-3 * np.arange(5), atol=1e-17)
        self.assertEqual(dataset.time.attrs["units"], "L/U")
        np.testing.assert_array_equal(dataset.step, np.arange(5))
        dataset = self.run_of_cells.snapshots().to_xarray()
        np.testing.assert_array_equal(  # backwards, and points in any order
            dataset.velocity.isel(time=slice(None, None, -2), x=[3, 1, 1], z=-1).values,
            velocity[::-2, -1][:, :, [3, 1, 1]])

    def test_are_read_when_they_are_used_and_once(self):
        with reads_counted() as names:
            dataset = self.run_of_cells.snapshots().to_xarray()
            self.assertNotIn("velocity", names)
            repr(dataset)
            part = dataset.velocity.isel(time=slice(1, 3), z=0)
            self.assertNotIn("velocity", names)
            part.mean().values
            self.assertEqual(names.count("velocity"), 2)
            part.max().values
            self.assertEqual(names.count("velocity"), 2)
            self.assertNotIn("pressure", names)

    def test_of_averages_planes_and_series(self):
        averages = self.run_of_cells.statistics()
        self.assert_same(averages.to_xarray(), averages)
        units = {name: averages.to_xarray()[name].attrs["units"]
                 for name in ("u", "uv", "vT", "TT", "pp", "dissipation", "y_plus")}
        self.assertEqual(units, {"u": "U", "uv": "U^2", "vT": "U T0", "TT": "T0^2", "pp": "U^4",
                                 "dissipation": "U^3/L", "y_plus": "1"})
        joined = self.run_of_cells.averages()
        self.assertEqual(set(joined.to_xarray().variables), set(joined))
        np.testing.assert_array_equal(joined.to_xarray()["uu"], joined["uu"])
        self.assertIn("y_plus", joined.to_xarray().coords)
        planes = self.run_of_cells.plane("cut")
        dataset = planes.to_xarray()
        self.assert_same(dataset, planes)
        self.assertEqual((dataset.attrs["axis"], dataset.attrs["at"]), ("z", 1.1))
        series = self.run_of_cells.time_series()
        dataset = series.to_xarray()
        self.assertEqual(set(dataset.variables), set(series))
        np.testing.assert_array_equal(dataset.kinetic_energy, series["kinetic_energy"])
        self.assertEqual(dataset.kinetic_energy.attrs["units"], "U^2")
        self.assertIn("time", dataset.indexes)

    def test_have_units_for_all_that_the_program_writes(self):
        datasets = [source.to_xarray() for run in (self.run_of_cells, self.run_of_nodes)
                    for source in (run.snapshot(), run.time_series())]
        datasets += [self.run_of_cells.statistics().to_xarray(),
                     self.run_of_cells.plane("cut").to_xarray()]
        without = {name for dataset in datasets for name, variable in dataset.variables.items()
                   if "units" not in variable.attrs}
        self.assertEqual(without, {"component", "iteration_change"})  # of several variables

    def test_can_be_sent_to_other_processes(self):
        for source in (self.run_of_cells.snapshots(), self.run_of_cells.plane("cut")):
            dataset = source.to_xarray()
            other = pickle.loads(pickle.dumps(dataset))
            np.testing.assert_array_equal(other.pressure.values, dataset.pressure.values)

    def test_can_be_arrays_of_dask(self):
        try:
            import dask  # noqa: F401
        except ImportError:
            self.skipTest("no dask; on Debian: apt-get install python3-dask")
        dataset = self.run_of_cells.snapshots().to_xarray()
        means = dataset.chunk({"time": 1}).velocity.mean("time").compute(scheduler="threads")
        np.testing.assert_allclose(means, dataset.velocity.values.mean(axis=0), atol=1e-15)

    def test_of_damaged_files_raise_their_error(self):
        run = Run(self.make_run("damaged", PROJECTION))
        path = run.snapshot().path
        dataset = run.snapshots().to_xarray()
        content = bytearray(path.read_bytes())
        path.write_bytes(content[:len(content) // 2])
        with self.assertRaisesRegex(RunFileError, path.name):
            dataset.velocity.isel(time=-1).values


if __name__ == "__main__":
    unittest.main()
