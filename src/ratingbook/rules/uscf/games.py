"""Sections 3 and 4: kinds of events, which games are rated, and what counts in FIDE events."""

from __future__ import annotations

from ratingbook.model import Event
from ratingbook.rules.half import Half, Status
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating, HalfPoints
from ratingbook.rules.uscf.columns import Flag, Kind, Parameters
from ratingbook.rules.uscf.initial import converted_fide
from ratingbook.rules.wording import KINDS as KINDS_OF_REPORTS

YOUTH = "youth"
"""The category of a FIDE event that these rules know."""
KINDS = (*KINDS_OF_REPORTS, "fide")
"""The words for a kind of event that these rules know; ``match`` and ``fide`` change something."""
_KINDS = {"match": Kind.MATCH, "fide": Kind.FIDE}


def kind_of(kind: str | None) -> Kind:
    """How an event of a kind is rated; all other words are events of the common kind."""
    return _KINDS.get((kind or "").casefold(), Kind.EVENT)


def is_youth(event: Event) -> bool:
    """Whether an event is known as one for the youth, which matters in FIDE events."""
    return (event.category or "").casefold() == YOUTH


FEDERATION = "USA"


@paragraph("4.1", "{status}, score {score}: not rated", silent=True)
def game_counts(status: Status, score: HalfPoints) -> bool:
    """4: all games that were begun, also lost on time, adjourned, or of players who withdrew later.

    Games in which a player made no move are forfeits; they and byes never count.
    """
    begun = status <= Status.TIME or Status.WITHDRAWN <= status <= Status.ADJUDICATED
    return begun and score >= 0


@paragraph("4.1", "the report does not rate the game for this side")
def counts_for_side(half: Half, p: Parameters) -> bool:
    """4: a game may count for one side only; the report says so."""
    return False


@paragraph(
    "3.1", "a player of the federation", otherwise="of another federation: not rated", once=True
)
def is_updated(flag: Flag, rated: bool) -> bool:
    """3: players with a USA flag; without any flag, those with a rating here."""
    return flag == Flag.OURS or (rated and flag != Flag.OTHER)


def flag_of(federation: str | None) -> Flag:
    """The flag by the name of a federation."""
    if not federation or not federation.strip():
        return Flag.UNKNOWN
    return Flag.OURS if federation.strip().upper() == FEDERATION else Flag.OTHER


@paragraph("3.2", "the opponent's FIDE rating {fide} counts as {value}")
def opponent_by_fide(fide: FloatRating, p: Parameters) -> FloatRating:
    """3: an opponent's FIDE rating, converted as in Step 1."""
    return converted_fide(fide, p)


@paragraph("3.3", "youth event, FIDE rating {fide}: the opponent counts as {value}")
def opponent_in_youth_event(fide: FloatRating) -> FloatRating:
    """3: 210 + 0.93 FIDE, for all opponents in an event that is known as a youth event."""
    return 210.0 + 0.93 * fide
