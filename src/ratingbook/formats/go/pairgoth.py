"""Pairgoth's tournament files (.tour): JSON, the successor of OpenGotha in France.

A player's id is his EGF PIN, or else his number in the file.  His grade is the rank at
which he was paired.  What his rating is on, the file does not say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ratingbook.formats.go import common
from ratingbook.formats.go.pairings import Outcome, Pairings, Participant, taking_part
from ratingbook.formats.tools.json_tree import Node, parsed
from ratingbook.formats.tools.notes import Notes, Remark, answer
from ratingbook.model import (
    Entry,
    Event,
    Finding,
    Findings,
    GameStatus,
    Report,
    Result,
    Severity,
)
from ratingbook.model.sentences import row_of, sentence

CANCELLED = Remark(
    "pairgoth.cancelled",
    Severity.INFO,
    "Games were cancelled and are not rated",
    "Nothing to do.",
)
NO_PLAYERS = Finding(
    "pairgoth.no-players",
    Severity.FATAL,
    sentence("The file has no players."),
    remedy=sentence("Save the tournament in Pairgoth again."),
)
TEAMS = Finding(
    "pairgoth.teams",
    Severity.FATAL,
    sentence("The pairings are of teams or pairs, and the file does not say who played whom."),
    remedy=sentence("Send the results of the boards as a table."),
)

_INDIVIDUAL = "INDIVIDUAL"
_BYE = "0"
_OUTCOMES = {
    "?": Outcome(Result.NONE),
    "w": Outcome(Result.WHITE_WINS),
    "b": Outcome(Result.BLACK_WINS),
    "=": Outcome(Result.DRAW),
    "X": Outcome(Result.NONE, GameStatus.CANCELLED, rated=False),
    "#": Outcome(Result.NONE, GameStatus.ADJUDICATED, rated=False, both=True),
    "0": Outcome(Result.NONE, GameStatus.ADJUDICATED, rated=False, both=True),
}


@dataclass(frozen=True, slots=True)
class _Player(Participant):
    """One player of the file."""

    node: Node


def looks_like_pairgoth(text: str) -> bool:
    """Whether a JSON text has the words of a tournament of Pairgoth."""
    return all(f'"{word}"' in text for word in ("gobanSize", "timeSystem", "pairing", "players"))


def read_pairgoth(text: str) -> tuple[Report | None, Findings]:
    """Read the report; None where the findings say why it cannot be read."""
    return answer(*parsed(text), _report)


def _report(root: Node, notes: Notes) -> Report | Finding:
    if root.text("type").upper() not in ("", _INDIVIDUAL):
        return TEAMS
    players = list(_players(root))
    if not players:
        return NO_PLAYERS
    ids = common.ids(players, notes)
    ghosts = {player.key for player in players if player.ghost} | {_BYE}
    pairings = Pairings({p.key: ids[p.number] for p in players}, ghosts, notes)
    _read_games(root, pairings, notes)
    event = _event(root, pairings, notes)
    entries = tuple(
        _entry(player, ids[player.number], notes)
        for player in taking_part(players, ids, pairings, notes)
    )
    return Report(event, entries, pairings.games)


def _players(root: Node) -> Iterator[_Player]:
    for number, node in enumerate(root.nodes("players"), 1):
        surname, first_name = node.text("name"), node.text("firstname")
        yield _Player(
            number=number,
            key=node.text("id"),
            surname=surname,
            first_name=first_name,
            label=common.full_name(surname, first_name) or f"player {number}",
            pin=node.text("egf"),
            preliminary=node.has("final") and not node.says("final"),
            place=node.place,
            node=node,
        )


def _read_games(root: Node, pairings: Pairings, notes: Notes) -> None:
    for number, given in enumerate(root.items("games"), 1):
        for node in _games_of(given, number):
            white, black = node.text("w"), node.text("b")
            if _BYE in (white, black):
                pairings.bye(black if white == _BYE else white, number, node.place)
                continue
            code = node.text("r") or "?"
            what = sentence(
                "{white} against {black} in round {number}", white=white, black=black, number=number
            )
            if code not in _OUTCOMES:
                notes.add(common.RESULT, row_of((what, code[:20]), ": "), node.place)
            if code == "X":
                notes.add(CANCELLED, what, node.place)
            outcome = _OUTCOMES.get(code, _OUTCOMES["?"])
            pairings.game(white, black, number, outcome, node.text("h") or "0", node.place)


def _games_of(given: Any, number: int) -> Iterator[Node]:
    """The games of a round, which is a list, or an object that has one."""
    rounds = Node({"games": given} if isinstance(given, list) else given, f"games[{number - 1}]")
    return rounds.nodes("games")


def _entry(player: _Player, id_: str, notes: Notes) -> Entry:
    node, place = player.node, replace(player.place, player=id_)
    if not (player.surname or player.first_name):
        notes.add(common.NAME, player.label, place)
    grade = _grade(node.whole("rank"))
    if grade is None:
        notes.add(
            common.GRADE,
            row_of((player.label, node.text("rank") or sentence("nothing")), ": "),
            place,
        )
    federation = common.country(node.text("country"))
    if federation is None:
        notes.add(common.COUNTRY, player.label, place)
    if node.text("rating"):
        notes.add(common.RATING, f"{player.label}: {node.text('rating')}", place)
    return Entry(
        id=id_,
        name=common.full_name(player.surname, player.first_name),
        federation=federation,
        grade=grade,
        club=common.club(node.text("club")),
        ids=common.ids_elsewhere(
            egd=common.pin(player.pin), ffg=node.text("ffg"), aga=common.aga(node.text("aga"))
        ),
        place=place,
    )


def _grade(rank: int | None) -> str | None:
    """The rank on the scale of the program: −1 is 1k, 0 is 1d."""
    if rank is None:
        return None
    return common.grade(f"{rank + 1}d" if rank >= 0 else f"{-rank}k")


def _event(root: Node, pairings: Pairings, notes: Notes) -> Event:
    notes.add(common.NO_CLASS, sentence("Pairgoth does not save it"), root.place)
    start, end = common.event_dates(root.text("startDate"), root.text("endDate"), root.place, notes)
    size = root.text("gobanSize")
    if size not in ("", common.BOARD):
        notes.add(common.BOARD_SIZE, size, root.place)
    return Event(
        name=root.text("name") or None,
        place=root.text("location") or None,
        start=start,
        end=end,
        kind="internet" if root.says("online") else common.KIND,
        time_control=_time_control(root.node("timeSystem")),
        rounds=pairings.declared_rounds(root.text("rounds"), root.place),
        komi=common.komi(root.text("komi"), root.place, notes),
        officials=tuple(filter(None, [root.text("director")])),
    )


def _time_control(system: Node) -> str | None:
    """The main time in minutes and what follows it, in the words of the other readers."""
    seconds = system.number("mainTime")
    if seconds is None or not 0 <= seconds < 10**6:
        return None
    basic = f"{seconds / 60:g}"
    match system.text("type").upper():
        case "FISCHER":
            return f"{basic} + {system.text('increment')}s fischer"
        case "CANADIAN":
            period = (system.number("byoyomi") or 0) / 60
            return f"{basic} + {system.text('stones')} stones in {period:g} min"
        case "STANDARD" | "JAPANESE":
            return f"{basic} + {system.text('byoyomi')}s byo-yomi"
    return basic
