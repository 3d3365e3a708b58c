"""Cases as users give them: a path, YAML, or a dictionary."""
import contextlib
import json
import os
import re

import numpy as np

from dnsflow.case import parse_case
from dnsflow.errors import CaseError
from dnsflow.native import _dns
from dnsflow.shown import Shown

POSITION = re.compile(r"^the case:\d+:\d+: ", re.MULTILINE)


def plain(value):
    """A value of NumPy or a path as json takes it."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a case has numbers, texts, lists and dictionaries, but not {value!r}")


def yaml_of(value):
    """A value as YAML in one line, all digits of each number."""
    return json.dumps(value, default=plain, ensure_ascii=False)


@contextlib.contextmanager
def named_by_keys():
    """Mistakes of a dictionary are named by their keys alone: it has no lines."""
    try:
        yield
    except CaseError as error:
        raise CaseError(POSITION.sub("", str(error))) from None


class Case(Shown):
    """A case, checked: every default spelt out, as `dns check` has it.

    case      a path, YAML (a text with more than one line), a dictionary of sections, or a Case
    set       keys that it shall have another value for: {"grid.points": [64, 64, 64]}

    text      the complete case as YAML
    warnings  about keys that have other names now
    memory    that a run needs on its device [bytes]

    case["grid"]["points"] is a value. Raises CaseError with every mistake, IoError.
    """

    def __init__(self, case, set=None):  # pylint: disable=redefined-builtin
        self.overrides = [(key, yaml_of(value)) for key, value in (set or {}).items()]
        self.yaml, self.name, self._is_dict = None, "the case", False
        if isinstance(case, Case):
            self.yaml, self.name, self._is_dict = case.yaml, case.name, case._is_dict
            self.overrides = case.overrides + self.overrides
        elif isinstance(case, dict):
            self.yaml, self._is_dict = yaml_of(case), True
        elif isinstance(case, str) and "\n" in case:
            self.yaml = case
        else:
            self.name = os.fspath(case)
        with self.reading():
            self.text, self.warnings, self.memory = _dns.checked(self.yaml, self.name,
                                                                 self.overrides)

    def reading(self):
        """A context in which the messages of errors name the places of this case."""
        return named_by_keys() if self._is_dict else contextlib.nullcontext()

    @property
    def values(self):
        """The complete case as nested dictionaries."""
        return parse_case(self.text)

    def __getitem__(self, key):
        return self.values[key]

    def _title(self):
        return f"Case {self['case']}"

    def _rows(self):
        case = self.values
        yield "scheme", case["scheme"], f"{case['precision']}, device {case['device']}"
        yield "grid", " x ".join(map(str, case["grid"]["points"]))
        yield "memory", f"{self.memory / 1e6:.3g} MB"
        for warning in self.warnings:
            yield "warning", warning


def check(case, set=None):  # pylint: disable=redefined-builtin
    """The case with all defaults, or CaseError with every mistake: see Case."""
    return Case(case, set)


def keys(path=""):
    """What `dns keys` says of the keys at or below a path, or of a word."""
    return _dns.describe_keys(path)


def schema():
    """The JSON schema of case files, as a dictionary."""
    return json.loads(_dns.case_schema())
