"""Histories drawn at random from the domain of an edition."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

import pyarrow as pa

from ratingbook.checks.in_force import number_in_force
from ratingbook.engine.history import History
from ratingbook.engine.report.known import known_of_entry
from ratingbook.model import Entry, Event, Standing
from ratingbook.rules.series import BookOrSeries

_YEARS = 2.5
_YEARS_OF_THE_LAST = 3
"""Of a series, after its last edition has begun."""
_FIRST_DAY = date(2000, 1, 3)
WHOLE = ("match", "round_robin")
"""Kinds of events at which rules look as a whole."""
_EVENTS = 40
_OF_EVENTS = 12
"""Players of matches and round robins."""
_PLANNED = 6
"""Rounds of a match."""
_DECISIONS = 24
_SELDOM = 0.08
_OF_SOME = ("white_rating", "black_rating", "white_for", "black_for")
_STATUSES = ("time", "forfeit", "withdrawn", "adjudicated", "cancelled")
_JUNIOR = 14
"""Years that some players have when the first game begins."""
_NEAR = 20
"""Points that a few games can make."""


def tables(
    book: BookOrSeries,
    seed: int,
    *,
    games: int = 600,
    players: int = 50,
    years: float | None = None,
    first: date | None = None,
) -> dict[str, pa.Table]:
    """Games, players, events and entries; newcomers, strong and weak, resets, long events.

    Over ``years`` from the day ``first`` on: by default two and a half from that of the
    domain or of the edition, of a series all of its time.
    """
    chance = random.Random(f"{book.name} {seed}")
    ids = [f"p{number:03}" for number in range(players)]
    first = first or book.domain.first_day or book.valid_from or _FIRST_DAY
    years = years or _years_of(book, first)
    rows: list[dict[str, Any]] = []
    events: list[dict[str, Any]] = []
    entries: list[dict[str, Any]] = []
    known = [_player(player, book, first, chance) for player in ids if chance.random() < 0.7]
    while len(rows) < games:
        event = f"e{len(events) + 1:04}"
        start = first + timedelta(chance.randrange(int(years * 365)))
        field = chance.sample(ids, chance.choice([2, 4, 8, 12]))
        events.append(_event(event, book, chance))
        if book.domain.grades and chance.random() < 0.5:
            entries += [
                {"event": event, "player": player, "grade": chance.choice(book.domain.grades)}
                for player in chance.sample(field, 2)
            ]
        rows += _games(event, start, field, book, chance)
    kept = pa.schema([("event", pa.string()), ("player", pa.string()), ("grade", pa.string())])
    return {
        "games": pa.Table.from_pylist(rows),
        "players": pa.Table.from_pylist(known),
        "events": pa.Table.from_pylist(events),
        "entries": pa.Table.from_pylist(entries, kept),
    }


def said_of_some(book: BookOrSeries, made: dict[str, pa.Table], seed: int) -> dict[str, pa.Table]:
    """The tables with what only some games say, and what the office decided.

    Statuses, ratings that are in force for them, whom substitutes replace, and the day of
    the report.
    """
    chance = random.Random(f"{book.name} more {seed}")
    found = []
    rated = [row["id"] for row in made["players"].to_pylist() if _stays_in_force(row, book)]
    for row in made["games"].to_pylist():
        more: dict[str, Any] = dict.fromkeys(
            ("white_rating", "black_rating", "white_for", "black_for")
        )
        for colour in ("white", "black"):
            if chance.random() < _SELDOM:
                more[f"{colour}_rating"] = float(chance.randint(*book.domain.ratings))
            if (
                book.substitutes
                and chance.random() < _SELDOM
                and _is_of_last_list(row["start"], row["date"], book)
            ):
                others = [each for each in rated if each not in (row["white"], row["black"])]
                more[f"{colour}_for"] = chance.choice(others)
        if more["white_for"] == more["black_for"]:
            more["white_for"] = None
        more["status"] = "played"
        if chance.random() < _SELDOM:
            more["status"] = chance.choice(_STATUSES)
        more["reported"] = row["date"]
        calendar = book.bulk.calendar if book.bulk is not None else None
        if calendar is not None and (calendar.late or calendar.by_report):
            more["reported"] += timedelta(chance.choice([0] * 8 + [100, 400, 800]))
            if calendar.by_report and more["reported"] > row["date"]:
                more |= {"white_for": None, "black_for": None}
        rated_by = row["rated"] if row["rated"] != "both" or chance.random() < _SELDOM else None
        found.append({**row, **more, "rated": rated_by})
    schema = _schema_of_games(made["games"].schema)
    games = pa.Table.from_pylist(found, schema)
    made = {**made, "games": games}
    return {**made, "decisions": _decisions(book, made, chance)}


def _stays_in_force(row: dict[str, Any], book: BookOrSeries) -> bool:
    """Whether games use the rating of a player of the file, now and later.

    Of who is replaced a report says no number of then: one that no list goes on with is gone.
    """
    rating, games, bulk = row["rating"], row["games"], book.bulk
    if rating is None or bulk is None or not book.substitutes:
        return rating is not None
    entry, p = Entry(row["id"], standing=Standing(rating=rating, games=games)), book.parameters
    standing = bulk.standing_of(known_of_entry(entry, bulk), p)
    return number_in_force(entry, bulk, p) is not None and bool(bulk.listed(standing, p).published)


def _decisions(book: BookOrSeries, made: dict[str, pa.Table], chance: random.Random) -> pa.Table:
    """What the office decides, where that is a rating."""
    rows: list[dict[str, Any]] = []
    kinds, games = book.domain.decided, made["games"].to_pylist()
    sides = [(row["date"], row[side]) for row in games for side in ("white", "black")]
    if book.bulk is not None and book.bulk.remembers is not None:
        # Beside a corrected list a report names the number of the older one for every game, so
        # that it counts as named; a history has it from that list.
        naming = {r[side] for r in games for side in ("white", "black") if r[f"{side}_rating"]}
        sides = [each for each in sides if each[1] not in naming] or sides
    for number in range(_DECISIONS if kinds else 0):
        date_of_game, player = chance.choice(sides)
        day = date_of_game - timedelta(chance.randrange(60))
        said = {"player": player, "date": day, "kind": kinds[number % len(kinds)]}
        if not any(said.items() <= each.items() for each in rows):
            rows.append({**said, "value": float(chance.randint(*book.domain.ratings))})
    fields = [("player", pa.string()), ("date", pa.date32()), ("kind", pa.string()),
              ("value", pa.float64())]  # fmt: skip
    return pa.Table.from_pylist(rows, pa.schema(fields))


def _is_of_last_list(start: date, end: date, book: BookOrSeries) -> bool:
    """Whether the list in force at the start is the last one before the list that takes the end.

    Of other numbers a report can name only those with which the two at a board count for
    each other.
    """
    calendar = book.bulk.calendar if book.bulk is not None else None
    if book.bulk is None or calendar is None or calendar.in_force is None:
        return True
    following = calendar.taking(end, book.bulk.facts_of(Event(), book.parameters))
    return bool(calendar.in_force(start) == calendar.in_force(following - timedelta(1)))


def _schema_of_games(schema: pa.Schema) -> pa.Schema:
    for name in ("white_rating", "black_rating"):
        schema = schema.append(pa.field(name, pa.float64()))
    for name in ("white_for", "black_for", "status"):
        schema = schema.append(pa.field(name, pa.string()))
    return schema.append(pa.field("reported", pa.date32()))


def whole_events(book: BookOrSeries, seed: int, kind: str) -> dict[str, pa.Table]:
    """As :func:`tables`, with matches of two or complete round robins of four or six only.

    Some stop early; of matches as many rounds are planned, and not all of them played.
    """
    made = tables(book, seed, games=1)
    chance = random.Random(f"{book.name} {kind} {seed}")
    first = book.domain.first_day or book.valid_from or _FIRST_DAY
    ids = sorted({*made["players"]["id"].to_pylist(), "new-1", "new-2", "new-3"})[-_OF_EVENTS:]
    games: list[dict[str, Any]] = []
    events = []
    for number in range(_EVENTS):
        event, start = f"e{number:04}", first
        while start == first or not _is_of_last_list(start, start + timedelta(7), book):
            start = first + timedelta(1 + chance.randrange(int(_YEARS * 365)))
        events.append({"event": event, "kind": kind, "class": None, "category": None})
        field = chance.sample(ids, 2 if kind == "match" else chance.choice([4, 6]))
        rounds = _PLANNED if kind == "match" else len(field) - 1
        for round_ in range(1, rounds + 1 - int(chance.random() < _SELDOM)):
            pairs = list(zip(field[: len(field) // 2], reversed(field), strict=False))
            score = [1.0, 1.0, 0.0, 0.5]
            games += [
                {
                    "event": event, "section": "A", "round": round_, "start": start,
                    "date": start + timedelta(7), "white": white, "black": black,
                    "score": chance.choice(score), "handicap": 0, "rated": "both",
                    "margin": None, "neutral": False,
                }
                for white, black in pairs
            ]  # fmt: skip
            # The first one stays, the others go round.
            field = [field[0], field[-1], *field[1:-1]]
    # Which game came when is said by the rounds.
    chance.shuffle(games)
    known = [row for row in made["players"].to_pylist() if row["id"] in ids]
    return {
        **made,
        "games": pa.Table.from_pylist(games, made["games"].schema),
        "players": pa.Table.from_pylist(known, made["players"].schema),
        "events": pa.Table.from_pylist([{**each, "rounds": _PLANNED} for each in events]),
    }


def history(made: dict[str, pa.Table]) -> History:
    """The tables read as a history."""
    given = {name: table for name, table in made.items() if len(table)}
    return History.of(given.pop("games"), **given)


def _years_of(book: BookOrSeries, first: date) -> float:
    last = book.edition(None)
    if last is book or last.valid_from is None:
        return _YEARS
    return _YEARS_OF_THE_LAST + (last.valid_from - first).days / 365


def _player(player: str, book: BookOrSeries, first: date, chance: random.Random) -> dict[str, Any]:
    rating = chance.randint(*book.domain.ratings)
    if book.domain.borders and chance.random() < 0.5:
        rating = chance.choice(book.domain.borders) + chance.randint(-_NEAR, _NEAR)
    return {
        "id": player,
        "rating": float(rating) if chance.random() < 0.85 else None,
        "games": chance.choice([0, 3, 8, 14, 26, 29, 31, 90]),
        "grade": chance.choice([*book.domain.grades, None]),
        "birth_date": chance.choice([None, date(1960, 1, 1), date(first.year - _JUNIOR, 5, 17)]),
        **{key: chance.choice(values) for key, values in book.domain.keys.items()},
    }


def _event(event: str, book: BookOrSeries, chance: random.Random) -> dict[str, Any]:
    return {
        "event": event,
        "kind": chance.choice([*book.domain.kinds, None]),
        "class": chance.choice(book.domain.classes),
        "category": chance.choice(book.domain.categories),
    }


def _games(
    event: str, start: date, field: list[str], book: BookOrSeries, chance: random.Random
) -> list[dict[str, Any]]:
    """A few rounds, in which nobody plays twice."""
    rows = []
    length = chance.choice([0, 1, 4, 9, 30, 100, 250])
    for round_ in range(1, chance.choice([2, 4, 6])):
        chance.shuffle(field)
        for white, black in zip(field[::2], field[1::2], strict=True):
            score = chance.choice([1.0, 0.5, 0.0, 1.0, 0.0])
            rows.append(
                {
                    "event": event,
                    "section": chance.choice(["A", "B"]) if len(field) > 8 else "A",
                    "round": round_,
                    "start": start,
                    "date": start + timedelta(chance.randint(0, length)),
                    "white": white,
                    "black": black,
                    "score": score,
                    "handicap": chance.randint(*book.domain.handicaps),
                    "rated": chance.choice(["both"] * 12 + ["white", "black", "none"]),
                    "margin": {1.0: 3, 0.5: 0, 0.0: None}[score],
                    "neutral": round_ % 2 == 0,
                }
            )
    return rows
