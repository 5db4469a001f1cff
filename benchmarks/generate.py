"""A rated history of any size, made up: games and players as Parquet files.

``python -m benchmarks.generate OUT.parquet --games 20000000 --players 200000 --periods 120``

Players have a latent strength, play events against others of similar strength in
periods of two months from 1 July 1992, which are those of FIDE's lists for twenty
years, and some play far more than others.  The games are written in the order of
``ratingbook history`` (end of the event, event, section, round), the players beside
them as ``OUT.players.parquet``.

``--shape events``: events of 24 to 36 players, 7 to 9 rounds, 2 to 9 days.
``--shape sections``: sections of exactly 30 players and 5 rounds, several to an
event, for rule books that rate by section.

The files are encoded plainly and not compressed, which reads fastest; ``--dictionary``
writes dictionary pages instead.  Ids as text (``--text-ids``) are always dictionary
columns.  The same options give the same games; a period is made at a time, so a
hundred million games need little memory.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

FIRST_DAY = date(1992, 7, 1)
"""A hundred and twenty periods later, in July 2012, lists began to appear every month."""
MONTHS = 2
"""Length of a period."""
SECTION_PLAYERS, SECTION_ROUNDS = 30, 5
FEWEST_PLAYERS = 10
"""Of an event: nine rounds need nine opponents."""
WINDOWS = 6
"""A period is cut into windows in which a player plays one event at most."""
LONGEST = 9
"""Days of an event."""
ROW_GROUP = 1 << 20
HIGHEST = 2850
SPREAD = 60.0
"""How far a rating, and the choice of an event, is off the latent strength."""
EXPECTED = np.array([1 / (1 + 10 ** (-d / 400)) for d in range(-1000, 1001)])
"""Expected score of White, by the difference of strengths + 1000."""
WHITE_ADVANTAGE = 35
ENTRIES_PER_GAME = 0.27
"""For a first guess: a player has 7.5 games in an event, and a game has two players."""
TRIES = 40

GAMES = pa.schema(
    [
        ("date", pa.date32()),
        ("start", pa.date32()),
        ("event", pa.int32()),
        ("round", pa.int16()),
        ("white", pa.int32()),
        ("black", pa.int32()),
        ("score", pa.float32()),
    ]
)
SECTION = pa.field("section", pa.int32())


@dataclass(frozen=True)
class Plan:
    """What is to be made."""

    games: int
    players: int
    periods: int = 120
    shape: str = "events"
    """``events`` or ``sections``."""
    seed: int = 1
    rated: float = 0.97
    """Share of the players who have a rating; the others are newcomers."""
    lowest: int = 1200
    """Nobody's strength or rating is below."""

    def __post_init__(self) -> None:
        if self.shape not in {"events", "sections"}:
            raise ValueError(f"no shape {self.shape!r}: events or sections")
        if self.games < 1 or self.periods < 1:
            raise ValueError("at least one game and one period")
        fewest = SECTION_PLAYERS if self.shape == "sections" else FEWEST_PLAYERS
        if self.players < fewest:
            raise ValueError(f"at least {fewest} players")
        if not 0 <= self.rated <= 1:
            raise ValueError("the share of rated players is between 0 and 1")
        if not 0 < self.lowest < 1800:
            raise ValueError("the lowest strength is between 1 and 1799")

    @property
    def schema(self) -> pa.Schema:
        """Of the games, with ids as numbers."""
        return GAMES.insert(3, SECTION) if self.shape == "sections" else GAMES

    def quotas(self) -> list[int]:
        """Games of each period; sections are complete but for the last one of all."""
        unit = SECTION_PLAYERS // 2 * SECTION_ROUNDS if self.shape == "sections" else 1
        units, rest = divmod(self.games, unit)
        each, more = divmod(units, self.periods)
        quotas = [(each + (period < more)) * unit for period in range(self.periods)]
        quotas[-1] += rest
        return quotas


