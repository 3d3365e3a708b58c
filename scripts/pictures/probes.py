"""Probes (output.probes): signals of points and their spectra, profiles and diagrams of lines."""
import numpy as np

from dnsflow import frequency_spectrum
from pictures import slices, style
from pictures.labels import scaled
from pictures.ranges import largest
from pictures.records import RecordedVariables, within
from pictures.variables import variable_named

FEWEST_RECORDS = 64  # of a signal: fewer make no spectrum
MOST_TIMES = 1200  # of a diagram: of more records every so many are drawn
SIGNAL_TO_SPECTRUM = {"width_ratios": (1.7, 1)}
PROFILE_TO_DIAGRAM = {"width_ratios": (1, 2)}
ROUND_OFF = 1e-20  # of the square of a signal: a variance this small is none
SHOWN = 1e-10  # of the largest value of a spectrum: what is below is not


def words_of(point):
    """Coordinates of a point."""
    return scaled("$(" + ",\\,".join(f"{value:.4g}" for value in point) + ")\\,@L$")


def spectra_of(time, signals):
    """(f, name -> E over the variance, number of windows) of the signals that vary; nothing where
    they do not, or are too short.
    """
    varying = {name: values for name, values in signals.items()
               if values.var() > ROUND_OFF * largest(values) ** 2}
    if len(time) < FEWEST_RECORDS or not varying:
        return None
    frequencies, energy, windows = frequency_spectrum(time, list(varying.values()))
    shares = {name: values[1:-1] / varying[name].var() for name, values in zip(varying, energy)}
    return frequencies[1:-1], shares, windows


def draw_spectra(axes, spectra, colours):
    """The spectra of the signals, each in the colour of its own."""
    frequencies, shares, windows = spectra
    for name, values in shares.items():
        axes.loglog(frequencies, values, colours[name], lw=0.8, label=f"${name}$")
    most = max(values.max() for values in shares.values())
    axes.set_ylim(bottom=max(axes.get_ylim()[0], SHOWN * most))
    axes.set(xlabel=scaled("$f\\,@L/@U$"), title=f"mean of {windows} windows",
             ylabel=scaled("$E(f)/\\sigma^2\\;\\;[@L/@U]$"))
    axes.legend()


def draw_signals(panels, time, signals, labels, colours):
    """One panel per signal."""
    for axes, (name, values) in zip(panels, signals.items()):
        axes.plot(time, values, colours[name], lw=0.8)
        axes.set_ylabel(labels[name])
    panels[-1].set(xlabel=scaled("$t\\,@U/@L$"), xlim=(time[0], time[-1]))


def records_within(time, window):
    """Numbers of the first record in a window of time and of the one after the last. Raises
    NothingToDraw for fewer than two.
    """
    first, end = within(time, window)
    if end - first < 2:
        raise style.NothingToDraw(f"it has {end - first} records in that time, of two at least")
    return first, end


def draw_point(series, case, name, window=None):
    """Signals of a point over time and their spectra."""
    first, end = records_within(series["time"], window)
    variables = RecordedVariables(series, case)
    time = series["time"][first:end]
    signals = {one: values[first:end] for one, values in variables.lasting().items()}
    if not signals:
        raise style.NothingToDraw("nothing that it records is not zero")
    colours = {one: f"C{number}" for number, one in enumerate(signals)}
    labels = {one: scaled(variables.label(one)) for one in signals}
    spectra = spectra_of(time, signals)
    rows = len(signals)
    height = 0.7 + max(0.85 * rows, 2.2)
    if spectra is None:
        figure, grid = style.new_figure(rows, 1, height, sharex=True)
    else:
        figure, grid = style.new_figure(rows, 2, height, sharex="col",
                                        gridspec_kw=SIGNAL_TO_SPECTRUM)
        for axes in grid[:, 1]:
            axes.remove()
        draw_spectra(figure.add_subplot(grid[0, 0].get_gridspec()[:, 1]), spectra, colours)
    draw_signals(grid[:, 0], time, signals, labels, colours)
    style.set_title(figure, f"{name}: {words_of(case['output']['probes'][name]['at'])}")
    return figure


def places_on(line):
    """(label, places) of the points of a line: a coordinate along its axis, else the distance from
    its first point.
    """
    points = np.array([line[axis] for axis in "xyz"])
    lengths = np.ptp(points, axis=1)
    (along,) = np.nonzero(lengths > 1e-6 * lengths.max())
    if len(along) == 1:
        return f"${'xyz'[along[0]]}/@L$", points[along[0]]
    return "$s/@L$", np.sqrt(((points - points[:, :1]) ** 2).sum(axis=0))


def draw_diagram(axes, time, places, values, name):
    """Values (records, points) as colours over time and place."""
    variable = variable_named(name)
    chosen = slices.colours(values, variable.is_signed, variable.is_peaked)
    mesh = axes.pcolormesh(time, places, values.T, rasterized=True,
                           shading="gouraud" if style.is_smooth() else "nearest", **chosen)
    if chosen["vmin"] == chosen["vmax"]:
        axes.set_title(f"${style.power_of_ten(chosen['vmin'])}$ everywhere")
        return
    bar = axes.inset_axes([1.02, 0, 0.03, 1])
    axes.figure.colorbar(mesh, cax=bar, extend=slices.extension(values, chosen))


def draw_line(line, case, name, window=None):
    """One row per variable: the last profile, and values over time and place."""
    first, end = records_within(line["time"], window)
    variables = RecordedVariables(line, case)
    step = -(-(end - first) // MOST_TIMES)
    shown = slice(first + (end - 1 - first) % step, end, step)  # the last record is one of them
    time = line["time"][shown]
    label, places = places_on(line)
    fields = variables.lasting(time=shown)
    rows = len(fields)
    figure, grid = style.new_figure(rows, 2, 0.8 + 1.45 * rows, sharey=True, sharex="col"
                                    if rows == 1 else False, gridspec_kw=PROFILE_TO_DIAGRAM)
    for (profile, diagram), (one, values) in zip(grid, fields.items()):
        profile.plot(values[-1], places)
        profile.set(xlabel=scaled(variables.label(one)), ylabel=scaled(label))
        draw_diagram(diagram, time, places, values, one)
        diagram.tick_params(labelbottom=diagram is grid[-1, 1])
    grid[0, 0].set_title(scaled(f"$t = {time[-1]:.4g}\\,@L/@U$"))
    grid[-1, 1].set_xlabel(scaled("$t\\,@U/@L$"))
    ends = " to ".join(words_of([line[axis][end] for axis in "xyz"]) for end in (0, -1))
    style.set_title(figure, f"{name}: {ends}")
    return figure


def draw(record, case, name, window=None):
    """The picture of a probe, a point or a line. Raises NothingToDraw."""
    draw_one = draw_line if "x" in record else draw_point
    return draw_one(record, case, name, window)
