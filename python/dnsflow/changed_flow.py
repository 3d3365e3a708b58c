"""What a user gives a run while it goes on: a flow, sources, keys, and the memory itself."""
import contextlib
import os
import tempfile

import numpy as np

from dnsflow.case_input import yaml_of
from dnsflow.errors import ViewInUse
from dnsflow.start_file import write_start

AXES = {"x": 2, "y": 1, "z": 0}  # their numbers in arrays (nz, ny, nx)
HOST = 1  # the number of its memory in DLPack


def values_of(function, x, y, z):
    """What a function of x, y, z gives at points: (nz, ny, nx), or a list of such."""
    points = (len(z), len(y), len(x))
    found = function(x[None, None, :], y[None, :, None], z[:, None, None])
    if isinstance(found, (tuple, list)):
        return [np.broadcast_to(np.asarray(one, float), points) for one in found]
    return np.broadcast_to(np.asarray(found, float), points)


def velocity_of(given, flow):
    """A velocity as write_start takes it, of an array, of arrays or a function; None: as it is."""
    at_faces = "x_faces" in flow
    if given is None:
        return [flow[f"velocity_{axis}"] for axis in "xyz"] if at_faces else flow["velocity"]
    if not callable(given):
        return given
    if not at_faces:
        return np.stack(values_of(given, flow["x"], flow["y"], flow["z"]), axis=-1)
    components = []
    for number, axis in enumerate("xyz"):
        places = {other: flow[f"{other}_faces" if other == axis else other] for other in "xyz"}
        components.append(values_of(given, **places)[number])
    return components


def set_flow(simulation, velocity, scalars, keep_time):
    """See Simulation.set_flow."""
    flow = simulation.flow
    names = [name for name in simulation.names if name not in ("pressure", "solid")]
    unknown = ", ".join(sorted({*scalars} - {*names}))
    if unknown:
        raise ValueError(f"the flow has no {unknown}; it has velocity, {', '.join(names)}")
    points = [flow[axis] for axis in "xyz"]

    def own():
        values = {name: flow[name] if scalars.get(name) is None
                  else values_of(scalars[name], *points) if callable(scalars[name])
                  else np.asarray(scalars[name]) for name in names}
        return velocity_of(velocity, flow), values

    own_velocity, values = simulation.together(own, "set_flow")
    if isinstance(own_velocity, np.ndarray):
        whole_velocity = simulation.joined(own_velocity)
    else:
        whole_velocity = [simulation.joined(np.asarray(one)) for one in own_velocity]
    values = {name: simulation.joined(one) for name, one in values.items()}
    with file_of_all(simulation) as path:
        def write():
            if simulation.native.rank == 0:
                box = simulation.native.coordinates()
                faces = [box[f"{axis}_faces"] for axis in "xyz"] if "x_faces" in box else None
                write_start(path, *(box[axis] for axis in "xyz"), velocity=whole_velocity,
                            faces=faces, **values)
        simulation.together(write, "set_flow")
        simulation.native.set_flow(path, keep_time)


@contextlib.contextmanager
def file_of_all(simulation):
    """The path of a file that rank 0 writes and all read, in the folder of the run where it has one,
    as hosts share it.
    """
    with contextlib.ExitStack() as stack:
        path = None
        if simulation.native.rank == 0:
            made = tempfile.TemporaryDirectory(dir=simulation.folder)
            path = os.path.join(os.path.abspath(stack.enter_context(made)), "flow.h5")
        yield path if simulation.comm is None else simulation.comm.bcast(path)


def at_low_faces(values, faces, number, is_periodic):
    """Values at centres, (nz, ny, nx), at the low faces across the axis of this number:
    interpolated, at a boundary those of the cell beside it.
    """
    centres, below = (faces[1:] + faces[:-1]) / 2, np.roll(values, 1, axis=number)
    before = np.roll(centres, 1)
    before[0] -= faces[-1] - faces[0]
    part = (faces[:-1] - before) / (centres - before)  # of the cell above the face
    if not is_periodic:
        part[0] = 1
    part = part.reshape([-1 if n == number else 1 for n in range(3)])
    return part * values + (1 - part) * below


