"""`scripts/validate` of large flows: published data compared with themselves, and runs in parts."""
import argparse
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import small_runs  # noqa: F401  (skips where modules are missing)

import numpy as np
from matplotlib import pyplot

from channel_profiles import hoyas950, moser590, moser590_spectra, published_budget
from dnsflow import RunFileError, uncertainty_of_mean
from pictures import profiles
from reference_data import reference_table
from validation import boundary_layer670, channel590, channel950, gpu_energy, halves, session
from validation.channel_spectra import at_waves
from validation.report import Report

U_TAU, FRAME = 0.05, 0.75  # of the runs that the tests make up [U]


class MadeUp(dict):
    """Averages like those of statistics.h5, with the attributes and the case given."""

    def __init__(self, case, attributes, arrays):
        super().__init__(arrays)
        self.case, self.attributes, self.notes, self.axes = case, attributes, [], {"u": ("y",)}


class MadeUpRun:
    """A run whose averages are given."""

    cells, parts, minutes, energy = (8, 8, 8), [{"step": 100}], 3.0, float("nan")
    folder = pathlib.Path("folder")
    windows = ()

    def __init__(self, averages, series=None):
        self.case, self._averages, self._series = averages.case, averages, series

    def statistics(self):
        return self._averages

    averages = statistics

    def statistics_windows(self):
        return self.windows

    def time_series(self):
        return self._series


class MadeUpSession:
    """Every run is the one given; its settings are kept."""

    is_quick = False
    order = None  # as on the command line

    def __init__(self, run, folder=None):
        self.given, self.made, self.folder = run, [], folder

    def run(self, label, case, settings=(), firm_settings=()):
        self.made.append((label, case, list(settings), list(firm_settings)))
        return self.given


def channel_run(published, budget, reynolds, change):
    """A run at friction velocity U_TAU in a frame that moves at FRAME that has found the published
    profiles, each times its factor in `change`."""
    y_plus = published["U"][0][1:-1]
    half = y_plus / reynolds  # the points of the reference but those on the wall and in the middle
    y = np.concatenate([half, 2 - half[::-1]])
    faces = np.concatenate([[0], (y[1:] + y[:-1]) / 2, [2]])

    def of(name, power, sign=1):
        values = published[name][1][1:-1]**power * change.get(name, 1)**power
        return np.concatenate([values, sign * values[::-1]]) * U_TAU**max(power, 1)

    arrays = {"y": y, "y_faces": faces, "u": of("U", 1) - FRAME, "w": 0 * y, "uu": of("u", 2),
              "vv": of("v", 2), "ww": of("w", 2), "pp": of("p", 2) * U_TAU**2,
              "uv": -of("uv", 1, -1) * U_TAU}
    terms = {name: values[1:-1] * (-1 if name == "dissipation" else 1) * change.get(name, 1)
             for name, (_, values) in budget.items()}
    terms["residual"] = np.zeros_like(half)
    for name, values in terms.items():
        arrays[f"budget_k_{name}"] = np.concatenate([values, values[::-1]]) * U_TAU**3 * reynolds
    for name in ("u", "uu", "vv", "ww", "pp", "uv"):
        arrays[f"{name}_uncertainty"] = np.full_like(y, 1e-3)
    wall = {"type": "wall", "velocity": [-FRAME, 0, 0]}
    case = {"fluid": {"reynolds": reynolds / U_TAU}, "boundaries": {"y_min": wall, "y_max": wall}}
    time = np.linspace(0, 20, 81)
    series = {"time": time, "dt": np.full_like(time, 0.25), "driving_x": np.full_like(time, U_TAU**2),
              "friction_velocity": np.full_like(time, U_TAU), "divergence_max": np.zeros_like(time),
              "wall_shear_y_min_x": np.full_like(time, U_TAU**2),
              "wall_shear_y_max_x": np.full_like(time, U_TAU**2)}
    return MadeUpRun(MadeUp(case, {"friction_velocity": U_TAU, "friction_reynolds": reynolds,
                                   "samples": 10, "first_time": 4.0, "last_time": 20.0}, arrays),
                     series)


