"""Particles whose trajectories are known: settling, a vortex, bounces across a channel.

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
BOUNCES_END = (2.75568754594, -0.973127873282)
TURN = 8.62606259  # of the tracer from (pi/2, pi/6), 4 K(3/4)


def run_of(session, label, case, particles, step, steps, every, scheme="implicit"):
    time = f"time={{step: {step:.17g}, steps: {steps}, scheme: {scheme}}}"
    output = f"output={{trajectories: {{every: {every}, precision: double}}}}"
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


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    validate_settling(session, report)
    validate_vortex(session, report)
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
