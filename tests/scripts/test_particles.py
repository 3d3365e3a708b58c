"""Particles of real runs: their files, what goes on from a checkpoint, what is read and drawn."""
import re
import shutil
import subprocess
import unittest

import h5py
import numpy as np

from small_runs import PROGRAM, RunsTestCase, run_dns

from dnsflow import Run
from dnsflow.errors import NothingFoundError

CASE = """
scheme: projection
device: cpu
grid: {points: [8, 9, 24], length: [2, 1, 2], stretching: {y: {factor: 1.2}}}
fluid: {reynolds: 60}
boundaries: {x: periodic, y: wall, z: periodic}
initial: {velocity: ["4*y*(1-y)", "0.3*sin(pi*y)^2*cos(pi*x)", "0.4*sin(pi*x)"]}
particles:
  tracer: {count: 40, positions: [2*r1, r2, 2*r3], release: {every: 6}}
  dust: {count: 50, positions: [2*r1, r2, 2*r3], seed: 2, diameter: 0.01, density: 300,
         gravity: [0, -1, 0], walls: absorb}
  mist: {count: 60, positions: [2*r1, r2, 2*r3], seed: 5, diameter: 0.02, density: 400,
         gravity: [0, -1, 0], coupling: two_way, represents: 3}
time: {step: 0.05, steps: 40}
output:
  timeseries: {every: 1}
  checkpoint: {every: 20, keep: 3}
  trajectories:
    every: 10
    precision: double
    tracer: {stride: 4, variables: [velocity]}
    dust: {variables: [velocity, fluid_velocity, unwrapped, diameter]}
  particle_statistics: {every: 5, axis: y}
"""

FAST = """
scheme: projection
device: cpu
grid: {points: [6, 5, 7], length: [1, 1, 1]}
fluid: {reynolds: 1e6}
boundaries: {x: periodic, y: periodic, z: periodic}
particles:
  shot: {count: 3, positions: [r1, r2, r3], velocity: [1, 0, 0], diameter: 0.01, density: 300,
         drag: schiller_naumann}
time: {step: 0.05, steps: 4}
output: {timeseries: {every: 1}}
"""


def arrays_of(path):
    with h5py.File(path) as file:
        return {name: data[()] for name, data in file.items()}


