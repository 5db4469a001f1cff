"""How the US Chess tests rate a report, and an event rated once more in another way.

``other_way`` follows the text with bisection and plain sums, and shares no code with
the package: what two programs agree on is not an accident of one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pytest

from ratingbook.engine.rate import Rating, rate
from ratingbook.formats.document.read import report_from
from ratingbook.rules import uscf
from ratingbook.rules.book import Row

Json = Mapping[str, Any]


class RateUscf(Protocol):
    """Rates players and games; keywords are the event's, ``settings`` the edition's."""

    def __call__(
        self,
        players: Sequence[Json],
        games: Sequence[Json],
        edition: str = "uscf-2011",
        settings: Mapping[str, str] | None = None,
        **event: object,
    ) -> Rating: ...


@pytest.fixture(scope="session")
def rate_uscf() -> RateUscf:
    """Rate a report and explain everyone."""

    def rated(
        players: Sequence[Json],
        games: Sequence[Json],
        edition: str = "uscf-2011",
        settings: Mapping[str, str] | None = None,
        **event: object,
    ) -> Rating:
        book = getattr(uscf, edition.replace("-", "_")).with_parameters(settings or {})
        document = {
            "ratingbook": "report/1",
            "event": {"end": "2012-06-03", "time_control": "G/90", **event},
            "players": [dict(player) for player in players],
            "games": [dict(game) for game in games],
        }
        return rate(report_from(document), book, explain=None)

    return rated


def rows_of(rating: Rating) -> dict[str, Row]:
    assert not rating.findings.refused, [str(finding) for finding in rating.findings]
    return {rated.row.id: rated.row for rated in rating.rows}


@pytest.fixture(scope="session")
def rows_uscf(rate_uscf: RateUscf):
    """The rows by player; the report must not be refused."""

    def rows(*args: Any, **kwargs: Any) -> dict[str, Row]:
        return rows_of(rate_uscf(*args, **kwargs))

    return rows


@dataclass
class Player:
    """A player of the other way: R0, N, whether he was rated, and the results so far."""

    rating: float
    games: int
    rated: bool = True
    wins: int | None = None
    losses: int | None = None
    draws: int | None = None

    @property
    def history(self) -> str:
        if not self.rated:
            return "none"
        results = (self.wins, self.losses, self.draws)
        if None in results or results == (0, 0, 0):
            return "mixed"
        if self.losses == self.draws == 0:
            return "wins"
        return "losses" if self.wins == self.draws == 0 else "mixed"


@dataclass
class Rules:
    """What the editions differ in here."""

    curve: int = 2011
    bonus: float = 6.0
    once_of_three: bool = False


def n_star(rating: float, rules: Rules) -> float:
    if rules.curve == 2013:
        if rating > 2355:
            return 50.0
        return 50 / math.sqrt(0.662 + 0.00000739 * (2569 - rating) ** 2)
    return 50.0 if rating > 2200 else 50 / math.sqrt(1 + (2200 - rating) ** 2 / 100000)


def pwe(rating: float, opponent: float) -> float:
    return min(1.0, max(0.0, 0.5 + (rating - opponent) / 800))


def special_by_bisection(
    rating: float, effective: float, history: str, opponents: Sequence[float], score: float
) -> float:
    """Both ends of the interval where |f| is nearly 0, by bisection; the point nearest to R0."""
    prior, total = rating, score + effective / 2
    if history == "wins":
        prior, total = rating - 400, score + effective
    if history == "losses":
        prior, total = rating + 400, score

    def f(at: float) -> float:
        return effective * pwe(at, prior) + sum(pwe(at, one) for one in opponents) - total

    def edge(tolerance: float) -> float:
        low, high = -10_000.0, 20_000.0
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (low, middle) if f(middle) > tolerance else (middle, high)
        return (low + high) / 2

    return min(2700.0, max(rating, edge(-1e-11)), edge(1e-11))


def other_way(
    players: Sequence[Player], games: Sequence[tuple[int, int, float]], rules: Rules
) -> list[float | None]:
    """The five steps; games are (player, player, score of the first)."""
    met: list[list[tuple[int, float]]] = [[] for _ in players]
    for one, other, score in games:
        met[one].append((other, score))
        met[other].append((one, 1 - score))

    def special(n: int, effective: float, values: Sequence[float]) -> float:
        player = players[n]
        opponents = [values[other] for other, _ in met[n]]
        score = sum(score for _, score in met[n])
        found = special_by_bisection(player.rating, effective, player.history, opponents, score)
        return max(100.0, found)

    def standard(n: int, effective: float, values: Sequence[float]) -> float:
        player, m = players[n], len(met[n])
        expected = sum(
            1 / (1 + 10 ** ((values[other] - player.rating) / 400)) for other, _ in met[n]
        )
        k = 800 / (effective + m)
        change = k * (sum(score for _, score in met[n]) - expected)
        most = max(Counter(other for other, _ in met[n]).values())
        result = player.rating + change
        if m >= 3 and most <= (1 if rules.once_of_three and m == 3 else 2):
            result += max(0.0, change - rules.bonus * math.sqrt(max(m, 4)))
        return max(100.0, result)

    def step(values: Sequence[float]) -> list[float]:
        result = []
        for n, player in enumerate(players):
            effective = min(player.games, n_star(player.rating, rules))
            if not met[n]:
                result.append(player.rating)
            elif player.games <= 8 or player.history in ("wins", "losses"):
                result.append(special(n, effective, values))
            else:
                result.append(standard(n, effective, values))
        return result

    first = [player.rating for player in players]
    third = [
        special(n, 1.0, first) if met[n] and not player.rated and player.games == 0 else first[n]
        for n, player in enumerate(players)
    ]
    final = step(step(third))
    return [value if met[n] else None for n, value in enumerate(final)]


class OtherWay(Protocol):
    """:func:`other_way` with its nouns."""

    Player: type[Player]
    Rules: type[Rules]
    special: Any
    rate: Any


@pytest.fixture(scope="session")
def text_of_2011() -> Any:
    """The independent program: ``Player``, ``Rules``, ``special`` and ``rate``."""

    class Program:
        pass

    program: Any = Program()
    program.Player, program.Rules = Player, Rules
    program.special, program.rate = special_by_bisection, other_way
    return program
