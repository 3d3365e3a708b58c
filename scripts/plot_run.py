#!/usr/bin/env python3
"""Draws a run: planes, averages, time series, probes, spectra, and a page with all of it.

    scripts/plot_run.py RUN_DIR [OPTION ...]                 the same as `dns plot`

Writes pictures (PNG, PDF or SVG) and report.html into DIR (RUN_DIR/pictures unless given) and
prints their paths. Exit codes: 0 done, 2 wrong usage, 3 nothing to draw, or a file could not be
read or written. Needs h5py and matplotlib (Debian: python3-h5py python3-matplotlib).
"""
from needed_modules import DRAWING, require_modules, tell

require_modules("dns plot", "h5py", *DRAWING)

import argparse  # noqa: E402
import pathlib  # noqa: E402

from dnsflow import Run, RunFileError  # noqa: E402
from dnsflow.errors import NothingFoundError  # noqa: E402
from exit_codes import end_with_code  # noqa: E402
from pictures import (budgets, centre_lines, correlations, history,  # noqa: E402
                      known_flows, labels, maps, moments, options, page, particles, phases, planes, probes,
                      profiles, selection, slices, spectra, style)
from pictures.drawing import Drawing  # noqa: E402

NAMES_OF_PLANES = {"z": "xy", "y": "xz", "x": "zy"}  # axis across -> in the name of the picture


def parse_arguments():
    parser = argparse.ArgumentParser(prog="dns plot", description=__doc__.splitlines()[0])
    parser.add_argument("run", type=pathlib.Path, metavar="RUN_DIR", help="the run's folder")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--only", metavar="KIND,...")
    parser.add_argument("--step", metavar="N", help="of the snapshot (default: the newest)")
    parser.add_argument("--time", metavar="FROM,TO")
    parser.add_argument("--plane", metavar="z=0.5,...")
    parser.add_argument("--region", metavar="x=-1:7,...")
    parser.add_argument("--variable", metavar="NAME,...")
    parser.add_argument("--range", metavar="LOW,HIGH|T=0:1,...")
    parser.add_argument("--scales", metavar="L=h,U=u_tau,T=dT")
    parser.add_argument("--heights", metavar="15,180,...")
    parser.add_argument("--reference", metavar="area=A,velocity=U,length=L")
    parser.add_argument("--smooth", action="store_true")
    parser.add_argument("--size", metavar="3.4in[,2.5in]", help="width, height (default: a page's)")
    parser.add_argument("--no-titles", action="store_true", help="captions say it")
    parser.add_argument("--format", default="png", metavar="png|pdf|svg")
    return options.understood(parser.parse_args())


def found_or_told(read):
    """What `read` returns; where the run has none, nothing, and a line about it."""
    try:
        return read()
    except NothingFoundError as error:
        tell(f"left out: {error}")
        return None


def draw_slices(drawing, flow, asked):
    for normal, place in asked.plane:
        at = "" if place is None else f"_{normal}{place:g}"
        words = "Middle plane" if place is None else "Plane"
        drawing.add("slices", f"slice_{NAMES_OF_PLANES[normal]}{at}",
                    f"{words} across {normal}, step {flow.step}",
                    lambda: slices.draw_plane(flow, normal, place, asked.variable, asked.range,
                                              asked.region))


def draw_planes(drawing, run, flow, asked):
    """The last record of each recorded plane."""
    for name in run.plane_names():
        record = found_or_told(lambda: run.plane(name))
        if record is not None:
            drawing.add("planes", f"plane_{name}", f"Recorded plane {name}",
                        lambda: planes.draw(record, flow, asked))


def draw_probes(drawing, run, asked):
    """Each probe over time."""
    for name in run.probe_names():
        record = found_or_told(lambda: run.probe(name))
        if record is not None:
            drawing.add("probes", f"probe_{name}", f"Probe {name}",
                        lambda: probes.draw(record, run.case, name, asked.time))


def draw_profiles(drawing, asked, averages):
    """Over one or two axes; averages over time alone on planes."""
    if len([axis for axis in averages.axes["u"] if axis in "xyz"]) < 3 or "x" not in averages:
        drawing.add("profiles", "profiles", "Averages", lambda: profiles.draw(averages))
        return
    for normal, place in asked.plane:
        at = "" if place is None else f"_{normal}{place:g}"
        drawing.add("profiles", f"mean_{NAMES_OF_PLANES[normal]}{at}",
                    f"Averages over time on a plane across {normal}",
                    lambda: maps.draw_plane(averages, normal, place,
                                            profiles.span_of_time(averages)))


def draw_averages(drawing, asked, averages):
    """All but spectra of statistics.h5."""
    if "profiles" in asked.only:
        draw_profiles(drawing, asked, averages)
    for kind, caption, draw in (
            ("moments", "Skewness and flatness", moments.draw),
            ("budgets", "Budgets of turbulent kinetic energy and Reynolds stresses", budgets.draw),
            ("correlations", "Two-point correlations",
             lambda found: correlations.draw(found, asked.heights))):
        if kind in asked.only:
            drawing.add(kind, kind, caption, lambda: draw(averages))


