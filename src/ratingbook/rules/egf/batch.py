"""A batch of an EGF edition: an event, and which of its games were played."""

from __future__ import annotations

from dataclasses import dataclass

from ratingbook.model import Colour, Game, GameStatus
from ratingbook.rules.book import Batch
from ratingbook.rules.paragraph import paragraph

_PLAYED = (GameStatus.PLAYED, GameStatus.TIME, GameStatus.ADJUDICATED)


@paragraph("13", "{game.status}, result {game.result}: not rated", silent=True)
def game_counts(game: Game) -> bool:
    """Paragraph 13: games that were played; byes and forfeits are none."""
    return game.status in _PLAYED and game.result.half_points(Colour.WHITE) is not None


@dataclass(frozen=True)
class EgfBatch(Batch):
    """An event, with what its class and its day say of its games."""

    class_: str = "A"
    weight: float = 1.0
    counts: bool = True
    """Whether the event is recognised at all (paragraph 1)."""

    @property
    def playing(self) -> set[str]:
        """The players who have played a game, whether or not the event is recognised."""
        return {
            player
            for game in self.games
            if game_counts(game)
            for player in (game.white, game.black)
            if player
        }
