"""Turbulent boundary layer at a momentum Reynolds number of 670 against Schlatter & Orlu (2010).

Fed with synthetic turbulence at Re_theta = 310. Their Re_theta of 677 is an integral to the top of
their box, 17 thicknesses high, where the velocity is still 0.2 % above that at two thicknesses;
with the latter as that of the free stream, as here, the same profile has Re_theta = 602, Cf =
0.00480 and shape factor 1.53. Profiles where Re_theta is within 2 % of this, averaged over the
span, time and these places, each in its own wall units; uncertainties are those of 95 % from
windows of time at the middle of these places.
"""
import numpy as np

from boundary_layers import friction_of_smits
from curves import cubic_at, maximum
from pictures import style
from reference_data import reference_table
from validation.boundary_layer import Layer, quick_faces
from validation.large_channel import cost_of

EDGE = 2  # where the layer of the reference ends [thicknesses of 99 %]
NEAR = 0.02  # relative difference of Re_theta of the places that count
INFLOW, OUTFLOW = 20, 8  # distances that the places keep [delta]
STRESSES = {"u": "u' rms+", "v": "v' rms+", "w": "w' rms+", "uv": "-u'v'+"}
QUICK = ["grid.points=[192,32,32]", f"grid.stretching.y.coordinates=[{quick_faces(height=5.0)}]",
         "time.end=90", "output.statistics.start=50", "output.statistics.every=2",
         "output.statistics.window=4"]


class Reference:
    """Re_theta, shape factor and Cf of the reference, and its profiles by the names of
    channel_profiles, up to EDGE.
    """

    def __init__(self):
        height, y_plus, mean, u, v, w, uv, _ = reference_table("boundary_layer670_schlatter.dat")
        inside = height <= EDGE
        edge = mean[inside][-1]
        share = mean[inside] / edge
        theta = integral(y_plus[inside], share * (1 - share))
        self.momentum_reynolds = edge * theta
        self.shape = integral(y_plus[inside], 1 - share) / theta
        self.friction = 2 / edge**2
        columns = {"U": mean, "u": u, "v": v, "w": w, "uv": -uv}
        self.profiles = {name: (y_plus[inside], values[inside]) for name, values in columns.items()}


def integral(x, f):
    """By the trapezoidal rule."""
    return ((f[1:] + f[:-1]) / 2 * np.diff(x)).sum()


def places_of(layer, length, wanted):
    """Where Re_theta is the one wanted: numbers of cells along x; else the nearest one."""
    reynolds = layer.momentum_reynolds
    inside = (layer.x > INFLOW) & (layer.x < length - OUTFLOW)
    near = np.flatnonzero(inside & (np.abs(reynolds / wanted - 1) < NEAR))
    if len(near):
        return near
    return np.array([np.argmin(np.where(inside, np.abs(reynolds - wanted), np.inf))])


