"""Games in PGN read as a report; all players are invented."""

from __future__ import annotations

import re
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.engine.intake import check_report
from ratingbook.formats.pgn import looks_like_pgn, read_pgn
from ratingbook.formats.tools.text import decode
from ratingbook.model import Colour, Findings, GameStatus, Report, Result, Severity, Standing
from ratingbook.rules.time_control import is_by_days
from tests.formats.helpers import (
    Edits,
    assert_sound,
    codes,
    damaged,
    edits,
    one,
    reader_of,
    refusal,
)

read_text = reader_of(read_pgn)

MOVES = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"
OTHER_MOVES = "1. d4 d5 2. c4 e6"


def pgn(white: str = "Doe, Jo", black: str = "Roe, Ro", result: str = "1-0", /, **more: str) -> str:
    """A game with moves; a tag that is None is left out, ``moves`` are what stands behind."""
    moves = more.pop("moves", f"{MOVES} {result}")
    tags = {
        "Event": "Club Open",
        "Site": "Exampleton USA",
        "Date": "2011.12.03",
        "Round": "1",
        "White": white,
        "Black": black,
        "Result": result,
        **more,
    }
    lines = [f'[{name} "{value}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", moves, "", ""])


def read_one(*args: str, **more: str) -> tuple[Any, Findings]:
    """The only game of a file."""
    report, findings = read_text(pgn(*args, **more))
    (game,) = report.games
    return game, findings


def told(findings: Findings) -> set[str]:
    """The codes, without that of the event's end, which every dated file has."""
    return set(codes(findings)) - {"event.end"}


# The whole report


def test_a_file_of_an_event():
    text = pgn(
        WhiteElo="2100",
        BlackElo="1990",
        WhiteTitle="FM",
        WhiteTeam="Exampleton A",
        BlackFed="IRL",
        EventDate="2011.12.02",
        EventType="swiss (rapid)",
        EventRounds="5",
        EventCountry="USA",
        TimeControl="5400+30",
        Section="Open",
    ) + pgn("Roe, Ro", "Poe, Pa", "1/2-1/2", Round="2.12", Date="2011.12.04", Section="Open")
    report, findings = read_text(text)
    assert codes(findings) == {"event.end": Severity.INFO}
    event = report.event
    assert (event.name, event.place, event.federation) == ("Club Open", "Exampleton USA", "USA")
    assert (event.start, event.end) == (date(2011, 12, 2), date(2011, 12, 4))
    assert (event.kind, event.rounds, event.time_control) == ("swiss", 5, "90+30")
    assert [e.id for e in report.entries] == ["Doe, Jo", "Roe, Ro", "Poe, Pa"]
    doe, roe, poe = report.entries
    assert (doe.title, doe.team, doe.standing) == ("FM", "Exampleton A", Standing(rating=2100))
    assert (roe.federation, roe.standing, poe.standing) == ("IRL", Standing(rating=1990), None)
    first, second = report.games
    assert (first.white, first.black, first.result) == ("Doe, Jo", "Roe, Ro", Result.WHITE_WINS)
    assert (first.round, first.start, first.end) == (1, date(2011, 12, 3), None)
    assert (first.section, first.event, first.status) == ("Open", None, GameStatus.PLAYED)
    assert (second.round, second.result) == (2, Result.DRAW)
    assert first.place.line == 1
    assert not check_report(report).refused


def test_the_example_of_the_standard():
    """The game of the standard's section 2.3, with its layout; the names are invented."""
    text = """[Event "X/S Return Match"]
[Site "Exampleton, Exampleland EXA"]
[Date "1992.11.04"]
[Round "29"]
[White "Doe, Robert J."]
[Black "Roe, Boris V."]
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 {This opening is called the Ruy Lopez.} 3... a6
4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7
11. c4 c6 12. cxb5 axb5 13. Nc3 Bb7 14. Bg5 b4 15. Nb1 h6 16. Bh4 c5 17. dxe5
23. Ne5 Rae8 24. Bxf7+ Rxf7 25. Nxf7 Rxe1+ 26. Qxe1 Kxf7 1/2-1/2
"""
    report, findings = read_text(text)
    (game,) = report.games
    assert (game.white, game.black, game.result) == (
        "Doe, Robert J.",
        "Roe, Boris V.",
        Result.DRAW,
    )
    assert (game.round, game.start) == (29, date(1992, 11, 4))
    assert told(findings) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (pgn(), True),
        ("Games of Sunday:\n\n" + pgn(), True),
        ('  [ White "Doe, Jo" ]', True),
        ("; EV[Club Open]\n1 Doe Jo 3k DE Exa 0 2+/w0\n", False),
        ('[{"id": "1"}]', False),
        ("001    1      Doe, Jo", False),
        ('[Annotator "x"]', False),
    ],
)
def test_by_what_a_file_is_recognised(text, expected):
    assert looks_like_pgn(decode(text.encode()).lines) is expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "iso-8859-1", "cp1252", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding, end):
    data = pgn("Müller, José").replace("\n", end).encode(encoding)
    assert read_text(data)[0].entries[0].name == "Müller, José"


