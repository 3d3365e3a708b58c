"""What differs between two cases."""
import re

from dnsflow.case import CaseSection

# Sections of the flow, see is_of_flow in solver/config/case_difference.hpp.
FLOW = ("scheme", "grid", "accuracy", "fluid", "temperature", "scalars", "buoyancy", "rotation",
        "magnetic", "boundaries", "solids", "forcing")
NAMES_OF_FILES = ("path", "file", "profile", "planes", "stresses")  # their `content` counts
# The keys of a log that differ from those of the checkpoint, each on a line of its own.
CHANGES = re.compile(r"^resumed +from .*: step (\d+), .*\n(?:(?!resumed).*\n)*?"
                     r"changed +(.+(?:\n +.+)*)", re.MULTILINE)


def have_same_value(one, other):
    """Formulas may differ in spaces."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(have_same_value, one, other))
    if isinstance(one, str) and isinstance(other, str):
        return "".join(one.split()) == "".join(other.split())
    return one == other


def differences(before, now, path=""):
    """(key, value before, value now) of each key whose values differ; None where a case lacks it.
    """
    if path == "temperature":  # nothing in it is required: if it is left out its keys differ
        before, now = before or {}, now or {}
    if not (isinstance(before, dict) and isinstance(now, dict)):
        return [] if have_same_value(before, now) else [(path, before, now)]
    found = []
    for key in {**before, **now}:
        if key not in NAMES_OF_FILES or "content" not in before or "content" not in now:
            found += differences(before.get(key), now.get(key), f"{path}.{key}" if path else key)
    return found


def is_of_flow(key):
    section, *names = key.split(".")
    place = {"temperature": 0, "scalars": 1, "solids": 1}.get(section, len(names))
    return section in FLOW and names[place:place + 1] != ["reference"]


def separates_averages(key):
    """Whether averages of two cases with other values of a key must not be mixed: keys of the flow,
    and of output.statistics but for the interval between samples.
    """
    if key.startswith("output.statistics"):
        return key != "output.statistics.every"
    return is_of_flow(key)


def differences_of_averages(before, now):
    """The differences of two cases whose averages must not be mixed, as in differences()."""
    return [found for found in differences(before, now) if separates_averages(found[0])]


def words_of(found):
    """Differences as text: "fluid.reynolds 1000 -> 500"."""
    def shown(value):
        return "none" if value is None else "{..}" if isinstance(value, CaseSection) else value

    return ", ".join(f"{key} {shown(before)} -> {shown(now)}" for key, before, now in found)


def last_change_of_flow(log):
    """(step, keys as text) of the last resume that changed the flow, from what a run has logged
    (log.txt); (0, "") without one.
    """
    step, words = 0, ""
    for resume in CHANGES.finditer(log):
        keys = [line.strip() for line in resume[2].splitlines() if is_of_flow(line.split()[0])]
        if keys:
            step, words = int(resume[1]), ", ".join(keys)
    return step, words
