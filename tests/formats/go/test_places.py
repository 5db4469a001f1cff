"""Places in the final table: against the tables that two programs have printed themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from ratingbook import formats
from ratingbook.formats.go import common
from ratingbook.formats.go.places import Scoring, Starter, Table
from ratingbook.model import Entry, Findings, Report, Severity
from tests.formats.go.test_macmahon import file as macmahon_file
from tests.formats.go.test_macmahon import pairing
from tests.formats.go.test_macmahon import player as macmahon_player
from tests.formats.go.test_macmahon import read as read_macmahon
from tests.formats.go.test_opengotha import file as opengotha_file
from tests.formats.go.test_opengotha import game, player
from tests.formats.go.test_opengotha import read as read_opengotha
from tests.formats.helpers import one, with_code


class Line(NamedTuple):
    """What a program has printed of a player, in half points."""

    place: int
    score: int
    sos: int
    sosos: int


def lines_of(path: Path, line: str) -> Iterator[Line]:
    for match in re.finditer(line, path.read_text("latin-1"), re.MULTILINE):
        place, *scores = match.groups()
        yield Line(int(place), *(2 * int(s.rstrip("=")) + s.endswith("=") for s in scores))


def strength(entry: Entry) -> int:
    grade = common.grade(entry.grade or "")
    assert grade is not None
    return common.strength(grade)


def table_of(report: Report, floor: int, bar: int, scoring: Scoring) -> Table:
    """The table of a printed event; rounds that show half a point were not played."""
    starters = {
        entry.id: Starter(
            min(max(strength(entry), floor), bar) - floor, strength(entry), 0,
            frozenset(game.round or 0 for game in report.games
                      if game.white == entry.id and game.black is None),
        )
        for entry in report.entries
    }  # fmt: skip
    games = [game for game in report.games if game.black is not None]
    return Table(starters, games, max(game.round or 0 for game in report.games), scoring)


@pytest.mark.parametrize(
    ("name", "line", "floor", "bar", "scoring"),
    [
        # OpenGotha prints MMS, SOS and SOSOS behind the club; 30k stands for 0, there is no bar.
        ("juvisy2019.h9", r"^ +(\d+) .*? [A-Z]{2} \S+ +(\d+=?) +(\d+=?) +(\d+=?) 0 ", -30, 8,
         Scoring(bye=2, absent=1, rounded_down=True)),
        # MacMahon: six points for 1k and stronger, none for 7k and weaker.
        ("hobby2015_macmahon_egd.txt", r"^(\d+)\t(?:[^\t]*\t){4}(\d+=?)\t\d+\t(\d+=?)\t(\d+=?)\t",
         -7, -1, Scoring(bye=2, absent=1, unpaired=1)),
    ],
)  # fmt: skip
def test_the_scores_of_a_printed_table(
    name: str, line: str, floor: int, bar: int, scoring: Scoring, reference: Path
) -> None:
    path = reference / "samples" / "go" / name
    printed = list(lines_of(path, line))
    report = formats.read(path).report
    assert report is not None
    assert len(printed) == len(report.entries)
    table = table_of(report, floor, bar, scoring)
    sos, sosos = table.of_opponents(mms=True), table.of_their_opponents(mms=True)
    places = table.places(["MMS", "SOSM", "SOSOSM"])
    ours = [Line(places[e.id], table.mms[e.id], sos[e.id], sosos[e.id]) for e in report.entries]
    assert ours == printed


# --- OpenGotha --------------------------------------------------------------------------------

_FOUR = [
    player("Dorn", rank="3K"), player("Cole", rank="1K"), player("Bell", rank="1K"),
    player("Abel", rank="1D", participating="10"),
]  # fmt: skip
_GAMES = [
    game("Abel", "Bell"), game("Cole", "Dorn"),
    game("Bell", "Cole", roundNumber="2"),
]  # fmt: skip
_BYE = '<ByePlayers><ByePlayer roundNumber="2" player="DORNJO"/></ByePlayers>'
_POINTS = {"genMMS2ValueAbsent": "1", "genMMS2ValueBye": "2", "genRoundDownNBWMMS": "false",
           "numberOfRounds": "2"}  # fmt: skip


def gotha(*criteria: str, **general: str) -> tuple[dict[str, int | None], Findings]:
    """The places of four players; Abel is absent in the second round, Dorn has a bye."""
    text = opengotha_file(_FOUR, _GAMES, _BYE, **{**_POINTS, **general})
    named = "".join(
        f'<PlacementCriterion name="{name}" number="{number}"/>'
        for number, name in enumerate(criteria, 1)
    )
    of_teams = '<PlacementCriterion name="TEAMP" number="1"/>'
    text = text.replace(
        "</TournamentParameterSet>",
        f"<PlacementParameterSet><PlacementCriteria>{named}</PlacementCriteria>"
        f"</PlacementParameterSet></TournamentParameterSet>"
        f"<TeamPlacementParameterSet>{of_teams}</TeamPlacementParameterSet>",
    )
    report, findings = read_opengotha(text)
    return {entry.name.split(",")[0]: entry.rank for entry in report.entries}, findings


def test_places_by_the_mcmahon_score_then_by_opponents() -> None:
    """Abel 30 + 1 + ½, Bell 29 + 1, Cole 29 + 1, Dorn 27 + 1.

    Bell met 31½ and 30, Cole 28 and 30.
    """
    places, findings = gotha("MMS", "SOSM", "NULL")
    assert places == {"Abel": 1, "Bell": 2, "Cole": 3, "Dorn": 4}
    assert not with_code(findings, "go.places")


def test_who_is_equal_shares_a_place_where_the_next_criterion_is_not_computed() -> None:
    places, findings = gotha("MMS", "DC")
    assert places == {"Abel": 1, "Bell": 2, "Cole": 2, "Dorn": 4}
    assert "equal in MMS" in one(findings, "go.places", Severity.INFO).message


def test_a_bar_makes_starts_equal() -> None:
    """With a bar at 1k Abel has 29 + 1 + ½, and with absences rounded down 29 + 1, as two others.

    Sums of opponents: Abel 30 and his own start, 29; Bell 30 and 30; Cole 28 and 30.
    """
    assert gotha("MMS", genMMBar="1K")[0] == {"Abel": 1, "Bell": 2, "Cole": 2, "Dorn": 4}
    places, _ = gotha("MMS", "SOSM", genMMBar="1K", genRoundDownNBWMMS="true")
    assert places == {"Bell": 1, "Abel": 2, "Cole": 3, "Dorn": 4}


def test_no_places_where_the_first_criterion_is_not_computed() -> None:
    places, findings = gotha("CPS", "MMS")
    assert set(places.values()) == {None}
    assert "there are none" in one(findings, "go.places", Severity.INFO).message


def test_a_file_without_criteria_has_no_places() -> None:
    places, findings = gotha()
    assert set(places.values()) == {None}
    assert not with_code(findings, "go.places")


# --- MacMahon ---------------------------------------------------------------------------------


def macmahon(*criteria: str, last: str = "") -> tuple[dict[str, int | None], Findings]:
    """The same tournament; the second round of Abel and Dorn has no game."""
    bars = (
        "<UpperMacMahonBar>true</UpperMacMahonBar><UpperMacMahonBarLevel>1k</UpperMacMahonBarLevel>"
    )
    named = "".join(f"<Criterion><ShortName>{name}</ShortName></Criterion>" for name in criteria)
    players = [
        macmahon_player("4", "Dorn", GoLevel="3k"), macmahon_player("3", "Cole", GoLevel="1k"),
        macmahon_player("2", "Bell", GoLevel="1k"),
        macmahon_player("1", "Abel", "<NotPlayingInRound>2</NotPlayingInRound>", GoLevel="5d"),
    ]  # fmt: skip
    # The program writes Black's score first.
    rounds = [
        [pairing("1", "2", "0-1"), pairing("3", "4", "0-1")],
        [pairing("2", "3", "0-1", last)],
    ]
    text = macmahon_file(players, *rounds)
    text = text.replace("<Name>", f"{bars}<Walllist>{named}</Walllist><Name>")
    report, findings = read_macmahon(text)
    return {entry.name.split(",")[0]: entry.rank for entry in report.entries}, findings


def test_places_by_the_criteria_of_the_wall_list() -> None:
    """From the bar: Abel 0 + 1 + ½, Bell 0 + 1, Cole 0 + 1, Dorn −2 + ½.

    Bell met 1½ and 1, Cole −1½ and 1.
    """
    places, findings = macmahon("Score", "SOS", "SOSOS")
    assert places == {"Abel": 1, "Bell": 2, "Cole": 3, "Dorn": 4}
    assert not with_code(findings, "go.places")


def test_stones_leave_sums_of_opponents_open() -> None:
    """Nothing says whether the program takes them off the opponent's score."""
    places, findings = macmahon("Score", "SOS", last="<Handicap>2</Handicap>")
    assert places == {"Abel": 1, "Bell": 2, "Cole": 2, "Dorn": 4}
    assert "equal in MMS shares one" in one(findings, "go.places", Severity.INFO).message
