"""What averages are at walls, where that is known."""
import numpy as np

from dnsflow.grid import velocity_of_wall

SLIPPING = ("slip_length", "shear")


def mean_at_wall(averages, axis, end, name):
    """The mean u, v, w, T or another scalar at the low (end 0) or high end (-1) of an axis; NaN
    where there is no wall or the case does not give it there.
    """
    face = averages.case["boundaries"].get(f"{axis}_{'max' if end else 'min'}")
    if not isinstance(face, dict) or face.get("type") != "wall":
        return np.nan
    if name in tuple("uvw"):
        value = velocity_of_wall(averages, axis, end, "xyz"["uvw".index(name)])
        value = None if any(word in face for word in SLIPPING) else value
    else:
        value = face.get("temperature") if name == "T" else face.get("scalars", {}).get(name)
    return value if isinstance(value, (int, float)) else np.nan


def places_with_walls(averages, axis):
    """The points along an axis between both its ends."""
    faces = averages[f"{axis}_faces"]
    return np.concatenate([faces[:1], averages[axis], faces[-1:]])


def with_walls(averages, axis, name, values, fluctuates=False):
    """Values at places_with_walls: those of u, v, w, T or a scalar, or of its fluctuation, which is
    none where the mean is given.
    """
    ends = [mean_at_wall(averages, axis, end, name) for end in (0, -1)]
    if fluctuates:
        ends = [0 * value for value in ends]
    return np.concatenate([ends[:1], values, ends[1:]])
