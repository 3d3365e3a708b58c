"""What `dns plot` was asked for: options parsed, with a rule for each that is wrong."""
import difflib
import math
import re

from dnsflow import Run, RunFileError
from pictures.variables import scalars_of

# Kinds of pictures -> the options that make others of them, besides --plane, which is in the names.
OPTIONS = {
    "slices": ("step", "time", "region", "variable", "range", "smooth"),
    "planes": ("time", "region", "variable", "range", "smooth"),
    "profiles": ("step", "time", "smooth"),
    "moments": ("time",),
    "budgets": ("time", "smooth"),
    "history": ("time", "reference"),
    "probes": ("time", "smooth"),
    "spectra": ("step", "time", "heights"),
    "correlations": ("time", "heights"),
    "phases": ("time",),
    "particles": ("step", "smooth"),
}
KINDS = tuple(OPTIONS)
OF_ALL = ("scales", "size", "no_titles")  # options of all kinds
FORMATS = ("png", "pdf", "svg")
SMALLEST, LARGEST = 1.5, 40  # of a picture [inch]
VARIABLES = ("speed", "u", "v", "w", "T", "p", "vorticity", "vorticity_x", "vorticity_y",
             "vorticity_z", "q")


class UsageError(Exception):
    """An option that is wrong, and what it must be."""


def one_of(words):
    """a, b or c"""
    words = list(words)
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


