"""Forces, torques and heat of solid bodies over time: one colour a body, one panel a component."""
import re
from typing import NamedTuple

import numpy as np
from matplotlib.lines import Line2D

from pictures.ranges import largest

NEGLIGIBLE = 0.01  # of the largest component of all bodies: a component this small is not drawn
ROUND_OFF = 1e-9  # of the largest force, torque or heat: less is none, as across a flow in a plane
MOST_BODIES = 6  # as many as there are colours; of more those with the largest values

# Beginning of the names of columns -> (label of the axis of the panel, before the name of a body).
QUANTITIES = {
    "force": ("force $F_i/(\\rho U^2 L^2)$", "on"),
    "torque": ("torque $M_i/(\\rho U^2 L^3)$", "on"),
    "heat": ("heat $/\\,(T_0 U L^2)$", "from"),
}
COLUMN = re.compile(r"(force|torque)_(.+)_([xyz])|(heat)_(.+)")


class Panel(NamedTuple):
    """One component of a quantity over time."""

    label: str  # of the axis
    word: str  # before the name of a body
    curves: dict  # name of a body -> (values, colour)


def columns_of(series):
    """(quantity, component) -> {name of a body: values}; heat has the component ''.

    Without step 0, of which these columns know nothing yet and say 0.
    """
    found = {}
    for name, values in series.items():
        matched = COLUMN.fullmatch(name)
        if matched:
            quantity, body, component = (matched[1], matched[2], matched[3]) if matched[1] else (
                matched[4], matched[5], "")
            known = np.where(series["step"] > 0, values, np.nan)
            found.setdefault((quantity, component), {})[body] = known
    return found


def lasting(columns):
    """The columns of the components that are not small beside others of the same quantity."""
    sizes = {key: max(map(largest, curves.values())) for key, curves in columns.items()}
    least = {quantity: max(NEGLIGIBLE * max(size for key, size in sizes.items()
                                            if key[0] == quantity),
                           ROUND_OFF * max(sizes.values()))
             for quantity, _ in sizes}
    return {key: curves for key, curves in columns.items() if sizes[key] > least[key[0]]}


def bodies_to_draw(columns):
    """Names of the bodies that get a colour, in the order of the columns."""
    names = list(next(iter(columns.values()), {}))
    sizes = {name: max(largest(curves[name]) for curves in columns.values() if name in curves)
             for name in names}
    chosen = sorted(names, key=lambda name: -sizes[name])[:MOST_BODIES]
    return [name for name in names if name in chosen]


def panels_of(series):
    """The panels, each body in one colour throughout; and how many bodies there are."""
    columns = columns_of(series)
    names = bodies_to_draw(columns)
    panels = []
    for (quantity, component), curves in lasting(columns).items():
        label, word = QUANTITIES[quantity]
        drawn = {name: (curves[name], f"C{number}")
                 for number, name in enumerate(names) if name in curves}
        panels.append(Panel(label.replace("_i", f"_{component}"), word, drawn))
    return panels, len(next(iter(columns.values()), {}))


def draw_panel(axes, time, panel):
    """A panel; the name of a body in it where it is the only one."""
    for name, (values, colour) in panel.curves.items():
        axes.plot(time, values, colour, lw=0.8, label=f"{panel.word} {name}")
    axes.set_ylabel(panel.label)
    if len(panel.curves) == 1:
        axes.legend(loc="best")


def draw_names(axes, panels, count):
    """The names of several bodies for all panels, in a place without axes."""
    names = {name: colour for panel in panels for name, (_, colour) in panel.curves.items()}
    lines = [Line2D([], [], color=colour) for colour in names.values()]
    title = "bodies" if len(names) == count else f"{len(names)} of {count} bodies"
    axes.set_axis_off()
    axes.legend(lines, names, loc="center", title=title)
