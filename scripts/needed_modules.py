"""Modules of Python that a script needs: those not every machine has, and the package dnsflow.

dnsflow is found in the folder python/ beside that of the scripts, in the source tree as in
share/dns, whatever Python runs them and whether or not it is installed there.
"""
import contextlib
import importlib
import importlib.util
import io
import os
import sys

SCRIPTS = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(SCRIPTS), "python"))

DRAWING = ("matplotlib.backends.backend_agg", "matplotlib.pyplot")  # they load what is compiled
SYSTEM_PYTHON = "/usr/bin/python3"  # the one that packages of the distribution are for
INPUT_OUTPUT = 3  # the exit code of `dns` for files that cannot be read or written
OF_THE_USER = ("PYTHONPATH", "PYTHONHOME")  # modules that need not fit the system's Python
BROKEN = "cannot be imported"
FAILED_BEFORE = "DNS_PYTHON_FAILED"  # what the Python before this one lacks

os.environ.pop("MPLBACKEND", None)  # pictures are drawn in files: a screen may be missing


def require_modules(program, *modules):
    """Returns when all of them can be imported.

    Otherwise, whatever is wrong with one, starts the script again with the system's own Python
    without what the user has added, and if that fails too, says what to type and ends with exit
    code 3. Call it before anything else is done or imported.
    """
    failures = [os.environ.pop(FAILED_BEFORE, ""), failure_of(modules)]
    if not failures[-1]:
        return
    if not is_system_python_alone():
        start_again(failures[-1])
    names = dict.fromkeys(module.split(".")[0] for module in modules)
    packages = " ".join(f"python3-{name}" for name in names)
    cure = f"on Debian and Ubuntu type: apt-get install {packages}"
    if BROKEN in failures[-1]:
        cure = f"remove or update what is broken (pip uninstall NAME), and {cure}"
    tell(f"{program}: {'; '.join(filter(None, failures))}; {cure}")
    sys.exit(INPUT_OUTPUT)


def failure_of(modules):
    """What is wrong with the first module that cannot be imported, in words; empty if all can."""
    for module in modules:
        said = io.StringIO()  # modules for another NumPy print a traceback
        try:
            with contextlib.redirect_stderr(said):
                importlib.import_module(module)
        except (Exception, SystemExit) as error:  # a broken module may raise anything
            reason = " ".join(str(error).split())
            if isinstance(error, ModuleNotFoundError) and error.name == module:
                return f"{reason} (of {sys.executable})"
            return (f"{file_of(module)} {BROKEN} by {sys.executable}: "
                    f"{type(error).__name__}: {reason}")
        sys.stderr.write(said.getvalue())
    return ""


def file_of(module):
    with contextlib.suppress(Exception):
        return importlib.util.find_spec(module.split(".")[0]).origin or module
    return module


def tell(words):
    """Prints a message that may quote a file: without characters that steer a terminal."""
    print("".join(c if c.isprintable() or c in "\n\t" else f"\\x{ord(c):02x}" for c in str(words)),
          file=sys.stderr)


def is_system_python_alone():
    return (os.path.realpath(sys.executable) == os.path.realpath(SYSTEM_PYTHON)
            and sys.flags.no_user_site and not any(name in os.environ for name in OF_THE_USER))


def start_again(failure):
    """Goes on in the system's own Python; returns if there is none."""
    environment = {name: value for name, value in os.environ.items() if name not in OF_THE_USER}
    with contextlib.suppress(OSError):
        os.execve(SYSTEM_PYTHON, [SYSTEM_PYTHON, "-s", *sys.argv],
                  {**environment, FAILED_BEFORE: failure})


if __name__ == "__main__":  # for `dns doctor`
    require_modules("python3", "numpy", "h5py", *DRAWING)
    print(", ".join([sys.executable, sys.version.split()[0]] +
                    [f"{name} {sys.modules[name].__version__}"
                     for name in ("numpy", "h5py", "matplotlib")]))
