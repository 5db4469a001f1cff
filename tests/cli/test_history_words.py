"""``ratingbook history``: what the command asks for, and how it counts."""

from pathlib import Path

import pytest

from ratingbook.cli import history
from ratingbook.cli.options import ALL_CORES

GAMES = Path(__file__).parents[2] / "examples" / "history" / "games.csv"


@pytest.mark.parametrize("name", ["", "  "])
def test_a_folder_without_a_name_is_no_folder(run, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    done = run("history", GAMES, "--rulebook", "fide-2009", "--out", name)
    assert done.status == 2
    assert "--out" in done.err
    assert not list(tmp_path.iterdir())


def test_a_master_is_for_spark(run, tmp_path):
    done = run(
        "history", GAMES, "--rulebook", "fide-2009", "--out", tmp_path, "--master", "local[2]"
    )
    assert done.status == 2
    assert "--master is for --engine spark" in done.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "master"),
    [
        ((), None),
        (("--engine", "spark"), ALL_CORES),
        (("--engine", "spark", "--master", "local[2]"), "local[2]"),
    ],
)
def test_the_master_of_a_run(run, tmp_path, monkeypatch, options, master):
    asked = {}
    monkeypatch.setattr(history, "run", lambda *_, **named: asked.update(named))
    done = run("history", GAMES, "--rulebook", "fide-2009", "--out", tmp_path, *options)
    assert (done.status, asked["master"]) == (0, master)


def test_one_game_is_one_game(run, tmp_path):
    games = tmp_path / "games.csv"
    games.write_text("date,white,black,score\n2010-01-01,a,b,1\n")
    done = run(
        "history", games, "--rulebook", "fide-2009", "--out", tmp_path / "out", "--assume", "1500"
    )
    assert done.status == 0
    assert "1 game of 2 players in 1 batch, rated in " in done.out
    assert ", 2 changes: " in done.out


def test_a_quiet_history_says_nothing_for_the_record(monkeypatch, capsys, tmp_path):
    """No progress, nothing of compiling, and no totals."""
    from ratingbook.cli.screen import told_to
    from ratingbook.engine.history.files import Written
    from ratingbook.model import Findings
    from ratingbook.rules import registry

    book = registry.load("elo")
    monkeypatch.setattr("ratingbook.desk.progress.PATIENCE", -1.0)

    def tell():
        history._tell_compiling(book)
        with history.progress_bar() as progress:
            if progress is not None:
                progress(5, 10)
        history.tell(Written(1, 10, 5, 1, 0, (0, ""), "", Findings()), 2, book, tmp_path, 0.1)
        said = capsys.readouterr()
        return said.out + said.err

    with told_to(None, quiet=False):
        assert len(tell().splitlines()) >= 4
    with told_to(None, quiet=True):
        assert tell() == ""


def test_differences_of_an_office_are_told(run, tmp_path):
    """They lie beside the games that it exports, and no option takes them."""
    games = tmp_path / "games.csv"
    games.write_text("date,white,black,score\n2024-01-06,a,b,1\n", "utf-8")
    given = ("history", games, "--rulebook", "elo", "--out", tmp_path / "out")
    assert "history.differences" not in run(*given).err
    (tmp_path / "differences.parquet").write_bytes(b"")
    done = run(*given)
    assert done.status == 0
    assert "[history.differences]" in done.err
