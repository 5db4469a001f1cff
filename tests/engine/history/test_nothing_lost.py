"""Every row of every input is rated, told or refused."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ratingbook.checks.histories import history, said_of_some, tables
from ratingbook.engine.history.columns import GameColumns, HistoryInput
from ratingbook.engine.history.intake import read_history
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.engine.loops.arrays import BLACK_RATED, WHITE_RATED
from ratingbook.model import Findings
from ratingbook.rules import registry

HEAD = "date,white,black,score\n"
ROWS = "2010-01-01,a,b,1\n2010-01-02,c,d,0\n"
OPEN = "2010-01-03,e,f,\n2010-01-04,g,h,\n"


def read(path: Any, **beside: Any) -> tuple[HistoryInput | None, Findings]:
    return read_history(path, **beside)


def codes(findings: Findings) -> set[str]:
    return {each.code for each in findings}


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "a.csv").write_text(HEAD + ROWS)
    return folder


@pytest.mark.parametrize("others", [[], [ROWS], [ROWS, ROWS]])
@pytest.mark.parametrize("with_players", [False, True])
@pytest.mark.parametrize("first", [True, False])
def test_a_file_with_open_games_only(
    tmp_path: Path, others: list[str], with_players: bool, first: bool
):
    """Limits H1: a fixture list beside results."""
    files = []
    for number, rows in enumerate([OPEN, *others] if first else [*others, OPEN]):
        path = tmp_path / f"{number}.csv"
        path.write_text(HEAD + rows)
        files.append(path)
    (tmp_path / "players.csv").write_text("id,rating\nz,1500\na,1600\n")
    beside = {"players": tmp_path / "players.csv"} if with_players else {}
    given, findings = read(files, **beside)
    assert given is not None
    assert "history.unfinished" in codes(findings)
    assert len(given.games) == 2 * len(others)
    assert len(given.left_out) == 2
    named = {"a", "b", "c", "d"} if others else set()
    assert set(given.players.to_pylist()) == named | ({"a", "z"} if with_players else set())


def test_a_folder_that_may_not_be_read(games: Path, monkeypatch: pytest.MonkeyPatch):
    (games / "more").mkdir()
    (games / "more" / "b.csv").write_text(HEAD + ROWS)
    plain = os.scandir

    def scandir(path):
        if str(path).endswith("more"):
            raise PermissionError(13, "Permission denied", str(path))
        return plain(path)

    # Root may read everything.
    monkeypatch.setattr(os, "scandir", scandir)
    given, findings = read(games)
    assert given is None
    (told,) = [each for each in findings if each.code == "history.unreadable"]
    assert told.where.file == str(games / "more")


def test_a_link_to_a_folder(games: Path, tmp_path: Path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "b.csv").write_text(HEAD + ROWS)
    (games / "linked").symlink_to(tmp_path / "elsewhere")
    given, findings = read(games)
    assert given is None
    assert "history.linked-folder" in codes(findings)


def test_a_link_that_leads_nowhere_or_in_a_circle(games: Path):
    (games / "b.parquet").symlink_to("gone.parquet")
    assert "history.no-file" in codes(read(games)[1])
    (games / "b.parquet").unlink()
    (games / "c.csv").symlink_to("c.csv")
    assert "history.unreadable" in codes(read(games)[1])
    assert "history.unreadable" in codes(read(games / "c.csv")[1])


def test_names_with_another_ending(games: Path):
    for name in ("b.parq", "c.csv.gz", "_SUCCESS", ".b.crc", "README"):
        (games / name).write_text("?")
    given, findings = read(games)
    assert given is not None
    (told,) = [each for each in findings if each.code == "history.not-read"]
    assert "README, b.parq, c.csv.gz" in told.message


@pytest.mark.parametrize("inside", [True, False])
def test_a_pipe_is_not_waited_for(games: Path, inside: bool):
    pipe = games / "b.csv"
    os.mkfifo(pipe)
    given, findings = read(games if inside else pipe)
    assert given is None
    assert "history.format" in codes(findings)


ROW = "2010-01-{:02},p{},q{},1"


def test_a_stray_quote_that_swallows_lines(tmp_path: Path):
    """Limits H4: thirteen of twenty games were rated, and nothing was said."""
    lines = [ROW.format(n, n, n) for n in range(1, 21)]
    lines[5] = '2010-01-06,"p5,q5,1'
    lines[12] = '2010-01-13,p12",q12,1'
    path = tmp_path / "games.csv"
    path.write_text(HEAD + "\n".join(lines) + "\n")
    given, findings = read(path)
    assert given is None
    (told,) = [each for each in findings if each.code == "history.open-quote"]
    assert told.where.line == 7
    assert "line 14" in told.message


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_quote_that_is_never_closed(tmp_path: Path, end: str):
    path = tmp_path / "games.csv"
    path.write_text(HEAD + '2010-01-01,"a,b,1\n' + ROWS + end)
    assert "history.open-quote" in codes(read(path)[1])


def test_a_break_in_a_column_that_nobody_asks_for(tmp_path: Path):
    path = tmp_path / "games.csv"
    path.write_text(HEAD.strip() + ',note\n2010-01-01,a,b,1,"no\n' + '2010-01-02,a,b,1,x"\n')
    assert "history.open-quote" in codes(read(path)[1])


@pytest.mark.parametrize("name", ['"a"', '"a ""the"" b"', '5" tall', '"a, b"'])
def test_quotes_that_do_no_harm(tmp_path: Path, name: str):
    path = tmp_path / "games.csv"
    path.write_text(HEAD + f"2010-01-01,{name},z,1\n" + ROWS)
    given, _ = read(path)
    assert given is not None
    assert len(given.games) == 3


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("assume", [None, 1500])
def test_every_half_of_a_game_is_in_a_row_or_passed_over(name: str, assume: float | None):
    """With unrated players, forfeits, late reports, games rated for one side, and substitutes."""
    book = registry.load(name)
    drawn = tables(book, 4, games=60, players=14)
    given = history(said_of_some(book, drawn, 4)).given
    run = Run(given, Program(book, compiled=False), assume=assume)
    in_rows = sum(int(changes.games.sum()) for changes in run.batches())
    assert in_rows + run.state.passed_over == _halves(given.games)
    assert in_rows


def _halves(games: GameColumns) -> int:
    """The halves that are to be rated; one more for each player whom a substitute replaces."""
    rated = games.rated if games.rated is not None else np.full(len(games), 3)
    sides = (WHITE_RATED, games.white_for), (BLACK_RATED, games.black_for)
    return sum(
        int(np.count_nonzero(rated & bit))
        + (0 if replaced is None else int(np.count_nonzero((rated & bit > 0) & (replaced >= 0))))
        for bit, replaced in sides
    )
