"""Runs of the real program opened with ParaView's own readers.

    tests/paraview/run tests/paraview/test_paraview.py PROGRAM [options of unittest]
"""

import glob
import os
import re
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

try:
    import h5py
    import numpy
    import reading
    import small_runs
    from in_a_folder import PROGRAM, InAFolder
    from paraview import simple
except ImportError as error:
    print(f"skipped: {error}; apt-get install python3-paraview python3-h5py python3-numpy")
    sys.exit(77)


class Values(InAFolder):
    """ParaView's numbers are those of the files, and those of the formulas."""

    def each_reader_of_each_list(self):
        """(label, case, folder, list, reader opened) for all flows, lists and readers."""
        for case in small_runs.FLOWS:
            folder = self.finished(case)
            for name in small_runs.lists_of(case):
                for kind, open_list in reading.READERS.items():
                    label = f"{case['case']} {name} {kind}"
                    yield label, case, folder, name, open_list(os.path.join(folder, name))

    def test_every_value_coordinate_and_time_is_that_of_the_files(self):
        for label, case, folder, name, reader in self.each_reader_of_each_list():
            with self.subTest(label):
                paths = reading.snapshot_paths(folder)
                self.assertGreaterEqual(len(paths), 3)
                times = [reading.time_of(path) for path in paths]
                self.assertEqual(list(reader.TimestepValues), times)
                is_of_cells = small_runs.has_cells(case) and name == "fields.xdmf"
                for path, at in zip(paths, times):
                    self.expect_as_written(reading.grid_at(reader, at), path, is_of_cells)

    def expect_as_written(self, grid, path, is_of_cells):
        file = reading.written(path)
        self.assertEqual(grid.time, reading.time_of(path))
        for axis, coordinates in grid.coordinates.items():
            numpy.testing.assert_array_equal(
                coordinates, file[f"{axis}_faces" if is_of_cells else axis]
            )
        values, others = grid.of_cells, grid.of_points
        if not is_of_cells:
            values, others = others, values
        self.assertEqual(others, {})
        known = {"velocity", "temperature", "pressure", *small_runs.DERIVED}
        self.assertEqual(set(values), set(file) & known)
        for variable, array in values.items():
            self.assertEqual(array.dtype, file[variable].dtype)
            numpy.testing.assert_array_equal(array, file[variable], err_msg=variable)

    def test_grid_and_flow_at_the_start_are_those_of_the_formulas(self):
        for label, case, _, name, reader in self.each_reader_of_each_list():
            with self.subTest(label):
                is_of_cells = small_runs.has_cells(case) and name == "fields.xdmf"
                self.expect_as_at_the_start(reading.grid_at(reader, 0.0), case, is_of_cells)

    def expect_as_at_the_start(self, grid, case, is_of_cells):
        values = grid.of_cells if is_of_cells else grid.of_points
        coordinates_along = small_runs.faces if is_of_cells else small_runs.points
        for number, coordinates in enumerate(grid.coordinates.values()):
            expected = coordinates_along(case, number)
            numpy.testing.assert_allclose(coordinates, expected, rtol=0, atol=1e-14)
        for variable, expected in small_runs.fields_at_start(case).items():
            rounding = 1e-13 if values[variable].dtype == numpy.float64 else 1e-6
            numpy.testing.assert_allclose(
                values[variable], expected, rtol=0, atol=rounding, err_msg=variable
            )


class Exports(Values):
    """Files of VTK that `dns export` writes, as one series over time."""

    def each_reader_of_each_list(self):
        for case in small_runs.FLOWS:
            folder = self.finished(case)
            subprocess.run([PROGRAM, "export", folder, "--to", "vtk", "--only", "snapshots"],
                           check=True, stdout=subprocess.DEVNULL)
            path = os.path.join(folder, "export", "fields.pvd")
            yield (f"{case['case']} vtk", case, folder, "fields.xdmf",
                   simple.PVDReader(FileName=path))


class Planes(InAFolder):
    """Recorded planes are flat grids with the values of the file that joins their pieces."""

    planes = {"every": 1, "a": {"axis": "x", "at": -0.3}, "b": {"axis": "y", "at": 0.7},
              "c": {"axis": "z", "at": 5.1}}

    def test_every_value_coordinate_and_time_is_that_of_the_file(self):
        for flow in (small_runs.NODES, small_runs.STRETCHED_CELLS):
            for precision in ("float", "double"):
                planes = dict(self.planes, precision=precision)
                case = dict(flow, case=f"{flow['case']}_{precision}",
                            output={"planes": planes, "checkpoint": {"every": 2}})
                self.expect_as_in_the_files(case, self.finished(case))

    def expect_as_in_the_files(self, case, folder):
        for plane, axis in zip("abc", "xyz"):
            self.assertEqual(len(glob.glob(os.path.join(folder, f"planes_{plane}_*.h5"))), 3)
            file = reading.written(os.path.join(folder, f"planes_{plane}.h5"))
            for kind, open_list in reading.READERS.items():
                with self.subTest(f"{case['case']} {plane} {kind}"):
                    reader = open_list(os.path.join(folder, f"planes_{plane}.xdmf"))
                    self.expect_as_recorded(reader, file, axis, self.planes[plane]["at"])

    def expect_as_recorded(self, reader, file, axis, at):
        self.assertEqual(list(reader.TimestepValues), list(file["time"]))
        known = {"velocity_x", "velocity_y", "velocity_z", "temperature", "pressure"}
        for number, time_of_record in enumerate(file["time"]):
            grid = reading.grid_at(reader, time_of_record)
            self.assertEqual(grid.time, time_of_record)
            for along, coordinates in grid.coordinates.items():
                expected = [at] if along == axis else file[along]
                numpy.testing.assert_array_equal(coordinates, expected)
            self.assertEqual(grid.of_cells, {})
            self.assertEqual(set(grid.of_points), known & set(file))
            for variable, array in grid.of_points.items():
                expected = file[variable][number]
                self.assertTrue(numpy.isfinite(expected).all())
                self.assertEqual(array.dtype, expected.dtype)
                numpy.testing.assert_array_equal(
                    array.reshape(expected.shape), expected, err_msg=variable
                )


