"""Grids that do not fit, and limits of memory, stack and control groups.

Promised: exit 5 before any file is made, with what is needed and what would fit; never a crash or a
kill, also where a control group, not the machine, sets the limit.
Tried: grids up to the largest that a case may ask for; ulimit -s, and -v near what a run needs too;
as root a control group
(version 1, or 2 also nested) that is smaller than the machine; threads that cannot be made, from
each one on; no more memory from allocations of the HDF5 library on, where not promised is what HDF5
itself makes of it.
"""
import collections
import contextlib
import os
import pathlib
import signal

from cases import SCHEMES, settings, write_case
from common import (IS_SANITIZED, PATIENCE, PROGRAM, environment, is_root, run, run_trial, spread,
                    thinned)
from interposer import library_of

GRIDS = ("[60000,60000,60000]", "[65536,65536,65536]", "[65536,65536,256]", "[65536,65536,255]",
         "[4000,4000,4000]", "[2000,2000,2000]", "[65536,4,65536]", "[65536,65536,4]")
NEAR = range(240, 660, 10)  # MB of addresses, around what NEAR_GRID needs
NEAR_GRID = "[64,64,64]"
LIMITS = (50, 100, 200, 300, 400, 500, 600, 800, 1000, 1500)  # MB of addresses
LITTLE = 300  # MB of addresses, in which the program may not even begin
SMALLER_GRIDS = ("[12,10,8]", "[64,64,64]", "[128,128,128]")
STACKS = (64, 256, 1024)  # kB
GROUP_LIMIT = 100 << 20  # bytes; a grid of 160^3 needs more
GROUPS = pathlib.Path("/sys/fs/cgroup")


def try_grid(trial, case, points, precision):
    """Refused with 2 where no machine could hold it, else with 5."""
    directory = trial.fresh("run")
    arguments = (case, *settings(f"grid.points={points}"), "--precision", precision)
    result = run("run", *arguments, "-o", directory)
    words = f"{case.stem} {precision} {points}"
    is_at_once = result.seconds < 5 * PATIENCE
    trial.check(result.ends_with(2, 5) and is_at_once, f"{words}: {result}", "exit code")
    if result.code == 5:
        trial.check("needs" in result.err and "fit" in result.err, f"{words}: {result}", "message")
    trial.check(not directory.exists(), f"{words}: the folder is there", "folder")
    result = run("check", *arguments)
    trial.check(result.ends_with(0, 2, 5), f"dns check {words}: {result}", "check")


def run_within(limit, *arguments, **options):
    """Runs the program under `ulimit LIMIT`."""
    return run("-c", f'ulimit {limit} && exec "$0" "$@"', PROGRAM, *arguments, program="sh",
               **options)


def reaches_main(limit):
    """Whether the program does anything at all under a limit.

    Expected below some 300 MB of addresses: the kernel has no room for the program itself, of 90 MB
    with CUDA (SIGSEGV), the loader refuses the libraries (exit 127), or OpenBLAS, whose
    initialisation asks for memory until it gets it (blas_memory_alloc in gotoblas_init, seen in
    0.3.29 of Debian 13), never returns to it.
    """
    return run_within(limit, "--version", timeout=10).code == 0


def try_limit(trial, case, limit, words, *changes, is_little=False):
    """`limit` as the shell's ulimit takes it: -v or -s and a number of KiB."""
    if not reaches_main(limit):
        trial.check(is_little, f"{words}: dns --version fails", "start")
        trial.note(f"{words}: ends before main, as expected of so little")
        return
    directory = trial.fresh("run")
    result = run_within(limit, "run", case, *settings(*changes), "--steps", "2", "-o", directory,
                        timeout=60)
    kind = " ".join(words.split(" ")[:2])
    trial.check(result.ends_with(0, 5), f"{case.stem} {words}: {result}", kind)
    trial.check(result.code != 5 or not directory.exists(), f"{case.stem} {words}: files are there",
                f"{kind}: files")


@contextlib.contextmanager
def control_group(name, file, limit, inner=""):
    """A control group of the name with a limit; the folder of it, or of an inner one without."""
    group = GROUPS / name
    made = [group, group / inner] if inner else [group]
    try:
        for folder in made:
            folder.mkdir(exist_ok=True)
        (group / file).write_text(str(limit))
        yield made[-1]
    finally:
        for folder in reversed(made):
            with contextlib.suppress(OSError):
                folder.rmdir()


