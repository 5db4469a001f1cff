"""Histories with matches, FIDE events and other systems, which the check suite does not draw."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from ratingbook.engine.history import rate_history
from ratingbook.engine.history.columns import GameColumns, HistoryInput
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.records import accessors
from ratingbook.engine.history.run import Run
from ratingbook.engine.rate import rate
from ratingbook.model import (
    Entry,
    Event,
    Game,
    Report,
    Result,
    SectionHead,
    Standing,
    StandingStatus,
)
from ratingbook.rules import uscf
from ratingbook.rules.bulk import EPOCH, NOT_GIVEN, PROVISIONAL, UNRATED, Entered, day_number
from ratingbook.rules.registry import load
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.uscf import columns
from ratingbook.rules.uscf.bulk import enter, facts_of, listed, standing_of
from ratingbook.rules.uscf.columns import Decisions, Facts, Kind, Known, Match, Pool
from ratingbook.rules.uscf.matches import past_match, years_before

BOOKS = {f"uscf-{year}": getattr(uscf, f"uscf_{year}")
         for year in (2011, 2013, 2014, 2015, 2017, 2023, 2025)}  # fmt: skip
RESULTS = {2: Result.WHITE_WINS, 1: Result.DRAW, 0: Result.BLACK_WINS}
FIRST = date(2012, 1, 1)

Row = tuple[int, str, float | None, float | None, int, float, float | None]


@dataclass(frozen=True)
class Played:
    white: str
    black: str
    score: int
    """White's, in half points."""
    rated: int
    """1 for White, 2 for Black, 3 for both."""


@dataclass(frozen=True)
class Held:
    """An event with the games of its sections."""

    start: date
    end: date
    sections: dict[int, list[Played]]
    kind: str | None = None
    category: str | None = None
    time_control: str | None = None
    pool: str | None = None


@dataclass(frozen=True)
class Made:
    players: list[Entry]
    events: list[Held]


def established(rating: float, **more: Any) -> Standing:
    return Standing(rating=rating, games=more.pop("games", 60), extra=more)


def made_player(number: int, chance: random.Random) -> Entry:
    """One of all kinds: unrated, provisional, established, strong, near the floors."""
    standing = chance.choice(
        [
            None,
            None,
            Standing(rating=1210.0, games=7, wins=3, draws=1, losses=3, extra={"events": 2}),
            Standing(rating=1500.0, games=12, wins=12, draws=0, losses=0),
            Standing(rating=430.0, games=10, wins=0, draws=0, losses=10, extra={"events": 3}),
            Standing(rating=1330.0, games=24, status=StandingStatus.PROVISIONAL),
            Standing(rating=108.0, games=30, wins=1, draws=1, losses=28, extra={"events": 4}),
            Standing(rating=120.0, games=9),
            Standing(rating=1850.0, status=StandingStatus.UNRATED),
            Standing(rating=1700.0),
            established(1405.0, peak=1630.0),
            established(1603.0, peak=1800.0, floor=1600.0),
            established(1650.0, floor=1700.0),
            established(2205.0, olm=True),
            established(2260.0, games=400),
            established(2480.0, games=900),
            established(2530.0, games=900),
            established(chance.choice([1480.0, 1510.0, 1530.0])),
            established(chance.choice([1480.0, 1510.0, 1530.0])),
        ]
    )
    return Entry(
        f"p{number:02}",
        standing=standing,
        birth_date=chance.choice(
            [None, None, date(1960, 2, 29), date(2003, 7, 1), date(2011, 1, 1)]
        ),
        adult=chance.random() < 0.3,
        federation=chance.choice([None, None, None, "USA", "usa", "CAN"]),
        foreign=chance.choice(
            [{}, {}, {"fide": 1720.0}, {"fide": 2200.0}, {"cfc": 1400.0}, {"cfc": 1600.0}]
        ),
        pools=chance.choice(
            [
                {},
                {},
                {"quick": Standing(rating=990.0, games=3)},
                {"quick": Standing(rating=990.0, games=4)},
                {"quick": Standing(rating=1800.0)},
            ]
        ),
    )


def made_section(field: list[str], rounds: int, chance: random.Random) -> list[Played]:
    """Rounds of games between them, as chance pairs them."""
    games = []
    for _ in range(rounds):
        chance.shuffle(field)
        games += [
            Played(
                white, black, chance.choice([2, 0, 2, 0, 1]), chance.choice([3] * 15 + [0, 1, 2])
            )
            for white, black in zip(field[::2], field[1::2], strict=True)
        ]
    return games


