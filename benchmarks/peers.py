"""Other rating libraries on the same games, in games a second.

``python -m benchmarks.peers GAMES.parquet [--limit N] [--only NAME …]``

All rate plain Elo over the games in their order: K 20, scale 400, everybody begins at
1500, each game with the ratings after the one before.  Where a library cannot do that,
its line says what it does instead.  Slow libraries are given the first games only.
``deviation`` is the largest difference between a library's ratings and those of the
plain loop on the same games; it shows that both did the same work.

``bare limit`` is no rating system: a compiled loop with the memory accesses of one and
no rules, what a machine could reach at best.

The libraries are installed in an environment of their own (``build/peers-venv``, from
``peers.txt``), never in the project's.  Each runs in a process of its own, on columns
that are already in memory in the form it takes; one line of JSON each.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parents[1]
PINS = Path(__file__).with_name("peers.txt")
VENV = ROOT / "build" / "peers-venv"
GORATINGS = "https://github.com/online-go/goratings"
K, SCALE, START = 20.0, 400.0, 1500.0
ENOUGH_SECONDS, REPEATS = 2.0, 20
"""A short run is repeated for so long or so often, and the best one counts."""


@dataclass(frozen=True)
class Games:
    """The columns, players as numbers from 0."""

    white: npt.NDArray[np.int32]
    black: npt.NDArray[np.int32]
    score: npt.NDArray[np.float32]
    period: npt.NDArray[np.int32]
    """Two months each, ascending."""

    def first(self, count: int) -> Games:
        """The games at the beginning."""
        return Games(
            self.white[:count], self.black[:count], self.score[:count], self.period[:count]
        )

    @property
    def players(self) -> int:
        """One more than the highest number."""
        return int(max(self.white.max(), self.black.max())) + 1

    def lists(self) -> tuple[list[int], list[int], list[float]]:
        """White, Black and score as Python objects."""
        return self.white.tolist(), self.black.tolist(), self.score.tolist()

    def save(self, folder: Path) -> None:
        """One file for each column."""
        for name, column in vars(self).items():
            np.save(folder / f"{name}.npy", column)

    @classmethod
    def load(cls, folder: Path) -> Games:
        """The columns that ``save`` wrote."""
        return cls(*(np.load(folder / f"{name}.npy") for name in cls.__dataclass_fields__))


class NotInstalled(Exception):
    """What a library needs is not on this machine."""


@dataclass(frozen=True)
class Outcome:
    """The time that a library took, and its ratings by player if they can be compared."""

    seconds: float
    ratings: dict[int, float] | None = None
    against: dict[int, float] | None = None
    """The plain loop's ratings, where the library reads the scores in another way."""


@dataclass(frozen=True)
class Peer:
    """A library, or a loop, and what it is given."""

    name: str
    run: Callable[[Games], Outcome] | None
    what: str
    limit: int
    """Games at most."""
    package: str = ""
    missing: str = ""
    """Why there is nothing to run."""


