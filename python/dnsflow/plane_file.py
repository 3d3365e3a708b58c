"""Planes that a run can read at an inflow or a wall: velocity: {planes: planes_NAME.h5}."""
import os
import pathlib
import re
import zlib

import h5py
import numpy as np

from dnsflow.start_file import checked, places
from dnsflow.version import __version__


def write_planes(path, times, velocity, temperature=None, at=0.0, periodic="", **others):
    """Writes arrays over time as the planes that `output.planes` of a run records.

    path         planes_NAME.h5; the values go into planes_NAME_STEP.h5 beside it, which stays there
    times        of the records, ascending [L/U]; a run counts them from the first one
    velocity     (times, nz, ny, 3) in a plane normal to x, (times, nz, nx, 3) normal to y and
                 (times, ny, nx, 3) normal to z [U]
    temperature  (times, nz, ny) and so on [T0]
    at           where the plane cuts the axis normal to it [L]
    periodic     axes along which the plane repeats itself, such as "z"
    others       coordinates of the points along both axes of the plane: y and z, x and z or x and y
                 [L]; scalars by their names in the case, as the temperature

    The points reach from one end of the face that will be given to the other; along a periodic axis
    the last one, which repeats the first, is left out, and they are equally spaced. A run
    interpolates between points and between times. Values are stored as float where all arrays are.

        write_planes("planes_inlet.h5", times, velocity, y=y, z=z, periodic="z")

    Raises ValueError for shapes that do not fit, coordinates and times that do not ascend and
    values that are not finite; OSError.
    """
    path = pathlib.Path(path)
    name = re.fullmatch("planes_([A-Za-z0-9_-]{1,50})[.]h5", path.name)
    if name is None or re.search("_[0-9]{8,}$", name[1]):
        raise ValueError(f"{path.name} must be planes_NAME.h5, NAME of letters, digits, '_' and '-'"
                         " and without eight digits at its end")
    axes = {axis: places(axis, others.pop(axis)) for axis in "xyz" if axis in others}
    if len(axes) != 2:
        raise ValueError("a plane has coordinates along two of x, y, z, but these are "
                         f"{', '.join(axes) or 'none'}")
    if not set(periodic) <= set(axes):
        raise ValueError(f"periodic is {periodic!r}, but the axes of the plane are "
                         f"{' and '.join(axes)}")
    times = places("times", times)
    rows = tuple(axes[axis].size for axis in sorted(axes, reverse=True))
    shape = (times.size, *rows)
    fields = {f"velocity_{axis}": values for axis, values in
              zip("xyz", np.moveaxis(checked("velocity", velocity, [(*shape, 3)]), -1, 0))}
    scalars = dict(others) if temperature is None else {"temperature": temperature, **others}
    for scalar, values in scalars.items():
        fields[scalar] = checked(scalar, values, [shape])
    kind = np.result_type(*fields.values())
    fields = {field: np.ascontiguousarray(values, kind) for field, values in fields.items()}
    piece = path.with_name(f"planes_{name[1]}_{times.size - 1:08d}.h5")
    attributes = {"name": name[1], "axis": (set("xyz") - set(axes)).pop(), "at": float(at),
                  "location": "nodes", "variables": " ".join(["velocity", *scalars]),
                  **{f"{axis}_is_periodic": int(axis in periodic) for axis in axes},
                  "format_version": 1, "step": times.size - 1, "time": times[-1],
                  "precision": "float" if kind == np.float32 else "double",
                  "version": f"dnsflow {__version__}", "case": ""}
    lists = {"step": np.arange(times.size, dtype=float), "time": times, **axes}
    sums = [zlib.crc32(values) for values in fields.values()]
    of_pieces = {"piece_step": [times.size - 1.0], "piece_records": [float(times.size)],
                 "piece_checksums": [[float(value) for value in sums]]}
    _write(piece, {"format": "dns planes piece", **attributes}, {**lists, **fields}, {})
    layouts = {}
    for field, values in fields.items():
        layouts[field] = h5py.VirtualLayout(values.shape, kind)
        layouts[field][:] = h5py.VirtualSource(piece.name, field, values.shape)
    _write(path, {"format": "dns planes", **attributes, "piece_datasets": " ".join(fields)},
           {**lists, **of_pieces}, layouts)


def _write(path, attributes, arrays, layouts):
    """One file, complete under its name or not there."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    try:
        with h5py.File(part, "w") as file:
            for key, value in attributes.items():
                file.attrs[key] = np.bytes_(value) if isinstance(value, str) else value
            for key, values in arrays.items():
                values = np.asarray(values)
                file[key] = values
                file[key].attrs["crc32"] = np.int64(zlib.crc32(np.ascontiguousarray(values)))
            for key, layout in layouts.items():
                file.create_virtual_dataset(key, layout)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
