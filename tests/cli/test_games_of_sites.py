"""Games of a site for playing, one JSON object in each line, through the command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Done


def _game(white: str, black: str, winner: str | None, day: int) -> str:
    players = {
        side: {"user": {"name": name}, "rating": 1500}
        for side, name in (("white", white), ("black", black))
    }
    moment = 1_704_067_200_000 + day * 86_400_000
    game = {"rated": True, "variant": "standard", "createdAt": moment, "players": players}
    return json.dumps(game | ({"winner": winner} if winner else {"status": "draw"}))


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "x.ndjson"
    lines = [_game("Ann", "Bob", "white", 0), _game("Bob", "Ann", None, 1)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.mark.parametrize("more", [(), ("--id", "name")])
def test_they_are_rated_as_they_are(
    more: tuple[str, ...], games: Path, tmp_path: Path, run: Callable[..., Done]
) -> None:
    out = tmp_path / "out"
    done = run("history", games, "--rulebook", "elo", "--out", out, *more)
    assert (done.status, "2 games of 2 players" in done.err + done.out) == (0, True), done


def test_they_have_no_numbers_of_a_register(
    games: Path, tmp_path: Path, run: Callable[..., Done]
) -> None:
    done = run("history", games, "--rulebook", "elo", "--id", "fide", "--out", tmp_path / "out")
    assert (done.status, "history.site-names" in done.err) == (1, True)


def test_pgn_of_a_site_is_joined_by_name(tmp_path: Path, run: Callable[..., Done]) -> None:
    pgn = tmp_path / "lichess.pgn"
    pgn.write_text(
        '[Event "Rated blitz game"]\n[Site "https://lichess.org/abcd1234"]\n[White "ann"]\n'
        '[Black "bob"]\n[Result "1-0"]\n[UTCDate "2024.01.05"]\n\n1. e4 e5 1-0\n'
    )
    done = run("history", pgn, "--rulebook", "fide-2024", "--assume", 1500, "--out", tmp_path / "o")
    assert "history.which-id" not in done.err


def test_rate_says_what_takes_lines_of_json(games: Path, run: Callable[..., Done]) -> None:
    done = run("rate", games, "--rulebook", "elo")
    assert (done.status, "`history`" in done.err) == (1, True)
