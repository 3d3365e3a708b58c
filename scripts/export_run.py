#!/usr/bin/env python3
"""Writes a run's snapshots, averages and time series for other programs.

    scripts/export_run.py RUN_DIR --to csv|vtk|netcdf [OPTION ...]       the same as `dns export`

Writes files in RUN_DIR/export and prints their paths. Exit codes: 0 done, 2 wrong usage, 3 a file
could not be read or written. Needs h5py (Debian: python3-h5py).
"""
from needed_modules import require_modules

require_modules("dns export", "h5py")

import argparse  # noqa: E402
import pathlib  # noqa: E402

from dnsflow import ArrayFile, Run  # noqa: E402
from dnsflow.errors import NothingFoundError  # noqa: E402
from dnsflow.netcdf_files import write_netcdf  # noqa: E402
from dnsflow.rectilinear import write_pvd, write_vtr  # noqa: E402
from dnsflow.tables import Table, tables_of  # noqa: E402
from exit_codes import end_with_code  # noqa: E402
from pictures.files import write_aside  # noqa: E402
from pictures.options import UsageError, known_word, known_words, whole_number  # noqa: E402

FORMATS = ("csv", "vtk", "netcdf")
KINDS = ("snapshots", "averages", "series")


class Export:
    """Files of one format in one folder."""

    def __init__(self, run, file_format, folder):
        self.run, self.format, self.folder = run, file_format, folder
        folder.mkdir(parents=True, exist_ok=True)

    def write(self, name, write):
        path = self.folder / name
        write_aside(path, write)
        print(path)

    def tables(self, name, tables):
        for kind, table in tables.items():
            self.write(f"{name}{'_' if kind else ''}{kind}.csv", table.to_csv)

    def arrays(self, name, arrays):
        """A snapshot, averages or records."""
        if self.format == "csv":
            self.tables(name, tables_of(arrays))
        elif self.format == "vtk":
            self.write(f"{name}.vtr", lambda part: write_vtr(part, arrays))
        else:
            self.write(f"{name}.nc", lambda part: write_netcdf(part, arrays))

    def snapshots(self, step):
        if step is not None:
            flows = [self.run.snapshot(step)]
        else:
            flows = self.run.snapshots()
        times = []
        for flow in flows:
            self.arrays(flow.path.stem, flow)
            times.append((flow.time, f"{flow.path.stem}.vtr"))
        if self.format == "vtk" and len(times) > 1:
            self.write("fields.pvd", lambda part: write_pvd(part, times))
        return bool(times)

    def averages(self):
        """statistics.h5, what `dns average` has written, and averages by phase."""
        paths = [path for path in [self.run.folder / "statistics.h5",
                                   *sorted(self.run.folder.glob("averages_*.h5"))] if path.exists()]
        for path in paths:
            self.arrays(path.stem, ArrayFile(path, "dns statistics"))
        phases = self.run.folder / "statistics_phase.h5"
        if phases.exists():
            self.phases(self.run.statistics_phase())
        return bool(paths) or phases.exists()

    def phases(self, phases):
        """Averages by phase: of VTK a file for each bin, over the time within the period."""
        if self.format != "vtk":
            self.arrays(phases.path.stem, phases)
            return
        times = phases["phase"] * phases.attributes["period"]
        names = [f"{phases.path.stem}_{number:03}" for number in range(len(times))]
        for number, name in enumerate(names):
            self.arrays(name, phases.at("phase", number))
        self.write(f"{phases.path.stem}.pvd", lambda part: write_pvd(
            part, zip(map(float, times), (f"{name}.vtr" for name in names))))

    def series(self):
        """The time series and probes, points and lines."""
        found = {}
        try:
            found["timeseries"] = self.run.time_series()
        except NothingFoundError:
            pass
        found.update({f"probes_{name}": self.run.probe(name) for name in self.run.probe_names()})
        for name, series in found.items():
            if self.format == "netcdf":
                self.write(f"{name}.nc", lambda part, of=series: write_netcdf(part, of))
            else:  # ParaView reads tables
                self.tables(name, {"": series} if isinstance(series, Table) else tables_of(series))
        return bool(found)


def export():
    parser = argparse.ArgumentParser(prog="dns export", description=__doc__.splitlines()[0])
    parser.add_argument("run", type=pathlib.Path, metavar="RUN_DIR", help="the run's folder")
    parser.add_argument("--to", metavar="|".join(FORMATS))
    parser.add_argument("--only", metavar="KIND,...", help=", ".join(KINDS))
    parser.add_argument("--step", metavar="N", help="of the snapshot (default: all)")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="DIR")
    asked = parser.parse_args()
    if asked.to is None:
        raise UsageError("--to is missing, but must be csv, vtk or netcdf")
    file_format = known_word("--to", asked.to, FORMATS)
    kinds = KINDS if asked.only is None else known_words("--only", asked.only, KINDS,
                                                         ", or several between commas")
    step = None if asked.step is None else whole_number("--step", asked.step)
    run = Run(asked.run)
    exported = Export(run, file_format, asked.output or asked.run / "export")
    found = [exported.snapshots(step) if kind == "snapshots" else getattr(exported, kind)()
             for kind in kinds]
    if not any(found):
        raise NothingFoundError(f"{asked.run}: holds no {', no '.join(kinds)}")


if __name__ == "__main__":
    end_with_code("dns export", export)