class Particles(InAFolder):
    """Places and values of particles, each of which is a vertex that is drawn."""

    def test_every_place_value_and_time_is_that_of_the_file(self):
        folder = self.finished(small_runs.PARTICLES)
        for species, array_count in (("tracers", 4), ("heavy", 3)):
            paths = sorted(glob.glob(os.path.join(folder, f"particles_{species}_*.h5")))
            times = [reading.time_of(path) for path in paths]
            for kind, open_list in reading.READERS.items():
                with self.subTest(species=species, reader=kind):
                    reader = open_list(os.path.join(folder, f"particles_{species}.xdmf"))
                    reader.UpdatePipelineInformation()
                    self.assertEqual(list(reader.TimestepValues), times)
                    for path, at in zip(paths, times):
                        self.expect_as_written(
                            reading.points_at(reader, at), reading.written(path), array_count
                        )

    def expect_as_written(self, points, file, array_count):
        numpy.testing.assert_array_equal(points.places, file["position"])
        self.assertEqual(points.vertices, list(range(len(file["id"]))))
        self.assertEqual(len(points.values), array_count)
        for name, values in points.values.items():
            numpy.testing.assert_array_equal(values, file[name], err_msg=name)


class RunsThatGoOn(InAFolder):
    """A list can be opened at any moment of a run's life, and after its death."""

    case = dict(small_runs.STRETCHED_CELLS, output={"fields": {"every": 1}})

    def expect_complete(self, list_path):
        """Every dataset that a list names is there and has the shape that it says."""
        for path, dataset, shape in reading.listed_items(list_path):
            with h5py.File(path, "r") as file:
                self.assertEqual(file[dataset].shape, shape)

    def test_list_grows_while_it_is_open(self):
        folder = self.path("live")
        self.started(self.case, folder)
        self.wait_for_snapshots(folder, 3)
        for kind, open_list in reading.READERS.items():
            with self.subTest(reader=kind):
                reader = open_list(os.path.join(folder, "fields.xdmf"))
                reader.UpdatePipeline()
                before = list(reader.TimestepValues)
                self.wait_for_snapshots(folder, len(before) + 5)
                simple.ReloadFiles(reader)
                after = list(reader.TimestepValues)
                self.assertGreaterEqual(len(after), len(before) + 5)
                self.assertEqual(after[: len(before)], before)
                path = reading.snapshot_paths(folder)[len(after) - 1]
                velocity = reading.grid_at(reader, after[-1]).of_cells["velocity"]
                numpy.testing.assert_array_equal(velocity, reading.written(path)["velocity"])

    def test_lists_of_a_killed_run_name_complete_files_only(self):
        for moment in range(12):
            folder = self.path(f"killed_{moment}")
            process = self.started(self.case, folder)
            self.wait_for_snapshots(folder, 2)
            time.sleep(0.007 * moment)
            process.send_signal(signal.SIGKILL)
            process.wait()
            for name in small_runs.lists_of(self.case):
                list_path = os.path.join(folder, name)
                self.expect_complete(list_path)
                reader = reading.READERS["default"](list_path)
                reader.UpdatePipeline()
                grid = reading.grid_at(reader, reader.TimestepValues[-1])
                last = reading.written(reading.listed_files(list_path)[-1])
                values = grid.of_cells or grid.of_points
                numpy.testing.assert_array_equal(values["pressure"], last["pressure"])

    def test_list_of_a_killed_and_resumed_run_is_that_of_one_flow(self):
        folder = self.path("resumed")
        case = dict(self.case, output={"fields": {"every": 1}, "checkpoint": {"every": 4}})
        process = self.started(case, folder)
        self.wait_for_snapshots(folder, 7)
        process.send_signal(signal.SIGKILL)
        process.wait()
        left_at = len(reading.snapshot_paths(folder)) - 1
        last = left_at + 10
        other = ["--set", "output.fields.every=3", "--set", "time.step=0.004"]
        subprocess.run([PROGRAM, "resume", folder, "-q", "--steps", str(last), *other], check=True)
        first = self.step_resumed_from(folder)
        # Killed between the checkpoint and the snapshot of a step, it has none of that step.
        steps = list(range(min(first, left_at) + 1))
        steps += [step for step in range(steps[-1] + 1, last + 1) if step % 3 == 0 or step == last]
        times = [0.007 * min(step, first) + 0.004 * max(step - first, 0) for step in steps]
        for kind, open_list in reading.READERS.items():
            with self.subTest(reader=kind):
                reader = open_list(os.path.join(folder, "fields.xdmf"))
                reader.UpdatePipeline()
                numpy.testing.assert_allclose(reader.TimestepValues, times, atol=1e-12)

    def step_resumed_from(self, folder):
        with open(os.path.join(folder, "log.txt"), encoding="utf-8") as file:
            return int(re.search(r"resumed .*: step (\d+),", file.read()).group(1))


if __name__ == "__main__":
    # ParaView warns of its own deprecated calls.
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2, warnings="ignore")
