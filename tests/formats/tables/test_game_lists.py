"""Lists of games and of results: what organisers write, and what of it is told."""

from __future__ import annotations

import csv
from collections import Counter
from datetime import date

import pytest
from hypothesis import given, settings

from ratingbook.formats import read_bytes
from ratingbook.formats.tables.days import Days
from ratingbook.formats.tables.read import looks_like_table, read_csv
from ratingbook.formats.tables.words import field_of
from ratingbook.formats.tools.text import Line, decode
from ratingbook.model import (
    Colour,
    Entry,
    GameStatus,
    Result,
    Severity,
    Standing,
    StandingStatus,
)
from tests.formats.helpers import (
    Edits,
    assert_sound,
    codes,
    damaged,
    edits,
    one,
    reader_of,
    refusal,
    with_code,
)

read = reader_of(read_csv)

LIST = """\
Round,Date,White,White Elo,Black,Black Elo,Result
1,2011-11-05,"Doe, Jo",1850,"Roe, Jane",1900,1-0
2,2011-11-05,"Roe, Jane",1900,"Moe, Al",,1/2-1/2
3,2011-11-06,"Moe, Al",,"Doe, Jo",1850,+/-
"""


def rating_of(entry: Entry) -> float | None:
    return entry.standing.rating if entry.standing else None


def games_of(text, **columns):
    report, _ = read_csv(decode(text.encode()), columns or None)
    assert report is not None
    return [(game.white, game.black, game.result.value) for game in report.games]


def test_a_list_of_games():
    report, findings = read(LIST)
    assert [(e.id, e.name, e.standing and e.standing.rating) for e in report.entries] == [
        ("Doe, Jo", "Doe, Jo", 1850),
        ("Roe, Jane", "Roe, Jane", 1900),
        ("Moe, Al", "Moe, Al", None),
    ]
    assert [(g.round, g.start, g.result, g.status, g.white_rated) for g in report.games] == [
        (1, date(2011, 11, 5), Result.WHITE_WINS, GameStatus.PLAYED, True),
        (2, date(2011, 11, 5), Result.DRAW, GameStatus.PLAYED, True),
        (3, date(2011, 11, 6), Result.WHITE_WINS, GameStatus.FORFEIT, False),
    ]
    assert report.games[1].place.line == 3
    finding = one(findings, "table.understood", Severity.INFO)
    assert "White Elo as white_rating" in finding.message
    assert codes(findings) == {"table.understood": Severity.INFO}


@pytest.mark.parametrize(
    "header",
    [
        "Weiß,Schwarz,Ergebnis",
        "WEISS,schwarz,Erg.",
        "Blancs,Noirs,Résultat",
        "Blancas,Negras,Resultado",
        "Bianco,Nero,Risultato",
        "Białe,Czarne,Wynik",
        "Wit,Zwart,Uitslag",
        "Белые,Чёрные,Результат",
        "Player 1,Player 2,Score",
        "white_player,black_player,res",
    ],
)
def test_headers_of_many_languages(header):
    assert games_of(f"{header}\nDoe,Roe,0-1\n") == [("Doe", "Roe", "0-1")]


@pytest.mark.parametrize(
    ("header", "field"),
    [
        ("Elo Weiß", "white_rating"),
        ("BlackElo", "black_rating"),
        ("Rtg", "rating"),
        ("Nº", "number"),
        ("#", "number"),
        ("Prénom", "first_name"),
        ("N°", "number"),
        ("1.Rd", "r1"),
        ("Rd 12", "r12"),
        ("3. Runde", "r3"),
        ("5th Round", "r5"),
        ("Тур 2", "r2"),
        ("7", "r7"),
        ("ids.x Y", "ids.x Y"),
        ("Fide-ID", "ids.fide"),
        ("Buchholz", "-"),
        ("Колесо", None),
        ("", None),
        ("r0", None),
    ],
)
def test_fields_of_headers(header, field):
    assert field_of(header) == field


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_separators(mark):
    text = LIST.replace('"', "").replace("Doe, Jo", "Doe").replace("Roe, Jane", "Roe")
    text = text.replace("Moe, Al", "Moe").replace(",", mark)
    report, _ = read(text)
    assert [entry.id for entry in report.entries] == ["Doe", "Roe", "Moe"]


def test_decimal_commas_beside_semicolons():
    report, _ = read("Weiß;Elo Weiß;Schwarz;Ergebnis\nDoe;1850,5;Roe;0,5:0,5\n")
    assert rating_of(report.entries[0]) == 1850.5
    assert report.games[0].result is Result.DRAW


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "iso-8859-1", "utf-16", "cp1252"])
def test_encodings(encoding):
    report, _ = read("Weiß;Schwarz;Ergebnis\nDoe é;Roe;1-0\n".encode(encoding))
    assert [game.white for game in report.games] == ["Doe é"]


def test_the_separator_that_a_spreadsheet_is_told():
    assert games_of("sep=;\nWhite;Black;Result\nDoe, J;Roe, J;1-0\n") == [
        ("Doe, J", "Roe, J", "1-0")
    ]


