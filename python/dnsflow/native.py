"""The compiled part of the package, which controls runs; loaded when it is first used."""
import importlib.util
import os

# Threads that wait for each other sleep soon: on a busy machine they would keep those that they
# wait for from running. GNU OpenMP reads this once, when it is loaded.
if "OMP_WAIT_POLICY" not in os.environ:
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")

if importlib.util.find_spec("dnsflow._dns") is None:
    raise ImportError("this dnsflow reads runs, but lacks the compiled part that controls them: "
                      "pip install . in the folder of the project builds it", name="dnsflow._dns")

from dnsflow import _dns  # noqa: E402

__all__ = ["_dns"]
