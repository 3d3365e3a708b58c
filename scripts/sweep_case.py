#!/usr/bin/env python3
"""Runs a case once for each value of a key, and collects the runs in a table.

    scripts/sweep_case.py --program DNS --vary 'key=[A, B]' [OPTION ...] CASE.yaml

The same as `dns sweep`. A folder per run in DIR; of several keys all combinations. Started again it
leaves complete runs alone and goes on with others. SIGINT, SIGTERM and SIGUSR2 are passed on to the
runs: the first ends them with checkpoints. Exit codes: 0 all are complete, 2 wrong usage or case, 3 a
file could not be read or written, 75 stopped early, else that of the first run that failed. Needs
h5py (Debian: python3-h5py).
"""
from needed_modules import require_modules, tell

require_modules("dns sweep", "h5py")

import argparse  # noqa: E402
import itertools  # noqa: E402
import os  # noqa: E402
import pathlib  # noqa: E402
import re  # noqa: E402
import signal  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402
from typing import NamedTuple  # noqa: E402

import numpy as np  # noqa: E402

from dnsflow import collect  # noqa: E402
from exit_codes import end_with_code  # noqa: E402
from pictures.files import write_aside  # noqa: E402
from pictures.options import UsageError, whole_number  # noqa: E402

STOPPED_EARLY = 75
OUTCOMES = {0: "complete", STOPPED_EARLY: "stopped early"}
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR2)  # that end a run with a checkpoint
TURN = 0.05  # s


def values_of(text):
    """(key, values as typed) of "key=[1, [2, 3], 'a, b']"."""
    key, _, given = text.partition("=")
    inner = re.fullmatch(r"\s*\[(.*)\]\s*", given, re.DOTALL)
    depth, quote, values = 0, "", [""]
    for letter in inner[1] if inner else "":
        if quote or letter in "\"'":
            quote = "" if letter == quote else quote or letter
        depth += 0 if quote else (letter in "[{(") - (letter in "]})")
        if letter == "," and depth == 0 and not quote:
            values.append("")
        else:
            values[-1] += letter
    values = [value.strip() for value in values]
    if not key.strip() or "" in values:
        raise UsageError(f"--vary is '{text}', but must be a key and a list of its values, such as "
                         "'fluid.reynolds=[100, 200]'")
    return key.strip(), values


class Member(NamedTuple):
    """One run of a sweep."""

    name: str  # of its folder
    settings: list  # "key=value"


def members_of(varied):
    """The Members of keys and their values: all combinations, the last key fastest."""
    keys = [key for key, _ in varied]
    last = [key.split(".")[-1] for key in keys]
    words = last if len(set(last)) == len(last) else keys
    members = []
    for values in itertools.product(*(values for _, values in varied)):
        plain = [re.sub(r"[^A-Za-z0-9.+-]+", "_", value).strip("_") for value in values]
        members.append(Member("_".join(f"{word}_{value}" for word, value in zip(words, plain)),
                              [f"{key}={value}" for key, value in zip(keys, values)]))
    names = [member.name for member in members]
    alike = next((name for name in names if names.count(name) > 1), None)
    if alike or len(set(keys)) < len(keys):
        raise UsageError(f"--vary names {'two runs ' + alike if alike else 'a key twice'}: values "
                         "and keys must differ")
    return members


