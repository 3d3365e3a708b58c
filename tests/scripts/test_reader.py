"""The package dnsflow reads what the program writes: values, coordinates, attributes, errors."""
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest
import unittest.mock

from small_runs import PROGRAM, PROJECTION, SPLITTING, RunsTestCase, run_dns

import h5py
import numpy as np
try:
    import yaml
except ImportError:
    yaml = None

from dnsflow import ArrayFile, Run, RunFileError, parse_case, units
from dnsflow.units import units_of


def points(flow):
    """x, y, z of all points, each (nz, ny, nx)."""
    z, y, x = np.meshgrid(flow["z"], flow["y"], flow["x"], indexing="ij")
    return x, y, z


class Nodes(RunsTestCase):
    """Snapshots of scheme splitting."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_of_floats = Run(cls.make_run("floats", SPLITTING))
        cls.run_of_doubles = Run(cls.make_run("doubles", SPLITTING,
                                              "output.fields.precision=double"))

    def test_coordinates_are_those_of_the_nodes(self):
        flow = self.run_of_floats.snapshot()
        np.testing.assert_allclose(flow["x"], -1 + 2 / 9 * np.arange(9), atol=1e-15)  # periodic
        np.testing.assert_allclose(flow["y"], np.linspace(0.5, 1.5, 8), atol=1e-15)
        self.assertNotIn("x_faces", flow)

    def test_initial_fields_are_the_formulas(self):
        for run, kind, tolerance in ((self.run_of_floats, np.float32, 2e-7),
                                     (self.run_of_doubles, np.float64, 1e-15)):
            flow = run.snapshot(0)
            x, y, z = points(flow)
            velocity = flow["velocity"]
            self.assertEqual(velocity.shape, (7, 8, 9, 3))
            self.assertEqual(velocity.dtype, kind)
            inner = np.s_[:, 1:-1, :]  # at the walls y is given
            for component, formula in enumerate((y, x * z, 1 + z)):
                np.testing.assert_allclose(velocity[..., component][inner], formula[inner],
                                           rtol=tolerance, atol=tolerance)
            np.testing.assert_allclose(flow["temperature"][inner], (1 + y * z)[inner],
                                       rtol=tolerance)

    def test_parts_are_read_by_the_names_of_their_axes(self):
        flow = self.run_of_doubles.snapshot()
        self.assertEqual(flow.axes["velocity"], ("z", "y", "x", "component"))
        whole = flow["velocity"]
        np.testing.assert_array_equal(flow.read("velocity", z=2), whole[2])
        np.testing.assert_array_equal(flow.read("velocity", x=slice(1, 4), component=0),
                                      whole[:, :, 1:4, 0])

    def test_attributes_say_where_the_fields_come_from(self):
        flow = self.run_of_floats.snapshot()
        self.assertEqual((flow.step, flow.time), (2, 2e-3))
        self.assertEqual(flow.attributes["precision"], "float")
        self.assertEqual(flow.case, self.run_of_floats.case)
        self.assertEqual([one.step for one in self.run_of_floats.snapshots()], [0, 1, 2])


class Cells(RunsTestCase):
    """Snapshots, statistics and time series of scheme projection on a stretched grid."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_of_cells = Run(cls.make_run("cells", PROJECTION))

    def test_coordinates_are_those_of_the_centres(self):
        flow = self.run_of_cells.snapshot()
        faces = flow["y_faces"]
        self.assertEqual((faces[0], faces[-1], len(faces)), (-1, 1, 11))
        np.testing.assert_allclose(flow["y"], (faces[1:] + faces[:-1]) / 2, atol=1e-15)
        self.assertGreater(np.diff(faces).max(), 2 * np.diff(faces).min())
        np.testing.assert_allclose(flow["x"], (np.arange(16) + 0.5) * np.pi / 8, atol=1e-14)

    def test_initial_fields_are_the_formulas(self):
        for precision, tolerance in (("double", 1e-14), ("float", 1e-6)):
            run = Run(self.make_run(precision, PROJECTION, f"precision={precision}"))
            flow = run.snapshot(0)
            x, y, z = points(flow)
            velocity = flow["velocity"]
            self.assertEqual(velocity.shape, (16, 10, 16, 3))
            for component, formula in enumerate((y * np.cos(4 * z), 0 * y, 0.5 * np.sin(3 * x))):
                np.testing.assert_allclose(velocity[..., component], formula, atol=tolerance)
            np.testing.assert_allclose(flow["temperature"], 1.5 + y * np.cos(x), atol=tolerance)

    def test_averages_are_those_of_the_snapshots(self):
        averages = self.run_of_cells.statistics()
        flows = [flow for flow in self.run_of_cells.snapshots() if flow.step > 0]
        self.assertEqual(averages.attributes["samples"], len(flows))
        self.assertEqual(averages.axes["T"], ("y",))

        def over_time(values):  # trapezoidal rule
            return np.average(values, axis=0, weights=[0.5] + [1] * (len(flows) - 2) + [0.5])

        mean = over_time([flow["velocity"][..., 0].mean(axis=(0, 2)) for flow in flows])
        np.testing.assert_allclose(averages["u"], mean, atol=1e-15)
        temperatures = np.array([flow["temperature"] for flow in flows])
        variance = (over_time((temperatures ** 2).mean(axis=(1, 3)))
                    - over_time(temperatures.mean(axis=(1, 3))) ** 2)
        np.testing.assert_allclose(averages["TT"], variance, atol=1e-14)
        np.testing.assert_array_equal(averages["y"], flows[0]["y"])

    def test_time_series_has_columns_by_name(self):
        series = self.run_of_cells.time_series()
        np.testing.assert_array_equal(series["step"], np.arange(5))
        np.testing.assert_allclose(series["time"], 1e-3 * np.arange(5), atol=1e-17)
        flow = self.run_of_cells.snapshot(0)
        volumes = np.diff(flow["y_faces"])[:, None]
        # u is at x faces and w at z faces, where the formulas give what they give at the centres.
        energy = (0.5 * (flow["velocity"] ** 2).sum(axis=-1) * volumes).sum() / volumes.sum() / 256
        self.assertAlmostEqual(series["kinetic_energy"][0], energy, delta=1e-14)

    def test_a_resumed_run_is_one_series(self):
        folder = self.make_run("resumed", PROJECTION, "output.checkpoint.every=3")
        ended = run_dns("resume", folder, "-q", "--set", "time.steps=6")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        run = Run(folder)
        np.testing.assert_array_equal(run.time_series()["step"], np.arange(7))
        self.assertEqual(list(run.snapshot_paths()), list(range(7)))

    def test_without_xarray_the_error_says_what_to_install(self):
        modules = {"xarray": None, "dnsflow.xarray_datasets": None}
        with unittest.mock.patch.dict(sys.modules, modules):
            del sys.modules["dnsflow.xarray_datasets"]
            with self.assertRaisesRegex(ImportError, "apt-get install python3-xarray"):
                self.run_of_cells.time_series().to_xarray()


