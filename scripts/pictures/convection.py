"""Averages of convection between two plates at given temperatures, in its own units.

Temperatures in the difference of the plates, heights in their distance H, velocities in U of the
run, heat fluxes in that of conduction alone: the Nusselt number.
"""
from typing import NamedTuple

import numpy as np

from pictures import frame, known_flows, style
from pictures.labels import scaled
from pictures.ranges import rms


class Plates(NamedTuple):
    """The two plates of a flow."""

    axis: str  # across them
    low: float  # temperature of the plate at the low end [T0]
    high: float


def plates_of(averages):
    """The Plates of a flow that buoyancy alone drives; nothing where averages are of another one.
    """
    axes = averages.axes["u"]
    if len(axes) != 1 or "T" not in averages or "fluid" in averages:
        return None
    walls = frame.heated_walls(averages.case)
    if walls is None or walls[0] != axes[0] or not frame.is_convection(averages.case):
        return None
    return Plates(*walls)


def heat_fluxes(averages, plates):
    """Places along the axis, conducted and convected heat flux over that of conduction alone.

    (faces, -dT/ds), (centres, Re Pr (<s'T'> + <s><T>)), both over (T_low - T_high)/H, with s the
    velocity across the plates.
    """
    axis, fluid = plates.axis, averages.case["fluid"]
    places, faces = averages[axis], averages[f"{axis}_faces"]
    temperature = np.concatenate([[plates.low], averages["T"], [plates.high]])
    distances = np.diff(np.concatenate([faces[:1], places, faces[-1:]]))
    conduction = (plates.low - plates.high) / np.ptp(faces)
    across = {"x": "u", "y": "v", "z": "w"}[axis]
    carried = averages[f"{across}T"] + averages[across] * averages["T"]
    return ((faces, -np.diff(temperature) / distances / conduction),
            (places, carried * fluid["reynolds"] * fluid["prandtl"] / conduction))


def nusselt_number(averages, plates):
    """The total heat flux over that of conduction, averaged between the plates."""
    (faces, conducted), (_, carried) = heat_fluxes(averages, plates)
    conducted = (conducted[1:] + conducted[:-1]) / 2
    return float(np.average(conducted + carried, weights=np.diff(faces)))


def at_rest_on_plates(values):
    """Values between the plates and the zero on both."""
    return np.concatenate([[0], values, [0]])


def draw_temperature(axes, averages, plates, height):
    """Mean temperature over that of conduction, and its fluctuations."""
    difference = abs(plates.low - plates.high)
    cold = min(plates.low, plates.high)
    conduction = (np.array([plates.low, plates.high]) - cold) / difference
    axes.plot(conduction, [0, 1], **style.LAW, label="conduction")
    mean = np.concatenate([[plates.low], averages["T"], [plates.high]])
    axes.plot((mean - cold) / difference, height, "C1", label="$\\overline{T}$")
    axes.plot(at_rest_on_plates(rms(averages["TT"])) / difference, height, "C4",
              label="$T_\\mathrm{rms}$")
    axes.set(xlabel="$(T - T_c)/\\Delta T$", ylabel=f"${plates.axis}/H$", ylim=(0, 1))
    axes.legend()


def draw_velocities(axes, averages, plates, height):
    """Fluctuations across the plates and along them; along both axes together."""
    across = {"x": "u", "y": "v", "z": "w"}[plates.axis]
    along = [name for name in "uvw" if name != across]
    axes.plot(at_rest_on_plates(rms(averages[2 * across])), height,
              label=f"${across}_\\mathrm{{rms}}$")
    both = sum(averages[2 * name] for name in along)
    axes.plot(at_rest_on_plates(rms(both)), height,
              label="$(" + " + ".join(f"{name}_\\mathrm{{rms}}^2" for name in along)
              + ")^{1/2}$")
    axes.set_xlabel(scaled("velocity fluctuations$\\,/\\,@U$"))
    axes.set_xlim(left=0)
    axes.legend()


def draw_fluxes(axes, averages, plates):
    """Conducted and convected heat, and their sum, which is the same at all heights."""
    (faces, conducted), (places, carried) = heat_fluxes(averages, plates)
    bottom, distance = faces[0], np.ptp(faces)
    across = {"x": "u", "y": "v", "z": "w"}[plates.axis]
    axes.plot(conducted, (faces - bottom) / distance, "C0", label="conducted")
    axes.plot(carried, (places - bottom) / distance, "C1",
              label=f"convected, $\\overline{{{across}T}}$")
    total = (conducted[1:] + conducted[:-1]) / 2 + carried
    axes.plot(total, (places - bottom) / distance, "k", label="sum")
    axes.set_xlabel("heat flux, in that of conduction")
    level = known_flows.nusselt_level(averages.case)
    if level is not None:
        axes.axvline(level.low, **style.LAW, label=level.label)
    axes.legend(loc="center")


def title_of(averages, plates):
    """Ra of the plates, Pr, Nu."""
    case = averages.case
    length = np.ptp(averages[f"{plates.axis}_faces"])
    rayleigh = frame.rayleigh_of(case) * length**3 * abs(plates.low - plates.high)
    return (f"$Ra = {style.power_of_ten(rayleigh)}$,  $Pr = {case['fluid']['prandtl']:g}$,  "
            f"$Nu = {nusselt_number(averages, plates):.3g}$")


def draw(averages, plates, span):
    """Temperature, velocities and heat flux over the height; span: of time, for the title."""
    figure, grid = style.new_figure(1, 3, 2.9, sharey=True)
    places, faces = averages[plates.axis], averages[f"{plates.axis}_faces"]
    height = (np.concatenate([faces[:1], places, faces[-1:]]) - faces[0]) / np.ptp(faces)
    draw_temperature(grid[0, 0], averages, plates, height)
    draw_velocities(grid[0, 1], averages, plates, height)
    draw_fluxes(grid[0, 2], averages, plates)
    style.label_panels(grid.flat)
    style.set_title(figure, f"{title_of(averages, plates)},  {span}")
    return figure