def ways_to_limit():
    """Names of what control groups of this machine limit memory with: (folder, file, inner)."""
    ways = []
    own = f"dns_faults_{os.getpid()}"
    if (GROUPS / "memory").is_dir():
        ways += [(f"memory/{own}", "memory.limit_in_bytes", ""),
                 (f"memory/{own}", "memory.limit_in_bytes", "inner")]
    for root in ("", "unified"):
        controllers = GROUPS / root / "cgroup.subtree_control"
        if controllers.exists() and "memory" in controllers.read_text():
            ways += [(f"{root}/{own}".lstrip("/"), "memory.max", ""),
                     (f"{root}/{own}".lstrip("/"), "memory.max", "inner")]
    return ways


def try_group(trial, case, way):
    """A process in the group, or in one within it that sets no limit of its own."""
    name, file, inner = way
    words = f"{case.stem} in a control group ({file}{', nested' if inner else ''})"
    try:
        with control_group(name, file, GROUP_LIMIT, inner) as group:
            enter = group / "cgroup.procs"
            result = run("run", case, *settings("grid.points=[160,160,160]"), "--steps", "1", "-o",
                         trial.fresh("run"), timeout=60,
                         preexec_fn=lambda: enter.write_text(str(os.getpid())))
    except OSError as error:
        trial.note(f"{words}: not tried: {error}")
        return
    trial.check(result.ends_with(5), f"{words}: {result}", "control group")


def try_limits(trial, case, options):
    """Less memory than asked for; a sanitizer itself needs terabytes of addresses."""
    if IS_SANITIZED:
        trial.note("ulimit -v and -s are not tried with a sanitizer")
        return
    for megabytes in thinned(LIMITS, options.every):
        for points in SMALLER_GRIDS[:1] if options.quick else SMALLER_GRIDS:
            try_limit(trial, case, f"-v {megabytes << 10}", f"ulimit -v {megabytes} MB {points}",
                      f"grid.points={points}", is_little=megabytes <= LITTLE)
    for megabytes in thinned(NEAR, 8 * options.every if options.quick else 1):
        try_limit(trial, case, f"-v {megabytes << 10}", f"ulimit -v {megabytes} MB {NEAR_GRID}",
                  f"grid.points={NEAR_GRID}", is_little=megabytes <= LITTLE)
    for kilobytes in STACKS:
        try_limit(trial, case, f"-s {kilobytes}", f"ulimit -s {kilobytes} kB", "run.threads=2")


def try_scarcity(trial, case, options):
    """Threads, or the memory of HDF5, that run out at a call; see scarcity.c.

    Expected where HDF5 has no memory: often it ends the program itself, with SIGSEGV, SIGABRT or 255.
    """
    if IS_SANITIZED:
        trial.note("threads and memory that run out are not tried with a sanitizer")
        return
    library = library_of(trial, "scarcity")
    counts = trial.folder / "counts"

    def run_with(**limits):
        env = environment(LD_PRELOAD=library, COUNTS=counts,
                          **{"OMP_NUM_THREADS": 4, "OPENBLAS_NUM_THREADS": 1, **limits})
        return run("run", case, "-o", trial.fresh("run"), env=env, timeout=60)

    result = run_with()
    threads, allocations = map(int, counts.read_text().split())
    trial.check(result.code == 0 and threads > 4, f"{case.stem}: {result}", "scarcity")
    for made in range(threads):
        result = run_with(THREADS=made)
        trial.check(result.ends_with(0, 5), f"{case.stem}, {made} threads: {result}", "threads")
    codes = collections.Counter()
    for made in spread(range(allocations), 12 if options.quick else 400):
        result = run_with(MEMORY=made)
        codes[result.code] += 1
        is_of_hdf5 = result.code in (255, -signal.SIGSEGV, -signal.SIGABRT)
        trial.check(is_of_hdf5 or result.ends_with(5), f"{case.stem}, {made} allocations: {result}",
                    "memory of HDF5")
    trial.note(f"{case.stem}: without memory for HDF5: {dict(codes)} (code: how often)")


def try_groups(trial, case):
    ways = ways_to_limit()
    if not ways:
        trial.note("no control groups that limit memory")
    for way in ways:
        try_group(trial, case, way)


def main(trial, options):
    for scheme in SCHEMES:
        case = write_case(trial.folder / f"{scheme}.yaml", scheme, 3, 1)
        for points in thinned(GRIDS, options.every):
            for precision in ("double", "float"):
                try_grid(trial, case, points, precision)
        try_limits(trial, case, options)
        try_scarcity(trial, case, options)
        if is_root() and not options.quick:
            try_groups(trial, case)
    if options.quick or not is_root():
        trial.note("control groups are not tried: they need root")


if __name__ == "__main__":
    run_trial(main, __doc__, {"every": (1, 3, "one in so many grids and limits is tried")})
