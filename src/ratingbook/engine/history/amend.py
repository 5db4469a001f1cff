"""The facts of a history as corrections say: every change of a fact gives new facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.engine.history.columns import GameColumns, HistoryInput, codes_of, who_plays
from ratingbook.engine.history.intake.sources import Source, add_unreadable, open_sources
from ratingbook.engine.history.intake.values import FIRST_DAY, days, half_points, read
from ratingbook.engine.loops.arrays import columns_of_players
from ratingbook.engine.options import Input
from ratingbook.model import Findings, Place, Severity
from ratingbook.rules.bulk import NOT_GIVEN

Array = np.ndarray[Any, Any]

Called = Callable[[str], str]
"""How a player of this id is called in what people read."""

_KINDS = {
    "score": ("white", "black"),
    "add": ("white", "black", "date", "score"),
    "withdraw": ("event",),
    "move": ("event", "date"),
    "merge": ("player", "into"),
    "replace": ("event", "player", "into"),
}
"""Kinds of corrections, and what each has to say."""
_NAMED = {
    "players": (("white", "black", "white_for", "black_for"), "player"),
    "event_ids": (("event",), "event"),
    "section_ids": (("section",), ""),
}
"""The columns of games that ids are codes in, and that of other tables."""
_COLUMNS = (
    "kind", "event", "section", "round", "date", "white", "black", "score", "player", "into",
    "reason",
)  # fmt: skip
_SHOWN_MEETINGS = 3
_PLACE = ("file", "line")
"""Where a row comes from, if a table of several sources says it."""


class _Row(NamedTuple):
    """A correction; what it does not say is empty."""

    kind: str = ""
    event: str = ""
    section: str = ""
    round: str = ""
    date: str = ""
    white: str = ""
    black: str = ""
    score: str = ""
    player: str = ""
    into: str = ""
    reason: str = ""
    file: str = ""
    row: int = 0
    line: int | None = None
    told: bool = False
    """Whether the table says itself where its row comes from."""

    @property
    def place(self) -> Place:
        """Where it stands."""
        return Place(file=self.file, line=self.line)

    @property
    def where(self) -> str:
        """Where it stands, in words."""
        if self.told:
            return str(self.place)
        return f"row {self.row:,}" if self.line is None else f"line {self.line:,}"

    def game(self, called: Called) -> str:
        """The game that it names, in words."""
        said = [f"{called(self.white)} – {called(self.black)}"]
        for name in ("event", "section", "round", "date"):
            if getattr(self, name):
                said.append(f"{name} {getattr(self, name)}")
        return ", ".join(said)


def with_scores(given: HistoryInput, scores: dict[int, int | None]) -> HistoryInput:
    """Other half points of White by the number of the game; None: there is no such game."""
    score = given.games.score.copy()
    taken_out = np.array([game for game, points in scores.items() if points is None], np.int64)
    for game, points in scores.items():
        if points is not None:
            score[game] = points
    changed = replace(given, games=replace(given.games, score=score))
    if not len(taken_out):
        return changed
    games = given.games
    players = np.unique(np.r_[*(each[taken_out] for each in columns_of_players(games))])
    return _without_strangers(_without(changed, taken_out), players)


def _without(given: HistoryInput, games: Array) -> HistoryInput:
    """The facts without some games; their rows of the input are left out."""
    left_out = given.left_out
    rows = games + np.searchsorted(left_out - np.arange(len(left_out)), games, side="right")
    columns: dict[str, Any] = {
        each.name: None if column is None else np.delete(column, games)
        for each in fields(given.games)
        for column in [getattr(given.games, each.name)]
    }
    return replace(given, games=GameColumns(**columns), left_out=np.union1d(left_out, rows))


def _recoded(given: HistoryInput, name: str, ids: pa.Array, codes: Array) -> HistoryInput:
    """Other ids, in whatever order; ``codes`` are the places of the old ones among them.

    Of those who are gone it is -1, as of nobody.
    """
    order = pc.sort_indices(ids).to_numpy()
    rank = np.full(len(ids) + 1, -1, np.int32)
    rank[order] = np.arange(len(ids), dtype=np.int32)
    # Nobody stays nobody.
    codes = np.append(rank[codes], np.int32(-1))
    changed = {
        each: codes[column]
        for each in _NAMED[name][0]
        for column in [getattr(given.games, each)]
        if column is not None
    }
    tables, key = {}, _NAMED[name][1]
    for table in ("standings", "events", "entries", "decisions"):
        said = getattr(given, table)
        if said is not None and key in said.column_names:
            place = said.column_names.index(key)
            now = pa.array(codes[said[key].to_numpy()], pa.int32())
            tables[table] = said.set_column(place, key, now)
    return replace(
        given, games=replace(given.games, **changed), **tables, **{name: ids.take(order)}
    )


def _without_players(given: HistoryInput, players: Array) -> HistoryInput:
    """The facts without some players, of whom nothing is said any more."""
    stays = np.ones(len(given.players), bool)
    stays[players] = False
    codes = np.where(stays, np.cumsum(stays) - 1, -1)
    return _recoded(given, "players", given.players.filter(pa.array(stays)), codes)


def _without_strangers(given: HistoryInput, players: Array) -> HistoryInput:
    """Those of the players go whom no game names, nor the players file, nor the entries."""
    named = who_plays(given.games, len(given.players))
    for table in (given.standings, given.entries, given.decisions):
        if table is not None:
            named[table["player"].to_numpy()] = True
    strangers = players[players >= 0]
    strangers = strangers[~named[strangers]]
    return _without_players(given, strangers) if len(strangers) else given


def amended(
    given: HistoryInput, corrections: Input, called: Called = str
) -> tuple[HistoryInput | None, Findings]:
    """The facts as the corrections say; None where the findings refuse them."""
    findings = Findings()
    rows = [
        row
        for source in open_sources(corrections, "corrections", findings)
        for row in _rows_of(source, findings)
    ]
    if findings.refused:
        return None, findings
    if not rows:
        findings.add(
            Severity.ERROR, "correction.none", "There is no correction.",
            remedy="Write a row for each, below the names of the columns.",
        )  # fmt: skip
        return None, findings
    return _Amending(given, findings, called).take(rows), findings


def _rows_of(source: Source, findings: Findings) -> list[_Row]:
    unknown = [name for name in source.known if name not in (*_COLUMNS, *_PLACE)]
    if unknown:
        findings.add(
            Severity.WARNING, "correction.unknown-column",
            f"Columns that are not known and are not used: {', '.join(unknown[:12])}.",
            Place(file=source.name), f"Corrections have {', '.join(_COLUMNS)}.",
        )  # fmt: skip
    placed = set(_PLACE) <= set(source.known)
    columns = (*_COLUMNS, *_PLACE) if placed else _COLUMNS
    wanted = [name for name in columns if name in source.known]
    found: list[_Row] = []
    try:
        for chunk in source.chunks(wanted):
            texts = [_texts(chunk.column(name)) for name in chunk.schema.names]
            for values in zip(*texts, strict=True):
                said: dict[str, Any] = dict(zip(chunk.schema.names, values, strict=True))
                number = len(found)
                if placed:
                    said |= {"line": int(said["line"] or 0) or None, "told": True}
                else:
                    said |= {"file": source.name, "line": source.line(number)}
                found.append(_Row(**said, row=number + 1))
    except (pa.ArrowException, ValueError, OSError, MemoryError) as error:
        add_unreadable(source.name, error, findings)
    return found


def _texts(values: pa.Array) -> list[str]:
    return [
        "" if value is None else str(value).strip()
        for value in (
            values.dictionary_decode() if pa.types.is_dictionary(values.type) else values
        ).to_pylist()
    ]


@dataclass
class _Amending:
    """Facts on which corrections work, one kind after the other."""

    given: HistoryInput
    findings: Findings
    called: Called

    def take(self, rows: list[_Row]) -> HistoryInput | None:
        """The facts after all corrections; None where the findings refuse them."""
        told: dict[tuple[str, ...], _Row] = {}
        by_kind: dict[str, list[_Row]] = {kind: [] for kind in _KINDS}
        for row in rows:
            kind = row.kind.lower() or "score"
            if kind not in _KINDS:
                self._refuse(
                    row, "kind", f"“{row.kind}” is no kind of correction",
                    f"Write one of {', '.join(_KINDS)}, or nothing for a score.",
                )  # fmt: skip
                continue
            lacking = [name for name in _KINDS[kind] if not getattr(row, name)]
            if lacking:
                self._refuse(
                    row, "incomplete", f"a correction of the kind {kind} lacks its "
                    f"{' and its '.join(lacking)}", f"It needs {', '.join(_KINDS[kind])}.",
                )  # fmt: skip
                continue
            key = self._said(kind, row)
            if key in told:
                self._refuse(
                    row, "twice", f"it says again of what {told[key].where} says already",
                    "Keep the one that holds.",
                )  # fmt: skip
                continue
            told[key] = row
            by_kind[kind].append(row)
        # Games are named as they stand in the input: ids and days change afterwards.
        self._scores(by_kind["score"], by_kind["withdraw"])
        self._move(by_kind["move"])
        self._add(by_kind["add"])
        for row in (*by_kind["replace"], *by_kind["merge"]):
            self._rename(row)
        return None if self.findings.refused else self.given

    @staticmethod
    def _said(kind: str, row: _Row) -> tuple[str, ...]:
        """What a correction is about."""
        names = {
            "withdraw": ("event",), "move": ("event",), "merge": ("player",),
            "replace": ("event", "player"),
        }.get(kind, ("event", "section", "round", "date", "white", "black"))  # fmt: skip
        return (kind, *(getattr(row, name) for name in names))

    def _refuse(self, row: _Row, code: str, what: str, remedy: str) -> None:
        # Where a line is known it stands before every finding.  What begins the sentence gets a
        # capital letter, so ``what`` never begins with an id or a name.
        said = f"The correction in {row.where}: {what}" if row.line is None else what
        self.findings.add(
            Severity.ERROR, f"correction.{code}", f"{said[0].upper()}{said[1:]}.", row.place, remedy
        )

    def _scores(self, rows: list[_Row], withdrawn: list[_Row]) -> None:
        scores: dict[int, int | None] = {}
        named: dict[int, _Row] = {}
        finder = _Finder(self.given) if rows else None
        for row in rows:
            game = self._game(row, finder) if finder else None
            points = self._points(row)
            if game is None:
                continue
            if game in named:
                self._refuse(
                    row, "twice", f"its game is the one of {named[game].where}",
                    "Keep the one that holds.",
                )  # fmt: skip
                continue
            named[game] = row
            scores[game] = points
        for row in withdrawn:
            games = self._event(row)
            for game in games.tolist():
                if game in named:
                    self._refuse(
                        row, "twice", f"the event is withdrawn, and {named[game].where} corrects a "
                        "game of it", "Keep the one that holds.",
                    )  # fmt: skip
                    break
                scores[game] = None
        if scores and not self.findings.refused:
            self.given = with_scores(self.given, scores)

    def _points(self, row: _Row) -> int | None:
        if not row.score:
            return None
        found = half_points(pa.array([row.score]))
        if found.bad is not None and found.bad.any():
            self._refuse(
                row, "score", f"“{row.score}” is no score of White",
                "Write 1, 0.5 or 0, or nothing to take the game out.",
            )  # fmt: skip
            return None
        return int(found.data[0])

    def _day(self, row: _Row) -> int | None:
        found = read(pa.array([row.date]), days)
        if found.bad is not None and found.bad.any():
            self._refuse(row, "date", f"“{row.date}” is no date", "Write dates as YYYY-MM-DD.")
            return None
        return int(found.data[0])

    def _event(self, row: _Row) -> Array:
        """The games of the event that a correction names."""
        column = self.given.games.event
        code = _code(self.given.event_ids, row.event)
        games = np.empty(0, np.int64) if column is None else np.flatnonzero(column == code)
        if not len(games):
            self._refuse(
                row, "no-event", f"there is no game of the event {row.event}",
                "Write the event as the games have it.",
            )  # fmt: skip
        return games

    def _game(self, row: _Row, finder: _Finder) -> int | None:
        day = self._day(row) if row.date else None
        games = finder.games(row, day)
        if len(games) == 1:
            return int(games[0])
        if len(games):
            self._refuse(
                row, "several", f"there are {len(games):,} games {row.game(self.called)}",
                f"Say which by {', '.join(finder.telling(row)) or 'the facts of the games'}.",
            )  # fmt: skip
            return None
        turned = row._replace(white=row.black, black=row.white)
        what = f"there is no game {row.game(self.called)}"
        if len(finder.games(turned, day)):
            remedy = f"White was {self.called(row.black)}: turn the sides, and the score."
        else:
            remedy = "Write event, round and players as the games have them."
            if met := self._meetings(row, turned, finder):
                what += f"; these two met {met}"
        self._refuse(row, "no-game", what, remedy)
        return None

    def _meetings(self, row: _Row, turned: _Row, finder: _Finder) -> str:
        """The last games of two players, in words: what was meant may be among them."""
        columns, said = self.given.games, []
        for each in (row, turned):
            anywhere = each._replace(event="", section="", round="")
            for game in finder.games(anywhere, None)[-_SHOWN_MEETINGS:]:
                day = str(np.datetime64(int(columns.day[game]), "D"))
                words = [f"on {day}"]
                if columns.event is not None:
                    words.append(f"in {self.given.event_ids[int(columns.event[game])]}")
                if columns.round is not None and columns.round[game] > 0:
                    words.append(f"round {int(columns.round[game])}")
                words.append(f"White was {self.called(each.white)}")
                said.append((day, ", ".join(words)))
        return "; ".join(words for _, words in sorted(said)[-_SHOWN_MEETINGS:])

    def _move(self, rows: list[_Row]) -> None:
        for row in rows:
            games, day = self._event(row), self._day(row)
            if day is None or not len(games):
                continue
            columns = self.given.games
            by = day - int(columns.day[games].max())
            moved = {"day": _plus(columns.day, games, by)}
            if columns.start is not None:
                moved["start"] = _plus(columns.start, games, by)
            self.given = replace(self.given, games=replace(columns, **moved))
            code = _code(self.given.event_ids, row.event)
            self._events(lambda said, code=code, by=by: _moved_event(said, code, by))

    def _events(self, change: Any) -> None:
        if self.given.events is not None:
            self.given = replace(self.given, events=change(self.given.events))

    def _add(self, rows: list[_Row]) -> None:
        columns = self.given.games
        for name, column in (("event", columns.event), ("section", columns.section)):
            if column is None and any(getattr(row, name) for row in rows):
                self._refuse(
                    next(row for row in rows if getattr(row, name)), "no-column",
                    f"the games have no {name}", f"Leave the {name} empty.",
                )  # fmt: skip
        if not rows or self.findings.refused:
            return
        self._with_ids("players", [row.white for row in rows] + [row.black for row in rows])
        self._with_ids("event_ids", [row.event for row in rows])
        self._with_ids("section_ids", [row.section for row in rows])
        said: dict[str, list[int]] = {name: [] for name in _NOTHING}
        for row in rows:
            day, points = self._day(row), self._points(row)
            if row.white == row.black:
                self._refuse(
                    row, "same-player", "the same player is on both sides", "Correct one of them."
                )
            told = {
                "white": _code(self.given.players, row.white),
                "black": _code(self.given.players, row.black),
                "event": _code(self.given.event_ids, row.event),
                "section": _code(self.given.section_ids, row.section),
                "round": int(row.round) if row.round.isdecimal() else 0,
                "score": 0 if points is None else points,
                "day": 0 if day is None else day,
                "start": 0 if day is None else day,
            }
            for name, nothing in _NOTHING.items():
                said[name].append(told.get(name, nothing))
        columns = self.given.games
        more: dict[str, Any] = {
            each.name: None
            if column is None
            else np.r_[column, np.array(said[each.name], column.dtype)]
            for each in fields(columns)
            for column in [getattr(columns, each.name)]
        }
        self.given = replace(self.given, games=GameColumns(**more))

    def _with_ids(self, name: str, wanted: list[str]) -> None:
        """Give codes to ids that are new; those of all others follow."""
        ids = getattr(self.given, name)
        texts = {each for each in wanted if each or name == "section_ids"}
        fresh = sorted(each for each in texts if _code(ids, each) < 0)
        if not fresh or (name != "players" and not len(ids)):
            return
        try:
            more = pa.array(fresh).cast(ids.type)
        except pa.ArrowInvalid:
            # Texts among numbers: all of them are texts then.
            ids, more = ids.cast(pa.string()), pa.array(fresh)
        both = pa.concat_arrays([ids, more])
        self.given = _recoded(self.given, name, both, np.arange(len(ids)))

    def _rename(self, row: _Row) -> None:
        """One player's games, in one event or all, become another's."""
        self._with_ids("players", [row.into])
        given = self.given
        player, into = _code(given.players, row.player), _code(given.players, row.into)
        here = np.ones(len(given.games), bool)
        if row.event:
            here[:] = False
            here[self._event(row)] = True
        sides = {
            name: column
            for name in _NAMED["players"][0]
            if (column := getattr(given.games, name)) is not None
        }
        mine = {name: here & (column == player) for name, column in sides.items()}
        if player < 0 or (row.event and not any(games.any() for games in mine.values())):
            self._refuse(
                row, "no-player", f"there is no game of {self.called(row.player)}"
                + (f" in the event {row.event}" if row.event else ""),
                "Write the player as the games have it.",
            )  # fmt: skip
            return
        if player == into:
            self._refuse(row, "same-player", "both players are one", "Name the other one.")
            return
        for name, other in permutations(sides, 2):
            if (mine[name] & (sides[other] == into)).any():
                self._refuse(
                    row, "same-player", f"there is a game with both {self.called(row.player)} and "
                    f"{self.called(row.into)}",
                    "They are two; or take that game out first.",
                )  # fmt: skip
                return
        games = replace(
            given.games, **{name: np.where(mine[name], into, sides[name]) for name in sides}
        )
        self.given = replace(given, games=games)
        self._entries(row, player, into)
        if row.event:
            self.given = _without_strangers(self.given, np.array([player]))
        else:
            self._drop(player, into)

    def _entries(self, row: _Row, player: int, into: int) -> None:
        """What the entries say of a player goes to the other, who may not have one there."""
        said = self.given.entries
        if said is None:
            return
        players, events = said["player"].to_numpy(), said["event"].to_numpy()
        mine = players == player
        if row.event:
            mine &= events == _code(self.given.event_ids, row.event)
        if np.isin(events[mine], events[players == into]).any():
            self._refuse(
                row, "entry-player", f"there is an event with entries of both "
                f"{self.called(row.player)} and {self.called(row.into)}",
                "Keep one of the two entries.",
            )  # fmt: skip
            return
        changed = pa.array(np.where(mine, into, players), pa.int32())
        place = said.column_names.index("player")
        entries = said.set_column(place, "player", changed)
        self.given = replace(self.given, entries=entries)

    def _drop(self, player: int, into: int) -> None:
        """A player who is part of another one is no more; what is said of both is the other's."""
        said = self.given.standings
        if said is not None:
            players = said["player"].to_numpy()
            if (players == into).any():
                said = said.filter(pa.array(players != player))
            else:
                changed = pa.array(np.where(players == player, into, players), pa.int32())
                said = said.set_column(said.column_names.index("player"), "player", changed)
            self.given = replace(self.given, standings=said)
        decided = self.given.decisions
        if decided is not None:
            players = decided["player"].to_numpy()
            changed = pa.array(np.where(players == player, into, players), pa.int32())
            place = decided.column_names.index("player")
            decided = decided.set_column(place, "player", changed)
            self.given = replace(self.given, decisions=decided)
        self.given = _without_players(self.given, np.array([player]))


