"""The true surfaces of solid bodies on a plane, from the case: spheres, cylinders, boxes, formulas.

A level is a number at each point: > 0 in a body, < 0 in the fluid, 0 on the surface.
"""
import itertools

import numpy as np

from pictures.formulas import evaluated

AGREEING = 0.98  # of the points: a level whose sign is right at fewer of them is not used
ALONG = 5  # places along an axis that is averaged over


def level_of_sphere(body, x, y, z):
    offsets = [place - middle for place, middle in zip((x, y, z), body["center"])]
    return body["radius"] - np.sqrt(sum(offset**2 for offset in offsets))


def level_of_cylinder(body, x, y, z):
    axis = "xyz".index(body.get("axis", "z"))
    offsets = [place - middle for place, middle in zip((x, y, z), body["center"])]
    along = offsets.pop(axis)
    level = body["radius"] - np.hypot(*offsets)
    return np.minimum(level, body["length"] / 2 - np.abs(along)) if "length" in body else level


def level_of_box(body, x, y, z):
    ends = zip((x, y, z), body["min"], body["max"])
    return np.minimum.reduce(np.broadcast_arrays(
        *(side for place, low, high in ends for side in (place - low, high - place))))


def level_of_formula(body, x, y, z):
    return -evaluated(body["surface"], {"x": x, "y": y, "z": z})


SHAPES = {"sphere": level_of_sphere, "cylinder": level_of_cylinder, "box": level_of_box,
          "formula": level_of_formula}


def level_at(case, x, y, z):
    """The level of all bodies at some points [L]; None where one is of another shape, or its
    formula has names of its own. Bodies are repeated along periodic axes, formulas are not.
    """
    solids = [body for body in case.get("solids", {}).values() if isinstance(body, dict)]
    if not solids or any(body.get("shape") not in SHAPES for body in solids):
        return None
    lengths = case.get("grid", {}).get("length", (0, 0, 0))
    shifts = [(-length, 0, length) if case["boundaries"].get(axis) == "periodic" else (0,)
              for axis, length in zip("xyz", lengths)]
    found = []
    for body in solids:
        images = [(0, 0, 0)] if body["shape"] == "formula" else itertools.product(*shifts)
        for shift in images:
            try:
                level = SHAPES[body["shape"]](
                    body, *(place - by for place, by in zip((x, y, z), shift)))
            except (KeyError, TypeError, ValueError):
                return None
            found.append(np.where(np.isfinite(level), level, -1))
    return np.maximum.reduce(np.broadcast_arrays(*found))


class Surface:
    """The surfaces of a case on a plane.

    places  axis -> place [L] of the axis across the plane; without one the plane is a mean along
            it, and solid where bodies fill all that is averaged over
    """

    def __init__(self, case, across, places=None):
        self.case, self.across = case, across
        (self.normal,) = set("xyz") - set(across)
        self.place = (places or {}).get(self.normal)

    def _places(self):
        """Along the axis across the plane."""
        if self.place is not None:
            return [self.place]
        number = "xyz".index(self.normal)
        grid = self.case["grid"]
        low = grid.get("origin", (0, 0, 0))[number]
        return low + grid["length"][number] * (np.arange(ALONG) + 0.5) / ALONG

    def level(self, right, up):
        """The level (up, right) at places along both axes; None where it is not known."""
        rightwards, upwards = np.meshgrid(right, up)
        found = []
        for place in self._places():
            points = {self.across[0]: rightwards, self.across[1]: upwards, self.normal: place}
            level = level_at(self.case, *(points[axis] for axis in "xyz"))
            if level is None:
                return None
            found.append(np.broadcast_to(level, rightwards.shape))
        return np.minimum.reduce(found)

    def agrees(self, right, up, mask):
        """Whether its sign is that of a mask (up, right) of points in bodies."""
        level = self.level(right, up)
        return level is not None and np.mean((level >= 0) == mask) >= AGREEING
