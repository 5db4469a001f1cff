"""The systems that read each other: regular and quick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ratingbook.model import Event
from ratingbook.rules.bulk import NOT_GIVEN
from ratingbook.rules.pooling import Pools
from ratingbook.rules.units import FloatRating, Games
from ratingbook.rules.uscf.columns import NO_RATING, Parameters, Pool, Standing
from ratingbook.rules.uscf.initial import BY_AGE, BY_CFC, Initial
from ratingbook.rules.uscf.systems import POOLS, systems_by_time, systems_of_event


class Others(NamedTuple):
    """What the systems read of each other, for Step 1."""

    regular: FloatRating = NO_RATING
    regular_games: Games = NOT_GIVEN
    quick: FloatRating = NO_RATING
    quick_games: Games = NOT_GIVEN


def of_other_system(others: Others, p: Parameters) -> Initial:
    """With what Step 1 begins: the rating of the other system; only regular and quick have one."""
    rating, games = NO_RATING, NOT_GIVEN
    if p.pool == Pool.REGULAR:
        rating, games = others.quick, others.quick_games
    elif p.pool == Pool.QUICK:
        rating, games = others.regular, others.regular_games
    if rating == NO_RATING:
        return Initial(NO_RATING, BY_AGE)
    return Initial(rating, games if games >= 0 else p.games_unknown)


def with_other_system(standing: Standing, others: Others, p: Parameters) -> Standing:
    """The standing of an unrated player by the rating of now in the other system.

    A CFC rating comes before it.
    """
    if standing.rated or standing.games == BY_CFC:
        return standing
    rating, games = of_other_system(others, p)
    return standing._replace(rating=rating, games=games)


def counting_systems(event: Event, p: Parameters) -> Sequence[str] | None:
    """The systems of the edition in which an event counts; None: nothing tells."""
    systems = systems_of_event(event, systems_by_time(event.time_control, p))
    return None if systems is None else [s for s in systems if s in POOLS[: p.systems]]


SYSTEMS = Pools(
    settings={name: {"pool": pool} for name, pool in zip(POOLS, Pool, strict=True)},
    of_event=counting_systems,
    others=Others,
    told=with_other_system,
)
"""All systems; only regular and quick read each other."""