# Tags and moves


@pytest.mark.parametrize(
    "moves",
    [
        '1. e4 {a ] brace [Event "no"]\n[White "nobody"]\n0-1 ( } e5 1-0',
        "1. e4 ; {not a comment 0-1\ne5 1-0",
        '1. e4\n% [White "escaped"] {\ne5 1-0',
        "1. e4 (1. d4 d5 (1... Nf6 0-1) 2. c4) e5 $1 $14 2. Nf3!? 1-0",
        "{[%clk 1:00:00]} 1.e4 e5 2.Nf3{x}Nc6 1-0",
        "1-0",
        "1. e4 e5 {1-0",
        "1. e4 e5 2. O-O-O?? Kf7# 1 - 0",
        "{a}{b}; c\n1. Sf3 d5 1-0",
        "",
    ],
    ids=str,
)
def test_moves_are_skipped_whatever_is_in_them(moves):
    second = pgn("Roe, Ro", "Poe, Pa", "0-1", Round="2")
    report, findings = read_text(pgn(moves=moves) + second)
    if moves.endswith("{1-0"):
        one(findings, "pgn.comment", Severity.ERROR)
        assert len(report.games) == 1
        return
    assert [g.result for g in report.games] == [Result.WHITE_WINS, Result.BLACK_WINS]
    assert {e.id for e in report.entries} == {"Doe, Jo", "Roe, Ro", "Poe, Pa"}


@pytest.mark.parametrize(
    ("tag", "name", "code"),
    [
        ('[White "Doe, Jo"]', "Doe, Jo", None),
        ('  [ White   "Doe, Jo" ]  ', "Doe, Jo", None),
        ('[White\n"Doe, Jo"\n]', "Doe, Jo", None),
        ('[White "Doe,\nJo"]', "Doe, Jo", None),
        ('[White "Doe, Jo"][ECO "A00"]', "Doe, Jo", None),
        ('[white "Doe, Jo"]', "Doe, Jo", None),
        ('[White "Doe, \\"Jo\\" \\\\"]', 'Doe, "Jo" \\', None),
        ('[White "Doe, "Jo" J."]', 'Doe, "Jo" J.', "pgn.quotes"),
        ("[White Doe, Jo]", "Doe, Jo", "pgn.quotes"),
        ('[White "Doe [Jo]"]', "Doe [Jo]", None),
        ('[White "Doe {Jo"]', "Doe {Jo", None),
        ('[White "Doe, Jo"]\n[White "Poe, Pa"]', "Doe, Jo", "pgn.tag-twice"),
        ('[White "Doe, Jo"]\n\n[Annotator "x"]', "Doe, Jo", None),
        ('[White "Doe, Jo"]\n[Annotator "not closed\n', "Doe, Jo", "pgn.tag"),
        ('[White "Doe, Jo"]\n[]', "Doe, Jo", None),
    ],
)
def test_tags_however_they_are_written(tag, name, code):
    text = pgn().replace('[White "Doe, Jo"]', tag)
    report, findings = read_text(text)
    assert report.entries[0].name == name
    assert told(findings) == ({code} if code else set())


@pytest.mark.parametrize("behind", ["", "\nmore", '\n[Round "2"]'])
def test_a_tag_without_end_is_placed_where_it_begins(behind):
    text = f'{pgn()}[White "not closed{behind}'
    _, findings = read_text(text)
    lines = text.split("\n")
    assert one(findings, "pgn.tag", Severity.WARNING).where.line == (
        lines.index('[White "not closed') + 1
    )


def test_a_game_without_moves_is_followed_by_another():
    games = pgn(moves="") + pgn("Roe, Ro", "Poe, Pa", moves="").replace("\n\n", "\n")
    report, _ = read_text(games + pgn("Poe, Pa", "Doe, Jo", moves=""))
    assert [g.white for g in report.games] == ["Doe, Jo", "Roe, Ro", "Poe, Pa"]


