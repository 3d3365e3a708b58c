"""Ranges of values: what is masked or not finite does not count."""
import numpy as np

ROUND_OFF = 1e-6  # of the scale of a quantity: fluctuations and means this small are none


def finite(values):
    """The values that count, as one line."""
    counting = np.ma.compressed(values)
    return counting[np.isfinite(counting)]


def largest(values):
    """The largest magnitude; 0 where no value counts."""
    return np.abs(finite(values)).max(initial=0)


def rms(variance):
    """The square root; round-off below zero is none."""
    return np.sqrt(np.maximum(variance, 0))
