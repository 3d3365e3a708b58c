"""A file that a run can start from: initial: {type: file, path: own.h5}."""
import os
import pathlib

import h5py
import numpy as np


def checked(name, values, shapes):
    """Values as an array of one of the shapes. Raises ValueError for another or no number."""
    values = np.asarray(values)
    values = values if values.dtype == np.float32 else values.astype(float)
    if values.shape not in shapes:
        words = " or ".join(map(str, shapes))
        raise ValueError(f"{name} has the shape {values.shape}, but must have {words}: z first")
    if not np.isfinite(values).all():
        raise ValueError(f"{name} must be finite, but is {values[~np.isfinite(values)][0]} at "
                         f"{tuple(map(int, np.argwhere(~np.isfinite(values))[0]))}")
    return values


def places(name, values, count=None):
    """Coordinates that ascend. Raises ValueError for others."""
    values = np.atleast_1d(np.asarray(values, float))
    values = checked(name, values, [(count or max(values.size, 1),)])
    if not (np.diff(values) > 0).all():
        raise ValueError(f"{name} must ascend")
    return values


def write_start(path, x, y, z, velocity=None, temperature=None, faces=None, **scalars):
    """Writes arrays as a file that a run can start from.

    x, y, z      coordinates of the points: centres of cells, nodes or any others [L]
    velocity     (nz, ny, nx, 3) at the points; or three arrays, u (nz, ny, nx + 1), v (nz, ny + 1,
                 nx), w (nz + 1, ny, nx), each on the faces across its axis [U]. Along a periodic
                 axis the last face, which repeats the first, may be left out
    temperature  (nz, ny, nx) [T0]; scalars likewise by their names in the case
    faces        coordinates of the faces along x, y, z, one more than points each; without them the
                 points must be those of the grid of the case if the velocity is on faces

    Where a run has other points, it interpolates; what is not given starts by the formulas of the
    case. Raises ValueError for shapes that do not fit, coordinates that do not ascend and values
    that are not finite; OSError.
    """
    axes = {name: places(name, values) for name, values in zip("xyz", (x, y, z))}
    shape = tuple(len(axes[axis]) for axis in "zyx")
    found = dict(axes)
    if faces is not None:
        found.update({f"{axis}_faces": places(f"{axis}_faces", values, len(axes[axis]) + 1)
                      for axis, values in zip("xyz", faces)})
    if isinstance(velocity, np.ndarray) or velocity is not None and len(velocity) != 3:
        found["velocity"] = checked("velocity", velocity, [(*shape, 3)])
    elif velocity is not None:
        for number, (axis, values) in enumerate(zip("xyz", velocity)):
            more = tuple(points + (2 - number == place) for place, points in enumerate(shape))
            found[f"velocity_{axis}"] = checked(f"velocity[{number}]", values, [more, shape])
    fields = dict(scalars) if temperature is None else {"temperature": temperature, **scalars}
    for name, values in fields.items():
        found[name] = checked(name, values, [shape])
    if len(found) == len(axes) + (3 if faces is not None else 0):
        raise ValueError("write_start needs a velocity, a temperature or a scalar")
    part = pathlib.Path(f"{path}.part")
    part.unlink(missing_ok=True)  # a pipe would be waited for
    try:
        with h5py.File(part, "w") as file:
            for name, values in found.items():
                file[name] = values
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
