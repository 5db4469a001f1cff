"""An h9 file becomes a report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from ratingbook.formats.go import common
from ratingbook.formats.go.h9.cells import is_result
from ratingbook.formats.go.h9.games import NO_HANDICAP, read_games
from ratingbook.formats.go.h9.header import is_comment, is_header, read_header
from ratingbook.formats.go.h9.lines import Columns, Table, graded, read_lines, without_comment
from ratingbook.formats.tools.notes import Notes, Remark, answer
from ratingbook.formats.tools.text import Decoded, Line
from ratingbook.model import Event, Finding, Findings, Game, Place, Report, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

NO_GAMES = Remark(
    "h9.no-games",
    Severity.WARNING,
    "The report holds no game",
    "Export the report again after the results were entered.",
)
NO_PLAYERS = Finding(
    "h9.no-players",
    Severity.FATAL,
    sentence("The file has no player's line."),
    remedy=sentence("Export the result table again from the tournament program."),
)

LOOKED_AT = 500
"""How many lines are looked at to find out what a file is."""
_LONGEST = 2_000
_COLUMNS = Columns(register=None, usual=6)
_RESULT = pattern(r"[0-9]{1,4}(?:[-+=?][/!]([wb?][0-9]{0,2})?|[-+])", re.IGNORECASE)


def looks_like_h9(lines: Iterable[Line]) -> bool:
    """Whether the lines are an h9 file: a header, or a grade and a result in one line."""
    return any(is_header(line) or _is_player(line) for line in islice(lines, LOOKED_AT))


def _is_player(line: Line) -> bool:
    """Whether the line has a grade, behind it results, and nothing behind these."""
    if is_comment(line) or len(line.text) > _LONGEST:
        return False
    words = without_comment(line.text).split()
    at = next((n for n, word in enumerate(words) if graded(word)), len(words))
    results = words[at + 1 :]
    return bool(results) and is_result(results[-1]) and any(map(_RESULT.fullmatch, results))


def read_h9(decoded: Decoded) -> tuple[Report | None, Findings]:
    """The report of a decoded file, with everything that was noticed.

    The report is None where nothing could be read; where the findings refuse it,
    it holds what could be understood.
    """
    return answer(decoded.lines, decoded.findings, _report)


def _report(lines: Sequence[Line], notes: Notes) -> Report | Finding:
    table = read_lines((line for line in lines if not is_comment(line)), _COLUMNS, notes)
    players = table.players
    if not players:
        return NO_PLAYERS
    first = min(player.line for player in players.values())
    header = read_header((line for line in lines if line.number < first or is_header(line)), notes)
    games = read_games(players, header.reduction, notes)
    named = header.reduction if header.reduction == NO_HANDICAP else None
    return report_of(replace(header.event, handicap_reduction=named), table, games, notes)


def report_of(event: Event, table: Table, games: tuple[Game, ...], notes: Notes) -> Report:
    """The report without its ghosts, and with a note if it has no game."""
    if not any(game.black for game in games):
        notes.add(NO_GAMES, sentence("all results are byes or blank"), Place())
    for player in table.players.values():
        if player.ghost:
            notes.add(common.GHOST, player.label, player.place())
    entries = tuple(player.entry() for player in table.players.values() if not player.ghost)
    return Report(replace(event, rounds=table.rounds or None), entries, games)