def test_a_variation_that_is_not_closed():
    report, findings = read_text(pgn(moves="1. e4 (1. d4 1-0") + pgn("Roe, Ro", "Poe, Pa"))
    assert len(report.games) == 2
    one(findings, "pgn.variation", Severity.WARNING)


def test_moves_without_tags_are_left_out():
    report, findings = read_text("Dear office,\nhere are\n\n" + pgn())
    assert len(report.games) == 1
    assert "Dear office" in one(findings, "pgn.no-tags", Severity.WARNING).message


def test_a_second_game_without_tags():
    _, findings = read_text(pgn(moves=f"{MOVES} 1-0\n\n{OTHER_MOVES} 1-0"))
    one(findings, "pgn.results", Severity.WARNING)


# Results


@pytest.mark.parametrize(
    ("text", "result", "status"),
    [
        ("1-0", Result.WHITE_WINS, GameStatus.PLAYED),
        ("0-1", Result.BLACK_WINS, GameStatus.PLAYED),
        ("1/2-1/2", Result.DRAW, GameStatus.PLAYED),
        ("1/2", Result.DRAW, GameStatus.PLAYED),
        ("½-½", Result.DRAW, GameStatus.PLAYED),
        ("0.5-0.5", Result.DRAW, GameStatus.PLAYED),
        ("0,5 : 0,5", Result.DRAW, GameStatus.PLAYED),
        ("1 : 0", Result.WHITE_WINS, GameStatus.PLAYED),
        ("*", Result.NONE, GameStatus.PLAYED),
        ("+:-", Result.WHITE_WINS, GameStatus.FORFEIT),
        ("+/-", Result.WHITE_WINS, GameStatus.FORFEIT),
        ("--+", Result.BLACK_WINS, GameStatus.FORFEIT),
        ("-:-", Result.NONE, GameStatus.FORFEIT),
        ("0-0", Result.NONE, GameStatus.FORFEIT),
    ],
)
def test_results(text, result, status):
    game, findings = read_one("Doe, Jo", "Roe, Ro", text, moves=MOVES)
    assert (game.result, game.status) == (result, status)
    assert game.white_rated is (status is GameStatus.PLAYED)
    assert told(findings) == set()


@pytest.mark.parametrize(
    ("tag", "behind", "result", "code", "severity"),
    [
        ("1-0", "0-1", Result.WHITE_WINS, "pgn.contradiction", Severity.ERROR),
        ("1-0", "1/2-1/2", Result.WHITE_WINS, "pgn.contradiction", Severity.ERROR),
        ("1-0", "*", Result.WHITE_WINS, "pgn.one-result", Severity.WARNING),
        ("*", "0-1", Result.BLACK_WINS, "pgn.one-result", Severity.WARNING),
        ("", "0-1", Result.BLACK_WINS, None, None),
        ("?", "1/2-1/2", Result.DRAW, None, None),
        ("1-0", "", Result.WHITE_WINS, None, None),
        ("", "", Result.NONE, "pgn.no-result", Severity.WARNING),
        ("White won", "1-0", Result.WHITE_WINS, "pgn.result", Severity.ERROR),
    ],
)
def test_the_tag_and_the_result_behind_the_moves(tag, behind, result, code, severity):
    game, findings = read_one("Doe, Jo", "Roe, Ro", tag, moves=f"{MOVES} {behind}")
    assert game.result is result
    assert told(findings) == ({code} if code else set())
    if code:
        assert one(findings, code, severity).where.line == 1


def test_a_star_where_no_moves_are_is_no_other_result():
    game, findings = read_one("Doe, Jo", "Roe, Ro", "1-0", moves="*")
    assert game.result is Result.WHITE_WINS
    one(findings, "pgn.one-result", Severity.INFO)


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("normal", GameStatus.PLAYED),
        ("Normal", GameStatus.PLAYED),
        ("rules infraction", GameStatus.PLAYED),
        ("?", GameStatus.PLAYED),
        ("time forfeit", GameStatus.TIME),
        ("Time forfeit", GameStatus.TIME),
        ("Doe won on time", GameStatus.TIME),
        ("Doe won by resignation", GameStatus.PLAYED),
        ("Doe won - game abandoned", GameStatus.WITHDRAWN),
        ("abandoned", GameStatus.WITHDRAWN),
        ("adjudication", GameStatus.ADJUDICATED),
        ("forfeit", GameStatus.FORFEIT),
        ("no-show", GameStatus.FORFEIT),
        ("cancelled", GameStatus.CANCELLED),
    ],
)
def test_how_a_game_ended(word, status):
    game, findings = read_one(Termination=word)
    assert game.status is status
    not_rated = status in (GameStatus.FORFEIT, GameStatus.CANCELLED)
    assert (game.white_rated, game.black_rated) == (not not_rated,) * 2
    assert told(findings) == set()


