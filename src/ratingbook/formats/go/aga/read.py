"""An AGA file becomes a report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from ratingbook.formats.go import common
from ratingbook.formats.go.aga.games import GameLine, read_games
from ratingbook.formats.tools.dates import Order
from ratingbook.formats.tools.notes import Notes, Remark, answer
from ratingbook.formats.tools.text import Decoded, Line
from ratingbook.model import Entry, Event, Finding, Findings, Place, Report, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

PLAYER = Remark(
    "aga.player",
    Severity.ERROR,
    "A line below PLAYERS is not that of a player",
    "Write number, name and rank: 489 Doe, Jo 4k.",
    each=True,
)
GAME = Remark(
    "aga.game",
    Severity.ERROR,
    "A line below GAMES is not that of a game",
    "Write the number of White, that of Black, w or b, the handicap and the komi: 12 34 w 0 7.",
    each=True,
)
RANK = Remark(
    "aga.rank",
    Severity.INFO,
    "Ratings stand in place of ranks; the rank is the rating without its decimals",
    "Nothing to do.",
)
TEMPORARY = Remark(
    "aga.temporary",
    Severity.INFO,
    "Players have temporary numbers, from 90000 on or with the letters TMP",
    "Identify these players before their games are rated.",
)
TEXT = Remark(
    "aga.text",
    Severity.INFO,
    "Lines before TOURNEY, below it or behind END were not read",
    "Nothing to do, unless they hold games.",
)
UNKNOWN = Remark(
    "aga.unknown",
    Severity.INFO,
    "Behind the rank of players stands what is not known; it was left out",
    "Nothing to do.",
)
REPEATED = Remark(
    "aga.repeated",
    Severity.INFO,
    "The event is described more than once; the first description was used",
    "Send one file for each event.",
)
NO_PLAYERS = Finding(
    "aga.no-players",
    Severity.FATAL,
    sentence("The file has no player below the word PLAYERS."),
    remedy=sentence("Send the whole file: TOURNEY, PLAYERS, GAMES."),
)
NO_GAMES = Remark(
    "aga.no-games",
    Severity.WARNING,
    "The report holds no game",
    "Send the file again with the games below the word GAMES.",
)

LOOKED_AT = 2_000
"""How many lines are looked at to find out what a file is."""
LONGEST = 2_000
"""The longest line, in characters, that is of a player, a game or a section."""

_SECTION = pattern(
    r"\s*(?:(?P<tourney>tourney|tournament)\b[\s:]*(?P<name>.*)"
    r"|(?P<players>players)\s*+:?\s*+(?:\(.*)?"
    r"|(?P<games>games)\b\s*+(?:round\b)?\s*+(?P<round>[0-9]{1,4})?\s*+:?\s*+(?:\(.*)?"
    r"|(?P<end>end))\s*",
    re.IGNORECASE,
)
_PLAYER = pattern(r"\s*(?P<id>[A-Z]{0,3}[0-9]{1,6})[\s,]+(?P<rest>\S.*)", re.IGNORECASE)
_GAME = pattern(
    r"\s*(?P<white>[A-Z]{0,3}[0-9]{1,6})[\s,]+(?P<black>[A-Z]{0,3}[0-9]{1,6})[\s,]+(?P<rest>\S.*)",
    re.IGNORECASE,
)
_KEY = pattern(r"\s*(?P<key>[A-Za-z]{2,12})\s*=\s*(?P<content>.*)")
_RATING = pattern(r"[-+]?([0-9]{1,2})\.[0-9]+")
_GRADE = pattern(r"[0-9]{1,2}(?:k(?:yu)?|d(?:an)?|p(?:ro)?)", re.IGNORECASE)
_CLUB = pattern(r"club=(?P<club>\S*)", re.IGNORECASE)
_COLUMNS = pattern(r"\s*+[\w.]++[^\S\t]*+[,;\t|]\s*+[\w.]++(?:\s*+$|[^\S\t]*+[,;\t|])")
_HEADINGS = pattern(
    r"\s*(?:white|black|winner|result|handicap|hcp|komi|aga|id|no|number|name|player|last|first|rank|"
    r"rating|strength|club|chapter|country|#|[\s,;:/()-])+\s*",
    re.IGNORECASE,
)
"""A line that names the columns below it, as the association's template has one."""
_COMMENT = "#"
_LONGEST_HEADINGS = 80
UNKNOWN_RANK = "?"
MAX_ROUND = 9_999
_DATES = {"start": "start", "finish": "finish", "end": "finish", "finished": "finish"}
_LOCATIONS = frozenset({"location", "place", "city", "venue"})
_SILENT = frozenset({"rules"})
"""Every reader of the file knows that they are there; ratings do not depend on them."""


