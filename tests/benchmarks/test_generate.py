"""The generator of histories: the same games every time, and such as people play."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks.generate import Plan, circle, generate, grade_names, main, players_path
from ratingbook.rules.egf.grades import grade_name, grade_of_rating


def made(folder: Path, **options: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Games and players as rows."""
    path = folder / "games.parquet"
    settings = {key: options.pop(key) for key in ("text_ids", "dictionary") if key in options}
    generate(path, Plan(**options), **settings)
    return pq.read_table(path).to_pylist(), pq.read_table(players_path(path)).to_pylist()


@pytest.mark.parametrize("shape", ["events", "sections"])
def test_the_games_are_as_many_as_asked_for_and_in_order(tmp_path: Path, shape: str) -> None:
    games, players = made(tmp_path, games=5003, players=400, periods=6, shape=shape)
    assert len(games) == 5003
    assert len(players) == 400
    keys = [(g["date"], g["event"], g.get("section", 1), g["round"]) for g in games]
    assert keys == sorted(keys)
    assert sorted({g["event"] for g in games}) == list(range(1, games[-1]["event"] + 1))
    assert games[0]["start"] >= date(1992, 7, 1)
    assert games[-1]["date"] < date(2010, 1, 1)
    ends = {(g["event"], g["start"], g["date"]) for g in games}
    assert len(ends) == len({event for event, _, _ in ends})
    assert {(end - start).days + 1 for _, start, end in ends} <= set(range(2, 10))
    assert len({(end.year, (end.month + 1) // 2) for _, _, end in ends}) == 6
    assert all((s.year, (s.month + 1) // 2) == (e.year, (e.month + 1) // 2) for _, s, e in ends)


@pytest.mark.parametrize("shape", ["events", "sections"])
def test_nobody_plays_twice_in_a_round_nor_meets_anyone_twice(tmp_path: Path, shape: str) -> None:
    games, _ = made(tmp_path, games=6000, players=300, periods=5, shape=shape)
    seats: Counter[tuple[int, ...]] = Counter()
    pairs: Counter[tuple[int, ...]] = Counter()
    for g in games:
        unit = g["event"], g.get("section", 1)
        seats.update((*unit, g["round"], player) for player in (g["white"], g["black"]))
        pairs[*unit, *sorted((g["white"], g["black"]))] += 1
    assert set(seats.values()) == {1}
    assert set(pairs.values()) == {1}


def test_a_player_is_at_one_event_at_a_time(tmp_path: Path) -> None:
    games, _ = made(tmp_path, games=6000, players=300, periods=5)
    stays = defaultdict(set)
    for g in games:
        for player in (g["white"], g["black"]):
            stays[player].add((g["start"], g["date"], g["event"]))
    for events in stays.values():
        in_order = sorted(events)
        assert all(a[1] < b[0] for a, b in pairwise(in_order))


def test_sections_have_thirty_players_and_five_rounds(tmp_path: Path) -> None:
    games, _ = made(tmp_path, games=75 * 60, players=500, periods=4, shape="sections")
    sections = defaultdict(list)
    for g in games:
        sections[g["event"], g["section"]].append(g)
    assert len(sections) == 60
    assert len({event for event, _ in sections}) < 60
    for played in sections.values():
        assert len(played) == 75
        assert len({p for g in played for p in (g["white"], g["black"])}) == 30
        assert {g["round"] for g in played} == {1, 2, 3, 4, 5}


def test_events_are_like_real_ones(tmp_path: Path) -> None:
    games, players = made(tmp_path, games=20_000, players=1000, periods=6)
    rating = {p["id"]: p["rating"] for p in players}
    events = Counter(g["event"] for g in games)
    assert 100 < sum(events.values()) / len(events) < 140
    shares = {s: n / len(games) for s, n in Counter(g["score"] for g in games).items()}
    assert set(shares) == {0.0, 0.5, 1.0}
    assert 0.1 < shares[0.5] < 0.3
    assert shares[1.0] > shares[0.0]
    gaps = [
        abs(rating[g["white"]] - rating[g["black"]])
        for g in games
        if rating[g["white"]] and rating[g["black"]]
    ]
    assert sum(gaps) / len(gaps) < 200
    played = Counter(p for g in games for p in (g["white"], g["black"]))
    assert max(played.values()) > 5 * sorted(played.values())[len(played) // 2]


def test_newcomers_have_no_rating_and_a_grade(tmp_path: Path) -> None:
    _, players = made(tmp_path, games=1000, players=1000, periods=2, rated=0.9)
    newcomers = [p for p in players if p["rating"] is None]
    assert len(newcomers) == 100
    assert {p["games"] for p in newcomers} == {0}
    assert all(p["grade"] and p["birth_date"] for p in players)
    assert min(p["games"] for p in players if p["rating"]) > 0
    assert min(p["rating"] for p in players if p["rating"]) >= 1200


def test_grades_follow_the_scale() -> None:
    levels = [*range(60, 2750, 7), 149, 150, 2049, 2050, 2149, 2150, 2649, 2650]
    assert grade_names(np.array(levels)).tolist() == [
        grade_name(grade_of_rating(level)) for level in levels
    ]
    assert grade_names(np.array([-500, 2850])).tolist() == ["20k", "7d"]


@pytest.mark.parametrize(("size", "rounds"), [(10, 9), (24, 7), (30, 5), (36, 9)])
def test_colours_are_shared(size: int, rounds: int) -> None:
    white, black = circle(size, rounds)
    colours = Counter(white.tolist())
    assert set(Counter([*white.tolist(), *black.tolist()]).values()) == {rounds}
    assert {abs(2 * colours[player] - rounds) for player in range(size)} <= {0, 1, 2, 3}


def test_the_seed_decides(tmp_path: Path) -> None:
    options = {"games": 800, "players": 100, "periods": 2}
    first = made(tmp_path, **options)
    assert made(tmp_path, **options) == first
    assert made(tmp_path, **options, seed=2) != first


def test_ids_and_encoding_change_nothing_else(tmp_path: Path) -> None:
    options: dict[str, Any] = {"games": 800, "players": 100, "periods": 2}
    games, players = made(tmp_path, **options)
    named, named_players = made(tmp_path, **options, text_ids=True, dictionary=True)
    assert [p["id"] for p in named_players] == [f"p{p['id']:07d}" for p in players]
    for row in games:
        row |= {side: f"p{row[side]:07d}" for side in ("white", "black")}
    assert named == games


@pytest.mark.parametrize("text_ids", [False, True])
@pytest.mark.parametrize("dictionary", [False, True])
def test_types_and_encoding(tmp_path: Path, text_ids: bool, dictionary: bool) -> None:
    path = tmp_path / "games.parquet"
    plan = Plan(games=800, players=100, periods=2, shape="sections")
    generate(path, plan, text_ids=text_ids, dictionary=dictionary)
    ids = pa.dictionary(pa.int32(), pa.string()) if text_ids else pa.int32()
    schema = pq.read_schema(path)
    assert dict(zip(schema.names, schema.types, strict=True)) == {
        "date": pa.date32(),
        "start": pa.date32(),
        "event": pa.int32(),
        "section": pa.int32(),
        "round": pa.int16(),
        "white": ids,
        "black": ids,
        "score": pa.float32(),
    }
    group = pq.ParquetFile(path).metadata.row_group(0)
    for column in map(group.column, range(group.num_columns)):
        assert column.compression == "UNCOMPRESSED"
        text = text_ids and column.path_in_schema in {"white", "black"}
        assert ("RLE_DICTIONARY" in column.encodings) == (dictionary or text)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"players": 9}, "at least 10 players"),
        ({"players": 29, "shape": "sections"}, "at least 30 players"),
        ({"games": 0}, "at least one game"),
        ({"shape": "teams"}, "no shape"),
        ({"rated": 1.5}, "between 0 and 1"),
        ({"lowest": 2000}, "lowest strength"),
    ],
)
def test_impossible_plans_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Plan(**({"games": 100, "players": 100} | wrong))


def test_too_few_players_for_so_many_games(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="too few"):
        made(tmp_path, games=100_000, players=12, periods=1)


def test_the_command_says_what_it_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.parquet"
    command = ["generate", str(path), "--games", "500", "--players", "60", "--periods", "2"]
    monkeypatch.setattr("sys.argv", command)
    main()
    said = capsys.readouterr().out
    assert "500 games of 60 players in 2 periods" in said
    assert "plain encoding, not compressed" in said
    monkeypatch.setattr("sys.argv", [*command, "--lowest", "5000"])
    with pytest.raises(SystemExit):
        main()
