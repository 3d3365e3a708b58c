"""What the tests of the scripts share: small runs of the real program in a folder of their own."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77  # the exit code that CTest takes for "skipped"
try:
    import h5py  # noqa: F401
    import matplotlib  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}; on Debian: apt-get install python3-h5py python3-matplotlib")
    sys.exit(SKIPPED)

PROGRAM = os.environ["DNS_PROGRAM"]

# Nodes, all faces given. The flow of step 0 is known at every inner node.
SPLITTING = """
case: nodes
scheme: splitting
device: cpu
grid: {points: [9, 8, 7], length: [2.0, 1.0, 1.5], origin: [-1.0, 0.5, 0.0]}
fluid: {reynolds: 100, prandtl: 0.7}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1.0}
  y_max: {type: wall, temperature: 2.0}
  z: periodic
initial: {velocity: ["y", "x*z", "1 + z"], temperature: "1 + y*z"}
time: {step: 1.0e-3, steps: 2}
output:
  fields: {every: 1, variables: [velocity, temperature]}
"""

# Stretched cells between two walls, waves along the periodic axes x and z. The velocity is free of
# divergence, and interpolating it from faces to centres changes nothing.
PROJECTION = """
case: cells
scheme: projection
device: cpu
grid:
  points: [16, 10, 16]
  length: [6.283185307179586, 2.0, 3.141592653589793]
  origin: [0.0, -1.0, 0.0]
  stretching: {y: {type: tanh, factor: 1.5}}
fluid: {reynolds: 100, prandtl: 0.7}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1.0}
  y_max: {type: wall, temperature: 2.0}
  z: periodic
initial: {velocity: ["y*cos(4*z)", "0", "0.5*sin(3*x)"], temperature: "1.5 + y*cos(x)"}
time: {step: 1.0e-3, steps: 4}
output:
  fields: {every: 1, precision: double, variables: [velocity, temperature, pressure]}
  statistics: {start: 0, every: 1, average: [x, z]}
"""


def run_dns(*arguments, environment=None):
    """The program to its end. Returns a CompletedProcess with stdout and stderr as text."""
    # `dns plot` takes the first python3: the one that runs this test.
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True,
                          check=False, env={**os.environ, "PATH": path, **(environment or {})})


class RunsTestCase(unittest.TestCase):
    """Has a folder that lasts as long as the tests of a class."""

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch = pathlib.Path(scratch.name)

    @classmethod
    def case_file(cls, name, case):
        path = cls.scratch / f"{name}.yaml"
        path.write_text(case)
        return path

    @classmethod
    def make_run(cls, name, case, *settings):
        """The folder of a finished run of the case with more of `dns run --set`."""
        folder = cls.scratch / name
        options = [word for setting in settings for word in ("--set", setting)]
        ended = run_dns("run", cls.case_file(name, case), "-q", "--threads", 1, "-o", folder,
                        *options)
        if ended.returncode != 0:
            raise AssertionError(ended.stderr)
        return folder
