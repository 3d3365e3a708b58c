"""Channel with oscillating walls, Re_tau 200, against Quadrio & Ricco (2004).

The walls move along the span as 12 u_tau sin(2 pi t/T), T = 100 nu/u_tau^2, in the friction
velocity u_tau of walls that do not oscillate; both flows have the same flow rate. Drag reduction:
1 minus the ratio of the wall shears along the flow, means over both walls and time without the
start. Its uncertainty is that of these means, see dnsflow.uncertainty.

Quadrio & Ricco, J. Fluid Mech. 521 (2004) 251: 32.5 % by the same definition, in a box of
21 h x 2 h x 4.2 h; C_f = 0.00793 of their flow without oscillation.
"""
import math

import numpy as np

from channel_profiles import profiles_of
from curves import mean_and_uncertainty, mean_from
from pictures import style
from pictures.profiles import draw_sublayer
from validation.halves import tell_asymmetry

VISCOSITY = 1 / 200  # of the case [u_tau h]
BULK_VELOCITY = 15.88  # [u_tau]
AMPLITUDE, PERIOD = 12, 0.5  # of the walls [u_tau, h/u_tau]
DRAG_REDUCTION, FRICTION = 0.325, 0.00793  # Quadrio & Ricco
QUICK = ["grid.points=[32,40,32]", "time.end=10", "output.statistics.start=5",
         "output.statistics.every=5", "output.fields.every=0"]


def still(setting=f"[{-BULK_VELOCITY},0,0]"):
    return [f"boundaries.{face}.velocity={setting}" for face in ("y_min", "y_max")]


def wall_shear(run, component):
    """Mean of both walls over time [u_tau^2]."""
    series = run.time_series()
    both = sum(series[f"wall_shear_{face}_{component}"] for face in ("y_min", "y_max"))
    return series["time"], both / 2


def power_of_walls(run, start):
    """What an area of the walls does to the fluid by oscillating [u_tau^3]."""
    time, shear = wall_shear(run, "z")
    velocity = AMPLITUDE * np.sin(2 * math.pi * time / PERIOD)
    return mean_and_uncertainty(time, -velocity * shear, start)


def draw(runs, start):
    figure, ((shears, means, stresses),) = style.new_figure(1, 3, 2.7)
    for turn, (label, run) in enumerate(runs.items()):
        time, shear = wall_shear(run, "x")
        shears.plot(time, shear, f"C{turn}", lw=0.7, label=label)
        averages = run.statistics()
        u_tau = averages.attributes["friction_velocity"]
        profiles = profiles_of(averages, VISCOSITY)
        means.semilogx(*profiles["U"], f"C{turn}.", ms=2.5, label=label)
        for name, line in (("u", "-"), ("v", "--")):
            distance = profiles[name][0] * VISCOSITY / u_tau
            stresses.plot(distance, profiles[name][1] * u_tau, f"C{turn}{line}")
        stresses.plot(distance, profiles["uv"][1] * u_tau**2, f"C{turn}:")
    shears.axvline(start, **style.LAW)
    shears.set(xlabel="$t\\,u_\\tau/h$", ylabel="$\\tau_w/u_\\tau^2$", ylim=(0, None))
    draw_sublayer(means, 0.5)
    means.set(xlabel="$y^+$", ylabel="$\\overline{u}^+$, each in its own units")
    stresses.set(xlabel="$y/h$", ylabel="rms of $u$ (-), $v$ (- -), $-\\overline{u'v'}$ (:)")
    shears.legend()
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    settings = QUICK if session.is_quick else []
    scale = 10 if session.is_quick else 1
    runs = {"still": session.run("still", "oscillating_walls", settings, still()),
            "oscillating": session.run("oscillating", "oscillating_walls", settings)}
    report.runs += runs.values()
    start = runs["still"].case["output"]["statistics"]["start"]
    (drag, error), (less, less_error) = (mean_and_uncertainty(*wall_shear(run, "x"), start)
                                         for run in runs.values())
    reduction = 1 - less / drag
    uncertainty = math.hypot(less_error, less / drag * error) / drag
    report.compare_difference("drag reduction", reduction, DRAG_REDUCTION, 0.02 * scale)
    report.tell("its uncertainty, 95 %", uncertainty)
    report.compare("C_f without oscillation", 2 * drag / BULK_VELOCITY**2, FRICTION, 0.02 * scale)
    report.tell("its uncertainty, 95 %", 2 * error / BULK_VELOCITY**2)
    report.tell("amplitude W+, in the friction velocity found", AMPLITUDE / math.sqrt(drag))
    report.tell("period T+, likewise", PERIOD * drag / VISCOSITY)

    power, power_error = power_of_walls(runs["oscillating"], start)
    stokes = AMPLITUDE**2 / 2 * math.sqrt(math.pi * VISCOSITY / PERIOD)
    report.compare("power of the walls, laminar Stokes layer [u_tau^3]", power, stokes,
                   0.05 * scale)
    report.tell("its uncertainty, 95 %", power_error)
    report.tell("the same over the power that drives the flow of still walls",
                power / (drag * BULK_VELOCITY))
    for label, run in runs.items():
        driving = mean_from(run.time_series(), "driving_x", start)
        shear = mean_and_uncertainty(*wall_shear(run, "x"), start)[0]
        report.compare(f"{label}: driving force against wall shear", driving, shear, 0.005 * scale)
        tell_asymmetry(report, run, words=f"{label}: ")
        report.tell(f"{label}: largest divergence [u_tau/h]",
                    run.time_series()["divergence_max"].max())
    return draw(runs, start)
