"""The time series of a run."""
import numpy as np

from pictures import body_history, style
from pictures.ranges import finite, largest

NEGLIGIBLE = 0.01  # of the largest of a panel's columns: a curve this small is not drawn
ROUND_OFF = 1e-6  # relative: smaller changes count as none

# Beginning of the names of a panel's columns -> its label.
PANELS = {
    "kinetic_energy": "$E/U^2$",
    "dissipation": "$\\varepsilon L/U^3$",
    "cfl": "CFL",
    "divergence_": "$|\\nabla\\cdot\\mathbf{u}|\\,L/U$",
    "friction_velocity": "$u_\\tau/U$",
    "bulk_velocity_": "$u_b/U$",
    "driving_": "$f L/U^2$",
    "nusselt_": "Nu",
    "temperature_mean": "$\\langle T\\rangle/T_0$",
    "body_slip": "slip in bodies$\\,/\\,U$",
}
LOGARITHMIC = ("divergence_", "body_slip")


def curves_of(series, prefix):
    """Name of a column -> values, for one panel; nothing where all stay as they are."""
    found = {name: values for name, values in series.items() if name.startswith(prefix)}
    sizes = {name: largest(values) for name, values in found.items()}
    scale = most = max(sizes.values(), default=0)
    if prefix == "bulk_velocity_":  # of a flow without mean velocity it is round-off
        scale = max(scale, np.sqrt(2 * largest(series["kinetic_energy"])))
    found = {name: values for name, values in found.items() if sizes[name] > NEGLIGIBLE * most}
    if prefix not in LOGARITHMIC and all(np.ptp(finite(values)) <= ROUND_OFF * scale
                                         for values in found.values()):
        return {}
    return found


def draw_panel(axes, time, prefix, curves):
    for name, values in curves.items():
        legend = name.removeprefix(prefix).replace("_", " ")
        if prefix in LOGARITHMIC:
            axes.semilogy(time, np.where(values > 0, values, np.nan), lw=0.7, label=legend)
        else:
            axes.plot(time, values, lw=0.8, label=legend)
    axes.set_ylabel(PANELS[prefix])
    if list(curves) != [prefix]:  # a name that differs from the label of the axis
        axes.legend(loc="best", ncol=2 if len(curves) > 3 else 1)


def draw(series):
    """One panel per quantity over time; nothing with fewer than two lines."""
    if len(series["time"]) < 2:
        return None
    chosen = [(prefix, curves) for prefix in PANELS if (curves := curves_of(series, prefix))]
    of_bodies, bodies = body_history.panels_of(series)
    count = len(chosen) + len(of_bodies)
    if count == 0:
        return None
    columns = 2 if count <= 4 else 3
    has_names = bool(of_bodies) and bodies > 1
    rows = -(-(count + has_names) // columns)
    figure, grid = style.new_figure(rows, columns, 0.3 + 1.75 * rows, sharex=True)
    place_of_names = grid[-1, -1].get_subplotspec()
    panels = style.first_panels(grid, count, "$t\\,U/L$")
    for axes, (prefix, curves) in zip(panels, chosen):
        draw_panel(axes, series["time"], prefix, curves)
    for axes, panel in zip(panels[len(chosen):], of_bodies):
        body_history.draw_panel(axes, series["time"], panel)
    for axes in panels:
        axes.margins(x=0.02, y=0.12)
    style.label_panels(panels)
    if has_names:
        body_history.draw_names(figure.add_subplot(place_of_names), of_bodies, bodies)
    return figure
