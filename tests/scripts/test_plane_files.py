"""Planes that dnsflow writes and runs read at an inflow."""
import unittest

from small_runs import RunsTestCase

import h5py
import numpy as np

from dnsflow import Run, write_planes

CASE = """
scheme: projection
grid: {points: [9, 10, 7], length: [2, 1.5, 1]}
fluid: {reynolds: 50, prandtl: 1}
boundaries:
  x_min: {type: inflow, velocity: {planes: PATH, beyond: hold}, temperature: {planes: PATH}}
  x_max: {type: outflow}
  y_min: {type: symmetry}
  y_max: {type: symmetry}
  z: periodic
initial: {velocity: ["1 + y", 0, 0]}
time: {step: 0.04, steps: 5}
output:
  fields: {every: 1, precision: double, location: faces}
"""


CAVITY = """
scheme: SCHEME
grid: {points: [9, 10, 7], length: [2, 1.5, 1]}
fluid: {reynolds: 50, prandtl: 1}
boundaries:
  x: {type: wall, temperature: {gradient: 0}}
  y_min: {type: wall, temperature: BOTTOM}
  y_max: {type: wall, velocity: LID, temperature: TOP}
  z: periodic
time: {step: 0.01, steps: 6}
output:
  fields: {every: 2, precision: double}
"""


class PlaneFiles(RunsTestCase):
    def written(self, name="in", kind=float, **changed):
        """A file of linear values at three times and on 4 x 5 points."""
        times, y, z = np.array([7.0, 7.05, 7.15]), np.array([0, 0.4, 0.7, 1.5]), np.arange(5) / 5
        since = (times - 7)[:, None, None]
        velocity = np.zeros((3, 5, 4, 3), kind)
        velocity[..., 0] = (1 + 3 * since) * (1 + y)
        velocity[..., 1] = 0.1 * since * y * (1.5 - y)
        arrays = {"times": times, "velocity": velocity, "y": y, "z": z, "periodic": "z",
                  "temperature": (velocity[..., 0] * 0 + 2).astype(kind), **changed}
        path = self.scratch / f"planes_{name}.h5"
        write_planes(path, **arrays)
        return path

    def test_give_a_run_its_inflow_between_points_and_times(self):
        path = self.written()
        run = Run(self.make_run("fed", CASE.replace("PATH", str(path))))
        for step in range(6):
            flow = run.snapshot(step)
            time = min(0.04 * step, 0.15)  # held after the last record
            exact = np.broadcast_to((1 + 3 * time) * (1 + flow["y"]), (7, 10))
            if step > 0:
                np.testing.assert_allclose(flow["velocity_x"][:, :, 0], exact, rtol=1e-12)

    def test_walls_have_the_same_flow_as_with_formulas(self):
        """A lid and two walls with values that are linear in place and between times."""
        times, x, z = np.array([0, 0.02, 0.06]), np.array([0, 0.7, 2.0]), np.arange(4) / 4
        t, place = times[:, None, None], x + 0 * z[:, None]
        velocity = np.stack([1 + place + 5 * t, 0 * place + 0 * t, place * t], axis=-1)
        lid, floor = self.scratch / "planes_lid.h5", self.scratch / "floor.csv"
        write_planes(lid, times, velocity, temperature=place + 20 * t, x=x, z=z, periodic="z")
        floor.write_text("x,t,T\n" + "".join(
            f"{here},{then},{2 - here * then}\n" for then in (0, 0.06) for here in (0, 2)))
        for scheme in ("projection", "splitting"):
            case, runs = CAVITY.replace("SCHEME", scheme), []
            if scheme == "projection":  # no balance of momentum, which walls by file do not have
                case += "forcing: {type: formula, drag: {no: {rate: 0*x}}}\n"
            for name, values in (
                    ("files", (f"{{profile: {floor}}}", f"{{planes: {lid}, beyond: hold}}",
                               f"{{planes: {lid}, beyond: hold}}")),
                    ("formulas", ('"2 - x*t"', '["1 + x + 5*t", 0, "x*t"]', '"x + 20*t"'))):
                text = case
                for word, value in zip(("BOTTOM", "LID", "TOP"), values):
                    text = text.replace(word, value)
                runs.append(Run(self.make_run(f"{scheme}_{name}", text)))
            for flow, exact in zip(*(run.snapshots() for run in runs)):
                for name in ("velocity", "temperature"):
                    with self.subTest(scheme, name=name, step=flow.step):
                        np.testing.assert_allclose(flow[name], exact[name], atol=1e-12)
            self.assertGreater(abs(flow["velocity"]).max(), 0.1)
            names = [list(run.time_series()) for run in runs]
            if scheme == "projection":
                self.assertIn("heat_flux_y_max", names[0])
                self.assertIn("nusselt_y_max", names[1])

    def test_are_read_as_arrays_in_their_precision(self):
        for kind in (float, np.float32):
            path = self.written(f"of_{np.dtype(kind).name}", kind)
            with self.subTest(kind):
                with h5py.File(path) as planes:
                    self.assertEqual(planes["velocity_x"].shape, (3, 5, 4))
                    self.assertEqual(planes["velocity_x"].dtype, kind)
                    np.testing.assert_allclose(planes["velocity_x"][2, 0],
                                               1.45 * (1 + planes["y"][:]), rtol=1e-6)

    def test_refuse_what_is_no_plane(self):
        for changed, message in (
                ({"times": [0, 0, 1]}, "times must ascend"),
                ({"z": np.arange(4)}, "velocity has the shape"),
                ({"x": [0, 1]}, "coordinates along two of x, y, z"),
                ({"periodic": "x"}, "the axes of the plane are y and z"),
                ({"name": "in_00000012"}, "without eight digits"),
                ({"temperature": np.full((3, 5, 4), np.nan)}, "temperature must be finite")):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                self.written(**changed)


if __name__ == "__main__":
    unittest.main()
