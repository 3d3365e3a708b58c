"""What a run holds within a window of time (first, last) [L/U]; all of it without a window."""
import numpy as np

from dnsflow import ArrayFile
from dnsflow.errors import NothingFoundError
from dnsflow.hdf5_arrays import Attributes
from dnsflow.tables import TimeSeries
from dnsflow.joined_windows import joined_windows
from dnsflow.uncertainty import FEWEST_BATCHES


def words_of(window):
    return f"from t = {window[0]:g} to {window[1]:g} L/U"


def snapshot_between(run, window):
    """The newest snapshot in the window."""
    if window is None:
        return run.snapshot()
    for path in reversed(run.snapshot_paths().values()):
        flow = ArrayFile(path, "dns snapshot")
        if window[0] <= flow.time <= window[1]:
            return flow
    raise NothingFoundError(f"{run.folder}: holds no snapshot {words_of(window)}")


def averages_between(run, window):
    """The averages; with a window those of all windows of time (output.statistics.window) in it.

    Where the run has no windows its averages must be of times within.
    """
    if window is None:
        return with_uncertainty(run.statistics(), run.statistics_windows())
    chosen = [averages for averages in run.statistics_windows() if is_within(averages, window)]
    if chosen:
        return joined_windows(chosen)
    averages = run.statistics()
    if is_within(averages, window):
        return averages
    first, last = (averages.attributes[name] for name in ("first_time", "last_time"))
    raise NothingFoundError(f"{averages.path}: holds averages {words_of((first, last))}, not "
                            f"{words_of(window)}; the case sets shorter ones: output.statistics.window")


def with_uncertainty(averages, windows):
    """The averages of all times, profiles with the uncertainty that enough windows give them."""
    if len(averages.axes["u"]) > 1 or len(windows) < FEWEST_BATCHES:
        return averages
    profiles = [name for name in averages if not name.startswith(("spectrum_", "correlation_"))]
    joined = joined_windows(list(windows), profiles)
    joined.update({name: averages[name] for name in averages})
    joined.axes.update(averages.axes)
    known = {name: joined.attributes[name] for name in joined.attributes
             if name.endswith("_uncertainty")}
    joined.attributes = Attributes(averages.path, {**known, **averages.attributes})
    joined.path = joined.source = joined.axes.source = averages.path  # for messages
    return joined


def is_within(averages, window):
    return (window[0] <= averages.attributes["first_time"]
            and averages.attributes["last_time"] <= window[1])


def series_between(run, window):
    """The lines of the time series in the window."""
    series = run.time_series()
    if window is None:
        return series
    inside = (series["time"] >= window[0]) & (series["time"] <= window[1])
    if not np.any(inside):
        raise NothingFoundError(f"{run.folder}: holds no line of the time series {words_of(window)}")
    return TimeSeries(series.path, {name: column[inside] for name, column in series.items()})
