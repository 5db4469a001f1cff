"""``--encoding`` in the commands that read files."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from ratingbook.cli.app import app

RUNNER = CliRunner()
TABLE = "White;Black;Result;Date\nБорис;Ян;1-0;2020-01-01\n"
GAMES = "white,black,score,date\nБорис,Ян,1,2020-01-01\nЯн,Борис,1,2020-01-02\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "games.csv"
    path.write_bytes(TABLE.encode("mac-cyrillic"))
    return path


def test_every_command_that_reads_files_takes_it() -> None:
    for command in ("rate", "check", "convert", "history", "list", "grades", "whatif"):
        assert "--encoding" in RUNNER.invoke(app, [command, "--help"]).output, command


def test_rate_and_convert(table: Path, tmp_path: Path) -> None:
    said = ["--encoding", "mac-cyrillic"]
    out = tmp_path / "new.json"
    done = RUNNER.invoke(app, ["convert", str(table), str(out), *said])
    assert done.exit_code == 0, done.output
    names = [player["name"] for player in json.loads(out.read_text("utf-8"))["players"]]
    assert sorted(names) == ["Борис", "Ян"]
    done = RUNNER.invoke(
        app, ["rate", str(table), "--rulebook", "fide-2014", "--format", "csv", *said]
    )
    assert "Борис" in done.output


def test_history(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_bytes(GAMES.encode("mac-cyrillic"))
    done = RUNNER.invoke(
        app,
        ["history", str(path), "--rulebook", "fide-2014", "--out", str(tmp_path / "out"),
         "--encoding", "mac-cyrillic"],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    ratings = pq.read_table(tmp_path / "out" / "ratings.parquet")
    assert set(ratings["player"].to_pylist()) == {"Борис", "Ян"}


def test_an_encoding_that_nobody_knows(table: Path) -> None:
    for name in ("cp0000", "base64", "a\0b"):
        done = RUNNER.invoke(app, ["check", str(table), "--encoding", name])
        assert done.exit_code == 2
