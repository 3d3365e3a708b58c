"""Steady laminar flow through a square duct against the series solution: order 2, wall shear.

With half the side, viscosity and pressure gradient 1: the largest velocity is
sum over odd m of 16/pi^3 (-1)^((m-1)/2) / m^3 (1 - 1/cosh(m pi/2)), likewise the bulk velocity.
"""
import math

import numpy as np

from pictures import style

ODD = range(1, 200, 2)
LARGEST = 16 / math.pi**3 * sum(
    (-1) ** ((m - 1) // 2) / m**3 * (1 - 1 / math.cosh(m * math.pi / 2)) for m in ODD)
BULK = 1 / 3 - 64 / math.pi**5 * sum(math.tanh(m * math.pi / 2) / m**5 for m in ODD)
WALLS = ("y_min", "y_max", "z_min", "z_max")


def errors_of(run):
    """Of the largest and of the bulk velocity; and of the mean wall shear against G/2."""
    flow, series = run.snapshot(), run.time_series()
    velocity = flow["velocity"][:, :, :, 0].mean(axis=2, dtype=float)
    largest = velocity[len(flow["z"]) // 2, len(flow["y"]) // 2]  # odd counts: a cell in the middle
    shear = np.mean([series[f"wall_shear_{wall}_x"][-1] for wall in WALLS])
    return largest - LARGEST, series["bulk_velocity_x"][-1] - BULK, shear / 0.5 - 1


def draw(cells, largest, bulk):
    figure, ((axes,),) = style.new_figure(1, 1, 3.6)
    axes.loglog(cells, np.abs(largest), "o-", label="largest velocity")
    axes.loglog(cells, np.abs(bulk), "s-", label="bulk velocity")
    axes.loglog(cells, abs(bulk[0]) * (cells[0] / np.array(cells)) ** 2, **style.LAW,
                label="order 2")
    axes.set(xlabel="cells across", ylabel="error [G h$^2$/$\\nu$]", title="laminar duct")
    axes.legend()
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    cells = [9, 17, 33] if session.is_quick else [17, 33, 65]
    largest, bulk = [], []
    limit_of_shear = 1e-10 if session.precision == "double" else 1e-5
    for count in cells:
        run = session.run(f"cells_{count}", "laminar_duct", [f"grid.points=[4,{count},{count}]"])
        report.runs.append(run)
        error_of_largest, error_of_bulk, error_of_shear = errors_of(run)
        largest.append(error_of_largest)
        bulk.append(error_of_bulk)
        report.compare(f"{count}^2: largest velocity", error_of_largest + LARGEST, LARGEST)
        report.compare(f"{count}^2: bulk velocity", error_of_bulk + BULK, BULK)
        report.bound(f"{count}^2: mean wall shear against G/2, relative", abs(error_of_shear),
                     limit_of_shear)
    finest = np.log(cells[-1] / cells[-2])
    for words, errors in (("largest", largest), ("bulk", bulk)):
        order = np.log(errors[-2] / errors[-1]) / finest
        report.compare_difference(f"order of the {words} velocity", order, 2, 0.1)
    return draw(cells, largest, bulk)
