"""Flows, forces and memory that Python gives a run while it goes on."""
import gc
import os
import subprocess
import unittest

import numpy as np

from stepped_runs import CAVITY, CHANNEL, VORTICES, SteppedTestCase, dns

QUIET = {"output": {"fields": {"every": 0}, "timeseries": {"every": 1}, "checkpoint": {"every": 0}}}
FORCED = {**VORTICES, **QUIET, "forcing": {"type": "formula", "acceleration": ["0.1", "0", "0"]}}


class FlowsThatAreSet(SteppedTestCase):
    def test_a_flow_set_before_the_first_step_is_that_of_step_0(self):
        case = {**CHANNEL, "initial": {"velocity": [0, 0, 0]},
                "output": {"fields": {"every": 1, "precision": "double", "location": "faces"}}}
        with dns.Simulation(case, output="run") as simulation:
            simulation.set_flow(velocity=lambda x, y, z: (y * (2 - y) + 0 * x, 0 * x,
                                                          0.1 * np.sin(2 * x) + 0 * y))
            self.assertEqual(simulation.step_number, 0)
            simulation.step()
        start = dns.Run("run").snapshot(0)
        y, x = start["y"][:, None], start["x"]
        # This flow is free of divergence on the grid too, where its mean is that of the case.
        mean = (start["y"] * (2 - start["y"]) * np.diff(start["y_faces"])).sum() / 2
        np.testing.assert_allclose(start["velocity_x"][0, :, :1] - (y * (2 - y)),
                                   np.full_like(y, 1 - mean), atol=1e-12)
        np.testing.assert_allclose(start["velocity_z"][3], 0.1 * np.sin(2 * x) + 0 * y, atol=1e-12)

    def test_arrays_at_faces_come_back_and_the_rest_stays(self):
        with dns.Simulation(CAVITY, output=False) as simulation:
            simulation.step(3)
            before = {name: simulation.flow[name] for name in ("velocity", "temperature")}
            simulation.set_flow(temperature=lambda x, y, z: 1 + y**2 + 0 * x)
            after = simulation.flow
            np.testing.assert_array_equal(after["velocity"], before["velocity"])
            np.testing.assert_allclose(after["temperature"][1, 1:-1, 1],
                                       1 + after["y"][1:-1]**2, atol=1e-14)
            self.assertEqual(simulation.step_number, 3)
            simulation.step(2)
        with dns.Simulation(VORTICES, output=False) as simulation:
            simulation.step(3)
            flow = simulation.flow
            faces = [flow[f"velocity_{axis}"] for axis in "xyz"]
            simulation.set_flow(velocity=[2 * values for values in faces])
            np.testing.assert_allclose(simulation.flow["velocity_x"], 2 * faces[0], atol=1e-13)
            self.assertLess(simulation.diagnostics["divergence_max"], 1e-12)

    def test_a_flow_set_in_the_middle_is_like_a_first_one(self):
        """Two runs whose second half starts from one flow are equal from there on."""
        with dns.Simulation(VORTICES, output="one") as one, \
                dns.Simulation(VORTICES, output="two") as two:
            one.step(7)
            faces = [one.flow[f"velocity_{axis}"].copy() for axis in "xyz"]
            one.set_flow(velocity=faces)
            two.set_flow(velocity=faces)
            one.step(5)
            two.step(5)
            np.testing.assert_array_equal(one.flow["velocity"], two.flow["velocity"])
        series = dns.Run("one").time_series()
        np.testing.assert_array_equal(series["step"], np.arange(13))

    def test_wrong_arrays_are_refused_and_the_run_goes_on(self):
        with dns.Simulation(VORTICES, output=False) as simulation:
            with self.assertRaisesRegex(ValueError, "must have"):
                simulation.set_flow(velocity=np.zeros((3, 3, 3, 3)))
            with self.assertRaisesRegex(ValueError, "has no salt"):
                simulation.set_flow(salt=1)
            simulation.step()


