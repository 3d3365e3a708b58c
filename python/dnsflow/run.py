"""The folder of a run."""
import os
import pathlib
import re

from dnsflow.array_file import ArrayFile
from dnsflow.averages import averages_between
from dnsflow.case import parse_case
from dnsflow.errors import NothingFoundError, RunFileError, reading, reading_file
from dnsflow.file_series import FileSeries
from dnsflow.records import read_records
from dnsflow.shown import Shown, number_text, steps_text
from dnsflow.tables import TimeSeries, read_table
from dnsflow.trajectories import trajectory_in

BODY_VECTORS = {"force", "torque", "position", "velocity", "rotation", "quaternion"}
BODY_NUMBERS = {"heat", "nusselt"}


class Run(Shown):
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
        with reading_file(path):
            return path.read_text(encoding="utf-8-sig")

    @property
    def log_text(self):
        """What the run has logged; "" without log.txt."""
        path = self.folder / "log.txt"
        if not path.exists():
            return ""
        with reading_file(path):
            return path.read_text(encoding="utf-8", errors="replace")

    @property
    def case(self):
        """The resolved case, every default spelt out: case["grid"]["points"] == [nx, ny, nz]."""
        return parse_case(self.case_text, f"{self.folder / 'case.yaml'}: the case")

    def _title(self):
        return f"Run {self.folder}"

    def _rows(self):
        """What the folder holds; of what cannot be read, why."""
        for name, words in (("case", self._case_in_words), ("time series", self._reached),
                            ("averages", self._averaged)):
            try:
                yield name, words()
            except NothingFoundError:
                yield name, "none"
            except RunFileError as error:
                yield name, str(error)
        yield "snapshots", steps_text(self.snapshot_paths())
        yield "planes", ", ".join(self.plane_names()) or "none"
        yield "probes", ", ".join(self.probe_names()) or "none"
        if self.species_names():
            yield "particles", ", ".join(self.species_names())

    def _case_in_words(self):
        case = self.case
        points = " x ".join(map(str, case["grid"]["points"]))
        return f"{case['case']}: {case['scheme']}, {points}, Re {case['fluid']['reynolds']:g}"

    def _reached(self):
        series = self.time_series()
        return f"{len(series['time'])} lines to t = {number_text(series['time'][-1])}"

    def _averaged(self):
        times = (number_text(self.statistics().attributes[f"{end}_time"])
                 for end in ("first", "last"))
        return f"from t = {' to '.join(times)}, windows {len(self.statistics_windows())}"

    def snapshot_paths(self):
        """Paths of all snapshots by step, the oldest first."""
        return self._numbered_paths(r"fields_(\d{8,})\.h5")

    def snapshot(self, step=None):
        """The snapshot of a step; without one the newest. An ArrayFile."""
        paths = self.snapshot_paths()
        if not paths:
            raise NothingFoundError(f"{self.folder}: holds no snapshot; the case sets how often "
                                    "one is written: output.fields.every")
        if step is None:
            step = max(paths)
        if step not in paths:
            raise RunFileError(f"{self.folder}: holds no snapshot of step {step}, but of "
                               f"{', '.join(map(str, paths))}")
        return ArrayFile(paths[step], "dns snapshot")

    def snapshots(self):
        """All snapshots, the oldest first: a FileSeries."""
        return FileSeries(self.folder, self.snapshot_paths().values(), "dns snapshot")

    def statistics(self):
        """The averages so far. An ArrayFile."""
        path = self.folder / "statistics.h5"
        if not path.exists():
            raise NothingFoundError(f"{path}: no such file; the case sets when averages are "
                                    "taken: output.statistics")
        return ArrayFile(path, "dns statistics")

    def statistics_windows(self):
        """The averages of each window of time (output.statistics.window): a FileSeries.

        Of each, first_time and last_time [L/U] and samples are attributes. Averages that were set
        aside since the case was changed are among them.
        """
        paths = self._numbered_paths(r"statistics_(\d{8,})\.h5")
        return FileSeries(self.folder, paths.values(), "dns statistics")

    def statistics_phase(self):
        """Averages by the time within a period (output.statistics.phase). An ArrayFile.

        Arrays have the axis `phase` before those of statistics(): file["u"] is (bins, ny) over
        file["phase"], the centres of the bins in parts of the period, with moments about the mean
        of the bin. file["phase_duration"] is the time in each bin [L/U]; where it is 0, averages
        are NaN. The attribute period is in L/U.
        """
        path = self.folder / "statistics_phase.h5"
        if not path.exists():
            raise NothingFoundError(f"{path}: no such file; the case sets the period: "
                                    "output.statistics.phase")
        return ArrayFile(path, "dns statistics")

    def averages(self, first=None, last=None, reference=None):
        """The averages from one time to another [L/U] (None: from the first on, to the last), with
        their 95 % uncertainty: an Averages.

        averages["uv_uncertainty"] is half of the interval of averages["uv"]; numbers of the time
        series, as averages.attributes["nusselt_y_min"], have it likewise. For force_coefficient_*
        reference gives "area" [L^2] and "velocity" [U] where those of the case shall not count.

        Windows of time are joined, see joined_windows. A time within a window counts as the nearest
        edge. Where the case was changed, the averages are those of the newest flow in that time.
        averages.notes says both, and what is left out.

        Raises EdgeError, a ValueError, where no window lies between the times, or where windows
        between them do not join; RunFileError.
        """
        return averages_between(self, first, last, reference)

    def plane_names(self):
        """The names of the planes that were recorded (output.planes)."""
        return self._names_of(r"planes_(.+)\.h5", r"planes_.+_\d{8,}\.h5")

    def plane(self, name):
        """All records of a plane: plane("inlet")["velocity_x"] is (records, nz, ny) across x.

        JoinedArrays, see read_records.
        """
        return read_records(self.folder, "planes", name)

    def probe_names(self):
        """The names of the probes that were recorded (output.probes), points and lines."""
        points = self._names_of(r"probes_(.+)\.csv", "")
        return sorted(points + self._names_of(r"probes_(.+)\.h5", r"probes_.+_\d{8,}\.h5"))

    def probe(self, name):
        """All records of a probe: probe("wake")["velocity_x"].

        Of a point a TimeSeries with step, time [L/U], velocity_x, velocity_y, velocity_z [U], ...;
        of a line JoinedArrays (records, points), see read_records.
        """
        table, lines = (self.folder / f"probes_{name}.{ending}" for ending in ("csv", "h5"))
        if not table.exists() and not lines.exists():
            raise NothingFoundError(f"{table}: no such file, nor {lines.name}; the case names the "
                                    "probes that are recorded: output.probes")
        return read_table(table) if table.exists() else read_records(self.folder, "probes", name)

    def species_names(self):
        """The names of the species of particles that were written (output.trajectories)."""
        found = {re.fullmatch(r"particles_(.+)_\d{8,}\.h5", name) for name in self._names()}
        return sorted({match[1] for match in found if match})

    def particles(self, name):
        """The files of a species, the oldest first: a FileSeries.

        particles("dust")[-1]["position"] is (particles, 3), in the order of their ids in
        ["id"]; velocity and fluid_velocity [U] are there where the case asks for them.
        """
        paths = self._numbered_paths(rf"particles_{re.escape(name)}_(\d{{8,}})\.h5")
        if not paths:
            raise NothingFoundError(f"{self.folder}: holds no particles of {name}; the case sets "
                                    "how often they are written: output.trajectories")
        return FileSeries(self.folder, paths.values(), "dns particles")

    def trajectory(self, name, number):
        """One particle of a species over time, by its id: a TimeSeries.

        Its columns are step, time [L/U], x, y, z [L], and velocity_x, ..., fluid_velocity_x, ...
        [U] where they were written. Raises NothingFoundError where no file has it.
        """
        return trajectory_in(self.particles(name), name, number)

    def particle_statistics(self):
        """Means over particles by their place along an axis. An ArrayFile, see docs/particles.md.

        particle_statistics()["dust_concentration"] is over ["y"].
        """
        path = self.folder / "particle_statistics.h5"
        if not path.exists():
            raise NothingFoundError(f"{path}: no such file; the case sets when samples are taken: "
                                    "output.particle_statistics")
        return ArrayFile(path, "dns particle statistics")

    def body(self, name):
        """One moving body over time: a TimeSeries, the columns of timeseries.csv that have its name.

        body("ball")["position_x"] [L]: step, time [L/U], force_x [U^2 L^2], torque_x [U^2 L^3],
        position_x, velocity_x [U], rotation_x [U/L], ..., quaternion_w, ... where it turns, and
        heat or SCALAR_flux. Of a body at rest forces and fluxes alone.
        """
        series = self.time_series()
        columns = [(column, series[column]) for column in ("step", "time")]
        vector = re.compile(rf"(\w+?)_{re.escape(name)}_([wxyz])|(\w+)_{re.escape(name)}")
        for column, values in series.items():
            match = vector.fullmatch(column)
            quantity = match and (match[1] or match[3])
            if quantity in BODY_VECTORS and match[2]:
                columns.append((f"{quantity}_{match[2]}", values))
            elif match and match[3] and (quantity in BODY_NUMBERS or quantity.endswith("_flux")):
                columns.append((quantity, values))
        if len(columns) == 2:
            raise NothingFoundError(f"{series.path}: has no columns of a body {name}; several "
                                    f"bodies of one entry are in bodies({name!r})")
        return TimeSeries(series.path, columns)

    def bodies(self, name):
        """All bodies of an entry of solids with a count over time: an ArrayFile.

        bodies("balls")["position"] is (records, bodies, 3) [L], at ["time"] [L/U] and ["step"], as
        are velocity [U], rotation [U/L], force [U^2 L^2] and torque [U^2 L^3]; quaternion
        (records, bodies, 4) is w, x, y, z. heat and SCALAR_flux are (records, bodies).
        """
        path = self.folder / f"bodies_{name}.h5"
        if not path.exists():
            raise NothingFoundError(f"{path}: no such file; entries of solids with a count have "
                                    "one, written as often as output.timeseries.every says")
        return ArrayFile(path, "dns bodies")

    def time_series(self):
        """Columns of timeseries.csv by name, all of one length: step as integers, the rest double.

        time, dt [L/U], cfl, divergence_mean, divergence_max [U/L], kinetic_energy [U^2],
        dissipation [U^3/L], and what else the flow has: bulk_velocity_x, friction_velocity [U],
        wall_shear_* [U^2], nusselt_*, heat_flux_* [U T0], temperature_mean [T0], force_NAME_x of
        bodies [U^2 L^2], ...; wall_seconds [s] start again at every resume. A TimeSeries.
        """
        path = self.folder / "timeseries.csv"
        if not path.exists():
            raise NothingFoundError(f"{path}: no such file; the case sets how often a line is "
                                    "written: output.timeseries.every")
        return read_table(path)

    def _names(self):
        with reading(self.folder):
            return os.listdir(self.folder)

    def _numbered_paths(self, pattern):
        """Paths of the files whose names match by the number in them, ascending."""
        matches = (re.fullmatch(pattern, name) for name in self._names())
        found = {int(match[1]): self.folder / match[0] for match in matches if match}
        return dict(sorted(found.items()))

    def _names_of(self, pattern, but):
        """What stands for the names in the names of files, sorted."""
        matches = (re.fullmatch(pattern, name) for name in self._names()
                   if not re.fullmatch(but, name))
        return sorted(match[1] for match in matches if match)
