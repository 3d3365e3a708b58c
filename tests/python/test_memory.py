"""Simulations leave no memory behind."""
import gc
import os
import unittest

from stepped_runs import VORTICES, SteppedTestCase, dns

WARM_UP = 50  # until the heaps of the threads have their size
TIMES = 100
MEBIBYTE = 1 << 20


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Memory(SteppedTestCase):
    def growth_of(self, act):
        """Bytes that the process has more after many times than after some."""
        for _ in range(WARM_UP):
            act()
        gc.collect()
        before = resident_bytes()
        for _ in range(TIMES):
            act()
        gc.collect()
        return resident_bytes() - before

    def test_make_step_read_drop(self):
        def act():
            simulation = dns.Simulation(VORTICES, output=False, set={"grid.points": [32, 32, 32]})
            simulation.step(2)
            self.assertEqual(simulation.flow["velocity"].shape, (32, 32, 32, 3))
        # Each array has 0.25 MiB: one that stays in every turn would be 25 MiB.
        self.assertLess(self.growth_of(act), 2 * MEBIBYTE)

    def test_an_exception_in_the_constructor(self):
        def act():
            with self.assertRaises(dns.CaseError):
                dns.Simulation(VORTICES, output=False,
                               set={"initial.velocity": ["1/x", "0", "0"], "grid.origin": [0, 0, 0],
                                    "grid.points": [32, 32, 32]})
        self.assertLess(self.growth_of(act), 2 * MEBIBYTE)


if __name__ == "__main__":
    unittest.main()
