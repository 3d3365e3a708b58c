"""Forces, torques and heat of solid bodies over time: one colour a body, one panel a component.

Forces in a stream as drag and lift coefficients; of a cylinder with published ranges.
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


def panels_of(series, references=None, known=None):
    """The panels, each body in one colour throughout; and how many bodies there are.

    references: those of coefficients.references_of, by which forces become coefficients where each
    body has an area; known: published ranges of the only body.
    """
    columns = columns_of(series)
    names = bodies_to_draw(columns)
    references = references or {}
    has_scales = all(name in references and references[name].scale for name in names)
    panels = []
    for (quantity, component), curves in lasting(columns).items():
        drawn = {name: (curves[name], f"C{number}")
                 for number, name in enumerate(names) if name in curves}
        if quantity == "force" and has_scales:
            panels.append(coefficient_panel(references, component, series["time"], drawn,
                                            known or {}))
            continue
        label, word = QUANTITIES[quantity]
        panels.append(Panel(scaled(label).replace("_i", f"_{component}"), word, drawn))
    return panels, len(next(iter(columns.values()), {}))


def strouhal_number(reference, time, lift):
    """Frequency of the lift over the second half of the time, times length over speed; NaN without
    two periods, a length, or where it varies by round-off.
    """
    late = (time >= (time[0] + time[-1]) / 2) & np.isfinite(lift)
    ends = upward_crossings(time[late], lift[late] - lift[late].mean()) if late.any() else []
    if len(ends) < 3 or reference.length is None or np.ptp(lift[late]) < NEGLIGIBLE / 100:
        return np.nan
    return (len(ends) - 1) / (ends[-1] - ends[0]) * reference.length / reference.speed


def coefficient_panel(references, component, time, forces, known):
    """The coefficients along one axis: drag, and across the stream lift with Strouhal numbers.

    forces: name of a body -> (values, colour).
    """
    curves = {name: (references[name].scale * force, colour)
              for name, (force, colour) in forces.items()}
    is_drag = component == next(iter(references.values())).stream
    label = f"$C_{{{'D' if is_drag else 'L'}}} = 2F_{component}/(\\rho U^2 A)$"
    if is_drag:
        ends = known.get("Cd")
        return Panel(label, "on", curves, ends and Level(
            f"mean, literature: {ends[0]:g}-{ends[1]:g}", *ends))
    numbers = [strouhal_number(references[name], time, values)
               for name, (values, _) in curves.items()]
    found = [f"{number:.3f}" for number in numbers if np.isfinite(number)]
    words = f"$St = {', '.join(found)}$" if found else ""
    ends = known.get("St")
    if words and ends:
        words += f"; literature {ends[0]:g}-{ends[1]:g}"
    ends = known.get("Cl' amplitude")
    return Panel(label, "on", curves, ends and Level(
        f"amplitude, lit.: {ends[0]:g}-{ends[1]:g}", *ends), words)


def draw_panel(axes, time, panel, mean=""):
    """A panel; the name of a body in it where it is the only one, and words on its mean."""
    for name, (values, colour) in panel.curves.items():
        axes.plot(time, values, colour, lw=0.8, label=f"{panel.word} {name}")
    axes.set_ylabel(panel.label)
    axes.set_title(panel.title or mean, loc="right", fontsize=8)
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
