"""Case files with every kind of damage.

Promised: `dns check` refuses them with exit 2, a line file:line:column for each mistake and nothing
on stdout, or accepts what is right; what it accepts runs. Never a crash, a hang or exit code 1.
Tried: every configuration of the project with keys removed, renamed, doubled and given other
values; values out of the range of every key; formulas; whole files; damaged bytes; coordinates.
"""
import collections
import copy
import pathlib
import random
import re
import shutil

from common import PROGRAM, TREE, run, run_trial, thinned
from fuzz_words import (BAD_FORMULAS, CLOSE_COORDINATES, COORDINATE_FILES, COORDINATE_PATHS,
                        COORDINATES, GRAMMAR, NEVER, NUMBERS, OTHER_FORMULAS, PIECES_OF_YAML,
                        RIGHT_FORMULAS, TYPES, bad_files, bad_values, other_files)

import yaml

LOCATED = re.compile(r"^[^\n]*:\d+:\d+: ", re.M)
SMALL = 200000  # point updates of two steps: what is run after it was accepted


def dump(case):
    return yaml.safe_dump(case, default_flow_style=None, sort_keys=False, allow_unicode=True,
                          width=10 ** 9)


def bases():
    """All configurations, shrunk."""
    found = {}
    for path in sorted((TREE / "configs").glob("*.yaml")):
        case = yaml.safe_load(path.read_text())
        case["grid"]["points"] = [8, 8, 8]
        if path.stem == "conjugate_channel":
            case["grid"] = {"points": [8, 12, 8], "length": [4, 3, 4], "origin": [0, -0.5, 0]}
        elif path.stem in ("oscillating_cylinder", "settling_sphere"):
            # a body that moves must be 4 cells wide
            case["grid"] = {"points": [12] * 3, "length": [3, 3, 3], "origin": [-1.5, -1.5, -1.5]}
        elif path.stem == "settling_cylinders":  # room for both of them
            case["grid"] = {"points": [16, 24, 4], "length": [4, 6, 1], "origin": [-2, -2, 0]}
        elif any(
                "coordinates" in axis or "uniform" in axis
                for axis in case["grid"].get("stretching", {}).values()):
            # lists and pieces for the grid of the case; what is around the origin is to be seen still
            case["grid"] = {"points": [8, 8, 8], "length": [3, 3, 3], "origin": [-1.5, -1.5, -1.5]}
        if path.stem == "fed_channel":
            continue  # its planes come from another run
        if path.stem.startswith("boundary_layer"):
            case["grid"] = {"points": [8, 8, 8], "length": [40, 4, 4]}  # what its tables cover
        case["device"] = "cpu"
        case["output"]["directory"] = "out"
        found[path.stem] = case
    return found


def work_of(resolved):
    """Point updates of a step, from what dns check prints."""
    def number(key):
        match = re.search(rf"\b{key}: (\d+)", resolved)
        return int(match[1]) if match else 1

    points = [int(n) for n in re.search(r"points: \[(.*?)\]", resolved)[1].split(",")]
    return (points[0] * points[1] * points[2] * number("global_iterations") *
            number("local_iterations"))


class Fuzz:
    """A folder of case files, and what came of them."""

    def __init__(self, trial):
        self.trial = trial
        self.folder = trial.folder / "cases"
        self.folder.mkdir()
        for table in (TREE / "configs").glob("*.csv"):
            shutil.copy(table, self.folder)
        self.counts = collections.Counter()

    def check(self, name, content, must="any"):
        """One case file. must: 'refuse', 'accept' or 'any'."""
        path = self.folder / f"{self.trial.tried}.yaml"
        if not isinstance(content, bytes):
            content = content.encode("utf-8", "surrogateescape")
        path.write_bytes(content)
        result = run("check", path, cwd=self.folder)
        kind = self.problem_of(result, must)
        if not kind and result.code == 0:
            result, kind = self.run(path, result)
        self.trial.check(not kind, f"{name}: {result}", kind, [path])
        self.counts["refused" if result.code == 2 else "accepted"] += 1
        path.unlink()

    @staticmethod
    def problem_of(result, must):
        """What is wrong with an answer of dns check."""
        if result.is_crash:
            return "hang of check" if result.hung else "crash of check"
        if result.code not in (0, 2):
            return f"check exits {result.code}"
        if result.code == 2 and not LOCATED.search(result.err):
            return "refused without file:line:column"
        if result.code == 2 and result.out:
            return "refused, but wrote to stdout"
        if must == "refuse" and result.code == 0:
            return "accepted silently"
        return "refused though right" if must == "accept" and result.code != 0 else ""

    def run(self, path, checked):
        """Two steps of a case that was accepted; the result and what is wrong with it."""
        if work_of(checked.out) >= SMALL:
            return checked, ""
        self.counts["ran"] += 1
        result = run("run", path, "--steps", "2", "-o", self.trial.fresh("out"), "--set",
                     "run.threads=1", cwd=self.folder, timeout=30)
        self.counts["ran and diverged"] += result.code == 4
        is_bad = result.is_crash or result.code in (2, 3)
        return result, f"accepted, but run exits {result.code}" if is_bad else ""


