"""Rounds that are repeated until nothing moves, in histories: as in reports."""

from __future__ import annotations

import datetime
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pytest

from ratingbook.engine.bindings import NoBulk, bulk_of
from ratingbook.engine.history import History, rate_history
from ratingbook.engine.history.files import rate_into
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Event, Game, Report, Result
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.book import RuleBook
from ratingbook.rules.bulk import NEVER_STILL, Bulk, Turns
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Paragraph
from tests.engine.toys import NO_MORE, TOY, Side, Standing, Value, toy_of

# A toy federation.  Everybody moves half the way to the mean of the opponents, until nobody moves
# by 1; if somebody is then above 1500, all get 10 for each turn of a second phase.


class Parameters(NamedTuple):
    at_most: int = 40
    must_settle: bool = True


def approach(standing: Standing, sides: Sequence[Side], p: Parameters) -> Value:
    """Half the way from the rating to the mean of the opponents."""
    total = 0.0
    for side in sides:
        total += side.opponent
    if len(sides) == 0:
        return Value(standing.rating, 0)
    return Value((standing.rating + total / len(sides)) / 2, len(sides))


def ten_more(standing: Standing, sides: Sequence[Side], p: Parameters) -> Value:
    return Value(standing.before + 10, len(sides))


def wants(value: Value) -> bool:
    return value.value > 1500


def round_at(number: int, p: Parameters) -> Turns:
    if number == 0:
        return Turns(0, p.at_most, 1.0, False, p.must_settle, False, False)
    if number == 1:
        return Turns(1, 3, NEVER_STILL, False, False, True, False)
    if number == 2:
        # One turn is enough where it moves by less than 11.
        return Turns(1, 3, 11.0, True, True, True, False)
    return NO_MORE


BULK = replace(TOY, kernels=(approach, ten_more), round_at=round_at, wants=wants)


def toy(bulk: Bulk) -> RuleBook:
    docs = {"at_most": "turns", "must_settle": "whether they must settle"}
    return toy_of(bulk, Settings(Parameters(), docs), Paragraph("1", "All", "…"))


BOOK = toy(BULK)
DAY = date(2012, 1, 1)
SLOW = {"at_most": "4"}
"""So many turns are too few for the thread."""


class Played(NamedTuple):
    date: datetime.date
    event: str
    white: str
    black: str
    score: float = 0.5


def random_games(seed: int) -> list[Played]:
    chance = random.Random(seed)
    players = [f"p{number}" for number in range(12)]
    games = []
    for number in range(20 * 8):
        white, black = chance.sample(players, 2)
        event = number // 8
        games.append(Played(DAY + timedelta(event), f"e{event:02}", white, black))
    return games


RATINGS = {f"p{number}": 900.0 + 70 * number for number in range(12)}
NOT_SETTLED = [Played(DAY, "first", "p0", "p11"), Played(DAY, "first", "p11", "p5")]
SETTLED = [Played(DAY + timedelta(1), "second", "x", "y")]
"""Both have 1000: nothing moves."""


def history(games: Sequence[Played]) -> History:
    table = pa.table({name: [getattr(game, name) for game in games] for name in Played._fields})
    players = pa.table({"id": list(RATINGS), "rating": list(RATINGS.values())})
    return History.of(table, players=players)


@pytest.mark.parametrize("seed", range(3))
def test_a_history_is_the_chain_of_its_reports(seed: int) -> None:
    games, now, found = random_games(seed), dict(RATINGS), []
    for event in sorted({game.event for game in games}):
        mine = [game for game in games if game.event == event]
        ids = sorted({player for game in mine for player in (game.white, game.black)})
        report = Report(
            Event(),
            tuple(Entry(player, standing=ReportedStanding(rating=now[player])) for player in ids),
            tuple(
                Game(game.white, game.black, Result.DRAW, round=number)
                for number, game in enumerate(mine)
            ),
        )
        for row in (each.row for each in rate(report, BOOK).rows):
            now[row.id] = row.after or 0.0
            found.append((row.id, row.before, row.after))
    rated = rate_history(history(games), BOOK)
    rows = [(row["player"], row["before"], row["after"]) for row in rated.changes.to_pylist()]
    assert sorted(rows) == sorted(found)
    # Some events had a second phase, others had none.
    tens = [round(after - before) for _, before, after in rows]
    assert min(tens) < 0 < max(tens)


def test_compiled_and_plain_give_the_same_bits() -> None:
    games = [*random_games(3), *NOT_SETTLED]
    plain = rate_history(history(games), BOOK, settings=SLOW, compiled=False)
    fast = rate_history(history(games), BOOK, settings=SLOW, compiled=True)
    assert plain.changes.equals(fast.changes)
    assert plain.ratings.equals(fast.ratings)
    told = [
        [each for each in rated.findings if "unsettled" in each.code] for rated in (plain, fast)
    ]
    assert told[0] == told[1] != []


def test_a_batch_that_does_not_settle_changes_nothing_and_is_told() -> None:
    rated = rate_history(history(NOT_SETTLED + SETTLED), BOOK, settings=SLOW)
    (told,) = (each for each in rated.findings if each.code == "history.unsettled")
    assert "1 event is not rated, the first is 'first'" in told.message
    rows = rated.changes.to_pylist()
    assert {row["player"] for row in rows} == {"x", "y"}
    table = {row["player"]: row for row in rated.ratings.to_pylist()}
    assert table["p0"]["rating"] == RATINGS["p0"]
    assert table["p0"]["last_played"] is None


def test_a_batch_that_need_not_settle_is_rated() -> None:
    settings = {**SLOW, "must_settle": "false"}
    rated = rate_history(history(NOT_SETTLED + SETTLED), BOOK, settings=settings)
    assert "history.unsettled" not in {each.code for each in rated.findings}
    assert len(rated.changes) == 5


def test_a_checkpoint_remembers_what_did_not_settle(tmp_path: Path) -> None:
    book = BOOK.with_parameters(SLOW)
    first = history(NOT_SETTLED + SETTLED)
    written = rate_into(tmp_path, Run(first.given, Program(book, False)))
    assert written.unsettled == (1, "first")
    later = [Played(DAY + timedelta(2), "third", "v", "w")]
    more = history(NOT_SETTLED + SETTLED + later)
    written = rate_into(tmp_path, Run(more.given, Program(book, False)))
    assert written.resumed_after > 0
    assert written.unsettled == (1, "first")


def test_several_kernels_need_an_order() -> None:
    with pytest.raises(NoBulk, match="which comes when"):
        bulk_of(toy(replace(BULK, round_at=None)))
