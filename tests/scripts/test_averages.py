"""`dns average`: windows joined, and 95 % uncertainty."""
import json
import pathlib
import unittest

from small_runs import PROJECTION, RunsTestCase, run_dns

import h5py
import numpy as np
from matplotlib import pyplot

import curves
from dnsflow import ArrayFile, Run, parse_case, uncertainty_of_mean
from dnsflow.averages import oscillations_in
from dnsflow.case_difference import differences_of_averages, words_of
from dnsflow.coefficients import Reference
from dnsflow.joined_windows import joined_windows
from dnsflow.uncertainty import FEWEST_BATCHES, LASTING, student_factor
from pictures import history, profiles, selection


def correlated(samples, signals, memory):
    """Signals of variance 1 (samples, signals) whose correlation is memory^lag: AR(1)."""
    random = np.random.default_rng(1)
    values = random.normal(size=(samples, signals))
    for number in range(1, samples):
        values[number] = memory * values[number - 1] + (1 - memory**2) ** 0.5 * values[number]
    return values


class Uncertainty(unittest.TestCase):
    """Of the mean of a signal with known correlation."""

    def share_that_holds(self, samples, memory, least_known):
        """Of 2000 intervals that are not flagged, of which there are enough."""
        mean, half, lasting = uncertainty_of_mean(correlated(samples, 2000, memory),
                                                  np.ones(samples))
        is_known = lasting <= LASTING
        self.assertGreaterEqual(np.mean(is_known), least_known, (samples, memory))
        return np.mean((np.abs(mean) < half)[is_known])

    def test_short_signals_have_intervals_that_hold(self):
        # Lengths in correlation times, of which each has `rate` samples. The memory from one sample
        # to the next is that of an integral from 0 on, or of one over both directions.
        for rate in (1, 2, 5, 20):
            for memory in (np.exp(-1 / rate), (rate - 1) / (rate + 1)):
                for length, least_known in ((10, 0.8), (5, 0.5), (2.5, 0), (2, 0)):
                    samples = round(length * rate)
                    if samples >= FEWEST_BATCHES:
                        self.assertGreaterEqual(
                            self.share_that_holds(samples, memory, least_known), 0.9,
                            (rate, memory, length))

    def test_long_signals_have_intervals_of_95_in_100(self):
        for samples, memory in ((20, 0), (100, 0), (1000, 0), (2000, 0.9), (4000, 0.95)):
            share = self.share_that_holds(samples, memory, 0.97)
            self.assertTrue(0.945 < share < 0.985, (samples, memory, share))

    def test_the_interval_of_many_samples_has_the_width_of_a_known_variance(self):
        memory, samples = 0.5, 20000
        half = uncertainty_of_mean(correlated(samples, 500, memory), np.ones(samples))[1]
        exact = 1.96 * ((1 + memory) / (1 - memory) / samples) ** 0.5
        self.assertTrue(1 < np.median(half) / exact < 1.15, np.median(half) / exact)

    def test_a_signal_that_drifts_is_flagged(self):
        for samples in (8, 12, 60, 500):
            time = np.linspace(0, 1, samples)
            self.assertGreater(uncertainty_of_mean(time, np.ones(samples))[2], LASTING)

    def test_samples_of_unequal_durations_are_joined_by_their_time(self):
        # Each value is the mean of 1 to 5 equal samples: the mean of all stays the same.
        durations = np.resize([1, 4, 2, 5, 3], 1000)
        starts = np.cumsum(durations) - durations
        signal = correlated(durations.sum(), 500, 0.9)
        values = np.add.reduceat(signal, starts) / durations[:, None]
        mean, half, lasting = uncertainty_of_mean(values, durations)
        np.testing.assert_allclose(mean, signal.mean(axis=0), atol=1e-13)
        same = uncertainty_of_mean(signal, np.ones(len(signal)))[1]
        self.assertAlmostEqual(np.median(half) / np.median(same), 1, delta=0.05)

    def test_windows_count_by_their_length(self):
        values, durations = correlated(12, 4000, 0), np.array([1.0, 2, 3] * 4)
        values /= durations[:, None] ** 0.5  # of a mean over them
        mean, half, _ = uncertainty_of_mean(values, durations)
        np.testing.assert_allclose(mean, durations @ values / 24)
        self.assertTrue(0.94 < np.mean(np.abs(mean) < half) < 0.99)

    def test_fewer_than_eight_have_none(self):
        mean, half, _ = uncertainty_of_mean(np.arange(7.0), np.ones(7))
        self.assertEqual(mean, 3)
        self.assertTrue(np.isnan(half))

    def test_students_factors_are_those_of_tables(self):
        for freedom, factor in ((1.2, 8.6488), (1.5, 6.0167), (7, 2.3646), (9, 2.2622),
                                (19, 2.0930), (100, 1.9840)):
            self.assertAlmostEqual(student_factor(freedom) / factor, 1, delta=0.012)


