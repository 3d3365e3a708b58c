"""What the tests of runs that Python steps share."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77  # the exit code that CTest takes for "skipped"
try:
    import h5py
    import numpy as np
    import dnsflow as dns
    dns.Simulation  # pylint: disable=pointless-statement
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

# Stretched cells, steps of any length, a force that follows the flow, averages, checkpoints.
CHANNEL = {
    "case": "channel", "scheme": "projection", "device": "cpu",
    "grid": {"points": [24, 20, 16], "length": [2 * np.pi, 2, np.pi],
             "stretching": {"y": {"type": "tanh", "factor": 2.0}}},
    "fluid": {"reynolds": 500},
    "boundaries": {"x": "periodic", "y_min": {"type": "wall"}, "y_max": {"type": "wall"},
                   "z": "periodic"},
    "initial": {"velocity": ["1.5*y*(2-y)", 0, 0], "noise": {"amplitude": 0.1, "seed": 1}},
    "forcing": {"type": "bulk_velocity", "value": [1, 0, 0]},
    "time": {"cfl": 0.5, "steps": 100},
    "output": {"fields": {"every": 25, "variables": ["velocity", "pressure"]},
               "timeseries": {"every": 1}, "checkpoint": {"every": 40},
               "statistics": {"every": 5, "average": ["x", "z"]}},
    "run": {"threads": 1},
}
# Nodes, walls of two temperatures.
CAVITY = {
    "case": "nodes", "scheme": "splitting", "device": "cpu",
    "grid": {"points": [17, 16, 15], "length": [2.0, 1.0, 1.5]},
    "fluid": {"reynolds": 100, "prandtl": 0.7},
    "boundaries": {"x": "periodic", "y_min": {"type": "wall", "temperature": 1.0},
                   "y_max": {"type": "wall", "temperature": 2.0}, "z": "periodic"},
    "initial": {"velocity": ["y*(1-y)", "0.1*sin(pi*x)*y*(1-y)", 0], "temperature": "1 + y"},
    "time": {"step": 1e-3, "steps": 100},
    "output": {"fields": {"every": 25}, "timeseries": {"every": 1}, "checkpoint": {"every": 40}},
    "run": {"threads": 1},
}
# Decaying vortices in a periodic box; sized by the caller.
VORTICES = {
    "case": "vortices", "scheme": "projection", "device": "cpu",
    "grid": {"points": [16, 16, 16], "length": [2 * np.pi] * 3}, "fluid": {"reynolds": 100},
    "boundaries": {"x": "periodic", "y": "periodic", "z": "periodic"},
    "initial": {"velocity": ["sin(x)*cos(y)*cos(z)", "-cos(x)*sin(y)*cos(z)", 0]},
    "time": {"step": 0.01, "steps": 1000000},
    "output": {"fields": {"every": 0}, "timeseries": {"every": 1}, "checkpoint": {"every": 0}},
    "run": {"threads": 1},
}


def program(*arguments):
    """Runs `dns`."""
    subprocess.run([os.environ["DNS_PROGRAM"], *arguments, "-q"], check=True,
                   stderr=subprocess.DEVNULL)


def arrays_of(path):
    """All datasets of a file, by name."""
    found = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: found.update({name: item[()]})
                        if isinstance(item, h5py.Dataset) else None)
    return found


def lines_of(path):
    """A table without the columns of wall seconds."""
    rows = [line.split(",") for line in path.read_text().splitlines()]
    kept = [n for n, name in enumerate(rows[0]) if "seconds" not in name]
    return [[row[n] for n in kept] for row in rows]


class SteppedTestCase(unittest.TestCase):
    """Each test works in a folder of its own."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        before = os.getcwd()
        os.chdir(scratch.name)
        self.addCleanup(os.chdir, before)

    @staticmethod
    def case_file(case, name="case.yaml"):
        pathlib.Path(name).write_text(dns.Case(case).text, encoding="utf-8")
        return name

    @staticmethod
    def leave_out_other_checkpoints(one, two):
        """Removes those that but one of two folders has: a run that stopped wrote one more."""
        for name in set(os.listdir(one)) ^ set(os.listdir(two)):
            if name.startswith("checkpoint_"):
                for folder in (one, two):
                    pathlib.Path(folder, name).unlink(missing_ok=True)

    def assert_same_as_program(self, case):
        """Pieces of 7 steps from Python give the files of `dns run`."""
        program("run", self.case_file(case), "-o", "program", "--force")
        simulation = dns.Simulation(case, output="python", overwrite=True)
        while simulation.step(7).reason == "steps":
            self.assertEqual(simulation.step_number % 7, 0)
        self.assertEqual(simulation.step_number, 100)
        simulation.close()
        self.assertGreater(self.assert_same_runs("program", "python"), 15)

    def assert_reading_leaves_the_bits(self, case, read):
        """A run that calls read(view) of each field every 10 steps writes the same files."""
        with dns.Simulation(case, output="undisturbed", overwrite=True) as simulation:
            simulation.run(progress=False)
        with dns.Simulation(case, output="watched", overwrite=True) as simulation:
            while simulation.step(10).reason == "steps":
                with simulation.device(write=False) as fields:
                    for name in fields:
                        read(fields[name])
        self.assert_same_runs("undisturbed", "watched")

    def assert_same_runs(self, one, two):
        """Every file that both folders must have holds the same numbers, bit for bit; returns the
        number of arrays compared.
        """
        one, two = pathlib.Path(one), pathlib.Path(two)
        self.assertEqual(sorted(os.listdir(one)), sorted(os.listdir(two)))
        count = 0
        for path in one.glob("*.h5"):
            first, second = arrays_of(path), arrays_of(two / path.name)
            self.assertEqual(first.keys(), second.keys(), path)
            for name, values in first.items():
                self.assertTrue(np.array_equal(values, second[name], equal_nan=True),
                                f"{path}: {name}")
                count += 1
        for path in one.glob("*.csv"):
            self.assertEqual(lines_of(path), lines_of(two / path.name), path)
        return count