def test_lines_above_the_header():
    report, findings = read(
        "Spring Open 2011; 5-6 Nov\nVenue;Sample City\nStart: 2011-11-05\nArbiter;Poe, Al\n"
        "Runden;2\nEntered by hand\n\nWhite;Black;Result\nDoe;Roe;1-0\n"
    )
    event = report.event
    assert (event.name, event.place, event.start) == (
        "Spring Open 2011",
        "Sample City",
        date(2011, 11, 5),
    )
    assert (event.officials, event.rounds) == (("Poe, Al",), 2)
    assert "Entered by hand" in one(findings, "table.text", Severity.INFO).message


def test_empty_rows_sums_and_repeated_headers_are_passed_over():
    report, findings = read(
        "No,Name,Rating\n1,Doe,1900\n\n,,\n2,Roe,1800\nNo,Name,Rating\n3,Moe,1700\n,Average,1800\n"
    )
    assert [entry.name for entry in report.entries] == ["Doe", "Roe", "Moe"]
    one(findings, "table.sums", Severity.INFO)
    one(findings, "table.repeated-header", Severity.INFO)
    one(findings, "table.no-games", Severity.WARNING)


def test_no_header_but_no_doubt():
    report, findings = read("Doe, J;Roe, J;1-0;5.11.2011\nRoe, J;Moe, A;½-½;6.11.2011\n")
    assert [(g.white, g.black, g.start) for g in report.games] == [
        ("Doe, J", "Roe, J", date(2011, 11, 5)),
        ("Roe, J", "Moe, A", date(2011, 11, 6)),
    ]
    one(findings, "table.no-header", Severity.WARNING)


@pytest.mark.parametrize(
    "text",
    [
        "Doe;Roe;1\nMoe;Poe;0\n",
        "Doe;Roe;X;1-0\nMoe;Poe;Y;1-0\n",
        "Doe;Roe;1-0;12\nMoe;Poe;0-1;13\n",
        "|6|players|" + "of whom more is to be said " * 3 + "|\n",
        "Doe;1-0\n",
        "date,home,away,goals\n2011-11-05,A,B,3\n",
        "a,b\n1,2\n",
        "Doe",
    ],
)
def test_what_could_be_anything_is_no_table(text):
    assert not looks_like_table(decode(text.encode()).lines)
    refusal(read_csv(decode(text.encode())), "table.none")


def test_data_that_happen_to_hold_a_word_are_no_header():
    text = "when,a,b\n2011-11-05,NO,1850\n" + "2011-11-05,NO,1\n" * 80
    refusal(read_csv(decode(text.encode())), "table.none")


# Columns that somebody names


def test_columns_that_are_said():
    text = "Spieler X,Spieler Y,Ausgang\nDoe,Roe,1-0\n"
    columns = {"white": "spieler x", "black": "Spieler Y", "result": "Ausgang"}
    assert games_of(text, **columns) == [("Doe", "Roe", "1-0")]


def test_a_column_that_is_said_settles_what_is_ambiguous():
    text = "Name,Elo,DWZ,1\nDoe,1900,1850,bye\n"
    report, findings = read(text)
    assert "Elo and DWZ" in one(findings, "table.ambiguous", Severity.ERROR).message
    assert report.entries[0].standing is None
    said, findings = read_csv(decode(text.encode()), {"rating": "DWZ"})
    assert said is not None
    assert rating_of(said.entries[0]) == 1850
    assert not with_code(findings, "table.ambiguous")


def test_two_columns_of_white():
    report, findings = read("White,White,Black,Result\nDoe,Moe,Roe,1-0\n")
    assert report.games == ()
    one(findings, "table.ambiguous", Severity.ERROR)


def test_columns_with_the_same_contents_are_not_ambiguous():
    report, findings = read("Name,Elo,Rating,Verein,Club\nDoe,1900,1900,A,B\n")
    assert rating_of(report.entries[0]) == 1900
    assert report.entries[0].club is None
    one(findings, "table.ambiguous", Severity.WARNING)


def test_said_columns_that_are_not_there():
    _, findings = read_csv(
        decode(LIST.encode()), {"result": "Outcome", "cheese": "White", "r3": "x"}
    )
    assert len(with_code(findings, "table.no-column")) == 2
    assert "cheese" in one(findings, "table.no-field", Severity.ERROR).message


def test_columns_that_nobody_knows_are_told():
    _, findings = read("White,Cheese,Black,Result,Buchholz\nDoe,blue,Roe,1-0,12,left\n")
    message = one(findings, "table.unknown-column", Severity.WARNING).message
    assert "Cheese" in message
    assert "column F" in message
    assert "not used: Buchholz" in one(findings, "table.understood", Severity.INFO).message


# Players


def test_entries_and_games_in_two_blocks():
    report, _ = read(
        "players\nid,name,elo,club\n7,Doe,1900,X\n8,Roe,1800,\n\n"
        "games\nwhite,black,result,elo white\n"
        "7,Roe,1-0,1901\n"
    )
    (game,) = report.games
    assert (game.white, game.black, game.white_rating) == ("7", "8", 1901)
    assert report.entry("7").club == "X"


def test_games_name_players_by_number_id_or_name():
    report, findings = read(
        "No,ID,Name\n1,900,Doe\n2,901,Roe\n3,902,Moe\n\n"
        "White,Black,Result\n1,roe,1-0\n902,2,0-1\nPoe,1,1-0\n"
    )
    assert [(g.white, g.black) for g in report.games] == [("900", "901"), ("902", "901")]
    finding = one(findings, "game.opponent", Severity.ERROR)
    assert (finding.where.line, finding.where.column) == (9, 1)