class Forcing:
    """What drives a flow, read and changed while the run goes on.

    bulk_velocity, pressure_gradient  three numbers, where forcing.type is that
    acceleration  three formulas of x, y, z, t; or an array (nz, ny, nx, 3) at the centres of cells
                  or at nodes; or three arrays (nz, ny, nx) where the components of the velocity
                  are, at the low faces of cells
    heat          a formula, or an array (nz, ny, nx)
    linear        acceleration over velocity [U/L]

    Checkpoints have all of them.
    """

    _keys = {"bulk_velocity": "value", "pressure_gradient": "value", "acceleration": "acceleration",
             "heat": "heat", "linear": "linear"}

    def __init__(self, simulation):
        object.__setattr__(self, "_simulation", simulation)

    def __getattr__(self, name):
        if name not in self._keys:
            raise AttributeError(self._unknown(name))
        forcing = self._simulation.case.get("forcing") or {}
        self._require_type(name, forcing)
        return forcing.get(self._keys[name], 0)

    def __setattr__(self, name, value):
        if name not in self._keys:
            raise AttributeError(self._unknown(name))
        forcing = self._simulation.case.get("forcing") or {}
        self._require_type(name, forcing)
        if name in ("acceleration", "heat") and is_array(value):
            return self._set_arrays(name, value, forcing)
        made = {} if forcing else {"forcing.type": "formula"}
        self._simulation.change({**made, f"forcing.{self._keys[name]}": value})

    def _unknown(self, name):
        return f"forcing has no {name}; it has {', '.join(self._keys)}"

    @staticmethod
    def _require_type(name, forcing):
        if name in ("bulk_velocity", "pressure_gradient") and forcing.get("type") != name:
            raise AttributeError(f"forcing.type is {forcing.get('type', 'not given')}: there is no "
                                 f"{name}")

    def _set_arrays(self, name, value, forcing):
        key = f"forcing.{self._keys[name]}"
        if forcing.get(name):  # formulas, which the arrays replace
            self._simulation.change({key: [0, 0, 0] if name == "acceleration" else 0})
        if name == "heat":
            return self._simulation.set_source("temperature", value)
        flow = self._simulation.flow
        for number, axis in enumerate("xyz"):
            if isinstance(value, np.ndarray):
                own = np.asarray(value[..., number], float)
                if "x_faces" in flow:
                    own = at_low_faces(own, flow[f"{axis}_faces"], AXES[axis],
                                       flow.case["boundaries"].get(axis) == "periodic")
            else:
                own = value[number]
            self._simulation.set_source(f"velocity_{axis}", own)


def is_array(value):
    return isinstance(value, np.ndarray) and value.ndim >= 3 or (
        isinstance(value, (tuple, list)) and len(value) == 3
        and all(isinstance(one, np.ndarray) and one.ndim == 3 for one in value))


class DeviceFields:
    """The memory of the flow, within `with simulation.device() as fields`.

    fields["velocity_x"] is (nz, ny, nx), at the low faces of cells or at nodes, without a copy: an
    array of NumPy, or on a GPU what cupy.from_dlpack and torch.from_dlpack take. Rows are further
    apart than their values (strides).
    """

    def __init__(self, simulation, writes):
        self._simulation, self._writes = simulation, writes

    def __enter__(self):
        self._simulation.open_device(self._writes)
        return self

    def __iter__(self):
        return iter(self._simulation.native.device_fields())

    def __contains__(self, name):
        return name in self._simulation.native.device_fields()

    def __getitem__(self, name):
        return self._simulation.view(name)

    def compact(self, name):
        """A copy on the same device with its values side by side, as JAX needs them; it may be
        kept.
        """
        if self._simulation.native.device_number < 0:
            return np.ascontiguousarray(self[name])
        import cupy  # on a GPU alone
        return cupy.ascontiguousarray(cupy.from_dlpack(self[name]))

    def assign(self, name, values):
        """Writes an array of any kind into a field."""
        if self._simulation.native.device_number < 0:
            self[name][...] = values
        else:
            import cupy  # on a GPU alone
            on_device = hasattr(values, "__dlpack__") and values.__dlpack_device__()[0] != HOST
            cupy.from_dlpack(self[name])[...] = (
                cupy.from_dlpack(values) if on_device else cupy.asarray(np.asarray(values)))

    def __exit__(self, kind, *error):
        self._simulation.close_device(self._writes, may_raise=kind is None)


def require_unused(names):
    if names:
        raise ViewInUse(f"{', '.join(names)}: views of the memory are still in use; keep copies "
                        "(fields.compact), and del what refers to the views")


def changes_of(keys):
    """Keys and values as overrides."""
    return [(key, yaml_of(value)) for key, value in keys.items()]
