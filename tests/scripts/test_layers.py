"""Pictures of averages over one axis: budgets, skewness and flatness, two-point correlations."""
import math
import unittest

from small_figures import FiguresTestCase
from small_runs import PROJECTION

import numpy as np

import channel_profiles
from curves import BETWEEN, fine_curve
from dnsflow import Run
from pictures import budgets, correlations, layers, moments
from pictures.style import NothingToDraw
from test_pictures import Averages, laminar_channel

REYNOLDS = 50
STRESSES = ("k", "uu", "vv", "ww", "uv", "uw", "vw")
WALL = {"type": "wall", "velocity": [0, 0, 0]}


class AnyChannel(Averages):
    """A laminar mean flow with moments and budgets that are no one's, on 64 cells along y."""

    def __init__(self, stream="u", normal="v", span="w"):
        super().__init__(laminar_channel(stream, normal, span, REYNOLDS))
        (self.axis,) = (name for name in self if name in "xyz")
        random = np.random.default_rng(1)
        cells = len(self[self.axis])
        for stress in STRESSES:
            for term in budgets.TERMS:
                self[f"budget_{stress}_{term}"] = random.normal(size=cells)
        for name in "uvwp":
            self[f"skewness_{name}"] = random.normal(size=cells)
            self[f"flatness_{name}"] = 3 + random.normal(size=cells)
            self[2 * name] = np.full(cells, 0.1)
        others = [other for other in "xyz" if other != self.axis]
        self.case = {"boundaries": {f"{self.axis}_min": WALL, f"{self.axis}_max": WALL,
                                    **dict.fromkeys(others, "periodic")},
                     "fluid": {"reynolds": REYNOLDS}, "grid": {"length": [2, 2, 2]},
                     "forcing": {"type": "pressure_gradient", "value": [
                         2 / REYNOLDS * (name == stream) for name in "uvw"]}}
        self.attributes = {"friction_velocity": math.sqrt(2 / REYNOLDS), "samples": 5,
                           "friction_reynolds": math.sqrt(2 * REYNOLDS),
                           "first_time": 1.0, "last_time": 2.0}

    @property
    def axes(self):
        return {name: (self.axis,) for name in self}

    def turned(self, component):
        """The same flow seen with the axis of a component reversed."""
        found = AnyChannel.__new__(AnyChannel)
        dict.__init__(found, self)
        found.axis, found.case, found.attributes = self.axis, self.case, self.attributes
        is_mirrored = {"u": "x", "v": "y", "w": "z"}[component] == self.axis
        for name, values in self.items():
            if name.startswith(self.axis):  # the points themselves lie symmetrically
                continue
            sign = (-1) ** components_in(name).count(component)
            found[name] = sign * (values[::-1] if is_mirrored else values)
        return found


def components_in(name):
    """The components of velocity that an average is made of, each as often as it is odd in it."""
    kind, _, rest = name.partition("_")
    if kind == "flatness":
        return ""
    return {"skewness": rest, "budget": rest.split("_")[0]}.get(kind, name)


class LayersTestCase(FiguresTestCase):
    def curves(self, axes):
        """Colour and style -> (x, y) of the lines of a panel."""
        return {(line.get_color(), line.get_linestyle()): line.get_data()
                for line in axes.get_lines()}


