"""OpenGotha's XML: a real file counted by hand, every result code, and hostile XML."""

from __future__ import annotations

import re
import time
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratingbook import formats
from ratingbook.formats.go.opengotha import looks_like_opengotha, read_opengotha
from ratingbook.formats.tools import xml_tree
from ratingbook.formats.tools.text import Line, decode
from ratingbook.model import (
    Findings,
    GameStatus,
    Report,
    Result,
    Severity,
    Standing,
)
from tests.formats.helpers import (
    Edits,
    assert_sound_go,
    codes,
    damaged,
    edits,
    loaded_by,
    one,
    reader_of,
    refusal,
    with_code,
)

SAMPLE = "confucius2018_opengotha.xml"


read = reader_of(read_opengotha)


def tag(name: str, defaults: dict[str, str], changes: dict[str, str]) -> str:
    attributes = " ".join(f'{key}="{value}"' for key, value in {**defaults, **changes}.items())
    return f"<{name} {attributes}/>"


def player(name: str, **changes: str) -> str:
    defaults = {
        "name": name,
        "firstName": "Jo",
        "country": "DE",
        "rank": "3K",
        "grade": " 3K",
        "rating": "1800",
        "ratingOrigin": "EGF",
        "registeringStatus": "FIN",
    }
    return tag("Player", defaults, changes)


def game(white: str, black: str, **changes: str) -> str:
    defaults = {
        "whitePlayer": f"{white}JO".upper(),
        "blackPlayer": f"{black}JO".upper(),
        "roundNumber": "1",
        "handicap": "0",
        "knownColor": "true",
        "result": "RESULT_WHITEWINS",
    }
    return tag("Game", defaults, changes)


GENERAL = {
    "name": "Open",
    "location": "Hamburg",
    "beginDate": "2020-03-06",
    "endDate": "2020-03-08",
    "basicTime": "45",
    "complementaryTimeSystem": "SUDDENDEATH",
    "numberOfRounds": "1",
    "size": "19",
}


def file(players: list[str], games: list[str], more: str = "", **general: str) -> str:
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
            '<Tournament dataVersion="201" gothaVersion="350">',
            "<Players>",
            *players,
            "</Players>",
            "<Games>",
            *games,
            "</Games>",
            more,
            "<TournamentParameterSet>",
            tag("GeneralParameterSet", GENERAL, general),
            "</TournamentParameterSet>",
            "</Tournament>",
        ]
    )


def pair(**changes: str) -> tuple[Report, Findings]:
    """Doe (White) and Roe (Black) have one game."""
    return read(file([player("Doe"), player("Roe")], [game("Doe", "Roe", **changes)]))


# --- The real file ----------------------------------------------------------------------------


def test_the_real_file(reference: Path) -> None:
    path = reference / "samples" / "go" / SAMPLE
    reading = formats.read(path)
    assert (reading.format, reading.encoding) == ("OpenGotha", "utf-8")
    assert codes(reading.findings) == {
        "event.no-class": Severity.INFO,
        "opengotha.rank": Severity.INFO,
        "go.rating": Severity.INFO,
    }
    # 18 players have another grade than rank; four ratings are INI, two MAN.
    assert "(18 in all)" in one(reading.findings, "opengotha.rank", Severity.INFO).message
    assert "(6 in all)" in one(reading.findings, "go.rating", Severity.INFO).message


def test_the_tallies_of_the_real_file(reference: Path) -> None:
    """The attributes of the file counted without the reader."""
    text = (reference / "samples" / "go" / SAMPLE).read_text("utf-8")
    report, _ = read(text)
    assert len(report.entries) == text.count("<Player ") == 70
    assert len(report.games) == text.count("<Game ") == 196
    results = Counter(game.result for game in report.games)
    assert results[Result.WHITE_WINS] == text.count('"RESULT_WHITEWINS"') == 101
    assert results[Result.BLACK_WINS] == text.count('"RESULT_BLACKWINS"') == 95
    stones = Counter(re.findall(r'handicap="([0-9])"', text))
    assert Counter(str(game.handicap) for game in report.games) == stones
    pins = set(re.findall(r'egfPin="([0-9]{8})"', text))
    assert {entry.id for entry in report.entries if len(entry.id) == 8} == pins
    assert len(pins) == 64
    rounds = Counter(re.findall(r'roundNumber="([0-9])"', text))
    assert Counter(str(game.round) for game in report.games) == rounds
    rated = re.findall(r' rating="(-?[0-9]+)" ratingOrigin="EGF', text)
    standings = [entry.standing for entry in report.entries if entry.standing]
    assert [standing.rating for standing in standings] == [float(rating) for rating in rated]


