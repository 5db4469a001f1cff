"""How often anomalies are found that are there, and told that are not: on simulated games.

    python -m tools.anomalies --pools 50

Each pool is a year of honest games whose ratings are off by as much as ratings are; then somebody
arranges something in it.  The table has, by kind, the share of arranged ones that were found, and
the false alarms in honest pools, in all and for each thousand players.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import combinations, count

from ratingbook.office.logic.anomalies import LOOKS, USUAL, Played, look

DAY = date(2025, 1, 4)
PEOPLE, EVENTS, TEAM, ROUNDS = 120, 40, 16, 6
SPREAD, ERROR = 200.0, 60.0
"""Standard deviations: of strengths, and of a rating from the strength."""


def halves(
    one: int, other: int, event: str, day: date, score: float, expected: float, number: int,
    place: str = "",
) -> list[Played]:  # fmt: skip
    """Both halves of a game."""
    mine = Played(one, other, event, place, day, score, expected, number)
    return [mine, replace(mine, person=other, opponent=one, score=1 - score, expected=1 - expected)]


def curve(difference: float) -> float:
    """What Elo's curve expects."""
    return float(1 / (1 + 10 ** (-difference / 400)))


class Pool:
    """People with strengths that nobody knows and ratings that everybody sees."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self._numbers = chance, count(1)
        self.strength = {p: chance.gauss(0, SPREAD) for p in range(1, PEOPLE + 1)}
        self.rating = {p: s + chance.gauss(0, ERROR) for p, s in self.strength.items()}

    def game(self, one: int, other: int, event: str, day: date, truth: float | None = None,
             place: str = "") -> list[Played]:  # fmt: skip
        """A game by strength, or won with the probability ``truth``; a third drawn by equals."""
        expected = curve(self.rating[one] - self.rating[other])
        p = curve(self.strength[one] - self.strength[other]) if truth is None else truth
        drawn = 0.6 * min(p, 1 - p)
        at = self.chance.random()
        score = 1.0 if at < p - drawn / 2 else 0.5 if at < p + drawn / 2 else 0.0
        return halves(one, other, event, day, score, expected, next(self._numbers), place)

    def honest(self) -> list[Played]:
        """A year of events."""
        games: list[Played] = []
        for event in range(EVENTS):
            team = self.chance.sample(sorted(self.strength), TEAM)
            day = DAY + timedelta(days=9 * event)
            for round_ in range(ROUNDS):
                for i in range(TEAM // 2):
                    other = team[TEAM // 2 + (i + round_) % (TEAM // 2)]
                    games += self.game(team[i], other, f"event {event}", day, place=f"P{event % 7}")
        return games

    def arranged(self, games: list[Played]) -> Iterator[tuple[str, list[Played]]]:
        """Something of each kind."""
        people = self.chance.sample(sorted(self.strength), 30)
        one, rest = people[0], people[1:]
        middle = DAY + timedelta(days=180)
        rated = dict.fromkeys(people, 0.0)
        self.rating |= rated
        yield "improbable", [g for x in rest[:9] for r in (1, 2, 3)
                             for g in self.game(one, x, "swindle", middle, 0.99)]  # fmt: skip
        yield "losses before wins", [
            *(g for n, x in enumerate(rest[:20])
              for g in self.game(one, x, f"lost {n // 5}", middle + timedelta(days=n), 0.1)),
            *(g for x in rest[:10]
              for g in self.game(one, x, "prize", middle + timedelta(60), 0.95)),
        ]  # fmt: skip
        yield "one pair", [g for n in range(30) for g in self.game(one, rest[0], f"match {n // 10}",
                                                                   middle, 0.9)]  # fmt: skip
        club = range(PEOPLE + 1, PEOPLE + 6)
        self.strength |= dict.fromkeys(club, 0.0)
        self.rating |= dict.fromkeys(club, 0.0)
        yield "closed group", [g for _ in range(4) for a, b in combinations(club, 2)
                               for g in self.game(a, b, "league", middle)]  # fmt: skip
        self.rating[club[0]] = self.strength[club[0]] = 900.0
        yield (
            "near a limit",
            [g for n in range(30) for g in self.game(club[0], rest[n % 29], f"v {n}", middle)],
        )
        twice = [g for g in games if g.event == "event 5"]
        yield "sent twice", [replace(g, event="again", game=g.game + 10**6) for g in twice]
        whose = games[0].person
        yield "two places", self.game(whose, rest[3], "elsewhere", games[0].day, place="Far")


def main() -> int:
    """Simulate, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pools", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args()
    found, false = dict.fromkeys(LOOKS, 0), dict.fromkeys(LOOKS, 0)
    for number in range(said.pools):
        pool = Pool(random.Random(f"{said.seed} {number}"))
        games = pool.honest()
        for each in look(games):
            false[each.kind] += 1
        for kind, arranged in list(pool.arranged(games)):
            numbers = {g.game for g in arranged}
            told = LOOKS[kind]([*games, *arranged], USUAL)
            found[kind] += any(numbers & set(x.games) for x in told)
    print(f"{said.pools} pools of {PEOPLE} players, {EVENTS * TEAM * ROUNDS // 2} games each")
    print("kind | found | false alarms | for 1000 players a year")
    for kind in LOOKS:
        rate = 1000 * false[kind] / (said.pools * PEOPLE)
        print(f"{kind} | {found[kind] / said.pools:.0%} | {false[kind]} | {rate:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
