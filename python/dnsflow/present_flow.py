"""The flow of a run that Python steps, read as a snapshot is."""
import weakref

import numpy as np

from dnsflow.named_arrays import ArrayFacts, NamedArrays

POINTS = ("z", "y", "x")


class PresentFlow(NamedArrays):
    """A copy of the present flow on the host: arrays by name, as those of Run.snapshot().

    velocity (nz, ny, nx, 3), the scalars, pressure and, with bodies, solid are at the points x, y,
    z. Scheme projection keeps velocity_x (nz, ny, nx + 1), velocity_y, velocity_z at the faces.
    On ranks they are those of the own slab.

    What has been read stays as it was at this step: arrays are made once and read-only. Reading
    after the run has gone on raises ValueError, except for what was read before.

    step, time  of the flow; time in L/U
    """

    def __init__(self, simulation):
        native = simulation.native
        self.step, self.time = native.step, native.time
        self.path = "the present flow"
        self.attributes = {"format": "dns flow", "step": self.step, "time": self.time,
                           "case": simulation.case_text, "device": native.device_name}
        self._simulation = weakref.ref(simulation)  # which holds this
        self._version = simulation.version
        self._values = native.coordinates()
        first, end = native.planes  # of this rank
        self._values["z"] = self._values["z"][first:end].copy()
        if "z_faces" in self._values:
            self._values["z_faces"] = self._values["z_faces"][first:end + 1].copy()
        points = tuple(len(self._values[axis]) for axis in POINTS)
        self._at_faces = tuple(f"velocity_{axis}" for axis in "xyz" if "x_faces" in self._values)
        facts = {name: ArrayFacts((name,), values.shape, values.dtype)
                 for name, values in self._values.items()}
        dtype = simulation.dtype
        facts["velocity"] = ArrayFacts((*POINTS, "component"), (*points, 3), dtype)
        for name in simulation.names:
            facts[name] = ArrayFacts(POINTS, points, dtype)
        for number, name in enumerate(self._at_faces):
            place = 2 - number
            axes = tuple(f"{axis}_faces" if n == place else axis for n, axis in enumerate(POINTS))
            shape = tuple(count + (n == place) for n, count in enumerate(points))
            facts[name] = ArrayFacts(axes, shape, dtype)
        super().__init__(facts)

    def _read(self, name, part):
        if name not in self._values:
            self._copy(name)
        return self._values[name][part]

    def _copy(self, name):
        simulation = self._simulation()
        if simulation is None or simulation.is_closed or simulation.version != self._version:
            raise ValueError(f"{name} of step {self.step} was not read before the run went on")
        if name in self._at_faces:
            stored = simulation.native.stored_flow()
            for number, face in enumerate(self._at_faces):  # with a ghost point at both ends
                inner = [slice(1, -1)] * 3
                inner[2 - number] = slice(1, None)
                self._values[face] = stored[face][tuple(inner)].copy()
        else:
            copied = simulation.native.flow()
            self._values["velocity"] = np.stack([copied.pop(f"velocity_{axis}") for axis in "xyz"],
                                                axis=-1)
            self._values.update(copied)
        for values in self._values.values():
            values.flags.writeable = False
