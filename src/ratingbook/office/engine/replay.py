"""A history to go back in: explanations, and standings on any day."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property
from typing import Any

from ratingbook.engine.explain import begun_with
from ratingbook.engine.history.columns import code_of
from ratingbook.engine.history.explain import NothingToExplain, batches_of, explained, stand_before
from ratingbook.engine.history.run import Run
from ratingbook.engine.history.standing import standing_at
from ratingbook.engine.history.state import Snapshot
from ratingbook.model import Game, Standing
from ratingbook.model.sentences import sentence
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.history import keyed_batches, run_of, stop_of, tell_beside
from ratingbook.office.engine.rules import Rules
from ratingbook.office.refused import refuse

_PLACES = 16
"""From so many places at least the batch that is explained is reached."""
_BYTES_OF_PLACES = 1 << 26
"""That places may take where there are more: in a small office one stands before most batches."""


def begun_of(rows: Sequence[Any]) -> float | None:
    """With what the rules let somebody begin who had no rating, by the rows of a batch."""
    return begun_with(rows[0].explanation) if rows else None


class Replay:
    """A history from which changes are explained: rated once, with places to begin from.

    An explanation rates what lies between the place before its batch and the batch.
    """

    def __init__(self, fed: Fed, rules: Rules) -> None:
        self._fed = fed
        self._first, _ = run_of(fed, rules)
        self._spare: list[Run] = []
        """A run that nobody uses now, if there is any: to make one takes longer than a page."""
        self._numbers = {
            key: number for number, key in enumerate(keyed_batches(self._first)["key"].to_pylist())
        }

    @property
    def games(self) -> int:
        """How many are in it."""
        return len(self._fed.games)

    def explain(self, player: str, key: str, *, as_printed: bool = False) -> list[Any]:
        """The rows of a player in a batch, explained; ``as_printed`` as in :func:`.explained`."""
        number = self._numbers.get(key)
        if number is None:
            raise refuse(
                "office.explain",
                sentence("There is no batch {key} in what was fed.", key=key),
                sentence("Name another list."),
            )
        run = self._at(self._place_before(number))
        code = code_of(run.given.players, player)
        try:
            batches_of(run, player, code, number)
        except NothingToExplain as error:
            raise refuse(
                "office.explain",
                str(error),
                sentence("Name a list before which the person played."),
            ) from None
        stand_before(run, number)
        found: list[Any] = explained(run, number, code, as_printed=as_printed)
        self._give_back(run)
        return found

    def number_of(self, game: Game) -> int | None:
        """What the ledger calls a game of an explanation; None: a rule was given one of its own."""
        row, ledger = game.place.line, self._fed.ledger
        return None if row is None or ledger is None else ledger[row - 1].as_py()

    def counted(self, players: Iterable[str], key: str) -> dict[str, dict[Game, float | None]]:
        """The games of a batch that were rated for each of some players.

        With the number with which the opponent counted, by rules where it can be another one than
        the rating of before; else None.  To come to the batch takes longer than to look at a
        player there.
        """
        return {
            player: {
                game: number for row in rows
                for game, number in zip(
                    row.counted, row.against or [None] * len(row.counted), strict=True
                )
            }
            for player, rows in self._rows_of(players, key).items()
        }  # fmt: skip

    def begun(self, players: Iterable[str], key: str) -> dict[str, float]:
        """With what rules let those begin in a batch who had no rating, of some players."""
        return {
            player: number
            for player, rows in self._rows_of(players, key).items()
            if (number := begun_of(rows)) is not None
        }

    def _rows_of(self, players: Iterable[str], key: str) -> dict[str, list[Any]]:
        """The rows of some players in a batch, explained; of none where there is no such batch."""
        number = self._numbers.get(key)
        if number is None:
            return {}
        run = self._at(self._place_before(number))
        stand_before(run, number)
        found: dict[str, list[Any]] = {}
        for player in players:
            code = code_of(run.given.players, player)
            found[player] = explained(run, number, code) if code >= 0 else []
        self._give_back(run)
        return found

    def standing(self, player: str, until: date) -> Standing | None:
        """How a player stands after the batches up to a day; None: it knows nobody of the id."""
        code = code_of(self._first.given.players, player)
        if code < 0:
            return None
        stop = stop_of(self._first, until)
        run = self._at(self._place_before(stop))
        run.go_to(until)
        for _rows in run.batches(stop):
            pass
        found = standing_at(run, code)
        self._give_back(run)
        return found

    def _give_back(self, run: Run) -> None:
        # What a run adds beside the games it adds only once.
        if self._fed.differences is None:
            self._spare[:] = [run]

    def _at(self, place: Snapshot) -> Run:
        """Another run of the same that stands there: nobody's first standing is made again."""
        first = self._first
        try:
            run = self._spare.pop()
        except IndexError:
            run = Run(
                first.given, first.program, assume=first.assume, rows=False, plan=first.plan,
                constants=False, blank=True,
            )  # fmt: skip
        run.state.back_to(place)
        tell_beside(run, self._fed)
        return run

    def _place_before(self, batch: int) -> Snapshot:
        """The last place from which a batch can be reached."""
        return self._places[bisect_right([each.next_batch for each in self._places], batch) - 1]

    @cached_property
    def _places(self) -> tuple[Snapshot, ...]:
        begin, last = self._first.state.snapshot(), len(self._first.plan)
        # A run that goes on from a place adds all differences, also those from before it.
        if self._fed.differences is not None:
            return (begin,)
        run, found = self._at(begin), [begin]
        count = min(max(_PLACES, _BYTES_OF_PLACES // max(1, begin.size)), last)
        for place in range(1, count):
            for _ in run.batches(place * last // count):
                pass
            found.append(run.state.snapshot())
        return tuple(found)
