"""MacMahon's XML (version 3): the tournament as the program saves it.

The program writes Black's score first: ``1-0`` means that Black won.  A mark ``!``
or ``ResultByReferee`` stands where its h9 export has the ``!`` of a forfeit.  A
player's id is his EGD PIN, or else the program's own number of him.  Dates and
class are not in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ratingbook.formats.go import common
from ratingbook.formats.go.pairings import Outcome, Pairings, Participant, taking_part
from ratingbook.formats.go.places import Scoring, Starter, with_places
from ratingbook.formats.tools.notes import Notes, Remark, answer
from ratingbook.formats.tools.text import Decoded, Line
from ratingbook.formats.tools.xml_tree import Node, head, parse
from ratingbook.model import (
    Entry,
    Event,
    Finding,
    Findings,
    Game,
    GameStatus,
    Report,
    Result,
    Severity,
)
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import row_of, sentence

ID = Remark(
    "macmahon.id",
    Severity.ERROR,
    "A player has no number, or one that another player has too",
    "Save the tournament in MacMahon again; do not edit the file by hand.",
    each=True,
)
ORDER = Remark(
    "macmahon.result-order",
    Severity.INFO,
    "Results were read with Black's score first, as MacMahon writes them",
    "Nothing to do if MacMahon wrote the file; compare a result or two if another program did.",
)
REFEREE = Remark(
    "macmahon.referee",
    Severity.WARNING,
    "Results by decision of the referee were taken as forfeits, which are not rated",
    "If such a game was played, take the mark off it.",
)
NOT_PLAYING = Remark(
    "macmahon.not-playing",
    Severity.WARNING,
    "Players have a game in a round in which they did not take part",
    "Look whether the game was played.",
)
NO_PLAYERS = Finding(
    "macmahon.no-players",
    Severity.FATAL,
    sentence("The file has no players."),
    remedy=sentence("Save the tournament in MacMahon again."),
)

_ROOT = pattern(
    r"<TournamentData[\s>]|<Tournament(?:\s[^<>]*\btypeversion\s*=|\s*>)", re.IGNORECASE
)
_OPEN = Outcome(Result.NONE)
_BOTH = Outcome(Result.NONE, GameStatus.ADJUDICATED, rated=False, both=True)
_OUTCOMES = {
    "1-0": Outcome(Result.BLACK_WINS),
    "0-1": Outcome(Result.WHITE_WINS),
    "½-½": Outcome(Result.DRAW),
    "0.5-0.5": Outcome(Result.DRAW),
    "1/2-1/2": Outcome(Result.DRAW),
    "0-0": _BOTH,
    "1-1": _BOTH,
    "?-?": _OPEN,
    "": _OPEN,
}
_BY_REFEREE = "!"
_NOBODY = ("", "0")
_SCORING = Scoring(bye=2, absent=1, unpaired=1)
"""Half a point for a round without a game; whoever has a bye gets the point."""
_BY_SCORE = {
    "Score": "MMS", "Points": "NBW", "SOS": "SOSM", "SOSOS": "SOSOSM", "Rating": "Rating",
}  # fmt: skip
_BY_WINS = _BY_SCORE | {"SOS": "SOSW", "SOSOS": "SOSOSW", "SODOS": "SODOSW"}
"""In a tournament by points opponents' points are summed up."""


@dataclass(frozen=True, slots=True)
class _Player(Participant):
    """One player of the file: his participation, and who he is."""

    node: Node
    person: Node


def looks_like_macmahon(lines: Iterable[Line]) -> bool:
    """Whether the lines are XML whose root is MacMahon's."""
    return _ROOT.search(head(lines)) is not None


def read_macmahon(decoded: Decoded) -> tuple[Report | None, Findings]:
    """The report of a decoded file, with everything that was noticed.

    The report is None where nothing could be read; where the findings refuse it,
    it holds what could be understood.
    """
    root, findings = parse(decoded)
    return answer(root, findings, _report)


def _players(root: Node, notes: Notes) -> list[_Player]:
    """The players with a number of their own."""
    players: dict[str, _Player] = {}
    for node in root.walk():
        person = node.child("GoPlayer")
        if person is None:
            continue
        number = common.number(node.value("Id")) or 0
        key = str(number or "")
        surname, first_name = person.value("Surname"), person.value("FirstName")
        player = _Player(
            number=number,
            key=key,
            surname=surname,
            first_name=first_name,
            label=f"{key} {common.full_name(surname, first_name)}".strip(),
            pin=person.value("EgdPin"),
            preliminary=_is_true(node, "PreliminaryRegistration"),
            place=node.place,
            node=node,
            person=person,
        )
        if not number or players.setdefault(player.key, player) is not player:
            notes.add(ID, player.label or sentence("line {number}", number=node.line), node.place)
    return list(players.values())


def _report(root: Node, notes: Notes) -> Report | Finding:
    players = _players(root, notes)
    if not players:
        return NO_PLAYERS
    ids = common.ids(players, notes)
    ghosts = {player.key for player in players if player.ghost}
    pairings = Pairings({p.key: ids[p.number] for p in players}, ghosts, notes)
    for node in root.walk():
        _read_round(node, pairings, notes)
    _check_absences(players, ids, pairings, notes)
    event = _event(root, pairings, notes)
    reported = [*taking_part(players, ids, pairings, notes)]
    entries = [_entry(player, ids[player.number], notes) for player in reported]
    tournament = root.child("Tournament") or root
    placed = with_places(
        entries, None if ghosts else _starters(reported, ids, tournament), pairings.games,
        _criteria(root, pairings.games), _SCORING, notes, tournament.place,
    )  # fmt: skip
    return Report(event, placed, pairings.games)