def draw_all(drawing, asked, run, found):
    """found: (snapshot, averages, time series), of what the run has none nothing."""
    flow, averages, series = found
    if "slices" in asked.only and flow is not None:
        draw_slices(drawing, flow, asked)
    if "planes" in asked.only:
        draw_planes(drawing, run, flow, asked)
    if "profiles" in asked.only and flow is not None and known_flows.is_cavity(flow.case):
        drawing.add("profiles", "centre_lines", "Velocity on the centre lines",
                    lambda: centre_lines.draw(flow))
    if averages is not None:
        draw_averages(drawing, asked, averages)
    if "history" in asked.only and series is not None:
        drawing.add("history", "history", "Time series",
                    lambda: history.draw(series, run.case, asked.reference))
    if "probes" in asked.only:
        draw_probes(drawing, run, asked)
    if "particles" in asked.only:
        draw_particles(drawing, asked, run, flow, averages)
    if "spectra" in asked.only:
        draw_spectra(drawing, asked, flow, averages)
    if "phases" in asked.only and "phase" in run.case["output"].get("statistics", {}):
        by_phase = found_or_told(lambda: selection.phases_between(run, asked.time))
        if by_phase is not None:
            drawing.add("phases", "phases", "Averages by phase", lambda: phases.draw(by_phase))


def draw_particles(drawing, asked, run, flow, averages):
    """Tracks of each species on the planes, and means over particles."""
    for name in run.species_names():
        for normal, place in asked.plane:
            at = "" if place is None else f"_{normal}{place:g}"
            drawing.add("particles", f"tracks_{name}_{NAMES_OF_PLANES[normal]}{at}",
                        f"Tracks of {name} on a plane across {normal}",
                        lambda: particles.draw_tracks(run.particles(name), flow, run.case, normal,
                                                      place))
    if "particle_statistics" in run.case["output"]:
        means = found_or_told(run.particle_statistics)
        if means is not None:
            drawing.add("particles", "concentration", "Concentration and slip of particles",
                        lambda: particles.draw_concentration(means, averages))


def draw_spectra(drawing, asked, flow, averages):
    """Those of the averages, where the run has them; else those of the snapshot."""
    if spectra.has_averaged(averages):
        drawing.add("spectra", "spectra", "Averaged spectra; integrated over k they give the "
                    "variances, E(k) half their sum",
                    lambda: spectra.draw_averages(averages, asked.heights))
    elif flow is not None:
        try:
            drawing.add("spectra", "spectra", "One-dimensional spectra along periodic axes, means "
                        "over all lines that meet no body; integrated over k they give the "
                        "variances", lambda: spectra.draw(flow))
        except RunFileError as error:
            tell(f"left out: {error}")


# What kinds of pictures are made of, where the run has nothing of it.
SOURCES = {
    "slices": ("a snapshot", "output.fields"), "planes": ("recorded planes", "output.planes"),
    "probes": ("probes", "output.probes"), "history": ("a time series", "output.timeseries"),
    **dict.fromkeys(("profiles", "moments", "budgets", "correlations"),
                    ("averages", "output.statistics")),
    "spectra": ("averages or a snapshot", "output.statistics.spectra"),
    "phases": ("averages by phase", "output.statistics.phase"),
    "particles": ("particles", "output.trajectories"),
}


def tell_of_missing(asked, run, found):
    """Says of kinds that were asked for what the run lacks for them."""
    flow, averages, series = found
    has = {"slices": flow, "planes": run.plane_names() or None, "probes": run.probe_names() or None,
           "history": series, "spectra": averages if flow is None else flow,
           "phases": run.case["output"].get("statistics", {}).get("phase"),
           "particles": run.species_names() or
           run.case["output"].get("particle_statistics")}
    for kind in asked.requested:
        if has.get(kind, averages) is None and not (kind == "profiles" and flow is not None and
                                                    known_flows.is_cavity(flow.case)):
            what, key = SOURCES[kind]
            tell(f"{kind}: not drawn: the run has no {what.removeprefix('a ')} of that time; the "
                 f"case sets it: {key}")


def tables_of(flow, averages, series):
    """The figures a run ended with, by heading."""
    tables = {}
    if series is not None:
        last = {name: column[-1] for name, column in series.items()}
        tables["Last line of the time series"] = [
            (name, int(value) if name == "step" else float(value)) for name, value in last.items()]
    for heading, file in (("Averages", averages), ("Snapshot", flow)):
        if file is not None:
            tables[heading] = [(name, value.item() if hasattr(value, "item") else value)
                               for name, value in file.attributes.items()
                               if name not in ("case", "format", "format_version")]
    return tables


def plot(asked):
    run = Run(asked.run)
    if asked.step is None:
        flow = found_or_told(lambda: selection.snapshot_between(run, asked.time))
    else:
        flow = run.snapshot(asked.step)  # requested: it must exist
    averages = None
    if "statistics" in run.case["output"]:
        averages = found_or_told(lambda: selection.averages_between(run, asked.time))
    series = found_or_told(lambda: selection.series_between(run, asked.time))
    has_records = run.plane_names() or run.probe_names() or run.species_names()
    if flow is averages is series is None and not has_records:
        raise RunFileError(f"{run.folder}: there is nothing to draw yet")
    folder = asked.output or run.folder / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    labels.use_scales(asked.scales)
    style.use_smooth(asked.smooth)
    style.use_titles(not asked.no_titles)
    if asked.size:
        style.use_size(*asked.size)
    drawing = Drawing(folder, asked.format, asked.suffixes, asked.requested)
    tell_of_missing(asked, run, (flow, averages, series))
    draw_all(drawing, asked, run, (flow, averages, series))
    report = folder / f"report{asked.suffix_of_report}.html"
    page.write(report, page.page(run.case["case"], tables_of(flow, averages, series),
                                 drawing.pictures, run.case_text))
    print(report)


if __name__ == "__main__":
    end_with_code("dns plot", lambda: plot(parse_arguments()))
