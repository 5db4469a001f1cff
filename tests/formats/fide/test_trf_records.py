"""TRF: what the records beside the players' lines and the games say, and the checks of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ratingbook.formats.fide.trf.read import read_trf
from ratingbook.formats.tools.text import decode
from ratingbook.model import Entry, Findings, Severity
from tests.formats.fide.trf_files import file, pair, player_line, read, sample
from tests.formats.helpers import codes, one, with_code


def entry(*lines: str) -> tuple[Entry, Findings]:
    """The first player of an event."""
    report, findings = read(file(*lines))
    return report.entries[0], findings


def national_line(
    code: str, rank: int, *, rating: str = "", number: str = "", title: str = "", origin: str = ""
) -> str:
    """A national record in its columns."""
    return f"{code} {rank:>4}  {title:>3} {'':33} {rating:>4} {origin:3} {number:>11}"


# --- Titles -----------------------------------------------------------------------------------


@pytest.mark.parametrize("title", ["GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"])
def test_titles(title: str) -> None:
    found, findings = entry(player_line(1, title=title))
    assert found.title == title
    assert not codes(findings, Severity.INFO).keys() & {"trf.title", "trf.title-short"}


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("g", "GM"),
        ("m", "IM"),
        ("f", "FM"),
        ("c", "CM"),
        ("wg", "WGM"),
        ("wm", "WIM"),
        ("wf", "WFM"),
        ("wc", "WCM"),
        ("G", "GM"),
        ("WM", "WIM"),
    ],
)
def test_old_titles(written: str, title: str) -> None:
    found, findings = entry(player_line(1, title=written))
    assert found.title == title
    assert f"{written} as {title}" in one(findings, "trf.title-short", Severity.INFO).message


def test_titles_in_small_letters_are_the_same() -> None:
    found, findings = entry(player_line(1, title="fm"))
    assert found.title == "FM"
    assert not with_code(findings, "trf.title-short")


@pytest.mark.parametrize("written", ["Dr", "w", "NM", "x"])
def test_other_titles_are_named(written: str) -> None:
    found, findings = entry(player_line(1, title=written))
    assert found.title is None
    finding = one(findings, "trf.title", Severity.INFO)
    assert written in finding.message
    assert finding.where.column == 11


def test_titles_of_a_real_file(reference: Path) -> None:
    report, _ = sample(reference, "example1.trf")
    titles = [found.title for found in report.entries if found.title]
    # The file has g three times, m eleven times, f five times and wf once.
    assert sorted(titles) == ["FM"] * 5 + ["GM"] * 3 + ["IM"] * 11 + ["WFM"]


# --- Numbers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["100013", "4600001", "0004600001", "90904239903"])
def test_numbers_of_fide(number: str) -> None:
    found, findings = entry(player_line(1, number=number))
    assert found.ids == {"fide": number.lstrip("0")}
    assert not with_code(findings, "trf.fide-number")


@pytest.mark.parametrize("number", ["", "0", "000", "-"])
def test_no_number(number: str) -> None:
    found, findings = entry(player_line(1, number=number))
    assert found.ids == {}
    assert not with_code(findings, "trf.local-number")


def test_numbers_of_another_register() -> None:
    report, findings = read(
        file(
            player_line(1, number="268"),
            player_line(2, number="12491"),
            player_line(3, number="399249"),
            player_line(4),
        )
    )
    # One that is long enough for FIDE is of the same register as the others.
    assert [found.ids for found in report.entries] == [
        {"local": "268"},
        {"local": "12491"},
        {"local": "399249"},
        {},
    ]
    assert one(findings, "trf.local-number", Severity.INFO).where.column == 58


def test_a_single_number_that_is_not_of_fide() -> None:
    report, findings = read(
        file(
            player_line(1, number="4600001"),
            player_line(2, number="4600002"),
            player_line(3, number="L01854"),
        )
    )
    assert report.entry("1").ids == {"fide": "4600001"}
    assert report.entry("3").ids == {"local": "L01854"}
    finding = one(findings, "trf.fide-number", Severity.WARNING)
    assert (finding.where.line, finding.where.player) == (5, "3")


def test_the_same_number_twice() -> None:
    _, findings = read(file(player_line(1, number="4600001"), player_line(2, number="4600001")))
    assert (
        "1 Doe, Jo and 2 Doe, Jo" in one(findings, "trf.fide-number-twice", Severity.ERROR).message
    )


def test_a_number_out_of_its_columns() -> None:
    straight = player_line(1, "2 w 1", number="4600001", birth="1990/05/17", points="1.0")
    moved = straight[:50] + "  " + straight[50:]
    found, findings = entry(moved, player_line(2, "1 b 0", number="4600002"))
    assert found.ids == {"fide": "4600001"}
    one(findings, "trf.columns", Severity.WARNING)


def test_numbers_of_real_files(reference: Path) -> None:
    report, findings = sample(reference, "irish_intermediate_champs_2011.tab")
    one(findings, "trf.local-number", Severity.INFO)
    assert report.entry("17").ids == {"local": "399249"}
    report, _ = sample(reference, "trf26_team.trf")
    assert [found.ids["fide"] for found in report.entries] == ["6598935028", "535773"]
    report, findings = sample(reference, "example_trf26.trf")
    assert all(len(found.ids["fide"]) == 11 for found in report.entries)


def test_numbers_in_the_records_of_tornelo() -> None:
    report, findings = read(
        file(
            player_line(1),
            "DAT 0001 ID:USCF 12345678",
            "DAT 1    EMAIL   jo@example.org",
            player_line(2),
            "DAT 0007 ID:USCF 12345679",
        )
    )
    assert report.entry("1").ids == {"uscf": "12345678"}
    assert "DAT" in one(findings, "trf.unneeded", Severity.INFO).message
    assert "DAT: 7" in one(findings, "trf.reference", Severity.WARNING).message
    assert not any("example.org" in finding.message for finding in findings)


# --- National records -------------------------------------------------------------------------


def test_national_ratings_and_numbers() -> None:
    report, findings = read(
        file(
            player_line(1, rating="2840"),
            player_line(2, rating=""),
            national_line("FRA", 1, rating="2200", number="D50113"),
            national_line("FRA", 2, rating="1500", title="A", origin="IDF"),
        )
    )
    first, second = report.entries
    assert first.standing is not None
    assert first.standing.rating == 2840
    assert first.foreign == {"national": 2200}
    assert first.ids == {"national": "D50113"}
    assert (second.standing, second.foreign, second.ids) == (None, {"national": 1500}, {})
    assert "national class and origin" in one(findings, "trf.unneeded", Severity.INFO).message


def test_several_national_records_of_a_player() -> None:
    found, findings = entry(
        player_line(1),
        national_line("FRA", 1, rating="2200"),
        national_line("BEL", 1, rating="2100"),
    )
    assert found.foreign == {"national": 2200}
    one(findings, "trf.national-twice", Severity.INFO)


@pytest.mark.parametrize("rating", ["22O0", "-100", "1.5"])
def test_a_national_rating_that_is_no_number(rating: str) -> None:
    found, findings = entry(player_line(1), national_line("FRA", 1, rating=rating))
    assert found.foreign == {}
    finding = one(findings, "trf.national", Severity.WARNING)
    assert (finding.where.line, finding.where.player) == (4, "1")


def test_a_national_record_without_player() -> None:
    _, findings = entry(player_line(1), national_line("FRA", 3, rating="2200"))
    assert "FRA: 3" in one(findings, "trf.reference", Severity.WARNING).message


# --- Teams ------------------------------------------------------------------------------------


def team_of_26(number: int, name: str, *players: int) -> str:
    return f"310 {number:>3} {name:32} {'':32} " + "".join(f" {rank:>4}" for rank in players)


@pytest.mark.parametrize(
    "record",
    [
        f"013 {'Town A':32}   1    2",
        f"013 {'A town with a name of thirty-two':32}   1    2",
        team_of_26(7, "Town A", 1, 2),
    ],
)
def test_teams(record: str) -> None:
    report, findings = read(file(record, player_line(1), player_line(2), player_line(3)))
    name = record[4:36].strip() if record.startswith("013") else "Town A"
    assert [found.team for found in report.entries] == [name, name, None]
    assert not codes(findings, Severity.WARNING).keys() - {"trf.no-games"}


def test_record_310_goes_before_record_013() -> None:
    found, _ = entry(f"013 {'Old':32}   1", team_of_26(1, "New", 1), player_line(1))
    assert found.team == "New"


def test_a_team_record_out_of_its_columns() -> None:
    report, findings = read(file("013 Town 1  1 2", player_line(1), player_line(2)))
    # The digits at the end of the name cannot be told from players.
    assert {found.team for found in report.entries} == {"Town"}
    assert "Town" in one(findings, "trf.team-columns", Severity.WARNING).message
    _, findings = read(file(team_of_26(1, "Town", 1) + " x", player_line(1)))
    one(findings, "trf.team-columns", Severity.WARNING)


def test_a_player_in_two_teams() -> None:
    found, findings = entry(team_of_26(1, "A", 1), team_of_26(2, "B", 1), player_line(1))
    assert found.team == "A"
    assert "1 in A and in B" in one(findings, "trf.two-teams", Severity.WARNING).message


def test_a_team_without_name_and_with_strangers() -> None:
    found, findings = entry(team_of_26(1, "", 1), team_of_26(2, "B", 9), player_line(1))
    assert found.team is None
    one(findings, "trf.team-name", Severity.WARNING)
    assert "team B: 9" in one(findings, "trf.reference", Severity.WARNING).message


def test_teams_of_real_files(reference: Path) -> None:
    report, findings = sample(reference, "armstrong_2011.tab")
    assert len({found.team for found in report.entries}) == 12  # Record 082 of the file.
    assert report.entry("1").team == "Rathmines B"
    assert report.entry("46").team == "Dublin"
    assert not with_code(findings, "trf.counts")
    report, findings = sample(reference, "example_trf26.trf")
    assert len({found.team for found in report.entries}) == 50
    assert {found.id for found in report.entries if found.team == "India"} == {
        "1", "5", "15", "28", "44",
    }  # fmt: skip
    assert not with_code(findings, "trf.counts")


def test_a_count_of_teams_that_does_not_fit() -> None:
    _, findings = entry("082 2", team_of_26(1, "A", 1), player_line(1))
    assert "record 082" in one(findings, "trf.counts", Severity.INFO).message


# --- The event --------------------------------------------------------------------------------


@pytest.mark.parametrize("record", ["142 9", "XXR 9", "142   9"])
def test_rounds_that_were_planned(record: str) -> None:
    report, _ = read(file(record, player_line(1)))
    assert report.event.rounds == 9


@pytest.mark.parametrize("record", ["142 nine", "XXR 5.5", "142 99999999"])
def test_a_number_of_rounds_that_is_none(record: str) -> None:
    report, findings = read(file(record, player_line(1)))
    assert report.event.rounds is None
    assert record in one(findings, "trf.record", Severity.WARNING).message


def test_two_numbers_of_rounds() -> None:
    report, findings = read(file("142 5", "XXR 7", player_line(1)))
    assert report.event.rounds == 5
    assert "7 in XXR" in one(findings, "trf.counts", Severity.INFO).message


def test_officials_the_chief_first() -> None:
    report, findings = read(
        file("112 Roe, Al", "112 Poe, Ed", "102 Doe, Jo", "112", "112 Roe, Al", player_line(1))
    )
    assert report.event.officials == ("Doe, Jo", "Roe, Al", "Poe, Ed")
    assert not with_code(findings, "trf.repeated")


@pytest.mark.parametrize(
    ("records", "time"),
    [(["122 90+30"], "90+30"), (["122 90 min", "222 5400+30"], "5400+30"), (["222"], None)],
)
def test_time_controls(records: list[str], time: str | None) -> None:
    report, _ = read(file(*records, player_line(1)))
    assert report.event.time_control == time


def test_dates_of_rounds_in_the_form_of_the_standard_mean_what_they_say() -> None:
    # Read as day, month, year they would come one after the other.
    rounds = f"132{'':88}26/05/06  26/04/07"
    report, findings = read(
        f"{rounds}\n{player_line(1, '2 w 1', '2 b 0')}\n{player_line(2, '1 b 0', '1 w 1')}\n"
    )
    assert [str(game.start) for game in report.games] == ["2026-05-06", "2026-04-07"]
    assert not with_code(findings, "trf.round-dates")


def test_individual_is_no_kind_that_one_has_to_know() -> None:
    report, findings = read(file("092 Individual", player_line(1)))
    assert report.event.kind is None
    assert not with_code(findings, "event.kind")


# --- Records that rating does not need --------------------------------------------------------


@pytest.mark.parametrize(
    ("records", "number"),
    [
        (["240 H   1    9"], "240: 9"),
        (["250  0.0  1.0   1   3    1    9"], "250: 9"),
        (["260   1   2    1    9"], "260: 9"),
        (["299 W         2.0    1    9"], "299: 9"),
        (["300   1   1   2    1    9", team_of_26(1, "A", 1), team_of_26(2, "B", 2)], "300: 9"),
        (["320  1.0  2.0   9", team_of_26(1, "A", 1)], "320: 9"),
        (["330 +-   1   1   9", team_of_26(1, "A", 1)], "330: 9"),
        (["XXP 1 9"], "XXP: 9"),
        (["XXZ 9"], "XXZ: 9"),
        (["XXA    9  1.0  1.0"], "XXA: 9"),
    ],
)
def test_numbers_that_nobody_has(records: list[str], number: str) -> None:
    _, findings = read(file(*records, player_line(1, "2 w 1"), player_line(2, "1 b 0")))
    assert number in one(findings, "trf.reference", Severity.WARNING).message
    assert not findings.refused


@pytest.mark.parametrize(
    "record",
    [
        "240 H   1    x",
        "240 H one    1",
        "260   3   1    1    2",
        "260 1 2 1 2",
        "299 W         2.0  xxx    1",
        "XXP 1 two",
        "XXZ " + "9" * 50,
        "152 white",
        "352 WBX",
        "162  V 1.0",
        "362 TW two",
        "XXS W~3",
        "BBW one",
    ],
)
def test_records_that_were_not_understood(record: str) -> None:
    _, findings = read(file(record, player_line(1, "2 w 1"), player_line(2, "1 b 0")))
    assert record[:3] in one(findings, "trf.record", Severity.WARNING).message
    assert not findings.refused


@pytest.mark.parametrize(
    "record",
    [
        "240 H 002    2",
        "250 00.0 02.0 001 003 0001 0002",
        "260 001 002    1    2",
        "299 W         2.0         1    2",
        "XXP 1 2",
        "XXZ 1 2",
        "XXA    1  1.0  1.0",
        "152 W",
        "162  W 3.0    D 1.0    P 3.0",
        "XXS W=3 D=1 PAB=3",
        "172 FRA NIDOF",
        "182 Program 1.0",
        "192 FIDE_DUTCH",
        "202 BH,SB",
        "212 PTS,BH",
        "XXC white1",
    ],
)
def test_records_that_are_left_out_without_harm(record: str) -> None:
    _, findings = read(file(record, player_line(1, "2 w 1"), player_line(2, "1 b 0")))
    assert not codes(findings, Severity.WARNING)


def test_what_is_not_used_is_named() -> None:
    tags = "152 172 182 202 212 240 250 260 299 300 320 330 352 362 801 802 XXA XXC XXP XXZ".split()
    _, findings = read(file(*tags, player_line(1)))
    left_out = one(findings, "trf.unneeded", Severity.INFO).message
    assert all(tag in left_out for tag in tags)


def test_records_of_real_files_make_sense(reference: Path) -> None:
    for name in ("example_trf26.trf", "trf-import-test.trf", "javafo_sample2.trf"):
        _, findings = sample(reference, name)
        assert not with_code(findings, "trf.record")
        assert not with_code(findings, "trf.reference")
        assert not with_code(findings, "trf.byes")
    # Player 2 of that file plays for team 2, but does not stand in its record 310.
    _, findings = sample(reference, "trf-team-import-test.trf")
    assert "Crest: 2" in one(findings, "trf.line-up", Severity.WARNING).message


# --- Records and lines that contradict each other ---------------------------------------------


@pytest.mark.parametrize(
    ("bye", "cell"),
    [
        ("H", "0000 - H"),
        ("H", "0000 - ="),
        ("F", "0000 - F"),
        ("F", "0000 - U"),
        ("F", "0000 - +"),
        ("Z", "0000 - Z"),
        ("Z", "0000 - -"),
        ("Z", ""),
    ],
)
def test_byes_that_stand_in_both_places(bye: str, cell: str) -> None:
    _, findings = read(
        file(
            f"240 {bye}   1    3",
            f"240 {bye}   2    3",  # Round 2 is not paired yet.
            player_line(1, "2 w 1"),
            player_line(2, "1 b 0"),
            player_line(3, cell),
        )
    )
    assert not with_code(findings, "trf.byes")


@pytest.mark.parametrize(
    ("bye", "cell"), [("H", ""), ("H", "0000 - U"), ("F", "0000 - H"), ("Z", "0000 - H")]
)
def test_byes_that_contradict_each_other(bye: str, cell: str) -> None:
    _, findings = read(
        file(
            f"240 {bye}   1    3",
            player_line(1, "2 w 1"),
            player_line(2, "1 b 0"),
            player_line(3, cell),
        )
    )
    finding = one(findings, "trf.byes", Severity.WARNING)
    assert (finding.where.player, finding.where.round) == ("3", 1)


def test_a_bye_of_somebody_who_played() -> None:
    _, findings = read(file("240 Z   1    1", player_line(1, "2 w 0"), player_line(2, "1 b 1")))
    one(findings, "trf.byes", Severity.WARNING)


def test_a_forfeited_match_with_games() -> None:
    teams = (team_of_26(1, "A", 1, 2), team_of_26(2, "B", 3, 4))
    lines = (
        player_line(1, "3 w 1"),
        player_line(2, "4 b +"),
        player_line(3, "1 b 0"),
        player_line(4, "2 w -"),
    )
    _, findings = read(file("330 +-   1   1   2", *teams, *lines))
    assert "A and B in round 1" in one(findings, "trf.forfeited-match", Severity.WARNING).message
    _, findings = read(file("330 +-   2   1   2", *teams, *lines))
    assert not with_code(findings, "trf.forfeited-match")


@pytest.mark.parametrize(
    ("record", "points"),
    [
        ("299 W         2.0    1    1", "2.5"),  # The win of round 1 brings two points.
        ("299 W         2.0         1", "2.5"),
        ("299 W         2.0    2    1", "1.5"),
        ("299 W         2.0    1    2", "1.5"),
        ("299 D         0.0    0    1", "1.0"),
        ("299 W         2.0", "2.5"),
        ("299          -0.5         1", "1.0"),  # A penalty.
        ("299           1.0         1", "2.5"),
        ("299 W         nan    1    1", "1.5"),
        ("299 W       2.0   1    1", "2.5"),  # Closer together, as in the standard's example.
        ("299 W       2.0   2    1", "1.5"),
        ("299 W       2.0", "2.5"),
    ],
)
def test_abnormal_points(record: str, points: str) -> None:
    _, findings = read(
        file(
            record,
            player_line(1, "2 w 1", "2 b =", points=points),
            player_line(2, "1 b 0", "1 w ="),
        )
    )
    assert not with_code(findings, "trf.points")


def test_points_of_absences_and_open_games() -> None:
    _, findings = read(
        file(
            "162  A 0.5    X 0.5",
            player_line(1, "2 w -", "2 b  ", points="1.0"),
            player_line(2, "1 b +", "1 w  ", points="1.5"),
        )
    )
    assert not with_code(findings, "trf.points")


# --- Codes of results that mean something else ------------------------------------------------


@pytest.mark.parametrize("cell", ["0000 - +", "0000 - ="])
def test_byes_with_the_code_of_a_forfeit_or_a_draw(cell: str) -> None:
    _, findings = read(file(player_line(1, cell)))
    one(findings, "trf.bye-code", Severity.INFO)
    _, findings = read(file(team_of_26(1, "A", 1), player_line(1, cell)))
    assert not with_code(findings, "trf.bye-code")  # In a team event, a win against nobody.


def test_games_of_less_than_a_move_and_open_games_are_named() -> None:
    _, findings = pair("2 w W", "1 b L")
    one(findings, "trf.unrated", Severity.INFO)
    _, findings = pair("2 w", "1 b")
    one(findings, "trf.open-games", Severity.INFO)
    _, findings = pair("2 w 1", "1 b 0")
    assert not findings


# --- Hostile files ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "013 " + " 1" * 40_000 + "x",
        "013 " + "x" * 90_000,
        "310   1 A" + " " * 64 + "    1" * 15_000,
        "330 +-   1   1   2\n" * 5_000,
        "300   1   1   2    1    2\n" * 5_000,
        "299 W         2.0    1" + "    1" * 15_000,
        "XXP " + "1 " * 40_000,
        "DAT " + "0" * 90_000,
        "162 " + "W 1.0 " * 15_000 + "x",
        "FRA    1" + " 1" * 40_000,
    ],
)
def test_hostile_records_are_read_in_no_time(text: str) -> None:
    team = team_of_26(1, "A", *[1] * 15_000)
    read_trf(decode("\n".join([text] * 5 + [team, player_line(1)]).encode()))
