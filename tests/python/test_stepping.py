"""Functions that a run calls, what it returns, and what it leaves."""
import os
import subprocess
import unittest

import numpy as np

from stepped_runs import CAVITY, CHANNEL, VORTICES, SteppedTestCase, dns


class Stepping(SteppedTestCase):
    def test_functions_are_called_at_their_steps_and_times_in_their_order(self):
        calls = []
        with dns.Simulation(VORTICES, output=False) as simulation:
            simulation.every(steps=4)(lambda run: calls.append(("steps", run.step_number)))
            simulation.every(time=0.05)(lambda run: calls.append(("time", run.step_number)))
            stop = simulation.run(steps=12, progress=False)
        self.assertEqual(stop, dns.Stop("steps", 12, stop.time))
        self.assertEqual(calls, [("steps", 4), ("time", 5), ("steps", 8), ("time", 10),
                                 ("steps", 12)])

    def test_a_cancelled_function_is_not_called_any_more(self):
        calls = []
        with dns.Simulation(VORTICES, output=False) as simulation:
            @simulation.every(steps=2)
            def count(run):
                calls.append(run.step_number)
                if len(calls) == 3:
                    count.cancel()
            simulation.step(20)
        self.assertEqual(calls, [2, 4, 6])

    def test_steps_end_at_the_times_of_an_exact_function_and_of_the_end(self):
        for case in (VORTICES, CHANNEL, CAVITY):
            longest = 1e-3 if case is CAVITY else 0.01
            interval = 4.3 * longest
            times, coarse = [], []
            held = {"step": longest, "end": 13 * longest}  # from which steps were counted
            with dns.Simulation({**case, "time": held}, output=False) as simulation:
                simulation.every(time=interval, exact=True)(lambda run, of=times: of.append(run.time))
                other = simulation.every(time=2.7 * longest, exact=True)(
                    lambda run, of=coarse: (of.append(run.time), other.cancel()))
                stop = simulation.run(progress=False)
            np.testing.assert_allclose(times, interval * np.arange(1, 4), rtol=1e-12)
            np.testing.assert_allclose(coarse, [2.7 * longest], rtol=1e-12)
            self.assertAlmostEqual(stop.time / held["end"], 1, delta=1e-12)
            self.assertLess(stop.step, 1.5 * 13)

    def test_without_an_exact_function_steps_are_as_before(self):
        with dns.Simulation(VORTICES, output=False) as simulation:
            watch = simulation.every(time=0.0237, exact=True)(lambda run: None)
            simulation.step(3)
            self.assertAlmostEqual(simulation.time, 0.0237, delta=1e-15)
            watch.cancel()
            before = simulation.time
            simulation.step()
            self.assertAlmostEqual(simulation.time - before, 0.01, delta=1e-15)

    def test_a_function_that_returns_stop_ends_the_run_with_a_checkpoint(self):
        with dns.Simulation(VORTICES, output="run") as simulation:
            simulation.every(steps=5)(lambda run: dns.STOP)
            self.assertEqual(simulation.run(progress=False)[:2], ("<lambda>", 5))
            self.assertEqual(simulation.step().step, 5)
        self.assertIn("checkpoint_00000005.h5", os.listdir("run"))
        self.assertIn("stopped by <lambda>", dns.Run("run").log_text)

    def test_a_function_cannot_take_steps(self):
        with dns.Simulation(VORTICES, output=False) as simulation:
            simulation.every(steps=1)(lambda run: run.step())
            with self.assertRaisesRegex(RuntimeError, "cannot take steps"):
                simulation.step()

    def test_run_until_a_time_ends_after_the_step_that_reaches_it(self):
        with dns.Simulation(VORTICES, output=False) as simulation:
            stop = simulation.run(until=0.055, progress=False)
            self.assertEqual(stop[:2], ("until", 6))
            self.assertAlmostEqual(stop.time, 0.06)
            self.assertEqual(simulation.run(until=0.055, progress=False).step, 6)

    def test_records_are_kept_and_cut_back_on_resume(self):
        with dns.Simulation(VORTICES, output="run",
                            set={"output.checkpoint.every": 10}) as simulation:
            simulation.every(steps=2)(lambda run: run.record(twice=2 * run.step_number))
            simulation.step(14)
            self.assertEqual(list(simulation.records["twice"]["twice"]), [4, 8, 12, 16, 20, 24, 28])
            simulation.close(checkpoint=False)
        with dns.Simulation.resume("run") as simulation:
            self.assertEqual(simulation.step_number, 10)
            self.assertEqual(list(simulation.records["twice"]["step"]), [2, 4, 6, 8, 10])
            simulation.record(twice=0)
            simulation.step(2)
            simulation.record(twice=1)
            self.assertEqual(list(simulation.records["twice"]["step"]), [2, 4, 6, 8, 10, 10, 12])
        lines = open("run/own_twice.csv", encoding="utf-8").read().splitlines()
        self.assertEqual(lines[0], "step,time,twice")
        self.assertEqual(len(lines), 8)
        # The program cuts them back too, half a line included, and a new run removes them.
        with open("run/own_twice.csv", "a", encoding="utf-8") as file:
            file.write("14,0.14,28\n20,0.2")
        os.unlink("run/checkpoint_00000012.h5")
        subprocess.run([os.environ["DNS_PROGRAM"], "resume", "run", "--set", "time.steps=12", "-q"],
                       check=True)
        left = open("run/own_twice.csv", encoding="utf-8").read().splitlines()
        self.assertEqual(left, lines[:7])
        dns.Simulation(VORTICES, output="run", overwrite=True).close()
        self.assertNotIn("own_twice.csv", os.listdir("run"))

    def test_a_run_goes_on_from_the_checkpoint_of_a_step(self):
        case = {**CHANNEL, "grid": {**CHANNEL["grid"], "points": [11, 14, 9]}}
        case["output"] = {**case["output"], "checkpoint": {"every": 20, "keep": 5}}
        with dns.Simulation(case, output="whole") as simulation:
            simulation.run(progress=False)
        with dns.Simulation(case, output="part") as simulation:
            simulation.every(steps=10)(lambda run: run.record(steps=run.step_number))
            simulation.run(progress=False)
        with self.assertRaisesRegex(dns.IoError, "no checkpoint of step 50 .*40, 60"):
            dns.Simulation.resume("part", step=50)
        with dns.Simulation.resume("part", step=60, output="branch") as simulation:
            self.assertEqual(simulation.step_number, 60)
            simulation.run(progress=False)
        self.assertIn("checkpoint_00000100.h5", os.listdir("part"))
        simulation = dns.Simulation.resume("part", step=40)
        self.assertEqual(simulation.step_number, 40)
        self.assertEqual(dns.Run("part").time_series()["step"][-1], 40)
        simulation.close(checkpoint=False)  # as if killed
        with dns.Simulation.resume("part") as simulation:
            self.assertEqual(simulation.step_number, 40)
            simulation.run(progress=False)
        os.unlink("part/own_steps.csv")
        self.leave_out_other_checkpoints("whole", "part")
        self.assert_same_runs("whole", "part")

    def test_a_flow_that_begins_anew_is_that_of_a_new_run(self):
        with dns.Simulation(CHANNEL, output=False, set={"time.steps": 20}) as simulation:
            faces = [simulation.flow[f"velocity_{axis}"].copy() for axis in "xyz"]
            simulation.set_flow(velocity=faces)
            simulation.run(progress=False)
            expected, energy = simulation.flow["velocity"], simulation.diagnostics["kinetic_energy"]
            averages = simulation.statistics["u"]
            self.assertEqual(simulation.step(), ("finished", 20, simulation.time))
            simulation.set_flow(velocity=faces, keep_time=False)
            self.assertEqual((simulation.step_number, simulation.time), (0, 0))
            self.assertEqual(simulation.run(progress=False)[:2], ("finished", 20))
            np.testing.assert_array_equal(simulation.flow["velocity"], expected)
            self.assertEqual(simulation.diagnostics["kinetic_energy"], energy)
            np.testing.assert_array_equal(simulation.statistics["u"], averages)
        with dns.Simulation(CHANNEL, output="run") as simulation:
            simulation.step()
            with self.assertRaisesRegex(dns.CaseError, "cannot go back to step 0"):
                simulation.set_flow(velocity=faces, keep_time=False)
            simulation.step()

    def test_a_read_flow_stays_and_cannot_be_written(self):
        with dns.Simulation(VORTICES, output=False) as simulation:
            flow = simulation.flow
            u = flow["velocity"]
            kept = u.copy()
            self.assertIs(flow, simulation.flow)
            simulation.step(3)
            np.testing.assert_array_equal(u, kept)
            with self.assertRaises(ValueError):
                u[0, 0, 0, 0] = 1
            with self.assertRaisesRegex(ValueError, "was not read before"):
                flow["velocity_x"]
            self.assertGreater(abs(simulation.flow["velocity"] - kept).max(), 0)
            # The exact flow decays like its energy, by viscosity and the nonlinear terms.
            self.assertLess(simulation.diagnostics["kinetic_energy"], 0.125)

    def test_nothing_is_written_with_output_false(self):
        with dns.Simulation(CHANNEL, output=False) as simulation:
            simulation.run(steps=50, progress=False)
            averages = simulation.statistics
            self.assertEqual(averages["u"].shape, (20,))
            self.assertAlmostEqual((averages["u"] * np.diff(averages["y_faces"])).sum() / 2, 1,
                                   delta=1e-3)
        self.assertEqual(os.listdir("."), [])

    def test_a_snapshot_and_a_checkpoint_are_written_when_asked_for(self):
        with dns.Simulation(VORTICES, output="run") as simulation:
            simulation.step(3)
            simulation.write_output()
            simulation.step(1)
        self.assertLessEqual({"fields_00000003.h5", "checkpoint_00000003.h5"},
                             set(os.listdir("run")))
        self.assertEqual(dns.Run("run").snapshot(3).step, 3)

    def test_the_folder_is_free_after_close_and_closing_twice_is_harmless(self):
        simulation = dns.Simulation(VORTICES, output="run")
        simulation.step()
        with self.assertRaisesRegex(dns.CaseError, "is in use"):
            dns.Simulation(VORTICES, output="run", overwrite=True)
        simulation.close()
        simulation.close()
        with self.assertRaisesRegex(RuntimeError, "closed"):
            simulation.step()
        dns.Simulation(VORTICES, output="run", overwrite=True).close()

    def test_progress_reaches_a_function_and_the_bar_of_a_notebook_has_the_last_step(self):
        seen = []
        with dns.Simulation(VORTICES, output=False,
                            set={"grid.points": [32, 32, 32]}) as simulation:
            simulation.run(until=1, progress=seen.append)
        self.assertGreater(len(seen), 1)
        self.assertEqual(seen[-1]["step"], 100)
        from dnsflow.progress_bar import NotebookBar
        html = NotebookBar.html_of(seen[-1])
        self.assertIn("step 100", html)
        self.assertIn("<progress", html)


if __name__ == "__main__":
    unittest.main()
