"""Flows that published results exist of, recognised by their cases, and those results.

Time series get theirs by the names of panels, see history.py and body_history.py.
"""
import math
from typing import NamedTuple

import reference_data
from pictures import frame, style
from reference_data import reference_table

SAME = 0.01  # relative difference of a Reynolds or Prandtl number that is meant to be another's


class Curve(NamedTuple):
    """Published values over time."""

    label: str
    time: list
    values: list

    def draw(self, axes, last):
        """Below the curves of a run, up to its last time."""
        is_shown = self.time <= last
        axes.plot(self.time[is_shown], self.values[is_shown], **style.REFERENCE, label=self.label,
                  zorder=1)


class Level(NamedTuple):
    """A published value, or the range of several, that a quantity settles at."""

    label: str
    low: float
    high: float

    def draw(self, axes, last):  # whatever the times of the run are
        """A line, or the lines at both ends of a range, across the panel."""
        axes.axhline(self.low, label=self.label, **style.LAW)
        if self.high > self.low:
            axes.axhline(self.high, **style.LAW)


def is_near(value, known):
    return abs(value / known - 1) <= SAME


def words_of(formulas):
    """Formulas without spaces."""
    return ["".join(str(formula).split()) for formula in formulas]


def is_taylor_green(case):
    """The vortex of sides 2 pi at Reynolds number 1600."""
    boundaries, lengths = case["boundaries"], case["grid"]["length"]
    return (all(boundaries.get(axis) == "periodic" for axis in "xyz")
            and all(is_near(length, 2 * math.pi) for length in lengths)
            and is_near(case["fluid"]["reynolds"], 1600) and "forcing" not in case
            and words_of(case["initial"].get("velocity", [])) == [
                "sin(x)*cos(y)*cos(z)", "-cos(x)*sin(y)*cos(z)", "0"])


def is_square_cavity(case):
    """Walls around the unit square of x and y, nothing but a period along z, no bodies."""
    walls = [case["boundaries"].get(f"{axis}_{end}", {}) for axis in "xy" for end in ("min", "max")]
    return (case["boundaries"].get("z") == "periodic" and not case.get("solids")
            and all(wall.get("type") == "wall" for wall in walls if isinstance(wall, dict))
            and all(isinstance(wall, dict) and wall for wall in walls)
            and all(is_near(length, 1) for length in case["grid"]["length"][:2]))


def is_lid_cavity(case):
    """The flow in a square under a lid at Reynolds number 1000."""
    if not is_square_cavity(case) or not is_near(case["fluid"]["reynolds"], 1000):
        return False
    velocities = {name: case["boundaries"][name]["velocity"]
                  for name in ("x_min", "x_max", "y_min", "y_max")}
    lid = velocities.pop("y_max")
    return lid == [1, 0, 0] and all(velocity == [0, 0, 0] for velocity in velocities.values())


def is_cavity(case):
    """Whether velocities on the centre lines are published."""
    return is_lid_cavity(case) or rayleigh_of_heated_cavity(case) is not None


def rayleigh_of_heated_cavity(case):
    """The Rayleigh number of a square of air heated from the side; nothing for another flow."""
    if not is_square_cavity(case) or not frame.is_convection(case):
        return None
    is_adiabatic = all(case["boundaries"][f"y_{end}"].get("temperature") == {"gradient": 0}
                       for end in ("min", "max"))
    if (not is_adiabatic or frame.heated_walls(case) != ("x", 1, 0)
            or case["buoyancy"]["direction"] != "y"
            or not is_near(case["fluid"]["prandtl"], 0.71)):
        return None
    return float(frame.rayleigh_of(case))


def rayleigh_of_plates(case):
    """The Rayleigh number of a flow between wide plates heated from below; else nothing."""
    walls = frame.heated_walls(case)
    if walls is None or not frame.is_convection(case) or case.get("solids"):
        return None
    axis, low, high = walls
    others = [other for other in "xyz" if other != axis]
    if (case["buoyancy"]["direction"] != axis or low < high
            or any(case["boundaries"].get(other) != "periodic" for other in others)):
        return None
    length = case["grid"]["length"]["xyz".index(axis)]
    return frame.rayleigh_of(case) * length**3 * (low - high)


def nusselt_level(case):
    """The Level of the Nusselt number; nothing where none is known."""
    if (rayleigh := rayleigh_of_heated_cavity(case)) is not None:
        known = reference_data.cavity_nusselt(rayleigh)
    elif (rayleigh := rayleigh_of_plates(case)) is not None:
        value = reference_data.plates_nusselt(rayleigh, case["fluid"]["prandtl"])
        known = value and (value, "Kerr (1996)")
    else:
        known = None
    return known and Level(f"{known[1]}: {known[0]:.4g}", known[0], known[0])


def references_of(case):
    """By the names of panels of the time series: what is known of the flow of a case."""
    if is_taylor_green(case):
        time, energy, dissipation, _ = reference_table("taylor_green_re1600.dat")
        return {"kinetic_energy": Curve("spectral, $512^3$", time, energy),
                "dissipation": Curve("spectral, $512^3$", time, dissipation)}
    level = nusselt_level(case)
    return {} if level is None else {"nusselt_": level}


def cylinder_ranges(case, references):
    """Published drag, lift and frequency of the only body, a cylinder along a periodic axis across
    a uniform stream, by name; empty for another body or Reynolds number.
    """
    solids = case.get("solids") or {}
    if len(solids) != 1 or len(frame.faces_of(case, "inflow")) != 1:
        return {}
    (name, body), = solids.items()
    if (body.get("shape") != "cylinder" or "length" in body or name not in references
            or any(body.get("rotation", [])) or any(body.get("velocity", []))):
        return {}
    reference, velocity = references[name], frame.faces_of(case, "inflow")[0]["velocity"]
    if (case["boundaries"].get(body["axis"]) != "periodic" or body["axis"] == reference.stream
            or not frame.is_plain(velocity) or sum(value != 0 for value in velocity) != 1):
        return {}
    reynolds = reference.speed * 2 * body["radius"] * case["fluid"]["reynolds"]
    return next((ranges for known, ranges in reference_data.CYLINDER_RANGES.items()
                 if is_near(reynolds, known)), {})
