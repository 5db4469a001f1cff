"""A list as a source of players: who is found, what is taken, and what is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from ratingbook.formats.lists import (
    FidePlayer,
    IccfPlayer,
    IecgPlayer,
    Rated,
    read_entries,
    read_list,
    source,
    write_fide_txt,
    write_iccf_list,
    write_iecg_list,
)
from ratingbook.formats.lists.source import names_agree
from ratingbook.formats.standings import read_standings
from ratingbook.model import Entry, Event, Findings, Report, Severity, Standing
from tests.formats.helpers import codes, one

PLAYERS = [
    FidePlayer("1001", "Doe, Jo", "AUT", "F", "WFM", "WFM", standard=Rated(2101, 9, 10),
               rapid=Rated(2050, 3, 20), birth_year=1990, flag="w"),
    FidePlayer("1002", "Roe, Ri", "GER", "M", standard=Rated(1801, 0, 40), flag="i"),
    FidePlayer("1003", "Moe, Al", "SUI", "M", birth_year=2011),
]  # fmt: skip


@pytest.fixture
def fide(tmp_path: Path) -> Path:
    path = tmp_path / "players_list_foa.txt"
    with path.open("wb") as out:
        write_fide_txt(PLAYERS, out)
    return path


def found(
    path: Path, *entries: Entry, federation: str = "FIDE", pool: str | None = None
) -> tuple[dict[str, Entry], Findings]:
    report = Report(Event(pool=pool), entries, ())
    listed, findings = read_list(path, [report])
    assert listed is not None, list(findings)
    players, more = listed.of(report, federation)
    findings.extend(more)
    return players, findings


def test_by_the_number_that_the_report_gives(fide: Path) -> None:
    players, findings = found(fide, Entry("1", name="Doe, Jo", ids={"fide": "1001"}))
    entry = players["1"]
    assert entry.standing == Standing(rating=2101, extra={"k": 10, "reached_2400": True})
    assert (entry.federation, entry.sex, entry.title) == ("AUT", "w", "WFM")
    assert entry.birth_year == 1990
    assert (entry.place.file, entry.place.line) == (str(fide), 2)
    assert codes(findings) == {}


def test_by_the_id_of_the_report(fide: Path) -> None:
    players, findings = found(fide, Entry("1001", name="Jo Doe"), Entry("01001"))
    assert players["1001"].standing == players["01001"].standing
    assert codes(findings) == {}


def test_nobody_is_found_by_name(fide: Path) -> None:
    players, findings = found(fide, Entry("1", name="Doe, Jo"))
    assert players == {}
    assert "1 Doe, Jo" in one(findings, "list.no-number", Severity.INFO).message


def test_only_those_whom_reports_name_are_kept(fide: Path) -> None:
    reports = [Report(Event(), (Entry("1001"),), ()), Report(Event(), (Entry("1003"),), ())]
    listed, _ = read_list(fide, reports)
    assert listed is not None
    assert set(listed.players) == {"1001", "1003"}


def test_the_pool_is_that_of_the_event(fide: Path) -> None:
    entry = Entry("1001")
    rapid = found(fide, entry, pool="Rapid")[0]["1001"]
    assert rapid.standing == Standing(rating=2050, extra={"k": 20})
    assert rapid.pools["standard"].rating == 2101
    players, findings = found(fide, entry, pool="blitz")
    assert players["1001"].standing is None
    one(findings, "list.no-pool", Severity.WARNING)


def test_a_number_that_is_not_in_the_list(fide: Path) -> None:
    _, findings = found(fide, Entry("1", name="Doe, Jo", ids={"fide": "999"}))
    finding = one(findings, "list.not-found", Severity.WARNING)
    assert finding.where.player == "1"
    assert "999" in finding.message


def test_ids_that_are_numbers_of_the_list_for_others(fide: Path) -> None:
    """Where ids of others are numbers of the list, nobody lacks one: it lacks a player."""
    _, findings = found(fide, Entry("1001", name="Doe, Jo"), Entry("1009", name="New, Ni"))
    assert "1009 New, Ni" in one(findings, "list.not-found", Severity.WARNING).message
    assert "list.no-number" not in codes(findings)
    _, findings = found(fide, Entry("1001", name="Zoe, Zed"), Entry("1009", name="New, Ni"))
    assert "list.not-found" not in codes(findings)


def test_another_name_for_the_number(fide: Path) -> None:
    """A FIDE number is believed and the name told; a mere id is not believed."""
    players, findings = found(fide, Entry("1", name="Zoe, Zed", ids={"fide": "1001"}))
    assert set(players) == {"1"}
    assert "Doe, Jo" in one(findings, "list.other-name", Severity.WARNING).message
    players, findings = found(fide, Entry("1001", name="Zoe, Zed"))
    assert players == {}
    one(findings, "list.other-player", Severity.WARNING)


@pytest.mark.parametrize(
    ("one_name", "other", "agree"),
    [
        ("Doe, Jo", "Jo DOE", True),
        ("Döe", "Doe, J.", True),
        ("", "Doe", True),
        ("Doe, Jo", "Roe, Jo", True),
        ("Doe, Jo", "Roe, Ri", False),
        ("Doe J", "Roe J", False),
    ],
)
def test_names_that_may_be_one_persons(one_name: str, other: str, agree: bool) -> None:
    assert names_agree(one_name, other) is agree


def test_an_unrated_player_keeps_the_rating_of_the_report(fide: Path) -> None:
    players, findings = found(fide, Entry("1003", standing=Standing(rating=1500)), Entry("1001"))
    assert players["1003"].standing is None
    assert "1500" in one(findings, "list.unrated", Severity.WARNING).message


def test_an_inactive_player_and_the_k_of_a_new_one(fide: Path) -> None:
    players, findings = found(fide, Entry("1002"))
    assert codes(findings) == {"list.inactive": Severity.INFO}
    standing = players["1002"].standing
    assert standing is not None
    assert standing.extra == {"k": 40}
    assert standing.games is None


def test_another_federations_list_gives_ratings_elsewhere(fide: Path) -> None:
    players, findings = found(fide, Entry("1001"), Entry("1003"), federation="US Chess")
    assert players["1001"].foreign == {"fide": 2101}
    assert players["1001"].standing is None
    assert players["1003"].foreign == {}
    one(findings, "list.foreign", Severity.INFO)


def test_a_number_that_stands_twice(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    twin = PLAYERS[0]._replace(standard=Rated(1900))
    for players, expected in (
        ([PLAYERS[0], PLAYERS[0]], {}),
        ([PLAYERS[0], twin], {"list.twice": Severity.ERROR}),
    ):
        with path.open("wb") as out:
            write_fide_txt(players, out)
        _, findings = read_list(path, [Report(Event(), (Entry("1001"),), ())])
        assert codes(findings) == expected


def test_the_correspondence_lists(tmp_path: Path) -> None:
    iccf, iecg = tmp_path / "iccf.csv", tmp_path / "iecg.csv"
    with iccf.open("wb") as out:
        write_iccf_list([IccfPlayer("00123", "AUT", "SIM", "Doe, Jo", 88, 2405, "F")], out)
    with iecg.open("wb") as out:
        write_iecg_list([IecgPlayer(1, 1, "7", "Doe, Jo", "AUT", 2105, 2080, 20, 10, 5, 5)], out)
    entry = Entry("1", name="Doe, Jo", ids={"iccf": "123", "iecg": "7"})
    players, _ = found(iccf, entry, federation="ICCF")
    assert players["1"].standing == Standing(rating=2405, games=88)
    players, _ = found(iccf, entry, federation="IECG")
    assert players["1"].foreign == {"iccf": 2405, "iccf_games": 88}
    players, _ = found(iecg, entry, federation="IECG")
    assert players["1"].standing == Standing(2105, 20, 10, 5, 5, extra={"ter": 2080})


def test_a_file_that_is_no_list(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("Hello")
    listed, findings = read_list(path, [])
    assert listed is None
    one(findings, "list.unknown", Severity.FATAL)


# Standings for a list


def test_all_players_of_a_list_as_standings(fide: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    members, rulebook, findings = read_standings(fide)
    assert [(m.entry.id, m.entry.standing and m.entry.standing.rating) for m in members] == [
        ("1001", 2101), ("1002", 1801), ("1003", None),
    ]  # fmt: skip
    assert rulebook is None
    assert not len(findings)
    monkeypatch.setattr(source, "MOST_ENTRIES", 2)
    entries, findings = read_entries(fide)
    assert entries == []
    one(findings, "list.too-many", Severity.FATAL)


@pytest.mark.parametrize("text", ["Mitglied;Wertung\n77;1800\n", "Dear officer,\n"])
def test_what_is_no_report_is_told_what_a_table_of_players_needs(tmp_path: Path, text: str) -> None:
    path = tmp_path / "players.csv"
    path.write_text(text, encoding="utf-8")
    members, _, findings = read_standings(path)
    assert members == []
    assert "id,name,rating,games" in one(findings, "players.no-id", Severity.FATAL).remedy
