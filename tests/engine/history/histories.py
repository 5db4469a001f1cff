"""Random histories with all kinds of players, for every edition that rates columns."""

import random
from datetime import date, timedelta
from typing import Any

import pyarrow as pa

from ratingbook.engine.history import History
from ratingbook.rules import registry
from ratingbook.rules.book import AnyRuleBook

EDITIONS = [name for name in registry.names() if registry.load(name).bulk is not None]

FAMILIES = sorted({registry.load(name).federation: name for name in EDITIONS}.values())
"""One edition of each federation, for what does not depend on the edition."""

SERIES = [name for name, of in registry.series().items() if len(set(of) & set(EDITIONS)) > 1]
"""Several editions in a row, which a history crosses."""

BOOKS = EDITIONS + SERIES

FIRST_DAYS = {"ICCF": date(2011, 1, 3), "IECG": date(1996, 5, 1), "EGF": date(1995, 12, 20)}
"""Where a federation's rules change with the day, histories begin around it."""
FEW_LISTS: dict[str, Any] = {"first": date(2021, 7, 1), "years": 3.5}
"""A time in which FIDE changed its rules often, for what takes long with many lists."""
TODAY = date(2026, 10, 31)
LEVELS = ("master_class", "open_class", None)


def tables(
    book: AnyRuleBook,
    seed: int,
    *,
    games: int = 600,
    players: int = 50,
    years: float | None = None,
    first: date | None = None,
) -> dict[str, pa.Table]:
    """Games, players, events and entries; newcomers, strong and weak, resets, long events.

    Over ``years`` from the day ``first`` on: by default two and a half, of a series all of
    its time.
    """
    chance = random.Random(f"{book.name} {seed}")
    ids = [f"p{number:03}" for number in range(players)]
    low, high = book.domain.ratings
    known, kinds = [], book.domain.kinds
    for player in ids:
        if chance.random() < 0.7:
            rating = chance.randint(low, high)
            known.append(
                {
                    "id": player,
                    "rating": float(rating) if chance.random() < 0.85 else None,
                    "games": chance.choice([0, 3, 8, 14, 26, 29, 31, 90]),
                    "grade": chance.choice(["20k", "5k", "1k", "1d", "5d", "3p", None]),
                    "birth_date": chance.choice([None, date(1960, 1, 1), date(2001, 5, 17)]),
                }
            )
    begins = FIRST_DAYS.get(book.federation) or book.valid_from or date(2009, 7, 1)
    first = first or begins
    if years is None:
        years = (TODAY - first).days / 365 if book.editions else 2.5
    rows: list[dict[str, Any]] = []
    events: list[dict[str, Any]] = []
    entries: list[dict[str, Any]] = []
    number = 0
    while len(rows) < games:
        number += 1
        event = f"e{number:04}"
        start = first + timedelta(chance.randrange(int(years * 365)))
        length = chance.choice([0, 1, 4, 9, 30, 100, 250])
        size = chance.choice([2, 4, 8, 12])
        field = chance.sample(ids, size)
        events.append(
            {
                "event": event,
                "kind": chance.choice([*kinds, None]),
                "class": chance.choice(book.domain.classes),
                "category": chance.choice([*book.domain.categories, "master_class"])
                if book.federation == "ICCF"
                else chance.choice(book.domain.categories),
            }
        )
        if book.domain.grades and chance.random() < 0.5:
            entries += [
                {"event": event, "player": player, "grade": chance.choice(book.domain.grades)}
                for player in chance.sample(field, 2)
            ]
        for round_ in range(1, chance.choice([2, 4, 6])):
            chance.shuffle(field)
            for white, black in zip(field[::2], field[1::2], strict=True):
                rows.append(
                    {
                        "event": event,
                        "section": chance.choice(["A", "B"]) if size > 8 else "A",
                        "round": round_,
                        "start": start,
                        "date": start + timedelta(chance.randint(0, length)),
                        "white": white,
                        "black": black,
                        "score": chance.choice([1.0, 0.5, 0.0, 1.0, 0.0]),
                        "handicap": chance.randint(*book.domain.handicaps),
                        "rated": chance.choice(["both"] * 12 + ["white", "black", "none"]),
                    }
                )
                rows[-1] |= {
                    "margin": {1.0: 3, 0.5: 0, 0.0: None}[rows[-1]["score"]],
                    "neutral": round_ % 2 == 0,
                }
    return {
        "games": pa.Table.from_pylist(rows),
        "players": pa.Table.from_pylist(known),
        "events": pa.Table.from_pylist(events),
        "entries": pa.Table.from_pylist(
            entries,
            pa.schema([("event", pa.string()), ("player", pa.string()), ("grade", pa.string())]),
        ),
    }


def history(made: dict[str, pa.Table]) -> History:
    """The tables read as a history."""
    given = {name: table for name, table in made.items() if len(table)}
    return History.of(given.pop("games"), **given)
