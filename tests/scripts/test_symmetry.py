"""When pictures average both halves of a channel, and what titles say where they do not."""
import math
import re
import unittest

from small_runs import PROJECTION

import numpy as np
from matplotlib import pyplot

import channel_profiles
from dnsflow import Run
from pictures import budgets, correlations, layers, moments, profiles, spectra, symmetry
from test_layers import REYNOLDS, WALL, AnyChannel, LayersTestCase

PICTURES = {"profiles": profiles.draw, "budgets": budgets.draw, "moments": moments.draw,
            "spectra": spectra.draw_averages, "correlations": correlations.draw}
NARROW = 1e-4  # half of a 95 % interval [U]


def channel(stream="u", normal="v", span="w", low=(), high=(), **sections):
    """AnyChannel with spectra and correlations along x, more conditions at its walls, and other
    sections of the case."""
    flow = AnyChannel(stream, normal, span)
    waves, cells = np.arange(6.0), len(flow[flow.axis])
    flow.update({"wavenumber_x": waves, "separation_x": waves})
    for square in ("uu", "vv", "ww"):
        flow[f"spectrum_x_{square}"] = np.tile(np.exp(-waves), (cells, 1))
        flow[f"correlation_x_{square}"] = np.tile(np.cos(waves), (cells, 1))
    flow.case = {**flow.case, **sections, "boundaries": {
        **flow.case["boundaries"], f"{flow.axis}_min": {**WALL, **dict(low)},
        f"{flow.axis}_max": {**WALL, **dict(high)}, **sections.get("boundaries", {})}}
    return flow


def with_temperature(flow, values):
    """The channel with a mean temperature and its moments."""
    flow.update({"T": values, "TT": np.full_like(values, 0.1), "skewness_T": 0 * values,
                 "flatness_T": 3 + 0 * values})
    return flow


def with_intervals(flow, half):
    """The channel with the same half of the 95 % interval of every average, for each point."""
    flow.update({f"{name}_uncertainty": np.full(64, half)
                 for name in ("u", "v", "w", "uu", "vv", "ww", "pp", "uv")})
    return flow


def skewed(share, **sections):
    """A channel whose mean velocity is (1 - y^2)(1 + share y)."""
    flow = channel(**sections)
    flow["u"] = (1 - flow["y"]**2) * (1 + share * flow["y"])
    return flow


class SymmetryTestCase(LayersTestCase):
    def assert_titles(self, words, flow, kinds=PICTURES):
        """The titles of these kinds of pictures have these words in a line of their own."""
        for kind in kinds:
            figure = PICTURES[kind](flow)
            pyplot.close(figure)
            with self.subTest(kind):
                self.assertIn(f"\n{words}", figure._suptitle.get_text())

    def assert_folded(self, flow, kinds=PICTURES):
        self.assert_titles("mean of both halves", flow, kinds)

    def assert_apart(self, flow, reason, kinds=PICTURES):
        """Both halves are drawn in the units of their own walls."""
        self.assert_titles(f"both walls, not symmetric: {reason};  $u_\\tau/U = ", flow, kinds)

    def assert_over_height(self, flow, reason, kinds=PICTURES):
        self.assert_titles(f"from wall to wall: {reason}", flow, kinds)