def test_an_end_that_is_not_understood():
    game, findings = read_one(Termination="earthquake")
    assert game.status is GameStatus.PLAYED
    one(findings, "pgn.termination", Severity.INFO)


def test_a_game_that_is_unterminated_and_has_a_result():
    game, findings = read_one(Termination="unterminated")
    assert game.result is Result.WHITE_WINS
    one(findings, "pgn.unterminated", Severity.WARNING)
    assert told(read_one("Doe, Jo", "Roe, Ro", "*", Termination="unterminated")[1]) == set()


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2"])
def test_a_result_without_moves_may_be_a_forfeit(result):
    empty = pgn("Poe, Pa", "Roe, Ro", result, moves="{no show} " + result)
    report, findings = read_text(pgn() + empty)
    finding = one(findings, "pgn.no-moves", Severity.WARNING)
    assert "Poe, Pa and Roe, Ro" in finding.message
    assert report.games[1].status is GameStatus.PLAYED
    forfeit = empty.replace("[Result", '[Termination "forfeit"]\n[Result')
    assert told(read_text(pgn() + forfeit)[1]) == set()


def test_a_file_of_tags_only():
    _, findings = read_text(pgn(moves="1-0") + pgn("Poe, Pa", "Roe, Ro", moves="1-0"))
    assert told(findings) == {"pgn.tags-only"}


# Byes


@pytest.mark.parametrize("name", ["BYE", "bye", "*bye*", "spielfrei", "(Freilos)"])
@pytest.mark.parametrize(
    ("as_white", "result", "points"),
    [
        (True, "1-0", Result.WHITE_WINS),
        (False, "0-1", Result.WHITE_WINS),
        (True, "1/2-1/2", Result.DRAW),
        (False, "1-0", None),
        (True, "*", None),
    ],
)
def test_byes(name, as_white, result, points):
    white, black = ("Doe, Jo", name) if as_white else (name, "Doe, Jo")
    report, findings = read_text(pgn() + pgn(white, black, result, moves="", Round="2"))
    byes = [g for g in report.games if g.status is GameStatus.BYE]
    assert [(g.white, g.black, g.result) for g in byes] == (
        [("Doe, Jo", None, points)] if points else []
    )
    assert [e.id for e in report.entries] == ["Doe, Jo", "Roe, Ro"]
    one(findings, "pgn.bye", Severity.INFO)


def test_a_file_of_byes():
    one(read_text(pgn("Doe, Jo", "BYE", moves=""))[1], "pgn.no-games", Severity.WARNING)


# Rounds and dates


@pytest.mark.parametrize(
    ("text", "number", "code"),
    [
        ("3", 3, None),
        ("3.12", 3, None),
        ("3.12.1", 3, None),
        ("3-12", 3, None),
        ("03", 3, None),
        ("?", None, None),
        ("-", None, None),
        ("", None, None),
        ("0", None, None),
        ("Final", None, "pgn.round"),
        ("12345", None, "pgn.round"),
    ],
)
def test_rounds(text, number, code):
    game, findings = read_one(Round=text)
    assert game.round == number
    assert told(findings) == ({code} if code else set())


@pytest.mark.parametrize(
    ("text", "day", "code"),
    [
        ("2011.12.03", date(2011, 12, 3), None),
        ("2011-12-03", date(2011, 12, 3), None),
        ("2011.12.3", date(2011, 12, 3), None),
        ("December 3, 2011", date(2011, 12, 3), None),
        ("2011.??.??", None, "pgn.partial-date"),
        ("2011.12.??", None, "pgn.partial-date"),
        ("????.??.??", None, None),
        ("?", None, None),
        ("", None, None),
        ("2011.13.32", None, "pgn.date"),
        ("03.04.2011", None, "pgn.date"),
        ("yesterday", None, "pgn.date"),
    ],
)
def test_dates(text, day, code):
    game, findings = read_one(Date=text)
    assert game.start == day
    expected = {code} if code else set()
    assert told(findings) == (expected if day else expected | {"event.no-dates"})


