"""Fields that CaNS (github.com/CaNS-World/CaNS) wrote as raw binary files, the back end `mpiio`.

Each file holds values of `ng` cells, x fastest, of the precision that CaNS was built with.
Velocities lie on the upper face of each cell across their axis, pressure and scalars at centres.
Three kinds of files are known; the first of these that a folder holds is read:

    fld_u.bin, fld_v.bin, fld_w.bin, fld_p.bin, fld_s_001.bin     checkpoint, each field and time, step
    fld.bin                                                       checkpoint: all fields, then time, step
    vex_fld_0001000.bin, vey_, vez_, pre_, sca_001_               fields for viewing: the latest step

geometry.out says how many cells and how long the box is, grid.bin where the faces across z lie.
"""
import pathlib

import numpy as np

from dnsflow import RunFileError

NAMES = ("velocity_x", "velocity_y", "velocity_z", "pressure", "temperature")
CHECKPOINT = ("fld_u.bin", "fld_v.bin", "fld_w.bin", "fld_p.bin", "fld_s_001.bin")
VIEWED = ("vex", "vey", "vez", "pre", "sca_001")


class CansFields:
    """What a folder of CaNS (`data/`) holds. Raises RunFileError where that is no such folder.

    folder   its path
    cells    along x, y, z
    lengths  of the box
    fields   by name velocity_x, velocity_y, velocity_z, pressure and, if there is one, temperature:
             arrays (nx, ny, nz), velocities on the upper faces of the cells
    """

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.cells, self.lengths = read_geometry(self.folder / "geometry.out")
        check_equal_cells(self.folder / "grid.bin", self.cells[2], self.lengths[2])
        self.fields = self._read()

    def _read(self):
        if (self.folder / CHECKPOINT[0]).exists():
            return self._separate([self.folder / name for name in CHECKPOINT], 2)
        if (self.folder / "fld.bin").exists():
            return self._joined(self.folder / "fld.bin")
        steps = sorted(path.name.removeprefix("vex") for path in self.folder.glob("vex_fld_*.bin"))
        if not steps:
            raise RunFileError(f"{self.folder}: holds no fields of CaNS: neither {CHECKPOINT[0]} "
                               "nor fld.bin nor vex_fld_*.bin")
        return self._separate([self.folder / f"{name}{steps[-1]}" for name in VIEWED], 0)

    def _separate(self, paths, numbers_behind):
        """Of one file for each field; the last one need not be there."""
        count = np.prod(self.cells)
        return {name: self._shaped(read_numbers(path, [count + numbers_behind])[:count])
                for name, path in zip(NAMES, paths) if name != "temperature" or path.exists()}

    def _joined(self, path):
        """Of one file with all fields, with a scalar or without."""
        count = np.prod(self.cells)
        numbers = read_numbers(path, [4 * count + 2, 5 * count + 2])[:-2]
        return {name: self._shaped(one) for name, one in zip(NAMES, numbers.reshape(-1, count))}

    def _shaped(self, numbers):
        return numbers.reshape(self.cells, order="F").astype(float)


def read_geometry(path):
    """Cells and lengths of the box."""
    try:
        words = path.read_text(encoding="ascii").split()
        cells, lengths = tuple(map(int, words[:3])), tuple(map(float, words[3:]))
    except (OSError, ValueError) as error:
        raise RunFileError(f"{path}: cannot be read: {error}") from error
    if len(lengths) != 3 or min(cells) < 1:
        raise RunFileError(f"{path}: does not hold the numbers of cells along x, y, z and the "
                           "lengths of the box")
    return cells, lengths


def check_equal_cells(path, cells, length):
    """Raises RunFileError where the faces across z, the last of four columns, are not equidistant;
    nothing is checked where the file is not there."""
    if path.exists():
        faces = read_numbers(path, [4 * cells])[-cells:]
        if abs(faces - length * np.arange(1, cells + 1) / cells).max() > 1e-6 * length:
            raise RunFileError(f"{path}: the cells along z are not equal; set gr = 0")


def read_numbers(path, counts):
    """All numbers of a file that must hold one of `counts`, in double or in single precision."""
    try:
        size = path.stat().st_size
        for kind in (np.float64, np.float32):
            if size in [count * np.dtype(kind).itemsize for count in counts]:
                return np.fromfile(path, kind)
    except OSError as error:
        raise RunFileError(f"{path}: cannot be read: {error}") from error
    raise RunFileError(f"{path}: has {size} bytes, but must have "
                       f"{' or '.join(str(8 * count) for count in counts)} (half of it in single "
                       "precision)")
