"""What an edition says of a report that is one of a history: why not, and what was assumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import median_low

from ratingbook.desk.parts import as_in_pool, pool_of
from ratingbook.engine.rate import checked
from ratingbook.model import Entry, Finding, Findings, Report, Standing, StandingStatus
from ratingbook.rules.series import BookOrSeries, default_pool

_MANY = 1000
"""So many games are enough for any rule that asks for some."""
_FILLED = ("grade", "birth_date", "birth_year", "adult", "sex", "federation", "title")
_BY_KEYS = ("foreign", "pools", "decisions")
"""Of these a report may say some, and a players file others."""


@dataclass(frozen=True)
class Taken:
    """A report that a history is made of, and its players as persons."""

    report: Report
    file: str
    ids: Mapping[str, str]
    """The persons by the ids of the report."""
    met: frozenset[str]
    """Who of them is in an earlier report."""
    rated: frozenset[str]
    """Everybody who has a game that counts in an earlier one."""


def refusals(taken: Taken, first: Mapping[str, Entry], book: BookOrSeries) -> Findings:
    """The errors of the edition's own checks, and what they assume of whom the report brings in.

    An error refuses the report and so the history.

    ``first`` is what is known of everybody before the first game.  How players stand when the
    report is rated is settled by the history: an error that goes away where everybody who may
    have a rating by then has one, on many games, is none.
    """
    report, edition = taken.report, book.for_report(taken.report)
    pool, usual = pool_of(report, book), default_pool(book)

    def known_of(entry: Entry) -> Entry | None:
        known = first.get(taken.ids[entry.id])
        return None if known is None else as_in_pool(known, pool, usual)

    filled = [_filled(entry, known_of(entry)) for entry in report.entries]
    every = checked(replace(report, entries=tuple(filled)), edition)
    assumed = [each for each in every if each.assumed]
    if assumed:
        # Of others it was assumed in the report before, and players files say more.  They are
        # rated by now, below all that would be assumed of a strong player.
        least = max(1, edition.domain.ratings[0])
        new = [
            _settled(entry, least)
            if taken.ids[entry.id] in taken.rated
            else _as_known(entry, known_of(entry))
            for entry in filled
        ]
        again = checked(replace(report, entries=tuple(new)), edition)
        assumed = [each for each in again if each.assumed]
    found = _errors(every)
    if not found:
        return Findings(assumed)
    known = [number for entry in filled if (number := _rating(entry)) is not None]
    middle = median_low(known or edition.domain.ratings)
    settled = [
        _settled(entry, middle) if taken.ids[entry.id] in taken.met or _rating(entry) else entry
        for entry in filled
    ]
    codes = {each.code for each in found}
    again = checked(replace(report, entries=tuple(settled)), edition)
    return Findings([*assumed, *(each for each in _errors(again) if each.code in codes)])


def _errors(findings: Findings) -> list[Finding]:
    return [each for each in findings if each.severity.refuses]


def _filled(said: Entry, known: Entry | None) -> Entry:
    """An entry with what else is known of the person."""
    if known is None:
        return said
    more = {name: getattr(said, name) or getattr(known, name) for name in _FILLED}
    more |= {name: {**getattr(known, name), **getattr(said, name)} for name in _BY_KEYS}
    standing = said.standing if _rating(said) is not None else known.standing
    return replace(said, **more, standing=standing or said.standing)


def _as_known(entry: Entry, known: Entry | None) -> Entry:
    """An entry with the standing from which the history begins."""
    return replace(entry, standing=known.standing) if known and known.standing else entry


def _rating(entry: Entry) -> float | None:
    return entry.standing.rating if entry.standing else None


def _settled(entry: Entry, usual: float) -> Entry:
    """The entry of a player with a rating that rests on many games."""
    standing = entry.standing or Standing()
    rating = usual if standing.rating is None else standing.rating
    new = replace(standing, rating=rating, games=_MANY, status=StandingStatus.ESTABLISHED)
    return replace(entry, standing=new, history=())
