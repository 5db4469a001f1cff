"""Tables as they were found: bare zeros, winners by letter, colours by case, more headings."""

from __future__ import annotations

from pathlib import Path

import pytest

from ratingbook import formats
from ratingbook.formats.players import read_players
from ratingbook.model import Report, Result


def read(tmp_path: Path, text: str) -> tuple[Report | None, set[str], bool]:
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    found = formats.read(path)
    return found.report, {f.code for f in found.findings}, found.findings.refused


def test_a_bare_zero_is_a_round_without_pairing(tmp_path: Path) -> None:
    text = (
        "Rk.;;Name;Rtg;FED;1.Rd;2.Rd;3.Rd;Pts.\n"
        "1;GM;Alpha A;2500;GER;3w1;2b1;0;2\n2;;Beta B;2400;GER;4w1;1w0;3b1;2\n"
        "3;;Gamma C;2300;GER;1b0;4w1;2w0;1\n4;;Delta D;2200;GER;2b0;3b0;-1;1\n"
    )
    report, codes, refused = read(tmp_path, text)
    assert report is not None
    assert not refused
    assert "game.result" not in codes
    assert len([game for game in report.games if game.black]) == 5


@pytest.mark.parametrize(
    "letters", [("W", "B", "D"), ("w", "s", "d"), ("1", "0", "½"), ("white", "black", "draw"),
                ("Doe", "Poe", "remis")],
)  # fmt: skip
def test_winners_by_letter_or_name(tmp_path: Path, letters: tuple[str, str, str]) -> None:
    first, second, third = letters
    rows = f"Doe,{first},Roe\nRoe,{second},Poe\nPoe,{third},Doe\n"
    report, _, refused = read(tmp_path, f"White,Winner,Black\n{rows}")
    assert report is not None
    assert not refused
    assert [game.result for game in report.games] == [
        Result.WHITE_WINS, Result.BLACK_WINS, Result.DRAW,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("header", "letters"),
    [("Sieger", "WSR"), ("Gewinner", "WSR"), ("Vainqueur", "BNX"), ("Ganador", "BNT"),
     ("Vincitore", "BNP"), ("Zwycięzca", "BCR"), ("Winnaar", "WZR"), ("Победитель", "БЧН"),
     ("Sieger", "WBD"), ("Ganador", "WBD")],
)  # fmt: skip
def test_winners_by_the_letters_of_the_language(tmp_path: Path, header: str, letters: str) -> None:
    """What is White in one language is Black in another; a column is of one language."""
    white, black, draw = tuple(letters)
    rows = f"Doe,{white},Roe\nRoe,{black},Poe\nPoe,{draw},Doe\n"
    report, _, refused = read(tmp_path, f"White,{header},Black\n{rows}")
    assert report is not None
    assert not refused
    assert [game.result for game in report.games] == [
        Result.WHITE_WINS, Result.BLACK_WINS, Result.DRAW,
    ]  # fmt: skip


@pytest.mark.parametrize(("header", "letter"), [("Winner", "N"), ("Sieger", "Z"), ("Ganador", "P")])
def test_a_letter_of_another_language_is_an_error(tmp_path: Path, header: str, letter: str) -> None:
    rows = (
        f"Doe,W,Roe\nRoe,{letter},Poe\n"
        if header != "Ganador"
        else f"Doe,B,Roe\nRoe,{letter},Poe\n"
    )
    _, codes, refused = read(tmp_path, f"White,{header},Black\n{rows}")
    assert refused
    assert "game.result" in codes


@pytest.mark.parametrize(
    "header",
    ["Rating Nac", "Nac. Rating", "Elo internazionale", "Hodnocení", "レート", "Kansallinen",
     "Rtg. Intern.", "Elo Start", "Národní hodnocení", "Kansainvälinen vahvuusluku", "等级分"],
)  # fmt: skip
def test_a_rating_by_many_names(tmp_path: Path, header: str) -> None:
    text = f"No,Name,{header},1,2\n1,Doe Jo,1800,2w1,\n2,Roe Ri,1700,1b0,\n"
    report, codes, _ = read(tmp_path, text)
    assert report is not None
    assert [entry.standing.rating for entry in report.entries if entry.standing] == [1800, 1700]
    assert "table.unknown-column" not in codes


