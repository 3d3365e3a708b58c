"""Averages of several windows of time as one."""
import numpy as np

NO_AVERAGES = ("skewness_", "flatness_", "budget_")
MOMENTS = [one + other for number, one in enumerate("uvwpT") for other in "uvwpT"[number:]]


def factors_of(name):
    """The two fluctuations that a covariance or correlation is the mean product of; else nothing.
    """
    product = name.rpartition("_")[2] if name.startswith("correlation_") else name
    return (product[0], product[1]) if product in MOMENTS else (None, None)


def place_of_separation(axes):
    """The number of the axis of a correlation that means have not; else nothing."""
    return next((place for place, axis in enumerate(axes) if axis.startswith("separation_")), None)


def along(values, place):
    """Values with one more axis at a place, if there is one."""
    return values if place is None else np.expand_dims(values, place)


class JoinedWindows(dict):
    """Averages over the times of several windows, read like an ArrayFile of statistics.

    attributes  of the first one, samples of all, times from the first to the last
    """

    def __init__(self, arrays, like, attributes):
        super().__init__(arrays)
        self.path, self.axes, self.case = like.path, like.axes, like.case
        self.attributes = attributes


def joined_windows(windows):
    """The JoinedWindows of averages in the order of time; the only one as it is.

    Each window counts by its length. Covariances and correlations are <a'b'> + <a><b> - <<a>><<b>>. What is no average
    over time, as skewness and budgets, is left out.
    """
    first = windows[0]
    if len(windows) == 1:
        return first
    weights = np.array([window.attributes["last_time"] - window.attributes["first_time"]
                        for window in windows])

    def mean(values):
        return np.average(values, axis=0, weights=weights)

    values = {name: [window[name] for window in windows] for name in first
              if all(name in window for window in windows)
              and not name.startswith(NO_AVERAGES)}
    arrays = {}
    for name, parts in values.items():
        one, other = factors_of(name)
        if first.is_coordinate(name):
            arrays[name] = parts[0]
        elif one in values and other in values:
            place = place_of_separation(first.axes[name])
            products = [along(a * b, place) for a, b in zip(values[one], values[other])]
            whole = along(mean(values[one]) * mean(values[other]), place)
            arrays[name] = mean([part + product for part, product in zip(parts, products)]) - whole
        else:
            arrays[name] = mean(parts)
    attributes = dict(first.attributes, samples=sum(int(window.attributes["samples"]) for window in windows),
                      last_time=windows[-1].attributes["last_time"])
    for name in ("friction_velocity", "friction_reynolds"):
        if name in attributes:
            attributes[name] = float(mean([window.attributes[name] for window in windows]))
    return JoinedWindows(arrays, first, attributes)