STEPS = ("time.steps=40", "output.fields.every=0", "output.statistics.window=4e-3",
         "fluid.reynolds=10")


class Oscillations(unittest.TestCase):
    """rms and frequency of the forces across a stream."""

    def found(self, lift, step=0.05):
        time = step * np.arange(1, len(lift) + 1)
        columns = {"force_coefficient_rod_x": np.full(len(lift), 1.3),
                   "force_coefficient_rod_y": lift, "force_coefficient_rod_z": 0 * lift}
        return oscillations_in(time, np.full(len(lift), step), columns,
                               {"rod": Reference("x", 2.0, 0.4, 0.5)})

    def test_of_a_sine_are_its_own(self):
        time = 0.05 * np.arange(1, 2001)
        found = self.found(0.1 + 0.33 * np.sin(2 * np.pi * 0.165 * time + 0.3))
        self.assertEqual(set(found), {"force_coefficient_rod_y_rms", "strouhal_rod_y"})
        rms, half, _ = found["force_coefficient_rod_y_rms"]
        self.assertLess(abs(rms - 0.33 / 2**0.5), half)
        self.assertLess(half, 0.02)
        strouhal, half, _ = found["strouhal_rod_y"]
        self.assertAlmostEqual(strouhal, 0.165 * 0.5 / 2, places=6)
        self.assertLess(half, 1e-6)

    def test_that_wander_have_intervals_that_hold(self):
        random = np.random.default_rng(2)
        held = 0
        for _ in range(100):
            periods = 5 + random.normal(size=40)  # times between upward crossings
            ends = np.concatenate([[0], np.cumsum(periods)])
            time = np.arange(0.05, ends[-1], 0.05)
            phase = np.interp(time, ends, np.arange(41))
            strouhal, half, _ = self.found(np.sin(2 * np.pi * phase))["strouhal_rod_y"]
            held += abs(strouhal - 0.5 / 2 / 5) < half
        self.assertGreaterEqual(held, 88)

    def test_of_a_steady_force_are_none(self):
        self.assertEqual(self.found(np.zeros(100)), {})
        self.assertNotIn("strouhal_rod_y", self.found(np.linspace(0, 1, 100)))