@dataclass(frozen=True)
class Field:
    """All players; the code of a player is the index."""

    strength: Ints
    weight: Floats
    """How much one plays."""
    debut: Ints
    """The first period in which one plays."""
    rated: npt.NDArray[np.bool_]
    rating: Ints
    games: Ints
    """Rated games before the first period."""
    birth: Ints
    """Days from 1970."""


@dataclass(frozen=True)
class Units:
    """The events or sections of a period, in the order of the games."""

    players: Ints
    """Positions of the players' first entries in the period's list of entries."""
    size: Ints
    rounds: Ints
    games: Ints
    event: Ints
    """From 0 within the period."""
    section: Ints
    start: Ints
    """Days since the first day of the period."""
    end: Ints


def first_day(period: int) -> int:
    """The day on which a period begins, as Parquet counts days (from 1970)."""
    years, months = divmod(FIRST_DAY.month - 1 + MONTHS * period, 12)
    return (date(FIRST_DAY.year + years, months + 1, 1) - date(1970, 1, 1)).days


def make_field(plan: Plan, rng: np.random.Generator) -> Field:
    """The players, strong and weak, keen and lazy."""
    count = plan.players
    strength = rng.normal(1800, 300, count)
    while (outside := (strength < plan.lowest) | (strength > HIGHEST)).any():
        strength[outside] = rng.normal(1800, 300, int(outside.sum()))
    rated = np.zeros(count, dtype=np.bool_)
    rated[rng.permutation(count)[: round(plan.rated * count)]] = True
    # Newcomers come in the course of time; where most are new, most are there at once.
    late = ~rated & (rng.random(count) < plan.rated)
    debut = np.where(late, rng.integers(0, plan.periods, count), 0)
    age = 6 + np.minimum(rng.gamma(2.2, 13, count), 84)
    birth = first_day(0) + (debut * 61 - age * 365.25).astype(np.int64)
    rating = np.clip(np.rint(strength + rng.normal(0, SPREAD, count)), plan.lowest, HIGHEST)
    games = np.minimum(rng.lognormal(4.2, 1.1, count), 5000) + 9
    return Field(
        strength=np.rint(strength).astype(np.int64),
        weight=rng.lognormal(0, 1.0, count),
        debut=debut,
        rated=rated,
        rating=rating.astype(np.int64),
        games=np.where(rated, games, 0).astype(np.int64),
        birth=birth,
    )


