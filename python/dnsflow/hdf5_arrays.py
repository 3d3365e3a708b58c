"""Arrays of HDF5 files that may be damaged, or made to harm."""
import math
import zlib

import h5py

from dnsflow.errors import RunFileError

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
    name = data.name[1:]
    if "axes" in data.attrs:
        axes = tuple(data.attrs["axes"].decode().split())
    elif "DIMENSION_LABELS" in data.attrs:  # all that files of dns 0.1.0 have
        axes = tuple(axis.label or axis_of_list(name) for axis in data.dims)
    elif data.ndim == 1:
        axes = (axis_of_list(name),)
    else:
        axes = tuple(f"{name}_{number}" for number in range(data.ndim))
    if len(set(axes)) != data.ndim:
        raise RunFileError(f"{data.file.filename}: the {data.ndim} axes of {name} are called "
                           f"{' '.join(axes)}")
    return axes


def axis_of_list(name):
    """The axis along which a list without a label lies: coordinates are axes of their own."""
    if name.endswith("_plus"):
        return name[:-len("_plus")]
    return "time" if name == "step" else name


def is_whole(part, shape):
    """Whether indices along all axes are those of a whole array."""
    return all(isinstance(index, slice) and index.indices(points) == (0, points, 1)
               for index, points in zip(part, shape))


def whole_array(data):
    """All values of a dataset, compared with the checksum that it may have."""
    values = data[()]
    stored = data.attrs.get("crc32")
    little_endian = values.astype(values.dtype.newbyteorder("<"), order="C", copy=False)
    if stored is not None and zlib.crc32(little_endian) != stored:
        raise RunFileError(f"{data.file.filename}: the values of {data.name[1:]} do not match "
                           "their checksum; if they were changed on purpose, delete the attribute "
                           "crc32")
    return values
