"""A TRF file becomes a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ratingbook.formats.fide.trf.agreement import check_agreement
from ratingbook.formats.fide.trf.checks import check_records
from ratingbook.formats.fide.trf.event import read_header
from ratingbook.formats.fide.trf.games import read_games
from ratingbook.formats.fide.trf.national import NATIONAL, National, read_nationals
from ratingbook.formats.fide.trf.numbers import read_numbers
from ratingbook.formats.fide.trf.players import PlayerLine, final_places, read_player
from ratingbook.formats.fide.trf.records import Records, sort_records
from ratingbook.formats.fide.trf.teams import Team, read_teams, team_of_players
from ratingbook.formats.fide.trf.totals import check_totals
from ratingbook.formats.tools.notes import Notes, Remark, answer
from ratingbook.formats.tools.text import Decoded, Line
from ratingbook.model import Entry, Finding, Findings, Place, Report, Severity, Standing
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

DUPLICATE = Remark(
    "trf.duplicate",
    Severity.ERROR,
    "Two players have the same starting rank",
    "Give every player a number of his own; the opponents refer to it.",
    each=True,
)
NO_GAMES = Remark(
    "trf.no-games",
    Severity.WARNING,
    "The report holds no game",
    "Export the report again after the results were entered.",
)
NO_PLAYERS = Finding(
    "trf.no-players",
    Severity.FATAL,
    sentence("The file has no player's line (record 001)."),
    remedy=sentence("Export the report as TRF from the tournament program."),
)

_PLAYER = pattern(r"\s*001 [ 0-9]{3}[0-9](?:\s|$)")
_HEADER = pattern(r"(?:0[1-9]2|XXR)(?![0-9])")


def looks_like_trf(lines: Iterable[Line]) -> bool:
    """Whether the lines are a TRF file: a player's line, or two header records."""
    headers = 0
    for line in lines:
        headers += _HEADER.match(line.text) is not None
        if headers >= 2 or _PLAYER.match(line.text):
            return True
    return False


def read_trf(decoded: Decoded) -> tuple[Report | None, Findings]:
    """The report of a decoded file, with everything that was noticed.

    The report is None where nothing could be read; where the findings refuse it,
    it holds what could be understood.
    """
    return answer(decoded.lines, decoded.findings, _report)


def _players(records: Records, notes: Notes) -> dict[int, PlayerLine]:
    """The players by starting rank; of two with the same, the first."""
    players: dict[int, PlayerLine] = {}
    for line in records.players:
        player = read_player(line, notes)
        if player is None:
            continue
        first = players.setdefault(player.rank, player)
        if first is not player:
            what = sentence(
                "{first} (line {line}) and {player} (line {line2})",
                first=first.label,
                line=first.line,
                player=player.label,
                line2=player.line,
            )
            notes.add(DUPLICATE, what, player.place())
    return dict(sorted(players.items()))


def _report(lines: Iterable[Line], notes: Notes) -> Report | Finding:
    records = sort_records(lines, notes)
    players = _players(records, notes)
    if not players:
        return NO_PLAYERS
    header = read_header(records, notes)
    register = _register(records, players, notes)
    games = read_games(players, header.rounds, records.teams, notes)
    if not any(game.black for game in games):
        notes.add(NO_GAMES, sentence("all results are blank or byes"), Place())
    check_totals(records, players.values(), register.teams, notes)
    numbers = {team.number for team in register.teams if team.number}
    check_records(records, players.keys(), numbers, notes)
    check_agreement(records, players, register.teams, notes)
    places = final_places(players.values())
    entries = (_entry(player, register, places.get(player.rank)) for player in players.values())
    return Report(header.event, tuple(entries), games)


@dataclass(frozen=True, slots=True)
class _Register:
    """What other records than his own line say of each player, by starting rank."""

    teams: tuple[Team, ...]
    team_of: Mapping[int, str]
    ids: Mapping[int, Mapping[str, str]]
    nationals: Mapping[int, National]


def _register(records: Records, players: Mapping[int, PlayerLine], notes: Notes) -> _Register:
    teams = read_teams(records, players.keys(), notes)
    return _Register(
        teams=teams,
        team_of=team_of_players(teams, notes),
        ids=read_numbers(records, players, notes),
        nationals=read_nationals(records, players, notes),
    )


def _entry(player: PlayerLine, register: _Register, place: int | None) -> Entry:
    national = register.nationals.get(player.rank, National(None, ""))
    ids = {**register.ids[player.rank]}
    if national.number:
        ids[NATIONAL] = national.number
    return Entry(
        id=player.id,
        name=player.name,
        federation=player.federation,
        title=player.title,
        sex=player.sex,
        birth_date=player.birth.day,
        birth_year=player.birth.year,
        team=register.team_of.get(player.rank),
        rank=place,
        ids=ids,
        standing=Standing(rating=player.rating) if player.rating else None,
        foreign={NATIONAL: national.rating} if national.rating else {},
        place=player.place(),
    )
