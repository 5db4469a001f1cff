"""SwissSys's own files (.sjson): JSON with every section of an event.

A result is ``+;9;B;1;9;9;0``: what it was, the opponent's pairing number, the colour, the
board, and what the program keeps for itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from ratingbook.formats.tools.dates import calendar
from ratingbook.formats.tools.json_tree import Node, parsed
from ratingbook.formats.tools.notes import Notes, Remark, answer
from ratingbook.formats.uschess.games import section_games
from ratingbook.formats.uschess.rows import Cell, Dates, Row, entries, with_ids
from ratingbook.model import (
    Event,
    Finding,
    Findings,
    Place,
    Report,
    SectionHead,
    Severity,
    Standing,
    StandingStatus,
)
from ratingbook.model.sentences import sentence

RESULT = Remark(
    "uschess.result",
    Severity.ERROR,
    "A result was not understood",
    "Enter the result in the program, and save the file again.",
    each=True,
)
OPEN = Remark(
    "swisssys.open",
    Severity.WARNING,
    "Pairings have no result yet; they were left out",
    "Enter the results, and save the file again.",
)
PAIRING_NUMBER = Remark(
    "uschess.pairing-number",
    Severity.ERROR,
    "A player has no pairing number",
    "Pair the section again; the opponents refer to it.",
    each=True,
)
DATES = Remark(
    "event.dates",
    Severity.WARNING,
    "Dates of the event were not understood",
    "Write the first and the last day as year-month-day.",
)
ASIDE = Remark(
    "swisssys.aside",
    Severity.INFO,
    "Sections in which nobody has a result were left out",
    "Nothing to do, unless results are missing.",
)
NO_PLAYERS = Finding(
    "swisssys.no-players",
    Severity.FATAL,
    sentence("No section has players with results."),
    remedy=sentence("Save the event when results are entered."),
)

_CODES = {"+": "W", "-": "L", "=": "D", "X": "X", "F": "F", "H": "H", "B": "B", "U": "U"}
_OPEN = "~"
_MOST_ROUNDS = 100
_LONGEST_CELL = 60
_MOST_PLAYERS = 20_000
_ROUND_ROBIN = 3
_RATINGS = range(1, 4000)


def looks_like_swisssys(text: str) -> bool:
    """Whether a JSON text has the words of an event of SwissSys."""
    if not all(f'"{word}"' in text for word in ("Overview", "Sections")):
        return False
    # An event that was only opened has no section yet.
    return any(f'"{word}"' in text for word in ("Section name", "SwissSys"))


def read_swisssys(text: str) -> tuple[Report | None, Findings]:
    """Read the report; None where the findings say why it cannot be read."""
    return answer(*parsed(text), _report)


def _report(root: Node, notes: Notes) -> Report | Finding:
    rows: list[Row] = []
    heads: list[SectionHead] = []
    for number, section in enumerate(root.nodes("Sections"), 1):
        name = section.text("Section name") or f"Section {number}"
        if any(head.name == name for head in heads):
            name = f"{name} ({number})"
        own = list(_rows(section, name, notes))
        if not any(row.cells for row in own):
            notes.add(ASIDE, name, section.place)
            continue
        rows += own
        heads.append(_head(section, name, number))
    if not rows:
        return NO_PLAYERS
    rows = with_ids(rows, notes)
    games = [
        game
        for head in heads
        for game in section_games([row for row in rows if row.section == head.name], Dates(), notes)
    ]
    event = _event(root.node("Overview"), heads, notes)
    return Report(event, entries(rows, notes), tuple(games), tuple(heads))


def _rows(section: Node, name: str, notes: Notes) -> Iterator[Row]:
    for player in list(section.nodes("Players"))[:_MOST_PLAYERS]:
        pair = player.whole("Pair number")
        label = player.text("Name")
        place = Place(path=player.path, section=name)
        if pair is None or pair < 1:
            notes.add(PAIRING_NUMBER, label or "without a name", place)
            continue
        yield Row(
            section=name,
            pair=pair,
            member=player.text("ID"),
            name=label,
            cells=_cells(player, f"{pair} {label}", place, notes),
            standing=_standing(player),
            place=place,
        )


def _standing(player: Node) -> Standing | None:
    """The rating, and whether it is provisional; on how many games it rests is not said."""
    rating = player.whole("Rating")
    if rating not in _RATINGS:
        return None
    provisional = StandingStatus.PROVISIONAL if player.says("Provisional") else None
    return Standing(rating=rating, status=provisional)


def _cells(player: Node, label: str, place: Place, notes: Notes) -> dict[int, Cell]:
    cells = {}
    for number, given in enumerate(player.items("Results")[:_MOST_ROUNDS], 1):
        text = given[:_LONGEST_CELL] if isinstance(given, str) else ""
        parts = [part.strip() for part in text.split(";")]
        code = _CODES.get(parts[0])
        opponent = parts[1] if len(parts) > 1 else ""
        paired = opponent.isascii() and opponent.isdigit() and len(opponent) < 6
        if parts[0] == _OPEN:
            if paired and int(opponent):
                notes.add(
                    OPEN, sentence("{label} in round {number}", label=label, number=number), place
                )
        elif code is None:
            notes.add(
                RESULT,
                sentence(
                    "{label} in round {number}: {text}",
                    label=label,
                    number=number,
                    text=text or "nothing",
                ),
                place,
            )
        else:
            colour = parts[2].upper() if len(parts) > 2 else ""
            bye = code in "BHU"
            cells[number] = Cell(
                code,
                int(opponent) if paired and not bye else 0,
                colour if colour in ("W", "B") else "",
            )
    return cells


def _head(section: Node, name: str, number: int) -> SectionHead:
    return SectionHead(
        name=name,
        number=number,
        pool="blitz" if section.says("Blitz") else None,
        time_control=section.text("Section time control") or None,
        kind="round_robin" if section.whole("Type") == _ROUND_ROBIN else "swiss",
    )


def _event(overview: Node, heads: list[SectionHead], notes: Notes) -> Event:
    start, end = overview.text("Starting date"), overview.text("Ending date")
    days = calendar(start, end, {})
    for text, day in ((start, days.start), (end, days.end)):
        if text and (day is None or days.in_doubt):
            notes.add(DATES, text, overview.place)
    controls = {head.time_control for head in heads}
    return Event(
        name=overview.text("Tournament title") or None,
        place=overview.text("Event city") or None,
        start=days.start,
        end=days.end,
        kind=heads[0].kind if len({head.kind for head in heads}) == 1 else None,
        time_control=overview.text("Tournament time controls")
        or (controls.pop() if len(controls) == 1 else None),
    )
