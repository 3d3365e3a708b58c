"""Convection between plates, Ra 1e6 and 1e7, at order 6 and at order 2 on twice the cells.

The Nusselt number by three definitions; cells of order 6 along the plates, twice as many of order
2:

    Nu = mean of both plates' heat flux over that of conduction
    Nu = 1 + sqrt(Ra Pr) <vT>                 transport in the volume
    Nu = 1 + sqrt(Ra Pr) <dissipation>        kinetic energy: what buoyancy gives, viscosity takes

in units of free fall. The second and third agree in the mean of a steady state because the
differences make no energy (Shraiman & Siggia, Phys. Rev. A 42 (1990) 3650). Uncertainties are those
of 95 %, see dnsflow.uncertainty.
"""
import math

from curves import mean_and_uncertainty
from pictures import style

PRANDTL = 0.7
# Rayleigh number: cells of order 6, size of the box [H], end of the start and of the run [H/U]
CASES = {1e6: ([128, 96, 128], [4, 1, 4], 80, 200), 1e7: ([96, 128, 96], [2, 1, 2], 100, 300)}
QUICK = {1e5: ([20, 20, 20], [2, 1, 2], 20, 60)}


def nusselt_numbers(run, start):
    """{definition: (mean, uncertainty)} and the series of the volume."""
    series = run.time_series()
    gain = math.sqrt(run.case["buoyancy"]["rayleigh"] * PRANDTL)
    curves = {"plates": (series["nusselt_y_min"] + series["nusselt_y_max"]) / 2,
              "volume": series["nusselt_volume"],
              "dissipation": 1 + gain * series["dissipation"]}
    return ({name: mean_and_uncertainty(series["time"], curve, start)
             for name, curve in curves.items()}, (series["time"], curves["plates"]))


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    cases = QUICK if session.is_quick else CASES
    scale = 10 if session.is_quick else 1
    figure, (row,) = style.new_figure(1, len(cases), 3.2)
    for axes, (rayleigh, (cells, length, start, end)) in zip(row, cases.items()):
        name = f"Ra {rayleigh:.0e}".replace("e+0", "e")
        common = [f"buoyancy.rayleigh={rayleigh!r}",
                  f"fluid.reynolds={math.sqrt(rayleigh / PRANDTL)!r}",
                  f"grid.length={length}", f"time.end={end}", "output.fields.every=0",
                  f"output.statistics.start={start}"]
        twice = [2 * cells[0], cells[1], 2 * cells[2]]
        coarse = session.run(f"{name} high order".replace(" ", "_"), "rayleigh_benard",
                             ["accuracy.order=6", "time.scheme=runge_kutta",
                              f"grid.points={cells}", *common])
        fine = session.run(f"{name} order 2".replace(" ", "_"), "rayleigh_benard", common,
                           ["accuracy.order=2", f"grid.points={twice}"])
        report.runs += [coarse, fine]
        numbers, curve = nusselt_numbers(coarse, start)
        expected, expected_curve = nusselt_numbers(fine, start)
        for words, found in ((f"{name}, order {coarse.orders[0]}", numbers),
                             (f"{name}, order 2", expected)):
            mean = found["volume"][0]
            for definition, (value, uncertainty) in found.items():
                report.tell(f"{words}: Nu, {definition}", value)
                report.tell(f"{words}: its uncertainty", uncertainty)
            for other in ("plates", "dissipation"):
                report.bound(f"{words}: Nu, {other} against volume", found[other][0] / mean - 1,
                             0.01 * scale, True)
        report.compare(f"{name}: Nu, plates, order {coarse.orders[0]} against order 2 on twice the "
                       "cells along x and z", numbers["plates"][0], expected["plates"][0],
                       0.02 * scale)
        axes.plot(*expected_curve, "C1", lw=0.8, label=" x ".join(map(str, twice)) + ", order 2")
        axes.plot(*curve, "C0", lw=0.8,
                  label=" x ".join(map(str, cells)) + f", order {coarse.orders[0]}")
        axes.set(xlabel="$t\\,U/H$", ylabel="Nu, plates",
                 title=f"$Ra = {style.power_of_ten(rayleigh)}$")
        axes.legend()
    return figure
