#!/usr/bin/env python3
"""Writes the tables from which the cases in configs/ take their inflow.

    scripts/inflow_tables.py [FOLDER]        # configs/ unless given

blasius_inlet.csv, boundary_layer_inlet.csv, boundary_layer_stresses.csv, boundary_layer_y.txt,
boundary_layer670_y.txt, jet_stresses.csv. Needs numpy (Debian: python3-numpy).
"""
import argparse
import pathlib
import sys

from needed_modules import INPUT_OUTPUT, require_modules

CONFIGS = pathlib.Path(__file__).resolve().parents[1] / "configs"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=CONFIGS, metavar="FOLDER",
                        help="where they go (default: configs/)")
    return parser.parse_args()


if __name__ == "__main__":
    ARGUMENTS = parse_arguments()  # --help needs no modules
require_modules("inflow_tables.py", "numpy")
import numpy as np  # noqa: E402

from boundary_layers import (DISPLACEMENT, laminar_velocity, turbulent_stresses,  # noqa: E402
                             turbulent_velocity)

LAMINAR_REYNOLDS = 450          # U delta*/nu
FRICTION_VELOCITY = 0.0527      # of the turbulent layer where it enters [U]
TURBULENT_REYNOLDS = 2800       # U delta/nu


def table(comments, names, columns):
    """The text of a table."""
    lines = [f"# {comment}" for comment in comments] + [",".join(names)]
    lines += [",".join(f"{value:.7g}" for value in row) for row in zip(*columns)]
    return "\n".join(lines) + "\n"


def blasius_inlet():
    start = LAMINAR_REYNOLDS / DISPLACEMENT**2
    y = np.concatenate([np.arange(0, 8, 0.1), np.arange(8, 16.1, 0.5)])
    return table([f"Boundary layer of Blasius where U delta*/nu = {LAMINAR_REYNOLDS}: {start:.2f} "
                  "delta* behind the edge of the plate.", "y [delta*], u, v [U]"],
                 "yuv", [y, *laminar_velocity(start, y, LAMINAR_REYNOLDS)])


def layer_heights():
    """0 to 1.2, finer at the wall, and the free stream [delta]."""
    return np.concatenate([np.linspace(0, 1.2**0.5, 61)**2, [8.0]])


def boundary_layer_inlet():
    y = layer_heights()
    reynolds_tau = FRICTION_VELOCITY * TURBULENT_REYNOLDS
    u = FRICTION_VELOCITY * turbulent_velocity(y, reynolds_tau, 1 / FRICTION_VELOCITY)
    return table([f"Turbulent boundary layer, u_tau = {FRICTION_VELOCITY} U, Re_tau = "
                  f"{reynolds_tau:.0f}:", "law of the wall of Reichardt with the wake of Coles.",
                  "y [delta], u [U]"], "yu", [y, u])


def boundary_layer_stresses():
    y = layer_heights()
    rows = turbulent_stresses(y, FRICTION_VELOCITY * TURBULENT_REYNOLDS)
    return table(["Reynolds stresses of a channel (Vreman & Kuerten 2014, Re_tau 180), for a layer",
                  "that ends at y = 1.2. y [delta], stresses [U^2]"],
                 ["y", "uu", "vv", "ww", "uv"], [y, *[FRICTION_VELOCITY**2 * row for row in rows]])


def boundary_layer_faces(cells=96, first=0.0055, height=4.0):
    """Faces whose cells grow by the same factor from the wall on."""
    low, high = 1.0, 1.2
    for _ in range(100):
        growth = (low + high) / 2
        total = first * (growth**cells - 1) / (growth - 1)
        low, high = (growth, high) if total < height else (low, growth)
    faces = first * (growth**np.arange(cells + 1) - 1) / (growth - 1)
    faces *= height / faces[-1]
    return (f"# faces of {cells} cells from the plate on, each {100 * (growth - 1):.2f} % larger "
            "than the one below\n" + "".join(f"{face:.12g}\n" for face in faces))


def jet_stresses():
    y = np.array([-5.0, *np.arange(-1.2, 1.21, 0.05), 5.0])
    layer = np.where(np.abs(y) < 1.19, np.exp(-((np.abs(y) - 0.5) / 0.15)**2), 0)
    core = 0.0016 * (np.abs(y) < 0.45)
    uu, vv = 0.02 * layer + core, 0.01 * layer + core
    uv = np.where(layer > 0.05, 0.4 * np.sign(y) * np.sqrt(uu * vv), 0)
    return table(["Reynolds stresses of a plane jet of width 1: its shear layers at y = -0.5 and "
                  "0.5", "and a core that fluctuates by 4 %. y [D], stresses [U^2]"],
                 ["y", "uu", "vv", "ww", "uv"], [y, uu, vv, vv, uv])


TABLES = {"blasius_inlet.csv": blasius_inlet, "boundary_layer_inlet.csv": boundary_layer_inlet,
          "boundary_layer_stresses.csv": boundary_layer_stresses,
          "boundary_layer_y.txt": boundary_layer_faces,
          "boundary_layer670_y.txt": lambda: boundary_layer_faces(128, 0.0045, 5.0),
          "jet_stresses.csv": jet_stresses}


def write_tables(folder):
    for name, make in TABLES.items():
        (folder / name).write_text(make())


if __name__ == "__main__":
    try:
        write_tables(ARGUMENTS.folder)
    except OSError as failure:
        print(f"inflow_tables.py: {failure}", file=sys.stderr)
        sys.exit(INPUT_OUTPUT)
