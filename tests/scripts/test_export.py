"""dns export: its files hold the values of the run."""
import importlib.util
import pathlib
import unittest
import xml.etree.ElementTree

from small_runs import PROJECTION, SPLITTING, RunsTestCase, run_dns

import h5py
import numpy as np

from dnsflow import Run, RunFileError
from dnsflow.rectilinear import rectilinear_of

PROBES = ("output.probes={every: 1, wake: {at: [1, 0.25, 0.5]}, "
          "height: {from: [1, -0.9, 0.5], to: [1, 0.9, 0.5], count: 7}}")


class VtkFile:
    """A file of VTK of rectilinear grids, with values behind the XML."""

    def __init__(self, path):
        whole = path.read_bytes()
        begin = whole.index(b'<AppendedData encoding="raw">')
        self.values = whole[whole.index(b"_", begin) + 1:]
        self.tree = xml.etree.ElementTree.fromstring(whole[:begin] + b"</VTKFile>")

    def extent(self):
        return self.tree.find(".//Piece").attrib["Extent"]

    def time(self):
        return float(self.tree.find(".//FieldData/DataArray").text)

    def arrays(self, section):
        found = {}
        for element in self.tree.findall(f".//{section}/DataArray"):
            offset = int(element.attrib["offset"])
            count, = np.frombuffer(self.values, "<u8", 1, offset)
            kind = {"Float32": "<f4", "Float64": "<f8"}[element.attrib["type"]]
            values = np.frombuffer(self.values[offset + 8:offset + 8 + int(count)], kind)
            components = int(element.attrib["NumberOfComponents"])
            found[element.attrib["Name"]] = values.reshape(-1, components).squeeze()
        return found


def has(module):
    return importlib.util.find_spec(module) is not None


def columns_of(path):
    header, *lines = path.read_text().splitlines()
    return dict(zip(header.split(","), np.loadtxt(lines, delimiter=",", ndmin=2).T))


