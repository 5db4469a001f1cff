"""Who plays: when they come and go, and how strong they are on each day.

None of it depends on ratings, so it is the same under every rule book.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ratingbook.lab.simulate.chance import Purpose, stream
from ratingbook.lab.simulate.scenario import Scenario
from ratingbook.rules.bulk import day_number

Array = np.ndarray[Any, Any]

YEAR = 365.25
_OLDEST = 85
"""Age at which the last ones stop."""
_LONGEST = 40
"""Years that a founder has played, at most."""
_YEARS_WITHOUT_END = 10.0
"""Years that founders have played on average, where nobody ever stops."""
_LEARNERS = 4
"""How alike the gaps of newcomers are: the shape of a gamma distribution."""
_PLAYERS = 2
"""How alike players are in how often they play: the same."""


@dataclass(frozen=True)
class People:
    """One row for each player; founders first, then newcomers as they come."""

    founders: int
    entered: Array
    """Day of the first event that somebody might enter, for founders before the start."""
    leaves: Array
    birth: Array
    junior: Array
    """Who came as a child."""
    aim: Array
    """What strength comes to."""
    gap: Array
    """How much was lacking at the beginning."""
    pace: Array
    """Years in which 63 % of it are gained."""
    events: Array
    """Events a year, on average."""
    guess: Array
    """What is said of the strength of a newcomer on the first day."""
    region: Array
    sandbags: Array

    def __len__(self) -> int:
        return len(self.entered)

    def strength(self, day: int, world: Scenario, who: Array | slice = slice(None)) -> Array:
        """The true strengths on a day, in whole points, so that the last bit of e^x does not count.

        Of those who have not come yet what they come with.
        """
        played = np.maximum(0.0, (day - self.entered[who]) / YEAR)
        age = (day - self.birth[who]) / YEAR
        lacks = self.gap[who] * np.exp(-played / self.pace[who])
        fades = world.ageing * np.maximum(0.0, age - world.ageing_from)
        found: Array = np.rint(self.aim[who] - lacks - fades).astype(np.int32)
        return found


def people_of(world: Scenario, seed: int) -> People:
    """The players of a scenario."""
    luck = stream(seed, Purpose.PEOPLE)
    start, span = day_number(world.start), world.years * YEAR
    newcomers = round(world.entry * world.players * world.years)
    count = world.players + newcomers
    is_new = np.arange(count) >= world.players
    came = np.sort(luck.uniform(0, span, newcomers))
    stay = 1 / world.drop_out if world.drop_out else _YEARS_WITHOUT_END
    ago = np.minimum(_LONGEST, luck.exponential(stay, world.players)) * YEAR
    entered = start + np.r_[-ago, came]
    junior = luck.random(count) < world.juniors
    years = np.where(junior, luck.uniform(7, 17, count), luck.uniform(18, 60, count))
    birth = entered - years * YEAR
    # Who has been there for long is not older than people get.
    birth = np.maximum(birth, start - (_OLDEST - 5) * YEAR)
    gap = np.where(junior, world.junior_gap, world.adult_gap) / _LEARNERS
    gap = gap * luck.gamma(_LEARNERS, 1.0, count)
    pace = np.where(junior, world.junior_years, world.adult_years)
    aim = luck.normal(world.mean, world.spread, count)
    ends = np.maximum(entered, start) + luck.exponential(stay, count) * YEAR
    tries = is_new & (luck.random(count) < world.try_out)
    ends = np.where(tries, entered + luck.uniform(0, 1, count) * YEAR, ends)
    ends = np.minimum(ends, birth + _OLDEST * YEAR)
    if not world.drop_out:
        ends = np.full(count, start + 2 * span)
    events = luck.gamma(_PLAYERS, world.events / _PLAYERS, count)
    region = luck.integers(0, world.regions, count)
    sandbags = ~junior & (luck.random(count) < world.sandbaggers)
    guess = np.rint(aim - gap + luck.normal(0, 1, count) * world.guess_error)
    return People(
        founders=world.players,
        entered=np.rint(entered).astype(np.int32),
        leaves=np.rint(ends).astype(np.int32),
        birth=np.rint(birth).astype(np.int32),
        junior=junior,
        aim=aim,
        gap=gap,
        pace=pace,
        events=events,
        guess=guess,
        region=region,
        sandbags=sandbags,
    )
