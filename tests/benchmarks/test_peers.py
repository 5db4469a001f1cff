"""The comparison with other libraries, as far as it needs none of them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import peers
from benchmarks.generate import Plan, generate
from benchmarks.peers import PEERS, Games, Outcome, Peer, measure, read_games


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("peers") / "games.parquet"
    generate(path, Plan(games=1200, players=60, periods=3))
    return path


@pytest.fixture(scope="module")
def games(path: Path) -> Games:
    return read_games(path, None)


def peer(name: str) -> Peer:
    return next(each for each in PEERS if each.name == name)


def test_text_ids_give_the_same_games(path: Path, games: Games, tmp_path: Path) -> None:
    named = tmp_path / "named.parquet"
    generate(named, Plan(games=1200, players=60, periods=3), text_ids=True)
    other = read_games(named, None)
    pairs = set(zip(games.white.tolist(), other.white.tolist(), strict=True))
    pairs |= set(zip(games.black.tolist(), other.black.tolist(), strict=True))
    assert len(pairs) == len({ours for ours, _ in pairs}) == len({theirs for _, theirs in pairs})
    assert (games.score == other.score).all()
    assert set(games.period.tolist()) == {0, 1, 2}
    assert len(read_games(path, 100).white) == 100


def test_the_plain_loop_is_elo() -> None:
    ratings = peers.plain_elo([0, 0], [1, 2], [1.0, 0.5], 3)
    assert ratings[1] == 1490
    drawn = 20 * (0.5 - 1 / (1 + 10 ** (-10 / 400)))
    assert ratings == [1510 + drawn, 1490, 1500 - drawn]


def test_both_plain_loops_agree(games: Games) -> None:
    for name in ("plain loop, list", "plain loop, dict"):
        line = measure(peer(name), games)
        assert line["games"] == 1200
        assert line["games_per_second"] > 0
        assert line["deviation"] == 0


def test_a_deviation_shows() -> None:
    assert peers.deviation({1: 1500.0, 2: 1490.0}, {1: 1500.0, 2: 1492.5}) == 2.5
    assert peers.deviation({1: 1500.0}, {2: 1500.0}) == float("inf")


def test_what_fails_is_a_line_with_the_reason(games: Games) -> None:
    def fail(games: Games) -> Outcome:
        raise TypeError("no such argument")

    line = measure(Peer("broken", fail, "", 10), games)
    assert line["skipped"] == "TypeError: no such argument"
    absent = Peer("absent", fail, "", 10, "no-such-package-anywhere")
    assert "no-such-package-anywhere" in measure(absent, games)["skipped"]
    assert "Rust" in measure(peer("skillratings"), games)["skipped"]


def test_without_r_its_package_is_not_installed(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert measure(peer("PlayerRatings elo"), games)["skipped"].startswith("not installed")


def test_the_reason_of_a_failed_installation() -> None:
    text = "error: subprocess failed\n  fatal: unable to access\nerror: see above\n\nhint: none\n"
    assert peers.last_line(text) == "fatal: unable to access"
    assert peers.last_line("some words\nERROR: no version\nhint\n") == "ERROR: no version"
    assert peers.last_line("") == "no reason given"


def test_the_bare_limit_runs(games: Games) -> None:
    line = measure(peer("bare limit"), games)
    assert line["games_per_second"] > 1000


def test_the_command_prints_a_line_for_each(
    path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    names = ["plain loop, list", "skillratings"]
    options = [word for name in names for word in ("--only", name)]
    monkeypatch.setattr("sys.argv", ["peers", str(path), "--limit", "500", *options])
    peers.main()
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [line["peer"] for line in lines] == names
    assert lines[0]["games"] == 500


def test_a_library_runs_without_the_project(games: Games, tmp_path: Path) -> None:
    """The libraries' environment has NumPy, but neither Numba nor pyarrow."""
    games.save(tmp_path)
    code = (
        "import sys; sys.modules |= dict.fromkeys(['numba', 'pyarrow', 'ratingbook']);"
        f"sys.argv = ['peers', {str(tmp_path)!r}, '--measure', 'plain loop, dict', '--limit', '9'];"
        f"import runpy; runpy.run_path({peers.__file__!r}, run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["games"] == 9


def test_the_pins_name_every_library() -> None:
    text = peers.PINS.read_text(encoding="utf-8")
    pins = dict(re.findall(r"^([\w-]+)==(\S+)$", text, re.MULTILINE))
    wanted = {each.package for each in PEERS if each.package} - {"goratings"}
    assert wanted <= pins.keys()
    assert len(pins) == len([line for line in text.splitlines() if line and line[0] != "#"])
