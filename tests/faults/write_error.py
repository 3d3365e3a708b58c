"""One write fails (EIO) and all others succeed; or every write does only half of what it was given.

Promised: a run whose write failed ends with exit code 3, or all its files are right all the same:
never exit 0 and a wrong checkpoint, from which a wrong flow would go on. Writes that do half are no
error: the files are the same bit for bit.
Tried: every write to checkpoints, snapshots and statistics, on a tiny grid and on one whose fields
are larger than the buffers of the library that writes them.
"""
import errno

from cases import SCHEMES, settings, write_case
from common import run, run_trial, spread
from contents import difference, make_reference, run_content
from interposer import Interposer

STEPS = 4
MORE_STEPS = ("--steps", str(2 * STEPS))


def problem_of(directory, result, wanted, wanted_later):
    """What is wrong with a run one of whose writes failed: (words, kind)."""
    if not result.ends_with(0, 3):
        return str(result), "exit code"
    if result.code == 3:
        return "", ""
    differs = difference(run_content(directory), wanted)
    if not differs:
        return "", ""
    again = run("resume", directory, *MORE_STEPS, timeout=60)
    later = difference(run_content(directory), wanted_later)
    flow = f"dns resume exits {again.code}{' with a wrong flow' if later else ''}"
    return f"exit 0, but {differs}; {flow}", "exit 0 and wrong output"


def try_size(trial, scheme, size, options):
    """All writes of a run that ends with a checkpoint, a snapshot and statistics."""
    case = write_case(trial.folder / f"{scheme}.yaml", scheme, STEPS, STEPS)
    grid = settings(f"grid.points=[{size},{size},{size}]") if size else []
    directory = trial.fresh("run")
    wanted = make_reference(case, trial.fresh("reference"), *grid)
    wanted_later = make_reference(case, trial.fresh("later"), *grid, *MORE_STEPS)
    interposer = Interposer(trial, directory)
    arguments = ("run", case, "-o", directory, *grid)
    writes = [call for call in interposer.calls_of(*arguments)
              if call.is_write and ".h5" in call.file]
    chosen = spread(writes, options.writes)
    trial.note(f"{scheme} {size or 'tiny'}: {len(writes)} writes, {len(chosen)} of them tried")
    for call in chosen:
        trial.fresh("run")
        result = interposer.run(*arguments, FAIL_AT=call.number, FAIL_WITH=errno.EIO)
        problem, kind = problem_of(directory, result, wanted, wanted_later)
        trial.check_no(problem, f"{scheme} {size or 'tiny'}, EIO at {call}", kind, [directory])
    trial.fresh("run")
    result = interposer.run(*arguments, SHORT_WRITES=1)
    differs = difference(run_content(directory), wanted) if result.code == 0 else str(result)
    trial.check_no(differs, f"{scheme} {size or 'tiny'}, all writes do half", "short writes",
                   [directory])


def main(trial, options):
    for size in (0, options.grid) if options.grid else (0,):
        for scheme in SCHEMES:
            try_size(trial, scheme, size, options)


if __name__ == "__main__":
    run_trial(main, __doc__, {"writes": (10 ** 6, 10, "writes tried of each run, evenly spread"),
                              "grid": (64, 0, "points of the larger grid along each axis")})
