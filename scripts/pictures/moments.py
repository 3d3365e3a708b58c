"""Skewness and flatness among the averages, over the one axis that is kept."""
from pictures import layers, style
from pictures.ranges import ROUND_OFF, finite, largest, rms
from pictures.variables import scalars_of

GAUSSIAN = {"skewness": 0, "flatness": 3}


def names_of(layer):
    """Quantities with these moments that fluctuate: the velocities, scalars, pressure."""
    averages = layer.averages
    flow = max(largest(averages[name]) for name in "uvw")

    def fluctuates(name):
        scale = (flow**2 if name == "p" else flow if name in tuple("uvw")
                 else largest(averages[name]))
        square = 2 * name if len(name) == 1 else f"{name}_{name}"
        return largest(rms(averages[square])) > ROUND_OFF * scale

    return [name for name in (*layer.components, "T", *scalars_of(averages.case), "p")
            if f"skewness_{name}" in averages and fluctuates(name)]


def draw_moment(axes, found, kind):
    """Draws one moment of each layer, and the line of a Gaussian distribution."""
    line = axes.axhline if found[0].is_channel else axes.axvline
    line(GAUSSIAN[kind], **style.LAW, label="Gaussian")
    for layer, look in zip(found, ("-", "--")):
        shown = 0
        for name in names_of(layer):
            values = layer.values(f"{kind}_{name}", (name,) if kind == "skewness" else ())
            if finite(values).size:
                layer.plot(axes, values, color=f"C{shown}", ls=look,
                           label=f"${name}$ {layer.words_of_wall}".rstrip())
                shown += 1


def draw(averages):
    """The picture of both. Raises NothingToDraw."""
    if layers.axis_of(averages) is None:
        raise style.NothingToDraw("averages keep none or several axes")
    scalars = [name for name in names_of(layers.Layer(averages)) if name not in tuple("uvwp")]
    found = layers.layers_of(averages, scalars)
    layer = found[0]
    if not any(finite(averages[f"skewness_{name}"]).size for name in names_of(layer)):
        raise style.NothingToDraw("nothing fluctuates")
    figure, grid = style.new_figure(1, 2, 2.9, **layer.shared)
    for axes, kind in zip(layers.panels_of(found, grid, 2, ""), GAUSSIAN):
        draw_moment(axes, found, kind)
        (axes.set_ylabel if layer.is_channel else axes.set_xlabel)(kind)
        axes.legend(ncol=2)
    style.label_panels(grid.flat)
    style.set_title(figure, layer.title())
    return figure