def _criteria(root: Node, games: Sequence[Game]) -> list[str]:
    """What the final table goes by, by the names of :data:`~.places.CRITERIA`.

    How the program sums up opponents where there were stones or a bye, it does not say; a
    criterion of that kind keeps its own name then, which is none of those.
    """
    lists = [node for node in root.walk() if node.tag == "Walllist"]
    names = [node.text for every in lists[:1] for node in every.walk() if node.tag == "ShortName"]
    known = _BY_WINS if names[:1] == ["Points"] else _BY_SCORE
    if any(game.handicap or game.black is None for game in games):
        known = {name: known[name] for name in ("Score", "Points")}
    return [known.get(name, name) for name in names]


def _starters(
    players: Iterable[_Player], ids: dict[int, str], tournament: Node
) -> dict[str, Starter] | None:
    """With what everybody starts: the grade between the bars; who is above them one more."""
    if _is_true(tournament, "RatingDeterminesRank"):
        return None
    bars = {}
    for tag in ("LowerMacMahonBar", "UpperMacMahonBar"):
        level = common.grade(tournament.value(f"{tag}Level"))
        if _is_true(tournament, tag):
            if level is None:
                return None
            bars[tag] = common.strength(level)
    found = {}
    for player in players:
        grade = common.grade(player.person.value("GoLevel", "Rank"))
        if grade is None:
            return None
        rank = common.strength(grade)
        start = max(rank, bars.get("LowerMacMahonBar", rank))
        start = min(start, bars.get("UpperMacMahonBar", start))
        start += _is_true(player.node, "SuperBarMember")
        rounds = (common.number(node.text) for node in player.node.all("NotPlayingInRound"))
        absent = frozenset(number for number in rounds if number)
        rating = common.number(player.person.value("Rating")) or 0
        found[ids[player.number]] = Starter(start, rank, rating, absent)
    return found


def _is_true(node: Node, tag: str) -> bool:
    return node.value(tag).lower() == "true"


def _read_round(node: Node, pairings: Pairings, notes: Notes) -> None:
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
        what = sentence(
            "{white} against {black} in round {number}",
            white=white or sentence("nobody"),
            black=black or sentence("nobody"),
            number=number,
        )
        outcome = _outcome(game, what, notes)
        pairings.game(white, black, number, outcome, game.value("Handicap"), game.place)


def _without_zeros(text: str) -> str:
    value = common.number(text)
    return text if value is None else str(value)


def _outcome(game: Node, what: str, notes: Notes) -> Outcome:
    written = re.sub(r"\s", "", game.value("Result"))
    outcome = _OUTCOMES.get(written.removesuffix(_BY_REFEREE))
    if outcome is None:
        notes.add(common.RESULT, row_of((what, written), ": "), game.place)
        return _OPEN
    if written.endswith(_BY_REFEREE) or _is_true(game, "ResultByReferee"):
        notes.add(REFEREE, what, game.place)
        return Outcome(outcome.result, GameStatus.FORFEIT, rated=False)
    if outcome.result in (Result.WHITE_WINS, Result.BLACK_WINS):
        notes.add(ORDER, row_of((what, written), ": "), game.place)
    return outcome


def _check_absences(
    players: list[_Player], ids: dict[int, str], pairings: Pairings, notes: Notes
) -> None:
    """Note games in rounds in which a player did not take part."""
    paired = pairings.paired
    for player in players:
        for node in player.node.all("NotPlayingInRound"):
            if (common.number(node.text), ids[player.number]) in paired:
                notes.add(
                    NOT_PLAYING,
                    sentence("{label} in round {number}", label=player.label, number=node.text),
                    node.place,
                )


def _entry(player: _Player, id_: str, notes: Notes) -> Entry:
    person, place = player.person, replace(player.place, player=id_)
    if not (player.surname or player.first_name):
        notes.add(common.NAME, player.label, place)
    level = person.value("GoLevel", "Rank")
    grade = common.grade(level)
    if grade is None:
        notes.add(common.GRADE, row_of((player.label, level or sentence("nothing")), ": "), place)
    federation = common.country(person.value("Country"))
    if federation is None:
        notes.add(common.COUNTRY, player.label, place)
    rating = person.value("Rating")
    if rating not in _NOBODY:
        notes.add(common.RATING, f"{player.label}: {rating}", place)
    return Entry(
        id=id_,
        name=common.full_name(player.surname, player.first_name),
        federation=federation,
        grade=grade,
        club=common.club(person.value("Club")),
        ids=common.ids_elsewhere(egd=common.pin(player.pin)),
        place=place,
    )


def _event(root: Node, pairings: Pairings, notes: Notes) -> Event:
    tournament = root.child("Tournament") or root
    notes.add(common.NO_CLASS, sentence("MacMahon does not save it"), tournament.place)
    start, end = common.event_dates("", "", tournament.place, notes)
    return Event(
        name=tournament.value("Name") or None,
        start=start,
        end=end,
        kind=common.KIND,
        rounds=pairings.declared_rounds(tournament.value("NumberOfRounds"), tournament.place),
        komi=common.komi(tournament.value("Komi"), tournament.place, notes),
    )
