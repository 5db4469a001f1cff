"""Standings as a list maker gets them: output of ``rate``, a report, a players file, a list."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ratingbook.formats import UNKNOWN_FORMAT, read, read_text
from ratingbook.formats.columnar import as_document
from ratingbook.formats.document.keys import NO_KEYS
from ratingbook.formats.files import is_json
from ratingbook.formats.lists import looks_like_list, read_entries
from ratingbook.formats.players import is_players_file, is_ratings, output_of_rate, read_players
from ratingbook.model import Findings
from ratingbook.rules.listing import Member


def read_standings(
    path: Path, standing_fields: Mapping[str, type] = NO_KEYS
) -> tuple[list[Member], str | None, Findings]:
    """The players of the file with their standings, and the edition that rated them.

    The edition is known in the output of ``rate`` only, which also brings the games
    of the period.  Any file of a report will do as well.
    """
    if looks_like_list(path):
        entries, findings = read_entries(path)
        return [Member(entry) for entry in entries], None, findings
    text, findings = as_document(path), Findings()
    if text is None:
        text, findings = read_text(path)
    if text is None:
        return [], None, findings
    reading = None if _holds_players(text) else read(path, standing_fields)
    # What is of no format of reports is told what a table of players has to have.
    if reading and any(each.code == UNKNOWN_FORMAT for each in reading.findings):
        reading = None
    # A cross table begins like a table of players in other words, and is a report first.
    if reading and (reading.report or not is_players_file(text.lstrip().partition("\n")[0])):
        report = reading.report
        return [Member(entry) for entry in report.entries] if report else [], None, reading.findings
    players, more = read_players(text, standing_fields)
    findings.extend(more)
    rulebook, games = output_of_rate(text)
    members = [Member(entry, games.get(entry.id)) for entry in players.values()]
    return members, rulebook, findings


def _holds_players(text: str) -> bool:
    """Whether it is JSON, or a table with a column ``id``."""
    if is_json(text.encode()):
        return True
    first = text.lstrip().partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    header = {name.strip().strip('"') for name in first.split(delimiter)}
    return "id" in header or is_ratings(header)
