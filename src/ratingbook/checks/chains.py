"""A history, and the same as the chain of the reports that it is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple

import pyarrow as pa

from ratingbook.checks.histories import history, said_of_some, tables, whole_events
from ratingbook.checks.in_force import number_in_force
from ratingbook.engine.history import rate_history
from ratingbook.engine.rate import Rating, rate
from ratingbook.engine.report.known import known_of_entry, said_of
from ratingbook.engine.trace import those_called
from ratingbook.formats.document.read import report_from
from ratingbook.model import (
    Entry,
    Event,
    Findings,
    FrozenSide,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    SectionHead,
    Standing,
    StandingStatus,
)
from ratingbook.rules.book import RatedBy
from ratingbook.rules.bulk import STATUSES, Listed
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.timeline import Stage, stage_on

_SEEDS = (11, 13)
"""Of two dozen, those in which what is rare happens: who is off a list when an event begins
and on the next one, and the other way round."""
_GAMES = 360
_PLAYERS = 18
_RESULTS = {1.0: Result.WHITE_WINS, 0.5: Result.DRAW, 0.0: Result.BLACK_WINS}
_AS_SAID = ("reported", "white_rating", "black_rating", "white_for", "black_for")
_SIDES = ("white", "black", "white_for", "black_for")
_EVENT_FIELDS = ("kind", "class", "category", "rounds")

Played = dict[str, Any]
"""A row of the games."""

Numbers = tuple[float | None, float | None, int, float, float | None]
"""``before``, ``after``, ``games``, ``score``, ``expected``."""

Changes = dict[tuple[int, str], list[Numbers]]
"""By batch and player; game by game there are several."""


def histories_are_chains_of_reports(book: BookOrSeries) -> None:
    """A history is the chain of its reports: every number, batch by batch, and what is left.

    Drawn are newcomers, players who stay away and return, long events, events under an
    older list, several events in a list, games rated for one side, and the kinds,
    classes, categories, grades and handicaps of the domain; games that name ratings, of
    substitutes, reported late, forfeited or adjudicated.
    """
    drawn = [_drawn(book, seed) for seed in _SEEDS]
    if book.bulk is not None and book.bulk.event_rules is not None:
        drawn += [sayable(whole_events(book, _SEEDS[0], kind)) for kind in ("match", "round_robin")]
    for made in drawn:
        rated = rate_history(history(made), book, compiled=False)
        chain = Chain(book, made)
        chain.rate()
        assert len(rated.changes), "nobody is rated in a history that is drawn at random"
        assert_same_changes(rated.changes.to_pylist(), chain)
        assert_same_end(rated.ratings.to_pylist(), chain)


def reports_and_histories_run_the_same_rules(book: BookOrSeries) -> None:
    """Rated as a history and as the chain of its reports, games run the same tagged functions.

    What a report refuses, such as an unrated player in a round robin, a history can still
    know: the worked examples have it.
    """
    made = _drawn(book, _SEEDS[0])
    given = history(made)
    with those_called() as in_history:
        rate_history(given, book, compiled=False)
    by_history = {rule.name for rule in in_history}
    chain = Chain(book, made, explains=True)
    chain.rate()
    unasked = book.bulk.left_unrated if book.bulk is not None else None
    only_reports = chain.ran_for_rated - by_history - {getattr(unasked, "__name__", "")}
    assert not only_reports, f"only reports run the rules {', '.join(sorted(only_reports))}"
    with those_called() as worked:
        for example in book.edition(None).text.examples:
            rate(report_from(example.document, book.standing_fields), book)
    by_reports = chain.ran | {rule.name for rule in worked}
    only_histories = by_history - by_reports
    assert not only_histories, f"only histories run the rules {', '.join(sorted(only_histories))}"


@dataclass(frozen=True)
class _Held:
    """An event, or a month of one that is rated by months."""

    name: str
    start: date
    end: date
    said: Event


class Reported(NamedTuple):
    """What one report is on."""

    name: str
    day: date
    """Day of the list, or last day of the event."""
    event: Event
    games: list[tuple[_Held, Played]]
    of_event: str | None = None
    """The event, where it is no more than one."""


@dataclass
class _Left:
    """What the latest report left of a player."""

    ratings: set[float | None]
    """As published and as stored."""
    games: int | None
    status: str
    published: bool


class Chain:
    """The reports of a history, one after the other; each is told what the one before left.

    Of a history of several pools it is the chain of one of them, whose name is ``pool``.
    """

    def __init__(
        self,
        book: BookOrSeries,
        made: Mapping[str, pa.Table],
        *,
        explains: bool = False,
        pool: str | None = None,
    ) -> None:
        assert book.bulk is not None
        self.pool = pool
        self.elsewhere: dict[str, dict[str, Standing]] = {}
        """The standings that players have in other pools."""
        self.explains = explains
        self.ran: set[str] = set()
        """The tagged functions that ran."""
        self.ran_for_rated: set[str] = set()
        """Those that ran for players with a game that counted."""
        self.book = book
        self.bulk = book.bulk
        self.calendar = book.bulk.calendar
        self.stages: Sequence[Stage] = book.stages()
        self.rows: list[Played] = [
            {**row, "path": f"games[{number}]"}
            for number, row in enumerate(made["games"].to_pylist())
        ]
        self.said = {row["event"]: _event(row) for row in made["events"].to_pylist()}
        self.grades = {
            (row["event"], row["player"]): row["grade"] for row in made["entries"].to_pylist()
        }
        below, keys = book.domain.history_below, [*book.domain.keys]
        playing = {row[side] for row in self.rows for side in _SIDES if row.get(side)}
        self.known = {player: Entry(player, place=Place(player=player)) for player in playing}
        self.known |= {row["id"]: _entry(row, below, keys) for row in made["players"].to_pylist()}
        self.told: dict[tuple[int, str], tuple[Standing | None, Standing]] = {}
        """The standings before and after a report, by batch and player."""
        decisions = made["decisions"].to_pylist() if "decisions" in made else []
        self.decisions = sorted(decisions, key=lambda said: said["date"])
        self.pending: dict[str, dict[str, float]] = {}
        """What the office decided, until a game of the player is rated."""
        self.used_in: dict[str, str | None] = {}
        """The event in which a decision that lasts for all of it was used."""
        self.corrected: dict[str, float | None] = {}
        """The numbers in force that decisions gave to players who have played since."""
        self.lists = [(date.min, self._in_force())]
        self.changes: Changes = {}
        self.left: dict[str, _Left] = {}
        self.names: dict[int, str] = {}

    def rate(self) -> None:
        """Rate every report."""
        batches = list(self.reported())
        for number, batch in enumerate(batches):
            self.rate_one(number, batch)
            if number + 1 < len(batches):
                self.reform(batch.day, batches[number + 1].day)
            self.publish(batch.day)
        self.show(batches[-1].day)

    def publish(self, day: date) -> None:
        """A list comes out."""
        self.lists.append((day, self._in_force()))

    def show(self, day: date) -> None:
        """Add how the edition of the last day writes the ratings that earlier ones left."""
        if len({stage.edition for stage in self.stages}) == 1:
            return
        entries = tuple(self.known[player] for player in self.left)
        for rated in rate(Report(Event(end=day), entries, ()), self.book).rows:
            self.left[rated.row.id].ratings.add(rated.row.after)

    # What a report is on

    def reported(self) -> Iterator[Reported]:
        """A day of an edition of games, a section, or a list."""
        played = [(held, row) for held, rows in self._held() for row in rows]
        if self.book.rated_by is RatedBy.GAME:
            for day in sorted({row["date"] for _, row in played}):
                of_day = [(held, row) for held, row in played if row["date"] == day]
                yield Reported(f"games of {day}", day, Event(start=day, end=day), of_day)
        elif self.calendar is None:
            yield from self._sections(played)
        else:
            taken: dict[date, list[tuple[_Held, Played]]] = {}
            for held, row in played:
                taken.setdefault(self._taking(held, row), []).append((held, row))
            for day in self._lists_of_reforms(min(taken), max(taken)):
                taken.setdefault(day, [])
            for day, games in sorted(taken.items()):
                if not games:
                    yield Reported(f"list of {day}", day, Event(end=day), [])
                    continue
                last = max(row["date"] for _, row in games)
                if self.calendar.by_report:
                    last = max(last, *(row.get("reported") or last for _, row in games))
                said = games[0][0].said
                event = Event(end=last)
                if self.bulk.event_rules is not None:
                    event = replace(event, kind=said.kind, rounds=said.rounds)
                yield Reported(f"list of {day}", day, event, games)

    def _lists_of_reforms(self, first: date, last: date) -> list[date]:
        """The lists between two that come out for a reform, though nothing may have ended."""
        assert self.calendar is not None
        in_force = self.calendar.in_force
        days = [stage.reform.day for stage in self.stages if stage.reform is not None]
        return [x for x in days if in_force and in_force(x) == x and first < x < last]

    def _held(self) -> list[tuple[_Held, list[Played]]]:
        """The events in the order in which they are rated, long ones by months.

        By their end and their ids; where each game is rated by its own day, by their ids.
        """
        of_event: dict[str, list[Played]] = {}
        for row in self.rows:
            of_event.setdefault(row["event"], []).append(row)
        found = []
        for name, rows in of_event.items():
            start, end = min(row["start"] for row in rows), max(row["date"] for row in rows)
            whole = _Held(name, start, end, self.said[name])
            if not self._is_split(whole):
                found.append((whole, rows))
                continue
            months: dict[date, list[Played]] = {}
            for row in rows:
                months.setdefault(row["date"].replace(day=1), []).append(row)
            for month, own in months.items():
                last = max(row["date"] for row in own)
                part = _Held(f"{name} {month:%Y-%m}", max(start, month), last, whole.said)
                found.append((part, own))
        by_game = self.book.rated_by is RatedBy.GAME
        found.sort(key=lambda each: (date.min if by_game else each[0].end, each[0].name))
        return [
            (replace(held, name=f"{number:04} {held.name}"), rows)
            for number, (held, rows) in enumerate(found, 1)
        ]

    def _sections(self, played: list[tuple[_Held, Played]]) -> Iterator[Reported]:
        """The sections in the order of their events, and of their names."""
        found: dict[tuple[str, str], list[tuple[_Held, Played]]] = {}
        for held, row in played:
            found.setdefault((held.name, row["section"]), []).append((held, row))
        for (_, section), games in sorted(found.items()):
            held = games[0][0]
            event = replace(held.said, name=held.name, start=held.start, end=held.end)
            name = games[0][1]["event"]
            yield Reported(f"section {section} of {name}", held.end, event, games, name)

    def _is_split(self, held: _Held) -> bool:
        """Whether the edition rates the months of the event by themselves."""
        if self.calendar is None or self.calendar.splits is None:
            return False
        p = self._parameters(held.start, held.end, held.said)
        return self.calendar.splits((held.end - held.start).days + 1, p)

    def _parameters(self, start: date, end: date, said: Event) -> Any:
        """The parameters that hold for an event."""
        day = end
        if self.calendar is not None and self.calendar.decides is not None:
            day = self.calendar.decides(start, end, said, self.book.parameters)
        return stage_on(self.stages, day).parameters

    def _taking(self, held: _Held, row: Played) -> date:
        """The list that takes a game."""
        assert self.calendar is not None
        end = row["date"] if self.calendar.by_game else held.end
        if self.calendar.by_report and row.get("reported"):
            end = max(end, row["reported"])
        return self.calendar.taking(end, self.bulk.facts_of(held.said, self.book.parameters))

    # The report

    def rate_one(self, number: int, batch: Reported) -> None:
        """Rate a report, without the games on account of which it is refused.

        A history passes over them: they may count there for nobody.
        """
        self.names[number] = batch.name
        self._decide(batch)
        if not batch.games:
            return
        games = [game for held, row in batch.games if (game := self._game(batch, held, row))]
        rating = self._rated(batch, games)
        while rating.findings.refused:
            kept = _not_blamed(games, rating.findings)
            if len(kept) == len(games):
                return
            games = kept
            rating = self._rated(batch, games)
        for row in (rated.row for rated in rating.rows):
            if row.games:
                numbers = (row.before, row.after, row.games, row.score, row.expected)
                self.changes.setdefault((number, row.id), []).append(numbers)
                self._use_up(row.id, batch)
                old = self.known[row.id]
                before = self.told.get((number, row.id), (old.standing,))[0]
                self.told[number, row.id] = before, row.standing
                self.known[row.id] = replace(old, standing=row.standing, history=row.history)
                self.left[row.id] = _Left(
                    {row.after, row.standing.rating},
                    row.standing.games,
                    str(row.status),
                    row.published,
                )

    def _rated(self, batch: Reported, games: Sequence[Game]) -> Rating:
        playing = sorted({player for game in games for player in _players_of(game) if player})
        declared = {player: self.grades.get((batch.of_event, player)) for player in playing}
        entries = [
            replace(
                self.entry(player),
                grade=declared[player] or self.known[player].grade,
                decisions=dict(self.pending.get(player, {})),
            )
            for player in playing
        ]
        report = Report(batch.event, tuple(entries), tuple(games))
        if self.pool is not None:
            report = replace(report, event=replace(batch.event, pool=self.pool))
        if self.pool is not None and batch.of_event is not None:
            said = SectionHead(batch.games[0][1]["section"], pool=batch.event.pool)
            report = replace(report, section_heads=(said,))
        if not self.explains:
            return rate(report, self.book)
        with those_called() as outside:
            rating = rate(report, self.book, explain=None)
        self.ran |= {rule.name for rule in outside}
        for rated in rating.rows:
            self.ran |= rated.ran
            if rated.row.games:
                self.ran_for_rated |= rated.ran
        return rating

    def _game(self, batch: Reported, held: _Held, row: Played) -> Game | None:
        """The game as a report has it; None where nobody can count it."""
        white, black = row["white"], row["black"]
        start = row["start"] if self.calendar and self.calendar.by_game else held.start
        game = Game(
            white,
            black,
            _RESULTS[row["score"]],
            event=None if batch.of_event else held.name,
            section=row["section"],
            round=row["round"],
            start=start,
            end=row["date"],
            handicap=row["handicap"],
            margin=row["margin"],
            neutral=row["neutral"],
            white_rated=row["rated"] in (None, "both", "white"),
            black_rated=row["rated"] in (None, "both", "black"),
            rated_said=row["rated"] is not None,
            status=GameStatus(row.get("status") or "played"),
            **{name: row[name] for name in _AS_SAID if name in row},
            place=Place(path=row["path"]),
        )
        if self.calendar is None or self.calendar.in_force is None:
            return game
        day = self.calendar.in_force(start)
        numbers = [each for since, each in self.lists if since <= day][-1]
        said = {white: game.white_rating, black: game.black_rating}
        then = {player: said[player] or numbers[player] for player in (white, black)}
        unrated_count = self.book.domain.unrated_count
        if unrated_count is not None:
            p = self._parameters(held.start, held.end, held.said)
            level = unrated_count(held.said, p, self._ratings_in(row["event"], held.start))
            then = {player: number or level for player, number in then.items()}
            if None in then.values():
                return None
        now = {
            player: self.corrected.get(player, self._number_now(player))
            for player in (white, black)
        }
        named = {player: then[player] if then[player] != now[player] else None for player in then}
        # A report cannot say that a player was unrated then, but that the game does not
        # count for the opponent.
        unrated = {player for player in then if then[player] is None and now[player] is not None}
        return replace(
            game,
            white_rating=named[white],
            black_rating=named[black],
            white_rated=game.white_rated and black not in unrated,
            black_rated=game.black_rated and white not in unrated,
        )

    def _ratings_in(self, event: str, start: date) -> list[float]:
        """The ratings of those who take part in an event, in force when it starts."""
        assert self.calendar is not None
        assert self.calendar.in_force is not None
        day = self.calendar.in_force(start)
        numbers = [each for since, each in self.lists if since <= day][-1]
        playing = {
            row[side]
            for row in self.rows
            if row["event"] == event
            for side in _SIDES
            if row.get(side)
        }
        return [number for player in playing if (number := numbers[player])]

    # Decisions

    def _decide(self, batch: Reported) -> None:
        """What was decided up to the day of a batch is told in it.

        Where lists are in force, a decision corrects the list of before for who plays.
        """
        playing = {row[side] for _, row in batch.games for side in _SIDES if row.get(side)}
        for player, event in list(self.used_in.items()):
            if event != batch.of_event:
                self.pending.pop(player, None)
                del self.used_in[player]
        for said in [each for each in self.decisions if each["date"] <= batch.day]:
            self.pending.setdefault(said["player"], {})[said["kind"]] = said["value"]
        self.decisions = [each for each in self.decisions if each["date"] > batch.day]
        if self.bulk.corrected is None or self.bulk.in_force is None:
            return
        p = stage_on(self.stages, batch.day).parameters
        for player in sorted(playing & {who for who, said in self.pending.items() if said}):
            decided = self.bulk.decisions(**self.pending[player])
            entry = replace(self.entry(player), decisions={})
            standing = self.bulk.standing_of(known_of_entry(entry, self.bulk), p)
            number = self.bulk.in_force(self.bulk.corrected(standing, decided, p), p)
            self.corrected[player] = self.lists[-1][1][player] = number or None

    def _use_up(self, player: str, batch: Reported) -> None:
        """A game of the player was rated: what holds for one batch holds no more."""
        self.corrected.pop(player, None)
        if player not in self.pending:
            return
        lasting = self.bulk.lasting if batch.of_event else frozenset[str]()
        left = {kind: value for kind, value in self.pending[player].items() if kind in lasting}
        self.pending[player] = left
        if left:
            self.used_in[player] = batch.of_event

    # Lists

    def _in_force(self) -> dict[str, float | None]:
        numbers = {player: self._number_now(player) for player in self.known}
        return numbers | self.corrected

    def _number_now(self, player: str) -> float | None:
        """The rating in force by the standing; by another pool where the edition starts there."""
        return number_in_force(self.entry(player), self.bulk, self.stages[-1].parameters)

    def entry(self, player: str) -> Entry:
        """What a report says of the player."""
        return replace(self.known[player], pools=self.elsewhere.get(player, {}))

    def published(self, player: str) -> Standing | None:
        """The standing with a published rating, which other pools are told of."""
        entry = self.known[player]
        p = self.stages[-1].parameters
        return entry.standing if number_in_force(entry, self.bulk, p) is not None else None

    def reform(self, day: date, following: date) -> None:
        """Change all ratings, if a reform belongs to the list of a day."""
        for stage in self.stages:
            if stage.reform is None or not day <= stage.reform.day < following:
                continue
            for player, entry in self.known.items():
                old = entry.standing
                if old is None or old.rating is None:
                    continue
                now = self._reformed(self.entry(player), stage.parameters)
                status = StandingStatus(STATUSES[now.status])
                standing = replace(old, rating=now.rating, status=status)
                self.known[player] = replace(entry, standing=standing)
                if player in self.left:
                    self.left[player] = _Left({now.rating}, old.games, str(status), now.published)

    def _reformed(self, entry: Entry, p: Any) -> Listed:
        """What a reform makes of a standing."""
        assert self.bulk.reformed is not None, "a reform is declared, but not what it does"
        standing = entry.standing or Standing()
        said: dict[str, Any] = {"rating": float(standing.rating or 0), "games": standing.games or 0}
        if standing.status is not None and "status" in self.bulk.codes:
            said["status"] = self.bulk.codes["status"](standing.status)
        for name in self.bulk.pools.others._fields if self.bulk.pools else ():
            if name in self.bulk.known._fields and (told := said_of(entry, name)) is not None:
                said[name] = told
        columns = self.bulk.standing_of(self.bulk.known()._replace(**said), p)
        found: Listed = self.bulk.listed(self.bulk.reformed(columns, p), p)
        return found


def _event(row: Mapping[str, Any]) -> Event:
    return Event.of({name: row.get(name) for name in _EVENT_FIELDS})


def _entry(row: Mapping[str, Any], history_below: int, keys: Sequence[str]) -> Entry:
    """A player of the file; games of which no more than the number is known were even."""
    rating, games = row["rating"], row["games"]
    extra = {key: row[key] for key in keys if row.get(key) is not None}
    standing = None if rating is None else Standing(rating=rating, games=games, extra=extra)
    if standing is None and extra:
        standing = Standing(extra=extra)
    sides: tuple[FrozenSide, ...] = ()
    if rating is not None and games < history_below:
        sides = (FrozenSide(opponent=rating, score=0.5, own=rating),) * games
    return Entry(
        row["id"],
        standing=standing,
        grade=row["grade"],
        birth_date=row["birth_date"],
        history=sides,
        place=Place(player=row["id"]),
    )


def _players_of(game: Game) -> tuple[str | None, ...]:
    """At the board, and whom they replace."""
    return (game.white, game.black, game.white_for, game.black_for)


def _not_blamed(games: Sequence[Game], findings: Findings) -> list[Game]:
    """The games of nobody on account of whom a report is refused."""
    places = [finding.where for finding in findings if finding.severity.refuses]
    paths = {place.path for place in places if place.path}
    players = {place.player for place in places if not place.path}
    return [
        game
        for game in games
        if game.place.path not in paths and not players & {*_players_of(game)}
    ]


def _drawn(book: BookOrSeries, seed: int) -> dict[str, pa.Table]:
    """Tables of which reports can say the same.

    Players without a rating have no games, which some editions refuse in a report.  Where
    an event is looked at as a whole, all are of one kind: a report has but one for all of a
    list.
    """
    made = tables(book, seed, games=_GAMES, players=_PLAYERS)
    events = made["events"].to_pylist()
    if book.bulk is not None and book.bulk.event_rules is not None:
        kinds = book.domain.kinds
        kind = kinds[_SEEDS.index(seed) % len(kinds)]
        events = [{**row, "kind": kind} for row in events]
    made = sayable({**made, "events": pa.Table.from_pylist(events)})
    return said_of_some(book, made, seed)


def sayable(made: dict[str, pa.Table]) -> dict[str, pa.Table]:
    """The tables without games of players who have no rating."""
    players = [
        row if row["rating"] is not None else {**row, "games": 0}
        for row in made["players"].to_pylist()
    ]
    return {**made, "players": pa.Table.from_pylist(players, made["players"].schema)}


def assert_same_changes(rows: Sequence[Mapping[str, Any]], chain: Chain) -> None:
    """The rows of a history are those of its reports."""
    names = ("before", "after", "games", "score", "expected")
    found: Changes = {}
    for row in rows:
        # A report is told the rating with all its decimals.
        exact = {**row, "before": row.get("exact_before", row["before"])}
        numbers = tuple(exact[name] for name in names)
        found.setdefault((row["batch"], row["player"]), []).append(numbers)
    for key in sorted({*found, *chain.changes}):
        by_history, by_report = found.get(key), chain.changes.get(key)
        before, left = chain.told.get(key, (None, None))
        assert by_history == by_report, (
            f"{chain.names[key[0]]} (batch {key[0]}), player {key[1]}: {', '.join(names)} are "
            f"{by_history} in the history and {by_report} in the report; the report was told "
            f"{_said(before)} and left {_said(left)}"
        )


def _said(standing: Standing | None) -> str:
    """A standing, for who looks for what went otherwise."""
    if standing is None:
        return "nothing"
    numbers = {"rating": standing.rating, "games": standing.games, "status": standing.status}
    told = {**numbers, **standing.extra}
    return ", ".join(f"{name} {value}" for name, value in told.items() if value is not None)


def assert_same_end(rows: Sequence[Mapping[str, Any]], chain: Chain) -> None:
    """The ratings at the end of a history are those that the last reports left."""
    for row in rows:
        left = chain.left.get(row["player"])
        if left is None:
            standing = chain.known[row["player"]].standing or Standing()
            if standing.rating is not None:
                assert row["rating"] == standing.rating, f"{row}: it was {standing.rating}"
            continue
        assert row["rating"] in left.ratings, f"{row}: the last report left {left.ratings}"
        by_history = (row["games"], row["status"], row["published"])
        by_report = (left.games, left.status, left.published)
        assert by_history == by_report, (
            f"{row['player']}: games, status and published are {by_history} after the history "
            f"and {by_report} after the last report"
        )
