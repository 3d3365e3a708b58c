"""Vorticity, Q, kinetic energy and spectra of snapshots against mathematics."""
import unittest

from small_runs import PROJECTION, SPLITTING, RunsTestCase

import numpy as np

from dnsflow import (Run, RunFileError, kinetic_energy, line_spectrum, q_criterion, spectrum,
                     vorticity)
from dnsflow.gradients import derivative
from dnsflow.grid import widths

LENGTHS = {"x": 2.0, "y": 1.0, "z": 1.5}
WALLS = ("y",)  # the other axes are periodic


def faces_of(axis, points):
    """Stretched towards both ends along y, smoothly waving along z, uniform along x."""
    even = np.linspace(0, 1, points + 1)
    if axis == "y":
        even = 0.5 + np.tanh(1.2 * (2 * even - 1)) / (2 * np.tanh(1.2))
    if axis == "z":
        even = even + 0.05 * np.sin(2 * np.pi * even)
    return LENGTHS[axis] * even


class Flow(dict):
    """Stands for a snapshot of cells with walls along y: velocity at centres and, if wanted, faces.

    velocity(x, y, z) gives u, v, w.
    """

    path = "fields.h5"
    case = {"boundaries": {"x": "periodic", "z": "periodic"},
            "grid": {"length": [LENGTHS[axis] for axis in "xyz"]}}

    def __init__(self, points_xyz, velocity, has_faces, boundaries=None):
        if boundaries is not None:
            self.case = {**self.case, "boundaries": boundaries}
        for axis, points in zip("xyz", points_xyz):
            self[f"{axis}_faces"] = faces_of(axis, points)
            self[axis] = (self[f"{axis}_faces"][1:] + self[f"{axis}_faces"][:-1]) / 2
        for number, axis in enumerate("xyz" if has_faces else ""):
            places = self.mesh(**{axis: f"{axis}_faces"})
            self[f"velocity_{axis}"] = velocity(*places)[number] + 0 * places[0]
        places = self.mesh()
        self["velocity"] = np.stack([one + 0 * places[0] for one in velocity(*places)], axis=-1)

    def mesh(self, **instead):
        """x, y, z of all centres, or along some axes of other points, each (nz, ny, nx)."""
        z, y, x = np.meshgrid(*(self[instead.get(axis, axis)] for axis in "zyx"), indexing="ij")
        return x, y, z

    def read(self, name, **where):
        part = tuple(where.get(axis, where.get(f"{axis}_faces", slice(None))) for axis in "zyx")
        return self[name][part]


def wave(x, y, z):
    """A velocity that is periodic along x and z, and of no symmetry at the walls."""
    a, b = np.pi * x, 4 * np.pi / 3 * z  # one wave along x and one along z
    return np.exp(y) * np.cos(a) * np.sin(b), y**3 + np.sin(a + b), np.sin(2 * y) * np.cos(a - b)


def curl_of_wave(x, y, z):
    a, b, p, q = np.pi * x, 4 * np.pi / 3 * z, np.pi, 4 * np.pi / 3
    u_y, u_z = np.exp(y) * np.cos(a) * np.sin(b), q * np.exp(y) * np.cos(a) * np.cos(b)
    v_x, v_z = p * np.cos(a + b), q * np.cos(a + b)
    w_x, w_y = -p * np.sin(2 * y) * np.sin(a - b), 2 * np.cos(2 * y) * np.cos(a - b)
    return np.stack([w_y - v_z, u_z - w_x, v_x - u_y], axis=-1)


def q_of_wave(x, y, z):
    a, b, p, q = np.pi * x, 4 * np.pi / 3 * z, np.pi, 4 * np.pi / 3
    u_x, v_y = -p * np.exp(y) * np.sin(a) * np.sin(b), 3 * y**2
    w_z = q * np.sin(2 * y) * np.sin(a - b)
    u_y, u_z = np.exp(y) * np.cos(a) * np.sin(b), q * np.exp(y) * np.cos(a) * np.cos(b)
    v_x, v_z = p * np.cos(a + b), q * np.cos(a + b)
    w_x, w_y = -p * np.sin(2 * y) * np.sin(a - b), 2 * np.cos(2 * y) * np.cos(a - b)
    return -(u_x**2 + v_y**2 + w_z**2) / 2 - u_y * v_x - u_z * w_x - v_z * w_y


