"""Row of hills in a channel at Re 2800: where the flow leaves the hill and meets the floor again.

On 192 x 96 x 64 and 320 x 192 x 128 cells, against Breuer, Peller, Rapp & Manhart, Computers &
Fluids 38 (2009) 433, direct simulation. Separation and reattachment: where the mean velocity along
the surface changes sign, one and two cells above it, continued to the surface by a straight line.
The forces on hill and walls balance the driving, exactly in a steady flow, in the mean over time in
this one.
"""
import math

import numpy as np
from curves import mean_from, upward_crossings
from pictures import bodies, slices, style

REYNOLDS = 2800
SEPARATION, REATTACHMENT = 0.21, 5.41  # x from the crest [h]
PERIOD = 9  # [h]
NEAREST = 5  # velocities above the surface that friction is found from
GRIDS = [(192, 96, 64), (320, 192, 128)]
# Height of the hill at the distance x from its crest: up to x = END/28, the powers of x from 0 on.
PIECES = [(9, (1, 0, 0.189702, -1.6656298)),
          (14, (0.8954842, 0.9754804, -2.8451258, 1.481599)),
          (20, (0.9212861, 0.8206693, -2.5355037, 1.2751843)),
          (30, (1.4451554, -1.3795817, 0.5448477, -0.162313)),
          (40, (0.6401648, 0.874392, -1.5588611, 0.4921742)),
          (54, (2.0139326, -2.0105204, 0.4605776, 0.0209718))]


def hill_and_slope(x):
    """Height of the surface [h] and its slope at x [h], -4.5 to 4.5."""
    distance = abs(x)
    pieces = [np.polynomial.Polynomial(powers) for _, powers in PIECES]
    within = [distance < end / 28 for end, _ in PIECES]
    height = np.select(within, [piece(distance) for piece in pieces], 0)
    slope = np.select(within, [piece.deriv()(distance) for piece in pieces], 0)
    return height, slope * np.sign(x)


def shear_at(distances, velocities):
    """The slope at 0 of a d + b d^2, by least squares through the nearest velocities: more than
    one, since the first is where the surface cuts the cells differently at each place.
    """
    near, u = distances[:NEAREST], velocities[:NEAREST]
    return np.linalg.lstsq(np.stack([near, near**2], axis=1), u, rcond=None)[0][0]


class Floor:
    """The mean velocity along the surface of hill and floor, x from 0 (crest) to 9.

    above[n]    n + 1 cells above it, by straight lines between the centres of cells in the fluid
                and the surface, where it is 0 [U]
    shear       its derivative across the surface, see shear_at [U/h]
    """

    def __init__(self, averages):
        height, slope = hill_and_slope(averages["x"])
        y, self.spacing = averages["y"], averages["y"][1] - averages["y"][0]
        along = (averages["u"] + slope * averages["v"]) / np.hypot(1, slope)
        is_fluid = (averages["fluid"] > 0) & (y[:, None] > height)
        above = np.array([[np.interp(height[i] + cells * self.spacing,
                                     [height[i], *y[is_fluid[:, i]]],
                                     [0, *along[is_fluid[:, i], i]])
                           for i in range(len(height))] for cells in (1, 2)])
        shear = np.array([
            shear_at((y[is_fluid[:, i]] - height[i]) / np.hypot(1, slope[i]),
                     along[is_fluid[:, i], i]) for i in range(len(height))])
        x = np.mod(averages["x"], PERIOD)
        order = np.argsort(x)
        self.x, self.above, self.shear = x[order], above[:, order], shear[order]

    def friction(self):
        """2 tau/(rho U^2), of the parabola from 0 at the surface through the velocities beside it.
        """
        return 2 * self.shear / REYNOLDS

    def reversed_at(self, cells):
        """Where the flow `cells` above the surface turns back first; the end of the longest stretch
        of reversed flow [h]."""
        u = self.above[cells - 1]
        ends = upward_crossings(self.x, u)
        starts = upward_crossings(self.x, -u)
        stretches = [(start, ends[ends > start].min(initial=PERIOD)) for start in starts]
        if not stretches:
            return math.nan, math.nan
        return starts[0], max(stretches, key=lambda stretch: stretch[1] - stretch[0])[1]

    def reversed(self):
        """The same at the surface."""
        near, far = self.reversed_at(1), self.reversed_at(2)
        return tuple(2 * one - two for one, two in zip(near, far))


