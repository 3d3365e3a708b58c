"""Turbulent channel at a friction Reynolds number of 590 against Moser, Kim & Mansour (1999)."""
from channel_profiles import moser590, moser590_spectra, published_budget
from validation import large_channel
from validation.large_channel import LargeChannel, Stage


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    return large_channel.validate(session, report, LargeChannel(
        "channel590", "Moser et al.", moser590(), published_budget("channel590_moser.dat"),
        stages=[Stage([192, 128, 192], 10.0)], settling=1.5, end=12.5, spectra=moser590_spectra()))