_NOTHING = {
    "day": 0, "white": 0, "black": 0, "score": 0, "start": 0, "event": 0, "section": 0,
    "round": 0, "handicap": 0, "rated": 3, "margin": -(2**15), "neutral": 0,
    "status": 0, "reported": FIRST_DAY, "white_rating": NOT_GIVEN, "black_rating": NOT_GIVEN,
    "white_for": -1, "black_for": -1,
}  # fmt: skip
"""What a game says that was added, where the correction does not say it."""


def _plus(column: Array, games: Array, by: int) -> Array:
    changed = column.copy()
    changed[games] += by
    return changed


def _moved_event(said: pa.Table, code: int, by: int) -> pa.Table:
    """The events file, with the days of one event moved."""
    mine = said["event"].to_numpy() == code
    for name in ("start", "end"):
        if name in said.column_names:
            days_of = said[name].combine_chunks().cast(pa.int32())
            moved = pc.if_else(pa.array(mine), pc.add(days_of, by), days_of).cast(pa.date32())
            said = said.set_column(said.column_names.index(name), name, moved)
    return said


def _code(ids: pa.Array, wanted: str) -> int:
    """The code of an id; −1: there is none."""
    try:
        value = pa.array([wanted]).cast(ids.type)
    except pa.ArrowInvalid:
        return -1
    return int(codes_of(ids, value)[0])


