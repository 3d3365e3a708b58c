"""Planes of a snapshot: velocity, scalars, pressure, vorticity."""
from typing import NamedTuple

import numpy as np

from dnsflow.grid import in_bodies
from pictures import bodies, style
from pictures.labels import scaled
from pictures.options import UsageError, known_word
from pictures.ranges import finite, largest
from pictures.region import coordinates_of, parts_within
from pictures.surfaces import Surface
from pictures.variables import FlowVariables, variable_named

FEWEST_POINTS = 8  # along an axis of a plane: what is thinner is two-dimensional
SAME = 0.02  # of the largest speed: with a smaller mean difference two pictures look the same
PLANES = {"z": ("x", "y"), "y": ("x", "z"), "x": ("z", "y")}  # normal -> to the right, upwards
MOST_COLUMNS = 3
PEAKED = 1.5  # times the range of most values: a range that a few extremes make
MOST = (1, 99)  # percentiles between which most values are
SEQUENTIAL, SIGNED = "viridis", "coolwarm"  # colour maps; the second has zero in its middle
UNIFORM = 1e-6  # of the largest value: a range this small is none
ONE_SIGN = 1e-3  # of the largest value: values of the other sign this small are none


class Shown(NamedTuple):
    """A variable on a plane."""

    label: str
    values: np.ma.MaskedArray  # (slow axis, fast axis), masked in bodies
    colours: dict  # options of pcolormesh


def nearest(flow, axis, place=None):
    """The number of the point next to a place along an axis; without one that of the middle.

    Raises UsageError for a place outside of the flow.
    """
    points = flow[axis]
    if place is None:
        return len(points) // 2
    ends = flow[f"{axis}_faces"] if f"{axis}_faces" in flow else points
    low, high = float(ends[0]), float(ends[-1])
    if not low <= place <= high:
        raise UsageError(f"--plane is '{axis}={place:g}', but must be from {low:.6g} to "
                         f"{high:.6g} ({axis} of this run [L])")
    return int(np.abs(points - place).argmin())


def usual_variables(variables, mask, **where):
    """The names of those that say something: components that are not round-off, the speed where it
    is not that of one component, temperature, other scalars, pressure.
    """
    available = variables.names()
    chosen = []
    if "u" in available:
        components = {name: np.ma.masked_array(variables.on_plane(name, **where), mask)
                      for name in "uvw"}
        sizes = {name: largest(values) for name, values in components.items()}
        most = max(sizes.values())
        main = np.abs(components[max(sizes, key=sizes.get)])
        beside_main = finite(variables.on_plane("speed", **where) - main)
        if beside_main.size and beside_main.mean() > SAME * most:
            chosen.append("speed")
        chosen += [name for name in "uvw" if sizes[name] > variables.round_off(name)]
    chosen += [name for name in ("T", *variables.scalars) if name in available]
    if "p" in available and largest(np.ma.masked_array(
            variables.on_plane("p", **where), mask)) > variables.round_off("p"):
        chosen.append("p")
    return chosen


def shown_on(variables, names=None, limits=None, mask=None, **where):
    """The variables to be shown on a plane, by name: those named, else the usual ones.

    where: numbers of points along the axes that are not the plane's, slices along those that are;
    limits: (low, high) of the colours, or name -> (low, high); mask: true in bodies, by default where the snapshot says so.
    """
    mask = in_bodies(variables.flow, **where) if mask is None else mask
    shown = {}
    for name in names or usual_variables(variables, mask, **where):
        values = np.ma.masked_array(variables.on_plane(name, **where), mask)
        if largest(values) <= variables.round_off(name):
            values = 0 * values
        variable = variable_named(name)
        ends = limits.get(name) if isinstance(limits, dict) else limits
        chosen = colours(values, variable.is_signed, variable.is_peaked, ends)
        shown[name] = Shown(scaled(variables.label(name)), values, chosen)
    return shown


