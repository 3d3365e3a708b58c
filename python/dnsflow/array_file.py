"""A file with arrays."""
import contextlib
import pathlib

import h5py
import numpy as np

from dnsflow.case import parse_case
from dnsflow.errors import RunFileError, reading
from dnsflow.hdf5_arrays import axes_of, dataset_in, whole_array


class ArrayFile:
    """A snapshot or statistics.h5: arrays by name, read when they are asked for.

    path        of the file
    attributes  numbers and texts of the file by name: step, time [L/U], case (YAML), version,
                precision (of the arrays), and
                  of a snapshot: device, scales (what the units mean);
                  of statistics: samples, first_time, last_time, and where there are walls
                  friction_velocity [U], between two of them friction_reynolds
    axes        of each array, slowest first: axes["velocity"] == ("z", "y", "x", "component")

    file["name"] gives a whole array in the precision of the file; `in`, iteration and len() refer
    to the names. Coordinates x, y, z [L] are those of nodes (scheme splitting) or of the centres of
    cells (scheme projection); x_faces, y_faces, z_faces, one more each, exist for cells only.

    Snapshots hold, as far as the case asks for them: velocity (nz, ny, nx, 3), temperature,
    pressure and, with bodies, solid (nz, ny, nx): 1 in bodies, else 0. Statistics hold the axes
    that are not averaged over, their *_faces and distances from the wall (y_plus), and over these
    axes: means u, v, w, p, T; covariances uu, uv, ... , TT, vT, ...; dissipation [U^3/L]. With
    bodies they are averages over the fluid, NaN where there is none, and fluid is its share.
    """

    def __init__(self, path, file_format):
        self.path = pathlib.Path(path)
        with self._opened() as file:
            self.attributes = {name: value.decode() if isinstance(value, bytes) else value
                               for name, value in file.attrs.items()}
            found = self.attributes.get("format", "file of another program")
            if found != file_format:
                raise RunFileError(f"{path}: not a {file_format} but a {found}")
            arrays = {name: dataset_in(file, name) for name in file}
            self.axes = {name: axes_of(data) for name, data in arrays.items()}
            self._shapes = {name: data.shape for name, data in arrays.items()}

    @property
    def step(self):
        with reading(self.path):
            return int(self.attributes["step"])

    @property
    def time(self):
        with reading(self.path):
            return float(self.attributes["time"])

    @property
    def case(self):
        """The resolved case that the file was made with, see parse_case."""
        try:
            return parse_case(self.attributes.get("case"))
        except RunFileError as error:
            raise RunFileError(f"{self.path}: {error}") from error

    def __contains__(self, name):
        return name in self.axes

    def __iter__(self):
        return iter(self.axes)

    def __len__(self):
        return len(self.axes)

    def __getitem__(self, name):
        return self.read(name)

    def read(self, name, **where):
        """Part of an array: `where` gives a number or a slice of points along axes by name.

        flow.read("pressure", z=0, x=slice(0, 8)) has the shape (ny, 8). Raises KeyError for a name
        that the file does not hold, IndexError for a point that is not there.
        """
        if name not in self.axes:
            raise KeyError(f"{self.path} holds no {name}; it holds {', '.join(self.axes)}")
        axes = self.axes[name]
        unknown = ", ".join(set(where) - set(axes))
        if unknown:
            raise KeyError(f"{name} of {self.path} has no axis {unknown}; it has {', '.join(axes)}")
        part = tuple(where.get(axis, slice(None)) for axis in axes)
        np.broadcast_to(0, self._shapes[name])[part]  # the caller's mistakes, not the file's
        with self._opened() as file:
            data = dataset_in(file, name)
            return data[part] if where else whole_array(data)

    @contextlib.contextmanager
    def _opened(self):
        with reading(self.path), h5py.File(self.path, "r") as file:
            yield file