class Forces(SteppedTestCase):
    def flow_after(self, case, steps, act=lambda simulation: None):
        with dns.Simulation(case, output=False) as simulation:
            simulation.every(steps=1)(act)
            act(simulation)
            simulation.step(steps)
            return simulation.flow["velocity"]

    def test_a_constant_set_again_in_each_step_is_the_case(self):
        for case, name, value in ((CHANNEL, "bulk_velocity", [1, 0, 0]),
                                  (FORCED, "acceleration", ["0.1", "0", "0"])):
            expected = self.flow_after(case, 20)
            found = self.flow_after(case, 20, lambda run, name=name, value=value:
                                    setattr(run.forcing, name, value))
            np.testing.assert_array_equal(found, expected)

    def test_an_array_is_the_formula_to_round_off(self):
        formula = {**FORCED, "forcing": {"type": "formula", "acceleration": ["sin(y)", "0", "0.1"]}}
        expected = self.flow_after(formula, 20)
        none = {key: value for key, value in FORCED.items() if key != "forcing"}

        def push(run):
            y = run.flow["y"][None, :, None]
            shape = run.shape
            run.forcing.acceleration = [np.sin(y) * np.ones(shape), np.zeros(shape),
                                        np.full(shape, 0.1)]
        np.testing.assert_allclose(self.flow_after(none, 20, push), expected, atol=1e-13)

        def push_at_centres(run):
            force = np.zeros((*run.shape, 3))
            force[..., 0] = np.sin(run.flow["y"][None, :, None])
            force[..., 2] = 0.1
            run.forcing.acceleration = force
        np.testing.assert_allclose(self.flow_after(none, 20, push_at_centres), expected, atol=1e-13)

    def test_momentum_grows_by_the_force(self):
        with dns.Simulation({**VORTICES, **QUIET}, output=False) as simulation:
            simulation.forcing.acceleration = ["0.5", "0", "0"]
            simulation.step(10)
            self.assertAlmostEqual(simulation.flow["velocity"][..., 0].mean(), 0.05, delta=1e-12)
            simulation.forcing.acceleration = ["0", "0", "0"]
            simulation.step(10)
            self.assertAlmostEqual(simulation.flow["velocity"][..., 0].mean(), 0.05, delta=1e-12)

    def test_a_bulk_velocity_that_is_changed_is_held(self):
        with dns.Simulation(CHANNEL, output="run") as simulation:
            simulation.step(5)
            simulation.forcing.bulk_velocity = [1.2, 0, 0]
            self.assertEqual(simulation.forcing.bulk_velocity, [1.2, 0, 0])
            simulation.step(5)
            self.assertAlmostEqual(simulation.diagnostics["bulk_velocity_x"], 1.2, delta=1e-12)
        run = dns.Run("run")
        self.assertIn("step 5: forcing.value [1, 0, 0] -> [1.2, 0, 0]", run.log_text)
        self.assertEqual(run.case["forcing"]["value"], [1.2, 0, 0])

    def test_a_heat_that_is_changed_heats(self):
        case = {**VORTICES, **QUIET, "fluid": {"reynolds": 100, "prandtl": 1},
                "initial": {**VORTICES["initial"], "temperature": "1"},
                "forcing": {"type": "formula", "heat": "0.5"}}
        for scheme in ("implicit", "runge_kutta"):
            with dns.Simulation(case, output=False, set={"time.scheme": scheme}) as simulation:
                simulation.step(10)
                simulation.forcing.heat = "2*sin(x)+1"
                simulation.step(10)
                self.assertAlmostEqual(simulation.flow["temperature"].mean(), 1.15, delta=1e-12)

    def test_a_force_changed_at_50_and_stopped_at_70_goes_on_as_never_stopped(self):
        def change(run):
            if run.step_number == 50:
                run.forcing.bulk_velocity = [1.1, 0, 0]
        with dns.Simulation(CHANNEL, output="whole") as simulation:
            simulation.every(steps=50)(change)
            simulation.run(progress=False)
        with dns.Simulation(CHANNEL, output="part") as simulation:
            simulation.every(steps=50)(change)
            simulation.run(steps=70, progress=False)
        with dns.Simulation.resume("part") as simulation:
            self.assertEqual(simulation.forcing.bulk_velocity, [1.1, 0, 0])
            simulation.run(progress=False)
        self.leave_out_other_checkpoints("whole", "part")
        self.assert_same_runs("whole", "part")

    def test_arrays_are_in_checkpoints(self):
        """Set at step 30, stopped at 60: resumed, by the program too, as never stopped."""
        def push(run):
            x, y, z = (run.flow[axis] for axis in "xyz")
            force = np.zeros((*run.shape, 3))
            force[..., 0] = 0.3 * np.sin(y)[None, :, None]
            force[..., 2] = 0.1 * np.cos(x)
            run.forcing.acceleration = force
            if "temperature" in run.names:
                run.forcing.heat = np.cos(z)[:, None, None] * np.ones(run.shape)
        channel = {key: value for key, value in CHANNEL.items() if key != "forcing"}
        channel["grid"] = {**channel["grid"], "points": [11, 14, 9]}
        for case in (channel, CAVITY, {**channel, "time": {"step": 0.01, "steps": 100,
                                                           "scheme": "runge_kutta"}}):
            for precision in ("float", "double"):
                case = {**case, "precision": precision}
                for name, steps in (("whole", 100), ("part", 60), ("other", 60)):
                    with dns.Simulation(case, output=name, overwrite=True) as simulation:
                        simulation.step(30)
                        push(simulation)
                        simulation.run(steps=steps - 30, progress=False)
                with dns.Simulation.resume("part") as simulation:
                    simulation.run(progress=False)
                subprocess.run([os.environ["DNS_PROGRAM"], "resume", "other", "-q"], check=True)
                for name in ("part", "other"):
                    self.leave_out_other_checkpoints("whole", name)
                    self.assert_same_runs("whole", name)

    def test_a_formula_replaces_the_array_of_a_checkpoint(self):
        with dns.Simulation({**VORTICES, **QUIET}, output="run") as simulation:
            simulation.forcing.acceleration = [np.full(simulation.shape, 0.5)] * 3
            simulation.step(10)
            self.assertAlmostEqual(simulation.flow["velocity"][..., 1].mean(), 0.05, delta=1e-12)
        with dns.Simulation.resume("run", set={"forcing.type": "formula",
                                               "forcing.acceleration": ["0", "-0.5", "0"]}) as run:
            run.step(10)
            mean = run.flow["velocity"].mean(axis=(0, 1, 2))
            np.testing.assert_allclose(mean, [0.1, 0, 0.1], atol=1e-12)

    def test_a_wall_that_is_moved_moves_the_fluid(self):
        case = {**CAVITY, **QUIET, "scheme": "projection",
                "grid": {"points": [9, 12, 7], "length": [2.0, 1.0, 1.5]},
                "initial": {"velocity": [0, 0, 0], "temperature": "1 + y"},
                "time": {"step": 5e-3, "steps": 2000}}
        for precision in ("float", "double"):
            case = {**case, "precision": precision}
            with dns.Simulation(case, output=False) as simulation:
                simulation.step(3)
                self.assertEqual(abs(simulation.flow["velocity"]).max(), 0)
                simulation.change({"boundaries.y_max.velocity": [1, 0, 0],
                                   "boundaries.y_min.temperature": 3})
                self.assertEqual(simulation.step_number, 3)
                simulation.run(steps=1000, progress=False)
                u, temperature = simulation.flow["velocity"][3, :, 4, 0], simulation.flow[
                    "temperature"][3, 1, 4]
                y, t, found = simulation.flow["y"], simulation.time, simulation.case
            self.assertEqual(found["boundaries"]["y_max"]["velocity"], [1, 0, 0])
            # Couette flow from rest, of 12 cells.
            n = np.arange(1, 60)[:, None]
            exact = y + (2 / np.pi * (-1.0)**n / n * np.sin(n * np.pi * y)
                         * np.exp(-(n * np.pi)**2 * t / 100)).sum(axis=0)
            np.testing.assert_allclose(u, exact, atol=0.02)
            self.assertGreater(temperature, 1.5)

    def test_boundaries_changed_at_50_and_stopped_at_70_go_on_as_never_stopped(self):
        def change(run):
            if run.step_number == 50:
                run.change({"boundaries.y_max.velocity": ["0.2*sin(3*t)", 0, 0.1]})
        probed = {**CHANNEL, "grid": {**CHANNEL["grid"], "points": [11, 14, 9]}}
        probed["output"] = {**CHANNEL["output"], "probes": {
            "every": 1, "near_wall": {"at": [1, 1.9, 1]}}}
        cases = [probed, CAVITY]
        for case in cases:
            for precision in ("float", "double"):
                case = {**case, "precision": precision}
                with dns.Simulation(case, output="whole", overwrite=True) as simulation:
                    simulation.every(steps=50)(change)
                    simulation.run(progress=False)
                with dns.Simulation(case, output="part", overwrite=True) as simulation:
                    simulation.every(steps=50)(change)
                    simulation.run(steps=70, progress=False)
                with dns.Simulation.resume("part") as simulation:
                    self.assertEqual(simulation.case["boundaries"]["y_max"]["velocity"][2], 0.1)
                    simulation.run(progress=False)
                self.leave_out_other_checkpoints("whole", "part")
                self.assert_same_runs("whole", "part")
                series = dns.Run("whole").time_series()
                np.testing.assert_array_equal(series["step"], np.arange(101))

    def test_boundaries_that_cannot_be_satisfied_leave_the_run_as_it_was(self):
        with dns.Simulation(CHANNEL, output=False) as simulation, \
                dns.Simulation(CHANNEL, output=False) as other:
            simulation.step(5)
            with self.assertRaisesRegex(dns.CaseError, "sqrt.* is undefined at"):
                simulation.change({"boundaries.y_min.velocity": ["sqrt(0.1 - t)", 0, 0]})
            with self.assertRaisesRegex(dns.CaseError, "^boundaries.y_min.velocity: not used by"):
                simulation.change({"boundaries.y_min.type": "symmetry"})
            self.assertEqual(simulation.case["boundaries"]["y_min"]["velocity"], [0, 0, 0])
            simulation.step(5)
            other.step(10)
            np.testing.assert_array_equal(simulation.flow["velocity"], other.flow["velocity"])

    def test_boundaries_may_be_changed_at_the_start(self):
        walls = {"y_max": {"type": "wall", "velocity": [0.5, 0, 0]}}
        moved = {**CHANNEL, "boundaries": {**CHANNEL["boundaries"], **walls}}
        with dns.Simulation(moved, output="one") as one, \
                dns.Simulation(CHANNEL, output="two") as two:
            two.change({"boundaries.y_max.velocity": [0.5, 0, 0]})
            one.step(20)
            two.step(20)
            # Not in their first steps, which of the second run are those after a restart.
            np.testing.assert_allclose(one.flow["velocity"], two.flow["velocity"], atol=0.01)

    def test_other_keys_are_refused_with_those_that_may_change(self):
        with dns.Simulation(CHANNEL, output=False) as simulation:
            with self.assertRaisesRegex(dns.CaseError, "fluid.reynolds: .*forcing.value"):
                simulation.change({"fluid.reynolds": 100})
            with self.assertRaisesRegex(dns.CaseError, "forcing.value"):
                simulation.change({"forcing.value": "fast"})
            with self.assertRaisesRegex(AttributeError, "there is no pressure_gradient"):
                simulation.forcing.pressure_gradient = [1, 0, 0]
            with self.assertRaisesRegex(AttributeError, "bulk_velocity, pressure_gradient"):
                simulation.forcing.wind = 1
            simulation.step()

    def test_the_end_and_the_step_may_change(self):
        with dns.Simulation(VORTICES, output=False, set={"time.steps": 5}) as simulation:
            simulation.run(steps=3, progress=False)
            simulation.change({"time.steps": 8, "time.step": 0.02})
            stop = simulation.run(progress=False)
            self.assertEqual(stop[:2], ("finished", 8))
            self.assertAlmostEqual(stop.time, 3 * 0.01 + 5 * 0.02)


