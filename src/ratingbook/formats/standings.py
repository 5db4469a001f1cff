"""Standings as a list maker gets them: the output of ``rate``, a report, or a players file."""

from __future__ import annotations

import json
from typing import Any

from ratingbook.formats.players import read_players
from ratingbook.model import Findings
from ratingbook.rules.listing import Member

_OF_A_PLAYER = ("id", "name", "federation", "title", "sex", "standing", "history")


def read_standings(
    text: str, standing_fields: frozenset[str] = frozenset()
) -> tuple[list[Member], Findings]:
    """The players of the file with their standings.

    In the output of ``rate`` each row brings the games of the period.
    """
    period_games: dict[str, int] = {}
    if text.lstrip()[:1] in ("{", "["):
        text = _without_rows(text, period_games)
    players, findings = read_players(text, standing_fields)
    members = [Member(entry, period_games.get(entry.id)) for entry in players.values()]
    return members, findings


def _without_rows(text: str, period_games: dict[str, int]) -> str:
    """The text with rows of ``rate`` turned into players; other JSON stays as it is."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(data, dict) or "rulebook" not in data:
        return text
    players: list[Any] = []
    for row in data.get("players") or []:
        if not isinstance(row, dict):
            return text
        players.append({key: row[key] for key in _OF_A_PLAYER if row.get(key) is not None})
        if isinstance(row.get("games"), int):
            period_games[str(row.get("id"))] = row["games"]
    return json.dumps({"players": players})
