"""Arrays of HDF5 files that may be damaged, or made to harm."""
import math
import zlib

import h5py
import numpy as np

from dnsflow.errors import NamedEntries, RunFileError

BEST_COMPRESSION = 1032  # of gzip
WITHOUT_PLACES = ("body", "component", "particle", "point", "time")  # axes that need no coordinate

# What attributes must be, by name; others may be anything.
COUNTS = ("format_version", "samples", "step")
NUMBERS = ("at", "first_time", "friction_reynolds", "friction_velocity", "last_time", "time")
TEXTS = ("axis", "axes", "case", "device", "format", "precision", "scales", "version")


class Attributes(NamedEntries):
    """Numbers and texts of a file by name."""

    kind = "attribute"


def is_number(value):
    return np.ndim(value) == 0 and np.issubdtype(np.asarray(value).dtype, np.number) and bool(
        np.isfinite(value))


def is_count(value):
    return is_number(value) and isinstance(value, (int, np.integer)) and value >= 0


def is_text(value):
    return isinstance(value, str)


def attributes_of(thing, source):
    """The attributes of an open file or dataset: Attributes. Raises RunFileError for the wrong type
    of a known one.
    """
    found = Attributes(source)
    for name, value in thing.attrs.items():
        found[name] = value.decode() if isinstance(value, bytes) else value
    for names, is_right, words in ((COUNTS, is_count, "a count"), (NUMBERS, is_number, "a number"),
                                   (TEXTS, is_text, "a text")):
        for name in names:
            if name in found and not is_right(found[name]):
                raise RunFileError(f"{source}: the attribute {name} is not {words}")
    return found


def dataset_in(file, name):
    """The dataset of an open file. Its values are in this file, as many as its shape says."""
    link = file.get(name, getlink=True)
    if link is None:
        raise RunFileError(f"{file.filename}: holds no array {name}")
    data = file[name] if isinstance(link, h5py.HardLink) else None
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
    attributes = attributes_of(data, f"{data.file.filename}: {name}")
    if "axes" in attributes:
        axes = tuple(attributes["axes"].split())
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


def require_places(file, facts):
    """Raises RunFileError where arrays of a file (name -> axes, shape, type) do not fit the
    coordinates along their axes, those are missing, or the faces are not one more than the cells.
    """
    for name, (axes, shape, _) in facts.items():
        for axis, points in zip(axes, shape):
            if axis not in file and axis not in WITHOUT_PLACES:
                raise RunFileError(f"{file.filename}: lacks {axis}, an axis of {name}")
            if axis in file and dataset_in(file, axis).shape != (points,):
                raise RunFileError(f"{file.filename}: {name} has {points} points along {axis}, but "
                                   f"{axis} has the shape {file[axis].shape}")
    for axis in "xyz":
        faces = f"{axis}_faces"
        if axis in facts and faces in facts and facts[faces][1] != (facts[axis][1][0] + 1,):
            raise RunFileError(f"{file.filename}: {faces} must have one point more than {axis}, but "
                               f"has the shape {facts[faces][1]}")


def require_alike(files):
    """Raises RunFileError, with the path, where a file lacks an array of others or has it in
    another shape.
    """
    first = files[0]
    for file in files[1:]:
        for one, other in ((file, first), (first, file)):
            missing = next((name for name in other if name not in one), None)
            if missing:
                raise RunFileError(f"{one.path}: has no {missing}, which {other.path} has")
        for name in file:
            if file.facts[name][:2] != first.facts[name][:2]:
                raise RunFileError(f"{file.path}: {name} has another shape than in {first.path}")


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