def range_of(values, is_peaked):
    """(low, high) of the values that count; where a few extremes make the range of a peaked
    variable, as pressure in the corners below a lid, of most of them.
    """
    counting = finite(values)
    if not counting.size:
        return 0.0, 0.0
    low, high = float(counting.min()), float(counting.max())
    if is_peaked:
        most = np.percentile(counting, MOST)
        if high - low > PEAKED * np.ptp(most) > 0:
            return float(most[0]), float(most[1])
    return low, high


def colours(values, is_signed, is_peaked=False, limits=None):
    """Options of pcolormesh, within limits (low, high) where they are given. Signed variables that
    have both signs have zero in the middle of their colours. A uniform value gets no range.
    """
    low, high = limits or range_of(values, is_peaked)
    limit = max(-low, high)
    is_signed = is_signed and low < -ONE_SIGN * limit and high > ONE_SIGN * limit
    if limits is None and high - low <= UNIFORM * max(abs(low), abs(high)):
        return {"cmap": SEQUENTIAL, "vmin": low, "vmax": low}
    if is_signed and limits is None:
        return {"cmap": SIGNED, "vmin": -limit, "vmax": limit}
    return {"cmap": SIGNED if is_signed else SEQUENTIAL, "vmin": low, "vmax": high}


def extension(values, chosen):
    """For the colour bar: which ends of its range there are values beyond."""
    counting = finite(values)
    slack = 1e-6 * (chosen["vmax"] - chosen["vmin"])
    is_below = bool((counting < chosen["vmin"] - slack).any())
    is_above = bool((counting > chosen["vmax"] + slack).any())
    return {(False, False): "neither", (True, False): "min", (False, True): "max",
            (True, True): "both"}[is_below, is_above]


def mesh_of(axes, file, values, across, chosen):
    """The colours of one panel: true cells where there are faces, smooth if the pictures shall be
    so; smooth between nodes.
    """
    if f"{across[0]}_faces" not in file:
        return axes.pcolormesh(*(file[axis] for axis in across), np.ma.getdata(values),
                               shading="gouraud", rasterized=True, **chosen)
    if not style.is_smooth():
        return axes.pcolormesh(*(file[f"{axis}_faces"] for axis in across), values,
                               shading="flat", rasterized=True, **chosen)
    # The values of the outer cells reach the faces.
    places = [np.concatenate([faces[:1], file[axis], faces[-1:]]) for axis, faces in
              ((axis, file[f"{axis}_faces"]) for axis in across)]
    return axes.pcolormesh(*places, np.pad(np.ma.getdata(values), 1, mode="edge"),
                           shading="gouraud", rasterized=True, **chosen)


def draw_bodies(axes, file, values, across, surface):
    """Bodies up to their surface where it is known, else whole cells or half-way between nodes."""
    has_cells = f"{across[0]}_faces" in file
    places = [file[f"{axis}_faces" if has_cells else axis] for axis in across]
    mask = np.ma.getmaskarray(values)
    if is_known(surface, file, values, across):
        bodies.draw_surface(axes, surface, *(line[[0, -1]] for line in places))
    elif mask.any():
        (bodies.draw_cells if has_cells else bodies.draw_nodes)(axes, *places, mask)


def is_known(surface, file, values, across):
    """Whether a surface is that of the bodies which values are masked in."""
    mask = np.ma.getmaskarray(values)
    return surface is not None and mask.any() and surface.agrees(
        *(file[axis] for axis in across), mask)


