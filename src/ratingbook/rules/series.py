"""The editions of a federation in a row, which take turns as their days come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Self, TypeAlias

from ratingbook.model import Report
from ratingbook.model.sentences import sentence
from ratingbook.rules.book import Abroad, RatedBy, RuleBook
from ratingbook.rules.bulk import Bulk
from ratingbook.rules.near import did_you_mean
from ratingbook.rules.not_rated import NotRated
from ratingbook.rules.pooling import Pools
from ratingbook.rules.settings import ParameterError
from ratingbook.rules.text import Domain
from ratingbook.rules.timeline import Stage, edition_on, in_a_row, with_reforms


@dataclass(frozen=True)
class Series:
    """Editions of one federation, of which the one in force on the day rates.

    What can be said of an edition before the day is known, it says of all of them.
    """

    name: str
    editions: tuple[RuleBook, ...]
    """At least one, in the order of their validity."""

    @property
    def _last(self) -> RuleBook:
        return self.editions[-1]

    def __repr__(self) -> str:
        return f"<series {self.name} of {len(self.editions)} editions>"

    @property
    def title(self) -> str:
        """What the series is called."""
        return f"{self.federation}: the edition in force on the day"

    @property
    def federation(self) -> str:
        """Whose regulations they are."""
        return self._last.federation

    @property
    def valid_from(self) -> date | None:
        """The first day of the first edition."""
        return self.editions[0].valid_from

    @property
    def valid_until(self) -> date | None:
        """The last day of the last edition; None: still valid."""
        return self._last.valid_until

    @property
    def rated_by(self) -> RatedBy:
        """What the editions rate at once."""
        return self._last.rated_by

    @property
    def parameters(self) -> Any:
        """The parameters of the last edition, for what is the same in all of them."""
        return self._last.parameters

    @property
    def by_hand(self) -> frozenset[str]:
        """The parameters that somebody set, if only to what they are."""
        return frozenset().union(*(each.by_hand for each in self.editions))

    @property
    def non_default_parameters(self) -> dict[str, object]:
        """The parameters that were set away from the last edition's own, by name."""
        return self._last.non_default_parameters

    @property
    def standing_fields(self) -> Mapping[str, type]:
        """Keys of a standing that any edition reads beyond the common ones."""
        return {key: kind for each in self.editions for key, kind in each.standing_fields.items()}

    @property
    def notation(self) -> str:
        """How readers write cross tables."""
        return self._last.notation

    @property
    def rating_range(self) -> tuple[int, int]:
        """Least and greatest rating that a standing may hold on any day."""
        lows, highs = zip(*(each.rating_range for each in self.editions), strict=True)
        return min(lows), max(highs)

    @property
    def whole_ratings(self) -> bool:
        """Whether a rating must be a whole number on every day."""
        return all(each.whole_ratings for each in self.editions)

    @property
    def published_decimals(self) -> int | None:
        """How many decimals a published rating has at most on any day; None: nobody says."""
        found = [each.published_decimals for each in self.editions]
        known = [each for each in found if each is not None]
        return max(known) if len(known) == len(found) else None

    @property
    def not_rated(self) -> tuple[NotRated, ...]:
        """Why a half of a game may not be rated by any of the editions."""
        return tuple(dict.fromkeys(why for each in self.editions for why in each.not_rated))

    @property
    def game(self) -> str:
        """Game that the federation rates."""
        return self._last.game

    @property
    def decisions(self) -> frozenset[str]:
        """The decisions of the office that any of the editions knows."""
        return frozenset().union(*(each.decisions for each in self.editions))

    @property
    def substitutes(self) -> bool:
        """Whether the last edition knows substitutes."""
        return self._last.substitutes

    @property
    def handicaps(self) -> bool:
        """Whether handicap games are rated as such."""
        return self._last.handicaps

    @property
    def domain(self) -> Domain:
        """From what the check suite draws."""
        return self._last.domain

    @property
    def abroad(self) -> Abroad | None:
        """Whose lists tell of games elsewhere."""
        return self._last.abroad

    @property
    def bulk(self) -> Bulk | None:
        """What the engine rates histories with, where all editions share it."""
        shared = all(each.bulk is self._last.bulk for each in self.editions)
        return self._last.bulk if shared else None

    def with_parameters(self, settings: Mapping[str, str]) -> Self:
        """The series with other parameters in each edition, given as text.

        Raises :class:`.ParameterError` for an unknown name or an impossible value.
        """
        known = list(dict.fromkeys(n for each in self.editions for n in each.parameters._fields))
        for name in settings:
            if name not in known:
                raise ParameterError(
                    sentence(
                        "no edition of {name} has a parameter {parameter!r}; {known}",
                        name=self.name, parameter=name,
                        known=did_you_mean(name, known, "they have"),
                    )
                )  # fmt: skip
        return replace(
            self, editions=tuple(each.with_parameters(settings) for each in self.editions)
        )

    def with_own(self, changes: Mapping[str, object]) -> Self:
        """The series with other parameters in each edition that nobody set by hand."""
        return replace(self, editions=tuple(each.with_own(changes) for each in self.editions))

    def edition(self, day: date | None) -> RuleBook:
        """The edition in force on a day; without a day the last."""
        return edition_on(self.editions, day)

    def for_report(self, report: Report) -> RuleBook:
        """The edition that rates a report, with the parameters that hold for it."""
        return self._last.chosen(self.editions, report)

    def stages(self) -> tuple[Stage, ...]:
        """The times within which the same parameters hold, in their order, with the reforms."""
        return with_reforms(in_a_row(self.editions), self.editions)


BookOrSeries: TypeAlias = RuleBook | Series
"""What a report or a history can be rated with.

Whoever rates asks it for the edition of a report (``for_report``) or of a day (``edition``), or
for its ``stages``.
"""


def series_of(name: str, editions: Sequence[RuleBook]) -> Series:
    """The editions of a federation, in whatever order, as a series."""
    return Series(name, tuple(sorted(editions, key=lambda each: each.valid_from or date.min)))


def pools_of(book: BookOrSeries) -> Pools | None:
    """The pools that histories are rated in together; None: in one only, or one was set by hand."""
    pools = None if book.bulk is None else book.bulk.pools
    return None if pools is None or pools.is_set(book.by_hand) else pools


def default_pool(book: BookOrSeries) -> str:
    """The pool of what says nothing of its own; empty for a book of one pool."""
    pools = None if book.bulk is None else book.bulk.pools
    return "" if pools is None else pools.of_parameters(book.parameters)
