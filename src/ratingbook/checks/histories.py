"""Histories drawn at random from the domain of an edition."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

import pyarrow as pa

from ratingbook.engine.history import History
from ratingbook.rules.series import BookOrSeries

_YEARS = 2.5
_YEARS_OF_THE_LAST = 3
"""Of a series, after its last edition has begun."""
_FIRST_DAY = date(2000, 1, 3)
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
    known = [_player(player, book, chance) for player in ids if chance.random() < 0.7]
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


def history(made: dict[str, pa.Table]) -> History:
    """The tables read as a history."""
    given = {name: table for name, table in made.items() if len(table)}
    return History.of(given.pop("games"), **given)


def _years_of(book: BookOrSeries, first: date) -> float:
    last = book.edition(None)
    if last is book or last.valid_from is None:
        return _YEARS
    return _YEARS_OF_THE_LAST + (last.valid_from - first).days / 365


def _player(player: str, book: BookOrSeries, chance: random.Random) -> dict[str, Any]:
    rating = chance.randint(*book.domain.ratings)
    if book.domain.borders and chance.random() < 0.5:
        rating = chance.choice(book.domain.borders) + chance.randint(-_NEAR, _NEAR)
    return {
        "id": player,
        "rating": float(rating) if chance.random() < 0.85 else None,
        "games": chance.choice([0, 3, 8, 14, 26, 29, 31, 90]),
        "grade": chance.choice([*book.domain.grades, None]),
        "birth_date": chance.choice([None, date(1960, 1, 1), date(2001, 5, 17)]),
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
