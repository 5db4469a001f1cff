"""A report under way: its players as lists, and one batch after the other through the loops.

Arrays are lists here, records NamedTuples, and everybody who is in a batch has a row.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, NamedTuple

from ratingbook.engine.bindings import names_of
from ratingbook.engine.declared import looked_at
from ratingbook.engine.explain import GamesTold, Step, coefficients_of, steps_of
from ratingbook.engine.link import Linker
from ratingbook.engine.loops import batches as loops
from ratingbook.engine.loops import games as loops_by_game
from ratingbook.engine.loops import tables
from ratingbook.engine.loops.arrays import SEATS, Games, People, Room, Rows
from ratingbook.engine.report.columns import Columns, columns_of
from ratingbook.engine.report.known import (
    TOTALS,
    decided_for,
    keys_after,
    known_of_entry,
    numbers_after,
    still_decided,
    thawed,
    totals_read,
    used_up,
)
from ratingbook.engine.report.telling import Teller
from ratingbook.engine.trace import Trace
from ratingbook.model import (
    Entry,
    Event,
    FrozenSide,
    Game,
    Portable,
    Report,
    Standing,
    StandingStatus,
)
from ratingbook.model.making import QuicklyMade, changed
from ratingbook.rules.book import (
    Batch,
    RatedBy,
    Row,
    RuleBook,
    Seat,
    results_after,
)
from ratingbook.rules.bulk import (
    EPOCH,
    NO_NUMBER,
    NOT_GIVEN,
    STATUSES,
    UNRATED,
    Bulk,
    Outcome,
    day_number,
)
from ratingbook.rules.event_games import of_zeros, room_for
from ratingbook.rules.paragraph import Role

_NOBODY = Entry("")
_STATUS_OF = tuple(map(StandingStatus, STATUSES))
_NOTED: frozenset[Role] = frozenset({"coefficient"})
"""What is noted of who is not explained."""


class Unsettled(Portable):
    """A round that had to settle and did not."""

    def __init__(self, name: str, at_most: int) -> None:
        self.name, self.at_most = name, at_most
        super().__init__(name)


@dataclass(frozen=True, slots=True, repr=False)
class RatedRow(metaclass=QuicklyMade):
    """A player's row and, where asked for, its explanation."""

    row: Row
    explanation: tuple[Step, ...] = ()
    coefficients: tuple[float, ...] = ()
    """K, or each K of several; of who is explained, or where it was to be noted."""
    counted: tuple[Game, ...] = ()
    """The games of the batch that went into the rating."""
    ran: frozenset[str] = frozenset()
    """The tagged functions that ran for the player, also where they said nothing; of who is
    explained only."""
    against: tuple[float, ...] = ()
    """With which number the opponent of each of these games counted, by editions in which that can
    be another one than the rating of before; else empty."""
    exact_before: float | None = None
    """In a history that goes on with decimals: what the row's ``before`` is published of."""

    def __repr__(self) -> str:
        """The player and the change, on one line; ``explanation`` has the steps."""
        row = self.row
        told = "unrated" if row.after is None else f"{row.before} → {row.after}"
        steps = f", {len(self.explanation)} steps" if self.explanation else ""
        return f"<{row.name or row.id}: {told}{steps}>"


class _Written(NamedTuple):
    """What a batch did to a player, in the edition's columns."""

    player: int
    made: Outcome
    left: Any
    entered: Any
    value: Any
    steps: Trace


@dataclass(frozen=True)
class Kept:
    """What is kept of a side, with the side as a history has it."""

    kept: Any
    frozen: FrozenSide | None
    game: int = -1
    other: int = -1


