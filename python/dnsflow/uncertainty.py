"""How far a mean over time may be from that over all times."""
import numpy as np

FEWEST_BATCHES = 8  # fewer have no scatter to speak of
MOST_BATCHES = 20  # 10 to 30 serve, see Schmeiser, Oper. Res. 30 (1982) 556-568
LASTING = 0.5  # correlation of neighbouring batches from which they are too short
NORMAL = 1.959964  # 95 % of a Gaussian distribution lie within this many standard deviations


def student_factor(freedom):
    """The same of Student's distribution, to 3e-4 from 7 degrees of freedom on.

    Source: Abramowitz & Stegun, Handbook of Mathematical Functions (1964), 26.7.5.
    """
    z = NORMAL
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2) + (
        3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)


def batches_of(values, durations, most):
    """(means, durations) of at most `most` batches of neighbouring values (first axis)."""
    groups = np.array_split(np.arange(len(values)), min(len(values), most))
    means = [np.average(values[group], axis=0, weights=durations[group]) for group in groups]
    return np.array(means), np.array([durations[group].sum() for group in groups])


def scatter_of_batches(means, durations, mean):
    """(half of the 95 % interval of the mean, correlation of neighbouring batches)."""
    count, apart = len(means), means - mean
    weights = (durations / durations.sum()).reshape(-1, *[1] * np.ndim(mean))
    alone = (weights * apart**2).sum(axis=0) / (count - 1)
    common = 2 * count / (count - 1) * (
        weights[1:] * weights[:-1] * apart[1:] * apart[:-1]).sum(axis=0)
    correlation = np.divide(common / 2, alone, out=np.zeros_like(alone), where=alone > 0)
    return student_factor(count - 1) * np.sqrt(alone + np.maximum(common, 0)), correlation


def uncertainty_of_mean(values, durations):
    """(mean, half of its 95 % interval, correlation of neighbouring batches) of values over time.

    values (times, ...): averages over times that follow one another and last `durations` [L/U].
    With w_i the share of batch i in all the time, d_i its distance from the mean of n batches,

        variance of the mean = sum_i w_i d_i^2 / (n - 1) + 2 n/(n - 1) sum_i w_i w_(i+1) d_i d_(i+1)

    times the square of Student's factor of n - 1. The second sum, taken where it is positive, is
    what neighbours have in common when a batch is not much longer than the memory of the flow. n is
    MOST_BATCHES, or half as many where these correlate by more than LASTING. Where longer batches
    do too, the flow remembers more than a batch, or drifts, and the interval is too short: it is
    for the caller to say so. NaN with fewer than FEWEST_BATCHES.

    Source: batch means, with the bias removed by the covariance of neighbours as in Russo &
    Luchini, J. Comput. Phys. 347 (2017) 328-340.
    """
    values, durations = np.asarray(values, float), np.asarray(durations, float)
    mean = np.average(values, axis=0, weights=durations)
    if len(values) < FEWEST_BATCHES:
        return mean, np.full_like(mean, np.nan), np.full_like(mean, np.nan)
    half, correlation = scatter_of_batches(*batches_of(values, durations, MOST_BATCHES), mean)
    if len(values) >= MOST_BATCHES:
        longer = scatter_of_batches(*batches_of(values, durations, MOST_BATCHES // 2), mean)
        are_short = correlation > LASTING
        half, correlation = (np.where(are_short, other, one)
                             for one, other in zip((half, correlation), longer))
    return mean, half, correlation
