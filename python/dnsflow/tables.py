"""Time series in tables: timeseries.csv, probes_NAME.csv."""
import numpy as np

from dnsflow.errors import RunFileError, reading


class TimeSeries(dict):
    """Columns of a table by name, all of one length: `step` as integers, the rest double.

    path  of the file
    """

    def __init__(self, path, columns):
        super().__init__(columns)
        self.path = path

    def to_xarray(self):
        """An xarray.Dataset over time. Raises ImportError where xarray is not installed."""
        from dnsflow import xarray_datasets  # xarray is loaded by those who ask for it
        return xarray_datasets.dataset_of_series(self)


def read_table(path):
    """The whole lines of a table with the names of its columns in its first line: a TimeSeries.

    Raises RunFileError where there is none, or the file cannot be read.
    """
    with reading(path):
        header, *lines = path.read_text(encoding="utf-8-sig").split("\n")
        names = header.split(",")
        # What follows the last end of a line is empty, or a line that is still being written.
        whole = [line for line in lines[:-1] if line.count(",") == len(names) - 1]
        if not whole:
            raise RunFileError(f"{path}: holds no line yet")
        series = dict(zip(names, np.loadtxt(whole, delimiter=",", ndmin=2).T))
        return TimeSeries(path, {**series, "step": series["step"].astype(int)})
