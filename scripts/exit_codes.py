"""How the scripts behind `dns plot` and `dns average` end: with the exit codes of `dns`."""
import sys
import traceback

from dnsflow import RunFileError
from needed_modules import INPUT_OUTPUT, tell
from pictures.options import UsageError

WRONG_USAGE = 2
INTERRUPTED = 130


def end_with_code(program, work):
    """Calls work(); an error ends the script with a line on stderr and its exit code."""
    try:
        work()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except UsageError as error:
        tell(f"error: {error}")
        sys.exit(WRONG_USAGE)
    except (RunFileError, OSError) as error:
        is_of_system = isinstance(error, OSError) and error.filename
        words = f"{error.filename}: {error.strerror}" if is_of_system else error
        tell(f"error: {words}")
        sys.exit(INPUT_OUTPUT)
    except Exception as error:  # numbers of a damaged file may break anything
        place = traceback.extract_tb(error.__traceback__)[-1]
        tell(f"error: a damaged file, or a bug of {program}: {type(error).__name__}: {error} "
             f"({place.filename}:{place.lineno})")
        sys.exit(INPUT_OUTPUT)