def known_word(flag, word, known, meaning=""):
    """The word, which must be one of the known ones."""
    if word in known:
        return word
    close = difflib.get_close_matches(word, known, 1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    raise UsageError(f"{flag} is '{word}', but must be {one_of(known)}{meaning}{hint}")


def known_words(flag, text, known, meaning=""):
    """Words between commas, in the order typed."""
    return tuple(known_word(flag, word.strip(), known, meaning) for word in text.split(","))


def whole_number(flag, text):
    if not re.fullmatch(r"\d+", text):
        raise UsageError(f"{flag} is '{text}', but must be a whole number >= 0")
    return int(text)


def number(text):
    """A finite number; else nothing."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def interval(flag, text, words):
    """(low, high) of "LOW,HIGH"; words names the two and what they are."""
    values = [number(part) for part in text.split(",")]
    if len(values) != 2 or None in values or values[0] >= values[1]:
        raise UsageError(f"{flag} is '{text}', but must be {words}, the first below the second")
    return tuple(values)


def ranges(flag, text, known):
    """(low, high) of "LOW,HIGH", for all variables, or {variable: (low, high), ...} of
    "T=0:1,p=-2:2"; known: names of variables.
    """
    if "=" not in text:
        return interval(flag, text, "LOW,HIGH or NAME=LOW:HIGH,...")
    found = {}
    for part in text.split(","):
        name, _, ends = part.partition("=")
        name = known_word(flag, name.strip(), known, ", followed by =LOW:HIGH")
        found[name] = interval(flag, ends.replace(":", ","), "LOW:HIGH")
    return found


def size(flag, text):
    """(width, height or None) [inch] of "3.4in", "8.6cm" or "3.4in,2.5in"."""
    units = {"in": 1, "cm": 1 / 2.54, "mm": 1 / 25.4}
    found = [re.fullmatch(r"\s*([\d.]+)\s*(in|cm|mm)\s*", part) for part in text.split(",")]
    sides = [(number(one[1]) or 0) * units[one[2]] if one else 0 for one in found]
    if len(sides) > 2 or not all(SMALLEST <= side <= LARGEST for side in sides):
        raise UsageError(f"{flag} is '{text}', but must be a width, and a height if you like, from "
                         f"{SMALLEST} to {LARGEST} inches: 3.4in, 86mm or 3.4in,2.5in")
    return (*sides, None)[:2]


def planes(flag, text):
    """(axis, place or None) of each of "z=0.5,y"."""
    found = []
    for part in text.split(","):
        matched = re.fullmatch(r"\s*([xyz])\s*(?:=(.*))?", part)
        place = number(matched[2]) if matched and matched[2] is not None else None
        if not matched or (matched[2] is not None and place is None):
            raise UsageError(f"{flag} is '{part}', but must be an axis, and a place if it is not "
                             "the middle, such as z or z=0.5 [L]")
        found.append((matched[1], place))
    return tuple(found)


def region(flag, text):
    """{axis: (low, high), ...} of "x=-1:7,y=-2:2"."""
    found = {}
    for part in text.split(","):
        axis, _, ends = part.strip().partition("=")
        values = [number(end) for end in ends.split(":")]
        if axis not in ("x", "y", "z") or len(values) != 2 or None in values or (
                values[0] >= values[1]):
            raise UsageError(f"{flag} is '{part}', but must be an axis and two places, the first "
                             "below the second, such as x=-1:7 [L]")
        found[axis] = tuple(values)
    return found


def scales(flag, text):
    """{"L": name, ...} of "L=h,U=u_tau,T=dT"."""
    found = {}
    for part in text.split(","):
        matched = re.fullmatch(r"\s*([LUT])\s*=\s*([A-Za-z]\w*)\s*", part)
        if not matched:
            raise UsageError(f"{flag} is '{part}', but must name scales: L=h, U=u_tau or T=dT")
        found[matched[1]] = matched[2]
    return found


def references(flag, text):
    """{"area": A, ...} of "area=A,velocity=U,length=L"; nothing without a text."""
    found = {}
    for part in text.split(",") if text else ():
        name, _, size = part.strip().partition("=")
        if name not in ("area", "velocity", "length") or (number(size) or 0) <= 0:
            raise UsageError(f"{flag} is '{part}', but must be area=A [L^2], velocity=U [U] or "
                             "length=L [L], a number > 0")
        found[name] = number(size)
    return found


def time_of(flag, text):
    """A time [L/U]; None without a text."""
    if text is not None and number(text) is None:
        raise UsageError(f"{flag} is '{text}', but must be a time [L/U]")
    return None if text is None else number(text)


def heights(flag, text):
    """Places of "15,180"; None without a text."""
    places = None if text is None else [number(part) for part in text.split(",")]
    if places is not None and (None in places or min(places) < 0):
        raise UsageError(f"{flag} is '{text}', but must be heights >= 0 between commas: y+ of a "
                         "flow between walls, else y/H of one between plates, or y [L]")
    return places


def suffix_of(arguments, names):
    """"_step500_u,v": what was given for some options, in letters that names of files have."""
    words = ""
    for name in names:
        value = getattr(arguments, name)
        if value is True:
            words += f"_{name}"
        elif value:
            is_named = name in ("step", "time", "heights", "range", "size")
            plain = value.replace(":", "to").replace(",", "_")
            words += "_" + (name if is_named else "") + re.sub(r"[^A-Za-z0-9_.+-]", "", plain)
    return words


def scalars_of_run(folder):
    """Names of the scalars besides temperature."""
    try:
        return scalars_of(Run(folder).case)
    except RunFileError:
        return []  # which is told elsewhere


def understood(arguments):
    """The arguments of `dns plot`, typed as text, as values. Raises UsageError.

    Moreover requested: the kinds of --only, none without it; suffixes: kind -> that of the names of
    its pictures, and suffix_of_report, so that those of other options stay.
    """
    arguments.suffixes = {kind: suffix_of(arguments, (*names, *OF_ALL))
                          for kind, names in OPTIONS.items()}
    arguments.suffix_of_report = suffix_of(arguments, dict.fromkeys(
        ["only", "plane", *(name for names in OPTIONS.values() for name in names), *OF_ALL]))
    arguments.requested = () if arguments.only is None else known_words(
        "--only", arguments.only, KINDS, ", or several between commas")
    arguments.only = arguments.requested or KINDS
    arguments.format = known_word("--format", arguments.format, FORMATS)
    arguments.plane = planes("--plane", arguments.plane or "z,y,x")
    arguments.heights = heights("--heights", arguments.heights)
    arguments.reference = references("--reference", arguments.reference)
    if arguments.step is not None:
        arguments.step = whole_number("--step", arguments.step)
    if arguments.time is not None:
        arguments.time = interval("--time", arguments.time, "FROM,TO [L/U]")
    if arguments.region is not None:
        arguments.region = region("--region", arguments.region)
    if arguments.variable is not None:
        arguments.variable = known_words("--variable", arguments.variable,
                                         (*VARIABLES, *scalars_of_run(arguments.run)),
                                         ", or several between commas")
    if arguments.range is not None:
        if arguments.variable is None and "=" not in arguments.range:
            raise UsageError("--range needs --variable: it is that of the colours of variables, or "
                             "variables of its own: T=0:1,p=-2:2")
        arguments.range = ranges("--range", arguments.range,
                                 (*VARIABLES, *scalars_of_run(arguments.run)))
    arguments.size = size("--size", arguments.size) if arguments.size else None
    arguments.scales = scales("--scales", arguments.scales) if arguments.scales else {}
    return arguments
