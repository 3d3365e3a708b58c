"""Averages of a run between two times, with their 95 % uncertainty."""
import re

import numpy as np

from dnsflow.coefficients import references_of
from dnsflow.errors import RunFileError
from dnsflow.joined_windows import Averages, joined_windows, windows_between
from dnsflow.uncertainty import FEWEST_BATCHES, LASTING, uncertainty_of_mean
from dnsflow.version import __version__

# Columns of the time series that say how the run went, not what the flow does.
ROUND_OFF = 1e-12  # largest value of a column that is zero but for round-off
OF_THE_RUN = re.compile(r"step|time|dt|cfl|divergence_.*|.*iteration.*|wall_seconds|body_slip")


def coefficients_in(series, references):
    """force_coefficient_NAME_x, ... -> values over time."""
    found = {}
    for name, reference in references.items():
        for axis in "xyz":
            force = series.get(f"force_{name}_{axis}")
            if force is not None and reference.scale:
                found[f"force_coefficient_{name}_{axis}"] = reference.scale * force
    return found


def add_series(averages, series, references):
    """Means over time of what the time series holds, where the averages do not have it already."""
    first, last = (averages.attributes[name] for name in ("first_time", "last_time"))
    time = series["time"]
    inside = (time > first) & (time <= last * (1 + 1e-9)) & (series["step"] > 0)
    durations = np.diff(time, prepend=time[0])[inside]
    count = np.count_nonzero(inside)
    if count < FEWEST_BATCHES:
        averages.notes.append(f"the time series has {count} lines from t = {first:.6g} to "
                              f"{last:.6g} L/U: means and uncertainties take {FEWEST_BATCHES}")
        return
    correlated = []
    for name, values in {**series, **coefficients_in(series, references)}.items():
        values = values[inside]
        if OF_THE_RUN.fullmatch(name) or not np.abs(values).max() > ROUND_OFF:
            continue
        mean, uncertainty, correlation = uncertainty_of_mean(values, durations)
        if np.isfinite(averages.attributes.get(f"{name}_uncertainty", np.nan)):
            continue  # that of the windows
        if correlation > LASTING:
            correlated.append(name)
            uncertainty = np.nan
        averages.add_number(name, averages.attributes.get(name, mean), uncertainty)
    if correlated:
        averages.notes.append("drift or vary too slowly to say how uncertain they are: "
                              f"{', '.join(correlated)}; average over a longer time")


def way_of_averaging(case):
    """What averages that may be joined share; nothing where a case takes none."""
    statistics = case.get("output", {}).get("statistics")
    keys = ("start", "average", "window", "spectra", "budgets")
    return statistics and [statistics.get(key) for key in keys]


def windows_of(run):
    """The windows of a run that its output.statistics of now has made.

    A resume with another output.statistics sets the windows before it aside. A case without
    averages has all windows in its folder.
    """
    statistics = run.case.get("output", {}).get("statistics")
    if statistics and "window" not in statistics:
        return []
    way = way_of_averaging(run.case)
    return [window for window in run.statistics_windows()
            if way is None or way_of_averaging(window.case) == way]


def averages_between(run, first=None, last=None, given=None):
    """The Averages of a run, see Run.averages."""
    windows = windows_of(run)
    if not windows and (run.folder / "statistics.h5").exists():
        windows = [run.statistics()]
    try:
        series = run.time_series()
    except RunFileError:
        if not windows:
            raise
        series = None
    if windows:
        averages = joined_windows(windows_between(windows, first, last))
    else:
        times = series["time"]
        first, last = times[0] if first is None else first, times[-1] if last is None else last
        averages = Averages(series.path, run.case, {
            "format": "dns statistics", "format_version": 1, "version": __version__, "precision": "double",
            "case": run.case_text, "step": int(series["step"][-1]), "time": float(times[-1]),
            "first_time": float(first), "last_time": float(last)})
    if series is not None:
        add_series(averages, series, references_of(averages.case, given))
    return averages
