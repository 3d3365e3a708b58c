"""Reads the folder of a run of `dns` into NumPy arrays.

    from dnsflow import Run

    run = Run("runs/channel192")
    flow = run.snapshot()                    # the newest; run.snapshot(50): that of step 50
    u = flow["velocity"][..., 0]             # (nz, ny, nx), at flow["x"], flow["y"], flow["z"]
    plane = flow.read("velocity", z=12)      # (ny, nx, 3): one plane, nothing else is read
    averages = run.statistics()              # averages["uv"] over averages["y"]
    series = run.time_series()               # series["kinetic_energy"] over series["time"]
    run.case["fluid"]["reynolds"]

All numbers are non-dimensional: lengths in L, velocities in U, times in L/U, temperatures in T0,
pressure over density in U^2. The files may belong to a run that is going on or was killed: what is
still being written (*.part, the last line of the time series) is left out.

Arrays whose values do not match the checksum that the program wrote with them are refused.

Needs numpy and h5py (Debian: python3-h5py). Whatever cannot be read raises RunFileError.
"""
import contextlib
import json
import math
import os
import pathlib
import re
import zlib

import h5py
import numpy as np


class RunFileError(Exception):
    """A folder that holds no run, a file that is missing, damaged or of another kind."""


@contextlib.contextmanager
def reading(path):
    """Turns any error that a damaged file causes within into a RunFileError that names the file."""
    try:
        yield
    except RunFileError:
        raise
    except Exception as error:  # h5py raises errors of many kinds
        raise RunFileError(f"{path}: cannot be read: {error}") from error


BEST_COMPRESSION = 1032  # of gzip


def dataset_in(file, name):
    """The dataset of an open file. Its values are in this file, as many as its shape says."""
    data = file[name] if isinstance(file.get(name, getlink=True), h5py.HardLink) else None
    if not isinstance(data, h5py.Dataset) or data.external or data.is_virtual:
        raise RunFileError(f"{file.filename}: {name} is not an array of this file")
    factor = BEST_COMPRESSION if data.compression else 1
    needed = math.prod(map(int, data.shape)) * data.dtype.itemsize  # NumPy's product overflows
    if data.dtype.kind != "f" or needed > factor * data.id.get_storage_size():
        raise RunFileError(f"{file.filename}: {name} does not hold the values that its shape says")
    return data


def axes_of(data):
    """The names of a dataset's axes, slowest first."""
    if "axes" in data.attrs:
        return tuple(data.attrs["axes"].decode().split())
    name = data.name[1:]
    if "DIMENSION_LABELS" in data.attrs:  # all that files of dns 0.1.0 have
        return tuple(axis.label or name.split("_")[0] for axis in data.dims)
    return (name.split("_")[0],)  # coordinates bear no label: x_faces lie along x


def whole_array(data):
    """All values of a dataset, compared with the checksum that it may have."""
    values = data[()]
    stored = data.attrs.get("crc32")
    little_endian = values.astype(values.dtype.newbyteorder("<"), order="C", copy=False)
    if stored is not None and zlib.crc32(little_endian) != stored:
        raise RunFileError(f"{data.file.filename}: the values of {data.name[1:]} do not match their "
                           "checksum; if they were changed on purpose, delete the attribute crc32")
    return values


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


