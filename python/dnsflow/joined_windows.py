"""Averages of several windows of time as one, with their uncertainty."""
import itertools

import numpy as np

from dnsflow.errors import EdgeError, NamedEntries
from dnsflow.hdf5_arrays import Attributes, require_alike
from dnsflow.named_arrays import Axes
from dnsflow.uncertainty import FEWEST_BATCHES, LASTING, uncertainty_of_mean

NO_AVERAGES = ("skewness_", "flatness_", "budget_")


def products_of(case):
    """The name of each mean product of two fluctuations -> the two."""
    names = [*"uvwpT", *(case or {}).get("scalars", {})]
    return {one + other if len(one + other) == 2 else f"{one}_{other}": (one, other)
            for one, other in itertools.product(names, names)}


def factors_of(name, products):
    """The two fluctuations that a covariance or correlation is the mean product of; else nothing.
    """
    product = name.split("_", 2)[2] if name.startswith("correlation_") else name
    return products.get(product, (None, None))


def place_of_separation(axes):
    """The number of the axis of a correlation that means have not; else nothing."""
    return next((place for place, axis in enumerate(axes) if axis.startswith("separation_")), None)


def along(values, place):
    """Values with one more axis at a place, if there is one."""
    return values if place is None else np.expand_dims(values, place)


class Averages(NamedEntries):
    """Averages over some time, read like an ArrayFile of statistics.

    attributes  numbers and texts as in statistics.h5; those of the time series by the names of its
                columns; NAME_uncertainty is half of the 95 % interval of a number or an array, see
                uncertainty_of_mean, NaN where it is not known
    uncertain   names of the attributes with an uncertainty
    notes       why uncertainties are not known, or too small, as sentences
    """

    kind = "array"

    def __init__(self, path, case, attributes):
        super().__init__(path)
        self.path, self.case, self.attributes = path, case, Attributes(path, attributes)
        self.axes, self.uncertain, self.notes = Axes(path), [], []

    def is_coordinate(self, name):
        return self.axes[name] == (name,)

    def add_number(self, name, mean, uncertainty):
        self.attributes[name] = float(mean)
        self.attributes[f"{name}_uncertainty"] = float(uncertainty)
        if name not in self.uncertain:
            self.uncertain.append(name)


def durations_of(windows):
    """How long each lasts [L/U]; averages at one instant count like any other."""
    lasting = [float(one.attributes["last_time"] - one.attributes["first_time"]) for one in windows]
    return np.array(lasting if any(lasting) else np.ones(len(windows)))


def add_friction(joined, windows, durations):
    """That of the mean wall shear, the square of the friction velocity [U^2]."""
    if "friction_velocity" not in joined.attributes:
        return
    squares = np.array([float(one.attributes["friction_velocity"]) for one in windows]) ** 2
    mean, uncertainty, _ = uncertainty_of_mean(squares, durations)
    for name in ("friction_velocity", "friction_reynolds"):
        if mean > 0 and squares[0] > 0 and name in joined.attributes:
            scale = float(joined.attributes[name]) / squares[0]**0.5
            joined.add_number(name, scale * mean**0.5, scale * uncertainty / (2 * mean**0.5))


def note_on(count, share):
    """What is wrong with the uncertainties of profiles; nothing else."""
    if count < FEWEST_BATCHES:
        return [f"profiles have no uncertainty: that takes {FEWEST_BATCHES} windows, here is "
                f"{count}; the case sets how long they are: output.statistics.window"]
    if share > LASTING:
        return [f"uncertainties of profiles are too small: values correlate within {share:.2g} of "
                "the time; average over a longer one"]
    return []


def joined_windows(windows, names=None):
    """The Averages over the times of some windows, in the order of time; of these names (None: all).

    Each window counts by its length. Covariances and correlations are <a'b'> + <a><b> - <<a>><<b>>
    with the means of all windows. What is no average over time, as skewness and budgets, is left
    out unless there is only one window.
    """
    require_alike(windows)
    first, last, durations = windows[0], windows[-1], durations_of(windows)
    joined = Averages(first.path, first.case, dict(
        first.attributes, step=last.step, time=last.time,
        samples=sum(int(one.attributes["samples"]) for one in windows),
        last_time=last.attributes["last_time"]))
    products = products_of(first.case)
    single = {name for pair in products.values() for name in pair}

    def values_of(name):
        return np.array([window[name] for window in windows], dtype=float)

    means = {name: values_of(name) for name in sorted(single) if name in first}
    apart = {name: values - np.average(values, axis=0, weights=durations)
             for name, values in means.items()}
    correlations = []
    for name in names or first:
        if any(name not in window for window in windows) or (
                len(windows) > 1 and name.startswith(NO_AVERAGES)):
            continue
        joined.axes[name] = axes = first.axes[name]
        if first.is_coordinate(name):
            joined[name] = first[name]
            continue
        values = means[name] if name in means else values_of(name)
        one, other = factors_of(name, products)
        if one in means and other in means:
            place = place_of_separation(axes)
            place = None if place is None else place + 1
            values = values + along(apart[one] * apart[other], place)
        if name not in single and name not in products and name != "dissipation":
            joined[name] = np.average(values, axis=0, weights=durations)
            continue
        joined[name], joined[f"{name}_uncertainty"], correlation = uncertainty_of_mean(
            values, durations)
        joined.axes[f"{name}_uncertainty"] = axes
        correlations.append(correlation[np.isfinite(correlation)])
    known = np.concatenate([[], *correlations])
    joined.notes += note_on(len(windows), np.median(known) if len(known) else np.nan)
    add_friction(joined, windows, durations)
    return joined


def windows_between(windows, first, last):
    """Those of a run from one edge to another, in the order of time; None: from the first on, to
    the last. Raises EdgeError, with the nearest edges, for a time that is none.
    """
    windows = sorted(windows, key=lambda one: float(one.attributes["first_time"]))
    starts, ends = ([float(one.attributes[name]) for one in windows]
                    for name in ("first_time", "last_time"))
    first = starts[0] if first is None else edge_at(first, starts)
    last = ends[-1] if last is None else edge_at(last, ends)
    chosen = [one for one, start, end in zip(windows, starts, ends)
              if start >= first and end <= last]
    if not chosen:
        raise EdgeError(f"there is no window of time from t = {first:.9g} to {last:.9g} L/U")
    for one, other in zip(chosen, chosen[1:]):
        end, start = float(one.attributes["last_time"]), float(other.attributes["first_time"])
        if abs(start - end) > 1e-6 * (ends[-1] - starts[0]):
            raise EdgeError(f"windows of time that end at t = {end:.9g} and begin at {start:.9g} "
                            "L/U do not join: choose times on one side")
    return chosen


def edge_at(time, edges):
    """The edge at a time. Raises EdgeError where there is none."""
    near = sorted(sorted(set(edges), key=lambda edge: abs(edge - time))[:2])
    slack = 1e-5 * max(map(abs, edges))  # what six digits of an edge leave out
    for edge in near:
        if abs(edge - time) <= slack:
            return edge
    words = " and ".join(f"{edge:.9g}" for edge in near)
    raise EdgeError(f"no window of time of this run begins or ends at t = {time:.9g} L/U; the "
                    f"nearest edges are {words}")
