"""``.tou``, the result table of the French Go federation.

It is an h9 table with other headers (``;name=``), with licence numbers instead of
countries and without criteria; ``/`` and ``!`` are dropped, so that forfeits look
like games.  A player's id is his place as text: a licence is no PIN.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from ratingbook.formats.go import common
from ratingbook.formats.go.h9.games import read_games
from ratingbook.formats.go.h9.header import Headers
from ratingbook.formats.go.h9.lines import Columns, read_lines
from ratingbook.formats.go.h9.read import LOOKED_AT, NO_PLAYERS, report_of
from ratingbook.formats.tools.dates import Order
from ratingbook.formats.tools.notes import Notes, Remark, answer
from ratingbook.formats.tools.text import Decoded, Line
from ratingbook.model import Event, Finding, Findings, Place, Report, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence
from ratingbook.rules.wording import counted

FORFEITS = Remark(
    "tou.forfeits",
    Severity.WARNING,
    "This format does not tell forfeits from games; all were taken as games",
    "If there were forfeits, send the h9 file of the same event instead.",
)
LICENCES = Remark(
    "tou.licences",
    Severity.INFO,
    "Licence numbers of the French federation are no PINs; players are named by their places",
    "Send the h9 file with PINs, or identify the players by hand.",
)
UNKNOWN = Remark(
    "tou.unknown-header",
    Severity.INFO,
    "Headers that are not known were left out",
    "Nothing to do.",
    shown=12,
)
REPEATED = Remark(
    "tou.repeated",
    Severity.INFO,
    "A header is given more than once with different contents; the first one was used",
    "Delete the wrong one.",
)

_USED = frozenset("name date vill size time ta komi".split())
_SILENT = frozenset("comm prog".split())
_HEADER = pattern(r"\s*;\s*(?P<key>[A-Za-z]{2,12})\s*=(?P<content>.*)")
_COLUMNS = Columns(register="ffg", usual=2)
_GRADE = pattern(r"\s[0-9]{1,2}(?:K(?:YU)?|D(?:AN)?|P(?:RO)?)\s", re.IGNORECASE)
_RESULT = pattern(r"\s[0-9]{1,4}[-+=][wb][0-9]{0,2}(?!\S)", re.IGNORECASE)
_LONGEST = 2_000


def looks_like_tou(lines: Iterable[Line]) -> bool:
    """Whether the lines are a ``.tou`` file: a header, or a grade and results without stroke."""
    for line in islice(lines, LOOKED_AT):
        match = _HEADER.match(line.text)
        if match and match["key"].lower() in _USED | _SILENT:
            return True
        text = line.text[:_LONGEST]
        if not _is_comment(line) and _GRADE.search(text) and _RESULT.search(text):
            return True
    return False


def read_tou(decoded: Decoded) -> tuple[Report | None, Findings]:
    """The report of a decoded file, with everything that was noticed.

    The report is None where nothing could be read; where the findings refuse it,
    it holds what could be understood.
    """
    return answer(decoded.lines, decoded.findings, _report)


def _is_comment(line: Line) -> bool:
    return line.text.lstrip().startswith(";")


def _report(lines: Sequence[Line], notes: Notes) -> Report | Finding:
    table = read_lines((line for line in lines if not _is_comment(line)), _COLUMNS, notes)
    players = table.players
    if not players:
        return NO_PLAYERS
    event = _event(lines, notes)
    # What the headers do not say is not said by the results either: they name every handicap.
    games = read_games(players, None, notes)
    if any(game.black for game in games):
        notes.add(FORFEITS, counted(sum(bool(game.black) for game in games), "game"), Place())
    licensed = sum("ffg" in player.ids for player in players.values())
    if licensed:
        notes.add(LICENCES, sentence("{licensed} licences", licensed=licensed), Place())
    return report_of(event, table, games, notes)


def _event(lines: Iterable[Line], notes: Notes) -> Event:
    headers = Headers(_USED, _SILENT, UNKNOWN, REPEATED, notes)
    for line in lines:
        if match := _HEADER.match(line.text):
            headers.keep(match["key"].lower(), match["content"], line.number)
    start, end = common.event_dates(
        headers.text("date"), "", headers.place("date"), notes, Order.DMY
    )
    notes.add(common.NO_CLASS, sentence("the format has no header for it"), Place())
    if headers.text("size") not in ("", common.BOARD):
        notes.add(common.BOARD_SIZE, headers.text("size"), headers.place("size"))
    adjusted = headers.text("ta")
    time_control = f"TA {adjusted}" if adjusted else headers.text("time") or None
    return Event(
        name=headers.text("name") or None,
        place=headers.text("vill") or None,
        start=start,
        end=end,
        kind=common.KIND,
        time_control=time_control,
        komi=common.komi(headers.text("komi"), headers.place("komi"), notes),
    )