def test_the_day_on_which_a_game_ended():
    report, _ = read_text(pgn(EndDate="2011.12.05"))
    assert (report.games[0].end, report.event.end) == (date(2011, 12, 5),) * 2


@pytest.mark.parametrize(
    "sign",
    [
        {"Mode": "EM"},
        {"Mode": "correspondence"},
        {"Site": "ICCF"},
        {"EventType": "tourn (corr)"},
        {"TimeControl": "1/259200"},
        {"TimeControl": "-", "Site": "https://lichess.org/abcd1234"},
    ],
    ids=str,
)
def test_correspondence_games_that_have_no_end(sign):
    report, findings = read_text(pgn(**sign))
    found = one(findings, "pgn.correspondence", Severity.WARNING)
    assert "2011-12-03" in found.message
    assert (report.games[0].start, report.games[0].end) == (date(2011, 12, 3), None)
    assert (report.event.start, report.event.end) == (date(2011, 12, 3), None)
    assert report.event.time_control == "correspondence"
    ended, findings = read_text(pgn(EndDate="2013.01.31", **sign))
    assert "pgn.correspondence" not in codes(findings)
    assert ended.event.end == date(2013, 1, 31)


def test_only_the_events_of_correspondence_lack_the_end_of_their_games():
    text = pgn() + pgn("Poe, Pa", "Roe, Ro", Event="Mail Cup", Mode="EM")
    message = one(read_text(text)[1], "pgn.correspondence", Severity.WARNING).message
    assert "Poe, Pa and Roe, Ro" in message
    assert "Doe" not in message


# The event


def test_several_events():
    text = pgn() + pgn("Poe, Pa", "Roe, Ro", Event="Winter Cup", Site="Elsewhere")
    report, findings = read_text(text + pgn("Poe, Pa", "Doe, Jo", Event="?"))
    assert (report.event.name, report.event.start, report.event.place) == (None, None, None)
    assert [g.event for g in report.games] == ["Club Open", "Winter Cup", None]
    message = one(findings, "pgn.several-events", Severity.WARNING).message
    assert "Club Open; Winter Cup; without a name" in message


def test_a_name_that_ends_with_a_question_mark():
    assert read_text(pgn(Event="Who wins?"))[0].event.name == "Who wins?"


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("swiss", "swiss"),
        ("tourn", "round_robin"),
        ("tourn (blitz)", "round_robin"),
        ("k.o.", "knockout"),
        ("schev", "scheveningen"),
        ("simul", None),
    ],
)
def test_the_type_of_the_event(word, kind):
    report, findings = read_text(pgn(EventType=word))
    assert report.event.kind == kind
    assert told(findings) == (set() if kind else {"event.kind"})


@pytest.mark.parametrize("word", ["rapid", "Blitz", "blitz tournament"])
def test_a_type_that_names_the_list_alone_is_known(word):
    report, findings = read_text(pgn(EventType=word))
    assert report.event.pool == word.casefold().split()[0]
    assert "event.kind" not in told(findings)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1/86400", True), ("10/2592000", True), ("40/7200", False), ("5400+30", False), ("-", False)],
)
def test_time_controls_of_correspondence(text, expected):
    assert is_by_days(text) is expected


def test_time_controls_that_are_not_understood_or_differ():
    # A minute and a half with 30 seconds a move is no game that people play over the board,
    report, findings = read_text(pgn(TimeControl="90+30"))
    assert report.event.time_control == "90+30"
    one(findings, "pgn.time-control-minutes", Severity.WARNING)
    report, findings = read_text(pgn(TimeControl="40/90:30+30"))
    assert report.event.time_control == "40/90,SD/30;+30"
    one(findings, "pgn.time-control-minutes", Severity.WARNING)
    # but on a server it may be.
    report, findings = read_text(pgn(Site="https://lichess.org/abcdefgh", TimeControl="15+10"))
    assert report.event.time_control is None
    one(findings, "pgn.time-control", Severity.WARNING)
    text = pgn(TimeControl="900+10") + pgn("Poe, Pa", "Roe, Ro", TimeControl="300")
    report, findings = read_text(text)
    assert report.event.time_control == "15+10 or G/5"
    one(findings, "pgn.time-controls", Severity.WARNING)


# Players


def test_fide_ids_are_the_ids_if_everybody_has_one():
    first = pgn(WhiteFideId="90000001", BlackFideId="90000002")
    again = pgn("Roe, Ro", "Doe, Jo", Round="2", WhiteFideId="90000002")
    report, findings = read_text(first + again)
    assert [e.id for e in report.entries] == ["90000001", "90000002"]
    assert report.entries[0].ids == {"fide": "90000001"}
    assert report.games[1].black == "90000001"
    assert told(findings) == set()


