"""The time series of a run."""
import numpy as np

from pictures import style

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
}
LOGARITHMIC = "divergence_"


def curves_of(series, prefix):
    """Name of a column -> values, for one panel; nothing where all stay as they are."""
    found = {name: values for name, values in series.items() if name.startswith(prefix)}
    sizes = {name: np.abs(values[np.isfinite(values)]).max(initial=0)
             for name, values in found.items()}
    largest = max(sizes.values(), default=0)
    scale = largest
    if prefix == "bulk_velocity_":  # of a flow without mean velocity it is round-off
        scale = max(scale, np.sqrt(2 * np.nanmax(series["kinetic_energy"])))
    if prefix != LOGARITHMIC and all(np.ptp(values) <= ROUND_OFF * scale
                                     for values in found.values()):
        return {}
    return {name: values for name, values in found.items() if sizes[name] > NEGLIGIBLE * largest}


def draw_panel(axes, time, prefix, curves):
    for name, values in curves.items():
        legend = name.removeprefix(prefix).replace("_", " ")
        if prefix == LOGARITHMIC:
            axes.semilogy(time, np.where(values > 0, values, np.nan), lw=0.7, label=legend)
        else:
            axes.plot(time, values, lw=0.8, label=legend)
    axes.set_ylabel(PANELS[prefix])
    axes.margins(x=0.02, y=0.12)
    if list(curves) != [prefix]:  # a name that differs from the label of the axis
        axes.legend(loc="best", ncol=2 if len(curves) > 3 else 1)


def draw(series):
    """One panel per quantity over time; nothing with fewer than two lines."""
    if len(series["time"]) < 2:
        return None
    chosen = [(prefix, curves) for prefix in PANELS if (curves := curves_of(series, prefix))]
    if not chosen:
        return None
    columns = 2 if len(chosen) <= 4 else 3
    rows = -(-len(chosen) // columns)
    figure, grid = style.new_figure(rows, columns, 0.3 + 1.75 * rows, sharex=True)
    panels = list(grid.flat)
    for axes, (prefix, curves) in zip(panels, chosen):
        draw_panel(axes, series["time"], prefix, curves)
    for axes in panels[len(chosen):]:
        axes.remove()
    for axes in panels[(rows - 1) * columns:len(chosen)]:
        axes.set_xlabel("$t\\,U/L$")
    style.label_panels(panels[:len(chosen)])
    return figure