class AveragesOfARun(RunsTestCase):
    """40 steps of 1e-3 in ten windows."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = cls.make_run("windows", PROJECTION, *STEPS)

    def average(self, *options, code=0):
        ended = run_dns("average", self.folder, "-o", self.scratch / "averages.h5", *options)
        self.assertEqual(ended.returncode, code, ended.stderr)
        self.assertNotIn("Traceback", ended.stderr)
        return ended

    def test_all_windows_are_the_averages_of_the_run(self):
        self.average()
        found = ArrayFile(self.scratch / "averages.h5", "dns statistics")
        whole = Run(self.folder).statistics()
        for name in ("u", "uu", "uv", "TT", "vT", "pp", "y", "y_faces", "dissipation"):
            np.testing.assert_allclose(found[name], whole[name], atol=1e-13, err_msg=name)
            self.assertEqual(found.axes[name], whole.axes[name])
        for name in ("first_time", "last_time", "step"):
            self.assertEqual(found.attributes[name], whole.attributes[name])

    def test_info_shows_the_newest_means_with_their_intervals(self):
        for first in ("0", "0.02"):
            self.assertEqual(run_dns("average", self.folder, "--from", first).returncode, 0)
        paths = self.folder.glob("averages_*.h5")
        newest = ArrayFile(max(paths, key=lambda path: path.stat().st_mtime_ns), "dns statistics")
        self.assertAlmostEqual(newest.attributes["first_time"], 0.02, 12)
        shown = json.loads(run_dns("info", self.folder, "--json").stdout)
        for name in ("nusselt_y_min", "nusselt_volume_uncertainty"):
            np.testing.assert_allclose(np.asarray(shown[name], float), newest.attributes[name],
                                       err_msg=name)
        self.assertIn("\nnusselt_y_min ", run_dns("info", self.folder).stdout)

    def test_uncertainties_are_those_of_the_windows(self):
        run = Run(self.folder)
        averages = run.averages(8e-3, 0.04)
        windows = [one for one in run.statistics_windows() if one.attributes["first_time"] >= 7e-3]
        self.assertEqual(len(windows), 8)
        for name, values in (("u", [one["u"] for one in windows]),
                             ("vT", [one["vT"] + (one["v"] - averages["v"]) * (
                                 one["T"] - averages["T"]) for one in windows])):
            mean, half, _ = uncertainty_of_mean(values, np.full(8, 4e-3))
            np.testing.assert_allclose(averages[name], mean, atol=1e-13)
            np.testing.assert_allclose(averages[f"{name}_uncertainty"], half, rtol=1e-6, atol=1e-13)
        self.assertGreater(averages["uu_uncertainty"].max(), 0)

    def test_times_between_edges_take_the_nearest_and_say_so(self):
        self.assertNotIn("nearest", self.average("--from", "0.004", "--to", "0.036").stderr)
        for options, edges, words in (
                (("--from", "0.005"), (0.004, 0.04), "averages begin at t = 0.004 L/U"),
                (("--from", "0.0061"), (0.008, 0.04), "nearest to 0.0061"),
                (("--to", "0.0383"), (0.001, 0.04), "averages end at t = 0.04 L/U"),
                (("--to", "1"), (0.001, 0.04), "averages end at t = 0.04 L/U"),
                (("--from", "0"), (0.001, 0.04), "averages begin at t = 0.001 L/U")):
            self.assertIn(words, self.average(*options).stderr)
            found = ArrayFile(self.scratch / "averages.h5", "dns statistics").attributes
            np.testing.assert_allclose([found["first_time"], found["last_time"]], edges)

    def test_wrong_times_are_refused(self):
        for options, words in ((("--from", "0.02", "--to", "0.012"), "no window of time from"),
                               (("--from", "soon"), "--from is 'soon', but must be a time"),
                               (("--reference", "area"), "--reference is 'area', but must be")):
            ended = self.average(*options, code=2)
            self.assertIn(words, ended.stderr)

    def test_few_windows_have_no_uncertainty_and_say_so(self):
        ended = self.average("--from", "0.02")
        self.assertIn("that takes 8 windows, here is 5", ended.stderr)
        found = ArrayFile(self.scratch / "averages.h5", "dns statistics")
        self.assertTrue(np.isnan(found["u_uncertainty"]).all())
        self.assertTrue(np.isfinite(found["u"]).all())

    def test_info_knows_the_numbers_and_the_file(self):
        printed = self.average().stdout.splitlines()
        self.assertEqual(printed[0], str(self.scratch / "averages.h5"))
        told = json.loads(run_dns("info", "--json", self.scratch / "averages.h5").stdout)
        numbers = {line.split()[0]: line.split()[1] for line in printed[1:]}
        self.assertIn("friction_velocity", numbers)
        self.assertIn("kinetic_energy", numbers)
        for name, value in numbers.items():
            self.assertAlmostEqual(told[name] / float(value), 1, delta=1e-4)
            self.assertIn(f"{name}_uncertainty", told)
        self.assertEqual(run_dns("average", self.folder).returncode, 0)
        beside = json.loads(run_dns("info", "--json", self.folder).stdout)["averages"]
        self.assertEqual([pathlib.Path(name).name for name in beside], ["averages_0.001_0.04.h5"])

    def test_numbers_of_the_time_series_are_means_over_time(self):
        run = Run(self.folder)
        averages, series = run.averages(), run.time_series()
        energy = averages.attributes["kinetic_energy"]
        self.assertAlmostEqual(energy, series["kinetic_energy"][2:].mean())
        # The energy decays: how uncertain its mean is cannot be said.
        self.assertTrue(np.isnan(averages.attributes["kinetic_energy_uncertainty"]))
        self.assertIn("kinetic_energy", " ".join(averages.notes))
        self.assertNotIn("cfl", averages.attributes)

    def test_without_averages_there_are_those_of_the_time_series(self):
        case = PROJECTION[:PROJECTION.index("  statistics:")]
        run = Run(self.make_run("series", case, "time.steps=20"))
        averages = run.averages(5e-3, 0.02)
        self.assertEqual(list(averages), [])
        late = run.time_series()["kinetic_energy"][6:]
        self.assertAlmostEqual(averages.attributes["kinetic_energy"], late.mean())

    def test_bands_are_drawn(self):
        averages = selection.averages_between(Run(self.folder), None)
        figure = profiles.draw(averages)
        self.addCleanup(pyplot.close, figure)
        self.assertIn("bands: 95 %", figure._suptitle.get_text())
        self.assertTrue(figure.axes[1].collections)  # of the fluctuations
        half = averages["T_uncertainty"]
        band = figure.axes[-1].collections[0].get_paths()[0].vertices
        self.assertAlmostEqual(band[:, 0].max(), (averages["T"] + half).max())


class WindowsOfARun(RunsTestCase):
    """The same run in windows, and as a whole: u, T and a scalar of one letter drift."""

    CASE = """
