"""OpenGotha's XML: the tournament as the program saves it.

Players stand in the file without a number; games name them by the key of
:func:`_key`, surname and first name in capitals without blanks.  A player's id is
his EGF PIN, or else his number in the list of players, counted from 1.  His grade
is the rank at which he was paired, as in the program's own h9 files, and not the
grade of a rating list that stands beside it.  Class and adjusted time are not in
the file.
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
    GameStatus,
    Place,
    Report,
    Result,
    Severity,
    Standing,
)
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import row_of, sentence

SAME_NAME = Remark(
    "player.same-name",
    Severity.ERROR,
    "Players have the same name, and games name players by nothing else",
    "Tell the players apart by their first names, in the games too.",
    each=True,
)
RANK = Remark(
    "opengotha.rank",
    Severity.INFO,
    "The rank at which players were paired is not the grade beside it; the rank was taken",
    "Nothing to do, unless the rank is not the declared grade.",
)
PARTICIPATING = Remark(
    "opengotha.participating",
    Severity.WARNING,
    "Players have a game in a round in which they did not take part",
    "Look whether the game is wrong.",
)
COLOURS = Remark(
    "game.colours",
    Severity.WARNING,
    "The colours of games are not known; they were taken as they stand",
    "Correct the colours of handicap games: the stones are Black's.",
)
NO_PLAYERS = Finding(
    "opengotha.no-players",
    Severity.FATAL,
    sentence("The file has no players."),
    remedy=sentence("Save the tournament in OpenGotha again."),
)

_ROOT = pattern(
    r"<Tournament\s[^<>]*\b(?:dataVersion|gothaVersion|fullVersionNumber|runningMode|saveDT)\s*="
    r"|<Player\s[^<>]*\bffgLicence\s*="
)
"""From 3.51 on the root has no ``dataVersion``."""
_LETTERS_I = str.maketrans({"\u0130": "I", "\u0131": "I", "\u0307": None})
"""On a Turkish computer the capital of i has a dot, which the names of players have not."""
_EGF = pattern(r"\s*EGF(?:\s*:\s*(-?[0-9]{1,4}))?\s*")
_RATING = pattern(r"-?[0-9]{1,4}")
_BY_DEFAULT = "_BYDEF"
_OUTCOMES = {
    "RESULT_UNKNOWN": Outcome(Result.NONE),
    "RESULT_WHITEWINS": Outcome(Result.WHITE_WINS),
    "RESULT_BLACKWINS": Outcome(Result.BLACK_WINS),
    "RESULT_EQUAL": Outcome(Result.DRAW),
    "RESULT_BOTHLOSE": Outcome(Result.NONE, GameStatus.ADJUDICATED, rated=False, both=True),
    "RESULT_BOTHWIN": Outcome(Result.NONE, GameStatus.ADJUDICATED, rated=False, both=True),
}
_TIME_SYSTEMS = {
    "SUDDENDEATH": "",
    "STDBYOYOMI": " + {stdByoYomiTime}s byo-yomi",
    "CANBYOYOMI": " + {nbMovesCanTime} stones in {minutes} min",
    "FISCHER": " + {fischerTime}s fischer",
}
"""What follows the basic time in minutes; the words are those that time limits are written in."""
_ABSENT = "0"
_BARS = {"genMMZero": "30K", "genMMFloor": "20K", "genMMBar": "4D"}
"""Where starting scores begin, and between what they are; what the program reads if not said."""


@dataclass(frozen=True, slots=True)
class _Player(Participant):
    """One player of the file."""

    node: Node


def looks_like_opengotha(lines: Iterable[Line]) -> bool:
    """Whether the lines are XML whose root is OpenGotha's."""
    return _ROOT.search(head(lines)) is not None


def read_opengotha(decoded: Decoded) -> tuple[Report | None, Findings]:
    """The report of a decoded file, with everything that was noticed.

    The report is None where nothing could be read; where the findings refuse it,
    it holds what could be understood.
    """
    root, findings = parse(decoded)
    return answer(root, findings, _report)


def _key(*names: str) -> str:
    """How games name a player, whatever the language of the computer."""
    return re.sub(r"\s", "", "".join(names)).upper().translate(_LETTERS_I)


def _players(root: Node) -> list[_Player]:
    nodes = [node for parent in root.all("Players") for node in parent.all("Player")]
    players = []
    for number, node in enumerate(nodes, 1):
        surname, first_name = node.attribute("name"), node.attribute("firstName")
        players.append(
            _Player(
                number=number,
                key=_key(surname, first_name),
                surname=surname,
                first_name=first_name,
                label=common.full_name(surname, first_name) or f"player {number}",
                pin=node.attribute("egfPin"),
                preliminary=node.attribute("registeringStatus").upper().startswith("PRE"),
                place=node.place,
                node=node,
            )
        )
    return players


