"""Averages by phase: what `dns plot` draws of them."""
import unittest

from small_figures import FiguresTestCase
from small_runs import PROJECTION, run_dns

import numpy as np

from dnsflow import Run
from pictures import phases, style

BINS = ("output.statistics.phase={period: 0.002, bins: 2}", "time.steps=8")


class Phases(FiguresTestCase):
    def by_phase(self, name, *settings):
        return Run(self.make_run(name, PROJECTION, *BINS, *settings)).statistics_phase()

    def test_are_curves_over_the_axis_that_is_kept_up_to_the_walls(self):
        averages = self.by_phase("profiles")
        figure = self.kept(phases.draw(averages))
        names = [axes.get_xlabel() for axes in figure.axes]
        self.assertIn("$\\langle T \\rangle$$\\,/\\,T_0$", names)
        panel = figure.axes[names.index("$\\langle T \\rangle$$\\,/\\,T_0$")]
        self.assertEqual([line.get_label() for line in panel.get_lines()], ["0.25", "0.75"])
        for number, line in enumerate(panel.get_lines()):
            np.testing.assert_array_equal(line.get_xdata(), [1, *averages["T"][number], 2])
            np.testing.assert_array_equal(line.get_ydata()[[0, -1]], [-1, 1])
        rms = figure.axes[names.index("$T_\\mathrm{rms}$$\\,/\\,T_0$")]
        np.testing.assert_array_equal(rms.get_lines()[1].get_xdata()[1:-1],
                                      np.sqrt(averages["TT"][1]))

    def test_are_curves_over_the_phase_where_no_axis_is_kept(self):
        averages = self.by_phase("all", "boundaries={x: periodic, y: periodic, z: periodic}",
                                 "grid.stretching.y={type: uniform}",
                                 "output.statistics.average=[x, y, z]")
        figure = self.kept(phases.draw(averages))
        lines = {line.get_label(): line for line in figure.axes[1].get_lines()}
        np.testing.assert_array_equal(lines["$u_\\mathrm{rms}$"].get_ydata(),
                                      np.sqrt(averages["uu"]))
        np.testing.assert_array_equal(lines["$u_\\mathrm{rms}$"].get_xdata(), [0.25, 0.75])

    def test_that_keep_more_axes_are_named(self):
        averages = self.by_phase("plane", "output.statistics.average=[x]")
        with self.assertRaisesRegex(style.NothingToDraw, "keep y and z; `dns export`"):
            phases.draw(averages)

    def test_are_a_kind_of_dns_plot(self):
        averages = self.by_phase("kind")
        folder = self.scratch / "pictures"
        ended = run_dns("plot", averages.path.parent, "-o", folder)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("phases.png", ended.stdout)
        ended = run_dns("plot", averages.path.parent, "-o", folder, "--only", "phases", "--time",
                        "0,0.001")
        self.assertIn("averages by phase are not only of times from t = 0 to 0.001", ended.stderr)
        other = self.make_run("without", PROJECTION)
        ended = run_dns("plot", other, "-o", folder, "--only", "phases")
        self.assertIn("the run has no averages by phase of that time; the case sets it: "
                      "output.statistics.phase", ended.stderr)


if __name__ == "__main__":
    unittest.main()
