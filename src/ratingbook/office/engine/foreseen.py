"""What the rules would make of events that are not rated yet, and of other ages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.engine.history.births import OtherBirths
from ratingbook.engine.history.columns import code_of
from ratingbook.engine.history.correct import joined
from ratingbook.engine.history.run import Run
from ratingbook.engine.history.tables import changes_table
from ratingbook.office.engine.fed import ADULT, REPLACED, Born, Fed
from ratingbook.office.engine.history import run_of, stop_of
from ratingbook.office.engine.rating import batch_of_games
from ratingbook.office.engine.rules import Rules
from ratingbook.rules.bulk import EPOCH


def who_relies_on_births(fed: Fed, rules: Rules, until: date, players: Iterable[str]) -> set[str]:
    """Which of some players would have other numbers if nothing was known of their births."""
    wanted = list(players)
    return _who_relies(fed, fed.born(dict.fromkeys(wanted)), rules, until, wanted)


def who_relies_on_adult(fed: Fed, rules: Rules, until: date) -> set[str]:
    """Which players would have other numbers if nobody was said to be adult."""
    assert fed.players is not None
    said = zip(fed.players["id"].to_pylist(), fed.players[ADULT].to_pylist(), strict=True)
    wanted = [player for player, is_adult in said if is_adult]
    return _who_relies(fed, fed.adults(()), rules, until, wanted)


def _who_relies(
    fed: Fed, without: Fed, rules: Rules, until: date, wanted: Iterable[str]
) -> set[str]:
    """Which of some players have other numbers without what is said of their ages.

    Batch by batch both ways, from the same standings: whoever differs first relies on what is
    said of the player, and has it from then on.
    """
    (told, _), (bare, _) = run_of(fed, rules), run_of(without, rules)
    codes = {code_of(told.given.players, each): each for each in wanted}
    codes.pop(-1, None)
    births = OtherBirths(bare, told, codes)
    for run in (told, bare):
        run.go_to(until)
    found: set[int] = set()
    for number in range(1, stop_of(told, until) + 1):
        right = _numbers_of(told, number)
        place = bare.state.snapshot()
        while (
            new := {code for code in _others(right, _numbers_of(bare, number)) if code in codes}
            - found
        ):
            found |= new
            bare.state.back_to(place)
            births.hold(bare, found)
    return {codes[each] for each in found}


def _numbers_of(run: Run, until: int) -> dict[int, list[tuple[Any, ...]]]:
    """What the next batches do to the players, by their codes."""
    found: dict[int, list[tuple[Any, ...]]] = {}
    for some in run.batches(until):
        columns = (some.player, some.batch, some.before, some.after, some.games, some.score)
        for player, *row in zip(*(each.tolist() for each in columns), strict=True):
            found.setdefault(player, []).append(tuple(map(repr, row)))
    return found


def _others(one: Mapping[int, Any], other: Mapping[int, Any]) -> set[int]:
    """Who has other rows in one than in the other."""
    return {each for each in one.keys() | other.keys() if one.get(each) != other.get(each)}


@dataclass(frozen=True)
class Foreseen:
    """What events would do to a player: from before the first to after the last of their batches.

    None: there is no such number, or the rules do not publish it.
    """

    before: float | None
    after: float | None
    games: int
    score: float
    is_withheld: bool
    """Whether the rules know a number after it, and do not publish it yet."""


def foreseen(
    fed: Fed,
    rules: Rules,
    events: Iterable[str],
    births: Mapping[str, Born | None],
    end: date | None,
) -> dict[str, Foreseen]:
    """What some events of what is fed would do to some players, by these.

    Who is in them without a game that is rated has the number of before, where there is one; if
    nobody has one, that of the day ``end`` on which they are over.

    In the events everybody is born when ``births`` says, whatever is known: who is told what
    comes of it would learn what the office knows.
    """
    (run, _), (other, _) = run_of(fed, rules), run_of(fed.born(births), rules)
    played = _played_in(fed, run, events)
    numbers = np.array(sorted({batch for _, batch in played}))
    if not len(numbers):
        return _as_they_stand(run, births, end)
    last = int(numbers[-1])
    codes = [code_of(run.given.players, each) for each in births]
    codes = [each for each in codes if each >= 0]
    said = OtherBirths(run, other, codes)
    run.go_to(EPOCH + timedelta(days=int(run.plan.keys[last])))
    for _rows in run.batches(int(numbers[0])):
        pass
    before, stood = _withheld(run), _ratings(run, births)
    said.hold(run, codes)
    made = changes_table(run, joined([*run.batches(last + 1)]))
    after, stands = _withheld(run), _ratings(run, births)
    mine = pc.and_(
        pc.is_in(made["batch"], value_set=pa.array(numbers, made["batch"].type)),
        pc.is_in(made["player"].cast(pa.string()), value_set=pa.array(list(births), pa.string())),
    )
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in made.filter(mine).to_pylist():
        if (str(row["player"]), row["batch"]) not in played:
            # In a batch of games of the events, and for those of others alone.
            continue
        rows.setdefault(str(row["player"]), []).append(row)
    found = {
        player: Foreseen(
            None if player in before else some[0]["before"],
            None if player in after else some[-1]["after"],
            sum(row["games"] for row in some), sum(row["score"] for row in some),
            player in after,
        )
        for player, some in rows.items()
    }  # fmt: skip
    return found | {
        player: Foreseen(rating, stands.get(player), 0, 0.0, is_withheld=False)
        for player, rating in stood.items()
        if player not in found and player not in before and player not in after
    }


def _as_they_stand(run: Run, players: Iterable[str], end: date | None) -> dict[str, Foreseen]:
    """The ratings of some players on a day, or after all, of who gets no other one."""
    run.go_to(end)
    for _rows in run.batches(stop_of(run, end)):
        pass
    held = _withheld(run)
    return {
        player: Foreseen(rating, rating, 0, 0.0, is_withheld=False)
        for player, rating in _ratings(run, players).items()
        if player not in held
    }


def _played_in(fed: Fed, run: Run, events: Iterable[str]) -> set[tuple[str, int]]:
    """Who has a game of some events in which batch, or was replaced by a substitute there."""
    own = pc.is_in(fed.games["event"], value_set=pa.array(sorted(set(events)), pa.string()))
    batches = batch_of_games(run, len(fed.games))[np.asarray(own)].tolist()
    games = fed.games.filter(own)
    sides = [each for each in ("white", "black", *REPLACED) if each in games.column_names]
    return {
        (player, batch)
        for side in sides
        for player, batch in zip(games[side].to_pylist(), batches, strict=True)
        if player is not None
    }


def _withheld(run: Run) -> set[str]:
    """Who has played where a run stands, and has a rating that the rules do not publish yet."""
    table = run.table()
    hidden = pc.and_(pc.is_valid(table["rating"]), pc.invert(table["published"]))
    hidden = pc.and_(hidden, pc.greater(table["games"], 0))
    return set(table["player"].filter(hidden).cast(pa.string()).to_pylist())


def _ratings(run: Run, players: Iterable[str]) -> dict[str, float]:
    """The ratings of these where a run stands, which the rules publish; others are left out."""
    table = run.table()
    names = table["player"].cast(pa.string())
    mine = pc.is_in(names, value_set=pa.array(list(players), pa.string()))
    shown = table.filter(
        pc.and_(pc.and_(mine, pc.is_valid(table["rating"])), table["published"])
    ).select(["player", "rating"])
    return {str(row["player"]): row["rating"] for row in shown.to_pylist()}
