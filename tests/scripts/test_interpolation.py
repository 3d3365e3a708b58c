"""Values between points, means over planes and dissipation against mathematics."""
import unittest

import numpy as np

from test_flow_fields import Flow, wave

from dnsflow import RunFileError, dissipation, interpolate, plane_mean, q_criterion
from dnsflow.interpolation import stencil

LENGTHS = np.array([2.0, 1.0, 1.5])


def places(count, seed=4):
    """Points anywhere in the domain, some on its faces."""
    found = np.random.default_rng(seed).uniform(0, LENGTHS, (count, 3))
    found[:5, 1], found[5:10, 1] = 0, LENGTHS[1]
    return found


class Stencils(unittest.TestCase):
    def test_of_cubics_are_exact_at_any_distances_and_ends(self):
        points = np.array([0.0, 0.1, 0.4, 0.5, 0.9, 1.7, 2.0])
        at = np.array([-0.1, 0, 0.05, 0.45, 0.6, 1.7, 1.95, 2.1])
        numbers, weights = stencil(points, None, at)
        for power in range(4):
            np.testing.assert_allclose((weights * points[numbers]**power).sum(axis=1), at**power,
                                       atol=1e-13)

    def test_take_two_points_on_both_sides_around_a_period(self):
        points = 0.1 + np.arange(7) / 7
        for at, expected in ((0.05, {5, 6, 0, 1}), (0.12, {6, 0, 1, 2}), (-2.95, {5, 6, 0, 1}),
                             (1.0, {5, 6, 0, 1})):
            numbers, weights = stencil(points, 1.0, np.array([at]))
            self.assertEqual(set(numbers[0]), expected)
            self.assertAlmostEqual(weights.sum(), 1)

    def test_of_few_points_are_of_lower_order(self):
        self.assertEqual(stencil(np.array([0.3]), None, np.array([0.7]))[1], 1)
        numbers, weights = stencil(np.array([0.25, 0.75]), None, np.array([0.0]))
        np.testing.assert_allclose((weights * numbers).sum(), -0.5)  # a straight line
        self.assertAlmostEqual(stencil(np.array([0.3]), 1.0, np.array([0.7]))[1].sum(), 1)


class Interpolation(unittest.TestCase):
    """On stretched, waving and uniform axes with odd, unequal numbers of cells."""

    def errors(self, velocity, has_faces, boundaries=None):
        points = places(400)
        for refined in (1, 2, 4):
            flow = Flow((13 * refined, 11 * refined, 17 * refined), velocity, has_faces, boundaries)
            yield np.abs(interpolate(flow, points)
                         - np.stack(np.broadcast_arrays(*velocity(*points.T)), axis=-1)).max()

    def assert_fourth_order(self, *flow):
        for has_faces in (False, True):
            errors = np.array(list(self.errors(flow[0], has_faces, *flow[1:])))
            orders = np.log2(errors[:-1] / errors[1:])
            with self.subTest(has_faces=has_faces, errors=errors):
                self.assertTrue((orders > 3.6).all() and (orders < 4.6).all(), orders)

    def test_is_of_fourth_order_up_to_faces_whose_values_are_not_known(self):
        self.assert_fourth_order(wave)

    def test_is_of_fourth_order_at_walls_of_known_velocity(self):
        def velocity(x, y, z):  # at y = 0 and 1 it is that of the walls
            return (3 * y + np.sin(np.pi * y) * np.cos(np.pi * x), y * (y - 1) * np.sin(np.pi * x),
                    np.sin(2 * np.pi * y))
        walls = {"x": "periodic", "z": "periodic",
                 "y_min": {"type": "wall", "velocity": [0, 0, 0]},
                 "y_max": {"type": "wall", "velocity": [3, 0, 0]}}
        self.assert_fourth_order(velocity, walls)

    def test_at_walls_it_is_what_the_case_gives(self):
        walls = {"x": "periodic", "z": "periodic",
                 "y_min": {"type": "wall", "velocity": [2, 0, -1], "temperature": 5},
                 "y_max": {"type": "inflow", "velocity": [0, -1, "x"], "temperature": {"gradient": 1},
                           "scalars": {"salt": 3}}}
        for has_faces in (False, True):
            flow = Flow((5, 7, 6), wave, has_faces, walls)
            flow["temperature"] = flow["salt"] = flow.mesh()[1]
            found = interpolate(flow, [[0.3, 0, 0.1], [0.3, 1, 0.1]])
            np.testing.assert_allclose(found[0, [0, 2]], [2, -1], atol=1e-13)
            np.testing.assert_allclose(found[1, 0], 0, atol=1e-13)
            self.assertGreater(abs(found[1, 2]), 1e-3)  # a formula is not known
            if not has_faces:  # else it is what is stored on the face
                np.testing.assert_allclose(found[:, 1], [0, -1], atol=1e-13)
            np.testing.assert_allclose(
                interpolate(flow, [[0.3, 0, 0.1], [0.3, 1, 0.1]], "temperature"), [5, 1])
            self.assertAlmostEqual(interpolate(flow, [0.3, 1, 0.1], "salt"), 3)

    def test_goes_around_periodic_axes_and_ends_at_others(self):
        for has_faces in (False, True):
            flow = Flow((5, 7, 6), wave, has_faces)
            point = np.array([0.3, 0.4, 0.2])
            around = point + np.array([[2, 0, 0], [0, 0, -3], [-4, 0, 1.5]])
            found, again = interpolate(flow, point), interpolate(flow, around)
            self.assertEqual((found.shape, again.shape), ((3,), (3, 3)))
            np.testing.assert_allclose(again, [found] * 3, atol=1e-12)
            beyond = interpolate(flow, [[0.3, -1e-9, 0.2], [0.3, 1.1, 0.2], [np.nan, 0, 0]])
            self.assertTrue(np.isnan(beyond).all())

    def test_in_bodies_there_is_no_value(self):
        flow = Flow((5, 7, 6), lambda x, y, z: (1, 2, 3), has_faces=False)
        flow["solid"] = np.zeros((6, 7, 5))
        flow["solid"][:, :3] = 1
        y = flow["y_faces"][3]
        found = interpolate(flow, [[0.3, y - 0.02, 0.2], [0.3, y + 0.02, 0.2]])
        np.testing.assert_allclose(found, [[np.nan] * 3, [1, 2, 3]])

    def test_other_points_and_arrays_are_refused(self):
        flow = Flow((5, 7, 6), wave, has_faces=True)
        with self.assertRaisesRegex(ValueError, r"must have \(..., 3\)"):
            interpolate(flow, [1, 2])
        with self.assertRaisesRegex(RunFileError, "velocity_x is not at the points"):
            interpolate(flow, [1, 0.2, 0.3], "velocity_x")


