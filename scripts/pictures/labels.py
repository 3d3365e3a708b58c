"""Labels of axes in the names that the user gives to the scales.

Labels are written with @L, @U and @T for the scales of length, velocity and temperature.
"""
import re

SCALES = {"L": "L", "U": "U", "T": "T_0"}
GREEK = ("alpha", "beta", "gamma", "delta", "Delta", "theta", "kappa", "lambda", "nu", "rho",
         "sigma", "tau", "phi", "omega")

_names = dict(SCALES)


def use_scales(names):
    """From now on labels call the scales so: {"L": "h", "U": "u_tau"}; others keep their names."""
    _names.update(SCALES)
    _names.update({scale: mathematical(name) for scale, name in names.items()})


def mathematical(name):
    r"""A name as mathematics: u_tau is u_\tau, dT is \Delta T, u_ref is u_\mathrm{ref}."""
    stem, _, index = name.partition("_")
    if stem in GREEK:
        stem = f"\\{stem}"
    stem = re.sub(r"^d(?=[A-Z])", r"\\Delta ", stem)
    if not index:
        return stem
    if index in GREEK:
        return f"{stem}_\\{index}"
    return f"{stem}_{index}" if len(index) == 1 else f"{stem}_\\mathrm{{{index}}}"


def scaled(label):
    """A label with the names of the scales in it."""
    for scale, name in _names.items():
        label = label.replace(f"@{scale}", name)
    return label
