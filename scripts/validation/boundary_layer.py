"""Turbulent boundary layer, fed with synthetic turbulence: friction against Re_theta.

Cf = 2 (u_tau/U)^2 at each x, from the averages over z and time, against 0.024 Re_theta^(-1/4) of
Smits, Matheson & Joubert (1983); Re_theta from the profile at the same x. From 20 thicknesses
behind the inflow to 4 before the outflow. Mean velocity at the end against y+ and the law of the
wall.
"""
import numpy as np

from boundary_layers import friction_of_smits
from pictures import style
from pictures.profiles import draw_logarithmic_law, draw_sublayer

OUTSIDE = 2.5  # height above the layer [delta]
QUICK = ["grid.points=[96,32,16]", "grid.stretching.y.coordinates=[{}]", "time.end=12",
         "output.statistics.start=6", "output.fields.every=0", "output.slices.every=1000000"]


def quick_faces(cells=32, height=4.0, growth=1.09):
    faces = np.cumsum(np.concatenate([[0], growth**np.arange(cells)]))
    return ",".join(f"{face:.9g}" for face in faces * height / faces[-1])


class Layer:
    """x, momentum thickness, shape factor, Cf and u_tau at each x; u over y+."""

    def __init__(self, run):
        averages = run.statistics()
        self.viscosity = 1 / run.case["fluid"]["reynolds"]
        self.averages, self.x, self.y = averages, averages["x"], averages["y"]
        u = averages["u"]
        inside = self.y < 3
        widths = np.diff(averages["y_faces"])[inside, None]
        outer = u[np.argmax(self.y > OUTSIDE)]
        share = u[inside] / outer
        self.theta = (share * (1 - share) * widths).sum(axis=0)
        self.shape = ((1 - share) * widths).sum(axis=0) / self.theta
        self.u_tau = np.sqrt(self.viscosity * u[0] / self.y[0])
        self.friction = 2 * (self.u_tau / outer)**2
        self.momentum_reynolds = outer * self.theta / self.viscosity

    def thickness(self, place):
        """Where u is 0.99 of that outside, in wall units, at one x."""
        u = self.averages["u"][:, place]
        edge = self.y[np.argmax(u > 0.99 * u[np.argmax(self.y > OUTSIDE)])]
        return edge * self.u_tau[place] / self.viscosity

    def wall_units(self, place):
        """y+, U+, rms of u, v, w and -uv in wall units at one x."""
        scale = self.u_tau[place]
        rms = [np.sqrt(self.averages[name][:, place]) / scale for name in ("uu", "vv", "ww")]
        return (self.y * scale / self.viscosity, self.averages["u"][:, place] / scale, rms,
                -self.averages["uv"][:, place] / scale**2)


def draw(layer, places):
    figure, ((friction, means, stresses),) = style.new_figure(1, 3, 2.7)
    friction.plot(layer.momentum_reynolds, 1e3 * layer.friction, label="present")
    span = np.linspace(layer.momentum_reynolds.min(), layer.momentum_reynolds.max(), 100)
    friction.plot(span, 1e3 * friction_of_smits(span), **style.LAW,
                  label="0.024 $Re_\\theta^{-1/4}$")
    friction.set(xlabel="$Re_\\theta$", ylabel="1000 $C_f$", ylim=(3, 8))
    for turn, place in enumerate(places):
        y_plus, mean, rms, shear = layer.wall_units(place)
        label = f"$Re_\\theta$ = {layer.momentum_reynolds[place]:.0f}"
        means.semilogx(y_plus, mean, f"C{turn}", label=label)
        for row in (*rms, shear):
            stresses.plot(y_plus, row, f"C{turn}")
    draw_sublayer(means, 1)
    draw_logarithmic_law(means, layer.thickness(places[-1]), shear)
    means.set(xlabel="$y^+$", ylabel="$\\overline{u}^+$", xlim=(0.5, 1000), ylim=(0, 26))
    stresses.set(xlabel="$y^+$", ylabel="rms, $-\\overline{u'v'}^+$", xlim=(0, 250))
    for axes in (friction, means):
        axes.legend()
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    settings = []
    if session.is_quick:
        settings = [setting.replace("{}", quick_faces()) for setting in QUICK]
    run = session.run("layer", "boundary_layer", settings)
    report.runs.append(run)
    layer = Layer(run)
    scale = 20 if session.is_quick else 1
    length = run.case["grid"]["length"][0]
    kept = (layer.x > 20) & (layer.x < length - 4)
    off = layer.friction / friction_of_smits(layer.momentum_reynolds) - 1
    report.bound("Cf, mean deviation from Smits et al., x > 20", abs(off[kept].mean()),
                 0.05 * scale, True)
    report.bound("Cf, largest deviation there", np.abs(off[kept]).max(), 0.08 * scale, True)
    for name, place in (("x = 20", np.argmax(layer.x > 20)), ("the end", np.flatnonzero(kept)[-1])):
        report.tell(f"Re_theta at {name}", layer.momentum_reynolds[place])
        report.tell(f"1000 Cf at {name}", 1e3 * layer.friction[place])
        report.tell(f"shape factor at {name}", layer.shape[place])
    growth = np.polyfit(layer.x[kept], layer.theta[kept], 1)[0]
    report.compare("momentum: d theta/dx against Cf/2", growth, layer.friction[kept].mean() / 2,
                   0.1 * scale)
    places = [int(np.argmin(np.abs(layer.x - x))) for x in (20, 28, 36)]
    y_plus, mean, rms, _ = layer.wall_units(places[-1])
    near = (y_plus > 1) & (y_plus < 4)
    if near.any():
        report.bound("U+ against y+ at the end, y+ from 1 to 4",
                     np.abs(mean / (y_plus - y_plus**4 * 1e-4) - 1)[near].max(), 0.05 * scale, True)
    report.tell("peak of the rms of u at the end, wall units", rms[0].max())
    report.tell("largest divergence", run.time_series()["divergence_max"].max())
    return draw(layer, places)
