"""Many histories at once: each equal to the one that is rated in this process."""

from __future__ import annotations

import shutil

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from ratingbook.checks.pools import tables_of_pools
from ratingbook.engine.history import History, HistoryRefused, rate_history
from ratingbook.engine.history.plan import plan_of
from ratingbook.engine.history.pooled import rate_pools
from ratingbook.engine.history.program import Program
from ratingbook.engine.spark import Job, rate_many
from ratingbook.engine.spark.chance import resampled, simulated
from ratingbook.engine.spark.sweep import drawn
from ratingbook.engine.store import Store
from ratingbook.rules import registry
from ratingbook.rules.series import pools_of

JOBS = [
    Job("fide", "fide-2009"),
    Job("fide-1600", "fide-2009", {"floor": "1600"}),
    Job("fide-assumed", "fide-2009", assume=1500.0),
    Job("other events", "fide-2009", bootstrap_seed=1),
    Job("other events again", "fide-2009", bootstrap_seed=2),
    Job("other results", "uscf-2011", simulate_seed=1),
    Job("both", "egf-2013", bootstrap_seed=3, simulate_seed=3),
]


@pytest.fixture
def files(tmp_path, histories):
    # With grades of Go players too, so that every edition has something to read.
    made = histories.tables(registry.load("egf-2013"), 21)
    paths = {name: tmp_path / f"{name}.parquet" for name in made}
    for name, table in made.items():
        pq.write_table(table, paths[name])
    return paths.pop("games"), paths


def read(files):
    return History.of(files[0], **files[1])


