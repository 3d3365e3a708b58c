"""Moving bodies of real runs: single ones in the time series, several of one entry in a file."""
import shutil
import unittest

import h5py
import numpy as np

from small_runs import RunsTestCase, run_dns

from dnsflow import Run
from dnsflow.errors import NothingFoundError

BALLS = ("balls: {shape: sphere, radius: 0.25, temperature: 1, free: {density: 1.5, gravity: "
         "[0, -2, 0]}, count: 3, positions: [0.5 + 0.6*n, 1 - 0.1*n, 0.5 + 0.4*n]}")
ONE = ("{{shape: sphere, radius: 0.25, temperature: 1, center: [{}, {}, {}], "
       "free: {{density: 1.5, gravity: [0, -2, 0]}}}}")
CASE = """
scheme: projection
device: cpu
precision: {precision}
grid: {{points: [20, 17, 19], length: [2, 1.7, 1.9]}}
fluid: {{reynolds: 20, prandtl: 0.7}}
boundaries: {{x: periodic, y_min: {{type: wall, temperature: 0}}, y_max: {{type: wall,
  temperature: 0}}, z: periodic}}
initial: {{velocity: ["y*(1.7-y)", 0, 0], temperature: 0.5}}
solids: {{{solids}}}
time: {{scheme: implicit, step: 0.02, steps: 12}}
output:
  timeseries: {{every: 2}}
  checkpoint: {{every: 5, keep: 3}}
"""


def case_of(solids, precision="double"):
    return CASE.format(solids=solids, precision=precision)


def arrays_of(path):
    with h5py.File(path) as file:
        return {name: data[()] for name, data in file.items()}


class BodiesOverTime(RunsTestCase):
    def assert_same_arrays(self, one, other):
        first, second = arrays_of(one / "bodies_balls.h5"), arrays_of(other / "bodies_balls.h5")
        self.assertEqual(sorted(first), sorted(second))
        for name, values in first.items():
            np.testing.assert_array_equal(values, second[name], name)

    def test_those_of_one_entry_have_the_values_of_single_ones(self):
        for precision in ("double", "float"):
            several = Run(self.make_run(f"several_{precision}", case_of(BALLS, precision)))
            names = ", ".join(f"ball_{n}: " + ONE.format(0.5 + 0.6 * n, 1 - 0.1 * n, 0.5 + 0.4 * n)
                              for n in range(3))
            single = Run(self.make_run(f"single_{precision}", case_of(names, precision)))
            balls = several.bodies("balls")
            self.assertEqual(balls.attributes["count"], 3)
            self.assertEqual(list(balls["step"]), [0, 2, 4, 6, 8, 10, 12])
            self.assertEqual(balls["position"].shape, (7, 3, 3))
            self.assertEqual(balls["quaternion"].shape, (7, 3, 4))
            for n in range(3):
                ball = single.body(f"ball_{n}")
                np.testing.assert_array_equal(balls["time"], ball["time"])
                np.testing.assert_array_equal(balls["heat"][:, n], ball["heat"])
                for quantity in ("force", "torque", "position", "velocity", "rotation"):
                    for axis, name in enumerate("xyz"):
                        np.testing.assert_array_equal(balls[quantity][:, n, axis],
                                                      ball[f"{quantity}_{name}"])
                np.testing.assert_array_equal(balls["quaternion"][:, n, 2], ball["quaternion_y"])
            self.assertNotIn("force_balls_x", several.time_series())
            self.assertIn("body_slip", several.time_series())
            self.assertGreater(np.ptp(balls["position"][:, 0, 1]), 0.005)

    def test_a_resumed_run_has_the_rows_of_one_in_one_go(self):
        whole = self.make_run("whole", case_of(BALLS))
        parts = self.make_run("parts", case_of(BALLS))
        for step in (10, 12):
            (parts / f"checkpoint_{step:08d}.h5").unlink(missing_ok=True)
        result = run_dns("resume", parts)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_same_arrays(whole, parts)
        # The file is lost, and with it the rows up to the checkpoint.
        shutil.copytree(whole, self.scratch / "lost")
        lost = self.scratch / "lost"
        (lost / "bodies_balls.h5").unlink()
        for step in (10, 12):
            (lost / f"checkpoint_{step:08d}.h5").unlink(missing_ok=True)
        result = run_dns("resume", lost)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(list(Run(lost).bodies("balls")["step"]), [6, 8, 10, 12])

    def test_check_says_how_many_there_are(self):
        path = self.case_file("checked", case_of(BALLS))
        result = run_dns("check", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"bodies balls: 3 spheres, \d+ of 6460 cells; they are "
                                        r"free, of density 1.5")
        self.assertIn("solids.balls: the body is 5 cells wide; one that moves should be at least 8",
                      result.stdout)

    def test_mistakes_have_their_place_in_the_file(self):
        for solids, message in (
                (BALLS.replace("0.6*n", "0.2*n"), "solids.balls.positions: body n = 1 at "),
                (BALLS.replace("0.25", "0.1"), "solids.balls.free: the body is 2 cells wide, but")):
            path = self.case_file("mistaken", case_of(solids))
            result = run_dns("check", path)
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, r"mistaken.*\.yaml:\d+:\d+: " + message)

    def test_what_was_not_written_is_named(self):
        run = Run(self.make_run("rest", case_of(
            "post: {shape: sphere, radius: 0.25, temperature: 1, center: [0.5, 0.9, 0.5]}")))
        self.assertEqual(set(run.body("post")), {"step", "time", "heat"} | {
            f"{quantity}_{axis}" for quantity in ("force", "torque") for axis in "xyz"})
        for missing in (lambda: run.body("pos"), lambda: run.bodies("post")):
            with self.assertRaises(NothingFoundError):
                missing()


if __name__ == "__main__":
    unittest.main()
