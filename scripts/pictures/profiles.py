"""Averages of statistics.h5: between two walls in wall units, of convection in its own, else over
the axes that are kept.
"""
import numpy as np

import channel_profiles
from channel_profiles import REFERENCE_REYNOLDS
from pictures import bodies, convection, frame, maps, slices, style, symmetry
from pictures.labels import scaled
from pictures.ranges import ROUND_OFF, largest, rms
from pictures.variables import scalars_of
from pictures.walls import places_with_walls, with_walls

COMPONENT_ALONG = {"x": "u", "y": "v", "z": "w"}
NEAR_REFERENCE = 0.05  # relative difference of the friction Reynolds numbers
KARMAN, INTERCEPT = 0.41, 5.2  # of the logarithmic law
LAW_FROM, LAW_TO = 30, 0.3  # it holds from this y+ to this y/h, where the flow is turbulent:
TURBULENT = 0.4  # the largest Reynolds stress [u_tau^2]
VISCOUS = 5  # y+ up to which the mean velocity is nearly y+
RMS = "${}_\\mathrm{{rms}}$"


def velocity_of_plain_wall(face, normal):
    """Velocity of a wall that moves as a whole along itself; else nothing."""
    if face["type"] != "wall" or "shear" in face:
        return None
    velocity = face["velocity"]
    is_plain = all(isinstance(value, (int, float)) for value in velocity)
    return velocity if is_plain and velocity["xyz".index(normal)] == 0 else None


def directions_of_channel(averages):
    """Components (stream, normal, span) of a flow between two walls that move alike; else nothing.

    Bodies bear a part of the force on such a flow, and may cover its walls: nothing with them.
    """
    axes = averages.axes["u"]
    if len(axes) != 1 or "friction_reynolds" not in averages.attributes or "fluid" in averages:
        return None
    boundaries = averages.case["boundaries"]
    normal = axes[0]
    faces = [boundaries[f"{normal}_{end}"] for end in ("min", "max")]
    walls, others = (velocity_of_plain_wall(face, normal) for face in faces)
    slips = {face.get("slip_length", 0) for face in faces}
    if walls is None or walls != others or len(slips) > 1:
        return None

    def speed(name):
        return largest(averages[name] - walls["uvw".index(name)])

    along = sorted((name for axis, name in COMPONENT_ALONG.items() if axis != normal),
                   key=lambda name: -speed(name))
    if (frame.is_convection(averages.case)
            or speed(along[0]) <= averages.attributes["friction_velocity"]):
        return None  # nothing flows along the walls, as in convection
    return along[0], COMPONENT_ALONG[normal], along[1]


def references_for(reynolds):
    """Label -> profiles and style of published simulations of this friction Reynolds number."""
    known = {REFERENCE_REYNOLDS: {"Vreman & Kuerten, differences": channel_profiles.fd2,
                                  "Vreman & Kuerten, spectral": channel_profiles.s2a},
             587: {"Moser, Kim & Mansour": channel_profiles.moser590},
             934: {"Hoyas & Jimenez": channel_profiles.hoyas950}}
    near = [found for other, found in known.items() if abs(reynolds / other - 1) <= NEAR_REFERENCE]
    looks = (style.REFERENCE, style.LAW)
    return {label: (profiles(), look) for found in near
            for (label, profiles), look in zip(found.items(), looks)}


def draw_sublayer(axes, first):
    """The law of the viscous sublayer from y+ = `first` on."""
    near = np.geomspace(min(1, first), VISCOUS)
    axes.semilogx(near, near, **style.LAW)


def draw_logarithmic_law(axes, thickness, stress):
    """The logarithmic law where a flow is turbulent and has room for it.

    thickness: half the height, the radius or the thickness of a boundary layer [nu/u_tau]
    stress: profile of the Reynolds stress [u_tau^2]
    """
    if largest(stress) > TURBULENT and LAW_TO * thickness > LAW_FROM:
        far = np.geomspace(LAW_FROM, LAW_TO * thickness)
        axes.semilogx(far, np.log(far) / KARMAN + INTERCEPT, **style.LAW,
                      label=f"$\\ln y^+/{KARMAN} + {INTERCEPT}$")