def test_names_are_the_ids_if_anybody_has_no_fide_id():
    text = pgn(WhiteFideId="90000001", BlackFideId="abc")
    report, findings = read_text(text)
    assert [e.id for e in report.entries] == ["Doe, Jo", "Roe, Ro"]
    assert [e.ids for e in report.entries] == [{"fide": "90000001"}, {}]
    assert "Roe, Ro" in one(findings, "pgn.some-ids", Severity.INFO).message


def test_two_players_of_one_name_with_their_fide_ids():
    text = pgn("Doe, Jo", "Doe, Jo", WhiteFideId="90000001", BlackFideId="90000002")
    report, findings = read_text(text)
    assert [(g.white, g.black) for g in report.games] == [("90000001", "90000002")]
    assert told(findings) == set()
    _, findings = read_text(text + pgn(Round="2"))
    assert "90000001, 90000002" in one(findings, "pgn.two-persons", Severity.ERROR).message


def test_one_fide_id_under_two_names_is_one_player():
    text = pgn(WhiteFideId="90000001") + pgn("Doe, Johanna", "Poe, Pa", WhiteFideId="90000001")
    report, findings = read_text(text)
    assert [e.id for e in report.entries] == ["Doe, Jo", "Roe, Ro", "Poe, Pa"]
    assert "Doe, Jo; Doe, Johanna" in one(findings, "pgn.spelling", Severity.WARNING).message


@pytest.mark.parametrize(
    "other", ["DOE, JO", "Jo Doe", "Doe,Jo", "Doe, J.", "Doe J", "Döe, Jo"], ids=str
)
def test_names_that_are_alike_are_told_and_kept_apart(other):
    report, findings = read_text(pgn() + pgn(other, "Roe, Ro", Round="2"))
    found = other != "Doe J"
    assert len(report.entries) == 3
    assert ("pgn.alike" in codes(findings)) is found
    if found:
        assert f"Doe, Jo and {other}" in one(findings, "pgn.alike", Severity.WARNING).message


def test_names_that_are_not_alike():
    text = pgn("Doe, Jo", "Doe, Jane") + pgn("Roe, Jo", "Doe-Roe, Jo", Round="2")
    assert told(read_text(text)[1]) == set()


@pytest.mark.parametrize("name", ["?", "", "NN", "N.N."])
def test_a_game_of_nobody(name):
    report, findings = read_text(pgn() + pgn("Poe, Pa", name))
    assert len(report.games) == 1
    one(findings, "pgn.name", Severity.ERROR)


def test_a_player_against_himself():
    _, findings = read_text(pgn() + pgn("Doe, Jo", "Doe, Jo"))
    one(findings, "game.self", Severity.ERROR)


def test_consultation_games():
    _, findings = read_text(pgn("Doe, Jo:Poe, Pa", "Roe, Ro"))
    one(findings, "pgn.consultation", Severity.WARNING)


def test_a_player_with_different_ratings():
    games = pgn(WhiteElo="2100") + pgn("Roe, Ro", "Doe, Jo", Round="2", BlackElo="2110")
    report, findings = read_text(games)
    assert report.entries[0].standing == Standing(rating=2100)
    assert [g.rating(Colour.WHITE) for g in report.games] == [None, None]
    assert [g.rating(Colour.BLACK) for g in report.games] == [None, 2110]
    one(findings, "pgn.ratings-differ", Severity.WARNING)
    report, findings = read_text(games.replace("Club Open", "Cup", 1))
    assert report.games[1].black_rating == 2110
    assert "pgn.ratings-differ" not in codes(findings)


@pytest.mark.parametrize("text", ["-", "?", "", "0", "unr.", "----", "++++"])
def test_unrated_players(text):
    report, findings = read_text(pgn(WhiteElo=text))
    assert report.entries[0].standing is None
    assert told(findings) == set()


@pytest.mark.parametrize("text", ["two", "-5", "21000", "07", "2100.5"])
def test_a_rating_that_is_none_refuses_the_report(text):
    finding = one(read_text(pgn(WhiteElo=text))[1], "pgn.rating", Severity.ERROR)
    assert text in finding.message


def test_a_digit_that_sorts_the_unrated_is_left_out_and_told() -> None:
    report, findings = read_text(pgn(WhiteElo="2"))
    assert one(findings, "pgn.rating-order", Severity.WARNING).message.endswith(": Doe, Jo: 2.")
    assert report.entries[0].standing is None
    assert not findings.refused


