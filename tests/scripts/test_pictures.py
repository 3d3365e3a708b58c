"""The figures behind the pictures: profiles in wall units, what is left out."""
import math
import re
import unittest

from small_runs import PROJECTION, RunsTestCase

import numpy as np
from matplotlib import pyplot
from matplotlib.quiver import Quiver

import channel_profiles
from dnsflow import Run
from pictures import history, maps, profiles, slices, spectra


class SpectraOfAverages(RunsTestCase):
    """The same flow, which hardly changes in four steps of 1e-3."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.averages = Run(cls.make_run("averaged_waves", PROJECTION,
                                        "output.statistics.spectra=[x, z]",
                                        "fluid.reynolds=1e6")).statistics()

    def test_axes_have_names(self):
        axes = self.averages.axes
        self.assertEqual(axes["spectrum_x_uu"], ("y", "wavenumber_x"))
        self.assertEqual(axes["spectrum_z_uu"], ("wavenumber_z", "y"))
        self.assertEqual(axes["correlation_x_TT"], ("y", "separation_x"))
        self.assertEqual(axes["wavenumber_x"], ("wavenumber_x",))

    def test_waves_stand_at_their_wavenumbers(self):
        spectrum, k = self.averages["spectrum_z_uu"], self.averages["wavenumber_z"]
        y = self.averages["y"]
        np.testing.assert_allclose(spectrum[2] * k[1], y ** 2 / 2, atol=5e-3)
        self.assertAlmostEqual(k[2], 4)
        np.testing.assert_allclose(spectrum.sum(axis=0) * k[1], self.averages["uu"], atol=1e-14)
        correlation, r = self.averages["correlation_z_uu"], self.averages["separation_z"]
        np.testing.assert_allclose(correlation, np.cos(4 * r)[:, None] * y ** 2 / 2, atol=1e-2)

    def test_are_drawn_in_place_of_those_of_a_snapshot(self):
        k, energy, _ = spectra.averaged_spectra_of(self.averages)["x"]
        self.assertAlmostEqual(k[energy[2].argmax()], 3)
        self.assertAlmostEqual(energy[2].max() * k[0], 0.25 / 2, delta=5e-3)
        figure = spectra.draw_averages(self.averages, [-0.7, 0.7])
        self.addCleanup(pyplot.close, figure)
        self.assertEqual([axes.get_xlabel() for axes in figure.axes],
                         ["", "", "$\\lambda_x/L$", "$\\lambda_z/L$"])
        # Waves of u along z of wavenumber 4 have a variance of y^2/2, in a band of 2.
        y = self.averages["y"]
        for axes, place in zip(figure.axes[1::2], (-0.7, 0.7)):
            curve = next(line for line in axes.get_lines() if "uu" in line.get_label())
            near = y[np.abs(y - place).argmin()]
            self.assertIn(f"{near:.3g}", axes.get_title())
            peak = curve.get_ydata().argmax()
            self.assertAlmostEqual(curve.get_xdata()[peak], 2 * np.pi / 4)
            self.assertAlmostEqual(curve.get_ydata()[peak], 4 * near**2 / 2 / 2, delta=5e-3)
            self.assertGreaterEqual(axes.get_ylim()[1], curve.get_ydata().max())

    def test_a_periodic_box_has_one_over_shells_too(self):
        box = PROJECTION[:PROJECTION.index("  stretching")] + PROJECTION[PROJECTION.index("fluid"):]
        box = box.replace("  y_min: {type: wall, temperature: 1.0}\n", "  y: periodic\n").replace(
            "  y_max: {type: wall, temperature: 2.0}\n", "")
        averages = Run(self.make_run("box", box, "output.statistics.average=[x, y, z]",
                                     "output.statistics.spectra=[x, y, z]")).statistics()
        self.assertEqual(averages.axes["spectrum_k"], ("wavenumber",))
        half = sum(averages[name] + averages[name[0]] ** 2 for name in ("uu", "vv", "ww")) / 2
        dk = averages["wavenumber"][1]
        np.testing.assert_allclose(averages["spectrum_k"].sum() * dk, half, rtol=1e-12)
        figure = spectra.draw_averages(averages)
        self.addCleanup(pyplot.close, figure)
        self.assertEqual(figure.axes[-1].get_xlabel(), "$k L$")


class Averages(dict):
    """Stands for statistics.h5."""

    attributes = {}
    case = {}


def laminar_channel(stream, normal, span, reynolds):
    """Averages of (1 - y^2)/2 Re G, G = 2/Re: u_tau = sqrt(2/Re), nothing fluctuates."""
    faces = np.tanh(np.linspace(-1.5, 1.5, 65)) / math.tanh(1.5)
    y = (faces[1:] + faces[:-1]) / 2
    zero = np.zeros_like(y)
    axis = {"u": "x", "v": "y", "w": "z"}[normal]
    averages = Averages({axis: y, f"{axis}_faces": faces, stream: 1 - y**2, normal: zero,
                         span: zero, "pp": zero})
    for one in "uvw":
        averages.update({"".join(sorted(one + other)): zero for other in "uvw"})
    averages.attributes = {"friction_velocity": math.sqrt(2 / reynolds)}
    averages.case = {"boundaries": {f"{axis}_min": {"velocity": [0, 0, 0]}}}
    return averages


class ChannelProfiles(unittest.TestCase):
    """Profiles in wall units of a laminar flow, whose stresses are known."""

    def test_viscous_stress_balances_the_force_along_any_axes(self):
        reynolds = 50
        for directions in (("u", "v", "w"), ("w", "v", "u"), ("v", "u", "w"), ("u", "w", "v")):
            averages = laminar_channel(*directions, reynolds)
            found = channel_profiles.profiles_of(averages, 1 / reynolds, *directions)
            y_plus, total = found["total"]
            np.testing.assert_allclose(total, found["balance"][1], atol=2e-3)  # order 2
            u_tau = math.sqrt(2 / reynolds)
            distance = y_plus / (u_tau * reynolds)
            np.testing.assert_allclose(found["U"][1], distance * (2 - distance) / u_tau)
            self.assertEqual(np.abs(found["u"][1]).max(), 0)

    def test_a_flow_against_the_axis_gives_the_same_profiles(self):
        averages = laminar_channel("u", "v", "w", 50)
        forward = channel_profiles.profiles_of(averages, 1 / 50)
        averages["u"] = -averages["u"]
        backward = channel_profiles.profiles_of(averages, 1 / 50)
        for name, (_, values) in forward.items():
            np.testing.assert_allclose(backward[name][1], values, atol=1e-15)

    def test_profiles_are_those_against_the_walls(self):
        averages = laminar_channel("u", "v", "w", 50)
        at_rest = channel_profiles.profiles_of(averages, 1 / 50)
        averages["u"] = averages["u"] - 0.75
        averages.case = {"boundaries": {"y_min": {"velocity": [-0.75, 0, 0]}}}
        moving = channel_profiles.profiles_of(averages, 1 / 50)
        for name, (_, values) in at_rest.items():
            np.testing.assert_allclose(moving[name][1], values, atol=1e-14)

    def test_slip_adds_a_velocity_and_leaves_the_stresses(self):
        averages = laminar_channel("u", "v", "w", 50)
        at_rest = channel_profiles.profiles_of(averages, 1 / 50)
        averages["u"] = averages["u"] + 2 * 0.05  # l du/dn
        averages.case = {"boundaries": {"y_min": {"velocity": [0, 0, 0], "slip_length": 0.05}}}
        slipping = channel_profiles.profiles_of(averages, 1 / 50)
        np.testing.assert_allclose(slipping["U"][1], at_rest["U"][1] + 0.1 / math.sqrt(2 / 50))
        np.testing.assert_allclose(slipping["total"][1], slipping["balance"][1], atol=2e-3)

    def test_references_satisfy_the_balance_of_stresses(self):
        y_plus, stress = channel_profiles.fd2()["uv"]
        mean_y, mean = channel_profiles.fd2()["U"]
        slope = np.gradient(mean, mean_y)
        balance = np.interp(mean_y, y_plus, stress) + slope - (1 - mean_y / 180)
        self.assertLess(np.abs(balance[mean_y > 10]).max(), 5e-3)


class PicturesOfAverages(RunsTestCase):
    """Which picture statistics.h5 gets."""

    def draw(self, name, *settings):
        figure = profiles.draw(Run(self.make_run(name, PROJECTION, *settings)).statistics())
        self.addCleanup(pyplot.close, figure)
        return figure, [axes for axes in figure.axes if axes.get_title(loc="left").startswith("(")]

    def test_a_flow_between_walls_is_drawn_in_wall_units(self):
        figure, panels = self.draw("channel", 'initial.velocity=["0", "0", "y^2 - 1"]')
        # u_tau^2 = nu |dw/dy| = 2 nu, nu = 1/100; the slope of the differences is near.
        reynolds = float(re.search(r"Re_\\tau = ([0-9.]+)", figure._suptitle.get_text())[1])
        self.assertAlmostEqual(reynolds, 100 * math.sqrt(0.02), delta=0.5)
        self.assertEqual([axes.get_xlabel() for axes in panels], 3 * ["$y^+$"] + ["temperature$\\,/\\,T_0$"])
        y_plus, mean = panels[0].get_lines()[0].get_data()
        np.testing.assert_allclose(mean[0], y_plus[0], rtol=0.1)  # U+ = y+ at the wall

    def test_a_channel_in_a_moving_frame_is_drawn_likewise(self):
        _, panels = self.draw("channel_in_a_frame", 'initial.velocity=["0", "0", "y^2 - 1.5"]',
                              "boundaries.y_min.velocity=[0, 0, -0.5]",
                              "boundaries.y_max.velocity=[0, 0, -0.5]")
        y_plus, mean = panels[0].get_lines()[0].get_data()
        np.testing.assert_allclose(mean[0], y_plus[0], rtol=0.1)

    def test_a_flow_at_rest_on_the_average_is_drawn_over_the_height(self):
        _, panels = self.draw("layer")
        self.assertEqual(panels[0].get_ylabel(), "$y/L$")
        self.assertEqual(len(panels), 3)  # velocity, fluctuations, temperature

    def test_averages_over_one_axis_are_maps(self):
        figure, _ = self.draw("maps", "output.statistics.average=[x]")
        titles = {axes.get_title() for axes in figure.axes}
        self.assertLessEqual({"$\\overline{u}/U$", "$\\overline{T}/T_0$"}, titles)


class SecondaryFlow(RunsTestCase):
    """Means in the plane of a duct as vectors."""

    DUCT = """
