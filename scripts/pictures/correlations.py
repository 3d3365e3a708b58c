"""Two-point correlations among the averages (output.statistics.spectra).

Where averages keep one axis: at the height of most turbulent kinetic energy and in the middle. Else
averaged over the axes that are kept, too.
"""
import numpy as np

from dnsflow.grid import widths
from pictures import layers, profiles, style
from pictures.labels import scaled
from pictures.ranges import ROUND_OFF, largest

QUANTITIES = "uvwT"
BESIDE_OTHERS = 1e-12  # of the largest variance: what fluctuates so little has no correlation


def axes_of(averages):
    """The axes along which there are correlations."""
    return [axis for axis in "xyz" if f"correlation_{axis}_uu" in averages]


def averaged(averages, name):
    """A correlation over the separation alone, averaged over the axes that are kept."""
    values = averages[name]
    for place, kept in reversed(list(enumerate(averages.axes[name]))):
        if f"{kept}_faces" in averages:
            values = np.average(values, axis=place, weights=widths(averages, kept))
    return values


def correlations_of(averages, axis, layer=None, number=None):
    """Quantity -> R(r)/R(0) along an axis; of a layer at one of its points."""
    found = {}
    for quantity in QUANTITIES:
        name = f"correlation_{axis}_{2 * quantity}"
        if name not in averages:
            continue
        values = averaged(averages, name) if layer is None else layer.values(name)[number]
        found[quantity] = values
    most = max((found[name][0] for name in "uvw"), default=0)
    flow = max(largest(averages[name]) for name in "uvw")
    return {name: values / values[0] for name, values in found.items()
            if values[0] > max(BESIDE_OTHERS * most, name != "T" and (ROUND_OFF * flow) ** 2)}


def draw_panel(axes, separation, curves, words):
    """One panel; words: where it is."""
    axes.axhline(0, color="0.7", lw=0.6)
    for quantity, values in curves.items():
        axes.plot(separation, values, label=f"$R_{{{2 * quantity}}}$")
    axes.set(xlim=(0, separation[-1]), title=words)


def draw(averages, wanted=None):
    """One panel per axis and height, see Layer.heights. Raises NothingToDraw."""
    along = axes_of(averages)
    if not along:
        raise style.NothingToDraw("the averages hold none (output.statistics.spectra)")
    scalars = [name for name in "T" if f"correlation_{along[0]}_TT" in averages]
    found = layers.layers_of(averages, scalars) if layers.axis_of(averages) else []
    heights = [(layer, number) for layer in found for number in layer.heights(wanted)]
    heights = heights or [(None, None)]
    curves = [[correlations_of(averages, axis, layer, number) for axis in along]
              for layer, number in heights]
    if not any(panel for row in curves for panel in row):
        raise style.NothingToDraw("nothing fluctuates")
    rows = len(heights)
    figure, grid = style.new_figure(rows, len(along), 0.3 + 2.4 * rows, sharex="col",
                                    sharey=True)
    for row, (layer, number), line in zip(grid, heights, curves):
        words = "" if layer is None else layer.words_of(number)
        for axes, axis, panel in zip(row, along, line):
            draw_panel(axes, averages[f"separation_{axis}"], panel, words)
        row[0].set_ylabel("$R(r)/R(0)$")
    for axes, axis in zip(grid[-1], along):
        axes.set_xlabel(scaled(f"$r_{axis}/@L$"))
    grid[0, 0].legend()
    if grid.size > 1:
        style.label_panels(grid.flat)
    style.set_title(figure, found[0].title() if found else profiles.span_of_time(averages))
    return figure
