"""Force coefficients of solid bodies: what forces are divided by."""
import math
from typing import NamedTuple, Optional


class Reference(NamedTuple):
    """Of one body in a stream."""

    stream: str  # axis
    speed: float  # [U]
    area: Optional[float]  # across the stream [L^2]; None where the case does not give it
    length: Optional[float]  # of its frequencies [L]; likewise

    @property
    def scale(self):
        """Coefficient over force, 2/(U^2 A); None without an area."""
        return 2 / (self.speed**2 * self.area) if self.area else None


def stream_of(case):
    """The velocity of the only inflow that is uniform, else of the bulk; None without [U]."""
    inflows = [face["velocity"] for face in case["boundaries"].values()
               if isinstance(face, dict) and face.get("type") == "inflow"]
    forcing = case.get("forcing", {})
    if forcing.get("type") == "bulk_velocity":
        inflows.append(forcing["value"])
    is_plain = len(inflows) == 1 and isinstance(inflows[0], list) and all(
        isinstance(value, (int, float)) for value in inflows[0])
    return inflows[0] if is_plain and any(inflows[0]) else None


def extents_of(case, body):
    """Those of a sphere, cylinder or box along x, y, z, within the domain [L]; else None."""
    shape, sizes = body.get("shape"), case["grid"]["length"]
    if shape == "box":
        low = case["grid"]["origin"]
        return [min(high, start + size) - max(least, start) for least, high, start, size in
                zip(body["min"], body["max"], low, sizes)]
    if shape not in ("sphere", "cylinder"):
        return None
    extents = [2 * body["radius"]] * 3
    if shape == "cylinder":
        along = "xyz".index(body["axis"])
        extents[along] = min(body.get("length", sizes[along]), sizes[along])
    return extents


def references_of(case, given=None):
    """Name of a body -> its Reference; bodies whose stream is not known are left out.

    given: "velocity", "area" and "length" that count for all bodies. Otherwise those of
    solids.NAME.reference in the case, else the speed of the inflow or of the bulk, the frontal area
    of a sphere, cylinder or box, and its size across.
    """
    stream = stream_of(case)
    along = max(range(3), key=lambda axis: abs(stream[axis])) if stream else 0
    found = {}
    for name, body in (case.get("solids") or {}).items():
        known = {"velocity": math.hypot(*stream)} if stream else {}
        known.update(sizes_of(extents_of(case, body), body, along))
        known.update({**(body.get("reference") or {}), **(given or {})})
        if "velocity" in known and "count" not in body and "file" not in body:
            found[name] = Reference("xyz"[along], known["velocity"], known.get("area"),
                                    known.get("length"))
    return found


def sizes_of(extents, body, along):
    """The area of a body across a stream along an axis, and its length; nothing where its extents
    are not known."""
    if extents is None:
        return {}
    across = [extents[axis] for axis in range(3) if axis != along]
    is_round = body["shape"] == "sphere" or (
        body["shape"] == "cylinder" and "xyz".index(body["axis"]) == along)
    return {"area": math.pi / 4 * across[0]**2 if is_round else across[0] * across[1],
            "length": min(across) if body["shape"] == "box" else 2 * body["radius"]}
