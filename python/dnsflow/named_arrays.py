"""Arrays by name."""
import collections

import numpy as np

from dnsflow.case import parse_case
from dnsflow.errors import MissingEntryError, MissingPointError
from dnsflow.shown import Shown, number_text
from dnsflow.tables import Tabular
from dnsflow.units import units_of

# Names of the axes of an array, the slowest first, its shape and its type of numbers.
ArrayFacts = collections.namedtuple("ArrayFacts", "axes shape dtype")


def is_coordinate(name, axes):
    """Whether an array gives the places of points along the axis that has its name; axes: those of
    each array. An average over all axes has an axis of its own name, which no other array has.
    """
    return axes[name] == (name,) and (
        name in ("x", "y", "z") or name.endswith("_faces")
        or any(name in others for other, others in axes.items() if other != name))


def row_of_array(name, axes, shape, dtype):
    """What is printed of an array."""
    points = ", ".join(f"{axis}: {count}" for axis, count in zip(axes, shape))
    units = units_of(name)
    return name, f"({points})", dtype, "" if units is None else f"[{units}]"


def title_of(attributes, path):
    """What a file is, and of what times, in words."""
    times = ", ".join(f"{name.replace('_', ' ')} {number_text(attributes[name])}" for name in
                      ("step", "time", "first_time", "last_time") if name in attributes)
    return f"{attributes.get('format', 'arrays')} {path}" + (f": {times}" if times else "")


class NamedArrays(Tabular, Shown):
    """Arrays by name, read when they are asked for: arrays["name"] is a whole one.

    `in`, iteration and len() refer to the names.

    path        of the file that holds or lists them
    attributes  numbers and texts by name
    facts       ArrayFacts of each
    """

    path = None
    attributes = {}

    def __init__(self, facts):
        self.facts = facts

    @property
    def axes(self):
        """Of each array, slowest first: axes["velocity"] == ("z", "y", "x", "component")."""
        return {name: array.axes for name, array in self.facts.items()}

    @property
    def case(self):
        """The resolved case that the file was made with, see parse_case."""
        return parse_case(self.attributes.get("case"), f"{self.path}: the case")

    def __contains__(self, name):
        return name in self.facts

    def __iter__(self):
        return iter(self.facts)

    def __len__(self):
        return len(self.facts)

    def __getitem__(self, name):
        return self.read(name)

    def read(self, name, **where):
        """Part of an array: `where` gives a number or a slice of points along axes by name.

        flow.read("pressure", z=0, x=slice(0, 8)) has the shape (ny, 8). Raises MissingEntryError (a
        KeyError) for a name that the file does not hold, MissingPointError (an IndexError) for a
        point that is not there.
        """
        if name not in self:
            raise MissingEntryError(f"{self.path} holds no {name}; it holds {', '.join(self)}")
        axes, shape, _ = self.facts[name]
        unknown = ", ".join(set(where) - set(axes))
        if unknown:
            raise MissingEntryError(f"{name} of {self.path} has no axis {unknown}; it has "
                                    f"{', '.join(axes)}")
        part = tuple(where.get(axis, slice(None)) for axis in axes)
        try:
            np.broadcast_to(0, shape)[part]  # the caller's mistakes, not the file's
        except IndexError as error:
            asked = ", ".join(f"{axis}={index}" for axis, index in where.items())
            _, points, *_ = row_of_array(name, *self.facts[name])
            raise MissingPointError(f"{name} of {self.path} has the points {points}, counted from "
                                    f"0, and none at {asked}") from error
        return self._read(name, part)

    def _read(self, name, part):
        """Values of an array at these indices along all of its axes, which exist."""
        raise NotImplementedError

    def is_coordinate(self, name):
        """Whether an array gives the places of points along the axis that has its name."""
        return is_coordinate(name, self.axes)

    def at(self, axis, number):
        """The arrays at one point of an axis, which they have no more: averages.at("phase", 3)."""
        return ArraysAtPoint(self, axis, number)

    def _title(self):
        return title_of(self.attributes, self.path)

    def _rows(self):
        return [row_of_array(name, *facts) for name, facts in self.facts.items()]

    def to_xarray(self):
        """An xarray.Dataset of all arrays, see xarray_datasets.dataset_of.

        Its values are read when they are used. Raises ImportError where xarray is not installed
        (Debian: python3-xarray).
        """
        from dnsflow import xarray_datasets  # xarray is loaded by those who ask for it
        return xarray_datasets.dataset_of(self)


class ArraysAtPoint(NamedArrays):
    """Arrays of others at one point of an axis; those without this axis as they are.

    An array that has no other axis is one number, with an axis of its own name. Raises
    MissingEntryError where no array has the axis, MissingPointError for a point that is not there.
    """

    def __init__(self, arrays, axis, number):
        having = [name for name in arrays if axis in arrays.axes[name]]
        if not having:
            raise MissingEntryError(f"{arrays.path}: no array has the axis {axis}")
        arrays.read(having[0], **{axis: number})
        self.path, self.attributes = arrays.path, arrays.attributes
        self.step, self.time = arrays.step, arrays.time
        self._arrays, self._axis, self._number = arrays, axis, number
        facts = {}
        for name, (axes, shape, dtype) in arrays.facts.items():
            left = [(other, count) for other, count in zip(axes, shape) if other != axis]
            facts[name] = ArrayFacts(*zip(*left or [(name, 1)]), dtype)
        super().__init__({name: found for name, found in facts.items() if name != axis})

    def _read(self, name, part):
        axes, there = self.facts[name].axes, self._arrays.facts[name].axes
        if there == (self._axis,):
            return self._arrays.read(name)[[self._number]][part]
        chosen = {self._axis: self._number} if self._axis in there else {}
        return self._arrays.read(name, **chosen, **dict(zip(axes, part)))


class KeptArrays(NamedArrays):
    """The arrays of others in memory, which stay when their file goes."""

    def __init__(self, arrays):
        self.path, self.attributes = arrays.path, arrays.attributes
        self.step, self.time = arrays.step, arrays.time
        self._values = {name: arrays[name] for name in arrays}
        super().__init__(arrays.facts)

    def _read(self, name, part):
        return self._values[name][part]