def test_players_of_the_same_name():
    _, findings = read("Name,No\nDoe,1\nDoe,2\n\nWhite,Black,Result\nDoe,1,1-0\n")
    assert {f.severity for f in with_code(findings, "player.same-name")} == {
        Severity.ERROR,
        Severity.WARNING,
    }


def test_a_player_twice():
    _, findings = read("Name,Elo\nDoe,1900\nDoe,1800\n")
    finding = one(findings, "player.duplicate", Severity.ERROR)
    assert finding.where.line == 3


def test_names_that_differ_in_accents_only():
    report, findings = read("White,Black,Result\nMüller,Roe,1-0\nRoe,Muller,1-0\nroe,MÜLLER,1-0\n")
    assert [entry.id for entry in report.entries] == ["Müller", "Roe", "Muller"]
    assert "Müller and Muller" in one(findings, "table.similar-names", Severity.WARNING).message


def test_a_player_on_both_sides():
    report, findings = read("White,Black,Result\nDoe,doe,1-0\n")
    assert report.games == ()
    assert one(findings, "game.self", Severity.ERROR).where.line == 2


def test_names_in_two_columns_and_words_of_persons():
    report, findings = read(
        "Nachname,Vorname,Geschlecht,Jahrgang,Geburtsdatum,Titel,Elo\n"
        "Doe,Jo,weiblich,1965,1965/00/00,WGM,2100*\nRoe,Al,M,1970,5.11.1970,,1641P17\n"
        "Moe,,x,,,,unr.\n"
    )
    one_, two, three = report.entries
    assert (one_.name, one_.sex, one_.birth_year, one_.title) == ("Doe, Jo", "w", 1965, "WGM")
    assert (two.sex, two.birth_date) == ("m", date(1970, 11, 5))
    assert two.standing == Standing(1641, 17, status=StandingStatus.PROVISIONAL)
    assert (three.name, three.standing, three.sex) == ("Moe", None, None)
    assert "x is not" in one(findings, "table.value", Severity.WARNING).message


def test_ratings_that_are_none_are_refused():
    _, findings = read("Name,Elo\nDoe,abc\nRoe,1.850\nMoe,99999999999\n")
    assert len(with_code(findings, "table.value")) == 3
    assert findings.refused


def test_ratings_of_the_games_of_a_player_that_change():
    report, findings = read(
        "White,Elo White,Black,Elo Black,Result\n"
        "Doe,1800,Roe,1700,1-0\nRoe,1700,Doe,1800,1-0\nMoe,1600,Doe,1080,½\nDoe,,Moe,1600,1-0\n"
    )
    assert [rating_of(entry) for entry in report.entries] == [1800, 1700, 1600]
    assert [game.rating(Colour.BLACK) for game in report.games] == [None, None, 1080, None]
    assert [game.rating(Colour.WHITE) for game in report.games] == [None] * 4
    finding = one(findings, "table.ratings-differ", Severity.WARNING)
    assert "Doe: 1800 (line 2), but 1080 (line 4)" in finding.message
    assert "Doe: 1800 (line 2), but no rating (line 5)" in finding.message
    assert (finding.where.line, finding.where.column, finding.where.player) == (4, 4, "Doe")


def test_ratings_that_change_from_one_table_to_the_next():
    report, findings = read(
        "Round 1\nWhite,White Elo,Black,Result\nDoe,1800,Roe,1-0\n\n"
        "Round 2\nWhite,White Elo,Black,Result\nDoe,1080,Roe,1-0\n"
    )
    assert rating_of(report.entries[0]) == 1800
    assert [game.white_rating for game in report.games] == [None, 1080]
    one(findings, "table.ratings-differ", Severity.WARNING)


def test_ratings_that_change_in_a_list_of_results():
    report, findings = read(
        "player,elo,opponent,result\nDoe,1800,Roe,1\nDoe,1800,Moe,1\nDoe,1080,Poe,1\n"
    )
    assert rating_of(report.entries[0]) == 1800
    finding = one(findings, "table.ratings-differ", Severity.WARNING)
    assert "Doe: 1800, but 1080 (line 4)" in finding.message


def test_a_bye_has_the_rating_of_its_player():
    report, findings = read(
        "White,White Elo,Black,Black Elo,Result\nbye,,Doe,1800,1\nDoe,1800,bye,,1\n"
    )
    assert rating_of(report.entries[0]) == 1800
    assert [(g.white_rating, g.black_rating) for g in report.games] == [(None, None)] * 2
    assert not with_code(findings, "table.ratings-differ")


SAME_ID = (
    "Round;White;White ID;Black;Black ID;Result\n1;Doe, Jo;7;Roe, Al;8;1-0\n2;{};{};Doe, Jo;7;1-0\n"
)


@pytest.mark.parametrize("name", ["Moe, Cy", "Roe, Bo", "R", "Moe"])
def test_two_persons_with_one_id_are_refused(name):
    _, findings = read(SAME_ID.format(name, 8))
    finding = one(findings, "player.same-id", Severity.ERROR)
    assert f"8: Roe, Al (line 2) and {name} (line 3)" in finding.message
    assert (finding.where.line, finding.where.player) == (3, "8")


