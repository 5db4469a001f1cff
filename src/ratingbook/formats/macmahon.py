"""MacMahon's XML (version 3): the tournament as the program saves it.

The program writes Black's score first: ``1-0`` means that Black won.  A mark ``!``
or ``ResultByReferee`` stands where its h9 export has the ``!`` of a forfeit.  A
player's id is his EGD PIN, or else the program's own number of him.  Dates and
class are not in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ratingbook.formats import go
from ratingbook.formats.notes import Kind, Notes
from ratingbook.formats.text import Decoded, Line
from ratingbook.formats.xml_tree import Node, head, parse
from ratingbook.model import (
    Entry,
    Event,
    Findings,
    GameStatus,
    Place,
    Report,
    Result,
    Severity,
)

ID = Kind(
    "macmahon.id",
    Severity.ERROR,
    "A player has no number, or one that another player has too",
    "Save the tournament in MacMahon again; do not edit the file by hand.",
    each=True,
)
ORDER = Kind(
    "macmahon.result-order",
    Severity.INFO,
    "Results were read with Black's score first, as MacMahon writes them",
    "Nothing to do if MacMahon wrote the file; compare a result or two if another program did.",
)
REFEREE = Kind(
    "macmahon.referee",
    Severity.WARNING,
    "Results by decision of the referee were taken as forfeits, which are not rated",
    "If such a game was played, take the mark off it.",
)
NOT_PLAYING = Kind(
    "macmahon.not-playing",
    Severity.WARNING,
    "Players have a game in a round in which they did not take part",
    "Look whether the game was played.",
)

_ROOT = re.compile(
    r"<TournamentData[\s>]|<Tournament(?:\s[^<>]*\btypeversion\s*=|\s*>)", re.IGNORECASE
)
_OPEN = go.Outcome(Result.NONE)
_BOTH = go.Outcome(Result.NONE, GameStatus.ADJUDICATED, rated=False, both=True)
_OUTCOMES = {
    "1-0": go.Outcome(Result.BLACK_WINS),
    "0-1": go.Outcome(Result.WHITE_WINS),
    "½-½": go.Outcome(Result.DRAW),
    "0.5-0.5": go.Outcome(Result.DRAW),
    "1/2-1/2": go.Outcome(Result.DRAW),
    "0-0": _BOTH,
    "1-1": _BOTH,
    "?-?": _OPEN,
    "": _OPEN,
}
_BY_REFEREE = "!"
_NOBODY = ("", "0")


@dataclass(frozen=True, slots=True)
class _Player:
    """One player of the file: his participation, and who he is."""

    number: int
    key: str
    node: Node
    person: Node

    @property
    def surname(self) -> str:
        return self.person.value("Surname")

    @property
    def first_name(self) -> str:
        return self.person.value("FirstName")

    @property
    def label(self) -> str:
        return f"{self.key} {go.full_name(self.surname, self.first_name)}".strip()

    @property
    def ghost(self) -> bool:
        return go.is_ghost(self.surname, self.first_name)


def looks_like_macmahon(lines: Iterable[Line]) -> bool:
    """Whether the lines are XML whose root is MacMahon's."""
    return _ROOT.search(head(lines)) is not None


def read_macmahon(decoded: Decoded) -> tuple[Report | None, Findings]:
    """The report of a decoded file, with everything that was noticed.

    The report is None where nothing could be read; where the findings refuse it,
    it holds what could be understood.
    """
    root, findings = parse(decoded)
    if root is None:
        return None, findings
    notes = Notes()
    players = _players(root, notes)
    report = _report(root, players, notes) if players else None
    findings.extend(notes.findings())
    if report is None:
        findings.add(
            Severity.FATAL,
            "macmahon.no-players",
            "The file has no players.",
            remedy="Save the tournament in MacMahon again.",
        )
    return report, findings


def _players(root: Node, notes: Notes) -> list[_Player]:
    """The players with a number of their own."""
    players: dict[str, _Player] = {}
    for node in root.walk():
        person = node.child("GoPlayer")
        if person is None:
            continue
        number = go.number(node.value("Id"))
        player = _Player(number or 0, str(number or ""), node, person)
        if not number or players.setdefault(player.key, player) is not player:
            notes.add(ID, player.label or f"line {node.line}", node.place)
    return list(players.values())