def marker_of(wall, colour):
    """The points of a curve; open ones for the high wall where the halves are drawn apart."""
    return {"color": colour, "marker": "o", "ls": "", "ms": 2.5,
            "mfc": "none" if wall.endswith("max") else colour}


def draw_mean(axes, drawn, references, has_laws):
    """Mean velocities over published ones, else over the laws of the wall if the flow has_laws.

    drawn: (profiles, uncertainties, wall) of each half, or of the mean of both.
    """
    if has_laws and not references:
        thickest = max((profiles for profiles, _, _ in drawn), key=lambda one: one["U"][0][-1])
        draw_sublayer(axes, thickest["U"][0][0])
        draw_logarithmic_law(axes, thickest["U"][0][-1], thickest["uv"][1])
    for label, (reference, look) in references.items():
        axes.semilogx(*reference["U"], **look, label=label)
    for turn, (profiles, uncertainties, wall) in enumerate(drawn):
        y_plus, mean = profiles["U"]
        label = "present" if wall == "both" else f"present, {wall}"
        axes.semilogx(y_plus, mean, **marker_of(wall, f"C{turn}"), label=label)
        if "U" in uncertainties:
            style.draw_band(axes, y_plus, mean, uncertainties["U"], f"C{turn}")
    places = np.concatenate([profiles["U"][0] for profiles, _, _ in drawn])
    axes.set(xlabel="$y^+$", ylabel="$\\overline{u}^+$",
             xlim=(min(1, places.min() / 1.2), 1.1 * places.max()))
    axes.legend()


AT_WALL = {"u": 0, "v": 0, "w": 0, "uv": 0, "viscous": 1, "total": 1}  # what profiles are there


def draw_curves(axes, drawn, references, labels):
    """Curves by label, points over lines of the references that know them; none of round-off.
    drawn: as in draw_mean.
    """
    shown = {name: label for name, label in labels.items() if any(
        largest(profiles[name][1]) > ROUND_OFF for profiles, _, _ in drawn)}
    for turn, (name, label) in enumerate(shown.items()):
        for reference, look in references.values():
            if name in reference:
                axes.plot(*reference[name], **look)
        for profiles, uncertainties, wall in drawn:
            y_plus, values = profiles[name]
            if name in uncertainties:
                style.draw_band(axes, y_plus, values, uncertainties[name], f"C{turn}")
            if name in AT_WALL:
                y_plus, values = np.append(0, y_plus), np.append(AT_WALL[name], values)
            axes.plot(y_plus, values, **marker_of(wall, f"C{turn}"), clip_on=False,
                      label=label if wall == "both" else f"{label}, {wall}")
    axes.set(xlabel="$y^+$", xlim=(0, 1.02 * max(one["U"][0][-1] for one, _, _ in drawn)))
    if shown:
        axes.legend(ncol=2 if len(axes.get_legend_handles_labels()[0]) > 3 else 1)
    else:
        style.say(axes, "none")


def title_of(averages, directions, asymmetry):
    """The friction Reynolds number with its uncertainty, the span of time, and what is drawn of
    both halves; asymmetry: see symmetry.asymmetry_of."""
    number, half = (averages.attributes.get(name, np.nan) for name in
                    ("friction_reynolds", "friction_reynolds_uncertainty"))
    plus_minus = f" \\pm {half:.2g}" if np.isfinite(half) else ""
    found = f"$Re_\\tau = {number:.4g}{plus_minus}$,  {span_of_time(averages)}"
    return f"{found}\n{words_of_halves(averages, directions, asymmetry)}"


