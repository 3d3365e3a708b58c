"""The two small cases of the fault trials; both write output of every kind.

The colours of pictures are fixed: a range that follows the flow depends on the pictures drawn
before, so that those after a resume or beside a live page may differ, an expectation.

Environment:
    FAULTS_DEVICE    the device that they run on, cpu without it; `device_faults.py` wants a GPU
"""
import os
import pathlib

SPLITTING = """\
case: t
scheme: splitting
device: {device}
precision: {precision}
grid: {{points: [10, 9, 8]}}
fluid: {{reynolds: 100, prandtl: 0.72}}
boundaries:
  x_min: {{type: inflow, velocity: ["1+0.1*sin(t)", 0, 0], temperature: 1.0}}
  x_max: {{type: outflow}}
  y_min: {{type: wall, temperature: 1.0}}
  y_max: {{type: wall, temperature: 1.0}}
  z: periodic
initial: {{velocity: [1, 0, 0], temperature: 1.0, noise: {{amplitude: 0.05, seed: 3}}}}
time: {{step: 1.0e-3, steps: {steps}, global_iterations: 2, local_iterations: 2}}
output:
  directory: {directory}
  fields: {{every: {every}, precision: double}}
  timeseries: {{every: 1}}
  checkpoint: {{every: {every}, keep: 2}}
  planes: {{every: 1, precision: double, cut: {{axis: x, at: 0.3}}}}
  probes: {{wake: {{at: [0.3, 0.4, 0.2]}}, line: {{from: [0, 0.5, 0.1], to: [1, 0.5, 0.1], count: 4}}}}
"""

PROJECTION = """\
case: t
scheme: projection
device: {device}
precision: {precision}
grid:
  points: [12, 10, 8]
  length: [6.28, 2, 3.14]
  stretching: {{y: {{type: tanh, factor: 1.5}}}}
fluid: {{reynolds: 180, prandtl: 0.71}}
buoyancy: {{rayleigh: 1.0e4, direction: y}}
boundaries:
  x: periodic
  y_min: {{type: wall, temperature: 1}}
  y_max: {{type: wall, temperature: 0}}
  z: periodic
initial:
  velocity: ["y*(2-y)", 0, 0]
  temperature: "1 - y/2"
  noise: {{amplitude: 0.05, seed: 1}}
forcing: {{type: bulk_velocity, value: [1, 0, 0]}}
time: {{cfl: 0.3, step: 5.0e-3, steps: {steps}}}
output:
  directory: {directory}
  fields: {{every: {every}, precision: double}}
  timeseries: {{every: 1}}
  checkpoint: {{every: {every}, keep: 2}}
  statistics: {{every: 1, average: [x, z]}}
  slices:
    every: {slices_every}
    pixels: 16
    planes: {{middle: {{axis: z, min: -1, max: 2}}}}
  planes: {{every: 1, precision: double, cut: {{axis: z, at: 0.3}}}}
  probes: {{wake: {{at: [3, 0.01, 0.2]}}, line: {{from: [0, 0, 1], to: [0, 2, 1], count: 4}}}}
"""

CASES = {"splitting": SPLITTING, "projection": PROJECTION}
SCHEMES = tuple(CASES)
DEVICE = os.environ.get("FAULTS_DEVICE", "cpu")


def write_case(path, scheme, steps, every, precision="double"):
    """Writes a case whose flow is kept every so many steps (0: not at all), and returns its path.

    Tiny grids: thousands of runs take minutes, and every step can be a checkpoint.
    """
    text = CASES[scheme].format(device=DEVICE, precision=precision, steps=steps, every=every,
                                slices_every=every or 10 ** 9, directory="run")
    pathlib.Path(path).write_text(text)
    return path


def settings(*pairs):
    """The options of `dns run` that give these keys their values."""
    return [word for pair in pairs for word in ("--set", pair)]
