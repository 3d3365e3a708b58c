"""What ParaView reads, and what the program wrote, as arrays."""

import glob
import os
import xml.etree.ElementTree
from dataclasses import dataclass

import h5py
from paraview import simple
from paraview.vtk.util.numpy_support import vtk_to_numpy

READERS = {
    "default": lambda path: simple.XDMFReader(FileNames=[path]),
    "Xdmf3ReaderS": lambda path: simple.Xdmf3ReaderS(FileName=[path]),
    "Xdmf3ReaderT": lambda path: simple.Xdmf3ReaderT(FileName=[path]),
}


@dataclass
class ReadGrid:
    """One time as ParaView has it; arrays are shaped like those of the file."""

    time: float
    coordinates: dict  # by axis
    of_cells: dict  # by variable
    of_points: dict


def arrays_of(attributes, points_zyx):
    """The arrays of cells or of points."""
    arrays = {}
    for number in range(attributes.GetNumberOfArrays()):
        array = attributes.GetArray(number)
        components = array.GetNumberOfComponents()
        shape = points_zyx if components == 1 else (*points_zyx, components)
        arrays[attributes.GetArrayName(number)] = vtk_to_numpy(array).reshape(shape).copy()
    return arrays


def grid_at(reader, time):
    """What a reader makes of one time."""
    reader.UpdatePipeline(time)
    # servermanager.Fetch has been seen to return freed memory of XDMF readers.
    grid = reader.GetClientSideObject().GetOutputDataObject(0)
    nodes_xyz = grid.GetDimensions()
    return ReadGrid(
        time=grid.GetInformation().Get(grid.DATA_TIME_STEP()),
        coordinates={
            "x": vtk_to_numpy(grid.GetXCoordinates()).copy(),
            "y": vtk_to_numpy(grid.GetYCoordinates()).copy(),
            "z": vtk_to_numpy(grid.GetZCoordinates()).copy(),
        },
        of_cells=arrays_of(grid.GetCellData(), [nodes - 1 for nodes in reversed(nodes_xyz)]),
        of_points=arrays_of(grid.GetPointData(), list(reversed(nodes_xyz))),
    )


@dataclass
class ReadPoints:
    """The points of one time as ParaView has them."""

    places: list
    vertices: list  # the number of the point of each
    values: dict  # by variable


def points_at(reader, time):
    """What a reader makes of one time of particles."""
    reader.UpdatePipeline(time)
    grid = reader.GetClientSideObject().GetOutputDataObject(0)
    values = grid.GetPointData()
    arrays = [values.GetArray(number) for number in range(values.GetNumberOfArrays())]
    return ReadPoints(
        places=vtk_to_numpy(grid.GetPoints().GetData()).copy(),
        vertices=[grid.GetCell(n).GetPointId(0) for n in range(grid.GetNumberOfCells())],
        values={array.GetName(): vtk_to_numpy(array).copy() for array in arrays},
    )


def snapshot_paths(folder):
    return sorted(glob.glob(os.path.join(folder, "fields_*.h5")))


def time_of(path):
    with h5py.File(path, "r") as file:
        return float(file.attrs["time"])


def written(path):
    """Every dataset of a snapshot."""
    with h5py.File(path, "r") as file:
        return {name: dataset[()] for name, dataset in file.items()}


def listed_items(list_path):
    """(path of the file, dataset, shape) of everything that a list names, read as XML."""
    items = []
    for item in xml.etree.ElementTree.parse(list_path).iter("DataItem"):
        file, dataset = item.text.strip().split(":/")
        shape = tuple(int(size) for size in item.get("Dimensions").split())
        items.append((os.path.join(os.path.dirname(list_path), file), dataset, shape))
    return items


def listed_files(list_path):
    return sorted({path for path, _, _ in listed_items(list_path)})
