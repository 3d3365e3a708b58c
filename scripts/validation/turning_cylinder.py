"""Flow and heat between a turning cylinder and a ring at rest: orders, torque and heat.

Exact: u_theta = A r + B/r, T linear in log r. Errors are roots of mean squares over the unknowns in
the fluid, velocities where they are stored, on faces of cells (from the checkpoint at the end).
"""
import math

import h5py
import numpy as np

from pictures import style

INNER, OUTER = 0.35, 0.9  # radii [L]
CENTER = (0.013, -0.021)
REYNOLDS, LENGTH = 20, 0.25
A = -INNER / (OUTER**2 - INNER**2)
B = -A * OUTER**2
TORQUE = -4 * math.pi * B / REYNOLDS * LENGTH
HEAT = 2 * math.pi / math.log(OUTER / INNER) / REYNOLDS * LENGTH
STRETCH = {"x": 0.15, "y": -0.1}  # of the faces: s + STRETCH sin(pi s)/pi


def faces_of(cells, axis, is_stretched):
    s = np.linspace(-1, 1, cells + 1)
    return s + (STRETCH[axis] * np.sin(np.pi * s) / np.pi if is_stretched else 0)


def errors_at(x, y, width_x, width_y, value, exact):
    """Root of the mean square and largest, over points in the fluid."""
    dx, dy = np.meshgrid(x - CENTER[0], y - CENTER[1])
    r = np.hypot(dx, dy)
    is_fluid = (r > INNER) & (r < OUTER)
    off = np.where(is_fluid, value - exact(dx, dy, np.where(is_fluid, r, 1)), 0)
    return (off**2 * np.outer(width_y, width_x)).sum(), abs(off).max()


def errors_of(run):
    """{"velocity": (mean, largest), "temperature": ...}."""
    flow = run.snapshot()
    x_faces, y_faces = flow["x_faces"], flow["y_faces"]
    x, y = (x_faces[1:] + x_faces[:-1]) / 2, (y_faces[1:] + y_faces[:-1]) / 2
    with h5py.File(max(run.folder.glob("checkpoint_*.h5")), "r") as file:
        inner = (1, slice(1, -1), slice(1, -1))  # without the layer around the box
        u, v, t = (file[name][inner]
                   for name in ("velocity_x", "velocity_y", "temperature"))
    # Unknown i of a component lies on the low face of cell i; the first is the wall's.
    mean_u, largest_u = errors_at(x_faces[1:-1], y, np.diff(x), np.diff(y_faces), u[:, 1:],
                                  lambda dx, dy, r: -dy * (A + B / r**2))
    mean_v, largest_v = errors_at(x, y_faces[1:-1], np.diff(x_faces), np.diff(y), v[1:],
                                  lambda dx, dy, r: dx * (A + B / r**2))
    mean_t, largest_t = errors_at(x, y, np.diff(x_faces), np.diff(y_faces), t,
                                  lambda dx, dy, r: np.log(r / OUTER) / np.log(INNER / OUTER))
    area = math.pi * (OUTER**2 - INNER**2)
    return {"velocity": (math.sqrt((mean_u + mean_v) / area), max(largest_u, largest_v)),
            "temperature": (math.sqrt(mean_t / area), largest_t)}


def run_of(session, cells, is_stretched):
    settings = [f"grid.points=[{cells},{cells},4]", f"time.step={1 / cells:.17g}", "time.end=30",
                "output.fields.every=1000000", "output.checkpoint.final=true"]
    for axis in "xy":
        faces = ",".join(f"{face:.17g}" for face in faces_of(cells, axis, is_stretched))
        settings.append(f"grid.stretching.{axis}.coordinates=[{faces}]")
    kind = "stretched" if is_stretched else "equal"
    return session.run(f"{kind}_{cells}", "turning_cylinder", settings)


def draw(found):
    figure, ((axes,),) = style.new_figure(1, 1, 3.6)
    for (kind, name), rows in found.items():
        cells, errors = zip(*[(count, of_run[name][0]) for count, of_run in rows])
        axes.loglog(cells, errors, "o-" if name == "velocity" else "s-", label=f"{name}, {kind}")
    for order, line in ((1.5, "k:"), (2, "k--")):
        axes.loglog(cells, errors[0] * (cells[0] / np.array(cells, float))**order, line, lw=0.8,
                    label=f"order {order}")
    axes.set(xlabel="cells across", ylabel="rms error", title="turning cylinder in a ring")
    axes.legend()
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    cells = [24, 48] if session.is_quick else [24, 48, 96, 192]
    is_double = session.precision == "double"
    found = {}
    for is_stretched in (False, True):
        kind = "stretched" if is_stretched else "equal cells"
        rows = []
        for count in cells:
            run = run_of(session, count, is_stretched)
            report.runs.append(run)
            rows.append((count, errors_of(run)))
            series = run.time_series()
            limit = 0.4 / count  # of first order: 0.8 % at 48
            report.compare(f"{kind}, {count}^2: torque on the cylinder",
                           series["torque_core_z"][-1], TORQUE, limit)
            report.compare(f"{kind}, {count}^2: heat from it", series["heat_core"][-1], HEAT, limit)
            report.bound(f"{kind}, {count}^2: heat from both bodies over it",
                         (series["heat_core"] + series["heat_ring"])[-1] / HEAT,
                         1e-6 if is_double else 1e-3)
            for name, (mean, largest) in rows[-1][1].items():
                report.tell(f"{kind}, {count}^2: {name}, rms error", mean)
                report.tell(f"{kind}, {count}^2: {name}, largest error", largest)
        for name, expected in (("velocity", 1.5), ("temperature", 2)):
            errors = [of_run[name][0] for _, of_run in rows]
            order = math.log(errors[0] / errors[-1]) / math.log(cells[-1] / cells[0])
            report.compare_difference(f"{kind}: order of the {name}, rms", order, expected, 0.2)
            found[kind, name] = rows
    return draw(found)
