"""The cross table of US Chess as text: two lines or more for each player.

The first line has pairing number, name, points and a result for each round; the
second the member number, the rating before and after, and the colours.
``1641P17`` is a rating based on 17 games; without P it is established.  Further
lines give the ratings in other systems.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ratingbook.formats.tools.notes import Notes, Remark, answer
from ratingbook.formats.tools.text import Decoded, Line
from ratingbook.formats.uschess.games import section_games
from ratingbook.formats.uschess.rows import (
    CODES,
    DOUBLE,
    FEDERATION,
    Cell,
    Dates,
    Row,
    entries,
    with_ids,
)
from ratingbook.model import (
    Event,
    Finding,
    Findings,
    Game,
    Place,
    Report,
    Severity,
    Standing,
    StandingStatus,
)
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

MAX_ROWS: Final = 20_000
MAX_ROUNDS: Final = 100
"""No cross table has more."""
_POOLS = {"R": "regular", "Q": "quick", "B": "blitz"}
_POINTS = {"W": 1.0, "B": 1.0, "X": 1.0, "D": 0.5, "H": 0.5}

TEXT = Remark(
    "uschess.text",
    Severity.INFO,
    "Lines outside of the table were not read",
    "Name, place and dates of the event are missing in the report; add them if they matter.",
)
LONE_LINE = Remark(
    "uschess.line",
    Severity.ERROR,
    "A line of the table belongs to no player",
    "Copy the whole table: each player's first line begins with the pairing number.",
    each=True,
)
LONG_LINE = Remark(
    "uschess.rounds",
    Severity.ERROR,
    f"A player's line has more than {MAX_ROUNDS} rounds",
    "Look whether the line ends were lost when the table was copied.",
    each=True,
)
RESULT = Remark(
    "uschess.result",
    Severity.ERROR,
    "A result was not understood",
    "Write W, L or D and the opponent's pairing number, or H, B, U, X, F.",
    each=True,
)
RATING = Remark(
    "uschess.rating",
    Severity.ERROR,
    "A player's second line was not understood",
    "Write it as 12345678 / R: 1641P17->1657P24, with Unrated for a player without rating.",
    each=True,
)
SYSTEM = Remark(
    "uschess.system",
    Severity.WARNING,
    "Ratings in systems that are none of R, Q and B were left out",
    "Look whether the ratings are of the right system.",
)
AFTER = Remark(
    "uschess.after",
    Severity.INFO,
    "The ratings after the event were not used",
    "Compare them with the ratings that come out.",
)
POINTS = Remark(
    "uschess.points",
    Severity.WARNING,
    "The points are not the sum of the results",
    "Look whether a result is missing or wrong.",
)
NO_GAMES = Remark(
    "uschess.no-games",
    Severity.WARNING,
    "The table holds no game",
    "Copy the table again after the results were entered.",
)
NO_PLAYERS = Finding(
    "uschess.no-players",
    Severity.FATAL,
    sentence("The table has no player."),
    remedy=sentence("Copy the cross table of one event, with its players."),
)

_HEADER = pattern(r"\s*(Pair\s*\|\s*Player Name|Num\s*\|\s*US)", re.IGNORECASE)
_RULER = pattern(r"[\s|=_-]*")
_SECTION = pattern(r"\s*Section\s+([0-9]{1,3})(?:\s*[-:]\s*|\s+|$)(.*)", re.IGNORECASE)
_FIRST = pattern(r"\s*0*([1-9][0-9]{0,4})\s*\|")
_FURTHER = pattern(r"\s*+[A-Za-z]{0,3}\s*+\|")
_SECOND_LINE = pattern(r"[^|]{0,12}\|\s*[0-9]{8}\s*/\s*[A-Z]{1,2}\s*:")
_MEMBER = pattern(r"\s*+([0-9]*+)\s*+(?:/\s*(.*))?")
_RATING = pattern(
    r"(?P<system>[A-Z]{1,3})\s*:\s*(?P<rating>[0-9]{1,4}|UNR[A-Z.]*)\s*+(?:P\s*(?P<games>[0-9]{1,2}))?"
    r"\s*+(?P<after>->\s*+(?:[0-9]{1,4}|UNR[A-Z.]*)?\s*+(?:P\s*[0-9]{1,2})?)?"
)
_CELL = pattern(r"([A-Z$#%])\s*+([0-9]{0,4})\s*+-*")
_NUMBER = pattern(r"[0-9]{1,3}(?:\.[0-9])?")


@dataclass(slots=True)
class _Lines:
    """The lines of one player, split into columns."""

    section: int
    number: int
    first: list[str]
    further: list[tuple[int, list[str]]] = field(default_factory=list)
    """The lines after the first, each with its number."""

    @property
    def pair(self) -> int:
        return int(self.first[0])

    @property
    def name(self) -> str:
        return self.first[1]

    @property
    def points(self) -> float | None:
        """The points as printed; None where there are none."""
        text = self.first[2] if len(self.first) > 2 else ""
        return float(text) if _NUMBER.fullmatch(text) else None

    @property
    def label(self) -> str:
        return f"{self.pair} {self.name}".rstrip()


@dataclass(slots=True)
class _Tables:
    """The players of all sections, and the sections' names by number."""

    players: list[_Lines] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    """As written; nothing where a section has no name."""

    def section_names(self) -> list[str]:
        """A name of its own for each section; nothing for a single one without."""
        if len(self.names) == 1:
            return self.names
        count = Counter(self.names)
        return [
            name if name and count[name] == 1 else f"{name} ({n})" if name else f"Section {n}"
            for n, name in enumerate(self.names, 1)
        ]