class Cases(SymmetryTestCase):
    """What the case says."""

    def test_plain_channels_are_folded(self):
        for directions in (("u", "v", "w"), ("w", "v", "u"), ("v", "u", "w"), ("u", "w", "v")):
            self.assert_folded(channel(*directions))
        self.assert_folded(channel(low={"slip_length": 0.1}, high={"slip_length": 0.1}))

    def test_rotation_about_the_normal_alone_keeps_the_symmetry(self):
        self.assert_folded(channel(rotation={"rate": [0, 0.1, 0]}))
        for rate in ([0.1, 0, 0], [0, 0, 0.1], [0, 0.1, 0.1]):
            self.assert_apart(channel(rotation={"rate": rate}), "rotation")
        self.assert_folded(channel("u", "w", "v", rotation={"rate": [0, 0, 0.1]}))

    def test_buoyancy_keeps_it_across_walls_of_opposite_temperatures_and_along_equal_ones(self):
        fluid = {"reynolds": REYNOLDS, "prandtl": 1}
        force = {"type": "pressure_gradient", "value": [2 / REYNOLDS, 0, 0]}
        for along, high, heat, is_folded in (
                ("y", 0, 0, True), ("x", 0, 0, False), ([1, 1, 0], 0, 0, False),
                ("y", 1, 1, False), ("x", 1, 1, True), ("y", 1, 0, True)):
            flow = channel(low={"temperature": 1}, high={"temperature": high}, fluid=fluid,
                           forcing={**force, "heat": heat},
                           buoyancy={"richardson": 0.1, "direction": along})
            if is_folded:
                self.assert_folded(flow)
            else:
                self.assert_apart(flow, "buoyancy")

    def test_unequal_walls_have_no_wall_units(self):
        for condition, reason in (({"velocity": [0.5, 0, 0]}, "walls of unequal velocity"),
                                  ({"velocity": ["0.5*cos(t)", 0, 0]}, "walls of unequal velocity"),
                                  ({"slip_length": 0.1}, "walls of unequal slip"),
                                  ({"shear": [0, 0, 0]}, "walls of unequal shear"),
                                  ({"velocity": [0, 0.1, 0]}, "flow through the walls")):
            self.assert_over_height(channel(high=condition), reason)
            self.assert_over_height(channel(low=condition), reason, ["profiles"])
        through = {"velocity": [0, 0.1, 0]}
        self.assert_over_height(channel(low=through, high=through), "flow through the walls")

    def test_unequal_kinds_of_conditions_part_the_halves_where_a_scalar_is_drawn(self):
        for high, reason in ((0, ""), (1, ""), ({"gradient": 0}, "walls or sources of T"),
                             ("1 + 0.1*cos(x)", "walls or sources of T")):
            flow = with_temperature(channel(low={"temperature": 1}, high={"temperature": high}),
                                    np.zeros(64))
            if reason:
                self.assert_apart(flow, reason, ["moments"])
                self.assert_folded(flow, ["profiles", "budgets", "spectra"])
            else:
                self.assert_folded(flow)

    def test_forces_that_vary_across_the_walls(self):
        for acceleration in (["sin(z)", 0, 0], ["z < 0 ? 1 : 0", 0, 0], [0, 0, "0.1*sin(x)"]):
            forcing = {"type": "formula", "acceleration": acceleration}
            self.assert_apart(channel("u", "w", "v", forcing=forcing), "forces")
        self.assert_folded(channel(forcing={"type": "formula", "acceleration": ["sin(z)", 0, 0]}))
        sponges = {"one": {"rate": "exp(y)", "velocity": [1, 0, 0]}}
        self.assert_apart(channel(forcing={"type": "formula", "sponges": sponges}), "forces")

    def test_faces_at_the_ends_that_vary_across_the_walls(self):
        for velocity in ({"profile": "inflow.csv"}, ["1 + y", 0, 0]):
            ends = {"x_min": {"type": "inflow", "velocity": velocity}, "x_max": {"type": "outflow"}}
            self.assert_apart(channel(boundaries=ends), "boundary conditions")


class Data(SymmetryTestCase):
    """What the averages say."""

    def test_a_difference_beyond_the_intervals_parts_the_halves(self):
        for name, values in (("u", 1e-1), ("uu", 0.03), ("vv", 0.03), ("uv", 0.1)):
            flow = with_intervals(channel(), NARROW)
            flow[name] = flow[name] + values * (flow["y"] if name != "uv" else 1)
            self.assert_apart(flow, f"{name} differs between the halves")
            self.assert_folded(with_intervals(flow, 0.2))

    def test_without_intervals_only_a_large_one_does(self):
        self.assert_folded(skewed(0.05))
        self.assert_apart(skewed(0.5), "u differs between the halves")

    def test_points_without_an_interval_alone_are_left_out(self):
        flow = with_intervals(skewed(0.1), NARROW)
        flow["u_uncertainty"][[0, 20]] = np.nan
        self.assert_apart(flow, "u differs between the halves")
        core = np.abs(flow["y"]) < 0.9  # the halves differ here, at most of the points
        flow["u"] = np.where(core, flow["u"], 1 - flow["y"]**2)
        flow["u_uncertainty"][core] = np.nan
        self.assert_folded(flow)

    def test_a_grid_that_is_not_symmetric_parts_the_halves(self):
        flow = channel()
        flow["y_faces"] = flow["y_faces"] + 0.1 * (1 - flow["y_faces"]**2)
        flow["y"] = (flow["y_faces"][1:] + flow["y_faces"][:-1]) / 2
        flow["u"] = 1 - flow["y"]**2
        self.assert_apart(flow, "the grid", ["profiles", "budgets", "moments"])

    def test_differences_have_their_parity_and_interval(self):
        flow = skewed(0.1)
        flow["uv"] = 0.01 * flow["y"] + 0.003
        flow["u_uncertainty"] = 0.01 + 0.001 * np.arange(64)
        found = symmetry.mirrored_profiles(flow, ("u", "v", "w"))
        y = flow["y"]
        np.testing.assert_allclose(found["u"].apart, np.abs(0.2 * y * (1 - y**2)), atol=1e-14)
        np.testing.assert_allclose(found["u"].interval, 0.02 + 0.063, rtol=1e-12)
        np.testing.assert_allclose(found["uv"].apart, 0.006, rtol=1e-10)
        self.assertTrue(np.isnan(found["uv"].interval).all())


