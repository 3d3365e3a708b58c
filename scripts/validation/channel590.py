"""Turbulent channel at a friction Reynolds number of 590 against Moser, Kim & Mansour (1999)."""
from channel_profiles import moser590, moser590_spectra, published_budget
from validation import large_channel
from validation.large_channel import LargeChannel, Stage


# With high orders a third of the cells, in Runge-Kutta steps.
HIGH_ORDER = ["grid.points=[256,144,320]", "time.cfl=1.4"]


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    start, settings = ([160, 96, 160], HIGH_ORDER) if session.order else ([192, 128, 192], [])
    return large_channel.validate(session, report, LargeChannel(
        "channel590", "Moser et al.", moser590(), published_budget("channel590_moser.dat"),
        stages=[Stage(start, 10.0)], settling=1.5, end=12.5, spectra=moser590_spectra(),
        settings=settings))