def rows_of(report):
    """Quantity -> what the table has in the columns value, deviation, pass."""
    return {row[0]: (row[1], row[3], row[5]) for row in report.rows}


class LargeChannels(unittest.TestCase):
    CASES = ((channel590, moser590, "channel590_moser.dat", 587.19, "Moser et al."),
             (channel950, hoyas950, "channel950_hoyas.dat", 933.96, "Hoyas & Jimenez"))

    def report_of(self, case, change=()):
        module, published, file, reynolds, _ = case
        run = channel_run(published(), published_budget(file), reynolds, dict(change))
        made, report = MadeUpSession(run), Report("")
        self.addCleanup(pyplot.close, module.validate(made, report))
        return rows_of(report), made

    def test_published_data_deviate_from_themselves_by_nothing(self):
        for case in self.CASES:
            rows, _ = self.report_of(case)
            for quantity, (_, deviation, verdict) in rows.items():
                if case[4] in quantity:
                    self.assertLess(abs(float(deviation.rstrip(" %"))), 0.1, quantity)
                # In the made-up run u_tau is not 1, as it is in the units of the case.
                if verdict and "at the mean velocity of the reference" not in quantity:
                    self.assertEqual(verdict, "yes", quantity)

    def test_high_orders_run_on_fewer_cells(self):
        run = channel_run(moser590(), published_budget("channel590_moser.dat"), 587.19, {})
        made = MadeUpSession(run)
        made.order = "6,4,6"
        self.addCleanup(pyplot.close, channel590.validate(made, Report("")))
        (_, _, _, start), (_, _, settings, _) = made.made
        self.assertIn("grid.points=[160, 96, 160]", start)
        self.assertIn("grid.points=[256,144,320]", settings)

    def test_what_is_changed_is_found(self):
        for case in self.CASES:
            name = case[4]
            rows, _ = self.report_of(case, {"U": 1.013, "u": 0.97, "v": 1.03, "uv": 1.04,
                                            "production": 1.06, "dissipation": 1.1}.items())
            self.assertAlmostEqual(float(rows[f"U+, y+ > 1, largest deviation from {name}"][1][:-2]),
                                   1.3, delta=0.05)
            self.assertAlmostEqual(float(rows[f"u' rms+, peak, {name}"][1][:-2]), -3, delta=0.05)
            self.assertAlmostEqual(float(rows[f"v' rms+, peak, {name}"][1][:-2]), 3, delta=0.05)
            self.assertAlmostEqual(float(rows[f"w' rms+, peak, {name}"][1][:-2]), 0, delta=0.05)
            self.assertAlmostEqual(float(rows[f"production of k+, peak, {name}"][1][:-2]), 6, delta=0.05)
            for quantity in (f"U+, y+ > 1, largest deviation from {name}", f"u' rms+, peak, {name}",
                             f"v' rms+, peak, {name}", f"-u'v'+, peak, {name}",
                             f"production of k+, peak, {name}",
                             "dissipation of k+, largest difference from "
                             f"{name} over its largest value"):
                self.assertEqual(rows[quantity][2], "NO", quantity)

    def test_a_profile_that_is_not_a_number_fails(self):
        rows, _ = self.report_of(self.CASES[0], {"U": float("nan")}.items())
        self.assertEqual(rows["U+, y+ > 1, largest deviation from Moser et al."][2], "NO")

    def test_pictures_lay_the_data_below_runs_near_them(self):
        for reynolds, label in ((580, "Moser, Kim & Mansour"), (950, "Hoyas & Jimenez")):
            self.assertEqual(list(profiles.references_for(reynolds)), [label])
        self.assertEqual(len(profiles.references_for(182)), 2)
        self.assertEqual(profiles.references_for(395), {})

    def test_each_run_starts_from_the_one_before(self):
        _, made = self.report_of(self.CASES[1])
        labels = [label for label, *_ in made.made]
        self.assertEqual(labels, ["start1", "start2", "channel"])
        self.assertEqual(made.made[0][2], [])
        for _, _, settings, _ in made.made[1:]:
            self.assertIn('initial={type: file, path: "folder"}', settings)
        self.assertIn("output.statistics.start=0.75", made.made[2][2])
        self.assertEqual(made.made[2][3], [])  # cells of the case, which the user may change


