"""Whether both halves of a channel may be averaged, and which laws of plain channels hold."""
import re
from typing import NamedTuple

import numpy as np

from channel_profiles import velocity_of_walls
from dnsflow.grid import widths
from pictures import frame
from pictures.ranges import ROUND_OFF, largest

UNSEEN = 0.01  # of the largest value of a profile: a smaller difference hardly shows in a picture
UNLIKE = 0.2  # of it: the difference from which halves are not alike where no interval is known
SHARE = 0.25  # of the points of a half: so many must differ
UNEVEN = 1e-6  # of the width: faces this near to their mirror images are symmetric
TABLES = ("profile", "planes", "stresses")  # values from files, which are not read here
OF_WALLS = {"velocity": ([0, 0, 0], "velocity"), "shear": (None, "shear"),
            "slip_length": (0, "slip")}  # key -> default, name


def varies(value, axis):
    """Whether formulas or files within a value of the case may vary along an axis."""
    if isinstance(value, str):
        return axis in re.findall(r"[A-Za-z_]\w*", value)
    if isinstance(value, dict):
        return any(table in value for table in TABLES) or any(
            varies(part, axis) for part in value.values())
    return isinstance(value, list) and any(varies(part, axis) for part in value)


def is_mirrored(section, axis):
    """Whether a mirror plane across an axis leaves a section of the case as it is: nothing varies
    along the axis, and vectors lie in the plane."""
    number = "xyz".index(axis)
    vectors = [section.get(key) or [0, 0, 0]
               for key in ("value", "acceleration", "velocity", "shear")]
    return not varies(section, axis) and all(vector[number] == 0 for vector in vectors) and all(
        is_mirrored(part, axis) for part in (section.get("sponges") or {}).values())


def faces_across(case, axis):
    """The conditions on the low and the high face of an axis."""
    return [case["boundaries"][f"{axis}_{end}"] for end in ("min", "max")]


def unequal_walls(case, axis):
    """Why two walls across an axis are not alike, scalars apart, in words for a title; "" if they
    are, or if there are not two walls."""
    low, high = (case["boundaries"].get(f"{axis}_{end}", {}) for end in ("min", "max"))
    if not low.get("type") == high.get("type") == "wall":
        return ""
    if any(face.get("velocity", [0, 0, 0])["xyz".index(axis)] != 0 for face in (low, high)):
        return "flow through the walls"
    for key, (default, word) in OF_WALLS.items():
        if low.get(key, default) != high.get(key, default) or varies(low.get(key), axis):
            return f"walls of unequal {word}"
    return ""


def other_faces(case, axis):
    """The conditions on all other faces; none where they are periodic."""
    return [face for name, face in case["boundaries"].items()
            if isinstance(face, dict) and name[0] != axis]


def condition_of(face, scalar):
    """The condition of T or another scalar on a face; nothing where the case gives none."""
    return face.get("temperature") if scalar == "T" else face.get("scalars", {}).get(scalar)


def is_odd_condition(low, high):
    """Whether conditions of a scalar on two walls are opposite, but for a constant."""
    if not isinstance(low, dict) or not isinstance(high, dict):
        return all(isinstance(value, (int, float)) for value in (low, high))
    numbers = [value for face in (low, high) for value in face.values()]
    return low.keys() == high.keys() and frame.is_plain(numbers) and (
        low["gradient"] == -high["gradient"] if "gradient" in low
        else low.get("transfer") == high.get("transfer"))


def parities_of(case, axis, scalar):
    """What a mirror plane across an axis may make of a scalar s: 1, s stays as it is; -1, s - <s>
    turns its sign, as between a warm and a cold wall. Both or neither may be possible.
    """
    own = (case.get("temperature") if scalar == "T" else case.get("scalars", {}).get(scalar)) or {}
    forcing = case.get("forcing", {})
    source = forcing.get("heat", 0) if scalar == "T" else own.get("source", 0)
    low, high = (condition_of(face, scalar) for face in faces_across(case, axis))
    others = [condition_of(face, scalar) for face in other_faces(case, axis)]
    targets = [condition_of(sponge, scalar) for sponge in (forcing.get("sponges") or {}).values()]
    found = set()
    if low == high and not any(varies(value, axis) for value in (low, source, others, targets)):
        found.add(1)
    if (is_odd_condition(low, high) and source == 0 and not any(own.get("mean_gradient", []))
            and all(value in (None, {"gradient": 0}) for value in others)
            and all(value is None for value in targets)):
        found.add(-1)
    return found


def parity_of(case, axis, scalar):
    """The parity of a scalar, see parities_of; 1 where it has both or none."""
    return -1 if parities_of(case, axis, scalar) == {-1} else 1


def direction_of_buoyancy(case):
    """The direction in which warm fluid rises; zero without buoyancy."""
    direction = case.get("buoyancy", {}).get("direction", "y")
    if not frame.rayleigh_of(case):
        return [0, 0, 0]
    return direction if isinstance(direction, list) else [int(direction == axis) for axis in "xyz"]


def buoyant_scalars(case):
    """Names of the scalars that drive the flow."""
    scalars = case.get("scalars", {})
    return ["T", *(name for name, own in scalars.items() if own.get("buoyancy", 0))]


