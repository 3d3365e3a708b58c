"""What a run holds within a window of time (first, last) [L/U]; all of it without a window."""
import numpy as np

from dnsflow import ArrayFile
from dnsflow.errors import NothingFoundError
from dnsflow.tables import TimeSeries
from dnsflow.joined_windows import joined_windows
from dnsflow.time_windows import whole_of, windows_between
from dnsflow.uncertainty import FEWEST_BATCHES
from needed_modules import tell


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


def phases_between(run, window):
    """The averages by phase, which must be of times within the window."""
    phases = run.statistics_phase()
    if window is not None and not is_within(phases, window):
        raise NothingFoundError(f"{phases.path}: averages by phase are not only of times "
                                f"{words_of(window)}")
    return phases


def averages_between(run, window):
    """The averages; with a window those of all windows of time (output.statistics.window) in it.

    Where the run has no windows its averages must be of times within. Windows of another case than
    the newest are left out.
    """
    if window is None:
        return with_uncertainty(run, run.statistics())
    chosen = [averages for averages in run.statistics_windows() if is_within(averages, window)]
    if chosen:
        windows, notes = windows_between(chosen, None, None, run.case)
        for note in notes:
            tell(f"warning: {note}")
        return joined_windows(windows, whole=whole_of(run, windows))
    averages = run.statistics()
    if is_within(averages, window):
        return averages
    first, last = (averages.attributes[name] for name in ("first_time", "last_time"))
    raise NothingFoundError(f"{averages.path}: holds averages {words_of((first, last))}, not "
                            f"{words_of(window)}; the case sets shorter ones: "
                            "output.statistics.window")


def with_uncertainty(run, averages):
    """The averages of all times, profiles with the uncertainty that enough windows give them."""
    if len(averages.axes["u"]) > 1 or len(run.statistics_windows()) < FEWEST_BATCHES:
        return averages
    windows, _ = windows_between(run.statistics_windows(), None, None, run.case)
    whole = whole_of(run, windows) if len(windows) >= FEWEST_BATCHES else None
    return joined_windows(windows, whole=whole) if whole else averages


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
        raise NothingFoundError(f"{run.folder}: holds no line of the time series "
                                f"{words_of(window)}")
    return TimeSeries(series.path, {name: column[inside] for name, column in series.items()})