def _report(root: Node, notes: Notes) -> Report | Finding:
    players = _players(root)
    if not players:
        return NO_PLAYERS
    ids = common.ids(players, notes)
    by_key = _by_key(players, ids, notes)
    pairings = Pairings(by_key, {p.key for p in players if p.ghost}, notes)
    _read_games(root, pairings, notes)
    _check_participation(players, ids, pairings, notes)
    event = _event(root, pairings, notes)
    reported = [*taking_part(players, ids, pairings, notes)]
    teams = _teams(root)
    entries = [_entry(player, ids[player.number], teams.get(player.key), notes)
               for player in reported]  # fmt: skip
    parameters = _parameters(root, "GeneralParameterSet")
    # A ghost is a person to the program, whose score counts for those who met him.
    ghosts = any(player.ghost for player in players)
    placed = with_places(
        entries, None if ghosts else _starters(reported, ids, parameters), pairings.games,
        _criteria(root, parameters), _scoring(parameters), notes, parameters.place,
    )  # fmt: skip
    return Report(event, placed, pairings.games)


def _criteria(root: Node, general: Node) -> list[str]:
    """What the final table goes by, the most important first."""
    nodes = [node for node in _parameters(root, "PlacementParameterSet").walk()
             if node.tag == "PlacementCriterion"]  # fmt: skip
    nodes.sort(key=lambda node: common.number(node.attribute("number")) or 0)
    # Where all are in one category, it puts nobody before another.
    one = (common.number(general.attribute("numberOfCategories")) or 0) <= 1
    passed_over = {"NULL", ""} | ({"CAT"} if one else set())
    names = [node.attribute("name") for node in nodes]
    return [name for name in names if name not in passed_over]


def _scoring(general: Node) -> Scoring:
    """What counts for rounds without a game; where nothing is said, what the program reads then."""

    def half_points(name: str) -> int:
        return common.number(general.attribute(name)) or 0

    return Scoring(
        bye=half_points("genMMS2ValueBye"),
        absent=half_points("genMMS2ValueAbsent"),
        bye_wins=half_points("genNBW2ValueBye"),
        absent_wins=half_points("genNBW2ValueAbsent"),
        rounded_down=general.attribute("genRoundDownNBWMMS") != "false",
        halves=general.attribute("genCountNotPlayedGamesAsHalfPoint") == "true",
    )


def _starters(
    players: Sequence[_Player], ids: dict[int, str], general: Node
) -> dict[str, Starter] | None:
    """With what everybody starts: the rank between floor and bar, from zero on."""
    bars = [_strength(general.attribute(name) or usual) for name, usual in _BARS.items()]
    ranks = [_strength(each.node.attribute("rank") or each.node.attribute("grade"))
             for each in players]  # fmt: skip
    if None in bars or None in ranks:
        return None
    zero, floor, bar = (each or 0 for each in bars)
    found = {}
    for player, rank in zip(players, (each or 0 for each in ranks), strict=True):
        node = player.node
        start = min(max(rank, floor), bar) - zero + _whole(node.attribute("smmsCorrection"))
        marks = node.attribute("participating")
        absent = frozenset(n for n, mark in enumerate(marks, 1) if mark == _ABSENT)
        found[ids[player.number]] = Starter(start, rank, _whole(node.attribute("rating")), absent)
    return found


def _strength(text: str) -> int | None:
    normal = common.grade(text)
    return None if normal is None else common.strength(normal)


def _whole(text: str) -> int:
    """A number that may be negative; 0 where there is none."""
    return int(text) if _RATING.fullmatch(text) else 0


def _by_key(players: list[_Player], ids: dict[int, str], notes: Notes) -> dict[str, str]:
    """The ids by the keys that games use."""
    first: dict[str, _Player] = {}
    for player in players:
        if first.setdefault(player.key, player) is not player:
            notes.add(SAME_NAME, player.label, player.place)
    return {key: ids[player.number] for key, player in first.items()}


def _read_games(root: Node, pairings: Pairings, notes: Notes) -> None:
    for node in (node for parent in root.all("Games") for node in parent.all("Game")):
        white, black = _key(node.attribute("whitePlayer")), _key(node.attribute("blackPlayer"))
        what = sentence("{white} against {black}", white=white, black=black)
        number = pairings.round(node.attribute("roundNumber"), what, node.place)
        if number is None:
            continue
        what = sentence(
            "{white} against {black} in round {number}", white=white, black=black, number=number
        )
        outcome = _outcome(node.attribute("result"), what, node, notes)
        if node.attribute("knownColor") == "false":
            notes.add(COLOURS, what, node.place)
        pairings.game(white, black, number, outcome, node.attribute("handicap"), node.place)
    for node in root.walk():
        key = _key(node.attribute("player"))
        if node.tag == "ByePlayer" and key:
            number = pairings.round(
                node.attribute("roundNumber"), sentence("bye of {key}", key=key), node.place
            )
            if number is not None:
                pairings.bye(key, number, node.place)


