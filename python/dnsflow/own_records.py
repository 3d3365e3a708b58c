"""Numbers that a user records beside the time series: own_NAME.csv in the folder of the run."""
import pathlib

import numpy as np

from dnsflow.tables import Table


def rows_of(path, name):
    """What a table of a run has, which it has cut back to the step that it goes on from."""
    header, *lines = path.read_text(encoding="utf-8").splitlines() or [""]
    if header != header_of(name):
        return []
    cells = [line.split(",") for line in lines]
    return [(int(row[0]), float(row[1]), float(row[2])) for row in cells if len(row) == 3]


def header_of(name):
    return f"step,time,{name}"


class OwnRecords:
    """Tables by name: records["wall_shear"]["wall_shear"] over ["step"] and ["time"].

    folder   of the run, whose tables go on; None: they are kept in memory alone
    """

    def __init__(self, folder):
        self._folder, self._files = folder, {}
        paths = [] if folder is None else sorted(pathlib.Path(folder).glob("own_*.csv"))
        names = [path.stem.removeprefix("own_") for path in paths]
        self._columns = {name: rows_of(path, name) for name, path in zip(names, paths)}

    def add(self, step, time, values):
        for name, value in values.items():
            if not name.isidentifier():
                raise ValueError(f"{name!r} is no name of a record: letters, digits, '_'")
            value = float(value)
            if name not in self._files:
                self._open(name)
            self._columns[name].append((step, time, value))
            if name in self._files:
                self._files[name].write(f"{step},{time!r},{value!r}\n")
                self._files[name].flush()

    def _open(self, name):
        rows = self._columns.setdefault(name, [])
        if self._folder is None:
            return
        path = pathlib.Path(self._folder) / f"own_{name}.csv"
        self._files[name] = open(path, "a", encoding="utf-8")  # closed by close()
        if not rows:
            self._files[name].truncate(0)
            self._files[name].write(header_of(name) + "\n")

    def __getitem__(self, name):
        step, time, value = np.array(self._columns[name]).reshape(-1, 3).T
        return Table(f"own_{name}", {"step": step.astype(int), "time": time, name: value})

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(self._columns)

    def __contains__(self, name):
        return name in self._columns

    def close(self):
        while self._files:
            self._files.popitem()[1].close()
