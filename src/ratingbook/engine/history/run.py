"""A history under way: the loop over its batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.beside import Beside
from ratingbook.engine.declared import is_of_others
from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.decided import put_decided
from ratingbook.engine.history.differences import Difference, add_differences
from ratingbook.engine.history.heard import Heard
from ratingbook.engine.history.intake.arrays import as_table, texts_of, to_arrow
from ratingbook.engine.history.plan import Plan, plan_of
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.signatures import signatures, sums_beside
from ratingbook.engine.history.stages import Reformed, Stretch, reforms, stretches, tell_stages
from ratingbook.engine.history.state import State
from ratingbook.engine.link import Compiled
from ratingbook.engine.loops.arrays import Rows, columns_of_players
from ratingbook.engine.options import check_assumption
from ratingbook.rules.book import RatedBy
from ratingbook.rules.bulk import EPOCH, NO_NUMBER, NOT_GIVEN

Array = np.ndarray[Any, Any]

CONSTANTS_FROM = 1_000_000
"""Games from which the loops are compiled for the very numbers of an edition."""

ROWS_AT_ONCE = 1 << 17
"""Rows of changes that are handed on together, at least."""

GAMES_AT_ONCE = 1 << 16
"""Games that are rated between two looks at the clock, at most."""

PLAIN_STEP = 1_000
"""The same in plain Python, so that compiled loops take over soon."""

PLAIN_BATCH, PLAIN_PLAYERS = 5_000, 200_000
"""Games of the largest batch, and players, up to which plain Python begins: about a second."""
AGAIN_IN_PYTHON = 100_000
"""Games that are rated once more to find the place of a fault: some seconds."""

LOOKS = 20
"""Looks at the clock in a run, at least, if it has as many batches."""


@dataclass(frozen=True)
class Changes:
    """Some rows of changes, in the order of their batches; ``left`` may be empty."""

    player: Array
    batch: Array
    before: Array
    after: Array
    games: Array
    score: Array
    expected: Array
    left: Array

    def __len__(self) -> int:
        return len(self.player)


class Run:
    """The rating of a history, batch by batch.

    ``assume`` is the rating of players whom the edition would leave unrated for ever.
    Without ``rows`` no changes are written, which is faster; ``keep_left`` keeps the
    standing that every row leaves, for corrections.  ``constants`` says whether the loops are
    compiled for the very numbers of the edition; None: where there are games enough.
    ``blank``: whoever makes the run puts the standings of all players there.  With ``predictions``
    it notes what was expected of White in each game.  With ``meanwhile`` the loops begin in plain
    Python where they were never compiled, as long as another process compiles them.
    """

    def __init__(
        self,
        given: HistoryInput,
        program: Program,
        *,
        assume: float | None = None,
        rows: bool = True,
        keep_left: bool = False,
        plan: Plan | None = None,
        with_reforms: bool = True,
        constants: bool | None = None,
        blank: bool = False,
        predictions: bool = False,
        meanwhile: bool = False,
    ) -> None:
        check_assumption(assume, program.book)
        self.given = given
        self.assume = assume
        self.plan = plan or plan_of(given, program, assume)
        self.program = program.fitted(replace(self.plan.needs, predictions=predictions))
        book, keys = program.book, self.plan.keys
        self.stretches = stretches(book, keys)
        self.reforms = reforms(book, keys)
        self._day: date | None = None
        self._waiting: list[Reformed] = []
        """Reforms of a later day than the one up to which is rated."""
        tell_stages(book, self.stretches, self.reforms, keys, self.plan.findings)
        self._with_reforms = with_reforms
        is_long = len(given.games) >= CONSTANTS_FROM
        self._with_constants = is_long if constants is None else constants
        self.games_at_once = min(GAMES_AT_ONCE, 1 + len(given.games) // LOOKS)
        self.writes_rows = rows
        self._keep_left = keep_left
        first = self.stretches[0].parameters
        self.events = self.plan.events
        """With what is known only on the way: by the fields, as far as they were looked at."""
        if self.plan.fields is not None:
            self.events = self.events._replace(facts=self.events.facts.copy())
        may_wait = meanwhile and self._may_begin_plain()
        is_new = may_wait and not self.program.was_compiled
        in_use = self.program.plain if is_new else self.program
        self.state = State(given, in_use, self.plan, assume, first, blank=blank)
        self._differences: list[tuple[int, int, int, float]] = []
        """Those still to be added: the batch before which, day, player and value."""
        self._heard: Heard | None = None
        self._compiler: Beside | None = None
        """The process that compiles the loops."""
        if is_new or (may_wait and not self.is_compiled()):
            self.state.turn_to(self.program.plain)
            self._compiler = Beside(self._compile_beside, self.program.lock)

    def add_later(self, differences: Sequence[Difference]) -> None:
        """Add these at the ends of their days; of a run that has not begun."""
        codes = {str(each): code for code, each in enumerate(self.given.players.to_pylist())}
        known = [each for each in differences if each.player in codes]
        days = np.array([(each.day - EPOCH).days for each in known], np.int64)
        batches = np.searchsorted(self.plan.keys, days, side="right").tolist()
        self._differences = sorted(
            (batch, day, codes[each.player], each.value)
            for batch, day, each in zip(batches, days.tolist(), known, strict=True)
        )

    def hear_later(self, heard: Heard) -> None:
        """Hear of other pools on the way."""
        self._heard = heard

    def take_in(self, until: date | None = None) -> bool:
        """Take in what comes beside games before the next batch; up to a day, if one is given.

        That is what other pools published, and differences; gives whether there was any of these.
        """
        self._hear(until)
        return self._add_differences(until)

    def _hear(self, until: date | None) -> None:
        if self._heard is None:
            return
        batch = self.state.next_batch
        last = None if until is None else (until - EPOCH).days
        players, others = self._heard.before(batch, last)
        if len(players):
            people, row = self.state.people, self.state.people.in_force[batch % self.plan.slots]
            p = self.stretch_of(min(batch, max(0, len(self.plan) - 1))).parameters
            self.loops.tell_others(people.standings, players, others, row, p)

    def _add_differences(self, until: date | None) -> bool:
        last = None if until is None else (until - EPOCH).days
        some: list[tuple[int, float]] = []
        while self._differences:
            batch, day, player, value = self._differences[0]
            if batch > self.state.next_batch or (last is not None and day > last):
                break
            some.append((player, value))
            del self._differences[0]
        if some:
            people, now = self.state.people, self.state.next_batch
            parameters = self.stretch_of(max(0, now - 1)).parameters
            numbers = people.in_force[now % self.plan.slots]
            add_differences(some, people.standings, numbers, self.program.bulk, parameters)
        return bool(some)

    @property
    def unsettled(self) -> tuple[int, str]:
        """Batches so far that could not be rated since they did not settle; the first's event."""
        count, first = self.state.unsettled
        if not count or not len(self.given.event_ids):
            return count, ""
        event = int(self.plan.event_order[self.plan.batches.event[first]])
        return count, str(self.given.event_ids[event].as_py())

    def signatures(self) -> Array:
        """The signature of each batch, by which a checkpoint knows its games again."""
        by_game = self.program.book.rated_by is RatedBy.GAME
        marks = signatures(self.given, self.plan, by_game=by_game)
        return marks + sums_beside(self.plan, self.given.players)

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.given.players)

    @property
    def predicted(self) -> Array:
        """What was expected of White before each game so far, in the order of the input.

        NaN: nothing, as of players without a rating, or the game does not count.
        """
        found: Array = np.full(len(self.state.room.predicted), NO_NUMBER)
        moved = self.plan.moved
        found[slice(None) if moved is None else moved] = self.state.room.predicted
        return found

    def players_in(self, first: int, stop: int) -> Array:
        """Who plays in the batches from ``first`` up to ``stop``, ascending."""
        games = self.plan.games
        span = slice(int(games.offsets[first]), int(games.offsets[stop]))
        named = [each[span] for each in columns_of_players(games)]
        found = np.unique(np.concatenate([np.empty(0, np.int32), *named]))
        return found[found >= 0]

    def begin(self) -> None:
        """The next batch is rated soon: who rates it elsewhere may begin."""

    def batches(
        self, until: int | None = None, *, low: int = 0, high: int | None = None
    ) -> Iterator[Changes]:
        """Rate up to batch ``until``; gives the changes of a few batches at a time."""
        last = len(self.plan) if until is None else until
        state, offsets, halves = self.state, self.plan.games.offsets, self.program.needs.halves
        capacity = 0
        if self.writes_rows:
            capacity = max(ROWS_AT_ONCE, min(halves * self.plan.largest, self.players))
        # What nobody fills can be the same ones each time, which are laid out once.
        rows = self._rows(0)
        loops = None
        while state.next_batch < last:
            first = state.next_batch
            if loops is not self.loops:
                loops = self.loops
                rate = loops.rate_batches
                if isinstance(rate, Compiled):
                    rate = rate.for_many_calls()
            # As many batches as hold so many games, but at least one.
            games = self.games_at_once if loops.compiled else min(PLAIN_STEP, self.games_at_once)
            enough = offsets[first] + games
            stop = int(np.searchsorted(offsets, enough, side="right")) - 1
            stretch = self.stretch_of(first)
            stop = min(last, max(first + 1, stop), self._end_of(stretch))
            if capacity:
                rows = self._rows(capacity)
            self.settle_fields()
            self.decide()
            try:
                done = rate(*self._arguments(first, stop, stretch, rows, low, high))
            except Exception:
                if loops.compiled and is_of_others(loops.bulk):
                    self._fail_in_python(stop)
                raise
            if done == first:
                state.make_room(int(offsets[first + 1] - offsets[first]))
            state.next_batch = done
            if done > first:
                self.reform()
            if int(rows.used[0]) or done > first:
                yield _changes(rows)

    def _fail_in_python(self, stop: int) -> None:
        """Rate as far again in plain Python, which says which rule fails, and where.

        What machine code raises has no place.  Nobody waits for more games than that takes
        seconds for: a rule that fails later is told without its place.
        """
        enough = int(np.searchsorted(self.plan.games.offsets, AGAIN_IN_PYTHON, side="right")) - 1
        again = Run(
            self.given, self.program.plain, assume=self.assume, rows=False, plan=self.plan,
            with_reforms=self._with_reforms,
        )  # fmt: skip
        for _ in again.batches(min(stop, max(1, enough))):
            pass

    def _arguments(
        self, first: int, stop: int, stretch: Stretch, rows: Rows, low: int, high: int | None
    ) -> tuple[Any, ...]:
        """What :func:`.loops.batches.rate_batches` takes."""
        return (
            first, stop, self.plan.games, self.events, self.plan.batches, self.state.people,
            self.state.room, rows, low, self.players if high is None else high,
            self._parameters_of(stretch),
        )  # fmt: skip

    @property
    def loops(self) -> Program:
        """The loops as they are used now: in plain Python as long as they are being compiled."""
        if self._compiler is not None and self._compiler.is_over():
            self._compiler = None
            self.state.turn_to(self.program)
        return self.program if self._compiler is None else self.program.plain

    @property
    def begins_plain(self) -> bool:
        """Whether another process compiles the loops just now."""
        return self._compiler is not None

    def _may_begin_plain(self) -> bool:
        """Whether plain Python may take the first batches: few games each, and few players."""
        few = self.plan.largest <= PLAIN_BATCH and self.players <= PLAIN_PLAYERS
        return few and self.program.can_compile_beside

    def _compile_beside(self) -> None:
        self._compiler = None
        self.state.turn_to(self.program)
        self.compile()

    def is_compiled(self) -> bool:
        """Whether the loops need no compiling, here or in earlier runs."""
        loop = self.program.rate_batches
        return not isinstance(loop, Compiled) or loop.is_ready_for(self._nothing_to_rate())

    def compile(self) -> None:
        """Compile the loops, if they have to be; else that is done where they are needed."""
        program, people = self.program, self.state.people
        standings, numbers = people.standings[:0], people.in_force[0][:0]
        p = self.stretches[0].parameters
        program.first_standings(np.empty(0, program.known), standings, np.nan, numbers, p)
        program.rate_batches(*self._nothing_to_rate())
        for each in self.reforms[:1]:
            program.reform_all(standings, numbers, each.parameters)
        program.final_table(standings, *_columns_of_table(0), p)

    def _nothing_to_rate(self) -> tuple[Any, ...]:
        return self._arguments(0, 0, self.stretches[0], self._rows(0), 0, 0)

    def _parameters_of(self, stretch: Stretch) -> Any:
        """The parameters as the loops take them: of a long history of one stage as constants.

        To compile for them takes half a minute, so not where somebody tries numbers, and not
        for each stretch of a history that crosses amendments or editions.
        """
        book = self.program.book
        is_usual = not book.by_hand and len(self.stretches) == 1
        if self._with_constants and is_usual and not self.begins_plain:
            return self.program.constants(stretch.parameters)
        return stretch.parameters

    def stretch_of(self, batch: int) -> Stretch:
        """The stretch that a batch belongs to."""
        return [each for each in self.stretches if each.first <= batch][-1]

    def _end_of(self, stretch: Stretch) -> int:
        """The batch before which other parameters begin, or a reform is done."""
        later = [each.first for each in self.stretches if each.first > stretch.first]
        later += [each.before for each in self.reforms if each.before > self.state.next_batch]
        if self.plan.decided is not None:
            known = self.plan.decided.batch
            later += known[known > self.state.next_batch][:1].tolist()
        if self.plan.fields is not None:
            begun = self.plan.fields.first
            later += np.sort(begun[begun > self.state.next_batch])[:1].tolist()
        later += [each for each, *_ in self._differences if each > self.state.next_batch][:1]
        if self._heard is not None:
            batches = self._heard.batches
            later += batches[batches > self.state.next_batch][:1].tolist()
        return min(later, default=len(self.plan))

    def decide(self) -> None:
        """Let the players know what the office decided before the next batch."""
        self.take_in()
        plan, batch = self.plan, self.state.next_batch
        if plan.decided is not None:
            bulk, events = self.program.bulk, plan.batches.event
            put_decided(self.state.people.decided, plan.decided, batch, bulk, events)

    def settle_fields(self) -> Array:
        """Look at the fields of events with games in the next batch; gives their numbers."""
        fields, batch = self.plan.fields, self.state.next_batch
        if fields is None:
            return np.empty(0, np.int64)
        places = fields.at(batch)
        p, bulk = self.stretch_of(batch).parameters, self.program.bulk
        for at in places.tolist():
            facts = self.plan.events.facts[fields.event[at]]
            self.events.facts[fields.event[at]] = facts
            fields.settle(at, self.events, self.state.people.in_force, bulk, p)
        numbers: Array = fields.event[places]
        return numbers

    def go_to(self, day: date | None) -> None:
        """Say up to which day is rated now: the reforms of later days wait until one goes on."""
        self._day = day
        waiting, self._waiting = self._waiting, []
        self._reform(waiting)

    def reform(self) -> None:
        """Do the reforms that come before the next batch; they follow the list just rated."""
        if self._with_reforms:
            self._reform([x for x in self.reforms if x.before == self.state.next_batch])

    def _reform(self, due: Sequence[Reformed]) -> None:
        people, number = self.state.people, self.state.next_batch % self.plan.slots
        for each in due:
            if self._day is not None and each.reform.day > self._day:
                self._waiting.append(each)
            else:
                # A reform may read what other pools publish on its day.
                self._hear(each.reform.day)
                numbers = people.in_force[number]
                self.loops.reform_all(people.standings, numbers, each.parameters)

    def reform_newcomers(self, players: Array) -> None:
        """Do the reforms of before for players who stand as they did at the beginning."""
        if not len(players) or not self._with_reforms:
            return
        people, done = self.state.people, self.state.next_batch
        in_force = people.in_force
        standings, numbers = people.standings[players], in_force[0][players]
        for each in self.reforms:
            if each.before <= done:
                self.loops.reform_all(standings, numbers, each.parameters)
                for number in range(max(each.before, done - len(in_force) + 1), done + 1):
                    in_force[number % len(in_force)][players] = numbers
        people.standings[players] = standings

    def no_changes(self) -> Changes:
        """No rows."""
        return _changes(self._rows(0))

    def _rows(self, capacity: int) -> Rows:
        return Rows(
            used=np.zeros(1, np.int64),
            player=np.empty(capacity, np.int32),
            batch=np.empty(capacity, np.int32),
            before=np.empty(capacity, np.float64),
            after=np.empty(capacity, np.float64),
            games=np.empty(capacity, np.int32),
            score=np.empty(capacity, np.float64),
            expected=np.empty(capacity, np.float64),
            left=np.empty(capacity if self._keep_left else 0, self.program.standing),
        )

    def table(self) -> pa.Table:
        """The ratings after the batches so far, by player."""
        count = self.players
        rating, games, status, published = columns = _columns_of_table(count)
        p = self.stretch_of(max(0, self.state.next_batch - 1)).parameters
        self.loops.final_table(self.state.people.standings, *columns, p)
        return ratings_table(self.given, rating, games, status, published, self.state.people.last)


