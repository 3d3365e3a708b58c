"""Solid bodies in pictures: grey with a dark outline, as in the slices that a run draws itself.

Values on a plane with bodies are masked arrays, the mask being true in bodies.
"""
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap

from dnsflow.grid import SURFACE

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
