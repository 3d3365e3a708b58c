"""Damaged, foreign and hostile files.

Promised: `dns resume` refuses a damaged checkpoint and falls back to the older good one, so that
the flow it ends with is exactly right; `dns info`, `dns plot`, initial.type: file and dnsflow
answer with an error that says what is wrong. No crash, no report of a sanitizer, no memory taken
for sizes that a file only claims, no other file read that a file points to.
Tried: cut files, flipped bits, overwritten blocks, headers, checkpoints edited with HDF5 itself
(damaged_checkpoints.py), words that a weaker checksum does not see, snapshots, averages, planes.
"""
import random
import re
import shutil
from dataclasses import dataclass

from cases import SCHEMES, settings, write_case
from common import run, run_python, run_trial, thinned
from contents import attributes_of, difference, make_reference, run_content
from damaged_checkpoints import EDITS, INVISIBLE, edited

import h5py

NEWEST = "checkpoint_00000006.h5"
STEPS = ("--steps", "8")
HEAD = 4096  # bytes of a file where its structure stands
READER = """
import sys
import dnsflow
try:
    file = dnsflow.ArrayFile(sys.argv[1], sys.argv[2])
    file.step, file.time, file.case
    [file[name] for name in file]
except dnsflow.RunFileError:
    sys.exit(3)
"""
PLANES_READER = """
import sys
import dnsflow
try:
    planes = dnsflow.Run(sys.argv[1]).plane('cut')
    planes.case, [planes[name] for name in planes]
except dnsflow.RunFileError:
    sys.exit(3)
"""


@dataclass
class Flow:
    """A run of a scheme that stopped with two checkpoints, and the flow it should end with."""

    scheme: str
    case: object
    half: object
    wanted: dict

    def restore(self, directory):
        shutil.rmtree(directory, ignore_errors=True)
        shutil.copytree(self.half, directory)
        return directory

    @property
    def newest(self):
        return self.half / NEWEST


def flow_of(trial, scheme):
    case = write_case(trial.folder / f"{scheme}.yaml", scheme, 8, 2)
    wanted = make_reference(case, trial.folder / f"whole_{scheme}")
    half = trial.folder / f"half_{scheme}"
    make_reference(case, half, "--steps", "6")
    return Flow(scheme, case, half, wanted)


class Damage:
    """The trials, and what came of them."""

    def __init__(self, trial):
        self.trial = trial
        self.directory = trial.folder / "run"
        self.outcomes = {"fell back": 0, "harmless": 0, "refused": 0}

    def resume(self, flow, victim, words):
        """Goes on from two checkpoints, the newer of which is damaged."""
        info = run("info", victim)
        if info.is_crash:
            self.trial.check(False, f"{words}: dns info: {info}", "info crashes", [victim])
            return
        copy = shutil.copy(victim, self.trial.folder / "victim.h5")
        result = run("resume", self.directory, *STEPS)
        if result.is_crash or result.code != 0:
            kind = "resume crashes" if result.is_crash else "no falling back"
            self.trial.check(False, f"{words}: {result}", kind, [copy])
            return
        fell_back = "skipped" in result.err
        self.outcomes["fell back" if fell_back else "harmless"] += 1
        differs = difference(run_content(self.directory), flow.wanted)
        how = "after falling back" if fell_back else "taken as good"
        self.trial.check_no(differs, f"{words}: exit 0, {how}", f"wrong flow {how}", [copy])

    def resume_with(self, flow, content, words):
        """As above with these bytes as the newer checkpoint."""
        victim = flow.restore(self.directory) / NEWEST
        victim.write_bytes(content)
        self.resume(flow, victim, f"{flow.scheme} {words}")

    def start_from(self, flow, source, words):
        """As the flow to start from: whatever comes of it, no crash."""
        case = self.trial.folder / "from.yaml"
        start = [line for line in flow.case.read_text().split("\n") if line.startswith("initial:")]
        text = flow.case.read_text().split("\n")
        first = text.index(start[0])
        last = next(n for n in range(first + 1, len(text)) if not text[n].startswith(" "))
        text[first:last] = [f"initial: {{type: file, path: {source}}}"]
        case.write_text("\n".join(text))
        result = run("run", case, "-o", self.trial.fresh("from"), "--steps", "1", timeout=30)
        self.trial.check(not result.is_crash, f"{words}: initial.type: file: {result}",
                         "initial.type: file crashes", [source])


