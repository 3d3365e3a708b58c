"""Small runs of the real program, whose flows at the start and grids are known by formulas."""

import json
import os
import subprocess

import numpy

AXES = "xyz"
WALL = {"type": "wall", "temperature": 1}
DERIVED = ["vorticity", "q_criterion"]

# Numbers of points differ from axis to axis and so do the formulas: nothing can be swapped unseen.
# Velocities of cells are free of divergence and independent of their own direction, so that neither
# the projection nor the interpolation from faces to centres changes them.
NODES = {
    "case": "nodes",
    "scheme": "splitting",
    "grid": {"points": [9, 8, 7], "length": [1, 2, 3], "origin": [-0.5, 0, 4]},
    "fluid": {"reynolds": 100, "prandtl": 0.7},
    "boundaries": {"x": "periodic", "y_min": WALL, "y_max": WALL, "z": "periodic"},
    "initial": {
        "velocity": ["sin(pi*y/2)*cos(2*pi*x)", "0.1*sin(pi*y)*sin(2*pi*z/3)", "0.3*sin(pi*y/2)"],
        "temperature": "1 + 0.2*sin(pi*y/2)*cos(2*pi*z/3)",
    },
    "time": {"step": 0.003, "steps": 6, "global_iterations": 2, "local_iterations": 2},
    "output": {"fields": {"every": 2, "variables": ["velocity", "temperature", *DERIVED]}},
}
UNIFORM_CELLS = {
    "case": "uniform_cells",
    "scheme": "projection",
    "grid": {"points": [8, 6, 10], "length": [1, 2, 3], "origin": [-0.5, 0.25, 4]},
    "fluid": {"reynolds": 100, "prandtl": 0.7},
    "boundaries": {"x": "periodic", "y": "periodic", "z": "periodic"},
    "initial": {
        "velocity": ["sin(pi*y) + cos(2*pi*z/3)", "0.5*sin(2*pi*x)", "0.3*cos(2*pi*x) + 0.1"],
        "temperature": "1 + 0.2*sin(2*pi*x)*cos(2*pi*z/3)",
    },
    "time": {"step": 0.007, "steps": 6},
    "output": {"fields": {"every": 3, "precision": "double"}},
}
STRETCHED_CELLS = {
    "case": "stretched_cells",
    "scheme": "projection",
    "grid": {
        "points": [6, 9, 8],
        "length": [1, 2, 3],
        "origin": [-0.5, 0.25, 4],
        "stretching": {
            "x": {"coordinates": [-0.5, -0.4, -0.1, 0, 0.2, 0.4, 0.5]},
            "y": {"type": "tanh", "factor": 1.5},
        },
    },
    "fluid": {"reynolds": 100, "prandtl": 0.7},
    "boundaries": {"x": "periodic", "y_min": WALL, "y_max": WALL, "z": "periodic"},
    "initial": {
        "velocity": ["(y - 0.25)*(2.25 - y) + 0.1*cos(2*pi*z/3)", "0", "0.3*cos(2*pi*x)*y"],
        "temperature": "1 + 0.2*sin(2*pi*x)*y",
    },
    "time": {"step": 0.007, "steps": 5},
    "output": {
        "fields": {
            "every": 2,
            "compression": 4,
            "location": "faces",
            "variables": ["velocity", "temperature", "pressure", *DERIVED],
        }
    },
}
ANYWHERE = ["-0.5 + r1", "0.25 + 2*r2", "4 + 3*r3"]
PARTICLES = {
    **UNIFORM_CELLS,
    "case": "particles",
    "particles": {
        "tracers": {"count": 30, "positions": ANYWHERE},
        "heavy": {"count": 7, "positions": ANYWHERE, "diameter": 0.01, "density": 100},
    },
    "output": {
        "fields": {"every": 0},
        "trajectories": {
            "every": 3,
            "tracers": {"stride": 2, "variables": ["velocity", "fluid_velocity", "unwrapped"]},
            "heavy": {"variables": ["velocity", "diameter"]},
        },
    },
}
FLOWS = [NODES, UNIFORM_CELLS, STRETCHED_CELLS]


def has_cells(case):
    return case["scheme"] == "projection"


def lists_of(case):
    """The lists that a run writes for ParaView."""
    return ["fields.xdmf", "fields_points.xdmf"] if has_cells(case) else ["fields.xdmf"]


def evaluate(formula, x, y, z):
    names = {"sin": numpy.sin, "cos": numpy.cos, "pi": numpy.pi, "x": x, "y": y, "z": z}
    return eval(formula, names)  # pylint: disable=eval-used


def faces(case, axis):
    """Coordinates of the faces of cells along an axis, as `dns keys grid` defines them."""
    grid = case["grid"]
    stretching = grid.get("stretching", {}).get(AXES[axis], {})
    if "coordinates" in stretching:
        return numpy.array(stretching["coordinates"])
    positions = numpy.linspace(0, 1, grid["points"][axis] + 1)
    if "factor" in stretching:
        factor = stretching["factor"]
        positions = (1 + numpy.tanh(factor * (2 * positions - 1)) / numpy.tanh(factor)) / 2
    return grid["origin"][axis] + grid["length"][axis] * positions


def points(case, axis):
    """Coordinates of the nodes, or of the centres of cells, along an axis."""
    if has_cells(case):
        edges = faces(case, axis)
        return (edges[1:] + edges[:-1]) / 2
    grid = case["grid"]
    is_periodic = AXES[axis] in case["boundaries"]  # then the last node is not repeated
    positions = numpy.linspace(0, 1, grid["points"][axis], endpoint=not is_periodic)
    return grid["origin"][axis] + grid["length"][axis] * positions


def fields_at_start(case):
    """Velocity (nz, ny, nx, 3) and temperature (nz, ny, nx) of the case's formulas."""
    z, y, x = numpy.meshgrid(*(points(case, axis) for axis in (2, 1, 0)), indexing="ij")
    ones = numpy.ones_like(x)
    velocity = [evaluate(formula, x, y, z) * ones for formula in case["initial"]["velocity"]]
    temperature = evaluate(case["initial"]["temperature"], x, y, z) * ones
    return {"velocity": numpy.stack(velocity, axis=-1), "temperature": temperature}


def command(program, case, folder, *options):
    """The command of a run into `folder`; the case is written beside it."""
    path = folder + ".yaml"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(case, file)  # JSON is YAML
    return [program, "run", path, "--device", "cpu", "--threads", "1", "-q", "-o", folder, *options]


def run(program, case, folder):
    """Runs a case to its end and returns its folder."""
    subprocess.run(command(program, case, folder), check=True)
    return os.path.abspath(folder)