class HalvesOfChannels(unittest.TestCase):
    """How far they differ that are averaged."""

    def report_of(self, change=()):
        report = Report("")
        run = channel_run(moser590(), published_budget("channel590_moser.dat"), 587.19, {})
        for name, factor in dict(change).items():
            values = run.time_series() if name in run.time_series() else run.statistics()
            values[name] = factor * values[name]
        halves.tell_asymmetry(report, run)
        return rows_of(report), report.notes

    def test_shears_at_both_walls_are_compared(self):
        waves = np.sin(np.linspace(0, 20, 81) * np.pi)  # eight periods from t = 4 to 20
        for shift, swing in ((0, 0), (0.1, 0), (0.1, 0.2)):
            rows, _ = self.report_of({"wall_shear_y_min_x": 1 + shift + swing * waves})
            found = [float(rows[name][1].rstrip(" %")) for name in (
                "wall shear at y_min less that at y_max, over their mean",
                "95 % interval of this difference")]
            self.assertAlmostEqual(found[0], 100 * shift / (1 + shift / 2), delta=0.1)
            late = waves[16:]  # from t = 4 on
            half = uncertainty_of_mean((late[1:] + late[:-1]) / 2, np.full(64, 0.25))[1]
            self.assertAlmostEqual(found[1], 100 * swing * half / (1 + shift / 2), delta=0.1)
        rows, _ = self.report_of({"wall_shear_y_min_x": 1 + 0.01 * np.linspace(-1.5, 1, 81)})
        # A ramp has no interval.
        self.assertIn("nan", rows["95 % interval of this difference"][1])

    def test_profiles_that_are_not_alike_are_named(self):
        self.assertEqual(self.report_of()[1],
                         ["Both halves are averaged, alike within their 95 % intervals."])
        unknown = {f"{name}_uncertainty": np.nan for name in ("u", "uu", "vv", "ww", "uv")}
        self.assertEqual(self.report_of(unknown)[1], ["Both halves are averaged, alike within 20 %."])
        change = np.linspace(-1, 3, 2 * len(moser590()["U"][0][1:-1]))
        for name in ("u", "uu", "uv"):
            _, notes = self.report_of({name: change})
            self.assertEqual(notes, ["Both halves are averaged, but are not alike: "
                                     f"{name} differs between the halves."])


class PublishedSpectra(unittest.TestCase):
    """Those of channel590_moser_spectra_*.dat."""

    def test_add_up_to_the_variances(self):
        table = reference_table("channel590_moser.dat")
        found = moser590_spectra()
        for y_plus in (19.39, 297.77):
            place = np.abs(table[1] - y_plus).argmin()
            for component, variance in zip("uvw", table[3:6, place]):
                along_x, along_z = (energies[component].sum() * k[1] for k, energies in
                                    (found["x", y_plus], found["z", y_plus]))
                self.assertLess(abs(along_x / along_z - 1), 2e-5)  # the data have five digits
                self.assertLess(abs(along_x / variance - 1), 1e-3)  # as published

    def test_are_smooth(self):
        for k, energies in moser590_spectra().values():
            np.testing.assert_array_equal(k, k[1] * np.arange(192))
            for energy in energies.values():
                logarithm = np.log(energy)
                off = np.abs(logarithm[1:-1] - (logarithm[2:] + logarithm[:-2]) / 2)
                self.assertLess(off[4:].max(), 0.1)
                self.assertLess(off[30:187].max(), 0.035)


