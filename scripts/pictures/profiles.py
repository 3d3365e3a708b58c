"""Averages of statistics.h5: between two walls in wall units, of convection in its own, else over
the axes that are kept.
"""
import numpy as np

import channel_profiles
from channel_profiles import REFERENCE_REYNOLDS
from pictures import bodies, convection, frame, maps, slices, style
from pictures.labels import scaled
from pictures.ranges import largest, rms
from pictures.variables import scalars_of

COMPONENT_ALONG = {"x": "u", "y": "v", "z": "w"}
NEAR_REFERENCE = 0.05  # relative difference of the friction Reynolds numbers
TURBULENT = 100  # friction Reynolds number from which there is a logarithmic law
KARMAN, INTERCEPT = 0.41, 5.2  # of the logarithmic law
NEGLIGIBLE = 1e-6  # of the largest of the velocities: round-off
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
    if abs(reynolds / REFERENCE_REYNOLDS - 1) > NEAR_REFERENCE:
        return {}
    return {"Vreman & Kuerten, differences": (channel_profiles.fd2(), style.REFERENCE),
            "Vreman & Kuerten, spectral": (channel_profiles.s2a(), style.LAW)}


def draw_mean(axes, profiles, references, reynolds):
    y_plus, mean = profiles["U"]
    if reynolds > TURBULENT and not references:
        near, far = np.geomspace(y_plus[0], 12), np.geomspace(8, y_plus[-1])
        axes.semilogx(near, near, **style.LAW)
        axes.semilogx(far, np.log(far) / KARMAN + INTERCEPT, **style.LAW,
                      label=f"$y^+$;  $\\ln y^+/{KARMAN} + {INTERCEPT}$")
    for label, (reference, look) in references.items():
        axes.semilogx(*reference["U"], **look, label=label)
    axes.semilogx(y_plus, mean, "C0o", ms=2.5, label="dns")
    axes.set(xlabel="$y^+$", ylabel="$\\overline{u}^+$",
             xlim=(min(1, y_plus[0] / 1.2), 1.1 * y_plus[-1]))
    axes.legend()


def draw_curves(axes, profiles, references, labels):
    """Curves by label, points over lines of the references that know them."""
    for turn, (name, label) in enumerate(labels.items()):
        for reference, look in references.values():
            if name in reference:
                axes.plot(*reference[name], **look)
        axes.plot(*profiles[name], f"C{turn}o", ms=2.5, label=label)
    axes.set(xlabel="$y^+$", xlim=(0, 1.02 * profiles["U"][0][-1]))
    axes.legend(ncol=2 if len(axes.get_legend_handles_labels()[0]) > 3 else 1)


def draw_channel(averages, directions):
    """Mean velocity, fluctuations and stresses in wall units; pressure likewise, or scalars."""
    reynolds = averages.attributes["friction_reynolds"]
    viscosity = 1 / averages.case["fluid"]["reynolds"]
    profiles = channel_profiles.profiles_of(averages, viscosity, *directions)
    references = references_for(reynolds)
    figure, ((mean, fluctuations), (stresses, last)) = style.new_figure(2, 2, 5.6)
    draw_mean(mean, profiles, references, reynolds)
    draw_curves(fluctuations, profiles, references,
                {name: RMS.format(name) for name in "uvw"})
    stresses.plot(*profiles["balance"], **style.REFERENCE, label="$1 - y/h$")
    draw_curves(stresses, profiles, {}, {
        "total": "total", "uv": "$-\\overline{u'v'}^+$",
        "viscous": "$d\\overline{u}^+/dy^+$"})
    fluctuations.set(ylabel="velocity fluctuations$^+$", ylim=(0, None))
    stresses.set_ylabel("stress$^+$")
    if scalars_in(averages):
        draw_scalars(last, averages, averages.axes["u"][0])
    else:
        draw_curves(last, profiles, references, {"p": RMS.format("p")})
        last.set(ylabel="pressure fluctuations$^+$", ylim=(0, None))
    style.label_panels((mean, fluctuations, stresses, last))
    figure.suptitle(f"$Re_\\tau = {reynolds:.4g}$,  {span_of_time(averages)}", fontsize=10)
    return figure


def scalars_in(averages):
    """Name -> its variance: temperature and other scalars among the averages."""
    found = {"T": "TT", **{name: f"{name}_{name}" for name in scalars_of(averages.case)}}
    return {name: variance for name, variance in found.items() if name in averages}


def draw_scalars(axes, averages, axis):
    """Means and fluctuations of temperature and other scalars over the height."""
    scalars = scalars_in(averages)
    for turn, (name, variance) in enumerate(scalars.items()):
        colours = ("C1", "C4") if name == "T" else (f"C{5 + 2 * turn}", f"C{6 + 2 * turn}")
        symbol = name if name == "T" else f"\\mathrm{{{name}}}".replace("_", "\\_")
        axes.plot(averages[name], averages[axis], colours[0], label=f"$\\overline{{{symbol}}}$")
        axes.plot(rms(averages[variance]), averages[axis], colours[1], label=RMS.format(symbol))
    label = "temperature$\\,/\\,@T$" if list(scalars) == ["T"] else "scalars"
    axes.set(xlabel=scaled(label), ylabel=scaled(f"${axis}/@L$"))
    axes.legend()


def span_of_time(averages):
    first, last = (averages.attributes[name] for name in ("first_time", "last_time"))
    samples = averages.attributes["samples"]
    return scaled(f"$t = {first:.4g}$ to ${last:.4g}\\,@L/@U$, {samples} samples")


def draw_over_axis(averages, axis):
    """Means, fluctuations and scalars over the one axis that is kept."""
    has_scalars = bool(scalars_in(averages))
    figure, grid = style.new_figure(1, 3 if has_scalars else 2, 2.8, sharey=True)
    place = averages[axis]
    means, fluctuations = grid[0, :2]
    speeds = {name: largest(averages[name]) for name in "uvw"}
    for name in "uvw":
        if speeds[name] > NEGLIGIBLE * max(speeds.values()):
            means.plot(averages[name], place, label=f"$\\overline{{{name}}}$")
        fluctuations.plot(rms(averages[2 * name]), place, label=RMS.format(name))
    means.set(xlabel=scaled("mean velocity$\\,/\\,@U$"), ylabel=scaled(f"${axis}/@L$"))
    fluctuations.set_xlabel(scaled("velocity fluctuations$\\,/\\,@U$"))
    for axes in (means, fluctuations):
        axes.legend()
    if has_scalars:
        draw_scalars(grid[0, 2], averages, axis)
    draw_bodies_beside(grid.flat, averages, axis)
    style.label_panels(grid.flat)
    figure.suptitle(span_of_time(averages), fontsize=10)
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
    """The picture of the averages; nothing where they have no axis or all three."""
    axes = averages.axes["u"]
    directions = directions_of_channel(averages)
    if directions is not None:
        return draw_channel(averages, directions)
    plates = convection.plates_of(averages)
    if plates is not None:
        return convection.draw(averages, plates, span_of_time(averages))
    if len(axes) == 1 and len(averages[axes[0]]) > 1:
        return draw_over_axis(averages, axes[0])
    if len(axes) == 2 and min(len(averages[axis]) for axis in axes) >= slices.FEWEST_POINTS:
        return maps.draw(averages, axes, span_of_time(averages))
    return None