class ReportRun:
    """The rating of a report, batch by batch."""

    def __init__(
        self,
        report: Report,
        book: RuleBook,
        bulk: Bulk,
        explain: Collection[str] | None,
        *,
        coefficients: bool = False,
    ) -> None:
        self._book, self._bulk, self._p = book, bulk, book.parameters
        self._entries = [*map(book.as_rated, report.entries), _NOBODY]
        self._played: set[int] = set()
        self._rows: Mapping[str, int] = {e.id: row for row, e in enumerate(report.entries)}
        self._standing_of_report = [entry.standing or Standing() for entry in self._entries]
        wanted = [row for id_, row in self._rows.items() if explain is None or id_ in explain]
        self._explained = frozenset(wanted)
        others = [row for row in self._rows.values() if row not in self._explained]
        self._teller = Teller(wanted, others, _NOTED if coefficients else ())
        self._told: dict[str, GamesTold] = {}
        self._events: Mapping[int, str | None] = {}
        """What the events of the batch are called, by the numbers that they have in it."""
        self._written: list[_Written] = []
        self._made: Mapping[int, Outcome] = {}
        self._members: Sequence[int] = ()
        self._batch = 0
        self._lists: list[date] = []
        """The list that takes each batch so far."""
        self.seats: Sequence[Seat] = ()
        """Of the batch that was rated last."""
        decided = self._decided()
        self._link(any(each is not None for each in decided), self._teller.listens)
        self._people = self._seated(decided)
        self._histories = [entry.history for entry in self._entries]

    def _decided(self) -> list[Any]:
        """What the office decided for each of the players, or None."""
        return [decided_for(entry, self._bulk) for entry in self._entries]

    def _link(self, decided: bool, explains: bool) -> None:
        each_game = self._book.rated_by is RatedBy.GAME
        names = looked_at(names_of(self._bulk, each_game=each_game, for_reports=True), self._bulk)
        names |= {
            **_LISTS,
            "EVERYBODY": True,
            "GROWS": True,
            "EXPLAINS": explains,
            "HAS_STATUS": True,
            "HAS_NAMED": True,
            "HAS_SUBSTITUTES": self._book.substitutes,
            "HAS_DECISIONS": decided,
            "about": self._teller.about,
            "about_event": self._teller.about_event,
            "plays_in": self._teller.plays_in,
            "turn_begins": self._teller.turn_begins,
            "seat_everybody": self._seat_everybody,
            "write_row": self._write,
            "left_unrated": self._bulk.left_unrated or _says_nothing,
            "decided_for": _decided(names["no_decision"]),
            "is_decided": _is_decided,
        }
        if self._bulk.keeping is not None:
            names |= self._keeping(names)
        linker = Linker(names, None)
        self._first_standings = linker.link(tables.first_standings)
        self._rate_batch = linker.link(loops.rate_batch)
        self._rate_games = linker.link(loops_by_game.rate_games)
        self._kernel_of: Callable[..., Any] = names["kernel_of"]

    def _keeping(self, names: Mapping[str, Any]) -> dict[str, Any]:
        """What is kept remembers the side of the history that it is."""
        lasts, carried, recalled = names["lasts"], names["carried_side"], names["recalled"]
        kept_side, renewed = names["kept_side"], names["renewed"]

        def keep(side: Any, start: int, entered: Any, left: Any, p: Any) -> Kept:
            return Kept(kept_side(side, start, entered, left, p), None, side.game, side.other)

        return {
            "kept_side": keep,
            "lasts": lambda kept, day, p: lasts(kept.kept, day, p),
            "carried_side": lambda kept, entered, p: carried(kept.kept, entered, p),
            "renewed": lambda kept, entered, left, p: replace(
                kept, kept=renewed(kept.kept, entered, left, p)
            ),
            "recalled": lambda standing, kept, day, p: recalled(standing, kept.kept, day, p),
        }

    def _known(self) -> list[Any]:
        """What is known of everybody before the first batch."""
        return [known_of_entry(entry, self._bulk) for entry in self._entries]

    def _seated(self, decided: Sequence[Any]) -> People:
        """Everybody, with the standing that the report says."""
        bulk, entries = self._bulk, self._entries
        count = len(entries)
        known = self._known()
        standings: list[Any] = [None] * count
        numbers = [[0] * count]
        self._first_standings(known, standings, NO_NUMBER, numbers[0], self._p)
        grade = bulk.codes.get("grade")
        return People(
            standings=standings,
            work=[],
            aside=[],
            values=[None] * count,
            in_force=numbers,
            birth=[day_number(entry.birth_date) for entry in entries],
            adult=[bool(entry.adult) for entry in entries],
            grade=[grade(e.grade) if grade and e.grade else NOT_GIVEN for e in entries],
            last=[
                day_number(s.last_played) if s.last_played else NOT_GIVEN
                for s in self._standing_of_report
            ],
            decided=[*decided],
            head=[-1] * count,
            tail=[-1] * count,
        )

    def standing(self, player: str) -> Any:
        """How a player stands now, in the edition's columns."""
        return self._people.standings[self._rows[player]]

    def standing_before(self, batch: Batch) -> Batch:
        """The batch with how its players stand before it, as checks may ask."""
        return replace(batch, standings=tuple(self.standing(entry.id) for entry in batch.entries))

    def now(self, batch: Batch) -> Batch:
        """The batch with its players as those before it left them."""
        return replace(batch, entries=tuple(map(self._now, batch.entries)))

    def _now(self, entry: Entry) -> Entry:
        row = self._rows[entry.id]
        if row not in self._played:
            return entry
        gone = used_up(self._bulk)
        return replace(
            self._entries[row],
            standing=self._standing_of_report[row],
            history=self._histories[row],
            decisions={name: said for name, said in entry.decisions.items() if name not in gone},
        )

    def rate(self, batch: Batch) -> list[RatedRow]:
        """Rate a batch; raises :class:`Unsettled`."""
        columns = self._columns_of(batch)
        if self._book.rated_by is RatedBy.GAME:
            return self._rated_by_game(batch, columns)
        return self.rate_together(batch, columns)

    def _columns_of(self, batch: Batch) -> Columns:
        self._teller.looks_at_events()
        columns = columns_of(
            batch, self._book, self._bulk, self._rows, self._batch, self._teller.about_event
        )
        calendar = self._bulk.calendar
        if calendar is None or calendar.in_force is None or calendar.by_game:
            return columns
        numbers = self._people.in_force
        numbers.append([*numbers[-1]])
        slots = [
            sum(each <= day for each in self._lists) if day else self._batch
            for day in columns.lists
        ]
        games = columns.games
        taking = max(
            calendar.taking(_date(end), facts) if end != NOT_GIVEN else date.min
            for end, facts in zip(columns.events.end, columns.events.facts, strict=True)
        )
        self._lists.append(taking)
        return replace(columns, games=games._replace(slot=[slots[at] for at in games.event]))

    def rate_together(
        self, batch: Batch, columns: Columns | None = None, *, told_of: Batch | None = None
    ) -> list[RatedRow]:
        """Rate all games of a batch at once, also where each is rated by itself.

        ``told_of`` has all games and players of whom explanations tell, where ``batch`` has not.
        """
        if columns is None:
            columns = self._columns_of(batch)
        self._call_events(batch, columns)
        self._members = [self._rows[entry.id] for entry in batch.entries]
        room = self._room(batch, columns.games)
        self._work(batch, columns, room)
        self.seats = [
            Seat(
                self._entries[each.player].id,
                each.entered,
                room.sides[d["first"] : d["end"]],
                each.value,
            )
            for each, d in zip(self._written, self._people.work, strict=False)
        ]
        return self._rows_of(told_of or batch, room)

    def _call_events(self, batch: Batch, columns: Columns) -> None:
        """Note what the events are called, unless there is none, as of who is in no event."""
        if batch.games:
            games = zip(columns.games.event, batch.games, strict=True)
            self._events = {event: game.event for event, game in games}

    def exact(self, seat: Seat, sides: Sequence[Any]) -> float | None:
        """The unrounded rating of a player with these sides in the last round."""
        kernel = max(len(self._bulk.kernels) - 1, 0)
        value = self._kernel_of(kernel, seat.entered, sides, self._p)
        left = self._bulk.leave(seat.entered, value, self._p)
        return _or_none(self._bulk.exact(seat.entered, value, left, self._p))

    def _work(self, batch: Batch, columns: Columns, room: Room) -> None:
        self._written = []
        self._teller.begins()
        if self._book.rated_by is RatedBy.SECTION:
            # The batch is one event: what is said of it comes before what is said of players.
            for white, black, event in zip(
                columns.games.white, columns.games.black, columns.games.event, strict=True
            ):
                self._teller.plays_in(white, event)
                self._teller.plays_in(black, event)
        try:
            self._rate_batch(
                self._batch, 0, len(batch.games), columns.games, columns.events, columns.batches,
                self._people, room, _NO_ROWS, 0, len(self._rows), self._p,
            )  # fmt: skip
        finally:
            self._teller.about(-1)
        self._batch += 1
        if room.unsettled[0]:
            raise Unsettled(*_round_named(self._bulk, room.unsettled[2], self._p))

    def _rated_by_game(self, batch: Batch, columns: Columns) -> list[RatedRow]:
        """Each game by itself; last all who have no row, as those who are in no event."""
        self._call_events(batch, columns)
        decided = self._people.decided
        # A game that says only when it began is rated on that day.
        ends = [
            day_number(game.start) if game.start and not game.end else end
            for game, end in zip(batch.games, columns.games.end, strict=True)
        ]
        games = columns.games._replace(end=ends)
        self._members = ()
        room = self._room(batch, games)
        rows: list[RatedRow] = []
        for place in range(len(batch.games)):
            both = games.white[place], games.black[place]
            self._written = []
            self._teller.begins()
            try:
                self._rate_games(
                    self._batch, place, place + 1, games, columns.events, self._people, room,
                    _NO_ROWS, self._p,
                )  # fmt: skip
            finally:
                self._teller.about(-1)
            rows += self._rows_of_game(batch, place, games.end[place])
            for player in set(both) - {each.player for each in self._written}:
                self._teller.stays(player)
        self._batch += 1
        seen = {each.row.id for each in rows}
        idle = tuple(entry for entry in batch.entries if entry.id not in seen)
        for entry in idle:
            decided[self._rows[entry.id]] = None
        nowhere = replace(batch, section=None, described=Event())
        return rows + self.rate_together(replace(nowhere, entries=idle, games=()), told_of=nowhere)

    def _rows_of_game(self, batch: Batch, place: int, day: int) -> list[RatedRow]:
        """The rows of a game that is rated by itself; a decision is used up with it."""
        ended = batch.last_day if day == NOT_GIVEN else _date(day)
        rows = []
        for each in self._written:
            rows.append(self._row_of(batch, each, (), (), batch.games[place], ended))
            self._people.decided[each.player] = None
        return rows

    def _room(self, batch: Batch, games: Games) -> Room:
        """Room for a batch, with what the players' histories keep."""
        # Who sits opposite of a bye has a seat, and there is a place beyond the last one.
        count, members = len(batch.games), len(batch.entries) + 2
        desks = [_desk() for _ in range(members)]
        self._people = self._people._replace(work=desks, aside=desks)
        kept: list[Any] = []
        link: list[int] = []
        if self._bulk.keeping is not None:
            for row in self._members:
                self._recall(row, kept, link)
        used = len(kept)
        halves = (4 if self._book.substitutes else 2) * count
        kept += [None] * halves
        link += range(used + 1, used + halves + 1)
        return Room(
            mark=[0] * len(self._entries),
            members=[0] * members,
            seat_white=[0] * count,
            seat_black=[0] * count,
            solvers=[0] * members,
            waiting=[0] * count,
            sides=[None] * (halves + used),
            event_games=room_for(count, members, of_zeros),
            kept=kept,
            link=link,
            free=[used, halves],
            passed_over=[0],
            predicted=[],
            unsettled=[0, 0, 0],
        )

    def _recall(self, row: int, kept: list[Any], link: list[int]) -> None:
        """Puts what a player's history keeps where the loops look for it."""
        self._people.head[row] = self._people.tail[row] = -1
        for frozen in self._histories[row]:
            found = thawed(frozen, self._people.standings[row], self._bulk, self._p)
            if found is None:
                continue
            self._keep(row, Kept(found, frozen), kept, link)

    def _keep(self, row: int, one: Kept, kept: list[Any], link: list[int]) -> None:
        """One more side that is kept of a player, after the others."""
        node = len(kept)
        kept.append(one)
        link.append(-1)
        if self._people.tail[row] < 0:
            self._people.head[row] = node
        else:
            link[self._people.tail[row]] = node
        self._people.tail[row] = node

    def _seat_everybody(self, batch: int, room: Room) -> int:
        for seat, player in enumerate(self._members):
            room.members[seat] = player
            room.mark[player] = (batch + 1) * SEATS + seat
        return len(self._members)

    def _write(
        self, rows: Rows, at: int, player: int, batch: int, made: Outcome, left: Any,
        entered: Any, value: Any,
    ) -> None:  # fmt: skip
        del rows, at, batch
        told = self._teller.told(player)
        self._written.append(_Written(player, made, left, entered, value, told))

    def _rows_of(self, batch: Batch, room: Room) -> list[RatedRow]:
        """The rows of a batch, in the order of its entries."""
        rows = []
        self._made = {each.player: each.made for each in self._written}
        for seat, each in enumerate(self._written):
            if not self._has_row(each.player):
                continue
            desk = self._people.work[seat]
            sides = room.sides[desk["first"] : desk["end"]]
            history = self._history(batch, each, room)
            rows.append(self._row_of(batch, each, sides, history))
            if each.made.games:
                self._histories[each.player] = history
                self._played.add(each.player)
                decided = self._people.decided
                decided[each.player] = still_decided(decided[each.player], self._bulk)
        return rows

    def _has_row(self, player: int) -> bool:
        """Whether the row of somebody who was rated is wanted; behind the last stands nobody."""
        return player < len(self._rows)

    def _history(self, batch: Batch, each: _Written, room: Room) -> tuple[FrozenSide, ...]:
        """The sides that the player's next batch needs."""
        if self._bulk.keeping is None or not each.made.games:
            return self._histories[each.player]
        found = []
        node = self._people.head[each.player]
        while node >= 0:
            found.append(self._frozen(batch, room.kept[node], each.made))
            node = room.link[node]
        return tuple(found)

    def _frozen(self, batch: Batch, kept: Kept, made: Outcome) -> FrozenSide:
        if self._bulk.keeping is not None and self._bulk.keeping.frozen is not None:
            opponent = self._made.get(kept.other, made)
            return self._bulk.keeping.frozen(kept.kept, kept.frozen, made, opponent, self._p)
        if kept.frozen is not None:
            own = getattr(kept.kept, "own", None)
            return kept.frozen if kept.frozen.own is not None else replace(kept.frozen, own=own)
        said = kept.kept._asdict()
        game = batch.games[kept.game]
        start = said.get("start", NOT_GIVEN)
        return FrozenSide(
            opponent=said["opponent"],
            score=said["score"] / 2,
            own=said.get("own"),
            start=None if start == NOT_GIVEN else _date(start),
            event=game.event or batch.event.name,
        )

    def _row_of(
        self,
        batch: Batch,
        each: _Written,
        sides: Sequence[Any],
        history: tuple[FrozenSide, ...],
        game: Game | None = None,
        ended: date | None = None,
    ) -> RatedRow:
        """A player's row; ``game`` is the one that is rated by itself, and when it ``ended``."""
        entry, bulk, made = self._entries[each.player], self._bulk, each.made
        before = self._standing_of_report[each.player]
        settled = made.games > 0 or bulk.settles_idle
        left = each.left if settled else self._people.standings[each.player]
        listed = bulk.listed(left, self._p)
        rated = made.games > 0 or listed.status != UNRATED
        after = made.after
        if not settled:
            after = listed.rating if listed.published else made.before
        counted = self._counted(each, sides)
        standing = before
        if settled and rated:
            scores = [side.score for side in counted] if game is None else [made.score]
            day = batch.last_day if game is None else ended
            standing = self._standing(each, scores, listed.status, day)
        if made.games:
            self._standing_of_report[each.player] = standing
        row = Row(
            id=entry.id,
            name=entry.name,
            section=batch.section if game is None else game.section,
            before=_number(made.before),
            after=_number(after),
            exact=self._exact(each, left, settled) if rated else None,
            games=made.games,
            score=made.score / 2,
            expected=_or_none(made.expected),
            status=_STATUS_OF[listed.status],
            published=listed.published,
            standing=standing,
            history=history,
            performance=bulk.performance(each.entered, sides, each.value, self._p)
            if bulk.performance
            else None,
        )
        coefficients = coefficients_of(each.steps, self._book)
        if game is not None:
            games: tuple[Game, ...] = (game,)
        else:
            reported = batch.as_reported
            games = tuple([reported[side.game] for side in counted if side.game >= 0])
        against = self._against(each, counted) if game is None else ()
        if each.player not in self._explained:
            return RatedRow(row, coefficients=coefficients, counted=games, against=against)
        steps = steps_of(each.steps, self._told_of(batch, entry.id), self._book)
        ran = frozenset(call.rule.name for call in each.steps.calls)
        return RatedRow(row, steps, coefficients, games, ran, against)

    def _told_of(self, batch: Batch, player: str) -> GamesTold:
        """What the games of a player are called: the same in each row of a batch."""
        known = self._told.get(player)
        if known is None or known.batch is not batch:
            known = self._told[player] = GamesTold(batch, player, self._events)
        return known

    def _against(self, each: _Written, counted: Sequence[Any]) -> tuple[float, ...]:
        """With what the opponents counted, where the edition says it."""
        number_of = self._bulk.opponents_number
        if number_of is None:
            return ()
        return tuple(
            number_of(each.entered, side, each.value, self._p)
            for side in counted if side.game >= 0
        )  # fmt: skip

    def _exact(self, each: _Written, left: Any, settled: bool) -> float | None:
        if not settled:
            return _or_none(each.made.before)
        return _or_none(self._bulk.exact(each.entered, each.value, left, self._p))

    def _counted(self, each: _Written, sides: Sequence[Any]) -> Sequence[Any]:
        """The sides of this batch that went into the rating."""
        if self._bulk.counted is not None:
            return [*self._bulk.counted(each.entered, sides, self._p)]
        return [side for side in sides if side.game >= 0]

    def _standing(
        self, each: _Written, scores: Sequence[int], status: int, day: date | None
    ) -> Standing:
        """The new standing as a report holds it."""
        before = self._standing_of_report[each.player]
        bulk, known = self._bulk, self._bulk.known_of(each.left, self._p)
        told = numbers_after(before, known, bulk)
        if not totals_read(bulk):
            told |= zip(TOTALS, results_after(before, scores), strict=True)
        told["status"] = _STATUS_OF[status]
        told["last_played"] = (day if each.made.games else None) or before.last_played
        new = changed(before, **told)
        keys = set(self._book.standing_fields)
        if bulk.keeping is not None and bulk.keeping.sums.isdisjoint(before.extra):
            # The row's history says them game by game.
            keys -= bulk.keeping.sums
        extra = keys_after(self._entries[each.player], new, known, bulk, keys, self._p)
        return new if extra == new.extra else changed(new, extra=extra)


