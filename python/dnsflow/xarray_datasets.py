"""Arrays of a run as xarray.Dataset, whose values are read when they are used."""
from dnsflow.errors import reading
from dnsflow.importing import require_module
from dnsflow.units import cf_attributes_of

require_module("xarray", "apt-get install python3-xarray, or pip install --upgrade xarray")
import xarray  # noqa: E402
from xarray.backends import BackendArray  # noqa: E402
from xarray.core import indexing  # noqa: E402


class ArrayInFiles(BackendArray):
    """An array of NamedArrays as xarray reads it."""

    def __init__(self, arrays, name):
        self.arrays, self.name = arrays, name
        self.axes, self.shape, self.dtype = arrays.facts[name]

    def __getitem__(self, key):
        return indexing.explicit_indexing_adapter(
            key, self.shape, indexing.IndexingSupport.BASIC, self._part)

    def _part(self, indices):
        return self.arrays.read(self.name, **dict(zip(self.axes, indices)))


def variable_of(arrays, name):
    """One array: what is read is kept, and what is written stays in memory."""
    axes = arrays.axes[name]
    if axes == (name,) and not arrays.is_coordinate(name):  # averaged over all axes
        return xarray.Variable((), arrays[name][0], cf_attributes_of(name))
    if isinstance(arrays, dict):  # in memory already
        return xarray.Variable(axes, arrays[name], cf_attributes_of(name))
    lazy = indexing.LazilyIndexedArray(ArrayInFiles(arrays, name))
    kept = indexing.MemoryCachedArray(indexing.CopyOnWriteArray(lazy))
    return xarray.Variable(axes, kept, cf_attributes_of(name))


def dataset_of(arrays):
    """NamedArrays or Averages as a Dataset: dimensions are their axes; each variable has long_name
    and units, coordinates have axis, as in the CF conventions.

    Coordinates are those of the axes, distances from the wall (y_plus), step, and for the axis
    component x, y, z. Values are read from the files when they are used; Dataset.chunk() makes them
    arrays of dask, where that is installed. Attributes are those of the file.
    """
    with reading(arrays.path):
        variables = {name: variable_of(arrays, name) for name in arrays}
        coordinates = {name: variables.pop(name) for name in arrays
                       if arrays.is_coordinate(name) or name.endswith("_plus")
                       or name in ("x", "y", "z", "step")}
        if any("component" in variable.dims for variable in variables.values()):
            coordinates["component"] = list("xyz")
        attributes = {name: value for name, value in arrays.attributes.items()
                      if name not in variables and name not in coordinates}
        return xarray.Dataset(variables, coordinates, attributes)


def dataset_of_series(series):
    """A TimeSeries as a Dataset over time."""
    with reading(series.path):
        columns = {name: ("time", values, cf_attributes_of(name)) for name, values in series.items()}
        coordinates = {name: columns.pop(name) for name in ("time", "step")}
        return xarray.Dataset(columns, coordinates)
