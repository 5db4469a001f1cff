"""Results from abroad as players of the Irish Chess Union send them: CSV with a block for each.

``Event``, ``Start``, ``End``, ``Rounds`` and ``Website``, then for every player a line
``Player,456,Fox,Anthony``, a line for each round, and ``Total``.  Opponents have no
numbers: those of one name are one person.  Their ratings are FIDE's.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ratingbook.formats.fide.federations import FEDERATIONS
from ratingbook.formats.tools.characters import one_line
from ratingbook.formats.tools.dates import calendar
from ratingbook.formats.tools.notes import Notes, Remark, answer
from ratingbook.formats.tools.text import Decoded, Line
from ratingbook.model import (
    Entry,
    Event,
    Finding,
    Findings,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    Severity,
)
from ratingbook.model.sentences import sentence

REGISTER: Final = "icu"

LINE = Remark(
    "icu.line",
    Severity.ERROR,
    "A line was not understood",
    "Write it as the ICU's instructions show.",
    each=True,
)
TOTAL = Remark(
    "icu.total",
    Severity.ERROR,
    "A total is not the sum of the results above it",
    "Correct the total or the result.",
    each=True,
)
CONTRADICTION = Remark(
    "game.contradiction",
    Severity.ERROR,
    "Two players tell one game otherwise",
    "Correct the wrong one.",
    each=True,
)
ROUNDS = Remark(
    "icu.rounds",
    Severity.WARNING,
    "A player has fewer or more rounds than the event",
    "Look whether results are missing.",
)
NO_PLAYERS = Finding(
    "icu.no-players",
    Severity.FATAL,
    sentence("The file has no players."),
    remedy=sentence(
        "Write a line Player, the number, surname and first name, and the rounds below it."
    ),
)

_RESULTS = {
    "1": Result.WHITE_WINS, "1.0": Result.WHITE_WINS, "W": Result.WHITE_WINS,
    "0": Result.BLACK_WINS, "0.0": Result.BLACK_WINS, "L": Result.BLACK_WINS,
    "=": Result.DRAW, "½": Result.DRAW, "0.5": Result.DRAW, ".5": Result.DRAW, "D": Result.DRAW,
}  # fmt: skip
"""As the player with the block sees it, who stands as White here."""
_TURNED = {
    Result.WHITE_WINS: Result.BLACK_WINS,
    Result.BLACK_WINS: Result.WHITE_WINS,
    Result.DRAW: Result.DRAW,
}
_HEADS = {
    "event": "name", "tournament": "name", "start": "start", "start date": "start", "end": "end",
    "end date": "end", "rounds": "rounds", "number of rounds": "rounds", "website": "place",
    "web site": "place", "web": "place", "site": "place",
}  # fmt: skip
_LOOKED_AT = 30
_MOST_ROUNDS = 100


@dataclass
class _Block:
    """The results of one player."""

    entry: Entry
    games: list[Game] = field(default_factory=list)
    half_points: int = 0
    rounds: int = 0


@dataclass
class _File:
    """What was read so far."""

    notes: Notes
    head: dict[str, str] = field(default_factory=dict)
    entries: dict[str, Entry] = field(default_factory=dict)
    """By name without capitals."""
    blocks: list[_Block] = field(default_factory=list)


def looks_like_icu_csv(lines: Sequence[Line]) -> bool:
    """Whether the lines begin with an event and have a player with a number."""
    first = [line.text.strip().casefold() for line in lines[:_LOOKED_AT] if line.text.strip(" ,")]
    if not first or not first[0].startswith(("event,", "tournament,")):
        return False
    return any(text.startswith("player,") and text[7:8].isdigit() for text in first)


def read_icu_csv(decoded: Decoded) -> tuple[Report | None, Findings]:
    """Read the report; None where the findings say why it cannot be read."""
    content = None if decoded.findings.refused else decoded.lines
    return answer(content, decoded.findings, _report)


def _report(lines: Sequence[Line], notes: Notes) -> Report | Finding:
    file = _File(notes)
    for place, cells in _rows(lines, notes):
        _take(file, cells, place)
    if not file.blocks:
        return NO_PLAYERS
    declared = file.head.get("rounds", "")
    rounds = int(declared) if declared.isascii() and declared.isdigit() else 0
    for block in file.blocks:
        if rounds and block.rounds != rounds:
            what = sentence(
                "{player}: {rounds} of {all} rounds",
                player=block.entry.name,
                rounds=block.rounds,
                all=rounds,
            )
            notes.add(ROUNDS, what, block.entry.place)
    days = calendar(file.head.get("start", ""), file.head.get("end", ""), {})
    event = Event(
        name=file.head.get("name") or None,
        place=file.head.get("place") or None,
        start=days.start,
        end=days.end,
        rounds=rounds if 1 <= rounds <= _MOST_ROUNDS else None,
    )
    games = tuple(_once([game for block in file.blocks for game in block.games], notes))
    return Report(event, tuple(file.entries.values()), games)


def _rows(lines: Sequence[Line], notes: Notes) -> Iterator[tuple[Place, list[str]]]:
    for line in lines:
        try:
            cells = next(csv.reader([line.text]), [])
        except csv.Error:
            notes.add(LINE, line.text[:60], Place(line=line.number))
            continue
        cells = [one_line(cell) for cell in cells]
        if cells and cells[0]:
            yield Place(line=line.number), cells


def _take(file: _File, cells: list[str], place: Place) -> None:
    """Take what one line says."""
    word = cells[0].casefold()
    value = cells[1] if len(cells) > 1 else ""
    if word in _HEADS:
        file.head[_HEADS[word]] = value
    elif word == "player" and len(cells) > 3 and value.isascii() and value.isdigit():
        _begin(file, cells, place)
    elif word == "total" and file.blocks:
        _check_total(file.blocks[-1], value, place, file.notes)
    elif word.isascii() and word.isdigit() and len(word) < 4 and file.blocks and len(cells) > 2:
        _round(file, cells, place)
    else:
        file.notes.add(LINE, ",".join(cells)[:60], place)


def _begin(file: _File, cells: list[str], place: Place) -> None:
    name = f"{cells[2]}, {cells[3]}"
    known = file.entries.get(name.casefold(), Entry(id="", federation="IRL"))
    number = cells[1].lstrip("0") or "0"
    if known.ids:
        file.notes.add(LINE, sentence("{name} has results already", name=name), place)
    taken = next((e.name for e in file.entries.values() if e.ids.get(REGISTER) == number), "")
    if taken and taken.casefold() != name.casefold():
        file.notes.add(
            LINE, sentence("{name} has the number of {taken}", name=name, taken=taken), place
        )
        return
    old = known.id
    entry = replace(
        known, id=number, name=name, ids={REGISTER: number}, place=replace(place, player=number)
    )
    file.entries[name.casefold()] = entry
    if old:
        for block in file.blocks:
            block.games = [_renamed(game, old, number) for game in block.games]
    file.blocks.append(_Block(entry))


def _renamed(game: Game, old: str, new: str) -> Game:
    return replace(
        game,
        white=new if game.white == old else game.white,
        black=new if game.black == old else game.black,
    )


def _round(file: _File, cells: list[str], place: Place) -> None:
    block = file.blocks[-1]
    number = int(cells[0])
    result = _RESULTS.get(cells[1].upper())
    colour = cells[2].upper()[:1]
    block.rounds += 1
    if result is None or not 1 <= number <= _MOST_ROUNDS or colour not in ("W", "B", "-"):
        file.notes.add(LINE, ",".join(cells)[:60], place)
        return
    block.half_points += {Result.WHITE_WINS: 2, Result.DRAW: 1}.get(result, 0)
    me = block.entry.id
    where = replace(place, player=me, round=number)
    if colour == "-":
        if result is not Result.BLACK_WINS:
            block.games.append(Game(
                me, None, result, GameStatus.BYE, number, white_rated=False, black_rated=False,
                place=where,
            ))  # fmt: skip
        return
    opponent = _opponent(file, cells, place)
    if opponent is None or opponent == me:
        file.notes.add(LINE, ",".join(cells)[:60], place)
    elif colour == "W":
        block.games.append(Game(me, opponent, result, round=number, place=where))
    else:
        block.games.append(Game(opponent, me, _TURNED[result], round=number, place=where))


def _opponent(file: _File, cells: list[str], place: Place) -> str | None:
    """The id of the opponent, who is taken up if he is new."""
    surname, first, rating, title, federation = [*cells[3:8], "", "", "", "", ""][:5]
    name = ", ".join(filter(None, (surname, first)))
    if not name:
        return None
    known = file.entries.get(name.casefold())
    elo = int(rating) if rating.isascii() and rating.isdigit() and len(rating) < 5 else None
    if rating and elo is None:
        file.notes.add(
            LINE, sentence("{name}: the rating {rating}", name=name, rating=rating[:20]), place
        )
    if known is None:
        taken = {entry.id for entry in file.entries.values()}
        number = len(taken) + 1
        while f"opponent-{number}" in taken:
            number += 1
        known = Entry(id=f"opponent-{number}", name=name, place=place)
    code = federation.upper()
    file.entries[name.casefold()] = replace(
        known,
        title=known.title or title or None,
        federation=known.federation or (code if code in FEDERATIONS else None),
        foreign=known.foreign or ({"fide": elo} if elo else {}),
    )
    return known.id


def _check_total(block: _Block, text: str, place: Place, notes: Notes) -> None:
    try:
        half_points = float(text.replace("½", ".5").replace(",", ".")) * 2
    except ValueError:
        half_points = -1
    if half_points != block.half_points:
        notes.add(
            TOTAL,
            sentence(
                "{name}: {text} instead of {half_points:g}",
                name=block.entry.name,
                text=text,
                half_points=block.half_points / 2,
            ),
            place,
        )


def _once(games: list[Game], notes: Notes) -> Iterator[Game]:
    """Each game once, though both players may tell it."""
    seen: dict[tuple[int | None, frozenset[str | None]], Game] = {}
    for game in sorted(games, key=lambda game: game.round or 0):
        key = game.round, frozenset((game.white, game.black))
        first = seen.setdefault(key, game)
        if first is game:
            yield game
        elif (first.white, first.result) != (game.white, game.result):
            what = sentence(
                "{player} and {player2} in round {number}",
                player=game.white,
                player2=game.black,
                number=game.round,
            )
            notes.add(CONTRADICTION, what, game.place)
