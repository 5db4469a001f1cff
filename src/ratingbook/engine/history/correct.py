"""What other facts change in a history, without rating everything anew.

The batches are replayed from the last snapshot before the first one that differs in its
facts, and each row is compared with what it was.  Where all standings, the kept sides and
the numbers in force are again what they were, and no later batch differs in its facts,
everything after stays as it is: the result is that of a full replay, bit for bit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.align import Alignment, align, other_bits, other_records
from ratingbook.engine.history.columns import who_plays
from ratingbook.engine.history.decided import same_decisions
from ratingbook.engine.history.published import EXACT, keeps_decimals, shown_number
from ratingbook.engine.history.run import Changes, Run
from ratingbook.engine.history.state import Snapshot
from ratingbook.engine.history.tables import games_of_rows, named
from ratingbook.rules.book import RatedBy

Array = np.ndarray[Any, Any]

_GROWTH = 4
"""Each stretch of batches that is compared at once is so much longer than the one before."""
_SHOWN = ("before", "after", "games", "score", "expected")


@dataclass(frozen=True)
class Rated:
    """A run that has come to its end, with all that a correction of it rests on."""

    run: Run
    rows: Changes
    snapshots: tuple[Snapshot, ...]
    """Where it stood at times; the first one before the first batch."""

    @cached_property
    def offsets(self) -> Array:
        """Where the rows of each batch begin, and how many rows there are."""
        return np.searchsorted(self.rows.batch, np.arange(len(self.run.plan) + 1))


@dataclass(frozen=True)
class _Stretch:
    """Some batches that were replayed, and the rows that were there before."""

    made: Changes
    begin: int
    end: int
    """The rows of before, from ``begin`` up to ``end``."""
    made_differs: Array
    old_differs: Array
    """Which of the rows say something else than before, or are new, or are gone."""


@dataclass(frozen=True, repr=False)
class Correction:
    """What other facts change."""

    old: Rated
    run: Run
    """It stands before the first batch that nothing reaches any more."""
    alignment: Alignment
    _stretches: tuple[_Stretch, ...]
    _idle: Array
    """Players without games who begin otherwise than before, or were not there."""

    @property
    def first_batch(self) -> int:
        """The first batch that differs in its facts."""
        return self.alignment.first

    @property
    def next_batch(self) -> int:
        """The first batch that nothing reaches any more."""
        return self.run.state.next_batch

    @cached_property
    def was(self) -> Changes:
        """The rows that differ, as they were."""
        parts = [taken(self._before(each), each.old_differs) for each in self._stretches]
        return joined([cut(self.old.rows, 0, 0), *parts])

    @cached_property
    def now(self) -> Changes:
        """The rows that differ, as they are."""
        parts = [taken(each.made, each.made_differs) for each in self._stretches]
        return joined([self.run.no_changes(), *parts])

    def _before(self, stretch: _Stretch) -> Changes:
        return cut(self.old.rows, stretch.begin, stretch.end)

    @cached_property
    def _keys(self) -> tuple[Array, Array]:
        """Batches and players of the rows that differ, of before and of now, as one number each.

        The batches of both are numbered together in the order of their times.
        """
        times, old_times = _times(self.alignment)
        gone = self.run.players + np.arange(self.old.run.players)
        codes = np.where(self.alignment.players < 0, gone, self.alignment.players)
        width = self.run.players + self.old.run.players
        return (
            old_times[self.was.batch] * width + codes[self.was.player],
            times[self.now.batch] * width + self.now.player,
        )

    @property
    def batches(self) -> int:
        """Batches with a row that differs."""
        width = self.run.players + self.old.run.players
        return len(np.unique(np.concatenate(self._keys) // width))

    @property
    def players(self) -> int:
        """Players with a row that differs."""
        width = self.run.players + self.old.run.players
        return len(np.unique(np.concatenate(self._keys) % width))

    def rows(self) -> Changes:
        """All rows by the facts of now: the old ones, with those replayed in their place."""
        old, alignment, offsets = self.old, self.alignment, self.old.offsets
        begin = int(offsets[alignment.first])
        consumed = int(alignment.consumed[self.next_batch])
        end = int(offsets[consumed])
        head = _renamed(cut(old.rows, 0, begin), alignment, 0)
        tail = _renamed(cut(old.rows, end, len(old.rows)), alignment, self.next_batch - consumed)
        return joined([head, *(each.made for each in self._stretches), tail])

    def table(self) -> pa.Table:
        """The ratings by the facts of now."""
        if self.next_batch == len(self.run.plan):
            return self.run.table()
        end = Run(self.run.given, self.run.program, assume=self.run.assume, plan=self.run.plan)
        _stand(end, self.old.run.state.snapshot(), len(end.plan), self.alignment, self._idle)
        return end.table()

    def preview(self) -> pa.Table:
        """The rows that differ, old beside new, in the order of their batches."""
        (old_keys, new_keys), columns = self._keys, dict[str, Any]()
        said = [named(self.old.run, self.was), named(self.run, self.now)]
        if self.run.program.book.rated_by is RatedBy.GAME:
            # Several rows of a player on a day.
            (old_nth, old_games), (nth, games) = self._by_game()
            most = 1 + int(max(nth.max(initial=0), old_nth.max(initial=0)))
            old_keys, new_keys = old_keys * most + old_nth, new_keys * most + nth
            said = [
                table.append_column("game", pa.array(rows, mask=rows == 0))
                for table, rows in zip(said, (old_games, games), strict=True)
            ]
        keys = np.union1d(old_keys, new_keys)
        at_old, at_new = np.searchsorted(keys, old_keys), np.searchsorted(keys, new_keys)
        for name in said[1].column_names:
            columns[name] = _either(said[0][name], at_old, said[1][name], at_new, len(keys))
        sides = ("old", self.old.run, self.was, at_old), ("new", self.run, self.now, at_new)
        is_exact = any(keeps_decimals(run.program.book) for _, run, _, _ in sides)
        for name in (*_SHOWN, EXACT) if is_exact else _SHOWN:
            for when, run, rows, at in sides:
                values = np.full(len(keys), np.nan)
                values[at] = shown_number(run, rows, name)
                column = pa.array(values, mask=np.isnan(values))
                columns[f"{name}_{when}"] = column.cast(pa.int32()) if name == "games" else column
        return pa.table(columns)

    def _by_game(self) -> list[tuple[Array, Array]]:
        """Of the rows that differ: the how many-th of the player and day, and the game."""
        nothing = np.empty(0, np.int64)
        found: list[tuple[list[Array], list[Array]]] = [([nothing], [nothing]) for _ in range(2)]
        for each in self._stretches:
            both = (self.old.run, self._before(each)), (self.run, each.made)
            masks = each.old_differs, each.made_differs
            for (run, rows), mask, (nths, games) in zip(both, masks, found, strict=True):
                nths.append(_nth(rows.batch, rows.player, run.players)[mask])
                games.append(games_of_rows(run, rows)[mask])
        return [(np.concatenate(nths), np.concatenate(games)) for nths, games in found]


def _either(
    old: pa.ChunkedArray, at_old: Array, new: pa.ChunkedArray, at_new: Array, count: int
) -> pa.ChunkedArray:
    """A column of the rows of both; where both have one, it is the same."""
    which = np.zeros(count, np.int64)
    which[at_old] = np.arange(len(at_old))
    which[at_new] = len(at_old) + np.arange(len(at_new))
    if old.type != new.type:
        old, new = old.cast(pa.string()), new.cast(pa.string())
    return pa.chunked_array([*old.chunks, *new.chunks], new.type).take(pa.array(which))


def _times(alignment: Alignment) -> tuple[Array, Array]:
    """The batches of now and of before, numbered together in the order of their times."""
    followed = alignment.followed
    gone = np.flatnonzero(followed < 0)
    beside = alignment.beside(gone)
    count = np.arange(len(alignment.mates))
    times = count + np.searchsorted(beside, count, side="right")
    old_times = np.where(followed >= 0, times[followed] if len(times) else 0, 0)
    old_times[gone] = beside + np.arange(len(gone))
    return times, old_times


def _renamed(rows: Changes, alignment: Alignment, shift: int) -> Changes:
    """Rows of before by the codes and numbers of now."""
    if shift:
        rows = replace(rows, batch=(rows.batch + shift).astype(np.int32))
    if not alignment.same_players:
        rows = replace(rows, player=alignment.players[rows.player].astype(np.int32))
    return rows


def correct(old: Rated, run: Run) -> Correction:
    """What the facts of a run that is to begin change in one that has ended."""
    alignment = align(old.run, old.snapshots[0], run)
    replay = _Replay(old, run, alignment)
    if alignment.is_same:
        _stand(run, old.run.state.snapshot(), len(run.plan), alignment, replay.idle)
        return Correction(old, run, alignment, (), replay.idle)
    snapshot = _last_before(old, run, alignment.first)
    if snapshot is not None:
        _stand(run, snapshot, snapshot.next_batch, alignment, alignment.newcomers)
    for _ in run.batches(alignment.first):
        pass
    return Correction(old, run, alignment, tuple(replay.follow()), replay.idle)


def _last_before(old: Rated, run: Run, first: int) -> Snapshot | None:
    """The last snapshot before a batch that holds all lists whose numbers are needed."""
    slots, last_use = old.run.plan.slots, run.plan.last_use
    for snapshot in reversed(old.snapshots):
        after = snapshot.next_batch
        if after > first:
            continue
        needed = after if last_use is None else int((last_use >= after).argmax())
        if needed > after - slots:
            return snapshot
    return None


def _stand(
    run: Run, snapshot: Snapshot, next_batch: int, alignment: Alignment, fresh: Array
) -> None:
    """Put a run where the history of before stood, its players by their codes of now.

    The ``fresh`` ones stand as they begin.
    """
    slots, old_slots = run.plan.slots, len(snapshot.in_force)
    is_known = alignment.players >= 0
    is_known[is_known] = ~np.isin(alignment.players[is_known], fresh)
    if alignment.same_players and is_known.all() and slots == old_slots:
        run.state.back_to(replace(snapshot, next_batch=next_batch))
        return
    people, now, before = run.state.people, alignment.players[is_known], np.flatnonzero(is_known)
    standings, in_force = people.standings.copy(), np.tile(people.in_force[0], (slots, 1))
    last, head, tail = people.last.copy(), people.head.copy(), people.tail.copy()
    decided = people.decided.copy()
    if len(decided) and len(snapshot.decided):
        decided[now] = snapshot.decided[before]
    standings[now] = snapshot.standings[before]
    done = snapshot.next_batch
    for back in range(min(slots, old_slots, done + 1)):
        row = snapshot.in_force[(done - back) % old_slots]
        in_force[(next_batch - back) % slots][now] = row[before]
    for mine, theirs in ((last, snapshot.last), (head, snapshot.head), (tail, snapshot.tail)):
        mine[now] = theirs[before]
    run.state.back_to(
        replace(
            snapshot, next_batch=next_batch, standings=standings, in_force=in_force,
            last=last, head=head, tail=tail, decided=decided,
        )
    )  # fmt: skip
    run.reform_newcomers(np.setdiff1d(np.arange(run.players), now))


class _Replay:
    """A run that stands before the first batch that differs, and follows what comes of it.

    Times are numbers, greater ones later: :func:`_time` of twice a batch, and 2 more; of
    what stood before it in the old history and is gone, 1 more.
    """

    def __init__(self, old: Rated, run: Run, alignment: Alignment) -> None:
        self._old, self._run, self._alignment = old, run, alignment
        self._same_at = np.zeros(run.players, np.int64)
        """When a player's standing was last seen to be what it was."""
        self._other_at = np.zeros(run.players, np.int64)
        """When a player's standing was last seen to be another."""
        self.idle = np.empty(0, np.int64)
        """Players without games who begin otherwise than before, or were not there."""
        if len(alignment.newcomers):
            plays = self._who_plays()
            self.idle = alignment.newcomers[~plays[alignment.newcomers]]
            self._other_at[alignment.newcomers[plays[alignment.newcomers]]] = 1
        self._open_until = alignment.until
        self._keeps = run.program.bulk.keeping is not None
        self._looks = self._keeps or any(r.plan.decided is not None for r in (run, old.run))
        """Whether more than the rows says who stands as before."""
        self._boundaries = self._snapshots_in_both()
        # Nobody looks at a clock meanwhile.
        run.games_at_once = max(1, len(run.given.games))

    def _who_plays(self) -> Array:
        plays: Array = who_plays(self._run.plan.games, self._run.players)
        was = who_plays(self._old.run.plan.games, self._old.run.players)
        code = self._alignment.players[np.flatnonzero(was)]
        plays[code[code >= 0]] = True
        return plays

    def _snapshots_in_both(self) -> dict[int, Snapshot]:
        """Batches before which the old history has a snapshot that can be compared."""
        consumed, found = self._alignment.consumed, dict[int, Snapshot]()
        if not self._looks and self._run.plan.last_use is None:
            # The rows alone say who stands as before.
            return found
        for snapshot in self._old.snapshots:
            place = int(np.searchsorted(consumed, snapshot.next_batch, side="right")) - 1
            if consumed[place] == snapshot.next_batch:
                found[place] = snapshot
        return found

    def follow(self) -> list[_Stretch]:
        """Replay as far as the facts reach.

        The stretches that are compared at once grow, so that what reaches far costs no
        more than a replay.
        """
        run, consumed = self._run, self._alignment.consumed
        count, length = len(run.plan), 1
        found: list[_Stretch] = []
        # Up to the first batch that differs, all have their mates.
        begin = old_begin = run.state.next_batch
        while True:
            end = min(count, begin + length)
            end = min([end, *(place for place in self._boundaries if begin < place < end)])
            start = begin
            for made in run.batches(end) if begin < end else [run.no_changes()]:
                found.append(self._compared(made, begin, run.state.next_batch, old_begin))
                begin = run.state.next_batch
                old_begin = int(consumed[begin])
            if begin >= count or self._coincides(start):
                return found
            length *= _GROWTH

    def _compared(self, made: Changes, begin: int, end: int, old_begin: int) -> _Stretch:
        """Compare the rows of batches ``begin`` to ``end`` with those of before."""
        offsets, alignment = self._old.offsets, self._alignment
        first, last = int(offsets[old_begin]), int(offsets[int(alignment.consumed[end])])
        was = cut(self._old.rows, first, last)
        pair = self._paired(made, was, begin, end, old_begin)
        one, other = (made, was) if pair is None else (taken(made, pair[0]), taken(was, pair[1]))
        shown = np.zeros(len(one), bool)
        for name in _SHOWN:
            shown |= other_bits(getattr(one, name), getattr(other, name))
        left = other_records(one.left, other.left)
        self._note(made, was, pair, left, begin)
        if pair is None:
            return _Stretch(made, first, last, shown, shown)
        made_differs, old_differs = np.ones(len(made), bool), np.ones(len(was), bool)
        made_differs[pair[0]] = old_differs[pair[1]] = shown
        return _Stretch(made, first, last, made_differs, old_differs)

    def _paired(
        self, made: Changes, was: Changes, begin: int, end: int, old_begin: int
    ) -> tuple[Array, Array] | None:
        """The rows that are of the same batch and player; None: all of them, one by one."""
        alignment, shift = self._alignment, begin - old_begin
        consumed = alignment.consumed
        is_even = bool(
            int(consumed[end]) + shift == end
            and (alignment.mates[begin:end] + shift == np.arange(begin, end)).all()
        )
        players = was.player if alignment.same_players else alignment.players[was.player]
        if is_even and len(made) == len(was):
            batches = was.batch + shift if shift else was.batch
            if np.array_equal(made.batch, batches) and np.array_equal(made.player, players):
                return None
        if begin == end:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        numbers = alignment.followed[was.batch] - begin
        numbers[alignment.followed[was.batch] < 0] = -1
        sizes = np.bincount(made.batch - begin, minlength=end - begin)
        old_sizes = np.bincount(numbers[numbers >= 0], minlength=end - begin)
        even = sizes == old_sizes
        at = np.flatnonzero(even[made.batch - begin])
        old_at = np.flatnonzero((numbers >= 0) & even[np.maximum(numbers, 0)])
        other = made.player[at] != players[old_at]
        if other.any():
            # Their rows stand in another order, or are of others.
            even[made.batch[at[other]] - begin] = False
            at = at[even[made.batch[at] - begin]]
            old_at = old_at[even[numbers[old_at]]]
        rest = np.flatnonzero(~even[made.batch - begin])
        old_rest = np.flatnonzero((numbers >= 0) & (players >= 0))
        old_rest = old_rest[~even[numbers[old_rest]]]
        keys, old_keys = _row_keys(
            (made.batch[rest] - begin, made.player[rest]),
            (numbers[old_rest], players[old_rest]),
            self._run.players,
        )
        _, one, two = np.intersect1d(keys, old_keys, assume_unique=True, return_indices=True)
        return np.r_[at, rest[one]], np.r_[old_at, old_rest[two]]

    def _note(
        self, made: Changes, was: Changes, pair: tuple[Array, Array] | None, left: Array, begin: int
    ) -> None:
        """Who was last seen to stand as before, and who not."""
        alignment = self._alignment
        other = left if pair is None else np.ones(len(made), bool)
        if pair is not None:
            other[pair[0]] = left
        days, old_days = self._run.plan.batches.day, self._old.run.plan.batches.day
        if days is not old_days and len(made):
            # The day on which somebody was rated last is looked at in later batches.
            numbers = np.arange(begin, self._run.state.next_batch)
            mates = alignment.mates[numbers]
            moved = np.ones(len(numbers), bool)
            moved[mates >= 0] = days[numbers[mates >= 0]] != old_days[mates[mates >= 0]]
            if moved.any():
                other = other | moved[made.batch - begin]
        if pair is None and not other.any() and not self._other_at.any():
            return
        times = _time(2 * made.batch.astype(np.int64) + 2) + np.arange(len(made))
        # Of several rows of a player the last one is kept, which is the latest.
        self._other_at[made.player[other]] = times[other]
        # Who never stood otherwise need not be noted.
        seen = np.flatnonzero((self._other_at > 0)[made.player] & ~other)
        self._same_at[made.player[seen]] = times[seen]
        if pair is not None:
            gone = np.ones(len(was), bool)
            gone[pair[1]] = False
            gone &= alignment.players[was.player] >= 0
            batches, players = was.batch[gone], alignment.players[was.player[gone]]
            followed = alignment.followed[batches]
            ends = _time(2 * followed + 3) - 1
            times = np.where(followed < 0, _time(2 * alignment.beside(batches) + 1), ends)
            np.maximum.at(self._other_at, players, times)

    @property
    def _differs(self) -> Array:
        found: Array = (self._other_at > 0) & (self._other_at >= self._same_at)
        return found

    def _coincides(self, begin: int) -> bool:
        """Whether all stand as they stood before, and nothing later is told otherwise."""
        run, last_use = self._run, self._run.plan.last_use
        place = run.state.next_batch
        differs = self._differs
        anything = bool(differs.any() or (self._other_at >= _time(2 * begin + 1)).any())
        if last_use is not None and anything:
            # Any of the lists of this stretch may hold a number that differs.
            used = last_use[begin : place + 1]
            self._open_until = max(self._open_until, int(used.max(initial=0)) + 1)
        if place < self._alignment.until or differs.any():
            return False
        if not self._looks and place >= self._open_until:
            return True
        snapshot = self._boundaries.get(place)
        return snapshot is not None and self._stands_as(snapshot)

    def _stands_as(self, snapshot: Snapshot) -> bool:
        """Whether the run stands exactly as the old one did."""
        alignment, people = self._alignment, self._run.state.people
        before = np.flatnonzero(alignment.players >= 0)
        before = before[~np.isin(alignment.players[before], self.idle)]
        now = alignment.players[before]
        if (people.last[now] != snapshot.last[before]).any():
            return False
        if other_records(people.standings[now], snapshot.standings[before]).any():
            return False
        pending = people.decided, snapshot.decided
        mine, theirs = (
            each[which] if len(each) else each
            for each, which in zip(pending, (now, before), strict=True)
        )
        return (
            same_decisions(mine, theirs)
            and self._same_numbers(snapshot, now, before)
            and self._same_kept(snapshot, now, before)
        )

    def _same_numbers(self, snapshot: Snapshot, now: Array, before: Array) -> bool:
        """Whether the numbers of all lists that are still looked at are what they were."""
        run, consumed = self._run, self._alignment.consumed
        place, last_use = run.state.next_batch, run.plan.last_use
        slots, old_slots = run.plan.slots, len(snapshot.in_force)
        for number in range(max(0, place - slots + 1), place + 1):
            if number < place and (last_use is None or last_use[number] < place):
                continue
            back = place - number
            if snapshot.next_batch - int(consumed[number]) != back or back >= old_slots:
                return False
            mine = run.state.people.in_force[number % slots][now]
            if (mine != snapshot.in_force[int(consumed[number]) % old_slots][before]).any():
                return False
        return True

    def _same_kept(self, snapshot: Snapshot, now: Array, before: Array) -> bool:
        if not self._keeps:
            return True
        room, people = self._run.state.room, self._run.state.people
        one = kept_columns(people.head[now], room.kept, room.link)
        other = kept_columns(snapshot.head[before], snapshot.kept, snapshot.link)
        return len(one[0]) == len(other[0]) and not any(
            other_bits(mine, theirs, mine.dtype.itemsize).any()
            for mine, theirs in zip(one, other, strict=True)
        )


