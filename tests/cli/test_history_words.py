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


@pytest.mark.parametrize(
    ("rows", "players", "told"),
    [
        # FIDE 7.14 (2009): without a rated opponent nobody is rated.
        (["a,b,1,", "a,c,0,", "b,c,1,"], [], "3 rows of games read: 3 rated for nobody."),
        # White has no rating: a win against a rated one counts for a first rating, one game of
        # three that it takes, and Black's half against an unrated one counts for nothing.
        (["a,b,1,", "b,c,1,"], ["b,1800", "c,1700"],
         "2 rows of games read: 2 gone through, of which 2 halves are not rated."),
        (["b,c,1,", "b,c,,", "c,b,0,"], ["b,1800", "c,1700"],
         "3 rows of games read: 2 rated, 1 left out without a score."),
        (["b,c,1,white", "c,b,1,"], ["b,1800", "c,1700"],
         "2 rows of games read: 2 gone through, of which 1 half is not rated."),
        (["b,c,1,none", "c,b,1,none"], ["b,1800", "c,1700"],
         "2 rows of games read: 2 rated for nobody."),
    ],
)  # fmt: skip
def test_the_last_line_says_what_became_of_the_rows(run, tmp_path, rows, players, told):
    games, rated = tmp_path / "games.csv", tmp_path / "players.csv"
    lines = [f"2010-01-0{number},{row}" for number, row in enumerate(rows, 1)]
    games.write_text("\n".join(["date,white,black,score,rated", *lines, ""]), "utf-8")
    rated.write_text("\n".join(["id,rating,games", *(f"{p},50" for p in players), ""]), "utf-8")
    beside = ("--players", rated) if players else ()
    done = run("history", games, "--rulebook", "fide-2009", *beside, "--out", tmp_path / "out")
    assert done.status == 0, done.err
    assert done.out.splitlines()[-1] == told
    assert (" rated in " in done.out) == ("for nobody" not in told)


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