scheme: projection
grid: {points: [5, 6, 7], length: [2, 1, 3]}
fluid: {reynolds: 50, prandtl: 0.7}
scalars: {c: {prandtl: 1, source: "1 + y"}, far_dye: {prandtl: 2, initial: "sin(pi*x)"}}
forcing: {type: pressure_gradient, value: [1, 0, 0.5]}
boundaries: {x: periodic, BOUNDARIES, z: periodic}
initial: {velocity: ["1 + sin(2*pi*z/3)", "0.2*sin(pi*x)*sin(pi*y)", "cos(pi*x)"],
          temperature: "1 + y + 0.3*cos(pi*x)"}
time: {step: 0.02, end: 0.6}
output: {statistics: {every: 1, window: 0.13, spectra: [x, z], budgets: true,
                      quantities: {cT2: "c*T^2", fast: "u > 1"}, phase: {period: 0.2, bins: 3}}}
"""
    WALLS = ("y_min: {type: wall, velocity: [0.3, 0, 0], temperature: 0, scalars: {c: 0, "
             "far_dye: 0}}, y_max: {type: wall, velocity: [-0.3, 0, 0.2], temperature: 1, "
             "slip_length: 0.1, scalars: {c: 0, far_dye: 1}}")

    def test_are_those_of_the_run_as_one(self):
        for number, boundaries in enumerate((self.WALLS, "y: periodic")):
            # In float the mean of v, which is 0, has the round-off of the fields.
            for precision, slack in (("double", 1e-12), ("float", np.finfo(np.float32).eps)):
                run = Run(self.make_run(
                    f"{number}_{precision}", self.CASE.replace("BOUNDARIES", boundaries),
                    f"precision={precision}"))
                windows, whole = list(run.statistics_windows()), run.statistics()
                self.assertEqual(len(windows), 5)
                joined = joined_windows(windows)
                for name in whole:
                    if name.startswith("budget_") and name not in joined:
                        continue
                    with self.subTest(name=name, boundaries=boundaries, precision=precision):
                        self.assertEqual(joined[name].shape, whole[name].shape)
                        np.testing.assert_allclose(joined[name], whole[name], rtol=1e-9,
                                                   atol=slack)
                self.assertTrue({"spectrum_x_c_c", "budget_ww_pressure_strain"} <= set(joined))
                self.assertTrue({"cT2_uncertainty", "fast_uncertainty"} <= set(joined))
                np.testing.assert_allclose(joined.attributes["friction_velocity"],
                                           whole.attributes["friction_velocity"], rtol=1e-12)

    def test_by_phase_add_up_to_those_of_the_run(self):
        run = Run(self.make_run("phases", self.CASE.replace("BOUNDARIES", self.WALLS)))
        phases, whole = run.statistics_phase(), run.statistics()
        np.testing.assert_allclose(phases["phase"], [1 / 6, 1 / 2, 5 / 6])
        self.assertEqual(phases.attributes["period"], 0.2)
        self.assertEqual(phases.axes["uv"], ("phase", "y"))
        self.assertEqual(phases["uv"].shape, (3, 6))
        durations = phases["phase_duration"]
        self.assertAlmostEqual(durations.sum(), 0.58)  # from t = 0.02 on
        for name in ("u", "T", "c", "cT2", "fast", "dissipation"):
            mean = np.average(phases[name], axis=0, weights=durations)
            np.testing.assert_allclose(mean, whole[name], rtol=1e-12, atol=1e-14, err_msg=name)
        scatter = phases["T"] - whole["T"]  # what is not about the mean of the bin
        total = np.average(phases["TT"] + scatter**2, axis=0, weights=durations)
        np.testing.assert_allclose(total, whole["TT"], rtol=1e-10)
        self.assertEqual({*whole} - {*phases}, {name for name in whole if name.startswith(
            ("budget", "spectrum", "correlation", "wavenumber", "separation"))})
        self.assertEqual(phases.to_xarray()["u"].dims, ("phase", "y"))

    def test_budgets_of_all_the_run_are_its_own(self):
        run = Run(self.make_run("budgets", self.CASE.replace("BOUNDARIES", self.WALLS)))
        averages, whole = run.averages(), run.statistics()
        for name in whole:
            np.testing.assert_allclose(averages[name], whole[name], rtol=1e-12, err_msg=name)
        self.assertEqual(averages.attributes["samples"], whole.attributes["samples"])
        self.assertNotIn("budgets", " ".join(averages.notes))
        late = run.averages(first=0.26)
        self.assertNotIn("budget_k_production", late)
        self.assertIn("budgets are left out (budget_k_advection", " ".join(late.notes))
        self.assertNotIn("second order", " ".join(late.notes))
        self.assertTrue(np.isfinite(late["skewness_c"]).all())

    def test_a_missing_array_is_named_with_its_file(self):
        folder = self.make_run("missing", self.CASE.replace("BOUNDARIES", self.WALLS))
        path = list(Run(folder).statistics_windows().paths)[2]
        with h5py.File(path, "r+") as file:
            del file["c_c"]
        ended = run_dns("average", folder)
        self.assertEqual(ended.returncode, 3, ended.stderr)
        self.assertIn(f"{path}: has no c_c", ended.stderr)


class FrictionOfARun(RunsTestCase):
    """The friction velocity that is made of the averages, and of the time series."""

    CASE = """
