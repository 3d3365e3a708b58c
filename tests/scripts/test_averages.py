"""`dns average`: windows joined, and 95 % uncertainty."""
import json
import pathlib
import shutil
import unittest

from small_runs import PROJECTION, RunsTestCase, run_dns

import h5py
import numpy as np
from matplotlib import pyplot

from channel_profiles import uncertainties_of
from dnsflow import ArrayFile, Run, RunFileError, uncertainty_of_mean
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
        for freedom, factor in ((1.2, 8.6488), (1.5, 6.0167), (7, 2.3646), (9, 2.2622), (19, 2.0930),
                                (100, 1.9840)):
            self.assertAlmostEqual(student_factor(freedom) / factor, 1, delta=0.012)


STEPS = ("time.steps=40", "output.fields.every=0", "output.statistics.window=4e-3",
         "fluid.reynolds=10")


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

    def test_times_between_edges_are_refused_with_the_nearest(self):
        self.average("--from", "0.004", "--to", "0.036")
        for options, words in ((("--from", "0.005"), "the nearest edges are 0.004 and 0.008"),
                               (("--to", "0.0383"), "the nearest edges are 0.036 and 0.04"),
                               (("--from", "0.02", "--to", "0.012"), "no window of time from"),
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

    def averages_without(self, name, remove):
        """Those of a copy of the run, one file of which lacks something, as pictures take them."""
        folder = self.scratch / "damaged"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.folder, folder)
        with h5py.File(folder / name, "r+") as file:
            remove(file)
        return selection.averages_between(Run(folder), None)

    def test_what_a_file_lacks_is_an_error_with_its_name(self):
        whole, window = "statistics.h5", self.window_of_run()
        for name in ("u", "uu", "y_faces"):
            with self.assertRaisesRegex(RunFileError, f"damaged/{whole}.* {name}"):
                profiles.draw(self.averages_without(
                    whole, lambda file, name=name: file.__delitem__(name)))
        with self.assertRaisesRegex(RunFileError, f"damaged/{whole}.* samples"):
            profiles.draw(self.averages_without(whole, lambda file: file.attrs.pop("samples")))
        with self.assertRaisesRegex(RunFileError, f"damaged/{window}.* friction_velocity"):
            self.averages_without(window, lambda file: file.attrs.pop("friction_velocity"))

    def test_an_interval_that_a_window_does_not_give_is_left_out(self):
        averages = self.averages_without(self.window_of_run(), lambda file: file.__delitem__("vv"))
        self.assertIn("uu_uncertainty", averages)
        self.assertNotIn("vv_uncertainty", averages)
        found = uncertainties_of(averages, 1 / averages.case["fluid"]["reynolds"])
        self.assertEqual(set(found), {"U", "u", "w", "uv", "p"})

    def window_of_run(self):
        """The name of a window that is not the first."""
        return sorted(path.name for path in self.folder.glob("statistics_*.h5"))[2]


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

    def test_leave_out_those_before(self):
        for window in ([], ["output.statistics.window=0.5"]):
            with self.subTest(window=window):
                folder = self.make_run(f"anew{len(window)}", self.CASE, *window)
                ended = run_dns("resume", folder, "-q", "--set", "time.end=4",
                                "--set", "output.statistics.start=3")
                self.assertEqual(ended.returncode, 0, ended.stderr)
                averages = Run(folder).averages()
                np.testing.assert_allclose(averages["u"], 3.5, rtol=1e-12)
                self.assertAlmostEqual(float(averages.attributes["first_time"]), 3)

    def test_of_another_flow_are_those_of_the_newest(self):
        folder = self.make_run("flow", self.CASE)
        ended = run_dns("resume", folder, "-q", "--set", "time.end=4", "--set", "fluid.reynolds=500")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        np.testing.assert_allclose(Run(folder).averages()["u"], (2.1 + 4) / 2, rtol=1e-12)


class MeansOfSeries(unittest.TestCase):
    """In pictures of the time series."""

    def test_the_mean_is_said_where_it_is_known(self):
        time = np.linspace(0, 100, 2001)
        noise = correlated(2001, 1, 0.9)[:, 0]
        words = history.words_of_mean(time, 5 + noise, 50)
        self.assertRegex(words, r"^mean \$[45]\.\d+ \\pm 0\.\d+\$$")
        self.assertEqual(history.words_of_mean(time, 5 + time, 50), "")
        self.assertEqual(history.words_of_mean(time, 0 * time, 50), "")


if __name__ == "__main__":
    unittest.main()
