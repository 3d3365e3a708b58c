"""Planes through the middle of a snapshot: velocity, temperature and pressure."""
import numpy as np

from dnsflow.grid import in_bodies
from pictures import bodies, style
from pictures.ranges import finite, largest

FEWEST_POINTS = 8  # along an axis of a plane: what is thinner is two-dimensional
NEGLIGIBLE = 1e-5  # of the largest speed: a component this small is round-off of floats
SAME = 0.02  # of the largest speed: with a smaller mean difference two pictures look the same
PLANES = {"z": ("x", "y"), "y": ("x", "z"), "x": ("z", "y")}  # normal -> to the right, upwards
MOST_COLUMNS = 3


def middle(flow, axis):
    return len(flow[axis]) // 2


def variables_on(flow, normal):
    """Label -> (values (slow axis, fast axis), colour map) on the middle plane across `normal`.

    The values are masked arrays, the mask being true in bodies.
    """
    where = {normal: middle(flow, normal)}
    mask = in_bodies(flow, **where)
    found = {}
    if "velocity" in flow:
        velocity = flow.read("velocity", **where)
        speed = np.sqrt((velocity.astype(float) ** 2).sum(axis=-1))
        sizes = [largest(np.ma.masked_array(velocity[..., n], mask)) for n in range(3)]
        lasting = [n for n in range(3) if sizes[n] > NEGLIGIBLE * max(sizes)]
        main = velocity[..., np.argmax(sizes)]
        beside_main = finite(np.ma.masked_array(speed - np.abs(main), mask))
        if beside_main.size and beside_main.mean() > SAME * max(sizes):
            found["$|\\mathbf{u}|/U$"] = speed, "viridis"
        for n in lasting:
            found[f"${'uvw'[n]}/U$"] = velocity[..., n], "viridis"
    if "temperature" in flow:
        found["$T/T_0$"] = flow.read("temperature", **where), "inferno"
    if "pressure" in flow:
        found["$p/(\\rho U^2)$"] = flow.read("pressure", **where), "cividis"
    return {label: (np.ma.masked_array(values, mask), colour_map)
            for label, (values, colour_map) in found.items()}


def colours(values, colour_map):
    """Options of pcolormesh: values of both signs get a map with zero in its middle."""
    counting = finite(values)
    low, high = (float(counting.min()), float(counting.max())) if counting.size else (0.0, 0.0)
    if colour_map == "viridis" and min(-low, high) > 0.1 * max(-low, high):
        limit = max(-low, high)
        return {"cmap": "coolwarm", "vmin": -limit, "vmax": limit}
    if high - low <= 1e-6 * max(abs(low), abs(high)):  # uniform: no round-off in colours
        return {"cmap": colour_map, "vmin": low - 0.5, "vmax": high + 0.5}
    return {"cmap": colour_map, "vmin": low, "vmax": high}


def draw_values(axes, file, values, across, label, colour_map="viridis"):
    """One panel: true cells where there are faces, else smooth between nodes.

    values over the axes of `file`, `across` names those to the right and upwards, the slow one of
    values first among "zyx"; masked in bodies.
    """
    right, up = across
    if "zyx".index(right) < "zyx".index(up):
        values = values.T
    has_cells = f"{right}_faces" in file
    places = [file[f"{axis}_faces" if has_cells else axis] for axis in across]
    mask = np.ma.getmaskarray(values)
    # Between nodes the colours reach the surface: with what the nodes in the body hold.
    mesh = axes.pcolormesh(*places, values if has_cells else np.ma.getdata(values),
                           shading="flat" if has_cells else "gouraud",
                           rasterized=True, **colours(values, colour_map))
    if mask.any():
        (bodies.draw_cells if has_cells else bodies.draw_nodes)(axes, *places, mask)
    axes.set_aspect("equal")
    axes.set_title(label)
    bar = axes.inset_axes([1.02, 0, 0.12 / panel_width(axes), 1])
    axes.figure.colorbar(mesh, cax=bar)


def panel_width(axes):
    """In inches, roughly: before the layout is known."""
    return 0.8 * style.WIDTH / axes.get_subplotspec().get_gridspec().ncols


def grid_of_panels(file, across, count):
    """Figure and axes for `count` panels of the shape of a plane, and names on the outer axes."""
    right, up = (np.ptp(file[f"{axis}_faces" if f"{axis}_faces" in file else axis])
                 for axis in across)
    shape = min(max(up / right, 0.05), 4)
    columns = min(count, 1 if shape < 0.2 else 2 if shape < 0.7 or count == 4 else MOST_COLUMNS)
    rows = -(-count // columns)
    height = rows * (shape * 0.72 * style.WIDTH / columns + 0.35) + 0.5
    height += 0.35 if count < rows * columns else 0  # numbers below panels of two rows
    figure, grid = style.new_figure(rows, columns, height, sharex=True, sharey=True)
    panels = style.first_panels(grid, count, f"${across[0]}/L$")
    for axes in panels[::columns]:
        axes.set_ylabel(f"${across[1]}/L$")
    return figure, panels


def draw_plane(flow, normal):
    """The picture of the middle plane across one axis; nothing where it is too thin."""
    across = PLANES[normal]
    if min(len(flow[axis]) for axis in across) < FEWEST_POINTS:
        return None
    variables = variables_on(flow, normal)
    if not variables:
        return None
    figure, panels = grid_of_panels(flow, across, len(variables))
    for axes, (label, (values, colour_map)) in zip(panels, variables.items()):
        draw_values(axes, flow, values, across, label, colour_map)
    place = flow[normal][middle(flow, normal)]
    figure.suptitle(f"${normal} = {place:.4g}\\,L$,  $t = {flow.time:.4g}\\,L/U$", fontsize=10)
    return figure
