"""Averages of a run between two times, with their 95 % uncertainty."""
import re

import numpy as np

from dnsflow.case_difference import last_change_of_flow
from dnsflow.coefficients import references_of
from dnsflow.errors import RunFileError
from dnsflow.joined_windows import Averages, joined_windows
from dnsflow.time_windows import averaged_files, whole_of, windows_between
from dnsflow.uncertainty import FEWEST_BATCHES, LASTING, uncertainty_of_mean
from dnsflow.version import __version__
from dnsflow.wall_friction import friction_of_series

ROUND_OFF = 1e-12  # largest value of a column that is zero but for round-off
# Columns of the time series that say how the run went, not what the flow does.
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


def periods_of(time, values):
    """Times between upward crossings of the mean, by straight lines between the points [L/U]."""
    apart = values - values.mean()
    up = np.flatnonzero((apart[:-1] < 0) & (apart[1:] >= 0))
    return np.diff(time[up] - apart[up] * (time[up + 1] - time[up]) / (apart[up + 1] - apart[up]))


def oscillations_in(time, durations, coefficients, references):
    """Name -> (number, half of its 95 % interval, share) of the forces across the stream.

    force_coefficient_NAME_y_rms is the rms of the fluctuation, strouhal_NAME_y the frequency of
    upward crossings of the mean, times length over speed, from three crossings on. The interval of
    an rms s is that of the mean square over 2 s, that of a frequency that of the mean period T over
    T^2; NaN where these are.
    """
    found = {}
    for body, reference in references.items():
        for axis in "xyz".replace(reference.stream, ""):
            values = coefficients.get(f"force_coefficient_{body}_{axis}")
            if values is None or not np.abs(values).max() > ROUND_OFF:
                continue
            apart = values - np.average(values, weights=durations)
            square, half, share = uncertainty_of_mean(apart**2, durations)
            rms = np.sqrt(square)
            if rms > ROUND_OFF:
                found[f"force_coefficient_{body}_{axis}_rms"] = rms, half / (2 * rms), share
            periods = periods_of(time, values)
            if len(periods) >= 2 and reference.length:
                period, half, share = uncertainty_of_mean(periods, np.ones(len(periods)))
                scale = reference.length / reference.speed
                found[f"strouhal_{body}_{axis}"] = scale / period, scale * half / period**2, share
    return found


def add_series(averages, series, references):
    """Means over time of what the time series holds, where the averages do not have it already."""
    first, last = (averages.attributes[name] for name in ("first_time", "last_time"))
    time = series["time"]
    slack = 1e-9 * abs(last)
    inside = (time > first + slack) & (time <= last + slack) & (series["step"] > 0)
    durations = np.diff(time, prepend=time[0])[inside]
    count = np.count_nonzero(inside)
    if count < FEWEST_BATCHES:
        averages.notes.append(f"the time series has {count} lines from t = {first:.6g} to "
                              f"{last:.6g} L/U: means and uncertainties take {FEWEST_BATCHES}")
        return
    correlated = []
    columns = {name: values[inside] for name, values in
               {**series, **coefficients_in(series, references)}.items()}
    oscillations = oscillations_in(time[inside], durations, columns, references)

    def uncertainty_or_nan(name, uncertainty, share):
        if share > LASTING:
            correlated.append(name)
        return np.nan if share > LASTING else uncertainty

    for name, values in columns.items():
        if name == "friction_velocity" or OF_THE_RUN.fullmatch(name) or not (
                np.abs(values).max() > ROUND_OFF):
            continue
        mean, uncertainty, share = uncertainty_of_mean(values, durations)
        averages.add_number(name, mean, uncertainty_or_nan(name, uncertainty, share))
    for name, (number, uncertainty, share) in oscillations.items():
        averages.add_number(name, number, uncertainty_or_nan(name, uncertainty, share))
    is_known = np.isfinite(averages.attributes.get("friction_velocity_uncertainty", np.nan))
    friction = None if is_known else friction_of_series(averages.case, columns, durations)
    if friction and friction.velocity > ROUND_OFF:
        velocity = averages.attributes.get("friction_velocity", friction.velocity)
        averages.add_friction(friction._replace(velocity=velocity, uncertainty=uncertainty_or_nan(
            "friction_velocity", friction.uncertainty, friction.share)))
    if correlated:
        averages.notes.append("drift or vary too slowly to say how uncertain they are: "
                              f"{', '.join(correlated)}; average over a longer time")


def averages_between(run, first=None, last=None, given=None):
    """The Averages of a run, see Run.averages."""
    files = averaged_files(run)
    try:
        series = run.time_series()
    except RunFileError:
        if not files:
            raise
        series = None
    if files:
        windows, notes = windows_between(files, first, last, run.case)
        averages = joined_windows(windows, whole=whole_of(run, windows))
        averages.notes[:0] = notes
    else:
        averages = averages_without_files(run, series, first, last)
    if series is not None:
        add_series(averages, series, references_of(averages.case, given))
    return averages


def averages_without_files(run, series, first, last):
    """The Averages that the means of a time series are added to: those of the newest flow."""
    times, notes = series["time"], []
    first = times[0] if first is None else max(first, times[0])
    last = times[-1] if last is None else min(last, times[-1])
    step, words = last_change_of_flow(run.log_text)
    before = times[series["step"] <= step]
    if words and len(before) and first < before[-1] < last:
        first = before[-1]
        notes = [f"the time series up to t = {first:.9g} L/U is left out: it is of another flow, "
                 f"{words}"]
    averages = Averages(series.path, run.case, {
        "format": "dns statistics", "format_version": 1, "version": __version__,
        "precision": "double", "case": run.case_text, "step": int(series["step"][-1]),
        "time": float(times[-1]), "first_time": float(first), "last_time": float(last)})
    averages.notes += notes
    return averages
