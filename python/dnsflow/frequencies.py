"""Spectra over frequencies of signals in time."""
from typing import NamedTuple

import numpy as np

LONGEST_WINDOW = 2048  # records


class FrequencySpectrum(NamedTuple):
    """Of signals (..., records)."""

    frequency: np.ndarray  # (frequencies), the first 0 [U/L]
    energy: np.ndarray  # (..., frequencies): the signals' units squared, times L/U
    windows: int  # that it is the mean of


def at_equal_times(time, values):
    """(interval, values (..., records)) at as many equally spaced times, by straight lines."""
    even = np.linspace(time[0], time[-1], len(time))
    flat = np.reshape(values, (-1, len(time)))
    resampled = np.array([np.interp(even, time, signal) for signal in flat])
    return even[1] - even[0], resampled.reshape(np.shape(values))


def frequency_spectrum(time, values, window=None):
    """The FrequencySpectrum of signals in time, such as those of probes or of a time series.

    time    (records) [L/U], ascending. Where steps differ, values are interpolated at equal times
    values  (..., records), the time last
    window  records in a window; by default half of the signal, but no more than LONGEST_WINDOW

    Means over windows, each by half a window after the last, without the means of the signals and
    with Hann's taper w (Welch, IEEE Trans. Audio 15 (1967) 70-73). One-sided:

        E_m = c_m dt |sum_j w_j u'_j exp(-2 pi i m j/N)|^2 / sum w^2,     f_m = m/(N dt)

    c_m = 1 for m = 0 and m = N/2 (N even), else 2. The sum of E df with df = 1/(N dt) is
    sum w^2 u'^2 / sum w^2 (Parseval): about the variance of a signal in a window.

    Raises ValueError for shapes that do not fit, fewer than 2 records in a window, and times that
    do not ascend.
    """
    time, values = np.asarray(time, float), np.asarray(values, float)
    records = len(time)
    length = min(records // 2, LONGEST_WINDOW) if window is None else window
    if values.shape[-1:] != time.shape or not 2 <= length <= records:
        raise ValueError(f"{records} times and values of the shape {values.shape} have no windows "
                         f"of {length} records: the time must be the last axis, of 2 or more")
    if not (np.diff(time) > 0).all():
        raise ValueError("times must ascend")
    interval, values = at_equal_times(time, values)
    values = values - values.mean(axis=-1, keepdims=True)
    taper = np.hanning(length + 1)[:-1]
    starts = range(0, records - length + 1, max(length // 2, 1))
    power = np.mean([np.abs(np.fft.rfft(values[..., first:first + length] * taper)) ** 2
                     for first in starts], axis=0)
    twice = np.full(power.shape[-1], 2.0)
    twice[0] = 1
    if length % 2 == 0:
        twice[-1] = 1
    return FrequencySpectrum(np.fft.rfftfreq(length, interval),
                             interval * twice * power / (taper**2).sum(), len(starts))