class SpectraOfFaces(unittest.TestCase):
    """Of velocities on the faces of cells that are stretched across the lines."""

    def test_hold_the_kinetic_energy(self):
        flow = Flow((12, 7, 9), wave, has_faces=True)
        k, energy, _ = spectrum(flow, "x")
        self.assertEqual(energy.shape, (3, 7))
        self.assertAlmostEqual(energy.sum() * k[1], 2 * kinetic_energy(flow), delta=1e-13)

    def test_those_of_centres_are_damped_along_their_axis_alone(self):
        def along_x(x, y, z):
            return np.sin(3 * np.pi * x), np.cos(2 * np.pi * x), np.sin(5 * np.pi * x)
        at_faces = Flow((12, 7, 9), along_x, has_faces=True)
        mean = Flow((12, 7, 9), along_x, has_faces=False)
        mean["velocity"][..., 0] = (at_faces["velocity_x"][..., 1:] +
                                    at_faces["velocity_x"][..., :-1]) / 2
        k, energy, _ = spectrum(at_faces, "x")
        _, damped, _ = spectrum(mean, "x")
        damping = np.stack([np.cos(k * 2 / 12 / 2)**2, np.ones(7), np.ones(7)])
        np.testing.assert_allclose(damped, damping * energy, atol=1e-14)


class Derivatives(unittest.TestCase):
    def test_of_parabolas_are_exact_at_any_distances(self):
        places = np.array([0.0, 0.1, 0.4, 0.5, 0.9, 1.7])
        values = np.stack([3 * places**2 - places, places + 2], axis=-1)
        np.testing.assert_allclose(derivative(values, places, 0),
                                   np.stack([6 * places - 1, 1 + 0 * places], axis=-1), atol=1e-13)

    def test_of_periodic_lines_go_around(self):
        places = 0.1 + np.arange(7) / 7
        found = derivative(np.sin(2 * np.pi * places), places, 0, period=1.0)
        factor = np.sin(2 * np.pi / 7) * 7  # of central differences of this wave
        np.testing.assert_allclose(found, factor * np.cos(2 * np.pi * places), atol=1e-13)


