"""What the EGF editions notice about an event."""

from __future__ import annotations

from collections.abc import Sequence

from ratingbook.model import Entry, Event, Place
from ratingbook.model.sentences import sentence
from ratingbook.rules.book import Batch, knows_rating
from ratingbook.rules.bulk import NO_NUMBER, day_number
from ratingbook.rules.egf.classes import (
    FIRST_DAY,
    class_of_event,
    class_weight,
    has_classes,
    is_counted,
    is_of_our_time,
    parsed_time,
)
from ratingbook.rules.egf.columns import Parameters
from ratingbook.rules.egf.grades import parsed_grade
from ratingbook.rules.wording import Notes, Notices

NOTICES = Notices("""
egf.no-grade  error
    {who} {has} neither a rating nor a grade.
    Remedy: Give the declared grade: it is the initial rating (paragraph 2).
egf.grade  {severity}
    Player {player} has the grade {first.grade!r}, which is not a grade.
    Remedy: Write 30k to 1k, 1d to 9d, or 1p to 9p.
egf.below-floor  warning
    {who}: rating below the floor of {least:g}, which no list holds; used as given.
    Remedy: Correct the rating, or set floor.
egf.highest-grade  warning
    The highest grade of player {player} is {highest!r}, which is not a grade; it is not used.
    Remedy: Write 30k to 1k, 1d to 9d, or 1p to 9p.
egf.reset-rating  error
    The decision reset_rating of player {player} is not a rating: {decided!r}.
    Remedy: Give a number between {low:g} and {high}.
egf.reset-not-used  warning
    Player {player} has no game in this event, so the decision reset_rating is not used.
    Remedy: Give it with the next event that the player enters.
egf.initial-rating  info
    Players without a rating begin at that of their grade: {who}.
    Remedy: Give ratings with --players if they are in the list.
egf.not-recognised  warning
    The games of this event are not rated: it is too fast, before 1996, or of no class that the EGF
    knows.
    Remedy: Correct the event's class, time_control or start.
egf.class-unknown  {severity} assumed
    The event has no class, and {limit}; taken as class {class_}.
    Remedy: Give the class (A, B, C, D), or a time limit such as 60 + 30s byo-yomi.
egf.class  info
    By its time limit the event is of class {class_}, weight {weight:g}.
""")
"""What is noticed, by its code."""


def check_entries(batch: Batch, bounds: tuple[float, float], findings: Notes) -> None:
    """Grades and resets: what the ratings at the start of the event rest on.

    A rating that the office sets lies within ``bounds``.
    """
    unrated = {entry.id for entry in batch.entries if not knows_rating(entry.standing)}
    # Whether or not the event is recognised.
    games = [game for game in batch.games if is_counted(game)]
    playing = {player for game in games for player in (game.white, game.black) if player}
    gradeless = []
    for entry in batch.entries:
        is_new = entry.id in unrated
        if entry.grade and parsed_grade(entry.grade) is None:
            severity = "error" if is_new and entry.id in playing else "warning"
            findings.tell("egf.grade", entry, severity=severity)
        elif is_new and not entry.grade and entry.id in playing:
            gradeless.append(entry)
        _check_highest_grade(entry, findings)
        if "reset_rating" in entry.decisions:
            _check_reset(batch, entry, bounds, findings)
    findings.tell(
        "egf.no-grade", gradeless, has=sentence("has") if len(gradeless) == 1 else sentence("have")
    )
    _tell_newcomers(batch, playing & unrated, findings)
    low = [
        entry
        for entry in batch.entries
        if entry.id not in unrated and entry.standing and (entry.standing.rating or 0) < bounds[0]
    ]
    findings.tell("egf.below-floor", low, least=bounds[0])


def _check_highest_grade(entry: Entry, findings: Notes) -> None:
    """The highest grade so far, on which resets rest."""
    highest = entry.standing.extra.get("highest_grade") if entry.standing else None
    if highest is not None and parsed_grade(str(highest)) is None:
        findings.tell("egf.highest-grade", entry, highest=highest)


def _check_reset(batch: Batch, entry: Entry, bounds: tuple[float, float], findings: Notes) -> None:
    """The office's decision on a player's rating."""
    low, high = bounds
    decided = entry.decisions["reset_rating"]
    is_truth = isinstance(decided, bool)
    number = decided if isinstance(decided, int | float) and not is_truth else NO_NUMBER
    if not low <= number <= high:
        findings.tell("egf.reset-rating", entry, decided=decided, low=low, high=high)
    elif not batch.games_of[batch.rows[entry.id]]:
        findings.tell("egf.reset-not-used", entry)


def _tell_newcomers(batch: Batch, newcomers: set[str], findings: Notes) -> None:
    new = [
        entry.id
        for entry in batch.entries
        if entry.id in newcomers and parsed_grade(entry.grade) is not None
    ]
    if new:
        findings.tell("egf.initial-rating", Place(player=new[0]), who=_several(new))


def tell_class(event: Event, p: Parameters, findings: Notes) -> None:
    """Which class the event is taken for, and whether its games count at all."""
    class_, recognised = class_of_event(event, p)
    start = day_number(event.start)
    if not (recognised and is_of_our_time(start, FIRST_DAY)):
        findings.tell("egf.not-recognised")
    elif not event.class_ and parsed_time(event.time_control) is None:
        given = event.time_control
        limit = sentence("no time limit gives one")
        if given:
            limit = sentence("its time limit {given!r} gives none", given=given)
        severity = "warning" if has_classes(p) else "info"
        findings.tell("egf.class-unknown", severity=severity, limit=limit, class_=class_)
    elif not event.class_ and has_classes(p):
        findings.tell("egf.class", class_=class_, weight=class_weight(class_, p))


def _several(ids: Sequence[str]) -> str:
    """The first few ids, and how many there are."""
    first = ", ".join(ids[:5])
    if len(ids) <= 5:
        return first
    return sentence("{examples}, … ({count} in all)", examples=first, count=len(ids))
