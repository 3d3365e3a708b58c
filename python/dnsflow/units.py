"""Units and meanings of what a run writes, by name: quantities.json."""
import functools
import json
import pathlib
import re

OF_LETTERS = {"u": "U", "v": "U", "w": "U", "p": "U^2", "T": "T0"}
# Of several quantities at once: units_of_moment knows more.
LETTERS = r"(spectrum_[xyz]_|correlation_[xyz]_)?([uvwpT]{1,3})"


@functools.cache
def quantities():
    """The table: objects with name, pattern, file, unit and meaning; the first that fits counts."""
    table = json.loads((pathlib.Path(__file__).parent / "quantities.json").read_text("utf-8"))
    for entry in table["quantities"]:
        words = entry["name"].split("_")
        entry["pattern"] = "_".join(table["placeholders"].get(word, word) for word in words)
    return table["quantities"]


def quantity_named(name):
    """What is known of an array, a column or an attribute; None where it is nothing."""
    return next((entry for entry in quantities() if re.fullmatch(entry["pattern"], name)), None)


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
    moment = re.fullmatch(LETTERS, name)
    if moment:
        return units_of_moment(moment[2]) + (" L" if name.startswith("spectrum") else "")
    entry = quantity_named(name)
    of_scalar = entry and re.search("scalar|both|square|,", entry["unit"])
    return entry["unit"] if entry and not of_scalar else None


WORDS = {"u": "velocity along x", "v": "velocity along y", "w": "velocity along z",
         "p": "pressure over density", "T": "temperature"}


def meaning_of(name):
    """A few words on an array or a column: the name itself where nothing more is known."""
    if name in WORDS:
        return f"mean {WORDS[name]}"
    if re.fullmatch("[uvwpT]{2}", name):
        return f"covariance of {WORDS[name[0]]} and {WORDS[name[1]]}"
    entry = quantity_named(name)
    return entry["meaning"] if entry else name.replace("_", " ")


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
