"""Games as a table whose ids are numbers of a register, beside a players file of such numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

import ratingbook as rb

GAMES = """Event;Round;Date;White ID;White;Black ID;Black;Result
Invented Evening;1;2024-04-19;8100011;Adler, Anna;8100073;Gomez, Gerda;1-0
Invented Evening;1;2024-04-19;8100023;Brandt, Bruno;8100059;Egger, Emil;0-1
Invented Evening;2;2024-04-20;8100011;Adler, Anna;8100059;Egger, Emil;1/2-1/2
"""
PLAYERS = """id,name,rating,games,birth_year
8100011,"Adler, Anna",2231,300,1990
8100023,"Brandt, Bruno",2144,120,1985
8100059,"Egger, Emil",2050,90,1980
8100073,"Gomez, Gerda",1696,60,1992
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    games, players = tmp_path / "games.csv", tmp_path / "players.csv"
    games.write_text(GAMES, "utf-8")
    players.write_text(PLAYERS, "utf-8")
    return games, players


def test_a_report_finds_them_by_the_register_that_is_asked_for(files):
    games, players = files
    asked = rb.rate(games, "fide", players=players, id="fide").to_arrow().to_pylist()
    usual = rb.rate(games, "fide", players=players).to_arrow().to_pylist()
    assert [row["after"] for row in asked] == [row["after"] for row in usual]
    assert all(row["before"] for row in asked)


def test_a_history_finds_them_too(files, tmp_path):
    games, players = files
    by_number = rb.history(games, "fide", players=players, id="fide")
    by_name = rb.history(games, "fide", players=players, id="name")
    found = [sorted(r["after"] for r in each.changes.to_pylist()) for each in (by_number, by_name)]
    assert found[0] == found[1]
    assert len(found[0]) == 4


def test_ids_that_no_start_numbers_can_be_need_no_word(files, tmp_path):
    games, players = files
    by_local = rb.history(games, "fide", players=players, id="local")
    assert rb.history(games, "fide", players=players).changes.equals(by_local.changes)
    short = tmp_path / "short.csv"
    short.write_text(GAMES.replace("81000", ""), "utf-8")
    with pytest.raises(rb.Refused) as refused:
        rb.history(short, "fide", players=players)
    found = {each.code: each.where.file for each in refused.value.findings}
    assert (found["history.which-id"] or "").endswith("short.csv")


def test_a_heading_that_names_the_register_says_whose_numbers_they_are(files, tmp_path):
    games, players = files
    named = tmp_path / "named.csv"
    named.write_text(
        GAMES.replace("White ID", "White FIDE ID").replace("Black ID", "FIDE No Black")
    )
    report = rb.read(named)
    assert {entry.ids["fide"] for entry in report.entries} >= {"8100011", "8100073"}
    by_number = rb.history(named, "fide", players=players)
    asked = rb.history(games, "fide", players=players, id="fide")
    assert by_number.changes.equals(asked.changes)
