"""The same history twice, by its facts of before and of now: which batches say the same.

Batches are known again by what they stand for, never by their number: the day of the
list, the day of the games, or the event, its last day and the section.  Players and
events are known by their ids.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import HistoryInput, codes_of
from ratingbook.engine.history.decided import Decided
from ratingbook.engine.history.months import split_keys
from ratingbook.engine.history.plan import Plan
from ratingbook.engine.history.run import Run
from ratingbook.engine.history.state import Snapshot
from ratingbook.engine.loops.arrays import NO_CONDITIONS, Games, columns_of_players
from ratingbook.rules.book import RatedBy
from ratingbook.rules.bulk import NOT_GIVEN

Array = np.ndarray[Any, Any]

_MONTHS = 1 << 20
"""More than there are months; an event as a whole has number 0."""


@dataclass(frozen=True)
class Alignment:
    """Batches and players of a history, those of before beside those of now."""

    players: Array
    """Code of now of each player of before; −1: not there any more."""
    same_players: bool
    """Whether all codes are what they were."""
    newcomers: Array
    """Players, by their codes of now, who begin otherwise than before, or were not there."""
    mates: Array
    """Batch of before of each batch; −1: there was none."""
    consumed: Array
    """How many batches of before have passed when the first n of now have."""
    first: int
    """The first batch that differs, or before which one is missing: all before are the same."""
    until: int
    """No batch from here on differs in its facts."""

    @cached_property
    def followed(self) -> Array:
        """Batch of now of each batch of before; −1: there is none."""
        found = np.full(int(self.consumed[-1]), -1, np.int64)
        has_mate = np.flatnonzero(self.mates >= 0)
        found[self.mates[has_mate]] = has_mate
        return found

    @property
    def is_same(self) -> bool:
        """Whether no batch differs, none is missing, and nobody with a game begins otherwise."""
        same = self.first == len(self.mates) and self.until == 0
        return same and bool((self.followed >= 0).all())

    def beside(self, gone: Array) -> Array:
        """The first batch of now after each of these batches of before, which are gone."""
        found: Array = np.searchsorted(np.maximum.accumulate(self.mates), gone, side="right")
        return found


def align(old: Run, begun: Snapshot, new: Run) -> Alignment:
    """Compare the facts of two runs; ``begun`` is where the old one began, ``new`` is to begin."""
    players = codes_of(new.given.players, old.given.players)
    same_players = len(players) == new.players and bool((players == np.arange(len(players))).all())
    newcomers, described = _players(old, begun, new, players)
    mates = _mates(old, new)
    events = _events(old, new)
    count = len(new.plan)
    differs = _other_games(old, new, mates, players, events, described)
    at = np.maximum(mates, 0)
    differs |= new.plan.batches.day != old.plan.batches.day[at] if len(old.plan) else True
    differs |= _other_parameters(old, new, at)
    consumed = np.maximum.accumulate(np.r_[-1, mates]) + 1
    # A batch of before is missing between those that are there.
    differs |= (mates >= 0) & (mates != consumed[:-1])
    ends = np.flatnonzero(differs)
    first, until = (int(ends[0]), int(ends[-1]) + 1) if len(ends) else (count, 0)
    if consumed[-1] < len(old.plan):
        consumed[-1] = len(old.plan)
        until = count
    reformed = _other_reforms(old, new, mates)
    if reformed is not None:
        first, until = min(first, reformed), count
    for batch in _other_decisions(old, new, players, mates, consumed):
        first, until = min(first, batch), max(until, batch + 1)
    if len(newcomers):
        first = min(first, _first_game_of(new, newcomers))
    return Alignment(players, same_players, newcomers, mates, consumed, first, until)


def _players(old: Run, begun: Snapshot, new: Run, players: Array) -> tuple[Array, Array]:
    """Who begins otherwise; and for each player whether what the files say is another.

    The latter matters in every batch, the former only until standings coincide.
    """
    if (
        new.given.players is old.given.players
        and new.given.standings is old.given.standings
        and new.program is old.program
        and new.assume == old.assume
    ):
        return np.empty(0, np.int64), np.zeros(new.players, bool)
    there = np.flatnonzero(players >= 0)
    now = players[there]
    was, people = old.state.people, new.state.people
    begins = np.ones(new.players, bool)
    begins[now] = other_records(people.standings[now], begun.standings[there])
    begins[now] |= people.in_force[0][now] != begun.in_force[0][there]
    described = np.zeros(new.players, bool)
    for said, before in (
        (people.birth, was.birth), (people.adult, was.adult), (people.grade, was.grade),
    ):  # fmt: skip
        described[now] |= said[now] != before[there]
    return np.flatnonzero(begins), described


def _mates(old: Run, new: Run) -> Array:
    """The batch of before for each batch, in ascending order."""
    one, other = old.plan, new.plan
    if one.keys is other.keys and one.batches is other.batches:
        return np.arange(len(one))
    by_section = new.program.book.rated_by is RatedBy.SECTION
    if by_section and new.program.bulk.calendar is None and len(new.given.event_ids):
        keys = [_section_keys(run, new.given) for run in (old, new)]
    else:
        keys = [one.keys[:, None], other.keys[:, None]]
    both = np.concatenate([each.astype(np.int64) for each in keys])
    _, number = np.unique(both, axis=0, return_inverse=True)
    number = number.reshape(-1)
    place = np.full(len(both), -1, np.int64)
    place[number[: len(one)]] = np.arange(len(one))
    mates: Array = place[number[len(one) :]]
    # Where ids are sorted otherwise than before, batches may have changed their order.
    highest = np.maximum.accumulate(np.r_[-1, mates])
    mates[mates <= highest[:-1]] = -1
    return mates


def _section_keys(run: Run, given: HistoryInput) -> Array:
    """Day, event and section of each batch, by the codes of ``given``; negative: not among them."""
    plan = run.plan
    events = _known(run.given.event_ids, given.event_ids)[plan.event_order[plan.batches.event]]
    sections = np.zeros(len(plan), np.int64)
    if plan.sections is not None:
        sections = _known(run.given.section_ids, given.section_ids)[plan.sections]
    return np.stack([plan.keys.astype(np.int64), events, sections], 1)


def _known(own: pa.Array, others: pa.Array) -> Array:
    """The codes of ids among others; for those that are not there distinct negative numbers."""
    if own is others:
        return np.arange(len(own))
    found = codes_of(others, own).astype(np.int64)
    return np.where(found < 0, -2 - np.arange(len(own)), found)


def _events(old: Run, new: Run) -> Array:
    """Number of now of each event of before; −1 where it is gone, or something of it differs."""
    one, other = old.plan, new.plan
    if one.events is other.events and one.event_order is other.event_order:
        return np.arange(len(one.event_order))
    known, wanted = _event_keys(new, new.given), _event_keys(old, new.given)
    order = np.argsort(known, kind="stable")
    if not len(order):
        return np.full(len(wanted), -1, np.int64)
    place = order[np.minimum(np.searchsorted(known[order], wanted), len(order) - 1)]
    same = known[place] == wanted
    for name in ("start", "end"):
        same &= getattr(other.events, name)[place] == getattr(one.events, name)
    same &= ~other_records(other.events.facts[place], one.events.facts)
    same &= _field_marks(new)[place] == _field_marks(old)
    found: Array = np.where(same, place, -1)
    return found


def _field_marks(run: Run) -> Array:
    """What says of each event who takes part, where rules ask for it."""
    marks = np.zeros(len(run.plan.event_order), np.uint64)
    if run.plan.fields is not None:
        marks[run.plan.fields.event] = run.plan.fields.marks(run.given.players)
    return marks


def _event_keys(run: Run, given: HistoryInput) -> Array:
    """What each event of a plan is known by, in the order of their numbers."""
    plan, ids = run.plan, run.given.event_ids
    codes = plan.event_order.astype(np.int64)
    if run.given.games.event is None:
        # Every day is an event, counted from the first one.
        return -codes - int(run.given.games.day.min(initial=0)) - (1 << 60)
    known = _known(ids, given.event_ids)
    if plan.months is None:
        whole_events: Array = known[codes] * _MONTHS
        return whole_events
    parents, months = split_keys(plan.months)
    whole = np.r_[known, known[parents]]
    part = np.r_[np.zeros(len(known), np.int64), months + _MONTHS // 2]
    found: Array = (whole * _MONTHS + part)[codes]
    return found


_COLUMNS = {
    "handicap": 0,
    "rated": 3,
    "start": 0,
    "end": 0,
    "entry_white": NOT_GIVEN,
    "entry_black": NOT_GIVEN,
    "white_number": NOT_GIVEN,
    "black_number": NOT_GIVEN,
    "white_reached": 0,
    "black_reached": 0,
    "status": 0,
    "turn": 0,
    "reported": NOT_GIVEN,
    "conditions": NO_CONDITIONS,
}
"""Columns of games that may be empty, and what an empty one says."""


_REPLACED = ("white_for", "black_for")
"""Columns of players, of whom −1 is nobody."""
_ENTRIES = ("entry_white", "entry_black")
"""Those of which numbers with decimals say by NaN that there is none."""


def _other_games(
    old: Run, new: Run, mates: Array, players: Array, events: Array, described: Array
) -> Array:
    """Which batches are not of the same games, or of players of whom something else is said."""
    was, games = old.plan.games, new.plan.games
    size, old_size = np.diff(games.offsets), np.diff(was.offsets)
    at = np.maximum(mates, 0)
    alike = (mates >= 0) & (size == (old_size[at] if len(old_size) else 0))
    shift = np.where(alike, was.offsets[at] - games.offsets[:-1], 0)
    differs: Array = ~alike
    pairs = _Pairs(was, games, players, events)
    for begin, end in _runs(alike, shift):
        first, last = int(games.offsets[begin]), int(games.offsets[end])
        other = pairs.differing(slice(first, last), int(shift[begin]))
        if other is not None and other.any():
            places = np.flatnonzero(other) + first
            differs[np.searchsorted(games.offsets, places, side="right") - 1] = True
    if new.program.book.rated_by is not RatedBy.GAME:
        # Within a batch the order of the games is of no matter, but to rules of whole events.
        looked_at = np.flatnonzero(alike & differs & ~_has_whole_events(new.plan))
        differs[looked_at] = ~pairs.same_in_any_order(looked_at, mates)
    if described.any():
        concerned = np.flatnonzero(names_one_of(games, described))
        differs[np.searchsorted(games.offsets, concerned, side="right") - 1] = True
    return differs


def _has_whole_events(plan: Plan) -> Array:
    """Which batches have an event whose games are looked at together."""
    found = np.zeros(len(plan), bool)
    if plan.together is not None:
        games = np.flatnonzero(plan.together[plan.games.event])
        found[np.searchsorted(plan.games.offsets, games, side="right") - 1] = True
    return found


def _runs(alike: Array, shift: Array) -> list[tuple[int, int]]:
    """Stretches of batches whose games stand equally far from where they stood."""
    places = np.flatnonzero(alike)
    if not len(places):
        return []
    breaks = (np.diff(places) != 1) | (np.diff(shift[places]) != 0)
    starts = places[np.r_[True, breaks]]
    ends = places[np.r_[breaks, True]] + 1
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


class _Pairs:
    """Games of now beside those of before."""

    def __init__(self, was: Games, games: Games, players: Array, events: Array) -> None:
        self._was, self._games = was, games
        same_players = bool((players == np.arange(len(players))).all())
        same_events = bool((events == np.arange(len(events))).all())
        self._columns: list[tuple[Array, Array, Array | None]] = [
            (games.white, was.white, None if same_players else players),
            (games.black, was.black, None if same_players else players),
            (games.event, was.event, None if same_events else events),
            (games.score, was.score, None),
        ]
        with_nobody = None if same_players else np.append(players, -1)
        for name in _REPLACED:
            now, before = getattr(games, name), getattr(was, name)
            if len(now) or len(before):
                one, other = _bits(now, -1, len(games.white)), _bits(before, -1, len(was.white))
                self._columns.append((one, other, with_nobody))
        for name, nothing in _COLUMNS.items():
            now, before = getattr(games, name), getattr(was, name)
            if len(now) or len(before):
                absent: Any = nothing
                if "f" in (now.dtype.kind, before.dtype.kind):
                    absent = np.float64(np.nan if name in _ENTRIES else nothing)
                    now, before = now.astype(np.float64), before.astype(np.float64)
                one = _bits(now, absent, len(games.white))
                other = one if now is before else _bits(before, absent, len(was.white))
                self._columns.append((one, other, None))

    def differing(self, part: slice, shift: int) -> Array | None:
        """Which of these games are not those that stood so much further; None: no one."""
        found: Array | None = None
        there = slice(part.start + shift, part.stop + shift)
        for now, before, codes in self._columns:
            if now is before and not shift and codes is None:
                continue
            told = before[there] if codes is None else codes[before[there]]
            other = now[part] != told
            found = other if found is None else found | other
        return found

    def same_in_any_order(self, batches: Array, mates: Array) -> Array:
        """Which of these batches have the same games as their mates, whatever their order."""
        if not len(batches):
            return np.empty(0, bool)
        both = self._columns_of(batches, 0), self._columns_of(mates[batches], 1)
        sizes = self._games.offsets[batches + 1] - self._games.offsets[batches]
        begins = np.cumsum(sizes) - sizes
        same = np.ones(len(batches), bool)
        for now, before in zip(*both, strict=True):
            # Seldom do other games add up to the same.
            one, other = (np.add.reduceat(each, begins, dtype=np.int64) for each in (now, before))
            same &= one == other
        number = np.repeat(np.arange(len(batches)), sizes)
        left = same[number]
        number = number[left]
        rows = [_sorted([number, *(column[left] for column in side)]) for side in both]
        for now, before in zip(*rows, strict=True):
            same[number[now != before]] = False
        return same

    def _columns_of(self, batches: Array, which: int) -> list[Array]:
        """The games of some batches, of now (0) or of before (1)."""
        offsets = (self._was if which else self._games).offsets
        sizes = offsets[batches + 1] - offsets[batches]
        begins = np.cumsum(sizes) - sizes
        games = np.arange(int(sizes.sum())) + np.repeat(offsets[batches] - begins, sizes)
        found = []
        for now, before, codes in self._columns:
            values = (before if which else now)[games]
            found.append(codes[values] if which and codes is not None else values)
        return found


def _sorted(columns: list[Array]) -> list[Array]:
    """Rows in the order of their columns."""
    order = np.lexsort(columns[::-1])
    return [column[order] for column in columns]


def _bits(values: Array, absent: Any, count: int) -> Array:
    """A column, or what an empty one says; numbers with decimals by their bits."""
    if not len(values):
        values = np.full(count, absent)
    return values.view(np.int64) if values.dtype.kind == "f" else values


def _other_parameters(old: Run, new: Run, at: Array) -> Array:
    """Which batches are rated with other parameters than their mates."""
    if old.program.bulk is not new.program.bulk:
        return np.ones(len(at), bool)
    mine, theirs = (
        np.searchsorted([each.first for each in run.stretches], numbers, side="right") - 1
        for run, numbers in ((new, np.arange(len(at))), (old, at))
    )
    other = np.array(
        [[one.parameters != before.parameters for before in old.stretches] for one in new.stretches]
    )
    found: Array = other[mine, theirs]
    return found


def _other_decisions(
    old: Run, new: Run, players: Array, mates: Array, consumed: Array
) -> list[int]:
    """The batches before which something else was decided, or by another edition."""
    one, other = old.plan.decided, new.plan.decided
    told: list[set[tuple[int, ...]]] = [set(), set()]
    followed = {int(mate): batch for batch, mate in enumerate(mates.tolist()) if mate >= 0}
    if one is not None:
        for batch, player, *said in _decisions(one):
            # Of a batch that is gone: where the next one stands.
            place = followed.get(batch, int(np.searchsorted(consumed, batch, side="right")) - 1)
            told[0].add((min(place, len(new.plan) - 1), int(players[player]), *said))
    if other is not None:
        told[1] = set(_decisions(other))
    return sorted(max(0, each[0]) for each in told[0] ^ told[1])


def _decisions(decided: Decided) -> list[tuple[int, ...]]:
    columns = decided.batch, decided.player, decided.kind, decided.value.view(np.int64)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _other_reforms(old: Run, new: Run, mates: Array) -> int | None:
    """The batch after which a reform is done in one of the histories only.

    So is one that follows another batch: where the old history stood it was done, or not yet.
    """
    one, other = (
        {(each.reform.day, each.parameters): each.before for each in run.reforms}
        for run in (old, new)
    )
    both = {key for key in one.keys() & other.keys() if mates[other[key] - 1] == one[key] - 1}
    places = [before for each in (one, other) for key, before in each.items() if key not in both]
    return min(places) - 1 if places else None


def _first_game_of(run: Run, players: Array) -> int:
    """The first batch in which one of the players plays."""
    games = run.plan.games
    wanted = np.zeros(run.players, bool)
    wanted[players] = True
    found = names_one_of(games, wanted)
    if not found.any():
        return len(run.plan)
    return int(np.searchsorted(games.offsets, int(found.argmax()), side="right")) - 1


def names_one_of(games: Games, wanted: Array) -> Array:
    """Which games name one of the players that are wanted; nobody is none of them."""
    asked = np.append(wanted, False)
    found: Array = np.logical_or.reduce([asked[each] for each in columns_of_players(games)])
    return found


def other_records(one: Array, other: Array) -> Array:
    """Which records differ in a bit of their fields."""
    fields: Any = one.dtype.fields
    if one.dtype != other.dtype or fields is None:
        raise TypeError("records of two kinds cannot be compared")
    found = np.zeros(len(one), bool)
    words = 0
    if one.dtype.itemsize % 8 == 0 and len(one):
        # Whole words first; what is left of the last one may be padding.
        words = sum(kind.itemsize for kind, _ in fields.values()) // 8
        one, other = np.ascontiguousarray(one), np.ascontiguousarray(other)
        pieces = [each.view(np.uint64).reshape(len(one), -1) for each in (one, other)]
        for word in range(words):
            found |= pieces[0][:, word] != pieces[1][:, word]
    for name, (kind, offset) in fields.items():
        if offset >= 8 * words:
            found |= other_bits(one[name], other[name], kind.itemsize)
    return found


def other_bits(one: Array, other: Array, size: int = 8) -> Array:
    """Which numbers differ in a bit."""
    if one.dtype.kind == "f":
        one, other = (np.ascontiguousarray(each).view(f"u{size}") for each in (one, other))
    found: Array = one != other
    return found


_BESIDE = (
    "players", "event_ids", "section_ids", "standings", "events", "entries", "decisions",
)  # fmt: skip


def replanned(was: HistoryInput, plan: Plan, given: HistoryInput) -> Plan | None:
    """The plan of facts that differ in nothing but scores, which no plan depends on; else None."""
    same = all(
        getattr(was.games, each.name) is getattr(given.games, each.name)
        for each in fields(given.games)
        if each.name != "score"
    ) and all(getattr(was, name) is getattr(given, name) for name in _BESIDE)
    if not same:
        return None
    score = given.games.score if plan.moved is None else given.games.score[plan.moved]
    return replace(plan, games=plan.games._replace(score=score))
