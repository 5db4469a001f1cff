"""A report rated as a run would: on the ratings from before it, and with what was corrected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pyarrow as pa

from ratingbook.model import Colour, Game, GameStatus, Report, Result
from ratingbook.office.acts.amendments import tried
from ratingbook.office.acts.setup import rules_of
from ratingbook.office.acts.snapshots import raw_of
from ratingbook.office.engine import standings_on
from ratingbook.office.home import Home
from ratingbook.office.intake import RATED, Understood, numbered
from ratingbook.office.logic.feeding import feed, fixed
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m

_RESULTS = {each.half_points(Colour.WHITE): each for each in Result}
_SIDES = {word: sides for sides, word in RATED.items()}


def ratings_before(home: Home, pool: m.Pool, day: date, sections: Sequence[int]) -> pa.Table:
    """The ratings of a pool on the eve of a day, as if some sections had never come."""
    rules, upto = rules_of(pool), ledger.head().seq
    without = [{"kind": "withdraw", "sections": list(sections)}]
    trial = tried(without, pool, rules, upto)
    fed = feed(raw_of(home, pool.id, upto), trial.merged, trial.overlay)
    return next(standings_on(fed, rules, [day - timedelta(days=1)]))


def as_corrected(report: Report, found: Understood, key: str) -> Report:
    """A report with the corrections that hold of its games, whose event goes by a key."""
    keys = found.stable_keys(key)
    said: dict[str, list[Mapping[str, Any]]] = {}
    fixes = m.GameFix.objects.filter(stable_key__in=list(keys), revoked_by__isnull=True)
    for of, what in fixes.order_by("fact", "id").values_list("stable_key", "said"):
        said.setdefault(of, []).append(what)
    if not said:
        return report
    by_number = dict(zip(found.games.number, keys, strict=True))
    numbers = {id(game): number for number, game in numbered(report)}
    return replace(
        report,
        games=tuple(
            _fixed(game, said.get(by_number.get(numbers.get(id(game), 0), ""), ()))
            for game in report.games
        ),
    )


def _fixed(game: Game, said: Sequence[Mapping[str, Any]]) -> Game:
    """A game as corrections say that it was."""
    if not said:
        return game
    row: dict[str, Any] = {
        "white": game.white, "black": game.black, "half": game.result.half_points(Colour.WHITE),
        "rated": RATED[game.white_rated, game.black_rated], "status": game.status.value,
    }  # fmt: skip
    for each in said:
        row = fixed(row, each)
    white, black = _SIDES[row["rated"]]
    return replace(
        game, white=row["white"], black=row["black"], result=_RESULTS[row["half"]],
        table_result=None, status=GameStatus(row["status"]), white_rated=white, black_rated=black,
    )  # fmt: skip
