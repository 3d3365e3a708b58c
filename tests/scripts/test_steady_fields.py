"""The independent equations of steady flows, Newton's method, and fields of CaNS beside a run."""
import copy
import struct
import unittest

from small_runs import RunsTestCase

import numpy as np

from dnsflow import Run, RunFileError
from validation import newton
from validation.cans_files import CansFields
from validation.report import Report
from validation.steady_equations import Fields, SteadyFlow, fields_of
from validation.steady_fields import compare_with_cans
from validation.steady_solution import SteadyProblem, steady_solution

CELLS = (5, 3, 7)  # odd and unequal: tells axes apart
LID = """
case: lid
scheme: projection
device: cpu
grid: {points: [5, 6, 7], length: [1.0, 1.5, 0.8]}
fluid: {reynolds: 20}
boundaries:
  x_min: &wall {type: wall}
  x_max: *wall
  y_min: *wall
  y_max: *wall
  z_min: *wall
  z_max: {type: wall, velocity: [1, 0.3, 0]}
time: {step: 0.1, end: 60}
output:
  fields: {every: 1000000, precision: double, location: faces}
"""
HEATED = """
case: heated
scheme: projection
device: cpu
grid: {points: [7, 4, 6], length: [1.0, 0.4, 0.8]}
fluid: {reynolds: 40, prandtl: 0.7}
buoyancy: {rayleigh: 1120, direction: z}
boundaries:
  x_min: {type: wall, temperature: -0.5}
  x_max: {type: wall, temperature: 0.5}
  y: periodic
  z_min: {type: wall, temperature: {gradient: 0}}
  z_max: {type: wall, temperature: {gradient: 0}}
initial: {temperature: "x - 0.5"}
time: {step: 0.1, end: 150}
output:
  fields: {every: 1000000, precision: double, location: faces}
"""
PLATES = {
    "grid": {"points": CELLS, "length": [1.0, 0.5, 2.0]},
    "fluid": {"reynolds": 8, "prandtl": 0.5},
    "buoyancy": {"rayleigh": 90, "direction": "z", "reference_temperature": 0.25},
    "boundaries": {"x": "periodic", "y": "periodic",
                   "z_min": {"velocity": [0, 0, 0], "temperature": 2},
                   "z_max": {"velocity": [3, -1, 0], "temperature": 1}}}


def write_binary(path, fields, behind=(), kind="d"):
    """Arrays [i][j][k] as CaNS writes them, i fastest; `behind`: numbers at the end."""
    numbers = [field[i, j, k] for field in fields for k in range(field.shape[2])
               for j in range(field.shape[1]) for i in range(field.shape[0])]
    path.write_bytes(struct.pack(f"<{len(numbers) + len(behind)}{kind}", *numbers, *behind))


def write_geometry(folder, cells, lengths):
    folder.mkdir(exist_ok=True)
    (folder / "geometry.out").write_text(f" {'  '.join(map(str, cells))}\n"
                                         f" {'  '.join(map(str, lengths))}\n")


def some_fields(count):
    i, j, k = np.indices(CELLS)
    return [100 * number + i + 0.1 * j + 0.01 * k for number in range(count)]