class LiveAndKilled(RunsTestCase):
    """What is still being written is left out."""

    def wait_for(self, condition):
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end, "waited in vain")
            time.sleep(0.01)

    def test_a_run_is_readable_while_it_goes_on_and_after_it_was_killed(self):
        folder = self.scratch / "live"
        process = subprocess.Popen([
            PROGRAM, "run", str(self.case_file("live", SPLITTING)), "-q", "-o", str(folder),
            "--set", "time.steps=1000000"])
        try:
            self.wait_for(lambda: len(list(folder.glob("fields_*.h5"))) > 3)
            run = Run(folder)
            steps = run.time_series()["step"]
            np.testing.assert_array_equal(steps, np.arange(len(steps)))
            self.assertGreaterEqual(run.snapshot().step, 3)
            self.assertEqual(run.snapshot()["velocity"].shape, (7, 8, 9, 3))
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.assertGreater(len(run.time_series()["step"]), 3)
        self.assertTrue(np.isfinite(run.snapshot()["velocity"]).all())

    def test_half_a_line_and_files_aside_are_ignored(self):
        folder = self.make_run("cut", SPLITTING)
        with open(folder / "timeseries.csv", "a", encoding="utf-8") as file:
            file.write("3,0.003,0.0")
        (folder / "fields_00000003.h5.part").write_bytes(b"half")
        run = Run(folder)
        self.assertEqual(run.time_series()["step"][-1], 2)
        self.assertEqual(run.snapshot().step, 2)


