"""Several simulations in one process."""
import threading
import unittest

from stepped_runs import CAVITY, CHANNEL, SteppedTestCase, dns


class Several(SteppedTestCase):
    def test_two_in_turn_are_each_as_alone(self):
        for name, case in (("one", CHANNEL), ("two", CAVITY)):
            with dns.Simulation(case, output=name) as simulation:
                simulation.run(progress=False)
        with dns.Simulation(CHANNEL, output="one_in_turn") as one, \
                dns.Simulation(CAVITY, output="two_in_turn") as two:
            while one.step(7).reason == "steps":
                two.step(7)
            two.run(progress=False)
        self.assert_same_runs("one", "one_in_turn")
        self.assert_same_runs("two", "two_in_turn")

    def test_two_in_threads_are_each_as_alone(self):
        with dns.Simulation(CHANNEL, output="alone") as simulation:
            simulation.run(progress=False)

        def run(name):
            with dns.Simulation(CHANNEL, output=name) as simulation:
                simulation.run(progress=False)
        threads = [threading.Thread(target=run, args=(name,)) for name in ("first", "second")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assert_same_runs("alone", "first")
        self.assert_same_runs("alone", "second")

    def test_one_in_two_threads_at_once_raises(self):
        with dns.Simulation(CHANNEL, output=False, set={"grid.points": [64, 64, 64]}) as simulation:
            errors = []

            def step_until_refused():
                while not errors:
                    try:
                        simulation.step()
                    except RuntimeError as error:
                        errors.append(str(error))
            threads = [threading.Thread(target=step_until_refused) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertRegex(errors[0], "another thread")
            simulation.step()


if __name__ == "__main__":
    unittest.main()
