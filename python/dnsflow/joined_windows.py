"""Averages of several windows of time as one, with their uncertainty."""
import itertools
import re

import numpy as np

from dnsflow.errors import NamedEntries, RunFileError
from dnsflow.hdf5_arrays import Attributes, require_alike
from dnsflow.named_arrays import is_coordinate, row_of_array, title_of
from dnsflow.shown import Shown
from dnsflow.tables import Tabular
from dnsflow.uncertainty import FEWEST_BATCHES, LASTING, uncertainty_of_mean
from dnsflow.wall_friction import friction_of_windows, wall_units

LETTERS = tuple("uvwpT")  # variables whose products have no `_` in their names
HIGHER = re.compile(r"(skewness|flatness)_(.+)")
SQUARE_ALONG = re.compile(r"(spectrum|correlation)_([xyz])_(.+)")
PRESSURE_TERM = re.compile("budget_(uu|vv|ww|k)_pressure_(strain|transport)")
NEGLIGIBLE = 1e-6  # share of a variance
ROUND_OFF = 16  # in rounding errors
BUDGETS_LEFT_OUT = ("budgets are left out ({}): they are not the means of the windows' budgets; "
                    "averages over all the time of the run, or over one window, have them")
SCATTER_AT_CENTRES = ("covariances of velocities have an error of second order in the cell width: "
                      "mean velocities across faces change from window to window, and windows hold "
                      "them at the centres of cells alone")


def product_of(one, other):
    """The name of the mean product of two fluctuations: uv, u_salt, c_c."""
    return one + other if one in LETTERS and other in LETTERS else f"{one}_{other}"


def products_of(case):
    """The name of each mean product of two fluctuations -> the two."""
    names = [*LETTERS, *((case or {}).get("scalars") or {})]
    return {product_of(one, other): (one, other)
            for one, other in itertools.product(names, names)}


def formulas_of(case):
    """The names of the means of formulas (output.statistics.quantities)."""
    statistics = ((case or {}).get("output") or {}).get("statistics") or {}
    return set(statistics.get("quantities") or {})


class Averages(Tabular, Shown, NamedEntries):
    """Averages over some time, read like an ArrayFile of statistics.

    attributes  numbers and texts as in statistics.h5; those of the time series by the names of its
                columns; NAME_uncertainty is half of the 95 % interval of a number or an array, see
                uncertainty_of_mean, NaN where it is not known
    uncertain   names of the attributes with an uncertainty
    notes       what times and windows were taken, why uncertainties are not known or too small, and
                what is left out, as sentences
    """

    kind = "array"

    def __init__(self, path, case, attributes):
        super().__init__(path)
        self.path, self.case, self.attributes = path, case, Attributes(path, attributes)
        self.axes, self.uncertain, self.notes = {}, [], []

    def is_coordinate(self, name):
        return is_coordinate(name, self.axes)

    def _title(self):
        return title_of(self.attributes, self.path)

    def _rows(self):
        numbers = [(name, f"{self.attributes[name]:.6g} +- "
                    f"{self.attributes[f'{name}_uncertainty']:.2g}") for name in self.uncertain]
        return numbers + [row_of_array(name, self.axes[name], np.shape(values), "")
                          for name, values in self.items() if not name.endswith("_uncertainty")]

    def to_xarray(self):
        """An xarray.Dataset. Raises ImportError where xarray is not installed."""
        from dnsflow import xarray_datasets  # xarray is loaded by those who ask for it
        return xarray_datasets.dataset_of(self)

    def add_number(self, name, mean, uncertainty):
        self.attributes[name] = float(mean)
        self.attributes[f"{name}_uncertainty"] = float(uncertainty)
        if name not in self.uncertain:
            self.uncertain.append(name)

    def add_friction(self, friction):
        """The friction velocity, and what is made with it, with its uncertainty; see Friction."""
        self.add_number("friction_velocity", friction.velocity, friction.uncertainty)
        for name, values in wall_units(self.case, friction.velocity, self).items():
            if name in self:
                self[name] = values
            elif name in self.attributes:
                share = friction.uncertainty / friction.velocity if friction.velocity else np.nan
                self.add_number(name, values, values * share)


def durations_of(windows):
    """How long each lasts [L/U]; averages at one instant count like any other."""
    lasting = [float(one.attributes["last_time"] - one.attributes["first_time"]) for one in windows]
    return np.array(lasting if any(lasting) else np.ones(len(windows)))


