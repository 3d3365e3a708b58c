"""Files of netCDF-4."""
import h5py
import numpy as np

from dnsflow.tables import is_along
from dnsflow.units import cf_attributes_of


def put_attributes(thing, attributes):
    for name, value in attributes.items():
        thing.attrs[name] = np.bytes_(value.encode()) if isinstance(value, str) else value


def write_netcdf(path, arrays):
    """Writes NamedArrays or a TimeSeries as a file of netCDF-4: HDF5 with dimension scales.

    Snapshots and averages, which are of one time, get a dimension `time` of one record that can be
    appended to: tools join files along it (ncrcat, xarray.open_mfdataset). Attributes are those of
    the file; each variable has units, long_name and, of coordinates, axis, as CF has them, and
    names the coordinates that are no axes: y_plus, the places of the points of a line, step.
    """
    with h5py.File(path, "w") as file:
        put_attributes(file, {name: value for name, value in arrays.attributes.items()
                              if name not in ("step", "time")})
        is_of_one_time = "time" not in arrays

        def create(name, axes, values):
            unlimited = {"maxshape": [None if axis == "time" else count
                                      for axis, count in zip(axes, values.shape)]
                         } if "time" in axes else {}
            data = file.create_dataset(name, data=values, **unlimited)
            put_attributes(data, cf_attributes_of(name))
            if axes == (name,):
                data.make_scale(name)

        if is_of_one_time:
            create("time", ("time",), np.array([arrays.time]))
            create("step", ("time",), np.array([arrays.step]))
            file["step"].dims[0].attach_scale(file["time"])
        along = {name: set(arrays.axes[name]) for name in arrays
                 if is_along(arrays, name) and not arrays.is_coordinate(name)}
        names = sorted(arrays, key=lambda name: not arrays.is_coordinate(name))  # scales first
        for name in names:
            axes, values = arrays.axes[name], np.asarray(arrays[name])
            if not arrays.is_coordinate(name) and not name.endswith("_plus") and is_of_one_time:
                if axes == (name,):  # averaged over all axes
                    axes, values = (), values[0]
                axes, values = ("time", *axes), values[np.newaxis]
            create(name, axes, values)
            beside = ["step"] * is_of_one_time + [other for other, own in along.items()
                                                  if own <= set(axes)]
            if beside and not is_along(arrays, name):
                put_attributes(file[name], {"coordinates": " ".join(beside)})
            for number, axis in enumerate(axes if axes != (name,) else ()):
                if axis not in file:  # a dimension without coordinates
                    count = values.shape[number]
                    file.create_dataset(axis, (count,), "f4").make_scale(
                        f"This is a netCDF dimension but not a netCDF variable.{count:10d}")
                file[name].dims[number].attach_scale(file[axis])