# Variants


@pytest.mark.parametrize(
    ("more", "rated", "code"),
    [
        ({"Variant": "Standard"}, True, None),
        ({"Variant": "Chess960"}, False, "pgn.variant"),
        ({"Variant": "crazyhouse"}, False, "pgn.variant"),
        (
            {"FEN": "nrkbqnbr/pppppppp/8/8/8/8/PPPPPPPP/NRKBQNBR w HBhb - 0 1", "SetUp": "1"},
            False,
            "pgn.variant",
        ),
        (
            {"FEN": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "SetUp": "1"},
            True,
            None,
        ),
        ({"FEN": "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", "SetUp": "1"}, True, "pgn.set-up"),
        ({"FEN": "nonsense"}, True, "pgn.set-up"),
    ],
    ids=str,
)
def test_other_games_than_chess(more, rated, code):
    game, findings = read_one(**more)
    assert (game.white_rated, game.black_rated) == (rated, rated)
    assert told(findings) == ({code} if code else set())


# Games that stand twice


@pytest.mark.parametrize(
    ("second", "count", "code"),
    [
        (pgn(), 1, "pgn.duplicate"),
        (pgn(moves=f"{{with words}} {MOVES} 1-0"), 1, "pgn.duplicate"),
        (pgn(moves="1-0"), 1, "pgn.duplicate"),
        (pgn("Doe, Jo", "Roe, Ro", "0-1"), 1, "game.contradiction"),
        (pgn(moves=f"{OTHER_MOVES} 1-0"), 2, "pgn.same-round"),
        (pgn("Roe, Ro", "Doe, Jo"), 2, "pgn.same-round"),
        (pgn(Round="1.2"), 2, "pgn.same-round"),
        (pgn(Round="2"), 2, None),
        (pgn(Section="B"), 2, None),
        (pgn(Event="Cup"), 2, "pgn.several-events"),
    ],
)
def test_the_same_game_again(second, count, code):
    report, findings = read_text(pgn() + second)
    assert len(report.games) == count
    assert told(findings) - {"pgn.no-moves"} == ({code} if code else set())
    assert not check_report(report).refused or code == "game.contradiction"


def test_games_without_rounds_are_one_only_if_the_moves_say_so():
    unknown = pgn(Round="?")
    assert len(read_text(unknown * 2)[0].games) == 1
    different = unknown + pgn(Round="?", moves=f"{OTHER_MOVES} 1-0")
    assert len(read_text(different)[0].games) == 2
    assert len(read_text(pgn(Round="?", moves="1-0") * 2)[0].games) == 2


# Files that are refused, and large ones


@pytest.mark.parametrize("text", ["[White]", "[]", pgn("BYE", "BYE"), pgn("?", "?"), "1. e4 e5"])
def test_a_file_without_players(text):
    refusal(read_pgn(decode(text.encode())), "pgn.no-players")


@pytest.mark.parametrize(
    "line",
    [
        "1" * 90_000,
        '[A "' * 20_000,
        '[White "' + "x" * 80_000,
        "(" * 80_000,
        "{}" * 40_000,
        '[Event "x"] e4 ' * 3_000,
        "[ " * 40_000,
        '\\"' * 40_000,
        "1" + " " * 80_000 + "2",
        "[White Doe" + " " * 80_000 + "x",
        "[White" + " " * 80_000 + "x",
        "[" + " " * 80_000 + "x",
        '[Event "x"][EventType "' + "(" * 80_000 + '"]',
    ],
    ids=lambda line: line[:12],
)
def test_hostile_lines_are_read_in_no_time(line):
    begun = time.process_time()
    read_pgn(decode("\n".join([pgn(), *[line] * 4]).encode()))
    assert time.process_time() - begun < 3


def test_time_grows_with_the_size_and_not_faster():
    def seconds(count: int) -> float:
        games = (pgn(f"Doe{n % 997}, Jo", f"Roe{n % 983}, Ro", Round=f"{n}") for n in range(count))
        decoded = decode("".join(games).encode())
        begun = time.process_time()
        report, _ = read_pgn(decoded)
        assert report is not None
        assert len(report.games) == count
        return time.process_time() - begun

    seconds(100)
    assert seconds(6000) < 20 * max(seconds(1000), 0.02)


# Anything


