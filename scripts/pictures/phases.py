"""Averages by phase (output.statistics.phase): over the one axis that is kept, or over the phase.
"""
import numpy as np
from matplotlib import colormaps

from pictures import style
from pictures.labels import scaled
from pictures.profiles import RMS, scalars_in, span_of_time
from pictures.ranges import ROUND_OFF, largest, rms
from pictures.walls import places_with_walls, with_walls

MOST_CURVES = 8
UNITS = {**dict.fromkeys("uvw", "$\\,/\\,@U$"), "T": "$\\,/\\,@T$", "p": "$\\,/\\,@U^2$"}


def means_and_fluctuations(phases):
    """(name, its means, its rms) of velocities, scalars and pressure, none of round-off; all are
    (bins, ...).
    """
    squares = {**{name: 2 * name for name in "uvw"}, **scalars_in(phases), "p": "pp"}
    scale = max(max(largest(phases[name]), largest(rms(phases[2 * name]))) for name in "uvw")
    for name, square in squares.items():
        means, fluctuations = phases[name], rms(phases[square])
        least = ROUND_OFF * {**dict.fromkeys("uvw", scale), "p": scale**2}.get(name, 0)
        if max(largest(means), largest(fluctuations)) > least:
            yield name, means, fluctuations


def symbol_of(name):
    return name if len(name) == 1 else f"\\mathrm{{{name}}}".replace("_", "\\_")


def draw_over_axis(phases, axis, found):
    """A column for each variable, its means above its fluctuations, a curve for each phase."""
    figure, grid = style.new_figure(2, len(found), 5.0, sharey=True)
    turns = phases["phase"]
    shown = np.unique(np.linspace(0, len(turns), MOST_CURVES, endpoint=False).astype(int))
    for column, (name, *rows) in zip(grid.T, found):
        words = (f"$\\langle {symbol_of(name)} \\rangle$", RMS.format(symbol_of(name)))
        for panel, values, label in zip(column, rows, words):
            for number in shown:
                panel.plot(with_walls(phases, axis, name, values[number], values is rows[1]),
                           places_with_walls(phases, axis), label=f"{turns[number]:.3g}",
                           color=colormaps["twilight"](0.1 + 0.8 * turns[number]))
            panel.set_xlabel(scaled(label + UNITS.get(name, "")))
    for row in grid:
        row[0].set_ylabel(scaled(f"${axis}/@L$"))
    grid[0, -1].legend(title="phase")
    return figure


def draw_over_phase(phases, found):
    """Of averages over all axes: a panel of means and one of fluctuations."""
    figure, grid = style.new_figure(1, 2, 2.8)
    for name, means, fluctuations in found:
        for panel, values, label in zip(grid.flat, (means, fluctuations), (
                f"$\\langle {symbol_of(name)} \\rangle$", RMS.format(symbol_of(name)))):
            panel.plot(phases["phase"], values, marker="o", label=label)
    for panel, words in zip(grid.flat, ("means", "fluctuations")):
        panel.set(xlabel="phase", ylabel=words, xlim=(0, 1))
        panel.legend()
    return figure


def draw(phases):
    """The picture of statistics_phase.h5. Raises NothingToDraw for averages over fewer axes."""
    kept = [axis for axis in phases.axes["u"] if axis != "phase"]
    if len(kept) > 1:
        raise style.NothingToDraw(f"averages by phase keep {' and '.join(sorted(kept))}; `dns "
                                  "export` and Run.statistics_phase() have them")
    found = list(means_and_fluctuations(phases))
    if not found:
        raise style.NothingToDraw("all averages are zero")
    figure = draw_over_axis(phases, *kept, found) if kept else draw_over_phase(phases, found)
    style.set_title(figure, scaled(f"period ${phases.attributes['period']:.4g}\\,@L/@U$,  ")
                    + span_of_time(phases))
    return figure
