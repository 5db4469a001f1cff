"""What a report lacks of its players, filled in from what a players file knows of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any

from ratingbook.formats.document.write import standing_as_dict
from ratingbook.model import Entry, Findings, Report, Severity, Standing
from ratingbook.model.making import changed
from ratingbook.rules.wording import called

_OF_ENTRY = [each.name for each in fields(Entry)
             if each.name not in ("id", "place", "rank", "standing")]  # fmt: skip
_OF_STANDING = [each.name for each in fields(Standing)]
_VALUES_OF_ENTRY, _VALUES_OF_STANDING = attrgetter(*_OF_ENTRY), attrgetter(*_OF_STANDING)


def with_players(
    report: Report,
    players: Mapping[str, Entry],
    *,
    whole_ratings: bool = False,
    said: str = "in the report",
) -> tuple[Report, Findings]:
    """The report with what it lacks filled in from the players file, by the report's ids.

    What the report says stands (``said``: where that is, in words); a rating that
    contradicts it is a finding.  A whole number next to the rating of the players file is
    that rating without its decimals: the players file's is used, unless the edition knows
    ``whole_ratings`` only.
    """
    findings = Findings()
    entries = []
    for entry in report.entries:
        more = players.get(entry.id)
        if more is None:
            entries.append(entry)
            continue
        exact = None if whole_ratings else _exact_rating(entry, more)
        _compare(entry, more, exact, said, findings)
        entries.append(_filled(entry, more, exact))
    return replace(report, entries=tuple(entries)), findings


def _compare(
    entry: Entry, more: Entry, exact: float | None, said_where: str, findings: Findings
) -> None:
    """A finding where the players file contradicts the report; ``exact`` does not."""
    own, theirs = entry.standing, more.standing
    if own is None or theirs is None:
        return
    if (
        own.rating is not None
        and theirs.rating is not None
        and theirs.rating not in (own.rating, exact)
    ):
        said = standing_as_dict(own)
        filled = [key for key in standing_as_dict(theirs) if key not in said]
        mixed = (
            f"; only the rating is the report's, {', '.join(filled)} "
            f"{'are' if len(filled) > 1 else 'is'} the players file's, perhaps of another day"
            if filled
            else "; the report's is used"
        )
        findings.add(
            Severity.WARNING,
            "players.rating-differs",
            f"Player {called(entry)}: rating {_shown(own.rating)} {said_where} and "
            f"{_shown(theirs.rating)} in the players file{mixed}.",
            more.place,
            "Correct the one that is wrong; take the players file of before this event.",
        )
    if own.games is not None and theirs.games is not None and own.games != theirs.games:
        findings.add(
            Severity.WARNING,
            "players.games-differs",
            f"Player {called(entry)}: games {own.games} {said_where} and {theirs.games} in the "
            "players file; the former is used.",
            more.place,
            "Correct the one that is wrong.",
        )


def _exact_rating(entry: Entry, more: Entry) -> float | None:
    """The rating of the players file, if the report has it without its decimals."""
    own = entry.standing.rating if entry.standing else None
    exact = more.standing.rating if more.standing else None
    if own is None or exact is None:
        return None
    return exact if own % 1 == 0 and abs(own - exact) < 1 else None


def _shown(rating: float) -> str:
    return f"{rating:.12g}"


def _filled(entry: Entry, more: Entry, exact: float | None) -> Entry:
    """``entry`` with ``more`` where it has nothing, and the exact rating."""
    changes = _filling(entry, more, _OF_ENTRY, _VALUES_OF_ENTRY)
    own = entry.standing
    if own is None:
        changes["standing"] = more.standing
    elif more.standing:
        filling = _filling(own, more.standing, _OF_STANDING, _VALUES_OF_STANDING)
        if exact is not None:
            filling["rating"] = exact
        changes["standing"] = changed(own, **filling)
    return changed(entry, **changes)


def _filling(
    own: Any, more: Any, names: Sequence[str], values: Callable[[Any], tuple[Any, ...]]
) -> dict[str, Any]:
    """What becomes another in one's own by what another says; most is the same in both."""
    return {
        name: _either(one, other)
        for name, one, other in zip(names, values(own), values(more), strict=True)
        if one != other
    }


def _either(own: Any, more: Any) -> Any:
    """What the report says; what it does not say, from the players file."""
    if own is None or own in ("", ()):
        return more
    if isinstance(own, Mapping):
        return {**more, **{key: value for key, value in own.items() if value is not None}}
    return own
