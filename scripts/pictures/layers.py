"""Averages over the one axis that is kept: what they are drawn over, and in which units."""
import numpy as np

from channel_profiles import halves_apart, mean_of_halves, wall_distances
from curves import fine_curve
from pictures import convection, profiles, style, symmetry
from pictures.labels import scaled
from pictures.ranges import largest

FEWEST_POINTS = 4
BUFFER_LAYER = 15  # y+ where most turbulence is made


def axis_of(averages):
    """The one axis that averages are over; nothing where there are more, or none."""
    axes = averages.axes["u"]
    is_layer = len(axes) == 1 and axes[0] in "xyz" and len(averages[axes[0]]) >= FEWEST_POINTS
    return axes[0] if is_layer else None


class Layer:
    """Averages that keep one axis.

    Of a flow between two walls that move alike: in wall units over y+, of a Half, see layers_of. Of
    convection between plates: over y/H, from one plate to the other. Else over y/L.

    directions  components (stream, normal, span) of a flow between walls; else None
    half        the channel_profiles.Half of such a flow: None, the mean of both; else None
    asymmetry   why it is not the mean of both, else ""
    """

    def __init__(self, averages, half=None, asymmetry=""):
        self.averages = averages
        self.axis = axis_of(averages)
        self.directions = profiles.directions_of_channel(averages)
        self.viscosity = 1 / averages.case["fluid"]["reynolds"]
        self.half = half or (mean_of_halves(averages) if self.is_channel else None)
        self.asymmetry = asymmetry
        self._has_plates = convection.plates_of(averages) is not None

    @property
    def is_channel(self):
        return self.directions is not None

    @property
    def components(self):
        """(stream, normal, span) of a flow between walls, else u, v, w."""
        return self.directions or ("u", "v", "w")

    @property
    def u_tau(self):
        """The friction velocity [U]."""
        return self.half.u_tau

    def places(self):
        """y+, y/H or y/L of the points."""
        places, faces = (self.averages[name] for name in (self.axis, f"{self.axis}_faces"))
        if self.is_channel:
            distance = self.half.take(wall_distances(self.averages, self.axis))
            return distance * self.u_tau / self.viscosity
        return (places - faces[0]) / np.ptp(faces) if self._has_plates else places

    def values(self, name, odd=""):
        """An average over the points first of all its axes.

        odd: the components and scalars that it is odd in. Of a flow between walls components are
        turned so that the mean flow is positive and the normal leads away from the wall.
        """
        slow = self.averages.axes[name].index(self.axis)
        values = np.moveaxis(self.averages[name], slow, 0)
        if not self.is_channel:
            return values
        stream, normal, _ = self.directions
        turned = self._direction() if odd.count(stream) % 2 else 1
        sign = -1 if odd.count(normal) % 2 else 1
        if self.is_mean:
            for scalar in set(odd) - set("uvwp"):
                sign *= symmetry.parity_of(self.averages.case, self.axis, scalar)
        return turned * self.half.take(values, sign)

    @property
    def is_mean(self):
        """Whether both halves of a flow between walls are averaged."""
        return self.is_channel and self.half.wall == "both"

    @property
    def words_of_wall(self):
        """Which wall of two a half of a flow lies at; else nothing."""
        return "" if not self.is_channel or self.is_mean else f"at {self.half.wall}"

    def _direction(self):
        """The sign of the mean flow relative to the walls."""
        stream = self.directions[0]
        face = self.averages.case["boundaries"][f"{self.axis}_min"]
        mean = self.averages[stream] - face["velocity"]["uvw".index(stream)]
        return np.sign(mean[np.abs(mean).argmax()])

    def energy(self):
        """Turbulent kinetic energy [U^2]."""
        return sum(self.values(2 * name) for name in "uvw") / 2

    def heights(self, wanted=None):
        """Numbers of the points next to some places, in the units of places().

        By default those where most happens, from the low end to the middle: y+ = 15 of a flow
        between walls, else that with the largest turbulent kinetic energy, and the middle.
        """
        points = len(self.places())
        middle = points - 1 if self.is_channel else points // 2
        if wanted is None and self.is_channel:
            wanted = [BUFFER_LAYER, self.places()[middle]]
        if wanted is not None:
            return list(dict.fromkeys(int(np.abs(self.places() - place).argmin())
                                      for place in wanted))
        energy = np.nan_to_num(self.energy()[:middle + 1])
        return sorted({int(energy.argmax()) if largest(energy) > 0 else middle, middle})

    @property
    def shared(self):
        """What panels share."""
        return {"sharex": True} if self.is_channel else {"sharey": True}

    def plot(self, axes, values, **look):
        """A smooth curve through the values: over y+ to the right, else with the height upwards."""
        if self.is_channel:
            places, values = fine_curve(np.log(self.places()), values)
            axes.semilogx(np.exp(places), values, **look)
        else:
            places, values = fine_curve(self.places(), values)
            axes.plot(values, places, **look)

    def place_name(self):
        """What the points are named by."""
        if self.is_channel:
            return "$y^+$"
        return f"${self.axis}/H$" if self._has_plates else scaled(f"${self.axis}/@L$")

    def words_of(self, number):
        """Where a point is."""
        name = self.place_name().strip("$")
        return f"${name} = {self.places()[number]:.3g}$ {self.words_of_wall}".rstrip()

    def ends(self):
        """Of the axis of places: the first point and the middle, or both ends."""
        if self.is_channel:
            return self.places()[[0, -1]]
        faces = self.averages[f"{self.axis}_faces"]
        return (0, 1) if self._has_plates else (faces[0], faces[-1])

    def title(self):
        """The span of time; of a flow between walls the friction Reynolds number and its halves, or
        why the walls are unequal."""
        if not self.is_channel:
            return profiles.title_over_height(self.averages, self.axis)
        return profiles.title_of(self.averages, self.directions, self.asymmetry)


def layers_of(averages, scalars=()):
    """The Layers to draw: one, or two halves of a flow between walls where asymmetry_of has a
    reason, each in the wall units of its own wall. scalars: those that are drawn, too."""
    layer = Layer(averages)
    if not layer.is_channel:
        return [layer]
    asymmetry = symmetry.asymmetry_of(averages, layer.directions, scalars)
    if not asymmetry:
        return [layer]
    return [Layer(averages, half, asymmetry)
            for half in halves_apart(averages, layer.viscosity, layer.directions[1])]


def panels_of(layers, grid, count, label):
    """The first `count` panels, with names of axes on the left and below; label: of the values."""
    first, places = layers[0], layers[0].place_name()
    rightwards, upwards = (places, label) if first.is_channel else (label, places)
    panels = style.first_panels(grid, count, rightwards)
    low, high = zip(*(layer.ends() for layer in layers))
    for axes in panels[::grid.shape[1]]:
        axes.set_ylabel(upwards)
    for axes in panels:
        (axes.set_xlim if first.is_channel else axes.set_ylim)(min(low), max(high))
    return panels
