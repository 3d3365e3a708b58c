"""Every call that changes a file of a run, one after the other: the process is killed there, or the
call fails there, once (EIO) or with all that follow (ENOSPC).

Promised: afterwards `dns info` answers, the lists name complete snapshots, and going on leaves, bit
for bit, the files of a run to which nothing happened. A call that fails ends the run with exit
code 3 and the system's reason, unless the output is right without it.
Tried: a run; a run resumed half-way; a resume of a finished run that lacks its last output, as a
kill between checkpoint and snapshot leaves it; a resume of a finished run that lacks nothing.
"""
import errno
import os
import shutil
from dataclasses import dataclass

from cases import SCHEMES, write_case
from common import remove, run_trial, spread
from contents import (difference, make_reference, recovery_problem, run_content,
                      without_older_checkpoints)
from interposer import LONG, Interposer

STEPS = 4
ALL_STEPS = ("--steps", str(STEPS))
OF_LAST_STEP = ("fields_00000004.h5", "fields.xdmf", "fields_points.xdmf", "statistics.h5",
                "slice_middle_00000004.png")
FAULTS = ((errno.EIO, 1), (errno.ENOSPC, LONG))  # (error, calls that fail)
TABLES = ("probes_wake.csv", "timeseries.csv")  # to which a run adds lines
MOST_MISSED = 0.1  # of the kills: the calls of two threads differ from run to run
MANY = 20  # when so many calls follow, a run cannot miss that all of them fail


@dataclass
class Flow:
    """A way to arrive at the same files, and what it starts from."""

    name: str
    case: object
    directory: object
    wanted: dict
    template: object = None  # a folder to begin with; None: no folder

    def prepare(self):
        """Makes the folder ready; returns the arguments of dns."""
        remove(self.directory)
        if self.template is None:
            return ("run", self.case, "-o", self.directory)
        shutil.copytree(self.template, self.directory)
        return ("resume", self.directory, *ALL_STEPS)


def flows_of(trial, scheme, directory):
    """All ways to arrive at the end of the case."""
    case = write_case(trial.folder / f"{scheme}.yaml", scheme, STEPS, every=1)
    whole = trial.folder / f"whole_{scheme}"
    wanted = make_reference(case, whole)
    half = trial.folder / f"half_{scheme}"
    make_reference(case, half, "--steps", "2")
    lacking = trial.folder / f"lacking_{scheme}"
    shutil.copytree(whole, lacking)
    for name in OF_LAST_STEP:
        (lacking / name).unlink(missing_ok=True)
    templates = {"run": None, "resume": half, "resume of a run that lacks its last output": lacking,
                 "resume of a finished run": whole}
    return [Flow(f"{scheme} {name}", case, directory, wanted, template)
            for name, template in templates.items()]


def tried_of(calls, options):
    """Of the many writes of data only some are tried: they differ little."""
    if options.calls == "tables":
        return spread([call for call in calls if call.is_flush_to_disk and call.file in TABLES],
                      options.points)
    chosen = [call for call in calls if not call.is_write or call.number % options.stride == 0]
    return spread(chosen, options.points)


def try_kill(trial, interposer, flow, call):
    """Returns of how many kills the call was never made."""
    missed = 0
    for when in ("before", "after") if call.moves_names else ("before",):
        arguments = flow.prepare()
        result = interposer.run(*arguments, KILL_AT=call.number, KILL_WHEN=when)
        if result.code != -9:  # calls of two threads: one less this time
            missed += 1
            continue
        words = f"{flow.name} killed {when} {call}"
        problem, kind = recovery_problem(flow.case, flow.directory, flow.wanted, ALL_STEPS)
        trial.check_no(problem, words, kind, [flow.directory])
    return missed


def comparable(content):
    """A checkpoint that could not be written may be missing when a later one is there, and one that
    could not be removed may stay: an expectation, both are only to fall back on."""
    return without_older_checkpoints(content)


def failure_problem(flow, call, result, fault, calls_after):
    """What is wrong with how a run handled a call that failed: (words, kind)."""
    error, span = fault
    if not result.ends_with(0, 3):
        return str(result), "exit code"
    if result.code == 3:
        if os.strerror(error) not in result.err:
            return f"the message lacks the reason: {result}", "message"
        return recovery_problem(flow.case, flow.directory, flow.wanted, ALL_STEPS, comparable)
    if span > 1 and calls_after > MANY and call.name != "remove":
        return "exit 0 though nothing could be written any more", "unnoticed"
    differs = difference(comparable(run_content(flow.directory)), comparable(flow.wanted))
    return (f"exit 0, but {differs}" if differs else ""), "exit 0 and wrong output"


def try_failure(trial, interposer, flow, call, calls_after):
    for fault in FAULTS:
        error, span = fault
        arguments = flow.prepare()
        result = interposer.run(*arguments, FAIL_AT=call.number, FAIL_WITH=error, FAIL_FOR=span)
        problem, kind = failure_problem(flow, call, result, fault, calls_after)
        words = f"{flow.name}, {errno.errorcode[error]} at {call}{', and on' if span > 1 else ''}"
        trial.check_no(problem, words, kind, [flow.directory])


def main(trial, options):
    directory = trial.folder / "run"
    interposer = Interposer(trial, directory)
    missed, kills = 0, 0
    for scheme in SCHEMES:
        for flow in flows_of(trial, scheme, directory):
            calls = interposer.calls_of(*flow.prepare())
            chosen = tried_of(calls, options)
            trial.note(f"{flow.name}: {len(calls)} calls, {len(chosen)} of them tried")
            for call in chosen:
                if options.fault in ("both", "kill"):
                    missed += try_kill(trial, interposer, flow, call)
                    kills += 2 if call.moves_names else 1
                if options.fault in ("both", "fail"):
                    try_failure(trial, interposer, flow, call, len(calls) - call.number)
    trial.check(missed <= MOST_MISSED * kills, f"{missed} of {kills} calls were never made",
                "points not reached")
    trial.note(f"{missed} of {kills} kills came too late: their call was never made")


if __name__ == "__main__":
    run_trial(main, __doc__,
              {"points": (10 ** 6, 2, "calls tried of each way, evenly spread"),
               "stride": (8, 8, "of the writes one in so many is tried")},
              {"fault": (("both", "kill", "fail"), "what happens at a call"),
               "calls": (("all", "tables"), "or the flushes of tables to which lines are added")})