class Errors(RunsTestCase):
    """Messages name the file and what there is instead."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = cls.make_run("run", SPLITTING, "output.fields.every=0")

    def assert_told(self, words, function, *arguments):
        with self.assertRaises(RunFileError) as caught:
            function(*arguments)
        self.assertIn(words, str(caught.exception))

    def test_folders_without_a_run(self):
        self.assert_told("no such folder", Run, self.scratch / "none")
        self.assert_told("holds no run", Run, self.scratch)

    def test_files_that_a_run_does_not_have(self):
        run = Run(self.folder)
        self.assert_told("output.fields.every", run.snapshot)
        self.assert_told("output.statistics", run.statistics)
        (self.folder / "timeseries.csv").rename(self.folder / "moved.csv")
        self.assert_told("output.timeseries.every", run.time_series)

    def test_files_of_other_kinds(self):
        other = pathlib.Path(self.make_run("other", SPLITTING, "output.checkpoint.every=2"))
        newest = Run(other).snapshot()
        self.assert_told("but of 0, 1, 2", Run(other).snapshot, 7)
        with self.assertRaisesRegex(KeyError, "holds no vorticity; it holds .*velocity"):
            newest["vorticity"]
        with self.assertRaisesRegex(KeyError, "has no axis component"):
            newest.read("temperature", component=0)
        whole = newest.path.read_bytes()
        newest.path.write_bytes(whole[:len(whole) // 2])
        self.assert_told("fields_00000002.h5: cannot be read", Run(other).snapshot)
        with h5py.File(newest.path, "w") as file:
            file["a"] = 1
        self.assert_told("of another program", Run(other).snapshot)
        next(other.glob("checkpoint_*.h5")).rename(newest.path)
        self.assert_told("not a dns snapshot but a dns checkpoint", Run(other).snapshot)


class DamagedFiles(RunsTestCase):
    """Whatever is wrong with a file, the error is a RunFileError that names it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_of_cells = Run(cls.make_run("damaged", PROJECTION))
        cls.good = {path: path.read_bytes() for path in (
            cls.run_of_cells.snapshot().path, cls.run_of_cells.statistics().path)}

    def tearDown(self):
        for path, content in self.good.items():
            path.write_bytes(content)

    def edit(self, change):
        path = self.run_of_cells.snapshot().path
        with h5py.File(path, "r+") as file:
            change(file)
        return path

    def read_all(self, path):
        """The values of all arrays; nothing where the file is refused."""
        kind = "dns snapshot" if path.name.startswith("fields") else "dns statistics"
        try:
            file = ArrayFile(path, kind)
            return file.step, file.time, file.case, [file[name] for name in file]
        except RunFileError as error:
            self.assertIn(path.name, str(error))
            return None

    def test_flipped_bits_and_missing_ends_are_refused_or_harmless(self):
        random = np.random.default_rng(1)
        for path, good in self.good.items():
            whole = self.read_all(path)
            refused = 0
            for number in range(60):
                content = bytearray(good)
                at = random.integers(len(good) if number % 2 else min(len(good), 4096))
                if number % 3 == 0:
                    content = content[:at]
                else:
                    content[at] ^= 1 << random.integers(8)
                path.write_bytes(content)
                found = self.read_all(path)
                refused += found is None
                if found is not None:  # the bit was in a text or in no value
                    np.testing.assert_equal(found[3], whole[3])
            self.assertGreater(refused, 15)

    def test_values_that_do_not_match_their_checksum_are_refused(self):
        def double(file):
            file["pressure"][...] *= 2
        path = self.edit(double)
        flow = self.run_of_cells.snapshot()
        with self.assertRaisesRegex(RunFileError, f"{path.name}: the values of pressure do not"):
            flow["pressure"]
        self.edit(lambda file: file["pressure"].attrs.__delitem__("crc32"))
        self.assertEqual(flow["pressure"].shape, (16, 10, 16))

    def test_arrays_that_are_not_in_the_file_are_refused(self):
        def replaced(make):
            def edit(file):
                del file["pressure"]
                make(file)
            return edit
        for make in (
                lambda file: file.create_group("pressure"),
                lambda file: file.__setitem__("pressure", h5py.SoftLink("/pressure")),
                lambda file: file.__setitem__("pressure", h5py.ExternalLink("/none", "/x")),
                lambda file: file.create_dataset("pressure", (8,), "f8",
                                                 external=[("/dev/zero", 0, 64)]),
                lambda file: file.create_dataset("pressure", (2 ** 21, 2 ** 20, 2 ** 20), "f8",
                                                 chunks=(1, 1, 1024)),
                lambda file: file.create_dataset("pressure", data=[b"abc"])):
            path = self.edit(replaced(make))
            with self.assertRaises(RunFileError):
                self.run_of_cells.snapshot()
            path.write_bytes(self.good[path])

    def test_missing_or_wrong_attributes_are_refused(self):
        for name, value in (("step", None), ("step", "six"), ("time", "now"), ("case", 3)):
            def change(file, name=name, value=value):
                del file.attrs[name]
                if value is not None:
                    file.attrs[name] = value
            path = self.edit(change)
            with self.assertRaises(RunFileError):
                getattr(self.run_of_cells.snapshot(), name)
            path.write_bytes(self.good[path])

    def test_known_attributes_of_a_wrong_type_are_refused_by_name(self):
        for name in ("step", "time", "format", "version", "case", "precision", "device", "scales"):
            def change(file, name=name):
                file.attrs[name] = [1.5, 2.5]
            path = self.edit(change)
            with self.assertRaisesRegex(RunFileError, f"{path.name}: the attribute {name} is not a"):
                self.run_of_cells.snapshot()
            path.write_bytes(self.good[path])

    def test_arrays_without_coordinates_or_of_another_length_are_refused_by_name(self):
        for name in ("x", "z"):
            def shorten(file, name=name):
                values = file[name][:-1]
                del file[name]
                file[name] = values
            for edit, words in ((lambda file, name=name: file.__delitem__(name), f"lacks {name}"),
                                (shorten, f"points along {name}, but {name} has the shape")):
                path = self.edit(edit)
                with self.assertRaisesRegex(RunFileError, f"{path.name}: .*{words}"):
                    self.run_of_cells.snapshot()
                path.write_bytes(self.good[path])

    def test_faces_that_are_not_one_more_than_the_cells_are_refused_by_name(self):
        for name in ("x_faces", "y_faces"):
            for change in (lambda values: values[:-1], lambda values: values[:, np.newaxis]):
                def replace(file, name=name, change=change):
                    values = change(file[name][()])
                    del file[name]
                    file[name] = values
                path = self.edit(replace)
                with self.assertRaisesRegex(RunFileError, f"{path.name}: .*{name}"):
                    self.run_of_cells.snapshot()
                path.write_bytes(self.good[path])

    def test_a_point_that_is_not_there_is_an_index_error(self):
        with self.assertRaises(IndexError):
            self.run_of_cells.snapshot().read("pressure", z=16)


