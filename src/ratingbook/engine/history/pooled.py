"""Histories of several pools from Python: rated together, corrected and explained across them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.engine import frames
from ratingbook.engine.history.align import other_bits, other_records
from ratingbook.engine.history.api import (
    History,
    RatedHistory,
    book_of,
    facts_now,
    rate_history,
)
from ratingbook.engine.history.columns import code_of
from ratingbook.engine.history.correct import cut, joined, kept_columns
from ratingbook.engine.history.explain import NothingToExplain, When, batches_of, explained, meant
from ratingbook.engine.history.fit import check_history, tell_passed_over, tell_unsettled
from ratingbook.engine.history.pooled_tables import (
    batches_of_pools,
    changes_of,
    in_order,
    own_numbers,
    ratings_of,
    with_pools,
)
from ratingbook.engine.history.pools import divided, has_pools
from ratingbook.engine.history.program import COMPILED_FROM
from ratingbook.engine.history.published import (
    EXACT,
    keeps_decimals,
    published_changes,
    published_rows,
    shown_number,
)
from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.history.run import Changes, Run
from ratingbook.engine.history.tables import named
from ratingbook.engine.history.together import Standing, Together
from ratingbook.engine.notebook import ratings_html
from ratingbook.engine.report.run import RatedRow
from ratingbook.model import Findings
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.wording import counted

Array = np.ndarray[Any, Any]

SNAPSHOTS = 16
"""Places to which a correction can go back."""
_NUMBERS = ("before", "after", "games", "score", "expected")


@dataclass(frozen=True, repr=False)
class PooledHistory:
    """What a rule book makes of a history of several pools."""

    book: BookOrSeries
    history: History
    findings: Findings
    together: Together
    rows: Mapping[str, Changes]
    """The changes of each pool."""
    standings: tuple[Standing, ...] = field(default=(), repr=False)

    @property
    def pools(self) -> tuple[str, ...]:
        """The pools that were rated."""
        return tuple(self.together.runs)

    @property
    def ratings(self) -> pa.Table:
        """As those of one pool, with the column ``pool``."""
        return ratings_of(self.together)

    @property
    def changes(self) -> pa.Table:
        """As those of one pool, with the column ``pool``; in the order of their batches.

        A number of a batch is that of its time: what several pools rate at once has the same one.
        """
        return changes_of(self.together, self.rows)

    def changes_in(self, pool: str) -> pa.Table:
        """The changes of a pool, by the numbers that its batches have in :meth:`run`."""
        return published_changes(self.run(pool), own_numbers(self.together, pool, self.rows[pool]))

    @property
    def batch_table(self) -> pa.Table:
        """What the numbers of the batches stand for, in each pool."""
        return batches_of_pools(self.together)

    @property
    def passed_over(self) -> int:
        """Halves of games that the edition does not count in their pools."""
        return self.together.passed_over

    @property
    def unsettled(self) -> tuple[int, str]:
        """As ``Run.unsettled``, over all pools."""
        return self.together.unsettled

    def tell_ends(self) -> None:
        """Add what is noticed once all is rated."""
        total = sum(map(len, self.rows.values()))
        tell_passed_over(self.passed_over, total, self.book, self.findings)
        tell_unsettled(self.unsettled, self.book, self.findings)

    def run(self, pool: str) -> Run:
        """The run of a pool, as it stands at the end; raises KeyError."""
        return self.together.runs[pool]

    def explain(self, player: str, when: When = None, pool: str | None = None) -> list[RatedRow]:
        """A change of a player, paragraph by paragraph: the rows of a batch of a pool, explained.

        ``when`` is as in :meth:`.RatedHistory.explain`; without ``pool`` it is the one in which
        the player has a game then, the last one or that day.  Raises ``NothingToExplain``.
        """
        chosen, batches = self._meant(player, meant(when), pool)
        return [row for batch in batches for row in self.explain_batch(player, chosen, batch)]

    def explain_batch(self, player: str, pool: str, batch: int) -> list[RatedRow]:
        """A change of a batch by its number in :meth:`run`; all pools are rated up to it."""
        again = Together(
            self.together.parts, self.book, compiled=self.together.compiled,
            assume=self.together.assume,
        )  # fmt: skip
        before = [each for each in self.standings if each.snapshots[pool].next_batch <= batch]
        if before:
            again.back_to(before[-1])
        again.up_to(pool, batch)
        run = again.runs[pool]
        run.settle_fields()
        run.decide()
        rows = explained(run, batch, code_of(run.given.players, player))
        return published_rows(run, batch, rows)

    def known_pool(self, pool: str) -> str:
        """The pool of that name; raises ``NothingToExplain`` where none is called so."""
        name = str(pool).strip().casefold()
        if name not in self.pools:
            raise NothingToExplain(
                f"The history has no pool {pool!r}; it has {', '.join(self.pools)}."
            )
        return name

    def _meant(
        self, player: str, when: int | date | None, pool: str | None
    ) -> tuple[str, list[int]]:
        found: dict[str, tuple[int, list[int]]] = {}
        failed: NothingToExplain | None = None
        for name in self.pools if pool is None else (self.known_pool(pool),):
            run = self.together.runs[name]
            numbers = self.together.numbers.get(name, np.empty(0, np.int32))
            asked: int | date | None = when
            if isinstance(when, int):
                places = np.flatnonzero(numbers == when)
                asked = int(places[0]) if len(places) else -1
            try:
                code = code_of(run.given.players, player)
                batches = batches_of(run, player, code, asked)
            except NothingToExplain as error:
                failed = failed or error
                continue
            found[name] = int(numbers[batches[-1]]), batches
        if not found:
            assert failed is not None
            raise failed
        last = max(number for number, _ in found.values())
        latest = [name for name, (number, _) in found.items() if number == last]
        if len(found) > 1 and (when is not None or len(latest) > 1):
            names = latest if when is None else list(found)
            raise NothingToExplain(
                f"Player {player!r} has games in {' and '.join(names)} then: name the pool."
            )
        return latest[0], found[latest[0]][1]

    def correct(
        self,
        facts: History | Mapping[int, float | None] | None = None,
        *,
        settings: Mapping[str, str] | None = None,
        assume: float | None = None,
    ) -> CorrectedPools:
        """What other facts, or other parameters, change in all pools.

        The arguments are those of :meth:`.RatedHistory.correct`; rows are counted over all pools.
        The history is rated again from the last snapshot, if ``corrections`` kept some, before the
        first batch of any pool that differs.  Raises ``HistoryRefused`` and ``BadArgument``.
        """
        history = facts_now(self.history, facts, settings, assume)
        book = book_of(self.book, settings)
        now = self.together.assume if assume is None else assume
        first = None if book is not self.book or now != self.together.assume else self
        findings = check_history(history.given, book)
        if findings.refused:
            raise HistoryRefused(Findings([*history.findings, *findings]))
        made = rate_divided(
            history, book, assume=now, compiled=self.together.compiled, before=first
        )
        made.findings.extend(findings)
        return CorrectedPools(self, made)

    def to_arrow(self) -> pa.Table:
        """The ratings at the end; ``changes`` has how they came about."""
        return self.ratings

    def to_pandas(self) -> Any:
        """The ratings as a data frame of pandas."""
        return frames.to_pandas(self.ratings)

    def to_polars(self) -> Any:
        """The ratings as a data frame of Polars."""
        return frames.to_polars(self.ratings)

    def _repr_html_(self) -> str:
        return ratings_html(self.ratings, self)

    def __repr__(self) -> str:
        return (
            f"<{counted(len(self.history), 'game')} rated by {self.book.name} in the pools "
            f"{', '.join(self.pools)}, {counted(sum(map(len, self.rows.values())), 'change')}>"
        )

    def keyed(self) -> pa.Table:
        """The changes by what their batches are known by in every run."""
        return in_order(
            with_pools(
                {
                    pool: named(run, own).append_column("batch", pa.array(self.rows[pool].batch))
                    for pool, run in self.together.runs.items()
                    for own in [own_numbers(self.together, pool, self.rows[pool])]
                },
                {
                    name: {
                        pool: shown_number(self.run(pool), own, name)
                        for pool, rows in self.rows.items()
                        for own in [own_numbers(self.together, pool, rows)]
                    }
                    for name in (*_NUMBERS, EXACT)
                },
            ),
            ["batch"],
        )  # fmt: skip


Rated: TypeAlias = RatedHistory | PooledHistory
"""A history of one pool, or of several."""


@dataclass(frozen=True, repr=False)
class CorrectedPools:
    """A correction of a history of pools: what it changes, and the history that it makes."""

    before: PooledHistory
    after: PooledHistory

    @property
    def findings(self) -> Findings:
        """What was noticed of the facts of now."""
        return self.after.findings

    @cached_property
    def preview(self) -> pa.Table:
        """The rows that differ, old beside new, of all pools, in the order of time."""
        old, new = self.before.keyed(), self.after.keyed()
        keys = [name for name in new.column_names if name not in (*_NUMBERS, EXACT, "batch")]
        both = old.drop_columns(["batch"]).join(
            new.drop_columns(["batch"]), keys, join_type="full outer",
            left_suffix="_old", right_suffix="_new",
        )  # fmt: skip
        names = [(f"{name}_old", f"{name}_new") for name in (*_NUMBERS, EXACT)]
        differs = pa.array(np.zeros(len(both), bool))
        for one, other in names:
            same = pc.equal(both[one], both[other]).fill_null(False)
            neither = pc.and_(pc.is_null(both[one]), pc.is_null(both[other]))
            differs = pc.or_(differs, pc.invert(pc.or_(same, neither)))
        if not any(keeps_decimals(each.book) for each in (self.before, self.after)):
            names.pop()
        columns = [*keys, *(name for pair in names for name in pair)]
        return in_order(both.filter(differs).select(columns), keys)

    @property
    def players_reached(self) -> int:
        """Players with a row that differs."""
        return len(self.preview["player"].unique())

    @property
    def batches_reached(self) -> int:
        """Batches with a row that differs; in several pools they are several."""
        names = [n for n in ("pool", "date", "event", "section") if n in self.preview.column_names]
        return len(self.preview.select(names).group_by(names).aggregate([]))

    @property
    def changes(self) -> pa.Table:
        """All rows by the facts of now."""
        return self.after.changes

    @property
    def ratings(self) -> pa.Table:
        """All ratings by the facts of now."""
        return self.after.ratings


def rate_pools(
    history: History,
    rulebook: str | BookOrSeries,
    *,
    settings: Mapping[str, str] | None = None,
    assume: float | None = None,
    compiled: bool | None = None,
    corrections: bool = False,
    progress: Callable[[int, int], None] | None = None,
    compiling: Callable[[BookOrSeries], None] | None = None,
) -> PooledHistory:
    """Rate a history in all pools that its events name, each of which reads the others.

    The arguments are those of :func:`.rate_history`.  Raises ``HistoryRefused``.
    """
    book = book_of(rulebook, settings)
    findings = check_history(history.given, book)
    if findings.refused:
        raise HistoryRefused(Findings([*history.findings, *findings]))
    made = rate_divided(
        history, book, assume=assume, compiled=compiled, keeps=corrections, progress=progress,
        compiling=compiling,
    )  # fmt: skip
    made.findings.extend(findings)
    made.tell_ends()
    return made


def rate_whole(history: History, book: BookOrSeries, **options: Any) -> Rated:
    """Rate a history in its one pool, or in all that it tells of; as :func:`.rate_history`."""
    rate = rate_pools if has_pools(history.given, book) else rate_history
    return rate(history, book, **options)


def together_of(history: History, book: BookOrSeries, *, assume: float | None) -> Together:
    """The runs of the pools of a history, that are to begin; raises ``HistoryRefused``."""
    parts = divided(history.given, book)
    if parts.findings.refused:
        raise HistoryRefused(parts.findings)
    return Together(parts.parts, book, compiled=len(history) >= COMPILED_FROM, assume=assume)


def rate_divided(
    history: History,
    book: BookOrSeries,
    *,
    assume: float | None,
    compiled: bool | None = None,
    keeps: bool = False,
    before: PooledHistory | None = None,
    progress: Callable[[int, int], None] | None = None,
    compiling: Callable[[BookOrSeries], None] | None = None,
) -> PooledHistory:
    """Rate pools, from where ``before`` has them if its facts are the same up to there."""
    findings = Findings(history.findings)
    parts = divided(history.given, book)
    findings.extend(parts.findings)
    if findings.refused:
        raise HistoryRefused(findings)
    is_compiled = len(history) >= COMPILED_FROM if compiled is None else compiled
    together = Together(parts.parts, book, compiled=is_compiled, assume=assume)
    if compiling is not None and not together.is_compiled():
        compiling(book)
    rows: dict[str, list[Changes]] = {pool: [] for pool in together.runs}
    standing = None if before is None else _last_the_same(before, together)
    if standing is not None and before is not None:
        together.back_to(standing)
        for pool, run in together.runs.items():
            old = before.rows[pool]
            numbers = before.together.numbers.get(pool)
            done = run.state.next_batch
            last = numbers[done] if numbers is not None and done < len(numbers) else None
            end = len(old) if last is None else int(np.searchsorted(old.batch, last))
            rows[pool].append(cut(old, 0, end))
    stops = {int(each) for each in np.linspace(0, len(together.turns), SNAPSHOTS + 1)[:-1]}
    standings: list[Standing] = []
    total = together.games
    ends = {} if standing is None or before is None else _where_it_may_end(before, together)
    while together.turn < len(together.turns):
        if before is not None and _stands_as(together, ends.get(together.turn)):
            for pool, rest in _end_as(before, together).items():
                rows[pool].append(rest)
            break
        if keeps and together.turn in stops:
            standings.append(together.snapshot())
        for pool, some in together.rated(together.turn + 1):
            rows[pool].append(some)
        if progress is not None:
            progress(together.games_rated, total)
    together.tell_plans(findings)
    changes = {
        pool: joined(some) if some else together.runs[pool].no_changes()
        for pool, some in rows.items()
    }
    return PooledHistory(book, history, findings, together, changes, tuple(standings))


def _last_the_same(before: PooledHistory, now: Together) -> Standing | None:
    """The last snapshot up to which all pools have the same facts."""
    old = before.together
    if old.runs.keys() != now.runs.keys() or not before.standings:
        return None
    first = len(now.turns)
    for pool, run in now.runs.items():
        was = old.runs[pool]
        same = run.given.players.equals(was.given.players) and run.plan.slots == was.plan.slots
        if not same or not _same_first(before, pool, run):
            return None
        marks, old_marks = run.signatures(), was.signatures()
        count = min(len(marks), len(old_marks))
        differs = np.flatnonzero(marks[:count] != old_marks[:count])
        place = int(differs[0]) if len(differs) else count
        if place < max(len(marks), len(old_marks)):
            numbers = [each.numbers[pool] for each in (old, now)]
            least = min((int(each[place]) for each in numbers if place < len(each)), default=None)
            if least is not None:
                turn = min(_turn_at(old, least), _turn_at(now, least))
                first = min(first, turn)
    found = [
        each
        for each in before.standings
        if each.turn <= first and old.turns[: each.turn] == now.turns[: each.turn]
    ]
    return found[-1] if found else None


def _same_first(before: PooledHistory, pool: str, run: Run) -> bool:
    """Whether everybody begins as before, and the files say the same of all.

    The first snapshot is that of the beginning.
    """
    was = before.standings[0].snapshots[pool].standings
    old, people = before.run(pool).state.people, run.state.people
    said = (people.birth, old.birth), (people.adult, old.adult), (people.grade, old.grade)
    return _same(people.standings, was) and all(_same(now, then) for now, then in said)


def _same(one: Array, other: Array) -> bool:
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    # What stands between the fields of records is not copied with them.
    differs = (
        other_records(one, other)
        if one.dtype.fields
        else other_bits(one, other, one.dtype.itemsize)
    )
    return not differs.any()


def _where_it_may_end(before: PooledHistory, now: Together) -> dict[int, Standing]:
    """The snapshots of before, by their turns, after which no batch differs in its facts.

    None where the line of time is another.
    """
    old = before.together
    if old.turns != now.turns:
        return {}
    until = 0
    for pool, run in now.runs.items():
        numbers = now.numbers.get(pool, np.empty(0, np.int32))
        differs = np.flatnonzero(run.signatures() != old.runs[pool].signatures())
        if len(differs):
            until = max(until, 1 + _turn_at(now, int(numbers[differs[-1]])))
    return {each.turn: each for each in before.standings if each.turn >= until}


def _stands_as(together: Together, standing: Standing | None) -> bool:
    """Whether all pools stand exactly as they stood."""
    if standing is None:
        return False
    for pool, snapshot in standing.snapshots.items():
        people, room = together.runs[pool].state.people, together.runs[pool].state.room
        pairs = [
            (people.standings, snapshot.standings),
            (people.in_force, snapshot.in_force),
            (people.last, snapshot.last),
            (people.decided, snapshot.decided),
            *zip(
                kept_columns(people.head, room.kept, room.link),
                kept_columns(snapshot.head, snapshot.kept, snapshot.link),
                strict=True,
            ),
        ]
        if not all(_same(now, then) for now, then in pairs):
            return False
    return True


def _end_as(before: PooledHistory, together: Together) -> dict[str, Changes]:
    """Stand where the history of before ended; gives the rows that come until then."""
    rest = {}
    for pool, run in together.runs.items():
        old, numbers, done = before.rows[pool], together.numbers.get(pool), run.state.next_batch
        begin = len(old)
        if numbers is not None and done < len(numbers):
            begin = int(np.searchsorted(old.batch, numbers[done]))
        rest[pool] = cut(old, begin, len(old))
        run.state.back_to(before.run(pool).state.snapshot())
    together.turn = len(together.turns)
    return rest


def _turn_at(together: Together, number: int) -> int:
    """The turn of the batches of a number."""
    for place, turn in enumerate(together.turns):
        if any(together.numbers[part.pool][part.stop - 1] >= number for part in turn):
            return place
    return len(together.turns)