class Sweep:
    """Runs of the program, so many at a time."""

    def __init__(self, program, case, settings, folder, jobs):
        self.program, self.case, self.folder, self.jobs = program, case, folder, jobs
        self.settings = settings
        if jobs > 1:  # its share of the cores, where nothing else is asked for
            cores = max(1, len(os.sched_getaffinity(0)) // jobs)
            self.settings = [f"run.threads={cores}", *settings]
        self.is_stopped = False
        self._going_on = {}  # name -> (process, what it prints)
        self.codes = {}  # name -> exit code

    def command(self, verb, member, *options):
        words = [self.program, verb, self.case, *options, "-o", self.folder / member.name]
        for setting in [*self.settings, *member.settings]:
            words += ["--set", setting]
        return list(map(str, words))

    def require_right_cases(self, members):
        """Raises UsageError with what is wrong with a case, before anything is computed."""
        for member in members:
            checked = subprocess.run(self.command("check", member), capture_output=True, text=True,
                                     check=False, stdin=subprocess.DEVNULL)
            if checked.returncode != 0:
                raise UsageError(f"{member.name}: {checked.stderr.strip()}")

    def pass_on(self, number, _frame):
        """A signal ends the runs, and starts no others."""
        self.is_stopped = True
        for process, _ in self._going_on.values():
            process.send_signal(number)

    def run(self, members):
        """All of them to their ends."""
        waiting = list(members)
        for number in SIGNALS:
            signal.signal(number, self.pass_on)
        try:
            while self._going_on or (waiting and not self.is_stopped):
                while waiting and len(self._going_on) < self.jobs and not self.is_stopped:
                    self.start(waiting.pop(0))
                for name in [one for one, (process, _) in self._going_on.items()
                             if process.poll() is not None]:
                    self.finish(name)
                time.sleep(TURN)
        finally:  # after an error, say of a full disk, none goes on unseen
            self.pass_on(signal.SIGTERM, None)

    def start(self, member):
        printed = tempfile.TemporaryFile("w+", errors="replace")
        # In a session of its own: Ctrl-C on the terminal comes from here, once.
        self._going_on[member.name] = (
            subprocess.Popen(self.command("run", member, "--resume", "--quiet"), stderr=printed,
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             start_new_session=True), printed)
        if self.is_stopped:  # a signal came while it started
            self._going_on[member.name][0].terminate()

    def finish(self, name):
        process, printed = self._going_on.pop(name)
        code = process.returncode
        self.codes[name] = code if code >= 0 else 128 - code
        with printed:
            printed.seek(0)
            words = printed.read().strip()
        outcome = OUTCOMES.get(code, f"failed ({self.codes[name]})")
        tell(f"{name}: {outcome}" + (f"\n{words}" if words else ""))

    def collected(self, members):
        """The table of the runs that have begun."""
        begun = [member for member in members
                 if (self.folder / member.name / "case.yaml").exists()]
        table = collect([self.folder / member.name for member in begun])
        table["run"] = np.array([member.name for member in begun], dtype=object)
        table["exit_code"] = np.array([self.codes.get(member.name, np.nan) for member in begun])
        table.path = self.folder / "sweep.csv"
        return table

    def exit_code(self, members):
        """0 where all are complete."""
        codes = [self.codes.get(member.name, STOPPED_EARLY) for member in members]
        failed = [code for code in codes if code not in (0, STOPPED_EARLY)]
        return failed[0] if failed else max(codes)


def sweep():
    parser = argparse.ArgumentParser(prog="dns sweep", description=__doc__.splitlines()[0])
    parser.add_argument("case", type=pathlib.Path, metavar="CASE.yaml")
    parser.add_argument("--program", required=True, help="dns")
    parser.add_argument("--vary", action="append", default=[], metavar="key.path=[VALUE,...]")
    parser.add_argument("--set", action="append", default=[], metavar="key.path=value")
    parser.add_argument("-j", "--jobs", default="1", metavar="N")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="DIR")
    asked = parser.parse_args()
    if not asked.vary:
        raise UsageError("--vary is missing: a key and its values, 'fluid.reynolds=[100, 200]'")
    jobs = whole_number("--jobs", asked.jobs)
    if jobs == 0:
        raise UsageError("--jobs is 0, but must be 1 or more")
    members = members_of([values_of(text) for text in asked.vary])
    folder = asked.output or pathlib.Path("runs", f"{asked.case.stem}_sweep")
    runs = Sweep(asked.program, asked.case, asked.set, folder, jobs)
    runs.require_right_cases(members)
    folder.mkdir(parents=True, exist_ok=True)
    runs.run(members)
    table = runs.collected(members)
    if len(table["run"]):
        write_aside(table.path, table.to_csv)
        print(table)
    sys.exit(runs.exit_code(members))


if __name__ == "__main__":
    end_with_code("dns sweep", sweep)
