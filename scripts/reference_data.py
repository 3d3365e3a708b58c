"""Published data that flows are compared with."""
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent / "data"


def reference_table(name, comments="#"):
    """Columns of a file of scripts/data, whose header names its source."""
    return np.loadtxt(FOLDER / name, comments=comments, unpack=True)


# Mean Nusselt numbers of the square cavity heated from the side, Prandtl number 0.71, by Rayleigh
# number: de Vahl Davis, Int. J. Numer. Meth. Fluids 3 (1983) 249, as extrapolated since (1e4), and
# Le Quere, Computers & Fluids 20 (1991) 29 (1e6).
CAVITY_NUSSELT = {1e4: 2.2448, 1e6: 8.8252}

# Ranges of the literature for a cylinder across a stream by Reynolds number U D/nu; Nu at Prandtl
# number 0.7.
CYLINDER_RANGES = {
    40: {"Cd": (1.52, 1.54), "Lr/D": (2.2, 2.3), "Nu": (3.2, 3.3)},
    100: {"St": (0.164, 0.166), "Cd": (1.33, 1.35), "Cl' amplitude": (0.32, 0.34),
          "Nu": (5.1, 5.2)},
}


def cavity_nusselt(rayleigh):
    """(mean Nusselt number, source) of the heated cavity; nothing where none is known."""
    source = "Le Qu\u00e9r\u00e9" if rayleigh == 1e6 else "de Vahl Davis"
    known = reference_table("heated_cavity.dat")
    value = CAVITY_NUSSELT.get(rayleigh, dict(zip(known[0], known[1])).get(rayleigh))
    return None if value is None else (value, source)


def plates_nusselt(rayleigh, prandtl):
    """Nusselt number of convection between wide plates, 0.186 Ra^0.276, for air; else nothing.

    Simulations at Pr = 0.7, 5e4 <= Ra <= 2e7, sides of six heights: Kerr, J. Fluid Mech. 310
    (1996) 139.
    """
    if 0.65 <= prandtl <= 0.75 and 5e4 <= rayleigh <= 2e7:
        return 0.186 * rayleigh**0.276
    return None
