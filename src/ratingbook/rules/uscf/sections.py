"""Which system a report is rated in, and which of its sections count in that system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from ratingbook.model import Event, Report, SectionHead
from ratingbook.model import Section as ReportedSection
from ratingbook.rules.book import Batch
from ratingbook.rules.time_words import parsed_time_control
from ratingbook.rules.uscf.columns import Parameters
from ratingbook.rules.uscf.systems import (
    POOLS,
    QUICK,
    REGULAR,
    counted_minutes,
    parsed_pool,
    systems_of,
)

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
    sections = sorted(report.sections(), key=_order)
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


def _order(section: ReportedSection) -> tuple[object, ...]:
    """Sections by number, those without one by name; numbers in a name by their size."""
    number = section.head.number
    parts = re.split(r"(\d+)", section.name or "")
    names = tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)
    return (number is None, number or 0, names)
