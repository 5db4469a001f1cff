"""Who meets whom: events by ratings, rounds by points."""

from __future__ import annotations

from typing import Any

import numpy as np

from ratingbook.lab.simulate.frame import Meet
from ratingbook.lab.simulate.scenario import Scenario

Array = np.ndarray[Any, Any]


def divided(meet: Meet, known: Array, world: Scenario, luck: np.random.Generator) -> Array:
    """The players in the order of their events, the strongest events first in each group.

    ``known`` is what organisers know of the strength of each of them.
    """
    blurred = known + luck.normal(0, 1, len(known)) * world.mix
    order: Array = np.lexsort((-blurred, meet.group))
    return order


class Rounds:
    """The rounds of all events of a meet; players are seats, in the order of the events."""

    def __init__(
        self, meet: Meet, known: Array, world: Scenario, luck: np.random.Generator
    ) -> None:
        seats = len(known)
        self._event = meet.event
        self._pair_event = np.repeat(np.arange(len(meet.sizes)), meet.sizes // 2)
        self._luck = luck
        # One number to sort by: the event, then the points, then the rating, then the lot.
        place = np.empty(seats, np.int64)
        place[np.lexsort((luck.random(seats), -known))] = np.arange(seats)
        self._by_points = world.pairing == "swiss"
        self._of_points = seats * np.arange(2 * meet.rounds, -1, -1)
        self._key = self._event * (seats * (2 * meet.rounds + 1)) + place
        self._points = np.zeros(seats, np.int32)
        self._whites = np.zeros(seats, np.int32)
        self._met = np.full((seats, meet.rounds), -1, np.int32)
        self._turn = 0

    def pairs(self) -> tuple[Array, Array]:
        """White's and Black's seats of the next round, in the order of the events."""
        if self._by_points:
            order = np.argsort(self._key + self._of_points[self._points])
        else:
            order = np.lexsort((self._luck.random(len(self._event)), self._event))
        one, other = order[0::2], order[1::2].copy()
        if self._turn:
            self._part(one, other)
        # Who had White less often has it now, else by lot.
        due = self._whites[one] - self._whites[other]
        swaps = (due > 0) | ((due == 0) & (self._luck.random(len(one)) < 0.5))
        return np.where(swaps, other, one), np.where(swaps, one, other)

    def note(self, white: Array, black: Array, score: Array) -> None:
        """The results of the round, in half points."""
        self._points[white] += score
        self._points[black] += 2 - score
        self._whites[white] += 1
        self._met[white, self._turn], self._met[black, self._turn] = black, white
        self._turn += 1

    def _part(self, one: Array, other: Array) -> None:
        """Who met before changes opponents with a pair nearby, where that helps.

        Pairs that change at the same time are so chosen that none is in two changes.
        """
        again = np.flatnonzero(self._have_met(one, other))
        for step in (1, -1, 2, -2):
            for half in range(2):
                at = again[(again // abs(step)) % 2 == half]
                near = at + step
                inside = (near >= 0) & (near < len(one))
                at, near = at[inside], near[inside]
                helps = (
                    (self._pair_event[at] == self._pair_event[near])
                    & self._have_met(one[at], other[at])
                    & ~self._have_met(one[at], other[near])
                    & ~self._have_met(one[near], other[at])
                )
                at, near = at[helps], near[helps]
                other[at], other[near] = other[near], other[at]

    def _have_met(self, one: Array, other: Array) -> Array:
        found: Array = (self._met[one, : self._turn] == other[:, None]).any(axis=1)
        return found
