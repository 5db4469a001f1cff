"""ICCF 2009 from the text of its eighteen items, in fractions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from random import Random

from tools.differential.common import Case, Path, half_up, is_half
from tools.differential.periods import Game, Player, cases, sought

EDITIONS = ("iccf-2009",)

HALF = Fraction(1, 2)

# Table 3, for 50 to 100 %; less than a half mirrors it.
D_OF_P = [0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
          149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309,
          322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 677]  # fmt: skip

# Table 4, as far as item 8 needs it: the last difference that has .50, .51 and so on to .89.
LAST_OF_PH = [3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137,
              145, 153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290,
              302, 315, 328, 344, 357]  # fmt: skip

# Item 12 by reading A17: who is reported until the day is on the list valid from the other one.
LISTS = [
    (date(2011, 2, 28), date(2011, 4, 1)),
    (date(2011, 5, 31), date(2011, 7, 1)),
    (date(2011, 8, 31), date(2011, 10, 1)),
]
ENDS = [end for end, _ in LISTS]

SETTINGS: list[dict[str, str]] = [
    {},
    {"p_mode": "exact_f", "limit": "none"},
    {},
    {"p_mode": "interpolate", "limit": "average", "own_rating": "r0"},
    {},
    {"p_mode": "percent_half_up", "brake": "or_equal", "tie": "half_even"},
]

TRIES = 20
"""So often a half is looked for, for every second player."""

LEVELS = [300, 1800, 2000, 2450]
RATINGS = [1, 9, 1336, 1790, 1999, 2000, 2001, 2234, 2310, 2399, 2400, 2401, 2555, 3996]
COUNTS = [0, 1, 7, 11, 12, 28, 29, 30, 31, 32, 79, 80, 81, 200]


@dataclass
class State:
    """A player as item 15 needs him: every game with both ratings at its beginning."""

    rating: int | None
    games: int
    earlier: list[tuple[int, int, int]] = field(default_factory=list)
    """Own and opponent's rating, and the half points."""
    lists: list[tuple[date, int | None]] = field(default_factory=list)
    """Since when which rating was in force; None: none, or one that no list has."""


def difference(percent: int) -> int:
    """Item 3."""
    return D_OF_P[percent - 50] if percent >= 50 else -D_OF_P[50 - percent]


def expected(own: int, opponent: int) -> Fraction:
    """Items 4 and 8."""
    far = min(350, abs(own - opponent))
    higher = Fraction(50 + bisect_left(LAST_OF_PH, far), 100)
    return higher if own >= opponent else 1 - higher


def in_percent(share: Fraction, p_mode: str) -> int:
    """Reading A1: a share as a whole percent."""
    percent = 100 * share
    return half_up(percent) if p_mode == "percent_half_up" else round(percent)


def item_5(games: list[tuple[int, int, int]], settings: Mapping[str, str]) -> Fraction:
    """R_p = R_c + D(p) · F."""
    p_mode, limit = settings.get("p_mode", "percent"), settings.get("limit", "each_opponent")
    count = len(games)
    opponents = [
        min(own + 350, max(own - 350, opponent)) if limit == "each_opponent" else opponent
        for own, opponent, _ in games
    ]
    average = Fraction(sum(opponents), count)
    if limit == "average":
        middle = Fraction(sum(own for own, _, _ in games), count)
        average = min(middle + 350, max(middle - 350, average))
    share = Fraction(sum(score for _, _, score in games), 2 * count)
    percent = in_percent(share, p_mode)
    d = Fraction(difference(percent))
    if p_mode == "interpolate":
        low = int(100 * share)
        rest = 100 * share - low
        d = Fraction(difference(low))
        if rest:
            d += rest * (difference(low + 1) - difference(low))
    p = share if p_mode in ("exact_f", "interpolate") else Fraction(percent, 100)
    return average + d * (-2 * p * p + 2 * p + HALF)


def coefficient(rating: int, games: int) -> Fraction:
    """Item 9."""
    r = Fraction(10) if rating >= 2400 else 70 - Fraction(max(2000, rating), 40)
    if games >= 80:
        return r
    return r * (Fraction(7, 5) - Fraction(max(30, games), 200))


def exact(state: State, games: list[tuple[int, int, int]], settings: Mapping[str, str]) -> Fraction:
    """Items 14 to 16 without the rounding."""
    if state.rating is None or state.games < 30:
        return item_5(state.earlier + games, settings)
    k = coefficient(state.rating, state.games)
    played = len(games)
    limit = 800 / k
    if played >= limit if settings.get("brake") == "or_equal" else played > limit:
        return item_5(games, settings)
    own_is_r0 = settings.get("own_rating") == "r0"
    total = sum(
        Fraction(score, 2) - expected(state.rating if own_is_r0 else own, opponent)
        for own, opponent, score in games
    )
    return state.rating + k * total


