#!/usr/bin/env python3
"""Draws what `dns bench` measured as bars: the share of the copy bandwidth, and for whole steps
nanoseconds per point; error against time for `dns bench accuracy`.

    scripts/plot_bench.py FIGURES.csv|FIGURES.json [-o PICTURE.png]

`dns bench NAME --plot PICTURE.png` does the same. With - the figures are read as JSON from stdin;
--check only says whether everything needed is there. Needs matplotlib (Debian:
python3-matplotlib).
"""
from needed_modules import DRAWING, require_modules

require_modules("plot_bench", *DRAWING)

import argparse  # noqa: E402
import csv  # noqa: E402
import json  # noqa: E402
import pathlib  # noqa: E402
import sys  # noqa: E402

from pictures import style  # noqa: E402

COLOURS = {"double": style.COLOURS[0], "float": style.COLOURS[4]}
LINES = {"double": "-", "float": ":"}
MARKERS = "os^Dv<>"  # of grids; filled on a GPU, open on a CPU
# Taylor-Green, Reynolds number 400: a pseudo-spectral program in PyTorch on 96^3 points, NVIDIA
# H200.
SPECTRAL = {"seconds": 0.48, "error": 2.0e-3}


def read_figures(name):
    if name == "-":
        return json.load(sys.stdin)
    with open(name, newline="", encoding="utf-8-sig") as file:
        if name.endswith(".json"):
            return json.load(file)
        return list(csv.DictReader(file))


def number(row, member):
    value = row.get(member)
    return float(value) if value not in (None, "") else None


def is_drawn(row):
    return (row["section"] not in ("transpose blocks", "accuracy")
            and not row["variant"].startswith("phase "))


def label(row):
    where = "GPU" if row["device"] == "cuda" else f"CPU, {row['threads']}"
    direction = f" {row['direction']}" if row["direction"] else ""
    return f"{row['variant']}{direction} ({where})"


def value(row):
    """Percent of copy, or nanoseconds per point of a step; nothing for what was not timed."""
    if row["section"] == "step":
        return number(row, "nanoseconds_per_point")
    fraction = number(row, "copy_fraction")
    return None if fraction is None else 100 * fraction


def panels_of(figures):
    """Rows by section and grid, in the order in which they came."""
    panels = {}
    for row in figures:
        if is_drawn(row) and value(row) is not None:
            panels.setdefault((row["section"], row["points"] or ""), []).append(row)
    return panels


def draw(axes, title, rows):
    labels = list(dict.fromkeys(label(row) for row in rows))
    precisions = list(dict.fromkeys(row["precision"] for row in rows))
    height = 0.8 / len(precisions)
    for turn, precision in enumerate(precisions):
        chosen = [row for row in rows if row["precision"] == precision]
        places = [labels.index(label(row)) + turn * height for row in chosen]
        bars = axes.barh(places, [value(row) for row in chosen], height,
                         color=COLOURS.get(precision, "grey"), label=precision)
        axes.bar_label(bars, fmt="%.3g", padding=2, fontsize=7)
    axes.set_yticks([place + height * (len(precisions) - 1) / 2 for place in range(len(labels))])
    axes.set_yticklabels(labels, fontsize=8)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    section, points = title
    axes.set_title(f"{section}, {points}$^3$" if points else section)
    axes.set_xlabel("ns per point and step" if section == "step" else "percent of copy bandwidth")
    axes.legend()


def flows_of(figures):
    """Rows of `dns bench accuracy` by flow, in the order in which they came."""
    flows = {}
    for row in figures:
        if row["section"] == "accuracy" and number(row, "seconds") and number(row, "error"):
            flows.setdefault(row["variant"].split(", order ")[0], []).append(row)
    return flows


def draw_flow(axes, flow, rows):
    """Error against seconds, a line for each order, device and precision."""
    orders = list(dict.fromkeys(row["variant"].split(", order ")[1] for row in rows))
    kinds = dict.fromkeys((row["variant"].split(", order ")[1], row["device"], row["precision"])
                          for row in rows)
    grids = list(dict.fromkeys(row["points"] for row in rows))
    devices = {device for _, device, _ in kinds}
    for order, device, precision in kinds:
        line = [row for row in rows if row["variant"].endswith(f", order {order}")
                and (row["device"], row["precision"]) == (device, precision)]
        where = f", {'GPU' if device == 'cuda' else 'CPU'}" if len(devices) > 1 else ""
        axes.loglog([number(row, "seconds") for row in line],
                    [number(row, "error") for row in line],
                    LINES.get(precision, "-"), ms=4, mfc=None if device == "cuda" else "none",
                    color=style.COLOURS[orders.index(order) % len(style.COLOURS)],
                    label=f"order {order}, {precision}{where}")
        for row in line:
            axes.loglog([number(row, "seconds")], [number(row, "error")], ms=4,
                        marker=MARKERS[grids.index(row["points"]) % len(MARKERS)],
                        color=style.COLOURS[orders.index(order) % len(style.COLOURS)],
                        mfc=None if device == "cuda" else "none")
    for grid, marker in zip(grids, MARKERS):
        axes.plot([], [], marker, color="0.4", ms=4, label=f"{grid}$^3$")
    if flow == "Taylor-Green":
        axes.loglog([SPECTRAL["seconds"]], [SPECTRAL["error"]], "k*", ms=10,
                    label="spectral, PyTorch, 96$^3$, H200")
    axes.set_title("Taylor-Green vortex, Re 400: error of dissipation" if flow == "Taylor-Green"
                   else f"{flow}: rms error of velocity")
    axes.set_xlabel("seconds")
    axes.set_ylabel("error")
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(fontsize=7, ncol=2)


def draw_all(figures, target):
    panels = panels_of(figures)
    flows = flows_of(figures)
    if not panels and not flows:
        sys.exit("plot_bench: there are no figures to draw")
    heights = [1.1 + 0.26 * len({label(row) for row in rows}) for rows in panels.values()]
    heights += [3.2] * len(flows)
    figure, grid = style.new_figure(len(heights), 1, sum(heights),
                                    gridspec_kw={"height_ratios": heights})
    for axes, (title, rows) in zip(grid[:, 0], panels.items()):
        draw(axes, title, rows)
    for axes, (flow, rows) in zip(grid[len(panels):, 0], flows.items()):
        draw_flow(axes, flow, rows)
    style.save(figure, target, "png")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("figures", nargs="?", help="CSV or JSON of dns bench, or - for stdin")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("bench.png"))
    parser.add_argument("--check", action="store_true", help="only says whether it could draw")
    arguments = parser.parse_args()
    if arguments.check:
        return
    if arguments.figures is None:
        parser.error("give the figures to draw")
    try:
        draw_all(read_figures(arguments.figures), arguments.output)
    except OSError as error:
        sys.exit(f"plot_bench: {error}")
    print(arguments.output)


if __name__ == "__main__":
    main()