scheme: projection
grid: {points: [6, 8, 7], length: [2, 1, 3]}
fluid: {reynolds: 20}
boundaries: BOUNDARIES
initial: {velocity: ["sin(2*pi*y) + y + 0.2*x", "0", "0.3*cos(pi*z)*y"]}
time: {step: 0.02, end: 0.4}
"""
    COUETTE = ("{x: periodic, z: periodic, y_min: {type: wall, velocity: [-1, 0, 0]}, "
               "y_max: {type: wall, velocity: [1, 0, 0.5], slip_length: 0.2}}")

    def test_is_that_of_statistics(self):
        for number, (boundaries, settings) in enumerate((
                (self.COUETTE, []),
                (self.COUETTE, ["output.statistics.average=[z]"]),
                (self.COUETTE, ["output.statistics.average=[]"]),
                (self.COUETTE, ["output.statistics.average=[z]", "solids={block: {shape: box, "
                                "min: [0.5, 0, 0], max: [1, 0.3, 3]}}"]),
                ("{x: periodic, y_min: {type: wall}, y_max: {type: symmetry}, "
                 "z_min: {type: wall, velocity: [0.1, 0, 0]}, z_max: {type: wall}}", []),
                ("{x: periodic, y_min: {type: wall}, z: periodic, "
                 "y_max: {type: wall, shear: [0.5, 0, 0]}}", []),
                ('{x: periodic, y_min: {type: wall, velocity: ["sin(t)", 0, 0]}, z: periodic, '
                 "y_max: {type: wall}}", []))):
            run = Run(self.make_run(f"walls{number}", self.CASE.replace("BOUNDARIES", boundaries),
                                    "output.statistics.every=1", *settings))
            whole, found = run.statistics(), joined_windows([run.statistics()])
            with self.subTest(boundaries=boundaries, settings=settings):
                self.assertGreater(whole.attributes["friction_velocity"], 0.01)
                for name in ("friction_velocity", "friction_reynolds"):
                    if name in whole.attributes:
                        self.assertAlmostEqual(found.attributes[name] / whole.attributes[name], 1,
                                               delta=1e-12)
                for name in ("y_plus", "z_plus"):
                    if name in whole:
                        np.testing.assert_allclose(found[name], whole[name], rtol=1e-12)

    def test_of_a_time_series_is_that_of_the_mean_shear(self):
        walls = ('{x: periodic, z: periodic, y_min: {type: wall, velocity: ["sin(20*t)", 0, 0]}, '
                 "y_max: {type: wall}}")
        run = Run(self.make_run("series", self.CASE.replace("BOUNDARIES", walls),
                                "output.timeseries.every=1"))
        averages, series = run.averages(), run.time_series()
        stresses = [np.hypot(*[series[f"wall_shear_{face}_{axis}"][1:].mean() for axis in "xz"])
                    for face in ("y_min", "y_max")]
        found = averages.attributes["friction_velocity"]
        self.assertAlmostEqual(found, np.mean(stresses) ** 0.5, delta=1e-7)
        squares = (series["friction_velocity"][1:] ** 2).mean()
        self.assertGreater(squares / found**2, 1.1)


class AveragesThatWereBegunAnew(RunsTestCase):
    """u = t, from 0 to 2 and on to 4 with another case."""

    CASE = """