def test_a_winner_that_is_not_understood_is_an_error(tmp_path: Path) -> None:
    _, codes, refused = read(tmp_path, "White,Winner,Black\nDoe,W,Roe\nRoe,Q,Poe\n")
    assert refused
    assert "game.result" in codes


US = """#,Name,Rtng,Rd 1,Rd 2,Rd 3,Total
1,"Smith, A",1850,W2,d3,w4,2.5
2,"Jones, B",1790,l1,W4,D3,1.5
3,"Lee, C",1820,w4,D1,d2,2.0
4,"Poe, D",1700,L3,l2,L1,0.0
"""


def test_colours_by_case_and_ratings_called_rtng(tmp_path: Path) -> None:
    report, codes, refused = read(tmp_path, US)
    assert report is not None
    assert not refused
    assert [e.standing.rating for e in report.entries if e.standing] == [1850, 1790, 1820, 1700]
    games = {(game.white, game.black): game.round for game in report.games}
    assert games == {("1", "2"): 1, ("4", "3"): 1, ("3", "1"): 2, ("2", "4"): 2, ("4", "1"): 3,
                     ("2", "3"): 3}  # fmt: skip
    assert "game.colours" not in codes


@pytest.mark.parametrize(
    "heading",
    ["Rtng", "Rate", "Pre-Rtg", "Rtg FIDE", "Rtg Int", "ELOF", "Std.", "UKD", "Cota", "Рейтинг",
     "Rejting", "Elo", "Wertungszahl"],
)  # fmt: skip
def test_headings_of_ratings(tmp_path: Path, heading: str) -> None:
    report, codes, _ = read(tmp_path, f"Nr,Name,{heading},R1\n1,Doe,1850,2w1\n2,Roe,1790,1b0\n")
    assert report is not None
    assert "table.unknown-column" not in codes
    assert [e.standing.rating for e in report.entries if e.standing] == [1850, 1790]


@pytest.mark.parametrize(
    "header",
    ["Baş.No,Oyuncu,Ülke,Puan,UKD", "Nr.crt,Nume,Tara,Puncte,Cota", "Rb,Ime,Država,Bodovi,Rejting",
     "Sorszám,Név,Ország,Pont,Értékszám", "Nr.,Spieler,Land,Punkte,Elo", "N°,Nom,Pays,Pts,Elo",
     "Nº,Jogador,País,Pontos,Elo", "Num.,Giocatore,Paese,Punti,Elo", "Lp.,Zawodnik,Kraj,Pkt,Elo",
     "№,Игрок,Страна,Очки,Рейтинг", "Nº,Jugador,País,Puntos,Elo", "Α/Α,Όνομα,Χώρα,Βαθμοί,Elo"],
)  # fmt: skip
def test_headings_of_many_languages(tmp_path: Path, header: str) -> None:
    rows = "1,Doe,GER,1,1850,2w1\n2,Roe,GER,0,1790,1b0\n"
    report, codes, refused = read(tmp_path, f"{header},R1\n{rows}")
    assert report is not None
    assert not refused
    assert "table.unknown-column" not in codes
    assert [(e.federation, e.standing.rating) for e in report.entries if e.standing] == [
        ("GER", 1850), ("GER", 1790),
    ]  # fmt: skip


SWISS_PERFECT = (
    "No\tName               \tLoc Id\tTotal\t 1  \t 2  \t 3  \n\n"
    "1 \tDoe, Jo            \t10692 \t2.5  \t 0:W\t 2:W\t 3:D\n"
    "2 \tRoe, Al            \t193   \t1    \t 3:+\t 1:L\t 0: \n"
    "3 \tPoe, Ed            \t5601  \t0.5  \t 2:-\t  : \t 1:D\n"
)


