"""Runs in float whose temperature is far from 0: what they leave has the digits of what varies."""
import csv
import unittest

from small_runs import RunsTestCase, run_dns

import h5py
import numpy as np

from dnsflow import Run

FAR = 10000
TOLERANCE = 2e-5  # of values of about 1 in float, after twenty steps

# O is the offset. What flows out through x_max is recorded, for the inflow of another run.
CHANNEL = """
case: offset
scheme: projection
device: cpu
precision: float
grid: {points: [12, 10, 8], length: [2, 1, 1]}
fluid: {reynolds: 100, prandtl: 0.7}
scalars: {salt: {prandtl: 2, initial: "-O + 0.5*cos(2*pi*y)"}}
buoyancy: {richardson: 1, direction: y, reference_temperature: "O + 0.5"}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: "O + 1", scalars: {salt: "-O"}}
  y_max: {type: wall, temperature: "O", scalars: {salt: {gradient: 0}}}
  z: periodic
initial:
  velocity: ["0.2*sin(2*pi*z)", "0.1*cos(pi*x)*sin(pi*y)", "0.1*sin(pi*x)"]
  temperature: "O + 1 - y + 0.2*sin(pi*x)*sin(pi*y)"
time: {step: 0.02, steps: 20}
output:
  fields: {every: 10, precision: double}
  planes: {every: 1, precision: double, cut: {axis: x, at: 1}}
  probes: {every: 1, here: {at: [0.7, 0.3, 0.4]}}
  slices: {every: 10, planes: {cut: {variable: temperature, at: 0.5}}}
  statistics: {every: 1, average: [x, z], window: 0.1}
  checkpoint: {every: 10, keep: 3}
"""
FED = """
case: fed
scheme: projection
device: cpu
precision: float
grid: {points: [12, 10, 8], length: [2, 1, 1]}
fluid: {reynolds: 100, prandtl: 0.7}
boundaries:
  x_min:
    type: inflow
    velocity: [1, 0, 0]
    temperature: {GIVEN}
  x_max: {type: outflow}
  y_min: {type: wall, temperature: "O + 1"}
  y_max: {type: wall, temperature: "O"}
  z: periodic
initial: {velocity: [1, 0, 0], temperature: "O"}
time: {step: 0.02, steps: 10}
output: {fields: {every: 10, precision: double}}
"""


def rows(path):
    with path.open() as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