class Exported(RunsTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cells = cls.make_run("cells", PROJECTION, "output.fields.location=faces", PROBES,
                                 "output.fields.every=2", "output.statistics.spectra=[x]",
                                 "output.statistics.phase={period: 0.002, bins: 2}")
        cls.nodes = cls.make_run("nodes", SPLITTING)

    def export(self, run, *options):
        """The files, by name."""
        ended = run_dns("export", run, *options)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return {pathlib.Path(line).name: pathlib.Path(line) for line in ended.stdout.splitlines()}

    def test_tables(self):
        files = self.export(self.cells, "--to", "csv")
        self.assertEqual(set(files), {
            *(f"fields_0000000{step}{part}.csv" for step in (0, 2, 4)
              for part in ("", "_x_faces", "_y_faces", "_z_faces")),
            "statistics.csv", "statistics_wavenumber_x.csv", "statistics_separation_x.csv",
            "statistics_phase.csv",
            "timeseries.csv", "probes_wake.csv", "probes_height.csv"})
        run = Run(self.cells)
        flow, averages = run.snapshot(2), run.statistics()
        columns = columns_of(files["fields_00000002.csv"])
        np.testing.assert_array_equal(columns["velocity_y"], flow["velocity"][..., 1].ravel())
        columns = columns_of(files["fields_00000002_y_faces.csv"])
        self.assertEqual(list(columns), ["x", "y_faces", "z", "velocity_y"])
        np.testing.assert_array_equal(columns["velocity_y"], flow["velocity_y"].ravel())
        np.testing.assert_array_equal(columns_of(files["statistics.csv"])["uu"], averages["uu"])
        np.testing.assert_array_equal(columns_of(files["statistics_wavenumber_x.csv"])[
            "spectrum_x_uu"], averages["spectrum_x_uu"].ravel())
        phases, columns = run.statistics_phase(), columns_of(files["statistics_phase.csv"])
        self.assertEqual(list(columns)[:3], ["y", "phase", "phase_duration"])
        np.testing.assert_array_equal(columns["phase"], np.repeat(phases["phase"], 10))
        np.testing.assert_array_equal(columns["y"], np.tile(phases["y"], 2))
        np.testing.assert_array_equal(columns["uT"], phases["uT"].ravel())
        for name, series in (("timeseries", run.time_series()), ("probes_wake", run.probe("wake"))):
            for column, values in columns_of(files[f"{name}.csv"]).items():
                np.testing.assert_array_equal(values, series[column])
        line = columns_of(files["probes_height.csv"])
        np.testing.assert_array_equal(line["y"], np.tile(run.probe("height")["y"], 5))

    def assert_vtk(self, path, arrays):
        found = VtkFile(path)
        grid = rectilinear_of(arrays)
        self.assertEqual(found.time(), arrays.time)
        counts = [len(places) for places in grid.coordinates]
        self.assertEqual(found.extent(), " ".join(f"0 {count - 1}" for count in counts))
        for axis, places in zip("xyz", grid.coordinates):
            np.testing.assert_array_equal(found.arrays("Coordinates")[axis], places)
        return found

    def test_vtk_of_cells(self):
        files = self.export(self.cells, "--to", "vtk", "--only", "snapshots,averages")
        self.assertEqual(set(files), {"fields_00000000.vtr", "fields_00000002.vtr",
                                      "fields_00000004.vtr", "fields.pvd", "statistics.vtr",
                                      "statistics_phase_000.vtr", "statistics_phase_001.vtr",
                                      "statistics_phase.pvd"})
        flow = Run(self.cells).snapshot(4)
        found = self.assert_vtk(files["fields_00000004.vtr"], flow)
        self.assertEqual(found.extent(), "0 16 0 10 0 16")
        np.testing.assert_array_equal(found.arrays("Coordinates")["y"], flow["y_faces"])
        data = found.arrays("CellData")
        self.assertEqual(set(data), {"velocity", "temperature", "pressure"})
        np.testing.assert_array_equal(data["velocity"], flow["velocity"].reshape(-1, 3))
        np.testing.assert_array_equal(data["pressure"], flow["pressure"].ravel())
        averages = Run(self.cells).statistics()
        found = self.assert_vtk(files["statistics.vtr"], averages)
        self.assertEqual(found.extent(), "0 1 0 10 0 1")
        np.testing.assert_array_equal(found.arrays("CellData")["uu"], averages["uu"])
        self.assert_listed(files["fields.pvd"], [(0.002 * number, f"fields_0000000{2 * number}.vtr")
                                                 for number in range(3)])
        phases = Run(self.cells).statistics_phase()
        for number in range(2):
            found = self.assert_vtk(files[f"statistics_phase_00{number}.vtr"],
                                    phases.at("phase", number))
            np.testing.assert_array_equal(found.arrays("CellData")["uu"], phases["uu"][number])
        self.assert_listed(files["statistics_phase.pvd"], [  # times within the period
            (5e-4, "statistics_phase_000.vtr"), (1.5e-3, "statistics_phase_001.vtr")])

    def assert_listed(self, path, expected):
        listed = xml.etree.ElementTree.parse(path).findall(".//DataSet")
        self.assertEqual([(float(one.attrib["timestep"]), one.attrib["file"]) for one in listed],
                         expected)

    def test_vtk_of_nodes(self):
        folder = self.scratch / "elsewhere"
        files = self.export(self.nodes, "--to", "vtk", "--step", 1, "-o", folder)
        self.assertEqual(set(files), {"fields_00000001.vtr", "timeseries.csv"})
        self.assertEqual(files["timeseries.csv"].parent, folder)
        flow = Run(self.nodes).snapshot(1)
        found = self.assert_vtk(files["fields_00000001.vtr"], flow)
        self.assertEqual(found.extent(), "0 8 0 7 0 6")
        data = found.arrays("PointData")["velocity"]
        self.assertEqual(data.dtype, np.float32)
        np.testing.assert_array_equal(data, flow["velocity"].reshape(-1, 3))

    def test_netcdf_has_named_dimensions_and_units(self):
        files = self.export(self.cells, "--to", "netcdf")
        run = Run(self.cells)
        flow, averages = run.snapshot(2), run.statistics()
        with h5py.File(files["fields_00000002.nc"]) as file:
            self.assertEqual([dim[0].name for dim in file["velocity"].dims],
                             ["/time", "/z", "/y", "/x", "/component"])
            self.assertEqual([dim[0].name for dim in file["velocity_y"].dims],
                             ["/time", "/z", "/y_faces", "/x"])
            self.assertIsNone(file["velocity"].maxshape[0])
            np.testing.assert_array_equal(file["velocity"][0], flow["velocity"])
            np.testing.assert_array_equal(file["velocity_y"][0], flow["velocity_y"])
            self.assertEqual((file["time"][0], file["step"][0]), (flow.time, 2))
            self.assertEqual(file["velocity"].attrs["units"], b"U")
            self.assertEqual(file["y"].attrs["axis"], b"Y")
            self.assertEqual(file.attrs["case"].decode(), flow.attributes["case"])
        with h5py.File(files["statistics.nc"]) as file:
            self.assertEqual([dim[0].name for dim in file["uv"].dims], ["/time", "/y"])
            np.testing.assert_array_equal(file["uv"][0], averages["uv"])
        with h5py.File(files["timeseries.nc"]) as file:
            self.assertEqual(file["kinetic_energy"].dims[0][0].name, "/time")
            np.testing.assert_array_equal(file["kinetic_energy"],
                                          run.time_series()["kinetic_energy"])
        with h5py.File(files["probes_height.nc"]) as file:
            self.assertIn("not a netCDF variable", file["velocity_x"].dims[1][0].attrs["NAME"]
                          .decode())

    def test_netcdf_opens_in_xarray(self):
        engines = [engine for engine, module in (("h5netcdf", "h5netcdf"), ("netcdf4", "netCDF4"))
                   if has("xarray") and has(module)]
        if not engines:
            self.skipTest("no xarray with h5netcdf or netCDF4; on Debian: apt-get install "
                          "python3-xarray python3-h5netcdf python3-netcdf4 python3-dask")
        import xarray
        run, files = Run(self.cells), self.export(self.cells, "--to", "netcdf")
        paths = sorted(path for name, path in files.items() if name.startswith("fields"))
        for engine in engines:
            opened = {name: xarray.open_dataset(files[f"{name}.nc"], engine=engine) for name in
                      ("probes_height", "statistics", "statistics_phase", "timeseries")}
            self.assertEqual(opened["probes_height"].velocity_x.dims, ("time", "point"))
            self.assertLessEqual({"x", "y", "z", "step"}, set(opened["probes_height"].coords))
            self.assertEqual(opened["statistics_phase"].uv.dims, ("time", "phase", "y"))
            for name, averages in (("statistics", run.statistics()),
                                   ("statistics_phase", run.statistics_phase())):
                self.assertLessEqual({"y", "y_plus"}, set(opened[name].coords))
                self.assertEqual(set(averages), (set(opened[name].variables) - {"time", "step"}))
                for array in averages:
                    np.testing.assert_array_equal(np.ravel(opened[name][array]),
                                                  averages[array].ravel())
            with xarray.open_dataset(paths[1], engine=engine) as flow:
                np.testing.assert_array_equal(flow.velocity[0], run.snapshot(2)["velocity"])
            if has("dask"):
                with xarray.open_mfdataset(paths, engine=engine) as flows:
                    self.assertEqual(flows.velocity.dims, ("time", "z", "y", "x", "component"))
                    np.testing.assert_array_equal(flows.time, [0, 0.002, 0.004])
            for dataset in opened.values():
                dataset.close()

    def test_pyvista(self):
        if not has("pyvista"):
            self.skipTest("no pyvista; pip install pyvista")
        import pyvista
        from dnsflow import to_pyvista
        for run in (self.cells, self.nodes):
            flow = Run(run).snapshot()
            files = self.export(run, "--to", "vtk", "--step", flow.step)
            for grid in (to_pyvista(flow), pyvista.read(files[f"{flow.path.stem}.vtr"])):
                data = grid.cell_data if run == self.cells else grid.point_data
                self.assertEqual(set(data.keys()), set(rectilinear_of(flow).arrays))
                np.testing.assert_array_equal(data["velocity"], flow["velocity"].reshape(-1, 3))
                np.testing.assert_array_equal(data["temperature"], flow["temperature"].ravel())
                y = flow["y_faces" if run == self.cells else "y"]
                np.testing.assert_array_equal(grid.y, y)
        phases = Run(self.cells).statistics_phase()
        np.testing.assert_array_equal(to_pyvista(phases.at("phase", 1)).cell_data["uu"],
                                      phases["uu"][1])
        with self.assertRaisesRegex(TypeError, "a snapshot or averages.* not FileSeries"):
            to_pyvista(Run(self.cells).snapshots())

    def test_grids_are_of_one_phase(self):
        with self.assertRaisesRegex(RunFileError, "has the axis phase"):
            rectilinear_of(Run(self.cells).statistics_phase())

    def test_wrong_options_and_empty_runs_are_refused(self):
        for options, words in (((), "--to is missing"), (("--to", "vtx"), "did you mean 'vtk'"),
                               (("--to", "csv", "--only", "planes"), "--only is 'planes'"),
                               (("--to", "csv", "--step", "x"), "--step is 'x'")):
            with self.subTest(options):
                ended = run_dns("export", self.cells, *options)
                self.assertEqual(ended.returncode, 2, ended.stderr)
                self.assertIn(words, ended.stderr)
        for options, words in ((("--step", 3), "holds no snapshot of step 3"),
                               (("--only", "averages"), "holds no averages")):
            ended = run_dns("export", self.nodes, "--to", "csv", *options)
            self.assertEqual(ended.returncode, 3)
            self.assertIn(words, ended.stderr)


if __name__ == "__main__":
    unittest.main()
