"""Disks that fill, limits of files, folders that cannot be used, files taken away under a run.

Promised: exit 3 with the system's reason, never a crash or exit 0 with output missing; with room
again, going on leaves the bits of a run that nothing happened to. A run says so and ends with 3
when its folder, log.txt, timeseries.csv or the table of a probe vanish; snapshots and checkpoints may be moved away.
Tried: full disks of random sizes and other users' folders (as root); ulimit -f and -n; odd names;
folders, pipes, loops and full devices in place of each file of a run; pipes and endless devices in
place of each file of a finished run, and of a table under a run.
"""
import os
import random
import resource
import shutil
import subprocess

from cases import SCHEMES, write_case
from common import (NOBODY, become_nobody, is_root, remove, run, run_trial, started, thinned, wait,
                    wait_until)
from contents import (go_on, has_checkpoint, make_reference, recovery_problem,
                      without_older_checkpoints, xdmf_problem)

BLOCK = 4096
STEPS = 20
FILE_LIMITS = (0, 512, 4096, 10000, 20000, 50000, 100000)  # bytes
ODD_NAMES = ("with spaces", "with\ttab", "quote\"'s", "back\\slash", "\u00fc\u00f1\u00ed\U0001F4A9",
             "-dash", "%s%n{}", "a:b,c;d&<e>", "$HOME", "*?[x]")
CONTROL_NAMES = ("new\nline", "bell\a", "\x1b[31mred")
RUN_FILES = ("log.txt", "case.yaml", "timeseries.csv", "fields.xdmf", "statistics.h5", "run.lock",
             "checkpoint_00000002.h5", "fields_00000002.h5", "STOP", "case.yaml.part",
             "fields.xdmf.part", "fields_00000002.h5.part", "checkpoint_00000002.h5.part",
             "timeseries.csv.part", "probes_wake.csv", "probes_line.h5", "probes_wake.csv.part")
TAKEN_AWAY = {"folder removed": (3,), "folder renamed": (3,), "folder made read-only": (3,),
              "log.txt": (3,), "timeseries.csv": (3,), "probes_wake.csv": (3,), "checkpoints": (0,),
              "snapshots": (0,)}


def limit_files(kind, limit):
    return lambda: resource.setrlimit(kind, (limit, limit))