def made_history(seed: int, players: int = 50, events: int = 90, first: date = FIRST) -> Made:
    """Events of four years that overlap, of all kinds, some of the other system; many matches."""
    chance = random.Random(seed)
    entries = [made_player(number, chance) for number in range(players)]
    ids = [entry.id for entry in entries]
    strong = [entry.id for entry in entries if (entry.standing or Standing()).games == 60]
    held = []
    for _ in range(events):
        start = first + timedelta(chance.randrange(4 * 365))
        end = start + timedelta(chance.choice([0, 0, 1, 2, 30]))
        kind = chance.choice([None, None, None, "swiss", "fide", "match", "match", "match"])
        if kind == "match":
            pair = chance.sample(chance.choice([strong, strong, strong, ids]), 2)
            sections = {1: made_section(pair, chance.choice([2, 6]), chance)}
            if chance.random() < 0.5:
                # One wins all, so that limits and floors are reached.
                sections = {1: [replace(game, white=pair[0], black=pair[1], score=2)
                                for game in sections[1]]}  # fmt: skip
            held.append(Held(start, end, sections, kind))
            continue
        sections = {
            number: made_section(
                chance.sample(ids, chance.choice([2, 4, 8, 14])),
                chance.choice([1, 3, 4, 5]),
                chance,
            )
            for number in range(1, chance.choice([2, 3]))
        }
        control = chance.choice([None, "G/90", "G/90", "G/45;d5", "G/15", "soon"])
        # A pool that contradicts the time control is refused.
        fitting = {"G/90": ["regular"], "G/15": ["quick"]}.get(
            control or "", ["regular", "dual", "quick"]
        )
        pool = chance.choice([None, None, None, None, *fitting])
        category = chance.choice([None, "youth"])
        held.append(Held(start, end, sections, kind, category, control, pool))
    return Made(entries, held)


def columns_of(made: Made) -> HistoryInput:
    """The history as the engine has it; the games stand in no order."""
    games = [
        (number, section, game)
        for number, event in enumerate(made.events)
        for section, played in event.sections.items()
        for game in played
    ]
    random.Random(1).shuffle(games)
    codes = {entry.id: code for code, entry in enumerate(made.players)}
    days = [day_number(made.events[event].end) for event, _, _ in games]
    columns = GameColumns(
        day=np.array(days, np.int32),
        white=np.array([codes[game.white] for _, _, game in games], np.int32),
        black=np.array([codes[game.black] for _, _, game in games], np.int32),
        score=np.array([game.score for _, _, game in games], np.int8),
        event=np.array([event for event, _, _ in games], np.int32),
        section=np.array([section for _, section, _ in games], np.int32),
        rated=np.array([game.rated for _, _, game in games], np.uint8),
    )
    names = ("kind", "category", "time_control", "pool")
    return HistoryInput(
        columns,
        pa.array([entry.id for entry in made.players]),
        pa.array(range(len(made.events))),
        pa.array(range(3)),
        players_file(made.players),
        pa.table(
            {
                "event": pa.array(range(len(made.events)), pa.int32()),
                "start": [event.start for event in made.events],
                "end": [event.end for event in made.events],
                **{name: pa.array([getattr(event, name) for event in made.events], pa.string())
                   for name in names},
            }
        ),
    )  # fmt: skip


def players_file(players: list[Entry]) -> pa.Table:
    standings = [entry.standing or Standing() for entry in players]
    quick = [entry.pools.get("quick", Standing()) for entry in players]
    counts = ("games", "wins", "draws", "losses")

    def extra(name: str, kind: pa.DataType) -> pa.Array:
        return pa.array([standing.extra.get(name) for standing in standings], kind)

    return pa.table(
        {
            "player": pa.array(range(len(players)), pa.int32()),
            "rating": pa.array([standing.rating for standing in standings], pa.float64()),
            **{name: pa.array([getattr(standing, name) for standing in standings], pa.int32())
               for name in counts},
            "status": pa.array([standing.status for standing in standings], pa.string()),
            "events": extra("events", pa.int32()),
            "peak": extra("peak", pa.float64()),
            "floor": extra("floor", pa.float64()),
            "olm": extra("olm", pa.bool_()),
            "fide": pa.array([entry.foreign.get("fide") for entry in players], pa.float64()),
            "cfc": pa.array([entry.foreign.get("cfc") for entry in players], pa.float64()),
            "quick": pa.array([standing.rating for standing in quick], pa.float64()),
            "quick_games": pa.array([standing.games for standing in quick], pa.int32()),
            "federation": pa.array([entry.federation for entry in players], pa.string()),
            "birth_date": pa.array([entry.birth_date for entry in players], pa.date32()),
            "adult": pa.array([entry.adult for entry in players], pa.bool_()),
        }
    )  # fmt: skip


