"""Games that lie in pieces, cut by players: each bucket finds those of its own, in their order."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.engine.history.plan import KeptLists
from ratingbook.engine.spark.buckets import (
    Completed,
    Named,
    Prepared,
    Shares,
    bounds_of,
    first_places,
    halves_of,
    leave,
)

PLAYERS = 7
NOBODY = -1

people = st.integers(0, PLAYERS - 1)
games = st.lists(
    st.tuples(
        st.integers(0, 2),  # the period
        st.integers(0, 3),  # the event, among those of the period
        st.tuples(people, people).filter(lambda pair: pair[0] != pair[1]),
        st.one_of(st.just(NOBODY), people),  # whom White replaces
    ),
    max_size=40,
)
PERIODS = 3


def prepared(pieces, shares, folder):
    """The pieces as workers leave them."""
    filled, rows = [], np.zeros((PERIODS, shares.buckets), np.int64)
    folders = [folder / str(number) for number in range(len(pieces))]
    for piece, where in zip(pieces, folders, strict=True):
        # Within a piece games stand by their events, those of one event as they were read.
        order = sorted(range(len(piece)), key=lambda at: (piece[at][0], piece[at][1]))
        lists = [piece[at][0] for at in order]
        columns = {
            "white": np.array([piece[at][2][0] for at in order], np.int32),
            "black": np.array([piece[at][2][1] for at in order], np.int32),
            "white_for": np.array([piece[at][3] for at in order], np.int32),
            "black_for": np.full(len(order), NOBODY, np.int32),
            "event": np.array([10 * piece[at][0] + piece[at][1] for at in order], np.int32),
        }
        offsets = np.searchsorted(lists, np.arange(PERIODS + 1)).astype(np.int64)
        rows += leave(columns, offsets, shares, PLAYERS, where, columns["event"])
        filled.append(np.diff(offsets) > 0)
    completed = Completed(KeptLists(1, None), Named(False, True, None), np.zeros(30, np.int16))
    return Prepared(tuple(folders), np.array(filled), shares, rows, {}, completed)


def in_order(pieces, period):
    """The games of a period, as they are rated."""
    found = [game for piece in pieces for game in piece if game[0] == period]
    return sorted(found, key=lambda game: game[1])


@settings(deadline=None)
@given(st.lists(games, min_size=1, max_size=3), st.integers(1, 4), st.booleans())
def test_each_bucket_has_the_games_of_its_players(pieces, buckets, apart):
    everybody = [np.array([g[2][side] for p in pieces for g in p], np.int32) for side in (0, 1)]
    shares = Shares(bounds_of(halves_of(everybody, PLAYERS), buckets), apart)
    with tempfile.TemporaryDirectory() as folder:
        made = prepared(pieces, shares, Path(folder))
        for period in range(PERIODS):
            rated = in_order(pieces, period)
            if not rated:
                continue
            for bucket in range(buckets):
                mine = range(shares.bounds[bucket], shares.bounds[bucket + 1])
                wanted = [
                    (event + 10 * period, white, black, replaced)
                    for _, event, (white, black), replaced in rated
                    if not apart or buckets == 1 or {white, black, replaced} & set(mine)
                ]
                found = made.games(period, bucket, made.rows_of(period)[bucket])
                columns = (found.event, found.white, found.black, found.white_for)
                assert list(zip(*(each.tolist() for each in columns), strict=True)) == wanted
                assert found.offsets.tolist() == [0] * (period + 1) + [len(wanted)] * (
                    PERIODS - period
                )


@settings(deadline=None)
@given(st.lists(games, min_size=1, max_size=3))
def test_players_stand_in_the_order_in_which_they_are_met(pieces):
    """At a board first, and after all of these whom somebody replaces."""
    with tempfile.TemporaryDirectory() as folder:
        made = prepared(pieces, Shares((0, PLAYERS), apart=True), Path(folder))
        for period in range(PERIODS):
            rated = in_order(pieces, period)
            met = [player for game in rated for player in game[2]]
            met += [game[3] for game in rated if game[3] != NOBODY]
            if met:
                assert made.order(period).tolist() == list(dict.fromkeys(met))


@given(st.lists(st.integers(-1, 5)))
def test_first_places(met):
    wanted = [at for at, each in enumerate(met) if each >= 0 and each not in met[:at]]
    assert first_places(np.array(met, np.int32), 6).tolist() == wanted