def kept_columns(head: Array, kept: Array, link: Array) -> list[Array]:
    """The kept sides as columns: the player's place, and what is kept; in one order for all."""
    players, nodes = [], []
    player = np.flatnonzero(head >= 0)
    node = head[player]
    while len(player):
        players.append(player)
        nodes.append(node)
        node = link[node]
        player, node = player[node >= 0], node[node >= 0]
    sides = kept[np.concatenate([np.empty(0, np.int64), *nodes])]
    columns = [np.concatenate([np.empty(0, np.int64), *players])]
    columns += [sides[name] for name in sides.dtype.names or ()]
    order = np.lexsort(columns[::-1])
    return [column[order] for column in columns]


def _row_keys(
    one: tuple[Array, Array], other: tuple[Array, Array], players: int
) -> tuple[Array, Array]:
    """A number for each row: its batch, its player, and the how many-th of them it is."""
    nths = [_nth(batch, player, players) for batch, player in (one, other)]
    most = 1 + max(int(nth.max(initial=0)) for nth in nths)
    found = [
        (batch.astype(np.int64) * players + player) * most + nth
        for (batch, player), nth in zip((one, other), nths, strict=True)
    ]
    return found[0], found[1]


def _nth(batch: Array, player: Array, players: int) -> Array:
    """The how many-th row of its player in its batch each row is, from 0."""
    keys = batch.astype(np.int64) * players + player
    order = np.argsort(keys, kind="stable")
    first = np.flatnonzero(np.r_[True, keys[order][1:] != keys[order][:-1]][: len(keys)])
    nth = np.empty(len(keys), np.int64)
    nth[order] = np.arange(len(keys)) - np.repeat(first, np.diff(np.r_[first, len(keys)]))
    return nth


def _time(number: Any) -> Any:
    """A time with room for the rows of a stretch between it and the next one."""
    return number << 32


def joined(parts: list[Changes]) -> Changes:
    """Several stretches of rows as one."""
    filled = [part for part in parts if len(part)]
    if len(filled) <= 1:
        return filled[0] if filled else parts[0]
    names = Changes.__dataclass_fields__
    return Changes(*(np.concatenate([getattr(part, name) for part in filled]) for name in names))


def taken(rows: Changes, which: Array) -> Changes:
    """Some of the rows."""
    return Changes(*(getattr(rows, name)[which] for name in Changes.__dataclass_fields__))


def cut(rows: Changes, begin: int, end: int) -> Changes:
    """A stretch of rows."""
    names = Changes.__dataclass_fields__
    return Changes(*(getattr(rows, name)[begin:end] for name in names))
