"""What goes wrong is an exception of Python with the words of the program."""
import json
import os
import pickle
import subprocess
import unittest

import numpy as np

from stepped_runs import CAVITY, VORTICES, SteppedTestCase, dns


def changed(case, section, **values):
    return {**case, section: {**case[section], **values}}


class Errors(SteppedTestCase):
    def test_mistakes_of_a_dictionary_are_named_by_their_keys(self):
        case = changed(VORTICES, "fluid", reynolds=-1, reynold=2)
        with self.assertRaises(dns.CaseError) as raised:
            dns.Simulation(case)
        self.assertIsInstance(raised.exception, ValueError)
        self.assertIsInstance(raised.exception, dns.Error)
        first, second = sorted(raised.exception.messages)
        self.assertTrue(first.startswith("fluid.reynold: unknown key"), first)
        self.assertTrue(second.startswith("fluid.reynolds"), second)

    def test_mistakes_of_a_file_have_their_line(self):
        with open("wrong.yaml", "w", encoding="utf-8") as file:
            file.write(dns.Case(VORTICES).text.replace("reynolds: 100", "reynolds: -100"))
        with self.assertRaisesRegex(dns.CaseError, r"wrong\.yaml:\d+:\d+: fluid\.reynolds is -100"):
            dns.Simulation("wrong.yaml")

    def test_a_missing_file_is_an_io_error(self):
        with self.assertRaisesRegex(dns.IoError, "none.yaml"):
            dns.Simulation("none.yaml")
        with self.assertRaises(OSError):
            dns.Simulation.resume("none")

    def test_a_folder_with_a_run_is_refused(self):
        dns.Simulation(VORTICES, output="run").close()
        with self.assertRaisesRegex(dns.CaseError, "run"):
            dns.Simulation(VORTICES, output="run")

    def test_a_wrong_value_of_set_is_named(self):
        with self.assertRaisesRegex(dns.CaseError, "grid.points"):
            dns.Simulation(VORTICES, set={"grid.points": [4, 0, 4]})

    def test_numpy_numbers_are_values_and_other_things_are_not(self):
        case = dns.Case(changed(VORTICES, "fluid", reynolds=np.float32(250)),
                        set={"grid.points": np.array([8, 8, 8])})
        self.assertEqual(case["fluid"]["reynolds"], 250)
        self.assertEqual(case["grid"]["points"], [8, 8, 8])
        with self.assertRaises(TypeError):
            dns.Case(changed(VORTICES, "fluid", reynolds=object()))

    @unittest.skipIf(os.path.exists('/dev/nvidia0'), 'there is a GPU')
    def test_a_missing_gpu_is_an_error(self):
        with self.assertRaisesRegex((dns.CaseError, dns.DeviceError), "device is cuda, but"):
            dns.Simulation(VORTICES, device="cuda", output=False)

    def test_an_exception_of_a_function_ends_run_and_the_run_goes_on(self):
        with dns.Simulation(VORTICES, output="run") as simulation:
            @simulation.every(steps=3)
            def fail(_):
                fail.cancel()
                raise KeyError("mine")
            with self.assertRaisesRegex(KeyError, "mine"):
                simulation.run(progress=False)
            self.assertEqual(simulation.step_number, 3)
            simulation.step(4)
        self.assertEqual(dns.Run("run").time_series()["step"][-1], 7)

    def test_a_flow_that_diverges_raises_with_the_last_good_step(self):
        # The moving wall runs away after step 25.
        runaway = {"type": "wall", "velocity": ["t < 0.0255 ? 1 : 1e30", 0, 0]}
        case = {**changed(CAVITY, "boundaries", y_max={**runaway, "temperature": 2}),
                "output": {"checkpoint": {"every": 10}, "timeseries": {"every": 1}}}
        with dns.Simulation(case, output="run") as simulation:
            with self.assertRaises(dns.DivergenceError) as raised:
                simulation.run(progress=False)
            error = raised.exception
            self.assertIsInstance(error, ArithmeticError)
            self.assertEqual(error.step, error.last_good_step + 1)
            self.assertIn("the flow diverged", str(error))
            self.assertEqual(error.last_good_step, 25)
            self.assertEqual(error.checkpoint.name, "checkpoint_00000020.h5")
            self.assertTrue(os.path.exists(error.checkpoint))
            with self.assertRaisesRegex(dns.DivergenceError, "the flow diverged") as again:
                simulation.step()
            self.assertEqual(again.exception.last_good_step, 25)
            for refused in (simulation.write_output, lambda: simulation.diagnostics,
                            lambda: simulation.change({"time.step": 1}),
                            lambda: simulation.device().__enter__()):
                with self.assertRaises(dns.DivergenceError):
                    refused()
            self.assertFalse(np.isfinite(simulation.flow["velocity"]).all()
                             and abs(simulation.flow["velocity"]).max() < 1e20)
            with simulation.device(write=False) as fields:
                self.assertEqual(fields["velocity_x"].shape, simulation.shape)
        self.assertTrue(simulation.is_closed)
        series = dns.Run("run").time_series()
        self.assertTrue(np.isfinite(series["kinetic_energy"]).all())
        self.assertLessEqual(series["step"][-1], error.last_good_step)

    def runaway(self, precision):
        """A flow without divergence, which its steps are too long for."""
        return {**VORTICES, "precision": precision,
                "grid": {"points": [9, 14, 11], "length": [2 * np.pi] * 3},
                "initial": {"velocity": ["1e4*sin(x)*cos(y)", "-1e4*cos(x)*sin(y)", 0]},
                "output": {"timeseries": {"every": 1}, "checkpoint": {"every": 0},
                           "statistics": {"every": 1, "average": ["x", "z"]}}}

    def test_a_flow_that_is_set_after_it_diverged_goes_on(self):
        def calm(x, y, z):
            return np.sin(x) * np.cos(y) + 0 * z, -np.cos(x) * np.sin(y) + 0 * z, 0 * (x + y + z)
        for precision in ("float", "double"):
            case = self.runaway(precision)
            with dns.Simulation(case, output="run", overwrite=True) as simulation:
                with self.assertRaises(dns.DivergenceError):
                    simulation.step(5)
                reached = simulation.step_number
                simulation.set_flow(velocity=calm)
                self.assertEqual(simulation.step_number, reached)
                self.assertEqual(simulation.step(10), ("steps", reached + 10, simulation.time))
                self.assertLess(simulation.diagnostics["kinetic_energy"], 0.26)
                self.assertTrue(np.isfinite(simulation.statistics["u"]).all())
            run = dns.Run("run")
            self.assertIn("averages begin anew", run.log_text)
            self.assertTrue(np.isfinite(run.statistics()["u"]).all())
            self.assertEqual(run.time_series()["step"][-1], reached + 10)
            with dns.Simulation(case, output=False) as simulation, \
                    dns.Simulation(case, output=False) as other:
                with self.assertRaises(dns.DivergenceError):
                    simulation.step(100)
                for one in (simulation, other):
                    one.set_flow(velocity=calm, keep_time=False)
                    self.assertEqual((one.step_number, one.time), (0, 0))
                    one.step(7)
                np.testing.assert_array_equal(simulation.flow["velocity"], other.flow["velocity"])

    def test_what_is_no_interval_is_refused(self):
        with dns.Simulation(VORTICES, output=False) as simulation:
            for wrong in ({}, {"steps": 0}, {"steps": 1, "time": 1}, {"wall": -1}):
                with self.assertRaisesRegex(ValueError, "one of steps, time, wall"):
                    simulation.every(**wrong)
            with self.assertRaisesRegex(ValueError, "exact=True with time alone"):
                simulation.every(steps=1, exact=True)

    def test_a_simulation_cannot_be_pickled_or_used_in_a_fork(self):
        with dns.Simulation(VORTICES, output=False) as simulation:
            with self.assertRaisesRegex(TypeError, "cannot be pickled"):
                pickle.dumps(simulation)
            child = os.fork()
            if child == 0:
                try:
                    simulation.step()
                except RuntimeError as error:
                    os._exit(7 if "fork" in str(error) else 1)
                os._exit(2)
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 7)
            simulation.step()

    def test_a_complete_run_is_not_resumed(self):
        with dns.Simulation(VORTICES, output="run", set={"time.steps": 3}) as simulation:
            self.assertEqual(simulation.run(progress=False).reason, "finished")
        with self.assertRaisesRegex(dns.CaseError, "is complete"):
            dns.Simulation.resume("run")

    def test_doctor_has_the_findings_of_the_program(self):
        printed = subprocess.run([os.environ["DNS_PROGRAM"], "doctor", "--json"], check=True,
                                 capture_output=True).stdout
        told = {one["name"]: one["found"] for one in json.loads(printed)["findings"]}
        findings = dns.doctor()
        self.assertIn("CPU", findings.devices)
        for name in ("build", "processor", "threads", "HDF5"):
            self.assertEqual(findings[name].found, told[name])
        self.assertLess({one.name for one in findings}, set(told))
        self.assertIn("dns can run here", repr(findings))

    def test_keys_and_schema_are_those_of_the_program(self):
        self.assertIn("fluid.reynolds", dns.keys("fluid"))
        self.assertIn("properties", dns.schema())
        self.assertEqual(dns.check(VORTICES)["scheme"], "projection")
        with self.assertRaises(dns.CaseError):
            dns.keys("no.such.key")


if __name__ == "__main__":
    unittest.main()
