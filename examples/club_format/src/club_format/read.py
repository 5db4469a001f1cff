"""A club's notes become a report."""

import re
from datetime import date

from ratingbook.formats.tools.notes import Notes, Remark, answer
from ratingbook.formats.tools.text import Decoded, Line
from ratingbook.model import (
    Entry,
    Event,
    Findings,
    Game,
    Place,
    Report,
    Result,
    Severity,
    Standing,
)

UNKNOWN = Remark(
    "club-notes.line",
    Severity.ERROR,
    "A line is neither a player nor a game",
    "Write a player as 1 Name 1500, a game as 1-2 and the result: +, = or -.",
)
STRANGER = Remark(
    "club-notes.number",
    Severity.ERROR,
    "A game names a number that no player has",
    "Write a line for the player, or correct the number.",
)
_TITLE = "Club evening "
_PLAYER = re.compile(r"(\d+) (.+) (\d+|new)")
_GAME = re.compile(r"(\d+)-(\d+) ([+=-])")
RESULTS = {"+": Result.WHITE_WINS, "=": Result.DRAW, "-": Result.BLACK_WINS}


def looks_like_notes(lines: tuple[Line, ...]) -> bool:
    """Whether the first line is the title of an evening."""
    return bool(lines) and _day(lines[0]) is not None


def read_notes(decoded: Decoded) -> tuple[Report | None, Findings]:
    """The evening, and what was not understood."""
    return answer(decoded.lines, decoded.findings, _read)


def _read(lines: tuple[Line, ...], notes: Notes) -> Report:
    entries: dict[str, Entry] = {}
    games = []
    title, *rest = lines
    day = _day(title)
    for line in rest:
        text, place = line.text.strip(), Place(line=line.number)
        if player := _PLAYER.fullmatch(text):
            number, name, rating = player.groups()
            standing = None if rating == "new" else Standing(rating=int(rating))
            entries[number] = Entry(number, name, standing=standing, place=place)
        elif game := _GAME.fullmatch(text):
            white, black, result = game.groups()
            if white in entries and black in entries:
                games.append(Game(white, black, RESULTS[result]))
            else:
                notes.add(STRANGER, text, place)
        elif text:
            notes.add(UNKNOWN, text, place)
    event = Event(name="Club evening", start=day, end=day)
    return Report(event, tuple(entries.values()), tuple(games))


def _day(title: Line) -> date | None:
    text = title.text.strip()
    try:
        return date.fromisoformat(text.removeprefix(_TITLE)) if text.startswith(_TITLE) else None
    except ValueError:
        return None