class Halves(SymmetryTestCase):
    """Drawn apart: each has the friction and the values of its own wall."""

    def test_friction_velocities_are_those_of_the_slopes_at_the_walls(self):
        figure = self.kept(profiles.draw(skewed(0.3, rotation={"rate": [0, 0, 1]})))
        title = figure._suptitle.get_text()
        found = re.search(r"= ([\d.]+)\$ at y_min, \$([\d.]+)\$ at y_max", title)
        for number, slope in zip(found.groups(), (2 * (1 - 0.3), 2 * (1 + 0.3))):
            self.assertAlmostEqual(float(number), math.sqrt(slope / REYNOLDS), delta=0.002)

    def test_curves_are_values_over_those_friction_velocities(self):
        flow = skewed(0.3, rotation={"rate": [0, 0, 1]})
        figure = self.kept(profiles.draw(flow))
        low, high = (line for line in figure.axes[0].get_lines() if "present" in line.get_label())
        for line, slope, order in ((low, 1.4, 1), (high, 2.6, -1)):
            u_tau = math.sqrt(slope / REYNOLDS)
            values = (flow["u"] / u_tau)[::order][:32]
            np.testing.assert_allclose(line.get_ydata(), values, rtol=0.01)
            places = (1 + order * flow["y"][::order][:32]) * u_tau * REYNOLDS
            np.testing.assert_allclose(line.get_xdata(), places, rtol=0.01)
        panels = [axes.get_title() for axes in self.kept(budgets.draw(flow)).axes]
        self.assertEqual(panels[0], "$k$ at y_min")
        self.assertIn("$k$ at y_max", panels)

    def test_nothing_is_assumed_of_flows_that_are_not_symmetric(self):
        turning = channel(rotation={"rate": [0, 0, 1]})
        for flow, has_balance in ((channel(), True), (turning, False)):
            labels = {line.get_label() for axes in self.kept(profiles.draw(flow)).axes
                      for line in axes.get_lines()}
            self.assertEqual("$1 - y/h$" in labels, has_balance)

    def test_the_mean_square_of_both_is_that_of_a_run(self):
        averages = Run(self.make_run(
            "skewed", PROJECTION, 'initial.velocity=["(1 - y^2)*(2 + y)", "0", "0"]')).statistics()
        squares = [half.u_tau**2 for half in channel_profiles.halves_apart(averages, 1 / 100)]
        self.assertGreater(squares[1], 2 * squares[0])
        self.assertAlmostEqual(np.mean(squares), averages.attributes["friction_velocity"]**2,
                               delta=1e-12)


class PlainChannels(SymmetryTestCase):
    """Published data and laws of the wall belong to walls without slip."""

    def test_have_published_data_unless_the_fluid_slips(self):
        for length, is_plain in ((0, True), (0.01, False)):
            flow = channel(low={"slip_length": length}, high={"slip_length": length})
            flow.attributes["friction_reynolds"] = 178.0
            labels = {line.get_label() for axes in self.kept(profiles.draw(flow)).axes
                      for line in axes.get_lines()}
            self.assertEqual("Vreman & Kuerten, spectral" in labels, is_plain)
            self.assertEqual(bool(budgets.references_of(layers.Layer(flow))), is_plain)


if __name__ == "__main__":
    unittest.main()
