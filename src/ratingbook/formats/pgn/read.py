"""A PGN file becomes a report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from ratingbook.formats.pgn.event import event_names, event_of
from ratingbook.formats.pgn.games import (
    PgnGame,
    check_moves,
    game_of,
    once_each,
    with_players,
)
from ratingbook.formats.pgn.players import Players
from ratingbook.formats.pgn.scan import RawGame, scan
from ratingbook.formats.tools.notes import Notes, Remark, answer
from ratingbook.formats.tools.text import Decoded, Line
from ratingbook.model import Colour, Entry, Finding, Findings, Game, Place, Report, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

NO_GAMES = Remark(
    "pgn.no-games",
    Severity.WARNING,
    "The file holds byes only",
    "Export the games again after the results were entered.",
)
NO_PLAYERS = Finding(
    "pgn.no-players",
    Severity.FATAL,
    sentence("The file has no game with two players."),
    remedy=sentence("Export the games as PGN, each with the tags White, Black and Result."),
)

_LOOKED_AT = 500
"""How many lines are looked at to find out what a file is."""
_ROSTER = pattern(r'\s*\[\s*(?:Event|Site|Date|Round|White|Black|Result)\s*"', re.IGNORECASE)


def looks_like_pgn(lines: Iterable[Line]) -> bool:
    """Whether one of the tags that every game has begins a line."""
    return any(_ROSTER.match(line.text) for line in islice(lines, _LOOKED_AT))


def read_pgn(decoded: Decoded) -> tuple[Report | None, Findings]:
    """The report of a decoded file, with everything that was noticed.

    The report is None where nothing could be read; where the findings refuse it,
    it holds what could be understood.
    """
    return answer(decoded.lines, decoded.findings, _report)


def _report(lines: Sequence[Line], notes: Notes) -> Report | Finding:
    return report_of(scan(lines, notes), notes)


def report_of(raw: list[RawGame], notes: Notes) -> Report | Finding:
    """The report of the games of a file, or why there is none."""
    pgn = with_players(raw, notes)
    if not pgn:
        return NO_PLAYERS
    players = Players(((side, game.raw.place) for game in pgn for side in game.sides), notes)
    entries, ratings = players.entries(
        ((side, game.raw.place, game.event) for game in pgn for side in game.sides), notes
    )
    several = len(event_names(pgn)) > 1
    read = []
    for each in pgn:
        game = game_of(each, _ids(each, players), notes)
        if game:
            read.append((each, _with_ratings(each, game, ratings, several)))
    check_moves(read, notes)
    games = tuple(once_each(read, notes))
    if not any(game.black for game in games):
        notes.add(NO_GAMES, sentence("{n} byes", n=len(games)), Place())
    event = event_of([each for each, _ in read] or pgn, games, notes)
    return Report(event, _in_order(entries), games)


def _ids(game: PgnGame, players: Players) -> tuple[str | None, str | None]:
    white, black = game.white, game.black
    return players.id_of(white) if white else None, players.id_of(black) if black else None


def _with_ratings(game: PgnGame, read: Game, ratings: dict[str, int], several: bool) -> Game:
    """The game with its event, and with ratings where they are not those of the entries."""
    sides = {Colour.WHITE: game.white or game.black, Colour.BLACK: game.black}
    own = {
        colour: side.rating
        for colour, side in sides.items()
        if side and side.rating and side.rating != ratings.get(read.player(colour) or "")
    }
    return replace(
        read,
        event=(game.event or None) if several else None,
        white_rating=own.get(Colour.WHITE),
        black_rating=own.get(Colour.BLACK) if read.black else None,
    )


def _in_order(entries: dict[str, Entry]) -> tuple[Entry, ...]:
    return tuple(entries.values())