def test_the_event_and_the_players_of_the_real_file(reference: Path) -> None:
    report, _ = read((reference / "samples" / "go" / SAMPLE).read_bytes())
    event = report.event
    assert (event.name, event.place) == ("Coupe Confucius 2018", "Rennes")
    assert (event.start, event.end) == (date(2018, 11, 1), date(2018, 11, 4))
    assert event.time_control == "60 + 30s byo-yomi"
    assert (event.class_, event.kind, event.pool) == (None, "swiss", None)
    first = report.entries[0]
    assert (first.id, first.name, first.grade) == ("18650918", "Yilmazcg, Leo", "13k")
    assert (first.federation, first.standing) == ("FR", Standing(rating=736))
    assert (first.club, first.team, first.ids) == ("44Na", None, {"egd": "18650918"})
    assert (event.komi, event.rounds, event.officials) == (7.5, 7, ("Rémi Vannier",))
    assert first.place.line == 4
    # Olsenfa has the grade 20K beside his rank; Tammhe has neither PIN nor EGF rating.
    assert report.entry("18449750").grade == "19k"
    assert (report.entry("10").name, report.entry("10").standing) == ("Tammhe, Greta", None)


# --- Games ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "result", "status", "rated"),
    [
        ("RESULT_WHITEWINS", Result.WHITE_WINS, GameStatus.PLAYED, True),
        ("RESULT_BLACKWINS", Result.BLACK_WINS, GameStatus.PLAYED, True),
        ("RESULT_EQUAL", Result.DRAW, GameStatus.PLAYED, True),
        ("RESULT_UNKNOWN", Result.NONE, GameStatus.PLAYED, True),
        ("RESULT_WHITEWINS_BYDEF", Result.WHITE_WINS, GameStatus.FORFEIT, False),
        ("RESULT_BLACKWINS_BYDEF", Result.BLACK_WINS, GameStatus.FORFEIT, False),
        ("RESULT_EQUAL_BYDEF", Result.DRAW, GameStatus.FORFEIT, False),
        ("RESULT_BOTHLOSE_BYDEF", Result.NONE, GameStatus.FORFEIT, False),
        ("RESULT_BOTHWIN_BYDEF", Result.NONE, GameStatus.FORFEIT, False),
    ],
)
def test_results(code: str, result: Result, status: GameStatus, rated: bool) -> None:
    report, findings = pair(result=code)
    (played,) = report.games
    assert (played.white, played.black, played.round) == ("1", "2", 1)
    assert (played.result, played.status) == (result, status)
    assert (played.white_rated, played.black_rated) == (rated, rated)
    assert played.place.line == 8
    assert set(codes(findings)) == {"event.no-class"}


@pytest.mark.parametrize("code", ["RESULT_BOTHLOSE", "RESULT_BOTHWIN"])
def test_games_that_both_lost_or_won_are_not_rated(code: str) -> None:
    report, findings = pair(result=code)
    (played,) = report.games
    assert (played.result, played.status) == (Result.NONE, GameStatus.ADJUDICATED)
    assert not played.white_rated
    assert not played.black_rated
    one(findings, "game.both", Severity.WARNING)


@pytest.mark.parametrize("code", ["RESULT_MAYBE", "", "_BYDEF"])
def test_an_unknown_result_refuses_the_report(code: str) -> None:
    _, findings = pair(result=code)
    one(findings, "game.result", Severity.ERROR)


def test_handicaps_are_stones_for_black() -> None:
    assert pair(handicap="4")[0].games[0].handicap == 4
    assert pair(handicap="")[0].games[0].handicap == 0


