"""What became of the ratings, beside the true strengths: inflation, newcomers, regions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ratingbook.lab.reform import Band, bands_of
from ratingbook.lab.simulate.run import Simulated

Array = np.ndarray[Any, Any]

TOP = 100
"""The best on the list whose mean is told."""
LEVEL = 50
"""Players within so many points of the mean strength of all count as of one strength."""
STEADY = 10
"""Whose strength has moved by no more points within a year is steady."""
RISING = 50
"""Whose strength has risen by so many points within a year is improving."""
AFTER = (5, 10, 20, 30, 50, 100, 200)
"""Games after which it is looked how well newcomers are known."""


@dataclass(frozen=True)
class Year:
    """The list at the end of a year (0: the first list), of those who played within a year of it.

    ``above`` is by how much ratings are above the true strengths, in points: it is what inflation
    means where strengths are known.  NaN where there is nobody.
    """

    year: int
    active: int
    rated: int
    """Those of them who have a published rating; the rest is about them."""
    rating: float
    strength: float
    above: float
    above_low: float
    """One in ten is less above than that, or further below."""
    above_high: float
    top_rating: float
    """Mean of the hundred best on the list."""
    top_strength: float
    level_rating: float
    """Mean rating of those whose true strength is about the mean of the scenario."""
    level_low: float
    level_high: float
    """Between these are eight of ten of them."""
    steady: int
    steady_above: float
    """``above`` of those whose strength has not moved within a year."""
    rising: int
    rising_above: float
    """``above`` of those who improve fast."""
    error: float
    """Of all games of the year: the root of the mean squared distance between the difference of
    the two ratings and that of the strengths.  A shift of all ratings does not enter it."""


@dataclass(frozen=True)
class Found:
    """How well newcomers are known when they have played so many games."""

    games: int
    players: int
    rated: float
    """Share of them who have a published rating."""
    above: float
    error: float
    """Root of the mean squared distance of rating and strength."""
    within: float
    """Share of all of them, rated or not, whose rating is within the distance asked for."""


@dataclass(frozen=True)
class FirstFound:
    """How long it takes until the rating of a newcomer is that near to the truth at last."""

    distance: int
    players: int
    """Newcomers with thirty games or more."""
    found: float
    """Share of them who get there."""
    games: float
    """Median over those who do."""
    games_late: float
    """One in ten takes longer."""
    lists: float
    """Median of the meets, from the first one played on."""


@dataclass(frozen=True)
class Group:
    """Players who have something in common, on the last list."""

    name: str
    players: int
    strength: float
    above: float


@dataclass(frozen=True)
class Summary:
    """A run in few numbers, for sweeps; the first quarter of the years is left out."""

    above: float
    """``above`` of the steady on the last list."""
    drift: float
    """By how many points that grows in ten years."""
    rising_above: float
    error: float
    newcomers: float
    """Error of newcomers after twenty games."""
    games: int


def _mean(values: Array) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _share(values: Array, share: float) -> float:
    return float(np.quantile(values, share)) if len(values) else float("nan")


def active_at(made: Simulated, meet: int) -> Array:
    """Who played in the year before a meet; before the first one, in the year after it."""
    span = made.world.meets
    last = max(meet, min(span, len(made.meets)))
    found: Array = made.played[last] > made.played[max(0, last - span)]
    return found


def years(made: Simulated) -> Iterator[Year]:
    """The lists at the ends of the years, the first one included."""
    for year in range(made.world.years + 1):
        yield year_of(made, year)


def year_of(made: Simulated, year: int) -> Year:
    """One of them."""
    meet = year * made.world.meets
    active = active_at(made, meet)
    rating, strength = made.ratings[meet].astype(float), made.strength(meet).astype(float)
    rated = active & np.isfinite(rating)
    above = (rating - strength)[rated]
    before = made.strength(max(0, meet - made.world.meets)).astype(float)
    moved = (strength - before)[rated]
    steady = np.abs(moved) <= STEADY
    # Before the first year nobody's strength of a year ago is known.
    rising = (moved >= RISING) if meet else np.zeros(len(moved), bool)
    best = np.argsort(-rating[rated], kind="stable")[:TOP]
    level = rated & (np.abs(strength - made.world.mean) <= LEVEL)
    return Year(
        year=year,
        active=int(active.sum()),
        rated=int(rated.sum()),
        rating=_mean(rating[rated]),
        strength=_mean(strength[rated]),
        above=_mean(above),
        above_low=_share(above, 0.1),
        above_high=_share(above, 0.9),
        top_rating=_mean(rating[rated][best]),
        top_strength=_mean(strength[rated][best]),
        level_rating=_mean(rating[level]),
        level_low=_share(rating[level], 0.1),
        level_high=_share(rating[level], 0.9),
        steady=int(steady.sum()),
        steady_above=_mean(above[steady]),
        rising=int(rising.sum()),
        rising_above=_mean(above[rising]),
        error=error_of(made, max(0, meet - made.world.meets), max(meet, 1)),
    )


def error_of(made: Simulated, first: int, last: int) -> float:
    """How wrong the differences of ratings were in the games of some meets; see :class:`Year`."""
    games, square, count = made.history.games, 0.0, 0
    for number in range(first, last):
        meet = made.meets[number]
        span = slice(meet.first_game, meet.first_game + meet.games)
        off = made.ratings[number].astype(float) - made.strength(number)
        wrong = off[games.white[span]] - off[games.black[span]]
        wrong = wrong[np.isfinite(wrong)]
        square += float(np.square(wrong).sum())
        count += len(wrong)
    return float(np.sqrt(square / count)) if count else float("nan")


def newcomers_known(made: Simulated, within: int) -> Iterator[Found]:
    """How well newcomers are known after so many games, on the first list after them."""
    new = slice(made.people.founders, None)
    played = made.played[:, new]
    columns = np.arange(played.shape[1])
    off = made.ratings[:, new] - np.array(
        [made.strength(number)[new] for number in range(len(made.meets) + 1)], np.float32
    ).reshape(played.shape)
    for games in AFTER:
        reached = (played >= games).any(axis=0)
        if not reached.any():
            return
        rows = np.argmax(played >= games, axis=0)
        found = off[rows, columns][reached].astype(float)
        known = found[np.isfinite(found)]
        yield Found(
            games=games,
            players=len(found),
            rated=len(known) / len(found),
            above=_mean(known),
            error=float(np.sqrt(_mean(np.square(known)))),
            within=int((np.abs(known) <= within).sum()) / len(found),
        )


def first_found(made: Simulated, within: int, least: int = 30) -> FirstFound:
    """When newcomers with ``least`` games or more are first known as well as that."""
    who = np.arange(made.people.founders, len(made.people))
    who = who[made.played[-1][who] >= least]
    games, lists = np.full(len(who), np.nan), np.full(len(who), np.nan)
    for number in range(len(made.meets) + 1):
        played = made.played[number][who]
        near = np.abs(made.ratings[number][who] - made.strength(number)[who]) <= within
        first = near & (played > 0) & np.isnan(games)
        games[first] = played[first]
        begun = (made.played[:, who[first]] > 0).argmax(axis=0)
        lists[first] = number - begun + 1
    known = np.isfinite(games)
    return FirstFound(
        distance=within,
        players=len(who),
        found=float(known.mean()) if len(who) else float("nan"),
        games=_share(games[known], 0.5),
        games_late=_share(games[known], 0.9),
        lists=_share(lists[known], 0.5),
    )


def groups(made: Simulated) -> Sequence[Group]:
    """Regions, and those who lose on purpose, where there are several and some."""
    rating, strength = made.ratings[-1].astype(float), made.strength(len(made.meets))
    counts = active_at(made, len(made.meets)) & np.isfinite(rating)
    people, found = made.people, list[tuple[str, Array]]()
    if made.world.regions > 1:
        found += [
            (f"region {number + 1}", people.region == number)
            for number in range(made.world.regions)
        ]
    if people.sandbags.any():
        found += [("lose on purpose", people.sandbags), ("all others", ~people.sandbags)]
    if people.junior.any():
        found += [("came as children", people.junior), ("came as adults", ~people.junior)]
    return tuple(
        Group(
            name, int((counts & some).sum()), _mean(strength[counts & some].astype(float)),
            _mean((rating - strength)[counts & some]),
        )
        for name, some in found
    )  # fmt: skip


def summary(made: Simulated) -> Summary:
    """The run in few numbers."""
    last, first = made.world.years, -(-made.world.years // 4)
    told = [year_of(made, year) for year in range(first, last + 1)]
    steady = np.array([each.steady_above for each in told])
    rising = np.array([each.rising_above for each in told])
    error = np.array([each.error for each in told])
    after = {each.games: each.error for each in newcomers_known(made, LEVEL)}
    slope = np.polyfit(np.arange(len(steady)), steady, 1)[0] if len(steady) > 1 else np.nan
    return Summary(
        above=float(steady[-1]),
        drift=float(10 * slope),
        rising_above=_mean(rising[np.isfinite(rising)]),
        error=float(np.sqrt(np.mean(np.square(error)))),
        newcomers=after.get(20, float("nan")),
        games=len(made.history.games),
    )


def reform_bands(without: Simulated, with_: Simulated) -> Sequence[Band]:
    """How the last lists differ of those who are active without the reform."""
    active = active_at(without, len(without.meets))
    return bands_of(
        without.ratings[-1][active].astype(float), with_.ratings[-1][active].astype(float)
    )
