"""What the fault trials share: the program under test, a scratch folder, counts, the command line.

Environment:
    DNS_PROGRAM    the program under test; a sanitizer's build works too
    TMPDIR         where scratch folders are made; without it memory (/dev/shm) if there is room
"""
import argparse
import atexit
import contextlib
import os
import pathlib
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

SKIPPED = 77  # the exit code that CTest takes for "skipped"

# Scripts import this module first: without what they need they skip themselves here.
try:
    import h5py  # noqa: F401
    import numpy  # noqa: F401
    import yaml  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}; on Debian: apt-get install python3-h5py python3-yaml")
    sys.exit(SKIPPED)

# Some launchers start everything with signals blocked: an mpirun of a trial would never see them.
signal.pthread_sigmask(signal.SIG_SETMASK, ())

PROMISED_CODES = {0, 2, 3, 4, 5, 75, 130}
TREE = pathlib.Path(__file__).resolve().parents[2]
SANITIZERS = (b"__asan_init", b"__tsan_init", b"__msan_init", b"__ubsan_handle")
ROOM_NEEDED = 2 << 30  # bytes free in memory, or the disk is used
NOBODY = 65534


class Skip(Exception):
    """Something that a trial needs is missing."""


def program():
    """The program under test, or a copy where another user, as whom root tries it, may run it."""
    if "DNS_PROGRAM" not in os.environ:
        sys.exit("set DNS_PROGRAM to the program under test")
    path = pathlib.Path(os.environ["DNS_PROGRAM"]).resolve()
    is_open = all(part.stat().st_mode & stat.S_IXOTH for part in (path, *path.parents))
    if is_open or os.geteuid() != 0:
        return str(path)
    folder = tempfile.mkdtemp(prefix="dns-faults-program-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.chmod(folder, 0o755)
    for plugin in path.parent.glob("libdns_*.so"):
        shutil.copy(plugin, folder)
    return shutil.copy(path, folder)


PROGRAM = program()
IS_SANITIZED = any(name in pathlib.Path(PROGRAM).read_bytes() for name in SANITIZERS)
PATIENCE = 10 if IS_SANITIZED else 1  # a sanitizer's build is slower


def environment(**more):
    """That of a trial's runs: one thread each, no colours, sanitizers that stop at a report."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("DNS_")}
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])
    asan = ("detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=8000:"
            "verify_asan_link_order=0")
    return {**inherited, "PATH": path, "OMP_NUM_THREADS": "1", "NO_COLOR": "1",
            "ASAN_OPTIONS": asan, "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
            **{name: str(value) for name, value in more.items()}}


@dataclass
class Result:
    """How a program ended."""

    code: int  # negative: the signal that killed it
    out: str
    err: str
    seconds: float
    hung: bool

    def __str__(self):
        hung = ", hung" if self.hung else ""
        return f"exit {self.code} after {self.seconds:.2f} s{hung}: {self.err.strip()[-300:]!r}"

    @property
    def is_crash(self):
        """A hang, a signal, exit code 1 (a bug by the program's words), a sanitizer's report."""
        return (self.hung or self.code not in PROMISED_CODES or "Sanitizer" in self.err or
                "runtime error:" in self.err or "this is a bug of dns" in self.err)

    def ends_with(self, *codes):
        return not self.is_crash and self.code in codes


def run(*arguments, timeout=20, program=PROGRAM, env=None, stdin=subprocess.DEVNULL, **options):
    """Runs a program to its end; a hang is killed and reported. `options` are those of Popen."""
    begin = time.monotonic()
    process = subprocess.Popen([program, *map(os.fspath, arguments)], stdin=stdin,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=environment() if env is None else env, **options)
    hung = False
    try:
        out, err = process.communicate(timeout=timeout * PATIENCE)
    except subprocess.TimeoutExpired:
        hung = True
        process.kill()
        out, err = process.communicate()
    finally:
        process.kill()  # nothing is left of a trial that was interrupted
    return Result(process.returncode, out.decode("utf-8", "replace"),
                  err.decode("utf-8", "replace"), time.monotonic() - begin, hung)


def run_python(code, *arguments, **options):
    """Runs lines of Python that may import the package dnsflow."""
    env = environment(PYTHONPATH=TREE / "python", PYTHONDONTWRITEBYTECODE=1)
    return run("-c", code, *arguments, program=sys.executable, env=env, **options)


def start(*arguments, **options):
    """Starts the program and returns the process; its output is lost unless asked for."""
    options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL,
               "env": environment(), **options}
    return subprocess.Popen([PROGRAM, *map(os.fspath, arguments)], stdin=subprocess.DEVNULL,
                            **options)


@contextlib.contextmanager
def started(*arguments, **options):
    """A process that has ended when the block ends, whatever happens in it."""
    process = start(*arguments, **options)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe:
                pipe.close()


def wait(process, seconds):
    """The exit code, or None if the process had to be killed."""
    try:
        return process.wait(seconds * PATIENCE)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return None


def wait_until(condition, process, seconds=30):
    """Polls until the condition holds; returns whether it does before the process ends."""
    end = time.monotonic() + seconds * PATIENCE
    while time.monotonic() < end:
        if condition():
            return True
        if process.poll() is not None:
            return condition()
        time.sleep(0.002)
    return False


def is_root():
    return os.geteuid() == 0


def become_nobody():
    """For preexec_fn of a process that root starts."""
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def remove(path):
    """Removes what is there, of whatever kind."""
    path = pathlib.Path(path)
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def spread(items, count):
    """At most `count` of the items, evenly spread, from a random first one on."""
    if len(items) <= count:
        return list(items)
    first = random.random()
    return [items[int((number + first) * len(items) / count)] for number in range(count)]


def thinned(items, every):
    """One in `every` of the items, from a random one on."""
    return items[random.randrange(every)::every]


class Trial:
    """A scratch folder, and the count of what was tried and what held."""

    SHOWN = 12  # violations of one kind that are printed and whose files are kept

    def __init__(self, name):
        self.name, self.tried, self.held, self.kinds = name, 0, 0, {}
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"dns-faults-{name}-", dir=room()))
        self.evidence = self.folder / "evidence"

    def check(self, holds, words, kind, evidence=()):
        """Counts; a violation is printed and `evidence`, files or folders, kept."""
        self.tried += 1
        if holds:
            self.held += 1
            return True
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if self.kinds[kind] <= self.SHOWN:
            kept = [str(self.keep(path)) for path in evidence if pathlib.Path(path).exists()]
            files = f" (files: {', '.join(kept)})" if kept else ""
            print(f"VIOLATION {self.name} [{kind}] {words}{files}", flush=True)
        return False

    def check_no(self, problem, words, kind, evidence=()):
        """Counts something that holds when there is no problem in words."""
        return self.check(not problem, f"{words}: {problem}", kind, evidence)

    def keep(self, path):
        """A copy for whoever looks into a violation."""
        path = pathlib.Path(path)
        kept = self.evidence / f"{sum(self.kinds.values())}_{path.name}"
        self.evidence.mkdir(exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, kept, symlinks=True, dirs_exist_ok=True)
        else:
            shutil.copy(path, kept)
        return kept

    def fresh(self, name):
        """A path in the scratch folder where nothing is."""
        path = self.folder / name
        remove(path)
        return path

    def let_others_in(self):
        """The scratch folder of a program that is run as another user."""
        self.folder.chmod(0o755)

    @staticmethod
    def note(words):
        print(f"  {words}", flush=True)

    def end(self):
        """Removes all but the evidence, prints the counts and returns the exit code."""
        for path in self.folder.iterdir():
            if path != self.evidence:
                remove(path)
        if not any(self.folder.iterdir()):
            self.folder.rmdir()
        for kind, count in sorted(self.kinds.items()):
            print(f"  {self.name}: {count} x {kind}")
        print(f"{self.name}: tried {self.tried}, held {self.held}", flush=True)
        return 0 if self.tried == self.held else 1


def room():
    """Where scratch folders are made: flushing to disk costs nothing in memory."""
    memory = pathlib.Path("/dev/shm")
    if "TMPDIR" not in os.environ and os.access(memory, os.W_OK):
        if shutil.disk_usage(memory).free >= ROOM_NEEDED:
            return memory
    return pathlib.Path(tempfile.gettempdir())


def options_of(description, numbers, words):
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true",
                        help="a part of 20 s at most that needs no rights")
    parser.add_argument("--seed", type=int, default=1, help="of what is random (default 1)")
    for name, (full, quick, meaning) in numbers.items():
        parser.add_argument(f"--{name}", type=int, help=f"{meaning} (default {full}; {quick})")
    for name, (choices, meaning) in words.items():
        parser.add_argument(f"--{name}", choices=choices, default=choices[0], help=meaning)
    options = parser.parse_args()
    for name, (full, quick, _) in numbers.items():
        if getattr(options, name) is None:
            setattr(options, name, quick if options.quick else full)
    return options


def run_trial(body, description, numbers=None, words=None):
    """The main program of a script: body(trial, options), and the exit code 0, 1 or 77.

    numbers: {option: (value, value of --quick, meaning)}; words: {option: (choices, meaning)},
    the first choice being the default.
    """
    options = options_of(description, numbers or {}, words or {})
    random.seed(options.seed)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # and cleared up
    trial = Trial(pathlib.Path(sys.argv[0]).stem)
    try:
        body(trial, options)
    except Skip as reason:
        print(f"skipped: {reason}")
        if trial.tried == 0:
            trial.end()
            sys.exit(SKIPPED)
    except BaseException:
        trial.end()
        raise
    sys.exit(trial.end())


if __name__ == "__main__":
    sys.exit("a module of helpers: run one of the other scripts")
