"""One change of a history, explained: its batch once more, in plain Python, under the trace.

The run stands before the batch.  Of a batch of one round only the games of the player are
looked at, with their opponents as they stand; where rounds build on each other, or an event
is looked at as a whole, all of what they build on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from ratingbook.engine.bindings import bulk_of
from ratingbook.engine.history.columns import HistoryInput, code_of
from ratingbook.engine.history.decided import USED
from ratingbook.engine.history.intake.arrays import column_of
from ratingbook.engine.history.published import published_rows
from ratingbook.engine.history.records import loader
from ratingbook.engine.history.run import Run
from ratingbook.engine.history.state import Snapshot, known_records
from ratingbook.engine.history.timetable import described, parameters_of
from ratingbook.engine.loops.arrays import Batches, Events, Games, People, columns_of_players
from ratingbook.engine.report.columns import Columns
from ratingbook.engine.report.run import Kept, RatedRow, ReportRun
from ratingbook.model import BadArgument, Entry, Event, Game, GameStatus, Place, Report, Result
from ratingbook.rules.book import Batch, RatedBy
from ratingbook.rules.bulk import EPOCH, Bulk, day_number
from ratingbook.rules.half import Status

Array = np.ndarray[Any, Any]

_RESULTS = {0: Result.BLACK_WINS, 1: Result.DRAW, 2: Result.WHITE_WINS}


_STATUSES = dict.fromkeys(Status, GameStatus.PLAYED)
_STATUSES |= {Status[status.name]: status for status in GameStatus}
"""One that a rule left out was played for all that."""

_SHOWN = 8
"""Lists that are named to whom asks for another."""


class NothingToExplain(BadArgument, LookupError):
    """A player, or a list, of whom the history says nothing; the message says what it has."""


When: TypeAlias = int | date | str | None
"""The day of a list, or the last of an event, or the number of a batch; either as text, too.