def draw_values(axes, file, values, across, label, chosen, surface=None):
    """One panel. values over the axes of `file`, `across` names those to the right and upwards, the
    slow one of values first among "zyx"; masked in bodies. chosen: options of pcolormesh; surface:
    the surfaces.Surface of the plane, if it may have one.
    """
    right, up = across
    if "zyx".index(right) < "zyx".index(up):
        values = values.T
    # Between nodes the colours reach the surface: with what the nodes in the body hold.
    shown = bodies.filled_beside(values) if (
        f"{right}_faces" in file and is_known(surface, file, values, across)) else values
    mesh = mesh_of(axes, file, shown, across, chosen)
    draw_bodies(axes, file, values, across, surface)
    axes.set_aspect("equal")
    axes.set_title(label)
    if chosen["vmin"] == chosen["vmax"]:
        axes.set_title(f"{label}$\\;= {style.power_of_ten(chosen['vmin'])}$ everywhere")
        return
    bar = axes.inset_axes([1.02, 0, 0.12 / panel_width(axes), 1])
    axes.figure.colorbar(mesh, cax=bar, extend=extension(values, chosen))
    low, high = range_of(values, False)
    slack = UNIFORM * max(-low, high)
    if chosen["vmin"] < 0 < chosen["vmax"]:  # of one sign: half of the map
        bar.set_ylim(0 if low >= -slack else None, 0 if high <= slack else None)


def panel_width(axes):
    """In inches, roughly: before the layout is known."""
    return 0.8 * style.width() / axes.get_subplotspec().get_gridspec().ncols


def grid_of_panels(file, across, count):
    """Figure and axes for `count` panels of the shape of a plane, and names on the outer axes."""
    right, up = (np.ptp(file[f"{axis}_faces" if f"{axis}_faces" in file else axis])
                 for axis in across)
    shape = min(max(up / right, 0.05), 4)
    columns = min(count, 1 if shape < 0.2 else 2 if shape < 0.7 or count == 4 else MOST_COLUMNS)
    columns = style.columns_that_fit(columns)
    rows = -(-count // columns)
    height = rows * (shape * 0.72 * style.width() / columns + 0.35) + 0.5
    height += 0.2 * (rows - 1)  # numbers below all rows
    figure, grid = style.figure_of_size(rows, columns, height, sharex=True, sharey=True)
    panels = style.first_panels(grid, count, scaled(f"${across[0]}/@L$"))
    for axes in panels[::columns]:
        axes.set_ylabel(scaled(f"${across[1]}/@L$"))
    return figure, panels


def draw_shown(file, across, shown, surface=None):
    """A panel for each of the variables of shown_on; surface: as in draw_values."""
    figure, panels = grid_of_panels(file, across, len(shown))
    for axes, one in zip(panels, shown.values()):
        draw_values(axes, file, one.values, across, one.label, one.colours, surface)
    if len(panels) > 1:
        style.label_panels(panels)
    return figure


def require_breadth(file, across):
    """Raises NothingToDraw for a plane with too few points along one of its axes."""
    for axis in across:
        if len(file[axis]) < FEWEST_POINTS:
            raise style.NothingToDraw(f"{len(file[axis])} points along {axis} are too few; it "
                                      f"takes {FEWEST_POINTS}")


def draw_plane(flow, normal, place=None, names=None, limits=None, region=None):
    """The picture of the plane across one axis, through the middle or next to a place [L]. names of
    the variables (None: the usual ones), limits of their colours; region: axis -> ends of the part
    that is drawn. Raises NothingToDraw where it is too thin.
    """
    across = PLANES[normal]
    require_breadth(flow, across)
    number = nearest(flow, normal, place)
    variables = FlowVariables(flow)
    for name in names or ():
        known_word("--variable", name, variables.names(), ", which snapshots of this run hold")
    parts = parts_within(flow, across, region)
    shown = shown_on(variables, names, limits, **{normal: number}, **parts)
    if not shown:
        raise style.NothingToDraw("all variables are zero there, or it lies in bodies")
    figure = draw_shown(coordinates_of(flow, across, parts), across, shown,
                        Surface(flow.case, across, {normal: flow[normal][number]}))
    style.set_title(figure, scaled(f"${normal} = {flow[normal][number]:.4g}\\,@L$,  "
                           f"$t = {flow.time:.4g}\\,@L/@U$"))
    return figure
