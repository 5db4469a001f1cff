"""Records of byes, line-ups and forfeited matches, compared with the players' lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ratingbook.formats.fide.trf import layout
from ratingbook.formats.fide.trf.checks import number_in, numbers_in
from ratingbook.formats.fide.trf.players import PlayerLine
from ratingbook.formats.fide.trf.records import Records
from ratingbook.formats.fide.trf.teams import Team
from ratingbook.formats.tools.notes import Notes, Remark, all_of
from ratingbook.model import Place, Severity
from ratingbook.model.sentences import sentence

BYES = Remark(
    "trf.byes",
    Severity.WARNING,
    "Byes in record 240 stand otherwise in the players' lines; the lines were taken",
    "Correct record 240, or the player's line.",
)
LINE_UP = Remark(
    "trf.line-up",
    Severity.WARNING,
    "A line-up (record 300) has players who are not in the team",
    "Correct record 300, or the players in record 310.",
)
FORFEITED_MATCH = Remark(
    "trf.forfeited-match",
    Severity.WARNING,
    "A match is called forfeited (record 330), but games of it were played",
    "Take the record out, or correct the results of the players.",
)

_CODES = {"F": "FU+1W", "H": "H=D", "Z": "Z-0L"}
"""What may stand in a player's line for each type of bye."""


def check_agreement(
    records: Records, players: Mapping[int, PlayerLine], teams: Iterable[Team], notes: Notes
) -> None:
    """Note where these records and the players' lines contradict each other."""
    if not records.teams:  # In a team event the byes are those of teams.
        _check_byes(records, players, notes)
    by_number = {team.number: team for team in teams if team.number}
    _check_line_ups(records, by_number, notes)
    if "330" in records.lists:
        _check_forfeited_matches(records, players, by_number, notes)


def _check_byes(records: Records, players: Mapping[int, PlayerLine], notes: Notes) -> None:
    byes = records.lists.get("240", ())
    if not byes:
        return
    paired = [n for p in players.values() for n, cell in p.cells.items() if cell.opponent]
    last = max(paired, default=0)
    for line in byes:
        kind, number = line.text[4:5].upper(), number_in(line.text[6:9]) or 0
        if number > last:
            continue  # A bye that is announced for a round that is not yet paired.
        for rank in numbers_in(line.text, 10) or ():
            player = players.get(rank)
            if player is None or not player.readable:
                continue
            cell = player.cells.get(number)
            # A round without anything is a zero-point bye.
            fits = kind == "Z" if cell is None else cell.code in _CODES.get(kind, "")
            if not fits or (cell and cell.opponent and cell.code not in layout.BYES):
                what = sentence(
                    "{player} in round {number}: {kind}",
                    player=player.label,
                    number=number,
                    kind=kind,
                )
                notes.add(BYES, what, Place(line=line.number, player=player.id, round=number))


def _check_line_ups(records: Records, teams: Mapping[int, Team], notes: Notes) -> None:
    members = {number: frozenset(team.players) for number, team in teams.items()}
    for line in records.lists.get("300", ()):
        number = number_in(line.text[8:11]) or 0
        ranks = numbers_in(line.text, 16) or ()
        strangers = [rank for rank in ranks if rank not in members.get(number, ranks)]
        if strangers:
            names = ", ".join(map(str, strangers))
            notes.add(LINE_UP, f"{teams[number].name}: {names}", Place(line=line.number))


def _check_forfeited_matches(
    records: Records, players: Mapping[int, PlayerLine], teams: Mapping[int, Team], notes: Notes
) -> None:
    played = _played_matches(players, teams)
    for line in records.lists["330"]:
        number = number_in(line.text[7:10]) or 0
        sides = numbers_in(line.text, 11, 18, width=3) or ()
        if (number, frozenset(sides)) in played:
            pair = all_of(teams[side].name for side in sides)
            what = sentence("{label} in round {number}", label=pair, number=number)
            notes.add(FORFEITED_MATCH, what, Place(line=line.number, round=number))


def _played_matches(
    players: Mapping[int, PlayerLine], teams: Mapping[int, Team]
) -> set[tuple[int, frozenset[int]]]:
    """The matches in which a game was played: the round and the numbers of both teams."""
    team_of = {rank: team.number for team in teams.values() for rank in team.players}
    return {
        (number, frozenset((team_of[player.rank], team_of[cell.opponent])))
        for player in players.values()
        for number, cell in player.cells.items()
        if cell.code in layout.PLAYED and player.rank in team_of and cell.opponent in team_of
    }