def words_of_halves(averages, directions, asymmetry):
    """Whether the mean of both halves is drawn, else why not and the walls' own friction."""
    if not asymmetry:
        return "mean of both halves"
    normal = directions[1]
    viscosity = 1 / averages.case["fluid"]["reynolds"]
    low, high = channel_profiles.halves_apart(averages, viscosity, normal)
    return (f"both walls, not symmetric: {asymmetry};  "
            + scaled(f"$u_\\tau/@U = {low.u_tau:.3g}$ at {low.wall}, "
                     f"${high.u_tau:.3g}$ at {high.wall}"))


def draw_channel(averages, directions):
    """Mean velocity, fluctuations and stresses in wall units; pressure likewise, or scalars. The
    mean of both halves, or each half in the units of its own wall, see symmetry.asymmetry_of."""
    viscosity, case = 1 / averages.case["fluid"]["reynolds"], averages.case
    asymmetry = symmetry.asymmetry_of(averages, directions)
    halves = ([channel_profiles.mean_of_halves(averages)] if not asymmetry else
              channel_profiles.halves_apart(averages, viscosity, directions[1]))
    drawn = [(channel_profiles.profiles_of(averages, viscosity, *directions, half),
              channel_profiles.uncertainties_of(averages, viscosity, *directions, half), half.wall)
             for half in halves]
    is_plain = symmetry.is_plain_channel(case, directions)
    references = references_for(averages.attributes["friction_reynolds"]) if is_plain else {}
    figure, ((mean, fluctuations), (stresses, last)) = style.new_figure(2, 2, 5.6)
    draw_mean(mean, drawn, references, is_plain)
    draw_curves(fluctuations, drawn, references, {name: RMS.format(name) for name in "uvw"})
    if not asymmetry and symmetry.has_linear_stress(case, directions):
        stresses.plot(*drawn[0][0]["balance"], **style.REFERENCE, label="$1 - y/h$")
    draw_curves(stresses, drawn, {}, {
        "total": "total", "uv": "$-\\overline{u'v'}^+$",
        "viscous": "$d\\overline{u}^+/dy^+$"})
    fluctuations.set(ylabel="velocity fluctuations$^+$", ylim=(0, None))
    stresses.set_ylabel("stress$^+$")
    if scalars_in(averages):
        draw_scalars(last, averages, averages.axes["u"][0])
    else:
        draw_curves(last, drawn, references, {"p": RMS.format("p")})
        last.set(ylabel="pressure fluctuations$^+$", ylim=(0, None))
    style.label_panels((mean, fluctuations, stresses, last))
    style.set_title(figure, title_of(averages, directions, asymmetry) + words_of_bands(averages))
    return figure


def scalars_in(averages):
    """Name -> its variance: temperature and other scalars among the averages."""
    found = {"T": "TT", **{name: f"{name}_{name}" for name in scalars_of(averages.case)}}
    return {name: variance for name, variance in found.items() if name in averages}


def draw_with_walls(axes, averages, axis, curve, colour):
    """A mean, or with `variance` the root mean square of its fluctuation, over the height.

    curve: (name, variance or None, label).
    """
    name, variance, label = curve
    values = averages[name] if variance is None else rms(averages[variance])
    half = averages[f"{variance or name}_uncertainty"] if (
        f"{variance or name}_uncertainty" in averages) else None
    if half is not None:
        half = half if variance is None else half / np.where(values > 0, 2 * values, np.nan)
        style.draw_band(axes, averages[axis], values, half, colour, upwards=True)
    axes.plot(with_walls(averages, axis, name, values, variance is not None),
              places_with_walls(averages, axis), colour, label=label)


def draw_scalars(axes, averages, axis):
    """Means and fluctuations of temperature and other scalars over the height."""
    scalars = scalars_in(averages)
    for turn, (name, variance) in enumerate(scalars.items()):
        colours = ("C1", "C4") if name == "T" else (f"C{5 + 2 * turn}", f"C{6 + 2 * turn}")
        symbol = name if name == "T" else f"\\mathrm{{{name}}}".replace("_", "\\_")
        draw_with_walls(axes, averages, axis, (name, None, f"$\\overline{{{symbol}}}$"), colours[0])
        if largest(rms(averages[variance])) > ROUND_OFF * largest(averages[name]):
            draw_with_walls(axes, averages, axis, (name, variance, RMS.format(symbol)), colours[1])
    label = "temperature$\\,/\\,@T$" if list(scalars) == ["T"] else "scalars"
    axes.set(xlabel=scaled(label), ylabel=scaled(f"${axis}/@L$"))
    axes.legend()


