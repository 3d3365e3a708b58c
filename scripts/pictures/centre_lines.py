"""Velocity on the two centre lines of a square cavity, with published values.

Under a lid at Reynolds number 1000, and heated from the side, in thermal diffusivity over side.
"""
from curves import across
from pictures import known_flows, style
from reference_data import reference_table


def centre_lines(flow):
    """(y, u) on x = 1/2 and (x, v) on y = 1/2 [U]."""
    plane = flow["velocity"].mean(axis=0, dtype=float)  # nothing happens along z
    x, y = flow["x"], flow["y"]
    return ((y, across(x, plane[:, :, 0], flow["x_faces"][[0, -1]].mean())),
            (x, across(y, plane[:, :, 1].T, flow["y_faces"][[0, -1]].mean())))


def lid_references():
    """The same of spectral methods, and what they are."""
    return "spectral", [reference_table(f"lid_cavity_re1000_{name}.dat")
                        for name in ("u_of_y", "v_of_x")]


def heated_references(rayleigh):
    """The largest u and v [diffusivity/side], and their source."""
    rows = zip(*reference_table("heated_cavity.dat"))
    row = next((row for row in rows if row[0] == rayleigh), None)
    if row is None:
        return "", [None, None]
    _, _, u_max, u_place, v_max, v_place, *_ = row
    return "de Vahl Davis, largest", [([u_place], [u_max]), ([v_place], [v_max])]


def draw_line(axes, curve, reference, words, names):
    """One line: values over places."""
    place, value, unit = names
    if reference is not None:
        axes.plot(*reference, "ks", ms=3.5, mfc="none", mew=0.7, label=words)
    axes.plot(*curve, "C0", label="present", zorder=1)
    axes.set(xlabel=f"${place}/L$", ylabel=f"${value}{unit}$")
    axes.set_title(f"${value}$ on ${'x' if place == 'y' else 'y'} = L/2$")
    axes.legend()


def draw(flow):
    """The picture of a snapshot. Raises NothingToDraw for a flow that is not one of the two."""
    case = flow.case
    if "velocity" not in flow or "x_faces" not in flow:
        raise style.NothingToDraw("the snapshot has no velocity in cells")
    rayleigh = known_flows.rayleigh_of_heated_cavity(case)
    if known_flows.is_lid_cavity(case):
        (words, references), scale, unit = lid_references(), 1, "/U"
    elif rayleigh is not None:
        scale = case["fluid"]["reynolds"] * case["fluid"]["prandtl"]
        (words, references), unit = heated_references(rayleigh), "L/\\kappa"
    else:
        raise style.NothingToDraw("no cavity with published values")
    figure, grid = style.new_figure(1, 2, 2.9)
    names = (("y", "u", unit), ("x", "v", unit))
    for axes, (places, values), reference, name in zip(grid.flat, centre_lines(flow), references,
                                                       names):
        draw_line(axes, (places, scale * values), reference, words, name)
    style.label_panels(grid.flat)
    kind = f"$Ra = {style.power_of_ten(rayleigh)}$" if rayleigh else (
        f"$Re = {case['fluid']['reynolds']:g}$")
    style.set_title(figure, f"{kind},  $t = {flow.time:.4g}\\,L/U$")
    return figure