class _Finder:
    """Finds games by what corrections say of them."""

    def __init__(self, given: HistoryInput) -> None:
        self._given = given
        games = given.games
        keys = games.white.astype(np.int64) * len(given.players) + games.black
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]

    def games(self, row: _Row, day: int | None) -> Array:
        """The games that a correction may mean."""
        given, columns = self._given, self._given.games
        white, black = _code(given.players, row.white), _code(given.players, row.black)
        if white < 0 or black < 0:
            return np.empty(0, np.int64)
        key = white * len(given.players) + black
        first, last = (int(np.searchsorted(self._keys, key, side)) for side in ("left", "right"))
        found = self._order[first:last]
        for said, column, ids in (
            (row.event, columns.event, given.event_ids),
            (row.section, columns.section, given.section_ids),
        ):
            if said and column is not None:
                found = found[column[found] == _code(ids, said)]
        if row.round and columns.round is not None:
            number = int(row.round) if row.round.isdecimal() else -1
            found = found[columns.round[found] == number]
        if day is not None:
            found = found[columns.day[found] == day]
        return np.sort(found)

    def telling(self, row: _Row) -> list[str]:
        """Columns by which a correction may say more closely which game it means."""
        columns = self._given.games
        there = {
            "event": columns.event, "section": columns.section, "round": columns.round,
            "date": columns.day,
        }  # fmt: skip
        return [
            name for name, column in there.items() if column is not None and not getattr(row, name)
        ]