@pytest.mark.parametrize("written", ["four", "-1", "1.5"])
def test_a_handicap_that_is_none_refuses_the_report(written: str) -> None:
    one(pair(handicap=written)[1], "game.handicap", Severity.ERROR)


@pytest.mark.parametrize("written", ["0", "", "two", "-3"])
def test_a_round_that_is_none_refuses_the_report(written: str) -> None:
    report, findings = pair(roundNumber=written)
    assert report.games == ()
    one(findings, "game.round", Severity.ERROR)


def test_unknown_colours_are_named() -> None:
    report, findings = pair(knownColor="false")
    assert report.games[0].white == "1"
    one(findings, "game.colours", Severity.WARNING)


def test_names_with_blanks_and_accents_are_keys_in_capitals() -> None:
    players = [player("van der Doe", firstName="Jö"), player("Groß")]
    pairing = game("", "", whitePlayer="VANDERDOEJÖ", blackPlayer="GROSSJO")
    report, findings = read(file(players, [pairing]))
    assert [entry.name for entry in report.entries] == ["van der Doe, Jö", "Groß, Jo"]
    assert len(report.games) == 1
    assert not findings.refused


def test_a_player_who_is_not_in_the_file_refuses_the_report() -> None:
    _, findings = read(file([player("Doe")], [game("Doe", "Nobody")]))
    assert "NOBODYJO" in one(findings, "game.opponent", Severity.ERROR).message


def test_who_meets_himself_refuses_the_report() -> None:
    _, findings = read(file([player("Doe")], [game("Doe", "Doe")]))
    one(findings, "game.self", Severity.ERROR)


def test_two_games_in_one_round_refuse_the_report() -> None:
    players = [player("Doe"), player("Roe"), player("Poe")]
    report, findings = read(file(players, [game("Doe", "Roe"), game("Poe", "Doe")]))
    assert len(report.games) == 1
    assert "DOEJO in round 1" in one(findings, "game.twice", Severity.ERROR).message


def test_players_of_one_name_refuse_the_report() -> None:
    report, findings = read(file([player("Doe"), player("Doe")], []))
    assert [entry.id for entry in report.entries] == ["1", "2"]
    one(findings, "player.same-name", Severity.ERROR)


@pytest.mark.parametrize("element", ["ByePlayers", "ByePlayer"])
def test_byes(element: str) -> None:
    """The second form is that of a program that writes OpenGotha's files."""
    bye = f'<{element}><ByePlayer roundNumber="1" player="PoeJo"/></{element}>'
    players = [player("Doe"), player("Roe"), player("Poe")]
    report, findings = read(file(players, [game("Doe", "Roe")], bye))
    assert [(g.white, g.black, g.result, g.status) for g in report.games][1] == (
        "3",
        None,
        Result.WHITE_WINS,
        GameStatus.BYE,
    )
    assert not report.games[1].white_rated
    assert set(codes(findings)) == {"event.no-class"}


def test_a_bye_of_nobody_refuses_the_report() -> None:
    bye = '<ByePlayers><ByePlayer roundNumber="1" player="NOBODY"/></ByePlayers>'
    one(read(file([player("Doe")], [], bye))[1], "game.opponent", Severity.ERROR)


def test_rounds_in_which_players_took_part() -> None:
    players = [
        player("Doe", participating="11000"),
        player("Roe", participating="00000"),
        player("Poe", participating="10000"),
        player("Moe", participating="00000"),
    ]
    _, findings = read(file(players, [game("Doe", "Roe")]))
    message = one(findings, "opengotha.participating", Severity.WARNING).message
    # Roe has a game though absent; that Poe has none says nothing: people stay away.
    assert message.endswith(": Roe, Jo in round 1.")


@pytest.mark.parametrize(
    "root",
    [
        'fullVersionNumber="3.51.02" runningMode="SAL" saveDT="20240101120000"',
        'saveDT="20240101120000"',
        'dataVersion="201"',
    ],
)
def test_the_roots_of_several_versions(root: str) -> None:
    lines = [Line(1, f"<Tournament {root}>")]
    assert looks_like_opengotha(lines)