def give_spectra(averages, longer, points, change=1.0):
    """Adds the published spectra, times `change`, to averages in a box `longer` times as long and
    wide as that of the data, with (nx, nz) points. k = 0 and the last wave get wrong values, which
    the comparison must leave out."""
    y_plus = averages["y"] * 587.19
    is_near_wall = np.minimum(y_plus, 2 * 587.19 - y_plus) < 100
    for axis, count, length in zip("xz", points, (2 * np.pi * longer, np.pi * longer)):
        k = 2 * np.pi / length * np.arange(count // 2 + 1)
        averages[f"wavenumber_{axis}"] = k
        for component in "uvw":
            near, middle = (np.full_like(k, 1e9) for _ in range(2))
            for (of_axis, height), (known, energies) in moser590_spectra().items():
                if of_axis == axis:
                    (near if height < 100 else middle)[1:-1] = change * U_TAU**2 * at_waves(
                        known[1:], energies[component][1:], k[1:-1])
            name = f"spectrum_{axis}_{2 * component}"
            values = np.where(is_near_wall[:, None], near, middle)
            averages[name] = values if axis == "x" else values.T  # as in statistics.h5
            averages.axes[name] = ("y", "wavenumber_x") if axis == "x" else ("wavenumber_z", "y")


class Spectra(unittest.TestCase):
    """Of the channel at Re_tau 590."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_with(self, *arguments):
        run = channel_run(moser590(), published_budget("channel590_moser.dat"), 587.19, {})
        if arguments:
            give_spectra(run.statistics(), *arguments)
        return run

    def report_of(self, run):
        report = Report("")
        self.addCleanup(pyplot.close, channel590.validate(MadeUpSession(run, self.folder), report))
        return report, {row[0]: row for row in report.rows if row[0].startswith("E_")}

    def assert_deviations(self, rows, least, most, verdict):
        """All of them lie between two percentages."""
        self.assertEqual(len(rows), 12)
        for row in rows.values():
            self.assertTrue(least <= float(row[3].rstrip(" %")) <= most, row)
            self.assertEqual(row[5], verdict)

    def test_published_spectra_deviate_from_themselves_by_nothing(self):
        for longer, points in ((1, (201, 152)), (2, (322, 245))):
            report, rows = self.report_of(self.run_with(longer, points))
            self.assert_deviations(rows, 0, 1e-6, "yes")
            self.assertIn("E_vv along z, y+ 19.4, to k h = 120, mean deviation from Moser et al.", rows)
            self.assertIn("Spectra: channel590_spectra.png.", report.notes)
            self.assertTrue((self.folder / "channel590_spectra.png").exists())

    def test_boxes_of_other_lengths_deviate_by_interpolation_alone(self):
        for longer in (0.8, 1.3):
            _, rows = self.report_of(self.run_with(longer, (201, 245)))
            self.assert_deviations(rows, 0, 4, "yes")

    def test_energies_that_are_too_large_or_no_numbers_fail(self):
        _, rows = self.report_of(self.run_with(1, (201, 152), 1.2))
        self.assert_deviations(rows, 19.99, 20.01, "NO")
        for row in self.report_of(self.run_with(1, (201, 152), float("nan")))[1].values():
            self.assertEqual(row[5], "NO")

    def test_few_cells_are_compared_as_far_as_they_go(self):
        _, rows = self.report_of(self.run_with(1, (27, 44)))
        self.assert_deviations(rows, 0, 1e-6, "yes")
        self.assertIn("E_uu along x, y+ 19.4, to k h = 12, mean deviation from Moser et al.", rows)
        self.assertIn("E_uu along z, y+ 298, to k h = 26, mean deviation from Moser et al.", rows)

    def test_the_uncertainty_is_that_of_windows(self):
        run = self.run_with(1, (201, 152))
        run.windows = [self.run_with(1, (201, 152), 1 + 0.01 * (-1)**turn).statistics()
                       for turn in range(10)]
        report, _ = self.report_of(run)
        quantity = "uncertainty of spectra, mean over the same waves, largest"
        # Student's factor of 4.5, 2.659, times 1 % over the root of 9
        self.assertAlmostEqual(float(rows_of(report)[quantity][1][:-2]), 0.887, delta=0.001)

    def test_runs_without_spectra_are_compared_in_all_else(self):
        report, rows = self.report_of(self.run_with())
        self.assertFalse(rows)
        self.assertIn("u' rms+, peak, Moser et al.", rows_of(report))
        self.assertTrue(any("Spectra are not compared" in note for note in report.notes))


class BoundaryLayer(unittest.TestCase):
    """u over (y, x): the published profile at one place, thinner before it and thicker behind."""

    def report_of(self, change=1.0):
        _, y_plus, mean, u, v, w, uv, _ = reference_table("boundary_layer670_schlatter.dat")[:, 1:]
        speed = mean[-1]  # of the free stream [u_tau]
        viscosity = 1 / speed / 136.92
        y = y_plus / 136.92  # [delta]
        x = np.arange(2.0, 56, 4)
        scale = x / 42  # of the thickness
        faces = np.concatenate([[0], (y[1:] + y[:-1]) / 2, [y[-1] + 0.01]])

        def at_all_x(values):
            return np.array([np.interp(y / one, y, values) for one in scale]).T

        arrays = {"x": x, "y": y, "y_faces": faces, "u": at_all_x(mean * change) / speed}
        for name, values in (("uu", u**2), ("vv", v**2), ("ww", w**2), ("uv", uv)):
            arrays[name] = at_all_x(values) / speed**2
        case = {"fluid": {"reynolds": 1 / viscosity}, "grid": {"length": [56, 5, 6]}}
        averages = MadeUp(case, {}, arrays)
        report = Report("")
        run = MadeUpRun(averages, {"divergence_max": np.zeros(3)})
        self.addCleanup(pyplot.close,
                        boundary_layer670.validate(MadeUpSession(run), report))
        return rows_of(report)

    def test_published_data_deviate_from_themselves_by_nothing(self):
        rows = self.report_of()
        self.assertEqual(rows["x of the middle place [delta]"][0], "42")
        for quantity, (_, deviation, verdict) in rows.items():
            if verdict:
                self.assertEqual(verdict, "yes", (quantity, deviation))
                self.assertLess(abs(float(deviation.rstrip(" %"))), 0.5, quantity)

    def test_a_thicker_wake_is_found(self):
        _, y_plus, mean = reference_table("boundary_layer670_schlatter.dat")[:3, 1:]
        rows = self.report_of(1 + 0.03 * np.clip((y_plus - 50) / 50, 0, 1))
        self.assertEqual(rows["U+, y+ > 1, largest deviation"][2], "NO")
        self.assertAlmostEqual(float(rows["U+, y+ > 1, largest deviation"][1][:-2]), 3, delta=0.3)


PROGRAM = """#!{python}
import json, pathlib, sys
told = pathlib.Path({log!r})
calls = told.read_text().splitlines() if told.exists() else []
told.write_text("\\n".join([*calls, json.dumps(sys.argv[1:])]))
folder = pathlib.Path(sys.argv[sys.argv.index("-o") + 1])
folder.mkdir(parents=True, exist_ok=True)
(folder / "case.yaml").write_text("grid: {{points: [4, 5, 6]}}")
is_over = len(calls) >= 1
print(json.dumps(dict(status="finished" if is_over else "stopped", version="1", device="NVIDIA X",
      precision="float", first_step=0, step=7, time=1.0, wall_seconds=2.0, ms_per_step=1.0,
      ns_per_point_and_step=1.0)))
sys.exit(0 if is_over else 75)
"""


class RunsInParts(unittest.TestCase):
    """A program that stops early once."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.log = self.folder / "calls"
        self.program = self.folder / "dns"
        self.program.write_text(PROGRAM.format(python=sys.executable, log=str(self.log)))
        self.program.chmod(0o755)
        quiet = mock.patch.object(sys, "stderr")
        quiet.start()
        self.addCleanup(quiet.stop)

    def session(self, **options):
        chosen = dict(program=self.program, device="auto", precision="float", order=None, sets=[],
                      cans=[], quick=False, force=False, as_it_is=False, limit=None)
        return session.Session(argparse.Namespace(**{**chosen, **options}), self.folder / "runs")

    def calls(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def test_the_limit_is_no_part_of_the_case_and_energies_add_up(self):
        counter = iter([10.0, 7.2e6 + 10, 1e7, 1e7 + 3.6e6])
        with mock.patch.object(session, "gpu_joules", lambda: next(counter)):
            with self.assertRaises(SystemExit) as stopped:
                self.session(limit=60.0).run("one", "channel590")
            self.assertEqual(stopped.exception.code, session.STOPPED_EARLY)
            run = self.session().run("one", "channel590")
        first, second = self.calls()
        limits = [word for word in first if word.startswith("run.wall_time_limit=")]
        self.assertEqual(len(limits), 1)
        self.assertTrue(50 < float(limits[0].split("=")[1]) <= 60)
        self.assertIn("--force", first)
        self.assertIn("--resume", second)
        self.assertFalse([word for word in second if word.startswith("run.wall_time_limit")])
        self.assertAlmostEqual(run.energy, 3.0)
        self.assertEqual(run.figures()[-1], "3")
        self.assertGreater(run.minutes, 0)

    def test_nothing_starts_when_no_time_is_left(self):
        with self.assertRaises(SystemExit) as stopped:
            self.session(limit=1.0).run("one", "channel590")
        self.assertEqual(stopped.exception.code, session.STOPPED_EARLY)
        self.assertFalse(self.log.exists())

    def test_unfinished_runs_are_read_as_they_are(self):
        with mock.patch.object(session, "gpu_joules", lambda: None):
            with self.assertRaises(SystemExit):
                self.session().run("one", "channel590")
        run = self.session(as_it_is=True, program=None, precision="double").run("one", "channel950")
        self.assertEqual(len(self.calls()), 1)
        self.assertEqual((run.cells, run.figures()[-1]), ((4, 5, 6), ""))
        with self.assertRaisesRegex(RunFileError, "two.json"):
            self.session(as_it_is=True).run("two", "channel590")


class Energy(unittest.TestCase):
    """NVML as a made-up library."""

    def library(self, count, millijoules, result=0):
        def fill(value):
            def function(*arguments):
                arguments[-1]._obj.value = value
                return result
            return function

        return mock.Mock(nvmlInit_v2=lambda: 0, nvmlShutdown=lambda: 0,
                         nvmlDeviceGetCount_v2=fill(count), nvmlDeviceGetHandleByIndex_v2=fill(1),
                         nvmlDeviceGetTotalEnergyConsumption=fill(millijoules))

    def joules(self, *arguments):
        with mock.patch.object(gpu_energy.ctypes, "CDLL", lambda _: self.library(*arguments)):
            return gpu_energy.gpu_joules()

    def test_is_that_of_the_only_gpu(self):
        self.assertEqual(self.joules(1, 2500), 2.5)
        self.assertIsNone(self.joules(2, 2500))
        self.assertIsNone(self.joules(1, 2500, 3))

    def test_without_a_library_there_is_none(self):
        self.assertIsNone(gpu_energy.gpu_joules("libnothing-of-this-name.so.1"))


if __name__ == "__main__":
    unittest.main()
