"""Averages over one axis, or over time alone: maps, and the secondary flow as vectors."""
import numpy as np

from pictures import bodies, slices, style
from pictures.frame import frame_velocity
from pictures.labels import scaled
from pictures.ranges import ROUND_OFF, largest
from pictures.surfaces import Surface
from pictures.variables import scalars_of

SECONDARY = 0.2  # of the mean flow across the plane: a flow in it that is smaller is secondary
MOST_VECTORS = 22  # along the longer side of a panel
COMPONENTS = {"x": "u", "y": "v", "z": "w"}
LABELS = {"u": "$\\overline{u}/@U$", "v": "$\\overline{v}/@U$", "w": "$\\overline{w}/@U$",
          "k": "turbulent kinetic energy, $k/@U^2$", "T": "$\\overline{T}/@T$"}


def mean_of(name):
    """The label of the mean of a scalar."""
    return "$\\overline{\\mathrm{" + name.replace("_", "\\_") + "}}$"


def mean_fields(averages):
    """Means by name, masked where there are only bodies: velocities relative to walls that all
    move alike, k the turbulent kinetic energy, T and other scalars. What is round-off is left out.
    """
    mask = bodies.without_fluid(averages)
    means = {name: averages[name] - velocity
             for name, velocity in zip("uvw", frame_velocity(averages.case))}
    speed = max(map(largest, means.values()))
    means = {name: values for name, values in means.items()
             if largest(values) > ROUND_OFF * speed}
    energy = sum(averages[2 * name] for name in "uvw") / 2
    if largest(energy) > ROUND_OFF**2 * speed**2:
        means["k"] = energy
    if "T" in averages:
        means["T"] = averages["T"]
    means.update({name: averages[name] for name in scalars_of(averages.case) if name in averages})
    return {name: np.ma.masked_array(values, mask) for name, values in means.items()}


def secondary_flow(averages, across):
    """(rightwards, upwards) mean velocity in the plane (up, right) where it is small beside that
    across it; else nothing.
    """
    normal = next(axis for axis in "xyz" if axis not in across)
    rightwards, upwards = (averages[COMPONENTS[axis]] for axis in across)
    main = averages[COMPONENTS[normal]]
    main = main - frame_velocity(averages.case)["xyz".index(normal)]
    speed = max(largest(rightwards), largest(upwards))
    if not ROUND_OFF * largest(main) < speed < SECONDARY * largest(main):
        return None
    if "zyx".index(across[0]) < "zyx".index(across[1]):
        rightwards, upwards = rightwards.T, upwards.T
    return rightwards, upwards


def evenly(faces, count):
    """`count` places at equal distances between the ends."""
    return faces[0] + (np.arange(count) + 0.5) * np.ptp(faces) / count


def interpolated(places, values, right, up):
    """Values (up, right) at other places, by straight lines along both axes."""
    rows = np.array([np.interp(right, places[0], row) for row in values])
    return np.array([np.interp(up, places[1], column) for column in rows.T]).T


def draw_vectors(axes, averages, across, flow):
    """Arrows at equal distances, and one that says how long a velocity is."""
    places = [averages[axis] for axis in across]
    faces = [averages[f"{axis}_faces"] for axis in across]
    spacing = max(map(np.ptp, faces)) / MOST_VECTORS
    right, up = (evenly(line, max(int(np.ptp(line) / spacing), 2)) for line in faces)
    vectors = [interpolated(places, np.ma.filled(part, np.nan), right, up) for part in flow]
    longest = np.nanmax(np.hypot(*vectors))
    axes.quiver(right, up, *vectors, angles="xy", scale_units="xy", scale=longest / (2 * spacing),
                width=0.004, color="w", edgecolor="k", linewidth=0.3)
    axes.set_title(scaled(f"{axes.get_title()}, longest arrow "
                          f"${style.power_of_ten(longest)}\\,@U$"))


class PlaneOf:
    """Averages over time alone on a plane of points across an axis."""

    def __init__(self, averages, normal, number):
        self.averages, self.normal, self.number = averages, normal, number
        self.case = averages.case
        self.place = {normal: averages[normal][number]}

    def __contains__(self, name):
        return name in self.averages

    def __getitem__(self, name):
        values, axes = self.averages[name], self.averages.axes[name]
        return values.take(self.number, axes.index(self.normal)) if self.normal in axes else values


def draw_plane(averages, normal, place, span):
    """Averages that keep all axes on a plane across one, through the middle or next to a place [L].
    Raises NothingToDraw where it is too thin.
    """
    slices.require_breadth(averages, slices.PLANES[normal])
    number = slices.nearest(averages, normal, place)
    return draw(PlaneOf(averages, normal, number), slices.PLANES[normal],
                scaled(f"${normal} = {averages[normal][number]:.4g}\\,@L$,  ") + span)


def draw(averages, axes, span):
    """Maps over the two axes that are kept; span: of time, for the title."""
    across = next(plane for plane in slices.PLANES.values() if set(plane) == set(axes))
    fields = mean_fields(averages)
    if not fields:
        raise style.NothingToDraw("all averages are zero")
    figure, panels = slices.grid_of_panels(averages, across, len(fields))
    surface = Surface(averages.case, across, getattr(averages, "place", None))
    normal = COMPONENTS[next(axis for axis in "xyz" if axis not in across)]
    flow = secondary_flow(averages, across)
    for panel, (name, values) in zip(panels, fields.items()):
        slices.draw_values(panel, averages, values, across, scaled(LABELS.get(name, mean_of(name))),
                           slices.colours(values, name in tuple("uvw")), surface)
        if name == normal and flow is not None:
            draw_vectors(panel, averages, across, flow)
    if len(panels) > 1:
        style.label_panels(panels)
    style.set_title(figure, span)
    return figure
