"""A batch of the ICCF edition: a report of a period, with its list and its level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ratingbook.model import Colour, Game
from ratingbook.rules.book import Batch
from ratingbook.rules.iccf.columns import NO_RATING, Standing
from ratingbook.rules.iccf.levels import announced
from ratingbook.rules.iccf.lists import RatingList


@dataclass(frozen=True)
class IccfBatch(Batch):
    """A period's report, with the list that takes it and the level of its tournament."""

    taken_by: RatingList | None = None
    """The list that takes the results; None where the report has no dates."""
    level: int | None = None
    """Item 11's assumed rating; None where it cannot be told."""
    standings: Mapping[str, Standing] = field(default_factory=dict)

    @property
    def announced(self) -> int | None:
        """The level that the announcement fixed, as a whole number."""
        return announced(self.report.event.level)

    def assumes(self, game: Game) -> bool:
        """Whether a player of the game counts with the tournament's level."""
        return any(
            self.standings[player].rating == NO_RATING and game.rating(colour) is None
            for colour in Colour
            if (player := game.player(colour)) is not None
        )
