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
    """Sums of so many games that can be, where they stand for games that are not brought.

    ``family`` begins the code of the finding.
    """
    if entry.standing is None or not says_earlier(entry) or len(entry.history) >= games:
        return
    extra = entry.standing.extra
    low, high = (games * each for each in bounds)
    sums = [extra[name] for name in (_OPPONENTS, _OWN) if name in extra]
    are_ratings = all(isinstance(each, int) and low <= each <= high for each in sums)
    if not (are_ratings and _is_score(extra[_SCORE], games)):
        findings.tell(
            f"{family}.earlier-games", entry, score=extra[_SCORE], games=games,
            opponents=extra[_OPPONENTS],
        )  # fmt: skip


def _is_score(said: object, games: int) -> bool:
    return isinstance(said, int | float) and 0 <= said <= games and 2 * said % 1 == 0
