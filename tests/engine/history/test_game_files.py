"""PGN and the JSON of two sites as a history: years of games, read piece by piece."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ratingbook as rb
from ratingbook.desk.sources import is_columns
from ratingbook.engine.history.intake import game_files, read_history
from ratingbook.formats.pgn import stream
from ratingbook.formats.tools.encodings import naming
from ratingbook.model import Severity
from tests.formats.helpers import codes

LICHESS = """[Event "Rated Blitz game"]
[Site "https://lichess.org/abcdefgh"]
[Date "2024.01.31"]
[White "ann\\"a"]
[Black "Bert"]
[Result "{result}"]
[UTCDate "2024.02.01"]
[UTCTime "00:00:05"]
[Variant "{variant}"]
[TimeControl "180+2"]
[Termination "Normal"]

1. e4 {{ [%clk 0:03:00] [White "not a tag"] }} 1... e5 {result}

"""


def rows(path: Path) -> list[tuple[str, str, float]]:
    given, findings = read_history(path)
    assert given is not None, list(findings)
    players = given.players.to_pylist()
    games = given.games
    return [
        (players[w], players[b], score / 2)
        for w, b, score in zip(games.white, games.black, games.score, strict=True)
    ]


@pytest.mark.parametrize("piece", [16, 100, 1 << 20])
def test_pgn_whatever_the_pieces(
    tmp_path: Path, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_files, "_PIECE", piece)
    path = tmp_path / "games.pgn"
    results = ["1-0", "0-1", "1/2-1/2", "*", "1-0"]
    path.write_text(
        "".join(LICHESS.format(result=each, variant="Standard") for each in results), "utf-8"
    )
    given, findings = read_history(path)
    assert given is not None
    assert rows(path) == [('ann"a', "Bert", 1), ('ann"a', "Bert", 0), ('ann"a', "Bert", 0.5),
                          ('ann"a', "Bert", 1)]  # fmt: skip
    # The game without a result is left out, and that is said.
    assert Severity.WARNING in codes(findings).values()


@pytest.mark.parametrize(
    ("name", "encoding", "severity"),
    [("Zoé", "cp1252", Severity.INFO), ("Agnès", "cp1252", Severity.WARNING),
     ("Смирнов, Алексей", "koi8-r", Severity.INFO)],
)  # fmt: skip
@pytest.mark.parametrize("piece", [100, 1 << 20])
def test_names_that_are_not_utf_8_are_told(
    tmp_path: Path, name: str, encoding: str, severity: Severity, piece: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(game_files, "_PIECE", piece)
    path = tmp_path / "games.pgn"
    game = LICHESS.format(result="1-0", variant="Standard")
    path.write_bytes(
        "".join(game.replace("Bert", each) for each in ("Bert", name)).encode(encoding)
        + game.replace("Bert", "Jürgen").encode()
    )
    given, findings = read_history(path)
    assert given is not None
    assert {name, "Jürgen"} <= set(given.players.to_pylist())
    (finding,) = (each for each in findings if each.code == "history.encoding")
    assert (finding.severity, finding.first) == (severity, severity is Severity.WARNING)
    assert f"such as {name.split(',', maxsplit=1)[0]}" in finding.message
    with naming(encoding):
        assert "history.encoding" not in codes(read_history(path)[1])


def test_the_day_is_that_of_universal_time(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(LICHESS.format(result="1-0", variant="Standard"))
    (batch,) = game_files.read_pgn(path, ["date", "rated", "status"])
    assert batch.to_pylist() == [{"date": "2024-02-01", "rated": "true", "status": "played"}]
    path.write_text(LICHESS.format(result="1-0", variant="Atomic"))
    (batch,) = game_files.read_pgn(path, ["rated"])
    assert batch.to_pylist() == [{"rated": "false"}]
    path.write_text(LICHESS.format(result="1-0", variant="Standard").replace("Rated", "Casual"))
    (batch,) = game_files.read_pgn(path, ["rated"])
    assert batch.to_pylist() == [{"rated": "false"}]


def test_names_in_an_old_encoding(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    text = LICHESS.format(result="1-0", variant="Standard").replace("Bert", "Müller, Jürgen")
    path.write_bytes(text.encode("cp1252"))
    assert rows(path)[0][1] == "Müller, Jürgen"


def test_events_that_are_no_site_keep_their_names(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(LICHESS.replace("https://lichess.org/abcdefgh", "Nowhere").format(
        result="1-0", variant="Standard"))  # fmt: skip
    given, _ = read_history(path)
    assert given is not None
    assert given.event_ids.to_pylist() == ["Rated Blitz game"]


def test_lichess_and_chess_com_as_json(tmp_path: Path) -> None:
    lichess = {
        "id": "abcdefgh", "rated": True, "variant": "standard", "createdAt": 1706745605000,
        "status": "mate", "winner": "black",
        "players": {"white": {"user": {"name": "Ann"}}, "black": {"user": {"name": "Bert"}}},
    }  # fmt: skip
    drawn = {**lichess, "status": "stalemate"}
    del drawn["winner"]
    path = tmp_path / "games.ndjson"
    path.write_text("\n".join(map(json.dumps, (lichess, drawn))))
    assert rows(path) == [("Ann", "Bert", 0), ("Ann", "Bert", 0.5)]
    (batch,) = game_files.read_json(path, ["date"])
    assert batch.to_pylist()[0] == {"date": "2024-02-01"}
    month = {"games": [
        {"rules": "chess", "rated": True, "end_time": 1706745605,
         "white": {"username": "Ann", "result": "win"},
         "black": {"username": "Bert", "result": "resigned"}},
        {"rules": "chess", "rated": True, "end_time": 1706745605,
         "white": {"username": "Ann", "result": "agreed"},
         "black": {"username": "Bert", "result": "agreed"}},
    ]}  # fmt: skip
    path.write_text(json.dumps(month))
    assert rows(path) == [("Ann", "Bert", 1), ("Ann", "Bert", 0.5)]


@pytest.mark.parametrize("text", ['{"a": 1}', "{nothing", '{"games": [1]}', '{"players": []}'])
def test_other_json_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "games.ndjson"
    path.write_text(text)
    given, findings = read_history(path)
    assert given is None
    assert findings.refused


def of_pools(path: Path, book: str) -> tuple[set[str], int, list[str]]:
    """The pools in which games were rated, the number of changes, and what was told."""
    rated = rb.history(path, book, assume=1500)
    changes = rated.changes
    pools = changes["pool"].to_pylist() if "pool" in changes.column_names else []
    return set(pools), changes.num_rows, [each.code for each in rated.findings]


def lichess(control: str, site: str = "https://lichess.org/abcdefgh") -> str:
    made = LICHESS.format(result="1-0", variant="Standard").replace("180+2", control)
    return made.replace("https://lichess.org/abcdefgh", site).replace("2024.", "2025.")


def test_games_of_a_site_are_a_history_each_on_the_list_of_its_time_control(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(lichess("180+2") + lichess("900+10") + lichess("5400+30"))
    assert of_pools(path, "fide-2024")[:2] == ({"blitz", "rapid", "standard"}, 6)
    # What is too fast for any list, by mail or not for the rating is rated on none.
    path.write_text(lichess("180+2") + lichess("60+0") + lichess("-") + lichess("1/259200"))
    pools, rows, told = of_pools(path, "fide-2024")
    assert (pools, rows) == ({"blitz"}, 2)
    assert "history.no-pool" in told
    # An edition with one list asks for none of it, and leaves the games in their order.
    path.write_text(lichess("900+10") + lichess("180+2"))
    rated = rb.history(path, "elo")
    assert rated.changes["game"].to_pylist() == [1, 1, 2, 2]


def test_json_of_a_site_is_a_history_on_the_list_of_its_clock(tmp_path: Path) -> None:
    game = {
        "id": "abcdefgh", "rated": True, "variant": "standard", "createdAt": 1746745605000,
        "status": "mate", "winner": "black", "speed": "blitz",
        "clock": {"initial": 180, "increment": 2},
        "players": {"white": {"user": {"name": "Ann"}}, "black": {"user": {"name": "Bert"}}},
    }  # fmt: skip
    path = tmp_path / "games.ndjson"
    slow = {**game, "clock": {"initial": 900, "increment": 10}}
    by_mail = {key: value for key, value in game.items() if key != "clock"} | {
        "speed": "correspondence"
    }
    path.write_text("\n".join(map(json.dumps, (game, slow, by_mail))))
    assert of_pools(path, "fide-2024")[:2] == ({"blitz", "rapid"}, 4)
    month = {"games": [
        {"url": "https://www.chess.com/game/live/1", "time_control": control, "rules": "chess",
         "time_class": speed, "rated": True, "end_time": 1746745605,
         "white": {"username": "Ann", "result": "win"},
         "black": {"username": "Bert", "result": "resigned"}}
        for control, speed in (("600", "rapid"), ("1800", "rapid"), ("1/86400", "daily"))
    ]}  # fmt: skip
    path.write_text(json.dumps(month))
    # Ten minutes are blitz to FIDE, whatever the site calls them.
    assert of_pools(path, "fide-2024")[:2] == ({"blitz", "rapid"}, 4)


def test_pgn_of_more_games_than_a_report_has_is_a_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "_MOST_GAMES", 3)
    path = tmp_path / "games.pgn"
    blitz = lichess("180+2", "Nowhere").replace("Rated Blitz game", "Open")
    path.write_text(2 * lichess("5400+30", "Nowhere").replace("Rated Blitz game", "Open") + blitz)
    assert not is_columns(path)
    path.write_text(path.read_text() + blitz)
    assert is_columns(path)
    # Blitz that decides a tie is no part of the event of days.
    assert of_pools(path, "fide-2024")[:2] == ({"blitz", "standard"}, 4)


def test_games_of_a_site_go_with_reports_and_lists_of_persons(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(lichess("180+2") + lichess("900+10"))
    rated = rb.history(path, "fide-2024", id="name", assume=1500)
    assert set(rated.changes["pool"].to_pylist()) == {"blitz", "rapid"}
