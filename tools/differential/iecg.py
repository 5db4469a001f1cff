"""IECG 1.7 from the text of its sections I to VII, in 50-digit decimals.

Fractions stay fractions: P(0) = 1/2, P(400) = 10/11, D(1/2) = 0 and the ends of D.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cache
from random import Random

from tools.differential.common import CONTEXT, NEAR, Case, Path, decimal, half_up, is_half
from tools.differential.periods import Game, Player, cases, sought

EDITIONS = ("iecg-1999",)

HALF = Fraction(1, 2)

ENDS = [date(1999, 2, 28), date(1999, 4, 30), date(1999, 6, 30)]
"""II.1: periods of two months."""

SETTINGS: list[dict[str, str]] = [
    {},
    {"provisional_games": "period", "tie": "half_even"},
    {},
    {"cutoff_reference": "ter", "cutoff": "800"},
    {},
    {"cutoff_reference": "list", "cutoff": "200", "established_games": "20", "ter_games": "4"},
]

TRIES = 60
"""So often a half is looked for, for every second player."""

RATINGS = [3, 399, 800, 1999, 2000, 2001, 2300, 2399, 2400, 2401, 3995]
ELEVENTHS = [2052, 2096, 2140, 2184, 2228, 2272, 2360]
"""Here r is a multiple of 1.1, and comes to halves with the elevenths of P(400)."""
COUNTS = [0, 14, 15, 16, 29, 30, 31, 60, 79, 80, 81, 300]
FEW = [1, 5, 6, 9, 10, 13, 14]


@dataclass
class State:
    """A player as the text knows him; ``earlier`` are opponents as they counted, and scores."""

    kind: str
    rating: int
    games: int
    starting: int
    ter: int
    earlier: list[tuple[int, int]] = field(default_factory=list)


@cache
def probability(difference: int) -> Fraction:
    """I.3; a fraction to 50 digits where it is none."""
    if difference % 400 == 0:
        return 1 / (1 + Fraction(10) ** (-difference // 400))
    power = CONTEXT.power(Decimal(10), decimal(Fraction(-difference, 400)))
    return Fraction(CONTEXT.divide(Decimal(1), CONTEXT.add(Decimal(1), power)))


@cache
def rating_change(share: Fraction) -> Fraction:
    """I.4; a fraction to 50 digits where it is none."""
    if share in (0, 1):
        return Fraction(800 if share else -800)
    odds = (1 - share) / share
    logarithm = CONTEXT.log10(decimal(odds))
    whole = round(logarithm)
    if Fraction(10) ** whole == odds:
        return Fraction(-400 * whole)
    return -400 * Fraction(logarithm)


def counted(own: int, opponent: int, settings: Mapping[str, str]) -> int:
    """III.8."""
    most = int(settings.get("cutoff", 400))
    return min(own + most, max(own - most, opponent))


def provisional(games: Sequence[tuple[int, int]]) -> Fraction:
    """IV.1."""
    share = Fraction(sum(score for _, score in games), 2 * len(games))
    average = Fraction(sum(opponent for opponent, _ in games), len(games))
    return average + rating_change(share) * (-2 * share * share + 2 * share + HALF)


def coefficient(rating: int, games: int) -> Fraction:
    """V.3."""
    r = Fraction(10) if rating >= 2400 else 70 - Fraction(max(2000, rating), 40)
    if games >= 80:
        return r
    if games > 30:
        return r * (Fraction(7, 5) - Fraction(games, 200))
    return r * (Fraction(5, 4) if games > 15 else Fraction(3, 2))


def own_number(state: State, settings: Mapping[str, str]) -> int:
    """III.8 by reading B2: what the opponents' ratings are compared with."""
    if state.kind == "established":
        return state.rating
    return {"ter": state.ter, "list": state.rating}.get(
        settings.get("cutoff_reference", "starting"), state.starting
    )


def exact(state: State, games: Sequence[Game], settings: Mapping[str, str]) -> Fraction:
    """IV or V, not yet rounded; by reading B22 what is so near to a half is one."""
    sides = sides_of(state, games, settings)
    if state.kind == "established":
        k = coefficient(state.rating, state.games)
        score = Fraction(sum(score for _, score in sides), 2)
        total = score - sum(probability(state.rating - opponent) for opponent, _ in sides)
        number = state.rating + k * total
    elif settings.get("provisional_games") == "period":
        number = provisional(sides)
    else:
        number = provisional(state.earlier + sides)
    near = Fraction(half_up(2 * number), 2)
    return near if abs(number - near) <= NEAR else number


def sides_of(
    state: State, games: Sequence[Game], settings: Mapping[str, str]
) -> list[tuple[int, int]]:
    """The opponents as they count, and the scores."""
    own = own_number(state, settings)
    return [(counted(own, game.opponent or 0, settings), game.score) for game in games]


def listed(number: Fraction, settings: Mapping[str, str]) -> int:
    """Readings B3 and B30."""
    whole = round(number) if settings.get("tie") == "half_even" else half_up(number)
    return min(4000, max(1, whole))


