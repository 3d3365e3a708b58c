"""Bodies that move: small oscillations, Keulegan-Carpenter number 5, a moving frame, free decay on
springs, and spheres that settle.

Small amplitude, beta = D^2 f/nu = 20: the force is - pi D^2/4 (C_M dV/dt + 2 pi f C_V V), exact for
unsteady Stokes flow (Stokes 1851, by Bessel functions): C_M 1.50622, C_V 0.566343.
KC 5, Re 100: the force is - C_D D |V| V/2 - C_M pi D^2/4 dV/dt by least squares over the last
period, C_D 2.09 and C_M 1.45 of Duetsch, Durst, Becker & Lienhart, J. Fluid Mech. 360 (1998) 249,
as others quote them.
Moving frame: the force on a cylinder that moves through fluid at rest, Re 40, against that on one
at rest in a stream, from a sudden start in a periodic box of 6 D; means over 1 < t < 3 D/U.
Each force is that of one step, at its middle.
Free decay: a cylinder of density 2 on a spring, k 10 per mass of the displaced fluid, nu 0.01, small
amplitude: exp(s t) with s of unsteady Stokes flow in an infinite fluid.
Settling: Ga 144, density 1.5: 1.285 (sqrt((density - 1) g D)) in a large box, Uhlmann & Dusek, Int.
J. Multiphase Flow 59 (2014) 221, as others quote them. The sphere starts off the middle of a cell,
where a grid makes a force across: it oscillates about the middle or the face of a cell.
Settling in a box with walls: a sphere of 15 mm and 1120 kg/m^3 in 100 x 100 x 160 mm of oil, from
rest, its lowest point 120 mm above the bottom; the largest speed over u_inf, that in an infinite
fluid: ten Cate, Nieuwstad, Derksen & Van den Akker, Phys. Fluids 14 (2002) 4012. Re, densities,
viscosities and u_inf as others quote them; the four speeds are quoted from memory.
"""
import math

import numpy as np

from pictures import style

C_M, C_V = 1.50621902642, 0.56634268771  # beta 20
C_D, C_M_OF_5 = 2.09, 1.45               # KC 5, Re 100
F = 0.2                                  # frequency [U/D]
AREA = math.pi / 4                       # [D^2]
DECAY = -0.122300763855, 1.69783490037   # s of the free decay, real and imaginary part
SETTLING = 1.285                         # Ga 144, density 1.5
# Re: density [kg/m^3] and viscosity [Pa s] of the fluid, u_inf [m/s], largest speed [u_inf].
TEN_CATE = {1.5: (970, 0.373, 0.038, 0.947), 4.1: (965, 0.212, 0.060, 0.953),
            11.6: (962, 0.113, 0.091, 0.959), 31.9: (960, 0.058, 0.128, 0.955)}


def grid_of(cells, length, height):
    """A box around the cylinder, with so many cells per diameter."""
    return [f"grid.points=[{cells * length},{cells * height},4]",
            f"grid.length=[{length},{height},{4 / cells:.17g}]",
            f"grid.origin=[{-length / 2},{-height / 2},0]"]


def run_of(session, name, settings, velocity, step, end):
    return session.run(name, "oscillating_cylinder", settings, [
        f"solids.rod.motion.velocity=[{velocity},0,0]", f"time.step={step:.17g}",
        f"time.end={end:.17g}", "output.timeseries.every=1", "output.fields.every=0"])


def force_of(run):
    """Middles of the steps and forces per length along x."""
    series = run.time_series()
    time = np.asarray(series["time"])
    length = run.case["grid"]["length"][2]
    return (time[1:] + time[:-1]) / 2, np.asarray(series["force_rod_x"])[1:] / length


def coefficients(time, force, parts, start):
    """Least squares of - force by the parts, from a time on; and what is left, rms over rms."""
    late = time > start
    matrix = np.stack([part[late] for part in parts], 1)
    found = np.linalg.lstsq(matrix, -force[late], rcond=None)[0]
    left = force[late] + matrix @ found
    return found, math.sqrt((left**2).mean() / (force[late]**2).mean())


def small_oscillation(session, report, cells, steps):
    """C_M and C_V of beta 20."""
    w, amplitude, periods = 2 * math.pi * F, 0.02, 3
    length = 12 if session.is_quick else 20
    run = run_of(session, f"small_{cells}_{steps}", grid_of(cells, length, length),
                 f"{amplitude * w:.17g}*cos({w:.17g}*t)", 1 / F / steps, periods / F)
    report.runs.append(run)
    time, force = force_of(run)
    acceleration, velocity = -amplitude * w**2 * np.sin(w * time), amplitude * w * np.cos(w * time)
    (mass, friction), _ = coefficients(time, force,
                                       [AREA * acceleration, AREA * w * velocity],
                                       (periods - 1) / F)
    return mass, friction


