"""Arrays that lie in several files, one after the other in time."""
import numpy as np

from dnsflow.errors import RunFileError
from dnsflow.named_arrays import ArrayFacts, NamedArrays


class JoinedArrays(NamedArrays):
    """Arrays over the axis `time`, slowest of all, read from their files when they are asked for.

    Coordinates are those of one file, `like`, whose arrays all files have.
    """

    def __init__(self, path, attributes, files, like, records, lists):
        """files: a sequence of ArrayFiles, each opened when it is asked for. records: how many each
        holds along its axis `time`; None: files have no such axis but are of one time each. lists:
        what is known of all records, by name, such as time [L/U] and step.

        Raises RunFileError where there are not as many of these as records.
        """
        self.path, self.attributes = path, attributes
        self._files, self._like, self._lists = files, like, lists
        self._have_time = records is not None
        self._ends = np.cumsum(records if self._have_time else np.ones(len(files), dtype=int))
        if any(len(values) != self._ends[-1] for values in lists.values()):
            raise RunFileError(f"{path}: does not hold as many times as records")
        facts = {name: self._joined_facts(name) for name in like if name not in lists}
        for name, values in lists.items():
            facts[name] = ArrayFacts(("time",), values.shape, values.dtype)
        super().__init__(facts)

    def _joined_facts(self, name):
        """The facts of an array of one file, with those of all files along the axis `time`."""
        axes, shape, dtype = self._like.facts[name]
        count = int(self._ends[-1])
        if self._have_time:
            shape = tuple(count if axis == "time" else points for axis, points in zip(axes, shape))
        elif axes == (name,) and not self._like.is_coordinate(name):
            axes, shape = ("time",), (count,)  # a single number, averaged over all axes
        elif not self._like.is_coordinate(name):
            axes, shape = ("time", *axes), (count, *shape)
        return ArrayFacts(axes, shape, dtype)

    def _read(self, name, part):
        axes, shape, dtype = self.facts[name]
        if name in self._lists:
            return self._lists[name][part]
        if axes[0] != "time":
            return self._like.read(name, **dict(zip(axes, part)))
        wanted = np.arange(shape[0])[part[0]]
        records = np.atleast_1d(wanted)
        values = np.empty(records.shape + np.broadcast_to(0, shape[1:])[part[1:]].shape, dtype)
        numbers = np.searchsorted(self._ends, records, side="right")
        for number in np.unique(numbers):
            is_here = numbers == number
            values[is_here] = self._of_file(number, name, records[is_here], part[1:])
        return values if wanted.ndim else values[0]

    def _of_file(self, number, name, records, part):
        """Values of records that are all in one file."""
        file = self._files[number]
        axes, shape, _ = self.facts[name]
        ends = [0, *self._ends]
        expected = (ends[number + 1] - ends[number], *shape[1:]) if self._have_time else shape[1:]
        if name not in file or file.facts[name].shape != (expected or (1,)):
            raise RunFileError(f"{file.path}: holds no {name} of {expected} numbers along "
                               f"{' '.join(axes if self._have_time else axes[1:])}")
        where = dict(zip(axes[1:], part))
        if not self._have_time:
            return file.read(name, **where)
        first, last = records.min() - ends[number], records.max() - ends[number]
        places = records - records.min()
        step = max(np.gcd.reduce(places), 1)  # of every so many records no others are read
        values = file.read(name, time=slice(first, last + 1, step), **where)
        return values[places // step]
