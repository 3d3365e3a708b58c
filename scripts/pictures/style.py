"""The look of all pictures."""
import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

from pictures import legends  # noqa: E402
from pictures.files import write_aside  # noqa: E402

WIDTH = 7.2  # of a page between its margins [inch]
NARROWEST = 2.2  # width of a panel beside others [inch]
REFERENCE = {"color": "0.55", "lw": 2.5}  # published data, below
LAW = {"color": "k", "lw": 0.8, "ls": "--"}  # what is known of a flow

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]  # told apart by all

plt.rcParams.update({
    "axes.prop_cycle": plt.cycler(color=COLOURS),
    "font.family": "STIXGeneral", "mathtext.fontset": "stix", "font.size": 9,
    "axes.titlesize": 9, "axes.labelsize": 9, "legend.fontsize": 8,
    "xtick.labelsize": 8, "ytick.labelsize": 8, "xtick.direction": "in", "ytick.direction": "in",
    "axes.linewidth": 0.6, "lines.linewidth": 1.1, "lines.markersize": 3.5,
    "lines.markeredgewidth": 0.7, "legend.frameon": False,
    "axes.formatter.useoffset": False, "axes.formatter.limits": (-3, 4),
    "axes.formatter.use_mathtext": True, "savefig.dpi": 200,
    "pdf.fonttype": 42,  # fonts that journals accept
})


_look = {"is_smooth": False, "has_titles": True, "width": WIDTH, "height": None}


def use_size(width=WIDTH, height=None):
    """From now on pictures have this width and height [inch]; without one what their panels need.
    """
    _look.update(width=width, height=height)


def use_titles(has_titles):
    """From now on pictures have titles of their own, or leave them to their captions."""
    _look["has_titles"] = has_titles


def width():
    return _look["width"]


def columns_that_fit(columns):
    """How many of these columns of panels have room."""
    return max(min(columns, int(_look["width"] / NARROWEST)), 1)


def use_smooth(is_smooth):
    """From now on colours run over the edges of cells, or show them."""
    _look["is_smooth"] = is_smooth


def is_smooth():
    return _look["is_smooth"]


GAP = 6  # between words [pixels]


class NothingToDraw(Exception):
    """Why there is no picture of some kind."""


def figure_of_size(rows, columns, height, **options):
    """A figure of the width asked for and its panels, an array (rows, columns); the height asked
    for comes first.
    """
    return plt.subplots(rows, columns, figsize=(_look["width"], _look["height"] or height),
                        squeeze=False, constrained_layout=True, **options)