def span_of_time(averages):
    first, last = (averages.attributes[name] for name in ("first_time", "last_time"))
    samples = averages.attributes["samples"]
    return scaled(f"$t = {first:.4g}$ to ${last:.4g}\\,@L/@U$, {samples} samples")


def title_over_height(averages, axis):
    """The span of time, and why a flow between two walls is not drawn in wall units where these are
    unequal."""
    unequal = symmetry.unequal_walls(averages.case, axis)
    return span_of_time(averages) + (f"\nfrom wall to wall: {unequal}" if unequal else "")


def words_of_bands(averages):
    """What the bands of profiles are, where there are any."""
    has_bands = "u_uncertainty" in averages and np.isfinite(averages["u_uncertainty"]).any()
    return ",  bands: 95 %" if has_bands else ""


def draw_over_axis(averages, axis):
    """Means, fluctuations and scalars over the one axis that is kept."""
    has_scalars = bool(scalars_in(averages))
    figure, grid = style.new_figure(1, 3 if has_scalars else 2, 2.8, sharey=True)
    means, fluctuations = grid[0, :2]
    speeds = {name: largest(averages[name]) for name in "uvw"}
    swings = {name: largest(rms(averages[2 * name])) for name in "uvw"}
    least = ROUND_OFF * max(*speeds.values(), *swings.values())
    for turn, name in enumerate("uvw"):
        if speeds[name] > least:
            draw_with_walls(means, averages, axis,
                            (name, None, f"$\\overline{{{name}}}$"), f"C{turn}")
        if swings[name] > least:
            draw_with_walls(fluctuations, averages, axis,
                            (name, 2 * name, RMS.format(name)), f"C{turn}")
    means.set(xlabel=scaled("mean velocity$\\,/\\,@U$"), ylabel=scaled(f"${axis}/@L$"))
    fluctuations.set_xlabel(scaled("velocity fluctuations$\\,/\\,@U$"))
    for axes in (means, fluctuations):
        if axes.get_lines():
            axes.legend()
        else:
            style.say(axes, "none")
    if has_scalars:
        draw_scalars(grid[0, 2], averages, axis)
    draw_bodies_beside(grid.flat, averages, axis)
    style.label_panels(grid.flat)
    style.set_title(figure, title_over_height(averages, axis) + words_of_bands(averages))
    return figure


def draw_bodies_beside(panels, averages, axis):
    """Grey where bodies fill all that was averaged over, and the axis from face to face."""
    if "fluid" not in averages:
        return
    faces = averages[f"{axis}_faces"]
    for panel in panels:
        panel.set_ylim(faces[0], faces[-1])
        for cell in np.flatnonzero(bodies.without_fluid(averages)):
            panel.axhspan(faces[cell], faces[cell + 1], color=bodies.GREY, lw=0)


def draw(averages):
    """The picture of the averages over one or two axes. Raises NothingToDraw for others."""
    axes = averages.axes["u"]
    directions = directions_of_channel(averages)
    if directions is not None:
        return draw_channel(averages, directions)
    plates = convection.plates_of(averages)
    if plates is not None:
        return convection.draw(averages, plates, span_of_time(averages))
    if len(axes) == 1 and axes[0] in "xyz" and len(averages[axes[0]]) > 1:
        return draw_over_axis(averages, axes[0])
    if len(axes) == 2 and min(len(averages[axis]) for axis in axes) >= slices.FEWEST_POINTS:
        return maps.draw(averages, axes, span_of_time(averages))
    raise style.NothingToDraw("averages keep no axis with several points "
                              "(output.statistics.average)")
