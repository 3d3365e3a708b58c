"""A long run on a tiny grid with every kind of output.

Promised: memory, open files and threads do not grow, but for the step and the time of each record
of a plane or a line, 16 bytes, which are kept to list them.
Tried: both schemes, each for half of the time; in full also with somebody at the live page.
"""
import contextlib
import os
import pathlib
import re
import signal
import statistics
import time
import urllib.request
from dataclasses import dataclass

from cases import SCHEMES, settings, write_case
from common import PATIENCE, run_trial, started, wait
from contents import xdmf_problem

TINY = {"projection": "[8,6,4]", "splitting": "[6,5,4]"}
GROWTH_ALLOWED = (3072, 0.02)  # kB, and share: the allocator's own ways
SETTLED = 40_000  # steps after which the memory of recorded planes and their lists is as it will be
PAGES = ("/", "/state", "/series?from=0")


@dataclass
class Sample:
    """What the system knows of a process."""

    resident: int  # kB
    threads: int
    descriptors: int
    step: int


def sample_of(process, directory):
    folder = pathlib.Path(f"/proc/{process.pid}")
    status = (folder / "status").read_text()
    return Sample(int(re.search(r"VmRSS:\s+(\d+)", status)[1]),
                  int(re.search(r"Threads:\s+(\d+)", status)[1]),
                  len(list((folder / "fd").iterdir())), last_step(directory))


def last_step(directory):
    """Of the time series; 0 before it has a row."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        with open(directory / "timeseries.csv", "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - 4096))
            return int(file.read().split(b"\n")[-2].split(b",")[0])
    return 0


def look_at_page(said):
    """Reads every page once the address is known."""
    address = re.search(r"http://\S+", said.read_text())
    for page in PAGES if address else ():
        with urllib.request.urlopen(address[0] + page, timeout=10) as answer:
            answer.read()


def judge(trial, scheme, samples):
    """Compares the halves of what was seen from step SETTLED on."""
    settled = [sample for sample in samples if sample.step >= SETTLED]
    if not trial.check(len(settled) >= 10, f"{scheme}: step {samples[-1].step} only", "too slow"):
        return
    halves = settled[:len(settled) // 2], settled[len(settled) // 2:]
    first, second = (statistics.median(sample.resident for sample in half) for half in halves)
    trial.check(second - first < GROWTH_ALLOWED[0] + GROWTH_ALLOWED[1] * first,
                f"{scheme}: resident memory grows from {first} to {second} kB", "memory grows")
    for what in ("descriptors", "threads"):
        counts = [getattr(sample, what) for sample in settled]
        trial.check(max(counts) - min(counts) <= 5, f"{scheme}: {what}: {counts}", f"{what} grow")
    trial.note(f"{scheme}: {samples[0].resident} kB at first, then {first} and {second} kB")


def soak(trial, scheme, seconds, every, live):
    """A run of so many seconds; the last step it reached and the exit code are noted."""
    case = write_case(trial.folder / f"{scheme}.yaml", scheme, 10 ** 9, every)
    changes = settings(f"grid.points={TINY[scheme]}", "output.timeseries.every=5",
                       "output.planes.every=20", "output.probes.every=20")  # lists stay short
    directory, said = trial.folder / scheme, trial.folder / f"{scheme}.err"
    samples, begin = [], time.monotonic()
    with (open(said, "w", encoding="utf-8") as errors,
          started("run", case, "-o", directory, *changes, *(["--live"] if live else []),
                  stderr=errors) as process):
        while process.poll() is None:
            samples.append(sample_of(process, directory))
            passed = time.monotonic() - begin
            if passed > seconds and (samples[-1].step > 2 * SETTLED or passed > 20 * PATIENCE * seconds):
                break
            time.sleep(min(2, seconds / 30))
            if live:
                look_at_page(said)
        process.send_signal(signal.SIGTERM)
        code = wait(process, 30)
    trial.note(f"{scheme}: {last_step(directory)} steps in {passed:.1f} s, exit {code}")
    trial.check(code == 75, f"{scheme}: exit {code}: {said.read_text()[-300:]!r}", "exit code")
    trial.check_no(xdmf_problem(directory), scheme, "lists")
    judge(trial, scheme, samples)


def main(trial, options):
    for scheme in SCHEMES:
        soak(trial, scheme, options.seconds / 2, options.every, options.live == "yes")


if __name__ == "__main__":
    run_trial(main, __doc__,
              {"seconds": (600, 10, "of all runs together"),
               "every": (5000, 1000, "steps between snapshots, checkpoints and pictures")},
              {"live": (("no", "yes"), "whether somebody looks at the live page")})