class FineCurves(unittest.TestCase):
    """Smooth curves through points."""

    def test_they_pass_through_the_points_and_overshoot_nowhere(self):
        x = np.array([0, 0.1, 0.5, 0.6, 1.4, 2])
        f = np.array([0, 0, 3, 3.1, -1, -1])
        places, values = fine_curve(x, f)
        np.testing.assert_allclose(places[::BETWEEN], x)
        np.testing.assert_allclose(values[::BETWEEN], f, atol=1e-14)
        for start in range(0, len(values) - 1, BETWEEN):
            part = values[start:start + BETWEEN + 1]
            self.assertTrue((np.diff(part) >= -1e-14).all() or (np.diff(part) <= 1e-14).all())

    def test_they_are_of_second_order_on_unequal_points(self):
        errors = []
        for count in (20, 40):
            x = np.linspace(0, 1, count) ** 1.3
            places, values = fine_curve(x, np.exp(x))
            errors.append(np.abs(values - np.exp(places)).max())
        self.assertGreater(errors[0] / errors[1], 3.5)

    def test_gaps_are_left_as_they_are(self):
        x, f = np.arange(4.0), np.array([0, np.nan, 1, 2])
        np.testing.assert_array_equal(fine_curve(x, f)[1], f)


class Budgets(LayersTestCase):
    """Of k and Reynolds stresses."""

    def test_of_channels_are_means_of_both_halves_in_wall_units(self):
        averages = AnyChannel()
        figure = self.kept(budgets.draw(averages))
        scale = 1 / REYNOLDS / (2 / REYNOLDS) ** 2
        faces = averages["y_faces"]
        y_plus = (averages["y"] - faces[0])[:32] * math.sqrt(2 / REYNOLDS) * REYNOLDS
        for title, stress, sign in (("$k$", "k", 1), ("$\\overline{v'v'}$", "vv", 1),
                                    ("$\\overline{u'v'}$", "uv", -1)):
            lines = self.panel(figure, title).get_lines()
            self.assertEqual(len(lines), len(budgets.TERMS))
            for line, term in zip(lines, budgets.TERMS):
                values = averages[f"budget_{stress}_{term}"]
                expected = scale * (values[:32] + sign * values[:31:-1]) / 2
                at_points = slice(None, None, BETWEEN)
                np.testing.assert_allclose(line.get_ydata()[at_points], expected, rtol=1e-12,
                                           atol=1e-13)
                np.testing.assert_allclose(line.get_xdata()[at_points], y_plus, rtol=1e-12)
        self.assertEqual([axes.get_title() for axes in figure.axes if axes.get_title()],
                         ["$k$"] + [f"$\\overline{{{one}'{other}'}}$"
                                    for one, other in ("uu", "vv", "ww", "uv")])

    def test_the_frame_of_reference_does_not_matter(self):
        for directions in (("u", "v", "w"), ("w", "v", "u"), ("v", "u", "w")):
            flow = AnyChannel(*directions)
            found = budgets.budgets_of(layers.Layer(flow))
            for component in "uvw":
                turned = budgets.budgets_of(layers.Layer(flow.turned(component)))
                self.assertEqual(list(turned), list(found))
                for stress, terms in found.items():
                    for term, values in terms.items():
                        np.testing.assert_allclose(turned[stress][term], values, atol=1e-12,
                                                   err_msg=f"{stress} {term} {component}")

    def test_small_terms_are_left_out_but_never_the_residual(self):
        averages = AnyChannel()
        for stress in STRESSES:
            averages[f"budget_{stress}_advection"] *= 1e-4
            averages[f"budget_{stress}_residual"] *= 1e-9
        shown = budgets.terms_to_draw(budgets.budgets_of(layers.Layer(averages)))
        self.assertNotIn("advection", shown)
        self.assertIn("residual", shown)

    def test_published_terms_are_below_where_the_flow_is_theirs(self):
        averages = AnyChannel()
        self.assertEqual(budgets.references_of(layers.Layer(averages)), {})
        averages.attributes["friction_reynolds"] = 178.0
        figure = self.kept(budgets.draw(averages))
        production, dissipation = self.panel(figure, "$k$").get_lines()[:2]
        published = channel_profiles.s2a_budget()
        np.testing.assert_array_equal(production.get_ydata(), published["production"][1])
        np.testing.assert_array_equal(dissipation.get_ydata(), -published["dissipation"][1])
        self.assertLess(production.get_zorder(), self.panel(figure, "$k$").get_lines()[2].zorder)

    def test_names_stand_in_a_panel_of_their_own(self):
        figure = self.kept(budgets.draw(AnyChannel()))
        with_legend = [axes for axes in figure.axes if axes.get_legend()]
        self.assertEqual(len(with_legend), 1)
        self.assertEqual(max(len(line.get_xdata()) for line in with_legend[0].get_lines()), 0)
        words = [text.get_text() for text in with_legend[0].get_legend().get_texts()]
        self.assertEqual(words, [term.replace("_", " ") for term in budgets.TERMS])

    def test_other_layers_are_drawn_over_the_height_in_the_units_of_the_run(self):
        averages = Run(self.make_run("layer", PROJECTION,
                                     "output.statistics.budgets=true")).statistics()
        figure = self.kept(budgets.draw(averages))
        panel = self.panel(figure, "$\\overline{u'u'}$")
        self.assertEqual(panel.get_ylim(), (-1, 1))
        (drawn,) = [line for line in panel.get_lines() if line.get_color() == "C1"]
        np.testing.assert_array_equal(drawn.get_xdata()[::BETWEEN],
                                      averages["budget_uu_dissipation"])
        np.testing.assert_array_equal(drawn.get_ydata()[::BETWEEN], averages["y"])

    def test_over_two_axes_those_of_k_are_maps_with_one_range_of_colours(self):
        averages = Run(self.make_run("maps", PROJECTION, "output.statistics.budgets=true",
                                     "output.statistics.average=[x]")).statistics()
        figure = self.kept(budgets.draw(averages))
        panel = next(axes for axes in figure.axes if axes.get_title().startswith("dissipation of"))
        drawn = np.ma.getdata(panel.collections[0].get_array()).reshape(10, 16)
        np.testing.assert_array_equal(drawn, averages["budget_k_dissipation"].T)
        ranges = {axes.collections[0].get_clim() for axes in figure.axes if " of $k$"
                  in axes.get_title()}
        self.assertEqual(len(ranges), 1)

    def test_without_budgets_or_fluctuations_there_is_no_picture(self):
        averages = AnyChannel()
        for name in averages:
            if name.startswith("budget_"):
                averages[name] = 0 * averages[name]
        for flow in (averages, laminar_channel("u", "v", "w", REYNOLDS)):
            with self.assertRaises(NothingToDraw):
                budgets.draw(flow)