def flipped(content, number, within):
    """Some bytes changed, and in words which."""
    changed = bytearray(content)
    places = [(random.randrange(min(within, len(content))), random.randrange(1, 256))
              for _ in range(number)]
    for at, bits in places:
        changed[at] ^= bits
    return bytes(changed), f"bytes changed (place, bits): {places}"


def overwritten(content):
    size, value = random.choice((1, 16, 512, 4096)), random.choice((0, 0xff, None))
    at = random.randrange(0, len(content), size)
    block = random.randbytes(size) if value is None else bytes([value]) * size
    changed = content[:at] + block[:len(content) - at] + content[at + size:]
    return changed, f"{size} bytes of {'noise' if value is None else value} at {at}"


def cut(content):
    at = random.randrange(len(content))
    return content[:at], f"cut at byte {at} of {len(content)}"


DAMAGES = (cut, lambda content: flipped(content, 1, len(content)),
           lambda content: flipped(content, random.randint(2, 8), len(content)), overwritten,
           lambda content: flipped(content, random.randint(1, 3), HEAD))


def try_random_damage(damage, flows, number):
    for count in range(number):
        flow = flows[count % len(flows)]
        content, words = DAMAGES[count % len(DAMAGES)](flow.newest.read_bytes())
        damage.resume_with(flow, content, words)


def try_foreign_content(damage, flows):
    contents = {"nothing": b"", "text": b"hello\n", "the signature alone": b"\x89HDF\r\n\x1a\n",
                "a megabyte of zeros": bytes(1 << 20), "noise": random.randbytes(100000)}
    for flow in flows:
        for name, content in contents.items():
            damage.resume_with(flow, content, f"replaced by {name}")


def place_of(dataset):
    """(offset in the file, bytes) of the first values of a dataset."""
    offset = dataset.id.get_offset()
    if offset is not None:
        return offset, dataset.id.get_storage_size()
    chunk = dataset.id.get_chunk_info(0)
    return chunk.byte_offset, chunk.size


def try_unseen_words(damage, flow):
    """Two zeros made FFFF, which Fletcher-32 cannot see, in every dataset that has such a pair."""
    content = flow.newest.read_bytes()
    with h5py.File(flow.newest) as file:
        places = {name: place_of(dataset) for name, dataset in file.items() if dataset.size > 1}
    for name, (offset, size) in places.items():
        zeros = next((at for at in range(offset, offset + size - 1, 2)
                      if content[at:at + 2] == b"\0\0"), None)
        if zeros is not None:
            changed = content[:zeros] + b"\xff\xff" + content[zeros + 2:]
            damage.resume_with(flow, changed, f"two zeros of {name} made FFFF at {zeros}")


def try_values(damage, flow):
    """One bit of a value of each dataset: what a checksum is for."""
    content = flow.newest.read_bytes()
    with h5py.File(flow.newest) as file:
        places = {name: place_of(dataset) for name, dataset in file.items()}
    for name, (offset, size) in places.items():
        at = offset + random.randrange(size)
        changed = content[:at] + bytes([content[at] ^ 1 << random.randrange(8)]) + content[at + 1:]
        damage.resume_with(flow, changed, f"a bit of {name} flipped in byte {at}")


def places_of(part, content, most=3):
    """Where bytes occur; nowhere if they occur too often to say what they mean there."""
    places = [match.start() for match in re.finditer(re.escape(part), content)]
    return places if len(places) <= most else []


def try_attributes(damage, flow):
    """The lowest bit of step, time, numbers of the solver and all else beside the fields."""
    content = flow.newest.read_bytes()
    with h5py.File(flow.newest) as file:
        values = attributes_of(file)
    for name, value in values.items():
        for at in places_of(value, content):
            changed = content[:at] + bytes([content[at] ^ 1]) + content[at + 1:]
            damage.resume_with(flow, changed, f"a bit of attribute {name} flipped in byte {at}")


def try_edit(damage, flow, name):
    """A checkpoint changed with HDF5 itself: refused, or what comes of it is right."""
    trial, words = damage.trial, f"{flow.scheme} {name}"
    try:
        source = edited(flow.newest, trial.folder / "edited.h5", EDITS[name])
    except (OSError, ValueError, TypeError, KeyError) as error:
        trial.note(f"not made: {words}: {error}")
        return
    victim = flow.restore(damage.directory) / NEWEST
    shutil.copy(source, victim)
    info = run("info", victim)
    trial.check(not info.is_crash, f"{words}: dns info: {info}", "info crashes", [source])
    result = run("resume", damage.directory, *STEPS, timeout=30)
    trial.check(result.ends_with(0, 2, 3), f"{words}: {result}", "resume of an edited file",
                [source])
    if result.code == 0 and name not in INVISIBLE:
        found = run_content(damage.directory)
        found[NEWEST] = flow.wanted[NEWEST]  # the edited one itself may still be there
        trial.check_no(difference(found, flow.wanted), f"{words}: exit 0: {result}",
                       "edited: wrong flow", [source])
    damage.start_from(flow, source, words)


