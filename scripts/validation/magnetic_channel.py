"""Channels in a magnetic field: Hartmann's flow, and turbulence damped by a field along the span.

Across insulating walls the field makes the flow of Hartmann, u/(G h^2/nu) = (1 - cosh(Ha y/h)/
cosh Ha)/(Ha tanh Ha) where no net current passes. Along the span it leaves the mean velocity of a
channel as it is and damps what varies along it: at the same pressure gradient the flow is faster,
drag at the same flow is less (Lee & Choi, J. Fluid Mech. 439 (2001) 367, at smaller Reynolds
numbers and other rates).
"""
import numpy as np

from channel_profiles import stress_at_centres
from pictures import style

PRECISIONS = {"float": np.float32, "double": np.float64}
HARTMANN = 20  # of configs/hartmann.yaml
QUICK = ["grid.points=[48,48,32]", "time.end=20", "output.statistics.start=10",
         "output.statistics.every=5", "output.fields.every=0"]


def hartmann_profile(y, number):
    """The velocity over that of a unit pressure gradient, G h^2/nu; y from -1 to 1."""
    return (1 - np.cosh(number * y) / np.cosh(number)) / (number * np.tanh(number))


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    laminar = session.run("hartmann", "hartmann", firm_settings=[
        "grid.points=[4,64,4]", "time={step: 0.002, end: 0.5}"])
    flow = laminar.snapshot()
    u, y = flow["velocity"][0, :, 0, 0], flow["y"]
    exact = hartmann_profile(y, HARTMANN)
    report.bound("Hartmann's flow, largest error over the largest velocity",
                 np.abs(u - exact).max() / exact.max(), 0.01)
    runs = {}
    for name, settings in (("field along the span", []), ("no field", ["magnetic.hartmann=1e-6"])):
        settings = settings + (QUICK if session.is_quick else [])
        runs[name] = session.run(name.replace(" ", "_"), "magnetic_channel", settings)
        report.runs.append(runs[name])
    bulk = {}
    for name, run in runs.items():
        averages = run.statistics()
        bulk[name] = np.average(averages["u"], weights=np.diff(averages["y_faces"]))
        report.tell(f"bulk velocity, {name} [u_tau]", bulk[name])
    gain = bulk["field along the span"] / bulk["no field"]
    report.tell("drag coefficient over that without the field", 1 / gain**2)
    report.bound("the same, below 1", 1 / gain**2, 1)
    heat = runs["field along the span"].time_series()
    late = heat["time"] > heat["time"][-1] / 2
    work = np.mean(heat["driving_x"][late] * heat["bulk_velocity_x"][late])
    lost = np.mean((heat["dissipation"] + heat["joule_dissipation"])[late])
    gained = np.ptp(heat["kinetic_energy"][late][[0, -1]]) / np.ptp(heat["time"][late])
    sign = np.sign(heat["kinetic_energy"][-1] - heat["kinetic_energy"][late][0])
    report.compare("heat of friction and of the current and the gain of energy, work of the "
                   "pressure gradient", lost + sign * gained, work, 0.01)
    report.tell("heat of the current over all",
                np.mean(heat["joule_dissipation"][late]) / lost)
    smallest = np.diff(runs["field along the span"].statistics()["y_faces"]).min()
    charge = heat["charge_max"] * smallest**2 / heat["potential_rms"]
    report.bound("charge, largest, over the potential and the square of the smallest cell",
                 charge[1:].max(), 100 * np.finfo(PRECISIONS[session.precision]).eps)
    return draw(y, u, runs)


def draw(y, u, runs):
    figure, ((laminar, means, stresses),) = style.new_figure(1, 3, 3.4)
    fine = np.linspace(-1, 1, 400)
    laminar.plot(fine, hartmann_profile(fine, HARTMANN), **style.REFERENCE, label="exact")
    laminar.plot(y, u, "C0.", label="present")
    laminar.set(xlabel="$y/h$", ylabel="$u\\nu/(G h^2)$", title=f"Hartmann, Ha {HARTMANN}")
    for turn, (name, run) in enumerate(runs.items()):
        averages = run.statistics()
        centres = averages["y"]
        stress = stress_at_centres(averages["u"], 1 / run.case["fluid"]["reynolds"], centres,
                                   averages["y_faces"])
        means.plot(centres, averages["u"], f"C{turn}", label=name)
        stresses.plot(centres, -averages["uv"], f"C{turn}", label=f"$-\\overline{{uv}}$, {name}")
        stresses.plot(centres, stress, f"C{turn}--")
    means.set(xlabel="$y/h$", ylabel="$\\overline{u}/u_\\tau$", title="mean velocity")
    stresses.set(xlabel="$y/h$", ylabel="$/u_\\tau^2$", title="stress; dashed: of viscosity")
    for axes in (laminar, means, stresses):
        axes.legend()
    return figure