def forces(run):
    """Mean forces along x on the hill, the floor and the ceiling, over the driving of the box."""
    series, length = run.time_series(), run.case["grid"]["length"]

    def mean(name):
        return mean_from(series, name, run.case["output"]["statistics"]["start"])

    driving = mean("driving_x") * math.prod(length)
    area = length[0] * length[2]
    return [mean("force_hill_x") / driving, mean("wall_shear_y_min_x") * area / driving,
            mean("wall_shear_y_max_x") * area / driving]


def compare(report, run, limits):
    """Criteria of one run; limits: of separation, reattachment and forces."""
    title = " x ".join(map(str, run.cells))
    floor = Floor(run.statistics())
    separation, reattachment = floor.reversed()
    report.compare_difference(f"{title}: separation [h], Breuer et al.", separation, SEPARATION,
                              limits[0])
    report.compare_difference(f"{title}: reattachment [h], Breuer et al.", reattachment,
                              REATTACHMENT, limits[1])
    for cells in (1, 2):
        for name, place in zip(("start", "end"), floor.reversed_at(cells)):
            report.tell(f"{title}: reversed flow {cells} cells above: {name} [h]", place)
    shares = forces(run)
    report.bound(f"{title}: mean forces on hill and walls against driving",
                 abs(sum(shares) - 1), limits[2], is_percent=True)
    for name, share in zip(("hill", "floor", "ceiling"), shares):
        report.tell(f"{title}: share of the {name} in them", share)
    report.tell(f"{title}: samples", run.statistics().attributes["samples"])
    return floor


def draw(run, floors):
    """Mean flow of the finest grid; friction along the floor on all of them."""
    figure, grid = style.new_figure(2, 1, 5.0, sharex=True)
    panels = grid[:, 0]
    averages = run.statistics()
    x = np.mod(averages["x"], PERIOD)
    order = np.argsort(x)
    u, v = (averages[name][:, order] for name in "uv")
    drawn = panels[0].pcolormesh(x[order], averages["y"],
                                 bodies.filled_beside(np.ma.masked_invalid(u)), vmin=-1.2, vmax=1.2,
                                 cmap=slices.SIGNED, shading="nearest", rasterized=True)
    even = np.linspace(x.min(), x.max(), len(x))  # that streamplot finds them equally spaced
    rows = np.linspace(averages["y"][0], averages["y"][-1], len(averages["y"]))
    panels[0].streamplot(even, rows, u, v, color="k", linewidth=0.5, density=1.3, arrowsize=0.6)
    surface = np.linspace(0, PERIOD, 1000)
    height, _ = hill_and_slope(np.minimum(surface, PERIOD - surface))
    panels[0].fill_between(surface, height, color=bodies.GREY, zorder=3)
    panels[0].plot(surface, height, color=bodies.OUTLINE["colors"], lw=0.7, zorder=3)
    figure.colorbar(drawn, ax=panels[0], label="$\\overline{u}/U$", pad=0.01)
    panels[0].set(ylabel="$y/h$", title=f"mean flow, {' x '.join(map(str, run.cells))} cells",
                  xlim=(0, PERIOD), ylim=(0, 3.035))
    for name, floor in floors.items():
        panels[1].plot(floor.x, floor.friction(), lw=1, label=name)
    panels[1].axhline(0, color="k", lw=0.6)
    for place in (SEPARATION, REATTACHMENT):
        panels[1].axvline(place, **style.LAW,
                          label="Breuer et al." if place == SEPARATION else None)
    panels[1].set(xlabel="$x/h$ from the crest", ylabel="$2\\tau/(\\rho U^2)$",
                  title="friction along hill and floor")
    panels[1].legend()
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    settings = [f"fluid.reynolds={REYNOLDS}", "output.fields.every=0"]
    grids = [(48, 24, 16)] if session.is_quick else GRIDS
    if session.is_quick:
        settings += ["time.end=40", "output.statistics.start=20", "output.statistics.every=5"]
    floors = {}
    for grid in grids:
        label = "x".join(map(str, grid))
        run = session.run(f"cells_{label}", "periodic_hill",
                          [f"grid.points=[{','.join(map(str, grid))}]", *settings])
        report.runs.append(run)
        if session.is_quick:
            limits = (0.5, 3.5, 0.05)
        else:
            limits = (0.1, 0.2, 0.02) if grid == GRIDS[-1] else (None, None, None)
        floors[label.replace("x", " x ")] = compare(report, run, limits)
    return draw(run, floors)
