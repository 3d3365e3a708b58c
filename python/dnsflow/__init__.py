"""Reads the folder of a run of `dns` into NumPy arrays, or xarray; writes flows to start from.

    from dnsflow import Run, interpolate, q_criterion, spectrum, vorticity

    run = Run("runs/channel192")
    flow = run.snapshot()                    # the newest; run.snapshot(50): that of step 50
    u = flow["velocity"][..., 0]             # (nz, ny, nx), at flow["x"], flow["y"], flow["z"]
    plane = flow.read("velocity", z=12)      # (ny, nx, 3): one plane, nothing else is read
    averages = run.statistics()              # averages["uv"] over averages["y"]
    series = run.time_series()               # series["kinetic_energy"] over series["time"]
    record = run.plane("inlet")              # record["velocity_x"] (times, nz, ny)
    run.case["fluid"]["reynolds"]

    flow.to_xarray()                         # the same of averages, series, record
    flow.to_pandas(), flow.to_csv("flow.csv")
    run.snapshots().to_xarray()              # all of them over time, read when they are used
    vorticity(flow), spectrum(flow, "x"), interpolate(flow, [[0.5, 0.1, 0.2]])
    print(run), print(flow)                  # what they hold

    run.averages(22, 32)                     # windows joined; averages["uv_uncertainty"], 95 %
    collect(["runs/a", "runs/b"])            # a table of runs; .to_pandas(), .to_csv(path)
    write_start("own.h5", x, y, z, velocity=...)     # for initial: {type: file, path: own.h5}
    write_planes("planes_in.h5", times, velocity, y=y, z=z)      # for an inflow from these planes

All numbers are non-dimensional: lengths in L, velocities in U, times in L/U, temperatures in T0,
pressure over density in U^2. The files may belong to a run that is going on or was killed: what is
still being written (*.part, the last line of the time series) is left out.

Arrays whose values do not match the checksum that the program wrote with them are refused.

Needs numpy and h5py (Debian: python3-h5py), and xarray, pandas or pyvista for to_xarray(),
to_pandas() and to_pyvista(). Whatever cannot be read raises RunFileError.
"""
import importlib

from dnsflow.importing import require_module

require_module("numpy", "apt-get install python3-numpy, or pip install --upgrade numpy")
require_module("h5py", "apt-get install python3-h5py, or pip install --upgrade h5py numpy")

from dnsflow.array_file import ArrayFile  # noqa: E402
from dnsflow.case import parse_case  # noqa: E402
from dnsflow.collected import collect  # noqa: E402
from dnsflow.errors import (CaseError, CaseWarning, DeviceError, DivergenceError,  # noqa: E402
                            Error, IoError, RunFileError, ViewInUse)
from dnsflow.flow_fields import (dissipation, kinetic_energy, plane_mean,  # noqa: E402
                                 q_criterion, vorticity)
from dnsflow.frequencies import FrequencySpectrum, frequency_spectrum  # noqa: E402
from dnsflow.interpolation import Interpolator, interpolate  # noqa: E402
from dnsflow.plane_file import write_planes  # noqa: E402
from dnsflow.rectilinear import to_pyvista  # noqa: E402
from dnsflow.run import Run  # noqa: E402
from dnsflow.spectra import Spectrum, line_spectrum, spectrum  # noqa: E402
from dnsflow.start_file import write_start  # noqa: E402
from dnsflow.uncertainty import uncertainty_of_mean  # noqa: E402
from dnsflow.version import __version__  # noqa: E402

# Runs that Python steps need the compiled part, which is loaded when it is asked for.
CONTROL = {"Simulation": "simulation", "Stop": "simulation", "STOP": "simulation",
           "Case": "case_input", "check": "case_input", "keys": "case_input",
           "schema": "case_input", "doctor": "machine"}


def __getattr__(name):
    if name not in CONTROL:
        raise AttributeError(f"module 'dnsflow' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"dnsflow.{CONTROL[name]}"), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *CONTROL})


__all__ = ["ArrayFile", "CaseError", "CaseWarning", "DeviceError", "DivergenceError", "Error",
           "FrequencySpectrum", "IoError", "Interpolator", "Run", "RunFileError", "Spectrum",
           "__version__", "collect", "dissipation", "frequency_spectrum", "interpolate",
           "kinetic_energy", "line_spectrum", "parse_case", "plane_mean", "q_criterion",
           "spectrum", "to_pyvista", "uncertainty_of_mean", "ViewInUse", "vorticity",
           "write_planes", "write_start"]
