"""Files of averages made from known signals, as the program writes those of windows of time."""
import itertools

import h5py
import numpy as np

CASE = """case: signals
scheme: projection
precision: double
grid:
  points: {points}
  length: [2, 3, 5]
  origin: [0, 0, 0]
fluid:
  reynolds: {reynolds}
  prandtl: 1
{scalars}boundaries:
{boundaries}forcing:
  type: none
output:
  statistics:
    every: 1
    average: {average}
    window: 1
"""
WALLS = ("""  x: periodic
  y_min: {type: wall, velocity: [-0.5, 0, 0]}
  y_max: {type: wall, velocity: [0.5, 0, 0.25], slip_length: 0.1}
  z: periodic
""")
PERIODIC = "  x: periodic\n  y: periodic\n  z: periodic\n"
LENGTH = dict(zip("xyz", (2, 3, 5)))


class Signals:
    """Random fields (times, nz, ny, nx) by name, whose means drift, sampled at equal times.

    points of x, y, z; kept: axes that are not averaged over, slowest first; spectra: whether files
    have them, and correlations.
    """

    def __init__(self, points, kept="", scalars=(), spectra=False, reynolds=10, samples=60):
        self.points, self.kept, self.scalars = dict(zip("xyz", points)), kept, scalars
        self.spectra, self.reynolds = spectra, reynolds
        random = np.random.default_rng(3)
        shape = (samples, *[self.points[axis] for axis in "zyx"])
        drift = np.linspace(0, 2, samples).reshape(-1, 1, 1, 1)
        self.fields = {}
        for number, name in enumerate([*"uvwpT", *scalars]):
            waves = random.normal(size=shape)
            level = random.normal(size=[1, *[self.points[axis] if axis in kept else 1
                                             for axis in "zyx"]])
            # Skewed, and with a drift that is another at each point of the kept axes.
            self.fields[name] = waves + 0.3 * waves**2 + drift ** (1 + number % 2) * level

    def case(self):
        names = "".join(f"  {name}:\n    prandtl: 1\n" for name in self.scalars)
        average = [axis for axis in "xyz" if axis not in self.kept]
        return CASE.format(points=list(self.points.values()), reynolds=self.reynolds,
                           scalars=f"scalars:\n{names}" if names else "",
                           boundaries=WALLS if "y" in self.kept else PERIODIC,
                           average=f"[{', '.join(average)}]")

    def faces(self, axis):
        """Stretched, of a kept axis."""
        return LENGTH[axis] * np.linspace(0, 1, self.points[axis] + 1) ** 1.5

    def mean(self, values):
        """Over time and the averaged axes."""
        return values.mean(axis=(0, *[1 + place for place, axis in enumerate("zyx")
                                      if axis not in self.kept]))

    def averages(self, first, last):
        """name -> (axes, values) of the samples first .. last - 1, as the program defines them."""
        parts = {name: values[first:last] for name, values in self.fields.items()}
        means = {name: self.mean(values) for name, values in parts.items()}
        column = [1 if axis not in self.kept else self.points[axis] for axis in "zyx"]
        apart = {name: values - means[name].reshape(column) for name, values in parts.items()}
        axes, found = tuple(self.kept), {}

        def product(one, other):
            return one + other if {one, other} <= set("uvwpT") else f"{one}_{other}"

        for name in parts:
            square = self.mean(apart[name] ** 2)
            found[name], found[product(name, name)] = means[name], square
            with np.errstate(invalid="ignore"):  # NaN of what does not vary
                found[f"skewness_{name}"] = self.mean(apart[name] ** 3) / square**1.5
                found[f"flatness_{name}"] = self.mean(apart[name] ** 4) / square**2
        for one, other in itertools.combinations("uvw", 2):
            found[one + other] = self.mean(apart[one] * apart[other])
        for one, other in itertools.product("uvw", ["T", *self.scalars]):
            found[product(one, other)] = self.mean(apart[one] * apart[other])
        found["dissipation"] = self.mean(sum(parts[name] ** 2 for name in "uvw"))
        for name in ("pressure_strain", "production", "residual"):
            found[f"budget_uu_{name}"] = self.mean(parts["p"])
        found = {name: (axes or (name,), np.atleast_1d(values)) for name, values in found.items()}
        for axis, name in itertools.product("xyz", parts):
            if self.spectra and axis not in self.kept:
                found.update(self.squares_along(axis, apart[name], product(name, name)))
        for axis in self.kept:
            edges = self.faces(axis)
            found[f"{axis}_faces"] = (f"{axis}_faces",), edges
            found[axis] = (axis,), (edges[1:] + edges[:-1]) / 2
        if "y" in self.kept:
            places = found["y"][1]
            found["y_plus"] = ("y",), np.minimum(places, LENGTH["y"] - places)  # not yet scaled
        return found

    def squares_along(self, axis, apart, square):
        """Spectrum and correlation along an averaged axis, with what they are over."""
        place, points, length = 1 + "zyx".index(axis), self.points[axis], LENGTH[axis]
        count = points // 2 + 1
        power = np.abs(np.fft.fft(apart, axis=place) / points) ** 2
        kept = "".join(name for name in "zyx" if name in self.kept or name == axis)
        others = tuple([0, *[1 + number for number, name in enumerate("zyx") if name not in kept]])
        power = np.moveaxis(power.mean(axis=others), kept.index(axis), -1)
        energy = power[..., :count].copy()
        energy[..., 1:(points + 1) // 2] *= 2  # both signs
        correlation = np.stack([
            (apart * np.roll(apart, -shift, place)).mean(axis=(*others, place))
            for shift in range(count)], axis=-1)
        found = {}
        for kind, own, step, values in (
                ("spectrum", "wavenumber", 2 * np.pi / length, energy * length / (2 * np.pi)),
                ("correlation", "separation", length / points, correlation)):
            coordinate = f"{own}_{axis}"
            found[coordinate] = (coordinate,), step * np.arange(count)
            found[f"{kind}_{axis}_{square}"] = (
                tuple(coordinate if name == axis else name for name in kept),
                np.moveaxis(values, -1, kept.index(axis)))
        return found

    def write(self, path, first, last, dtype=float, without=()):
        """The file of the samples first .. last - 1, each of the time 1 L/U."""
        with h5py.File(path, "w") as file:
            file.attrs["format"], file.attrs["format_version"] = np.bytes_("dns statistics"), 1
            file.attrs["case"] = np.bytes_(self.case())
            file.attrs["step"], file.attrs["time"] = last, float(last)
            file.attrs["samples"] = last - first
            file.attrs["first_time"], file.attrs["last_time"] = float(first), float(last)
            for name, (axes, values) in self.averages(first, last).items():
                if name not in without:
                    file[name] = np.asarray(values, dtype=dtype)
                    file[name].attrs["axes"] = np.bytes_(" ".join(axes))
        return path