@pytest.mark.usefixtures("session")
def test_each_as_in_this_process(tmp_path, files):
    told = []
    summary = rate_many(
        files[0], JOBS, tmp_path / "out", **files[1],
        progress=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    assert told == [(number + 1, len(JOBS)) for number in range(len(JOBS))]
    assert summary.equals(pq.read_table(tmp_path / "out" / "summary.parquet"))
    assert summary["name"].to_pylist() == [job.name for job in JOBS]
    ratings = {}
    for job, row in zip(JOBS, summary.to_pylist(), strict=True):
        given = History(drawn(read(files).given, job))
        rated = rate_history(given, job.rulebook, settings=job.settings, assume=job.assume)
        ratings[job.name] = pq.read_table(tmp_path / "out" / job.name / "ratings.parquet")
        assert ratings[job.name].equals(rated.ratings)
        numbers = rated.ratings["rating"].drop_null().to_numpy()
        assert row["rated"] == len(numbers)
        assert row["players"] == len(rated.ratings)
        assert row["games"] == len(given)
        assert row["batches"] == rated.batches
        assert row["mean"] == pytest.approx(numbers.mean())
        assert row["deviation"] == pytest.approx(numbers.std())
        assert (row["least"], row["greatest"]) == (numbers.min(), numbers.max())
        assert row["quantile_50"] == np.quantile(numbers, 0.5, method="inverted_cdf")
    assert not ratings["other events"].equals(ratings["other events again"])


@pytest.mark.usefixtures("session")
def test_pools_are_rated_together(tmp_path):
    book = registry.load("fide-2024")
    pools = pools_of(book)
    assert pools is not None
    made = tables_of_pools(book, pools, 5, games=120)
    paths = {name: tmp_path / f"{name}.parquet" for name in made}
    for name, table in made.items():
        pq.write_table(table, paths[name])
    whole = rate_pools(History.of(paths["games"], **beside(paths)), book, compiled=False)
    summary = rate_many(
        paths["games"], [Job("all", "fide-2024")], tmp_path / "out", **beside(paths)
    )
    assert pq.read_table(tmp_path / "out" / "all" / "ratings.parquet").equals(whole.ratings)
    assert summary["pool"].to_pylist() == list(whole.pools)
    for row in summary.to_pylist():
        own = whole.ratings.filter(pc.equal(whole.ratings["pool"], row["pool"]))
        assert row["mean"] == pytest.approx(own["rating"].drop_null().to_numpy().mean())


def beside(paths):
    return {name: path for name, path in paths.items() if name != "games"}


@pytest.mark.usefixtures("session")
def test_finished_jobs_are_left_alone(tmp_path, files):
    jobs, out = JOBS[:3], tmp_path / "out"
    first = rate_many(files[0], jobs, out, **files[1])
    manifests = [(out / job.name / "ratings.parquet").stat().st_mtime_ns for job in jobs]
    shutil.rmtree(out / jobs[1].name)
    told = []
    again = rate_many(
        files[0], jobs, out, **files[1], progress=lambda done, total: told.append(done)
    )
    assert told == [3]
    assert again.equals(first)
    now = [(out / job.name / "ratings.parquet").stat().st_mtime_ns for job in jobs]
    assert [a == b for a, b in zip(manifests, now, strict=True)] == [True, False, True]
    # Another description is another job.
    other = [Job("fide", "fide-2009", assume=1400.0), *jobs[1:]]
    rate_many(files[0], other, out, **files[1])
    now_there = Store(out / "fide", ("ratings",)).current()
    assert now_there is not None
    assert now_there.said["job"]["assume"] == 1400.0


@pytest.mark.usefixtures("session")
def test_a_damaged_job_is_done_again_and_files_of_others_stay(tmp_path, files):
    jobs, out = JOBS[:1], tmp_path / "out"
    first = rate_many(files[0], jobs, out, **files[1])
    ratings = out / jobs[0].name / "ratings.parquet"
    sound = ratings.read_bytes()
    ratings.write_bytes(sound[:-100] + bytes(100))
    (out / jobs[0].name / "diary.txt").write_text("mine")
    assert rate_many(files[0], jobs, out, **files[1]).equals(first)
    assert ratings.read_bytes() == sound
    assert (out / jobs[0].name / "diary.txt").read_text() == "mine"
    foreign = out / "job of mine"
    foreign.mkdir()
    (foreign / "ratings.parquet").write_text("mine")
    with pytest.raises(HistoryRefused, match="is not of a run"):
        rate_many(files[0], [Job("job of mine", "fide-2009")], out, **files[1])
    assert (foreign / "ratings.parquet").read_text() == "mine"


@pytest.mark.usefixtures("session")
def test_games_that_cannot_be_rated_are_told(tmp_path):
    bad = pa.table({"date": ["2010-01-01"], "white": ["a"], "black": ["b"], "score": [7.0]})
    pq.write_table(bad, tmp_path / "bad.parquet")
    with pytest.raises(HistoryRefused, match="score"):
        rate_many(tmp_path / "bad.parquet", JOBS[:1], tmp_path / "out")


@pytest.mark.parametrize(
    ("jobs", "says"),
    [
        ([Job("a/b", "fide-2009")], "a/b"),
        ([Job("..", "fide-2009")], "cannot be the name"),
        ([Job("a", "fide-2009"), Job("a", "egf-2013")], "only one job"),
        ([Job("a", "fide-1909")], "Job a: no rule book"),
        ([Job("a", "fide-2009", {"flor": "1"})], "no parameter 'flor'"),
    ],
)
def test_jobs_that_nobody_can_do_are_told_before_anything_starts(tmp_path, jobs, says):
    with pytest.raises(HistoryRefused, match=says):
        rate_many(tmp_path / "games.parquet", jobs, tmp_path / "out")


def test_an_event_that_is_drawn_twice_is_held_twice(files):
    given = read(files).given
    other = resampled(given, 5)
    assert len(other.event_ids) == len(given.event_ids)
    names = other.event_ids.to_pylist()
    assert len(set(names)) == len(names)
    origin = [name.split(" ")[0] for name in names]
    assert len(set(origin)) < len(names)
    code = {name: number for number, name in enumerate(given.event_ids.to_pylist())}
    for number, name in enumerate(origin):
        mine, theirs = other.games.event == number, given.games.event == code[name]
        for column in ("day", "white", "black", "score", "start", "round", "section", "rated"):
            assert np.array_equal(
                getattr(other.games, column)[mine], getattr(given.games, column)[theirs]
            )
        for table in ("events", "entries"):
            said, told = getattr(given, table), getattr(other, table)
            if said is not None:
                assert (
                    told.filter(pa.array(told["event"].to_numpy() == number))
                    .drop("event")
                    .equals(
                        said.filter(pa.array(said["event"].to_numpy() == code[name])).drop("event")
                    )
                )
    # Every copy is a batch of its own where sections are rated.
    program = Program(registry.load("egf-2013"), False)
    assert other.games.event is not None
    assert other.games.section is not None
    sections = {
        (int(e), int(s)) for e, s in zip(other.games.event, other.games.section, strict=True)
    }
    assert len(plan_of(other, program)) == len(sections)
    assert resampled(given, 5).games.score.tolist() == other.games.score.tolist()


def test_without_events_days_are_drawn():
    games = pa.table(
        {
            "date": ["2010-01-01"] * 2 + ["2010-01-03"] * 3 + ["2011-05-01"],
            "white": list("abcabc"),
            "black": list("bcabca"),
            "score": [1.0] * 6,
        }
    )
    given = History.of(games).given
    sizes = {"2010-01-01": 2, "2010-01-03": 3, "2011-05-01": 1}
    for seed in range(5):
        other = resampled(given, seed)
        assert len(other.event_ids) == 3
        assert other.games.event is not None
        wanted = [sizes[name.split(" ")[0]] for name in other.event_ids.to_pylist()]
        assert np.bincount(other.games.event, minlength=3).tolist() == wanted


def test_results_are_drawn_from_the_expected_scores():
    count = 40_000
    games = pa.table(
        {
            "date": ["2010-01-01"] * count,
            "white": ["strong", "even"] * (count // 2),
            "black": ["weak", "new"] * (count // 2),
            "score": [0.5, 1.0, 0.0, 0.5] * (count // 4),
        }
    )
    players = pa.table({"id": ["strong", "even", "weak"], "rating": [1900.0, 1750.0, 1600.0]})
    given = History.of(games, players=players).given
    other = simulated(given, 1)
    score = other.games.score / 2
    # 300 points: 0.849; a newcomer counts as the mean, 1750.
    assert score[0::2].mean() == pytest.approx(1 / (1 + 10**-0.75), abs=0.008)
    assert score[1::2].mean() == pytest.approx(0.5, abs=0.008)
    assert (score == 0.5).mean() == pytest.approx(0.5, abs=0.008)
    assert np.array_equal(other.games.score, simulated(given, 1).games.score)
    assert not np.array_equal(other.games.score, simulated(given, 2).games.score)
    assumed = simulated(given, 1, assume=2150.0).games.score[1::2] / 2
    assert assumed.mean() == pytest.approx(1 / 11, abs=0.008)
