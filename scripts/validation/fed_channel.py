"""Channel fed with the planes of a periodic one: its profiles must be those of the other.

Both at Re_tau 180 on the same grid. Averages over z and time at each x, of the mean velocity, the
friction velocity and the fluctuations, against those of the periodic channel, from h behind the
inflow to h before the outflow.
"""
import numpy as np

from curves import mean_from
from pictures import style
from validation.halves import tell_asymmetry, tell_wall_shears

QUICK = ["grid.points=[48,40,32]", "output.fields.every=0"]


def friction_velocity(averages, viscosity):
    """Of both walls together, at each x [U_b]."""
    u, y, faces = averages["u"], averages["y"], averages["y_faces"]
    slopes = (u[0] / (y[0] - faces[0]) + u[-1] / (faces[-1] - y[-1])) / 2
    return np.sqrt(viscosity * slopes)


def draw(averages, periodic, u_tau, expected, stations):
    figure, ((means, stresses, along),) = style.new_figure(1, 3, 2.7)
    y = averages["y"]
    means.plot(periodic["u"], y, **style.REFERENCE, label="periodic")
    for name, line in (("uu", "-"), ("vv", "--"), ("ww", ":")):
        stresses.plot(np.sqrt(periodic[name]), y, line, **{**style.REFERENCE, "lw": 1.8})
    for turn, place in enumerate(stations):
        means.plot(averages["u"][:, place], y, f"C{turn}",
                   label=f"$x = {averages['x'][place]:.1f}\\,h$")
        for name, line in (("uu", "-"), ("vv", "--"), ("ww", ":")):
            stresses.plot(np.sqrt(averages[name][:, place]), y, f"C{turn}{line}")
    means.set(xlabel="$\\overline{u}/U_b$", ylabel="$y/h$")
    stresses.set(xlabel="rms of $u$ (-), $v$ (- -), $w$ (:)$\\,/\\,U_b$", ylabel="$y/h$")
    along.plot(averages["x"], u_tau / expected)
    along.axhline(1, color="k", lw=0.8)
    along.set(xlabel="$x/h$", ylabel="$u_\\tau$ over the periodic one",
              ylim=(0.9, 1.1))
    means.legend()
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    quick = session.is_quick
    settings = [*QUICK[:1], "time.end=60", "output.planes.start=30",
                "output.statistics.start=30"] if quick else []
    by = session.run("periodic", "channel_planes", settings)
    planes = by.folder.resolve() / "planes_inlet.h5"
    settings = [*QUICK, "time.end=50", "output.statistics.start=20"] if quick else []
    fed = session.run("fed", "fed_channel", settings,
                      [f"boundaries.x_min.velocity={{planes: {planes}, beyond: repeat}}"])
    report.runs += [by, fed]
    periodic, averages = by.statistics(), fed.statistics()
    viscosity = 1 / fed.case["fluid"]["reynolds"]
    scale = 10 if quick else 1

    x = averages["x"]
    kept = (x > 1) & (x < fed.case["grid"]["length"][0] - 1)
    off = np.abs(averages["u"] - periodic["u"][:, None])[:, kept]
    report.bound("mean velocity, largest difference along the channel [U_b]", off.max(),
                 0.02 * scale)
    expected = periodic.attributes["friction_velocity"]
    u_tau = friction_velocity(averages, viscosity)
    report.bound("friction velocity along the channel, largest deviation",
                 np.abs(u_tau / expected - 1)[kept].max(), 0.02 * scale, True)
    report.compare("friction velocity, mean over x", u_tau[kept].mean(), expected, 0.01 * scale)
    for name in ("uu", "vv", "ww"):
        rms = np.sqrt(averages[name][:, kept]).max(axis=0).mean()
        report.compare(f"peak of the rms of {name[0]}, mean over x", rms,
                       np.sqrt(periodic[name]).max(), 0.03 * scale)
    tell_asymmetry(report, by, words="periodic: ")
    tell_wall_shears(report, fed, "fed: ")
    series = by.time_series()
    report.tell("bulk velocity of the periodic channel",
                mean_from(series, "bulk_velocity_x", periodic.attributes["first_time"]))
    report.tell("largest divergence", fed.time_series()["divergence_max"].max())
    stations = [int(np.argmin(np.abs(x - place))) for place in (1, 4, 7, 11)]
    return draw(averages, periodic, u_tau, expected, stations)