@pytest.mark.parametrize("name", ["Al Roe", "ROE, Á.", "Roe", "Rowe, Al"])
def test_one_person_whose_name_is_written_in_two_ways(name):
    report, findings = read(SAME_ID.format(name, 8))
    assert [entry.name for entry in report.entries] == ["Doe, Jo", "Roe, Al"]
    one(findings, "player.other-name", Severity.WARNING)
    assert not findings.refused


def test_an_id_that_the_list_of_players_gives_to_somebody_else():
    players = "id,name\n7,Doe\n8,Roe\n\n"
    _, findings = read(players + "White ID,White,Black ID,Black,Result\n7,doe,8,Moe,1-0\n")
    assert (
        "8: Roe (line 3) and Moe (line 6)"
        in one(findings, "player.same-id", Severity.ERROR).message
    )
    _, findings = read("id,player,opponent,result\n7,Doe,Roe,1\n7,Moe,Roe,1\n")
    one(findings, "player.same-id", Severity.ERROR)


# Columns that say something of the event


@pytest.mark.parametrize(
    "table",
    [
        "White,Black,Result,Pool,Time control,Kind\nDoe,Roe,1-0,rapid,G/25;d5,match\n"
        "Roe,Doe,1-0,Rapid,G/25;d5,match\nTotal,2,,,,\n",
        "No,Name,Pool,Time control,Kind,R1\n"
        "1,Doe,rapid,G/25;d5,match,2w1\n2,Roe,rapid,G/25;d5,match,1b0\n",
    ],
)
def test_what_all_rows_say_of_the_event(table):
    report, findings = read(table)
    event = report.event
    assert (event.pool, event.time_control, event.kind) == ("rapid", "G/25;d5", "match")
    assert not findings.refused


@pytest.mark.parametrize("column", ["Pool", "Time control", "Kind"])
@pytest.mark.parametrize("other", ["classical", ""])
def test_rows_that_differ_about_the_event_are_refused(column, other):
    report, findings = read(
        f"White,Black,Result,{column}\nDoe,Roe,1-0,rapid\nRoe,Doe,1-0,{other}\n"
    )
    finding = one(findings, "table.event-column", Severity.ERROR)
    assert f"rapid (line 2), {other or 'nothing'} (line 3)" in finding.message
    assert "sections" in finding.remedy
    assert (report.event.pool, report.event.time_control, report.event.kind) == (None,) * 3


def test_an_event_whose_rows_say_something_else():
    text = "Pool,{}\n\nWhite,Black,Result,Pool\nDoe,Roe,1-0,rapid\n"
    assert not read(text.format("rapid"))[1].refused
    _, findings = read(text.format("classical"))
    one(findings, "table.event-column", Severity.ERROR)


# Columns whose order tells whose they are


@pytest.mark.parametrize(
    "header",
    ["White,Elo,Result,Black,Elo", "Elo,White,Result,Elo,Black", "Elo,White,Result,Black,Elo"],
)
@pytest.mark.parametrize("mirrored", [False, True])
def test_two_columns_of_ratings_beside_the_players(header, mirrored):
    cells = {"White": "Doe", "Black": "Roe", "Result": "1-0"}
    names = header.split(",")
    ratings = iter(("1700", "1800") if mirrored else ("1800", "1700"))
    if mirrored:
        names = [{"White": "Black", "Black": "White"}.get(name, name) for name in names]
    row = [cells.get(name) or next(ratings) for name in names]
    report, findings = read(",".join(names) + "\n" + ",".join(row) + "\n")
    assert {entry.name: rating_of(entry) for entry in report.entries} == {"Doe": 1800, "Roe": 1700}
    assert "Elo as white_rating" in one(findings, "table.by-order", Severity.INFO).message
    assert "Elo as black_rating" in one(findings, "table.understood", Severity.INFO).message


def test_ids_beside_the_players():
    report, _ = read("Spieler 1,ID,Spieler 2,ID,Ergebnis\nDoe,7,Roe,8,1-0\n")
    assert [(entry.id, entry.name) for entry in report.entries] == [("7", "Doe"), ("8", "Roe")]


@pytest.mark.parametrize(
    "header",
    [
        "White,Black,Elo,Elo,Result",
        "White,Elo,Elo,Black,Result",
        "White,Elo,Black,,Result",
        "White,Elo,Black,DWZ,Result",
    ],
)
def test_ratings_that_could_be_of_either_player_are_refused(header):
    cells = {"White": "Doe", "Black": "Roe", "Result": "1-0", "": ""}
    ratings = iter(("1800", "1700"))
    row = [cells[name] if name in cells else next(ratings) for name in header.split(",")]
    report, findings = read(header + "\n" + ",".join(row) + "\n")
    assert "Elo" in one(findings, "table.ambiguous", Severity.ERROR).message
    assert report.entries[0].standing is None


def test_every_column_is_told():
    header = [f"ids.register {number}" for number in range(40)]
    _, findings = read(",".join(["id", "name", *header]) + "\n" + "1,Doe" + "\n")
    message = one(findings, "table.understood", Severity.INFO).message
    assert all(f"{name} as {name}" in message for name in header)


