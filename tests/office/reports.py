"""Reports of plainly invented events, for the tests of the office."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

PLAYERS = {
    "1": ("Alpha, Anna", "w", "1990-01-05", "701"),
    "2": ("Bravo, Ben", "m", "1985-03-07", "702"),
    "3": ("Charlie, Chris", "m", "1999-09-09", "703"),
    "4": ("Delta, Dora", "w", "2001-12-24", "704"),
    "5": ("Echo, Emil", "m", "1970-06-30", "705"),
    "6": ("Foxtrot, Fay", "w", "2008-02-29", "706"),
}


def document(
    name: str = "Invented Open",
    day: str = "2026-01-10",
    results: dict[tuple[str, str], str] | None = None,
    players: dict[str, tuple[str, str, str, str]] | None = None,
    **event: object,
) -> dict[str, Any]:
    """A round robin in one day; ``results`` sets single ones, all others are draws."""
    people = PLAYERS if players is None else players
    ids = list(people)
    games = []
    for number, (one, other) in enumerate(
        ((a, b) for i, a in enumerate(ids) for b in ids[i + 1 :]), 1
    ):
        result = (results or {}).get((one, other), "1/2-1/2")
        games.append({"round": number, "white": one, "black": other, "result": result})
    return {
        "ratingbook": "report/1",
        "event": {"name": name, "place": "Nowhere", "start": day, "end": day, **event},
        "players": [
            {"id": key, "name": n, "federation": "IRL", "sex": sex, "birth_date": born,
             "ids": {"national": number}}
            for key, (n, sex, born, number) in people.items()
        ],
        "games": games,
    }  # fmt: skip


def write(folder: Path, name: str, said: Mapping[str, Any] | Sequence[Any]) -> Path:
    """A report, or players, as a file."""
    path = folder / name
    path.write_text(json.dumps(said), "utf-8")
    return path
