"""The lists of the EGF, the FFG and the AGA, as their sites give them; the players are invented."""

from __future__ import annotations

from pathlib import Path

import pytest

from ratingbook.formats.lists import check_list, looks_like_list, read_entries, read_list
from ratingbook.formats.lists.convert import LIST_TARGETS, convert_list
from ratingbook.model import Entry, Event, Report, Severity
from tests.formats.helpers import one, refusal

EGF = """<html><title> List of Players EURO </title>
<center>(22 Feb 2018)</center>
<pre>
PIN     - player identification number
                                                                                    Last
   PIN          Name                              Club     Grade P&D    GoR    NT appearance
</b>
 99000001  Nobody Ann_Mary                       SE  Upp     6k   --   1484     1  T040529C
 99000002  Nobody Bert                           NL  Gron    4d   5d   2375    92  T170918A
 99000003  _ _                                   XX  xxxx   20k   --    -12     1  T130209I

Number of players: 3
</pre>
</html>
"""
FFG = """#Echelle au 23/02/2018 07:56:59
NOBODY Anaïs                            243 L 9900001 75Op FR
DE PERSONNE Bérénice                  -1400 - 99A0002 94MJ FR
PERSONNE Charles                      -9999 - 9900003 30NJ FR
PERSONNE Dora                           433 e ------- xxxx SE
"""
AGA = """Nobody, Ann\t990001\tFull\t-13.66602\t3/5/2018\tSEAG\tWA\t0.90598\t3/5/2017
Nobody, Bert\t990002\tYouth\t\t5/12/2019\tSPRI\tCO\t\t
Nobody, Cleo W.\t990003\tFull\t3.20000\t11/30/2005\t\t\t\t11/15/1992
"""
LISTS = {"EGF list": EGF, "FFG échelle": FFG, "AGA TDList": AGA}


@pytest.fixture
def paths(tmp_path: Path) -> dict[str, Path]:
    found = {}
    for name, text in LISTS.items():
        found[name] = tmp_path / name
        found[name].write_bytes(text.encode("iso-8859-1"))
    return found


def ratings(path: Path) -> dict[str, tuple[str, float | None, str | None, str | None]]:
    entries, findings = read_entries(path)
    assert not findings.refused
    return {
        e.id: (e.name, e.standing.rating if e.standing else None, e.federation, e.club)
        for e in entries
    }


def test_each_list_is_known(paths: dict[str, Path]) -> None:
    assert {name: looks_like_list(path) for name, path in paths.items()} == {n: n for n in LISTS}


def test_the_list_of_the_egf(paths: dict[str, Path]) -> None:
    assert ratings(paths["EGF list"]) == {
        "99000001": ("Nobody, Ann Mary", 1484, "SE", "Upp"),
        "99000002": ("Nobody, Bert", 2375, "NL", "Gron"),
        "99000003": ("", -12, None, None),
    }


def test_the_echelle(paths: dict[str, Path]) -> None:
    """-9999 stands for who has no rating, dashes for who has no licence."""
    assert ratings(paths["FFG échelle"]) == {
        "9900001": ("NOBODY, Anaïs", 243, "FR", "75Op"),
        "99A0002": ("DE PERSONNE, Bérénice", -1400, "FR", "94MJ"),
        "9900003": ("PERSONNE, Charles", None, "FR", "30NJ"),
    }
    findings, count = check_list(paths["FFG échelle"])
    assert count == 3
    assert "Dora" in one(findings, "go-list.no-number", Severity.INFO).message


def test_the_tdlist(paths: dict[str, Path]) -> None:
    assert ratings(paths["AGA TDList"]) == {
        "990001": ("Nobody, Ann", -13.66602, None, "SEAG"),
        "990002": ("Nobody, Bert", None, None, "SPRI"),
        "990003": ("Nobody, Cleo W.", 3.2, None, None),
    }


def test_players_of_a_report_get_the_ratings_in_force(paths: dict[str, Path]) -> None:
    report = Report(Event(), (Entry("99000002", "Nobody, Bert"), Entry("7", "Somebody")), ())
    players, _ = read_list(paths["EGF list"], [report])
    assert players is not None
    found, _ = players.of(report, "EGF")
    assert set(found) == {"99000002"}
    standing = found["99000002"].standing
    assert standing is not None
    assert standing.rating == 2375
    # The declared grade is for the event to say.
    assert found["99000002"].grade is None


def test_ratings_of_another_federation_are_taken_as_such(paths: dict[str, Path]) -> None:
    report = Report(Event(), (Entry("1", "Nobody, Ann", ids={"aga": "990001"}),), ())
    players, _ = read_list(paths["AGA TDList"], [report])
    assert players is not None
    found, _ = players.of(report, "EGF")
    assert found["1"].standing is None
    assert found["1"].foreign == {"aga": -13.66602}


def test_a_line_that_does_not_fit_is_named(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text(EGF.replace("   4d   5d   2375", "   4d   5d   ????"))
    findings, count = check_list(path)
    assert count == 2
    assert one(findings, "go-list.row", Severity.WARNING).where.line == 9


def test_a_list_in_another_form_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list"
    rows = [f" {99000010 + n}  Nobody Nr_{n}   SE  Upp  6k  {n} points\n" for n in range(200)]
    path.write_text(EGF.replace("\nNumber of", "".join(rows) + "\nNumber of"))
    refusal((None, check_list(path)[0]), "go-list.rows")


def test_a_players_file_of_a_list_of_one_pool(tmp_path: Path) -> None:
    """The ratings of a blitz list are the ratings of the players file, and that is said."""
    path = tmp_path / "blitz_rating_list.xml"
    path.write_text(
        "<playerslist><player><fideid>99</fideid><name>Nobody, Ann</name><country>SWE</country>"
        "<blitz_rating>2100</blitz_rating><blitz_games>9</blitz_games></player></playerslist>"
    )
    out = tmp_path / "players.csv"
    with out.open("wb") as file:
        findings = convert_list(path, file, LIST_TARGETS["csv"], lambda _: None)
    assert "blitz" in one(findings, "list.one-pool", Severity.INFO).message
    assert out.read_text().splitlines()[1] == '99,"Nobody, Ann",SWE,,,,2100,'