def looks_like_cross_table(lines: Iterable[Line]) -> bool:
    """Whether the lines hold a cross table of US Chess."""
    return any(_HEADER.match(line.text) or _SECOND_LINE.match(line.text) for line in lines)


def read_cross_table(decoded: Decoded) -> tuple[Report | None, Findings]:
    """The report of a decoded file, with everything that was noticed.

    The report is None where nothing could be read; where the findings refuse it,
    it holds what could be understood.
    """
    return answer(decoded.lines, decoded.findings, _report)


def _tables(lines: Iterable[Line], notes: Notes) -> _Tables:
    """The players' lines, section by section; a second heading may begin a section, or a page."""
    tables = _Tables()
    pairs: set[int] = set()
    after_heading = True
    for line in lines:
        text = line.text
        if _HEADER.match(text):
            after_heading = True
        elif first := _FIRST.match(text):
            if not tables.names or (after_heading and int(first[1]) in pairs):
                tables.names.append("")
                pairs = set()
            after_heading = False
            pairs.add(int(first[1]))
            tables.players.append(_Lines(len(tables.names) - 1, line.number, _columns(text)))
        elif _RULER.fullmatch(text):
            continue
        elif _FURTHER.match(text):
            if tables.players:
                tables.players[-1].further.append((line.number, _columns(text)))
            else:
                notes.add(LONE_LINE, text.strip()[:60], Place(line=line.number))
        elif section := _SECTION.fullmatch(text):
            tables.names.append(section[2].strip())
            pairs = set()
        else:
            kind = LONE_LINE if "|" in text else TEXT
            notes.add(kind, text.strip()[:60], Place(line=line.number))
    return tables


def _columns(text: str) -> list[str]:
    columns = [" ".join(column.split()) for column in text.split("|")]
    return columns[:-1] if len(columns) > 3 and not columns[-1] else columns


def _report(lines: Iterable[Line], notes: Notes) -> Report | Finding:
    tables = _tables(lines, notes)
    if not tables.players:
        return NO_PLAYERS
    if len(tables.players) > MAX_ROWS:
        return Finding(
            "uschess.too-large",
            Severity.FATAL,
            sentence(
                "The table has {n:,} players; at most {rows:,} are read.",
                n=len(tables.players),
                rows=MAX_ROWS,
            ),
            remedy=NO_PLAYERS.remedy,
        )
    systems: set[str] = set()
    names = tables.section_names()
    rows = with_ids(
        [_row(own, names[own.section], systems, notes) for own in tables.players], notes
    )
    by_section: dict[str, list[Row]] = {}
    for row in rows:
        by_section.setdefault(row.section, []).append(row)
    games = [game for own in by_section.values() for game in section_games(own, Dates(), notes)]
    if not any(game.black for game in games):
        notes.add(NO_GAMES, sentence("all results are byes or unplayed"), Place())
    pool = _POOLS.get(systems.pop()) if len(systems) == 1 else None
    event = Event(federation=FEDERATION, pool=pool, rounds=_rounds(tables.players, games))
    points = {(names[own.section], own.pair): own.points for own in tables.players}
    places = _places(by_section, points)
    players = (replace(each, rank=places.get(each.id)) for each in entries(rows, notes))
    return Report(event, tuple(players), tuple(games))


def _places(
    by_section: Mapping[str, Sequence[Row]], points: Mapping[tuple[str, int], float | None]
) -> dict[str, int]:
    """The places of players in the final table, by their ids, where a section's rows are one.

    A table in the order of the pairing numbers, as it hangs on the wall, is none; and who
    stands in two has no place that is his.
    """
    found: dict[str, list[int]] = {}
    for section, rows in by_section.items():
        totals = [points[section, row.pair] for row in rows]
        known = [total for total in totals if total is not None]
        falls = known == totals and known == sorted(known, reverse=True) and known[0] > known[-1]
        for place, row in enumerate(rows, 1):
            found.setdefault(row.member, []).append(place if falls else 0)
    return {player: own[0] for player, own in found.items() if len(own) == 1 and own[0]}