def history(made: Made, book: BookOrSeries, *, compiled: bool) -> tuple[list[Row], Run]:
    """All rows, in the order of the batches and of the ids, and the run at its end."""
    run = Run(columns_of(made), Program(book, compiled))
    rows: list[Row] = []
    for some in run.batches():
        for place in range(len(some)):
            before, after, expected = (
                None if np.isnan(column[place]) else float(column[place])
                for column in (some.before, some.after, some.expected)
            )
            rows.append(
                (
                    int(some.batch[place]),
                    made.players[int(some.player[place])].id,
                    before,
                    after,
                    int(some.games[place]),
                    float(some.score[place]),
                    expected,
                )
            )
    return sorted(rows, key=lambda row: row[:2]), run


def report_of(event: Held, number: int, known: Mapping[str, Entry]) -> Report:
    """The report on a section, rated in the regular system."""
    games = event.sections[number]
    section = str(number)
    playing = sorted({player for game in games for player in (game.white, game.black)})
    head = SectionHead(
        section, number=number, pool=event.pool, time_control=event.time_control, kind=event.kind
    )
    return Report(
        Event(start=event.start, end=event.end, category=event.category, pool="regular"),
        tuple(known[player] for player in playing),
        tuple(
            Game(
                game.white,
                game.black,
                RESULTS[game.score],
                section=section,
                white_rated=bool(game.rated & 1),
                black_rated=bool(game.rated & 2),
            )
            for game in games
        ),
        (head,),
    )


def chain(made: Made, book: BookOrSeries) -> tuple[list[Row], dict[str, Entry]]:
    """The same rows from reports, each with what the one before left; a refused one has none."""
    known = {entry.id: entry for entry in made.players}
    rows: list[Row] = []
    batch = 0
    for _, event in sorted(enumerate(made.events), key=lambda item: (item[1].end, item[0])):
        for number in sorted(event.sections):
            rating = rate(report_of(event, number, known), book)
            refused = {f.code for f in rating.findings if f.severity.name in ("ERROR", "FATAL")}
            assert refused <= {"uscf.match-not-established", "uscf.match-difference"}, refused
            for row in sorted((rated.row for rated in rating.rows), key=lambda row: row.id):
                if not row.games:
                    continue
                rows.append(
                    (batch, row.id, row.before, row.after, row.games, row.score, row.expected)
                )
                known[row.id] = replace(known[row.id], standing=row.standing, history=row.history)
            batch += 1
    return rows, known


def matches_of(run: Run, player: int) -> list[Match]:
    """The matches that a history keeps of a player."""
    load = accessors(Match, int)[0]
    found, node = [], int(run.state.people.head[player])
    while node >= 0:
        found.append(load(run.state.room.kept, node))
        node = int(run.state.room.link[node])
    return found


def assert_same_end(run: Run, known: Mapping[str, Entry]) -> None:
    """The last standings are those of the last reports."""
    records = run.state.people.standings
    for place, row in enumerate(run.table().to_pylist()):
        entry, record = known[row["player"]], records[place]
        standing = entry.standing or Standing()
        if standing.status is StandingStatus.UNRATED or standing.rating is None:
            assert row["rating"] is None
            assert row["status"] == "unrated"
            continue
        assert row["rating"] == standing.rating
        if standing.games is not None:
            assert row["games"] == standing.games
        for name in ("wins", "draws", "losses"):
            count = getattr(standing, name)
            assert (None if record[name] < 0 else record[name]) == count
        assert matches_of(run, place) == [past_match(side) for side in entry.history]


@pytest.mark.parametrize(
    ("seed", "edition"), [(0, "uscf-2011"), (1, "uscf-2014"), (2, "uscf-2025")]
)
def test_a_history_is_the_chain_of_its_reports(seed: int, edition: str) -> None:
    made = made_history(seed)
    rows, run = history(made, BOOKS[edition], compiled=False)
    expected, known = chain(made, BOOKS[edition])
    assert rows == expected
    assert len(rows) > 300
    assert_same_end(run, known)


