"""Games of substitutes in reports that came before offices applied what rules say of them.

They are rated for who played, which is told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.utils.translation import ngettext

from ratingbook.office.acts.entering import document_of
from ratingbook.office.store import models as m
from ratingbook.site.shown.event_report import Rows, rows_of

_REPLACED = ("white_for", "black_for")
_SEATS = ("white", "black", *_REPLACED)
Game = Mapping[str, Any]


def substituted(rows: Rows, document: Mapping[str, Any]) -> list[Game]:
    """The games of an event that are rated for who played though somebody was replaced.

    In sections whose rules ask for it, of a version that came before it was kept.
    """
    rated = [each for each in rows.sections if each.id in rows.runs]
    names = {each.name or "" for each in rated if rows.runs[each.id].knows_substitutes}
    if not names:
        return []
    is_one = len(rows.sections) == 1
    found = [
        game for game in document.get("games", ())
        if any(game.get(each) for each in _REPLACED)
        and (is_one or (game.get("section") or "") in names)
    ]  # fmt: skip
    if found and m.Substitution.objects.filter(version=rows.version.id).exists():
        return []
    return found


def concerning(reports: Iterable[int], people: Collection[int]) -> int:
    """In how many such games of some events a person had a part: at the board, or replaced."""
    found = 0
    for report in reports:
        found += sum(_concerning(rows, people) for rows in rows_of(report))
    return found


def _concerning(rows: Rows, people: Collection[int]) -> int:
    """The same of a version of a report."""
    games = substituted(rows, document_of(rows.version))
    if not games:
        return 0
    own = m.Link.objects.filter(
        entry__version=rows.version.id, person__in=people, revoked_by__isnull=True
    )
    entries = set(own.values_list("entry__number", flat=True))
    return sum(any(game.get(seat) in entries for seat in _SEATS) for game in games)


def told(count: int) -> str:
    """What is said of so many games."""
    return ngettext(
        "{n} game of a substitute is rated for who played it, not for who was replaced: the report "
        "came before the office applied what the rules say of substitutes.",
        "{n} games of substitutes are rated for who played them, not for who was replaced: the "
        "report came before the office applied what the rules say of substitutes.",
        count,
    ).format(n=count)