class Moments(LayersTestCase):
    """Skewness and flatness."""

    def test_are_drawn_over_those_of_a_gaussian(self):
        averages = AnyChannel()
        averages["skewness_p"] = averages["flatness_p"] = np.full(64, np.nan)
        figure = self.kept(moments.draw(averages))
        for axes, gaussian, sign_of_v in zip(figure.axes, (0, 3), (-1, 1)):
            level, u, v, _ = axes.get_lines()  # and not of p
            np.testing.assert_array_equal(level.get_ydata(), gaussian)
            for line, name, sign in ((u, "u", 1), (v, "v", sign_of_v)):
                values = averages[f"{axes.get_ylabel()}_{name}"]
                expected = (values[:32] + sign * values[:31:-1]) / 2
                np.testing.assert_allclose(line.get_ydata()[::BETWEEN], expected, atol=1e-14)
        self.assertEqual([axes.get_ylabel() for axes in figure.axes], ["skewness", "flatness"])

    def test_the_frame_of_reference_does_not_matter(self):
        flow = AnyChannel()
        expected = [line.get_ydata() for axes in self.kept(moments.draw(flow)).axes
                    for line in axes.get_lines()]
        for component in "uvw":
            figure = self.kept(moments.draw(flow.turned(component)))
            found = [line.get_ydata() for axes in figure.axes for line in axes.get_lines()]
            for number, (one, other) in enumerate(zip(found, expected)):
                is_span = component == "w" and number == 3  # odd: a mirror symmetry makes it 0
                np.testing.assert_allclose(-1 * one if is_span else one, other, atol=1e-13)

    def test_what_does_not_fluctuate_has_no_picture(self):
        averages = AnyChannel()
        for name in "uvwp":
            averages[2 * name] = np.full(64, 1e-17)
        for flow in (averages, Run(self.make_run(
                "maps", PROJECTION, "output.statistics.average=[x]")).statistics()):
            with self.assertRaises(NothingToDraw):
                moments.draw(flow)


