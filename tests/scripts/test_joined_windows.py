"""Windows of time joined: the averages of known signals over all the time."""
import unittest

from small_runs import RunsTestCase

import h5py
import numpy as np

from dnsflow import ArrayFile, RunFileError
from dnsflow.joined_windows import joined_windows
from dnsflow.uncertainty import uncertainty_of_mean
from window_files import LENGTH, Signals

EDGES = (0, 20, 23, 60)
# No scalar's name may begin with another's and `_`; letters may be the same.
SCALARS = ("c", "cc", "salt", "sal", "far_dye")
PLACES = (((5, 4, 6), ""), ((5, 7, 4), "y"), ((6, 5, 3), "zy"), ((4, 5, 3), "zyx"))


class WindowsOfSignals(RunsTestCase):
    def windows(self, signals, edges=EDGES, dtype=float, without=None):
        """Files of the samples between edges; without: number of a window -> arrays it lacks."""
        return [ArrayFile(signals.write(self.scratch / f"window_{number}.h5", *part, dtype,
                                        (without or {}).get(number, ())), "dns statistics")
                for number, part in enumerate(zip(edges, edges[1:]))]

    def whole(self, signals):
        return {name: values for name, (_, values) in signals.averages(EDGES[0], EDGES[-1]).items()}


class Joined(WindowsOfSignals):
    """Every average: means, covariances, spectra, correlations, skewness, flatness."""

    def test_windows_are_the_averages_of_all_the_time(self):
        for dtype, slack in ((float, 1e-13), (np.float32, 2e-6)):
            for points, kept in PLACES:
                signals = Signals(points, kept, ("c",) if kept else SCALARS, spectra=True)
                joined = joined_windows(self.windows(signals, dtype=dtype))
                for name, values in self.whole(signals).items():
                    if name.startswith("budget_") or name == "y_plus":
                        continue
                    with self.subTest(name=name, kept=kept, dtype=dtype):
                        self.assertEqual(joined[name].shape, values.shape)
                        scale = max(1, np.abs(values).max())
                        np.testing.assert_allclose(joined[name], values, atol=slack * scale)

    def test_scalars_of_any_name_have_the_scatter_between_windows(self):
        signals = Signals((5, 4, 6), "", SCALARS)
        time = np.arange(60.0)
        for name in SCALARS:
            signals.fields[name] = np.broadcast_to(time[:, None, None, None], (60, 6, 4, 5))
        signals.fields["u"] = signals.fields["c"]
        joined = joined_windows(self.windows(signals))
        for name in ("uu", "c_c", "cc_cc", "salt_salt", "sal_sal", "far_dye_far_dye", "u_c",
                     "u_cc", "u_far_dye"):
            np.testing.assert_allclose(joined[name], (60**2 - 1) / 12, rtol=1e-13, err_msg=name)

    def test_spectra_add_up_to_the_variance(self):
        for points, kept in PLACES[:3]:
            signals = Signals(points, kept, ("c", "far_dye"), spectra=True)
            joined = joined_windows(self.windows(signals))
            for axis in set("xyz") - set(kept):
                step = 2 * np.pi / LENGTH[axis]
                for square in ("uu", "vv", "ww", "pp", "TT", "c_c", "far_dye_far_dye"):
                    name = f"spectrum_{axis}_{square}"
                    place = joined.axes[name].index(f"wavenumber_{axis}")
                    total = joined[name].sum(axis=place) * step
                    np.testing.assert_allclose(total.ravel(), joined[square].ravel(), rtol=1e-13)
                    name = f"correlation_{axis}_{square}"
                    np.testing.assert_allclose(joined[name].take(0, axis=place).ravel(),
                                               joined[square].ravel(), rtol=1e-13)

    def test_uncertainties_count_the_scatter(self):
        signals = Signals((3, 4, 3), "y", ("c",))
        edges = np.arange(0, 61, 5)
        windows = self.windows(signals, edges)
        joined = joined_windows(windows)
        apart = [window["c"] - joined["c"] for window in windows]
        values = [window["c_c"] + one**2 for window, one in zip(windows, apart)]
        np.testing.assert_allclose(joined["c_c_uncertainty"],
                                   uncertainty_of_mean(values, np.diff(edges))[1], rtol=1e-12)

    def test_moments_of_a_window_that_does_not_vary_count_as_none(self):
        signals = Signals((3, 4, 3), "y")
        signals.fields["u"][20:23] = 1.5
        windows = self.windows(signals)
        self.assertTrue(np.isnan(windows[1]["skewness_u"]).all())
        joined, whole = joined_windows(windows), self.whole(signals)
        for name in ("skewness_u", "flatness_u"):
            np.testing.assert_allclose(joined[name], whole[name], rtol=1e-12)
        signals.fields["u"][:] = 1.5
        joined = joined_windows(self.windows(signals))
        self.assertTrue(np.isnan(joined["flatness_u"]).all())

    def test_budgets_are_there_where_they_are_means(self):
        box = joined_windows(self.windows(Signals((5, 4, 6))))
        whole = self.whole(Signals((5, 4, 6)))
        for name in ("budget_uu_production", "budget_uu_pressure_strain", "budget_uu_residual"):
            np.testing.assert_allclose(box[name], whole[name], rtol=1e-12)
        self.assertNotIn("budgets", " ".join(box.notes))

        signals = Signals((5, 4, 6), "y")
        between = joined_windows(self.windows(signals))
        self.assertFalse([name for name in between if name.startswith("budget_")])
        self.assertIn("budgets are left out (budget_uu_pressure_strain, budget_uu_production, "
                      "budget_uu_residual)", " ".join(between.notes))
        self.assertIn("second order", " ".join(between.notes))  # v is at faces in a run
        signals.fields["v"] *= 0
        steady = joined_windows(self.windows(signals))
        self.assertNotIn("second order", " ".join((*steady.notes, *box.notes)))
        self.assertIn("budget_uu_pressure_strain", steady)
        self.assertNotIn("budget_uu_production", steady)
        one = joined_windows(self.windows(signals)[:1])
        self.assertIn("budget_uu_production", one)

    def test_a_window_that_lacks_an_array_is_named(self):
        signals = Signals((3, 4, 3), "y", ("c",))
        for number in (0, 2):
            with self.assertRaisesRegex(RunFileError, rf"window_{number}\.h5: has no uv, which"):
                joined_windows(self.windows(signals, without={number: ("uv",)}))

    def test_an_array_that_lacks_an_axis_is_named(self):
        windows = self.windows(Signals((3, 4, 3), "y"))
        for window in windows:
            with h5py.File(window.path, "r+") as file:
                del file["uu"]
                file["uu"] = [1.0]
        with self.assertRaisesRegex(RunFileError, r"window_0\.h5: uu lacks an axis of u"):
            joined_windows([ArrayFile(window.path, "dns statistics") for window in windows])