class SmallDisk:
    """A file system in memory whose size can be changed."""

    def __init__(self, path):
        self.path = path
        path.mkdir()
        self.is_there = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", path],
                                       check=False, stderr=subprocess.DEVNULL).returncode == 0

    def resize(self, size):
        subprocess.run(["mount", "-o", f"remount,size={size}", self.path], check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.is_there:
            subprocess.run(["umount", "-l", self.path], check=True)


def try_full_disk(trial, disk, scheme, case, reference, wanted):
    """A run on a disk that is too small for it, most likely, and that is enlarged then."""
    directory = disk.path / "run"
    remove(directory)
    whole = sum(path.stat().st_size for path in reference.iterdir())
    size = random.randint(BLOCK, int(whole * 1.05)) // BLOCK * BLOCK
    disk.resize(size)
    result = run("run", case, "-o", directory)
    words = f"{scheme} on a disk of {size} bytes, needing {whole}"
    if not trial.check(result.ends_with(0, 3), f"{words}: {result}", "full disk: exit code"):
        return
    if result.code == 3:
        trial.check("No space left" in result.err, f"{words}: {result}", "full disk: message")
    if directory.exists():
        trial.check_no(xdmf_problem(directory), words, "full disk: lists", [directory])
    disk.resize("64m")
    problem, kind = recovery_problem(case, directory, wanted, simplify=without_older_checkpoints)
    trial.check_no(problem, f"{words}, with room again", f"full disk: {kind}", [directory])


def try_full_disks(trial, number):
    """The disk fills at random moments of runs that write everything in every step."""
    with SmallDisk(trial.folder / "disk") as disk:
        if not disk.is_there:
            trial.note("no tmpfs can be mounted: full disks are not tried")
            return
        for scheme in SCHEMES:
            case = write_case(trial.folder / f"{scheme}.yaml", scheme, STEPS, 1)
            reference = trial.fresh("reference")
            wanted = make_reference(case, reference)
            for _ in range(number // 2):
                try_full_disk(trial, disk, scheme, case, reference, wanted)


def try_file_sizes(trial, every):
    """ulimit -f, at which the kernel sends a signal that kills by default."""
    for scheme in SCHEMES:
        case = write_case(trial.folder / f"{scheme}.yaml", scheme, STEPS, 1)
        wanted = make_reference(case, trial.fresh("reference"))
        for limit in thinned(FILE_LIMITS, every):
            directory = trial.fresh("run")
            result = run("run", case, "-o", directory,
                         preexec_fn=limit_files(resource.RLIMIT_FSIZE, limit))
            codes = (3,) if limit < 20000 else (0, 3)
            words = f"{scheme} with files of {limit} bytes at most"
            if trial.check(result.ends_with(*codes), f"{words}: {result}", "ulimit -f"):
                problem, kind = recovery_problem(case, directory, wanted,
                                                 simplify=without_older_checkpoints)
                trial.check_no(problem, f"{words}, without the limit", f"ulimit -f: {kind}")


def try_few_descriptors(trial, case):
    for limit in (4, 6, 8, 10, 16):
        result = run("run", case, "-o", trial.fresh("run"),
                     preexec_fn=limit_files(resource.RLIMIT_NOFILE, limit))
        is_of_loader = limit < 8 and result.code == 127  # the loader's own error: an expectation
        trial.check(result.ends_with(0, 3, 5) or is_of_loader, f"ulimit -n {limit}: {result}",
                    "ulimit -n")


def unusable_places(folder):
    """Names that no run can be written to, by what is wrong with them."""
    (folder / "file").write_text("x")
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "dangling").symlink_to(folder / "nowhere" / "deep")
    return {"a file": folder / "file", "below a file": folder / "file" / "below",
            "a loop of links": folder / "loop", "below a loop": folder / "loop" / "x",
            "a dangling link": folder / "dangling", "a device": "/dev/null",
            "below a device": "/dev/null/x", "below a process": "/proc/1/x",
            "of the kernel": "/sys/x", "a name of 255 letters": folder / ("n" * 255),
            "a name of 300 letters": folder / ("n" * 300),
            "a long path": folder / "/".join(["d" * 200] * 30)}


def try_unusable_places(trial, case, every):
    """As an argument such a name may also be refused with 2; a name of 255 letters can be made."""
    folder = trial.fresh("places")
    folder.mkdir()
    for name, path in thinned(list(unusable_places(folder).items()), every):
        result = run("run", case, "-o", path)
        codes = (0, 2, 3) if name in ("a dangling link", "a name of 255 letters") else (2, 3)
        trial.check(result.ends_with(*codes), f"dns run -o {name}: {result}", f"-o {name}")
        for verb in ("resume", "info"):
            result = run(verb, path)
            codes = (0, 2, 3) if name in ("a file", "a name of 255 letters") else (2, 3)
            trial.check(result.ends_with(*codes), f"dns {verb} {name}: {result}", f"{verb} {name}")


def try_folders_of_others(trial, case):
    """What a user may not write to or read."""
    folder = trial.fresh("others")
    for name, mode in (("read-only", 0o555), ("of root", 0o755), ("unreadable", 0o333)):
        path = folder / name
        path.mkdir(parents=True)
        path.chmod(mode)
        for place in (path, path / "below"):
            result = run("run", case, "-o", place, preexec_fn=become_nobody)
            is_writable = name == "unreadable" and place != path
            trial.check(result.ends_with(*((0, 3) if is_writable else (3,))),
                        f"dns run -o {place.relative_to(folder)}: {result}", "folders of others")


def try_odd_names(trial, case, every):
    for name in thinned(ODD_NAMES, every):
        path = trial.folder / "odd" / name
        result = run("run", case, f"--output={path}")
        if not trial.check(result.ends_with(0), f"-o {name!r}: {result}", "odd names"):
            continue
        trial.check_no(xdmf_problem(path), f"-o {name!r}", "odd names: lists")
        for arguments in (("resume", path, "--steps", "7"), ("info", path)):
            result = run(*arguments)
            trial.check(result.ends_with(0), f"{arguments[0]} {name!r}: {result}", "odd names")
    for name in thinned(CONTROL_NAMES, every):
        result = run("run", case, f"--output={trial.folder / 'odd' / name}")
        trial.check(result.ends_with(0, 2, 3), f"-o {name!r}: {result}", "control characters")


OBSTACLES = {"an empty folder": lambda path: path.mkdir(),
             "a full folder": lambda path: (path / "x").mkdir(parents=True),
             "a pipe": os.mkfifo, "a loop": lambda path: path.symlink_to(path.name),
             "a link to a full device": lambda path: path.symlink_to("/dev/full")}


def try_obstacles(trial, case, names):
    """Something else where a file of the run belongs."""
    for name in names:
        for kind, make in OBSTACLES.items():
            for flags in ((), ("--force",), ("--resume",)):
                path = trial.fresh("run")
                path.mkdir()
                make(path / name)
                result = run("run", case, "-o", path, *flags, timeout=10)
                trial.check(result.ends_with(0, 2, 3),
                            f"{name} is {kind}, dns run {' '.join(flags)}: {result}",
                            f"{kind} in place of a file")


def try_waiting_files(trial, case, every):
    """A pipe or an endless device where a command looks for a file of a finished run."""
    whole = trial.fresh("whole")
    make_reference(case, whole, "--steps", "2")
    makers = {"a pipe": os.mkfifo, "a device": lambda path: path.symlink_to("/dev/zero"),
              "a terminal": lambda path: path.symlink_to("/dev/ptmx")}
    names = sorted(path.name for path in whole.iterdir())
    places = [(name, kind) for name in names for kind in makers]
    for name, kind in thinned(places, every):
        for words in (("resume", "--steps", "3"), ("info",), ("info", name), ("check", name),
                      ("run", name), ("plot", name)):
            path = trial.fresh("run")
            shutil.copytree(whole, path)
            remove(path / name)
            makers[kind](path / name)
            verb, *rest = words
            target = path / rest.pop() if rest == [name] else path
            result = run(verb, target, *rest, timeout=10)
            trial.check(result.ends_with(0, 2, 3, 4), f"{name} is {kind}, dns {verb} "
                        f"{target.name}: {result}", f"{kind} in place of a file")


def try_replaced_table(trial, case):
    """A table becomes a pipe while the run adds lines to it: the one that is held is flushed."""
    for name in ("timeseries.csv", "probes_wake.csv"):
        path = trial.fresh("run")
        with started("run", case, "-o", path, "--set", "time.steps=2000",
                     stderr=subprocess.PIPE) as process:
            wait_until(lambda: has_checkpoint(path), process)
            (path / name).unlink()
            os.mkfifo(path / name)
            code = wait(process, 30)
            said = process.stderr.read().decode()[-300:]
        trial.check(code == 3 and name in said, f"{name} becomes a pipe: exit {code}: {said!r}",
                    "a pipe in place of a table")


def take_away(what, path, renamed):
    """Does to the folder of a live run what its user might."""
    if what == "folder removed":
        while path.exists():
            remove(path)
    elif what == "folder renamed":
        path.rename(renamed)
    elif what == "folder made read-only":
        path.chmod(0o555)
    elif what == "checkpoints":
        for file in path.glob("checkpoint_????????.h5"):
            file.unlink(missing_ok=True)
    elif what == "snapshots":
        for file in path.glob("fields_????????.h5"):
            file.unlink(missing_ok=True)
    else:
        (path / what).unlink()


def try_taking_away(trial, what, codes, steps):
    """Something of the folder vanishes while the run goes on."""
    case = write_case(trial.folder / "long.yaml", "projection", steps, 5)
    home = trial.fresh("home")
    home.mkdir()
    path, renamed = home / "run", home / "renamed"
    options = {}
    if is_root():  # who may write to read-only folders
        os.chown(home, NOBODY, NOBODY)
        options["preexec_fn"] = become_nobody
    with started("run", case, "-o", path, stderr=subprocess.PIPE, **options) as process:
        wait_until(lambda: has_checkpoint(path), process)
        take_away(what, path, renamed)
        code = wait(process, 60)
        said = process.stderr.read().decode()[-300:]
    trial.check(code in codes, f"{what}: exit {code}, not {codes}: {said!r}", what)
    if code == 3 and what in TAKEN_AWAY:
        name = what.replace("folder ", "") if "." in what else str(path)
        trial.check(name in said, f"{what}: {name} is not named: {said!r}", f"{what}: not said")
    for where in (path, renamed):
        if where.exists():
            where.chmod(0o755)
        if where.exists() and has_checkpoint(where) and code == 3:
            result = go_on(case, where, "--steps", "200")
            trial.check(result.ends_with(0), f"{what}: going on: {result}", f"{what}: resume")


def main(trial, options):
    trial.let_others_in()
    small = write_case(trial.folder / "case.yaml", "splitting", 5, 1)
    try_file_sizes(trial, options.every)
    try_few_descriptors(trial, small)
    try_unusable_places(trial, small, options.every)
    try_odd_names(trial, small, options.every)
    try_obstacles(trial, small, RUN_FILES[:options.files])
    try_waiting_files(trial, small, 12 * options.every if options.quick else 1)
    try_replaced_table(trial, small)
    for what, codes in TAKEN_AWAY.items():
        try_taking_away(trial, what, codes, options.steps)
    if options.quick or not is_root():
        trial.note("full disks and folders of other users are not tried: they need root")
        return
    try_folders_of_others(trial, small)
    try_full_disks(trial, options.sizes)


if __name__ == "__main__":
    run_trial(main, __doc__, {"sizes": (24, 0, "sizes of full disks"),
                              "every": (1, 3, "one in so many limits and names is tried"),
                              "files": (len(RUN_FILES), 1, "files that something else stands for"),
                              "steps": (1000, 400, "of runs from which something is taken away")})
