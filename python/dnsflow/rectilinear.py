"""Arrays on a rectilinear grid, for ParaView and PyVista."""
from typing import NamedTuple

import numpy as np

from dnsflow.errors import RunFileError
from dnsflow.importing import require_module
from dnsflow.tables import is_along

TYPES = {"f4": "Float32", "f8": "Float64"}


class Rectilinear(NamedTuple):
    """A grid with what belongs to it."""

    coordinates: tuple  # of the points along x, y, z [L]
    arrays: dict  # name -> (nz, ny, nx) or (nz, ny, nx, 3), of cells or points
    is_of_cells: bool


def rectilinear_of(arrays):
    """The Rectilinear of a snapshot or of averages: cells of scheme projection, else nodes.

    Averages have one cell, or node, along the axes that are averaged over. Left out are arrays on
    faces and spectra. Raises RunFileError where arrays are of several times or phases.
    """
    for axis in ("time", "phase", "point"):
        if any(axis in axes for axes in arrays.axes.values()):
            raise RunFileError(f"{arrays.path}: has the axis {axis}, but a grid shows one snapshot "
                               "or averages without it; averages.at('phase', 0) takes one phase")
    grid = arrays.case["grid"]
    is_of_cells = arrays.case["scheme"] == "projection"
    coordinates = []
    for low, length, axis in zip(grid["origin"], grid["length"], "xyz"):
        name = f"{axis}_faces" if is_of_cells else axis
        whole = [low, low + length] if is_of_cells else [low]
        coordinates.append(np.asarray(arrays[name] if name in arrays else whole, float))
    shape = tuple(len(places) - is_of_cells for places in reversed(coordinates))
    found = {}
    for name in arrays:
        axes = arrays.axes[name]
        if (set(axes) <= {"x", "y", "z", "component"} or axes == (name,)) and not is_along(arrays,
                                                                                           name):
            values = np.asarray(arrays[name])
            vector = values.shape[-1:] if "component" in axes else ()
            own = [count if axis in axes else 1 for axis, count in zip("zyx", shape)]
            found[name] = np.broadcast_to(values.reshape(*own, *vector), shape + vector)
    return Rectilinear(tuple(coordinates), found, is_of_cells)


def to_pyvista(flow):
    """A snapshot or averages as a pyvista.RectilinearGrid: cells, or nodes of scheme splitting.

    Averages by phase are of one phase: to_pyvista(averages.at("phase", 3)). Raises ImportError
    where pyvista is not installed, RunFileError for arrays of several times or phases.
    """
    require_module("pyvista", "pip install pyvista")
    import pyvista  # loaded by those who ask for it
    if not hasattr(flow, "axes"):
        raise TypeError("to_pyvista takes a snapshot or averages, such as run.snapshot(), not "
                        f"{type(flow).__name__}")
    found = rectilinear_of(flow)
    grid = pyvista.RectilinearGrid(*found.coordinates)
    data = grid.cell_data if found.is_of_cells else grid.point_data
    for name, values in found.arrays.items():
        data[name] = values.reshape(-1, *values.shape[3:])
    return grid


def write_vtr(path, arrays):
    """Writes a snapshot or averages as a RectilinearGrid of VTK (.vtr), see rectilinear_of.

    XML with the values behind it as they are in memory (appended, raw), which VTK 5.9 and ParaView
    read since long; TimeValue is the time [L/U].
    """
    found = rectilinear_of(arrays)
    blocks, offset = [], 0

    def described(name, values):
        """The element of an array whose values come next in the block behind the XML."""
        nonlocal offset
        values = np.ascontiguousarray(values, dtype=np.dtype(values.dtype).newbyteorder("<"))
        count = 3 if values.ndim == 4 else 1
        element = (f'<DataArray type="{TYPES[values.dtype.str[1:]]}" Name="{name}" '
                   f'NumberOfComponents="{count}" format="appended" offset="{offset}"/>\n')
        blocks.append(values)
        offset += 8 + values.nbytes
        return element

    extent = " ".join(f"0 {len(places) - 1}" for places in found.coordinates)
    kind = "CellData" if found.is_of_cells else "PointData"
    data = "".join(described(name, values) for name, values in found.arrays.items())
    places = "".join(described(axis, values) for axis, values in zip("xyz", found.coordinates))
    with open(path, "wb") as file:
        file.write(
            '<?xml version="1.0"?>\n<VTKFile type="RectilinearGrid" version="1.0" '
            'byte_order="LittleEndian" header_type="UInt64">\n'
            f'<RectilinearGrid WholeExtent="{extent}">\n<FieldData>\n<DataArray type="Float64" '
            f'Name="TimeValue" NumberOfTuples="1" format="ascii">{arrays.time!r}</DataArray>\n'
            f'</FieldData>\n<Piece Extent="{extent}">\n<{kind}>\n{data}</{kind}>\n'
            f"<Coordinates>\n{places}</Coordinates>\n</Piece>\n</RectilinearGrid>\n"
            '<AppendedData encoding="raw">\n_'.encode())
        for values in blocks:
            file.write(np.uint64(values.nbytes).astype("<u8").tobytes())
            file.write(values.data)
        file.write(b"\n</AppendedData>\n</VTKFile>\n")


def write_pvd(path, names_of_times):
    """Writes a list of files of VTK over time: (time, name) each."""
    listed = "".join(f'<DataSet timestep="{time!r}" file="{name}"/>\n'
                     for time, name in names_of_times)
    path.write_text('<?xml version="1.0"?>\n<VTKFile type="Collection" version="0.1">\n'
                    f"<Collection>\n{listed}</Collection>\n</VTKFile>\n", encoding="utf-8")