def played(state: State, games: Sequence[Game], settings: Mapping[str, str]) -> None:
    """The player on the next list."""
    sides = sides_of(state, games, settings)
    state.rating = listed(exact(state, games, settings), settings)
    state.games += len(games)
    if state.kind != "established":
        state.earlier += sides
        enough = state.games >= int(settings.get("established_games", 15))
        state.kind = "established" if enough else "provisional"
    has_own = state.kind == "established" or state.games >= int(settings.get("ter_games", 10))
    state.ter = state.rating if has_own else state.starting


def a_period(
    chance: Random, state: State, end: date, settings: Mapping[str, str], tries: int
) -> list[Game]:
    """The games of a period; ``tries`` says how long some are looked for that come to a half."""
    count = chance.choice([1, 1, 2, 2, 3, 4, 5, 6, 9, 14, 41 if chance.random() < 0.2 else 3])
    own = own_number(state, settings)

    def game(opponent: int) -> Game:
        day = end - timedelta(chance.randrange(59))
        start = day - timedelta(chance.randrange(300))
        opponent = min(4000, max(1, opponent))
        return Game(opponent, chance.randrange(3), start, day, as_white=chance.random() < 0.5)

    def some() -> list[Game]:
        off = chance.randint(-500, 500)
        if not tries:
            return [game(own + chance.randint(-500, 500)) for _ in range(count)]
        # Only differences whose P come to fractions: all beyond the cut-off, some, two that mirror.
        kind = chance.randrange(3)
        if kind == 0:
            off = chance.choice([-1000, 1000])
            return [game(own + off) for _ in range(count)]
        if kind == 1:
            return [game(own + chance.choice([-1000, 0, 400, 401])) for _ in range(count)]
        return [game(own + off * (-1) ** number) for number in range(count)]

    return sought(some, lambda games: is_half(exact(state, games, settings)), tries)


def a_beginning(chance: Random, settings: Mapping[str, str], tries: int) -> tuple[Player, State]:
    """A player of any kind before the first period."""
    some = RATINGS + 4 * ELEVENTHS if tries else RATINGS
    rating = chance.choice([chance.choice(some), chance.choice(some), chance.randint(900, 2600)])
    starting = max(1, rating - chance.choice([0, 77, 300]))
    kinds = ["established", "established", "provisional", "starting", "new"]
    kind = chance.choice(kinds[: 3 if tries else 5])
    if kind == "new":
        # VII.3: nothing is known.
        return Player({}, []), State("starting", 800, 0, 800, 800)
    standing = {"status": kind, "starting_rating": starting}
    if kind == "starting":
        return Player(standing, []), State(kind, starting, 0, starting, starting)
    if kind == "established":
        return an_established(rating, chance.choice(COUNTS))
    games = chance.choice(FEW)
    has_own = games >= int(settings.get("ter_games", 10))
    state = State(kind, rating, games, starting, rating if has_own else starting)
    state.earlier = [(rating, 1)] * games
    history = [{"own": rating, "opponent": rating, "score": 0.5}] * games
    return Player({**standing, "rating": rating, "games": games}, history), state


def an_established(rating: int, games: int) -> tuple[Player, State]:
    """A player with an established rating."""
    standing = {"rating": rating, "games": games, "status": "established"}
    return Player(standing, []), State("established", rating, games, 0, rating)


def a_player(chance: Random, settings: Mapping[str, str], tries: int) -> Player:
    """A player through the periods."""
    player, state = a_beginning(chance, settings, tries)
    for end in ENDS:
        add(player, state, a_period(chance, state, end, settings, tries), settings)
    return player


def a_known_player(chance: Random, settings: Mapping[str, str]) -> Player:
    """A half that sums of floats fall short of: 15.4 · (2.5 − 50/11) = −31.5."""
    player, state = an_established(2184, 89)
    first = [Game(1700, score, ENDS[0], ENDS[0], as_white=True) for score in (0, 2, 1, 1, 1)]
    add(player, state, first, settings)
    for end in ENDS[1:]:
        add(player, state, a_period(chance, state, end, settings, TRIES), settings)
    return player


def add(player: Player, state: State, games: list[Game], settings: Mapping[str, str]) -> None:
    """One more period."""
    before, tie = state.rating, is_half(exact(state, games, settings))
    played(state, games, settings)
    player.add(games, before, state.rating, tie=tie)


def compare(edition: str, path: Path, players: int, seed: int) -> Iterator[Case]:
    """Players of three periods each; for half of them ties are looked for."""
    chance = Random(f"{edition} {seed}")
    left = players
    turn = 0
    while left > 0:
        settings = SETTINGS[turn % len(SETTINGS)]
        number = max(1, min(200, players // (len(ENDS) * len(SETTINGS))))
        some = [a_player(chance, settings, TRIES * (each % 2)) for each in range(number - 1)]
        some.append(a_known_player(chance, settings))
        yield from cases(some, edition, path, settings, ENDS)
        left -= len(ENDS) * len(some)
        turn += 1