def _report(root: Node, players: list[_Player], notes: Notes) -> Report:
    ids = _ids(players, notes)
    ghosts = {player.key for player in players if player.ghost}
    pairings = go.Pairings({p.key: ids[p.number] for p in players}, ghosts, notes)
    for node in root.walk():
        _read_round(node, pairings, notes)
    played = {side for game in pairings.games for side in (game.white, game.black) if side}
    _check_absences(players, ids, pairings, notes)
    event = _event(root, pairings.last_round, notes)
    entries = []
    for player in players:
        if player.ghost:
            notes.add(go.GHOST, player.label, player.node.place)
        elif ids[player.number] not in played and _is_true(player.node, "PreliminaryRegistration"):
            notes.add(go.PRELIMINARY, player.label, player.node.place)
        else:
            entries.append(_entry(player, ids[player.number], notes))
    return Report(event, tuple(entries), pairings.games)


def _ids(players: list[_Player], notes: Notes) -> dict[int, str]:
    numbered = []
    for player in players:
        written = player.person.value("EgdPin")
        pin = go.pin(written)
        if written.strip("0") and pin is None:
            notes.add(go.PIN, f"{player.label}: {written}", player.node.place)
        numbered.append(go.Player(player.number, pin, player.label, player.node.place))
    return go.ids(numbered, notes)


def _is_true(node: Node, tag: str) -> bool:
    return node.value(tag).lower() == "true"


def _read_round(node: Node, pairings: go.Pairings, notes: Notes) -> None:
    """The pairings of a round; other elements have none."""
    games = node.all("Pairing")
    if not games:
        return
    number = pairings.round(node.value("RoundNumber"), "a round", node.place)
    if number is None:
        return
    for game in games:
        white, black = (_without_zeros(game.value(tag)) for tag in ("White", "Black"))
        if _is_true(game, "PairingWithBye"):
            pairings.bye(white if black in _NOBODY else black, number, game.place)
            continue
        what = f"{white or 'nobody'} against {black or 'nobody'} in round {number}"
        outcome = _outcome(game, what, notes)
        pairings.game(white, black, number, outcome, game.value("Handicap"), game.place)


def _without_zeros(text: str) -> str:
    value = go.number(text)
    return text if value is None else str(value)


def _outcome(game: Node, what: str, notes: Notes) -> go.Outcome:
    written = re.sub(r"\s", "", game.value("Result"))
    outcome = _OUTCOMES.get(written.removesuffix(_BY_REFEREE))
    if outcome is None:
        notes.add(go.RESULT, f"{what}: {written}", game.place)
        return _OPEN
    if written.endswith(_BY_REFEREE) or _is_true(game, "ResultByReferee"):
        notes.add(REFEREE, what, game.place)
        return go.Outcome(outcome.result, GameStatus.FORFEIT, rated=False)
    if outcome.result in (Result.WHITE_WINS, Result.BLACK_WINS):
        notes.add(ORDER, f"{what}: {written}", game.place)
    return outcome


def _check_absences(
    players: list[_Player], ids: dict[int, str], pairings: go.Pairings, notes: Notes
) -> None:
    """Note games in rounds in which a player did not take part."""
    paired = {
        (game.round, side) for game in pairings.games for side in (game.white, game.black) if side
    }
    for player in players:
        for node in player.node.all("NotPlayingInRound"):
            if (go.number(node.text), ids[player.number]) in paired:
                notes.add(NOT_PLAYING, f"{player.label} in round {node.text}", node.place)


def _entry(player: _Player, id_: str, notes: Notes) -> Entry:
    person, place = player.person, Place(line=player.node.line, player=id_)
    if not (player.surname or player.first_name):
        notes.add(go.NAME, player.label, place)
    level = person.value("GoLevel", "Rank")
    grade = go.grade(level)
    if grade is None:
        notes.add(go.GRADE, f"{player.label}: {level or 'nothing'}", place)
    federation = go.country(person.value("Country"))
    if federation is None:
        notes.add(go.COUNTRY, player.label, place)
    rating = person.value("Rating")
    if rating not in _NOBODY:
        notes.add(go.RATING, f"{player.label}: {rating}", place)
    return Entry(
        id=id_,
        name=go.full_name(player.surname, player.first_name),
        federation=federation,
        grade=grade,
        place=place,
    )


def _event(root: Node, last_round: int, notes: Notes) -> Event:
    tournament = root.child("Tournament") or root
    notes.add(go.NO_CLASS, "MacMahon does not save it", tournament.place)
    start, end = go.event_dates("", "", tournament.place, notes)
    declared = go.number(tournament.value("NumberOfRounds")) or 0
    if declared > last_round:
        notes.add(go.ROUNDS, f"{declared} declared, {last_round} found", tournament.place)
    return Event(name=tournament.value("Name") or None, start=start, end=end, kind=go.KIND)
