"""Snapshots and averages that lack parts, or hold others than their names say.

Promised: dnsflow and `dns plot` read such a file fully, or refuse it with an error that names it;
exit codes 0 and 3, no other exception, no picture of wrong values.
Tried: each attribute and array of statistics.h5, a window of time and a snapshot, deleted or
replaced by another type, shape or value; the files cut.
"""
import shutil
import sys
from dataclasses import dataclass
from typing import Callable

from cases import settings, write_case
from common import TREE, environment, run, run_python, run_trial, thinned
from contents import make_reference

import h5py
import numpy as np

OUTPUT = settings("output.statistics.window=1e-3", "output.statistics.spectra=[x]",
                  "output.statistics.budgets=true", "time={step: 1e-3, steps: 10}")
FILES = {"statistics.h5": ("dns statistics", "profiles"),  # name -> (format, kind of pictures)
         "statistics_00000003.h5": ("dns statistics", "profiles"),
         "fields_00000010.h5": ("dns snapshot", "slices")}
# Reads all of a file; 9 where an attribute or array is not that of the good one.
READER = """
import sys
import numpy as np
import dnsflow
path, good, kind = sys.argv[1:]
try:
    good = dnsflow.ArrayFile(good, kind)
    found = dnsflow.ArrayFile(path, kind)
    found.step, found.time, found.case
    pairs = [(found.attributes[name], value) for name, value in good.attributes.items()]
    pairs += [(found[name], good[name]) for name in good]
except dnsflow.RunFileError as error:
    print(error, file=sys.stderr)
    sys.exit(3)
for one, other in pairs:
    if not np.array_equal(one, other, equal_nan=np.asarray(other).dtype.kind == "f"):
        sys.exit(9)
"""


@dataclass
class Damage:
    """One damage: words, what it does to a path, and whether it only takes something away."""

    words: str
    make: Callable
    takes_away: bool = False


def edited(change):
    """A damage by HDF5 itself."""
    def make(path):
        with h5py.File(path, "r+") as file:
            change(file)
    return make


def put(thing, name, value):
    """Replaces an attribute or array; None: deletes it."""
    del thing[name]
    if value is not None:
        thing[name] = value


def labelled(name, change):
    """A changed array that keeps its attributes but for the checksum of the values."""
    def make(file):
        values, attributes = file[name][()], dict(file[name].attrs)
        put(file, name, change(values))
        for key in set(attributes) & {"axes", "units"}:
            file[name].attrs[key] = attributes[key]
    return make


def damages_of(path):
    """All that is tried with a file."""
    found = []
    with h5py.File(path) as file:
        attributes, arrays = {name: file.attrs[name] for name in file.attrs}, list(file)
    for name, value in attributes.items():
        other = 3 if isinstance(value, (str, bytes)) else "odd"
        found.append(Damage(f"without attribute {name}",
                            edited(lambda file, name=name: put(file.attrs, name, None)), True))
        found += [Damage(f"attribute {name} = {odd}", edited(
            lambda file, name=name, odd=odd: put(file.attrs, name, odd)))
            for odd in (other, [1.5, 2.5])]
    for name in arrays:
        found.append(Damage(f"without array {name}",
                            edited(lambda file, name=name: put(file, name, None)), True))
        for words, change in (("texts", lambda values: [b"odd"] * len(values)),
                              ("whole numbers", lambda values: np.zeros(values.shape, int)),
                              ("one point less", lambda values: values[:-1]),
                              ("one axis more", lambda values: values[..., np.newaxis])):
            found.append(Damage(f"array {name}: {words}", edited(labelled(name, change))))
    size = path.stat().st_size
    for share in (0, 0.02, 0.3, 0.7, 0.99):
        found.append(Damage(f"cut at {share:.0%}", lambda path, end=int(share * size):
                            path.write_bytes(path.read_bytes()[:end])))
    return found


def plot(directory, kind):
    """Draws a run with the scripts of this tree; its pictures by name."""
    shutil.rmtree(directory / "pictures", ignore_errors=True)
    result = run(TREE / "scripts/plot_run.py", directory, "--only", kind, timeout=120,
                 program=sys.executable, env=environment(PYTHONPATH=TREE / "python"))
    pictures = {path.name: path.read_bytes() for path in directory.glob("pictures/*.png")}
    return result, pictures


def is_right(result, name):
    """Whether a program ended with 0, or with 3 and an error that names the file."""
    return result.code == 0 or result.code == 3 and name in result.err and not any(
        word in result.err for word in ("Traceback", "a bug of"))


def main(trial, options):
    case = write_case(trial.folder / "case.yaml", "projection", 10, 10)
    good, directory = trial.folder / "good", trial.folder / "run"
    make_reference(case, good, *OUTPUT)
    for name, (form, kind) in FILES.items():
        _, drawn = plot(good, kind)
        trial.check(drawn, f"{kind} of the good run", "no pictures")
        chosen = thinned(damages_of(good / name), options.every)
        to_draw = thinned(chosen, options.drawn)
        for damage in chosen:
            shutil.rmtree(directory, ignore_errors=True)
            shutil.copytree(good, directory, ignore=shutil.ignore_patterns("pictures"))
            path, words = directory / name, f"{name} {damage.words}"
            damage.make(path)
            result = run_python(READER, path, good / name, form, timeout=30)
            trial.check(is_right(result, name), f"{words}: dnsflow: {result}", "dnsflow", [path])
            if damage not in to_draw:
                continue
            result, found = plot(directory, kind)
            trial.check(is_right(result, name), f"{words}: dns plot: {result}", "dns plot", [path])
            others = [] if damage.takes_away else [one for one in found if found[one] != drawn[one]]
            trial.check_no(" ".join(others), f"{words}: other pictures", "wrong pictures", [path])


if __name__ == "__main__":
    run_trial(main, __doc__, {"every": (1, 100, "one in so many damaged files is tried"),
                              "drawn": (4, 4, "one in so many of these is drawn")})
