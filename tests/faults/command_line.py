"""The command line: words, environment, streams.

Promised: what cannot be understood ends with exit 2 and a word about it; results that cannot be
written end with 3; --json is JSON and nothing else on stdout; closed streams never become files of
the run; flags beat the environment; threads that cannot be made end with 5.
Tried: wrong, right and random command lines; full and closed streams; odd environments; limits of
processes; terminals of all widths.
"""
import contextlib
import fcntl
import json
import os
import pty
import random
import resource
import select
import shutil
import struct
import subprocess
import termios
import time

from cases import settings, write_case
from command_words import (CASE, ENVIRONMENTS, JSON, MISSING, PIECES, PRINTING, RANDOM_VERBS,
                           REDIRECTIONS, RIGHT, WIDTHS, WRONG, WRONG_WITH_BLANKS)
from common import (NOBODY, PROGRAM, become_nobody, environment, is_root, run, run_trial, started,
                    thinned)

import h5py


class CommandLine:
    """A folder to work in, with a case and a finished run of it."""

    def __init__(self, trial):
        self.trial = trial
        self.folder = trial.folder / "home"
        self.folder.mkdir()
        self.case = write_case(self.folder / "case.yaml", "projection", 3, 1)
        self.expect((0,), "run", CASE, "-o", "finished")

    def words(self, line):
        """The words of a line, or of a list; the case in place of its sign."""
        words = line.split(" ") if isinstance(line, str) and line else line or ()
        return [str(self.case) if word == CASE else word for word in words]

    def expect(self, codes, *line, **options):
        words = self.words(line if len(line) != 1 else line[0])
        options.setdefault("cwd", self.folder)
        result = run(*words, **options)
        shown = " ".join(map(repr, words))[:300]
        has_words = result.code == 0 or result.err.strip()
        self.trial.check(result.ends_with(*codes) and has_words,
                         f"dns {shown}: expected {codes}: {result}",
                         f"exit {result.code} instead of {codes}")
        return result


def try_lines(line, every):
    """Wrong, right and random command lines."""
    for words in thinned(WRONG + WRONG_WITH_BLANKS, every):
        is_name = not isinstance(words, str) and words[-1] == ""  # of a file: none, or bad
        line.expect((2, 3) if is_name else (2,), words)
    for words in thinned(MISSING, every):
        line.expect((2, 3), words)
    for words in thinned(RIGHT, every):
        line.expect((0,), words)
    scratch = line.folder / "scratch"
    for _ in range(250 // every):
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        words = [random.choice(PIECES) for _ in range(random.randint(0, 6))]
        line.expect((0, 2, 3), (random.choice(RANDOM_VERBS), *words), cwd=scratch)


def files_problem(folder):
    """What of the words for the terminal went into a run's files."""
    for path in folder.glob("*.h5"):
        try:
            h5py.File(path).close()
        except OSError as error:
            return f"{path.name}: {error}"
    head = (folder / "timeseries.csv").read_text()[:5]
    return "" if head == "step," else f"timeseries.csv begins with {head!r}"


def try_streams(line, every):
    trials = [(words, redirection) for words in PRINTING for redirection in REDIRECTIONS]
    for words, redirection in thinned(trials, every):
        shutil.rmtree(line.folder / "full", ignore_errors=True)
        ended = subprocess.run(["bash", "-c", f'"$0" "$@" {redirection}', PROGRAM,
                                *line.words(words)], cwd=line.folder, env=environment(),
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, timeout=60, check=False)
        line.trial.check(ended.returncode in REDIRECTIONS[redirection],
                         f"dns {words} {redirection}: exit {ended.returncode}", redirection)
        if ended.returncode == 0 and words.startswith("run"):
            line.trial.check_no(files_problem(line.folder / "full"), f"dns {words} {redirection}",
                                "words in files")


def is_json(text):
    try:
        json.loads(text)
        return True
    except ValueError:
        return False


def try_json(line):
    lines = [*JSON, ("run", CASE, "--json", "--force", "-o", "j \"quoted\\ \u00e9\t")]
    for words in lines:
        result = run(*line.words(words), cwd=line.folder)
        line.trial.check(result.ends_with(0) and is_json(result.out),
                         f"dns {words}: {result}; stdout {result.out[:200]!r}", "--json")
    result = run("run", line.case, "--json", "--force", "-o", "j",
                 *settings("initial.velocity=[1e300,1e300,1e300]"), cwd=line.folder)
    line.trial.check(result.ends_with(2, 4) and (not result.out.strip() or is_json(result.out)),
                     f"--json of a flow that diverges: {result}; stdout {result.out!r}", "--json")


def try_environments(line, every):
    """2: a number of threads that makes no sense may be refused, and is left alone otherwise; 5: no
    GPU is left of those that the trials are to run on."""
    for more in thinned(ENVIRONMENTS, every):
        codes = (0, 2) if "OMP_NUM_THREADS" in more else (0, 5) if "CUDA_VISIBLE_DEVICES" in more else (0,)
        line.expect(codes, "run", CASE, "-o", "env", "--force", env=environment(**more))
    line.expect((0,), "run", CASE, "-o", "env", "--force", env={})
    result = line.expect((0,), "run", CASE, "-o", "env", "--force", "--threads", "2",
                         "--device", "cpu")
    line.trial.check("2 threads" in result.err, f"--threads 2 beats OMP_NUM_THREADS=1: {result}",
                     "flags beat the environment")


def one_process():
    """Another user, who may have one process."""
    become_nobody()
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))


def try_few_processes(line):
    """The writer of output is a thread too."""
    home = line.trial.fresh("nobody")
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)
    for threads in ("1", "4"):
        line.expect((5,), "run", CASE, "-o", home / "run", "--force", "--threads", threads,
                    preexec_fn=one_process)


def read_all(terminal, process):
    """Reads a terminal until its process ends."""
    end = time.monotonic() + 60
    with contextlib.suppress(OSError):  # the other side is closed
        while time.monotonic() < end:
            ready, _, _ = select.select([terminal], [], [], 0.2)
            if ready and not os.read(terminal, 65536):
                return
            if not ready and process.poll() is not None:
                return


def try_terminals(line):
    try:
        pairs = [(width, *pty.openpty()) for width in WIDTHS]
    except OSError as error:
        line.trial.note(f"terminals are not tried: {error}")
        return
    for width, master, slave in pairs:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        with started("run", line.case, "--force", "-o", line.folder / "tty", "--steps", "60",
                     stdout=slave, stderr=slave, env=environment(TERM="xterm")) as process:
            os.close(slave)
            read_all(master, process)
            code = process.wait(60)
        os.close(master)
        line.trial.check(code == 0, f"a terminal of width {width}: exit {code}", "width")


def main(trial, options):
    trial.let_others_in()
    line = CommandLine(trial)
    try_lines(line, options.every)
    try_streams(line, options.every)
    try_json(line)
    try_environments(line, options.every)
    try_terminals(line)
    if is_root() and not options.quick:
        try_few_processes(line)


if __name__ == "__main__":
    run_trial(main, __doc__, {"every": (1, 6, "one in so many is tried")})
