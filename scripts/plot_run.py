#!/usr/bin/env python3
"""Draws a run: planes of a snapshot, averages, time series, spectra, and a page with all of it.

    scripts/plot_run.py RUN_DIR [-o DIR] [--step N]          the same as `dns plot`

Writes PNG files and report.html into DIR (RUN_DIR/pictures unless given) and prints their paths.
Exit codes: 0 done, 2 wrong usage, 3 nothing to draw, or a file could not be read or written.
Needs h5py and matplotlib (Debian: python3-h5py python3-matplotlib).
"""
from needed_modules import INPUT_OUTPUT, require_modules

require_modules("dns plot", "h5py", "matplotlib")

import argparse  # noqa: E402
import pathlib  # noqa: E402
import sys  # noqa: E402

from dnsflow import Run, RunFileError  # noqa: E402
from pictures import history, page, profiles, slices, spectra, style  # noqa: E402

INTERRUPTED = 130
PLANES = {"xy": "z", "xz": "y", "zy": "x"}  # in the name of the picture -> across


def parse_arguments():
    parser = argparse.ArgumentParser(prog="dns plot", description=__doc__.splitlines()[0])
    parser.add_argument("run", type=pathlib.Path, metavar="RUN_DIR", help="the run's folder")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--step", type=int, metavar="N",
                        help="of the snapshot to draw (default: the newest)")
    return parser.parse_args()


def found_or_told(read):
    """What `read` returns; where the run has none, nothing, and a line about it."""
    try:
        return read()
    except RunFileError as error:
        print(f"left out: {error}", file=sys.stderr)
        return None


class Drawing:
    """Pictures of one run, written one after the other."""

    def __init__(self, folder):
        self.folder = folder
        self.pictures = []  # (path, caption)

    def add(self, name, caption, figure):
        """Writes a figure, if there is one."""
        if figure is None:
            return
        path = self.folder / f"{name}.png"
        style.save(figure, path)
        self.pictures.append((path, caption))
        print(path)


def draw_all(drawing, flow, averages, series):
    if flow is not None:
        for plane, normal in PLANES.items():
            drawing.add(f"slice_{plane}", f"Middle plane across {normal}, step {flow.step}",
                        slices.draw_plane(flow, normal))
    if averages is not None:
        drawing.add("profiles", "Averages", profiles.draw(averages))
    if series is not None:
        drawing.add("history", "Time series", history.draw(series))
    averaged = None if averages is None else spectra.draw_averages(averages)
    if averaged is not None:
        drawing.add("spectra", "Averaged spectra; integrated over k they give the variances, E(k) "
                    "half their sum", averaged)
    elif flow is not None:
        drawing.add("spectra", "One-dimensional spectra along periodic axes, means over all lines "
                    "that meet no body; integrated over k they give the variances",
                    found_or_told(lambda: spectra.draw(flow)))


def tables_of(flow, averages, series):
    """The figures a run ended with, by heading."""
    tables = {}
    if series is not None:
        last = {name: column[-1] for name, column in series.items()}
        tables["Last line of the time series"] = [
            (name, int(value) if name == "step" else float(value)) for name, value in last.items()]
    for heading, file in (("Averages", averages), ("Snapshot", flow)):
        if file is not None:
            tables[heading] = [(name, value if isinstance(value, str) else value.item())
                               for name, value in file.attributes.items()
                               if name not in ("case", "format", "format_version")]
    return tables


def plot(arguments):
    run = Run(arguments.run)
    if arguments.step is None:
        flow = found_or_told(run.snapshot)
    else:
        flow = run.snapshot(arguments.step)  # requested: it must exist
    averages = found_or_told(run.statistics) if "statistics" in run.case["output"] else None
    series = found_or_told(run.time_series)
    if flow is averages is series is None:
        raise RunFileError(f"{run.folder}: there is nothing to draw yet")
    folder = arguments.output or run.folder / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    drawing = Drawing(folder)
    draw_all(drawing, flow, averages, series)
    report = folder / "report.html"
    page.write(report, page.page(run.case["case"], tables_of(flow, averages, series),
                                 drawing.pictures, run.case_text))
    print(report)


def main():
    try:
        plot(parse_arguments())
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except (RunFileError, OSError) as error:
        is_of_system = isinstance(error, OSError) and error.filename
        words = f"{error.filename}: {error.strerror}" if is_of_system else error
        print(f"error: {words}", file=sys.stderr)
        sys.exit(INPUT_OUTPUT)


if __name__ == "__main__":
    main()
