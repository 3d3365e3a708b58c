"""Published data that flows are compared with."""
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent / "data"


def reference_table(name, comments="#"):
    """Columns of a file of scripts/data, whose header names its source."""
    return np.loadtxt(FOLDER / name, comments=comments, unpack=True)
