"""The time series of a run, over published ones where the flow is known."""
import numpy as np

from dnsflow.coefficients import references_of
from dnsflow.uncertainty import LASTING, uncertainty_of_mean
from pictures import body_history, frame, known_flows, style
from pictures.labels import scaled
from pictures.ranges import finite, largest
from pictures.variables import scalars_of

NEGLIGIBLE = 0.01  # of the largest of a panel's columns: a curve this small is not drawn
ROUND_OFF = 1e-6  # relative: smaller changes count as none

# Beginning of the names of a panel's columns -> its label.
PANELS = {
    "kinetic_energy": "$E/@U^2$",
    "dissipation": "$\\varepsilon @L/@U^3$",
    "cfl": "CFL",
    "divergence_": "$|\\nabla\\cdot\\mathbf{u}|\\,@L/@U$",
    "friction_velocity": "$u_\\tau/@U$",
    "bulk_velocity_": "$u_b/@U$",
    "driving_": "$f @L/@U^2$",
    "nusselt_": "$Nu$",
    "heat_flux_": "$q/(@U@T)$",
    "temperature_mean": "$\\langle T\\rangle/@T$",
    "body_slip": "slip in bodies$\\,/\\,@U$",
}
PEAKED = 1.5  # times the range of most values: a range that the start makes
MOST = (3, 97)  # percentiles between which most values are
LOGARITHMIC = ("divergence_", "body_slip")
MOST_DIGITS = 6  # after the point, of a mean
AVERAGED = ("friction_velocity", "nusselt_")  # panels that say the mean, as those of bodies do


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


def panels_to_draw(series, case):
    """(prefix, curves) of the panels; without wall units where buoyancy alone drives the flow."""
    left_out = ("friction_velocity",) if case and frame.is_convection(case) else ()
    means = [f"{scalar}_mean" for scalar in scalars_of(case)]
    return [(prefix, curves) for prefix in (*PANELS, *means)
            if prefix not in left_out and (curves := curves_of(series, prefix))]


def words_of_mean(time, values, start):
    """The mean from a time on with half of its 95 % interval, where that is known; else nothing."""
    late = time > start
    if np.count_nonzero(late) < 2 or not np.isfinite(values[late]).all():
        return ""
    durations = np.diff(time, prepend=time[0])[late]
    mean, half, correlation = uncertainty_of_mean(values[late], durations)
    if not (half > 0 and correlation <= LASTING):
        return ""
    digits = max(1 - int(np.floor(np.log10(half))), 0)
    if digits > MOST_DIGITS:  # as good as steady, or next to nothing
        return ""
    return f"mean ${mean:.{digits}f} \\pm {half:.{digits}f}$"


def start_of_means(time, case):
    """Where the averages of the case begin, else the middle of the time."""
    statistics = (case or {}).get("output", {}).get("statistics", {})
    start = statistics.get("start", np.nan) if isinstance(statistics, dict) else np.nan
    return start if time[0] <= start < time[-1] else (time[0] + time[-1]) / 2


def draw_panel(axes, time, prefix, curves, reference=None, start=None):
    """A panel; what is known of it below; the mean from `start` on above."""
    if reference is not None:
        reference.draw(axes, time[-1])
    for name, values in curves.items():
        legend = name.removeprefix(prefix).replace("_", " ") or "present"
        if prefix in LOGARITHMIC:
            axes.semilogy(time, np.where(values > 0, values, np.nan), lw=0.7, label=legend)
        else:
            axes.plot(time, values, lw=0.8, label=legend)
    axes.set_ylabel(scaled(PANELS.get(prefix, prefix)))
    if prefix in AVERAGED:
        axes.set_title(words_of_mean(time, list(curves.values())[-1], start), loc="right",
                       fontsize=8)
    if reference is not None or list(curves) != [prefix]:  # not what the label of the axis says
        axes.legend(loc="best" if reference is None else "upper right",
                    ncol=2 if len(curves) > 3 else 1)


def has_names_above(panels, chosen, of_bodies, references):
    """The panels whose legend stands above the curves: those with references, those of one body."""
    above = [prefix in references for prefix, _ in chosen]
    above += [len(panel.curves) == 1 for panel in of_bodies]
    return [axes for axes, is_above in zip(panels, above) if is_above]


def leave_room_for_names(axes):
    """Above the curves of a panel whose names do not fit among them; a start that is far beyond
    all that follows does not count there.
    """
    low, high = axes.get_ylim()
    values = finite(np.concatenate([line.get_ydata() for line in axes.get_lines()]))
    most = np.percentile(values, MOST)
    if np.ptp(values) > PEAKED * np.ptp(most) > 0:
        low, high = most + np.array([-0.12, 0.12]) * np.ptp(most)
    axes.set_ylim(low, high + 0.16 * len(axes.get_legend().get_texts()) * (high - low))


def mark_cut_curves(axes):
    """Small triangles where a curve leaves a panel upwards or downwards."""
    low, high = axes.get_ylim()
    for line in axes.get_lines():
        x, y = (np.asarray(part, float) for part in line.get_data())
        if len(x) < 3:  # a level
            continue
        for is_beyond, end, marker in ((y > high, high, "^"), (y < low, low, "v")):
            runs = np.flatnonzero(np.diff(np.append(False, is_beyond).astype(int)) == 1)
            for first in runs:
                last = first + int(np.argmin(np.append(is_beyond[first:], False)))
                axes.plot(x[first:last].mean(), end, marker, color=line.get_color(), ms=4,
                          clip_on=False, zorder=5)


def draw(series, case=None, given=None):
    """One panel per quantity over time. With the case of the run also what is known of its flow;
    given: as in coefficients.references_of. Raises NothingToDraw.
    """
    if len(series["time"]) < 2:
        raise style.NothingToDraw("the time series has fewer than two lines in that time")
    chosen = panels_to_draw(series, case)
    references = known_flows.references_of(case) if case else {}
    scales = references_of(case, given) if case else {}
    of_bodies, bodies = body_history.panels_of(
        series, scales, known_flows.cylinder_ranges(case, scales) if case else {})
    start = start_of_means(series["time"], case)
    count = len(chosen) + len(of_bodies)
    if count == 0:
        raise style.NothingToDraw("nothing changes in time")
    columns = 2 if count <= 4 else 3
    has_names = bool(of_bodies) and bodies > 1
    rows = -(-(count + has_names) // columns)
    figure, grid = style.new_figure(rows, columns, 0.3 + 1.75 * rows, sharex=True)
    place_of_names = grid[-1, -1].get_subplotspec()
    panels = style.first_panels(grid, count, scaled("$t\\,@U/@L$"))
    for axes, (prefix, curves) in zip(panels, chosen):
        draw_panel(axes, series["time"], prefix, curves, references.get(prefix), start)
    for axes, panel in zip(panels[len(chosen):], of_bodies):
        mean = "" if len(panel.curves) > 1 else words_of_mean(
            series["time"], next(iter(panel.curves.values()))[0], start)
        body_history.draw_panel(axes, series["time"], panel, mean)
    for axes in panels:
        axes.margins(x=0.02, y=0.12)
    for axes in has_names_above(panels, chosen, of_bodies, references):
        leave_room_for_names(axes)
    for axes in panels:
        mark_cut_curves(axes)
    style.label_panels(panels)
    if has_names:
        body_history.draw_names(figure.add_subplot(place_of_names), of_bodies, bodies)
    return figure
