"""Recorded planes (output.planes): the last record, like planes of a snapshot."""
import numpy as np

from dnsflow.grid import in_bodies
from pictures import slices
from pictures.labels import scaled
from pictures.records import RecordedVariables, within


def bodies_on(flow, record, axis, place):
    """Where bodies are on a plane, from a snapshot of the same grid next to it; else nowhere."""
    shape = record.facts["velocity_x"].shape[1:]
    across = slices.PLANES[axis]
    if flow is None or "solid" not in flow or any(
            not np.array_equal(flow[other], record[other]) for other in across):
        return np.zeros(shape, dtype=bool)
    return in_bodies(flow, **{axis: int(np.abs(flow[axis] - place).argmin())})


def draw(record, flow=None, window=None, names=None, limits=None):
    """The last record in a window of time; nothing where it is too thin, or holds none of the
    variables named. flow: a snapshot that may say where bodies are; limits: of the colours.
    """
    axis, place = record.attributes["axis"], float(record.attributes["at"])
    across = slices.PLANES[axis]
    first, end = within(record["time"], window)
    variables = RecordedVariables(record, record.case)
    if names is not None:
        names = [name for name in names if name in variables.names()]
    if (first == end or names == []
            or min(len(record[other]) for other in across) < slices.FEWEST_POINTS):
        return None
    shown = slices.shown_on(variables, names, limits, bodies_on(flow, record, axis, place),
                            time=end - 1)
    if not shown:
        return None
    figure = slices.draw_shown(record, across, shown)
    figure.suptitle(scaled(f"${axis} = {place:.4g}\\,@L$,  "
                           f"$t = {record['time'][end - 1]:.4g}\\,@L/@U$"), fontsize=10)
    return figure