class PlaneMeans(unittest.TestCase):
    def test_points_count_with_their_widths(self):
        flow = Flow((5, 7, 6), lambda x, y, z: (1 + y, x, z), has_faces=False)
        over_y = plane_mean(flow, flow["velocity"][..., 0], "y")
        np.testing.assert_allclose(over_y, np.full((6, 5), 1.5), atol=1e-14)  # linear: exact
        along_y = plane_mean(flow, "velocity")
        self.assertEqual(along_y.shape, (7, 3))
        np.testing.assert_allclose(along_y, np.stack([1 + flow["y"], 0 * flow["y"] + 1,
                                                      0 * flow["y"] + 0.75], axis=-1), atol=1e-14)

    def test_bodies_do_not_count(self):
        flow = Flow((5, 7, 6), lambda x, y, z: (1 + y, x, z), has_faces=False)
        flow["solid"] = np.zeros((6, 7, 5))
        flow["solid"][:3, 2], flow["solid"][:, 4] = 1, 1
        flow["velocity"][flow["solid"] > 0] = np.nan
        found = plane_mean(flow, "velocity")
        np.testing.assert_allclose(found[2, 0], 1 + flow["y"][2])
        self.assertTrue(np.isnan(found[4]).all())

    def test_other_axes_and_arrays_are_refused(self):
        flow = Flow((5, 7, 6), wave, has_faces=True)
        with self.assertRaisesRegex(ValueError, "must name axes"):
            plane_mean(flow, "velocity", "xt")
        with self.assertRaisesRegex(ValueError, "velocity_x of fields.h5 has the shape"):
            plane_mean(flow, "velocity_x")


class TaylorGreen(unittest.TestCase):
    """u = sin ax cos by, v = -(a/b) cos ax sin by, and what strains and turns there."""

    reynolds = 50
    a, b = np.pi, 2 * np.pi  # of the period 2 along x, and between y = 0 and 1

    def flow(self, refined, has_faces):
        def velocity(x, y, z):
            a, b = self.a, self.b
            return (np.sin(a * x) * np.cos(b * y), -a / b * np.cos(a * x) * np.sin(b * y), 0 * z)
        flow = Flow((13 * refined, 11 * refined, 3), velocity, has_faces)
        flow.case = {**flow.case, "fluid": {"reynolds": self.reynolds}}
        return flow

    def exact(self, flow):
        """(dissipation, Q)"""
        a, b = self.a, self.b
        x, y, _ = flow.mesh()
        normal = a * np.cos(a * x) * np.cos(b * y)  # u_x = -v_y
        u_y = -b * np.sin(a * x) * np.sin(b * y)
        v_x = a * a / b * np.sin(a * x) * np.sin(b * y)
        return ((4 * normal**2 + (u_y + v_x)**2) / self.reynolds, -normal**2 - u_y * v_x)

    def test_dissipation_and_q_are_of_second_order(self):
        for has_faces in (False, True):
            for number, compute in enumerate((dissipation, q_criterion)):
                errors = []
                for refined in (2, 4, 8):
                    flow = self.flow(refined, has_faces)
                    errors.append(np.abs(compute(flow) - self.exact(flow)[number]).max())
                orders = np.log2(np.array(errors[:-1]) / errors[1:])
                with self.subTest(compute.__name__, has_faces=has_faces, errors=errors):
                    self.assertTrue((orders > 1.8).all() and (orders < 2.3).all(), orders)

    def test_the_mean_dissipation_is_that_of_the_vorticity(self):
        flow = self.flow(4, True)
        mean = plane_mean(flow, dissipation(flow), "xyz")  # div u = 0, no flow through the walls
        exact = (self.b + self.a**2 / self.b)**2 / 4 / self.reynolds
        self.assertAlmostEqual(mean, exact, delta=3e-3 * exact)


if __name__ == "__main__":
    unittest.main()
