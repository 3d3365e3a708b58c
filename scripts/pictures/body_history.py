"""Forces, torques and heat of solid bodies over time: one colour a body, one panel a component.

Of a cylinder across a stream drag and lift coefficients, with published ranges.
"""
import re
from typing import NamedTuple, Optional

import numpy as np
from matplotlib.lines import Line2D

from curves import upward_crossings
from pictures.known_flows import Level
from pictures.labels import scaled
from pictures.ranges import largest

NEGLIGIBLE = 0.01  # of the largest component of all bodies: a component this small is not drawn
ROUND_OFF = 1e-9  # of the largest force, torque or heat: less is none, as across a flow in a plane
MOST_BODIES = 6  # as many as there are colours; of more those with the largest values

# Beginning of the names of columns -> (label of the axis of the panel, before the name of a body).
QUANTITIES = {
    "force": ("force $F_i/(\\rho @U^2 @L^2)$", "on"),
    "torque": ("torque $M_i/(\\rho @U^2 @L^3)$", "on"),
    "heat": ("heat $/\\,(@T @U @L^2)$", "from"),
}
COLUMN = re.compile(r"(force|torque)_(.+)_([xyz])|(heat)_(?!flux_[xyz]_m)(.+)")


class Panel(NamedTuple):
    """One component of a quantity over time."""

    label: str  # of the axis
    word: str  # before the name of a body
    curves: dict  # name of a body -> (values, colour)
    reference: Optional[Level] = None  # what is known of the only one
    title: str = ""


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


def panels_of(series, cylinder=None):
    """The panels, each body in one colour throughout; and how many bodies there are.

    cylinder: the only body, if it is a known_flows.Cylinder, whose forces become coefficients.
    """
    columns = columns_of(series)
    names = bodies_to_draw(columns)
    panels = []
    for (quantity, component), curves in lasting(columns).items():
        if cylinder is not None and quantity == "force" and component != "":
            panel = coefficient_panel(cylinder, component, series["time"], curves[cylinder.name])
            if panel is not None:
                panels.append(panel)
                continue
        label, word = QUANTITIES[quantity]
        drawn = {name: (curves[name], f"C{number}")
                 for number, name in enumerate(names) if name in curves}
        panels.append(Panel(scaled(label).replace("_i", f"_{component}"), word, drawn))
    return panels, len(next(iter(columns.values()), {}))


def strouhal_number(cylinder, time, lift):
    """Frequency of the lift over the second half of the time, times D/U; NaN without two periods.
    """
    late = time >= (time[0] + time[-1]) / 2
    ends = upward_crossings(time[late], lift[late] - np.nanmean(lift[late]))
    if len(ends) < 3:
        return np.nan
    return (len(ends) - 1) / (ends[-1] - ends[0]) * cylinder.diameter / abs(cylinder.speed)


def words_of_strouhal(cylinder, time, lift):
    """The Strouhal number, and that of the literature; nothing where it is not known yet."""
    strouhal, known = strouhal_number(cylinder, time, lift), cylinder.ranges.get("St")
    if np.isnan(strouhal):
        return ""
    words = f"$St = {strouhal:.3f}$"
    return f"{words}; literature {known[0]:g}-{known[1]:g}" if known else words


def label_of(coefficient, cylinder, component):
    return scaled(f"$C_{coefficient} = 2F_{component}/(\\rho U_\\infty^2 D L_{cylinder.axis})$")


def coefficient_panel(cylinder, component, time, force):
    """Drag or lift coefficient of the cylinder; nothing along its axis."""
    values = cylinder.scale * force
    if component == cylinder.stream:
        known = cylinder.ranges.get("Cd")
        label = label_of("D", cylinder, component)
        level = known and Level(f"mean, literature: {known[0]:g}-{known[1]:g}", *known)
        return Panel(label, "on", {cylinder.name: (values, "C0")}, level)
    if component != cylinder.lift:
        return None
    label, known = label_of("L", cylinder, component), cylinder.ranges.get("Cl' amplitude")
    level = known and Level(f"amplitude, lit.: {known[0]:g}-{known[1]:g}", *known)
    return Panel(label, "on", {cylinder.name: (values, "C0")}, level,
                 words_of_strouhal(cylinder, time, values))


def draw_panel(axes, time, panel):
    """A panel; the name of a body in it where it is the only one."""
    for name, (values, colour) in panel.curves.items():
        axes.plot(time, values, colour, lw=0.8, label=f"{panel.word} {name}")
    axes.set_ylabel(panel.label)
    axes.set_title(panel.title, loc="right", fontsize=8)
    if panel.reference is not None:
        panel.reference.draw(axes, time[-1])
    if len(panel.curves) == 1:
        axes.legend(loc="upper right")


def draw_names(axes, panels, count):
    """The names of several bodies for all panels, in a place without axes."""
    names = {name: colour for panel in panels for name, (_, colour) in panel.curves.items()}
    lines = [Line2D([], [], color=colour) for colour in names.values()]
    title = "bodies" if len(names) == count else f"{len(names)} of {count} bodies"
    axes.set_axis_off()
    axes.legend(lines, names, loc="center", title=title)
