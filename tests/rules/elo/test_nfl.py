"""A hundred years of published ratings of American football come out.

The data (fivethirtyeight/nfl-elo-game, MIT) are read in place, from the folder that
RATINGBOOK_REFERENCE names.
"""

import csv
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq
import pytest

from ratingbook.engine.rate import Rating, rate
from ratingbook.model import Entry, Event, Game, Report, Result, Standing
from ratingbook.rules.elo import elo

ROOT = Path(__file__).resolve().parents[3]
FOLDER = (ROOT / os.environ.get("RATINGBOOK_REFERENCE", "../shared")).resolve() / "data" / "nfl_elo"

SETTINGS = {
    "home": "65",
    "margin": "log",
    "season_month": "7",
    "season_return": "0.333333333333",
    "season_mean": "1505",
}
"""The parameters of this history."""

DECISIONS = {
    ("1925", "CBD"): 1502.032,
    ("1926", "RAC"): 1403.384,
    ("1926", "LOU"): 1307.201,
    ("1927", "CIB"): 1362.919,
    ("1929", "MNN"): 1306.702,
    ("1929", "BFF"): 1331.943,
    ("1944", "LAR"): 1373.977,
    ("1944", "PHI"): 1497.988,
    ("1945", "ARI"): 1353.939,
    ("1945", "PIT"): 1353.939,
    ("1999", "CLE"): 1300.0,
}
"""Ratings that were set by hand, by season and team."""

NEAR = 0.001
"""The published starting ratings have three decimals."""
RESULTS = {"1": Result.WHITE_WINS, "0.5": Result.DRAW, "0": Result.BLACK_WINS}

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason=f"no published ratings in {FOLDER}; set RATINGBOOK_REFERENCE"
)


class Team(NamedTuple):
    """A team before a game, as published, and after it, as rated."""

    game: int
    before: float


def rows(name: str) -> list[dict[str, str]]:
    """A table of the data."""
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def margin_of(game: dict[str, str]) -> int:
    """By how many points the first team won."""
    return int(game["score1"]) - int(game["score2"])


def write_files(games: Iterable[dict[str, str]], folder: Path) -> tuple[Path, Path, Path]:
    """Games, players and entries; a season is an event, the first team is White."""
    paths = (folder / "games.csv", folder / "players.csv", folder / "entries.csv")
    _write(
        paths[0],
        ("date", "event", "white", "black", "score", "margin", "neutral"),
        (
            (
                game["date"], game["season"], game["team1"], game["team2"], game["result1"],
                margin_of(game), game["neutral"],
            )
            for game in games
        ),
    )  # fmt: skip
    starts = rows("initial_elos.csv")
    _write(paths[1], ("id", "rating"), ((each["team"], each["elo"]) for each in starts))
    decided = ((season, team, rating) for (season, team), rating in DECISIONS.items())
    _write(paths[2], ("event", "player", "rating"), decided)
    return paths


def _write(path: Path, head: tuple[str, ...], lines: Iterable[tuple[object, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *lines])


def published() -> dict[str, list[Team]]:
    """Each team's ratings before its games."""
    found: dict[str, list[Team]] = defaultdict(list)
    for number, game in enumerate(rows("nfl_games.csv")):
        for side in "12":
            found[game[f"team{side}"]].append(Team(number, float(game[f"elo{side}"])))
    return found


def test_every_published_rating_comes_out_of_a_history(tmp_path: Path) -> None:
    """33,620 ratings of before the games, eleven of them set by hand."""
    games, players, entries = write_files(rows("nfl_games.csv"), tmp_path)
    done = subprocess.run(
        [
            Path(sys.executable).with_name("ratingbook"), "history", games, "--rulebook", "elo",
            "--players", players, "--entries", entries, "--out", tmp_path / "out",
            *(f"--set={name}={value}" for name, value in SETTINGS.items()),
        ],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "history." not in done.stderr
    changes = pq.read_table(tmp_path / "out" / "changes.parquet").to_pylist()
    rated: dict[str, list[float]] = defaultdict(list)
    for change in changes:
        rated[change["player"]].append(change["before"])
    differences = [
        abs(before - team.before)
        for name, teams in published().items()
        for before, team in zip(rated[name], teams, strict=True)
    ]
    assert len(differences) == len(changes) == 33_620
    assert max(differences) < NEAR
    # It would be noticed if a decision were not followed.
    told = {
        (game["season"], game[f"team{side}"]): float(game[f"elo{side}"])
        for game in reversed(rows("nfl_games.csv"))
        for side in "12"
    }
    assert {key: told[key] for key in DECISIONS} == pytest.approx(DECISIONS, abs=1e-9)


def rated_by_report(
    season: str, games: list[dict[str, str]], known: dict[str, Standing]
) -> tuple[Rating, Iterable[tuple[str, float]]]:
    """A season as a report; the ratings of before the games, in the order of the rows."""
    teams = sorted({game[f"team{side}"] for game in games for side in "12"})
    report = Report(
        Event(name="season", category=season),
        tuple(
            Entry(
                team,
                standing=known.get(team),
                decisions={"rating": DECISIONS[season, team], "reason": "set by hand"}
                if (season, team) in DECISIONS
                else {},
            )
            for team in teams
        ),
        tuple(
            Game(
                game["team1"],
                game["team2"],
                RESULTS[game["result1"].removesuffix(".0")],
                end=date.fromisoformat(game["date"]),
                margin=margin_of(game),
                neutral=game["neutral"] == "1",
            )
            for game in games
        ),
    )
    rating = rate(report, elo.with_parameters(SETTINGS))
    played = [each.row for each in rating.rows if each.row.games]
    return rating, [(row.id, row.before or 0.0) for row in played]


def test_seasons_come_out_of_a_chain_of_reports() -> None:
    """1943 to 1946, in which four ratings were set by hand; one report for each season."""
    games = [game for game in rows("nfl_games.csv") if "1943" <= game["season"] <= "1946"]
    first: dict[str, float] = {}
    for game in games:
        for side in "12":
            first.setdefault(game[f"team{side}"], float(game[f"elo{side}"]))
    known = {team: Standing(rating=rating, games=100) for team, rating in first.items()}
    # Teams that came back in these years stand as before their last season.
    compared = 0
    for season in ("1943", "1944", "1945", "1946"):
        mine = [game for game in games if game["season"] == season]
        rating, found = rated_by_report(season, mine, known)
        assert not rating.findings.refused
        wanted: dict[str, list[float]] = defaultdict(list)
        for game in mine:
            for side in "12":
                wanted[game[f"team{side}"]].append(float(game[f"elo{side}"]))
        rated: dict[str, list[float]] = defaultdict(list)
        for team, before in found:
            rated[team].append(before)
        for team, ratings in wanted.items():
            assert rated[team] == pytest.approx(ratings, abs=NEAR), (season, team)
            compared += len(ratings)
        known |= {each.row.id: each.row.standing for each in rating.rows}
    assert compared == 2 * len(games) > 400
