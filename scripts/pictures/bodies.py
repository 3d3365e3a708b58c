"""Solid bodies in pictures: grey with a dark outline, as in the slices that a run draws itself.

Values on a plane with bodies are masked arrays, the mask being true in bodies.
"""
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap

from dnsflow.grid import SURFACE

FINEST = 800  # places along the longer side of a panel, for the surface
GREY, OUTLINE = "#bebebe", {"colors": "#3c3c3c", "linewidths": 0.7}


def without_fluid(averages):
    """Where averages have no value since bodies fill all that was averaged over."""
    if "fluid" in averages:
        return averages["fluid"] == 0
    return np.zeros(averages["u"].shape, dtype=bool)


def outline_of_cells(right, up, mask):
    """The faces (n, 2 ends, 2 coordinates) between cells of bodies and of the flow.

    right, up: coordinates of the faces of cells; mask (up, right).
    """
    row, column = np.nonzero(mask[:, 1:] != mask[:, :-1])
    upright = [(right[column + 1], up[row]), (right[column + 1], up[row + 1])]
    row, column = np.nonzero(mask[1:] != mask[:-1])
    flat = [(right[column], up[row + 1]), (right[column + 1], up[row + 1])]
    return np.concatenate([np.moveaxis(np.array(ends), 2, 0) for ends in (upright, flat)])


def draw_cells(axes, right, up, mask):
    """Bodies of whole cells, which `right` and `up` are the faces of."""
    axes.pcolormesh(right, up, np.ma.masked_array(mask, ~mask), cmap=ListedColormap([GREY]),
                    rasterized=True)
    axes.add_collection(LineCollection(outline_of_cells(right, up, mask), capstyle="projecting",
                                       **OUTLINE), autolim=False)


def draw_nodes(axes, right, up, mask):
    """Bodies between nodes, the surface halfway between one of them and one of the flow."""
    axes.contourf(right, up, mask, [SURFACE, 1], colors=GREY)
    if not mask.all():
        axes.contour(right, up, mask, [SURFACE], **OUTLINE)


def filled_beside(values, turns=2):
    """Values (up, right) that reach `turns` cells into bodies, where they are masked: means of the
    neighbours that have one.
    """
    mask = np.ma.getmaskarray(values).copy()
    filled = np.where(mask, 0.0, np.ma.getdata(values))
    for _ in range(turns):
        known = np.pad(~mask, 1).astype(float)
        padded = np.pad(np.where(mask, 0, filled), 1)
        pairs = [(slice(None, -2), slice(1, -1)), (slice(2, None), slice(1, -1)),
                 (slice(1, -1), slice(None, -2)), (slice(1, -1), slice(2, None))]
        count = sum(known[pair] for pair in pairs)
        total = sum(padded[pair] for pair in pairs)
        reached = mask & (count > 0)
        filled[reached] = total[reached] / count[reached]
        mask &= ~reached
    return np.ma.masked_array(filled, mask)


def draw_surface(axes, surface, right, up):
    """Bodies up to their true surface; right, up: the ends of the panel."""
    size = max(np.ptp(right), np.ptp(up))
    places = [np.linspace(*ends, max(int(FINEST * np.ptp(ends) / size), 2)) for ends in (right, up)]
    level = surface.level(*places)
    if level.max() < 0:
        return
    axes.contourf(*places, level, [0, max(level.max(), 1)], colors=GREY)
    if level.min() < 0:
        axes.contour(*places, level, [0], **OUTLINE)
