"""Turbulent channel at a friction Reynolds number of 950 against Hoyas & Jimenez (2006)."""
from channel_profiles import hoyas950, published_budget
from validation import large_channel
from validation.large_channel import LargeChannel, Stage


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    return large_channel.validate(session, report, LargeChannel(
        "channel950", "Hoyas & Jimenez", hoyas950(), published_budget("channel950_hoyas.dat"),
        stages=[Stage([256, 160, 240], 10.0), Stage([432, 256, 384], 2.0)],
        settling=0.75, end=9.0))
