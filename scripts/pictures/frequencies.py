"""Spectra over frequencies of signals in time."""
import numpy as np

FEWEST_RECORDS = 64  # of a signal: fewer make no spectrum
LONGEST_WINDOW = 2048  # records


def at_equal_times(time, values):
    """(interval, values (..., records)) at as many equally spaced times, by straight lines."""
    even = np.linspace(time[0], time[-1], len(time))
    return even[1] - even[0], np.array([np.interp(even, time, signal) for signal in values])


def windows_of(records):
    """(records in a window, first records of the windows), each by half a window after the last.

    A window is half of the signal, but no longer than LONGEST_WINDOW.
    """
    length = min(records // 2, LONGEST_WINDOW)
    return length, range(0, records - length + 1, length // 2)


def frequency_spectra(time, signals):
    """(f, E (signals, frequencies), number of windows), f > 0 and below half of that of the
    records.

    One-sided: the sum of E over f times df is about the variance of a signal in a window. The means
    of those of Hann windows (Welch, IEEE Trans. Audio 15 (1967) 70-73), without the means of the
    signals. signals (signals, records); records that are not at equal times are interpolated.
    """
    interval, signals = at_equal_times(time, signals)
    signals = signals - signals.mean(axis=1, keepdims=True)
    length, starts = windows_of(len(time))
    taper = np.hanning(length + 1)[:-1]
    parts = np.array([signals[:, first:first + length] * taper for first in starts])
    power = (np.abs(np.fft.rfft(parts)) ** 2).mean(axis=0)
    energy = 2 * interval * power / (taper**2).sum()
    last = (length - 1) // 2
    return (np.fft.rfftfreq(length, interval)[1:last + 1], energy[:, 1:last + 1], len(starts))
