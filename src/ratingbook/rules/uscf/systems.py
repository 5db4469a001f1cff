"""The rating systems: which an event, a section or a report belongs to, and a player in one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from ratingbook.model import Entry, Event, Report, SectionHead, Standing
from ratingbook.model import Section as ReportedSection
from ratingbook.rules.book import Batch, knows_rating, sections_in_turn
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.time_control import TimeControl
from ratingbook.rules.time_words import parsed_time_control
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


DUAL = "dual"
"""What a section or an event says that counts in the regular and in the quick system."""
BLITZ = "blitz"


@dataclass(frozen=True)
class SystemRun:
    """The sections of a report that one run rates, and those that it leaves out."""

    pool: str
    rated: tuple[ReportedSection, ...]
    left_out: tuple[ReportedSection, ...] = ()


@dataclass(frozen=True)
class UscfBatch(Batch):
    """A section, with what the report says of it."""

    head: SectionHead = field(kw_only=True)
    """What the report says of the section itself."""
    run: SystemRun | None = None
    """All sections of the report; only the first batch has it, for what is reported once."""

    @property
    def end(self) -> date | None:
        """The tournament end date, as far as one is known."""
        days = [day for game in self.games if (day := game.end or game.start)]
        return self.event.end or max(days, default=None) or self.event.start


def run_of(report: Report, p: Parameters) -> SystemRun:
    """The event's pool, else the first system that all sections count in, else regular."""
    sections = sections_in_turn(report)
    systems = [systems_of_section(section, report.event, p) for section in sections]
    known = [each for each in systems if each is not None]
    common = [pool for pool in POOLS if known and all(pool in each for each in known)]
    pool = parsed_pool(report.event.pool, p) or next(iter(common), REGULAR)
    rated: list[ReportedSection] = []
    left_out: list[ReportedSection] = []
    for section, each in zip(sections, systems, strict=True):
        counts = each is None or counts_in(pool, pool_of(section.head, report.event), each)
        (rated if counts else left_out).append(section)
    return SystemRun(pool, tuple(rated), tuple(left_out))


def pool_of(head: SectionHead, event: Event) -> str | None:
    """The system, or both of them, that a section says it counts in; an event may say ``dual``."""
    return head.pool or (event.pool if is_dual(event.pool) else None)


def systems_of_section(
    section: ReportedSection, event: Event, p: Parameters
) -> tuple[str, ...] | None:
    """The systems that a section counts in; None where nothing of its own tells."""
    head, named = section.head, pool_of(section.head, event)
    if named:
        return named_systems(named)
    if head.time_control or not event.pool:
        fits = systems_by_time(head.time_control or event.time_control, p)
        if fits is not None and (fits or head.time_control):
            return fits
    return None


def named_systems(pool: str) -> tuple[str, ...] | None:
    """The systems that a section names, whether or not the edition has them; None: no system."""
    if is_dual(pool):
        return (REGULAR, QUICK)
    named = parsed_pool(pool, None)
    return (named,) if named else None


def is_dual(pool: str | None) -> bool:
    """Whether this is the word for what counts in both systems."""
    return (pool or "").strip().casefold() == DUAL


def systems_by_time(time_control: str | None, p: Parameters) -> tuple[str, ...] | None:
    """The systems that a time control belongs to; None where it cannot be read."""
    control = parsed_time_control(time_control)
    if control is None:
        return None
    systems = systems_of(counted_minutes(control, p), p)
    fits = ((REGULAR, systems.regular), (QUICK, systems.quick), (BLITZ, systems.blitz))
    return tuple(name for name, fit in fits if fit and name in POOLS[: p.systems])


def counts_in(pool: str, named: str | None, systems: Sequence[str]) -> bool:
    """Whether what counts in these systems counts in a pool, by the pool that it names.

    A time control does not tell whether it was online.
    """
    return pool in systems or (not named and pool.startswith("online"))


def systems_of_event(event: Event, by_time: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The systems that an event of a history counts in: those that it names, else by its time."""
    return named_systems(event.pool) or () if event.pool else by_time


def counts_in_both(named: str | None, by_time: Sequence[str]) -> bool:
    """Whether something counts in the regular and in the quick system."""
    return is_dual(named) or {REGULAR, QUICK} <= {*by_time}
