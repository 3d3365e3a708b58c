"""Legends get room where they would cover a curve."""
import unittest

from small_runs import RunsTestCase

import numpy as np
from matplotlib import pyplot

import channel_profiles
from pictures import legends, style
from validation import channel


class Legends(RunsTestCase):
    def panels(self, columns=1, **shared):
        figure, grid = style.new_figure(1, columns, 2.5, **shared)
        self.addCleanup(pyplot.close, figure)
        return figure, grid[0]

    def draw_full(self, axes, sign=1):
        """A panel without a free place for a legend."""
        x = np.linspace(1, 10, 2001)
        for number in range(6):
            axes.plot(x, 2 + sign * np.sin(40 * x + number), label=f"curve {number}")

    def test_a_panel_without_a_free_place_grows_upwards(self):
        for scale in ("linear", "log"):
            figure, (axes,) = self.panels()
            self.draw_full(axes)
            axes.set(xscale=scale, yscale=scale)
            axes.legend()
            figure.draw_without_rendering()
            before = axes.get_ylim()
            self.assertTrue(legends.covers_curve(axes))
            legends.clear(figure)
            figure.draw_without_rendering()
            self.assertFalse(legends.covers_curve(axes))
            self.assertAlmostEqual(axes.get_ylim()[0], before[0])
            self.assertGreater(axes.get_ylim()[1], before[1])

    def test_panels_that_share_heights_grow_to_the_right(self):
        figure, panels = self.panels(2, sharey=True)
        self.draw_full(panels[0])
        panels[0].legend()
        panels[1].plot([0, 1], [1, 3])
        heights, ends = panels[0].get_ylim(), panels[1].get_xlim()
        legends.clear(figure)
        figure.draw_without_rendering()
        self.assertFalse(legends.covers_curve(panels[0]))
        self.assertEqual((panels[0].get_ylim(), panels[1].get_xlim()), (heights, ends))
        self.assertGreater(panels[0].get_xlim()[1], 10.5)

    def test_a_legend_at_a_free_place_changes_nothing(self):
        figure, (axes,) = self.panels()
        axes.plot([0, 1, np.nan, 2], [0, 1, 1, 2], label="rising")
        axes.plot([], [], label="empty")
        axes.legend()
        before = axes.get_xlim(), axes.get_ylim()
        legends.clear(figure)
        self.assertEqual((axes.get_xlim(), axes.get_ylim()), before)

    def test_curves_that_only_pass_below_are_seen(self):
        figure, (axes,) = self.panels()
        axes.plot([0, 1], [0, 1], label="no point of it is below the legend")
        axes.legend(loc="center")
        figure.draw_without_rendering()
        self.assertTrue(legends.covers_curve(axes))

    def test_the_budget_of_the_validated_channel(self):
        y_plus = np.geomspace(0.3, 180, 64)
        terms = {name: (y_plus, 0.17 / (1 + (y_plus / 5) ** 2) * sign)
                 for name, sign in (("viscous_diffusion", 1), ("dissipation", -1),
                                    ("turbulent_transport", 0.3), ("pressure_transport", 0.05),
                                    ("advection", 0), ("residual", 0))}
        published = channel_profiles.s2a_budget()
        terms["production"] = published["production"]
        figure, grid = style.new_figure(2, 2, 5.4)
        self.addCleanup(pyplot.close, figure)
        channel.draw_budget(grid[1, 1], terms, published)
        figure.draw_without_rendering()
        self.assertTrue(legends.covers_curve(grid[1, 1]))
        legends.clear(figure)
        figure.draw_without_rendering()
        self.assertFalse(legends.covers_curve(grid[1, 1]))


if __name__ == "__main__":
    unittest.main()