class Run:
    """The folder of a run. Raises RunFileError when there is none.

    folder  its path
    """

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        if not self.folder.is_dir():
            raise RunFileError(f"{folder}: no such folder")
        if not (self.folder / "case.yaml").exists():
            raise RunFileError(f"{folder}: holds no run (no case.yaml)")

    @property
    def case_text(self):
        """The resolved case as YAML."""
        path = self.folder / "case.yaml"
        with reading(path):
            return path.read_text(encoding="utf-8")

    @property
    def case(self):
        """The resolved case, every default spelt out: case["grid"]["points"] == [nx, ny, nz]."""
        return parse_case(self.case_text)

    def snapshot_paths(self):
        """Paths of all snapshots by step, the oldest first."""
        found = {}
        with reading(self.folder):
            names = os.listdir(self.folder)
        for name in names:
            numbered = re.fullmatch(r"fields_(\d{8,})\.h5", name)
            if numbered:
                found[int(numbered[1])] = self.folder / name
        return dict(sorted(found.items()))

    def snapshot(self, step=None):
        """The snapshot of a step; without one the newest. An ArrayFile."""
        paths = self.snapshot_paths()
        if not paths:
            raise RunFileError(f"{self.folder}: holds no snapshot; the case sets how often one is "
                               "written: output.fields.every")
        if step is None:
            step = max(paths)
        if step not in paths:
            raise RunFileError(f"{self.folder}: holds no snapshot of step {step}, but of "
                               f"{', '.join(map(str, paths))}")
        return ArrayFile(paths[step], "dns snapshot")

    def snapshots(self):
        """All snapshots, the oldest first, one at a time."""
        return (ArrayFile(path, "dns snapshot") for path in self.snapshot_paths().values())

    def statistics(self):
        """The averages so far. An ArrayFile."""
        path = self.folder / "statistics.h5"
        if not path.exists():
            raise RunFileError(f"{path}: no such file; the case sets when averages are taken: "
                               "output.statistics")
        return ArrayFile(path, "dns statistics")

    def time_series(self):
        """Columns of timeseries.csv by name, all of one length: step as integers, the rest double.

        time, dt [L/U], cfl, divergence_mean, divergence_max [U/L], kinetic_energy [U^2],
        dissipation [U^3/L], and what else the flow has: bulk_velocity_x, friction_velocity [U],
        wall_shear_* [U^2], nusselt_*, temperature_mean [T0], force_NAME_x of bodies [U^2 L^2],
        ...; wall_seconds [s] start again at every resume.
        """
        path = self.folder / "timeseries.csv"
        if not path.exists():
            raise RunFileError(f"{path}: no such file; the case sets how often a line is written: "
                               "output.timeseries.every")
        with reading(path):
            header, *lines = path.read_text(encoding="utf-8").split("\n")
            names = header.split(",")
            # What follows the last end of a line is empty, or a line that is still being written.
            whole = [line for line in lines[:-1] if line.count(",") == len(names) - 1]
            if not whole:
                raise RunFileError(f"{path}: holds no line yet")
            series = dict(zip(names, np.loadtxt(whole, delimiter=",", ndmin=2).T))
            return {**series, "step": series["step"].astype(int)}


WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s\[\]{},:"]+')


def word_as_json(match):
    """A number, a bare word or a quoted text of YAML as the program writes them."""
    word = match[0]
    if word.startswith('"'):
        return re.sub(r"\\(x|.)", lambda escape: r"\u00" if escape[1] == "x" else escape[0], word)
    for number in (int, float):
        try:
            return json.dumps(number(word))
        except ValueError:
            pass
    return json.dumps(word)


def parse_case(text):
    """A resolved case as nested dictionaries: parse_case(...)["boundaries"]["x"] == "periodic".

    Reads what the program itself writes, in case.yaml and in the attribute `case` of every file:
    one key per line, two spaces per level, lists and maps within a line. Not YAML in general.
    Raises RunFileError for anything else.
    """
    sections = [{}]
    line = ""
    try:
        for line in filter(str.strip, text.splitlines()):
            depth = (len(line) - len(line.lstrip())) // 2
            key, value = line.strip().split(":", 1)
            del sections[depth + 1:]
            if value.strip():
                sections[depth][key] = json.loads(WORD.sub(word_as_json, value))
            else:
                sections.append(sections[depth].setdefault(key, {}))
    except (ValueError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise RunFileError(f"not a case written by dns: '{line.strip()}'") from error
    return sections[0]