def leaves(node, path=()):
    """The paths of all keys and items."""
    items = node.items() if isinstance(node, dict) else (
        enumerate(node) if isinstance(node, list) else ())
    for key, value in items:
        yield (*path, key)
        yield from leaves(value, (*path, key))


def at(case, path):
    for word in path:
        case = case[word]
    return case


def with_raw(case, path, raw):
    """The case with raw YAML at a path, whose sections are made if need be; None if they cannot."""
    changed = copy.deepcopy(case)
    node = changed
    for word in path[:-1]:
        node = node.setdefault(word, {}) if isinstance(node, dict) else node[word]
        if not isinstance(node, (dict, list)):
            return None
    node[path[-1]] = "MARKER"
    return dump(changed).replace("MARKER", raw, 1)


def without(case, path):
    """(the case without a key, 'any'), or without an item of a list."""
    changed = copy.deepcopy(case)
    parent = at(changed, path[:-1])
    del parent[path[-1]]
    is_pair = isinstance(parent, list) and len(parent) == 2 and path[-2] != "variables"
    return dump(changed), "refuse" if is_pair else "any"


def renamed(case, path, ending):
    """(the case with a key of another name, 'refuse')."""
    path = path if isinstance(path[-1], str) else path[:-1]
    changed = copy.deepcopy(case)
    parent = at(changed, path[:-1])
    parent[ending(path[-1])] = parent.pop(path[-1])
    is_a_name = path[:-1] in (("solids",), ("output", "planes"),  # of the user's choice
                             ("output", "probes"), ("output", "slices", "planes"),
                             ("forcing", "sponges"))
    return dump(changed), "any" if is_a_name else "refuse"


def with_value(case, path, values):
    raw, value = random.choice(values), at(case, path)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return with_raw(case, path, raw), "refuse" if is_number and raw in NEVER else "any"


def doubled(case):
    top = random.choice(list(case))
    return dump(case) + "\n" + dump({top: case[top]}), "refuse"


NESTED = "{a: {b: [1, {c: [x]}]}}"
MUTATIONS = {
    "key removed": without,
    "key renamed": lambda case, path: renamed(case, path, lambda word: word + "x"),
    "key misspelt": lambda case, path: renamed(case, path, lambda word: word[:-1] + "Q"),
    "another number": lambda case, path: with_value(case, path, NUMBERS),
    "another type": lambda case, path: with_value(case, path, TYPES),
    "a section in its place": lambda case, path: (with_raw(case, path, NESTED), "refuse"),
    "section twice": lambda case, path: doubled(case)}


def try_mutants(fuzz, cases, number):
    for name, case in cases.items():
        fuzz.check(f"{name} as it is", dump(case), "accept")
        paths = list(leaves(case))
        for _ in range(number):
            path, kind = random.choice(paths), random.choice(list(MUTATIONS))
            content, must = MUTATIONS[kind](case, path)
            fuzz.check(f"{name} {'.'.join(map(str, path))}: {kind}", content, must)


def try_ranges(fuzz, cases, every):
    """Values that the table of keys excludes."""
    trials = []
    for row in (TREE / "docs/case_file.md").read_text().split("\n"):
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        if len(cells) < 4 or not cells[0].startswith("`"):
            continue
        key, value, condition = cells[0].strip("`"), cells[1], cells[2]
        base = "channel_retau180" if "projection" in condition else "channel_smoke"
        path = key.replace("AXIS", "y").replace("FACE", "y_min").replace("NAME", "mid").split(".")
        trials += [(base, path, raw) for raw in bad_values(value)]
    for base, path, raw in thinned(trials, every):
        content = with_raw(cases[base], path, raw)
        if content is not None:
            fuzz.check(f"{base} {'.'.join(path)}: {raw}", content, "refuse")


