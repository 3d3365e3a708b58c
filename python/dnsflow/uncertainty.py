"""How far a mean over time may be from the mean over all times."""
import numpy as np

FEWEST_BATCHES = 8  # fewer have no scatter to speak of
MOST_BATCHES = 200  # more only cost time
LASTING = 0.6  # share of the time within which values correlate, from which the time is too short
LEAST_FREEDOM = 1.2  # degrees of freedom; fewer make intervals wider than the coverage needs
# 97.5 % quantile of Student's distribution. Source: Abramowitz & Stegun, Handbook of Mathematical
# Functions (1964), table 26.10; 1.5 from the integral of the density.
FREEDOM = np.array([1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 60, np.inf])
STUDENT = np.array([12.706, 6.017, 4.303, 3.182, 2.776, 2.571, 2.447, 2.306, 2.228, 2.131, 2.086,
                    2.042, 2.000, 1.960])


def student_factor(freedom):
    """Half of the 95 % interval in standard deviations, to 1.1 % for any freedom >= 1.2."""
    return np.exp(np.interp(1 / np.asarray(freedom), 1 / FREEDOM[::-1], np.log(STUDENT[::-1])))


def batches_of(values, durations):
    """(means, durations) of values; more than MOST_BATCHES are joined to batches that last alike.
    """
    if len(values) <= MOST_BATCHES:
        return values, durations
    middles = np.cumsum(durations) - durations / 2
    batch = (middles * (MOST_BATCHES / durations.sum())).astype(int)
    starts = np.flatnonzero(np.diff(batch, prepend=-1))
    lasting = np.add.reduceat(durations, starts)
    sums = np.add.reduceat(values * column(durations, values), starts, axis=0)
    return sums / column(lasting, values), lasting


def column(numbers, values):
    """One number for each entry of the first axis of values."""
    return numbers.reshape(-1, *[1] * (np.ndim(values) - 1))


def uncertainty_of_mean(values, durations):
    """(mean, half of its 95 % interval, share of the time within which values correlate).

    values (times, ...): averages over times that follow one another and last `durations` [L/U].
    With w_i the share of value i in all the time and z_i = w_i (value i - mean) of n values,

        c_k = sum_i z_i z_(i+k),   positive for k = 0 .. M and not for k = M + 1
        share = (2 M + 1) s
        half = t(f) sqrt((c_0 + 2 sum_k min(c_k, c_(k-1), ...))/(1 - share)),  f = (1/share - 1)/2

    where s = sum_i w_i^2 is 1/n for equal durations; t is Student's factor of f degrees of freedom,
    at least LEAST_FREEDOM; 1 - share, at least 0.1, makes up for deviations from this mean and not
    the true one. 1/share is the number of pieces of the time that know little of each other. M
    itself is uncertain: half as many degrees of freedom as for a given M keep the coverage
    where the time is but twice the memory. Where the share is above LASTING the signal drifts or
    remembers about as long as it was seen: the caller has to say so. More than MOST_BATCHES values
    are joined to batches first. NaN with fewer than FEWEST_BATCHES values.

    Source: initial positive and monotone sequences as in Geyer, Stat. Sci. 7 (1992) 473-483, of
    single lags and not of pairs (as integral scales are taken up to the first zero); degrees of
    freedom and their floor are chosen here by the coverage of signals with known memory.
    """
    values, durations = np.asarray(values, float), np.asarray(durations, float)
    mean = np.average(values, axis=0, weights=durations)
    if len(values) < FEWEST_BATCHES:
        return mean, np.full_like(mean, np.nan), np.full_like(mean, np.nan)
    batches, lasting = batches_of(values, durations)
    weights = lasting / lasting.sum()
    apart = column(weights, batches) * (batches - mean)
    common = (apart**2).sum(axis=0)
    variance, lags, is_going_on = common.copy(), np.zeros_like(mean), np.ones(np.shape(mean), bool)
    for lag in range(1, len(batches)):
        common = np.minimum(common, (apart[lag:] * apart[:-lag]).sum(axis=0))
        is_going_on &= common > 0
        if not is_going_on.any():
            break
        variance += np.where(is_going_on, 2 * common, 0)
        lags += is_going_on
    share = (2 * lags + 1) * (weights**2).sum()
    freedom = np.maximum((1 / share - 1) / 2, LEAST_FREEDOM)
    half = student_factor(freedom) * np.sqrt(variance / np.maximum(1 - share, 0.1))
    return mean, half, share