# Rounds


@pytest.mark.parametrize("text", ["1,5", "2.5", "-3", "1 5", "1½", "1/2", "²", "x", "Round -3 4"])
def test_what_is_no_number_of_a_round_is_refused(text):
    report, findings = read(f"Round;White;Black;Result\n{text};Doe;Roe;1-0\n")
    assert report.games[0].round is None
    finding = one(findings, "table.value", Severity.ERROR)
    assert text in finding.message
    assert (finding.where.line, finding.where.column) == (2, 1)


@pytest.mark.parametrize("text", ["3", "3.0", "3.", "03", "Rd 3", "3. Runde", "R-3"])
def test_numbers_of_rounds(text):
    report, findings = read(f"Round;White;Black;Result\n{text};Doe;Roe;1-0\n")
    assert report.games[0].round == 3
    assert not findings.refused


# Games


def test_results_that_a_spreadsheet_spoilt_are_refused():
    _, findings = read("White,Black,Result\nDoe,Roe,Jan-00\nDoe,Moe,2011-01-02\nRoe,Moe,3-1\n")
    spoilt = with_code(findings, "table.result-as-date")
    assert [f.severity for f in spoilt] == [Severity.ERROR, Severity.WARNING]
    assert spoilt[0].where.line == 2
    assert one(findings, "game.result", Severity.ERROR).where.line == 4


def test_points_of_one_side_and_of_both():
    assert games_of("White,Black,Result\nDoe,Roe,1\n") == [("Doe", "Roe", "1-0")]
    _, findings = read("White,Black,Result\nDoe,Roe,1\n")
    one(findings, "table.white-points", Severity.WARNING)
    assert games_of("White,Black,black_score\nDoe,Roe,1.0\n") == [("Doe", "Roe", "0-1")]
    assert games_of("White,Black,Score White,Score Black\nDoe,Roe,½,½\n") == [
        ("Doe", "Roe", "1/2-1/2")
    ]
    _, findings = read("White,Black,Score White,Score Black\nDoe,Roe,1,1\n")
    one(findings, "game.result", Severity.ERROR)


def test_winners_and_losers():
    assert games_of("Winner,Loser\nDoe,Roe\n") == [("Doe", "Roe", "1-0")]
    _, findings = read("Winner,Loser,Result\nDoe,Roe,0-1\n")
    one(findings, "game.result", Severity.ERROR)
    one(findings, "game.colours", Severity.INFO)


def test_byes_open_games_and_forfeits():
    report, findings = read(
        "White,Black,Result,Forfeit\nDoe,bye,1-0,\nRoe,,½,\nDoe,Roe,,\nDoe,Moe,1-0,yes\nMoe,Roe,0-0,\n"
    )
    assert [(g.black, g.result.value, g.status.value) for g in report.games] == [
        (None, "1-0", "bye"),
        (None, "1/2-1/2", "bye"),
        ("Roe", "*", "played"),
        ("Moe", "1-0", "forfeit"),
        ("Roe", "*", "forfeit"),
    ]
    one(findings, "table.open", Severity.WARNING)
    one(findings, "table.double-forfeit", Severity.WARNING)


@pytest.mark.parametrize("text", ["kampflos", "Forfait", "ff", "w/o", "spielfrei"])
def test_words_for_what_was_not_played(text):
    report, findings = read(
        f"White,Black,Result\nDoe,,{text}\nDoe,Roe,1-0 FF\nRoe,Doe,0-1 forfait\n"
    )
    assert [(g.black, g.result.value, g.status.value) for g in report.games] == [
        (None, "*", "bye"),
        ("Roe", "1-0", "forfeit"),
        ("Doe", "0-1", "forfeit"),
    ]
    assert not findings.refused
    report, _ = read("White,Black,Result,Status\nDoe,Roe,1-0,kampflos\nDoe,Moe,1-0,forfait\n")
    assert {game.status for game in report.games} == {GameStatus.FORFEIT}


@pytest.mark.parametrize("text", ["kampflos", "ff"])
def test_a_forfeit_of_nobody_knows_whom_is_refused(text):
    _, findings = read(f"White,Black,Result\nDoe,Roe,{text}\n")
    message = one(findings, "game.result", Severity.ERROR).message
    assert f"Doe and Roe: {text}, which does not say who won" in message


def test_no_finding_names_a_player_who_is_not_there():
    _, findings = read("Round,White,Black,Result\n1,Doe,,cheese\n1,Doe,bye,1\n1,Doe,bye,X-X\n")
    assert findings.refused
    assert not any("None" in finding.message for finding in findings)
    assert "Doe: cheese" in with_code(findings, "game.result")[0].message


def test_a_bye_in_the_place_of_white():
    assert games_of("White,Black,Result\nbye,Doe,0-1\n") == [("Doe", None, "1-0")]


def test_a_player_alone_without_result_is_refused():
    report, findings = read("White,Black,Result\nDoe,Roe,1-0\nMade with a program,,\n")
    assert len(report.games) == 1
    assert one(findings, "table.nobody", Severity.ERROR).where.line == 3


