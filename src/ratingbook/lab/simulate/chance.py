"""Chance: one stream for each purpose, so that a change of one does not move the others.

Two rule books, or two reforms, so meet the same people who enter the same events.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np


class Purpose(IntEnum):
    """What is drawn; the numbers are part of what a seed means."""

    PEOPLE = 0
    FOUNDERS = 1
    """The errors of the first ratings."""
    ENTRIES = 2
    DIVISION = 3
    """Into which event of several somebody goes."""
    PAIRING = 4
    RESULTS = 5


def stream(seed: int, purpose: Purpose) -> np.random.Generator:
    """The numbers for one purpose: PCG64, the same for the same seed."""
    return np.random.Generator(
        np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(int(purpose),)))
    )
