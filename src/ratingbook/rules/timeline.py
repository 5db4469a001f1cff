"""Rules over time: the editions of a federation in a row, and which holds on a day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import lru_cache
from typing import Any, Protocol, TypeVar

_REMEMBERED = 64
"""Of how many rows of editions the stages are kept: each report asks for those of its own."""


@dataclass(frozen=True, slots=True)
class Reform:
    """A one-off change of all ratings of a list, as the edition declares it.

    ``day`` is that of the first list with the new numbers; ``where`` names values of
    parameters without which nothing changes: the pool; ``paragraph`` is the one that says it.
    """

    day: date
    text: str
    where: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    paragraph: str = ""

    def touches(self, parameters: Any) -> bool:
        """Whether ratings under these parameters change."""
        return all(getattr(parameters, name) in values for name, values in self.where.items())


@dataclass(frozen=True, slots=True)
class Stage:
    """A time within which the same parameters hold."""

    since: date | None
    """The first day; None: from the beginning."""
    edition: str
    parameters: Any
    reform: Reform | None = None
    """What happens to all ratings when the stage begins."""


class Edition(Protocol):
    """What a series needs of its editions."""

    @property
    def name(self) -> str:
        """The name of the edition."""

    @property
    def valid_from(self) -> date | None:
        """The first day; None: from the beginning."""

    @property
    def reforms(self) -> tuple[Reform, ...]:
        """One-off changes of all ratings."""

    def stages(self) -> tuple[Stage, ...]:
        """The times within which the same parameters hold, in their order."""


E = TypeVar("E", bound=Edition)


def stage_on(stages: Sequence[Stage], day: date) -> Stage:
    """The stage in force on a day; before the first one that."""
    begun = [each for each in stages if each.since is None or each.since <= day]
    return begun[-1] if begun else stages[0]


def stage_of_list(stages: Sequence[Stage], day: date) -> Stage:
    """The stage whose numbers make the list of a day.

    A reform changes the ratings of a list, which the stage before it has made.
    """
    found = stage_on(stages, day)
    if found.reform is None or found.since != day:
        return found
    return stage_on(stages, day - timedelta(days=1))


def edition_on(editions: Sequence[E], day: date | None) -> E:
    """The edition in force on a day; before the first one that, without a day the last."""
    if day is None:
        return editions[-1]
    begun = [each for each in editions if each.valid_from is None or each.valid_from <= day]
    return begun[-1] if begun else editions[0]


@lru_cache(_REMEMBERED)
def in_a_row(editions: tuple[Edition, ...]) -> tuple[Stage, ...]:
    """The stages of the editions one after the other, without what happens between them."""
    found: list[Stage] = []
    for number, edition in enumerate(editions):
        begins = edition.valid_from if number else None
        for stage in edition.stages():
            since = begins if stage.since is None else stage.since
            following = editions[number + 1].valid_from if number + 1 < len(editions) else None
            if following is not None and since is not None and since >= following:
                continue
            if begins is not None and since is not None and since < begins:
                since = begins
            # Of several that begin on the first day the last one holds.
            found = [each for each in found if each.since != since or since is None]
            found.append(Stage(since, edition.name, stage.parameters))
    return tuple(found)


def with_reforms(stages: Sequence[Stage], editions: Sequence[Edition]) -> tuple[Stage, ...]:
    """The stages with the reforms of the editions, each of which begins with one of them."""
    found = list(stages)
    days = {each.since for each in found}
    for reform in (reform for edition in editions for reform in edition.reforms):
        if reform.day not in days:
            raise ValueError(f"the reform of {reform.day} begins with no edition or amendment")
        found = [
            replace(stage, reform=reform)
            if stage.since == reform.day and reform.touches(stage.parameters)
            else stage
            for stage in found
        ]
    return tuple(found)
