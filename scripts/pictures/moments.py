"""Skewness and flatness among the averages, over the one axis that is kept."""
from pictures import layers, style
from pictures.ranges import finite
from pictures.variables import scalars_of

GAUSSIAN = {"skewness": 0, "flatness": 3}


def names_of(layer):
    """Quantities with these moments: the velocities, scalars, pressure."""
    return [name for name in (*layer.components, "T", *scalars_of(layer.averages.case), "p")
            if f"skewness_{name}" in layer.averages]


def draw_moment(axes, layer, kind):
    """The curves of one moment over that of a Gaussian distribution."""
    line = axes.axhline if layer.is_channel else axes.axvline
    line(GAUSSIAN[kind], **style.LAW, label="Gaussian")
    for name in names_of(layer):
        values = layer.values(f"{kind}_{name}", name if kind == "skewness" and len(name) == 1 else "")
        if finite(values).size:
            layer.plot(axes, values, label=f"${name}$")


def draw(averages):
    """The picture of both; nothing where they are not over one axis, or of nothing that fluctuates.
    """
    if layers.axis_of(averages) is None:
        return None
    layer = layers.Layer(averages)
    if not any(finite(averages[f"skewness_{name}"]).size for name in names_of(layer)):
        return None
    figure, grid = style.new_figure(1, 2, 2.9, **layer.shared)
    for axes, kind in zip(layer.panels(grid, 2, ""), GAUSSIAN):
        draw_moment(axes, layer, kind)
        (axes.set_ylabel if layer.is_channel else axes.set_xlabel)(kind)
        axes.legend(ncol=2)
    style.label_panels(grid.flat)
    figure.suptitle(layer.title(), fontsize=10)
    return figure
