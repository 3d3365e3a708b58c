"""Recorded planes (output.planes): the last record, like planes of a snapshot."""
import numpy as np

from dnsflow.grid import in_bodies
from pictures import slices, style
from pictures.labels import scaled
from pictures.records import RecordedVariables, within
from pictures.region import coordinates_of, parts_within
from pictures.surfaces import Surface


def bodies_on(flow, record, axis, place, parts):
    """Where bodies are on parts of a plane, from a snapshot of the same grid next to it; else
    nowhere.
    """
    across = slices.PLANES[axis]
    if flow is None or "solid" not in flow or any(
            not np.array_equal(flow[other], record[other]) for other in across):
        return np.zeros(record.read("velocity_x", time=0, **parts).shape, dtype=bool)
    return in_bodies(flow, **{axis: int(np.abs(flow[axis] - place).argmin())}, **parts)


def draw(record, flow, asked):
    """The last record in a window of time. flow: a snapshot that may say where bodies are, or none;
    asked: time, variable, range and region of the options. Raises NothingToDraw where it is too
    thin, or holds none of the variables named.
    """
    axis, place = record.attributes["axis"], float(record.attributes["at"])
    across = slices.PLANES[axis]
    first, end = within(record["time"], asked.time)
    variables = RecordedVariables(record, record.case)
    names = asked.variable
    if names is not None:
        names = [name for name in names if name in variables.names()]
    slices.require_breadth(record, across)
    if first == end:
        raise style.NothingToDraw("it has no record in that time")
    if names == []:
        raise style.NothingToDraw(f"it records no {', '.join(asked.variable)}")
    parts = parts_within(record, across, asked.region)
    shown = slices.shown_on(variables, names, asked.range,
                            bodies_on(flow, record, axis, place, parts), time=end - 1, **parts)
    if not shown:
        raise style.NothingToDraw("nothing in it is not zero")
    figure = slices.draw_shown(coordinates_of(record, across, parts), across, shown,
                               Surface(record.case, across, {axis: place}))
    style.set_title(figure, scaled(f"${axis} = {place:.4g}\\,@L$,  "
                           f"$t = {record['time'][end - 1]:.4g}\\,@L/@U$"))
    return figure