def _date(day: int) -> date:
    return EPOCH + timedelta(days=day)


def _number(value: float) -> float | None:
    """A rating, without a point where it is whole."""
    if math.isnan(value):
        return None
    return int(value) if value == int(value) else value


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value


def _desk() -> dict[str, Any]:
    """What a player has while a batch is worked on."""
    return {
        "own": None, "tally": None, "folds": False, "sides": 0, "first": 0, "end": 0,
        "until": NOT_GIVEN, "grade": NOT_GIVEN, "met": 0, "reached": 0, "list": [],
    }  # fmt: skip


def _round_named(bulk: Bulk, number: int, p: Any) -> tuple[str, int]:
    """A round by its name, and its turns."""
    assert bulk.round_at is not None, "only rounds that are repeated can fail to settle"
    turns = bulk.round_at(number, p)
    return bulk.kernels[turns.kernel].__name__.replace("_", " "), turns.at_most


def _load(rows: Any, index: int) -> Any:
    return rows[index]


def _store(rows: Any, index: int, value: Any) -> None:
    rows[index] = value


def _read(facts: Any, event: int, p: Any) -> Any:
    """The facts of an event as the edition of the report has them."""
    del p
    return facts[event]


def _load_entered(work: Any, aside: Any, seat: int, p: Any) -> Any:
    return work[seat]["own"]


