"""A toy federation: everybody has a number and sees the opponents'; tests choose its rounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ratingbook.rules.book import RatedBy, RuleBook
from ratingbook.rules.bulk import (
    ESTABLISHED,
    NEVER_STILL,
    NO_NUMBER,
    Bulk,
    Listed,
    Nothing,
    Outcome,
    Turns,
)
from ratingbook.rules.half import Half
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Paragraph, Regulation


class Known(NamedTuple):
    rating: float = 1000.0


class Standing(NamedTuple):
    rating: float
    before: float
    """The own number of the round before."""


class Side(NamedTuple):
    opponent: float
    """The opponent's value of the round before; at first the rating."""
    score: int
    other: int
    game: int


class Value(NamedTuple):
    value: float
    games: int


def standing_of(known: Known, p: Any) -> Standing:
    return Standing(known.rating, known.rating)


def known_of(standing: Standing, p: Any) -> Known:
    return Known(standing.rating)


def enter(standing: Standing, how: Any, facts: Nothing, p: Any) -> Standing:
    return Standing(standing.rating, standing.rating)


def side_of(half: Half, own: Standing, opponent: Standing, facts: Nothing, p: Any) -> Side:
    return Side(opponent.rating, half.score, half.other, half.game)


def moved(side: Side, value: Value) -> Side:
    return Side(value.value, side.score, side.other, side.game)


def between(entered: Standing, value: Value) -> Standing:
    return Standing(entered.rating, value.value)


def leave(entered: Standing, value: Value, p: Any) -> Standing:
    return Standing(value.value, entered.before)


def outcome(stored: Standing, entered: Standing, value: Value, left: Standing, p: Any) -> Outcome:
    return Outcome(left.before, left.rating, value.games, 0, NO_NUMBER)


def listed(standing: Standing, p: Any) -> Listed:
    return Listed(standing.rating, 0, ESTABLISHED, True)


TOY = Bulk(
    known=Known,
    standing=Standing,
    side=Side,
    value=Value,
    standing_of=standing_of,
    known_of=known_of,
    enter=enter,
    side_of=side_of,
    moved=moved,
    between=between,
    leave=leave,
    outcome=outcome,
    listed=listed,
)
"""All but its rounds."""

NO_MORE = Turns(-1, 0, NEVER_STILL, False, False, False, False)
"""After the last round."""

Kernel = Callable[[Standing, Sequence[Side], Any], Value]
Round = tuple[Kernel, Turns]


def play(
    kernel: Kernel,
    *,
    at_most: int = 1,
    still: float = NEVER_STILL,
    goes_on: bool = False,
    must_settle: bool = False,
    wanted: bool = False,
    in_turn: bool = False,
) -> Round:
    """A round of this kernel."""
    return kernel, Turns(0, at_most, still, goes_on, must_settle, wanted, in_turn)


def rounds_of(rounds: Sequence[Round]) -> dict[str, Any]:
    """What a ``Bulk`` says of these rounds."""
    turns = [turn._replace(kernel=number) for number, (_, turn) in enumerate(rounds)]

    def round_at(number: int, p: Any) -> Turns:
        return [*turns, NO_MORE][number]

    return {"kernels": tuple(kernel for kernel, _ in rounds), "round_at": round_at}


def toy_of(
    bulk: Bulk,
    settings: Settings[Any],
    *paragraphs: Paragraph,
    made: type[RuleBook] = RuleBook,
) -> RuleBook:
    """The rule book of the federation."""
    return made(
        name="toy",
        text=Regulation(
            title="Toy",
            federation="Toy",
            source="this test",
            valid_from=None,
            valid_until=None,
            paragraphs=paragraphs,
            readings=(),
        ),
        settings=settings,
        rated_by=RatedBy.SECTION,
        whole_ratings=False,
        bulk=bulk,
    )