class Memory(SteppedTestCase):
    def test_a_view_is_the_memory_and_what_is_written_is_in_the_next_snapshot(self):
        case = {**VORTICES, "output": {"fields": {"every": 2, "location": "faces",
                                                  "precision": "double"}}}
        with dns.Simulation(case, output="run") as simulation:
            simulation.step(1)
            with simulation.device() as fields:
                one, other = fields["velocity_x"], fields["velocity_x"]
                self.assertEqual(one.ctypes.data, other.ctypes.data)
                self.assertEqual(np.from_dlpack(one).ctypes.data, one.ctypes.data)
                self.assertEqual(one.shape, simulation.shape)
                np.testing.assert_array_equal(one, simulation.flow["velocity_x"][..., :-1])
                kept = fields.compact("velocity_x")
                self.assertTrue(kept.flags.c_contiguous)
                one += 0.25
                self.assertEqual(other[0, 0, 0], kept[0, 0, 0] + 0.25)
                del one, other
            np.testing.assert_allclose(simulation.flow["velocity_x"][..., :-1], kept + 0.25,
                                       atol=1e-14)
            simulation.step(1)
            self.assertAlmostEqual(simulation.flow["velocity"][..., 0].mean(), 0.25, delta=1e-12)
        self.assertAlmostEqual(dns.Run("run").snapshot(2)["velocity"][..., 0].mean(), 0.25,
                               delta=1e-12)

    def test_assign_writes_and_the_velocity_is_made_free_of_divergence(self):
        with dns.Simulation(CHANNEL, output=False) as simulation:
            noise = np.random.default_rng(1).normal(size=simulation.shape)
            with simulation.device() as fields:
                fields.assign("velocity_y", noise)
            self.assertLess(simulation.diagnostics["divergence_max"], 1e-11)
            self.assertGreater(simulation.diagnostics["kinetic_energy"], 0.5)
            np.testing.assert_array_equal(simulation.flow["velocity_y"][:, 0], 0)

    def test_a_view_that_is_kept_stops_the_run_until_it_is_gone(self):
        with dns.Simulation(VORTICES, output=False) as simulation:
            with self.assertRaisesRegex(dns.ViewInUse, "velocity_y"):
                with simulation.device() as fields:
                    kept = fields["velocity_y"]
            with self.assertRaisesRegex(dns.ViewInUse, "velocity_y"):
                simulation.step()
            with self.assertRaisesRegex(RuntimeError, "within"):
                fields["velocity_x"]
            del kept
            gc.collect()
            simulation.step()

    def test_steps_within_the_context_are_refused(self):
        with dns.Simulation(VORTICES, output=False) as simulation:
            with simulation.device(write=False):
                with self.assertRaisesRegex(RuntimeError, "no step is taken"):
                    simulation.step()
            simulation.step()

    def test_reading_the_memory_leaves_the_run_bit_for_bit(self):
        for case in (CHANNEL, CAVITY):
            self.assert_reading_leaves_the_bits(
                case, lambda view: self.assertTrue(np.isfinite(view).all()))

    def test_a_view_outlives_its_simulation(self):
        simulation = dns.Simulation(VORTICES, output=False)
        with self.assertRaises(dns.ViewInUse):
            with simulation.device(write=False) as fields:
                view = fields["velocity_x"]
                expected = view.copy()
        simulation.close(checkpoint=False)
        del simulation, fields
        gc.collect()
        np.testing.assert_array_equal(view, expected)

    def test_scheme_splitting_has_nodes_side_by_side(self):
        with dns.Simulation(CAVITY, output=False) as simulation:
            simulation.step(2)
            with simulation.device() as fields:
                self.assertEqual(set(fields), {"velocity_x", "velocity_y", "velocity_z",
                                               "temperature"} & set(fields))
                u = fields["velocity_x"]
                np.testing.assert_array_equal(u, simulation.flow["velocity"][..., 0])
                u *= 0.5
                expected = u.copy()
                del u
            np.testing.assert_array_equal(simulation.flow["velocity"][..., 0][:, 1:-1],
                                          expected[:, 1:-1])
            simulation.step(2)


if __name__ == "__main__":
    unittest.main()
