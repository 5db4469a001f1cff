"""A piece of the games that cannot be rated: the driver is told why, and nothing of it is left."""

from __future__ import annotations

from pathlib import Path

from ratingbook.engine.spark.intake import Piece, Wanted, _read


def test_a_piece_with_a_game_without_a_player_is_told(tmp_path: Path):
    path = tmp_path / "games.csv"
    path.write_text("date,white,black,score\n2020-01-01,a,,1\n2020-01-02,a,b,1\n", "utf-8")
    nothing = Wanted(months=False, turns=False, starts=False, pools=False)
    told = _read(
        Piece(
            name="games.csv", path=path, parts={}, groups=None,
            columns=("date", "white", "black", "score"), folder=tmp_path / "left", wanted=nothing,
        )
    )  # fmt: skip
    assert told.told
    assert (told.games, told.halves_left_out) == (0, 0)
    assert not (tmp_path / "left").exists()