def test_a_turkish_computer_writes_capitals_with_dots() -> None:
    players = [player("Ak", firstName="Deniz"), player("Işık", firstName="Yi\u011fit")]
    names = {
        "whitePlayer": "AKDEN\u0130Z",
        "blackPlayer": "I\u015eIKY\u0130\u011e\u0130T",
    }
    report, findings = read(file(players, [game("", "", **names)]))
    assert "game.opponent" not in {f.code for f in findings}
    assert len([g for g in report.games if g.black]) == 1


def test_ghosts_stand_for_byes() -> None:
    report, findings = read(file([player("Doe"), player("Ghost")], [game("Doe", "Ghost")]))
    assert [entry.name for entry in report.entries] == ["Doe, Jo"]
    (bye,) = report.games
    assert (bye.white, bye.black, bye.status) == ("1", None, GameStatus.BYE)
    one(findings, "go.ghost", Severity.WARNING)


# --- Players ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rating", "origin", "standing"),
    [
        ("1760", "EGF", Standing(rating=1760)),
        ("1760", "EGF : 1760", Standing(rating=1760)),
        ("-50", "EGF", Standing(rating=-50)),
        ("1800", "EGF : 1760", None),
        ("1760", "FFG : -340", None),
        ("1760", "MAN", None),
        ("1760", "", None),
        ("many", "EGF", None),
    ],
)
def test_ratings(rating: str, origin: str, standing: Standing | None) -> None:
    report, findings = read(file([player("Doe", rating=rating, ratingOrigin=origin)], []))
    assert report.entries[0].standing == standing
    assert ("go.rating" in codes(findings)) == (standing is None)


def test_players_without_pin_have_their_number() -> None:
    players = [player("Doe", egfPin="12345678"), player("Roe", egfPin="")]
    report, _ = read(file(players, [game("Doe", "Roe")]))
    assert [entry.id for entry in report.entries] == ["12345678", "2"]
    assert (report.games[0].white, report.games[0].black) == ("12345678", "2")


def test_a_pin_that_is_none_is_named() -> None:
    report, findings = read(file([player("Doe", egfPin="1234")], []))
    assert report.entries[0].id == "1"
    one(findings, "go.pin", Severity.WARNING)


def test_a_pin_that_stands_twice_refuses_the_report() -> None:
    players = [player("Doe", egfPin="12345678"), player("Roe", egfPin="12345678")]
    one(read(file(players, []))[1], "player.duplicate", Severity.ERROR)


def test_the_rank_is_the_grade_at_which_one_plays() -> None:
    report, findings = read(file([player("Doe", rank="1D", grade="2K")], []))
    assert report.entries[0].grade == "1d"
    assert "rank 1d, grade 2k" in one(findings, "opengotha.rank", Severity.INFO).message
    assert read(file([player("Doe", rank="")], []))[0].entries[0].grade == "3k"


def test_numbers_elsewhere_and_club() -> None:
    ours = {"egfPin": "12345678", "ffgLicence": "1800014", "agaId": "489", "club": "75Ju"}
    players = [player("Doe", **ours), player("Roe", agaId="99999", club="xxxx")]
    report, _ = read(file(players, []))
    assert report.entries[0].ids == {"egd": "12345678", "ffg": "1800014", "aga": "489"}
    assert [entry.club for entry in report.entries] == ["75Ju", None]
    assert report.entries[1].ids == {}  # The program's own number, counted down.


def test_teams() -> None:
    boards = '<Board boardNumber="1" player="DOEJO" roundNumber="1"/>' * 2
    teams = f'<Teams><Team teamName="Lions" teamNumber="1">{boards}</Team></Teams>'
    report, findings = read(file([player("Doe"), player("Roe")], [], teams))
    assert [entry.team for entry in report.entries] == ["Lions", None]
    assert set(codes(findings)) == {"event.no-class", "go.rounds"}


def test_a_komi_that_is_none() -> None:
    one(read(file([player("Doe")], [], komi="x"))[1], "go.komi", Severity.WARNING)


