"""What a run's folder holds, and how it differs from what it should hold."""
import math
import pathlib
import re
import xml.etree.ElementTree as ElementTree

from common import run

import h5py

NOT_OF_THE_FLOW = ("case", "version")  # attributes that may differ where the flow does not
# Where a run was cut, records of planes and lines lie in other pieces: what is compared are the
# values that planes_NAME.h5, planes_NAME.xdmf and probes_NAME.h5 find in them.
OF_PIECES = "piece_"
PIECE = re.compile(r"((?:planes|probes)_.*)_(\d{8,})\.h5")


def attributes_of(thing):
    """The attributes of a file or dataset as bytes."""
    found = {}
    for name, value in thing.attrs.items():
        if name not in NOT_OF_THE_FLOW:
            text = value.encode() if isinstance(value, str) else value
            found[name] = text if isinstance(text, bytes) else text.tobytes()
    return found


def h5_content(path):
    """Every dataset (bytes) and every attribute of the file that belongs to the flow."""
    with h5py.File(path, "r") as file:
        content = {"@" + name: value for name, value in attributes_of(file).items()}
        for name, data in file.items():
            if not name.startswith(OF_PIECES):
                content[name] = (data.shape, str(data.dtype), data[()].tobytes())
    return content


def series_content(path):
    """The lines of a time series without the wall seconds, which differ from run to run; all of
    the records of a probe."""
    if path.name.startswith("probes_"):
        return path.read_bytes()
    lines = pathlib.Path(path).read_text().split("\n")
    return [line.rsplit(",", 1)[0] for line in lines if line]


def values_in_file(folder, item):
    """The bytes that a binary item of a list names."""
    numbers = math.prod(int(size) for size in item.get("Dimensions").split())
    with open(folder / item.text.strip(), "rb") as file:
        file.seek(int(item.get("Seek")))
        return file.read(numbers * int(item.get("Precision")))


def list_content(path):
    """A list of snapshots as it is; of one of planes the times and values."""
    if not path.name.startswith("planes_"):
        return path.read_text()
    content = []
    for grid in ElementTree.parse(path).getroot().iter("Grid"):
        if grid.get("GridType") == "Uniform":
            content.append(grid.find("Time").get("Value"))
            content += [(values.get("Name"), values_in_file(path.parent, values.find("DataItem")))
                        for values in grid.findall("Attribute")]
    return content


def unlisted_pieces(folder):
    """Names of pieces of planes and lines that the file which joins them leaves out."""
    unlisted = []
    for path in folder.iterdir():
        piece = PIECE.fullmatch(path.name)
        if piece:
            try:
                with h5py.File(folder / f"{piece[1]}.h5", "r") as joined:
                    is_listed = int(piece[2]) in joined["piece_step"][()]
            except OSError:
                is_listed = False
            if not is_listed:
                unlisted.append(path.name)
    return sorted(unlisted)


READERS = {".h5": h5_content, ".csv": series_content, ".xdmf": list_content,
           ".png": pathlib.Path.read_bytes}


def run_content(folder):
    """All that a run's folder holds of the flow, by file name."""
    content = {path.name: READERS[path.suffix](path) for path in sorted(pathlib.Path(folder).iterdir())
               if path.suffix in READERS and not PIECE.fullmatch(path.name)}
    return {**content, **dict.fromkeys(unlisted_pieces(pathlib.Path(folder)), "in no list")}


def is_checkpoint(name):
    return name.startswith("checkpoint_")


def without_older_checkpoints(content):
    """The content with the newest of its checkpoints alone."""
    newest = max(filter(is_checkpoint, content), default=None)
    return {name: value for name, value in content.items()
            if not is_checkpoint(name) or name == newest}


def difference_of_one(name, found, wanted):
    """How one file differs, in words."""
    if isinstance(wanted, dict):
        inner = [key for key in {*found, *wanted} if found.get(key) != wanted.get(key)]
        return f"{name} differs in {sorted(inner)}"
    if isinstance(wanted, list):
        pairs = enumerate(zip(found, wanted))
        at = next((n for n, (a, b) in pairs if a != b), min(len(found), len(wanted)))
        return (f"{name} differs from line {at} on ({len(found)} lines, wanted {len(wanted)})")
    return f"{name} differs"


