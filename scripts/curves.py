"""Curves given by points: interpolation, extrema and means."""
import numpy as np

from dnsflow.uncertainty import LASTING, uncertainty_of_mean


def cubic_at(x, f, wanted):
    """f at the points `wanted`: the cubic through the four points of increasing x around each.

    Error of order four in the distance of the points.
    """
    x, f = np.asarray(x, float), np.asarray(f, float)
    wanted = np.atleast_1d(np.asarray(wanted, float))
    first = np.clip(np.searchsorted(x, wanted) - 2, 0, len(x) - 4)
    nodes = first[:, None] + np.arange(4)
    values = np.zeros_like(wanted)
    for turn in range(4):
        weight = np.ones_like(wanted)
        for other in range(4):
            if other != turn:
                here, there = x[nodes[:, turn]], x[nodes[:, other]]
                weight *= (wanted - there) / (here - there)
        values += weight * f[nodes[:, turn]]
    return values


BETWEEN = 8  # points of a fine curve for each distance of the given ones


def fine_curve(x, f):
    """Points of a smooth curve through the given ones of increasing x, BETWEEN for each distance.

    By cubics that have no extremum of their own between two points (Fritsch & Butland, SIAM J. Sci.
    Stat. Comput. 5 (1984) 300): their slope is 0 at extrema, else the harmonic mean of those beside
    it. The points alone where values are not finite, or fewer than three.
    """
    x, f = np.asarray(x, float), np.asarray(f, float)
    if len(x) < 3 or not (np.isfinite(f).all() and (np.diff(x) > 0).all()):
        return x, f
    widths, rises = np.diff(x), np.diff(f) / np.diff(x)
    low, high, before, after = rises[:-1], rises[1:], widths[:-1], widths[1:]
    is_monotone = low * high > 0
    weights = np.array([before + 2 * after, 2 * before + after]) / (3 * (before + after))
    slopes = np.zeros_like(f)
    slopes[1:-1][is_monotone] = 1 / (weights[0] / np.where(is_monotone, low, 1)
                                     + weights[1] / np.where(is_monotone, high, 1))[is_monotone]
    slopes[[0, -1]] = rises[[0, -1]]
    s = np.arange(BETWEEN)[:, None] / BETWEEN  # share of the way from a point to the next
    values = (f[:-1] + s * widths * (slopes[:-1] + s * (
        3 * rises - 2 * slopes[:-1] - slopes[1:] + s * (slopes[:-1] + slopes[1:] - 2 * rises))))
    places = x[:-1] + s * widths
    return np.append(places.T.ravel(), x[-1]), np.append(values.T.ravel(), f[-1])


def maximum(x, f, refined=201):
    """The largest value of a smooth curve and where it is, by cubics between the points."""
    largest = int(np.clip(np.argmax(f), 1, len(x) - 2))
    fine = np.linspace(x[largest - 1], x[largest + 1], refined)
    values = cubic_at(x, f, fine)
    best = int(np.argmax(values))
    return values[best], fine[best]


def minimum(x, f):
    """The smallest value of a smooth curve and where it is."""
    value, place = maximum(x, -np.asarray(f))
    return -value, place


def across(x, fields, wanted):
    """Fields over x (last axis) at one point, by the cubic through the four points around it."""
    flat = fields.reshape(-1, len(x))
    return np.array([cubic_at(x, row, wanted)[0] for row in flat]).reshape(fields.shape[:-1])


def upward_crossings(x, f):
    """Where f grows through 0, by straight lines between the points."""
    up = np.flatnonzero((f[:-1] < 0) & (f[1:] >= 0))
    return x[up] - f[up] * (x[up + 1] - x[up]) / (f[up + 1] - f[up])


def mean_from(series, name, start):
    """Mean over time of a column of a time series from the time `start` on [L/U]."""
    late = series["time"] >= start
    return np.average(series[name][late], weights=series["dt"][late])


def mean_between(x, f, first, last):
    """By the trapezoidal rule."""
    fine = np.linspace(first, last, 20001)
    curve = np.interp(fine, x, f)
    return float((curve[1:] + curve[:-1]).mean() / 2)


def mean_and_uncertainty(time, values, start):
    """The mean from the time `start` on, straight lines between the values, and half of its 95 %
    interval, see uncertainty_of_mean; NaN where the values drift or vary too slowly to say.

    Between two times the mean is that of both values.
    """
    start = max(start, time[0])
    late = time > start
    time, values = (np.append(first, curve[late]) for first, curve in
                    ((start, time), (np.interp(start, time, values), values)))
    means = (values[1:] + values[:-1]) / 2
    mean, half, share = uncertainty_of_mean(means, np.diff(time))
    return mean, np.nan if share > LASTING else half