def test_what_a_player_may_lack() -> None:
    odd = player("", firstName="", rank="40K", grade="", country="")
    report, findings = read(file([odd], []))
    (entry,) = report.entries
    assert (entry.grade, entry.federation) == (None, None)
    one(findings, "go.grade", Severity.WARNING)
    one(findings, "go.country", Severity.INFO)
    one(findings, "go.name", Severity.WARNING)


def test_preliminary_players_without_game_are_left_out() -> None:
    players = [
        player("Doe", registeringStatus="PRE"),
        player("Roe"),
        player("Poe", registeringStatus="PRE"),
    ]
    report, findings = read(file(players, [game("Doe", "Roe")]))
    assert [entry.name for entry in report.entries] == ["Doe, Jo", "Roe, Jo"]
    assert "Poe" in one(findings, "go.preliminary", Severity.INFO).message


# --- The event --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "more", "text"),
    [
        ("SUDDENDEATH", {}, "45"),
        ("STDBYOYOMI", {"stdByoYomiTime": "30"}, "45 + 30s byo-yomi"),
        (
            "CANBYOYOMI",
            {"nbMovesCanTime": "15", "canByoYomiTime": "300"},
            "45 + 15 stones in 5 min",
        ),
        ("FISCHER", {"fischerTime": "20"}, "45 + 20s fischer"),
        ("FISCHER", {}, "45 + ?s fischer"),
        ("HOURGLASS", {}, "45 + HOURGLASS"),
    ],
)
def test_time_controls(system: str, more: dict[str, str], text: str) -> None:
    report, _ = read(file([player("Doe")], [], complementaryTimeSystem=system, **more))
    assert report.event.time_control == text


def test_missing_rounds_and_small_boards_are_named() -> None:
    _, findings = read(file([player("Doe")], [], numberOfRounds="5", size="9"))
    assert "5 declared, 0 found" in one(findings, "go.rounds", Severity.WARNING).message
    one(findings, "go.board", Severity.WARNING)


def test_a_file_without_parameters() -> None:
    text = '<Tournament gothaVersion="350"><Players>' + player("Doe") + "</Players></Tournament>"
    report, findings = read(text)
    assert report.event.name is None
    one(findings, "event.no-dates", Severity.WARNING)


def test_a_file_without_players_is_refused() -> None:
    refusal(read_opengotha(decode(b'<Tournament gothaVersion="350"/>')), "opengotha.no-players")


# --- XML from strangers -----------------------------------------------------------------------

BOMB = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    ("doctype", "where"),
    [
        ('<!DOCTYPE Tournament [<!ENTITY a0 "ha">' + BOMB + "]>", "&a9;"),
        ('<!DOCTYPE Tournament [<!ENTITY a "ha">]>', "&a;"),
        ('<!DOCTYPE Tournament [<!ENTITY a SYSTEM "file:///etc/passwd">]>', "&a;"),
        ('<!DOCTYPE Tournament [<!ENTITY a SYSTEM "http://localhost:1/">]>', "&a;"),
        ('<!DOCTYPE Tournament [<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;]>', ""),
    ],
)
def test_entities_are_refused(doctype: str, where: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb.xml"
    path.write_text(f'{doctype}\n<Tournament gothaVersion="1">{where}</Tournament>')
    answer = formats.read(path)
    assert refusal((answer.report, answer.findings), "xml.entities").where.line == 1


def test_what_an_external_file_holds_is_never_read(tmp_path: Path) -> None:
    (tmp_path / "secret.dtd").write_text('<!ENTITY a "secret">')
    text = (
        f'<!DOCTYPE Tournament SYSTEM "{tmp_path}/secret.dtd">\n'
        + file([player("&amp;a;")], []).partition("\n")[2]
    )
    report, _ = read(text)
    assert report.entries[0].name == "&a;, Jo"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('<Tournament gothaVersion="1">\n<Players>\n</Tournament>', 3),
        ('<Tournament gothaVersion="1">\n<Players>', 2),
        ('<Tournament gothaVersion="1">\n&unknown;</Tournament>', 2),
        ('<Tournament gothaVersion="1"/>\n<Tournament/>', 2),
    ],
)
def test_what_is_no_xml_is_refused(text: str, line: int) -> None:
    answer = read_opengotha(decode(text.encode()))
    assert refusal(answer, "xml.malformed").where.line == line


