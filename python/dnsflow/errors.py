"""The errors of files that cannot be read."""
import contextlib
import os
import stat

KINDS_OF_FILES = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"),
                  (stat.S_ISSOCK, "a socket"))


class Error(Exception):
    """Base of the errors of a run that Python steps: what `dns run` would say."""


class CaseError(Error, ValueError):
    """A wrong case or a wrong use of it, which the user mends.

    messages  every mistake found, one line each
    """

    @property
    def messages(self):
        return str(self).splitlines()


class IoError(Error, OSError):
    """A file that cannot be read or written."""


class DivergenceError(Error, ArithmeticError):
    """The flow diverged: NaN, an infinite value, a runaway CFL number.

    step            that diverged
    last_good_step  newest whose flow was found sound
    checkpoint      path of the newest good checkpoint; None: there is none
    """

    step = last_good_step = checkpoint = None


class DeviceError(Error, RuntimeError):
    """A device that is missing, refuses work, or has too little memory."""


class ViewInUse(Error, RuntimeError):
    """Views of the memory of a flow are still referenced where the run is to go on."""


class CaseWarning(UserWarning):
    """What a run warns of."""


class RunFileError(Exception):
    """A folder that holds no run, a file that is missing, damaged or of another kind."""


class NothingFoundError(RunFileError):
    """A run has not written this output, or not within the given times."""


class EdgeError(ValueError):
    """Times that no windows of averages lie between, or windows that do not join."""


class MissingEntryError(RunFileError, KeyError):
    """A file holds no array, or a case no key, of this name."""

    __str__ = Exception.__str__  # not in quotes, as that of a KeyError


class MissingPointError(RunFileError, IndexError):
    """An array has no such point, or a sequence of files no such number."""


class NamedEntries(dict):
    """A dictionary that raises MissingEntryError with the name of its file for a missing key.

    source  of the entries, for messages
    kind    of the entries, for messages: "attribute"
    """

    kind = "entry"

    def __init__(self, source, entries=()):
        super().__init__(entries)
        self.source = source

    def __missing__(self, key):
        raise MissingEntryError(f"{self.source} lacks the {self.kind} {key}")


@contextlib.contextmanager
def reading(path):
    """Turns any error that a damaged file causes within into a RunFileError that names the file."""
    try:
        yield
    except RunFileError:
        raise
    except Exception as error:  # h5py raises errors of many kinds
        raise RunFileError(f"{path}: cannot be read: {error}") from error


@contextlib.contextmanager
def reading_file(path):
    """reading(path) of a file that must be plain: opening a pipe would wait for its other end.

    Follows links. Raises RunFileError for anything else.
    """
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        words = "it is a link to nothing" if os.path.islink(path) else error.strerror
        raise RunFileError(f"{path}: cannot be read: {words}") from error
    if not stat.S_ISREG(mode):
        kind = next((name for is_kind, name in KINDS_OF_FILES if is_kind(mode)), "a device")
        raise RunFileError(f"{path}: cannot be read: it is {kind}, not a plain file")
    with reading(path):
        yield