@pytest.mark.parametrize("first", [date(2012, 6, 1), date(2022, 1, 1)])
def test_a_history_of_several_editions_is_the_chain_of_its_reports(first: date) -> None:
    """Newcomers with a FIDE rating enter by the conversion of the edition, and of its day."""
    book = load("uscf")
    made = made_history(30, players=300, first=first)
    rows, run = history(made, book, compiled=False)
    expected, known = chain(made, book)
    assert rows == expected
    assert_same_end(run, known)


@pytest.mark.parametrize(
    ("end", "fide", "initial"),
    [
        # 20 + 1.02 · 1800, and 180 + 0.94 · 2100
        (date(2024, 2, 29), 1800, 1856.0),
        (date(2024, 2, 29), 2000, 2060.0),
        (date(2024, 2, 29), 2100, 2154.0),
        # −1073 + 1.5667 · 1800, and 20 + 1.02 · 2100
        (date(2024, 3, 1), 1800, 1747.06),
        (date(2024, 3, 1), 2000, 2060.4),
        (date(2024, 3, 1), 2100, 2162.0),
    ],
)
@pytest.mark.parametrize("name", ["uscf", "uscf-2023"])
def test_fide_ratings_are_converted_as_at_the_end_of_the_event(
    name: str, end: date, fide: int, initial: float
) -> None:
    """From March 2024 on by other lines; an established opponent who draws shows which.

    B has 2100 on 60 games: N* = 50 / √(0.662 + 0.00000739 · 469²) = 33.05, K = 800 / 34.05.
    He draws with A, who counts as R0 in Step 4; A, who draws, keeps near it: with N = 5 the
    special formula has (5 R0 + R) / 6, where R is the intermediate rating of B.
    """
    players = [Entry("A", foreign={"fide": fide}), Entry("B", standing=established(2100.0))]
    event = Held(end - timedelta(2), end, {1: [Played("A", "B", 1, 3)]})
    made = Made(players, [event])
    k = 800 / (50 / math.sqrt(0.662 + 0.00000739 * 469**2) + 1)
    of_b = 2100 + k * (0.5 - 1 / (1 + 10 ** ((initial - 2100) / 400)))
    after = float(round((5 * initial + of_b) / 6))
    rows = {row[1]: row[3] for row in history(made, load(name), compiled=False)[0]}
    assert rows["A"] == after
    reported = {row[1]: row[3] for row in chain(made, load(name))[0]}
    assert reported["A"] == after


def test_the_rulebooks_tell_of_the_conversion_of_march_2024() -> None:
    assert [(each.since, each.edition) for each in load("uscf").stages()][-3:] == [
        (date(2023, 2, 1), "uscf-2023"),
        (date(2024, 3, 1), "uscf-2023"),
        (date(2025, 1, 1), "uscf-2025"),
    ]
    last = [each.parameters for each in load("uscf").stages()][-2:]
    assert last[0]._replace(bonus=10.0, bonus_of_three=1) == last[1]


@pytest.mark.parametrize("edition", ["uscf-2011", "uscf-2025"])
def test_no_rating_is_no_published_one(edition: str) -> None:
    """The final table has a row for a player who never played, with nothing to publish."""
    day = date(2026, 1, 4)
    played = pa.table({"date": [day], "white": ["A"], "black": ["B"], "score": [1.0]})
    known = pa.table(
        {"id": ["A", "B", "Z"], "rating": [1500.0, 1500.0, None], "games": [40, 40, 0]}
    )
    idle = played.set_column(3, "score", pa.array([None], pa.float64()))
    games = pa.concat_tables([played, idle.set_column(1, "white", pa.array(["Z"]))])
    rated = rate_history(games, load(edition), players=known, compiled=False)
    told = {row["player"]: row for row in rated.ratings.to_pylist()}
    published = {player: row["published"] for player, row in told.items()}
    assert published == {player: row["rating"] is not None for player, row in told.items()}
    assert published["A"]
    assert not published["Z"]


@pytest.mark.parametrize(
    "setting",
    ["match_twice=true", "floors_in_matches=true", "start=printed", "assigned_games=special",
     "strong_k=true", "bonus=14"],
)  # fmt: skip
def test_so_it_is_under_other_readings(setting: str) -> None:
    book = uscf.uscf_2011.with_parameters(dict([setting.split("=")]))
    made = made_history(12)
    rows, run = history(made, book, compiled=False)
    expected, known = chain(made, book)
    assert rows == expected
    assert_same_end(run, known)
    assert rows != chain(made, uscf.uscf_2011)[0]