case: duct
scheme: projection
device: cpu
grid:
  points: [8, 11, 14]
  length: [2.0, 2.0, 3.141592653589793]
  origin: [0.0, -1.0, 0.0]
  stretching: {y: {type: tanh, factor: 1.5}}
fluid: {reynolds: 100}
boundaries:
  x: periodic
  y_min: {type: wall}
  y_max: {type: wall}
  z_min: {type: wall}
  z_max: {type: wall}
initial:
  velocity:
    - "1 - y^2"
    - "0.05*sin(2*z)*(1 - y^2)^2"
    - "-0.1*y*(1 - y^2)*(1 - cos(2*z))"
time: {step: 1.0e-3, steps: 2}
output:
  statistics: {start: 0, every: 1, average: [x]}
"""

    def draw(self, name, *settings):
        averages = Run(self.make_run(name, self.DUCT, *settings)).statistics()
        figure = profiles.draw(averages)
        self.addCleanup(pyplot.close, figure)
        return averages, {axes.get_title().split(",")[0]: axes for axes in figure.axes}

    def test_vectors_are_the_mean_velocities_at_their_places(self):
        averages, panels = self.draw("duct")
        arrows = panels["$\\overline{u}/U$"].findobj(Quiver)[0]
        places = averages["z"], averages["y"]
        right, up = (np.unique(part) for part in (arrows.X, arrows.Y))
        np.testing.assert_allclose(np.diff(right), np.diff(right)[0])
        expected = maps.interpolated(places, averages["v"].T, right, up)  # stored (z, y)
        np.testing.assert_allclose(arrows.V, expected.ravel(), atol=1e-15)
        self.assertGreater(np.abs(arrows.U).max(), 0.01)
        for name, axes in panels.items():
            if "overline{u}" not in name:
                self.assertEqual(axes.findobj(Quiver), [], name)

    def test_interpolation_is_exact_for_planes(self):
        x, y = np.array([0, 1, 3.0]), np.array([0, 2, 3, 7.0])
        values = 1 + 2 * x - 3 * y[:, np.newaxis]
        right, up = np.array([0.5, 2]), np.array([1, 2.5, 6])
        np.testing.assert_allclose(maps.interpolated((x, y), values, right, up),
                                   1 + 2 * right - 3 * up[:, np.newaxis])

    def test_a_flow_that_is_as_fast_in_the_plane_has_maps_alone(self):
        _, panels = self.draw("swirl", 'initial.velocity=["0.1*(1 - y^2)", '
                              '"sin(2*z)*(1 - y^2)^2", "-2*y*(1 - y^2)*(1 - cos(2*z))"]')
        for axes in panels.values():
            self.assertEqual(axes.findobj(Quiver), [])


class SpectraOfSnapshots(RunsTestCase):
    """What they are means over, and k^(-5/3) where they fall so."""

    def test_a_range_that_falls_so_is_found(self):
        k = np.arange(1, 65.0)
        energy = k ** (-5 / 3) * np.exp(-((k / 30) ** 4))
        first, last = spectra.inertial_range(k, energy)
        self.assertLessEqual(first, 4)  # three wavenumbers make a slope
        self.assertTrue(10 < last < 30, last)

    def test_other_slopes_have_none(self):
        k = np.arange(1, 65.0)
        for energy in (k**-3, k**-1, np.exp(-k), np.ones(64), np.eye(64)[3]):
            self.assertIsNone(spectra.inertial_range(k, energy))

    def test_channels_have_no_law_and_say_what_they_are_means_over(self):
        flow = Run(self.make_run("spectra", PROJECTION)).snapshot()
        figure = spectra.draw(flow)
        self.addCleanup(pyplot.close, figure)
        self.assertEqual([axes.get_title() for axes in figure.axes],
                         ["mean over y and z", "mean over x and y"])
        for axes in figure.axes:
            self.assertNotIn("$k^{-5/3}$", [line.get_label() for line in axes.get_lines()])
        self.assertFalse(spectra.is_homogeneous(flow.case))

    def test_a_periodic_box_has_the_law_where_its_spectra_fall_so(self):
        k = np.arange(1, 65.0)
        energy = np.array([k ** (-5 / 3), 2 * k ** (-5 / 3), k ** (-5 / 3)])
        figure, axes = pyplot.subplots()
        self.addCleanup(pyplot.close, figure)
        spectra.draw_axis(axes, "x", k, energy, 1, may_be_inertial=True)
        law = next(line for line in axes.get_lines() if line.get_label() == "$k^{-5/3}$")
        slope = np.diff(np.log(law.get_ydata())) / np.diff(np.log(law.get_xdata()))
        np.testing.assert_allclose(slope, -5 / 3)
        self.assertTrue((law.get_ydata() > energy[1][np.isin(k, law.get_xdata())]).all())


class Panels(unittest.TestCase):
    """Numbers below every panel."""

    def test_every_row_has_numbers(self):
        time = np.linspace(0, 1, 5)
        rising = {name: 1 + time for name in ("kinetic_energy", "dissipation", "cfl",
                                              "friction_velocity", "temperature_mean")}
        figure = history.draw({"step": np.arange(5), "time": time, **rising})
        self.addCleanup(pyplot.close, figure)
        figure.canvas.draw()
        self.assertEqual(len(figure.axes), 5)
        has_numbers = [any(tick.label1.get_visible() for tick in axes.xaxis.get_major_ticks())
                       for axes in figure.axes]
        self.assertEqual(has_numbers, [True] * 5)


class WhatIsLeftOut(unittest.TestCase):
    """Panels of the time series without news."""

    def test_constant_and_negligible_columns(self):
        time = np.linspace(0, 1, 5)
        series = {"time": time, "kinetic_energy": 1 + time, "cfl": np.full(5, 0.3),
                  "bulk_velocity_x": 1 + time, "bulk_velocity_y": 1e-5 * time}
        self.assertEqual(history.curves_of(series, "cfl"), {})
        self.assertEqual(list(history.curves_of(series, "bulk_velocity_")), ["bulk_velocity_x"])
        series["bulk_velocity_x"], series["bulk_velocity_y"] = 1e-17 * time, -1e-17 * time
        self.assertEqual(history.curves_of(series, "bulk_velocity_"), {})

    def test_signed_values_have_zero_in_the_middle_of_their_colours(self):
        for values in ([-1.0, 3.0], [-3.0, 1.0]):
            chosen = slices.colours(np.array(values), True)
            self.assertEqual((chosen["vmin"], chosen["vmax"]), (-max(np.abs(values)),
                                                                max(np.abs(values))))
        chosen = slices.colours(np.array([-1.0, 3.0]), False)
        self.assertEqual((chosen["vmin"], chosen["vmax"]), (-1, 3))

    def test_values_that_are_not_finite_do_not_count(self):
        chosen = slices.colours(np.array([1.0, np.nan, np.inf, 3.0]), False)
        self.assertEqual((chosen["vmin"], chosen["vmax"]), (1, 3))


if __name__ == "__main__":
    unittest.main()