def large_oscillation(session, report, cells):
    """C_D and C_M of KC 5; the forces of the last period."""
    w, periods = 2 * math.pi * F, 3 if session.is_quick else 6
    settings = grid_of(cells, 16, 12)
    run = run_of(session, f"kc5_{cells}", settings, '"-cos(2*pi*f*t)"', 0.25 / cells, periods / F)
    report.runs.append(run)
    time, force = force_of(run)
    velocity, acceleration = -np.cos(w * time), w * np.sin(w * time)
    found, left = coefficients(time, force,
                               [abs(velocity) * velocity / 2, AREA * acceleration],
                               (periods - 1) / F)
    late = time > (periods - 1) / F
    return found, left, (time[late] * F - periods + 1, force[late])


def moving_frame(session, report, cells):
    """Mean force at rest, and by how much the force of the moving cylinder differs: of means over
    the whole time and, rms, over the time in which it passes a cell."""
    step = 0.27 / cells
    forces = []
    for stream in (1, 0):
        settings = [*grid_of(cells, 6, 6), "fluid.reynolds=40", "solids.rod.center=[0.13,0.04,0]",
                    f"initial.velocity=[{stream},0,0]",
                    "boundaries={x: periodic, y: periodic, z: periodic}"]
        run = run_of(session, f"frame_{cells}_{stream}", settings, stream - 1, step, 3)
        report.runs.append(run)
        time, force = force_of(run)
        forces.append(force[time > 1])
    rest, moving = forces
    over_cell = np.convolve(moving - rest, np.ones(4) / 4, "valid")
    return (rest.mean(), (moving - rest).mean() / rest.mean(),
            math.sqrt((over_cell**2).mean()) / rest.mean())


def free_decay(session, report, cells):
    """s of the decay, from the extremes of the way but the first, half a period apart."""
    length = 12 if session.is_quick else 20
    body = ("solids={rod: {shape: cylinder, axis: z, center: [0.03, 0.02, 0], radius: 0.5, "
            "free: {density: 2, fixed: [y, rotation]}, "
            "spring: {stiffness: [10, 0, 0], at: [0.05, 0.02, 0]}}}")
    run = session.run(f"decay_{cells}", "oscillating_cylinder", grid_of(cells, length, length),
                      [body, f"time.step={0.2 / cells:.17g}", "time.end=9",
                       "output.timeseries.every=1", "output.fields.every=0"])
    report.runs.append(run)
    series = run.time_series()
    time = np.asarray(series["time"])
    way = np.asarray(series["position_rod_x"]) - 0.05
    rise = np.diff(way)
    at = np.flatnonzero(rise[1:] * rise[:-1] < 0) + 1
    shift = (rise[at] + rise[at - 1]) / (2 * (rise[at - 1] - rise[at]))  # of a parabola, in steps
    times = time[at] + shift * (time[1] - time[0])
    sizes = abs(way[at] + shift * (rise[at] + rise[at - 1]) / 4)
    passed = times[-1] - times[1]
    return math.log(sizes[-1] / sizes[1]) / passed, math.pi * (len(at) - 2) / passed


def settling(session, report, cells):
    """Speed of a sphere through the fluid and the largest across, over the last tenth of a run, and
    the cells that it goes to and fro across in the second half."""
    width, height, end = (4, 8, 20) if session.is_quick else (8, 16, 40)
    run = session.run(f"settling_{cells}", "settling_sphere", [
        f"grid.points=[{cells * width},{cells * width},{cells * height}]",
        f"grid.length=[{width},{width},{height}]", f"grid.origin=[{-width / 2},{-width / 2},-3]",
    ], [f"time.step={0.3 / cells:.17g}", f"time.end={end}", "output.timeseries.every=1",
        "output.fields.every=0"])
    report.runs.append(run)
    series = run.time_series()
    time = np.asarray(series["time"])
    late = time > 0.9 * end
    stream = float(run.case["boundaries"]["z_min"]["velocity"][2])
    aside = max(abs(np.asarray(series[f"velocity_ball_{axis}"])[late]).max() for axis in "xy")
    way = max(np.ptp(np.asarray(series[f"position_ball_{axis}"])[time > end / 2]) for axis in "xy")
    return stream - np.asarray(series["velocity_ball_z"])[late].mean(), aside, way * cells


