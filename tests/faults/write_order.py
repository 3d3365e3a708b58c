"""The order in which a run hands its files to the disk: what a power cut would leave.

Promised, of all that a run writes:
- a file that is renamed was flushed to disk after its last write, and its folder is flushed after
  the rename and before the next file is renamed or removed;
- when a checkpoint of a step gets its name, the lines of the time series and of probes up to this
  step are on disk; what a later resume reads has no hole;
- an older checkpoint is removed only after the newer one has its name for good.
Tried: every call that changes a file, of whole runs and resumed ones. That a disk which says
"flushed" has flushed is not tried.
"""
import re

from cases import SCHEMES, write_case
from common import run_trial
from contents import make_reference
from interposer import Interposer

CHECKPOINT = re.compile(r"checkpoint_(\d+)\.h5")
TABLES = ("timeseries.csv", "probes_wake.csv")  # to which each step adds a line


class Disk:
    """What is certainly on disk after each call of a run."""

    def __init__(self, directory):
        self.folder = str(directory)
        self.unflushed = set()  # paths with writes that are not on disk
        self.unflushed_names = []  # renames that are not on disk
        self.table_sizes = dict.fromkeys(TABLES, 0)  # bytes of them that are on disk
        self.problems = []

    def see(self, call):
        if call.is_write or call.name.startswith("ftruncate"):
            self.unflushed.add(call.path)
        elif call.is_flush_to_disk:
            self.flush(call)
        elif call.name in ("rename", "link"):
            self.rename(call)
        elif call.name in ("unlink", "unlinkat", "remove"):
            self.remove(call)

    def flush(self, call):
        self.unflushed.discard(call.path)
        if call.path == self.folder:
            self.unflushed_names.clear()
        if call.file.removesuffix(".part") in TABLES:
            self.table_sizes[call.file.removesuffix(".part")] = call.size

    def rename(self, call):
        if call.before in self.unflushed:
            self.problems.append((f"{call}: its content is not on disk", "content"))
        self.require_names(call)
        self.unflushed_names.append(call.file)

    def remove(self, call):
        self.unflushed.discard(call.path)
        if CHECKPOINT.fullmatch(call.file):
            self.require_names(call)

    def require_names(self, call):
        if self.unflushed_names:
            names = " ".join(self.unflushed_names)
            self.problems.append((f"{call}: the names of {names} are not on disk", "names"))


def steps_within(table, size):
    """The last step of the complete lines among the first `size` bytes of a table."""
    lines = table[:size].decode().split("\n")[1:-1]
    return int(lines[-1].split(",")[0]) if lines else -1


def problems_of(calls, directory):
    """What a power cut could damage: a list of (words, kind)."""
    disk = Disk(directory)
    tables = {name: (directory / name).read_bytes() for name in TABLES}
    for call in calls:
        step = CHECKPOINT.fullmatch(call.file)
        for name, table in tables.items() if call.name == "rename" and step else ():
            last = steps_within(table, disk.table_sizes[name])
            if last < int(step[1]):
                disk.problems.append((f"{call}: {name} is on disk up to step {last} only",
                                      "tables"))
        disk.see(call)
    if disk.unflushed_names:
        disk.problems.append((f"at the end the names of {disk.unflushed_names} are not on disk",
                              "names"))
    return disk.problems


def try_run(trial, words, calls, directory):
    """Each rename is one thing tried; other violations are reported as what they are."""
    renames = [call for call in calls if call.name == "rename"]
    problems = problems_of(calls, directory)
    for problem, kind in problems:
        trial.check(False, f"{words}: {problem}", kind)
    for _ in range(max(1, len(renames) - len(problems))):
        trial.check(True, "", "")


def main(trial, options):
    directory = trial.folder / "run"
    interposer = Interposer(trial, directory)
    for scheme in SCHEMES:
        case = write_case(trial.folder / f"{scheme}.yaml", scheme, options.steps, 1)
        trial.fresh("run")
        calls = interposer.calls_of("run", case, "-o", directory)
        try_run(trial, f"{scheme} run", calls, directory)
        trial.fresh("run")
        make_reference(case, directory, "--steps", str(options.steps // 2))
        calls = interposer.calls_of("resume", directory, "--steps", str(options.steps))
        try_run(trial, f"{scheme} resume", calls, directory)


if __name__ == "__main__":
    run_trial(main, __doc__, {"steps": (100, 8, "of the runs; each writes all kinds of output")})