def _rounds(players: Iterable[_Lines], games: Iterable[Game]) -> int | None:
    """How many columns of rounds all players have; None where a round holds two games."""
    counts = {len(own.first) - 3 for own in players}
    rounds = counts.pop() if len(counts) == 1 else 0
    last = max((game.round or 0 for game in games), default=0)
    return rounds if max(last, 1) <= rounds <= MAX_ROUNDS else None


def _row(lines: _Lines, section: str, systems: set[str], notes: Notes) -> Row:
    """The row of a player; ``systems`` takes up the system of the event's ratings."""
    place = Place(line=lines.number, section=section or None)
    member, standings = _second_lines(lines, place, notes)
    system = next(iter(standings), None)
    if system:
        systems.add(system)
    row = Row(
        section=section,
        pair=lines.pair,
        member=member,
        name=lines.name,
        cells=_cells(lines, place, notes),
        standing=standings.get(system) if system else None,
        pools=_pools(standings, lines.label, place, notes),
        place=place,
    )
    _check_points(lines, row, notes)
    return row


def _second_lines(
    lines: _Lines, place: Place, notes: Notes
) -> tuple[str, dict[str, Standing | None]]:
    """The member number, and the ratings before the event by system."""
    member = ""
    standings: dict[str, Standing | None] = {}
    for line, columns in lines.further:
        text = columns[1].upper() if len(columns) > 1 else ""
        match = _MEMBER.fullmatch(text)
        number, rest = (match[1], match[2] or "") if match else ("", text)
        if number and line == lines.further[0][0]:
            member = number
        elif number:
            rest = text
        rating = _RATING.fullmatch(rest)
        if rating:
            standings.setdefault(rating["system"], _standing(rating))
            if rating["after"]:
                notes.add(AFTER, lines.label, place)
        elif rest:
            notes.add(RATING, f"{lines.label}: {text}", replace(place, line=line))
    return member, standings


def _standing(rating: re.Match[str]) -> Standing | None:
    if not rating["rating"].isdigit() or not int(rating["rating"]):
        return None
    if rating["games"] is None:
        return Standing(int(rating["rating"]), status=StandingStatus.ESTABLISHED)
    return Standing(int(rating["rating"]), int(rating["games"]), status=StandingStatus.PROVISIONAL)


def _pools(
    standings: Mapping[str, Standing | None], label: str, place: Place, notes: Notes
) -> dict[str, Standing]:
    """The ratings in other systems than the first."""
    pools = {}
    for index, (system, standing) in enumerate(standings.items()):
        if system not in _POOLS:
            notes.add(SYSTEM, f"{label}: {system}", place)
        elif index and standing:
            pools[_POOLS[system]] = standing
    return pools


def _cells(lines: _Lines, place: Place, notes: Notes) -> dict[int, Cell]:
    results = lines.first[3:]
    if len(results) > MAX_ROUNDS:
        notes.add(LONG_LINE, lines.label, place)
        return {}
    colours: Sequence[str] = lines.further[0][1][3:] if lines.further else ()
    cells = {}
    for number, text in _numbered(results):
        match = _CELL.fullmatch(text)
        if match is None or match[1] not in CODES:
            what = sentence(
                "{player} in round {number}: {text}", player=lines.label, number=number, text=text
            )
            notes.add(RESULT, what, replace(place, round=number))
            continue
        colour = colours[number - 1].upper() if number <= len(colours) else ""
        opponent = int(match[2] or 0)
        cells[number] = Cell(match[1], opponent, colour if colour in ("W", "B") else "")
    return cells


def _numbered(results: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The results that are not blank, with their rounds."""
    return ((number, text.upper()) for number, text in enumerate(results, 1) if text)


def _check_points(lines: _Lines, row: Row, notes: Notes) -> None:
    """Compare the points with the results, unless a code tells that a round has two games."""
    codes = [cell.code for cell in row.cells.values()]
    if lines.points is None or not DOUBLE.isdisjoint(codes):
        return
    counted = sum(_POINTS.get(code, 0.0) for code in codes)
    if counted != lines.points:
        what = sentence(
            "{player}: {first} printed, {counted:g} counted",
            player=row.label,
            first=lines.first[2],
            counted=counted,
        )
        notes.add(POINTS, what, row.place)
