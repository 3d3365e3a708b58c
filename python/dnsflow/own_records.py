"""Numbers that a user records beside the time series: own_NAME.csv in the folder of the run."""
import pathlib

import numpy as np

from dnsflow.tables import Table


def lines_up_to(path, header, step):
    """The whole lines of a table of the same columns, up to a step."""
    if not path.exists():
        return []
    first, *lines = path.read_text(encoding="utf-8").split("\n")[:-1] or [""]
    if first != header:
        return []
    return [line for line in lines
            if line.count(",") == header.count(",") and int(line.split(",")[0]) <= step]


class OwnRecords:
    """Tables by name: records["wall_shear"]["wall_shear"] over ["step"] and ["time"].

    folder   of the run; None: they are kept in memory alone
    step     that the run goes on from: lines of later ones are removed; None: it is a new run
    """

    def __init__(self, folder, step):
        self._folder, self._step = folder, step
        self._columns, self._files = {}, {}

    def add(self, step, time, values):
        for name, value in values.items():
            if not name.isidentifier():
                raise ValueError(f"{name!r} is no name of a record: letters, digits, '_'")
            value = float(value)
            if name not in self._columns:
                self._open(name)
            self._columns[name].append((step, time, value))
            if name in self._files:
                self._files[name].write(f"{step},{time!r},{value!r}\n")
                self._files[name].flush()

    def _open(self, name):
        self._columns[name] = []
        if self._folder is None:
            return
        path = pathlib.Path(self._folder) / f"own_{name}.csv"
        header = f"step,time,{name}"
        kept = [] if self._step is None else lines_up_to(path, header, self._step)
        for line in kept:
            step, *numbers = line.split(",")
            self._columns[name].append((int(step), *map(float, numbers)))
        self._files[name] = open(path, "w", encoding="utf-8")  # closed by close()
        self._files[name].write("\n".join([header, *kept, ""]))

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
