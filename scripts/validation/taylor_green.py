"""Taylor-Green vortex at Re 1600: energy budget and dissipation against spectral data (512^3).

Between two steps -dE/dt must equal the dissipation Phi/Re, the mean of both steps: the differences
of the scheme neither make nor destroy energy, and what its time steps do falls with their square,
for which the CFL number is 1/2. The first step stands apart: pressure starts from zero, and the
projection takes dt^2 |grad p|^2/2 from the energy. The reference has the same scales: E(0) = 1/8.
"""
import numpy as np

from curves import cubic_at, maximum
from pictures import style
from reference_data import reference_table

SETTINGS = ["time.cfl=0.5", "output.fields.every=0", "output.checkpoint.every=0",
            "output.checkpoint.final=false", "output.timeseries.every=1"]


def cells_of_whole_box(run):
    """The fewest along an axis; an axis between planes of symmetry is half of it."""
    lengths = run.case["grid"]["length"]
    return min(round(2 * np.pi / length * cells) for cells, length in zip(run.cells, lengths))


def limit_of_peak(cells, order):
    """Stated for 256^3 and 512^3; coarser grids do not resolve the flow."""
    if cells >= 256 and order >= 6:
        return 0.005
    if cells >= 512:
        return 0.02
    return 0.06 if cells >= 256 else 0.25


def draw(time, dissipation, middle, loss, off, reference):
    figure, ((rates, budget),) = style.new_figure(1, 2, 2.9)
    rates.plot(*reference, **style.REFERENCE, label="spectral, 512$^3$")
    rates.plot(time, dissipation, "C0", label="dissipation")
    rates.plot(middle, loss, "C3--", lw=1, label="$-dE/dt$")
    rates.set(xlabel="$t\\,U/L$", ylabel="$\\varepsilon L/U^3$",
              title="dissipation of kinetic energy")
    rates.legend()
    budget.semilogy(middle[1:], np.abs(off[1:]), "C0")
    budget.set(xlabel="$t\\,U/L$", ylabel="$|-dE/dt - \\varepsilon|$ / peak", title="energy budget")
    return figure


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    quick = ["grid.points=[48,48,48]", "time.end=12", "time.cfl=0.15"] if session.is_quick else []
    run = session.run("taylor_green", "taylor_green_re1600", SETTINGS + quick)
    report.runs.append(run)
    series = run.time_series()
    time, energy, dissipation = (series[name] for name in ("time", "kinetic_energy", "dissipation"))
    loss = -np.diff(energy) / np.diff(time)
    middle = (time[1:] + time[:-1]) / 2
    peak, when = maximum(time, dissipation)
    off = (loss - (dissipation[1:] + dissipation[:-1]) / 2) / peak

    reference_time, reference_energy, reference_loss, _ = reference_table("taylor_green_re1600.dat")
    reference_peak, reference_when = maximum(reference_time, reference_loss)
    cells = cells_of_whole_box(run)
    is_coarse = cells < 256
    report.bound("-dE/dt against dissipation, largest difference over the peak",
                 np.abs(off[1:]).max(), 1e-3)
    report.bound("energy lost by the start of the pressure, over E(0)",
                 off[0] * peak * time[1] / energy[0])
    report.compare("dissipation, peak", peak, reference_peak, limit_of_peak(cells, min(run.orders)))
    report.compare_difference("time of the peak", when, reference_when, 1.0 if is_coarse else 0.15)
    loss_peak, loss_when = maximum(middle, loss)
    report.compare("-dE/dt, peak", loss_peak, reference_peak)
    report.compare_difference("time of the peak of -dE/dt", loss_when, reference_when)
    report.compare("kinetic energy at the end", energy[-1],
                   cubic_at(reference_time, reference_energy, time[-1])[0])
    report.tell("largest divergence [V0/L]", series["divergence_max"].max())
    if is_coarse:
        report.note("Fewer than 256 cells do not resolve this flow: the limits are wide.")
    return draw(time, dissipation, middle, loss, off, (reference_time, reference_loss))