def with_formula(cases, where, formula):
    """A case with a formula as initial flow, at an inflow or at a wall."""
    changed = copy.deepcopy(cases["channel_retau180" if where == "wall" else "channel_smoke"])
    if where == "initial":
        has_temperature = "temperature" in changed.get("initial", {})
        changed["initial"] = {"velocity": [formula, 0, 0]}
        if has_temperature:
            changed["initial"]["temperature"] = 1
    elif where == "inflow":
        changed["boundaries"]["x_min"] = {"type": "inflow", "velocity": [0, 0, 0],
                                          "temperature": formula}
    else:
        changed["boundaries"]["y_max"] = {"type": "wall", "velocity": [formula, 0, 0]}
    return dump(changed)


def try_formulas(fuzz, cases, every):
    kinds = {"refuse": BAD_FORMULAS, "accept": RIGHT_FORMULAS, "any": OTHER_FORMULAS}
    trials = [(where, formula, must) for must, formulas in kinds.items() for formula in formulas
              for where in ("initial", "inflow", "wall")]
    for where, formula, must in thinned(trials, every):
        if formula == "t" and where == "initial":
            must = "refuse"
        fuzz.check(f"{where}: {formula[:60]!r}", with_formula(cases, where, formula), must)
    for _ in range(120 // every):
        words = "".join(random.choice(GRAMMAR) for _ in range(random.randint(1, 25)))
        fuzz.check(f"inflow: {words!r}", with_formula(cases, "inflow", words))


def try_files(fuzz, cases, every):
    text = dump(cases["channel_smoke"])
    program = pathlib.Path(PROGRAM).read_bytes()[:100000]
    files = {name: (content, "refuse") for name, content in bad_files(text, program).items()}
    files.update(other_files(text))
    for name, (content, must) in thinned(list(files.items()), every):
        fuzz.check(f"file: {name}", content, must)


def damaged(data):
    """A byte changed, removed, inserted or repeated."""
    where = random.randrange(len(data))
    action = random.randrange(4)
    if action == 0:
        data[where] = random.randrange(1, 256)
    elif action == 1:
        del data[where:where + random.randint(1, 20)]
    elif action == 2:
        data[where:where] = random.choice(PIECES_OF_YAML)
    else:
        data[where:where] = data[where:where + random.randint(1, 40)]


def try_bytes(fuzz, cases, every):
    for _ in range(150 // every):
        data = bytearray(dump(random.choice(list(cases.values()))).encode())
        for _ in range(random.randint(1, 6)):
            damaged(data)
        fuzz.check("damaged bytes", bytes(data))


def with_coordinates(cases, value):
    changed = copy.deepcopy(cases["channel_retau180"])
    changed["grid"]["stretching"] = {"y": {"type": "coordinates", "coordinates": value}}
    changed["grid"]["length"] = [6.0, 2.0, 3.0]
    return dump(changed)


def try_coordinates(fuzz, cases, every):
    trials = [(f"coordinates {name}", value, "refuse") for name, value in COORDINATES.items()]
    trials.append(("coordinates close", CLOSE_COORDINATES, "any"))
    for name, (content, must) in COORDINATE_FILES.items():
        (fuzz.folder / f"{name}.txt").write_bytes(content)
        trials.append((f"file of coordinates: {name}", f"{name}.txt", must))
    trials += [(f"coordinates in {path[:40]}", path, "refuse") for path in COORDINATE_PATHS]
    for name, value, must in thinned(trials, every):
        fuzz.check(name, with_coordinates(cases, value), must)


def try_initial_files(fuzz, cases):
    """Files to start from that are none; they are looked at when the run starts."""
    for name in ("missing.h5", "/", "/dev/null", "binary.txt"):
        changed = copy.deepcopy(cases["channel_smoke"])
        changed["initial"] = {"type": "file", "path": name}
        path = fuzz.folder / "from_file.yaml"
        path.write_text(dump(changed))
        result = run("run", path, "--steps", "2", "-o", fuzz.trial.fresh("out"), cwd=fuzz.folder)
        fuzz.trial.check(result.ends_with(2, 3), f"initial.path {name}: {result}", "initial.path")


def main(trial, options):
    fuzz, cases = Fuzz(trial), bases()
    try_mutants(fuzz, cases, options.mutants)
    for part in (try_ranges, try_formulas, try_files, try_bytes, try_coordinates):
        part(fuzz, cases, options.every)
    try_initial_files(fuzz, cases)
    trial.note(", ".join(f"{count} {what}" for what, count in fuzz.counts.items()))


if __name__ == "__main__":
    run_trial(main, __doc__, {"mutants": (25, 1, "of each configuration"),
                              "every": (1, 15, "one in so many of the other cases is tried")})