def test_columns_with_dots_are_what_they_belong_to():
    report, findings = read(
        "id,pools.a.status,pools.a.extra.status,extra.status,ids.sex,decisions.rating\n"
        "1,provisional,open,open,open,0\n"
    )
    (entry,) = report.entries
    assert entry.pools["a"] == Standing(status=StandingStatus.PROVISIONAL, extra={"status": "open"})
    assert entry.standing == Standing(extra={"status": "open"})
    assert (entry.ids, entry.decisions) == ({"sex": "open"}, {"rating": 0})
    assert not findings.refused


def test_values_that_no_game_has():
    report, findings = read(
        "No,Name\n1,Doe\n2,Roe\n\n"
        "White,Black,Result,table_result,white_for,Round\n1,2,1-0,cheese,Moe,x\n"
    )
    (game,) = report.games
    assert (game.table_result, game.white_for, game.round) == (None, None, None)
    assert len(with_code(findings, "table.value")) == 2
    one(findings, "game.opponent", Severity.ERROR)


def test_rated_flags_and_handicaps():
    report, findings = read("White,Black,Result,Rated,Hd\nDoe,Roe,1-0,no,3\nDoe,Moe,1-0,maybe,\n")
    game, other = report.games
    assert (game.white_rated, game.rated_said, game.handicap) == (False, True, 3)
    assert (other.white_rated, other.rated_said) == (True, False)
    one(findings, "table.value", Severity.ERROR)


def test_a_game_twice_in_a_round():
    report, findings = read("Rd,White,Black,Result\n1,Doe,Roe,1-0\n1,Roe,Doe,0-1\n1,Doe,Moe,1-0\n")
    assert len(report.games) == 2
    one(findings, "game.twice", Severity.ERROR)
    one(findings, "table.same-round", Severity.WARNING)


def test_a_block_for_each_round():
    report, _ = read(
        "Round 1\nWhite,Black,Result\nDoe,Roe,1-0\n\nRound 2\nWhite,Black,Result\nRoe,Doe,1-0\n"
    )
    assert [game.round for game in report.games] == [1, 2]


def test_a_list_without_results_is_refused():
    _, findings = read("White,Black\nDoe,Roe\n")
    one(findings, "table.no-results", Severity.ERROR)


def test_a_row_that_names_nobody():
    _, findings = read("White,Black,Result\n,Roe,1-0\n")
    one(findings, "table.nobody", Severity.ERROR)


# Dates


def test_dates_share_their_order():
    report, _ = read("Date,White,Black,Result\n03/04/2011,Doe,Roe,1-0\n25/04/2011,Doe,Moe,1-0\n")
    assert [game.start for game in report.games] == [date(2011, 4, 3), date(2011, 4, 25)]


def dated(*days):
    rows = [f"{day},Doe {at},Roe {at},1-0" for at, day in enumerate(days)]
    return read_csv(decode("\n".join(["Date,White,Black,Result", *rows, ""]).encode()), None)


def test_in_which_order_dates_are_read_is_told_with_the_row_that_settles_it():
    report, findings = dated("3/4/2011", "5/5/2011", "25/4/2011")
    assert [game.start.month for game in report.games] == [4, 5, 4]
    # One row alone: it may be the slip.
    told = one(findings, "table.date-order", Severity.WARNING)
    assert "day, month, year, by 25/4/2011" in told.message
    assert told.where.line == 4
    report, findings = dated("3/4/2011", "4/25/2011", "4/26/2011")
    assert report.games[0].start == date(2011, 3, 4)
    told = one(findings, "table.date-order", Severity.INFO)
    assert "month, day, year, by 4/25/2011" in told.message
    for days in (("25/4/2011", "26/4/2011"), ("25/4/2011", "2011-03-04"), ("3.4.2011",)):
        assert "table.date-order" not in codes(dated(*days)[1]), days


def test_dates_in_two_orders_settle_none_and_are_told():
    report, findings = dated("3/4/2011", "25/4/2011", "4/26/2011")
    assert report.games[0].start is None
    told = one(findings, "table.date-orders", Severity.WARNING)
    assert "25/4/2011 (line 3) and 4/26/2011 (line 4)" in told.message
    assert told.where.line == 4
    assert "2011-03-04 or 2011-04-03" in one(findings, "table.date", Severity.ERROR).message
    report, findings = dated("25/4/2011", "4/26/2011")
    assert [game.start.day for game in report.games] == [25, 26]
    one(findings, "table.date-orders", Severity.WARNING)


def test_dates_that_could_be_two_are_refused():
    report, findings = read("Date,White,Black,Result\n03/04/2011,Doe,Roe,1-0\n")
    assert report.games[0].start is None
    assert "2011-03-04 or 2011-04-03" in one(findings, "table.date", Severity.ERROR).message
    assert Days().read("3.4.2011").day == date(2011, 4, 3)


@pytest.mark.parametrize("slip", ["2025-13-04", "2025/13/04", "25-13-04", "2025-02-30"])
def test_a_slip_in_one_date_turns_no_other_round(slip):
    shape = "%y-%m-%d" if slip.startswith("25") else "%Y-%m-%d"
    good = date(2025, 1, 3)
    rows = [f"{good:{shape}},Doe,Roe,1-0", f"{good:{shape}},Doe,Moe,1-0", f"{slip},Roe,Moe,1-0"]
    report, findings = read("Date,White,Black,Result\n" + "\n".join(rows) + "\n")
    assert {game.start for game in report.games} <= {good, None}
    found = with_code(findings, "table.value") or with_code(findings, "table.date")
    slips = [each for each in found if each.where.line == 4]
    assert [each.severity for each in slips] == [Severity.ERROR]
    assert slip in slips[0].message
    assert "2011-11-05" in slips[0].remedy
    if len(slip) == 10:
        assert [game.start for game in report.games] == [good, good, None]


