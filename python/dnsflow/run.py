"""The folder of a run."""
import os
import pathlib
import re

import numpy as np

from dnsflow.array_file import ArrayFile
from dnsflow.case import parse_case
from dnsflow.errors import RunFileError, reading


class Run:
    """The folder of a run. Raises RunFileError when there is none.

    folder  its path
    """

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        if not self.folder.is_dir():
            raise RunFileError(f"{folder}: no such folder")
        if not (self.folder / "case.yaml").exists():
            raise RunFileError(f"{folder}: holds no run (no case.yaml)")

    @property
    def case_text(self):
        """The resolved case as YAML."""
        path = self.folder / "case.yaml"
        with reading(path):
            return path.read_text(encoding="utf-8")

    @property
    def case(self):
        """The resolved case, every default spelt out: case["grid"]["points"] == [nx, ny, nz]."""
        return parse_case(self.case_text)

    def snapshot_paths(self):
        """Paths of all snapshots by step, the oldest first."""
        found = {}
        with reading(self.folder):
            names = os.listdir(self.folder)
        for name in names:
            numbered = re.fullmatch(r"fields_(\d{8,})\.h5", name)
            if numbered:
                found[int(numbered[1])] = self.folder / name
        return dict(sorted(found.items()))

    def snapshot(self, step=None):
        """The snapshot of a step; without one the newest. An ArrayFile."""
        paths = self.snapshot_paths()
        if not paths:
            raise RunFileError(f"{self.folder}: holds no snapshot; the case sets how often one is "
                               "written: output.fields.every")
        if step is None:
            step = max(paths)
        if step not in paths:
            raise RunFileError(f"{self.folder}: holds no snapshot of step {step}, but of "
                               f"{', '.join(map(str, paths))}")
        return ArrayFile(paths[step], "dns snapshot")

    def snapshots(self):
        """All snapshots, the oldest first, one at a time."""
        return (ArrayFile(path, "dns snapshot") for path in self.snapshot_paths().values())

    def statistics(self):
        """The averages so far. An ArrayFile."""
        path = self.folder / "statistics.h5"
        if not path.exists():
            raise RunFileError(f"{path}: no such file; the case sets when averages are taken: "
                               "output.statistics")
        return ArrayFile(path, "dns statistics")

    def time_series(self):
        """Columns of timeseries.csv by name, all of one length: step as integers, the rest double.

        time, dt [L/U], cfl, divergence_mean, divergence_max [U/L], kinetic_energy [U^2],
        dissipation [U^3/L], and what else the flow has: bulk_velocity_x, friction_velocity [U],
        wall_shear_* [U^2], nusselt_*, temperature_mean [T0], force_NAME_x of bodies [U^2 L^2],
        ...; wall_seconds [s] start again at every resume.
        """
        path = self.folder / "timeseries.csv"
        if not path.exists():
            raise RunFileError(f"{path}: no such file; the case sets how often a line is written: "
                               "output.timeseries.every")
        with reading(path):
            header, *lines = path.read_text(encoding="utf-8").split("\n")
            names = header.split(",")
            # What follows the last end of a line is empty, or a line that is still being written.
            whole = [line for line in lines[:-1] if line.count(",") == len(names) - 1]
            if not whole:
                raise RunFileError(f"{path}: holds no line yet")
            series = dict(zip(names, np.loadtxt(whole, delimiter=",", ndmin=2).T))
            return {**series, "step": series["step"].astype(int)}
