"""Channel rotating about its span: onset of rolls, and turbulence at Re_tau 180 and Ro 0.15.

Rolls begin in laminar flow at the Reynolds number 66.45 (maximum of the velocity, half the height),
2 Omega h/U = 0.3366 and wave number 2.459 along the span: Lezius & Johnston, J. Fluid Mech. 77
(1976) 153, and Wall & Nagata, ibid. 564 (2006) 25, as Brethouwer (2025, arXiv:2510.26229) gives
them.

Turbulent flow, the case of Kristoffersen & Andersson, J. Fluid Mech. 256 (1993) 163: the walls take
what the pressure gradient gives, so that friction velocities of pressure and suction side obey
u_p^2 + u_s^2 = 2 u_tau^2 less what accelerates the fluid. The stress across the channel is linear,
and the mean velocity in between has about the slope 2 Omega.
"""
import math

import numpy as np

from channel_profiles import stress_at_centres, velocity_of_walls
from pictures import style

ONSET, ROTATION, WAVE = 66.45, 0.3366, 2.459
LINEAR = (0.5, 1.2)  # distances from the pressure side between which the slope is taken [h]
QUICK = ["grid.points=[48,48,48]", "time.end=20", "output.statistics.start=10",
         "output.statistics.every=5", "output.fields.every=0"]


def growth_of_rolls(session, reynolds):
    """The rate at which v at a point in the middle of a weak roll grows [U/h]."""
    run = session.run(f"rolls_{reynolds}", "rotating_channel", firm_settings=[
        "grid={points: [4, 48, 32], length: [1, 2, %r]}" % (2 * math.pi / WAVE),
        f"fluid.reynolds={reynolds}", f"rotation.rate=[0, 0, {ROTATION / 2}]",
        "boundaries.y_min={type: wall}", "boundaries.y_max={type: wall}",
        f"forcing.value=[{2 / reynolds!r}, 0, 0]",
        'initial={velocity: ["y*(2 - y)", "1e-5*(y*(2 - y))^2*cos(%r*z)", 0]}' % WAVE,
        "time={step: 0.05, end: 120}", "accuracy.order=2",
        "output={fields: {every: 0}, probes: {every: 20, middle: {at: [0.5, 1, 0]}}}"])
    signal = run.probe("middle")
    late = signal["time"] > 60
    return np.polyfit(signal["time"][late], np.log(np.abs(signal["velocity_y"][late])), 1)[0]


def onset(session):
    """The Reynolds number without growth, by a straight line between two beside it."""
    below, above = 64, 69
    low, high = growth_of_rolls(session, below), growth_of_rolls(session, above)
    return below - low * (above - below) / (high - low)


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    report.compare("Reynolds number at which rolls begin", onset(session), ONSET, 0.01)
    run = session.run("channel", "rotating_channel", QUICK if session.is_quick else [])
    report.runs.append(run)
    averages = run.statistics()
    scale = 5 if session.is_quick else 1
    viscosity = 1 / run.case["fluid"]["reynolds"]
    twice_rate = 2 * run.case["rotation"]["rate"][2]
    y, faces = averages["y"], averages["y_faces"]
    mean = averages["u"] - velocity_of_walls(averages, "y", "u")
    total = stress_at_centres(mean, viscosity, y, faces) - averages["uv"]
    pressure_side = viscosity * mean[0] / (y[0] - faces[0])
    suction_side = viscosity * mean[-1] / (faces[-1] - y[-1])
    u_p, u_s = math.sqrt(pressure_side), math.sqrt(suction_side)
    bulk = np.average(mean, weights=np.diff(faces))
    report.tell("friction velocity, pressure side [u_tau]", u_p)
    report.tell("friction velocity, suction side [u_tau]", u_s)
    report.tell("bulk velocity [u_tau]", bulk)
    report.tell("rotation number 2 Omega h/U_b", twice_rate / bulk)
    start, end = (averages.attributes[name] for name in ("first_time", "last_time"))
    series = run.time_series()
    ends = np.interp([start, end], series["time"], series["bulk_velocity_x"])
    gain = np.diff(ends)[0] / (end - start)
    report.compare("u_p^2 + u_s^2 and the acceleration, pressure gradient",
                   pressure_side + suction_side + 2 * gain, 2, 0.002 * scale)
    straight = pressure_side - (pressure_side + suction_side) * (y - faces[0]) / np.ptp(faces)
    report.bound("total stress against a straight line between both walls, largest difference",
                 np.abs(total - straight).max(), 0.01 * scale)
    linear = (y > LINEAR[0]) & (y < LINEAR[1])
    slope, _ = np.polyfit(y[linear], mean[linear], 1)
    report.compare("slope of the mean velocity, y from {} to {} h, 2 Omega".format(*LINEAR), slope,
                   twice_rate, 0.1 * scale)
    samples, first, last = (averages.attributes[name]
                            for name in ("samples", "first_time", "last_time"))
    report.note(f"{samples:.0f} samples from t = {first:.4g} to {last:.4g} h/u_tau.")
    return draw(averages, mean, total, straight, twice_rate)


def draw(averages, mean, total, straight, twice_rate):
    figure, ((means, stresses),) = style.new_figure(1, 2, 3.4)
    y = averages["y"]
    linear = (y > LINEAR[0]) & (y < LINEAR[1])
    intercept = (mean - twice_rate * y)[linear].mean()
    means.plot(y, mean, "C0.", label="present")
    means.plot(y[linear], intercept + twice_rate * y[linear], **style.LAW, label="slope $2\\Omega$")
    means.set(xlabel="$y/h$", ylabel="$\\overline{u}/u_\\tau$", title="mean velocity")
    stresses.plot(y, straight, **style.REFERENCE, label="straight line")
    stresses.plot(y, total, "C0.", label="total stress")
    for turn, (name, label) in enumerate((("uu", "u"), ("vv", "v"), ("ww", "w"))):
        stresses.plot(y, np.sqrt(averages[name]), f"C{turn + 1}",
                      label=f"${label}_\\mathrm{{rms}}$")
    stresses.set(xlabel="$y/h$", ylabel="$/u_\\tau$, $/u_\\tau^2$", title="fluctuations and stress")
    for axes in (means, stresses):
        axes.legend()
    return figure