def test_the_text_table_of_swissperfect(tmp_path: Path) -> None:
    report, codes, refused = read(tmp_path, SWISS_PERFECT)
    assert report is not None
    assert not refused
    games = {(frozenset((g.white, g.black or "")), g.round, g.status.value) for g in report.games}
    ids = {entry.name.split(",")[0]: entry.id for entry in report.entries}
    doe, roe, poe = ids["Doe"], ids["Roe"], ids["Poe"]
    assert games >= {
        (frozenset((doe, roe)), 2, "played"),
        (frozenset((doe, poe)), 3, "played"),
        (frozenset((roe, poe)), 1, "forfeit"),
        (frozenset((doe, "")), 1, "bye"),
    }
    assert "game.result" not in codes


THREE_COLUMNS = (
    "Rank;SNo.;;Name;Rtg;FED;1.Rd.;;;2.Rd.;;;3.Rd.;;;Pts\n"
    "1;1;IM;Doe;2486;CUB;2;b;1;3;w;x;-;-;x;2\n"
    "2;3;GM;Poe;2300;SLO;4;-;+;1;b;x;2;w;0;1x\n"
    "3;2;;Roe;2400;GER;1;w;0;4;b;1;3;b;1;2\n"
    "4;4;;Moe;2200;GER;3;-;-;2;w;0;-;-;0;0\n"
)


def test_three_columns_for_a_round(tmp_path: Path) -> None:
    report, codes, refused = read(tmp_path, THREE_COLUMNS)
    assert report is not None
    assert not refused
    names = {entry.id: entry.name for entry in report.entries}
    games = {
        (g.round, names[g.white], names.get(g.black or ""), g.result.value, g.status.value)
        for g in report.games
    }
    assert games >= {
        (1, "Roe", "Doe", "0-1", "played"),
        (2, "Doe", "Poe", "1/2-1/2", "played"),
        (2, "Moe", "Roe", "0-1", "played"),
        (3, "Poe", "Roe", "0-1", "played"),
        (3, "Doe", None, "1/2-1/2", "bye"),
    }
    assert [g.status.value for g in report.games if {names[g.white], names.get(g.black or "")} ==
            {"Poe", "Moe"}] == ["forfeit"]  # fmt: skip
    assert "table.points" not in codes


def games_of(report: Report | None) -> list[tuple[int | None, str, str | None, str, str]]:
    assert report is not None
    return [(g.round, g.white, g.black, g.result.value, g.status.value) for g in report.games]


SWISS = """From the Tournament-Database of Chess-Results https://chess-results.com,,,,,,,,
Nowhere Open ,,,,,,,,
Last update 13.02.2026 18:17:32,,,,,,,,
Ranking crosstable after Round 3,,,,,,,,
Rk.,,Name,Rtg,FED,1.Rd,2.Rd,3.Rd,Pts.
1,,Nobody Ann ,2020,SWE,  4b1,  2w1,  3b ,2
2,WFM,Nobody Bert ,1971,SWE,  3b½,  1b0,   -½,1
3,,Nobody Cleo ,1896,SWE,  2w½,-1,  1w ,"1,5"
4,,Nobody Dan ,1982,SWE,  1w0,  5b-,0,0
5,,Nobody Eve ,1700,SWE,-1,  4w+,0,2
,,,,,,,,
You find all details to this tournament under  https://chess-results.com/tnr1.aspx?lan=1,,,,,,,,
Chess-Tournament-Results-Server: Chess-Results,,,,,,,,
"""
PAIRINGS = """Aus der Turnierdatenbank von Chess-Results https://chess-results.com;;;;;;;;;;;
Nowhere Open;;;;;;;;;;;
Runde 1 am 2026/02/13 um 18:00;;;;;;;;;;;
Br.;Nr.;;Name;Elo;Pkt.;Ergebnis;Pkt.;;Name;Elo;Nr.
1;1;;Nobody Ann;2020;0;1 - 0;0;;Nobody Dan;1982;4
2;3;;Nobody Cleo;1896;0;1;;;spielfrei;;
3;5;;Nobody Eve;1700;0;0;;;nicht ausgelost;;
Runde 2 am 2026/02/14 um 18:00;;;;;;;;;;;
Br.;Nr.;;Name;Elo;Pkt.;Ergebnis;Pkt.;;Name;Elo;Nr.
1;4;;Nobody Dan;1982;0;½ - ½;1;WFM;Nobody Cleo;1896;3
2;5;;Nobody Eve;1700;0;- - +;1;;Nobody Ann;2020;1
"""