def new_figure(rows, columns, height, **options):
    """A figure and its panels, an array (rows, columns); height: of one as wide as a page [inch].

    Where the columns have no room, panels stand below each other, in the order of the array.
    """
    fitting = columns_that_fit(columns)
    if fitting == columns:
        return figure_of_size(rows, columns, height * min(1, max(_look["width"] / WIDTH, 0.75)),
                              **options)
    lines = -(-rows * columns // fitting)
    figure, grid = figure_of_size(lines, fitting, height / rows * lines)
    panels = list(grid.flat)
    for axes in panels[rows * columns:]:
        axes.remove()
    grid = np.array(panels[:rows * columns], dtype=object).reshape(rows, columns)
    for name in ("sharex", "sharey"):
        share_axes(grid, name, options.get(name))
    figure.grid_before = grid
    return figure, grid


def share_axes(grid, name, how):
    """Panels share their axes as in plt.subplots: all of them (True), those of a row ("row") or of
    a column ("col").
    """
    groups = {True: [grid.flat], "row": grid, "col": grid.T}.get(how, [])
    for group in groups:
        first, *others = group
        for axes in others:
            getattr(axes, name)(first)


def name_all_axes(figure):
    """Panels that stood beside or above others, which had the names of their axes, get them."""
    grid = getattr(figure, "grid_before", np.empty((0, 0)))
    for row in grid:
        for axes in row:
            if axes in figure.axes and not axes.get_ylabel() and axes.axison:
                axes.set_ylabel(row[0].get_ylabel())
    for column in grid.T:
        named = [axes for axes in column if axes.get_xlabel()]
        for axes in column:
            if axes in figure.axes and named and not axes.get_xlabel() and axes.axison:
                axes.set_xlabel(named[-1].get_xlabel())


def set_title(figure, words):
    """The title of a picture, where it has one; in lines that fit."""
    if not _look["has_titles"]:
        return
    is_narrow = _look["width"] < 0.7 * WIDTH
    figure.suptitle(words.replace(",  ", "\n") if is_narrow else words, fontsize=10)


def first_panels(grid, count, label):
    """The first `count` of the panels, the others removed, with numbers below each; `label` below
    the last of each column.
    """
    columns = grid.shape[1]
    panels = list(grid.flat)
    for axes in panels[count:]:
        axes.remove()
    for axes in panels[max(count - columns, 0):count]:
        axes.set_xlabel(label)
    for axes in panels[:count]:
        axes.tick_params(labelbottom=True)
    return panels[:count]


def label_panels(panels):
    """(a), (b), ... in the upper left corner above each panel."""
    for number, axes in enumerate(panels):
        axes.letter = axes.set_title(f"({chr(ord('a') + number)})", loc="left")


def free_letters(figure):
    """Moves letters of panels that would lie on other words: left of the powers of ten above an
    axis, and in one line with a title, which begins at the left then.
    """
    figure.draw_without_rendering()
    for axes in figure.axes:
        letter = getattr(axes, "letter", None)
        if letter is None:
            continue
        power = axes.yaxis.get_offset_text()
        if power.get_text() and power.get_window_extent().overlaps(letter.get_window_extent()):
            left = power.get_window_extent().x0 - letter.get_window_extent().width - GAP
            axes.set_title(letter.get_text(), loc="left",
                           x=axes.transAxes.inverted().transform((left, 0))[0])
        if axes.title.get_text() and axes.title.get_window_extent().x0 < (
                letter.get_window_extent().x1 + GAP):
            axes.set_title(f"{letter.get_text()} {axes.title.get_text()}", loc="left")
            axes.set_title("")


def say(axes, words):
    """Words in a panel without curves."""
    axes.text(0.5, 0.5, words, transform=axes.transAxes, ha="center", va="center", color="0.4")


def draw_band(axes, places, values, half, colour, upwards=False):
    """The 95 % interval of a curve, where it is known; upwards: places run so."""
    draw = axes.fill_betweenx if upwards else axes.fill_between
    draw(places, values - half, values + half, color=colour, alpha=0.25, lw=0)


def power_of_ten(value):
    """A number with at most two digits as mathematics, 1.2 \\times 10^{-3}, without the dollars."""
    if value == 0:
        return "0"
    digits, exponent = f"{value:.1e}".split("e")
    digits, exponent = digits.removesuffix(".0"), int(exponent)
    if -2 <= exponent <= 2:
        return f"{value:.2g}" if value < 100 else f"{value:.0f}"
    power = f"10^{{{exponent}}}"
    return power if digits == "1" else f"{digits} \\times {power}"


def arrange(figure):
    """Names of axes, legends and letters in their last places; letters where there are none."""
    name_all_axes(figure)
    panels = [axes for axes in figure.axes if axes.axison and axes.get_label() != "<colorbar>"]
    if len(panels) > 1 and not any(hasattr(axes, "letter") for axes in panels):
        label_panels(panels)
    legends.clear(figure)
    free_letters(figure)


def save(figure, path, picture_format=None):
    """Writes a picture of a format, else of that which its name ends in, and closes the figure.

    Legends get room where they would cover a curve.
    """
    picture_format = picture_format or path.suffix[1:]
    arrange(figure)
    write_aside(path, lambda part: figure.savefig(part, format=picture_format))
    plt.close(figure)
