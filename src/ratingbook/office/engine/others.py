"""What a pool tells the others of its federation: its published ratings, from batch to batch.

The standard list is where those begin who have no rapid rating; regular and quick tell each other
how strong a newcomer is. Each pool is published by itself: what it has published is taken down
once, and the runs of the others hear of it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.run import Run
from ratingbook.engine.history.telling import published_course
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.hearing import day_of
from ratingbook.office.engine.history import keyed_batches, run_of, stop_of
from ratingbook.office.engine.rules import Rules
from ratingbook.office.placing import own_pool, pools_of

TOLD = pa.schema(
    {"person": pa.int64(), "day": pa.date32(), "key": pa.string(), "rating": pa.float64(),
     "games": pa.int32()}
)  # fmt: skip
"""A row where what is published of somebody is otherwise: since the batch of that day and key,
which are none for what somebody came in with; a rating that is null is published no more."""


def told_by(fed: Fed, rules: Rules, until: date) -> pa.Table:
    """What a run of these facts has to tell, in the order in which it is published."""
    run, _ = run_of(fed, rules)
    run.go_to(until)
    return _course(run, stop_of(run, until))


def openings_told_by(fed: Fed, rules: Rules) -> pa.Table:
    """What a pool tells of which nothing is published yet: with what players come in."""
    run, _ = run_of(replace(fed, games=fed.games.slice(0, 0), others=None), rules)
    return _course(run, 0)


def _course(run: Run, stop: int) -> pa.Table:
    keys = keyed_batches(run)["key"].to_pylist()
    players = np.array(run.given.players.to_pylist())
    parts = []
    for each in published_course(run, stop):
        count = len(each.player)
        columns = [
            pa.array([int(one) for one in players[each.player]], pa.int64()),
            pa.array([day_of(run, each.batch)] * count, pa.date32()),
            pa.array(["" if each.batch < 0 else keys[each.batch]] * count, pa.string()),
            pa.array(each.rating, pa.float64(), mask=np.isnan(each.rating)),
            pa.array(each.games, pa.int32()),
        ]
        parts.append(pa.table(columns, schema=TOLD))
    return pa.concat_tables([TOLD.empty_table(), *parts]).combine_chunks()


def is_of_one_federation(rules: Rules, other: Rules) -> bool:
    """Whether two pools are different lists of one federation, which read each other."""
    mine, theirs = rules.book(), other.book()
    pools = pools_of(mine)
    return pools is not None and pools == pools_of(theirs) and own_pool(mine) != own_pool(theirs)


def reads(rules: Rules, other: Rules) -> bool:
    """Whether the rules read what a pool with the other rules publishes."""
    if not is_of_one_federation(rules, other):
        return False
    pools, name = pools_of(rules.book()), own_pool(other.book())
    return pools is not None and not {name, f"{name}_games"}.isdisjoint(pools.others._fields)
