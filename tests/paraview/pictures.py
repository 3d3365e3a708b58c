"""Pictures and streamlines made with ParaView, as arrays."""

from paraview import simple
from paraview.vtk.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

WIDTH, HEIGHT = 400, 300


def pixels(path):
    """The colours of a PNG file: (rows from below, columns, red green blue)."""
    reader = vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    image = reader.GetOutput()
    columns, rows, _ = image.GetDimensions()
    return vtk_to_numpy(image.GetPointData().GetScalars()).reshape(rows, columns, -1).copy()


def slice_picture(list_path, z, png_path):
    """The temperature at the start in a plane z, seen along z with x to the right and y up."""
    reader = simple.XDMFReader(FileNames=[list_path])
    reader.UpdatePipeline(0.0)
    values = "CELLS" if reader.CellData.keys() else "POINTS"
    plane = simple.Slice(Input=reader, SliceType="Plane")
    plane.SliceType.Origin = [0, 0, z]
    plane.SliceType.Normal = [0, 0, 1]
    view = simple.CreateRenderView(ViewSize=[WIDTH, HEIGHT], OrientationAxesVisibility=0)
    display = simple.Show(plane, view)
    simple.ColorBy(display, (values, "temperature"))
    display.RescaleTransferFunctionToDataRange()
    simple.ResetCamera(view)
    simple.SaveScreenshot(png_path, view, ImageResolution=[WIDTH, HEIGHT])
    simple.Delete(view)
    return pixels(png_path)


def streamline(list_path, start):
    """Points (n, 3) of the streamline of the flow at the start that leaves a point downstream."""
    reader = simple.XDMFReader(FileNames=[list_path])
    reader.UpdatePipeline(0.0)
    tracer = simple.StreamTracer(Input=reader, SeedType="Point Cloud")
    tracer.SeedType.Center = start
    tracer.SeedType.NumberOfPoints = 1
    tracer.SeedType.Radius = 0
    tracer.Vectors = ["POINTS", "velocity"]
    tracer.IntegrationDirection = "FORWARD"
    tracer.UpdatePipeline(0.0)
    line = tracer.GetClientSideObject().GetOutputDataObject(0)
    return vtk_to_numpy(line.GetPoints().GetData()).copy()


def contour(list_path, open_list, variable, value):
    """Points (n, 3) where a variable of the first time has a value."""
    reader = open_list(list_path)
    reader.UpdatePipeline(reader.TimestepValues[0])
    lines = simple.Contour(Input=reader, ContourBy=["POINTS", variable], Isosurfaces=[value])
    lines.UpdatePipeline(reader.TimestepValues[0])
    found = lines.GetClientSideObject().GetOutputDataObject(0)
    return vtk_to_numpy(found.GetPoints().GetData()).copy()
