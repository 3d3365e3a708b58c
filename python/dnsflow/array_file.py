"""A file with arrays."""
import contextlib
import pathlib

import h5py

from dnsflow.errors import RunFileError, reading_file
from dnsflow.hdf5_arrays import (attributes_of, axes_of, dataset_in, is_whole, require_places,
                                 whole_array)
from dnsflow.named_arrays import ArrayFacts, NamedArrays


class ArrayFile(NamedArrays):
    """A snapshot or averages: arrays by name, read when they are asked for.

    path        of the file
    attributes  numbers and texts of the file by name: step, time [L/U], case (YAML), version,
                precision (of the arrays), and
                  of a snapshot: device, scales (what the units mean);
                  of averages: samples, first_time, last_time, and where there are walls
                  friction_velocity [U], between two of them friction_reynolds
    axes        of each array, slowest first: axes["velocity"] == ("z", "y", "x", "component")

    file["name"] gives a whole array in the precision of the file; `in`, iteration and len() refer
    to the names. Coordinates x, y, z [L] are those of nodes (scheme splitting) or of the centres of
    cells (scheme projection); x_faces, y_faces, z_faces, one more each, exist for cells only.

    Snapshots hold, as far as the case asks for them: velocity and vorticity (nz, ny, nx, 3),
    temperature, other scalars by their names, pressure, q_criterion and, with bodies, solid
    (nz, ny, nx): 1 in bodies, else 0.
    The velocity in cells is the mean of both faces; velocity_x (nz, ny, nx + 1), velocity_y,
    velocity_z are those on the faces, along a periodic axis the first again as the last.

    Averages hold the axes that are not averaged over, their *_faces and distances from the wall
    (y_plus), and over these axes: means u, v, w, p, T; covariances uu, uv, ... , TT, vT, ...;
    of another scalar salt, salt_salt, u_salt;
    dissipation [U^3/L]; means of formulas by their names (output.statistics.quantities). With
    bodies they are averages over the fluid, NaN where there is none, and fluid is its share. Where
    the case asks for spectra: spectrum_x_uu over wavenumber_x and the axes kept, correlation_x_uu over separation_x, spectrum_k over wavenumber.

    Raises RunFileError for a file that cannot be read, is of another format than `file_format`
    ("dns snapshot", "dns statistics"), or does not hold the arrays `names` (None: what it has).
    """

    def __init__(self, path, file_format, names=None):
        self.path = pathlib.Path(path)
        with self._opened() as file:
            self.attributes = attributes_of(file, path)
            found = self.attributes.get("format", "file of another program")
            if found != file_format:
                raise RunFileError(f"{path}: not a {file_format} but a {found}")
            arrays = {name: dataset_in(file, name) for name in (names or file)}
            super().__init__({name: ArrayFacts(axes_of(data), data.shape, data.dtype)
                              for name, data in arrays.items()})
            require_places(file, self.facts)

    @property
    def step(self):
        return int(self.attributes["step"])

    @property
    def time(self):
        return float(self.attributes["time"])

    def _read(self, name, part):
        with self._opened() as file:
            data = dataset_in(file, name)
            return whole_array(data) if is_whole(part, data.shape) else data[part]

    @contextlib.contextmanager
    def _opened(self):
        with reading_file(self.path), h5py.File(self.path, "r") as file:
            yield file
