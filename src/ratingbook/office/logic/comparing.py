"""Two runs beside each other: which published numbers differ, and what people look at first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.model.decimals import change_of
from ratingbook.office.logic.digests import table_digest
from ratingbook.rules.rounding import as_published

Array = np.ndarray[Any, Any]
_KEY = ("key", "player", "turn")
_NUMBERS = ("before", "after")
_SHOWN = 10
MOST_CROSSED = 100
"""Crossings of marks that a report names; it counts all of them."""
_DIGITS = 6
"""Of a difference of two published numbers: no list has more."""


@dataclass(frozen=True)
class Differing:
    """The rows of a run that are otherwise than in its base, and those that are gone."""

    rows: pa.Table
    gone: pa.Table
    bits: int
    """Rows that differ in any bit, published or not."""


def published(changes: pa.Table, decimals: int) -> pa.Table:
    """The rows with their numbers as they are published."""
    for name in _NUMBERS:
        exact = changes[name].cast(pa.float64())
        shown = as_published(exact.to_numpy(), decimals)
        index = changes.column_names.index(name)
        # What is not there is no number in a column of numpy's.
        changes = changes.set_column(index, name, pa.array(shown, mask=exact.is_null().to_numpy()))
    return changes


def differing(new: pa.Table, base: pa.Table | None, decimals: int) -> Differing:
    """The rows whose published numbers, or days, differ from those of the base."""
    shown = published(new, decimals)
    if base is None:
        return Differing(shown, shown.slice(0, 0), len(new))
    old = published(base, decimals)
    places = _places(new, base)
    there = places >= 0
    at = np.where(there, places, 0)
    same = there.copy()
    bits = there.copy()
    for name in (*_NUMBERS, "games", "score"):
        same &= _equal(shown[name], old[name], at)
        bits &= _equal(new[name], base[name], at)
    # With the same numbers on another day a row is on other lists.
    unmoved = _equal(_days(new), _days(base), at)
    same, bits = same & unmoved, bits & unmoved
    kept = np.ones(len(base), bool)
    kept[places[there]] = False
    return Differing(
        shown.take(pa.array(np.flatnonzero(~same))),
        old.take(pa.array(np.flatnonzero(kept))),
        int((~bits).sum()) + int(kept.sum()),
    )


def written(found: Differing, base: pa.Table, decimals: int) -> Differing:
    """Those of some rows that differ from a base, too: of what differs otherwise nothing is new.

    Others were compared with what else has come since; a run writes what it has otherwise than
    its base.
    """
    rows = differing(found.rows, base, decimals).rows
    there = _places(found.gone, base) >= 0
    gone = found.gone.take(pa.array(np.flatnonzero(there)))
    same = len(found.rows) - len(rows) + len(found.gone) - len(gone)
    return Differing(rows, gone, found.bits - same)


def digest_of_published(changes: pa.Table, ratings: pa.Table, decimals: int) -> str:
    """SHA-256 over what of them is published: of what has the same nothing differs."""
    rows = published(changes, decimals).select([*_KEY, *_NUMBERS, "games", "score", "date"])
    rated = _ratings(ratings, decimals)
    columns = {"player": pa.array(rated, pa.string()), "rating": pa.array(rated.values())}
    return f"{table_digest(rows)} {table_digest(pa.table(columns))}"


def _places(new: pa.Table, base: pa.Table) -> Array:
    """For each row of ``new`` the row of ``base`` with the same key; −1 where there is none."""
    codes = []
    for name in _KEY:
        both = pa.concat_arrays([_plain(new[name]), _plain(base[name])])
        codes.append(np.asarray(pc.dictionary_encode(both).indices).astype(np.int64))
    joined = codes[0]
    for each in codes[1:]:
        joined = joined * (int(each.max(initial=0)) + 1) + each
    own, theirs = joined[: len(new)], joined[len(new) :]
    order = np.argsort(theirs, kind="stable")
    spots = np.searchsorted(theirs[order], own)
    found = np.full(len(own), -1, np.int64)
    inside = spots < len(theirs)
    hit = inside.copy()
    hit[inside] = theirs[order][spots[inside]] == own[inside]
    found[hit] = order[spots[hit]]
    return found


def _plain(column: pa.ChunkedArray) -> pa.Array:
    array = column.combine_chunks()
    return pa.concat_arrays(array.chunks) if isinstance(array, pa.ChunkedArray) else array


def _days(table: pa.Table) -> pa.ChunkedArray:
    return table["date"].cast(pa.int32())


def _equal(one: pa.ChunkedArray, other: pa.ChunkedArray, at: Array) -> Array:
    left = np.asarray(one.cast(pa.float64()).fill_null(np.nan))
    right = np.asarray(other.cast(pa.float64()).fill_null(np.nan))
    if not len(right):
        return np.zeros(len(left), bool)
    found: Array = (left == right[at]) | (np.isnan(left) & np.isnan(right[at]))
    return found


def report_of(
    now: pa.Table,
    base: pa.Table | None,
    found: Differing,
    decimals: int,
    marks: Sequence[float],
    opened: Collection[str] = (),
    *,
    merged: Mapping[int, int],
) -> dict[str, Any]:
    """What a run changes, for who approves it: ratings of before and now, by player.

    ``marks`` are ratings whose crossing is told: floors, limits of titles.  Who has ``opened``
    with a rating is published for the first time, perhaps, but has no first rating; nor has who
    was rated under a number of before, by which persons were ``merged``.
    """
    before = _ratings(base, decimals) if base is not None else {}
    after = _ratings(now, decimals)
    moved = [
        (player, before.get(player), rating)
        for player, rating in after.items()
        if before.get(player) != rating
    ]
    left = sorted((p for p in before if p not in after), key=_order)
    into = {p: str(merged[int(p)]) for p in left if p.isdecimal() and int(p) in merged}
    gone = [p for p in left if p not in into]
    both = [(player, old, new) for player, old, new in moved if old is not None]
    largest = sorted(both, key=lambda each: (-abs(each[2] - each[1]), _order(each[0])))
    others = set(into.values())
    new = [player for player, old, _ in moved if old is None and player not in others]
    firsts = sorted((player for player in new if player not in opened), key=_order)
    crossed = [
        {"player": p, "mark": mark, "before": a, "after": b}
        for p, a, b in both
        for mark in marks
        if (a < mark) != (b < mark)
    ]
    return {
        "players": len(moved) + len(left),
        "rows": len(found.rows),
        "gone_rows": len(found.gone),
        "rows_differing_in_bits": found.bits,
        "firsts": {"count": len(firsts), "players": firsts[:_SHOWN]},
        "opened": len(new) - len(firsts),
        "no_longer_rated": {"count": len(gone), "players": gone[:_SHOWN]},
        "merged": {
            "count": len(into),
            "players": list(into)[:_SHOWN],
            "into": list(into.values())[:_SHOWN],
        },
        "largest": [
            {"player": p, "before": a, "after": b, "change": change_of(a, b)}
            for p, a, b in largest[:_SHOWN]
        ],
        "crossed": crossed[:MOST_CROSSED],
        "crossed_count": len(crossed),
        "batches": sorted(set(found.rows["key"].to_pylist()) | set(found.gone["key"].to_pylist()))[
            :100
        ],
    }


def crossings_in(report: Mapping[str, Any], key: str = "crossed") -> int:
    """How many marks were crossed, also those that a report does not name.

    Runs that were made before they were counted have only those that they name.
    """
    return int(report.get(f"{key}_count", len(report.get(key, ()))))


def only_in_bits(report: Mapping[str, Any]) -> int:
    """How many rows differ, and in no number that is published, by what :func:`report_of` says."""
    names = ("rows_differing_in_bits", "rows", "gone_rows")
    bits, rows, gone = (int(report.get(name, 0)) for name in names)
    return bits - rows - gone


def opened_in(players: pa.Table | None) -> frozenset[str]:
    """Who comes into the pool with a rating, by the players that a run is fed."""
    if players is None or "rating" not in players.column_names:
        return frozenset()
    rated = players.filter(pc.is_valid(players["rating"]))
    return frozenset(map(str, rated["id"].to_pylist()))


def touched(without: pa.Table, now: pa.Table) -> pa.Array:
    """The players of whom a correction makes another rating or status, in any bit."""
    old, new = (_standings(each) for each in (without, now))
    at = pc.index_in(new["player"], value_set=old["player"])
    other = pc.invert(pc.is_valid(at))
    for name in ("rating", "status"):
        own, then = new[name], old[name].take(at)
        same = pc.fill_null(pc.equal(own, then), False)
        same = pc.or_(same, pc.and_(pc.is_null(own), pc.is_null(then)))
        other = pc.or_(other, pc.invert(same))
    gone = old["player"].filter(pc.invert(pc.is_in(old["player"], value_set=new["player"])))
    return pa.concat_arrays([_plain(new["player"].filter(other)), _plain(gone)])


def by_itself(
    published: pa.Table,
    without: pa.Table,
    made: pa.Table,
    players: pa.Array,
    held: Mapping[int, float],
    own: Mapping[int, float],
    decimals: int,
) -> tuple[pa.Table, pa.Table]:
    """What stands published of these players, and what a correction makes of it by itself.

    What else has come since the last publication is in the ratings ``without`` the correction and
    in those that are ``made`` with it, but it is not by the correction.  ``held`` are the ratings
    that other corrections make of the published ones, ``own`` those to which its rows lead then.
    """
    stood = _of_players(published, players)
    then, was, now = (
        _ratings(each, decimals)
        for each in (stood, *(_of_players(each, players) for each in (without, made)))
    )
    known: dict[str, float] = {}
    for player, rating in now.items():
        base = held.get(int(player), then.get(player))
        if base == was.get(player):
            known[player] = rating
        elif base is not None:
            moved = round(base + rating - was.get(player, rating), _DIGITS)
            known[player] = own.get(int(player), moved)
    columns = {
        "player": pa.array(known, pa.string()), "rating": pa.array(known.values(), pa.float64())
    }  # fmt: skip
    return stood, pa.table(columns)


def _of_players(table: pa.Table, players: pa.Array) -> pa.Table:
    mine = _standings(table)
    return mine.filter(pc.is_in(mine["player"], value_set=players))


def _standings(table: pa.Table) -> pa.Table:
    types = {"player": pa.string(), "rating": pa.float64(), "status": pa.string()}
    return pa.table({name: table[name].cast(kind) for name, kind in types.items()})


def moved(now: pa.Table, base: pa.Table, decimals: int) -> frozenset[int]:
    """Who has another published rating than in the base, or has none in one."""
    before, after = (_ratings(each, decimals) for each in (base, now))
    people = before.keys() | after.keys()
    return frozenset(int(each) for each in people if before.get(each) != after.get(each))


def _ratings(table: pa.Table, decimals: int) -> Mapping[str, float]:
    rated = table.filter(pc.is_valid(table["rating"]))
    shown = as_published(np.asarray(rated["rating"].cast(pa.float64())), decimals)
    return dict(zip(rated["player"].to_pylist(), shown.tolist(), strict=True))


def _order(player: str) -> tuple[int, str]:
    return (int(player) if player.isdecimal() else 0, player)
