"""PGN too large for memory says what the same games say in a file that is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ratingbook.formats import Read, read, read_bytes
from ratingbook.formats.tools.encodings import naming
from ratingbook.model import Severity
from tests.formats.helpers import codes, one

SMALL = 2_000
"""What counts as large here."""


@pytest.fixture(autouse=True)
def _little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratingbook.formats.files.LARGE", SMALL)
    monkeypatch.setattr("ratingbook.formats.files.MOST_IN_MEMORY", SMALL)


def game(number: int, white: str, black: str, moves: str = "1. e4 e5 {[%eval 0.3]} 1-0") -> str:
    return (
        f'[Event "Nowhere Open"]\n[Date "2024.01.0{number % 9 + 1}"]\n[Round "{number}"]\n'
        f'[White "{white}"]\n[Black "{black}"]\n[Result "1-0"]\n[WhiteElo "2100"]\n'
        f'[BlackElo "2000"]\n[TimeControl "5400+30"]\n\n{moves}\n\n'
    )


def games(count: int = 40, white: str = "Nobody, Ann") -> str:
    return "".join(game(number, white, f"Nemo, {number}") for number in range(1, count + 1))


def of(tmp_path: Path, data: bytes) -> tuple[Read, Read]:
    """The file read line by line, and the same bytes held in memory."""
    path = tmp_path / "large.pgn"
    path.write_bytes(data)
    assert len(data) > SMALL
    return read(path), read_bytes(data)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "iso-8859-1"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_it_says_the_same(tmp_path: Path, encoding: str, end: str) -> None:
    text = games() + games(3, "Müller, Jörg")
    large, small = of(tmp_path, text.replace("\n", end).encode(encoding))
    assert large.format == small.format == "PGN"
    assert large.report == small.report
    assert large.report is not None
    assert len(large.report.games) == 43
    assert "Müller, Jörg" in {entry.name for entry in large.report.entries}
    assert codes(large.findings) == codes(small.findings)


def test_an_encoding_that_was_named_holds(tmp_path: Path) -> None:
    with naming("cp1251"):
        large, _ = of(tmp_path, games(40, "Иванов, Иван").encode("cp1251"))
    assert large.report is not None
    assert "Иванов, Иван" in {entry.name for entry in large.report.entries}


def test_a_line_that_is_too_long_is_cut_and_told(tmp_path: Path) -> None:
    text = games() + game(41, "Nobody, Ann", "Nemo, Zoe", f"{{ {'x' * 300_000} }} 1-0")
    text += game(42, "Nobody, Ann", "Nemo, Yves")
    large, _ = of(tmp_path, text.encode())
    one(large.findings, "pgn.long-line", Severity.WARNING)


def test_other_large_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    path.write_text("White,Black,Result\n" + "Ann,Bert,1-0\n" * 1000)
    one(read(path).findings, "file.too-large", Severity.FATAL)


def test_more_games_than_a_report_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratingbook.formats.pgn.stream._MOST_GAMES", 20)
    large, _ = of(tmp_path, games().encode())
    assert large.report is None
    assert "history" in one(large.findings, "file.too-large", Severity.FATAL).remedy
