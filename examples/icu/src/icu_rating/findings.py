"""What the Irish rules notice about an event."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from icu_rating.reported import (
    FOREIGN,
    JOINED,
    MOST_K,
    K,
    born_of,
    decided_k,
    is_foreign,
    joined_of,
    start_of,
)
from icu_rating.rules import TOP
from ratingbook.model import Entry, Findings, Place, Severity, Standing
from ratingbook.rules.book import Batch
from ratingbook.rules.wording import players_named


def findings_of(batch: Batch) -> Findings:
    """What is unclear about kinds of player and K."""
    findings = Findings()
    for entry in batch.entries:
        _check_entry(entry, batch, findings)
    _tell_unknown_games(batch, findings)
    _tell_unknown_k(batch, findings)
    return findings


def _check_entry(entry: Entry, batch: Batch, findings: Findings) -> None:
    """What one player's standing and decisions say that the rules cannot take."""
    place = _place(batch, (entry,))
    said = entry.decisions.get(K)
    if said is not None and decided_k(entry) is None:
        findings.add(
            Severity.ERROR,
            "icu.decision-value",
            f"Player {entry.id}: the decision {K} cannot be {said!r}.",
            place,
            f"Give a whole number from 1 to {MOST_K}, or leave it out.",
        )
    standing = entry.standing or Standing()
    if is_foreign(standing) and standing.rating is None:
        findings.add(
            Severity.WARNING,
            "icu.foreign-unrated",
            f"Player {entry.id} is {FOREIGN} but has no rating: rated as an unrated player.",
            place,
            "Give the rating with which the player counts.",
        )
    if JOINED in standing.extra and joined_of(standing) is None:
        findings.add(
            Severity.WARNING,
            "icu.joined",
            f"Player {entry.id} joined on {standing.extra[JOINED]!r}, which is no day; it counts "
            "as not known.",
            place,
            "Write it as YYYY-MM-DD.",
        )


def _tell_unknown_games(batch: Batch, findings: Findings) -> None:
    unknown = [
        entry
        for entry in batch.entries
        if entry.standing
        and entry.standing.rating is not None
        and entry.standing.games is None
        and not is_foreign(entry.standing)
    ]
    if unknown:
        findings.add(
            Severity.INFO,
            "icu.games-unknown",
            f"{players_named(unknown)}: a rating without a number of games; it is taken as one "
            "that is not provisional.",
            _place(batch, unknown),
            "Give the games of players who had fewer than 20.",
        )


def _tell_unknown_k(batch: Batch, findings: Findings) -> None:
    """Rated players below 2100 whose K rests on something that is not known."""
    unknown = [entry for entry in _with_k_by_age(batch.entries) if not _is_k_known(entry, batch)]
    if unknown:
        findings.add(
            Severity.INFO,
            "icu.k-assumed",
            f"{players_named(unknown)}: the K rests on what is not known; nobody is taken as a "
            "junior or a new member without being known as one.",
            _place(batch, unknown),
            f"Give birth_date and {JOINED}, and the event's start; or set {K} as a decision.",
        )


def _with_k_by_age(entries: Iterable[Entry]) -> list[Entry]:
    return [
        entry
        for entry in entries
        if entry.standing
        and entry.standing.rating is not None
        and entry.standing.rating < TOP
        and not is_foreign(entry.standing)
        and decided_k(entry) is None
    ]


def _is_k_known(entry: Entry, batch: Batch) -> bool:
    return (
        start_of(batch.event) is not None
        and born_of(entry) is not None
        and joined_of(entry.standing or Standing()) is not None
    )


def _place(batch: Batch, entries: Sequence[Entry]) -> Place:
    first = entries[0]
    return replace(first.place, section=batch.section, player=first.place.player or first.id)
