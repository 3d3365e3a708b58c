"""The error of files that cannot be read."""
import contextlib


class RunFileError(Exception):
    """A folder that holds no run, a file that is missing, damaged or of another kind."""


class EdgeError(ValueError):
    """A time that is no edge of a window of averages."""


class MissingEntryError(RunFileError, KeyError):
    """A file holds no array, or a case no key, of this name."""

    __str__ = Exception.__str__  # not in quotes, as that of a KeyError


@contextlib.contextmanager
def reading(path):
    """Turns any error that a damaged file causes within into a RunFileError that names the file."""
    try:
        yield
    except RunFileError:
        raise
    except Exception as error:  # h5py raises errors of many kinds
        raise RunFileError(f"{path}: cannot be read: {error}") from error
