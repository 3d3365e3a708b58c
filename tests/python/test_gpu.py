"""Runs that Python steps on a GPU, and the memory of the flow there."""
import gc
import os
import sys
import unittest

import numpy as np

from stepped_runs import CAVITY, CHANNEL, SKIPPED, VORTICES, SteppedTestCase, dns

if not os.path.exists("/dev/nvidia0"):
    print("skipped: no GPU")
    sys.exit(SKIPPED)
try:
    import cupy
except ImportError:
    cupy = None
try:
    import torch
except ImportError:
    torch = None
ON_GPU = {"device": "cuda"}


class SameAsProgram(SteppedTestCase):
    def test_pieces_of_seven_steps_give_the_bits_of_the_program(self):
        for case in (CHANNEL, CAVITY):
            for precision in ("double", "float"):
                with self.subTest(case=case["case"], precision=precision):
                    self.assert_same_as_program({**case, **ON_GPU, "precision": precision})


@unittest.skipIf(cupy is None, "no CuPy")
class Memory(SteppedTestCase):
    def test_views_are_the_memory_and_what_is_written_is_in_the_flow(self):
        for precision, kind in (("double", np.float64), ("float", np.float32)):
            case = {**VORTICES, **ON_GPU, "precision": precision}
            with dns.Simulation(case, output=False) as simulation:
                simulation.step(1)
                before = simulation.flow["velocity_x"][..., :-1].copy()
                with simulation.device() as fields:
                    one = cupy.from_dlpack(fields["velocity_x"])
                    other = cupy.from_dlpack(fields["velocity_x"])
                    self.assertEqual(one.data.ptr, other.data.ptr)
                    self.assertEqual(one.shape, simulation.shape)
                    self.assertEqual(one.dtype, kind)
                    np.testing.assert_array_equal(cupy.asnumpy(one), before)
                    if torch is not None:
                        same = torch.from_dlpack(fields["velocity_x"])
                        self.assertEqual(same.data_ptr(), one.data.ptr)
                        del same
                    one += 0.25
                    del one, other
                np.testing.assert_allclose(simulation.flow["velocity_x"][..., :-1], before + 0.25,
                                           atol=1e-14 if precision == "double" else 1e-6)
                simulation.step(1)
                self.assertAlmostEqual(simulation.flow["velocity"][..., 0].mean(), 0.25, delta=1e-6)

    def test_assign_takes_arrays_of_the_host_and_compact_copies_are_kept(self):
        with dns.Simulation({**CHANNEL, **ON_GPU}, output=False) as simulation:
            noise = np.random.default_rng(1).normal(size=simulation.shape)
            with simulation.device() as fields:
                fields.assign("velocity_y", noise)
                kept = fields.compact("velocity_y")
                self.assertTrue(kept.flags.c_contiguous)
            np.testing.assert_array_equal(cupy.asnumpy(kept), noise)
            self.assertLess(simulation.diagnostics["divergence_max"], 1e-11)
            np.testing.assert_array_equal(simulation.flow["velocity_y"][:, 0], 0)

    def test_reading_the_memory_leaves_the_run_bit_for_bit(self):
        for case in (CHANNEL, CAVITY):
            self.assert_reading_leaves_the_bits({**case, **ON_GPU}, lambda view: self.assertTrue(
                bool(cupy.isfinite(cupy.from_dlpack(view)).all())))

    def test_a_view_that_is_kept_stops_the_run_until_it_is_gone(self):
        with dns.Simulation({**VORTICES, **ON_GPU}, output=False) as simulation:
            with self.assertRaisesRegex(dns.ViewInUse, "velocity_y"):
                with simulation.device() as fields:
                    kept = cupy.from_dlpack(fields["velocity_y"])
            with self.assertRaisesRegex(dns.ViewInUse, "velocity_y"):
                simulation.step()
            del kept
            gc.collect()
            simulation.step()

    def test_simulations_and_views_leave_no_memory_of_the_device_behind(self):
        def act():
            with dns.Simulation({**VORTICES, **ON_GPU}, output=False,
                                set={"grid.points": [64, 64, 64]}) as simulation:
                simulation.step(2)
                with simulation.device() as fields:
                    for name in fields:
                        cupy.from_dlpack(fields[name])
            gc.collect()
            cupy.get_default_memory_pool().free_all_blocks()
            return cupy.cuda.runtime.memGetInfo()[0]
        for _ in range(3):
            free = act()
        for _ in range(20):
            left = act()
        self.assertLess(free - left, 1 << 20)  # one field has 2 MiB


if __name__ == "__main__":
    unittest.main()
