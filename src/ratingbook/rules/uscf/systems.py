"""The rating systems: which an event's time control belongs to, and a player's standing in one."""

from __future__ import annotations

import re
from typing import NamedTuple

from ratingbook.model import Entry, Standing
from ratingbook.rules.book import knows_rating
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.time_control import TimeControl
from ratingbook.rules.uscf.columns import Parameters, Pool

REGULAR, QUICK = "regular", "quick"
POOLS = (REGULAR, QUICK, "blitz", "online quick", "online blitz", "online regular")
"""The systems in the order in which they came: two, five from 2015, six from 2020."""

_OTHER_NAMES = {
    "qc": QUICK,
    "quick chess": QUICK,
    "rapid": QUICK,
    "standard": REGULAR,
}
BLITZ_LEAST = 5
"""Least minutes of a blitz event."""


class Systems(NamedTuple):
    """In which of the over-the-board systems an event is rated."""

    regular: bool
    quick: bool
    blitz: bool


@paragraph("0.1", "{control.minutes} minutes and {control.seconds} seconds a move count {value}")
def counted_minutes(control: TimeControl, p: Parameters) -> int:
    """Introduction: the minutes of G/60; later mm + ss, with the seconds of delay or increment."""
    if p.increment_counts:
        return control.minutes + control.seconds
    return control.minutes


@paragraph(
    "0.1",
    "{minutes} minutes: regular {value.regular}, quick {value.quick}, blitz {value.blitz}",
)
def systems_of(minutes: int, p: Parameters) -> Systems:
    """Introduction: quick from G/5 to G/60, regular from G/30 on; from G/30 to G/60 both.

    2015: quick 11 to 65, regular from 30 on, blitz 5 to 10.
    """
    return Systems(
        regular=minutes >= p.regular_least,
        quick=p.quick_least <= minutes <= p.quick_most,
        blitz=BLITZ_LEAST <= minutes < p.quick_least,
    )


@paragraph("4.2", "the {pool} ratings are used and changed; the other systems keep theirs")
def pool_rated(pool: Pool) -> Pool:
    """4: the systems are rated separately; only Step 1 looks at the other one."""
    return pool


def parsed_pool(text: str | None, p: Parameters | None) -> str | None:
    """The system that a report names, if the edition has it; without one, if any has it."""
    name = " ".join(re.split(r"[-_\s]+", (text or "").strip().casefold()))
    name = _OTHER_NAMES.get(name, name)
    return name if name in POOLS[: p.systems if p else None] else None


def standing_in(entry: Entry, pool: str) -> Standing:
    """The standing in the system that is rated: ``standing``, else that of ``pools``."""
    for known in (entry.standing, entry.pools.get(pool)):
        if known is not None and knows_rating(known):
            return known
    said = entry.standing or Standing()
    return Standing(status=said.status, last_played=said.last_played)
