"""Modules of Python that a script needs: those not every machine has, and the package dnsflow.

dnsflow is found in the folder python/ beside that of the scripts, in the source tree as in
share/dns, whatever Python runs them and whether or not it is installed there.
"""
import importlib
import os
import sys

SCRIPTS = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(SCRIPTS), "python"))

SYSTEM_PYTHON = "/usr/bin/python3"  # the one that packages of the distribution are for
INPUT_OUTPUT = 3  # the exit code of `dns` for files that cannot be read or written


def require_modules(program, *modules):
    """Returns when all of them can be imported.

    Otherwise starts the script again with the system's own Python, and if that lacks them too, says
    what to type and ends with exit code 3. Call it before anything else is done or imported.
    """
    try:
        for module in modules:
            importlib.import_module(module)
    except ImportError as missing:
        if os.path.realpath(sys.executable) != os.path.realpath(SYSTEM_PYTHON):
            if os.path.exists(SYSTEM_PYTHON):
                os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
        packages = " ".join(f"python3-{module}" for module in modules)
        print(f"{program}: {missing} (of {sys.executable}); on Debian and Ubuntu type: "
              f"apt-get install {packages}", file=sys.stderr)
        sys.exit(INPUT_OUTPUT)