def grade_names(strength: Ints) -> npt.NDArray[np.str_]:
    """The nearest grade: 2100 = 1d, 100 points a grade, 20k to 7d."""
    names = np.array([f"{k}k" for k in range(20, 0, -1)] + [f"{d}d" for d in range(1, 8)])
    return names[np.clip((strength - 2050) // 100 + 20, 0, len(names) - 1)]


def circle(size: int, rounds: int) -> tuple[Ints, Ints]:
    """White and Black of each game: everyone plays in each round, nobody meets twice."""
    fixed = size - 1
    white, black = [], []
    for number in range(rounds):
        pairs = [(fixed, number % fixed)] if number % 2 else [(number % fixed, fixed)]
        for step in range(1, size // 2):
            pair = (number + step) % fixed, (number - step) % fixed
            pairs.append(pair if step % 2 else pair[::-1])
        white += [first for first, _ in pairs]
        black += [second for _, second in pairs]
    return np.array(white, dtype=np.int64), np.array(black, dtype=np.int64)


def draw_entries(
    field: Field,
    active: Ints,
    cumulated: Floats,
    windows: int,
    wanted: int,
    rng: np.random.Generator,
) -> tuple[Ints, Ints]:
    """Player and window of each entry, by window and then by strength.

    Nobody has two entries in a window.
    """
    drawn = np.searchsorted(cumulated, rng.random(wanted) * cumulated[-1], side="right")
    times = np.minimum(np.bincount(drawn, minlength=len(active)), windows)
    index = np.repeat(np.arange(len(active)), times)
    nth = np.arange(len(index)) - np.repeat(np.cumsum(times) - times, times)
    window = (nth + rng.integers(0, windows, len(active))[index]) % windows
    players = active[index]
    near = field.strength[players] + rng.normal(0, SPREAD, len(players))
    order = np.argsort(window * 1e5 + near)
    return players[order], window[order]


def cut(count: int, shape: str, rng: np.random.Generator) -> Ints:
    """Sizes of the events into which the entries of one window are cut; a rest stays out."""
    if shape == "sections":
        return np.full(count // SECTION_PLAYERS, SECTION_PLAYERS)
    sizes = rng.integers(12, 19, count // 24 + 1) * 2
    sizes = sizes[np.cumsum(sizes) <= count]
    rest = (count - int(sizes.sum())) // 2 * 2
    return np.append(sizes, rest) if rest >= FEWEST_PLAYERS else sizes


def draw_units(
    window: Ints, windows: int, quota: int, days: int, shape: str, rng: np.random.Generator
) -> Units | None:
    """Events for just so many games; None if the entries do not suffice."""
    bounds = np.searchsorted(window, np.arange(windows + 1))
    all_sizes, all_firsts, all_windows = [], [], []
    for number in range(windows):
        sizes = cut(int(bounds[number + 1] - bounds[number]), shape, rng)
        all_sizes.append(sizes)
        all_firsts.append(bounds[number] + np.cumsum(sizes) - sizes)
        all_windows.append(np.full(len(sizes), number))
    size, first, of_window = (np.concatenate(x) for x in (all_sizes, all_firsts, all_windows))
    rounds = (
        np.full(len(size), SECTION_ROUNDS)
        if shape == "sections"
        else np.minimum(rng.integers(7, 10, len(size)), size - 1)
    )
    games = size // 2 * rounds
    # Too many were made: any of them may be left out, and the last one kept ends early.
    kept = rng.permutation(len(size))
    enough = int(np.searchsorted(np.cumsum(games[kept]), quota)) + 1
    if enough > len(kept):
        return None
    last = kept[enough - 1]
    games[last] -= int(games[kept[:enough]].sum()) - quota
    kept = np.sort(kept[:enough])
    size, first, of_window, rounds, games = (
        column[kept] for column in (size, first, of_window, rounds, games)
    )
    event, section = group(of_window, shape, rng)
    events = int(event[-1]) + 1
    length = days // windows
    longest = min(LONGEST, length)
    duration = rng.integers(min(2, longest), longest + 1, events)
    shift = (rng.random(events) * (length - duration + 1)).astype(np.int64)
    in_window = of_window[np.searchsorted(event, np.arange(events))]
    start = in_window * length + shift
    end = start + duration - 1
    # Events are numbered in the order of their ends.
    place = np.empty(events, dtype=np.int64)
    place[np.argsort(end, kind="stable")] = np.arange(events)
    order = np.lexsort((section, place[event]))
    event, section = event[order], section[order]
    return Units(
        players=first[order],
        size=size[order],
        rounds=rounds[order],
        games=games[order],
        event=place[event],
        section=section,
        start=start[event],
        end=end[event],
    )


def group(of_window: Ints, shape: str, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Event of each unit, and its section from 1; sections of an event share a window."""
    count = len(of_window)
    if shape != "sections":
        return np.arange(count), np.ones(count, dtype=np.int64)
    opens = rng.random(count) < 0.25
    opens[0] = True
    opens[1:] |= of_window[1:] != of_window[:-1]
    event = np.cumsum(opens) - 1
    return event, np.arange(count) - np.flatnonzero(opens)[event] + 1


def pair(units: Units, entries: Ints, rng: np.random.Generator) -> tuple[Ints, Ints, Ints]:
    """White, Black and round of every game."""
    total = int(units.games.sum())
    white, black, round_ = (np.empty(total, dtype=np.int64) for _ in range(3))
    offset = np.cumsum(units.games) - units.games
    for size, rounds in sorted(set(zip(units.size.tolist(), units.rounds.tolist(), strict=True))):
        here = np.flatnonzero((units.size == size) & (units.rounds == rounds))
        seats = entries[units.players[here][:, None] + np.arange(size)]
        seats = rng.permuted(seats, axis=1)
        first, second = circle(size, rounds)
        number = np.arange(len(first))
        played = number < units.games[here][:, None]
        rows = (offset[here][:, None] + number)[played]
        white[rows] = seats[:, first][played]
        black[rows] = seats[:, second][played]
        round_[rows] = np.broadcast_to(number // (size // 2) + 1, played.shape)[played]
    return white, black, round_


def scores(
    white: Ints, black: Ints, strength: Ints, rng: np.random.Generator
) -> npt.NDArray[np.float32]:
    """Results; the stronger and the nearer the players, the more draws."""
    own, other = strength[white], strength[black]
    expected = EXPECTED[np.clip(own - other + WHITE_ADVANTAGE, -1000, 1000) + 1000]
    level = np.clip(((own + other) * 0.5 - 1300) / 2400, 0.03, 0.55)
    half = level * np.minimum(expected, 1 - expected)
    luck = rng.random(len(white))
    halves: npt.NDArray[np.float32] = (luck < expected - half).astype(np.float32)
    halves += luck < expected + half
    halves *= 0.5
    return halves


def periods(plan: Plan, field: Field, rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    """The columns of one period after the other."""
    events = 0
    for period, quota in enumerate(plan.quotas()):
        if quota == 0:
            continue
        day = first_day(period)
        days = first_day(period + 1) - day
        active = np.flatnonzero(field.debut <= period)
        wanted = int(quota * ENTRIES_PER_GAME * (1.5 if plan.shape == "sections" else 1)) + 30
        windows = max(WINDOWS, int(2 * wanted / len(active)))
        cumulated = np.cumsum(field.weight[active])
        units = None
        for _ in range(TRIES):
            if windows > days // 2:
                break
            entries, window = draw_entries(field, active, cumulated, windows, wanted, rng)
            units = draw_units(window, windows, quota, days, plan.shape, rng)
            if units is not None:
                break
            wanted = int(wanted * 1.25)
        if units is None:
            raise ValueError(
                f"{len(active)} players are too few for {quota} games in {days} days: "
                "ask for more players, more periods or fewer games"
            )
        white, black, round_ = pair(units, entries, rng)
        of_unit = np.repeat(np.arange(len(units.games)), units.games)
        columns = {
            "date": (units.end + day)[of_unit],
            "start": (units.start + day)[of_unit],
            "event": (units.event + events + 1)[of_unit],
            "section": units.section[of_unit],
            "round": round_,
            "white": white,
            "black": black,
            "score": scores(white, black, field.strength, rng),
        }
        events += int(units.event[-1]) + 1
        yield columns


def arrow_table(columns: dict[str, Any], schema: pa.Schema, names: pa.Array | None) -> pa.Table:
    """One period as a table, with the players' names for their codes where there are any."""
    arrays = []
    for field in schema:
        values = columns[field.name]
        if pa.types.is_dictionary(field.type):
            codes = pa.array(values.astype(np.int32))
            arrays.append(pa.DictionaryArray.from_arrays(codes, names))
        elif pa.types.is_date32(field.type):
            arrays.append(pa.array(values.astype(np.int32)).cast(field.type))
        else:
            arrays.append(pa.array(values.astype(field.type.to_pandas_dtype())))
    return pa.Table.from_arrays(arrays, schema=schema)


def encoding(schema: pa.Schema, dictionary: bool) -> dict[str, Any]:
    """What the Parquet writer is told."""
    text = [field.name for field in schema if pa.types.is_dictionary(field.type)]
    return {
        "compression": "none",
        "use_dictionary": True if dictionary else text or False,
        # Else a long list of ids would fall back to plain text.
        "dictionary_pagesize_limit": 1 << 28,
    }


def players_path(games: Path) -> Path:
    """Where the players of a file of games are written."""
    return games.with_name(games.name.removesuffix(".parquet") + ".players.parquet")


def write_players(path: Path, field: Field, names: pa.Array | None, dictionary: bool) -> None:
    """The players' file; a newcomer's rating is null."""
    level = np.where(field.rated, field.rating, field.strength)
    table = pa.table(
        {
            "id": pa.array(np.arange(len(level), dtype=np.int32)) if names is None else names,
            "rating": pa.array(field.rating.astype(np.int32), mask=~field.rated),
            "games": pa.array(field.games.astype(np.int32)),
            "birth_date": pa.array(field.birth.astype(np.int32)).cast(pa.date32()),
            "grade": pa.array(grade_names(level).tolist(), pa.string()),
        }
    )
    pq.write_table(table, path, **encoding(table.schema, dictionary))


def generate(path: Path, plan: Plan, *, text_ids: bool = False, dictionary: bool = False) -> None:
    """Write the games, and the players beside them.

    Raises ValueError for a plan that no players could fulfil.
    """
    rng = np.random.default_rng(plan.seed)
    field = make_field(plan, rng)
    schema, names = plan.schema, None
    if text_ids:
        width = max(7, len(str(plan.players - 1)))
        names = pa.array([f"p{number:0{width}d}" for number in range(plan.players)])
        for name in ("white", "black"):
            column = pa.field(name, pa.dictionary(pa.int32(), pa.string()))
            schema = schema.set(schema.get_field_index(name), column)
    write_players(players_path(path), field, names, dictionary)
    with pq.ParquetWriter(path, schema, **encoding(schema, dictionary)) as writer:
        waiting: list[pa.Table] = []
        rows = 0
        for columns in periods(plan, field, rng):
            waiting.append(arrow_table(columns, schema, names))
            rows += waiting[-1].num_rows
            if rows >= ROW_GROUP:
                writer.write_table(pa.concat_tables(waiting), row_group_size=rows)
                waiting, rows = [], 0
        if waiting:
            writer.write_table(pa.concat_tables(waiting), row_group_size=rows)


def main() -> None:
    """Write the files and say how large they are and how long it took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("out", type=Path, metavar="OUT.parquet")
    parser.add_argument("--games", type=int, default=20_000_000)
    parser.add_argument("--players", type=int, default=200_000)
    parser.add_argument("--periods", type=int, default=120, help="of two months, from July 1992")
    parser.add_argument("--shape", choices=["events", "sections"], default="events")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--rated", type=float, default=0.97, help="share of the players who have a rating"
    )
    parser.add_argument(
        "--lowest", type=int, default=1200, help="lowest strength; FIDE's lists of 2009 end there"
    )
    parser.add_argument("--text-ids", action="store_true", help="ids as p0001234")
    parser.add_argument(
        "--dictionary", action="store_true", help="dictionary pages instead of plain encoding"
    )
    options = parser.parse_args()
    began = time.perf_counter()
    try:
        plan = Plan(
            games=options.games,
            players=options.players,
            periods=options.periods,
            shape=options.shape,
            seed=options.seed,
            rated=options.rated,
            lowest=options.lowest,
        )
        generate(options.out, plan, text_ids=options.text_ids, dictionary=options.dictionary)
    except ValueError as problem:
        parser.error(str(problem))
    seconds = time.perf_counter() - began
    print(
        f"{options.out}: {plan.games:,} games of {plan.players:,} players in {plan.periods} "
        f"periods, {options.out.stat().st_size / 2**20:,.0f} MiB, "
        f"{'dictionary' if options.dictionary else 'plain'} encoding, not compressed, "
        f"{seconds:.1f} s"
    )


if __name__ == "__main__":
    main()
