#!/usr/bin/env python3
"""Draws the newest snapshot of a run: velocity and temperature on two planes, and the history of
the error figure.

    scripts/plot_flow.py RUN_DIR [-o PICTURE.png] [--step N]

Needs h5py, numpy and matplotlib (Debian: python3-h5py python3-matplotlib).
"""
import argparse
import csv
import pathlib
import sys

try:
    import h5py
    import matplotlib
    import numpy as np
except ImportError as missing:
    sys.exit(f"plot_flow: {missing}; on Debian: apt-get install python3-h5py python3-matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def newest_snapshot(folder, step):
    pattern = f"fields_{step:08d}.h5" if step is not None else "fields_*.h5"
    found = sorted(folder.glob(pattern), key=lambda path: int(path.stem.split("_")[1]))
    if not found:
        sys.exit(f"plot_flow: no {pattern} in {folder}")
    return found[-1]


def draw(axes, horizontal, vertical, values, colours, labels):
    mesh = axes.pcolormesh(horizontal, vertical, values, cmap=colours, shading="gouraud")
    axes.set(xlabel=labels[0], ylabel=labels[1], title=labels[2], aspect="equal")
    axes.figure.colorbar(mesh, ax=axes, shrink=0.85)


def draw_history(axes, path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    time = [float(row["time"]) for row in rows]
    axes.plot(time, [float(row["divergence_mean"]) for row in rows], label="mean continuity error [U/L]")
    axes.plot(time, [float(row["kinetic_energy"]) for row in rows], label="kinetic energy [U$^2$]")
    axes.set(xlabel="t [L/U]", title="history")
    axes.legend(frameon=False)
    axes.grid(alpha=0.3)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--step", type=int)
    arguments = parser.parse_args()
    path = newest_snapshot(arguments.run, arguments.step)
    with h5py.File(path) as file:
        x, y, z = (file[name][:] for name in "xyz")
        middle_z, middle_x = len(z) // 2, len(x) // 2
        u_along = file["velocity"][middle_z, :, :, 0]
        u_across = file["velocity"][:, :, middle_x, 0]
        heat = file["temperature"][middle_z, :, :]
        time = float(file.attrs["time"])
    figure, axes = plt.subplots(2, 2, figsize=(10, 8.4), constrained_layout=True)
    draw(axes[0, 0], x, y, u_along, "viridis", ("x [L]", "y [L]", f"u [U] at z = {z[middle_z]:.3g}"))
    draw(axes[0, 1], x, y, heat, "inferno", ("x [L]", "y [L]", f"T [T$_0$] at z = {z[middle_z]:.3g}"))
    draw(axes[1, 0], y, z, u_across, "viridis", ("y [L]", "z [L]", f"u [U] at x = {x[middle_x]:.3g}"))
    draw_history(axes[1, 1], arguments.run / "timeseries.csv")
    figure.suptitle(f"{path.name}, t = {time:.4g}")
    target = arguments.output or arguments.run / "flow.png"
    figure.savefig(target, dpi=110)
    print(target)


if __name__ == "__main__":
    main()