def best_of(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of the best of several runs (of one, if that is long enough), and its result."""
    best, total, result = float("inf"), 0.0, None
    for _ in range(REPEATS):
        began = time.perf_counter()
        result = work()
        seconds = time.perf_counter() - began
        best, total = min(best, seconds), total + seconds
        if total >= ENOUGH_SECONDS:
            break
    return best, result


def by_player(ratings: list[float], games: Games) -> dict[int, float]:
    """The ratings of those who played."""
    return {player: ratings[player] for player in np.union1d(games.white, games.black).tolist()}


def plain_elo(white: list[int], black: list[int], score: list[float], players: int) -> list[float]:
    """Elo as everybody writes it."""
    ratings = [START] * players
    for w, b, s in zip(white, black, score, strict=True):
        change = K * (s - 1 / (1 + 10 ** ((ratings[b] - ratings[w]) / SCALE)))
        ratings[w] += change
        ratings[b] -= change
    return ratings


def run_plain(games: Games) -> Outcome:
    """The plain loop."""
    columns = games.lists()
    seconds, ratings = best_of(lambda: plain_elo(*columns, games.players))
    return Outcome(seconds, by_player(ratings, games))


def run_plain_dict(games: Games) -> Outcome:
    """The plain loop over a dictionary, for ids of any kind."""
    columns = games.lists()

    def work() -> dict[int, float]:
        ratings: dict[int, float] = {}
        for w, b, s in zip(*columns, strict=True):
            own, other = ratings.get(w, START), ratings.get(b, START)
            change = K * (s - 1 / (1 + 10 ** ((other - own) / SCALE)))
            ratings[w], ratings[b] = own + change, other - change
        return ratings

    return Outcome(*best_of(work))


def winners(games: Games, evalica: Any) -> list[Any]:
    """The results in evalica's terms."""
    winner = evalica.Winner
    return [(winner.Y, winner.Draw, winner.X)[int(2 * s)] for s in games.score.tolist()]


def run_evalica(games: Games) -> Outcome:
    """``evalica.elo`` on lists."""
    evalica = importlib.import_module("evalica")
    white, black, _ = games.lists()
    results = winners(games, evalica)
    seconds, result = best_of(
        lambda: evalica.elo(white, black, results, initial=START, scale=SCALE, k=K)
    )
    return Outcome(seconds, result.scores.to_dict())


def run_evalica_indexed(games: Games) -> Outcome:
    """The compiled part of evalica alone, on numbers from 0."""
    evalica = importlib.import_module("evalica")
    core = importlib.import_module("evalica._brzo")
    white, black, _ = games.lists()
    results = winners(games, evalica)
    x, y, index = evalica.indexing(white, black)
    options = {"weights": [1.0] * len(x), "total": len(index), "initial": START, "base": 10.0}
    options |= {"scale": SCALE, "k": K, "win_weight": 1.0, "tie_weight": 0.5}
    seconds, scores = best_of(lambda: core.elo(xs=x, ys=y, winners=results, **options))
    return Outcome(seconds, dict(zip(index.tolist(), list(scores), strict=True)))


def run_elote(games: Games) -> Outcome:
    """A competitor object for each player, made in the measured time."""
    elote = importlib.import_module("elote")
    columns = games.lists()

    def work() -> dict[int, Any]:
        players: dict[int, Any] = {}
        for w, b, s in zip(*columns, strict=True):
            for one in (w, b):
                if one not in players:
                    players[one] = elote.EloCompetitor(initial_rating=START, k_factor=K)
            if s == 1:
                players[w].beat(players[b])
            elif s == 0:
                players[b].beat(players[w])
            else:
                players[w].tied(players[b])
        return players

    seconds, players = best_of(work)
    return Outcome(seconds, {one: player.rating for one, player in players.items()})


def run_skelo(games: Games) -> Outcome:
    """``EloEstimator.fit``, the number of the game as the time."""
    model = importlib.import_module("skelo.model.elo")
    table = np.column_stack([games.white, games.black, np.arange(1, len(games.white) + 1)])
    table = table.astype(np.int64)
    won = (games.score == 1).astype(np.int64)
    seconds, fitted = best_of(
        lambda: model.EloEstimator(default_k=K, initial_value=START).fit(table, won)
    )
    ratings = {int(p): rows[-1]["rating"] for p, rows in fitted.rating_model.ratings.items()}
    white, black, _ = games.lists()
    against = plain_elo(white, black, won.astype(float).tolist(), games.players)
    return Outcome(seconds, ratings, by_player(against, games))


def run_elochess(games: Games) -> Outcome:
    """FIDE's rules: ``update_rating`` for each player and period, and its bookkeeping."""
    calculator = importlib.import_module("elochess.elo").EloCalculator
    cuts = np.flatnonzero(np.diff(games.period)) + 1
    bounds = [0, *cuts.tolist(), len(games.white)]
    columns = games.lists()

    def work() -> dict[int, int]:
        ratings: dict[int, int] = {}
        played: dict[int, int] = {}
        reached: dict[int, bool] = {}
        for begin, end in pairwise(bounds):
            opponents: dict[int, list[int]] = {}
            points: dict[int, float] = {}
            for w, b, s in zip(*(column[begin:end] for column in columns), strict=True):
                opponents.setdefault(w, []).append(ratings.get(b, int(START)))
                opponents.setdefault(b, []).append(ratings.get(w, int(START)))
                points[w] = points.get(w, 0.0) + s
                points[b] = points.get(b, 0.0) + 1 - s
            for player, others in opponents.items():
                before = played.get(player, 0)
                ratings[player] = calculator.update_rating(
                    ratings.get(player, int(START)),
                    others,
                    points[player],
                    birth_year=1970,
                    evaluation_year=2010,
                    games_played=before,
                    reached_2400=reached.get(player, False),
                )
                played[player] = before + len(others)
                reached[player] = reached.get(player, False) or ratings[player] >= 2400
        return ratings

    return Outcome(best_of(work)[0])


def run_goratings(games: Games) -> Outcome:
    """The EGF's formula for both players of each game."""
    gor = importlib.import_module("goratings.math.gor")
    columns = games.lists()

    def work() -> dict[int, Any]:
        players: dict[int, Any] = {}
        for w, b, s in zip(*columns, strict=True):
            own, other = players.get(w), players.get(b)
            own = own or gor.GorEntry(START)
            other = other or gor.GorEntry(START)
            players[w] = gor.gor_update(own, other, s)
            players[b] = gor.gor_update(other, own, 1 - s)
        return players

    return Outcome(best_of(work)[0])


R_SCRIPT = """
arguments <- commandArgs(TRUE)
suppressMessages(library(PlayerRatings))
column <- function(name, what, size) {
  path <- file.path(arguments[1], paste0(name, ".bin"))
  readBin(path, what, n = file.size(path) / size, size = size)
}
games <- data.frame(time = column("period", "integer", 4), white = column("white", "integer", 4),
                    black = column("black", "integer", 4), score = column("score", "numeric", 8))
seconds <- system.time(if (arguments[2] == "fide") fide(games, init = 1500) else
                       elo(games, init = 1500, kfac = 20))[["elapsed"]]
cat(seconds)
"""


def run_r(games: Games, function: str) -> Outcome:
    """A function of PlayerRatings, which rates by period, on a data frame in memory."""
    rscript = shutil.which("Rscript")
    if rscript is None:
        raise NotInstalled("not installed: there is no Rscript")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for column, values in vars(games).items():
            kind = np.float64 if column == "score" else np.int32
            values.astype(kind).tofile(folder / f"{column}.bin")
        done = subprocess.run(
            [rscript, "-e", R_SCRIPT, str(folder), function],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(last_line(done.stderr))
    return Outcome(float(done.stdout))


def run_bare_limit(games: Games) -> Outcome:
    """The memory accesses of a rating system, compiled, and nothing else."""
    numba = importlib.import_module("numba")

    def loop(
        white: npt.NDArray[np.int32],
        black: npt.NDArray[np.int32],
        halves: npt.NDArray[np.int32],
        ratings: npt.NDArray[np.int32],
        expected: npt.NDArray[np.int32],
        sums: npt.NDArray[np.int64],
    ) -> None:
        for game in range(len(white)):
            w, b = white[game], black[game]
            difference = min(max(ratings[w] - ratings[b], -400), 400)
            change = 50 * halves[game] - expected[difference + 400]
            sums[w] += change
            sums[b] -= change

    compiled = numba.njit(loop)
    rng = np.random.default_rng(1)
    ratings = np.rint(rng.normal(1800, 300, games.players)).astype(np.int32)
    table = [100 / (1 + 10 ** (-d / SCALE)) for d in range(-400, 401)]
    expected = np.rint(table).astype(np.int32)
    halves = (2 * games.score).astype(np.int32)
    sums = np.zeros(games.players, dtype=np.int64)
    arguments = games.white, games.black, halves, ratings, expected, sums
    compiled(*arguments)
    return Outcome(best_of(lambda: compiled(*arguments))[0])


EVERY = 1 << 62
"""No limit."""
PEERS = (
    Peer("bare limit", run_bare_limit, "gathers, table and sums, compiled; no rules", EVERY),
    Peer("plain loop, list", run_plain, "five lines of Python, players as numbers", 1_000_000),
    Peer("plain loop, dict", run_plain_dict, "five lines of Python, any ids", 1_000_000),
    Peer("evalica", run_evalica, "elo(), ids indexed", 1_000_000, "evalica"),
    Peer(
        "evalica, indexed before",
        run_evalica_indexed,
        "its compiled core alone",
        1_000_000,
        "evalica",
    ),
    Peer("elote", run_elote, "EloCompetitor", 200_000, "elote"),
    Peer(
        "skelo",
        run_skelo,
        "EloEstimator.fit(); it knows no draws: here Black wins them",
        200_000,
        "skelo",
    ),
    Peer("elochess", run_elochess, "FIDE's rules, by player and period", 200_000, "elochess"),
    Peer("goratings", run_goratings, "GoR, game by game", 200_000, "goratings"),
    Peer("PlayerRatings elo", lambda games: run_r(games, "elo"), "R, Elo by period", 1_000_000),
    Peer(
        "PlayerRatings fide",
        lambda games: run_r(games, "fide"),
        "R, FIDE's K factors by period",
        1_000_000,
    ),
    Peer(
        "skillratings",
        None,
        "",
        0,
        missing="a Rust library; the Python Package Index has no bindings for it",
    ),
)


def last_line(text: str) -> str:
    """The last line of a program's complaint that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for sign in ("fatal:", "error:"):
        for line in reversed(lines):
            if line.lower().startswith(sign):
                return line
    return lines[-1] if lines else "no reason given"


def deviation(ours: dict[int, float], theirs: dict[int, float]) -> float:
    """The largest difference; infinite if the players are not the same."""
    if ours.keys() != theirs.keys():
        return float("inf")
    return max(abs(ours[player] - theirs[player]) for player in ours)


def measure(peer: Peer, games: Games) -> dict[str, Any]:
    """One library's line."""
    line: dict[str, Any] = {"peer": peer.name, "what": peer.what}
    if peer.run is None:
        return line | {"skipped": peer.missing}
    try:
        if peer.package:
            line["version"] = importlib.metadata.version(peer.package)
        outcome = peer.run(games)
    except NotInstalled as problem:
        return line | {"skipped": str(problem)}
    except Exception as problem:  # Whatever a foreign library fails with is its line.
        return line | {"skipped": f"{type(problem).__name__}: {problem}"}
    count = len(games.white)
    line |= {"games": count, "seconds": round(outcome.seconds, 4)}
    line["games_per_second"] = round(count / outcome.seconds)
    if outcome.ratings is not None:
        against = outcome.against or by_player(plain_elo(*games.lists(), games.players), games)
        line["deviation"] = float(f"{deviation(against, outcome.ratings):.1g}")
    return line


def read_games(path: Path, count: int | None) -> Games:
    """The first games of a Parquet file; ids of any kind become numbers."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    names = ["date", "white", "black", "score"]
    file = pq.ParquetFile(path)
    batches, rows = [], 0
    for batch in file.iter_batches(columns=names):
        batches.append(batch)
        rows += batch.num_rows
        if count is not None and rows >= count:
            break
    table = pa.Table.from_batches(batches, schema=batches[0].schema).slice(0, count)
    ids = {}
    for name in ("white", "black"):
        column = table[name]
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        ids[name] = column
    if not pa.types.is_integer(ids["white"].type):
        both = pa.chunked_array([*ids["white"].chunks, *ids["black"].chunks])
        codes = both.combine_chunks().dictionary_encode().indices
        ids["white"], ids["black"] = codes[: len(table)], codes[len(table) :]
    days = table["date"]
    months = pc.add(pc.multiply(pc.year(days), 12), pc.month(days)).to_numpy() - 1
    period = months // 2
    return Games(
        white=ids["white"].to_numpy().astype(np.int32),
        black=ids["black"].to_numpy().astype(np.int32),
        score=table["score"].to_numpy().astype(np.float32),
        period=(period - period.min()).astype(np.int32),
    )


def make_venv(folder: Path) -> tuple[Path, dict[str, str]]:
    """The interpreter of the libraries' environment, and what could not be installed."""
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    stamp = folder / "peers.json"
    pins = PINS.read_text(encoding="utf-8")
    if stamp.is_file():
        kept = json.loads(stamp.read_text(encoding="utf-8"))
        if kept["pins"] == pins:
            return python, dict(kept["failed"])
    print(f"Installing the libraries of {PINS.name} in {folder}.", file=sys.stderr)
    venv.create(folder, clear=True, with_pip=True)
    lines = [line.split("#", 1)[0].strip() for line in pins.splitlines()]
    wanted = [line for line in lines if line]
    failed: dict[str, str] = {}
    if problem := install(python, wanted):
        print(f"Not all could be installed ({problem}); one by one.", file=sys.stderr)
        for requirement in wanted:
            if problem := install(python, [requirement]):
                failed[requirement.split("==")[0]] = problem
    if problem := install(python, [f"goratings @ git+{GORATINGS}"]):
        failed["goratings"] = f"not on the Python Package Index, and from {GORATINGS}: {problem}"
    if not failed.keys() - {"goratings"}:
        stamp.write_text(json.dumps({"pins": pins, "failed": failed}), encoding="utf-8")
    return python, failed


def install(python: Path, requirements: list[str]) -> str:
    """Why they could not be installed; empty if they are."""
    command = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    done = subprocess.run(
        [*command, "--no-deps", *requirements], capture_output=True, text=True, check=False
    )
    return last_line(done.stderr) if done.returncode else ""


def run_apart(peer: Peer, python: Path, folder: Path, count: int) -> dict[str, Any]:
    """One library's line, made by another process."""
    command = [str(python), str(Path(__file__).resolve()), str(folder), "--measure", peer.name]
    done = subprocess.run(
        [*command, "--limit", str(count)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        return {"peer": peer.name, "skipped": last_line(done.stderr)}
    line: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return line


def compare(path: Path, limit: int | None, only: list[str]) -> None:
    """Print a line for each library."""
    chosen = [peer for peer in PEERS if not only or peer.name in only]
    most = max((peer.limit for peer in chosen), default=0) if limit is None else limit
    games = read_games(path, None if most == EVERY else most)
    python, failed = Path(sys.executable), dict[str, str]()
    if any(peer.package for peer in chosen):
        python, failed = make_venv(VENV)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        games.save(folder)
        for peer in chosen:
            own = Path(sys.executable) if peer.run is run_bare_limit else python
            if peer.run is None:
                line = {"peer": peer.name, "skipped": peer.missing}
            elif peer.package in failed:
                line = {"peer": peer.name, "skipped": failed[peer.package]}
            else:
                count = min(len(games.white), peer.limit if limit is None else limit)
                line = run_apart(peer, own, folder, count)
            print(json.dumps(line, ensure_ascii=False), flush=True)


def main() -> None:
    """Measure one library on saved columns, or all of them on a file of games."""
    names = [peer.name for peer in PEERS]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("games", type=Path, metavar="GAMES.parquet")
    parser.add_argument("--limit", type=int, help="games for each, instead of its own limit")
    parser.add_argument("--only", action="append", default=[], choices=names, metavar="NAME")
    parser.add_argument("--measure", choices=names, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.limit is not None and options.limit < 1:
        parser.error("--limit is at least 1")
    if options.measure is None:
        compare(options.games, options.limit, options.only)
        return
    peer = next(peer for peer in PEERS if peer.name == options.measure)
    games = Games.load(options.games).first(options.limit)
    print(json.dumps(measure(peer, games), ensure_ascii=False))


if __name__ == "__main__":
    main()
