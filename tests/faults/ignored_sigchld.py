"""Commands that start other programs, under a parent that ignores SIGCHLD.

Some daemons and launchers leave this signal ignored, or blocked, and programs inherit it: the
system then keeps the exit codes of children from whoever waits for them.
Promised: every command ends, with the exit code that it has elsewhere; signals reach the ranks.
Tried: runs on ranks that the program starts, pictures, `dns doctor` and scripts/validate, each
with SIGCHLD as usual, ignored and blocked.
"""
import shutil
import signal
import sys
import time

from cases import settings, write_case
from common import TREE, environment, run, run_trial, started, wait, wait_until
from ranks import PLUGIN, INSTALLED_PLUGIN, POINTS

END = 30  # s
DIVERGING = ("time.steps=300", "time.step=5", "time.cfl=100", "time.scheme=implicit",
             'initial.velocity=["60*sin(y)*z","40*sin(3*y)*y*(2-y)","9*x"]')


def ignore():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def block():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])


def block_all():
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


PARENTS = {"as usual": None, "ignored": ignore, "blocked": block, "all signals blocked": block_all}


class Parent:
    """Starts programs in one of these ways and counts how they end."""

    def __init__(self, trial, case, name):
        self.trial, self.case, self.name = trial, case, name
        self.start = {"preexec_fn": PARENTS[name]}
        self.directory = trial.folder / "run"

    def expect(self, code, *words, **options):
        result = run(*words, timeout=2 * END, **self.start, **options)
        shown = " ".join(map(str, words)).replace(str(self.trial.folder), "")
        self.trial.check(not result.hung and result.code == code,
                         f"SIGCHLD {self.name}: {shown}: expected {code}: {result}",
                         f"exit {result.code} instead of {code}", [self.directory])
        return result

    def run_words(self, *more):
        return ("run", self.case, "-o", self.directory, "--force", "--ranks", "2",
                *settings(POINTS, *more))

    def try_ranks(self):
        self.expect(0, *self.run_words())
        self.expect(0, "resume", self.directory, "--ranks", "2", "--steps", "12")
        self.expect(2, *self.run_words("fluid.reynolds=-1"))
        self.expect(4, *self.run_words(*DIVERGING))

    def try_signals(self):
        for sent, codes in (("TERM", (75,)), ("INT INT", (130, 75))):
            words = self.run_words("time.steps=1000000", "output.checkpoint.every=0",
                                   "output.fields.every=0")
            shutil.rmtree(self.directory, ignore_errors=True)
            with started(*words, **self.start) as process:
                wait_until((self.directory / "timeseries.csv").exists, process)
                for name in sent.split():
                    process.send_signal(getattr(signal, "SIG" + name))
                    time.sleep(0.1)
                code = wait(process, END)
            self.trial.check(code in codes, f"SIGCHLD {self.name}: {sent} to ranks: exit {code}",
                             f"{sent}: exit {code}", [self.directory])

    def try_scripts(self, finished):
        self.expect(3, "plot", self.trial.folder / "nothing")
        self.expect(2, "plot", finished, "--only", "nonsense")
        self.expect(0, "plot", finished, "--only", "history")
        self.expect(3, "bench", "sweep", "--points", "16", "--device", "cpu", "--plot",
                    self.trial.folder / "nowhere" / "picture.png")
        doctor = self.expect(0, "doctor")
        self.trial.check("h5py" in doctor.out, f"SIGCHLD {self.name}: dns doctor: {doctor.out}",
                         "doctor")

    def try_validation(self, code):
        """scripts/validate reports how the program ended."""
        program = self.trial.folder / "program"
        program.write_text(f"#!/bin/sh\nexit {code}\n")
        program.chmod(0o755)
        words = ("blasius", "--quick", "--program", program, "-o", self.trial.fresh("validation"))
        result = run(TREE / "scripts/validate", *words, program=sys.executable, timeout=END,
                     env=environment(PYTHONDONTWRITEBYTECODE=1), **self.start)
        says_so = "stopped early" in result.err if code == 75 else f"exit code {code}" in result.err
        self.trial.check(says_so, f"SIGCHLD {self.name}: validate, program ends with {code}: "
                         f"{result}", "validate")


def main(trial, options):
    case = write_case(trial.folder / "case.yaml", "projection", 6, 3)
    finished = trial.fresh("finished")
    result = run("run", case, "-o", finished)
    if result.code != 0:
        raise RuntimeError(f"the run to draw ended with {result}")
    has_ranks = shutil.which("mpirun") and (PLUGIN.exists() or INSTALLED_PLUGIN.exists())
    if not has_ranks:
        trial.note("no runs on ranks: no MPI")
    for name in ("ignored",) if options.quick else PARENTS:
        parent = Parent(trial, case, name)
        parent.try_scripts(finished)
        for code in (75,) if options.quick else (75, 1, 3):
            parent.try_validation(code)
        for _ in range(options.rounds if has_ranks else 0):
            parent.try_ranks()
            parent.try_signals()


if __name__ == "__main__":
    run_trial(main, __doc__, {"rounds": (3, 1, "of runs on ranks, for each way")})
