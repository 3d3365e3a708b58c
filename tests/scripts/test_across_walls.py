"""Order 4 across walls, whose cells have other centres and weights than those between faces."""
import functools
import unittest

from small_runs import PROJECTION, RunsTestCase

import numpy as np

from channel_profiles import stress_by_sums
from dnsflow import Run
from dnsflow.grid import widths
from dnsflow.wall_friction import slopes_at_wall

LINEAR = """
case: linear
scheme: projection
device: cpu
grid: {points: [8, 11, 9], length: [2, 2, 2], origin: [0, -1, 0],
       stretching: {y: {type: tanh, factor: 1.5}}}
fluid: {reynolds: 10, prandtl: 0.7}
boundaries:
  x: periodic
  y_min: {type: wall, velocity: [-1, 0, -2], temperature: 1}
  y_max: {type: wall, velocity: [1, 0, 2], temperature: 3}
  z: periodic
initial: {velocity: ["y", 0, "2*y"], temperature: "2 + y"}
time: {scheme: runge_kutta, step: 0.01, steps: 4}
output:
  fields: {every: 4, precision: double, variables: [velocity, vorticity, q_criterion]}
  statistics: {start: 0, every: 1, average: [x, z]}
  planes: {every: 4, precision: double, low: {axis: y, at: -1}, high: {axis: y, at: 1},
           middle: {axis: y, at: 0.13}}
  probes: {every: 4, wall: {at: [0.3, -1, 0.4]}, beside: {at: [0.3, 0.999, 0.4]},
           inside: {at: [0.3, 0.37, 0.4]}}
"""


class Averages(RunsTestCase):
    """statistics.h5 of a stirred flow."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = cls.make_run("across", PROJECTION, "accuracy.order=[6,4,6]", "time.step=0.01",
                              "forcing={type: pressure_gradient, value: [0.3, 0, 0]}",
                              'initial.velocity=["y*cos(4*z)+0.3*sin(x)*cos(2*y)", '
                              '"0.3*sin(x)*(1-y^2)", "0.5*sin(x)*(1-y^4)"]',
                              "time.steps=12", "output.statistics.window=0.04")
        cls.run_of_cells = Run(folder)

    def test_cells_are_where_snapshots_have_them(self):
        averages, flow = self.run_of_cells.statistics(), self.run_of_cells.snapshot()
        np.testing.assert_allclose(averages["y"], flow["y"], atol=1e-15)
        middles = (averages["y_faces"][1:] + averages["y_faces"][:-1]) / 2
        self.assertGreater(np.abs(averages["y"] - middles).max(), 1e-3)
        np.testing.assert_allclose(widths(averages, "y").sum(), 2, rtol=1e-14)

    def test_changes_of_momentum_sum_up_to_nothing_and_to_the_shear(self):
        averages = self.run_of_cells.statistics()
        heights = averages["y_widths"]
        for name, along in (("u", 0), ("w", 1)):
            advection = averages[f"momentum_{name}_advection"]
            self.assertGreater(np.abs(advection).max(), 1e-4)
            self.assertLess(abs((heights * advection).sum()), 1e-14 * np.abs(advection).max())
            shear = [slopes_at_wall(averages, averages, "y", end)[along] / 100 for end in (0, -1)]
            diffusion = (heights * averages[f"momentum_{name}_diffusion"]).sum()
            self.assertAlmostEqual(diffusion, -sum(shear), 13)

    def test_friction_is_that_of_the_file(self):
        averages = self.run_of_cells.statistics()
        stresses = [np.linalg.norm(slopes_at_wall(averages, averages, "y", end)) / 100
                    for end in (0, -1)]
        self.assertAlmostEqual(averages.attributes["friction_velocity"],
                               np.mean(stresses) ** 0.5, 13)

    def test_stresses_are_those_of_the_walls_and_the_driving(self):
        averages = self.run_of_cells.statistics()
        (stress, _), (distance, _) = stress_by_sums(averages, 0.01, "u", "y")
        low, high = (slopes_at_wall(averages, averages, "y", end)[0] / 100 for end in (0, -1))
        self.assertAlmostEqual(stress[0] + stress[-1], low - high, 1)  # half a cell from the walls
        self.assertAlmostEqual(distance[0], averages["y_widths"][0] / 2, 14)

    def test_windows_join_to_the_whole(self):
        joined, whole = self.run_of_cells.averages(), self.run_of_cells.statistics()
        for name in ("y_widths", "momentum_u_advection", "momentum_w_diffusion"):
            np.testing.assert_allclose(joined[name], whole[name], atol=1e-13, err_msg=name)
        self.assertIn("momentum_u_advection_uncertainty", joined)


class LinearFlow(RunsTestCase):
    """Figures of order 2 are exact where velocity and temperature are linear, at every order."""

    def test_all_figures_of_a_linear_flow_are_exact(self):
        for order in ("2", "[6,2,6]", "[6,4,6]"):
            run = Run(self.make_run(f"linear_{order[1:2]}{order[3:4]}", LINEAR,
                                    f"accuracy.order={order}"))
            close = functools.partial(np.testing.assert_allclose, atol=1e-13, err_msg=order)
            flow = run.snapshot()
            close(flow["vorticity"], np.broadcast_to([2, 0, -1], flow["vorticity"].shape))
            close(flow["q_criterion"], 0)
            close(run.statistics()["dissipation"], 0.5)
            for name, at in (("low", -1), ("high", 1), ("middle", 0.13)):
                plane = run.plane(name)
                close(plane["velocity_x"], at)
                close(plane["temperature"], 2 + at)
            for name, at in (("wall", -1), ("beside", 0.999), ("inside", 0.37)):
                probe = run.probe(name)
                close(probe["velocity_x"], at)
                close(probe["temperature"], 2 + at)

    def test_the_pressure_of_air_at_rest_is_linear_up_to_the_walls(self):
        settings = ("boundaries.y_min={type: wall, temperature: {gradient: 0}}",
                    "boundaries.y_max={type: wall, temperature: {gradient: 0}}",
                    "buoyancy={richardson: 0.5, direction: y}",
                    "initial={velocity: [0, 0, 0], temperature: 2}",
                    "output.fields.variables=[pressure]")
        for order in ("2", "[6,4,6]"):
            run = Run(self.make_run(f"rest_{order[1:2]}{order[3:4]}", LINEAR,
                                    f"accuracy.order={order}", *settings))
            flow = run.snapshot()
            level = np.mean(flow["pressure"] - flow["y"][:, None])
            close = functools.partial(np.testing.assert_allclose, atol=1e-13, err_msg=order)
            for name, at in (("low", -1), ("high", 1), ("middle", 0.13)):
                close(run.plane(name)["pressure"][-1], level + at)
            for name, at in (("wall", -1), ("beside", 0.999), ("inside", 0.37)):
                close(run.probe(name)["pressure"][-1], level + at)


if __name__ == "__main__":
    unittest.main()
