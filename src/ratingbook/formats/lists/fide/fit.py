"""What FIDE's list has no room for is left out or cut when a list is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from ratingbook.formats.lists.fide import common
from ratingbook.formats.lists.fide.common import BadCell, FidePlayer, Rated
from ratingbook.formats.tools.characters import one_line
from ratingbook.formats.tools.notes import CountedNotes, Remark
from ratingbook.model import Place, Severity

NUMBER = Remark(
    "fide-list.number",
    Severity.WARNING,
    "Players without a FIDE number were left out",
    "Give each player the FIDE number as id.",
)
LEFT_OUT = Remark(
    "fide-list.left-out",
    Severity.WARNING,
    "Data that FIDE's list cannot hold were left out",
    "Look at federation, titles and ratings of these players.",
)

_GAMES, _K = 999, 99
_Value = TypeVar("_Value")


def fitting(players: Iterable[FidePlayer], notes: CountedNotes) -> Iterator[FidePlayer]:
    """The players as the list can hold them; who has no FIDE number cannot stand in it."""
    for player in players:
        if common.is_id(player.id):
            yield _fitted(player, notes)
        else:
            notes.add(NUMBER, f"{player.id} {player.name}".strip(), Place(player=player.id or None))


def _fitted(player: FidePlayer, notes: CountedNotes) -> FidePlayer:
    def kept(read: Callable[[str], _Value], text: str, otherwise: _Value) -> _Value:
        try:
            return read(text)
        except BadCell:
            tell()
            return otherwise

    def tell() -> None:
        notes.add(LEFT_OUT, f"{player.id} {player.name}", Place(player=player.id))

    def rated(found: Rated | None) -> Rated | None:
        rating, games, k = found or Rated()
        if (games or 0) > _GAMES or (k or 0) > _K:
            tell()
            games = k = None
        try:
            return common.rated_of(*("" if n is None else str(n) for n in (rating, games, k)))
        except BadCell:
            tell()
            return None

    return FidePlayer(
        id=player.id,
        name=one_line(player.name),
        federation=kept(common.federation_of, player.federation, ""),
        sex=kept(common.sex_of, player.sex, ""),
        title=kept(common.title_of, player.title, ""),
        women_title=kept(common.title_of, player.women_title, ""),
        other_titles=kept(common.other_titles_of, player.other_titles, ""),
        arena_title=kept(common.title_of, player.arena_title, ""),
        standard=rated(player.standard),
        rapid=rated(player.rapid),
        blitz=rated(player.blitz),
        birth_year=kept(common.birth_year_of, str(player.birth_year or ""), None),
        flag=kept(common.flag_of, player.flag, ""),
    )
