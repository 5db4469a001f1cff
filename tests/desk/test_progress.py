"""How far a history is, in lines on the error output."""

from __future__ import annotations

import ratingbook as rb


def test_progress_is_rounded_down(monkeypatch):
    from ratingbook.desk import progress

    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    said: list[str] = []
    lines = progress.Lines(said.append)
    lines(999_874, 1_000_000)
    lines(1_000_000, 1_000_000)
    assert said == ["999,874 of 1,000,000 games rated (99%)"]


def test_what_is_done_in_a_second_is_not_told():
    from ratingbook.desk.progress import Lines

    said: list[str] = []
    Lines(said.append)(1, 2)
    assert said == []


GAMES = [
    {"white": "a", "black": "b", "score": 1.0, "date": f"2010-0{month}-01"} for month in range(1, 8)
]
PLAYERS = [{"id": each, "rating": 1800.0, "games": 30} for each in "ab"]


def test_python_tells_how_far_it_is_as_the_command_does(monkeypatch, capsys):
    monkeypatch.setattr("ratingbook.desk.progress.PATIENCE", -1.0)
    rb.history(GAMES, "elo", players=PLAYERS)
    assert "of 7 games rated (" in capsys.readouterr().err
    rb.history(GAMES, "elo", players=PLAYERS, progress=False)
    assert capsys.readouterr().err == ""