def replace_by(kind, path):
    """Puts what is no plain file at a path."""
    path.unlink()
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a socket":
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(str(path))
    elif kind == "a folder":
        path.mkdir()
    else:
        path.symlink_to("nothing")


class OddFiles(RunsTestCase):
    """Pipes and the like under the names of a run's files: nobody waits for them."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good = cls.make_run("good", PROJECTION, "output.statistics.window=2e-3")

    def run_with(self, kind, name):
        folder = self.scratch / "odd"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.good, folder)
        replace_by(kind, folder / name)
        return folder

    def test_dns_average_names_the_file(self):
        for kind in ("a pipe", "a socket", "a folder", "a link to nothing"):
            folder = self.run_with(kind, "statistics_00000002.h5")
            ended = run_dns("average", folder)
            self.assertEqual(ended.returncode, 3, ended.stderr)
            self.assertIn(f"statistics_00000002.h5: cannot be read: it is {kind}", ended.stderr)

    def test_dns_plot_names_the_file(self):
        for name in ("fields_00000004.h5", "statistics.h5", "timeseries.csv"):
            ended = run_dns("plot", self.run_with("a pipe", name))
            self.assertIn(f"{name}: cannot be read: it is a pipe", ended.stderr)
            self.assertNotIn("bug", ended.stderr)

    def test_average_writes_past_a_pipe_under_the_name_of_its_part(self):
        folder = self.run_with("a pipe", "statistics.h5")
        os.mkfifo(folder / "all.h5.part")
        self.assertEqual(run_dns("average", folder, "-o", folder / "all.h5").returncode, 0)

    def test_dns_average_names_what_windows_lack(self):
        path = "statistics_00000002.h5"
        with h5py.File(self.good / path) as file:
            attributes, arrays = list(file.attrs), list(file)
        edits = [("samples", lambda file: file.attrs.__delitem__("samples")),
                 ("first_time", lambda file: file.attrs.__delitem__("first_time")),
                 ("last_time", lambda file: file.attrs.__setitem__("last_time", "late")),
                 ("y", lambda file: file.__delitem__("y"))]
        self.assertLessEqual({name for name, _ in edits}, {*attributes, *arrays})
        for name, edit in edits:
            folder = self.run_with("a folder", "statistics.h5")
            with h5py.File(folder / path, "r+") as file:
                edit(file)
            ended = run_dns("average", folder)
            self.assertEqual(ended.returncode, 3, ended.stderr)
            self.assertRegex(ended.stderr, f"{path}.* {name}\\b")
            self.assertNotIn("bug", ended.stderr)


class Cases(unittest.TestCase):
    """The resolved case as dictionaries."""

    def test_words_numbers_lists_and_maps(self):
        case = parse_case('case: "a: \\"b\\", [c] \\\\ \\x07"\n\n'
                          '# grid.points[1] = 4 + 1\ngrid:\n  points: [4, 5, 6]\n'
                          "  stretching:\n    y: {type: tanh, factor: 1.5}\n"
                          'time:\n  step: 1e-05\n  path: runs/a-b.h5\n  none: []\n')
        self.assertEqual(case, {
            "case": 'a: "b", [c] \\ \x07',
            "grid": {"points": [4, 5, 6], "stretching": {"y": {"type": "tanh", "factor": 1.5}}},
            "time": {"step": 1e-05, "path": "runs/a-b.h5", "none": []}})

    def test_what_the_program_does_not_write_is_refused(self):
        for text in ("grid\n", "a: [1, 2\n", "    deep: 1\n"):
            with self.assertRaises(RunFileError):
                parse_case(text)


class OddTexts(RunsTestCase):
    """Control characters and ends of lines in a path and a formula, as the program writes them."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        codes = (0x01, 0x09, 0x0d, 0x1c, 0x7f, 0x80, 0x85, 0x9f, 0xa0, 0xe9, 0x2028, 0x2029, 0xd7ff,
                 0xe000, 0xfeff, 0xfffd, 0xfffe, 0xffff, 0x10000, 0x1f4a9, 0x10ffff)
        name = "".join(f"a{chr(code)}" for code in codes) + "'\"\\"
        case = PROJECTION.replace("reynolds: 100", r'reynolds: "50*2\r +\t0*1"')
        cls.folder = cls.make_run(name, case)
        written = (cls.folder / "case.yaml").read_bytes().decode()
        checked = run_dns("check", cls.case_file("again", written))
        if checked.returncode != 0:
            raise AssertionError(checked.stderr)
        cls.texts = (written, checked.stdout)

    def check(self, read):
        for text in self.texts:
            case = read(text)
            self.assertEqual(case["output"]["directory"], str(self.folder))
            self.assertEqual(case["fluid"]["reynolds"], 100)

    def test_come_back_in_dnsflow(self):
        self.check(parse_case)

    @unittest.skipIf(yaml is None, "no PyYAML")
    def test_come_back_in_pyyaml(self):
        self.check(yaml.safe_load)