def test_a_birth_date_that_could_be_two_is_left_out():
    report, findings = read("Name,DOB,Elo\nDoe,03/04/1970,1900\n")
    assert report.entries[0].birth_date is None
    one(findings, "table.date", Severity.WARNING)


# Lists of results of one player against another


def test_results_of_each_player():
    report, findings = read(
        "Round,Player,Opponent,Colour,Result\n1,Doe,Roe,w,1\n1,Roe,Doe,b,0\n2,Doe,,,½\n2,Roe,Moe,b,=\n"
        "2,Moe,Roe,w,=\n"
    )
    assert [(g.round, g.white, g.black, g.result.value) for g in report.games] == [
        (1, "Doe", "Roe", "1-0"),
        (2, "Doe", None, "1/2-1/2"),
        (2, "Moe", "Roe", "1/2-1/2"),
    ]
    assert not findings.refused


def test_results_of_each_player_that_contradict():
    _, findings = read("Round,Player,Opponent,Result\n1,Doe,Roe,1\n1,Roe,Doe,1\n2,Doe,Moe,1\n")
    assert one(findings, "game.contradiction", Severity.ERROR).where.round == 1
    assert one(findings, "game.mirror", Severity.ERROR).where.line == 4


def test_results_on_one_side_only():
    report, findings = read("Round,Player,Opponent,Colour,Result\n1,Doe,Roe,s,1\n")
    assert [(g.white, g.black, g.result.value) for g in report.games] == [("Roe", "Doe", "0-1")]
    one(findings, "table.one-sided", Severity.INFO)


# Published files


def test_the_games_of_a_congress(reference):
    path = reference / "data/egc2013/games.csv"
    report, findings = read(path.read_bytes())
    assert not findings.refused
    with path.open() as file:
        rows = list(csv.DictReader(file))
    wins = {"0.0": Result.WHITE_WINS, "1.0": Result.BLACK_WINS}
    assert Counter(
        (g.event, g.round, g.white, g.black, g.handicap, g.result) for g in report.games
    ) == (
        Counter(
            (
                r["egd_code"],
                int(r["round"]),
                r["white"],
                r["black"],
                int(r["handicap"]),
                wins[r["black_score"]],
            )
            for r in rows
        )
    )
    forfeits = [g for g in report.games if g.status is GameStatus.FORFEIT]
    assert len(forfeits) == sum(row["by_forfeit"] == "1" for row in rows)


def test_the_results_of_the_irish_union(reference):
    path = reference / "data/icu_ireland/game_results_7_events.csv"
    lines = path.read_text().splitlines()
    # Players who are not known have no id: their rows, and those against them, are no pairs.
    rows = [line for line in lines if line.split(",")[2]]
    report, findings = read("\n".join(rows))
    assert set(codes(findings, Severity.ERROR)) <= {"game.mirror"}
    played = [row.split(",") for row in rows[1:] if row.split(",")[3]]
    lone = len(with_code(findings, "game.mirror"))
    assert sum(1 for game in report.games if game.black) == (len(played) - lone) / 2


# Files that are damaged


def test_a_quotation_mark_without_its_pair():
    finding = refusal(
        read_csv(decode(b'White,Black,Result\n"Doe,Roe,1-0\nRoe,Doe,1-0\n')), "csv.syntax"
    )
    assert finding.where.line == 2


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        (['White,Black,Result', 'Doe,Roe,1-0', '"Roe,Doe,1-0', "Moe,Doe,0-1"], 3),
        (['White,Black,Result', 'Doe,Roe,1-0', '"Roe,Doe,1-0'], 3),
        (['White,Black,Result', '"Roe,Doe,1-0', 'Doe,"Roe",1-0'], 2),
        (['White;"Black;Result', "Doe;Roe;1-0"], 1),
        (['Name,Rating,R1,R2,R3', '1,"Doe,1800,2w1,3b1', "2,Roe,1700,1b0,"], 2),
        (['No,Name,Rating,Round 1,Round 2', '1,"Doe,1800,2w1,3b1', "2,Roe,1700,1b0,"], 2),
        (["White,Black,Result", *["Doe,Roe,1-0"] * 150, '"Roe,Doe,1-0'], 152),
        (["Name,Rating", *["Doe,1800"] * 120, "", "White,Black,Result", '"Roe,Doe,1-0'], 124),
    ],
)  # fmt: skip
def test_a_file_with_one_is_known_for_a_table(rows, line):
    """Which format it has is seen before its rows are, and a stray mark must not hide it."""
    given = read_bytes("\n".join([*rows, ""]).encode())
    finding = refusal((given.report, given.findings), "csv.syntax")
    assert finding.where.line == line


def test_too_many_columns():
    refusal(read_csv(decode(b"White,Black,Result\n" + b"," * 1001)), "table.too-large")


