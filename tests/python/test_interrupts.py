"""Ctrl-C and signals while a run goes on."""
import os
import signal
import threading
import time
import unittest

from stepped_runs import CHANNEL, VORTICES, SteppedTestCase, dns


def send_later(number, seconds):
    timer = threading.Timer(seconds, os.kill, (os.getpid(), number))
    timer.start()
    return timer


class Interrupts(SteppedTestCase):
    def test_ctrl_c_raises_after_the_step_and_the_run_goes_on(self):
        with dns.Simulation(VORTICES, output=False,
                            set={"grid.points": [64, 64, 64]}) as simulation:
            simulation.step(2)
            start = time.monotonic()
            simulation.step(3)
            longest = (time.monotonic() - start) + 0.5  # three steps, on a busy machine
            send_later(signal.SIGINT, 0.3)
            start = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                simulation.run(progress=False)
            self.assertLess(time.monotonic() - start - 0.3, longest)
            before = simulation.step_number
            simulation.step(10)
            self.assertEqual(simulation.step_number, before + 10)

    def test_a_run_left_by_ctrl_c_goes_on_as_if_never_interrupted(self):
        with dns.Simulation(CHANNEL, output="whole") as simulation:
            simulation.run(progress=False)

        def interrupt(_):
            raise KeyboardInterrupt
        with self.assertRaises(KeyboardInterrupt):
            with dns.Simulation(CHANNEL, output="part") as simulation:
                simulation.every(steps=37)(interrupt)
                simulation.run(progress=False)
        self.assertIn("checkpoint_00000037.h5", os.listdir("part"))
        with dns.Simulation.resume("part") as simulation:
            self.assertEqual(simulation.step_number, 37)
            simulation.run(progress=False)
        self.leave_out_other_checkpoints("whole", "part")
        self.assert_same_runs("whole", "part")

    def test_signals_of_a_queue_end_a_run_that_takes_them(self):
        former = signal.getsignal(signal.SIGTERM)
        with dns.Simulation(VORTICES, output="run") as simulation:
            send_later(signal.SIGUSR1, 0.1)
            send_later(signal.SIGTERM, 0.5)
            stop = simulation.run(progress=False, signals=True)
            self.assertEqual(stop.reason, "SIGTERM")
        self.assertIs(signal.getsignal(signal.SIGTERM), former)
        files = os.listdir("run")
        self.assertIn(f"checkpoint_{stop.step:08}.h5", files)
        self.assertEqual(len([name for name in files if name.startswith("fields_0")]), 1)


if __name__ == "__main__":
    unittest.main()
