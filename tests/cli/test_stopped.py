"""Ctrl-C: who stops a command is told so, and what became of the files."""

from __future__ import annotations

import pytest

from ratingbook.cli import app, history, rate, screen

HISTORY = "examples/history"


def stopped(*_args, **_more):
    raise KeyboardInterrupt


def ends(monkeypatch, *words):
    monkeypatch.setattr("sys.argv", ["ratingbook", *map(str, words)])
    with pytest.raises(SystemExit) as end:
        app.main()
    return end.value.code


def test_a_history_that_is_stopped_says_so_and_how_it_goes_on(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(history, "rate_into", stopped)
    out = tmp_path / "out"
    words = ("history", f"{HISTORY}/games.csv", "--rulebook", "fide-2009", "--out", out)
    assert ends(monkeypatch, *words) == 130
    told = " ".join(capsys.readouterr().err.split())
    assert "the same command goes on from the last checkpoint" in told
    assert told.endswith("ratingbook: stopped by you (Ctrl-C); nothing is half written.")


def test_what_was_printed_when_somebody_stopped_it_is_in_no_file(monkeypatch, capsys, tmp_path):
    def half(*_args, **_more):
        screen.output().print("half of a table")
        raise KeyboardInterrupt

    monkeypatch.setattr(rate, "run", half)
    out = tmp_path / "rated.txt"
    out.write_text("of before")
    words = ("rate", "examples/reports/spring-open.trf", "--rulebook", "fide-2009", "-o", out)
    assert ends(monkeypatch, *words) == 130
    assert out.read_text() == "of before"
    assert "nothing is half written" in capsys.readouterr().err