@settings(deadline=None)
@given(edits(b",", b";", b'"', b"\n\n", b"1-0", b"White", b"Result", b"Name", b"\t", reach=300))
def test_damaged_lists_are_answered(changes: Edits) -> None:
    decoded = decode(damaged(LIST.encode(), changes))
    looks_like_table(decoded.lines)
    assert_sound(*read_csv(decoded))


def test_what_looks_like_a_table():
    assert looks_like_table(decode(LIST.encode()).lines)
    assert not looks_like_table(())
    assert not looks_like_table((Line(1, ""),))


def test_players_alone_are_no_report():
    players = "id,name\n" + "".join(f"{n},Player {n}\n" for n in range(200))
    assert not looks_like_table(decode(players.encode()).lines)
    games = players + "\nwhite,black,result\n1,2,1-0\n"
    assert looks_like_table(decode(games.encode()).lines)


@pytest.mark.parametrize("folder", ["trf", "go"])
def test_files_of_other_formats_are_no_tables(folder, reference):
    paths = sorted((reference / "samples" / folder).glob("*.*"))
    assert len(paths) > 5
    for path in paths:
        if path.suffix != ".csv":
            assert not looks_like_table(decode(path.read_bytes()).lines), path.name


NUMBERED = "White;White FIDE ID;Black;Black FIDE ID;Result\n{}Roe, Al;{};Doe, Jo;900011;1-0\n"


def test_numbers_of_a_register_tell_namesakes_apart():
    report, findings = read(NUMBERED.format("Doe, Jo;900011;Doe, Jo;900012;1-0\n", "900013"))
    assert [(entry.id, entry.ids) for entry in report.entries] == [
        (number, {"fide": number}) for number in ("900011", "900012", "900013")
    ]
    assert len(report.games) == 2
    assert not findings.refused


def test_a_table_may_name_players_by_numbers_alone():
    report, _ = read("White FIDE ID;Black FIDE ID;Result\n900011;900012;1-0\n")
    assert [entry.ids["fide"] for entry in report.entries] == ["900011", "900012"]


def test_two_numbers_of_one_player_are_told():
    text = NUMBERED.replace("White;", "White ID;White;").replace("Black;", "Black ID;Black;")
    rows = text.format("7;Doe, Jo;900011;8;Roe, Al;900012;1-0\n", "900013")
    _, findings = read(
        rows.replace("\nRoe", "\n8;Roe").replace(";Doe, Jo;900011;1", ";7;Doe, Jo;900011;1")
    )
    assert "8: 900012 and 900013" in one(findings, "player.other-number", Severity.WARNING).message


def test_numbers_beside_a_list_of_players():
    players = "id,name\n7,Doe\n8,Roe\n\n"
    games = "White,White FIDE ID,Black,Black FIDE ID,Result\nDoe,900011,Roe,900012,1-0\n"
    report, findings = read(players + games)
    assert (report.games[0].white, report.games[0].black) == ("7", "8")
    assert [entry.ids for entry in report.entries] == [{"fide": "900011"}, {"fide": "900012"}]
    assert not findings.refused


BORN = "White;White born;Black;Black born;Result\n"


def test_a_list_of_games_says_when_both_were_born():
    report, findings = read(BORN + "Doe;13.02.1990;Roe;1985;1-0\nRoe;1985;Doe;;1-0\n")
    doe, roe = report.entries
    assert (doe.birth_date, doe.birth_year) == (date(1990, 2, 13), None)
    assert (roe.birth_date, roe.birth_year) == (None, 1985)
    assert not findings.refused
    report, _ = read("White;Born;Black;Born;Result\nDoe;1990;Roe;1985;1-0\n")
    assert [each.birth_year for each in report.entries] == [1990, 1985]
    report, _ = read("White;White birth year;Black;Black yob;Result\nDoe;1990;Roe;1985;1-0\n")
    assert [each.birth_year for each in report.entries] == [1990, 1985]


def test_a_birth_that_a_later_row_adds_is_taken_and_another_one_is_told():
    report, findings = read(BORN + "Doe;;Roe;1985;1-0\nDoe;1990;Roe;1986;1-0\n")
    assert [each.birth_year for each in report.entries] == [1990, 1985]
    told = one(findings, "player.other-birth", Severity.WARNING)
    assert "Roe: 1985 and 1986" in told.message
    _, findings = read(BORN + "Doe;soon;Roe;1985;1-0\n")
    assert "White born: soon is not" in "".join(each.message for each in findings)


def test_births_beside_a_list_of_players():
    games = "White;White born;Black;Black born;Result\nDoe;1990;Roe;1985;1-0\n"
    report, _ = read("id;name\n7;Doe\n8;Roe\n\n" + games)
    assert [each.birth_year for each in report.entries] == [1990, 1985]


def test_a_side_names_the_register_of_its_number():
    text = "White;White ICU ID;Black;Black ICU ID;Result\nDoe;9001;Roe;9002;1-0\n"
    report, _ = read(text)
    assert [(each.id, each.ids) for each in report.entries] == [
        ("9001", {"icu": "9001"}), ("9002", {"icu": "9002"}),
    ]  # fmt: skip
    report, _ = read(text.replace("ICU ID", "AGA No"))
    assert report.entries[0].ids == {"aga": "9001"}
