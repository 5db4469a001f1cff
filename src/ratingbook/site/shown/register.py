"""What the register says of a correction, fact by fact and number by number, to everybody.

It is what ``ratingbook office register`` tells, without the names of those who acted, reasons of
requests that nobody has granted, and what only an auditor may see: hashes of facts and files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from ratingbook.office.acts import register
from ratingbook.office.acts.corrections import named
from ratingbook.office.acts.masking import mask_for_public
from ratingbook.office.acts.register import next_list_of
from ratingbook.office.acts.requests import ACCEPTED, PUBLISHED, deadline, joined_into
from ratingbook.site.languages import SPOKEN
from ratingbook.site.shown.corrections import (
    Step,
    facts_of,
    known_beside,
    steps_of,
    told_of,
)
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.masking import saying_to_all, silent, untold_in
from ratingbook.site.shown.outlook import outlooks_of


@dataclass(frozen=True)
class Beside:
    """Another request about the same, and how it is to this one."""

    correction: int
    state: str
    contradicts: bool
    joined: bool
    takes_back: bool
    taken_back: bool


@dataclass(frozen=True)
class InList:
    """A list in the revision that a correction brought."""

    list: int
    date: date
    revision: int


@dataclass(frozen=True)
class Publication:
    """By what a correction came to be published in a pool."""

    pool: str
    publication: int
    run: int
    lists: tuple[InList, ...]
    besides: tuple[str, ...]
    """What else it published that can have moved numbers of the correction, too."""


@dataclass(frozen=True)
class Reach:
    """How much a correction changed, or is going to change."""

    players: int
    batches: int
    lists: tuple[str, ...]
    """Those that were revised, as POOL@DATE."""
    largest: Mapping[str, float]
    """The largest difference in each pool."""


@dataclass(frozen=True)
class Entry:
    """A correction as the register has it."""

    correction: int
    state: str
    says: tuple[str, ...]
    outlook: tuple[str, ...]
    """What accepting it would not change, and why: of one that is open."""
    beside: tuple[Beside, ...]
    joined: int | None
    """The earlier request with which it is decided."""
    until: date | None
    """By when it is to be decided."""
    next_list: date | None
    """From which day on lists have it, where nothing is rated again."""
    facts: tuple[Step, ...]
    published: tuple[Publication, ...]
    reach: Reach | None
    """None: it is not accepted."""


@dataclass(frozen=True)
class Changed:
    """A published number that a correction made another one."""

    pool: str
    batch: str
    day: date
    person: int
    name: str
    was: float | None
    now: float | None
    corrections: tuple[int, ...]
    """Those that made it so, together."""
    change: float | None
    """By how much they did, by themselves: all of the difference, but ``with_others``."""
    with_others: bool
    """Whether something else of the same run moved it, too."""
    listing: str
    """``left`` a list, or ``came`` on one, and has a rating all the same; else empty."""


def entry(number: int) -> Entry:
    """All that is public of a correction in the register; refused where there is none."""
    one = named(number)
    state = one.state
    every, roles = facts_of([number])
    others, is_told = known_beside(one)
    say = saying_to_all([one, *(x.one for x in others)], () if is_told else (number,))
    facts, masked = register.as_told(every[number]), mask_for_public() if is_told else silent
    told = told_of(((number, state),))[number] if is_told else None
    return Entry(
        correction=number, state=state,
        says=tuple(say(number)),
        outlook=outlooks_of([one]).get(number, ()) if is_told else (),
        beside=tuple(Beside(**each) for each in register.beside_of(one, others)),
        joined=joined_into([number]).get(number) if is_told else None,
        until=deadline(one) if is_told else None,
        next_list=next_list_of(facts) if is_told else None,
        facts=steps_of(facts, roles, masked, decided=state in (ACCEPTED, PUBLISHED)),
        published=tuple(map(_publication, register.published_of(facts, told, masked))),
        reach=None if told is None else _reach(register.reach_of(told)),
    )  # fmt: skip


def _publication(said: dict[str, Any]) -> Publication:
    lists = tuple(
        InList(x["list"], date.fromisoformat(x["date"]), x["revision"]) for x in said["lists"]
    )
    besides = tuple(map(SPOKEN.told, said["besides"]))
    return Publication(**{**said, "lists": lists, "besides": besides})


def _reach(said: dict[str, Any]) -> Reach:
    return Reach(**{**said, "lists": tuple(said["lists"])})


def table(rows: Iterable[Changed]) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """The numbers as a table."""
    columns = ("pool", "batch", "day", "person", "name", "was", "now", "corrections", "change",
               "with_others", "listing")  # fmt: skip
    return columns, [
        (x.pool, x.batch, x.day, x.person, x.name, x.was, x.now,
         " ".join(map(str, x.corrections)), x.change, x.with_others, x.listing)
        for x in rows
    ]  # fmt: skip


@by_ledger
def changed(number: int) -> tuple[Changed, ...]:
    """The published numbers that a correction made others; none before it is accepted."""
    one = named(number)
    told = None if untold_in([one]) else told_of(((number, one.state),))[number]
    return tuple(
        Changed(
            **{
                **each, "day": date.fromisoformat(each["day"]),
                "corrections": tuple(each["corrections"]),
            }
        )
        for each in (register.changed_by(told) if told is not None else ())
    )  # fmt: skip
