"""The module of the office that rates: tables in, tables out, the engine between them."""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cache, cached_property, lru_cache
from typing import Any, get_type_hints

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.engine.history.api import (
    History,
    RatedHistory,
    book_of,
    program_for,
    rate_history,
)
from ratingbook.engine.history.assumed import assumed_by
from ratingbook.engine.history.coefficients import coefficients_of
from ratingbook.engine.history.columns import code_of
from ratingbook.engine.history.correct import joined
from ratingbook.engine.history.decided import kinds_of
from ratingbook.engine.history.differences import Difference
from ratingbook.engine.history.explain import NothingToExplain, batches_of, explained, stand_before
from ratingbook.engine.history.fit import check_history
from ratingbook.engine.history.intake.tables import PLAYER_COLUMNS
from ratingbook.engine.history.keys import own_keys
from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.history.results import UNKNOWN, Results, prints_results, results_of
from ratingbook.engine.history.run import Run
from ratingbook.engine.history.standing import standing_at
from ratingbook.engine.history.state import Snapshot
from ratingbook.engine.history.tables import batch_table, changes_table
from ratingbook.engine.intake import check_report, check_same_game
from ratingbook.engine.intake.said import Said, Use, beyond, columns_of, kinds_in, used_of
from ratingbook.engine.intake.said import asks_for_births as asks_on
from ratingbook.engine.options import check_assumption
from ratingbook.engine.passed_over import reasons_in_words
from ratingbook.engine.report.known import TOTALS
from ratingbook.engine.source import source_of
from ratingbook.formats import Read
from ratingbook.model import Event, Finding, Findings, Game, GameStatus, Report, Standing
from ratingbook.model.sentences import sentence
from ratingbook.office.logic.digests import table_digest
from ratingbook.office.logic.order import order_of
from ratingbook.office.placing import placed
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.rules import asked, registry
from ratingbook.rules.book import Abroad, RatedBy
from ratingbook.rules.half import Status
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.settings import ParameterError
from ratingbook.rules.timeline import Reform
from ratingbook.rules.units import FloatRating

__all__ = [
    "TOTALS", "UNKNOWN", "Results", "Said", "Use", "beyond", "columns_of", "kinds_in",
    "prints_results", "used_of",
]  # fmt: skip

BORN, BORN_IN = "birth_date", "birth_year"
"""The columns of the players with what a rule may ask of an age: the day, else the year alone."""
Born = date | int
"""When somebody was born: the day, or the year where no more is known."""
ADULT = "adult"
"""The column with what reports say instead of an age."""
REPLACED = ("white_for", "black_for")
"""The columns of the games with whom substitutes replaced."""
TABLES = ("games", "players", "events", "entries", "decisions", "differences")


