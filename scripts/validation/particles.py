"""Particles whose trajectories are known: settling, a vortex, bounces across a channel; a suspension
that slows down with its fluid, the momentum of both, and tracers that stay uniform in a channel.

References: closed forms, or trajectories integrated to 12 digits (settling by the law of Schiller
and Naumann, bounces across a laminar channel).
"""
import math

import numpy as np

from pictures import style

ROUND_OFF = {"double": 1e-9, "float": 1e-3}
REST = ["grid={points: [5, 7, 4], length: [30, 49, 20]}", "fluid.reynolds=100",
        "boundaries={x: periodic, y: periodic, z: periodic}", "forcing={type: formula}",
        "initial={velocity: [0, 0, 0]}"]
CHANNEL = ["grid={points: [5, 9, 4], length: [6, 2, 1], origin: [0, -1, 0], "
           "stretching: {y: {factor: 1}}}", "fluid.reynolds=1e9", "forcing={type: formula}",
           "boundaries={x: periodic, y: wall, z: periodic}",
           'initial={velocity: ["1-y^2", 0, 0]}']
VORTEX = ["grid={points: [64, 64, 4], length: [2*pi, 2*pi, 1]}", "fluid.reynolds=1e12",
          "boundaries={x: periodic, y: periodic, z: periodic}", "forcing={type: formula}",
          'initial={velocity: ["sin(x)*cos(y)", "-cos(x)*sin(y)", 0]}']
BALL = ("particles={ball: {count: 1, positions: [0, 0.5, 0.5], velocity: [0, 0, 0], "
        "diameter: 0.02, density: 2.25e-5, gravity: [0, 2.25e-5/(1-2.25e-5), 0]}}")
SUSPENSION = ["grid={points: [5, 7, 9], length: [1, 1.4, 1.8]}", "fluid.reynolds=50",
              "boundaries={x: periodic, y: periodic, z: periodic}", "forcing={type: formula}",
              "initial={velocity: [0.5, 0, 0]}"]
SUSPENDED = ("particles={dust: {count: 315, positions: [0.2*(n-5*rint((n-2)/5))+0.03, "
             "0.2*(rint((n-2)/5)-7*rint((n-17)/35))+0.11, 0.2*rint((n-17)/35)+0.17], "
             "velocity: [-0.5, 0, 0], diameter: 0.01, density: 900, coupling: two_way, "
             "represents: 12}}")
BOX = ["grid={points: [17, 15, 19], length: [1, 1.1, 1.5]}", "fluid.reynolds=80",
       "boundaries={x: periodic, y: periodic, z: periodic}", "forcing={type: formula}",
       'initial={velocity: ["0.5*sin(2*pi*z/1.5)", "0.4*cos(2*pi*x)", "0.3*sin(2*pi*x)"]}']
BOUNCES_END = (2.75568754594, -0.973127873282)
TURN = 8.62606259  # of the tracer from (pi/2, pi/6), 4 K(3/4)


def run_of(session, label, case, particles, step, steps, every, scheme="implicit"):
    time = f"time={{step: {step:.17g}, steps: {steps}, scheme: {scheme}}}"
    output = (f"output={{timeseries: {{every: 10}}, "
              f"trajectories: {{every: {every}, precision: double}}}}")
    return session.run(label, "particle_channel", [*case, particles, time, output])


def validate_settling(session, report):
    exact = "particles={dust: {count: 1, positions: [1, 20, 3], velocity: [1, 0, 0], " \
            "diameter: 0.03, density: 1000, gravity: [0, -1, 0]}}"
    run = run_of(session, "settling", REST, exact, 0.5, 20, 20)
    report.runs.append(run)
    last = run.particles("dust")[-1]
    limit = ROUND_OFF[session.precision]
    report.compare("Stokes drag, t = 10: height fallen", 69 - last["position"][0, 1], 28.3549986988,
                   limit)
    report.compare("Stokes drag, t = 10: velocity", -last["velocity"][0, 1], 4.31900026023, limit)
    drop = "particles={drop: {count: 1, positions: [1, 20, 3], velocity: [0, 0, 0], " \
           "diameter: 0.1, density: 2.5, gravity: [0, -1, 0], drag: schiller_naumann%s}}"
    for label, forces, value in (("drop", "", 0.0732252450966),
                                 ("drop_added_mass", ", forces: [drag, gravity, added_mass]",
                                  0.072133316971)):
        run = run_of(session, label, REST, drop % forces, 0.0025, 200, 200)
        report.runs.append(run)
        report.compare(f"Schiller and Naumann{', added mass' if forces else ''}, t = 0.5: velocity",
                       -run.particles("drop")[-1]["velocity"][0, 1], value, 2e-4)


