"""Published data that flows are compared with."""
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent / "data"


def reference_table(name, comments="#"):
    """Columns of a file of scripts/data, whose header names its source."""
    return np.loadtxt(FOLDER / name, comments=comments, unpack=True)


# Mean Nusselt numbers of the square cavity heated from the side, Prandtl number 0.71, by Rayleigh
# number: finite volumes extrapolated to cells of width 0 by Hortmann, Peric & Scheuerer, Int. J.
# Numer. Meth. Fluids 11 (1990) 189, as table 1 of Gjesdal, Wasberg & Andreassen (2003,
# arXiv:physics/0305049) gives them.
CAVITY_NUSSELT = {1e4: 2.245, 1e5: 4.522, 1e6: 8.825}

# Ranges of the literature for a cylinder across a stream by Reynolds number U D/nu; Nu at Prandtl
# number 0.7.
CYLINDER_RANGES = {
    40: {"Cd": (1.52, 1.54), "Lr/D": (2.2, 2.3), "Nu": (3.2, 3.3)},
    100: {"St": (0.164, 0.166), "Cd": (1.33, 1.35), "Cl' amplitude": (0.32, 0.34),
          "Nu": (5.1, 5.2)},
}


def cavity_nusselt(rayleigh):
    """(mean Nusselt number, source) of the heated cavity; nothing where none is known."""
    if rayleigh in CAVITY_NUSSELT:
        return CAVITY_NUSSELT[rayleigh], "Hortmann et al."
    known = reference_table("heated_cavity.dat")
    value = dict(zip(known[0], known[1])).get(rayleigh)
    return None if value is None else (value, "de Vahl Davis")


def plates_nusselt(rayleigh, prandtl):
    """Nusselt number of convection between wide plates, 0.186 Ra^0.276, for air; else nothing.

    Best fit to simulations at Pr = 0.7, 5e4 <= Ra <= 2e7, sides of six heights: Kerr, J. Fluid
    Mech. 310 (1996) 139.
    """
    if 0.65 <= prandtl <= 0.75 and 5e4 <= rayleigh <= 2e7:
        return 0.186 * rayleigh**0.276
    return None