class FilesOfCans(RunsTestCase):
    def folder(self, name):
        folder = self.scratch / name
        write_geometry(folder, CELLS, (1.0, 0.5, 2.0))
        return folder

    def assert_holds(self, folder, fields, digits=15):
        found = CansFields(folder)
        self.assertEqual((found.cells, found.lengths), (CELLS, (1.0, 0.5, 2.0)))
        self.assertEqual(list(found.fields), ["velocity_x", "velocity_y", "velocity_z", "pressure",
                                              "temperature"][:len(fields)])
        for one, other in zip(found.fields.values(), fields):
            np.testing.assert_allclose(one, other, rtol=10.0**-digits, atol=0)

    def test_checkpoint_of_each_field(self):
        folder, fields = self.folder("separate"), some_fields(5)
        for name, field in zip(("u", "v", "w", "p", "s_001"), fields):
            write_binary(folder / f"fld_{name}.bin", [field], (12.5, 300))
        self.assert_holds(folder, fields)

    def test_checkpoint_of_all_fields(self):
        for count in (4, 5):
            folder, fields = self.folder(f"joined{count}"), some_fields(count)
            write_binary(folder / "fld.bin", fields, (12.5, 300))
            self.assert_holds(folder, fields)

    def test_fields_for_viewing_are_those_of_the_latest_step(self):
        folder, fields = self.folder("viewed"), some_fields(5)
        for step, factor in (("0000000", 0), ("0000900", 2), ("0010000", 1)):
            for name, field in zip(("vex", "vey", "vez", "pre", "sca_001"), fields):
                write_binary(folder / f"{name}_fld_{step}.bin", [factor * field])
        self.assert_holds(folder, fields)

    def test_single_precision(self):
        folder, fields = self.folder("single"), some_fields(4)
        write_binary(folder / "fld.bin", fields, (12.5, 300), "f")
        self.assert_holds(folder, fields, 6)

    def test_what_cannot_be_read_is_named(self):
        folder = self.folder("broken")
        for text, words in (("", "holds no fields of CaNS"), ("fld.bin", "but must have 3376 or"),
                            ("fld_u.bin", "but must have 856 ")):
            if text:
                (folder / text).write_bytes(bytes(24))
            with self.assertRaisesRegex(RunFileError, words):
                CansFields(folder)
        for geometry in ("", "5 3\n1 1\n", "5 3 x\n1 1 1\n", "5 3 0\n1 1 1\n"):
            (folder / "geometry.out").write_text(geometry)
            with self.assertRaisesRegex(RunFileError, "geometry.out"):
                CansFields(folder)
        with self.assertRaisesRegex(RunFileError, "geometry.out"):
            CansFields(self.scratch / "none")

    def test_stretched_cells_are_refused(self):
        folder = self.folder("stretched")
        write_binary(folder / "fld.bin", some_fields(4), (12.5, 300))
        faces = 2 * np.arange(1, 8) / 7
        for bend in (0, 0.01):
            columns = [np.zeros(7)] * 3 + [faces + bend * faces * (2 - faces)]
            write_binary(folder / "grid.bin", [column.reshape(7, 1, 1) for column in columns])
            if bend:
                self.assertRaisesRegex(RunFileError, "set gr = 0", CansFields, folder)
            else:
                CansFields(folder)


class Equations(unittest.TestCase):
    def plates(self):
        """Uniform shear, conduction, and the pressure of the weight: exact on any grid."""
        centres = (np.arange(7) + 0.5) / 7 * 2
        warmth = 2 - centres / 2
        strength = 90 / (8 * 8 * 0.5)  # acceleration over temperature
        pressure = strength * (1.75 * centres - centres**2 / 4)
        return Fields((np.tile(1.5 * centres, (6, 3, 1)), np.tile(-0.5 * centres, (5, 4, 1)),
                       np.zeros((5, 3, 8))), np.tile(pressure, (5, 3, 1)),
                      np.tile(warmth, (5, 3, 1)))

    def rests(self, fields):
        """The largest sums of all terms: momentum, divergence, heat."""
        flow = SteadyFlow(PLATES)
        momentum = [abs(sum(flow.momentum(fields, axis))).max() for axis in range(3)]
        return (np.max(momentum), abs(sum(flow.divergence(fields))).max(),
                abs(sum(flow.heat(fields))).max())

    def test_hold_for_a_known_flow(self):
        self.assertLess(max(self.rests(self.plates())), 1e-13)
        weight = SteadyFlow(PLATES).momentum(self.plates(), 2)[-1]
        self.assertGreater(abs(weight).max(), 1)

    def test_tell_any_change_of_it(self):
        #   changed: u, v, w, pressure, temperature
        told_by = ((0, 1), (0, 1), (0, 1, 2), (0,), (0, 2))
        for number, equations in enumerate(told_by):
            for change in (1e-6, np.nan):
                fields = copy.deepcopy(self.plates())
                [*fields.velocity, fields.pressure, fields.temperature][number][2, 1, 3] += change
                rests = self.rests(fields)
                for equation in equations:
                    self.assertFalse(rests[equation] < 1e-7, (number, equation))

    def test_nothing_hides_a_value_that_is_none(self):
        fields = self.plates()
        fields.velocity[2][2, 1, 3] = np.nan
        self.assertTrue(all(map(np.isnan, SteadyFlow(PLATES).imbalances(fields).values())))

    def test_are_of_second_order(self):
        """Of u = sin x cos z, w = - cos x sin z with its pressure only 2 nu u is left."""
        errors = []
        for count in (16, 32):
            case = {"fluid": {"reynolds": 5}, "boundaries": dict.fromkeys("xyz", "periodic"),
                    "grid": {"points": [count, 3, 2 * count], "length": [2 * np.pi, 1, 4 * np.pi]}}
            faces = [2 * np.pi / count * np.arange(cells + 1) for cells in (count, 2 * count)]
            x, z = ((face[1:] + face[:-1]) / 2 for face in faces)
            velocity = (np.sin(faces[0])[:, None, None] * np.cos(z) * np.ones((1, 3, 1)),
                        np.zeros((count, 4, 2 * count)),
                        -np.cos(x)[:, None, None] * np.sin(faces[1]) * np.ones((1, 3, 1)))
            pressure = ((np.cos(2 * x)[:, None, None] + np.cos(2 * z)) / 4) * np.ones((1, 3, 1))
            flow = SteadyFlow(case)
            errors.append([abs(sum(flow.momentum(Fields(velocity, pressure), axis))
                               - 0.4 * flow.inner_faces(velocity[axis], axis)).max()
                           for axis in (0, 2)])
        np.testing.assert_allclose(np.log2(np.divide(*errors)), 2, atol=0.1)