class Particles(RunsTestCase):
    def assert_same_arrays(self, one, other, names):
        for name in names:
            first, second = arrays_of(one / name), arrays_of(other / name)
            self.assertEqual(sorted(first), sorted(second), name)
            for array, values in first.items():
                np.testing.assert_array_equal(values, second[array], f"{name}: {array}")

    def test_of_a_run_are_read(self):
        run = Run(self.make_run("read", CASE))
        self.assertEqual(run.species_names(), ["dust", "tracer"])
        files = run.particles("tracer")
        self.assertEqual([file.step for file in files], [0, 10, 20, 30, 40])
        last = files[-1]
        np.testing.assert_array_equal(last["id"], np.arange(0, 40 * 7, 4))
        self.assertEqual(last["position"].shape, (70, 3))
        self.assertTrue((last["position"] >= 0).all() and (last["position"] <= [2, 1, 2]).all())
        self.assertNotIn("fluid_velocity", last)
        track = run.trajectory("dust", 7)
        self.assertEqual(track["step"][0], 0)
        self.assertEqual(set(track), {"step", "time", "x", "y", "z"} | {
            f"{kind}_{axis}" for kind in ("velocity", "fluid_velocity", "unwrapped")
            for axis in "xyz"} | {"diameter"})
        np.testing.assert_array_equal(track["diameter"], 0.01)
        # Places come back into the box, 2 long; unwrapped ones do not.
        turns = (track["unwrapped_x"] - track["x"]) / 2
        np.testing.assert_allclose(turns, np.round(turns), atol=1e-12)
        self.assertLess(np.abs(np.diff(track["unwrapped_x"])).max(), 1)
        self.assertGreater(max(np.abs(file["unwrapped"] - file["position"]).max()
                               for file in run.particles("dust")), 1.9)
        # It starts with the velocity of the fluid there.
        self.assertEqual(track["velocity_x"][0], track["fluid_velocity_x"][0])
        with self.assertRaisesRegex(NothingFoundError, "no file holds particle 50 of dust"):
            run.trajectory("dust", 50)
        with self.assertRaisesRegex(NothingFoundError, "output.trajectories"):
            run.particles("sand")
        self.assertIn("dust, tracer", str(run))
        series = run.time_series()
        np.testing.assert_array_equal(series["dust_count"] + series["dust_deposited_y_min"]
                                      + series["dust_deposited_y_max"], 50)
        np.testing.assert_array_equal(series["tracer_count"], 40 * (1 + series["step"] // 6))

    def test_in_bins_are_counted_and_averaged(self):
        run = Run(self.make_run("bins", CASE))
        means = run.particle_statistics()
        self.assertEqual(means.attributes["samples"], 8)
        series = run.time_series()
        # A release comes after the sample of its step.
        sampled = range(5, 41, 5)
        released = [40 * (1 + (step - 1) // 6) for step in sampled]
        self.assertAlmostEqual(means["tracer_count"].sum(), np.mean(released), 9)
        self.assertAlmostEqual(means["dust_count"].sum(),
                               np.mean([series["dust_count"][step] for step in sampled]), 9)
        widths = np.diff(means["y_faces"])
        self.assertAlmostEqual((means["tracer_concentration"] * widths).sum(), 1, 12)
        np.testing.assert_allclose(means["tracer_velocity_x"], means["tracer_fluid_velocity_x"],
                                   atol=1e-8)
        self.assertTrue((means["tracer_stress_xx"] > 0).all())
        there = means["dust_count"] > 0
        np.testing.assert_allclose(means["dust_slip_y"][there],
                                   (means["dust_fluid_velocity_y"] - means["dust_velocity_y"])[there])
        equal = Run(self.make_run("equal", CASE, "output.particle_statistics.bins=3"))
        self.assertEqual(equal.particle_statistics()["tracer_count"].shape, (3,))

    def test_are_listed_for_paraview(self):
        folder = self.make_run("listed", CASE)
        text = (folder / "particles_dust.xdmf").read_text()
        self.assertEqual(text.count("Polyvertex"), 5)
        for name, array in re.findall(r"(particles_dust_\d+\.h5):/(\w+)<", text):
            shape = arrays_of(folder / name)[array].shape
            self.assertIn(f'Dimensions="{" ".join(map(str, shape))}"', text)

    def test_go_on_from_a_checkpoint_with_the_same_bits(self):
        for scheme in ("implicit", "runge_kutta"):
            setting = f"time.scheme={scheme}"
            whole = self.make_run(f"whole_{scheme}", CASE, setting)
            part = self.make_run(f"part_{scheme}", CASE, setting, "time.steps=20")
            ended = run_dns("resume", part, "-q", "--threads", 2, "--set", "time.steps=40")
            self.assertEqual(ended.returncode, 0, ended.stderr)
            names = [f"particles_{name}_{step:08}.h5" for name in ("tracer", "dust")
                     for step in range(0, 41, 10)]
            self.assert_same_arrays(whole, part, ["checkpoint_00000040.h5", *names,
                                                  "particle_statistics.h5"])
            self.assertEqual((whole / "particles_dust.xdmf").read_text(),
                             (part / "particles_dust.xdmf").read_text())

    def test_of_a_species_that_is_new_start_when_the_run_goes_on(self):
        before = self.make_run("before", CASE, "time.steps=20")
        folder = self.scratch / "new"
        ended = run_dns("resume", before, "-q", "-o", folder, "--set", "time.steps=40", "--set",
                        "particles.sand={count: 9, positions: [2*r1, r2, 2*r3]}", "--set",
                        "output.trajectories.sand={}")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        steps = [file.step for file in Run(folder).particles("sand")]
        self.assertEqual(steps, [30, 40])

    def test_faster_than_their_drag_is_for_are_counted_and_warned_of(self):
        case = self.case_file("fast", FAST)
        folder = self.scratch / "fast"
        ended = run_dns("run", case, "-q", "-o", folder)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(ended.stderr.count("particles have a Reynolds number above 1000"), 1,
                         ended.stderr)
        np.testing.assert_array_equal(Run(folder).time_series()["shot_fast"], [0, 3, 6, 9, 12])

    @unittest.skipIf(shutil.which("mpirun") is None, "no mpirun")
    def test_of_several_ranks_go_on_with_the_same_bits(self):
        for ranks in (2, 3):
            with self.subTest(ranks=ranks):
                self.check_ranks(ranks)

    def check_ranks(self, ranks):
        def run_on_ranks(*arguments):
            ended = subprocess.run(
                ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), PROGRAM,
                 *map(str, arguments)], capture_output=True, text=True, check=False)
            if "was built without MPI" in ended.stderr:
                self.skipTest("built without MPI")
            self.assertEqual(ended.returncode, 0, ended.stderr)

        case = self.case_file("ranks", CASE)
        whole, part, alone = (self.scratch / f"ranks_{name}_{ranks}"
                              for name in ("whole", "part", "alone"))
        run_on_ranks("run", case, "-q", "--threads", 1, "-o", whole)
        run_on_ranks("run", case, "-q", "--threads", 1, "-o", part, "--set", "time.steps=20")
        run_on_ranks("resume", part, "-q", "--threads", 1, "--set", "time.steps=40")
        self.assert_same_arrays(whole, part, ["checkpoint_00000040.h5",
                                              "particles_tracer_00000040.h5",
                                              "particles_dust_00000030.h5",
                                              "particle_statistics.h5"])
        self.make_run(alone.name, CASE)
        one, other = (arrays_of(folder / "checkpoint_00000040.h5") for folder in (whole, alone))
        np.testing.assert_array_equal(one["particles_dust_id"], other["particles_dust_id"])
        for name in ("tracer", "mist"):
            array = f"particles_{name}_position"
            way = np.abs(one[array] - other[array])
            self.assertLess(np.minimum(way, np.abs(way - 2)).max(), 1e-10)

    def test_are_drawn(self):
        folder = self.make_run("drawn", CASE, "output.fields.every=40")
        pictures = self.scratch / "pictures"
        ended = run_dns("plot", folder, "-o", pictures, "--only", "particles")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        for name in ("tracks_dust_xy.png", "tracks_tracer_xy.png", "concentration.png"):
            self.assertTrue((pictures / name).exists(), ended.stdout + ended.stderr)


if __name__ == "__main__":
    unittest.main()
