"""kill -9 at random moments of runs that write all kinds of output in every step.

Promised: afterwards `dns info` answers and the lists name complete snapshots; going on leaves, bit
for bit, the files of a run that nobody killed, and none that was only begun.
Tried: both schemes in float and double, killed once to three times, also while going on.
"""
import random
import signal
import time

from cases import SCHEMES, write_case
from common import remove, run_trial, started
from contents import has_checkpoint, leftovers, look, make_reference, recovery_problem

EARLY = 0.15  # s: before the first checkpoint, most likely


def kill_once(case, directory, length):
    """Starts, or goes on, and kills after a random time. Returns what was done, in words."""
    goes_on = has_checkpoint(directory) and random.random() < 0.5
    words = ("resume", directory) if goes_on else ("run", case, "-o", directory, "--resume")
    delay = random.uniform(0, length * 1.05 if random.random() < 0.8 else EARLY)
    with started(*words) as process:
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        code = process.wait()
    left = leftovers(directory) if directory.exists() else []
    return f"dns {words[0]} killed after {delay:.4f} s (exit {code}, {' '.join(left)})"


def kill_and_go_on(case, directory, wanted, length):
    """What is wrong after some kills, its kind, and what was done."""
    remove(directory)
    done = []
    for _ in range(random.choice((1, 1, 2, 3))):
        done.append(kill_once(case, directory, length))
        problem, kind = look(directory)
        if problem:
            return problem, kind, done
    return *recovery_problem(case, directory, wanted), done


def try_scheme(trial, scheme, precision, options):
    case = write_case(trial.folder / "case.yaml", scheme, options.steps, 1, precision)
    begin = time.monotonic()
    wanted = make_reference(case, trial.fresh("reference"))
    length = time.monotonic() - begin
    trial.note(f"{scheme} {precision}: a whole run takes {length:.2f} s")
    directory = trial.folder / "run"
    for _ in range(options.kills):
        problem, kind, done = kill_and_go_on(case, directory, wanted, length)
        trial.check_no(problem, f"{scheme} {precision}: {', '.join(done)}", kind, [directory])


def main(trial, options):
    for scheme in SCHEMES:
        for precision in ("float", "double"):
            try_scheme(trial, scheme, precision, options)


if __name__ == "__main__":
    run_trial(main, __doc__, {"kills": (30, 2, "trials of each scheme and precision"),
                              "steps": (120, 40, "of the run")})
