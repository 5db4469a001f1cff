"""Pools of one federation that read each other: which there are, and what one is told of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ratingbook.model import Event


@dataclass(frozen=True)
class Pools:
    """The pools that an edition rates, each with standings of its own, and what they read.

    In a history they are rated together: before a batch of one pool is rated its players are
    told the published ratings that they have in the others.
    """

    settings: Mapping[str, Mapping[str, object]]
    """The parameters with which each pool is rated, by its name.  What says nothing of its
    pool is of the one that the parameters of the edition name."""
    of_event: Callable[[Event, Any], Sequence[str] | None]
    """``of_event(event, p)``: the pools in which an event counts, several for a dual one, none
    for one of a pool that the edition does not have; None: nothing tells."""
    others: type[Any]
    """What a pool reads of the others, with the values where there is no rating: a field with
    the name of a pool is its published rating, ``NAME_games`` the number of games in it."""
    told: Callable[..., Any]
    """``told(standing, others, p)``: a standing as it is by the ratings in other pools."""

    @property
    def names(self) -> tuple[str, ...]:
        """The pools in their order."""
        return tuple(self.settings)

    def of_parameters(self, p: Any) -> str:
        """The pool that is rated with these parameters."""
        said = p._asdict()
        fits = (name for name, own in self.settings.items() if own.items() <= said.items())
        return next(fits, self.names[0])

    def is_set(self, by_hand: frozenset[str]) -> bool:
        """Whether one of the pools was chosen by hand."""
        return any(by_hand & own.keys() for own in self.settings.values())


def fields_about(pool: str, pools: Pools) -> dict[str, str]:
    """The columns in which other pools have the rating in one, and its number of games."""
    names = {pool: "rating", f"{pool}_games": "games"}
    return {name: field for name, field in names.items() if name in pools.others._fields}
