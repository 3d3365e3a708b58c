"""100 steps from Python in pieces of 7 give the bits of `dns run`."""
import pathlib
import unittest

import numpy as np

from stepped_runs import CAVITY, CHANNEL, SteppedTestCase, dns, lines_of, program


class SameAsProgram(SteppedTestCase):
    def compare(self, case, precision):
        self.assert_same_as_program({**case, "precision": precision})

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

    def test_planes_and_probes_are_those_of_the_files(self):
        for case, precision in ((CHANNEL, "double"), (CAVITY, "float")):
            output = {**case["output"],
                      "planes": {"every": 20, "precision": "double", "across": {"axis": "x", "at": 1},
                                 "along": {"axis": "y", "at": 0.4}},
                      "probes": {"every": 2, "one": {"at": [1, 0.3, 0.7]},
                                 "line": {"from": [0, 0.5, 1], "to": [1, 0.5, 1], "count": 5}}}
            case = {**case, "output": output, "precision": precision}
            with dns.Simulation(case, output="watched", overwrite=True) as simulation:
                simulation.step(20)
                planes, probes = simulation.planes, simulation.probes
                self.assertEqual(list(probes["one"]["step"]), list(range(0, 21, 2)))
                simulation.run(progress=False)
                flow = simulation.flow
                height = simulation.planes["along"]["velocity_x"]
                self.assertEqual(height.shape, flow["velocity"].shape[::2][:2])
            program("run", self.case_file(case), "-o", "program", "--force")
            run = dns.Run("program")
            self.assertEqual(sorted(planes), run.plane_names())
            for name, plane in planes.items():
                record = run.plane(name)
                for field in ("velocity_x", "velocity_y", "velocity_z"):
                    np.testing.assert_array_equal(record.read(field, time=1), plane[field])
            for name, columns in probes.items():
                np.testing.assert_array_equal(run.probe(name)["velocity_y"][:11],
                                              columns["velocity_y"])
            for name in ("probes_one.csv", "timeseries.csv"):
                self.assertEqual(*(lines_of(pathlib.Path(folder, name))
                                   for folder in ("program", "watched")))
            with dns.Simulation(case, output=False) as simulation:
                with self.assertRaisesRegex(dns.RunFileError, "in the folder of a run"):
                    simulation.probes  # pylint: disable=pointless-statement

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
