"""Recorded planes and lines of probes.

planes_NAME.h5 lists the records, pieces such as planes_NAME_00000120.h5 hold them; probes_NAME.h5
likewise.
"""
from collections.abc import Sequence

import numpy as np

from dnsflow.array_file import ArrayFile
from dnsflow.errors import NothingFoundError, RunFileError, reading
from dnsflow.joined_arrays import JoinedArrays
from dnsflow.tables import whole_numbers

LISTS = ("time", "step")  # of all records
PIECES = ("piece_step", "piece_records")  # last step and number of records of each


class Pieces(Sequence):
    """The pieces of a record, each an ArrayFile that is opened when it is first asked for."""

    def __init__(self, kind, paths, ends, steps):
        """ends: the number of records up to the end of each piece; steps: of all records."""
        self.kind, self.paths, self._ends, self._steps = kind, paths, ends, steps
        self._opened = {}

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, number):
        if number not in self._opened:
            piece = ArrayFile(self.paths[number], f"dns {self.kind} piece")
            first = self._ends[number - 1] if number > 0 else 0
            if not np.array_equal(piece["step"], self._steps[first:self._ends[number]]):
                raise RunFileError(f"{piece.path}: does not hold the steps that are listed of it")
            if self.kind == "probes":  # x, y, z are those of the points on the line
                piece.facts.update({axis: piece.facts[axis]._replace(axes=("point",))
                                    for axis in "xyz" if axis in piece})
            self._opened[number] = piece
        return self._opened[number]


def read_records(folder, kind, name):
    """All records of a plane (kind "planes") or of a line ("probes") over time: JoinedArrays.

    Of a plane velocity_x, velocity_y, velocity_z, temperature, other scalars, pressure (records,
    second, first) at the centres of cells or at nodes, such as (time, z, y) across x; of cells the
    two velocities along the plane also as velocity_y_faces, velocity_z_faces, where the solver has
    them. Attributes: axis, at [L]. Of a line the same variables (records, points), at x, y, z
    (points).

    Raises RunFileError where there is none; a piece that is missing is an error for those who read
    its records.
    """
    path = folder / f"{kind}_{name}.h5"
    if not path.exists():
        raise NothingFoundError(f"{path}: no such file; the case names the {kind} that are "
                                f"recorded: output.{kind}")
    listed = ArrayFile(path, f"dns {kind}", LISTS + PIECES)
    time, step = listed["time"], whole_numbers(path, listed["step"])
    last_steps, records = (whole_numbers(path, listed[piece]) for piece in PIECES)
    paths = [folder / f"{kind}_{name}_{last:08}.h5" for last in last_steps]
    found = [number for number, piece in enumerate(paths) if piece.exists()]
    with reading(path):
        pieces = Pieces(kind, paths, np.cumsum(records), step)
        if len(records) != len(paths) or sum(map(int, records)) != len(step):
            raise RunFileError(f"{path}: its pieces do not have its {len(step)} records")
    if not found:
        raise NothingFoundError(f"{path}: none of its {len(paths)} pieces is there")
    like = pieces[found[-1]]
    return JoinedArrays(path, listed.attributes, pieces, like, records,
                        {"time": time, "step": step})
