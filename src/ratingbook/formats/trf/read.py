"""A TRF file becomes a report."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ratingbook.formats.notes import Kind, Notes, answer
from ratingbook.formats.text import Decoded, Line
from ratingbook.formats.trf.event import read_header
from ratingbook.formats.trf.games import read_games
from ratingbook.formats.trf.players import PlayerLine, read_player
from ratingbook.formats.trf.records import Records, sort_records
from ratingbook.formats.trf.totals import check_totals
from ratingbook.model import Entry, Finding, Findings, Place, Report, Severity, Standing

DUPLICATE = Kind(
    "trf.duplicate",
    Severity.ERROR,
    "Two players have the same starting rank",
    "Give every player a number of his own; the opponents refer to it.",
    each=True,
)
NO_GAMES = Kind(
    "trf.no-games",
    Severity.WARNING,
    "The report holds no game",
    "Export the report again after the results were entered.",
)
NO_PLAYERS = Finding(
    "trf.no-players",
    Severity.FATAL,
    "The file has no player's line (record 001).",
    remedy="Export the report as TRF from the tournament program.",
)

_PLAYER = re.compile(r"\s*001 [ 0-9]{3}[0-9](?:\s|$)")
_HEADER = re.compile(r"(?:0[1-9]2|XXR)(?![0-9])")


def looks_like_trf(lines: Iterable[Line]) -> bool:
    """Whether the lines are a TRF file: a player's line, or two header records."""
    headers = 0
    for line in lines:
        headers += _HEADER.match(line.text) is not None
        if headers >= 2 or _PLAYER.match(line.text):
            return True
    return False


def read_trf(decoded: Decoded) -> tuple[Report | None, Findings]:
    """The report of a decoded file, with everything that was noticed.

    The report is None where nothing could be read; where the findings refuse it,
    it holds what could be understood.
    """
    return answer(decoded.lines, decoded.findings, _report)


def _players(records: Records, notes: Notes) -> dict[int, PlayerLine]:
    """The players by starting rank; of two with the same, the first."""
    players: dict[int, PlayerLine] = {}
    for line in records.players:
        player = read_player(line, notes)
        if player is None:
            continue
        first = players.setdefault(player.rank, player)
        if first is not player:
            what = f"{first.label} (line {first.line}) and {player.label} (line {player.line})"
            notes.add(DUPLICATE, what, player.place())
    return dict(sorted(players.items()))


def _report(lines: Iterable[Line], notes: Notes) -> Report | Finding:
    records = sort_records(lines, notes)
    players = _players(records, notes)
    if not players:
        return NO_PLAYERS
    header = read_header(records, notes)
    games = read_games(players, header.rounds, notes)
    if not any(game.black for game in games):
        notes.add(NO_GAMES, "all results are blank or byes", Place())
    check_totals(records, players.values(), notes)
    return Report(header.event, tuple(map(_entry, players.values())), games)


def _entry(player: PlayerLine) -> Entry:
    return Entry(
        id=player.id,
        name=player.name,
        federation=player.federation,
        sex=player.sex,
        birth_date=player.birth_date,
        standing=Standing(rating=player.rating) if player.rating else None,
        place=player.place(),
    )