class Runs(RunsTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.flows = {}
        for name, text in (("lid", LID), ("heated", HEATED)):
            run = Run(cls.make_run(name, text))
            cls.flows[name] = run.case, fields_of(run.snapshot())

    def test_end_where_the_equations_hold(self):
        for case, fields in self.flows.values():
            for name, rest in SteadyFlow(case).imbalances(fields).items():
                self.assertLess(rest, 1e-12, name)

    def test_have_the_derivatives_that_newtons_method_takes(self):
        for case, _ in self.flows.values():
            problem = SteadyProblem(case)
            random = np.random.default_rng(1)
            here, along = ([random.standard_normal(q.shape) for q in problem.at_rest()]
                           for _ in range(2))
            ahead, behind = (np.concatenate([rest.ravel() for rest in problem.rests(
                [q + sign * step for q, step in zip(here, along)])]) for sign in (1, -1))
            change = newton.jacobian(problem.rests, here) @ np.concatenate(
                [step.ravel() for step in along])
            np.testing.assert_allclose(change, (ahead - behind) / 2, atol=1e-10)

    def test_end_where_newtons_method_does(self):
        for name, (case, fields) in self.flows.items():
            solution, changes = steady_solution(case)
            self.assertLess(len(changes), 12)
            for axis in range(3):
                if name == "lid" or axis != 1:
                    np.testing.assert_allclose(fields.velocity[axis], np.broadcast_to(
                        solution.velocity[axis], fields.velocity[axis].shape), atol=1e-13)
            self.assertLess(abs(fields.pressure - fields.pressure.mean() - solution.pressure).max(),
                            1e-13)

    def write_as_cans(self, name, cells_along_y):
        """The flow of a run in files of CaNS, shifted pressure, with other cells along y."""
        case, fields = self.flows[name]
        folder = self.scratch / f"{name}_of_cans"
        cells = [case["grid"]["points"][0], cells_along_y, case["grid"]["points"][2]]
        lengths = list(case["grid"]["length"])
        if name == "heated":
            lengths[1] = 0.1
        write_geometry(folder, cells, lengths)
        u, v, w = fields.velocity
        named = {"u": u[1:, :, :], "v": v[:, 1:, :], "w": w[:, :, 1:], "p": fields.pressure + 7}
        if fields.temperature is not None:
            named["s_001"] = fields.temperature
        for key, field in named.items():
            write_binary(folder / f"fld_{key}.bin", [field[:, :cells_along_y]], (60, 600))
        return folder

    def compared(self, folder):
        report = Report("")
        compare_with_cans(report, CansFields(folder), self.flows, 1e-12)
        return report

    def test_are_laid_beside_fields_of_cans(self):
        for name, cells, count in (("lid", 6, 4), ("heated", 2, 5)):
            report = self.compared(self.write_as_cans(name, cells))
            self.assertTrue(report.is_passed, report.terminal_text())
            self.assertEqual(len(report.rows), count)
            self.assertTrue(all(row[0].startswith(f"{name} beside CaNS") for row in report.rows))

    def test_differ_from_others(self):
        folder = self.write_as_cans("heated", 2)
        path = folder / "fld_w.bin"
        numbers = list(struct.unpack(f"<{7 * 2 * 6 + 2}d", path.read_bytes()))
        numbers[8] += 1e-9
        path.write_bytes(struct.pack(f"<{len(numbers)}d", *numbers))
        report = self.compared(folder)
        self.assertEqual([row[0] for row in report.rows if row[-1] == "NO"],
                         ["heated beside CaNS: velocity_z, largest difference"])
        (folder / "fld_s_001.bin").unlink()
        with self.assertRaisesRegex(RunFileError, "no temperature"):
            self.compared(folder)
        write_geometry(folder, (7, 2, 5), (1.0, 0.1, 0.8))
        for key in "uvwp":
            write_binary(folder / f"fld_{key}.bin", [np.zeros((7, 2, 5))], (0, 0))
        with self.assertRaisesRegex(RunFileError, "7 x 2 x 5 cells"):
            self.compared(folder)


if __name__ == "__main__":
    unittest.main()
