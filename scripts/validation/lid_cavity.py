"""Flow in a square cavity under a moving lid at Re 1000 against spectral data (2D).

Extrema of u on x = 1/2 and of v on y = 1/2, by cubics through the velocities at cell centres.
"""

from curves import across, cubic_at, maximum, minimum
from pictures import style
from reference_data import reference_table

# Named in the headers of the data: value, place.
U_MIN = (-0.3885698, 0.1717)
V_MAX = (0.3769447, 0.1578)
V_MIN = (-0.5270771, 0.9092)


def limit_of_extrema(cells):
    """Stated for 128^2 and 256^2 cells."""
    if cells >= 256:
        return 0.003
    return 0.01 if cells >= 128 else 0.05


def middle_profiles(run):
    """(y, u) on x = 1/2 and (x, v) on y = 1/2, the wall values at both ends left out."""
    flow = run.snapshot()
    plane = flow["velocity"].mean(axis=0, dtype=float)  # nothing happens along z
    x, y = flow["x"], flow["y"]
    return (y, across(x, plane[:, :, 0], 0.5)), (x, across(y, plane[:, :, 1].T, 0.5))


def compare(report, run):
    """Criteria of one grid."""
    u_on_x, v_on_y = middle_profiles(run)
    grid = f"{run.cells[0]}^2"
    limit = limit_of_extrema(min(run.cells[:2]))
    for words, found, reference in (("smallest u on x = 1/2", minimum(*u_on_x), U_MIN),
                                    ("largest v on y = 1/2", maximum(*v_on_y), V_MAX),
                                    ("smallest v on y = 1/2", minimum(*v_on_y), V_MIN)):
        report.compare(f"{grid}: {words}", found[0], reference[0], limit)
        report.compare_difference(f"{grid}: its place", found[1], reference[1])
    for name, profile, file in (("u", u_on_x, "u_of_y"), ("v", v_on_y, "v_of_x")):
        place, expected = reference_table(f"lid_cavity_re1000_{file}.dat")
        inside = (place > profile[0][0]) & (place < profile[0][-1])
        off = abs(cubic_at(*profile, place[inside]) - expected[inside]).max()
        report.bound(f"{grid}: {name} against the table, largest difference", off)
    series = run.time_series()
    energy, time = series["kinetic_energy"], series["time"]
    rate = (energy[-1] / energy[-2] - 1) / (time[-1] - time[-2])
    report.bound(f"{grid}: relative change of energy per time at the end", abs(rate), 1e-5)
    return u_on_x, v_on_y


def draw(profiles):
    figure, (panels,) = style.new_figure(1, 2, 2.9)
    labels = (("y", "u", "$u$ on $x = L/2$"), ("x", "v", "$v$ on $y = L/2$"))
    for side, (axes, (place, value, title)) in enumerate(zip(panels, labels)):
        for grid, curves in profiles.items():
            axes.plot(*curves[side], label=f"dns, {grid}")
        axes.plot(*reference_table(f"lid_cavity_re1000_{value}_of_{place}.dat"), "ks", ms=4,
                  mfc="none", label="spectral")
        axes.set(xlabel=f"${place}/L$", ylabel=f"${value}/U$", title=title)
        axes.legend()
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    grids = [48] if session.is_quick else [128, 256]
    if session.sets_key("grid.points"):
        grids = grids[:1]
    profiles = {}
    for cells in grids:
        run = session.run(f"cells_{cells}", "lid_cavity_2d",
                          [f"grid.points=[{cells},{cells},4]", "output.fields.precision=double",
                           "output.fields.every=1000000", "output.checkpoint.every=5000"])
        report.runs.append(run)
        profiles[f"{run.cells[0]}$^2$"] = compare(report, run)
    return draw(profiles)
