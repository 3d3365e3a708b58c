"""How far both halves of a channel differ that a validation averages: flow along x, walls across y.
"""
import numpy as np

from curves import mean_and_uncertainty
from pictures import symmetry

DIRECTIONS = ("u", "v", "w")


def tell_wall_shears(report, run, words=""):
    """Adds the difference of the shear at both walls with its 95 % interval to the report.

    words: before the names of the rows.
    """
    series, start = run.time_series(), run.statistics().attributes["first_time"]
    low, high = (series[f"wall_shear_{face}_x"] for face in ("y_min", "y_max"))
    mean, _ = mean_and_uncertainty(series["time"], (low + high) / 2, start)
    apart, interval = mean_and_uncertainty(series["time"], low - high, start)
    report.bound(f"{words}wall shear at y_min less that at y_max, over their mean", apart / mean,
                 None, True)
    report.bound(f"{words}95 % interval of this difference", interval / mean, None, True)


def tell_asymmetry(report, run, scalars=(), words=""):
    """Adds the rows of tell_wall_shears, and whether the profiles of both halves are alike, see
    symmetry.asymmetry_of.

    scalars: names of those that are averaged, too.
    """
    tell_wall_shears(report, run, words)
    averages = run.averages()
    asymmetry = symmetry.asymmetry_of(averages, DIRECTIONS, scalars)
    has_intervals = f"{DIRECTIONS[0]}_uncertainty" in averages and np.isfinite(
        averages[f"{DIRECTIONS[0]}_uncertainty"]).any()
    limit = "their 95 % intervals" if has_intervals else f"{100 * symmetry.UNLIKE:g} %"
    found = f"but are not alike: {asymmetry}" if asymmetry else f"alike within {limit}"
    note = f"{words}both halves are averaged, {found}."
    report.note(note[0].upper() + note[1:])
