"""MacMahon's XML: the sample, the program's own element names, and every result."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from ratingbook import formats
from ratingbook.formats.go.macmahon import looks_like_macmahon, read_macmahon
from ratingbook.formats.tools.text import decode
from ratingbook.model import Findings, GameStatus, Report, Result, Severity
from tests.formats.helpers import (
    Edits,
    assert_sound_go,
    codes,
    damaged,
    edits,
    one,
    reader_of,
    refusal,
    with_code,
)

SAMPLE = "macmahon39_synthetic.xml"


read = reader_of(read_macmahon)


def player(number: str, surname: str, more: str = "", **person: str) -> str:
    """A participant as the program writes him."""
    who = {"FirstName": "Jo", "Surname": surname, "Country": "DE", "GoLevel": "3k", **person}
    values = "".join(f"<{tag}>{value}</{tag}>" for tag, value in who.items())
    return (
        f'<IndividualParticipant typeversion="1"><Id>{number}</Id>{more}'
        f'<GoPlayer typeversion="1">{values}</GoPlayer></IndividualParticipant>'
    )


def pairing(white: str, black: str, result: str, more: str = "") -> str:
    return (
        f"<Pairing><White>{white}</White><Black>{black}</Black>"
        f"<Result>{result}</Result>{more}</Pairing>"
    )


def file(players: list[str], *rounds: list[str]) -> str:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<Tournament typeversion="1">']
    lines += ["<Name>Open</Name>", f"<NumberOfRounds>{len(rounds)}</NumberOfRounds>", *players]
    for number, games in enumerate(rounds, 1):
        lines += [f"<TournamentRound><RoundNumber>{number}</RoundNumber>", *games]
        lines.append("</TournamentRound>")
    return "\n".join([*lines, "</Tournament>"])


TWO = [player("1", "Doe"), player("2", "Roe")]


def pair(result: str, more: str = "") -> tuple[Report, Findings]:
    """1 (White) and 2 (Black) have one game."""
    return read(file(TWO, [pairing("1", "2", result, more)]))


# --- The sample -------------------------------------------------------------------------------


def test_the_sample(reference: Path) -> None:
    reading = formats.read(reference / "samples" / "go" / SAMPLE)
    assert (reading.format, reading.encoding) == ("MacMahon", "utf-8")
    assert codes(reading.findings) == {
        "event.no-dates": Severity.WARNING,
        "event.no-class": Severity.INFO,
        "go.rounds": Severity.WARNING,
        "macmahon.result-order": Severity.INFO,
        "go.rating": Severity.INFO,
        # By the score alone, since there is a bye.
        "go.places": Severity.INFO,
    }
    assert "3 declared, 2 found" in one(reading.findings, "go.rounds", Severity.WARNING).message
    assert "(4 in all)" in one(reading.findings, "go.rating", Severity.INFO).message


def test_the_players_and_games_of_the_sample(reference: Path) -> None:
    report, _ = read((reference / "samples" / "go" / SAMPLE).read_bytes())
    assert report.event.name == "Test MacMahon Tournament"
    assert report.event.kind == "swiss"
    assert [(e.id, e.name, e.grade, e.federation) for e in report.entries] == [
        ("12345678", "Smith, Alice", "3d", "FR"),
        ("23456789", "Jones, Bob", "2d", "FR"),
        ("34567890", "White, Carol", "1d", "DE"),
        ("45678901", "Brown, David", "1k", "UK"),
    ]
    assert all(entry.standing is None for entry in report.entries)
    assert [entry.club for entry in report.entries] == ["Paris", "Lyon", "Berlin", "London"]
    assert [entry.ids["egd"] for entry in report.entries] == [entry.id for entry in report.entries]
    assert (report.event.rounds, report.event.komi) == (3, None)
    alice, bob, carol, david = (entry.id for entry in report.entries)
    # The file has 1-0, 0-1, 0-1 with Black's score first, and a bye of player 3.
    assert [(g.round, g.white, g.black, g.result, g.status) for g in report.games] == [
        (1, alice, bob, Result.BLACK_WINS, GameStatus.PLAYED),
        (1, carol, david, Result.WHITE_WINS, GameStatus.PLAYED),
        (2, bob, alice, Result.WHITE_WINS, GameStatus.PLAYED),
        (2, carol, None, Result.WHITE_WINS, GameStatus.BYE),
    ]
    assert [game.place.line for game in report.games] == [91, 100, 112, 121]


# --- Games ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "result"),
    [
        ("1-0", Result.BLACK_WINS),
        ("0-1", Result.WHITE_WINS),
        (" 1 - 0 ", Result.BLACK_WINS),
        ("½-½", Result.DRAW),
        ("0.5-0.5", Result.DRAW),
        ("1/2-1/2", Result.DRAW),
        ("?-?", Result.NONE),
        ("", Result.NONE),
    ],
)
def test_results_have_the_score_of_black_first(written: str, result: Result) -> None:
    report, findings = pair(written)
    (game,) = report.games
    assert (game.white, game.black, game.result) == ("1", "2", result)
    assert game.status is GameStatus.PLAYED
    assert game.white_rated
    decided = result in (Result.WHITE_WINS, Result.BLACK_WINS)
    assert ("macmahon.result-order" in codes(findings)) == decided
    assert not findings.refused


@pytest.mark.parametrize(
    ("written", "more"),
    [("1-0!", ""), ("1-0", "<ResultByReferee>true</ResultByReferee>")],
)
def test_results_by_the_referee_are_forfeits(written: str, more: str) -> None:
    report, findings = pair(written, more)
    (game,) = report.games
    assert (game.result, game.status) == (Result.BLACK_WINS, GameStatus.FORFEIT)
    assert not game.white_rated
    assert not game.black_rated
    one(findings, "macmahon.referee", Severity.WARNING)


@pytest.mark.parametrize("written", ["0-0", "1-1"])
def test_games_that_both_lost_or_won_are_not_rated(written: str) -> None:
    report, findings = pair(written)
    (game,) = report.games
    assert (game.result, game.status) == (Result.NONE, GameStatus.ADJUDICATED)
    assert not game.white_rated
    one(findings, "game.both", Severity.WARNING)


@pytest.mark.parametrize("written", ["2-0", "W", "1-0?"])
def test_an_unknown_result_refuses_the_report(written: str) -> None:
    one(pair(written)[1], "game.result", Severity.ERROR)


def test_handicaps() -> None:
    assert pair("1-0", "<Handicap>3</Handicap>")[0].games[0].handicap == 3
    assert pair("1-0", "<Handicap>0</Handicap>")[0].games[0].handicap == 0
    one(pair("1-0", "<Handicap>some</Handicap>")[1], "game.handicap", Severity.ERROR)


@pytest.mark.parametrize(("white", "black"), [("0", "2"), ("", "2"), ("2", "0"), ("2", "")])
def test_byes(white: str, black: str) -> None:
    bye = pairing(white, black, "0-1", "<PairingWithBye>true</PairingWithBye>")
    report, findings = read(file(TWO, [bye]))
    (game,) = report.games
    assert (game.white, game.black, game.result) == ("2", None, Result.WHITE_WINS)
    assert game.status is GameStatus.BYE
    assert not game.white_rated
    assert not findings.refused


def test_a_player_who_is_not_in_the_file_refuses_the_report() -> None:
    _, findings = read(file(TWO, [pairing("1", "7", "1-0")]))
    one(findings, "game.opponent", Severity.ERROR)


def test_who_meets_himself_refuses_the_report() -> None:
    one(read(file(TWO, [pairing("1", "01", "1-0")]))[1], "game.self", Severity.ERROR)


def test_two_games_in_one_round_refuse_the_report() -> None:
    games = [pairing("1", "2", "1-0"), pairing("2", "1", "1-0")]
    report, findings = read(file(TWO, games))
    assert len(report.games) == 1
    assert len(with_code(findings, "game.twice")) == 2
    assert not with_code(read(file(TWO, games[:1], games[1:]))[1], "game.twice")


def test_a_round_without_number_refuses_the_report() -> None:
    text = file(TWO, [pairing("1", "2", "1-0")]).replace("<RoundNumber>1</RoundNumber>", "")
    one(read(text)[1], "game.round", Severity.ERROR)


def test_a_game_in_a_round_of_absence_is_named() -> None:
    absent = "<NotPlayingInRound>2</NotPlayingInRound><NotPlayingInRound>1</NotPlayingInRound>"
    players = [player("1", "Doe", absent), player("2", "Roe")]
    _, findings = read(file(players, [pairing("1", "2", "1-0")]))
    message = one(findings, "macmahon.not-playing", Severity.WARNING).message
    assert message.endswith("1 Doe, Jo in round 1.")


def test_ghosts_stand_for_byes() -> None:
    players = [player("1", "Ghost"), player("2", "Roe")]
    report, findings = read(file(players, [pairing("1", "2", "1-0")], [pairing("2", "1", "1-0")]))
    assert [entry.id for entry in report.entries] == ["2"]
    # Roe won the first as Black, and lost the second to the ghost, which brings nothing.
    assert [(g.round, g.white, g.result) for g in report.games] == [(1, "2", Result.WHITE_WINS)]
    one(findings, "go.ghost", Severity.WARNING)


# --- Players ----------------------------------------------------------------------------------


def test_pins_are_ids() -> None:
    players = [player("1", "Doe", EgdPin="12345678"), player("2", "Roe", EgdPin="0")]
    report, findings = read(file(players, [pairing("1", "2", "1-0")]))
    assert [entry.id for entry in report.entries] == ["12345678", "2"]
    assert (report.games[0].white, report.games[0].black) == ("12345678", "2")
    assert not with_code(findings, "go.pin")


def test_a_pin_that_is_none_or_stands_twice() -> None:
    one(read(file([player("1", "Doe", EgdPin="1234")]))[1], "go.pin", Severity.WARNING)
    twice = [player("1", "Doe", EgdPin="12345678"), player("2", "Roe", EgdPin="12345678")]
    one(read(file(twice))[1], "player.duplicate", Severity.ERROR)


@pytest.mark.parametrize("number", ["", "x", "1"])
def test_a_player_without_number_of_his_own_refuses_the_report(number: str) -> None:
    report, findings = read(file([player("1", "Doe"), player(number, "Roe")]))
    assert [entry.name for entry in report.entries] == ["Doe, Jo"]
    one(findings, "macmahon.id", Severity.ERROR)


def test_club_and_komi() -> None:
    players = [player("1", "Doe", Club="Hamburg"), player("2", "Roe", Club="xxxx")]
    report, findings = read(file(players).replace("<Name>", "<Komi>6.5</Komi><Name>"))
    assert [entry.club for entry in report.entries] == ["Hamburg", None]
    assert report.event.komi == 6.5
    _, findings = read(file(players).replace("<Name>", "<Komi>x</Komi><Name>"))
    one(findings, "go.komi", Severity.WARNING)


def test_the_other_name_of_the_grade() -> None:
    report, _ = read(file([player("1", "Doe", GoLevel="", Rank="12K")]))
    assert report.entries[0].grade == "12k"


def test_what_a_player_may_lack() -> None:
    odd = player("1", "", FirstName="", GoLevel="40k", Country="")
    report, findings = read(file([odd]))
    assert (report.entries[0].grade, report.entries[0].federation) == (None, None)
    one(findings, "go.grade", Severity.WARNING)
    one(findings, "go.country", Severity.INFO)
    one(findings, "go.name", Severity.WARNING)


def test_preliminary_players_without_game_are_left_out() -> None:
    preliminary = "<PreliminaryRegistration>true</PreliminaryRegistration>"
    players = [player("1", "Doe", preliminary), player("2", "Roe"), player("3", "Poe", preliminary)]
    report, findings = read(file(players, [pairing("1", "2", "1-0")]))
    assert [entry.id for entry in report.entries] == ["1", "2"]
    assert "Poe" in one(findings, "go.preliminary", Severity.INFO).message


# --- Whole files ------------------------------------------------------------------------------


def test_a_file_without_players_is_refused() -> None:
    refusal(read_macmahon(decode(b'<Tournament typeversion="1"/>')), "macmahon.no-players")


def test_entities_are_refused() -> None:
    text = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><Tournament>&b;</Tournament>'
    assert looks_like_macmahon(decode(text.encode()).lines)
    refusal(read_macmahon(decode(text.encode())), "xml.entities")


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ('<Tournament typeversion="1">', True),
        ("<Tournament>", True),
        ('<?xml version="1.0"?>\n<!-- x -->\n<TournamentData typeversion="3.9">', True),
        ('<Tournament dataVersion="201" gothaVersion="348">', False),
        ("<html><Tournaments/></html>", False),
        ("; EV[<Tournament>]", False),
    ],
)
def test_what_is_taken_for_macmahon(text: str, known: bool) -> None:
    assert looks_like_macmahon(decode(text.encode()).lines) == known


EDITS = edits(b" ", b"\n", b"1", b"<a>", b"/>", b"&", b"!", b"0", b"Ghost", most=6)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(changes=EDITS)
def test_damaged_files_are_read_or_refused(reference: Path, changes: Edits) -> None:
    data = (reference / "samples" / "go" / SAMPLE).read_bytes()
    decoded = decode(damaged(data, changes))
    looks_like_macmahon(decoded.lines)
    assert_sound_go(*read_macmahon(decoded))
