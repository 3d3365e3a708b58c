"""Arrays by name."""
import collections

import numpy as np

from dnsflow.case import parse_case
from dnsflow.errors import MissingEntryError, NamedEntries

# Names of the axes of an array, the slowest first, its shape and its type of numbers.
ArrayFacts = collections.namedtuple("ArrayFacts", "axes shape dtype")


class Axes(NamedEntries):
    """The names of the axes of arrays, slowest first, by the names of the arrays."""

    kind = "array"


class NamedArrays:
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
        return Axes(self.path, {name: array.axes for name, array in self.facts.items()})

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
        KeyError) for a name that the file does not hold, IndexError for a point that is not there.
        """
        if name not in self:
            raise MissingEntryError(f"{self.path} holds no {name}; it holds {', '.join(self)}")
        axes, shape, _ = self.facts[name]
        unknown = ", ".join(set(where) - set(axes))
        if unknown:
            raise MissingEntryError(f"{name} of {self.path} has no axis {unknown}; it has "
                                    f"{', '.join(axes)}")
        part = tuple(where.get(axis, slice(None)) for axis in axes)
        np.broadcast_to(0, shape)[part]  # the caller's mistakes, not the file's
        return self._read(name, part)

    def _read(self, name, part):
        """Values of an array at these indices along all of its axes, which exist."""
        raise NotImplementedError

    def is_coordinate(self, name):
        """Whether an array gives the places of points along the axis that has its name."""
        if self.facts[name].axes != (name,):
            return False
        return name in "xyz" or name.endswith("_faces") or any(
            name in array.axes for other, array in self.facts.items() if other != name)

    def to_xarray(self):
        """An xarray.Dataset of all arrays, see xarray_datasets.dataset_of.

        Its values are read when they are used. Raises ImportError where xarray is not installed
        (Debian: python3-xarray).
        """
        from dnsflow import xarray_datasets  # xarray is loaded by those who ask for it
        return xarray_datasets.dataset_of(self)