def test_the_histories_have_what_is_rare() -> None:
    """All kinds of events, limits of matches, floors lowered and risen again, the other system."""
    seen: dict[str, int] = defaultdict(int)
    for seed in range(4):
        made = made_history(seed)
        rows, known = chain(made, uscf.uscf_2011)
        seen["first"] += sum(row[2] is None for row in rows)
        seen["special"] += sum(row[6] is None for row in rows)
        seen["match"] += sum(bool(entry.history) for entry in known.values())
        matches = [past_match(side) for entry in known.values() for side in entry.history]
        seen["lowered"] += sum(match is not None and match.lowers_floor for match in matches)
        seen["limited"] += sum(match is not None and abs(match.change) == 50 for match in matches)
        seen["other"] += sum(event.time_control == "G/15" for event in made.events)
        seen["fide"] += sum(event.kind == "fide" for event in made.events)
    assert set(seen) == {"first", "special", "match", "lowered", "limited", "other", "fide"}
    assert min(seen.values()) > 3, dict(seen)


def test_compiled_and_plain_give_the_same_bits() -> None:
    """With matches and FIDE events; what else there is the check suite compiles."""
    made = made_history(22, events=150)
    plain, slow = history(made, BOOKS["uscf-2025"], compiled=False)
    fast, run = history(made, BOOKS["uscf-2025"], compiled=True)
    assert fast == plain
    assert run.state.people.standings.tobytes() == slow.state.people.standings.tobytes()
    assert run.table().equals(slow.table())


@pytest.mark.parametrize(
    ("event", "counts"),
    [
        (Event(), True),
        (Event(pool="quick"), False),
        (Event(pool="dual", time_control="G/15"), True),
        (Event(pool="Elo"), False),
        (Event(time_control="G/15"), False),
        (Event(time_control="G/45"), True),
        (Event(time_control="G/2"), False),
        (Event(time_control="until noon"), True),
    ],
)
def test_an_event_counts_in_its_system_only(event: Event, counts: bool) -> None:
    assert facts_of(event, uscf.uscf_2011.parameters).in_system is counts


def test_another_system_is_rated_if_so_set() -> None:
    p = uscf.uscf_2011.with_parameters({"pool": "quick"}).parameters
    assert p.pool == Pool.QUICK
    assert facts_of(Event(time_control="G/15"), p).in_system
    assert not facts_of(Event(time_control="G/90"), p).in_system
    assert facts_of(Event(time_control="G/45"), p).dual
    assert not facts_of(Event(time_control="G/15"), p).dual
    assert facts_of(Event(kind="Match"), p).kind == Kind.MATCH
    known = Known(quick=1500.0, quick_games=20, regular=1800.0, regular_games=30)
    how = Entered(NOT_GIVEN, NOT_GIVEN, False, NOT_GIVEN, 15000, Decisions(), NOT_GIVEN)
    entered = enter(standing_of(known, p), how, Facts(), p)
    assert (entered.rating, entered.games, entered.rated) == (1800.0, 10, False)


def test_the_games_of_a_provisional_player_who_has_none_on_file() -> None:
    p = uscf.uscf_2011.parameters
    assert standing_of(Known(rating=1500.0), p).games == 50
    assert standing_of(Known(rating=1500.0, status=PROVISIONAL), p).games == 25
    assert not standing_of(Known(rating=1500.0, status=UNRATED), p).rated


def by_calendar(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return date(day.year - years, 2, 28)


def test_the_same_day_some_years_before() -> None:
    for number in range(0, 40_000, 7):
        day = EPOCH + timedelta(number)
        assert years_before(number, 3) == day_number(by_calendar(day, 3)), day
    for year in range(1972, 2100, 4):
        leap = date(year, 2, 29)
        for years in (1, 3, 4, 8):
            earlier: Callable[[date, int], date] = by_calendar
            assert years_before(day_number(leap), years) == day_number(earlier(leap, years))


def test_who_has_no_rating_is_on_no_list():
    rating, games, status, published = listed(columns.Standing(), uscf.uscf_2017.parameters)
    assert math.isnan(rating)
    assert (games, status, published) == (0, UNRATED, False)
