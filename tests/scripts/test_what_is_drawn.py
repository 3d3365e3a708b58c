"""Pictures: round-off, walls, uniform fields, spikes, averages over time alone, smooth slices."""
import unittest
from unittest import mock

from small_figures import FiguresTestCase
from small_runs import PROJECTION, run_dns

import numpy as np
from matplotlib import pyplot

from dnsflow import Run
from pictures import history, maps, profiles, slices, style
from pictures.variables import FlowVariables
from pictures.walls import with_walls
from validation import boundary_layer, pipe

LAMINAR = ('initial.velocity=["0.5*(1 - y^2)", "0", "0"]', "forcing={type: pressure_gradient, "
           "value: [0.01, 0, 0]}", "boundaries.y_max.temperature=1", "initial.temperature=1")


class RoundOff(FiguresTestCase):
    """A laminar channel of one temperature: all but u is round-off."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.read = Run(cls.make_run("laminar", PROJECTION, *LAMINAR))

    def test_is_not_drawn_in_slices(self):
        figure = self.kept(slices.draw_plane(self.read.snapshot(), "z"))
        titles = [axes.get_title() for axes in figure.axes if axes.get_title()]
        self.assertEqual(titles[0], "$u/U$")
        self.assertEqual(titles[1:], ["$T/T_0$$\\;= 1$ everywhere"])

    def test_is_zero_where_it_was_asked_for(self):
        figure = self.kept(slices.draw_plane(self.read.snapshot(), "z", None, ("w", "vorticity_x")))
        for axes in figure.axes:
            self.assertRegex(axes.get_title(), r"= 0\$ everywhere")
        self.assertEqual(len(figure.axes), 2)  # no bars of colours
        vorticity = slices.shown_on(FlowVariables(self.read.snapshot()), ("vorticity_z",), z=3)
        self.assertAlmostEqual(np.abs(vorticity["vorticity_z"].values).max(), 1, delta=0.1)

    def test_is_no_fluctuation(self):
        y_plus = np.linspace(1, 20, 10)
        found = {"U": (y_plus, y_plus), "u": (y_plus, 1e-3 * y_plus), "v": (y_plus, 1e-9 * y_plus)}
        figure, (some, none) = pyplot.subplots(2)
        drawn = [(found, {}, "both")]
        profiles.draw_curves(some, drawn, {}, {"u": "u", "v": "v"})
        self.assertEqual([line.get_label() for line in some.get_lines()], ["u"])
        profiles.draw_curves(none, drawn, {}, {"v": "v"})
        self.assertEqual(len(none.get_lines()), 0)
        self.assertEqual([text.get_text() for text in none.texts], ["none"])
        self.kept(figure)

    def test_has_no_spectra_and_no_correlations(self):
        folder = self.make_run("spectra", PROJECTION, *LAMINAR,
                               "output.statistics.spectra=[x, z]")
        for name in (folder, self.read.folder):
            ended = run_dns("plot", name, "-o", self.scratch / "none", "--only",
                            "spectra,correlations,moments")
            self.assertEqual(ended.stderr.count("not drawn"), 3, ended.stderr)


class Walls(FiguresTestCase):
    """Profiles reach walls with what is known there."""

    def test_means_and_fluctuations(self):
        averages = Run(self.make_run("walls", PROJECTION, "boundaries.y_max.velocity=[0.25, 0, 0]",
                                     "boundaries.y_min.temperature={gradient: 0}")).statistics()
        u = with_walls(averages, "y", "u", averages["u"])
        np.testing.assert_array_equal(u[[0, -1]], [0, 0.25])
        np.testing.assert_array_equal(u[1:-1], averages["u"])
        swings = with_walls(averages, "y", "T", averages["TT"], True)
        self.assertTrue(np.isnan(swings[0]))  # not known at a wall of given heat flux
        self.assertEqual(swings[-1], 0)
        self.assertEqual(with_walls(averages, "y", "T", averages["T"])[-1], 2)

    def test_are_reached_in_pictures(self):
        averages = Run(self.make_run("layer", PROJECTION)).statistics()
        figure = self.kept(profiles.draw(averages))
        for axes in figure.axes:
            for line in axes.get_lines():
                np.testing.assert_allclose(line.get_ydata()[[0, -1]], [-1, 1])
        temperature = figure.axes[2].get_lines()[0].get_xdata()
        np.testing.assert_array_equal(temperature[[0, -1]], [1, 2])


class LawOfTheWall(unittest.TestCase):
    """Where it holds."""

    def labels(self, reynolds, stress, has_laws=True):
        y_plus = np.geomspace(0.5, reynolds)
        found = {"U": (y_plus, np.minimum(y_plus, 2.4 * np.log(y_plus + 1) + 5)),
                 "uv": (y_plus, np.full(50, stress))}
        _, axes = pyplot.subplots()
        self.addCleanup(pyplot.close, axes.figure)
        profiles.draw_mean(axes, [(found, {}, "both")], {}, has_laws)
        return {line.get_label(): line.get_xdata() for line in axes.get_lines()}

    def test_turbulent_flows_have_it_between_the_buffer_layer_and_the_core(self):
        (law,) = [x for label, x in self.labels(550, 0.9).items() if "ln" in label]
        np.testing.assert_allclose(law[[0, -1]], [30, 0.3 * 550])

    def test_others_have_none(self):
        for reynolds, stress, has_laws in ((550, 1e-17, True), (90, 0.6, True), (550, 0.9, False)):
            labels = self.labels(reynolds, stress, has_laws)
            self.assertFalse([label for label in labels if "ln" in label])
            self.assertEqual(len(labels), 1 + has_laws)  # that of the viscous sublayer

    def ends_of_laws(self, figure, panel):
        """First and last place of the curves that are drawn as laws."""
        self.addCleanup(pyplot.close, figure)
        return [line.get_xdata()[[0, -1]] for line in figure.axes[panel].get_lines()
                if line.get_linestyle() == style.LAW["ls"]]

    def test_it_ends_at_the_same_share_of_pipes(self):
        r = np.linspace(0.99, 0, 50)
        flow = mock.Mock(r=r, u=10 * (1 - r), u_rms=r, stress=0.8 * r)
        flow.balance.return_value = r, r
        laminar = [16, 32], [0.1, 0.02], [0.1, 0.02]
        sublayer, logarithmic = self.ends_of_laws(pipe.draw(laminar, flow), 1)
        np.testing.assert_allclose(sublayer, [1, 5])
        np.testing.assert_allclose(logarithmic, [30, 0.3 * 180])

    def test_it_ends_at_the_same_share_of_boundary_layers(self):
        y = np.linspace(0.005, 4, 800)
        mean = np.minimum(y, 1)[:, np.newaxis] ** (1 / 7) * np.ones(3)
        zero = 0 * mean
        averages = {"x": np.arange(3.0), "y": y, "y_faces": np.linspace(0, 4.005, 801), "u": mean,
                    "uu": zero, "vv": zero, "ww": zero, "uv": zero - 0.01}
        layer = boundary_layer.Layer(mock.Mock(
            case={"fluid": {"reynolds": 5000}}, statistics=lambda: averages))
        thickness = 0.99**7 * layer.u_tau[0] * 5000
        self.assertGreater(0.3 * thickness, 60)
        self.assertLess(np.abs(layer.thickness(0) / thickness - 1), 0.01)
        sublayer, logarithmic = self.ends_of_laws(boundary_layer.draw(layer, [0, 1, 2]), 1)
        np.testing.assert_allclose(sublayer, [1, 5])
        np.testing.assert_allclose(logarithmic, [30, 0.3 * thickness], rtol=0.01)


class TimeAlone(FiguresTestCase):
    """Averages that keep all axes."""

    def test_are_drawn_on_planes(self):
        folder = self.make_run("time", PROJECTION, "output.statistics.average=[]")
        averages = Run(folder).statistics()
        figure = self.kept(maps.draw_plane(averages, "y", 0.5, ""))
        number = np.abs(averages["y"] - 0.5).argmin()
        panel = next(axes for axes in figure.axes if axes.get_title() == "$\\overline{w}/U$")
        np.testing.assert_array_equal(np.ma.getdata(panel.collections[0].get_array()).ravel(),
                                      averages["w"][:, number].ravel())
        ended = run_dns("plot", folder, "-o", self.scratch / "drawn")
        self.assertIn("mean_xy.png", ended.stdout)
        self.assertIn("mean_zy.png", ended.stdout)


class Slices(FiguresTestCase):
    """Their look."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.flow = Run(cls.make_run("flow", PROJECTION)).snapshot(0)

    def tearDown(self):
        style.use_smooth(False)

    def test_panels_have_letters_and_numbers(self):
        figure = self.kept(slices.draw_plane(self.flow, "z"))
        panels = [axes for axes in figure.axes if axes.get_title()]
        self.assertEqual([axes.get_title(loc="left") for axes in panels],
                         [f"({letter})" for letter in "abcdef"[:len(panels)]])
        for axes in panels:
            self.assertTrue(any(tick.label1.get_visible() for tick in axes.xaxis.get_major_ticks()))

    def test_smooth_ones_reach_the_faces_with_the_values_at_centres(self):
        style.use_smooth(True)
        figure = self.kept(slices.draw_plane(self.flow, "z", None, ("u", "T")))
        mesh = figure.axes[0].collections[0]
        values = np.ma.getdata(mesh.get_array()).reshape(12, 18)
        np.testing.assert_array_equal(values[1:-1, 1:-1], self.flow["velocity"][8, :, :, 0])
        np.testing.assert_allclose(mesh.get_datalim(figure.axes[0].transData).extents,
                                   [0, -1, 2 * np.pi, 1])

    def test_values_of_both_signs_have_the_map_with_zero_in_its_middle(self):
        for name in ("u", "v", "p", "T", "speed", "vorticity"):
            for number in (0, 5, 9):
                shown = slices.shown_on(FlowVariables(self.flow), (name,), y=number)[name]
                has_both = shown.values.min() < 0 < shown.values.max()
                self.assertEqual(shown.colours["cmap"], "coolwarm" if has_both and name in (
                    "u", "v", "p") else "viridis", name)

    def test_bars_of_values_of_one_sign_end_at_zero(self):
        for sign, ends in ((1, (0, 3)), (-1, (-3, 0))):
            figure, axes = pyplot.subplots()
            self.kept(figure)
            values = np.ma.masked_array(sign * np.linspace(0, 3, 9).reshape(3, 3), False)
            faces = {f"{axis}_faces": np.arange(4.0) for axis in "xy"}
            chosen = {"cmap": slices.SIGNED, "vmin": -3, "vmax": 3}  # shared with other panels
            slices.draw_values(axes, faces, values, ("x", "y"), "u", chosen)
            (bar,) = axes.child_axes
            self.assertEqual(bar.get_ylim(), ends)


class Spikes(FiguresTestCase):
    """Of a start that is cut off."""

    def test_are_marked(self):
        time = np.linspace(0, 1, 400)
        figure, axes = pyplot.subplots()
        self.kept(figure)
        axes.plot(time, np.where(time < 0.02, 50, np.sin(20 * time)))
        axes.set_ylim(-2, 2)
        history.mark_cut_curves(axes)
        (mark,) = [line for line in axes.get_lines() if line.get_marker() != "None"]
        self.assertEqual((mark.get_marker(), mark.get_ydata()[0]), ("^", 2))
        self.assertLess(mark.get_xdata()[0], 0.02)
        axes.set_ylim(-60, 60)
        history.mark_cut_curves(axes)
        self.assertEqual(len(axes.get_lines()), 2)  # nothing more is cut


if __name__ == "__main__":
    unittest.main()
