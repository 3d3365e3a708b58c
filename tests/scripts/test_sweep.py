"""dns sweep: a run for each value, going on, stopping, and the table of all."""
import os
import signal
import subprocess
import sys
import time
import unittest

from small_runs import PROGRAM, PROJECTION, RunsTestCase, run_dns

import numpy as np

from dnsflow import Run, RunFileError, collect
from pictures.options import UsageError
from sweep_case import members_of, values_of

ENDLESS = 10_000_000  # steps


class Values(unittest.TestCase):
    def test_lists_are_taken_apart_at_their_own_commas(self):
        self.assertEqual(values_of("fluid.reynolds=[100, 2e2,sqrt(9)]"),
                         ("fluid.reynolds", ["100", "2e2", "sqrt(9)"]))
        self.assertEqual(values_of('a.b=[[1, 2], {c: "x, ]"}, \'d, "\', max(1, 2)]')[1],
                         ["[1, 2]", '{c: "x, ]"}', "'d, \"'", "max(1, 2)"])

    def test_what_is_no_list_is_refused(self):
        for text in ("fluid.reynolds", "fluid.reynolds=100", "a=[]", "a=[1, ]", "=[1]"):
            with self.subTest(text), self.assertRaisesRegex(UsageError, "must be a key and a list"):
                values_of(text)

    def test_all_combinations_have_folders_of_their_own(self):
        members = members_of([("fluid.reynolds", ["100", "2e2"]), ("grid.points", ["[4, 4, 4]"])])
        self.assertEqual([member.name for member in members],
                         ["reynolds_100_points_4_4_4", "reynolds_2e2_points_4_4_4"])
        self.assertEqual(members[1].settings, ["fluid.reynolds=2e2", "grid.points=[4, 4, 4]"])
        self.assertEqual(members_of([("a.x", ["1"]), ("b.x", ["2"])])[0].name, "a.x_1_b.x_2")
        for wrong in ([("a", ["x y", "x_y"])], [("a", ["1"]), ("a", ["2"])]):
            with self.assertRaisesRegex(UsageError, "must differ"):
                members_of(wrong)