def note_on(count, share):
    """What is wrong with the uncertainties of profiles; nothing else."""
    if count < FEWEST_BATCHES:
        return [f"profiles have no uncertainty: that takes {FEWEST_BATCHES} windows, here is "
                f"{count}; the case sets how long they are: output.statistics.window"]
    if share > LASTING:
        return [f"uncertainties of profiles are too small: values correlate within {share:.2g} of "
                "the time; average over a longer one"]
    return []


class Joining:
    """Windows of time that become one; their arrays are (windows, ...).

    Joined moments are those of the whole time, with d = <a> of a window less that of all windows,
    means over the windows by their length:

        <a'b'>   <- mean of <a'b'> + d_a d_b
        <a'^3>   <- mean of <a'^3> + 3 d <a'^2> + d^3
        <a'^4>   <- mean of <a'^4> + 4 d <a'^3> + 6 d^2 <a'^2> + d^4

    The first product counts for correlations at every separation, and for spectra at k = 0. The
    moments of velocities along their own axis, where that is kept, and of products of two
    variables at different places are means over the faces or edges of a cell: d there is that of
    the cell, which is off by second order in the cell widths where d varies.
    """

    def __init__(self, windows):
        self.windows, self.durations = windows, durations_of(windows)
        self.first = windows[0]
        self.products = products_of(self.first.case)
        self.singles = {name for pair in self.products.values() for name in pair}
        self.means = {name: self.values_of(name) for name in sorted(self.singles)
                      if name in self.first or name in ("u", "v", "w")}
        self.apart = {name: values - self.mean(values) for name, values in self.means.items()}

    def values_of(self, name):
        return np.array([window[name] for window in self.windows], dtype=float)

    def mean(self, values):
        return np.average(values, axis=0, weights=self.durations)

    def along(self, values, name, wanted):
        """`values`, along the axes of an array, as if along those of the array `wanted`: with one
        point along axes that it has not.
        """
        axes, shape, _ = self.first.facts[name]
        lengths = dict(zip(axes, shape))
        shape = [lengths.get(axis, 1) for axis in self.first.axes[wanted]]
        if np.prod(shape) != np.prod(values.shape[1:]):
            raise RunFileError(f"{self.first.path}: {wanted} lacks an axis of {name}")
        return values.reshape(len(values), *shape)

    def moments(self, name):
        """Values whose mean over the windows is the joined array."""
        if name in self.means:
            return self.means[name]
        values = self.values_of(name)
        square = SQUARE_ALONG.fullmatch(name)
        one, other = self.products.get(square[3] if square else name, (None, None))
        if one not in self.means or other not in self.means:
            return values
        scatter = self.along(self.apart[one] * self.apart[other], one, name)
        if square and square[1] == "spectrum":
            scatter = scatter * self.at_zero(name, square[2])
        return values + scatter

    def at_zero(self, name, axis):
        """1/dk at the wavenumber 0 of a spectrum along an axis, 0 at others; dk = 2 pi/L."""
        own = f"wavenumber_{axis}"
        length = self.first.case["grid"]["length"]["xyz".index(axis)]
        shape = [-1 if other == own else 1 for other in self.first.axes[name]]
        return np.where(self.first[own] == 0, length / (2 * np.pi), 0).reshape(shape)

    def round_off(self):
        """Rounding error of a mean, relative, in the precision of the run."""
        precision = np.float32 if self.first.case.get("precision") == "float" else np.float64
        return ROUND_OFF * np.finfo(precision).eps

    def higher_moment(self, kind, symbol):
        """The joined skewness <a'^3>/<a'^2>^1.5 or flatness <a'^4>/<a'^2>^2 of a variable.

        NaN where that of a window is, unless its variance is NEGLIGIBLE beside the joined one; and
        where the joined variance is round-off of the mean.
        """
        name, square = f"{kind}_{symbol}", product_of(symbol, symbol)
        variance = np.maximum(self.values_of(square), 0)
        apart = self.along(self.apart[symbol], symbol, square)
        joined = self.mean(variance + apart**2)

        def moment(known, order):
            is_small = np.isnan(known) & (variance <= NEGLIGIBLE * joined)
            return np.where(is_small, 0, known) * variance ** (order / 2)

        third = moment(self.values_of(f"skewness_{symbol}"), 3)
        if kind == "skewness":
            order, values = 3, third + 3 * apart * variance + apart**3
        else:
            order, values = 4, (moment(self.values_of(name), 4) + 4 * apart * third +
                                6 * apart**2 * variance + apart**4)
        round_off = self.round_off() * self.mean(self.means[symbol])
        is_known = joined > round_off**2
        return np.divide(self.mean(values), joined ** (order / 2), where=is_known,
                         out=np.full_like(joined, np.nan))

    def is_mean_of_budgets(self, name):
        """Whether a budget of all windows is the mean of theirs.

        All are where all axes are averaged over, since means have no gradients, but for buoyancy,
        which has the heat flux of all the time, and so the residual. Pressure strain and transport
        of normal stresses and of k are where the mean velocities along the kept axes are steady.
        """
        if len(self.windows) == 1:
            return True
        if self.first.axes["u"] == ("u",):
            return not (name.endswith(("_buoyancy", "_residual")) and "buoyancy" in self.first.case)
        return self.is_steady_at_faces() and PRESSURE_TERM.fullmatch(name) is not None

    def is_steady_at_faces(self):
        """Whether the mean velocities along the axes that are kept are the same in all windows."""
        components = [component for component, axis in zip("uvw", "xyz")
                      if axis in self.first.axes["u"]]
        speed = max(np.nanmax(np.abs(self.means[component])) for component in "uvw")
        return all(np.nanmax(np.abs(self.apart[component])) <= self.round_off() * speed
                   for component in components)