def listed(number: Fraction, settings: Mapping[str, str]) -> int:
    """Item 17, readings A3 and A32."""
    whole = round(number) if settings.get("tie") == "half_even" else half_up(number)
    return min(4000, max(1, whole))


def published(rating: int | None, games: int) -> int | None:
    """Readings A14 and A15: what a list brings is a rating of at least 12 games."""
    return rating if games >= 12 else None


def at_start(state: State, start: date, level: int) -> int:
    """Items 8 and 11: the rating of the list that was valid when the game began."""
    quarter = date(start.year, (start.month - 1) // 3 * 3 + 1, 1)
    rating = [rating for valid, rating in state.lists if valid <= quarter][-1]
    return level if rating is None else rating


def frozen(state: State, game: Game) -> tuple[int, int, int]:
    """A game with both ratings at its beginning."""
    level = game.level or 0
    opponent = level if game.opponent is None else game.opponent
    return at_start(state, game.start, level), opponent, game.score


def a_game(chance: Random, state: State, period: int, near: int) -> Game:
    """A game that ends in a period, of any length, against somebody not too far away."""
    end = ENDS[period] - timedelta(chance.randrange(59))
    start = end - timedelta(chance.choice([0, 20, 60, 130, 300]))
    opponent = near + chance.choice([0, 0, 350, -350, chance.randint(-420, 420)])
    level = chance.choice(LEVELS)
    own = at_start(state, start, level)
    return Game(
        None if chance.random() < 0.1 else min(4000, max(1, opponent)),
        chance.randrange(3),
        start,
        end,
        as_white=chance.random() < 0.5,
        level=level,
        own=None if own == state.lists[-1][1] else own,
    )


def counts(chance: Random, state: State) -> int:
    """How many games: often few, and sometimes just at the limit of item 16."""
    if chance.random() < 0.8 or state.rating is None or state.games < 30:
        return chance.choice([1, 1, 2, 2, 3, 4, 5, 8, 13, 34 if chance.random() < 0.1 else 6])
    return int(800 / coefficient(state.rating, state.games)) + chance.choice([0, 0, 1])


def a_period(
    chance: Random, state: State, period: int, settings: Mapping[str, str], tries: int
) -> list[Game]:
    """The games of a period; ``tries`` says how long some are looked for that come to a half."""
    near = state.rating or chance.choice(LEVELS)
    count = counts(chance, state)
    return sought(
        lambda: [a_game(chance, state, period, near) for _ in range(count)],
        lambda games: is_half(exact(state, [frozen(state, game) for game in games], settings)),
        tries,
    )


def a_player(chance: Random, settings: Mapping[str, str], tries: int) -> Player:
    """A player through the periods."""
    rating = chance.choice([None, chance.choice(RATINGS), chance.randint(1500, 2600)])
    games = 0 if rating is None else chance.choice(COUNTS)
    standing = {} if rating is None else {"rating": rating, "games": games}
    drawn = [(rating, rating, 1)] * games if rating is not None and games < 30 else []
    history = [{"own": own, "opponent": other, "score": 0.5} for own, other, _ in drawn]
    player = Player(dict(standing), history)
    # The rating of a standing is in force, whatever it rests on (reading A14).
    state = State(rating, games, list(drawn), [(date.min, rating)])
    for period, (_, valid) in enumerate(LISTS):
        found = a_period(chance, state, period, settings, tries)
        sides = [frozen(state, game) for game in found]
        number = exact(state, sides, settings)
        before, state.rating = state.rating, listed(number, settings)
        state.earlier += sides
        state.games += len(sides)
        state.lists.append((valid, published(state.rating, state.games)))
        player.add(found, before, state.rating, tie=is_half(number))
    return player


def compare(edition: str, path: Path, players: int, seed: int) -> Iterator[Case]:
    """Players of three periods each, for half of them ties are looked for."""
    chance = Random(f"{edition} {seed}")
    left = players
    turn = 0
    while left > 0:
        settings = SETTINGS[turn % len(SETTINGS)]
        some = [
            a_player(chance, settings, TRIES * (number % 2))
            for number in range(max(1, min(200, players // (len(LISTS) * len(SETTINGS)))))
        ]
        yield from cases(some, edition, path, settings, ENDS)
        left -= len(LISTS) * len(some)
        turn += 1