def profiles_at(layer, places):
    """Profiles over y+ at the middle one of some places, means over all of them."""
    middle = places[len(places) // 2]
    y_plus = layer.wall_units(middle)[0]
    sums = {}
    for place in places:
        there, mean, rms, shear = layer.wall_units(place)
        for name, values in zip(("U", "u", "v", "w", "uv"), (mean, *rms, shear)):
            sums[name] = sums.get(name, 0) + cubic_at(there, values, y_plus)
    return {name: (y_plus, values / len(places)) for name, values in sums.items()}


def compare(report, profiles, reference, scale):
    """Mean and stresses in wall units."""
    y_plus, mean = profiles["U"]
    known = (y_plus > 1) & (y_plus < reference["U"][0][-1])
    off = np.abs(mean[known] / cubic_at(*reference["U"], y_plus[known]) - 1)
    report.bound("U+, y+ > 1, largest deviation", off.max(), 0.02 * scale, True)
    for name, words in STRESSES.items():
        value, place = maximum(*profiles[name])
        expected, expected_place = maximum(*reference[name])
        report.compare(f"{words}, peak", value, expected, 0.04 * scale)
        report.compare(f"{words}, y+ of the peak", place, expected_place)
        inner = y_plus < 300
        differences = profiles[name][1][inner] - cubic_at(*reference[name], y_plus[inner])
        report.bound(f"{words}, largest difference over the peak",
                     np.abs(differences).max() / expected, None, True)


def tell_uncertainty(report, joined, layer, place):
    """Half of the 95 % intervals at one x, relative, in the wall units of the mean."""
    if "u_uncertainty" not in joined:
        return
    y_plus = layer.wall_units(place)[0]
    mean, half = joined["u"][:, place], joined["u_uncertainty"][:, place]
    report.bound("uncertainty of U, y+ > 1, largest", (half / mean)[y_plus > 1].max(), None, True)
    for name in ("uu", "vv", "ww", "uv"):
        values, half = np.abs(joined[name][:, place]), joined[f"{name}_uncertainty"][:, place]
        peak = np.argmax(values)
        root = 1 if name == "uv" else 2  # of the root mean square
        report.bound(f"uncertainty of {name if root == 1 else name[0]} at its peak",
                     half[peak] / (root * values[peak]), None, True)
    report.bound("uncertainty of Cf", (joined["u_uncertainty"] / joined["u"])[0, place], None, True)


def draw(layer, profiles, reference):
    figure, ((friction, means, stresses),) = style.new_figure(1, 3, 2.7)
    friction.plot(layer.momentum_reynolds, 1e3 * layer.friction, label="present")
    span = np.linspace(layer.momentum_reynolds.min(), layer.momentum_reynolds.max(), 100)
    friction.plot(span, 1e3 * friction_of_smits(span), **style.LAW,
                  label="0.024 $Re_\\theta^{-1/4}$")
    friction.plot([reference.momentum_reynolds], [1e3 * reference.friction], "ks",
                  label="Schlatter & Orlu")
    friction.set(xlabel="$Re_\\theta$", ylabel="1000 $C_f$", ylim=(3, 8))
    means.semilogx(*reference.profiles["U"], **style.REFERENCE, label="Schlatter & Orlu")
    means.semilogx(*profiles["U"], "C0.", label="present")
    means.set(xlabel="$y^+$", ylabel="$\\overline{u}^+$", xlim=(0.2, 1000))
    for turn, name in enumerate(STRESSES):
        stresses.plot(*reference.profiles[name], **style.REFERENCE)
        stresses.plot(*profiles[name], f"C{turn}.", label=STRESSES[name].replace("+", "$^+$"))
    stresses.set(xlabel="$y^+$", ylabel="rms, $-\\overline{u'v'}^+$", xlim=(0, 350))
    for axes in (friction, means, stresses):
        axes.legend()
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    run = session.run("layer", "boundary_layer670", QUICK if session.is_quick else [])
    report.runs.append(run)
    layer, reference = Layer(run), Reference()
    scale = 20 if session.is_quick else 1
    length = run.case["grid"]["length"][0]
    places = places_of(layer, length, reference.momentum_reynolds)
    middle = places[len(places) // 2]
    report.tell("x of the middle place [delta]", layer.x[middle])
    report.compare("Re_theta there", layer.momentum_reynolds[places].mean(),
                   reference.momentum_reynolds, 0.02 * scale)
    report.compare("1000 Cf", 1e3 * layer.friction[places].mean(), 1e3 * reference.friction,
                   0.04 * scale)
    report.compare("shape factor", layer.shape[places].mean(), reference.shape, 0.02 * scale)
    profiles = profiles_at(layer, places)
    compare(report, profiles, reference.profiles, scale)
    joined = run.averages()
    tell_uncertainty(report, joined, layer, middle)
    off = layer.friction / friction_of_smits(layer.momentum_reynolds) - 1
    kept = (layer.x > INFLOW) & (layer.x < length - OUTFLOW)
    report.bound("Cf, mean deviation from Smits et al., x > 20", off[kept].mean(), None, True)
    report.tell("largest divergence", run.time_series()["divergence_max"].max())
    report.note(f"Means over {len(places)} places, x from {layer.x[places[0]]:.4g} to "
                f"{layer.x[places[-1]]:.4g} delta.")
    report.note(cost_of([run]))
    for note in joined.notes:
        report.note(f"Uncertainties: {note}.")
    return draw(layer, profiles, reference)