def joined_windows(windows, names=None, whole=None):
    """The Averages over the times of some windows, in the order of time.

    names    of the arrays that are joined; None: all
    windows  ArrayFiles of statistics that hold the same arrays
    whole    averages over the same times, where there are some: their arrays are taken, with the
             uncertainty that the windows give

    Each window counts by its length. Moments are those of the whole time, see Joining; friction
    velocity and wall units are those of the mean shear, see friction_of_windows. Budgets are left
    out, with a note, where they are no means of those of the windows and there is no `whole`.
    Raises RunFileError, with its path, for a file that lacks an array of others or has it in
    another shape.
    """
    require_alike(windows)
    first, last = windows[0], windows[-1]
    joining = Joining(windows)
    joined = Averages(first.path, first.case, dict((first if whole is None else whole).attributes))
    if whole is None:
        joined.attributes.update(
            step=last.step, time=last.time, last_time=last.attributes["last_time"],
            samples=sum(int(one.attributes["samples"]) for one in windows))
    correlations, left_out, formulas = [], [], formulas_of(first.case)
    for name in names or first:
        axes, shape, _ = first.facts[name]
        if name.startswith("budget_") and whole is None and not joining.is_mean_of_budgets(name):
            left_out.append(name)
            continue
        higher = HIGHER.fullmatch(name)
        is_uncertain = (name in joining.singles or name in joining.products
                        or name == "dissipation" or name in formulas
                        or name.startswith("momentum_"))
        if is_uncertain:
            values, half, correlation = uncertainty_of_mean(joining.moments(name),
                                                            joining.durations)
            own = f"{name}_uncertainty"
            joined[own], joined.axes[own] = half, (own,) if axes == (name,) else axes
            correlations.append(correlation[np.isfinite(correlation)])
        if first.is_coordinate(name) or len(windows) == 1:
            values = first[name]
        elif whole is not None:
            values = whole[name]
        elif higher:
            values = joining.higher_moment(*higher.groups())
        elif not is_uncertain:
            values = joining.mean(joining.moments(name))
        if np.shape(values) != shape:
            raise RunFileError(f"{first.path}: {name} has the shape {shape} here, but "
                               f"{np.shape(values)} where windows are joined")
        joined[name], joined.axes[name] = values, axes
    known = np.concatenate([[], *correlations])
    joined.notes += note_on(len(windows), np.median(known) if len(known) else np.nan)
    if whole is None and not joining.is_steady_at_faces():
        joined.notes.append(SCATTER_AT_CENTRES)
    if left_out:
        joined.notes.append(BUDGETS_LEFT_OUT.format(", ".join(left_out[:3]) + (
            ", ..." if len(left_out) > 3 else "")))
    friction = friction_of_windows(first, joining.means, joining.durations)
    if friction:
        joined.add_friction(friction)
    return joined