@dataclass(frozen=True)
class Fed:
    """What a run gives to the engine: the tables that ``ratingbook history`` takes, too.

    All but ``differences``: ``player``, ``date``, ``value`` and ``reason`` of what an office adds
    to a rating at the end of a day.
    """

    games: pa.Table
    players: pa.Table | None = None
    events: pa.Table | None = None
    entries: pa.Table | None = None
    decisions: pa.Table | None = None
    differences: pa.Table | None = None
    reported: frozenset[str] = frozenset()
    """Columns of the players that reports say: these rules need not read all of them."""
    ledger: pa.ChunkedArray | None = None
    """What the ledger calls each game; it is not fed."""

    def tables(self) -> Mapping[str, pa.Table]:
        """Those that there are, by name."""
        return {name: table for name in TABLES if (table := getattr(self, name)) is not None}

    @property
    def known_of_players(self) -> Sequence[str]:
        """The columns of the players."""
        return [] if self.players is None else list(self.players.column_names)

    @property
    def births(self) -> Mapping[str, Born | None]:
        """When each player was born; empty where nothing is said of anybody."""
        if self.players is None:
            return {}
        own = [each for each in (BORN, BORN_IN) if each in self.known_of_players]
        said = [self.players[each].to_pylist() for each in own]
        ids = self.players["id"].to_pylist() if own else []
        return {
            player: next((each for each in values if each is not None), None)
            for player, *values in zip(ids, *said, strict=True)
        }

    def born(self, births: Mapping[str, Born | None]) -> Fed:
        """The same with other births of some players; None: of these nothing is known."""
        if self.players is None:
            return self
        now = {**dict.fromkeys(self.players["id"].to_pylist()), **self.births}
        every = [births.get(player, born) for player, born in now.items()]
        said = {
            BORN: pa.array([each if isinstance(each, date) else None for each in every],
                           pa.date32()),
            BORN_IN: pa.array([each if isinstance(each, int) else None for each in every],
                              pa.int32()),
        }  # fmt: skip
        players = self.players
        for name, column in said.items():
            if name in players.column_names:
                players = players.set_column(players.column_names.index(name), name, column)
            elif name == BORN or column.null_count < len(column):
                players = players.append_column(name, column)
        return replace(self, players=players)

    def without(self, *columns: str) -> Fed:
        """The same without some columns of the players."""
        gone = [each for each in columns if each in self.known_of_players]
        if self.players is None or not gone:
            return self
        return replace(self, players=self.players.drop_columns(gone))

    def as_of(self, digest: str) -> Fed:
        """The same as the run of a digest was fed it.

        Once no years of birth were fed, and what was published then stays what it was.
        """
        return self.without(BORN_IN) if self.is_before_years(digest) else self

    def is_before_years(self, digest: str) -> bool:
        """Whether the run of a digest was fed the same but for years of birth."""
        return BORN_IN in self.known_of_players and self.without(BORN_IN).digest == digest

    def adults(self, players: Collection[str]) -> Fed:
        """The same with these players alone said to be adult."""
        if self.players is None or ADULT not in self.players.column_names:
            return self
        said = pa.array([each in players or None for each in self.players["id"].to_pylist()],
                        pa.bool_())  # fmt: skip
        at = self.players.column_names.index(ADULT)
        return replace(
            self,
            players=self.players.set_column(at, ADULT, said)
            if players
            else self.players.drop_columns([ADULT]),
        )

    def is_same(self, other: Fed) -> bool:
        """Whether the same is fed; much faster than to compare digests."""
        mine, theirs = self.tables(), other.tables()
        return mine.keys() == theirs.keys() and all(mine[n].equals(theirs[n]) for n in mine)

    @property
    def digest(self) -> str:
        """SHA-256 over all that is fed."""
        parts = [f"{name}:{table_digest(table)}" for name, table in self.tables().items()]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@dataclass(frozen=True)
class Rules:
    """By which rules: a name of the registry, parameters, and an assumed rating."""

    rulebook: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    assume: float | None = None

    def book(self) -> BookOrSeries:
        """The rule book; refused where it, or a parameter, is not known."""
        return _book(self.rulebook, tuple(sorted(self.parameters.items())), self.assume)


@cache
def _book(
    rulebook: str, parameters: tuple[tuple[str, str], ...], assume: float | None
) -> BookOrSeries:
    """Looked up once: all that is installed is searched for the editions of a series."""
    try:
        book = book_of(rulebook, dict(parameters))
        if assume is not None:
            check_assumption(assume, book)
    except (registry.UnknownRuleBook, ParameterError, ValueError) as error:
        why = error.args[0] if error.args else ""
        is_asking = str(why).endswith("?")
        raise refuse(
            "office.rulebook",
            sentence("The rule book cannot be taken so: {why}", why=why) if is_asking
            else sentence("The rule book cannot be taken so: {why}.", why=why),
            "`ratingbook rulebooks` lists the editions, and the parameters of each.",
        ) from None  # fmt: skip
    if book.bulk is None:
        raise refuse(
            "office.rulebook",
            sentence("{rulebook} rates reports only, no histories.", rulebook=rulebook),
            sentence("Take a rule book with a bulk description."),
        )
    return book


