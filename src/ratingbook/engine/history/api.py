"""Histories from Python: tables in, tables out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, lru_cache
from numbers import Real
from typing import Any, Unpack

import numpy as np
import pyarrow as pa

from ratingbook.engine import frames
from ratingbook.engine.history.align import replanned
from ratingbook.engine.history.archive import GAMES_OF_A_SEGMENT
from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.correct import Correction, Rated, correct, joined
from ratingbook.engine.history.explain import When, explain, meant
from ratingbook.engine.history.fit import check_history, tell_passed_over, tell_unsettled
from ratingbook.engine.history.plan import Plan
from ratingbook.engine.history.program import COMPILED_FROM, Program
from ratingbook.engine.history.published import published_changes
from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.history.run import Changes, Run
from ratingbook.engine.history.state import Snapshot
from ratingbook.engine.history.tables import batch_table, changes_table
from ratingbook.engine.notebook import ratings_html
from ratingbook.engine.options import Beside
from ratingbook.engine.report.run import RatedRow
from ratingbook.model import BadArgument, Findings
from ratingbook.rules import registry
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.wording import counted

Array = np.ndarray[Any, Any]

SNAPSHOTS = 16
"""Places to which a correction can go back; an explanation, too, in a long history."""


class NoRow(BadArgument, IndexError):
    """The input has no row of that number."""


@dataclass(frozen=True, repr=False)
class History:
    """Games, and what is known of their players and events, ready to be rated.

    ``History.of(games)`` takes a path (Parquet, Arrow, CSV) or any table with the Arrow
    PyCapsule interface: Polars, pandas, pyarrow.
    """

    given: HistoryInput
    findings: Findings = field(default_factory=Findings)

    @classmethod
    def of(
        cls, games: Any, *, has_pools: bool = True, may_be_empty: bool = False,
        **beside: Unpack[Beside],
    ) -> History:  # fmt: skip
        """Read tables or files; raises :class:`HistoryRefused` for what cannot be rated.

        ``games`` has the columns ``date``, ``white``, ``black``, ``score`` (1, 0.5 or 0
        for White), and may have ``event``, ``section``, ``round``, ``start``,
        ``handicap``, ``rated``, ``margin``, ``neutral``, ``status``, ``reported``,
        ``white_rating``, ``black_rating``, ``white_for``, ``black_for``, ``pool`` and
        ``time_control``, which is of use only where the edition ``has_pools``; several tables
        of games may be given as a list.  Without any game it is refused, unless it
        ``may_be_empty``.  ``beside`` are ``players``, ``events``,
        ``entries`` and ``decisions``, as :class:`~ratingbook.engine.options.Beside` has them.
        """
        from ratingbook.engine.history.intake import read_history

        given, findings = read_history(
            games, has_pools=has_pools, may_be_empty=may_be_empty, **beside
        )
        if given is None:
            raise HistoryRefused(findings)
        return cls(given, findings)

    def corrected(self, corrections: Any, called: Callable[[str], str] = str) -> History:
        """The facts as corrections say: a table or a file with a row for each.

        A row has ``kind``: ``score``, the default, gives the game of ``event``, ``section``,
        ``round``, ``date``, ``white`` and ``black`` (as far as the columns are there) another
        ``score``, an empty one takes it out; ``add`` adds that game; ``withdraw`` takes out all
        games of an ``event``; ``move`` has it end on ``date``; ``merge`` makes all of
        ``player`` part of ``into``, ``replace`` does so in one ``event``.  Findings call a player
        as ``called`` does the id.

        Raises :class:`HistoryRefused` for a correction that names no game, or several, or that
        stands twice.
        """
        from ratingbook.engine.history.amend import amended

        given, findings = amended(self.given, corrections, called)
        if given is None:
            raise HistoryRefused(findings)
        return History(given, findings)

    def with_scores(self, scores: Mapping[int, float | None]) -> History:
        """Other scores of White by the rows of the input, counted from 0; None: no such game.

        Raises :class:`.BadArgument` for what is no score, and :class:`.NoRow`, which is one, too.
        """
        from ratingbook.engine.history.amend import with_scores

        half_points = {
            self._game_of(row): None if score is None else _half_points(score)
            for row, score in scores.items()
        }
        return History(with_scores(self.given, half_points), self.findings)

    def _game_of(self, row: int) -> int:
        """The number of the game in a row of the input, which may hold unfinished games too."""
        if isinstance(row, bool) or not isinstance(row, int | np.integer):
            raise BadArgument(f"a row is a whole number, counted from 0, not {row!r}")
        left_out = self.given.left_out
        total = len(self) + len(left_out)
        if not 0 <= row < total:
            raise NoRow(f"there is no row {row}: rows of games go from 0 to {total - 1}")
        before = int(np.searchsorted(left_out, row))
        if before < len(left_out) and left_out[before] == row:
            raise BadArgument(f"the game in row {row} has no score yet, and so was left out")
        return int(row) - before

    def __len__(self) -> int:
        return len(self.given.games)

    def __repr__(self) -> str:
        counts = (
            counted(len(self), "game"),
            counted(len(self.given.players), "player"),
            counted(len(self.given.event_ids), "event"),
        )
        return f"<{', '.join(counts)}>"


def program_for(book: BookOrSeries, games: int, compiled: bool | None) -> Program:
    """The loops of a rule book: compiled where that is worth its start, or as asked."""
    if games >= COMPILED_FROM if compiled is None else compiled:
        return Program(book, compiled=True)
    return _in_python(book)


@lru_cache(maxsize=64)
def _in_python(book: BookOrSeries) -> Program:
    """Its loops in plain Python, which small histories ask for one after the other."""
    return Program(book, compiled=False)


def book_of(rulebook: str | BookOrSeries, settings: Mapping[str, str] | None) -> BookOrSeries:
    """A rule book by its name, with parameters set."""
    book = registry.load(rulebook) if isinstance(rulebook, str) else rulebook
    if not settings:
        return book
    return book.with_parameters({name: str(value) for name, value in settings.items()})


@dataclass(frozen=True, repr=False)
class RatedHistory:
    """What a rule book makes of a history."""

    book: BookOrSeries
    history: History
    findings: Findings
    _run: Run
    _rows: Changes
    _snapshots: tuple[Snapshot, ...] = ()
    _correctable: bool = False

    @property
    def ratings(self) -> pa.Table:
        """``player``, ``rating``, ``games``, ``status``, ``published``, ``last_played``."""
        return self._run.table()

    @property
    def changes(self) -> pa.Table:
        """``player``, ``batch``, ``before``, ``after``, ``games``, ``score``, ``expected``.

        The ``date`` of the batch follows, ``game`` where each game is rated by itself, and
        ``exact_before`` where ratings go on with more decimals than lists print.
        """
        return published_changes(self._run, self._rows)

    @property
    def exact_changes(self) -> pa.Table:
        """The changes with ``before`` as it entered the batch, by which runs are compared."""
        return changes_table(self._run, self._rows)

    @property
    def run(self) -> Run:
        """The run, as it stands at the end."""
        return self._run

    @property
    def batches(self) -> int:
        """Number of batches: periods, or sections."""
        return len(self._run.plan)

    @property
    def plan(self) -> Plan:
        """What is rated in which order."""
        return self._run.plan

    @property
    def batch_table(self) -> pa.Table:
        """What the numbers of the batches stand for: day, number of games, event and section."""
        return batch_table(self._run)

    def correct(
        self,
        facts: History | Mapping[int, float | None] | None = None,
        *,
        settings: Mapping[str, str] | None = None,
        assume: float | None = None,
    ) -> CorrectedHistory:
        """What other facts change, or other parameters: the same as to rate them anew.

        ``facts`` is the history as it is known now (:meth:`History.corrected`), or White's new
        scores (1, 0.5, 0; None takes the game out) by the rows of the input, counted from 0.
        ``settings`` sets parameters besides those of before, ``assume`` is another assumed
        rating.  Only what differs, and what that reaches, is rated again.

        Raises :class:`HistoryRefused` for facts that cannot be rated, and :class:`.BadArgument`.
        """
        if not self._correctable:
            raise BadArgument("rate the history with corrections=True before correcting it")
        history = facts_now(self.history, facts, settings, assume)
        book = book_of(self.book, settings)
        program = (
            self._run.program if book is self.book else Program(book, self._run.program.compiled)
        )
        plan = None
        assume = self._run.assume if assume is None else assume
        findings = Findings(history.findings)
        if book is self.book and assume == self._run.assume:
            plan = replanned(self.history.given, self._run.plan, history.given)
        if plan is None:
            findings.extend(check_history(history.given, book))
            if findings.refused:
                raise HistoryRefused(findings)
        run = Run(history.given, program, assume=assume, keep_left=True, plan=plan)
        findings.extend(run.plan.findings)
        made = correct(self._rated, run)
        tell_unsettled(run.unsettled, book, findings)
        return CorrectedHistory(self, history, findings, made)

    def explain(self, player: str, when: When = None) -> list[RatedRow]:
        """A change of a player, paragraph by paragraph: the rows of a batch, explained.

        ``when`` is the day of the list, the last day of the event, or the number of the batch,
        also as text; None: the last with a game of the player.  Where each game is rated by
        itself there is a row for each game of the day.  The batch is rated once more, from the
        nearest snapshot of a long history.

        Raises :class:`.BadArgument` for what is no day, and
        :class:`~ratingbook.engine.history.explain.NothingToExplain`, which is one, too, where
        there is no such change.
        """
        day_or_number = meant(when)
        run = Run(
            self.history.given, self._run.program, assume=self._run.assume, rows=False,
            plan=self._run.plan,
        )  # fmt: skip
        return explain(run, player, day_or_number, self._snapshots)

    def to_arrow(self) -> pa.Table:
        """The ratings at the end; ``changes`` has how they came about."""
        return self.ratings

    def to_pandas(self) -> Any:
        """The ratings as a data frame of pandas."""
        return frames.to_pandas(self.ratings)

    def to_polars(self) -> Any:
        """The ratings as a data frame of Polars."""
        return frames.to_polars(self.ratings)

    @cached_property
    def _rated(self) -> Rated:
        return Rated(self._run, self._rows, self._snapshots)

    def _repr_html_(self) -> str:
        return ratings_html(self.ratings, self)

    def __repr__(self) -> str:
        return (
            f"<{counted(len(self.history), 'game')} rated by {self.book.name} in "
            f"{counted(self.batches, 'batch', 'batches')}, {counted(len(self._rows), 'change')}>"
        )


@dataclass(frozen=True, repr=False)
class CorrectedHistory:
    """A correction: its preview, and the history that it makes."""

    before: RatedHistory
    history: History
    """The facts as they are now."""
    findings: Findings
    correction: Correction

    def __repr__(self) -> str:
        return (
            f"<a correction that reaches {counted(self.players_reached, 'player')} in "
            f"{counted(self.batches_reached, 'batch', 'batches')}>"
        )

    @property
    def players_reached(self) -> int:
        """Players with a row that differs."""
        return self.correction.players

    @property
    def batches_reached(self) -> int:
        """Batches with a row that differs."""
        return self.correction.batches

    @property
    def preview(self) -> pa.Table:
        """The rows that differ: what they are about, and old and new numbers."""
        return self.correction.preview()

    @property
    def changes(self) -> pa.Table:
        """All rows after the correction, equal to those of a full replay."""
        return published_changes(self.correction.run, self.correction.rows())

    @property
    def ratings(self) -> pa.Table:
        """All ratings after the correction, equal to those of a full replay."""
        return self.correction.table()


def _half_points(score: float) -> int:
    is_number = isinstance(score, Real | Decimal)
    half_points = {0: 0, 0.5: 1, 1: 2}.get(score) if is_number else None
    if half_points is None:
        raise BadArgument(f"a score is 1, 0.5 or 0, not {score!r}")
    return half_points


def facts_now(
    history: History,
    facts: Any,
    settings: Mapping[str, str] | None,
    assume: float | None,
) -> History:
    """The history as a correction says that it is; raises :class:`.BadArgument`."""
    if settings is not None and not isinstance(settings, Mapping):
        raise BadArgument(f"settings are a dictionary of parameters, not {settings!r}")
    if facts is None and not settings and assume is None:
        raise BadArgument("say what is otherwise: facts, settings or an assumed rating")
    if isinstance(facts, Mapping):
        if not facts:
            raise BadArgument("name at least one game: {row: score}")
        return history.with_scores(facts)
    if facts is not None and not isinstance(facts, History):
        raise BadArgument(
            "facts are scores by rows, {row: score}, or a History, such as history.corrected(…) "
            f"makes of a file or table of corrections; a {type(facts).__name__} is neither"
        )
    return history if facts is None else facts


def rate_history(
    history: Any,
    rulebook: str | BookOrSeries,
    *,
    settings: Mapping[str, str] | None = None,
    assume: float | None = None,
    compiled: bool | None = None,
    corrections: bool = False,
    progress: Callable[[int, int], None] | None = None,
    compiling: Callable[[BookOrSeries], None] | None = None,
    **beside: Unpack[Beside],
) -> RatedHistory:
    """Rate a history; the bits are the same compiled and in plain Python.

    ``history`` is a :class:`History`, or what :meth:`History.of` takes, with what is known
    ``beside`` the games.  ``settings`` sets parameters of the
    rule book, ``assume`` rates players whom it would leave unrated for ever.  ``compiled``
    None compiles where that is worth its start.  ``corrections`` keeps what
    :meth:`RatedHistory.correct` needs.  ``progress`` is told the games rated, and all;
    ``compiling`` that the rules have to be compiled, which takes up to half a minute; where
    another process can do so they are applied in plain Python meanwhile.

    >>> rated = rate_history("games.parquet", "fide-2009", players="players.csv")  # doctest: +SKIP
    >>> rated.ratings.to_pandas().nlargest(10, "rating")  # doctest: +SKIP

    Raises :class:`HistoryRefused` for input that cannot be rated, and ValueError for an
    ``assume`` beyond the ratings that the edition knows.
    """
    history = as_history(history, beside)
    book = book_of(rulebook, settings)
    findings = checked(history, book)
    program = program_for(book, len(history), compiled)
    run = Run(
        history.given, program, assume=assume, keep_left=corrections, meanwhile=compiled is None
    )
    if compiling is not None and (run.begins_plain or not run.is_compiled()):
        compiling(book)
    snapshots: list[Snapshot] = []
    parts: list[Changes] = []
    offsets = run.plan.games.offsets
    total = int(offsets[-1])
    least = SNAPSHOTS if corrections else min(SNAPSHOTS, total // GAMES_OF_A_SEGMENT)
    for stop in _stops(offsets, max(1, least)):
        if corrections or run.state.next_batch:
            snapshots.append(run.state.snapshot())
        for some in run.batches(stop):
            parts.append(some)
            if progress is not None:
                progress(int(offsets[run.state.next_batch]), total)
    findings.extend(run.plan.findings)
    rows = joined(parts) if parts else run.no_changes()
    tell_passed_over(run.state.passed_over, len(rows), book, findings)
    tell_unsettled(run.unsettled, book, findings)
    return RatedHistory(book, history, findings, run, rows, tuple(snapshots), corrections)


def as_history(history: Any, beside: Beside) -> History:
    """The history, or one of columns with what is known beside them."""
    if not isinstance(history, History):
        return History.of(history, **beside)
    if any(each is not None for each in beside.values()):
        raise BadArgument("a History has its players, events and entries: give them to History.of")
    return history


def checked(history: History, book: BookOrSeries) -> Findings:
    """What was noticed about a history that can be rated; raises :class:`HistoryRefused`."""
    findings = Findings(history.findings)
    findings.extend(check_history(history.given, book))
    if findings.refused:
        raise HistoryRefused(findings)
    return findings


def _stops(offsets: Array, count: int) -> list[int]:
    """Batches at which about so many equal shares of the games end."""
    wanted = np.linspace(0, int(offsets[-1]), count + 1)[1:]
    return sorted({int(each) for each in np.searchsorted(offsets, wanted)})


__all__ = ["CorrectedHistory", "History", "HistoryRefused", "RatedHistory", "rate_history"]
