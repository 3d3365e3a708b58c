"""Each kind of call on a file of a run fails once, with an error of a network file system.

Promised: exit 3, or 2 where a folder is locked, with the system's reason; going on then leaves, bit
for bit, the files of a run to which nothing happened. Exit 0 leaves them at once: no list lacks a
file that could not be looked at for a moment. A call that does only a part of its work, or that a
signal interrupts, is no failure.
Tried: a run, and a run resumed half-way, of both schemes that write all kinds of output.
"""
import collections
import errno
import os
import shutil

from cases import SCHEMES, write_case
from common import remove, run_trial, spread, thinned
from contents import (difference, make_reference, recovery_problem, run_content,
                      without_older_checkpoints)
from interposer import Interposer

STEPS = 4
ALL_STEPS = ("--steps", str(STEPS))
HALF = {"FAIL_HOW": "half"}
NONE = {"FAIL_HOW": "none"}
DONE = {"FAIL_HOW": "done", "FAIL_WITH": errno.ESTALE}  # the answer of the server was lost


def errors(*numbers):
    return [{"FAIL_WITH": number} for number in numbers]


FAULTS = {
    "open": errors(errno.EIO, errno.ESTALE, errno.EDQUOT, errno.EMFILE, errno.EINTR, errno.EACCES),
    "openr": errors(errno.EIO, errno.ESTALE, errno.EMFILE, errno.EINTR, errno.EACCES),
    "read": [*errors(errno.EIO, errno.ESTALE, errno.EINTR), HALF],
    "pread": [*errors(errno.EIO, errno.EINTR), HALF],
    "write": [*errors(errno.EDQUOT, errno.EINTR, errno.EAGAIN), HALF, NONE],
    "close": errors(errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EINTR),
    "fsync": errors(errno.EIO, errno.ESTALE, errno.EDQUOT, errno.ENOSPC, errno.EINTR, errno.EINVAL),
    "rename": [*errors(errno.EIO, errno.ESTALE, errno.EDQUOT), DONE],
    "stat": errors(errno.EIO, errno.ESTALE, errno.EACCES),
    "unlink": errors(errno.EIO, errno.ESTALE),
    "ftruncate": errors(errno.EIO, errno.EDQUOT),
    "fflush": errors(errno.EIO),
    "mkdir": errors(errno.EDQUOT),
    "opendir": errors(errno.EIO, errno.EMFILE),
    "readdir": errors(errno.EIO),
    "flock": errors(errno.EIO, errno.ENOLCK, errno.EINTR),
}


def is_harmless(fault):
    """Whether the call is to be made again, or goes on with the rest."""
    return fault in (HALF, NONE) or fault.get("FAIL_WITH") == errno.EINTR


def in_words(fault):
    return " ".join([errno.errorcode.get(fault.get("FAIL_WITH"), ""), fault.get("FAIL_HOW", "")])


class Flow:
    """A way to arrive at the end of a case, and the files that are there then."""

    def __init__(self, trial, scheme, name):
        self.trial, self.name, self.directory = trial, f"{scheme} {name}", trial.folder / "run"
        self.case = write_case(trial.folder / f"{scheme}.yaml", scheme, STEPS, 1)
        self.wanted = without_older_checkpoints(make_reference(self.case, trial.fresh("whole")))
        self.template = trial.fresh("half") if name == "resume" else None
        if self.template:
            make_reference(self.case, self.template, "--steps", "2")
        self.interposer = Interposer(trial, self.directory)

    def prepare(self):
        remove(self.directory)
        if not self.template:
            return ("run", self.case, "-o", self.directory)
        shutil.copytree(self.template, self.directory)
        return ("resume", self.directory, *ALL_STEPS)

    def problem(self, result, fault):
        """What is wrong after a call that failed: (words, kind)."""
        if not result.ends_with(0, 2, 3):
            return str(result), "exit code"
        if result.code != 0 and is_harmless(fault):
            return str(result), "is no failure"
        if result.code == 0:
            differs = difference(without_older_checkpoints(run_content(self.directory)),
                                 self.wanted)
            return (f"exit 0, but {differs}" if differs else ""), "exit 0 and wrong output"
        if not self.directory.exists():
            return "", ""
        return recovery_problem(self.case, self.directory, self.wanted, ALL_STEPS,
                                without_older_checkpoints)

    def try_kind(self, kind, options, unsaid):
        calls = self.interposer.calls_of(*self.prepare(), FAULT_KIND=kind)
        for call in spread(calls, options.points):
            for fault in thinned(FAULTS[kind], options.every):
                arguments = self.prepare()
                result = self.interposer.run(*arguments, FAULT_KIND=kind, FAIL_AT=call.number, **fault)
                problem, what = self.problem(result, fault)
                words = f"{self.name}: {in_words(fault)} at {call}: {result}"
                self.trial.check_no(problem, words, f"{kind}: {what}", [self.directory])
                if result.code != 0 and os.strerror(fault.get("FAIL_WITH", 0)) not in result.err:
                    unsaid[kind, call.file] += 1
        return f"{kind} {len(calls)}"


def main(trial, options):
    unsaid = collections.Counter()
    for scheme in SCHEMES:
        for name in ("run", "resume"):
            flow = Flow(trial, scheme, name)
            counts = [flow.try_kind(kind, options, unsaid) for kind in FAULTS]
            trial.note(f"{flow.name}: {', '.join(counts)} calls")
    for (kind, file), count in sorted(unsaid.items()):
        trial.note(f"{count} x {kind} of {file} failed, and the message has another reason")


if __name__ == "__main__":
    run_trial(main, __doc__, {"points": (12, 1, "calls tried of each kind, evenly spread"),
                              "every": (1, 3, "one in so many errors of each kind is tried")})