class FieldsOfGradients(unittest.TestCase):
    """From velocities at the centres and on the faces, on stretched grids, extents odd, unequal."""

    def assert_second_order(self, compute, exact, velocity=wave, boundaries=None):
        for has_faces in (False, True):
            errors = []
            for refined in (1, 2, 4):
                flow = Flow((13 * refined, 11 * refined, 17 * refined), velocity, has_faces,
                            boundaries)
                errors.append(np.abs(compute(flow) - exact(*flow.mesh())).max())
            orders = np.log2(np.array(errors[:-1]) / errors[1:])
            with self.subTest(has_faces=has_faces, errors=errors):
                self.assertTrue((orders > 1.85).all() and (orders < 2.15).all(), orders)

    def test_vorticity_is_of_second_order_up_to_walls(self):
        self.assert_second_order(vorticity, curl_of_wave)

    def test_q_is_of_second_order_up_to_walls(self):
        self.assert_second_order(q_criterion, q_of_wave)

    def test_vorticity_is_of_second_order_at_walls_of_known_velocity(self):
        def velocity(x, y, z):  # at y = 0 and 1 it is that of the walls
            return (3 * y + np.sin(np.pi * y) * np.cos(np.pi * x), y * (y - 1) * np.sin(np.pi * x),
                    np.sin(2 * np.pi * y))

        def curl(x, y, z):
            u_y = 3 + np.pi * np.cos(np.pi * y) * np.cos(np.pi * x)
            v_x = np.pi * y * (y - 1) * np.cos(np.pi * x)
            return np.stack([2 * np.pi * np.cos(2 * np.pi * y), 0 * u_y, v_x - u_y], axis=-1)
        walls = {"x": "periodic", "z": "periodic",
                 "y_min": {"type": "wall", "velocity": [0, 0, 0]},
                 "y_max": {"type": "wall", "velocity": [3, 0, 0]}}
        self.assert_second_order(vorticity, curl, velocity, walls)

    def test_walls_with_slip_or_shear_do_not_say_what_the_velocity_is(self):
        walls = {"x": "periodic", "z": "periodic",
                 "y_min": {"type": "wall", "velocity": [0, 0, 0], "slip_length": 0.1},
                 "y_max": {"type": "wall", "velocity": [0, 0, 0], "shear": [0, 0, 0]}}
        for has_faces in (False, True):
            flow = Flow((5, 7, 6), lambda x, y, z: (1, 0, y), has_faces, walls)
            omega = vorticity(flow)
            np.testing.assert_allclose(omega[..., 0], 1, atol=1e-12)
            np.testing.assert_allclose(omega[..., 2], 0, atol=1e-12)

    def test_walls_shear_a_flow_that_slips_past_them(self):
        walls = {"x": "periodic", "z": "periodic",
                 "y_min": {"type": "wall", "velocity": [0, 0, 0]},
                 "y_max": {"type": "wall", "velocity": ["sin(x)", 0, 0]}}
        for has_faces in (False, True):
            flow = Flow((5, 7, 6), lambda x, y, z: (1, 0, 0), has_faces, walls)
            omega = vorticity(flow)[..., 2]
            self.assertTrue((omega[:, 0] < -1 / flow["y_faces"][1]).all())  # -du/dy at the wall
            np.testing.assert_allclose(omega[:, 1:], 0, atol=1e-13)  # a formula is not known

    def test_a_linear_velocity_has_its_curl_and_its_q(self):
        def velocity(x, y, z):
            return 2 * x - 3 * y + z, x - 5 * y, 4 * y + 3 * z + x
        for has_faces in (False, True):
            flow = Flow((5, 7, 6), velocity, has_faces, boundaries={})  # no axis is periodic
            # u_y v_x = -3, u_z w_x = 1, v_z w_y = 0
            np.testing.assert_allclose(vorticity(flow), np.broadcast_to([4, 0, 4], (6, 7, 5, 3)),
                                       atol=1e-12)
            np.testing.assert_allclose(q_criterion(flow), -(4 + 25 + 9) / 2 + 3 - 1, atol=1e-11)

    def test_rotation_has_q_above_zero_and_strain_below(self):
        turning = Flow((5, 7, 6), lambda x, y, z: (-y, x, 0 * z), False, {})
        strained = Flow((5, 7, 6), lambda x, y, z: (x, -y, 0 * z), False, {})
        np.testing.assert_allclose(q_criterion(turning), 1, atol=1e-12)
        np.testing.assert_allclose(q_criterion(strained), -1, atol=1e-12)


class KineticEnergy(RunsTestCase):
    def test_of_cells_is_the_integral_over_the_box(self):
        errors = {}
        for has_faces in (False, True):
            # (1/V) int (u^2 + v^2 + w^2)/2 of u = y cos(pi x), v = 0, w = 1 is 1/12 + 1/2
            flow = Flow((12, 40, 5), lambda x, y, z: (y * np.cos(np.pi * x), 0, 1), has_faces)
            errors[has_faces] = kinetic_energy(flow) - 7 / 12
        self.assertLess(max(map(abs, errors.values())), 2e-4)  # of 40 stretched cells

    def test_of_bodies_does_not_count(self):
        def velocity(x, y, z):
            return 1, 2, 3 * np.sin(8 * np.pi / 3 * z)
        flow, fluid = (Flow((6, 4, 8), velocity, has_faces=False) for _ in range(2))
        flow["solid"] = np.zeros((8, 4, 6))
        flow["solid"][:, :2] = 1
        flow["velocity"][:, :2] = 1e3
        self.assertAlmostEqual(kinetic_energy(flow), kinetic_energy(fluid), delta=1e-13)
        del flow["solid"]
        flow.case = {**flow.case, "solids": {"block": {}}}
        with self.assertRaisesRegex(RunFileError, "output.fields.variables"):
            kinetic_energy(flow)

    def test_is_that_of_the_time_series(self):
        # Waves along x and z: interpolating them to the centres changes nothing at step 0.
        cells = Run(self.make_run("cells", PROJECTION))
        nodes = Run(self.make_run("nodes", SPLITTING, "output.fields.precision=double"))
        self.assertAlmostEqual(kinetic_energy(cells.snapshot(0)),
                               cells.time_series()["kinetic_energy"][0], delta=1e-14)
        for step in range(3):
            self.assertAlmostEqual(kinetic_energy(nodes.snapshot(step)),
                                   nodes.time_series()["kinetic_energy"][step], delta=1e-14)