class FarFromZero(RunsTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folders = {offset: cls.make_run(f"offset_{offset}", CHANNEL.replace("O", str(offset)))
                       for offset in (FAR, 0)}
        cls.far, cls.near = Run(cls.folders[FAR]), Run(cls.folders[0])

    def assert_close(self, far, near, offset):
        np.testing.assert_allclose(np.asarray(far) - offset, near, atol=TOLERANCE, rtol=0)

    def test_snapshots_and_planes_have_the_digits(self):
        for name, offset in (("temperature", FAR), ("salt", -FAR), ("velocity", 0)):
            for step in (0, 20):
                self.assert_close(self.far.snapshot(step)[name], self.near.snapshot(step)[name],
                                  offset)
            of_plane = "velocity_x" if name == "velocity" else name
            self.assert_close(self.far.plane("cut")[of_plane], self.near.plane("cut")[of_plane],
                              offset)

    def test_probes_and_the_time_series_have_the_offset(self):
        for file, offsets in (("probes_here.csv", {"temperature": FAR, "salt": -FAR}),
                              ("timeseries.csv", {"temperature_mean": FAR, "salt_mean": -FAR})):
            far, near = (rows(self.folders[offset] / file) for offset in (FAR, 0))
            self.assertEqual(len(far), len(near))
            for name, offset in offsets.items():
                self.assert_close([float(row[name]) for row in far],
                                  [float(row[name]) for row in near], offset)

    def test_averages_have_the_offset_in_means_alone(self):
        far, near = self.far.statistics(), self.near.statistics()
        for name, offset in (("T", FAR), ("salt", -FAR), ("TT", 0), ("vT", 0), ("salt_salt", 0)):
            self.assert_close(far[name], near[name], offset)
        window = sorted(self.folders[FAR].glob("statistics_*.h5"))[0]
        with h5py.File(window) as of_far, h5py.File(self.folders[0] / window.name) as of_near:
            self.assert_close(of_far["T"], of_near["T"], FAR)

    def test_the_log_names_the_references(self):
        told = (self.folders[FAR] / "log.txt").read_text()
        self.assertIn("temperature: stored as its difference from 10000", told)
        self.assertNotIn("stored as", (self.folders[0] / "log.txt").read_text())

    def test_a_resumed_run_has_the_same_bits(self):
        part = self.make_run("part", CHANNEL.replace("O", str(FAR)), "time.steps=10")
        resumed = run_dns("resume", part, "--set", "time.steps=20", "-q")
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        name = "checkpoint_00000020.h5"
        with h5py.File(self.folders[FAR] / name) as whole, h5py.File(part / name) as other:
            self.assertIn("number_reference_temperature", whole.attrs)
            self.assertEqual(sorted(whole), sorted(other))
            for array in whole:
                np.testing.assert_array_equal(whole[array][:], other[array][:])

    def test_a_resumed_run_may_have_another_reference(self):
        part = self.make_run("other", CHANNEL.replace("O", str(FAR)), "time.steps=10")
        resumed = run_dns("resume", part, "--set", "time.steps=20", "--set",
                          "temperature.reference=9998", "-q")
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assertNotIn("anew", (part / "log.txt").read_text())
        self.assert_close(Run(part).snapshot(20)["temperature"],
                          self.near.snapshot(20)["temperature"], FAR)
        for name, offset in (("T", FAR), ("TT", 0)):
            self.assert_close(Run(part).statistics()[name], self.near.statistics()[name], offset)

    def test_averages_that_are_set_aside_have_the_offset(self):
        part = self.make_run("aside", CHANNEL.replace("O", str(FAR)), "time.steps=10")
        resumed = run_dns("resume", part, "--set", "time.steps=11", "--set",
                          "fluid.reynolds=200", "-q")
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        with h5py.File(part / "statistics_00000010.h5") as aside:
            np.testing.assert_allclose(aside["T"][:].mean(), FAR + 0.5, atol=0.2)

    def test_checkpoints_start_other_runs(self):
        start = self.folders[FAR] / "checkpoint_00000020.h5"
        text = CHANNEL.replace("O", str(FAR))
        text = text[:text.index("initial:\n")] + text[text.index("time:"):]
        text = text.replace("initial: \"-10000 + 0.5*cos(2*pi*y)\"", "initial: 0")
        for name, points in (("same", 12), ("finer", 16)):
            folder = self.make_run(name, text, f"initial={{type: file, path: {start}}}",
                                   f"grid.points=[{points}, 10, 8]", "temperature.reference=10000",
                                   "scalars.salt.reference=-10000", "time.steps=1")
            began = Run(folder).snapshot(0)
            last = self.far.snapshot(20)
            if name == "same":
                self.assert_close(began["temperature"], last["temperature"], 0)
                self.assert_close(began["salt"], last["salt"], 0)
            else:
                self.assert_close(began["temperature"].mean(axis=2), last["temperature"].mean(axis=2), 0)

    def test_an_inflow_from_files_has_the_offset(self):
        for kind in ("planes", "profile"):
            flows = []
            for offset in (FAR, 0):
                profile = self.scratch / f"profile_{offset}.csv"
                profile.write_text(f"y,T\n0,{offset + 0.25}\n1,{offset + 0.75}\n")
                file = profile if kind == "profile" else self.folders[offset] / "planes_cut.h5"
                text = FED.replace("GIVEN", f"{kind}: {file}").replace('"O', f'"{offset}')
                folder = self.make_run(f"fed_{kind}_{offset}", text)
                flows.append(Run(folder).snapshot(10)["temperature"])
            self.assert_close(flows[0], flows[1], FAR)


if __name__ == "__main__":
    unittest.main()
