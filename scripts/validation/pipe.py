"""Round pipe: laminar against its parabola, turbulent at Re_tau 180 against friction laws.

The pipe is a hole in a body in a box of equal cells. Laminar: u = 1 - r^2, shifted against
the cells. Turbulent: the bulk velocity of El Khoury et al. (2013), Re 5300 by the diameter at
Re_tau 181, and that of Blasius' law; the layer at the wall; the exact balance of stresses,
u_r'u' - nu dU/dr = r.
"""
import math

import numpy as np
from matplotlib.ticker import NullLocator

from curves import fine_curve, mean_from
from pictures import style
from pictures.profiles import draw_logarithmic_law, draw_sublayer

CENTERS = [(0.0, 0.0), (0.013, -0.021), (-0.024, 0.009)]  # of the laminar pipe
REYNOLDS = 180
EL_KHOURY = 5300 / (2 * 181)
BLASIUS = (8 / 0.3164 * (2 * REYNOLDS) ** 0.25) ** (4 / 7)  # 8/U^2 = 0.3164 (2 Re_tau U)^(-1/4)


def errors_of_laminar(run, center):
    """Of the bulk velocity, relative; root of the mean square over the pipe."""
    flow, series = run.snapshot(), run.time_series()
    u = flow["velocity"][:, :, :, 0].mean(axis=2, dtype=float)
    y, z = np.meshgrid(flow["y"] - center[0], flow["z"] - center[1])
    off = np.where(y**2 + z**2 < 1, u - (1 - y**2 - z**2), 0)
    length = run.case["grid"]["length"]
    cell = length[1] * length[2] / u.size
    bulk = series["bulk_velocity_x"][-1] * length[1] * length[2] / math.pi
    force = series["force_pipe_x"][-1] / (4 * math.prod(length))
    return bulk / 0.5 - 1, math.sqrt((off**2).sum() * cell / math.pi), force - 1


def validate_laminar(session, report):
    cells = [16, 32] if session.is_quick else [16, 32, 64, 128]
    bulk, mean = [], []
    for count in cells:
        rows = []
        for number, center in enumerate(CENTERS):
            surface = f"1 - sqrt((y - ({center[0]}))^2 + (z - ({center[1]}))^2)"
            run = session.run(f"laminar_{count}_{number}", "laminar_pipe",
                              [f"grid.points=[4,{count},{count}]", f"solids.pipe.surface={surface}",
                               "output.fields.every=1000000"])
            report.runs.append(run)
            rows.append(errors_of_laminar(run, center))
        rows = np.array(rows)
        bulk.append(np.sqrt((rows[:, 0]**2).mean()))
        mean.append(np.sqrt((rows[:, 1]**2).mean()))
        report.bound(f"laminar, {count}^2: bulk velocity", bulk[-1], is_percent=True)
        report.bound(f"laminar, {count}^2: velocity, rms error", mean[-1])
        report.bound(f"laminar, {count}^2: force against driving", abs(rows[:, 2]).max(),
                     1e-9 if session.precision == "double" else 1e-4)
    report.bound(f"laminar, {cells[-1]}^2: bulk velocity", bulk[-1],
                 0.01 if session.is_quick else 1e-3, is_percent=True)
    for name, errors, limit in (("bulk velocity", bulk, 0.5), ("velocity, rms", mean, 0.3)):
        order = math.log(errors[0] / errors[-1]) / math.log(cells[-1] / cells[0])
        report.compare_difference(f"laminar: order of the {name}", order, 2, limit)
    return cells, bulk, mean


class Profiles:
    """Averages over rings of the turbulent pipe: r, u past the wall, its deviation, u_r'u'."""

    def __init__(self, run, rings):
        averages = run.statistics()
        y, z = np.meshgrid(averages["y"], averages["z"])
        r = np.hypot(y, z)
        frame = run.case["solids"]["pipe"]["velocity"][0]
        ring = np.where(r < 1, (r * rings).astype(int), rings).ravel()
        count = np.bincount(ring, minlength=rings + 1)[:rings]

        def mean(values):
            return np.bincount(ring, values.ravel(), rings + 1)[:rings] / count

        stress = (averages["uv"] * y + averages["uw"] * z) / r
        self.r, self.u = mean(r), mean(averages["u"] - frame)
        self.u_rms, self.stress = np.sqrt(mean(averages["uu"])), mean(stress)
        near = (r < 1 - 2 / REYNOLDS) & (r > 1 - 5 / REYNOLDS)
        wall_units = (1 - r[near]) * REYNOLDS
        laminar = wall_units - wall_units**2 / (2 * REYNOLDS)
        self.near_wall = ((averages["u"] - frame)[near] / laminar).mean()
        self.samples = averages.attributes["samples"]

    def balance(self):
        """r between the rings and the sum of both stresses there."""
        r = (self.r[1:] + self.r[:-1]) / 2
        shear = -np.diff(self.u) / np.diff(self.r) / REYNOLDS
        return r, (self.stress[1:] + self.stress[:-1]) / 2 + shear


