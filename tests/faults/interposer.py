"""Makes and uses interposer.c: the calls of a run on its files, and faults in them."""
import shutil
import subprocess
from dataclasses import dataclass

from common import TREE, Skip, environment, run

LONG = 10 ** 7  # calls: to the end of a run


@dataclass(frozen=True)
class Call:
    """A call that changes a file, as the log of interposer.c has it."""

    number: int
    name: str
    path: str
    size: int  # of an open file before the call [bytes]
    before: str  # the path before a rename

    @property
    def file(self):
        return self.path.rsplit("/", 1)[-1]

    @property
    def is_write(self):
        return self.name in ("write", "writev", "pwrite", "pwrite64")

    @property
    def is_flush_to_disk(self):
        return self.name in ("fsync", "fdatasync")

    @property
    def moves_names(self):
        """Whether it matters on which side of the call a process ends."""
        return self.name in ("rename", "link", "unlink", "unlinkat", "remove", "mkdir")

    def __str__(self):
        return f"call {self.number}, {self.name} {self.file}"


def library_of(trial, name):
    """The path of NAME.c, compiled for LD_PRELOAD."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        raise Skip(f"no C compiler for {name}.c")
    library = trial.folder / f"{name}.so"
    # Fortified headers define open() themselves.
    subprocess.run([compiler, "-O1", "-U_FORTIFY_SOURCE", "-shared", "-fPIC",
                    TREE / f"tests/faults/{name}.c", "-o", library, "-ldl"], check=True)
    return library


class Interposer:
    """The library, compiled for a trial, and the folder of files that it watches."""

    def __init__(self, trial, directory):
        self.library = library_of(trial, "interposer")
        self.directory = directory
        self.log = trial.folder / "calls.log"

    def environment(self, **faults):
        """For a run with faults, named as interposer.c says."""
        return environment(LD_PRELOAD=self.library, FAULT_FOLDER=self.directory, **faults)

    def run(self, *arguments, timeout=60, **faults):
        return run(*arguments, env=self.environment(**faults), timeout=timeout)

    def calls_of(self, *arguments, timeout=60, **which):
        """The calls of a run without faults, in order; which: FAULT_KIND, as interposer.c says."""
        self.log.unlink(missing_ok=True)
        result = self.run(*arguments, timeout=timeout, FAULT_LOG=self.log, **which)
        if result.code != 0:
            raise RuntimeError(f"the run whose calls are noted ended with {result}")
        lines = self.log.read_text().split("\n")[:-1] if self.log.exists() else []
        words = [line.split("\t") for line in lines]
        return [Call(int(number), name, path, int(size), before)
                for number, name, path, size, before in words]
