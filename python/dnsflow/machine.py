"""What this machine and this build offer a run."""
import collections

from dnsflow.native import _dns
from dnsflow.shown import Shown

Finding = collections.namedtuple("Finding", "name found cure")  # cure: empty where nothing is missing


class Findings(Shown):
    """What `dns doctor` says of the machine, the build and its libraries.

    devices   that can be used, in words; empty: none
    findings  a list of Finding(name, found, cure)
    """

    def __init__(self):
        self.devices, rows = _dns.doctor()
        self.findings = [Finding(*row) for row in rows]

    def __iter__(self):
        return iter(self.findings)

    def __getitem__(self, name):
        """The first finding of a name. Raises KeyError."""
        for finding in self.findings:
            if finding.name == name:
                return finding
        raise KeyError(name)

    def _title(self):
        return f"dns can run here, on {self.devices}" if self.devices else (
            "dns cannot run here: no device can be used")

    def _rows(self):
        for finding in self.findings:
            yield finding.name, finding.found
            if finding.cure:
                yield "", f"-> {finding.cure}"


def doctor():
    """What `dns doctor` says: see Findings."""
    return Findings()