def _store_entered(work: Any, aside: Any, seat: int, entered: Any, p: Any) -> None:
    work[seat]["own"] = entered


def _load_tally(work: Any, aside: Any, seat: int, rare: bool) -> Any:
    return work[seat]["tally"]


def _store_tally(work: Any, aside: Any, seat: int, tally: Any, rare: bool) -> None:
    work[seat]["tally"] = tally


def _grow(aside: Any, seat: int, side: Any) -> None:
    aside[seat]["list"].append(side)


def _grown(aside: Any, seat: int, sides: Any, place: int) -> None:
    own = aside[seat]["list"]
    sides[place : place + len(own)] = own


def _slice(sides: Any, first: int, end: int) -> Any:
    return sides[first:end]


def _other_of(sides: Any, place: int) -> int:
    other: int = sides[place].other
    return other


def _set_meetings(sides: Any, place: int, meetings: int) -> None:
    sides[place] = sides[place]._replace(meetings=meetings)


def _number_at(numbers: Any, slot: int, player: int) -> Any:
    return numbers[slot][player]


def _set_number(numbers: Any, slot: int, player: int, number: Any) -> None:
    numbers[slot][player] = number


def _says_nothing(half: Any, p: Any) -> None:
    del half, p


def _is_decided(known: Any, player: int) -> bool:
    return known[player] is not None


def _decided(nothing: Callable[[], Any]) -> Callable[[Any, int], Any]:
    def decided(known: Any, player: int) -> Any:
        return nothing() if known[player] is None else known[player]

    return decided


_LISTS: Mapping[str, Any] = {
    **{
        f"{verb}_{name}": function
        for name in ("standing", "value", "side", "kept", "known")
        for verb, function in (("load", _load), ("store", _store))
    },
    "load_facts": _read,
    "load_entered": _load_entered,
    "store_entered": _store_entered,
    "load_tally": _load_tally,
    "store_tally": _store_tally,
    "view": _slice,
    "other_of": _other_of,
    "set_meetings": _set_meetings,
    "number_at": _number_at,
    "set_number": _set_number,
    "grow": _grow,
    "grown": _grown,
}
"""How the loops reach lists."""

_NO_ROWS = Rows(
    used=[0], player=[0], batch=[], before=[], after=[], games=[], score=[], expected=[], left=[]
)
"""Rows are written elsewhere; that there is one says that they are wanted."""