scheme: projection
grid: {points: [5, 6, 4]}
fluid: {reynolds: 1000}
forcing: {type: pressure_gradient, value: [1, 0, 0]}
boundaries: {x: periodic, y: periodic, z: periodic}
time: {step: 0.1, end: 2}
output: {statistics: {every: 1}}
"""

    def resume(self, folder, *settings):
        options = [word for setting in settings for word in ("--set", setting)]
        ended = run_dns("resume", folder, "-q", *options)
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_leave_out_those_before(self):
        for window in ([], ["output.statistics.window=0.5"]):
            with self.subTest(window=window):
                folder = self.make_run(f"anew{len(window)}", self.CASE, *window)
                self.resume(folder, "time.end=4", "output.statistics.start=3")
                averages = Run(folder).averages()
                np.testing.assert_allclose(averages["u"], 3.5, rtol=1e-12)
                self.assertAlmostEqual(float(averages.attributes["first_time"]), 3)

    def test_of_another_flow_are_those_of_the_newest(self):
        for window in ([], ["output.statistics.window=0.5"]):
            with self.subTest(window=window):
                folder = self.make_run(f"flow{len(window)}", self.CASE, *window)
                self.resume(folder, "time.end=4", "fluid.reynolds=500")
                averages = Run(folder).averages()
                np.testing.assert_allclose(averages["u"], (2.1 + 4) / 2, rtol=1e-12)
                self.assertIn("fluid.reynolds 1000 -> 500", " ".join(averages.notes))
                ended = run_dns("average", folder)
                self.assertIn("fluid.reynolds 1000 -> 500", ended.stderr)
                before = Run(folder).averages(last=2)
                np.testing.assert_allclose(before["u"], (0.1 + 2) / 2, rtol=1e-12)
                self.assertIn("before it was changed", " ".join(before.notes))

    def test_of_a_time_series_alone_are_those_of_the_newest(self):
        case = self.CASE.replace("{statistics: {every: 1}}", "{timeseries: {every: 1}}")
        folder = self.make_run("series", case)
        self.resume(folder, "time.end=4", "fluid.reynolds=500", "forcing.value=[2,0,0]")
        self.resume(folder, "time.end=6")
        for first, last, mean in ((None, None, (2.2 + 10) / 2), (1, 5, (2.2 + 8) / 2),
                                  (1, 2, (1.1 + 2) / 2), (3, 9, (4.2 + 10) / 2)):
            averages = Run(folder).averages(first, last)
            self.assertAlmostEqual(averages.attributes["bulk_velocity_x"], mean)
            self.assertEqual("fluid.reynolds 1000 -> 500" in " ".join(averages.notes), mean > 5 and
                             first != 3)

    def test_of_a_flow_that_came_back_are_the_last_ones(self):
        folder = self.make_run("back", self.CASE, "output.statistics.window=0.5")
        self.resume(folder, "time.end=4", "fluid.reynolds=500")
        self.resume(folder, "time.end=6", "fluid.reynolds=1000")
        averages = Run(folder).averages()
        np.testing.assert_allclose(averages["u"], (4.1 + 6) / 2, rtol=1e-12)
        self.assertIn("windows before end at 2", " ".join(averages.notes))
        with self.assertRaisesRegex(ValueError, "do not join"):
            Run(folder).averages(1, 6)

    def test_of_a_branch_are_its_own(self):
        folder = self.make_run("trunk", self.CASE, "output.statistics.window=0.5")
        branch = self.scratch / "branch"
        ended = run_dns("resume", folder, "-o", branch, "-q", "--set", "time.end=3", "--set",
                        "fluid.reynolds=500")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        averages = Run(branch).averages()
        np.testing.assert_allclose(averages["u"], (2.1 + 3) / 2, rtol=1e-12)

    def test_other_settings_than_of_the_flow_change_nothing(self):
        folder = self.make_run("same", self.CASE, "output.statistics.window=0.5")
        self.resume(folder, "time.end=4", "time.step=0.05", "output.statistics.every=2",
                    "output.timeseries.every=2")
        averages = Run(folder).averages()
        np.testing.assert_allclose(averages["u"], (0.1 + 4) / 2, rtol=1e-12)
        self.assertNotIn("case", " ".join(averages.notes))


class DifferencesOfCases(unittest.TestCase):
    """Which keys separate averages."""

    CASE = """scheme: projection