class Friction(WindowsOfSignals):
    """Walls of the signals move: u = -1/2 at the low one; u = 1/2, w = 1/4 at the high one, which
    slips by 0.1.
    """

    WALLS = ((0, (-0.5, 0), 0), (-1, (0.5, 0.25), 0.1))

    def stress(self, signals, means):
        """The mean magnitude of nu dV/dn of both walls, V relative to the wall."""
        faces = signals.faces("y")
        return np.mean([np.hypot(*[means[name][end] - speed for name, speed in zip("uw", speeds)])
                        / (abs(faces[end] - (faces[1:] + faces[:-1])[end] / 2) + slip)
                        for end, speeds, slip in self.WALLS]) / signals.reynolds

    def test_is_that_of_the_mean_shear(self):
        signals = Signals((5, 7, 4), "y")
        joined, whole = joined_windows(self.windows(signals)), self.whole(signals)
        u_tau = self.stress(signals, whole) ** 0.5
        self.assertAlmostEqual(joined.attributes["friction_velocity"], u_tau, delta=1e-13)
        np.testing.assert_allclose(joined["y_plus"], whole["y_plus"] * u_tau * signals.reynolds,
                                   rtol=1e-12)

    def test_shear_that_changes_sign_cancels(self):
        signals = Signals((5, 7, 4), "y")
        time = np.arange(60.0)
        signals.fields["u"][:, :, 0] = -0.5 + np.where(time < 20, -1, 1)[:, None, None]
        signals.fields["u"][:, :, -1] = 0.5
        for end, speed in ((0, 0), (-1, 0.25)):
            signals.fields["w"][:, :, end] = speed
        joined = joined_windows(self.windows(signals))
        distance = signals.faces("y")[1] / 2
        exact = (1 / 3 / distance / signals.reynolds / 2) ** 0.5
        self.assertAlmostEqual(joined.attributes["friction_velocity"], exact, delta=1e-13)

    def test_of_walls_over_two_axes_is_the_mean_over_them(self):
        signals = Signals((6, 5, 3), "zy")
        joined, whole = joined_windows(self.windows(signals)), self.whole(signals)
        widths = np.diff(signals.faces("z"))
        stress = np.average([self.stress(signals, {name: whole[name][place] for name in "uw"})
                             for place in range(3)], weights=widths)
        self.assertAlmostEqual(joined.attributes["friction_velocity"], stress**0.5, delta=1e-13)

    def test_has_the_uncertainty_of_the_stress(self):
        signals = Signals((3, 4, 3), "y")
        for name in "uw":  # far from 0: the direction of the shear is steady
            signals.fields[name] += 5000
        edges = np.arange(0, 61, 5)
        windows = self.windows(signals, edges)
        joined = joined_windows(windows)
        stress, half, _ = uncertainty_of_mean([self.stress(signals, window) for window in windows],
                                              np.diff(edges))
        self.assertAlmostEqual(joined.attributes["friction_velocity_uncertainty"]
                               / (half / (2 * stress**0.5)), 1, delta=0.01)

    def test_there_is_none_without_walls(self):
        joined = joined_windows(self.windows(Signals((5, 4, 6))))
        self.assertNotIn("friction_velocity", joined.attributes)


if __name__ == "__main__":
    unittest.main()