def _columns_of_table(count: int) -> tuple[Array, Array, Array, Array]:
    """Room for ratings, games, statuses, and whether they are published."""
    return (
        np.empty(count, np.float64), np.empty(count, np.int32),
        np.empty(count, np.int8), np.empty(count, np.bool_),
    )  # fmt: skip


def ratings_table(
    given: HistoryInput, rating: Array, games: Array, status: Array, published: Array, last: Array
) -> pa.Table:
    """The ratings as ``ratings.parquet`` has them."""
    from ratingbook.rules.bulk import STATUSES

    words = pa.DictionaryArray.from_arrays(to_arrow(status), texts_of(*STATUSES))
    return as_table(
        {
            "player": given.players,
            "rating": to_arrow(rating, np.isnan(rating)),
            "games": games,
            "status": words.cast(pa.string()),
            "published": published,
            "last_played": to_arrow(last, last == NOT_GIVEN).cast(pa.date32()),
        }
    )


def _changes(rows: Rows) -> Changes:
    count = int(rows.used[0])
    left = rows.left[:count] if len(rows.left) else rows.left
    return Changes(
        rows.player[:count], rows.batch[:count], rows.before[:count], rows.after[:count],
        rows.games[:count], rows.score[:count], rows.expected[:count], left,
    )  # fmt: skip
