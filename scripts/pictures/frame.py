"""The frame that velocities are shown in, and what drives a flow."""
import numpy as np


def faces_of(case, kind):
    """The faces of the box with this type of boundary condition."""
    return [face for face in case["boundaries"].values()
            if isinstance(face, dict) and face.get("type") == kind]


def is_plain(vector):
    """Whether its components are numbers, not formulas."""
    return all(isinstance(value, (int, float)) for value in vector)


def is_turning(body):
    rotation = body.get("rotation", [0, 0, 0])
    return not is_plain(rotation) or any(rotation)


def frame_velocity(case):
    """The velocity of walls and bodies that all move alike in a flow without inflow; else zero [U].
    """
    solids = (case.get("solids") or {}).values()
    velocities = [face["velocity"] for face in [*faces_of(case, "wall"), *solids]
                  if "velocity" in face]
    is_moving = velocities and is_plain(velocities[0]) and all(
        velocity == velocities[0] for velocity in velocities)
    if not is_moving or faces_of(case, "inflow") or any(
            is_turning(body) for body in solids):
        return np.zeros(3)
    return np.array(velocities[0], dtype=float)


def rayleigh_of(case):
    """The Rayleigh number, Ri Pr Re^2; 0 where no temperature rises."""
    buoyancy, fluid = case.get("buoyancy", {}), case["fluid"]
    return buoyancy.get("rayleigh") or (
        buoyancy.get("richardson", 0) * fluid["reynolds"]**2 * fluid.get("prandtl", 0))


def is_convection(case):
    """Whether buoyancy alone drives the flow: no force, no moving wall, no inflow."""
    if not rayleigh_of(case) or faces_of(case, "inflow"):
        return False
    driving = [vector for face in faces_of(case, "wall")
               for vector in (face["velocity"], face.get("shear", []))]
    if any(not is_plain(vector) or any(vector) for vector in driving):
        return False
    return "forcing" not in case


def heated_walls(case):
    """(axis, temperature at its low end, at its high end) of two walls held at different
    temperatures; nothing where no axis has them.
    """
    boundaries = case["boundaries"]
    for axis in "xyz":
        walls = [boundaries.get(f"{axis}_{end}") for end in ("min", "max")]
        if all(isinstance(wall, dict) and wall.get("type") == "wall" for wall in walls):
            low, high = (wall.get("temperature") for wall in walls)
            if all(isinstance(value, (int, float)) for value in (low, high)) and low != high:
                return axis, low, high
    return None