class Correlations(LayersTestCase):
    """Of waves that hardly change in four steps of 1e-3."""

    def draw(self, name, *settings, wanted=None):
        averages = Run(self.make_run(name, PROJECTION, "output.statistics.spectra=[x, z]",
                                     "fluid.reynolds=1e6", *settings)).statistics()
        return averages, self.kept(correlations.draw(averages, wanted))

    def test_those_of_waves_are_cosines(self):
        averages, figure = self.draw("waves")
        self.assertEqual([axes.get_xlabel() for axes in figure.axes],
                         ["", "", "$r_x/L$", "$r_z/L$"])
        for row in (0, 2):
            along_x, along_z = figure.axes[row:row + 2]
            curves = {line.get_label(): line.get_data() for line in along_x.get_lines()}
            r, w = curves["$R_{ww}$"]
            np.testing.assert_array_equal(r, averages["separation_x"])
            np.testing.assert_allclose(w, np.cos(3 * r), atol=2e-2)
            np.testing.assert_allclose(curves["$R_{uu}$"][1], 1, atol=2e-2)
            curves = {line.get_label(): line.get_data() for line in along_z.get_lines()}
            r, u = curves["$R_{uu}$"]
            np.testing.assert_allclose(u, np.cos(4 * r), atol=2e-2)

    def test_heights_are_those_of_the_largest_energy_and_the_middle(self):
        averages, figure = self.draw("heights")
        energy = averages["uu"] + averages["vv"] + averages["ww"]
        low = int(energy[:6].argmax())
        self.assertLess(low, 5)
        titles = [axes.get_title() for axes in figure.axes]
        self.assertEqual(titles, 2 * [f"$y/L = {averages['y'][low]:.3g}$"]
                         + 2 * [f"$y/L = {averages['y'][5]:.3g}$"])

    def test_over_two_axes_they_are_averaged_over_both(self):
        averages, figure = self.draw("plane", "output.statistics.average=[z]",
                                     "output.statistics.spectra=[z]")
        (panel,) = figure.axes
        curves = {line.get_label(): line.get_data() for line in panel.get_lines()}
        r, u = curves["$R_{uu}$"]
        np.testing.assert_allclose(u, np.cos(4 * r), atol=2e-2)
        self.assertNotIn("$R_{pp}$", curves)
        self.assertEqual(len(averages.axes["correlation_z_uu"]), 3)

    def test_runs_without_have_no_picture(self):
        with self.assertRaisesRegex(NothingToDraw, "output.statistics.spectra"):
            correlations.draw(Run(self.make_run("none", PROJECTION)).statistics())

    def test_heights_that_are_asked_for(self):
        averages, figure = self.draw("asked", wanted=[-0.5, 0.6])
        self.assertEqual({axes.get_title() for axes in figure.axes}, {
            f"$y/L = {averages['y'][np.abs(averages['y'] - place).argmin()]:.3g}$"
            for place in (-0.5, 0.6)})

    def test_heights_of_a_channel_are_the_buffer_layer_and_the_middle(self):
        averages = AnyChannel()
        self.assertEqual(layers.Layer(averages).heights(), [31])  # y+ = 10
        half = channel_profiles.mean_of_halves(averages)
        channel = layers.Layer(averages, half._replace(u_tau=10 * half.u_tau))
        low, middle = channel.heights()
        self.assertEqual(middle, 31)
        self.assertLess(abs(channel.places()[low] - 15), 2)


if __name__ == "__main__":
    unittest.main()
