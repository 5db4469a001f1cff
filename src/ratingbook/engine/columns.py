"""What the columns of a players file mean to a rule book: one definition for all that read one.

``Bulk.known`` is the only list of them: its annotations say what a column holds.  A history of
games reads the columns as they are; where players are entries, as beside reports and in an
office, each has its place there, in which :func:`ratingbook.engine.report.known.said_of` looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ratingbook.engine.natural import hints_of
from ratingbook.formats.document.schema import FIELDS
from ratingbook.formats.players import Column
from ratingbook.model import Entry
from ratingbook.rules.bulk import HISTORY_OF_A_REPORT, Bulk
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.units import Day, FloatRating, Year

_GAMES = "_games"
_HELD = {"number": float, "count": int, "flag": bool, "text": str}
"""What a value is in a file of players; a day is as it stands there."""


def kinds_read(bulk: Bulk) -> Mapping[str, str]:
    """All columns that the edition reads, common ones too, and what they hold."""
    hints = hints_of(bulk.known)
    return {
        name: _kind(name, hints[name], bulk)
        for name in bulk.known._fields
        if name not in HISTORY_OF_A_REPORT
    }


def is_rating(name: str, bulk: Bulk) -> bool:
    """Whether a column holds ratings, by its unit."""
    return bool(hints_of(bulk.known)[name] == FloatRating)


def _kind(name: str, hint: Any, bulk: Bulk) -> str:
    if name in bulk.codes:
        return "text"
    if hint == Day:
        return "date"
    if hint == Year:
        return "year"
    plain = getattr(hint, "__origin__", hint)
    return {bool: "flag", float: "number"}.get(plain, "count")


def place_of(name: str, book: BookOrSeries) -> str:
    """Where an entry has what is said beside its standing.

    ``decisions``, ``pools``, ``entry`` or, where it is a rating elsewhere, ``foreign``.
    """
    pools = None if book.bulk is None else book.bulk.pools
    if name in book.decisions:
        return "decisions"
    if pools is not None and name.removesuffix(_GAMES) in pools.names:
        return "pools"
    return "entry" if name in Entry.__dataclass_fields__ else "foreign"


def columns_beside(book: BookOrSeries) -> dict[str, Column]:
    """The columns that say something else of a player than the person and the standing.

    They are ratings elsewhere, those in other pools, and what was found of a newcomer.
    """
    kinds = {} if book.bulk is None else kinds_read(book.bulk)
    common = FIELDS["player"].keys() | FIELDS["standing"].keys() | book.standing_fields.keys()
    found = {
        name: Column(place_of(name, book), _HELD.get(kind, object))
        for name, kind in kinds.items()
        if name not in common
    }
    # Ratings elsewhere are numbers; what else an edition reads has its place beside the rating.
    return {
        name: each if each.place != "foreign" or each.held in (float, int)
        else each._replace(place="extra")
        for name, each in found.items()
        if each.place != "entry"
    }  # fmt: skip