def looks_like_aga(lines: Iterable[Line]) -> bool:
    """Whether the lines have the word PLAYERS, and the word TOURNEY or GAMES, as headings.

    A line of names of columns below a heading is that of a table.
    """
    found = set()
    headed = False
    for line in islice(lines, LOOKED_AT):
        match = _SECTION.fullmatch(line.text) if len(line.text) <= LONGEST else None
        if headed and _COLUMNS.match(line.text):
            return False
        headed = match is not None
        if match:
            found |= {name for name in ("tourney", "players", "games") if match[name]}
        if {"players", "tourney"} <= found or {"players", "games"} <= found:
            return True
    return False


def read_aga(decoded: Decoded) -> tuple[Report | None, Findings]:
    """The report of a decoded file, with everything that was noticed.

    The report is None where nothing could be read; where the findings refuse it,
    it holds what could be understood.
    """
    return answer(decoded.lines, decoded.findings, _report)


@dataclass(slots=True)
class _Sections:
    """The lines of a file by the section in which they stand."""

    name: Line | None
    event: list[Line]
    players: list[Line]
    games: list[tuple[int | None, Line]]
    """Each with the round of its section."""


def _report(lines: Sequence[Line], notes: Notes) -> Report | Finding:
    sections = _sections(lines, notes)
    entries = _entries(sections.players, notes)
    if not entries:
        return NO_PLAYERS
    games, komi = read_games(_game_lines(sections.games, notes), entries, notes)
    if not games:
        notes.add(NO_GAMES, sentence("nothing stands below GAMES"), Place())
    rounds = max((game.round or 0 for game in games), default=0)
    event = replace(_event(sections, notes), komi=komi, rounds=rounds or None)
    return Report(event, tuple(entries.values()), games)


def _sections(lines: Iterable[Line], notes: Notes) -> _Sections:
    sections = _Sections(None, [], [], [])
    section = ""
    number = None
    for line in lines:
        text = line.text.partition(_COMMENT)[0]
        match = _SECTION.fullmatch(text) if len(text) <= LONGEST else None
        if match:
            section = next(n for n in ("tourney", "players", "games", "end") if match[n])
            if section == "tourney":
                _name_event(sections, Line(line.number, match["name"].strip()), notes)
            number = common.number(match["round"] or "") or None
        elif not text.strip() or _names_columns(text):
            continue
        elif section == "tourney":
            sections.event.append(Line(line.number, text))
        elif section == "players":
            sections.players.append(Line(line.number, text))
        elif section == "games":
            sections.games.append((number, Line(line.number, text)))
        else:
            notes.add(TEXT, _shown(text), Place(line=line.number))
    return sections


def _names_columns(text: str) -> bool:
    return len(text) <= _LONGEST_HEADINGS and _HEADINGS.fullmatch(text) is not None


def _name_event(sections: _Sections, name: Line, notes: Notes) -> None:
    if sections.name is None:
        sections.name = name
    else:
        notes.add(REPEATED, _shown(name.text), Place(line=name.number))


def _shown(text: str) -> str:
    return text.strip()[:60]


def number_of(text: str) -> str:
    """A player's number without zeros before it and without the letters of members (USA)."""
    letters = text.rstrip("0123456789").upper()
    digits = text[len(letters) :].lstrip("0") or "0"
    return digits if letters in ("", "USA") else f"{letters}{digits}"


