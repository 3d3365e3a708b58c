"""Units and meanings of what a run writes, by name."""
import re

OF_LETTERS = {"u": "U", "v": "U", "w": "U", "p": "U^2", "T": "T0"}
# The first pattern that is the whole name counts.
PATTERNS = (
    (r"[xyz](_faces)?|separation_[xyz]", "L"),
    (r"wavenumber(_[xyz])?", "1/L"),
    (r"time|dt|first_time|last_time", "L/U"),
    (r"velocity(_[xyz])?(_faces)?|bulk_velocity_[xyz]|friction_velocity|body_slip", "U"),
    (r"temperature|temperature_mean", "T0"),
    (r"pressure|kinetic_energy|wall_shear_.*", "U^2"),
    (r"spectrum_k", "U^2 L"),
    (r"vorticity|divergence_(mean|max)", "U/L"),
    (r"q_criterion", "U^2/L^2"),
    (r"dissipation|budget_.*", "U^3/L"),
    (r"force_coefficient_.*", "1"),
    (r"force_.*_[xyz]", "U^2 L^2"),
    (r"torque_.*_[xyz]", "U^2 L^3"),
    (r"heat_flux_[xyz]_(min|max)", "U T0"),
    (r"heat_.*", "U T0 L^2"),
    (r"driving_[xyz]", "U^2/L"),
    (r"wall_seconds", "s"),
    (r"solid|fluid|skewness_.*|flatness_.*", "1"),
    (r"cfl|[xyz]_plus|nusselt_.*|friction_reynolds|step|samples|.*iterations", "1"),
)


def units_of_moment(letters):
    """Those of means and covariances: "uv" U^2, "vT" U T0, "pp" U^4."""
    factors = [OF_LETTERS[letter] for letter in letters]
    power = sum(2 if factor == "U^2" else 1 for factor in factors if factor != "T0")
    of_temperature = factors.count("T0")
    words = [(f"{unit}^{count}" if count > 1 else unit)
             for unit, count in (("U", power), ("T0", of_temperature)) if count]
    return " ".join(words)


def units_of(name):
    """Units of an array, a column or an attribute; None where they are not known.

    L, U and T0 are the scales of the case; 1 stands for a number without units.
    """
    name = name.removesuffix("_uncertainty")
    moment = re.fullmatch("(spectrum_[xyz]_|correlation_[xyz]_)?([uvwpT]{1,3})", name)
    if moment:
        return units_of_moment(moment[2]) + (" L" if name.startswith("spectrum") else "")
    return next((units for pattern, units in PATTERNS if re.fullmatch(pattern, name)), None)


WORDS = {"u": "velocity along x", "v": "velocity along y", "w": "velocity along z",
         "p": "pressure over density", "T": "temperature"}
MEANINGS = (
    (r"([xyz])", "place along {}"),
    (r"([xyz])_faces", "faces of cells across {}"),
    (r"velocity_([xyz])", "velocity along {}"),
    (r"vorticity", "curl of the velocity"),
    (r"q_criterion", "second invariant of the velocity gradient"),
    (r"pressure", "pressure over density"),
    (r"dissipation", "dissipation of kinetic energy"),
    (r"solid", "1 in bodies, 0 in the fluid"),
    (r"dt", "time step"),
    (r"cfl", "CFL number"),
    (r"([xyz])_plus", "distance from the wall along {} in wall units"),
)


def meaning_of(name):
    """A few words on an array or a column: the name itself where nothing more is known."""
    if name in WORDS:
        return f"mean {WORDS[name]}"
    if re.fullmatch("[uvwpT]{2}", name):
        return f"covariance of {WORDS[name[0]]} and {WORDS[name[1]]}"
    for pattern, words in MEANINGS:
        found = re.fullmatch(pattern, name)
        if found:
            return words.format(*found.groups())
    return name.replace("_", " ")


def cf_attributes_of(name):
    """long_name, units and, of coordinates, axis, as the CF conventions have them.

    Units are the scales of the case; standard_name is left out: CF has none for these.
    """
    found = {"long_name": meaning_of(name)}
    if units_of(name) is not None:
        found["units"] = units_of(name)
    if name in ("x", "y", "z", "time"):
        found["axis"] = "T" if name == "time" else name.upper()
    return found
