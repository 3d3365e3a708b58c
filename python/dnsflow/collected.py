"""Several runs in one table."""
import numpy as np

from dnsflow.averages import OF_THE_RUN, ROUND_OFF
from dnsflow.case_difference import differences
from dnsflow.errors import EdgeError, RunFileError
from dnsflow.run import Run
from dnsflow.tables import Table

NOT_OF_THE_FLOW = ("case", "output", "run")  # sections whose keys are no column


class Runs(Table):
    """A line for each run; printed with a column for each."""

    def _rows(self):
        return [(name, *(value if isinstance(value, str) else f"{value:.6g}" for value in values))
                for name, values in self.items()]


def varied_keys(cases):
    """The keys of the flow, its grid and its steps whose values differ between cases, in their
    order: key -> values.
    """
    found = {}
    for number, case in enumerate(cases):
        for key, of_first, value in differences(cases[0], case):
            if key.split(".")[0] not in NOT_OF_THE_FLOW:
                found.setdefault(key, [of_first] * len(cases))[number] = value
    return found


def figures_of(run, first, last):
    """Name -> number of one run; what it has not written is left out."""
    found = {}
    try:
        series = run.time_series()
        found.update({name: series[name][-1] for name in ("step", "time")})
        found.update({f"{name}_last": values[-1] for name, values in series.items()
                      if not OF_THE_RUN.fullmatch(name) and np.abs(values).max() > ROUND_OFF})
    except RunFileError:
        pass
    try:
        averages = run.averages(first, last)
    except (EdgeError, RunFileError):
        return found
    for name in averages.uncertain:
        found[f"{name}_mean"] = averages.attributes[name]
        found[f"{name}_uncertainty"] = averages.attributes[f"{name}_uncertainty"]
    return found


def collect(runs, first=None, last=None):
    """Runs, such as those of `dns sweep`, in a Table with a line for each.

    runs         folders, or Run objects
    first, last  times between which figures are averaged, see Run.averages [L/U]

    Columns: run (the folder); each key of the cases whose values differ (fluid.reynolds); step and
    time of the last line of the time series; of each of its figures NAME_last, and NAME_mean with
    half of its 95 % interval, NAME_uncertainty. Figures that are zero but for round-off are left
    out. NaN where a run has none. Table.to_pandas() and
    Table.to_csv(path) pass it on. Raises RunFileError for a folder that holds no run.
    """
    runs = [run if isinstance(run, Run) else Run(run) for run in runs]
    columns = {"run": [str(run.folder) for run in runs]}
    columns.update(varied_keys([run.case for run in runs]))
    figures = [figures_of(run, first, last) for run in runs]
    for name in dict.fromkeys(name for found in figures for name in found):
        columns[name] = [found.get(name, np.nan) for found in figures]
    return Runs("collected", {name: column_of(values) for name, values in columns.items()})


def column_of(values):
    """Numbers as an array, anything else as texts."""
    if all(isinstance(value, (int, float, np.number)) for value in values):
        return np.array(values)
    return np.array([str(value) for value in values], dtype=object)
