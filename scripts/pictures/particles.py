"""Particles: their tracks over a plane of the flow, and where they are between walls."""
import numpy as np

from pictures import slices, style
from pictures.labels import scaled
from pictures.slices import PLANES

MOST_TRACKS = 60
TRACK = {"color": "w", "lw": 1.8}, {"color": "k", "lw": 0.8}  # one over the other


def tracks_of(files):
    """The places of some particles over time: a list of arrays (times, 3), for the ids that the
    first and the last file have both.
    """
    files = [file for file in files if "id" in file]
    if len(files) < 2:
        raise style.NothingToDraw("one file of particles makes no tracks; output.trajectories.every "
                                  "sets how often they are written")
    ids = np.intersect1d(files[0]["id"], files[-1]["id"])
    if len(ids) == 0:
        ids = files[-1]["id"]
    chosen = ids[np.unique(np.linspace(0, len(ids) - 1, MOST_TRACKS).astype(int))]
    places = {number: [] for number in chosen}
    for file in files:
        found = file["id"]
        at = np.searchsorted(found, chosen)
        positions = file["position"]
        for number, place in zip(chosen, at):
            if place < len(found) and found[place] == number:
                places[number].append(positions[place])
    return [np.array(track) for track in places.values() if len(track) > 1]


def without_turns(track, lengths):
    """A track with gaps where it leaves at one end of the box and comes back at the other."""
    jumps = np.flatnonzero((np.abs(np.diff(track, axis=0)) > 0.5 * lengths).any(axis=1)) + 1
    return np.insert(track.astype(float), jumps, np.nan, axis=0)


def draw_tracks(files, flow, case, normal, place):
    """Tracks on the plane across an axis, over the speed of the flow where there is a snapshot."""
    across = ["xyz".index(axis) for axis in PLANES[normal]]
    grid = case["grid"]
    lengths = np.array(grid["length"], float)
    origin = np.array(grid["origin"], float)
    if flow is None:
        figure, panels = style.new_figure(1, 1, 3.5)
        panel = panels.flat[0]
        panel.set(xlabel=scaled(f"${'xyz'[across[0]]}/@L$"),
                  ylabel=scaled(f"${'xyz'[across[1]]}/@L$"), aspect="equal")
    else:
        figure = slices.draw_plane(flow, normal, place, ("speed",))
        panel = figure.axes[0]
    for track in tracks_of(files):
        shown = without_turns(track, lengths)
        for look in TRACK if flow is not None else TRACK[1:]:
            panel.plot(shown[:, across[0]], shown[:, across[1]], **look)
    panel.set(xlim=(origin[across[0]], origin[across[0]] + lengths[across[0]]),
              ylim=(origin[across[1]], origin[across[1]] + lengths[across[1]]))
    return figure


def friction_of(averages):
    """(friction velocity, viscosity) [U, U L] where averages of the flow have them; else nothing."""
    if averages is None or "friction_velocity" not in averages.attributes:
        return None
    return averages.attributes["friction_velocity"], 1 / averages.case["fluid"]["reynolds"]


def draw_concentration(means, averages=None):
    """Concentration and slip of each species: over the distance from the nearest wall in wall units
    where these are known, else over the axis of the bins.
    """
    axis = means.attributes["axis"]
    species = [name[:-len("_concentration")] for name in means if name.endswith("_concentration")]
    figure, panels = style.new_figure(1, 2, 2.8)
    places = means[axis]
    friction = friction_of(averages)
    boundaries = means.case["boundaries"]
    has_walls = all(boundaries.get(f"{axis}_{end}", {}).get("type") == "wall"
                    for end in ("min", "max"))
    half = slice(None)
    label = scaled(f"${axis}/@L$")
    if friction and has_walls:
        faces = means[f"{axis}_faces"]
        half = slice(len(places) // 2)
        places = (places - faces[0]) * friction[0] / friction[1]
        label = f"${axis}^+$"
    for name in species:
        for panel, array in zip(panels.flat, (f"{name}_concentration", f"{name}_slip_x")):
            values = means[array]
            if friction and has_walls:  # of both halves, where both are there
                values = (values + values[::-1]) / 2
            panel.plot(places[half], values[half], label=name)
    for panel, words in zip(panels.flat, ("concentration / mean", "$\\langle u - v \\rangle_x/@U$")):
        panel.set(xlabel=label, ylabel=scaled(words))
        if friction and has_walls:
            panel.set_xscale("log")
        panel.legend()
    if friction and has_walls:
        panels.flat[0].set_yscale("log")
    first, last = (means.attributes[f"{end}_time"] for end in ("first", "last"))
    style.set_title(figure, scaled(f"$t = {first:.4g}$ to ${last:.4g}\\,@L/@U$"))
    return figure
