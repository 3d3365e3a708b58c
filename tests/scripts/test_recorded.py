"""Pictures of what a run records: planes, points and lines."""
import argparse
import unittest

from small_figures import FiguresTestCase
from small_runs import PROJECTION, SPLITTING, run_dns

import numpy as np

from dnsflow import Run
from pictures import planes, probes
from pictures.style import NothingToDraw

RECORDS = ("output.planes={every: 1, cut: {axis: y, at: 0.3}}",
           "output.probes={every: 1, wake: {at: [1, 0.25, 0.5]}, "
           "height: {from: [1, -0.9, 0.5], to: [1, 0.9, 0.5], count: 19}, "
           "slant: {from: [1, -0.6, 0.5], to: [1, 0.6, 1.4], count: 4}}")
BLOCK = ("solids.block.shape=box", "solids.block.min=[2, -0.5, 1]", "solids.block.max=[4, 0.5, 2]",
         "solids.block.temperature=1",
         "output.fields.variables=[velocity, temperature, pressure, solid]")


def asked(time=None, variable=None, **more):
    """Options of `dns plot`."""
    return argparse.Namespace(**{"time": time, "variable": variable, "range": None, "region": None,
                                 **more})


class Recorded(FiguresTestCase):
    """Of a run with four steps of 1e-3."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = cls.make_run("records", PROJECTION, *RECORDS)
        cls.read = Run(cls.folder)

    def test_the_last_record_of_a_plane_is_drawn(self):
        record = self.read.plane("cut")
        figure = self.kept(planes.draw(record, None, asked()))
        self.assertEqual(figure._suptitle.get_text(), "$y = 0.3\\,L$,  $t = 0.004\\,L/U$")
        for title, name in (("$w/U$", "velocity_z"), ("$T/T_0$", "temperature")):
            np.testing.assert_array_equal(self.values_of(self.panel(figure, title)),
                                          record[name][-1].ravel())
        self.assertEqual(self.panel(figure, "$w/U$").get_xlim(), (0, 2 * np.pi))

    def test_the_last_record_in_the_window_of_time_is_drawn(self):
        record = self.read.plane("cut")
        figure = self.kept(planes.draw(record, None, asked(
            time=(1.5e-3, 2.5e-3), variable=("p", "q", "T"), range=(1, 2))))
        self.assertIn("t = 0.002", figure._suptitle.get_text())
        np.testing.assert_array_equal(self.values_of(self.panel(figure, "$T/T_0$")),
                                      record["temperature"][2].ravel())
        self.assertEqual(self.panel(figure, "$T/T_0$").collections[0].get_clim(), (1, 2))
        for words, options in (("no record in that time", {"time": (1, 2)}),
                               ("it records no q", {"variable": ("q",)})):
            with self.assertRaisesRegex(NothingToDraw, words):
                planes.draw(record, None, asked(**options))

    def test_walls_that_move_alike_are_at_rest(self):
        walls = [f"boundaries.y_{end}.velocity=[-2, 0, 0]" for end in ("min", "max")]
        run = Run(self.make_run("moving", PROJECTION, *walls, *RECORDS))
        figure = self.kept(planes.draw(run.plane("cut"), None, asked()))
        values = self.values_of(self.panel(figure, "$(u - u_w)/U$"))
        np.testing.assert_allclose(values, run.plane("cut")["velocity_x"][-1].ravel() + 2)
        signal = self.kept(probes.draw(run.probe("wake"), run.case, "wake")).axes[0]
        self.assertEqual(signal.get_ylabel(), "$(u - u_w)/U$")
        np.testing.assert_allclose(signal.get_lines()[0].get_ydata(),
                                   run.probe("wake")["velocity_x"] + 2)

    def test_bodies_are_those_of_a_snapshot(self):
        run = Run(self.make_run("block", PROJECTION, *RECORDS, *BLOCK))
        figure = self.kept(planes.draw(run.plane("cut"), run.snapshot(), asked()))
        drawn = self.panel(figure, "$w/U$").collections[0].get_array()
        x, z = np.meshgrid(run.snapshot()["x"], run.snapshot()["z"])
        inside = (x > 2) & (x < 4) & (z > 1) & (z < 2)
        self.check_cells(drawn, inside, run.plane("cut")["velocity_z"][-1])
        self.assertTrue(np.ma.getmaskarray(drawn).any())
        figure = self.kept(planes.draw(run.plane("cut"), run.snapshot(),
                                       asked(region={"x": (3, 5), "y": (0, 1)})))
        panel = self.panel(figure, "$w/U$")
        drawn = panel.collections[0].get_array()
        width = 2 * np.pi / 16  # cells 7 to 12 lie between 3 and 5, whole or in part
        np.testing.assert_allclose(panel.get_xlim(), (7 * width, 13 * width))
        self.check_cells(drawn, inside[:, 7:13], run.plane("cut")["velocity_z"][-1][:, 7:13])

    @staticmethod
    def check_cells(drawn, inside, values):
        """Fluid has its values. In the body, cells away from the surface are empty; the two along
        it may continue the flow, below the outline."""
        drawn = drawn.reshape(inside.shape)
        empty = np.ma.getmaskarray(drawn)
        np.testing.assert_array_equal(drawn[~inside], values[~inside])
        assert not (empty & ~inside).any()
        deep = inside.copy()
        for axis in (0, 1):
            for step in (-2, -1, 1, 2):
                deep &= np.roll(inside, step, axis)
        assert empty[deep].all()

    def test_signals_of_a_point(self):
        table = self.read.probe("wake")
        figure = self.kept(probes.draw(table, self.read.case, "wake"))
        self.assertEqual(figure._suptitle.get_text(), "wake: $(1,\\,0.25,\\,0.5)\\,L$")
        curves = {axes.get_ylabel(): axes.get_lines()[0].get_data() for axes in figure.axes}
        for label, name in (("$u/U$", "velocity_x"), ("$T/T_0$", "temperature"),
                            ("$p/(\\rho U^2)$", "pressure")):
            np.testing.assert_array_equal(curves[label], [table["time"], table[name]])
        late = self.kept(probes.draw(table, self.read.case, "wake", (1.5e-3, 3.5e-3)))
        np.testing.assert_allclose(late.axes[0].get_lines()[0].get_xdata(), [2e-3, 3e-3])
        with self.assertRaisesRegex(NothingToDraw, "1 records in that time"):
            probes.draw(table, self.read.case, "wake", (3.5e-3, 9))

    def test_a_long_signal_has_a_spectrum_over_its_variance(self):
        time = np.arange(400) * 0.5
        table = {"step": np.arange(400), "time": time, "velocity_y": 0 * time,
                 "velocity_x": 1 + 0.1 * np.cos(2 * np.pi * 0.1 * time), "velocity_z": 0 * time}
        figure = self.kept(probes.draw_point(table, self.read.case, "wake"))
        (spectrum,) = [axes for axes in figure.axes if axes.get_xlabel() == "$f\\,L/U$"]
        (line,) = spectrum.get_lines()
        f, energy = line.get_data()
        self.assertAlmostEqual(f[energy.argmax()], 0.1)
        self.assertAlmostEqual(energy.sum() * f[0], 1, places=6)
        (signal,) = [axes for axes in figure.axes if axes.get_ylabel() == "$u/U$"]
        self.assertEqual(signal.get_lines()[0].get_color(), line.get_color())

    def test_a_line_has_its_last_profile_and_a_diagram(self):
        line = self.read.probe("height")
        figure = self.kept(probes.draw(line, self.read.case, "height"))
        (profile,) = [axes for axes in figure.axes if axes.get_xlabel() == "$T/T_0$"]
        np.testing.assert_array_equal(profile.get_lines()[0].get_data(),
                                      [line["temperature"][-1], line["y"]])
        self.assertEqual(profile.get_ylabel(), "$y/L$")
        diagrams = [axes for axes in figure.axes if axes.collections and not axes.get_title()]
        found = [self.values_of(axes) for axes in diagrams if axes.get_images() == []]
        self.assertTrue(any(np.array_equal(values, line["temperature"].T.ravel())
                            for values in found if len(values) == line["temperature"].size))

    def test_a_slanted_line_is_drawn_over_the_distance_from_its_first_point(self):
        line = self.read.probe("slant")
        label, places = probes.places_on(line)
        self.assertEqual(label, "$s/@L$")
        np.testing.assert_allclose(places, 0.5 * np.arange(4), atol=1e-6)

    def test_of_many_records_some_are_drawn_and_the_last_one_always(self):
        before, probes.MOST_TIMES = probes.MOST_TIMES, 2
        self.addCleanup(setattr, probes, "MOST_TIMES", before)
        line = self.read.probe("height")
        figure = self.kept(probes.draw(line, self.read.case, "height"))
        self.assertEqual(figure.axes[0].get_title(), "$t = 0.004\\,L/U$")
        np.testing.assert_array_equal(figure.axes[0].get_lines()[0].get_xdata(),
                                      line["velocity_x"][-1])

    def test_dns_plot_draws_them(self):
        ended = run_dns("plot", self.folder, "-o", self.scratch / "drawn", "--only",
                        "planes,probes,correlations")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        names = [line.rpartition("/")[2] for line in ended.stdout.split()]
        self.assertEqual(names, ["plane_cut.png", "probe_height.png", "probe_slant.png",
                                 "probe_wake.png", "report_planes_probes_correlations.html"])

    def test_nodes_are_drawn_too(self):
        run = Run(self.make_run("nodes", SPLITTING, "grid.points=[9, 9, 9]",
                                "output.planes={every: 1, cut: {axis: z, at: 0.7}}",
                                "output.probes={wake: {at: [0, 1, 0.5]}}"))
        figure = self.kept(planes.draw(run.plane("cut"), run.snapshot(), asked()))
        np.testing.assert_array_equal(self.values_of(self.panel(figure, "$u/U$")),
                                      run.plane("cut")["velocity_x"][-1].ravel())
        self.assertEqual(len(self.kept(probes.draw(run.probe("wake"), run.case, "wake")).axes), 4)


if __name__ == "__main__":
    unittest.main()
