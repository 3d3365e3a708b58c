"""Legends that cover no curve."""
ROOM = 0.1  # of the height or width of a panel: what it grows by at a time
MOST_TIMES = 12


def covers_curve(axes):
    """Whether the legend of a panel, as it is laid out, lies on one of its curves."""
    legend = axes.get_legend()
    if legend is None or not legend.get_visible():
        return False
    box = legend.get_window_extent()
    return any(line.get_transform().transform_path(line.get_path()).intersects_bbox(box, False)
               for line in axes.get_lines() if len(line.get_path().vertices))


def grown(limits, scale):
    """Limits (low, high) of an axis with this transform, and room beyond the high one."""
    low, high = scale.transform(limits)
    return scale.inverted().transform([low, high + ROOM * (high - low)])


def make_room(axes):
    """Above the curves of a panel; right of them where it shares heights with others."""
    if len(axes.get_shared_y_axes().get_siblings(axes)) > 1:
        axes.set_xlim(grown(axes.get_xlim(), axes.xaxis.get_transform()))
    else:
        axes.set_ylim(grown(axes.get_ylim(), axes.yaxis.get_transform()))


def clear(figure):
    """Makes room in the panels of a figure until no legend covers a curve."""
    for _ in range(MOST_TIMES):
        figure.draw_without_rendering()
        covering = [axes for axes in figure.axes if covers_curve(axes)]
        if not covering:
            return
        for axes in covering:
            make_room(axes)