None: the last one with a game of the player.
"""


def meant(when: When) -> int | date | None:
    """The day or the number that is asked for; raises :class:`.BadArgument` for anything else."""
    if isinstance(when, datetime):
        return when.date()
    if when is None or isinstance(when, date):
        return when
    if isinstance(when, int | np.integer) and not isinstance(when, bool):
        return int(when)
    if isinstance(when, str):
        with suppress(ValueError):
            return int(when) if when.strip().isdecimal() else date.fromisoformat(when.strip())
    raise BadArgument(
        f"{when!r} is neither a day (as datetime.date or as “2026-05-31”) nor the number of a batch"
    )


def explain(
    run: Run, player: str, when: int | date | None, snapshots: Sequence[Snapshot] = ()
) -> list[RatedRow]:
    """The rows of a player of one batch with their explanations, in the numbers of the lists.

    ``run`` is a run of the history that has not begun.  ``when`` is the day of the list, or
    the last of an event, or the number of the batch; None: the last one with a game.
    """
    rows: list[RatedRow] = []
    code = code_of(run.given.players, player)
    for batch in batches_of(run, player, code, when):
        before = [each for each in snapshots if run.state.next_batch < each.next_batch <= batch]
        if before:
            run.state.back_to(before[-1])
        stand_before(run, batch)
        rows += published_rows(run, batch, explained(run, batch, code))
    return rows


def stand_before(run: Run, batch: int) -> None:
    """Bring a run to where a batch can be explained."""
    for _ in run.batches(batch):
        pass
    run.settle_fields()
    run.decide()


def batches_of(run: Run, player: str, code: int, when: int | date | None) -> list[int]:
    """The batches of a player that were asked for, ascending; raises :class:`NothingToExplain`.

    ``code`` is the player's place, −1: nowhere; among many players it is not found at once.
    """
    if code < 0:
        raise NothingToExplain(f"The history has no player {player!r}.")
    games, whole = run.plan.games, columns_of_players(run.plan.games)
    if isinstance(when, int) and 0 <= when < len(run.plan):
        # The games of one batch are few, those of a history may be millions.
        span = slice(int(games.offsets[when]), int(games.offsets[when + 1]))
        if _has([each[span] for each in whole], code).any():
            return [when]
    places = np.flatnonzero(_has(whole, code))
    own = np.unique(np.searchsorted(games.offsets, places, side="right") - 1)
    days = run.plan.keys[own]
    if when is None:
        found = own[-1:]
    elif isinstance(when, date):
        found = own[days == day_number(when)]
    else:
        found = own[own == when]
    if len(found):
        return [int(each) for each in found]
    known = ", ".join(f"{_day(int(day))}" for day in dict.fromkeys(days[::-1].tolist()[:_SHOWN]))
    raise NothingToExplain(
        f"Player {player!r} has no game "
        + (
            "in the history."
            if when is None or not known
            else f"of {when}; there are some of {known}."
        )
    )


def explained(run: Run, batch: int, player: int, *, as_printed: bool = False) -> list[RatedRow]:
    """The rows of a player, by code, of the batch before which the run stands, as it came in.

    ``as_printed``: by the ratings that lists print, where the rules go on with decimals; what comes
    out may be another number than the one that the run has.
    """
    part = _Part(run, batch, player)
    replay = _Replay(run, part, as_printed=as_printed)
    return [each for each in replay.rows() if each.row.id == part.name_of(player)]


def _has(columns: Sequence[Array], player: int) -> Array:
    """Which rows name a player in one of the columns."""
    found: Array = np.logical_or.reduce([each == player for each in columns])
    return found


class _Part:
    """What of a batch an explanation of one player rests on."""

    def __init__(self, run: Run, batch: int, player: int) -> None:
        self.run, self.batch, self.player = run, batch, player
        games = run.plan.games
        begin, end = int(games.offsets[batch]), int(games.offsets[batch + 1])
        self.games = begin + self._chosen(games, begin, end)
        named = [column[self.games] for column in columns_of_players(games)]
        everybody = np.unique(np.concatenate([*named, [player]]))
        self.players = everybody[everybody >= 0]
        self.events = np.unique(np.append(games.event[self.games], games.event[begin]))

    def _chosen(self, games: Games, begin: int, end: int) -> Array:
        bulk = self.run.program.bulk
        columns = [each[begin:end] for each in columns_of_players(games)]
        own = _has(columns, self.player)
        if bulk.kernel_at is not None or bulk.round_at is not None:
            return np.arange(end - begin)
        if self.run.program.book.rated_by is RatedBy.GAME:
            last = int(np.flatnonzero(own).max(initial=-1))
            return np.arange(last + 1)
        if bulk.event_rules is not None:
            events = games.event[begin:end]
            own |= np.isin(events, self._looked_at(np.unique(events[own])))
        return np.flatnonzero(own)

    def _looked_at(self, events: Array) -> Array:
        """Those of some events of which the rules look at all games; the others are most."""
        run, rules = self.run, self.run.program.bulk.event_rules
        assert rules is not None
        load, p = loader(run.program.bulk.facts), run.stretch_of(self.batch).parameters
        facts = run.events.facts
        found: Array = np.array([rules.wants(load(facts, int(e)), p) for e in events], np.bool_)
        return events[found]

    def row_of(self, player: int) -> int:
        """The place of a player among those of the part."""
        return int(np.searchsorted(self.players, player))

    def name_of(self, player: int) -> str:
        """The id of a player."""
        return str(self.run.given.players[player].as_py())

    def taken(self, column: Array) -> list[Any]:
        """A column of the games; one that says nothing stays empty."""
        found: list[Any] = column[self.games].tolist() if len(column) else []
        return found

    def event_code(self, number: int) -> int:
        """The code of an event; of a month that of the event whose month it is."""
        return self.run.plan.event_code(number, len(self.run.given.event_ids))

    def event_name(self, number: int) -> str | None:
        """The id of an event, where events have one."""
        ids = self.run.given.event_ids
        if not len(ids) or number >= len(self.run.plan.event_order):
            return None
        code = self.event_code(number)
        return str(ids[code].as_py()) if code < len(ids) else None


class _Replay(ReportRun):
    """A batch of a history as if it were a report."""

    def __init__(self, run: Run, part: _Part, *, as_printed: bool) -> None:
        self._run, self._part, self._as_printed = run, part, as_printed
        stretch = run.stretch_of(part.batch)
        book = stretch.book_of(run.program.book)
        entries = tuple(Entry(part.name_of(each)) for each in part.players.tolist())
        games = _games(part, entries)
        report = Report(Event(name=part.event_name(int(part.events[0]))), entries, games)
        super().__init__(report, book, _with_sums(bulk_of(book)), {part.name_of(part.player)})
        self._p = stretch.parameters
        row, reported = part.row_of(part.player), self._people
        self._people = _people(run, part, self._bulk, reported)
        printed = self._bulk.as_printed
        if as_printed and printed is not None:
            standings = [printed(each, self._p) for each in self._people.standings]
            self._people = self._people._replace(standings=standings)
        if self._people.standings[row] != reported.standings[row]:
            # How somebody came into the history is told while nothing has come after it.
            self._teller.told(row)
        self._tell_assumed(row)
        self._batch = part.batch % run.plan.slots
        self._asked = Batch(report, None, entries, games)

    def rows(self) -> list[RatedRow]:
        """All rows of the part."""
        columns = _columns(self._run, self._part, self._bulk, self._batch)
        self._tell_events(columns)
        if self._book.rated_by is RatedBy.GAME:
            return self._rated_by_game(self._asked, columns)
        return self.rate_together(self._asked, columns)

    def _has_row(self, player: int) -> bool:
        """Opponents are rated here by some of their games: nobody asks what came of it."""
        return player in self._explained

    def _known(self) -> list[Any]:
        """What the players file says of whom is explained; how the others came in is not told."""
        known = super()._known()
        run, player = self._run, self._part.player
        record = known_records(_only(run.given, player), run.program)
        known[self._part.row_of(player)] = loader(self._bulk.known)(record, 0)
        return known

    def _tell_assumed(self, row: int) -> None:
        """What is assumed of games before the history, while the rating rests on them."""
        keeping, standing = bulk_of(self._book).keeping, self._people.standings[row]
        if keeping is None or keeping.assumed is None or not keeping.keeps(standing, self._p):
            return
        games = keeping.assumed(self._known()[row], self._p)
        # Who has fewer games now was new again since.
        if keeping.tells_assumed is not None and 0 < games <= standing.games:
            self._teller.about(row)
            keeping.tells_assumed(games)
            self._teller.about(-1)

    def _tell_events(self, columns: Columns) -> None:
        """What is said of each event, and which list was in force when it started."""
        self._teller.looks_at_events()
        program, calendar = self._run.program, self._bulk.calendar
        days = zip(columns.events.start, columns.events.end, strict=True)
        for place, (start, end) in enumerate(days):
            number = int(self._part.events[place])
            event = described(self._run.given.events, self._part.event_code(number))
            p = parameters_of(event, start, end, program)
            self._teller.about_event(place)
            self._tell_field(self._bulk.facts_of(event, p), number, p)
            if calendar is not None and calendar.in_force is not None and not calendar.by_game:
                calendar.in_force(_day(start), self._part.event_name(number) or "the event")
        self._teller.about_event(-1)

    def _tell_field(self, facts: Any, number: int, p: Any) -> None:
        """What those who take part say of an event, of which the run knows already."""
        fields, rules = self._run.plan.fields, self._bulk.field_rules
        if fields is not None and rules is not None and number in fields.event:
            at = int(np.searchsorted(fields.event, number))
            rules.facts(facts, fields.numbers(at, self._run.state.people.in_force), p)

    def _decided(self) -> list[Any]:
        """What is pending for the players, and for nobody after them."""
        people, codes = self._run.state.people.decided, self._part.players.tolist()
        if not len(people):
            return [None] * (len(codes) + 1)
        load = loader(self._bulk.decisions, members=False)
        events, batch = self._run.plan.batches.event, self._part.batch
        found: list[Any] = []
        for code in codes:
            used = int(people[USED][code])
            decided = load(people, code)
            holds = not used or events[used - 1] == events[batch]
            some = not all(math.isnan(value) for value in decided)
            found.append(decided if holds and some else None)
        return [*found, None]

    def _recall(self, row: int, kept: list[Any], link: list[int]) -> None:
        people, room = self._run.state.people, self._run.state.room
        if row >= len(self._part.players):
            return
        if self._bulk.keeping is None:
            return
        load, printed = loader(self._bulk.keeping.kept), self._bulk.keeping.as_printed
        self._people.head[row] = self._people.tail[row] = -1
        node = int(people.head[self._part.players[row]])
        while node >= 0:
            one = load(room.kept, node)
            if self._as_printed and printed is not None:
                one = printed(one, self._p)
            self._keep(row, Kept(one, None), kept, link)
            node = int(room.link[node])


def _with_sums(bulk: Bulk) -> Bulk:
    """What rates where the standing has the sums of earlier sides, not a report the sides."""
    fold = bulk.fold
    if fold is None or fold.resumed is None:
        return bulk
    resumed = None if fold.settled is None else _settling(fold.begin, fold.settled)
    return replace(bulk, fold=replace(fold, resumed=resumed), keeping=None)


@cache
def _settling(begin: Callable[..., Any], settled: Callable[..., Any]) -> Callable[..., Any]:
    """Begins with the sums of the standing, and knows how many games there are."""

    def resumed(entered: Any, carried: Sequence[Any], games: int, p: Any) -> Any:
        del carried
        return settled(begin(entered, p), entered, games, p)

    return resumed


def _only(given: HistoryInput, player: int) -> HistoryInput:
    """The input with what is said of one player only, who is the first of it."""
    said = given.standings
    if said is not None:
        own = np.flatnonzero(column_of(said, "player") == player)
        said = said.take(pa.array(own))
        place = said.column_names.index("player")
        said = said.set_column(place, "player", pa.array(np.zeros(len(own), np.int64)))
    return replace(given, players=given.players.slice(player, 1), standings=said)


def _day(number: int) -> date:
    return EPOCH + timedelta(days=number)


def _games(part: _Part, entries: Sequence[Entry]) -> tuple[Game, ...]:
    """The games as a report has them, for the words of the explanation.

    Each has its row of the input, from 1, as its line: nothing else tells games alike apart.
    """
    games, places = part.run.plan.games, np.searchsorted
    white = places(part.players, games.white[part.games]).tolist()
    black = places(part.players, games.black[part.games]).tolist()
    rows = part.run.plan.rows_of(part.games).tolist()
    rounds = _rounds(part)
    events = games.event[part.games].tolist()
    names = {number: part.event_name(number) for number in set(events)}
    status = part.taken(games.status) or [Status.PLAYED] * len(part.games)
    white_for, black_for = (
        [None if each < 0 else entries[each].id for each in _local(part, column)]
        or [None] * len(part.games)
        for column in (games.white_for, games.black_for)
    )
    return tuple(
        Game(
            white=entries[one].id,
            black=entries[other].id,
            result=_RESULTS.get(score, Result.NONE),
            status=_STATUSES[Status(how)],
            round=number,
            event=names[event],
            white_for=in_place_of_white,
            black_for=in_place_of_black,
            place=Place(line=row + 1),
        )
        for row, one, other, score, number, event, how, in_place_of_white, in_place_of_black in zip(
            rows,
            white,
            black,
            part.taken(games.score),
            rounds,
            events,
            status,
            white_for,
            black_for,
            strict=True,
        )
    )


def _rounds(part: _Part) -> list[int | None]:
    """The rounds of the games, where the input has them: 0 is none."""
    column, moved = part.run.given.games.round, part.run.plan.moved
    if column is None:
        return [None] * len(part.games)
    rows = part.games if moved is None else moved[part.games]
    return [int(each) or None for each in column[rows]]


def _people(run: Run, part: _Part, bulk: Bulk, reported: People) -> People:
    """The players as they stand before the batch; nobody follows them."""
    people, codes = run.state.people, part.players
    load = loader(bulk.standing)
    return reported._replace(
        standings=[*(load(people.standings, int(each)) for each in codes), reported.standings[-1]],
        in_force=[[*row[codes].tolist(), 0] for row in people.in_force],
        birth=[*people.birth[codes].tolist(), reported.birth[-1]],
        adult=[*people.adult[codes].tolist(), False],
        grade=[*people.grade[codes].tolist(), reported.grade[-1]],
        last=[*people.last[codes].tolist(), reported.last[-1]],
    )


def _columns(run: Run, part: _Part, bulk: Bulk, number: int) -> Columns:
    plan, games = run.plan, run.plan.games
    events = np.searchsorted(part.events, games.event[part.games])
    load = loader(bulk.facts)
    start, end = plan.events.start[part.events], plan.events.end[part.events]
    columns = Games(
        offsets=[*([0] * (number + 1)), len(part.games)],
        white=np.searchsorted(part.players, games.white[part.games]).tolist(),
        black=np.searchsorted(part.players, games.black[part.games]).tolist(),
        score=part.taken(games.score),
        handicap=part.taken(games.handicap),
        rated=part.taken(games.rated),
        event=events.tolist(),
        start=part.taken(games.start) or start[events].tolist(),
        end=part.taken(games.end) or end[events].tolist(),
        slot=part.taken(games.slot),
        entry_white=part.taken(games.entry_white),
        entry_black=part.taken(games.entry_black),
        white_number=part.taken(games.white_number),
        black_number=part.taken(games.black_number),
        white_reached=part.taken(games.white_reached),
        black_reached=part.taken(games.black_reached),
        status=[Status(each) for each in part.taken(games.status)]
        or [Status.PLAYED] * len(part.games),
        turn=part.taken(games.turn),
        reported=part.taken(games.reported),
        white_for=_local(part, games.white_for),
        black_for=_local(part, games.black_for),
        conditions=part.taken(games.conditions),
    )
    event = int(np.searchsorted(part.events, plan.batches.event[part.batch]))
    return Columns(
        columns,
        Events(
            start.tolist(),
            end.tolist(),
            [load(run.events.facts, int(each)) for each in part.events],
        ),
        Batches(
            [int(plan.batches.day[part.batch])] * (number + 1),
            [min(event, len(part.events) - 1)] * (number + 1),
            [int(plan.batches.whole[part.batch])] * (number + 1),
        ),
    )


def _local(part: _Part, column: Array) -> list[int]:
    """Players of a column that may be nobody, by their places in the part."""
    return [
        -1 if each < 0 else int(np.searchsorted(part.players, each)) for each in part.taken(column)
    ]