def _outcome(code: str, what: str, node: Node, notes: Notes) -> Outcome:
    known = _OUTCOMES.get(code.removesuffix(_BY_DEFAULT))
    if known is None:
        notes.add(common.RESULT, row_of((what, code or sentence("nothing")), ": "), node.place)
        return _OUTCOMES["RESULT_UNKNOWN"]
    if code.endswith(_BY_DEFAULT):
        return Outcome(known.result, GameStatus.FORFEIT, rated=False)
    return known


def _check_participation(
    players: list[_Player], ids: dict[int, str], pairings: Pairings, notes: Notes
) -> None:
    """Note where the rounds in which a player took part are not those of his games."""
    paired = pairings.paired
    for player in players:
        rounds = player.node.attribute("participating")[: pairings.last_round]
        for number, mark in enumerate(rounds, 1):
            has_game = (number, ids[player.number]) in paired
            # People stay away from a round without telling the program, so a game that is
            # missing tells nothing.
            if has_game and mark == _ABSENT and not player.ghost:
                notes.add(
                    PARTICIPATING,
                    sentence("{label} in round {number}", label=player.label, number=number),
                    player.place,
                )


def _teams(root: Node) -> dict[str, str]:
    """The team of every player by the key that boards use; of several the first."""
    teams: dict[str, str] = {}
    for node in root.walk():
        if node.tag == "Team" and node.attribute("teamName"):
            for board in node.all("Board"):
                teams.setdefault(_key(board.attribute("player")), node.attribute("teamName"))
    return teams


def _entry(player: _Player, id_: str, team: str | None, notes: Notes) -> Entry:
    node, place = player.node, replace(player.place, player=id_)
    if not (player.surname or player.first_name):
        notes.add(common.NAME, player.label, place)
    rank, grade = node.attribute("rank"), node.attribute("grade")
    normal = common.grade(rank or grade)
    if normal is None:
        notes.add(common.GRADE, f"{player.label}: {rank or grade or 'nothing'}", place)
    elif common.grade(grade) not in (normal, None):
        notes.add(
            RANK,
            sentence(
                "{label}: rank {normal}, grade {grade}",
                label=player.label,
                normal=normal,
                grade=common.grade(grade),
            ),
            place,
        )
    federation = common.country(node.attribute("country"))
    if federation is None:
        notes.add(common.COUNTRY, player.label, place)
    return Entry(
        id=id_,
        name=common.full_name(player.surname, player.first_name),
        federation=federation,
        grade=normal,
        club=common.club(node.attribute("club")),
        team=team,
        ids=common.ids_elsewhere(
            egd=common.pin(player.pin),
            ffg=node.attribute("ffgLicence"),
            aga=common.aga(node.attribute("agaId")),
        ),
        standing=_standing(player, place, notes),
        place=place,
    )


def _standing(player: _Player, place: Place, notes: Notes) -> Standing | None:
    """The rating, if the file says that it is the EGF's and nobody has changed it since."""
    rating, origin = player.node.attribute("rating"), player.node.attribute("ratingOrigin")
    match = _EGF.fullmatch(origin)
    if match and match[1] in (None, rating) and _RATING.fullmatch(rating):
        return Standing(rating=float(rating))
    if rating:
        notes.add(common.RATING, f"{player.label}: {rating} ({origin or 'no origin'})", place)
    return None


def _parameters(root: Node, tag: str) -> Node:
    """A set of parameters, empty where the file has none."""
    every = root.child("TournamentParameterSet")
    return (every.child(tag) if every else None) or Node(tag, {}, root.line)


def _event(root: Node, pairings: Pairings, notes: Notes) -> Event:
    general = _parameters(root, "GeneralParameterSet")
    notes.add(common.NO_CLASS, sentence("OpenGotha does not save it"), general.place)
    start, end = common.event_dates(
        general.attribute("beginDate"), general.attribute("endDate"), general.place, notes
    )
    size = general.attribute("size")
    if size not in ("", common.BOARD):
        notes.add(common.BOARD_SIZE, size, general.place)
    return Event(
        name=general.attribute("name") or None,
        place=general.attribute("location") or None,
        start=start,
        end=end,
        kind=common.KIND,
        time_control=_time_control(general),
        rounds=pairings.declared_rounds(general.attribute("numberOfRounds"), general.place),
        komi=common.komi(general.attribute("komi"), general.place, notes),
        officials=tuple(filter(None, [general.attribute("director")])),
    )


def _time_control(general: Node) -> str | None:
    """The basic time in minutes and what follows it: ``60 + 30s byo-yomi``."""
    basic = general.attribute("basicTime")
    if not basic:
        return None
    system = general.attribute("complementaryTimeSystem")
    text = _TIME_SYSTEMS.get(system, f" + {system}" if system else "")
    seconds = common.number(general.attribute("canByoYomiTime"))
    known = general.attributes | {"minutes": f"{seconds / 60:g}" if seconds else ""}
    return basic + re.sub(r"\{(\w+)\}", lambda match: known.get(match[1], "").strip() or "?", text)
