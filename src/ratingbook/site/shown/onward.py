"""What a correction brings to pools that read those which it reaches, for who decides it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ratingbook.office.acts.onward import Onward
from ratingbook.office.acts.setup import decimals_of, pool_named

_SHOWN = 3


class Shift(NamedTuple):
    """A rating of now that becomes another."""

    person: int
    before: float
    after: float
    name: str = ""


@dataclass(frozen=True)
class Beyond:
    """What follows in one pool."""

    pool: str
    reads: Sequence[str]
    """The pools whose numbers it reads."""
    players: int
    rows: int
    lists: int
    largest: Sequence[Shift]
    decimals: int


def beyond(found: Onward) -> Beyond:
    """What follows in a pool; names are given when it is shown."""
    said = found.as_dict()
    largest = [
        Shift(int(each["player"]), each["before"], each["after"])
        for each in (found.report or {}).get("largest", ())[:_SHOWN]
    ]
    decimals = decimals_of(pool_named(found.pool))
    return Beyond(
        found.pool, found.reads, said["players"], said["rows"], len(found.lists), largest, decimals
    )


def with_names(one: Beyond, names: Mapping[int, str]) -> Beyond:
    """The same with the names of the players."""
    return replace(
        one, largest=[each._replace(name=names.get(each.person, "")) for each in one.largest]
    )