class LineSpectra(unittest.TestCase):
    """line_spectrum against sums over the points."""

    def test_the_sum_over_wavenumbers_is_the_mean_square(self):
        generator = np.random.default_rng(1)
        for count in (16, 17):
            values = generator.standard_normal((3, count))
            k, energy = line_spectrum(values, 0.1)
            np.testing.assert_allclose(energy.sum(axis=-1) * k[1], (values**2).mean(axis=-1),
                                       rtol=1e-14)

    def test_one_wave_is_one_line_with_its_variance(self):
        count, h = 24, 0.25
        length = count * h
        for mode in (0, 1, 5, count // 2):
            k, energy = line_spectrum(3 * np.cos(2 * np.pi * mode / length * h * np.arange(count)),
                                      h)
            variance = 9 if mode in (0, count // 2) else 4.5
            expected = np.zeros(count // 2 + 1)
            expected[mode] = variance * length / (2 * np.pi)
            np.testing.assert_allclose(energy, expected, atol=1e-13)
            self.assertAlmostEqual(k[mode], 2 * np.pi * mode / length)


class SpectraOfARun(RunsTestCase):
    """spectrum of u = y cos(4 z), v = 0, w = 0.5 sin(3 x) at step 0."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.flow = Run(cls.make_run("waves", PROJECTION)).snapshot(0)

    def assert_single_wave(self, axis, component, wavenumber, variance):
        k, energy, share = spectrum(self.flow, axis)
        self.assertEqual(share, 1)
        self.assertAlmostEqual(energy[component].sum() * k[1], variance, delta=1e-13)
        highest = energy[component].argmax()
        self.assertAlmostEqual(k[highest], wavenumber, delta=1e-12)
        self.assertAlmostEqual(energy[component][highest] * k[1], variance, delta=1e-13)

    def test_waves_stand_at_their_wavenumbers(self):
        widths = np.diff(self.flow["y_faces"])
        mean_of_y2 = (widths * self.flow["y"] ** 2).sum() / widths.sum()
        self.assert_single_wave("z", 0, 4, mean_of_y2 / 2)
        self.assert_single_wave("x", 2, 3, 0.25 / 2)

    def test_a_stretched_axis_has_none(self):
        with self.assertRaisesRegex(ValueError, "y is not periodic with equal spacings"):
            spectrum(self.flow, "y")


    def test_lines_count_with_the_area_that_they_represent(self):
        # Nodes between walls along y: those on the walls stand for half as much.
        flow = Run(self.make_run("nodes", SPLITTING, "output.fields.precision=double")).snapshot(0)
        k, energy, _ = spectrum(flow, "x")
        u = flow["velocity"][..., 0]  # y, the same along x and z but on the walls
        mean = np.average((u**2).mean(axis=(0, 2)), weights=widths(flow, "y"))
        self.assertAlmostEqual(energy[0].sum() * k[1], mean, delta=1e-13)
        self.assertAlmostEqual(widths(flow, "y").sum(), 1, delta=1e-14)


if __name__ == "__main__":
    unittest.main()