def validate_turbulent(session, report):
    settings = ["output.fields.every=0"]
    if session.is_quick:
        settings += ["grid.points=[64,48,48]", "time.end=5", "output.statistics.start=2"]
    run = session.run("turbulent", "pipe", settings)
    report.runs.append(run)
    series, length = run.time_series(), run.case["grid"]["length"]
    start = run.case["output"]["statistics"]["start"]
    frame = run.case["solids"]["pipe"]["velocity"][0]
    bulk = mean_from(series, "bulk_velocity_x", start) - frame
    bulk *= length[1] * length[2] / math.pi
    force = mean_from(series, "force_pipe_x", start) / (2 * math.prod(length))
    profiles = Profiles(run, 16 if session.is_quick else 40)
    quick = session.is_quick
    report.compare("turbulent: bulk velocity+, El Khoury et al.", bulk, EL_KHOURY,
                   0.15 if quick else 0.02)
    report.compare("turbulent: bulk velocity+, Blasius", bulk, BLASIUS, 0.15 if quick else 0.03)
    report.compare("turbulent: mean force against driving", force, 1, 0.1 if quick else 0.02)
    report.compare("turbulent: U+/(y+ - y+^2/360), y+ 2 to 5", profiles.near_wall, 1,
                   0.3 if quick else 0.05)
    r, total = profiles.balance()
    core = r < 0.95
    report.bound("turbulent: stresses against r, r < 0.95, largest difference",
                 abs(total - r)[core].max(), 0.2 if quick else 0.03)
    report.tell("turbulent: U+ in the middle", profiles.u[0])
    report.tell("turbulent: u' in the peak", profiles.u_rms.max())
    report.tell("turbulent: y+ of it", (1 - profiles.r[profiles.u_rms.argmax()]) * REYNOLDS)
    report.tell("turbulent: largest slip over the bulk velocity",
                series["body_slip"][series["time"] >= start].max() / bulk)
    report.note("The peak of u' and U+ in the middle have no reference here.")
    return profiles


def draw(laminar, profiles):
    figure, (panels,) = style.new_figure(1, 3, 2.7)
    cells, bulk, mean = laminar
    panels[0].loglog(cells, bulk, "o-", label="bulk velocity, relative")
    panels[0].loglog(cells, mean, "s-", label="velocity, rms")
    panels[0].loglog(cells, mean[0] * (cells[0] / np.array(cells, float))**2, **style.LAW,
                     label="order 2")
    panels[0].set(xlabel="cells across", ylabel="error", title="laminar pipe")
    panels[0].xaxis.set_minor_locator(NullLocator())  # its numbers would lie on each other
    panels[0].set_xticks(cells, [str(n) for n in cells])
    wall_units = (1 - profiles.r) * REYNOLDS
    places, u = fine_curve(np.log(wall_units[::-1]), profiles.u[::-1])
    panels[1].semilogx(np.exp(places), u, label="present")
    draw_sublayer(panels[1], wall_units.min())
    draw_logarithmic_law(panels[1], REYNOLDS, profiles.stress)
    panels[1].set(xlabel="$y^+$", ylabel="$\\overline{u}^+$", title="turbulent pipe")
    r = np.append(profiles.r, 1)  # nothing fluctuates at the wall
    panels[2].plot(*fine_curve(r, np.append(profiles.u_rms, 0)), label="$u_\\mathrm{rms}$")
    panels[2].plot(*fine_curve(r, np.append(profiles.stress, 0)), label="$\\overline{u_r'u'}$")
    panels[2].plot(*profiles.balance(), label="both stresses")
    panels[2].plot([0, 1], [0, 1], **style.LAW, label="$r$")
    panels[2].set(xlabel="$r/R$", title="turbulent pipe, wall units", ylim=(-0.1, 3.2))
    for axes in panels:
        axes.legend()
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    laminar = validate_laminar(session, report)
    return draw(laminar, validate_turbulent(session, report))