@pytest.mark.parametrize(
    "inside",
    ["<a>\n" * 100_000, "<a/>\n" * (xml_tree.MAX_ELEMENTS + 1), "x" * 99_000 + "\n"],
    ids=["depth", "elements", "characters"],
)
def test_too_much_is_refused_soon(inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if inside.startswith("x"):
        monkeypatch.setattr(xml_tree, "MAX_CHARACTERS", 90_000)
    decoded = decode(f'<Tournament gothaVersion="1">\n{inside}</Tournament>'.encode())
    begun = time.process_time()
    refusal(read_opengotha(decoded), "xml.too-large")
    assert time.process_time() - begun < 10


def test_many_attributes_cost_little() -> None:
    attributes = "\n".join(f'a{n}="1"' for n in range(200_000))
    begun = time.process_time()
    read_opengotha(decode(f'<Tournament gothaVersion="1"\n{attributes}/>'.encode()))
    assert time.process_time() - begun < 5


def test_another_encoding_than_declared_is_named() -> None:
    text = file([player("Müller")], []).replace("UTF-8", "ISO-8859-1")
    report, findings = read(text)
    assert report.entries[0].name == "Müller, Jo"
    assert "read as utf-8" in one(findings, "xml.encoding", Severity.WARNING).message
    report, findings = read(text.encode("latin-1"))
    assert report.entries[0].name == "Müller, Jo"
    assert not with_code(findings, "xml.encoding")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_marked_encodings(encoding: str) -> None:
    text = file([player("Müller")], [])
    report, findings = read(text.replace("UTF-8", encoding.removesuffix("-sig")).encode(encoding))
    assert report.entries[0].name == "Müller, Jo"
    assert not with_code(findings, "xml.encoding")


def test_blanks_before_the_declaration() -> None:
    report, _ = read("\n\n  " + file([player("Doe")], []))
    assert report.entries[0].place.line == 6


@pytest.mark.parametrize(
    "text",
    ['<Tournament typeversion="1"/>', "<TournamentData/>", "<html/>", "; EV[gothaVersion=]", ""],
)
def test_other_files_are_not_taken_for_opengotha(text: str) -> None:
    assert not looks_like_opengotha(decode(text.encode()).lines)


def test_the_import_is_light() -> None:
    loaded = loaded_by("ratingbook.formats.go.opengotha")
    assert not {"defusedxml", "xml.etree.ElementTree"} & loaded


SMALL = file(
    [player("Doe", egfPin="12345678"), player("Roe"), player("Poe", participating="10")],
    [game("Doe", "Roe"), game("Roe", "Doe", roundNumber="2", result="RESULT_EQUAL_BYDEF")],
    '<ByePlayers><ByePlayer roundNumber="1" player="POEJO"/></ByePlayers>',
)
EDITS = edits(b" ", b"\n", b'"', b"<a>", b"/>", b"&", b"JO", b"Player", b"-1", most=6)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(changes=EDITS)
def test_damaged_files_are_read_or_refused(changes: Edits) -> None:
    decoded = decode(damaged(SMALL.encode(), changes))
    looks_like_opengotha(decoded.lines)
    assert_sound_go(*read_opengotha(decoded))


NAMES = st.sampled_from(["name", "rank", "country", "egfPin", "rating", "participating", "result"])


@settings(max_examples=300, deadline=None)
@given(
    changes=st.lists(st.tuples(NAMES, st.text("0123456789 -+KDJOROE_", max_size=9)), max_size=5),
    where=st.integers(0, 4),
)
def test_any_values_are_read_or_refused(changes: list[tuple[str, str]], where: int) -> None:
    lines = SMALL.split("\n")
    for name, value in changes:
        lines = [
            re.sub(rf'\b{name}="[^"]*"', f'{name}="{value}"', row) if at % 5 == where else row
            for at, row in enumerate(lines)
        ]
    assert_sound_go(*read_opengotha(decode("\n".join(lines).encode())))
