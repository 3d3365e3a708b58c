"""Scalars besides temperature in the files of a run, in pictures and as the start of another run."""
import pathlib
import unittest

from small_runs import PROJECTION, RunsTestCase, run_dns

import numpy as np

from dnsflow import Run

SCALARS = PROJECTION.replace("boundaries:", """scalars:
  salt: {prandtl: 3, initial: "2 + y*cos(x)"}
  far_dye: {prandtl: 1, initial: "cos(3*x)", mean_gradient: [0.5, 0, 0]}
boundaries:""").replace("temperature: 1.0}", "temperature: 1.0, scalars: {salt: 1, far_dye: 0}}").replace(
    "temperature: 2.0}", "temperature: 2.0, scalars: {salt: {gradient: 0}, far_dye: 0}}").replace(
    ", variables: [velocity, temperature, pressure]", "")
RECORDS = ("output.planes={every: 1, middle: {axis: z, at: 1}}",
           "output.probes={every: 1, here: {at: [1, 0, 1]}}",
           "output.slices={every: 2, planes: {middle: {variable: far_dye}}}",
           "output.statistics.spectra=[x]")


class ScalarsOfARun(RunsTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = cls.make_run("salty", SCALARS, *RECORDS)
        cls.run_ = Run(cls.folder)

    def test_are_in_snapshots_and_their_list(self):
        first = self.run_.snapshot(0)
        x, y = first["x"][None, None, :], first["y"][None, :, None]
        np.testing.assert_allclose(first["salt"], np.broadcast_to(
            2 + y * np.cos(x), first["salt"].shape), atol=1e-14)
        np.testing.assert_allclose(first["far_dye"], np.broadcast_to(
            np.cos(3 * x), first["far_dye"].shape), atol=1e-14)
        listed = (self.folder / "fields.xdmf").read_text()
        for name in ("temperature", "salt", "far_dye"):
            self.assertEqual(listed.count(f'Attribute Name="{name}"'), 5)
        self.assertIn("diffusivity of salt = 3", first.attributes["scales"])

    def test_are_in_records_and_averages(self):
        plane = self.run_.plane("middle")
        self.assertEqual(plane["far_dye"].shape, plane["temperature"].shape)
        series = (self.folder / "probes_here.csv").read_text().splitlines()[0].split(",")
        self.assertEqual(series[-3:], ["temperature", "salt", "far_dye"])
        self.assertTrue((self.folder / "slice_middle_00000002.png").exists())
        averages = self.run_.statistics()
        variance = averages["salt_salt"]
        y = averages["y"]
        np.testing.assert_allclose(variance, y ** 2 / 2, atol=2e-2)
        k = averages["wavenumber_x"]
        np.testing.assert_allclose(averages["spectrum_x_salt_salt"].sum(axis=-1) * k[1], variance,
                                   atol=1e-13)
        self.assertEqual(averages["v_far_dye"].shape, y.shape)
        columns = (self.folder / "timeseries.csv").read_text().splitlines()[0].split(",")
        for name in ("salt_mean", "far_dye_mean", "salt_flux_y_min", "far_dye_flux_y_max"):
            self.assertIn(name, columns)

    def test_are_drawn(self):
        drawn = run_dns("plot", self.folder, "-o", self.scratch / "drawn", "--variable",
                        "salt,far_dye,T")
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        names = {pathlib.Path(line).name for line in drawn.stdout.split()}
        end = "_salt_far_dye_T.png"
        self.assertLessEqual({f"slice_xy{end}", "profiles.png", "moments.png", "history.png",
                              f"plane_middle{end}", "probe_here.png"}, names)
        refused = run_dns("plot", self.folder, "--variable", "sal")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("did you mean 'salt'?", refused.stderr)

    def test_start_another_run_that_may_have_others(self):
        other = SCALARS.replace("far_dye: {prandtl: 1, initial: \"cos(3*x)\"",
                                "ink: {prandtl: 1, initial: \"7 + y\"").replace("far_dye", "ink")
        other = other[:other.index("initial: {velocity")] + other[other.index("time:"):]
        start = self.folder / "fields_00000004.h5"
        folder = self.make_run("other", other, f"initial={{type: file, path: {start}}}")
        first, last = Run(folder).snapshot(0), self.run_.snapshot(4)
        np.testing.assert_array_equal(first["salt"], last["salt"])
        np.testing.assert_allclose(first["ink"], np.broadcast_to(
            7 + first["y"][None, :, None], first["ink"].shape), atol=1e-14)
        told = (folder / "log.txt").read_text()
        self.assertIn("ink from scalars.ink.initial: the file has none", told)
        self.assertIn("its far_dye is left out: this flow has none", told)

    def test_go_on_after_a_stop(self):
        part = self.make_run("part", SCALARS, *RECORDS, "time.steps=2")
        resumed = run_dns("resume", part, "--set", "time.steps=4", "-q")
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        for name in ("velocity", "temperature", "salt", "far_dye"):
            np.testing.assert_array_equal(Run(part).snapshot(4)[name],
                                          self.run_.snapshot(4)[name])
        for name in ("salt_salt", "u_far_dye"):
            np.testing.assert_array_equal(Run(part).statistics()[name],
                                          self.run_.statistics()[name])


if __name__ == "__main__":
    unittest.main()
