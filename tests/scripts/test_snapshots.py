"""Snapshots with velocities at faces, vorticity and Q: energy, derivatives, a run that went on."""
import math
import unittest

from small_runs import PROJECTION, SPLITTING, RunsTestCase, run_dns

import numpy as np

from dnsflow import Run, kinetic_energy, q_criterion, vorticity

TAYLOR_GREEN = """
case: vortices
scheme: projection
device: cpu
grid: {points: [48, 48, 48], length: [6.283185307179586, 6.283185307179586, 6.283185307179586]}
fluid: {reynolds: 1600}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {velocity: ["sin(x)*cos(y)*cos(z)", "-cos(x)*sin(y)*cos(z)", "0"]}
time: {step: 0.01, steps: 2}
output: {fields: {every: 2, location: faces, variables: [velocity]}, timeseries: {every: 1}}
"""
BODY = """
solids: {ball: {shape: sphere, center: [3, 3, 3], radius: 1}}
"""
DERIVED = "output.fields.variables=[velocity, vorticity, q_criterion]"


class ResumedRun(RunsTestCase):
    """A run that went on has the snapshots of one that never stopped, bit for bit."""

    def test_with_faces_vorticity_and_q(self):
        for name, case, location in (("cells", PROJECTION, ["output.fields.location=faces"]),
                                     ("nodes", SPLITTING, [])):
            asked = [DERIVED, "time.steps=4", *location]
            whole = Run(self.make_run(f"{name}_whole", case, *asked))
            folder = self.make_run(f"{name}_resumed", case, *asked, "time.steps=2")
            ended = run_dns("resume", folder, "--steps", 4, "-q", "--threads", 1)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertEqual(list(whole.snapshot_paths()), list(Run(folder).snapshot_paths()))
            for step in whole.snapshot_paths():
                one, other = whole.snapshot(step), Run(folder).snapshot(step)
                self.assertEqual(list(one), list(other))
                for array in one:
                    np.testing.assert_array_equal(one[array], other[array])


class KineticEnergy(RunsTestCase):
    """That of a snapshot is that of the time series, to the precision of the file."""

    def energies(self, run, step):
        series = run.time_series()
        expected = series["kinetic_energy"][series["step"] == step][0]
        return kinetic_energy(run.snapshot(step)), expected

    def test_of_velocities_at_faces(self):
        for name, settings in (("floats", []), ("doubles", ["output.fields.precision=double"])):
            run = Run(self.make_run(f"faces_of_{name}", TAYLOR_GREEN, *settings))
            energy, expected = self.energies(run, 2)
            self.assertAlmostEqual(energy / expected, 1, delta=2e-7 if name == "floats" else 1e-13)

    def test_around_a_body_and_between_stretched_cells(self):
        for name, case, variables in (("body", TAYLOR_GREEN + BODY, "velocity, solid"),
                                      ("channel", PROJECTION, "velocity")):
            run = Run(self.make_run(name, case, "grid.points=[16, 20, 18]", "output.fields.every=2",
                                    "output.fields.location=faces",
                                    f"output.fields.variables=[{variables}]",
                                    "output.fields.precision=double"))
            energy, expected = self.energies(run, 2)
            self.assertAlmostEqual(energy / expected, 1, delta=1e-13)

    def test_of_velocities_at_centres_is_less(self):
        run = Run(self.make_run("centres", TAYLOR_GREEN, "output.fields.location=centers"))
        energy, expected = self.energies(run, 2)
        self.assertAlmostEqual(energy / expected, math.cos(math.pi / 48)**2, delta=1e-3)

    def test_at_nodes(self):
        run = Run(self.make_run("nodes", SPLITTING, "output.fields.precision=double"))
        energy, expected = self.energies(run, 2)
        self.assertAlmostEqual(energy / expected, 1, delta=1e-13)


class Derivatives(RunsTestCase):
    """Those of the program are those that dnsflow makes of the same snapshot."""

    def test_agree_to_round_off(self):
        for name, case, location in (("cells", PROJECTION, ["output.fields.location=faces"]),
                                     ("nodes", SPLITTING, [])):
            run = Run(self.make_run(name, case, DERIVED, "output.fields.precision=double",
                                    *location))
            flow = run.snapshot()
            for ours, its in ((vorticity(flow), "vorticity"), (q_criterion(flow), "q_criterion")):
                np.testing.assert_allclose(ours, flow[its], atol=1e-11)


if __name__ == "__main__":
    unittest.main()