def ten_cate(session, report, cells, number):
    """The largest speed of a sphere that settles in a closed box [u_inf]; lengths in D."""
    density, viscosity, speed, _ = TEN_CATE[number]
    diameter = 0.015
    reynolds = density * speed * diameter / viscosity
    gravity = 9.81 * diameter / speed**2
    sizes = [length / 0.15 for length in (1, 1, 1.6)]  # of the box
    points = [math.ceil(cells * size) for size in sizes]
    step = min(0.3 / cells, 0.003 * reynolds)  # the layer of viscous fluid grows by R/9 in it
    body = (f"solids={{ball: {{shape: sphere, center: [{sizes[0] / 2}, {sizes[1] / 2}, 8.5], "
            f"radius: 0.5, free: {{density: {1120 / density:.17g}, "
            f"gravity: [0, 0, {-gravity:.17g}]}}}}}}")
    run = session.run(f"ten_cate_{number}_{cells}".replace(".", "_"), "settling_sphere", [
        f"grid.points={points}", f"grid.length={sizes}", "grid.origin=[0,0,0]",
        "boundaries={x: wall, y: wall, z: wall}", "initial.velocity=[0,0,0]",
    ], [f"fluid.reynolds={reynolds:.17g}", body, f"time.step={step:.17g}", "time.end=9",
        f"output.timeseries.every={max(1, round(0.05 / step))}", "output.fields.every=0"])
    report.runs.append(run)
    return -np.asarray(run.time_series()["velocity_ball_z"]).min()


def draw(force, found):
    figure, ((axes,),) = style.new_figure(1, 1, 3.2)
    time, value = force
    axes.plot(time, 2 * value, label="force/($\\rho U^2 D/2$)")
    w = 2 * math.pi
    velocity, acceleration = -np.cos(w * time), w * F * np.sin(w * time)
    axes.plot(time, -found[0] * abs(velocity) * velocity - 2 * AREA * found[1] * acceleration,
              "k--", lw=0.8, label="by $C_D$ and $C_M$")
    axes.set(xlabel="part of the last period", title="KC 5, Re 100")
    axes.legend()
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    scale = 5 if session.is_quick else 1
    cells = 10 if session.is_quick else 20
    mass, friction = small_oscillation(session, report, cells, 400)
    report.compare("beta 20: C_M", mass, C_M, 0.02 * scale)
    report.compare("beta 20: C_V", friction, C_V, 0.04 * scale)
    if not session.is_quick:
        rows = [small_oscillation(session, report, 10, steps) for steps in (50, 100, 200)]
        for name, values in zip(("C_M", "C_V"), zip(*rows)):
            order = math.log2(abs((values[0] - values[1]) / (values[1] - values[2])))
            report.tell(f"beta 20: order of {name} in the time step, 10 cells a diameter", order)
    found, left, force = large_oscillation(session, report, cells)
    report.compare("KC 5: C_D", found[0], C_D, 0.04 * scale)
    report.compare("KC 5: C_M", found[1], C_M_OF_5, 0.04 * scale)
    report.tell("KC 5: rms of what these leave over that of the force", left)
    for per_diameter, limit, noise in ((8, 0.007, 0.02), (16, 0.005, 0.01), (32, 0.003, 0.006)):
        if session.is_quick and per_diameter > 8:
            break
        mean, difference, rms = moving_frame(session, report, per_diameter)
        where = f"moving frame, {per_diameter} cells a diameter"
        report.tell(f"{where}: mean force at rest", mean)
        report.bound(f"{where}: difference of the mean force", abs(difference), limit, True)
        report.bound(f"{where}: rms of the difference over a cell", rms, noise, True)
    rate, frequency = free_decay(session, report, cells)
    report.compare("free decay: rate", rate, DECAY[0], 0.03 * scale)
    report.compare("free decay: angular frequency", frequency, DECAY[1], 0.03 * scale)
    speed, aside, way = settling(session, report, 8 if session.is_quick else 24)
    report.compare("settling, Ga 144: speed", speed, SETTLING, 0.03 * scale)
    limit = None if session.is_quick else 1e-3
    report.bound("settling, Ga 144: velocity across", aside, limit, True)
    report.tell("settling, Ga 144: way to and fro across, in cells", way)
    for number, (*_, largest) in TEN_CATE.items():
        if session.is_quick and number < 30:
            continue
        found_speed = ten_cate(session, report, 8 if session.is_quick else 16, number)
        report.compare(f"settling in a box, Re {number}: largest speed", found_speed, largest,
                       0.02 * scale)
    return draw(force, found)
