"""The teams of an event: record 310 of TRF26, or record 013 of the versions before."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ratingbook.formats.fide.trf import layout
from ratingbook.formats.fide.trf.checks import REFERENCE, numbers_in
from ratingbook.formats.fide.trf.records import Records
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.text import Line
from ratingbook.model import Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

TEAM_COLUMNS = Remark(
    "trf.team-columns",
    Severity.WARNING,
    "Team records have left their columns; their players were taken as far as they can be seen",
    "Write the name into columns 5 to 36 and the players from column 37 on (record 013), or the "
    "name into columns 9 to 40 and the players from column 74 on (record 310); each player has "
    "five columns.",
)
TWO_TEAMS = Remark(
    "trf.two-teams",
    Severity.WARNING,
    "Players stand in two teams; the first one was taken",
    "Take the player out of one of the teams.",
)
NO_NAME = Remark(
    "trf.team-name",
    Severity.WARNING,
    "Teams have no name; their players were left without a team",
    "Add the names of the teams.",
)

_NAME_OF_16 = slice(4, 36)
_NUMBER_OF_26 = slice(4, 7)
_NAME_OF_26 = slice(8, 40)
_PLAYERS_OF_16 = 36
_PLAYERS_OF_26 = 73
_WORD = pattern(r"\S+")
_RANK = pattern("[0-9]{1,4}")


@dataclass(frozen=True, slots=True)
class Team:
    """A team: its players by starting rank, in the order of the record."""

    name: str
    players: tuple[int, ...]
    line: int
    number: int = 0
    """The pairing number of record 310; 0: none."""


def read_teams(records: Records, players: Collection[int], notes: Notes) -> tuple[Team, ...]:
    """The teams of record 310, or of 013 where there is none of the other."""
    if lines := records.lists.get(layout.TEAM_OF_26):
        teams = [_of_26(line, notes) for line in lines]
    else:
        teams = [_of_16(line, notes) for line in records.lists.get(layout.TEAM_OF_16, ())]
    for team in teams:
        place = Place(line=team.line)
        if not team.name:
            notes.add(NO_NAME, sentence("line {number}", number=team.line), place)
        for rank in team.players:
            if rank not in players:
                notes.add(
                    REFERENCE, sentence("team {name}: {rank}", name=team.name, rank=rank), place
                )
    return tuple(teams)


def team_of_players(teams: Iterable[Team], notes: Notes) -> dict[int, str]:
    """The team of each player who has one, by starting rank."""
    names: dict[int, str] = {}
    for team in teams:
        for rank in team.players if team.name else ():
            if names.setdefault(rank, team.name) != team.name:
                what = sentence(
                    "{rank} in {names} and in {team}", rank=rank, names=names[rank], team=team.name
                )
                notes.add(TWO_TEAMS, what, Place(line=team.line, player=str(rank)))
    return names


def _of_26(line: Line, notes: Notes) -> Team:
    text = line.text
    number = text[_NUMBER_OF_26].strip()
    name = text[_NAME_OF_26].strip()
    players = numbers_in(text, _PLAYERS_OF_26)
    if players is None or not number.isdecimal() or text[7:8].strip() or text[40:41].strip():
        notes.add(TEAM_COLUMNS, name or number, Place(line=line.number))
    return Team(name, players or (), line.number, int(number) if number.isdecimal() else 0)


def _of_16(line: Line, notes: Notes) -> Team:
    name = line.text[_NAME_OF_16].strip()
    players = numbers_in(line.text, _PLAYERS_OF_16)
    if not players:
        by_looks = _numbers_at_the_end(line.text[3:].rstrip())
        if by_looks[1] or players is None:
            name, players = by_looks
            notes.add(TEAM_COLUMNS, name, Place(line=line.number))
    return Team(name, players or (), line.number)


def _numbers_at_the_end(text: str) -> tuple[str, tuple[int, ...]]:
    """A name, and the numbers that follow it."""
    name_end = 0
    numbers: list[int] = []
    for word in _WORD.finditer(text):
        if _RANK.fullmatch(word[0]) and name_end:
            numbers.append(int(word[0]))
        else:
            name_end, numbers = word.end(), []
    return text[:name_end].strip(), tuple(numbers)
