"""Coordinates of faces that are equally spaced in a core and grow geometrically outside."""
import json

import numpy as np


def graded_faces(low, high, core, spacing, growth):
    """From `low` to `high`; `core`: (first, last), a whole number of cells of size `spacing`.

    Outside the cells grow by at most `growth` (0.04: 4 %), less where that meets the end exactly.
    """
    count = round((core[1] - core[0]) / spacing)
    middle = np.linspace(core[0], core[1], count + 1)
    left = core[0] - outside(core[0] - low, spacing, growth)[::-1]
    right = core[1] + outside(high - core[1], spacing, growth)
    return np.concatenate([left, middle, right])


def outside(length, spacing, growth):
    """Distances from the core of the faces beyond it, the last one `length`."""
    if length <= 0:
        return np.zeros(0)
    count = int(np.ceil(np.log1p(length * growth / spacing) / np.log1p(growth)))
    low, high = 1e-9, growth
    for _ in range(200):  # the growth with which that many cells fill the length
        middle = (low + high) / 2
        if spacing * np.expm1(count * np.log1p(middle)) / middle > length:
            high = middle
        else:
            low = middle
    steps = spacing * (1 + low) ** np.arange(count)
    distances = np.cumsum(steps)
    return distances * (length / distances[-1])


def coordinate_settings(folder, axes, label):
    """Settings of a case for faces {"x": ..., ...}, which go in text files in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = []
    for axis, faces in axes.items():
        path = folder / f"faces_{axis}_{label}.txt"
        path.write_text("".join(f"{face:.17g}\n" for face in faces))
        settings.append(f"grid.stretching.{axis}={{coordinates: {json.dumps(str(path))}}}")
    return settings
