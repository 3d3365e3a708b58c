"""Averages of several windows of time as one."""
import numpy as np

MOMENTS = [one + other for number, one in enumerate("uvwpT") for other in "uvwpT"[number:]]


class JoinedWindows(dict):
    """Averages over all samples of several windows, read like an ArrayFile of statistics.

    attributes  of the first one, samples of all, times from the first to the last
    """

    def __init__(self, arrays, like, attributes):
        super().__init__(arrays)
        self.path, self.axes, self.case = like.path, like.axes, like.case
        self.attributes = attributes


def joined_windows(windows):
    """The JoinedWindows of averages in the order of time; the only one as it is.

    Means weighted with samples; covariances with those of the means, <a'b'> + <a><b> - <<a>><<b>>.
    What is no average of samples, as skewness, is left out.
    """
    first = windows[0]
    if len(windows) == 1:
        return first
    weights = np.array([window.attributes["samples"] for window in windows], dtype=float)

    def mean(values):
        return np.average(values, axis=0, weights=weights)

    values = {name: [window[name] for window in windows] for name in first
              if all(name in window for window in windows)
              and not name.startswith(("skewness_", "flatness_"))}
    arrays = {}
    for name, parts in values.items():
        one, other = (name[0], name[1]) if name in MOMENTS else (None, None)
        if first.is_coordinate(name):
            arrays[name] = parts[0]
        elif one in values and other in values:
            arrays[name] = (mean([part + a * b for part, a, b in zip(
                parts, values[one], values[other])]) - mean(values[one]) * mean(values[other]))
        else:
            arrays[name] = mean(parts)
    attributes = dict(first.attributes, samples=int(weights.sum()),
                      last_time=windows[-1].attributes["last_time"])
    for name in ("friction_velocity", "friction_reynolds"):
        if name in attributes:
            attributes[name] = float(mean([window.attributes[name] for window in windows]))
    return JoinedWindows(arrays, first, attributes)
