"""Laminar boundary layer: friction and velocity against the similarity solution of Blasius.

Along a tenth to seven tenths of the box: near the inflow the profile is given, near the outflow its
condition is felt. The similarity solution itself leaves out terms of the order of 1/Re_x, 1e-5.
"""
import numpy as np

from boundary_layers import DISPLACEMENT, FRICTION, laminar_velocity
from pictures import style

CELLS = ((80, 48), (160, 96), (320, 192))


def errors_of(run):
    """x, friction over that of Blasius, largest error of u at each x."""
    flow = run.snapshot()
    reynolds = run.case["fluid"]["reynolds"]
    u = flow["velocity"][:, :, :, 0].mean(axis=0, dtype=float)
    x = flow["x"] + reynolds / DISPLACEMENT**2
    friction = 2 / reynolds * u[0] / flow["y"][0]
    expected = [laminar_velocity(place, flow["y"], reynolds)[0] for place in x]
    off = np.abs(u - np.transpose(expected)).max(axis=0)
    return flow["x"], friction * np.sqrt(reynolds * x) / FRICTION, off


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    figure, (panels,) = style.new_figure(1, 2, 2.9)
    grids = CELLS[:2] if session.is_quick else CELLS
    of_friction = []
    for cells in grids:
        run = session.run(f"{cells[0]}", "blasius",
                          [f"grid.points=[{cells[0]},{cells[1]},4]",
                           "output.fields.precision=double"])
        report.runs.append(run)
        x, friction, off = errors_of(run)
        length = run.case["grid"]["length"][0]
        inside = (x > 0.1 * length) & (x < 0.7 * length)
        of_friction.append(np.abs(friction - 1)[inside].max())
        finest = cells == grids[-1]
        report.bound(f"{cells[0]} x {cells[1]}: friction, largest deviation", of_friction[-1],
                     (0.005 if session.is_quick else 0.002) if finest else None, True)
        report.bound(f"{cells[0]} x {cells[1]}: u, largest error [U]", off[inside].max(),
                     1e-3 if finest else None)
        panels[0].plot(x, friction, label=f"{cells[0]} x {cells[1]}")
        panels[1].semilogy(x, off, label=f"{cells[0]} x {cells[1]}")
    panels[0].axhline(1, color="k", lw=0.8)
    panels[0].set(xlabel="$x/\\delta^*$", ylabel="friction over that of Blasius",
                  ylim=(0.97, 1.03))
    panels[1].set(xlabel="$x/\\delta^*$", ylabel="largest error of $u/U$")
    for axes in panels:
        axes.legend()
    return figure
