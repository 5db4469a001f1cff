"""What a standing says of the earlier games that a performance rests on, where it brings none."""

from __future__ import annotations

from ratingbook.model import Entry
from ratingbook.rules.wording import Notes

_SCORE, _OPPONENTS, _OWN = "earlier_score", "earlier_opponents", "earlier_own"


def says_earlier(entry: Entry) -> bool:
    """Whether the standing says what the earlier games come to."""
    extra = entry.standing.extra if entry.standing else {}
    return _SCORE in extra and _OPPONENTS in extra


def check_earlier(
    family: str, entry: Entry, games: int, bounds: tuple[int, int], findings: Notes
) -> None:
    """Sums of so many games that can be; ``family`` begins the code of the finding."""
    extra = entry.standing.extra if entry.standing else {}
    if not says_earlier(entry):
        return
    score, (low, high) = extra[_SCORE], bounds
    sums = [extra[name] for name in (_OPPONENTS, _OWN) if name in extra]
    are_ratings = all(low * games <= each <= high * games for each in sums)
    if not (are_ratings and 0 <= score <= games and 2 * score % 1 == 0):
        findings.tell(
            f"{family}.earlier-games", entry, score=score, games=games, opponents=extra[_OPPONENTS]
        )