def difference(found, wanted):
    """What differs between two contents, in words; empty when nothing does."""
    words = []
    for name in sorted({*found, *wanted}):
        if name not in found:
            words.append(f"{name} is missing")
        elif name not in wanted:
            words.append(f"{name} is too many")
        elif found[name] != wanted[name]:
            words.append(difference_of_one(name, found[name], wanted[name]))
    return "; ".join(words)


def item_problem(folder, item):
    """What is wrong with what an item of a list names: a dataset, or bytes of a file."""
    named = item.text.strip()
    try:
        if item.get("Format") == "HDF":
            file, data = named.split(":/")
            with h5py.File(folder / file, "r") as opened:
                opened[data][()]
        else:
            numbers = math.prod(int(size) for size in item.get("Dimensions").split())
            end = int(item.get("Seek")) + numbers * int(item.get("Precision"))
            size = (folder / named).stat().st_size
            if end > size:
                return f"names {named} up to byte {end}: it has {size}"
    except (OSError, KeyError) as error:
        return f"names {named}: {error}"
    return ""


def xdmf_problem(folder):
    """What is wrong with the lists for ParaView; empty when they parse and name complete files."""
    for path in sorted(pathlib.Path(folder).glob("*.xdmf")):
        try:
            items = [item for item in ElementTree.parse(path).getroot().iter("DataItem")
                     if item.get("Format") in ("HDF", "Binary")]
        except ElementTree.ParseError as error:
            return f"{path.name}: {error}"
        for item in items:
            problem = item_problem(path.parent, item)
            if problem:
                return f"{path.name} {problem}"
    return ""


def leftovers(folder):
    """Names of files that were begun and never finished."""
    return sorted(path.name for path in pathlib.Path(folder).glob("*.part"))


def has_checkpoint(folder):
    return any(pathlib.Path(folder).glob("checkpoint_????????.h5"))


def make_reference(case, directory, *options, timeout=120):
    """A run that nothing happens to; returns what its folder holds."""
    result = run("run", case, "-o", directory, *options, timeout=timeout)
    if result.code != 0:
        raise RuntimeError(f"the run to compare with, of {case}, ended with {result}")
    return run_content(directory)


def go_on(case, directory, *options, timeout=120):
    """Goes on with a run as its user would: `dns resume` from a checkpoint, else from the start."""
    if has_checkpoint(directory):
        return run("resume", directory, *options, timeout=timeout)
    return run("run", case, "-o", directory, "--resume", *options, timeout=timeout)


def look(directory):
    """What is wrong with a run's folder right after a fault: (words, kind), empty if nothing."""
    if not directory.exists():
        return "", ""
    if (directory / "case.yaml").exists():
        result = run("info", directory)
        if result.code != 0:
            return f"dns info: {result}", "info"
    return xdmf_problem(directory), "xdmf"


def recovery_problem(case, directory, wanted, options=(), simplify=lambda content: content):
    """Goes on after a fault and compares: (words, kind), empty if all is as if nothing had been.

    `simplify` takes out of both contents what may differ.
    """
    problem, kind = look(directory)
    if problem:
        return problem, kind
    result = go_on(case, directory, *options)
    if result.code != 0:
        return f"going on: {result}", "resume fails"
    differs = difference(simplify(run_content(directory)), simplify(wanted))
    if differs:
        return differs, kind_of_difference(differs)
    left = leftovers(directory)
    return f"left for ever: {left}" if left else "", "leftover .part"


def kind_of_difference(differs):
    """Which part of the output a difference is about."""
    parts = differs.split("; ")
    if all("too many" in part and is_checkpoint(part) for part in parts):
        return "a checkpoint too many"
    if all("xdmf" in part or "missing" in part for part in parts):
        return "output is missing"
    return "statistics" if "statistics" in differs else "bits"
