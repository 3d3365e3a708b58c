"""Tables: columns of one length, such as a time series, or arrays with a line for each point."""
import csv

import numpy as np

from dnsflow.errors import NamedEntries, NothingFoundError, RunFileError, reading_file
from dnsflow.importing import require_module
from dnsflow.shown import Shown, number_text
from dnsflow.units import units_of

PLACES = ("x", "y", "z", "time", "phase", "point")  # axes that no table is named after


class Table(Shown, NamedEntries):
    """Columns by name, all of one length.

    path  of the file that they are from, or what else holds them
    """

    kind = "column"

    def __init__(self, path, columns):
        super().__init__(path, columns)
        self.path = path

    def _title(self):
        return f"{type(self).__name__} {self.path}: {len(next(iter(self.values()), []))} lines"

    def _rows(self):
        return [(name, number_text(values[-1]), f"[{units_of(name)}]" if units_of(name) else "")
                for name, values in self.items()]

    def to_csv(self, path):
        """Writes the columns with their names in the first line, all digits of each number."""
        with open(path, "w", newline="", encoding="utf-8") as file:
            lines = csv.writer(file, lineterminator="\n")
            lines.writerow(self)
            lines.writerows(zip(*(map(str, values) for values in self.values())))

    def to_pandas(self):
        """A pandas.DataFrame. Raises ImportError where pandas is not installed."""
        require_module("pandas", "apt-get install python3-pandas, or pip install --upgrade pandas")
        import pandas  # loaded by those who ask for it
        return pandas.DataFrame(dict(self))


class TimeSeries(Table):
    """A Table over time: `step` as integers, the rest double."""

    attributes = {}

    @property
    def axes(self):
        return {name: ("time",) for name in self}

    def is_coordinate(self, name):
        return name == "time"

    def _title(self):
        first, last = (number_text(self["time"][end]) for end in (0, -1))
        return f"{super()._title()}, time {first} to {last}"

    def to_xarray(self):
        """An xarray.Dataset over time. Raises ImportError where xarray is not installed."""
        from dnsflow import xarray_datasets  # xarray is loaded by those who ask for it
        return xarray_datasets.dataset_of_series(self)


class Tabular:
    """Arrays by name along axes, as a table."""

    def to_csv(self, path):
        """Writes the Table of the points, see tables_of."""
        main_table(self).to_csv(path)

    def to_pandas(self):
        """The Table of the points as a pandas.DataFrame, see tables_of."""
        return main_table(self).to_pandas()


def is_along(arrays, name):
    """Whether an array tells where points are, or how long: coordinates, steps, distances from the
    wall, the time averaged over."""
    return (arrays.is_coordinate(name) or name.endswith("_plus")
            or name in ("x", "y", "z", "step", "phase_duration", "component"))


def tables_of(arrays):
    """Arrays as Tables with a line for each point, by name: those at the same points in one.

    The table of cells, nodes or records is called ""; others after their other axes: "x_faces",
    "wavenumber_x". Columns are time, phase, x, y, z, of which x varies fastest, then one
    for each array, three for each vector: velocity_x, velocity_y, velocity_z.
    """
    groups, along = {}, [name for name in arrays if is_along(arrays, name)]
    for name in arrays:
        axes = tuple(axis for axis in arrays.axes[name] if axis != "component")
        if name not in along:
            groups.setdefault(() if axes == (name,) else axes, []).append(name)
    return {"_".join(axis for axis in axes if axis not in PLACES):
            table_of(arrays, axes, names, along) for axes, names in groups.items()}


def table_of(arrays, axes, names, along):
    shape = [np.shape(arrays[names[0]])[arrays.axes[names[0]].index(axis)] for axis in axes]
    columns = {}

    def add(name, values, own_axes):
        places = [-1 if axis in own_axes else 1 for axis in axes]
        at = np.reshape(values, [count if place < 0 else 1 for count, place in zip(shape, places)])
        columns[name] = np.broadcast_to(at, shape).ravel()

    for axis in sorted(axes, key=lambda axis: (axis != "time", -axes.index(axis))):
        count = shape[axes.index(axis)]
        add(axis, arrays[axis] if axis in arrays else np.arange(count), (axis,))
    for name in along:
        own_axes = arrays.axes[name]
        if name not in columns and set(own_axes) <= set(axes):
            add(name, arrays[name], own_axes)
    for name in names:
        if "component" in arrays.axes[name]:
            for number, letter in enumerate("xyz"):
                add(f"{name}_{letter}", arrays[name][..., number], axes)
        else:
            add(name, arrays[name], axes)
    return Table(arrays.path, columns)


def main_table(arrays):
    tables = tables_of(arrays)
    if "" not in tables:
        raise NothingFoundError(f"{arrays.path}: holds no arrays at its points")
    return tables[""]


def whole_numbers(path, values):
    """A list of counts, which files hold as double. Raises RunFileError for other numbers."""
    if not (np.isfinite(values).all() and (values >= 0).all() and (values < 2**53).all()):
        raise RunFileError(f"{path}: holds counts that are no numbers")
    return values.astype(int)


def read_table(path):
    """The whole lines of a table with the names of its columns in its first line: a TimeSeries.

    Raises RunFileError where there is none, or the file cannot be read.
    """
    with reading_file(path):
        header, *lines = path.read_text(encoding="utf-8-sig").split("\n")
        names = header.split(",")
        # What follows the last end of a line is empty, or a line that is still being written.
        whole = [line for line in lines[:-1] if line.count(",") == len(names) - 1]
        if not whole:
            raise NothingFoundError(f"{path}: holds no line yet")
        series = TimeSeries(path, zip(names, np.loadtxt(whole, delimiter=",", ndmin=2).T))
        series["step"] = whole_numbers(path, series["step"])
        if not np.isfinite(series["time"]).all():
            raise RunFileError(f"{path}: holds times that are no numbers")
        return series
