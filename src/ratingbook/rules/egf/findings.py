"""What the EGF editions notice about an event."""

from __future__ import annotations

from collections.abc import Sequence

from ratingbook.model import Entry, Event, Findings, Place, Severity, StandingStatus
from ratingbook.rules.book import Batch
from ratingbook.rules.bulk import NO_NUMBER, NOT_GIVEN, day_number
from ratingbook.rules.egf.classes import (
    FIRST_DAY,
    class_of_event,
    class_weight,
    has_classes,
    is_of_our_time,
    parsed_time,
)
from ratingbook.rules.egf.columns import Parameters
from ratingbook.rules.egf.games import is_counted
from ratingbook.rules.egf.grades import parsed_grade
from ratingbook.rules.wording import players_named


def check_entries(batch: Batch, bounds: tuple[float, float], findings: Findings) -> None:
    """Grades and resets: what the ratings at the start of the event rest on.

    A rating that the office sets lies within ``bounds``.
    """
    unrated = {entry.id for entry in batch.entries if not _is_known(entry)}
    # Whether or not the event is recognised.
    games = [game for game in batch.games if is_counted(game)]
    playing = {player for game in games for player in (game.white, game.black) if player}
    gradeless = []
    for entry in batch.entries:
        is_new = entry.id in unrated
        if entry.grade and parsed_grade(entry.grade) is None:
            findings.add(
                Severity.ERROR if is_new and entry.id in playing else Severity.WARNING,
                "egf.grade",
                f"Player {entry.id} has the grade {entry.grade!r}, which is none.",
                entry.place,
                "Write 30k to 1k, 1d to 9d, or 1p to 9p.",
            )
        elif is_new and not entry.grade and entry.id in playing:
            gradeless.append(entry)
        _check_highest_grade(entry, findings)
        if "reset_rating" in entry.decisions:
            _check_reset(batch, entry, bounds, findings)
    if gradeless:
        has = "has" if len(gradeless) == 1 else "have"
        findings.add(
            Severity.ERROR,
            "egf.no-grade",
            f"{players_named(gradeless)} {has} neither a rating nor a grade.",
            gradeless[0].place,
            "Give the declared grade: it is the initial rating (paragraph 2).",
        )
    _tell_newcomers(batch, playing & unrated, findings)
    low = [
        entry
        for entry in batch.entries
        if entry.id not in unrated and entry.standing and (entry.standing.rating or 0) < bounds[0]
    ]
    if low:
        findings.add(
            Severity.WARNING,
            "egf.below-floor",
            f"{players_named(low)}: rating below the floor of {bounds[0]:g}, which no list holds; "
            "used as given.",
            low[0].place,
            "Correct the rating, or set floor.",
        )


def _check_highest_grade(entry: Entry, findings: Findings) -> None:
    """The highest grade so far, on which resets rest."""
    highest = entry.standing.extra.get("highest_grade") if entry.standing else None
    if highest is not None and parsed_grade(str(highest)) is None:
        findings.add(
            Severity.WARNING,
            "egf.highest-grade",
            f"The highest grade of player {entry.id} is {highest!r}, which is none; it is not "
            "used.",
            entry.place,
            "Write 30k to 1k, 1d to 9d, or 1p to 9p.",
        )


def _is_known(entry: Entry) -> bool:
    """Whether the pool has a rating of the player."""
    standing = entry.standing
    return (
        standing is not None
        and standing.rating is not None
        and standing.status is not StandingStatus.UNRATED
    )


def _check_reset(
    batch: Batch, entry: Entry, bounds: tuple[float, float], findings: Findings
) -> None:
    """The office's decision on a player's rating."""
    low, high = bounds
    decided = entry.decisions["reset_rating"]
    is_truth = isinstance(decided, bool)
    number = decided if isinstance(decided, int | float) and not is_truth else NO_NUMBER
    if not low <= number <= high:
        findings.add(
            Severity.ERROR,
            "egf.reset-rating",
            f"The decision reset_rating of player {entry.id} is no rating: {decided!r}.",
            entry.place,
            f"Give a number between {low:g} and {high}.",
        )
    elif not batch.games_of[batch.rows[entry.id]]:
        findings.add(
            Severity.WARNING,
            "egf.reset-not-used",
            f"Player {entry.id} has no game in this event, so the decision reset_rating is "
            "not used.",
            entry.place,
            "Give it with the next event that the player enters.",
        )


def _tell_newcomers(batch: Batch, newcomers: set[str], findings: Findings) -> None:
    new = [
        entry.id
        for entry in batch.entries
        if entry.id in newcomers and parsed_grade(entry.grade) is not None
    ]
    if new:
        findings.add(
            Severity.INFO,
            "egf.initial-rating",
            f"Players without a rating begin at that of their grade: {_several(new)}.",
            Place(player=new[0]),
            "Give ratings with --players if they are in the list.",
        )


def tell_class(event: Event, p: Parameters, findings: Findings) -> None:
    """Which class the event is taken for, and whether its games count at all."""
    class_, recognised = class_of_event(event, p)
    start = NOT_GIVEN if event.start is None else day_number(event.start)
    if not (recognised and is_of_our_time(start, FIRST_DAY)):
        findings.add(
            Severity.WARNING,
            "egf.not-recognised",
            "The games of this event are not rated: it is too fast, before 1996, or of no "
            "class that the EGF knows.",
            remedy="Correct the event's class, time_control or start.",
        )
    elif not event.class_ and parsed_time(event.time_control) is None:
        findings.add(
            Severity.WARNING if has_classes(p) else Severity.INFO,
            "egf.class-unknown",
            f"The event has no class, and its time limit {event.time_control or ''!r} gives "
            f"none; taken as class {class_}.",
            remedy="Give the class (A, B, C, D), or a time limit such as 60 + 30s byo-yomi.",
        )
    elif not event.class_ and has_classes(p):
        findings.add(
            Severity.INFO,
            "egf.class",
            f"By its time limit the event is of class {class_}, "
            f"weight {class_weight(class_, p):g}.",
        )


def _several(ids: Sequence[str]) -> str:
    """The first few ids, and how many there are."""
    more = f", … ({len(ids)} in all)" if len(ids) > 5 else ""
    return ", ".join(ids[:5]) + more