def test_a_cross_table_of_chess_results(tmp_path: Path) -> None:
    report, codes, refused = read(tmp_path, SWISS)
    assert not refused
    assert codes == {"table.understood"}
    assert report is not None
    assert report.event.name == "Nowhere Open"
    assert [entry.title for entry in report.entries] == [None, "WFM", None, None, None]
    names = {entry.id: entry.name.removeprefix("Nobody ")[0] for entry in report.entries}
    told = {
        (g.round, names[g.white], names.get(g.black or ""), g.result.value, g.status.value)
        for g in report.games
    }
    assert told == {
        (1, "D", "A", "0-1", "played"), (1, "C", "B", "1/2-1/2", "played"),
        (2, "A", "B", "1-0", "played"), (2, "E", "D", "1-0", "forfeit"),
        (3, "C", "A", "*", "played"), (1, "E", None, "1-0", "bye"), (2, "C", None, "1-0", "bye"),
        (3, "B", None, "1/2-1/2", "bye"),
    }  # fmt: skip


def test_pairings_of_chess_results(tmp_path: Path) -> None:
    report, codes, refused = read(tmp_path, PAIRINGS)
    assert not refused
    assert "table.unknown-column" not in codes
    assert games_of(report) == [
        (1, "Nobody Ann", "Nobody Dan", "1-0", "played"),
        (1, "Nobody Cleo", None, "1-0", "bye"),
        (2, "Nobody Dan", "Nobody Cleo", "1/2-1/2", "played"),
        (2, "Nobody Eve", "Nobody Ann", "0-1", "forfeit"),
    ]
    assert report is not None
    assert [str(game.start) for game in report.games] == ["2026-02-13"] * 2 + ["2026-02-14"] * 2
    ratings = {e.name: e.standing.rating for e in report.entries if e.standing}
    assert ratings["Nobody Cleo"] == 1896


@pytest.mark.parametrize(
    ("header", "cells", "rating", "elsewhere", "member"),
    [
        ("USCF", ("1850", "1790"), 1850, {}, {}),
        ("USCF", ("12345678", "12345679"), None, {}, {"uscf": "12345678"}),
        ("USCF,Rating", ("1850,2000", "1790,1900"), 2000, {"uscf": 1850}, {}),
    ],
)
def test_a_column_of_us_chess_is_numbers_or_ratings(
    tmp_path: Path,
    header: str,
    cells: tuple[str, str],
    rating: int | None,
    elsewhere: dict[str, int],
    member: dict[str, str],
) -> None:
    text = f"No,Name,{header},Rd 1\n1,Nobody Ann,{cells[0]},W2\n2,Nobody Bert,{cells[1]},L1\n"
    report, _, refused = read(tmp_path, text)
    assert report is not None
    assert not refused
    first = report.entries[0]
    assert (first.standing.rating if first.standing else None) == rating
    assert (dict(first.foreign), dict(first.ids)) == (elsewhere, member)


def test_a_player_with_an_id_alone_is_no_header_of_rounds(tmp_path: Path) -> None:
    text = (
        "Players\nid,name,rating,club\n1,Ann,1700,X\n2,,,\n\n"
        "Games\nround,white,black,result\n1,1,2,1-0\n"
    )
    report, _, refused = read(tmp_path, text)
    assert not refused
    assert games_of(report) == [(1, "1", "2", "1-0", "played")]


@pytest.mark.parametrize(
    ("header", "values", "rating"),
    [("Puan", ("1650", "1710"), 1650), ("Points", ("1650", "-"), 1650), ("Puan", ("3", "2"), None)],
)
def test_points_that_nobody_can_score_are_ratings(
    header: str, values: tuple[str, str], rating: int | None
) -> None:
    rows = "".join(f"{name},{value}\n" for name, value in zip(("Doe", "Roe"), values, strict=True))
    players, findings = read_players(f"name,{header}\n{rows}")
    standing = players["Doe"].standing
    assert (standing.rating if standing else None) == rating
    told = [each.message for each in findings if each.code == "players.understood"]
    assert any(f"{header} as rating" in each for each in told) == (rating is not None)
