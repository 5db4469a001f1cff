"""Whole events at random, against the independent program."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from ratingbook.rules.uscf import (
    uscf_2011,
    uscf_2013,
    uscf_2014,
    uscf_2015,
    uscf_2017,
    uscf_2023,
    uscf_2025,
)

EDITIONS = (uscf_2011, uscf_2013, uscf_2014, uscf_2015, uscf_2017, uscf_2023, uscf_2025)
RESULTS = {0.0: "0-1", 0.5: "1/2-1/2", 1.0: "1-0"}
BONUS = {2011: 6, 2013: 8, 2014: 10, 2015: 12, 2017: 14, 2023: 12, 2025: 10}


@pytest.mark.parametrize("book", EDITIONS, ids=lambda book: book.name)
def test_editions_are_registered(book: RuleBook):
    assert registry.load(book.name) is book
    assert book.parameters.bonus == BONUS[int(book.name.removeprefix("uscf-"))]


def test_editions_follow_one_another():
    for book, later in pairwise(EDITIONS):
        assert book.valid_until is not None
        assert later.valid_from is not None
        assert (later.valid_from - book.valid_until).days == 1
    assert EDITIONS[-1].valid_until is None


def _results_of(chance: random.Random, games: int) -> dict[str, int]:
    """Totals of results: nothing but wins, nothing but losses, mixed, or not given."""
    kind = chance.choice(("wins", "losses", "mixed", "none"))
    if kind == "none":
        return {}
    if kind != "mixed":
        return {"wins": 0, "draws": 0, "losses": 0, kind: games}
    wins = chance.randint(0, games)
    draws = chance.randint(0, games - wins)
    return {"wins": wins, "draws": draws, "losses": games - wins - draws}


def _drawn(chance: random.Random, book: Any, program: Any) -> tuple[list[Any], list[Any]]:
    """Players of all sorts, once as a report has them and once for the other program."""
    p = book.parameters
    players: list[Any] = []
    others: list[Any] = []
    for n in range(chance.randint(2, 7)):
        kind = chance.choice(("decided", "fide", "rated", "rated", "rated"))
        if kind == "decided":
            rating = chance.choice((406, 750, 900.5, 1300))
            decisions = {"initial_rating": rating, "reason": "drawn at random"}
            players.append({"id": str(n), "decisions": decisions})
            others.append(program.Player(rating, 0, False))
        elif kind == "fide":
            fide = chance.randint(1500, 2600)
            low, high = (p.fide_low, p.fide_low_slope), (p.fide_high, p.fide_high_slope)
            base, slope = low if fide <= 2000 else high
            players.append({"id": str(n), "foreign": {"fide": fide}})
            others.append(program.Player(base + slope * fide, 10 if fide > 2150 else 5, False))
        else:
            rating = chance.randint(100, 2700)
            games = chance.choice((chance.randint(0, 10), chance.randint(0, 60)))
            results = _results_of(chance, games)
            players.append(
                {"id": str(n), "standing": {"rating": rating, "games": games, **results}}
            )
            others.append(program.Player(rating, games, True, **results))
    return players, others


def _floor(player: Any, results: list[float]) -> float:
    """The floor of a drawn player: personal, or by the rating of before as peak."""
    wins = (player.wins or 0) + results.count(1.0)
    draws = (player.draws or 0) + results.count(0.5)
    personal = min(100 + 4 * wins + 2 * draws + (len(results) >= 3), 150)
    level = (player.rating - 200) // 100 * 100
    if player.rated and player.games >= 26 and level >= 1200:
        return float(min(level, 2100))
    return personal


@pytest.mark.parametrize("book", EDITIONS, ids=lambda book: book.name)
def test_an_independent_program_agrees(book: Any, text_of_2011: Any, rows_uscf: Callable[..., Any]):
    chance = random.Random(book.name)
    rules = text_of_2011.Rules(
        curve=2011 if book is uscf_2011 else 2013,
        bonus=book.parameters.bonus,
        once_of_three=book is uscf_2025,
    )
    for _ in range(120):
        players, others = _drawn(chance, book, text_of_2011)
        played = []
        for _ in range(chance.randint(1, 3 * len(players))):
            one, other = chance.sample(range(len(players)), 2)
            played.append((one, other, chance.choice((0.0, 0.5, 1.0))))
        games = [
            {"round": n, "white": str(one), "black": str(other), "result": RESULTS[score]}
            for n, (one, other, score) in enumerate(played, 1)
        ]
        rows = rows_uscf(players, games, book.name, time_control="G/120")
        for n, expected in enumerate(text_of_2011.rate(others, played, rules)):
            found = rows[str(n)].exact
            if expected is None:
                assert found == (others[n].rating if others[n].rated else None)
                continue
            results = [s for a, _, s in played if a == n] + [1 - s for _, b, s in played if b == n]
            assert found == pytest.approx(max(expected, _floor(others[n], results)), abs=1e-6)
