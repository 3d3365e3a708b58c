"""Particles over time."""
import numpy as np

from dnsflow.errors import NothingFoundError
from dnsflow.tables import TimeSeries

VECTORS = {"position": "{}", "velocity": "velocity_{}", "fluid_velocity": "fluid_velocity_{}",
           "unwrapped": "unwrapped_{}"}


def trajectory_in(files, name, number):
    """One particle in the files of its species, by its id: a TimeSeries."""
    lines = []
    for file in files:
        ids = file["id"] if "id" in file else np.empty(0)
        place = np.searchsorted(ids, number)
        if place == len(ids) or ids[place] != number:
            continue
        line = {"step": file.step, "time": file.time}
        for array, column in VECTORS.items():
            if array in file:
                values = file.read(array, particle=slice(place, place + 1))[0]
                line.update({column.format(axis): value for axis, value in zip("xyz", values)})
        if "diameter" in file:
            line["diameter"] = file.read("diameter", particle=slice(place, place + 1))[0]
        lines.append(line)
    if not lines:
        raise NothingFoundError(f"{files.folder}: no file holds particle {number} of {name}")
    common = [column for column in lines[0] if all(column in line for line in lines)]
    return TimeSeries(files.folder,
                      [(column, np.array([line[column] for line in lines])) for column in common])