device: cpu
fluid:
  reynolds: 100
temperature: {reference: 7}
scalars: {salt: {prandtl: 1, reference: 8}}
initial:
  velocity: [0, 0, 0]
boundaries:
  x: periodic
  y_min: {type: wall, velocity: ["sin(t)", 0, 0]}
  y_max: {type: inflow, path: one.h5, content: abc}
solids:
  ball: {radius: 1, reference: {area: 3}}
output:
  statistics: {every: 1, window: 2}
"""

    def test_are_those_of_the_flow_and_of_averaging(self):
        for before, now, words in (
                ("reynolds: 100", "reynolds: 50", "fluid.reynolds 100 -> 50"),
                ("x: periodic", "x: symmetry", "boundaries.x periodic -> symmetry"),
                ("sin(t)", "cos(t)", "boundaries.y_min.velocity ['sin(t)', 0, 0] -> "
                                     "['cos(t)', 0, 0]"),
                ("abc", "def", "boundaries.y_max.content abc -> def"),
                ("radius: 1", "radius: 2", "solids.ball.radius 1 -> 2"),
                ("solids:\n  ball: {radius: 1, reference: {area: 3}}\n", "", "solids {..} -> none"),
                ("window: 2", "window: 3", "output.statistics.window 2 -> 3"),
                (", window: 2", "", "output.statistics.window 2 -> none"),
                ("device: cpu", "device: cuda", ""),
                ("velocity: [0, 0, 0]", "velocity: [1, 0, 0]", ""),
                ("sin(t)", "sin( t )", ""), ("one.h5", "two.h5", ""), ("area: 3", "area: 4", ""),
                ("reference: 7", "reference: 1", ""), ("temperature: {reference: 7}\n", "", ""), ("reference: 8", "reference: 1", ""),
                ("prandtl: 1", "prandtl: 2", "scalars.salt.prandtl 1 -> 2"),
                ("every: 1", "every: 2", ""), ("reynolds: 100", "reynolds: 100.0", "")):
            one, other = (parse_case(text)
                          for text in (self.CASE, self.CASE.replace(before, now, 1)))
            self.assertEqual(words_of(differences_of_averages(one, other)), words)


class MeansOfSeries(unittest.TestCase):
    """In pictures of the time series, and in scripts/validate."""

    def test_of_straight_lines_are_exact(self):
        time = np.cumsum(np.resize([0.1, 0.3, 0.2], 60))
        mean, half = curves.mean_and_uncertainty(time, 2 + 3 * time, 4.05)
        self.assertAlmostEqual(mean, 2 + 3 * (4.05 + time[-1]) / 2)
        self.assertTrue(np.isnan(half))  # it drifts

    def test_have_intervals_that_hold(self):
        time, signals = np.arange(500.0), correlated(500, 400, 0.9)
        found = [curves.mean_and_uncertainty(time, signal, 99.5) for signal in signals.T]
        share = np.mean([abs(mean) < half for mean, half in found])
        self.assertTrue(0.92 < share < 0.99, share)

    def test_the_mean_is_said_where_it_is_known(self):
        time = np.linspace(0, 100, 2001)
        noise = correlated(2001, 1, 0.9)[:, 0]
        words = history.words_of_mean(time, 5 + noise, 50)
        self.assertRegex(words, r"^mean \$[45]\.\d+ \\pm 0\.\d+\$$")
        self.assertEqual(history.words_of_mean(time, 5 + time, 50), "")
        self.assertEqual(history.words_of_mean(time, 0 * time, 50), "")


if __name__ == "__main__":
    unittest.main()
