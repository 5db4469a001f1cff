"""The ways with the least and the greatest rating are those of all ways in which games can end."""

from __future__ import annotations

import random
from datetime import date
from itertools import product

import pytest

from ratingbook.desk.extremes import extreme_ways
from ratingbook.desk.planned import planned
from ratingbook.desk.whatif import Asker, event_of, of_games, player_of
from ratingbook.rules import registry
from ratingbook.rules.series import BookOrSeries

EVENT = event_of({}, date(2026, 5, 1))
NEAR = {"high": "1510", "k_high": "10"}
"""A K that changes where the rating is."""


def edition(name: str, settings: dict[str, str] | None = None):
    book: BookOrSeries = registry.load(name)
    made = book.with_parameters(settings) if settings else book
    return made.edition(EVENT.end).on(EVENT.end).estimating()


def ends(book, entry, games) -> dict[int, tuple[float, float]]:
    """By half points what the ways come to that were found."""
    varied = [at for at, game in enumerate(games) if game.half_points is None]
    found = {}
    for half, ways in extreme_ways(book, entry, games, EVENT).items():
        numbers = []
        for way in ways:
            scored = list(games)
            for at, score in zip(varied, way, strict=True):
                scored[at] = games[at]._replace(half_points=score)
            assert sum(way) == half
            made = of_games(book, entry, scored, EVENT, explain=False, ages=False)
            numbers += [each.after for each in made.outcomes if each.after is not None]
        found[half] = (min(numbers), max(numbers))
    return found


def in_every_way(book, entry, games) -> dict[int, tuple[float, float]]:
    answer = of_games(book, entry, games, EVENT, explain=False, ages=False)
    return {
        each.half_points: (each.least, each.greatest) for each in answer.scores()
        if each.least is not None and each.greatest is not None
    }  # fmt: skip


@pytest.mark.parametrize(("name", "settings"), [*((name, None) for name in registry.names()),
                                                ("elo", NEAR)])  # fmt: skip
def test_no_way_is_below_the_least_or_above_the_greatest(name, settings):
    book, chance = edition(name, settings), random.Random(f"{name} {settings}")
    for _ in range(6):
        low, high = book.rating_range
        near = [each for each in range(1200, 1900, 7) if low <= each <= high]
        said = Asker(rating=float(chance.choice(near)), games=chance.choice([3, 12, 40]))
        entry, _ = player_of(said, book)
        texts = [
            f"{chance.choice(near)}={chance.choice(['?', '?', '?', '1', '0.5', '0'])}"
            for _ in range(4)
        ]
        games = [planned(text, number, book) for number, text in enumerate(texts, 1)]
        every = in_every_way(book, entry, games)
        if every:
            assert ends(book, entry, games) == every, texts


@pytest.mark.parametrize(("high", "within"), [(10_000, 1e-6), (1510, 1.0)])
def test_of_more_games_than_the_command_tries_the_ends_are_found_game_by_game(high, within):
    """Exactly where K is one for all; else so nearly as the parts lie near each other."""
    book, chance = edition("elo", {"high": str(high), "k_high": "10"}), random.Random(8)
    entry, _ = player_of(Asker(rating=1501.0, games=12), book)
    opponents = [chance.randrange(1100, 1900) for _ in range(8)]
    games = [planned(f"{each}=?", number, book) for number, each in enumerate(opponents, 1)]
    every: dict[int, list[float]] = {}
    for way in product((0, 1, 2), repeat=len(opponents)):
        rating = 1501.0
        for other, half in zip(opponents, way, strict=True):
            k = 10 if rating >= high else 20
            rating += k * (half / 2 - 1 / (1 + 10 ** ((other - rating) / 400)))
        every.setdefault(sum(way), []).append(rating)
    found = ends(book, entry, games)
    assert found.keys() == every.keys()
    for half, (least, greatest) in found.items():
        assert least == pytest.approx(min(every[half]), abs=within)
        assert greatest == pytest.approx(max(every[half]), abs=within)
