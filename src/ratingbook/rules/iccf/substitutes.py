"""Item 18: games of teams in which a substitute played."""

from __future__ import annotations

from ratingbook.rules.iccf.columns import SignedPercent
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import HalfPoints, Percent, Rating


@paragraph("18", "W − We of the substitute = {score} − {expected} = {value}")
def substitutes_difference(score: HalfPoints, expected: Percent) -> SignedPercent:
    """Item 18a: ΔW as the substitute would have it."""
    return 50 * score - expected


@paragraph(
    "18",
    "{difference} is positive: the game counts for the substitute",
    otherwise="{difference} is not positive: the game counts for the player replaced",
)
def counts_for_substitute(difference: SignedPercent) -> bool:
    """Item 18a: a game counts for the substitute only if his ΔW is positive."""
    return difference > 0


@paragraph(
    "18", "for the opponent against the higher rated of {substitute} and {replaced}: {value}"
)
def rating_for_opponent(substitute: Rating, replaced: Rating) -> Rating:
    """Item 18b: for the opponent the game counts against the higher rated of the two."""
    return max(substitute, replaced)
