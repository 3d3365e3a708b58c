"""What planes and probes record: variables, and their labels."""
import functools

import numpy as np

from pictures import frame
from pictures.ranges import largest
from pictures.variables import FLOATS, VARIABLES, FlowVariables, scalars_of

ARRAYS = {"u": "velocity_x", "v": "velocity_y", "w": "velocity_z", "T": "temperature",
          "p": "pressure"}


def within(time, window):
    """Numbers (first, one after the last) of the records in a window of time; of all without one.
    """
    if window is None:
        return 0, len(time)
    return (int(np.searchsorted(time, window[0])),
            int(np.searchsorted(time, window[1], side="right")))


class RecordedVariables(FlowVariables):
    """The variables of records, at what `where` names: time, points.

    Velocities are relative to walls that all move alike, speeds those of all three components.
    """

    def __init__(self, records, case):
        self.flow = records
        self.frame = frame.frame_velocity(case)
        self.scalars = scalars_of(case)

    def names(self):
        has_velocity = all(ARRAYS[name] in self.flow for name in "uvw")
        return [name for name in VARIABLES if ARRAYS.get(name) in self.flow
                or (name == "speed" and has_velocity)] + self._scalars_there()

    def on_plane(self, name, **where):
        if name == "speed":
            return np.sqrt(sum(self.on_plane(one, **where) ** 2 for one in "uvw"))
        array = ARRAYS.get(name, name)
        values = self.flow.read(array, **where) if where else self.flow[array]
        wall = self.frame["uvw".index(name)] if name in tuple("uvw") else 0
        return values.astype(float) - wall

    def lasting(self, **where):
        """name -> values of all but the speed and what is round-off beside the largest component.
        """
        found = {name: self.on_plane(name, **where) for name in
                 [*(name for name in ARRAYS if ARRAYS[name] in self.flow), *self._scalars_there()]}
        most = max((largest(values) for name, values in found.items()
                    if name in tuple("uvw")), default=0)
        least = {**dict.fromkeys("uvw", FLOATS * most), "p": FLOATS * most**2}
        return {name: values for name, values in found.items()
                if most == 0 or largest(values) > least.get(name, 0)}

    @functools.cached_property
    def speed(self):
        """The largest component of the last record [U]."""
        where = {"time": len(self.flow["time"]) - 1} if hasattr(self.flow, "read") else {}
        return max((largest(self.on_plane(name, **where)) for name in "uvw"
                    if ARRAYS[name] in self.flow), default=0)
