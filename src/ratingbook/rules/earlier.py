"""What a standing says of the earlier games that a performance rests on, where it brings none."""

from __future__ import annotations

from typing import NamedTuple

from ratingbook.model import Entry

_SCORE, _OPPONENTS, _OWN = "earlier_score", "earlier_opponents", "earlier_own"


def says_earlier(entry: Entry) -> bool:
    """Whether the standing says what the earlier games come to."""
    extra = entry.standing.extra if entry.standing else {}
    return _SCORE in extra and _OPPONENTS in extra


class Earlier(NamedTuple):
    """Sums of earlier games as somebody says them."""

    games: int
    score: object
    opponents: object


def impossible_earlier(entry: Entry, games: int, bounds: tuple[int, int]) -> Earlier | None:
    """The sums that are said of so many games that are not brought, if no games have them."""
    if entry.standing is None or not says_earlier(entry) or len(entry.history) >= games:
        return None
    extra = entry.standing.extra
    low, high = (games * each for each in bounds)
    sums = [extra[name] for name in (_OPPONENTS, _OWN) if name in extra]
    are_ratings = all(isinstance(each, int) and low <= each <= high for each in sums)
    if are_ratings and _is_score(extra[_SCORE], games):
        return None
    return Earlier(games, extra[_SCORE], extra[_OPPONENTS])


def _is_score(said: object, games: int) -> bool:
    return isinstance(said, int | float) and 0 <= said <= games and 2 * said % 1 == 0