def try_other_cases(damage, flows):
    """Checkpoints that belong to another case or another grid."""
    for flow, other in (flows, flows[::-1]):
        flow.restore(damage.directory)
        shutil.copy(other.newest, damage.directory / NEWEST)
        result = run("run", flow.case, "-o", damage.directory, "--resume")
        damage.trial.check(result.ends_with(2, 3), f"run --resume of {flow.scheme} with a "
                           f"checkpoint of {other.scheme}: {result}", "foreign checkpoint")
    for change in ("grid.points=[12,9,8]", "grid.points=[4,4,4]", "precision=float"):
        for flow in flows:
            flow.restore(damage.directory)
            result = run("resume", damage.directory, *settings(change), *STEPS)
            codes = (2, 3) if "grid" in change else (0, 2, 3)
            damage.trial.check(result.ends_with(*codes), f"{flow.scheme}, dns resume --set "
                               f"{change}: {result}", "resume on another grid")


def try_view(damage, flow, number):
    """A damaged snapshot or averages: what looks at them, and a run that goes on beside them."""
    trial = damage.trial
    name, kind = random.choice((("fields_00000006.h5", "dns snapshot"),
                                ("statistics.h5", "dns statistics")))
    content = (flow.half / name).read_bytes()
    content, words = DAMAGES[number % len(DAMAGES)](content)
    path = trial.folder / name
    path.write_bytes(content)
    result = run("info", path)
    trial.check(not result.is_crash, f"{name} {words}: dns info: {result}", "info of output",
                [path])
    result = run_python(READER, path, kind, timeout=30)
    trial.check(result.code in (0, 3) and not result.hung, f"{name} {words}: dnsflow.ArrayFile: "
                f"{result}", "reader: not a RunFileError", [path])
    flow.restore(damage.directory)
    if name.startswith("fields"):
        (damage.directory / "fields_00000002.h5").write_bytes(content)
        result = run("resume", damage.directory, *STEPS, timeout=30)
        trial.check(result.ends_with(0), f"resume beside a snapshot with {words}: {result}",
                    "resume beside a damaged snapshot", [path])
    if number % 6 == 0:
        flow.restore(damage.directory)
        (damage.directory / name).write_bytes(content)
        result = run("plot", damage.directory, timeout=120)
        trial.check(result.ends_with(0, 2, 3) and "Traceback" not in result.err,
                    f"dns plot with {name} {words}: {result}", "plot", [path])


def try_planes(damage, flow, number):
    """A damaged list or piece of recorded planes, as dnsflow reads it."""
    flow.restore(damage.directory)
    path = random.choice(sorted(damage.directory.glob("planes_cut*.h5")))
    content, words = DAMAGES[number % len(DAMAGES)](path.read_bytes())
    path.write_bytes(content)
    result = run_python(PLANES_READER, damage.directory, timeout=30)
    damage.trial.check(result.code in (0, 3) and not result.hung, f"{path.name} {words}: "
                       f"dnsflow.Run.plane: {result}", "reader: not a RunFileError", [path])


def main(trial, options):
    damage = Damage(trial)
    flows = [flow_of(trial, scheme) for scheme in SCHEMES]
    try_random_damage(damage, flows, options.files)
    try_foreign_content(damage, flows)
    for flow in flows:
        try_unseen_words(damage, flow)
        try_values(damage, flow)
        try_attributes(damage, flow)
        for name in thinned(list(EDITS), options.every):
            try_edit(damage, flow, name)
    try_other_cases(damage, flows)
    for number in range(0 if options.quick else max(20, options.files // 4)):
        try_view(damage, flows[1], number)
        try_planes(damage, flows[number % len(flows)], number)
    trial.note(", ".join(f"{count} {what}" for what, count in damage.outcomes.items()))


if __name__ == "__main__":
    run_trial(main, __doc__, {"files": (200, 10, "randomly damaged checkpoints"),
                              "every": (1, 12, "one in so many of the edited ones is tried")})
