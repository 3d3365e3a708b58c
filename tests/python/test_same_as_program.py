"""100 steps from Python in pieces of 7 give the bits of `dns run`."""
import subprocess
import os
import unittest

from stepped_runs import CAVITY, CHANNEL, SteppedTestCase, dns

PROGRAM = os.environ["DNS_PROGRAM"]


def program(*arguments):
    subprocess.run([PROGRAM, *arguments, "-q"], check=True, stderr=subprocess.DEVNULL)


class SameAsProgram(SteppedTestCase):
    def compare(self, case, precision):
        case = {**case, "precision": precision}
        program("run", self.case_file(case), "-o", "program")
        simulation = dns.Simulation(case, output="python")
        while simulation.step(7).reason == "steps":
            self.assertEqual(simulation.step_number % 7, 0)
        self.assertEqual(simulation.step_number, 100)
        simulation.close()
        self.assertGreater(self.assert_same_runs("program", "python"), 15)

    def test_scheme_projection_in_double_precision(self):
        self.compare(CHANNEL, "double")

    def test_scheme_projection_in_single_precision(self):
        self.compare(CHANNEL, "float")

    def test_scheme_splitting_in_double_precision(self):
        self.compare(CAVITY, "double")

    def test_scheme_splitting_in_single_precision(self):
        self.compare(CAVITY, "float")

    def test_several_threads(self):
        self.compare({**CHANNEL, "run": {"threads": 2}}, "double")

    def test_the_program_goes_on_with_a_run_of_python(self):
        program("run", self.case_file(CHANNEL), "-o", "program")
        with dns.Simulation(CHANNEL, output="python") as simulation:
            self.assertEqual(simulation.run(steps=33, progress=False).reason, "steps")
        program("resume", "python")
        self.leave_out_other_checkpoints("program", "python")
        self.assert_same_runs("program", "python")

    def test_python_goes_on_with_a_run_of_the_program(self):
        program("run", self.case_file(CHANNEL), "-o", "whole")
        program("run", self.case_file(CHANNEL), "-o", "part", "--steps", "50")
        with dns.Simulation.resume("part", set={"time.steps": 100}) as simulation:
            self.assertEqual(simulation.step_number, 50)
            self.assertEqual(simulation.run(progress=False).reason, "finished")
        self.leave_out_other_checkpoints("whole", "part")
        self.assert_same_runs("whole", "part")

    def test_reading_between_steps_changes_nothing(self):
        with dns.Simulation(CHANNEL, output="undisturbed") as simulation:
            simulation.run(progress=False)
        with dns.Simulation(CHANNEL, output="watched") as simulation:
            while simulation.step(9).reason == "steps":
                self.assertEqual(simulation.flow["velocity"].shape, (16, 20, 24, 3))
                self.assertEqual(simulation.flow["velocity_x"].shape, (16, 20, 25))
                self.assertGreater(simulation.diagnostics["kinetic_energy"], 0)
        self.assert_same_runs("undisturbed", "watched")

    def test_the_present_flow_is_that_of_the_snapshot(self):
        case = {**CHANNEL, "output": {"fields": {"every": 50, "location": "faces",
                                                 "precision": "double"}}}
        with dns.Simulation(case, output="run") as simulation:
            simulation.run(steps=50, progress=False)
            flow, energy = simulation.flow, simulation.diagnostics["kinetic_energy"]
            arrays = {name: flow[name] for name in flow}
            self.assertAlmostEqual(dns.kinetic_energy(flow), energy, delta=1e-14)
        snapshot = dns.Run("run").snapshot(50)
        for name in snapshot:
            if name != "component":
                self.assertTrue((snapshot[name] == arrays[name]).all(), name)


if __name__ == "__main__":
    unittest.main()