def asymmetry_of_case(case, axis, scalars=()):
    """What in a case breaks the mirror symmetry between two walls across an axis; "" if nothing
    does.

    A mirror plane turns the sign of the velocity across it. It keeps rotation about the axis alone,
    a magnetic field along it or across it, forces and walls that are equal in both halves, buoyancy along the walls of scalars that are
    even, and buoyancy across them of scalars that are odd (parities_of).
    """
    number = "xyz".index(axis)
    if any(rate for other, rate in enumerate(case.get("rotation", {}).get("rate", [0, 0, 0]))
           if other != number):
        return "rotation"
    field = case.get("magnetic", {}).get("field", [0, 1, 0])
    if field[number] and any(part for other, part in enumerate(field) if other != number):
        return "the magnetic field"
    if unequal_walls(case, axis):
        return unequal_walls(case, axis)
    up = direction_of_buoyancy(case)
    needed = {parity for parity, acts in ((-1, up[number] != 0), (1, any(
        part for other, part in enumerate(up) if other != number))) if acts}
    if any(not needed <= parities_of(case, axis, scalar) or len(needed) > 1
           for scalar in buoyant_scalars(case) if needed):
        return "buoyancy"
    if not is_mirrored(case.get("forcing", {}), axis):
        return "forces"
    if not all(is_mirrored(face, axis) for face in other_faces(case, axis)):
        return "boundary conditions"
    return next((f"walls or sources of {scalar}" for scalar in scalars
                 if not parities_of(case, axis, scalar)), "")


class Mirrored(NamedTuple):
    """A profile beside its mirror image, times the parity it should have."""

    apart: np.ndarray  # magnitude of their difference
    interval: np.ndarray  # sum of the halves of both 95 % intervals; NaN where it is not known
    largest: float  # magnitude of the profile
    least: float  # a smaller difference counts as none

    def differs(self):
        """Whether they differ beyond the intervals at more than SHARE of the points that have one;
        where no point has, by more than UNLIKE."""
        known = np.isfinite(self.interval)
        if not known.any():
            return np.mean(self.apart > max(UNLIKE * self.largest, self.least)) > SHARE
        beyond = self.apart > np.maximum(self.interval, self.least)
        return np.mean(beyond[known]) > SHARE


def mirrored_profiles(averages, directions, scalars=()):
    """Name -> Mirrored of mean velocity, Reynolds stresses, scalars and their variances."""
    stream, normal, _ = directions
    axis = "xyz"["uvw".index(normal)]
    found = {}

    def add(name, values, parity, scale):
        half = averages[f"{name}_uncertainty"] if f"{name}_uncertainty" in averages else (
            np.full_like(values, np.nan))
        found[name] = Mirrored(np.abs(values - parity * values[::-1]), half + half[::-1],
                               largest(values), max(UNSEEN * largest(values), ROUND_OFF * scale))

    mean = averages[stream] - velocity_of_walls(averages, axis, stream)
    add(stream, mean, 1, largest(mean))
    for name in "uvw":
        add(2 * name, averages[2 * name], 1, largest(mean)**2)
    shear = "".join(sorted(stream + normal))
    add(shear, averages[shear], -1, largest(mean)**2)
    for name in scalars:
        values = averages[name] - np.average(averages[name], weights=widths(averages, axis))
        add(name, values, parity_of(averages.case, axis, name), largest(averages[name]))
        variance = 2 * name if name == "T" else f"{name}_{name}"
        add(variance, averages[variance], 1, largest(averages[name])**2)
    return found


def asymmetry_of_data(averages, directions, scalars=()):
    """In what the averages of a channel are not symmetric: "the grid", or the name of a profile of
    mirrored_profiles; "" if they are."""
    faces = averages[f"{'xyz'['uvw'.index(directions[1])]}_faces"]
    if np.ptp(faces + faces[::-1]) > UNEVEN * np.ptp(faces):
        return "the grid"
    return next((name for name, profile in mirrored_profiles(averages, directions, scalars).items()
                 if profile.differs()), "")


def asymmetry_of(averages, directions, scalars=()):
    """Why both halves of a channel must not be averaged, a few words for a title; "" if they may.

    The one place that decides it. Both the case (asymmetry_of_case) and the averages themselves
    (asymmetry_of_data) must be symmetric to the plane in the middle between the walls.

    averages    statistics.h5 over the axis across the walls, or an Averages with 95 % intervals
    directions  components (stream, normal, span), see profiles.directions_of_channel
    scalars     names of scalars that are drawn, too: T and others
    """
    axis = "xyz"["uvw".index(directions[1])]
    cause = asymmetry_of_case(averages.case, axis, scalars)
    if cause:
        return cause
    found = asymmetry_of_data(averages, directions, scalars)
    return found if found in ("", "the grid") else f"{found} differs between the halves"


def has_linear_stress(case, directions):
    """Whether total stress in a steady flow is linear between the walls: a uniform force drives it
    along the stream, and nothing else acts along the walls."""
    stream, normal, span = ("uvw".index(name) for name in directions)
    forcing = case.get("forcing", {})
    wall = faces_across(case, "xyz"[normal])[0]
    kind, value = forcing.get("type"), forcing.get("value", [0, 0, 0])
    across = wall["velocity"][span] if kind == "bulk_velocity" else 0
    up = direction_of_buoyancy(case)
    return bool(
        kind in ("pressure_gradient", "bulk_velocity") and value[span] == across
        and not forcing.get("linear", 0) and not forcing.get("sponges")
        and not any(forcing.get("acceleration", [])) and not up[stream] and not up[span]
        and not any(case.get("rotation", {}).get("rate", [])) and not case.get("magnetic")
        and not other_faces(case, "xyz"[normal]))


def is_plain_channel(case, directions):
    """Whether nothing but a uniform force along the stream acts on a channel without slip: the flow
    of the published data and of the laws of the wall."""
    walls = faces_across(case, "xyz"["uvw".index(directions[1])])
    return (has_linear_stress(case, directions) and not any(direction_of_buoyancy(case))
            and not any(face.get("slip_length", 0) for face in walls))
