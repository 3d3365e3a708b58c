"""Time series in tables: timeseries.csv, probes_NAME.csv."""
import numpy as np

from dnsflow.errors import NamedEntries, NothingFoundError, RunFileError, reading_file


class TimeSeries(NamedEntries):
    """Columns of a table by name, all of one length: `step` as integers, the rest double.

    path  of the file
    """

    kind = "column"

    def __init__(self, path, columns):
        super().__init__(path, columns)
        self.path = path

    def to_xarray(self):
        """An xarray.Dataset over time. Raises ImportError where xarray is not installed."""
        from dnsflow import xarray_datasets  # xarray is loaded by those who ask for it
        return xarray_datasets.dataset_of_series(self)


def whole_numbers(path, values):
    """A list of counts, which files hold as double. Raises RunFileError for other numbers."""
    if not (np.isfinite(values).all() and (values >= 0).all() and (values < 2**53).all()):
        raise RunFileError(f"{path}: holds counts that are no numbers")
    return values.astype(int)


def read_table(path):
    """The whole lines of a table with the names of its columns in its first line: a TimeSeries.

    Raises RunFileError where there is none, or the file cannot be read.
    """
    with reading_file(path):
        header, *lines = path.read_text(encoding="utf-8-sig").split("\n")
        names = header.split(",")
        # What follows the last end of a line is empty, or a line that is still being written.
        whole = [line for line in lines[:-1] if line.count(",") == len(names) - 1]
        if not whole:
            raise NothingFoundError(f"{path}: holds no line yet")
        series = TimeSeries(path, zip(names, np.loadtxt(whole, delimiter=",", ndmin=2).T))
        series["step"] = whole_numbers(path, series["step"])
        if not np.isfinite(series["time"]).all():
            raise RunFileError(f"{path}: holds times that are no numbers")
        return series
