"""Steady flows to round-off: their equations, Newton's method, and fields that CaNS wrote.

A cube with a moving lid and a cavity heated from the side, on the cells of the examples of CaNS. An
independent statement of the equations (steady_equations) must hold for the fields that time steps
have led to, and Newton's method from rest must find the same ones: of the cavity, and of the cube
on cells that a dense matrix can have. --cans FOLDER ... lays the fields of CaNS beside them.
"""
import numpy as np

from dnsflow import RunFileError
from pictures import style
from validation.cans_files import CansFields
from validation.steady_equations import SteadyFlow, fields_of, part
from validation.steady_solution import steady_solution

def largest_difference(one, other):
    """Of two fields; along axes that have other numbers of cells in both, as nothing happens there,
    of every plane of one and each of the other."""
    axes = tuple(axis for axis in range(3) if one.shape[axis] != other.shape[axis])
    return np.max([abs(high.max(axis=axes, keepdims=True) - low.min(axis=axes, keepdims=True)).max()
                   for high, low in ((one, other), (other, one))])


def on_upper_faces(fields):
    """Fields by name, with the velocities on the upper faces of the cells only."""
    named = {f"velocity_{letter}": part(fields.velocity[axis], axis, 1)
             for axis, letter in enumerate("xyz")}
    named["pressure"] = fields.pressure
    if fields.temperature is not None:
        named["temperature"] = fields.temperature
    return named


def compare(report, words, fields, others, limit):
    """The largest difference of each field, of the pressure without its mean."""
    for name, ours in on_upper_faces(fields).items():
        if name not in others:
            raise RunFileError(f"{words}: no {name}")
        theirs = others[name]
        if name == "pressure":
            ours, theirs = ours - ours.mean(), theirs - theirs.mean()
        report.bound(f"{words}: {name}, largest difference", largest_difference(ours, theirs),
                     limit)


def compare_with_cans(report, cans, flows, limit):
    """Fields of CaNS beside the flow of the same box."""
    for words, (case, fields) in flows.items():
        if is_same_box(cans, case):
            compare(report, f"{words} beside CaNS", fields, cans.fields, limit)
            return
    raise RunFileError(f"{cans.folder}: {' x '.join(map(str, cans.cells))} cells in a box of "
                       f"{' x '.join(map(str, cans.lengths))}, as no flow here")


def is_same_box(cans, case):
    """Along axes that are not periodic."""
    ours = zip("xyz", case["grid"]["points"], case["grid"]["length"])
    return all(case["boundaries"].get(axis) == "periodic"
               or (count == cells and abs(length - size) < 1e-9 * size)
               for (axis, cells, size), count, length in zip(ours, cans.cells, cans.lengths))


def draw(lid, cavity, solution):
    """The cube in its middle plane; isotherms of the cavity, those of Newton's method as dots."""
    figure, (panels,) = style.new_figure(1, 2, 3.1)
    middle = lid.pressure.shape[1] // 2
    u, _, w = (part(velocity, 1, middle - 1, middle + 1).mean(axis=1) for velocity in lid.velocity)
    u, w = (u[1:] + u[:-1]) / 2, (w[:, 1:] + w[:, :-1]) / 2
    x, z = ((np.arange(count) + 0.5) / count for count in u.shape)
    colours = panels[0].contourf(x, z, np.hypot(u, w).T, 20, cmap="viridis")
    panels[0].streamplot(x, z, u.T, w.T, color="w", linewidth=0.5, arrowsize=0.5, density=0.8)
    figure.colorbar(colours, ax=panels[0], label="$|(u, w)|/U$")
    panels[0].set_title("lid: $y = L/2$")
    x, z = ((np.arange(count) + 0.5) / count for count in cavity.temperature.shape[::2])
    for fields, look in ((cavity, {"colors": style.COLOURS[0], "linestyles": "solid"}),
                         (solution, {"colors": "k", "linestyles": [(0, (1, 4))]})):
        panels[1].contour(x, z, fields.temperature[:, 0].T, np.linspace(-0.45, 0.45, 10), **look)
    panels[1].set_title("cavity: $T$ (dots: Newton's method)")
    for axes in panels:
        axes.set(xlabel="$x/L$", ylabel="$z/L$", aspect="equal", xlim=(0, 1), ylim=(0, 1))
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    cells, coarse = (12, 6) if session.is_quick else (32, 10)
    limit = 1e-12 if session.precision == "double" else 1e-4
    found_by_cans = [CansFields(folder) for folder in session.cans]
    flows = {}
    for words, case, points in (("lid", "cans_lid_cavity", [cells] * 3),
                                ("coarse lid", "cans_lid_cavity", [coarse] * 3),
                                ("cavity", "cans_heated_cavity", [cells, 4, cells])):
        run = session.run(words.replace(" ", "_"), case,
                          [f"grid.points={points}".replace(" ", "")])
        report.runs.append(run)
        flows[words] = run.case, fields_of(run.snapshot())
        for name, rest in SteadyFlow(run.case).imbalances(flows[words][1]).items():
            report.bound(f"{words}: {name}, sum of all terms over the largest one", rest, limit)
    for words in ("coarse lid", "cavity"):  # the equations of the other are too many
        case, fields = flows[words]
        solution, changes = steady_solution(case)
        report.tell(f"{words}: steps of Newton's method from rest", len(changes))
        compare(report, f"{words} beside Newton's", fields, on_upper_faces(solution), limit)
    for cans in found_by_cans:  # whose runs end at a time, steady as they are by then
        compare_with_cans(report, cans, flows, 100 * limit)
    return draw(flows["lid"][1], flows["cavity"][1], solution)