def validate_bounces(session, report):
    errors = []
    counts = (500, 1000) if session.is_quick else (500, 1000, 2000, 4000)
    for steps in counts:
        run = run_of(session, f"bounces_{steps}", CHANNEL, BALL, 5 / steps, steps, steps // 100)
        report.runs.append(run)
        track = run.trajectory("ball", 0)
        errors.append(math.hypot(track["x"][-1] - BOUNCES_END[0], track["y"][-1] - BOUNCES_END[1]))
        report.bound(f"three bounces, {steps} steps: error of the place at t = 5", errors[-1],
                     2e-3 * (500 / steps)**1.5)
    return counts, errors, track


def validate_vortex(session, report):
    turns = 10 if session.is_quick or session.precision == "float" else 20
    for scheme, expected in (("implicit", 4.4e-4), ("runge_kutta", 3.7e-5)):
        run = run_of(session, f"vortex_{scheme}", VORTEX,
                     "particles={tracer: {count: 1, positions: [pi/2, pi/6, 0.3]}}", TURN / 64,
                     64 * turns, 64 * turns, scheme)
        report.runs.append(run)
        x, y, _ = run.particles("tracer")[-1]["position"][0]
        drift = abs(math.sin(x) * math.sin(y) - 0.5) / turns
        if session.precision == "double":
            report.compare(f"tracer in a vortex, {scheme}: drift of psi in a turn", drift, expected,
                           0.25 if session.is_quick else 0.15)
        else:
            report.tell(f"tracer in a vortex, {scheme}: drift of psi in a turn", drift)


def validate_suspension(session, report):
    """One particle at the same place of each cell: d(v - u)/dt = -(1 + phi)(v - u)/tau."""
    tau, phi = 900 * 0.01**2 * 50 / 18, 12 * 900 * math.pi / 6 * 0.01**3 / 0.2**3
    end = 0.4
    mean, slip = (0.5 - 0.5 * phi) / (1 + phi), -math.exp(-(1 + phi) * end / tau)
    for scheme in ("implicit", "runge_kutta"):
        run = run_of(session, f"suspension_{scheme}", SUSPENSION, SUSPENDED, end / 80, 80, 80,
                     scheme)
        report.runs.append(run)
        velocity = run.particles("dust")[-1]["velocity"][:, 0].mean()
        report.compare_difference(
            f"uniform suspension, {scheme}, 80 steps: velocity of particles", float(velocity),
            mean + slip / (1 + phi), 1e-3)


def validate_momentum(session, report):
    """Fluid and particles together gain the weight of the particles alone."""
    count, steps = (2000, 200) if session.is_quick else (100000, 1000)
    diameter = 0.02 * (2000 / count)**(1 / 3)
    volume = math.pi / 6 * diameter**3
    particles = (f"particles={{dust: {{count: {count}, positions: [r1, 0.3+0.5*r2, 1.5*r3], "
                 f"velocity: [r1-0.5, r2-0.5, r3-0.5], diameter: {diameter:.17g}, density: 200, "
                 "gravity: [0.3, -1, 0.5], drag: schiller_naumann, coupling: two_way}}")
    for scheme in ("implicit", "runge_kutta"):
        run = run_of(session, f"momentum_{scheme}", BOX, particles, 0.005, steps, steps, scheme)
        report.runs.append(run)
        first, last = (run.particles("dust")[n]["velocity"] for n in (0, -1))
        series = run.time_series()
        change, exchanged = 0, 0
        for axis, gravity in enumerate((0.3, -1, 0.5)):
            fluid = series[f"bulk_velocity_{'xyz'[axis]}"]
            gain = 1.65 * (fluid[-1] - fluid[0]) + 200 * volume * (last - first)[:, axis].sum()
            change = max(change, abs(gain - count * volume * 199 * gravity * 0.005 * steps))
            force = np.abs(series[f"dust_force_{'xyz'[axis]}"])
            exchanged = max(exchanged, force.mean() * 0.005 * steps)
        report.bound(f"momentum of the fluid and {count} particles, {steps} {scheme} steps: change "
                     "over what they exchanged", change / exchanged,
                     {"double": 1e-12, "float": 1e-4}[session.precision])


def validate_uniform_tracers(session, report):
    """Tracers that start uniform in a channel stay so: chi^2 of 64 bins between the walls.

    One flow carries two species, one for each interpolation of the velocity. divergence_free has to
    meet the criterion; chi^2 of n tracers is 1 + n/64 times the mean square of what bins have too much.
    """
    count, case, end, positions = 1000000, "channel_retau180", 20, "[4*pi*r1, 2*r2, 4*pi/3*r3]"
    coarse = []
    if session.is_quick:
        count, case, end, positions = 20000, "particle_channel", 2, "[6*r1, 2*r2, 3*r3]"
        coarse = ["grid.points=[36,32,24]"]
    species = ", ".join(
        f"tracer_{name}: {{count: {count}, positions: {positions}, interpolation: {name}}}"
        for name in ("cubic", "divergence_free"))
    run = session.run("uniform", case, [
        f"particles={{{species}}}", f"time.end={end}",
        f"output={{timeseries: {{every: 10}}, trajectories: {{every: {end} L/U, "
        "precision: double}}", *coarse])
    report.runs.append(run)
    chi = {}
    for name in ("cubic", "divergence_free"):
        y = run.particles(f"tracer_{name}")[-1]["position"][:, 1]
        report.bound(f"tracers in a channel, {name}: lost", count - len(y), 0)
        report.bound(f"tracers in a channel, {name}: beyond walls", int(((y < 0) | (y > 2)).sum()),
                     0)
        mean = count / 64
        chi[name] = float(((np.histogram(y, 64, (0, 2))[0] - mean)**2 / mean).sum() / 63)
    label = "tracers in a channel, {}: chi^2 per degree of freedom, 64 bins"
    report.tell(label.format("cubic"), chi["cubic"])
    report.compare_difference(label.format("divergence_free"), chi["divergence_free"], 1, 0.6)


def validate_turbophoresis(session, report):
    """Inertial particles gather beside the walls of a channel at Re_tau 150; tracers do not.

    Density and sizes as Marchioli et al., Int. J. Multiphase Flow 34 (2008) 879: response times of
    5 and 25 nu/u_tau^2, 769.23 times as dense as the fluid, elastic walls, no gravity.
    """
    count, points, start, duration = 100000, [128, 128, 128], 8, 7.5
    if session.is_quick:
        count, points, start, duration = 5000, [36, 32, 24], 1, 1
    common = (f"{{count: {count}, positions: [4*pi*r1, 2*r2, 4*pi/3*r3], "
              f"release: {{start: {start}}}")
    dust = ", ".join(
        f"st{stokes}: {common}, seed: {stokes}, density: 769.23, drag: schiller_naumann, "
        f"diameter: {math.sqrt(18 * stokes / 769.23) / 150:.17g}}}" for stokes in (5, 25))
    run = session.run("turbophoresis", "channel_retau180", [
        f"grid.points={points}", "grid.stretching={y: {type: tanh, factor: 1.4}}",
        "fluid.reynolds=150", f"particles={{tracer: {common}}}, {dust}}}",
        f"time.end={start + duration}",
        f"output={{timeseries: {{every: 10}}, trajectories: {{every: {duration / 5} L/U, start: "
        f"{start}}}, particle_statistics: {{every: 10, start: {start + 0.8 * duration}, axis: y}}}}"])
    report.runs.append(run)
    gathered = {}
    for name in ("tracer", "st5", "st25"):
        places = [file["position"][:, 1] for file in run.particles(name)]
        gathered[name] = [(np.minimum(y, 2 - y) < 5 / 150).mean() * 30 for y in places if len(y)]
        report.tell(f"{name}, y+ < 5: concentration over its mean", gathered[name][-1])
    means = run.particle_statistics()
    y = means["y_faces"]
    y_plus = 150 * np.minimum((y[1:] + y[:-1]) / 2, 2 - (y[1:] + y[:-1]) / 2)
    buffer = (y_plus > 5) & (y_plus < 20)
    lag = (means["st25_velocity_x"] - means["tracer_velocity_x"])[buffer].mean()
    if session.is_quick:
        report.tell("st25, 5 < y+ < 20: velocity less that of tracers", lag)
        return
    tracer, light, heavy = (gathered[name] for name in ("tracer", "st5", "st25"))
    report.compare_difference("tracer, y+ < 5: concentration over its mean", tracer[-1], 1, 0.1)
    report.bound("st25, y+ < 5: that of st5 over its concentration", light[-1] / heavy[-1], 1)
    report.bound("st25, y+ < 5: concentration two fifths after release over the last",
                 heavy[-4] / heavy[-1], 1)
    report.bound("st25, 5 < y+ < 20: velocity above that of tracers", max(lag, 0), 0)


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    validate_settling(session, report)
    validate_vortex(session, report)
    validate_suspension(session, report)
    validate_momentum(session, report)
    validate_uniform_tracers(session, report)
    validate_turbophoresis(session, report)
    counts, errors, track = validate_bounces(session, report)
    figure, ((left, right),) = style.new_figure(1, 2, 3.0)
    left.plot(track["x"], track["y"], label="particle")
    left.plot(*BOUNCES_END, "o", label="reference, t = 5")
    left.axhline(-0.99, **style.LAW)
    left.set(xlabel="x", ylabel="y", title="three bounces at y = -0.99")
    left.legend()
    right.loglog(counts, errors, "o-", label="error of the place")
    right.loglog(counts, errors[0] * (counts[0] / np.array(counts, float))**2, "k--", lw=0.8,
                 label="order 2")
    right.set(xlabel="steps", ylabel="error at t = 5")
    right.legend()
    return figure
