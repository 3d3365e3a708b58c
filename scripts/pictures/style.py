"""The look of all pictures."""
import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

from pictures import legends  # noqa: E402
from pictures.files import write_aside  # noqa: E402

WIDTH = 7.2  # of a page between its margins [inch]
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


_look = {"is_smooth": False}


def use_smooth(is_smooth):
    """From now on colours run over the edges of cells, or show them."""
    _look["is_smooth"] = is_smooth


def is_smooth():
    return _look["is_smooth"]


class NothingToDraw(Exception):
    """Why there is no picture of some kind."""


def new_figure(rows, columns, height, **options):
    """A figure of the width of a page and its panels, an array (rows, columns)."""
    return plt.subplots(rows, columns, figsize=(WIDTH, height), squeeze=False,
                        constrained_layout=True, **options)


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
        axes.set_title(f"({chr(ord('a') + number)})", loc="left")


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


def save(figure, path, picture_format=None):
    """Writes a picture of a format, else of that which its name ends in, and closes the figure.

    Legends get room where they would cover a curve.
    """
    picture_format = picture_format or path.suffix[1:]
    legends.clear(figure)
    write_aside(path, lambda part: figure.savefig(part, format=picture_format))
    plt.close(figure)