def _entries(lines: Iterable[Line], notes: Notes) -> dict[str, Entry]:
    """The players by number."""
    entries: dict[str, Entry] = {}
    for line in lines:
        entry = _entry(line, notes)
        if entry is None:
            notes.add(PLAYER, _shown(line.text), Place(line=line.number))
        elif entry.id in entries:
            first = entries[entry.id]
            notes.add(
                common.DUPLICATE,
                sentence(
                    "{name} and {other}: {player}",
                    name=first.name,
                    other=entry.name,
                    player=entry.id,
                ),
                entry.place,
            )
        else:
            entries[entry.id] = entry
    return entries


def _entry(line: Line, notes: Notes) -> Entry | None:
    match = _PLAYER.fullmatch(line.text) if len(line.text) <= LONGEST else None
    if match is None:
        return None
    player = number_of(match["id"])
    place = Place(line=line.number, player=player)
    words = match["rest"].split()
    at = next((n for n in reversed(range(len(words))) if _is_rank(words[n])), len(words))
    name = common.full_name(*" ".join(words[:at]).rstrip(",").partition(",")[::2])
    if not name:
        notes.add(common.NAME, player, place)
    if common.aga(player) is None:
        notes.add(TEMPORARY, f"{player} {name}".strip(), place)
    return Entry(
        id=player,
        name=name,
        grade=_grade(
            words[at] if at < len(words) else "", f"{player} {name}".strip(), place, notes
        ),
        club=_club(words[at + 1 :], place, notes),
        ids=common.ids_elsewhere(aga=common.aga(player)),
        place=place,
    )


def _is_rank(word: str) -> bool:
    return word == UNKNOWN_RANK or any(kind.fullmatch(word) for kind in (_GRADE, _RATING))


def _grade(written: str, label: str, place: Place, notes: Notes) -> str | None:
    rating = _RATING.fullmatch(written)
    if rating:
        notes.add(RANK, f"{label}: {written}", place)
    grade = common.grade(
        f"{rating[1]}{'k' if written.startswith('-') else 'd'}" if rating else written
    )
    if grade is None:
        notes.add(common.GRADE, f"{label}: {written or 'nothing'}", place)
    return grade


def _club(words: Iterable[str], place: Place, notes: Notes) -> str | None:
    """The club behind the rank; what else is there is noted."""
    club = None
    for word in words:
        if match := _CLUB.fullmatch(word):
            club = match["club"].replace("_", " ").strip() or club
        else:
            notes.add(UNKNOWN, _shown(word), place)
    return club


def _game_lines(lines: Iterable[tuple[int | None, Line]], notes: Notes) -> Iterable[GameLine]:
    for number, line in lines:
        match = _GAME.fullmatch(line.text) if len(line.text) <= LONGEST else None
        place = Place(line=line.number, round=number)
        if match is None:
            notes.add(GAME, _shown(line.text), place)
            continue
        white, black = number_of(match["white"]), number_of(match["black"])
        yield GameLine(white, black, re.split(r"[\s,]+", match["rest"].strip()), number, place)


def _event(sections: _Sections, notes: Notes) -> Event:
    """The event: what stands before the first comma is its name, what stands behind it where."""
    name, _, where = (sections.name.text if sections.name else "").partition(",")
    place = Place(line=sections.name.number) if sections.name else Place()
    dates = {"start": "", "finish": ""}
    location = ""
    for line in sections.event:
        match = _KEY.fullmatch(line.text)
        key = match["key"].lower() if match else ""
        if match and key in _DATES:
            dates[_DATES[key]] = match["content"].strip()
        elif match and key in _LOCATIONS:
            location = location or match["content"].strip()
        elif key not in _SILENT:
            notes.add(TEXT, _shown(line.text), Place(line=line.number))
    start, end = common.event_dates(dates["start"], dates["finish"], place, notes, Order.MDY)
    notes.add(common.NO_CLASS, sentence("the format has no place for it"), place)
    return Event(
        name=name.strip() or None,
        place=where.strip(" ,") or location.strip(" ,") or None,
        start=start,
        end=end,
        kind=common.KIND,
    )
