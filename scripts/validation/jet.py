"""Plane jet in a slow stream: what its mean flow must carry through every x.

The flux of the scalar, INT (U T + u'T') dy, and that of momentum, INT (U^2 + u'u' + P) dy, are the
same at all x before the sponge, whatever the turbulence does: nothing passes the slip walls.
Viscosity carries 1/2000 of them.
"""
import numpy as np

from pictures import style

QUICK = ["grid.points=[64,48,16]", "time.end=60", "output.statistics.start=30",
         "output.slices.every=1000000"]


def draw(run, averages, flux, momentum):
    flow = run.snapshot()
    figure, panels = style.new_figure(2, 2, 4.6)
    extent = (0, run.case["grid"]["length"][0], averages["y_faces"][0], averages["y_faces"][-1])
    middle = len(flow["z"]) // 2
    pictures = ((panels[0, 0], flow["temperature"][middle], "scalar at the end, z = 2 D"),
                (panels[0, 1], averages["T"], "its mean"))
    for axes, values, title in pictures:
        image = axes.imshow(values, origin="lower", extent=extent, vmin=0, vmax=1, cmap="viridis",
                            aspect="equal")
        axes.set(xlabel="$x/D$", ylabel="$y/D$", title=title)
        figure.colorbar(image, ax=axes, shrink=0.7)
    for place in (1, 4, 8, 12):
        at = int(np.argmin(np.abs(averages["x"] - place)))
        panels[1, 0].plot(averages["y"], averages["u"][:, at], label=f"x = {place} D")
    panels[1, 0].set(xlabel="$y/D$", ylabel="$\\overline{u}/U$", xlim=(-4, 4))
    panels[1, 1].plot(averages["x"], flux, label="scalar flux")
    panels[1, 1].plot(averages["x"], momentum, label="momentum flux")
    panels[1, 1].set(xlabel="$x/D$", ylabel="over that of the jet", ylim=(0.8, 1.2))
    for axes in panels[1]:
        axes.legend()
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    run = session.run("jet", "jet", QUICK if session.is_quick else [])
    report.runs.append(run)
    averages = run.statistics()
    widths = np.diff(averages["y_faces"])[:, None]
    u = averages["u"]
    kept = (averages["x"] > 0.5) & (averages["x"] < 13)
    flux = ((u * averages["T"] + averages["uT"]) * widths).sum(axis=0)
    flux /= flux[0]
    momentum = ((u**2 + averages["uu"] + averages["p"]) * widths).sum(axis=0)
    momentum = 1 + (momentum - momentum[kept].mean()) / (u[:, 0]**2 * widths[:, 0]).sum()
    scale = 15 if session.is_quick else 1
    report.bound("scalar flux along x, largest deviation", np.abs(flux - 1)[kept].max(),
                 0.03 * scale, True)
    report.bound("momentum flux along x, largest deviation from its mean",
                 np.abs(momentum - 1)[kept].max(), 0.02 * scale, True)
    on_axis = averages["T"][len(averages["y"]) // 2]
    report.tell("mean scalar on the axis at x = 4", np.interp(4, averages["x"], on_axis))
    report.tell("mean scalar on the axis at x = 12", np.interp(12, averages["x"], on_axis))
    report.tell("largest divergence", run.time_series()["divergence_max"].max())
    return draw(run, averages, flux, momentum)