@dataclass(frozen=True)
class RatedTables:
    """What the rules make of what was fed, up to a day."""

    changes: pa.Table
    """``key`` of the batch, ``player``, ``turn``, before, after, games, score, expected, date;
    by key, player and turn."""
    ratings: pa.Table
    """As ``ratings.parquet``, by player."""
    batches: pa.Table
    """``key`` and ``day`` of each batch, in the order of the engine."""
    findings: Findings
    passed_over: int
    games: np.ndarray[Any, np.dtype[np.bool_]]
    """Of each game that was fed whether it is in one of these batches."""

    @property
    def digest(self) -> str:
        """SHA-256 over the bits of all numbers."""
        parts = [table_digest(each) for each in (self.changes, self.ratings)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def check(reading: Read, report: Report, rules: Rules | None) -> Findings:
    """What is wrong or odd in a report; ``rules`` are those of its pool, where that is known.

    What an edition needs to know of players is not asked: the office knows it.
    """
    findings = check_report(report, reading.findings)
    if rules is not None:
        findings.extend(check_same_game(reading.format, reading.game, rules.book()))
    return findings


def standing_fields(rules: Rules | None) -> Mapping[str, type]:
    """Keys of a standing that the rules read beyond the common ones."""
    return {} if rules is None else rules.book().standing_fields


def rate(fed: Fed, rules: Rules, until: date | None = None) -> RatedTables:
    """Rate all batches up to a day; refused where the facts cannot be rated."""
    run, findings = run_of(fed, rules)
    stop = stop_of(run, until)
    run.go_to(until)
    parts = list(run.batches(stop)) if stop else []
    run.add_differences(until)
    if len(fed.games):
        findings.extend(run.plan.findings)
    rows = joined(parts) if parts else run.no_changes()
    batches = _batches(run)
    changes = _keyed(changes_table(run, rows), batches["key"])
    return RatedTables(
        changes, _by_player(run.table()), batches.slice(0, stop), findings, run.state.passed_over,
        batch_of_games(run, len(fed.games)) < stop,
    )  # fmt: skip


def _keyed(changes: pa.Table, keys: pa.ChunkedArray) -> pa.Table:
    """The rows by the natural keys of their batches, in the order of key, player and turn."""
    player = changes["player"].cast(pa.string())
    columns = {
        "key": keys.take(changes["batch"]) if len(changes) else pa.array([], pa.string()),
        "player": player,
        "turn": pa.array(_turns(np.asarray(changes["batch"]), _codes(player))),
        **{name: changes[name] for name in ("before", "after", "games", "score", "expected")},
        "date": changes["date"],
    }
    table = pa.table(columns)
    return table.take(pa.array(order_of(table, ("key", "player", "turn")))).combine_chunks()


def _codes(column: pa.ChunkedArray) -> np.ndarray[Any, Any]:
    coded = column.combine_chunks().dictionary_encode()
    if isinstance(coded, pa.ChunkedArray):
        return np.empty(0, np.int32)
    return np.asarray(coded.indices)


def _by_player(ratings: pa.Table) -> pa.Table:
    named = ratings.set_column(0, "player", ratings["player"].cast(pa.string()))
    return named.take(pc.sort_indices(named["player"])).combine_chunks()


def standings_on(fed: Fed, rules: Rules, days: Iterable[date]) -> Iterator[pa.Table]:
    """The ratings at the ends of days, in their order, by one pass over the history."""
    run, _ = run_of(fed, rules)
    for day in days:
        run.go_to(day)
        for _rows in run.batches(stop_of(run, day)):
            pass
        run.add_differences(day)
        yield _by_player(run.table())


def results_on(
    fed: Fed, rules: Rules, day: date, games: Mapping[str, int]
) -> Mapping[str, Results]:
    """By player how often games were won, drawn and lost up to a day, where lists print it.

    ``games`` are the rated ones of everybody.
    """
    if not prints_results(rules.book().edition(day).on(day), day):
        return {}
    run, _ = run_of(fed, rules)
    return results_of(run, stop_of(run, day), games)


def coefficients_on(fed: Fed, rules: Rules, day: date, until: date) -> Mapping[str, int]:
    """By player the K of an event that begins on a day, by what was rated up to another one."""
    run, _ = run_of(fed, rules)
    run.go_to(until)
    for _rows in run.batches(stop_of(run, until)):
        pass
    run.add_differences(until)
    return coefficients_of(run, day)


@dataclass(frozen=True)
class Amended:
    """What other facts change: rows that differ in any bit, and all ratings."""

    was: pa.Table
    now: pa.Table
    ratings: pa.Table


class Baseline:
    """What corrections are tried on: a history rated once, with places to go back to.

    What follows from other facts is the same as if all were rated anew, bit for bit.
    """

    def __init__(self, fed: Fed, rules: Rules, until: date) -> None:
        self._fed, self._rules, self._until = fed, rules, until

    @cached_property
    def _rated(self) -> RatedHistory:
        history, _ = _history(self._fed, self._rules)
        return rate_history(
            history, self._rules.book(), assume=self._rules.assume, corrections=True
        )

    @cached_property
    def _is_whole(self) -> bool:
        days = self._rated.batch_table["day"]
        return not len(days) or pc.max(days).as_py() <= self._until

    @cached_property
    def ratings(self) -> pa.Table:
        """All ratings on the day."""
        if self._fed.differences is None and self._is_whole:
            return _by_player(self._rated.ratings)
        return next(standings_on(self._fed, self._rules, [self._until]))

    @cached_property
    def changes(self) -> pa.Table:
        """All rows up to the day."""
        return rate(self._fed, self._rules, self._until).changes

    def rows_of(self, people: pa.Array) -> pa.Table:
        """The rows of some players up to the day."""
        if self._fed.differences is not None:
            return self.changes.filter(pc.is_in(self.changes["player"], value_set=people))
        table = self._rated.exact_changes
        mine = pc.is_in(table["player"].cast(pa.string()), value_set=people)
        return self._upto(_keyed(table.filter(mine), _natural(self._rated.batch_table)["key"]))

    def amended(self, fed: Fed, rules: Rules) -> Amended:
        """What other facts, or other rules, make of it."""
        added = [each.differences is not None for each in (self._fed, fed)]
        if rules != self._rules or rules.book().rated_by is RatedBy.GAME or any(added):
            made = rate(fed, rules, self._until)
            return Amended(self.changes, made.changes, made.ratings)
        history, _ = _history(fed, rules)
        try:
            made_of = self._rated.correct(history)
        except HistoryRefused as error:
            raise OfficeRefused(error.findings) from None
        found = made_of.correction
        old, new = _batches(found.old.run), _batches(found.run)
        was = _keyed(changes_table(found.old.run, found.was), old["key"])
        now = _keyed(changes_table(found.run, found.now), new["key"])
        days = new["day"]
        if self._is_whole and (not len(days) or pc.max(days).as_py() <= self._until):
            ratings = _by_player(found.table())
        else:
            ratings = next(standings_on(fed, rules, [self._until]))
        return Amended(self._upto(was), self._upto(now), ratings)

    def _upto(self, table: pa.Table) -> pa.Table:
        return table.filter(pc.less_equal(table["date"], self._until))


def batches_of_games(fed: Fed, rules: Rules) -> tuple[list[str], list[date]]:
    """The key and the day of the batch of each game that is fed."""
    run, _ = run_of(fed, rules)
    table, batch = _batches(run), pa.array(batch_of_games(run, len(fed.games)))
    return table["key"].take(batch).to_pylist(), table["day"].take(batch).to_pylist()


def batch_of_games(run: Run, count: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The number of the batch of each of so many games that are fed."""
    batch = np.empty(count, np.int64)
    if count:
        number = np.searchsorted(run.plan.games.offsets, np.arange(count), side="right") - 1
        batch[np.arange(count) if run.plan.moved is None else run.plan.moved] = number
    return batch


def expected_score(rules: Rules, day: date, white: float, black: float) -> float | None:
    """White's expected score by the rules of a day; None: they expect none of such a game."""
    said = tuple(sorted(rules.parameters.items()))
    return _expected(rules.rulebook, said, rules.assume, day, white, black)


@lru_cache(maxsize=1 << 18)
def _expected(
    rulebook: str, parameters: tuple[tuple[str, str], ...], assume: float | None, day: date,
    white: float, black: float,
) -> float | None:  # fmt: skip
    from ratingbook.desk.library import predict
    from ratingbook.desk.results import Refused

    try:
        return predict(_book(rulebook, parameters, assume), white, black, day)
    except (ValueError, Refused):
        # A number that a list by other rules has may be none of these.
        return None


def earlier_assumed(rules: Rules, day: date, values: Iterable[Mapping[str, Any]]) -> int:
    """With how many of these values rules assume what the earlier games of a player come to."""
    assumed = assumed_by(rules.book().edition(day).on(day))
    return 0 if assumed is None else sum(map(bool, map(assumed, values)))


def asks_for_births(rules: Rules, day: date) -> bool:
    """Whether it makes a difference to the rules when somebody is born who plays on a day."""
    return _asks(rules.rulebook, tuple(sorted(rules.parameters.items())), rules.assume, day)


@lru_cache(maxsize=1 << 12)
def _asks(
    rulebook: str, parameters: tuple[tuple[str, str], ...], assume: float | None, day: date
) -> bool:
    return asks_on(_book(rulebook, parameters, assume), day)


_PLACES = 16
"""From so many places at least the batch that is explained is reached."""
_BYTES_OF_PLACES = 1 << 26
"""That places may take where there are more: in a small office one stands before most batches."""


class Replay:
    """A history from which changes are explained: rated once, with places to begin from.

    An explanation rates what lies between the place before its batch and the batch.
    """

    def __init__(self, fed: Fed, rules: Rules) -> None:
        self._fed = fed
        self._first, _ = run_of(fed, rules)
        self._spare: list[Run] = []
        """A run that nobody uses now, if there is any: to make one takes longer than a page."""
        self._numbers = {
            key: number for number, key in enumerate(_batches(self._first)["key"].to_pylist())
        }

    @property
    def games(self) -> int:
        """How many are in it."""
        return len(self._fed.games)

    def explain(self, player: str, key: str) -> list[Any]:
        """The rows of a player in a batch, with their explanations."""
        number = self._numbers.get(key)
        if number is None:
            raise refuse(
                "office.explain",
                sentence("There is no batch {key} in what was fed.", key=key),
                sentence("Name another list."),
            )
        run = self._at(self._place_before(number))
        code = code_of(run.given.players, player)
        try:
            batches_of(run, player, code, number)
        except NothingToExplain as error:
            raise refuse(
                "office.explain",
                str(error),
                sentence("Name a list before which the person played."),
            ) from None
        stand_before(run, number)
        found: list[Any] = explained(run, number, code)
        self._give_back(run)
        return found

    def number_of(self, game: Game) -> int | None:
        """What the ledger calls a game of an explanation; None: a rule was given one of its own."""
        row, ledger = game.place.line, self._fed.ledger
        return None if row is None or ledger is None else ledger[row - 1].as_py()

    def counted(self, players: Iterable[str], key: str) -> dict[str, dict[Game, float | None]]:
        """The games of a batch that were rated for each of some players.

        With the number with which the opponent counted, by rules where it can be another one than
        the rating of before; else None.  To come to the batch takes longer than to look at a
        player there.
        """
        number = self._numbers.get(key)
        if number is None:
            return {}
        run = self._at(self._place_before(number))
        stand_before(run, number)
        found = {}
        for player in players:
            code = code_of(run.given.players, player)
            rows = explained(run, number, code) if code >= 0 else []
            found[player] = {
                game: number for row in rows
                for game, number in zip(
                    row.counted, row.against or [None] * len(row.counted), strict=True
                )
            }  # fmt: skip
        self._give_back(run)
        return found

    def standing(self, player: str, until: date) -> Standing | None:
        """How a player stands after the batches up to a day; None: it knows nobody of the id."""
        code = code_of(self._first.given.players, player)
        if code < 0:
            return None
        stop = stop_of(self._first, until)
        run = self._at(self._place_before(stop))
        run.go_to(until)
        for _rows in run.batches(stop):
            pass
        found = standing_at(run, code)
        self._give_back(run)
        return found

    def _give_back(self, run: Run) -> None:
        # What a run adds beside the games it adds only once.
        if self._fed.differences is None:
            self._spare[:] = [run]

    def _at(self, place: Snapshot) -> Run:
        """Another run of the same that stands there: nobody's first standing is made again."""
        first = self._first
        try:
            run = self._spare.pop()
        except IndexError:
            run = Run(
                first.given, first.program, assume=first.assume, rows=False, plan=first.plan,
                constants=False, blank=True,
            )  # fmt: skip
        run.state.back_to(place)
        _add_differences(run, self._fed)
        return run

    def _place_before(self, batch: int) -> Snapshot:
        """The last place from which a batch can be reached."""
        return self._places[bisect_right([each.next_batch for each in self._places], batch) - 1]

    @cached_property
    def _places(self) -> tuple[Snapshot, ...]:
        begin, last = self._first.state.snapshot(), len(self._first.plan)
        # A run that goes on from a place adds all differences, also those from before it.
        if self._fed.differences is not None:
            return (begin,)
        run, found = self._at(begin), [begin]
        count = min(max(_PLACES, _BYTES_OF_PLACES // max(1, begin.size)), last)
        for place in range(1, count):
            for _ in run.batches(place * last // count):
                pass
            found.append(run.state.snapshot())
        return tuple(found)


def list_days(fed: Fed, rules: Rules) -> list[date]:
    """The days of the batches that there are: of lists, or of the ends of events."""
    run, _ = run_of(fed, rules)
    return sorted(set(_batches(run)["day"].to_pylist()))


def placed_in(fed: Fed, rules: Rules) -> Fed:
    """What is fed as the rules take it: all events are of the pool that these rules rate.

    And without years of birth where they ask for the day alone.
    """
    events = placed(fed.events, rules.book())
    fed = fed if reads_years(rules) else fed.without(BORN_IN)
    return fed if events is fed.events else replace(fed, events=events)


def reads_years(rules: Rules) -> bool:
    """Whether the year of birth is enough for the rules, where no day is known."""
    bulk = rules.book().bulk
    return bulk is not None and BORN_IN in own_keys(bulk)


def _history(fed: Fed, rules: Rules) -> tuple[History, Findings]:
    fed = placed_in(fed, rules)
    try:
        history = History.of(
            _games_read(fed, rules), players=_players_read(fed, rules), events=fed.events,
            entries=fed.entries, decisions=fed.decisions, may_be_empty=True,
        )  # fmt: skip
    except HistoryRefused as error:
        raise OfficeRefused(error.findings) from None
    findings = Findings(history.findings)
    if len(history):
        findings.extend(check_history(history.given, rules.book()))
    if findings.refused:
        raise OfficeRefused(findings)
    return history, Findings(map(_for_an_office, findings))


def _games_read(fed: Fed, rules: Rules) -> pa.Table:
    """The games without whom substitutes replaced, where the rules do not ask."""
    unread = [] if rules.book().substitutes else [*REPLACED]
    return fed.games.select([each for each in fed.games.column_names if each not in unread])


def _players_read(fed: Fed, rules: Rules) -> pa.Table | None:
    """The players without what reports say of them and these rules do not read."""
    bulk = rules.book().bulk
    if fed.players is None or not fed.reported or bulk is None:
        return fed.players
    unread = fed.reported - {*PLAYER_COLUMNS, *own_keys(bulk)}
    return fed.players.select([each for each in fed.players.column_names if each not in unread])


def _for_an_office(finding: Finding) -> Finding:
    """A finding with what an office can do, which has pools with rules of their own."""
    if finding.code != "history.pool-assumed":
        return finding
    setting = finding.remedy.rpartition(" ")[2].rstrip(".")
    remedy = sentence(
        "If all are of one pool, say so by its rules: `ratingbook office pool rules POOL --set "
        "{setting} --reason TEXT`; else reports have to say it.",
        setting=setting,
    )
    return replace(finding, remedy=remedy)


def run_of(fed: Fed, rules: Rules) -> tuple[Run, Findings]:
    history, findings = _history(fed, rules)
    program = program_for(rules.book(), len(history), None)
    # Not for the very numbers of an edition: the run of a ledger that reaches a million games
    # would compile its rules anew.
    run = Run(history.given, program, assume=rules.assume, constants=False)
    _add_differences(run, fed)
    return run, findings


def _add_differences(run: Run, fed: Fed) -> None:
    """What a run adds at the ends of days beside the games."""
    if fed.differences is not None:
        columns = (fed.differences[name].to_pylist() for name in ("date", "player", "value"))
        run.add_later([Difference(*each) for each in zip(*columns, strict=True)])


def stop_of(run: Run, until: date | None) -> int:
    """The number of batches whose day is not after ``until``."""
    if until is None:
        return len(run.plan)
    day = (until - date(1970, 1, 1)).days
    return int(np.searchsorted(run.plan.keys, day, side="right"))


def _batches(run: Run) -> pa.Table:
    """The natural keys of the batches: a late event shifts numbers, but no key."""
    return _natural(batch_table(run))


def _natural(table: pa.Table) -> pa.Table:
    """The natural key and the day of each batch."""
    days = table["day"].to_pylist()
    if "event" in table.column_names:
        sections: Sequence[str | None] = [None] * len(days)
        if "section" in table.column_names:
            sections = [str(each) for each in table["section"].to_pylist()]
        events = [str(each) for each in table["event"].to_pylist()]
        keys = [
            f"{event}#{section}" if section and section != NO_SECTION else event
            for event, section in zip(events, sections, strict=True)
        ]
    else:
        keys = [str(day) for day in days]
    return pa.table({"key": pa.array(keys, pa.string()), "day": table["day"]})


NO_SECTION = "-"
"""In what is fed: the section of a report that has none, where others have some."""


def _turns(batch: np.ndarray[Any, Any], player: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """For each row the number of rows before it of the same batch and player."""
    if not len(batch):
        return np.empty(0, np.int16)
    order = np.lexsort((np.arange(len(batch)), player, batch))
    same = (np.diff(batch[order]) == 0) & (np.diff(player[order]) == 0)
    index = np.arange(len(batch))
    start = np.maximum.accumulate(np.where(np.r_[True, ~same], index, 0))
    turns = np.empty(len(batch), np.int16)
    turns[order] = index - start
    return turns


def why_not_rated(rules: Rules) -> str | None:
    """Why the rules may not rate a half of a game, in words; None: they do not say."""
    return reasons_in_words(rules.book())


def decision_kinds(rules: Rules) -> list[str]:
    """What the office can decide of a player, besides how he comes in."""
    return kinds_of(rules.book())


def why_no_decision(rules: Rules, kind: str | None, value: float) -> str:
    """Why a decision of a kind cannot have this value; empty: it can. No kind: a rating."""
    book = rules.book()
    low, high = book.rating_range
    if kind is not None and book.bulk is not None:
        hints = get_type_hints(book.bulk.decisions, include_extras=True)
        if hints[kind] != FloatRating:
            return (
                ""
                if math.isfinite(value)
                else sentence("{kind} cannot be {value}.", kind=kind, value=value)
            )
    if not low <= value <= high:
        return sentence(
            "The pool knows ratings from {low} to {high}, not {value:.10g}.",
            low=low, high=high, value=value,
        )  # fmt: skip
    if book.whole_ratings and value != math.floor(value):
        return sentence("The pool knows whole ratings, not {value:.10g}.", value=value)
    return ""


def list_that_takes(rules: Rules, day: date) -> date | None:
    """The day of the list that takes what ends on a day; None: events are rated as they come."""
    book = rules.book()
    if book.bulk is None or book.bulk.calendar is None:
        return None
    edition = book.edition(day).on(day)
    assert edition.bulk is not None
    facts = edition.bulk.facts_of(Event(start=day, end=day), edition.parameters)
    calendar = edition.bulk.calendar
    return None if calendar is None else calendar.taking(day, facts)


def next_list(rules: Rules, today: date, last: date | None) -> date | None:
    """The day of the list to come; ``last`` is that of the newest one, which may be of a later day.

    It may have closed: then it takes nothing that ends today.  None: there are only events.
    """
    day = max(today, last or today)
    found = list_that_takes(rules, day)
    if found is None:
        return None
    # What ends later goes on no earlier list: the first day whose list is to come is looked for.
    low, high = day - timedelta(days=_LONGEST_CLOSED), day
    while low < high:
        middle = low + (high - low) // 2
        taken = list_that_takes(rules, middle)
        if taken is not None and taken >= today and (last is None or taken > last):
            high, found = middle, taken
        else:
            low = middle + timedelta(days=1)
    return found


_LONGEST_CLOSED = 62
"""Days for which a list can be closed before its own day."""


def is_rated_by_lists(rules: Rules) -> bool:
    """Whether the batches are periods with a list at their ends."""
    book = rules.book()
    return book.bulk is not None and book.bulk.calendar is not None


def publishes(rules: Rules, rating: float, games: int) -> bool:
    """Whether the rules, as they stand last, publish a rating that rests on so many games."""
    book = rules.book()
    assert book.bulk is not None
    return asked.publishes(book.bulk, rating, games, book.edition(None).parameters)


def never_rated(rules: Rules) -> frozenset[GameStatus]:
    """How games came to their results that the rules never rate, whatever a report says."""
    book = rules.book()
    assert book.bulk is not None
    known = [stage.parameters for stage in book.stages()]
    return frozenset(
        status for status in GameStatus
        if not any(asked.can_be_rated(book.bulk, Status[status.name], p) for p in known)
    )  # fmt: skip


def reforms_of(rules: Rules, until: date) -> list[tuple[date, str, Reform]]:
    """The days up to one on which the rules changed all ratings, the editions and what they did.

    Where events are rated by lists a reform follows the list of its day; else it comes first.
    """
    return [
        (each.since, each.edition, each.reform)
        for each in rules.book().stages()
        if each.reform is not None and each.since is not None and each.since <= until
    ]


def abroad_of(rules: Rules) -> Abroad | None:
    """By whose lists the rules update players for games elsewhere, and whom."""
    return rules.book().abroad


def takes_sections(rules: Rules) -> bool:
    """Whether a section is rated by itself."""
    return rules.book().rated_by is RatedBy.SECTION


@cache
def rule_source(rulebook: str) -> str:
    """SHA-256 of the functions that rate, without their docstrings and comments.

    It covers all modules of the rule book's package, and those beside the packages of
    federations in ``ratingbook.rules``.
    """
    edition = Rules(rulebook).book().edition(None)
    package = type(edition).__module__.rpartition(".")[0] or type(edition).__module__
    return source_of(*{package, "ratingbook.rules"})