class Units(RunsTestCase):
    def test_of_columns_of_the_time_series_are_those_of_the_manual(self):
        for name, units in (("driving_x", "U^2/L"), ("heat_ball", "U T0 L^2"),
                            ("heat_flux_y_min", "U T0"), ("force_ball_x", "U^2 L^2")):
            self.assertEqual(units_of(name), units)

    def test_everything_that_a_run_records_is_explained(self):
        """What is missing belongs into python/dnsflow/quantities.json."""
        scalars = PROJECTION.replace("fluid:", "scalars: {salt: {prandtl: 2}}\nfluid:").replace(
            "temperature: 2.0}", "temperature: 2.0, scalars: {salt: 1}}").replace(
            "temperature: 1.0}", "temperature: 1.0, scalars: {salt: 0}}")
        body = PROJECTION.replace(
            "fluid:", "solids: {ball: {shape: sphere, center: [3.1, 0, 1.5], radius: 0.3, "
            "temperature: 1}}\nfluid:")
        kinds = "velocity, temperature, pressure, vorticity, q_criterion"
        folders = [
            self.make_run("scalars", scalars, f"output.fields.variables=[{kinds}, salt]",
                          "output.fields.location=faces", "output.statistics.spectra=[z]",
                          "output.statistics.budgets=true",
                          "output.statistics.phase={period: 2e-3, bins: 2}"),
            self.make_run("body", body, f"output.fields.variables=[{kinds}, solid]")]
        names = set()
        for folder in folders:
            names |= set((folder / "timeseries.csv").read_text().split("\n")[0].split(","))
            for path in folder.glob("[fs]*.h5"):
                with h5py.File(path) as file:
                    file.visit(names.add)
        self.assertGreater(len(names), 100)
        unknown = [name for name in sorted(names)
                   if not re.fullmatch(units.LETTERS, name) and not units.quantity_named(name)]
        self.assertEqual(unknown, ["salt"], "the name of the scalar itself")


if __name__ == "__main__":
    unittest.main()