def assert_sound_pgn(report: Report | None, findings: Findings) -> None:
    """What holds of every answer; here games that are not merely played may be rated."""
    if report is not None:
        played = {GameStatus.TIME, GameStatus.WITHDRAWN, GameStatus.ADJUDICATED}
        events = {game.event for game in report.games}
        for event in events:
            games = [g for g in report.games if g.event == event and g.status not in played]
            own = Report(report.event, report.entries, tuple(games))
            assert_sound(own, findings)
    else:
        assert findings.refused


SAMPLE = (
    pgn(WhiteFideId="90000001", WhiteElo="2100", Termination="time forfeit")
    + pgn("Roe, Ro", "Poe, Pa", "1/2-1/2", Round="2.1", moves="1. e4 {x} (1. d4) 1/2-1/2")
    + pgn("Poe, Pa", "BYE", moves="1-0", Round="3", EndDate="2012.01.01")
    + pgn("Doe, Jo", "Poe, Pa", "*", Round="4", Event="Cup", Variant="Chess960", moves="*")
).encode()


@settings(max_examples=300, deadline=None)
@given(
    edits(
        b"[",
        b"]",
        b'"',
        b"{",
        b"}",
        b"(",
        b";",
        b"\n\n",
        b"1-0",
        b"*",
        b"\\",
        b'[Event "',
        b"?",
        b'[White "BYE"]',
        b"%",
        b"\xfc",
        reach=1_200,
    )
)
def test_damaged_files_are_read_or_refused(changes: Edits) -> None:
    assert_sound_pgn(*read_pgn(decode(damaged(SAMPLE, changes))))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                "White Black Result Round Date WhiteElo WhiteFideId BlackFideId Event".split()
            ),
            st.text(max_size=12) | st.sampled_from(["1-0", "0-1", "?", "BYE", "1", "A, B", "A"]),
        ),
        max_size=30,
    )
)
def test_any_tags_are_read_or_refused(tags: list[tuple[str, str]]) -> None:
    text = "".join(
        f'[{name} "{value}"]\n' + ("\n1. e4 *\n\n" if n % 4 == 3 else "")
        for n, (name, value) in enumerate(tags)
    )
    assert_sound_pgn(*read_pgn(decode(('[Event "x"]\n' + text).encode("utf-8", "replace"))))


# The documentation


def test_the_page_of_the_format_names_every_finding_and_no_other():
    root = Path(__file__).parents[3]
    source = "".join(
        path.read_text("utf-8") for path in (root / "src/ratingbook/formats/pgn").glob("*.py")
    )
    page = (root / "docs/formats/pgn.md").read_text("utf-8")
    code = r"((?:pgn|game|event)\.[a-z-]+)"
    assert set(re.findall(f"`{code}`", page)) == set(re.findall(f'"{code}"', source))


def test_servers_have_days_and_names_in_tags_of_their_own():
    first = pgn(Event="Round 1: Doe, Jo - Roe, Ro", Date="????.??.??", UTCDate="2024.05.01")
    second = pgn("Poe, Pa", Event="Round 1: Poe, Pa - Roe, Ro", Date="-", UTCDate="2024.05.02")
    report, findings = read_text(first + second)
    assert (report.event.start, report.event.end) == (date(2024, 5, 1), date(2024, 5, 2))
    assert report.event.name is None
    assert "pgn.several-events" not in codes(findings)
    named, _ = read_text(pgn(Event="Round 1: Doe - Roe", BroadcastName="Sample Cup"))
    assert named.event.name == "Sample Cup"


def test_marks_behind_a_rating_are_left_out():
    report, _ = read_text(pgn(WhiteElo="1500?", BlackElo="1480P"))
    ratings = [entry.standing.rating for entry in report.entries if entry.standing]
    assert ratings == [1500, 1480]


def test_wordings_of_one_time_control_are_one():
    first = pgn(TimeControl="15 min. + 10 s. per move")
    text = first + pgn("Poe, Pa", TimeControl="15 minutes + 10 seconds increment per move")
    report, findings = read_text(text)
    assert report.event.time_control == "15+10"
    assert "pgn.time-controls" not in codes(findings)


def test_the_list_stands_in_the_type_of_the_event():
    report, _ = read_text(pgn(EventType="swiss (blitz)"))
    assert (report.event.kind, report.event.pool) == ("swiss", "blitz")
    mixed, findings = read_text(pgn(Event="A Rapid") + pgn("Poe, Pa", Event="B Blitz"))
    assert mixed.event.pool == "blitz and rapid"
    one(findings, "pgn.pools", Severity.WARNING)
