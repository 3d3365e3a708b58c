#!/usr/bin/env python3
"""Averages a run from one time to another, with 95 % uncertainty.

    scripts/average_run.py RUN_DIR [--from T] [--to T] [OPTION ...]       the same as `dns average`

Writes RUN_DIR/averages_FROM_TO.h5 and prints its path and its numbers. Exit codes: 0 done, 2 wrong
usage, 3 a file could not be read or written. Needs h5py (Debian: python3-h5py).
"""
from needed_modules import require_modules, tell

require_modules("dns average", "h5py")

import argparse  # noqa: E402
import pathlib  # noqa: E402

import h5py  # noqa: E402
import numpy as np  # noqa: E402

from dnsflow import Run  # noqa: E402
from dnsflow.errors import EdgeError  # noqa: E402
from exit_codes import end_with_code  # noqa: E402
from pictures.files import write_aside  # noqa: E402
from pictures.options import UsageError, references, time_of  # noqa: E402


def write(path, averages):
    """A file like statistics.h5; `uncertain` names the attributes with an uncertainty."""
    with h5py.File(path, "w") as file:
        for name, value in averages.attributes.items():
            file.attrs[name] = np.bytes_(value) if isinstance(value, str) else value
        file.attrs["uncertain"] = np.bytes_(" ".join(averages.uncertain))
        for name, values in averages.items():
            file[name] = np.asarray(values, dtype=float)
            file[name].attrs["axes"] = np.bytes_(" ".join(averages.axes[name]))


def average():
    parser = argparse.ArgumentParser(prog="dns average", description=__doc__.splitlines()[0])
    parser.add_argument("run", type=pathlib.Path, metavar="RUN_DIR", help="the run's folder")
    parser.add_argument("--from", dest="first", metavar="T", help="[L/U]")
    parser.add_argument("--to", dest="last", metavar="T", help="[L/U]")
    parser.add_argument("--reference", metavar="area=A,velocity=U")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE.h5")
    asked = parser.parse_args()
    first, last = time_of("--from", asked.first), time_of("--to", asked.last)
    reference = references("--reference", asked.reference)
    try:
        averages = Run(asked.run).averages(first, last, reference)
    except EdgeError as error:
        raise UsageError(error) from error
    times = [averages.attributes[name] for name in ("first_time", "last_time")]
    path = asked.output or asked.run / "averages_{:.6g}_{:.6g}.h5".format(*times)
    write_aside(path, lambda part: write(part, averages))
    for note in averages.notes:
        tell(f"warning: {note}")
    print(path)
    for name in averages.uncertain:
        mean, uncertainty = (averages.attributes[part] for part in (name, f"{name}_uncertainty"))
        print(f"{name:<28} {mean: .6g} +- {uncertainty:.2g}")


if __name__ == "__main__":
    end_with_code("dns average", average)
