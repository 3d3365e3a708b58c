"""Flows that dnsflow writes and runs start from."""
import unittest

from small_runs import PROJECTION, RunsTestCase

import numpy as np

from dnsflow import Run, write_start

TO_START = PROJECTION[:PROJECTION.index("initial:")] + PROJECTION[PROJECTION.index("time:"):]
AT_FACES = "output.fields.location=faces"


class StartFiles(RunsTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # After some steps, free of divergence.
        cls.flow = Run(cls.make_run("flow", PROJECTION, AT_FACES)).snapshot(4)
        cls.points = [cls.flow[axis] for axis in "xyz"]
        cls.faces = [cls.flow[f"velocity_{axis}"] for axis in "xyz"]

    def started(self, name, *settings, **arrays):
        """The snapshot of step 0 of a run that starts from arrays."""
        path = self.scratch / f"{name}.h5"
        points = arrays.pop("points", self.points)
        write_start(path, *points, **arrays)
        folder = self.make_run(name, TO_START, AT_FACES, "output.fields.precision=double",
                               f"initial={{type: file, path: {path}}}", *settings)
        return Run(folder).snapshot(0)

    def test_a_flow_on_faces_comes_back_as_it_was(self):
        found = self.started("faces", velocity=self.faces, temperature=self.flow["temperature"])
        for name in ("velocity_x", "velocity_y", "velocity_z", "temperature"):
            np.testing.assert_allclose(found[name], self.flow[name], atol=1e-14, err_msg=name)

    def test_the_last_face_of_a_period_may_be_left_out(self):
        u, v, w = self.faces
        found = self.started("short", velocity=(u[:, :, :-1], v, w[:-1]),
                             temperature=self.flow["temperature"].astype(np.float32))
        np.testing.assert_allclose(found["velocity_x"], u, atol=1e-14)
        np.testing.assert_allclose(found["temperature"], self.flow["temperature"], rtol=1e-7)

    def test_a_flow_at_other_points_is_interpolated(self):
        points = [(np.arange(24) + 0.5) * 2 * np.pi / 24, np.linspace(-0.95, 0.95, 20),
                  (np.arange(32) + 0.5) * np.pi / 32]
        x, y, z = np.meshgrid(*points, indexing="ij")
        velocity = np.stack([y * np.cos(4 * z), 0 * x, 0.5 * np.sin(3 * x)], axis=-1)
        found = self.started("points", points=points, velocity=velocity.transpose(2, 1, 0, 3),
                             temperature=(1.5 + y / 2 + (1 - y**2) * np.cos(x)).transpose(2, 1, 0))
        expected = Run(self.make_run("exact", PROJECTION)).snapshot(0)
        # But for the cells at the walls, which are at rest and the flow is not.
        apart = np.abs(found["velocity"] - expected["velocity"])[:, 2:-2]
        self.assertLess(apart.max(), 0.03)
        y = self.flow["y"][:, None]
        temperature = 1.5 + y / 2 + (1 - y**2) * np.cos(self.flow["x"])
        self.assertLess(np.abs(found["temperature"] - temperature).max(), 1e-3)

    def test_what_does_not_fit_is_refused_with_the_rule(self):
        x, y, z = self.points
        u, v, w = self.faces
        temperature = self.flow["temperature"]
        for words, places, fields in (
                ("velocity has the shape \\(3, 16, 10, 16\\), but must have \\(16, 10, 16, 3\\)",
                 (x, y, z), {"velocity": np.zeros((3, 16, 10, 16))}),
                ("velocity\\[1\\] has the shape", (x, y, z), {"velocity": (u, v[:, :4], w)}),
                ("temperature has the shape", (x, y, z), {"temperature": temperature.T[:4]}),
                ("y must ascend", (x, y[::-1], z), {"temperature": temperature}),
                ("temperature must be finite, but is nan at \\(0, 2, 1\\)", (x, y, z),
                 {"temperature": np.where(np.arange(16) == 1, np.where(
                     np.arange(10)[:, None] == 2, np.nan, 0), temperature)}),
                ("x_faces has the shape", (x, y, z),
                 {"velocity": (u, v, w), "faces": (x, y, z)}),
                ("needs a velocity, a temperature or a scalar", (x, y, z), {})):
            with self.assertRaisesRegex(ValueError, words):
                write_start(self.scratch / "wrong.h5", *places, **fields)
        self.assertEqual(list(self.scratch.glob("wrong*")), [])


if __name__ == "__main__":
    unittest.main()