class Sweeps(RunsTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.case = cls.case_file("case", PROJECTION)

    def sweep(self, name, *options):
        return run_dns("sweep", self.case, "-o", self.scratch / name, *options)

    def columns(self, name):
        header, *lines = (self.scratch / name / "sweep.csv").read_text().splitlines()
        return dict(zip(header.split(","), zip(*(line.split(",") for line in lines))))

    def test_runs_every_combination_and_leaves_complete_runs_alone(self):
        vary = ("--vary", "fluid.reynolds=[50, 80]", "--vary", "time.step=[1e-3, 2e-3]")
        ended = self.sweep("all", *vary, "-j", 2, "--set", "output.statistics.every=2")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        names = [f"reynolds_{number}_step_{step}" for number in (50, 80) for step in
                 ("1e-3", "2e-3")]
        columns = self.columns("all")
        self.assertEqual(list(columns["run"]), names)
        self.assertEqual([float(value) for value in columns["fluid.reynolds"]], [50, 50, 80, 80])
        self.assertEqual([float(value) for value in columns["time.step"]], [1e-3, 2e-3] * 2)
        self.assertEqual([float(value) for value in columns["time"]], [4e-3, 8e-3] * 2)
        self.assertEqual([float(value) for value in columns["exit_code"]], [0] * 4)
        for number, name in enumerate(names):
            run = Run(self.scratch / "all" / name)
            self.assertEqual(run.case["output"]["statistics"]["every"], 2)
            self.assertEqual(float(columns["kinetic_energy_last"][number]),
                             run.time_series()["kinetic_energy"][-1])
        self.assertIn("fluid.reynolds", ended.stdout)

        before = {path: path.stat().st_mtime_ns for path in (self.scratch / "all").rglob("*.h5")}
        again = self.sweep("all", *vary, "--set", "output.statistics.every=2")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(before, {path: path.stat().st_mtime_ns for path in before})

    def test_a_wrong_value_ends_it_before_anything_is_computed(self):
        ended = self.sweep("wrong", "--vary", "fluid.reynolds=[50, -1]")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("reynolds_-1: ", ended.stderr)
        self.assertIn("fluid.reynolds is -1", ended.stderr)
        self.assertFalse((self.scratch / "wrong").exists())
        for options, words in (((), "--vary is missing"),
                               (("--vary", "a=[1]", "-j", "0"), "must be 1 or more")):
            ended = self.sweep("wrong", *options)
            self.assertEqual(ended.returncode, 2)
            self.assertIn(words, ended.stderr)

    def test_a_run_that_fails_is_told_and_the_others_are_done(self):
        (self.scratch / "failing" / "reynolds_50").mkdir(parents=True)
        (self.scratch / "failing" / "reynolds_50" / "fields_00000000.h5").mkdir()
        ended = self.sweep("failing", "--vary", "fluid.reynolds=[50, 80]")
        self.assertEqual(ended.returncode, 3, ended.stderr)
        self.assertIn("reynolds_50: failed (3)", ended.stderr)
        self.assertEqual(Run(self.scratch / "failing" / "reynolds_80").time_series()["step"][-1], 4)

    def test_ctrl_c_ends_the_runs_with_checkpoints_and_the_same_command_goes_on(self):
        path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
        folder = self.scratch / "stopped"
        command = [PROGRAM, "sweep", self.case, "-o", folder, "-j", "2", "--vary",
                   "fluid.reynolds=[50, 80, 90]"]
        process = subprocess.Popen([*map(str, command), "--set", f"time.steps={ENDLESS}", "--set",
                                    "output.fields.every=0"], stderr=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True, env={**os.environ,
                                                                           "PATH": path})
        names = ("reynolds_50", "reynolds_80")
        until = time.monotonic() + 120
        while time.monotonic() < until and not all(
                (folder / name / "timeseries.csv").exists() for name in names):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 75, said)
        for name in names:
            self.assertIn(f"{name}: stopped early", said)
            self.assertTrue(list((folder / name).glob("checkpoint_*.h5")))
        self.assertFalse((folder / "reynolds_90").exists())  # not begun any more
        reached = max(Run(folder / name).time_series()["step"][-1] for name in names)
        again = run_dns(*command[1:], "--set", f"time.steps={reached + 2}", "--set",
                        "output.fields.every=0", "--set", "time.step=1e-3")
        self.assertEqual(again.returncode, 0, again.stderr)
        for name in (*names, "reynolds_90"):
            steps = Run(folder / name).time_series()["step"]
            np.testing.assert_array_equal(steps, np.arange(reached + 3))  # each once


class Collected(RunsTestCase):
    def test_keys_that_differ_and_figures_stand_in_one_table(self):
        long = "time.steps=40"
        folders = [self.make_run(f"re_{number}", PROJECTION, f"fluid.reynolds={number}", long,
                                 "output.fields.every=0") for number in (50, 80)]
        other = self.make_run("other", PROJECTION, "initial.temperature='2'", "grid.points=[8,6,8]",
                              "output.timeseries.every=0", "output.statistics.start=99")
        table = collect([*folders, Run(other)])
        self.assertEqual(list(table["run"]), [str(folder) for folder in (*folders, other)])
        np.testing.assert_array_equal(table["fluid.reynolds"], [50, 80, 100])
        self.assertEqual(list(table["grid.points"]), ["[16, 10, 16]"] * 2 + ["[8, 6, 8]"])
        self.assertNotIn("output.fields.every", table)
        self.assertNotIn("bulk_velocity_y_last", table)  # round-off
        np.testing.assert_array_equal(table["step"], [40, 40, np.nan])
        series, averages = Run(folders[1]).time_series(), Run(folders[1]).averages()
        for name in ("kinetic_energy", "dissipation"):
            self.assertEqual(table[f"{name}_last"][1], series[name][-1])
            self.assertEqual(table[f"{name}_mean"][1], averages.attributes[name])
            np.testing.assert_equal(table[f"{name}_uncertainty"][1],
                                    averages.attributes[f"{name}_uncertainty"])
        self.assertRegex(repr(table), r"(?m)^  fluid.reynolds +50 +80 +100$")
        with self.assertRaises(RunFileError):
            collect([folders[0], self.scratch / "none"])


if __name__ == "__main__":
    unittest.main()
