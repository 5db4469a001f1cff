"""The baseline that looks at all games so far at once: Bradley and Terry's model, with ties.

A rule book moves ratings from game to game and never looks back.  This one finds, at the
beginning of each year or month, the strengths under which all earlier games are most likely,
and keeps them for the games of that year or month: no prediction knows a game that ended, or
became known, on the day of the cut or later.

With the difference d of two strengths, White's side and handicap included, the odds of win, draw
and loss are e^(d/2) : ν : e^(−d/2) (Davidson 1970), or without ν a draw is half a win.
Each player has drawn some games with a middling one beforehand, so that no strength is infinite.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from ratingbook.engine.history.columns import GameColumns
from ratingbook.lab.outcomes import Outcomes, of_difference
from ratingbook.rules.bulk import NO_NUMBER, NOT_GIVEN
from ratingbook.rules.half import Status
from ratingbook.rules.settings import Settings

Array = np.ndarray[Any, Any]

NAME = "bradley-terry"
TITLE = "Bradley–Terry with ties, by maximum likelihood of all games so far"
_DAYS = 365.25
_TURNS = 60
_STILL = 1e-6
"""Newton's method ends when nothing moves by as much: a thousandth of a point of Elo."""
_STRIDE = 2.0
"""Nothing moves by more in one step, so that the first ones go nowhere wild."""
_RESIDUAL = 1e-3
_PRODUCTS = 400


class Ties(IntEnum):
    """What a drawn game is."""

    DAVIDSON = 0
    HALF = 1


class Refit(IntEnum):
    """How often the strengths are found anew."""

    YEAR = 0
    MONTH = 1


class Parameters(NamedTuple):
    """What can be chosen of the baseline."""

    half_life: float = 0.0
    prior: float = 1.0
    ties: Ties = Ties.DAVIDSON
    refit: Refit = Refit.YEAR
    white: bool = True


SETTINGS = Settings(
    Parameters(),
    {
        "half_life": "years after which a game counts half; 0: all games count the same",
        "prior": "drawn games with a middling player that everybody has beforehand",
        "ties": "a draw has odds of its own (davidson), or is half a win (half)",
        "refit": "how often the strengths are found anew: year or month",
        "white": "whether White's side, at home where somebody is, is worth something",
    },
    ranges={"half_life": (0, 1000), "prior": (0.001, 1000)},
)


def chosen(settings: Mapping[str, str]) -> Parameters:
    """The parameters, some given as text; raises ``ParameterError``."""
    return SETTINGS.with_texts(NAME, settings).parameters


def predictions(columns: GameColumns, players: int, settings: Mapping[str, str]) -> Array:
    """White's expected score in each game, as :func:`outcomes` has it."""
    return outcomes(columns, players, settings).expected


def outcomes(columns: GameColumns, players: int, settings: Mapping[str, str]) -> Outcomes:
    """What is expected of each game; NaN where nothing is known yet, or nothing was played.

    A player who is met for the first time is a middling one.  Raises ``ParameterError``.
    """
    p = chosen(settings)
    made = Outcomes(np.full(len(columns), NO_NUMBER), np.full(len(columns), NO_NUMBER))
    played = _played(columns)
    if not played.any():
        return made
    known = columns.day if columns.reported is None else np.maximum(columns.day, columns.reported)
    begun = columns.day if columns.start is None else np.minimum(columns.day, columns.start)
    unit = "datetime64[Y]" if p.refit is Refit.YEAR else "datetime64[M]"
    period = begun.astype("datetime64[D]").astype(unit)
    rows = np.flatnonzero(played)
    data = _Games.of(columns, rows, players, p)
    strengths = np.zeros(data.unknowns)
    for each in np.unique(period[rows]):
        cut = int(each.astype("datetime64[D]").astype(np.int64))
        past = known[rows] < cut
        if not past.any():
            continue
        age = (cut - known[rows][past]) / _DAYS
        weights = 0.5 ** (age / p.half_life) if p.half_life else np.ones(len(age))
        strengths = fitted(data.summed(past, weights), strengths, p)
        asked = period[rows] == each
        found = data.expected(strengths, asked, p)
        made.expected[rows[asked]], made.draw[rows[asked]] = found.expected, found.draw
    return made


@dataclass(frozen=True)
class Pairings:
    """Games of the same two players under the same conditions, put together."""

    white: Array
    black: Array
    conditions: Array
    """A row for White's side, and one for handicap where there is any."""
    games: Array
    score: Array
    draws: Array
    players: int


@dataclass(frozen=True)
class _Games:
    """All games that were played, each with the number of its pairing."""

    pairings: Pairings
    number: Array
    score: Array

    @classmethod
    def of(cls, columns: GameColumns, rows: Array, players: int, p: Parameters) -> _Games:
        white, black = columns.white[rows].astype(np.int64), columns.black[rows].astype(np.int64)
        conditions: list[Array] = []
        if p.white:
            nobody = columns.neutral
            conditions += [np.ones(len(rows)) if nobody is None else 1.0 - nobody[rows]]
        if columns.handicap is not None and columns.handicap.any():
            conditions += [columns.handicap[rows].astype(float)]
        table = np.column_stack([white, black, *conditions])
        unique, number = np.unique(table, axis=0, return_inverse=True)
        nothing = np.zeros(len(unique))
        pairings = Pairings(
            white=unique[:, 0].astype(np.int64), black=unique[:, 1].astype(np.int64),
            conditions=unique[:, 2:].T.copy(), games=nothing, score=nothing, draws=nothing,
            players=players,
        )  # fmt: skip
        return cls(pairings, number.reshape(-1), columns.score[rows] / 2.0)

    @property
    def unknowns(self) -> int:
        """Strengths, what the conditions are worth, and ln ν."""
        return self.pairings.players + len(self.pairings.conditions) + 1

    def summed(self, some: Array, weights: Array) -> Pairings:
        """The pairings of some games; those without any are left out."""
        number, score, all_ = self.number[some], self.score[some], len(self.pairings.white)
        games = np.bincount(number, weights, all_)
        there = np.flatnonzero(games)
        return Pairings(
            white=self.pairings.white[there], black=self.pairings.black[there],
            conditions=self.pairings.conditions[:, there], games=games[there],
            score=np.bincount(number, weights * score, all_)[there],
            draws=np.bincount(number, weights * (score == 0.5), all_)[there],
            players=self.pairings.players,
        )  # fmt: skip

    def expected(self, found: Array, some: Array, p: Parameters) -> Outcomes:
        """What is expected of some games."""
        wanted, place = np.unique(self.number[some], return_inverse=True)
        each = Pairings(
            white=self.pairings.white[wanted], black=self.pairings.black[wanted],
            conditions=self.pairings.conditions[:, wanted], games=wanted, score=wanted,
            draws=wanted, players=self.pairings.players,
        )  # fmt: skip
        return probabilities(each, found, p).of(place)


def probabilities(pairings: Pairings, found: Array, p: Parameters) -> Outcomes:
    """What is expected of a game of each pairing."""
    nu = float(np.exp(found[-1])) if p.ties is Ties.DAVIDSON else 0.0
    return of_difference(_difference(pairings, found), nu)


def fitted(pairings: Pairings, begin: Array, p: Parameters) -> Array:
    """Strengths, what conditions are worth and ln ν, under which the games are most likely.

    By Newton's method from ``begin``; its equations are solved by conjugate gradients.
    """
    found = begin.copy()
    for _ in range(_TURNS):
        slope, curve = _slope_and_curve(pairings, found, p)
        step = _solved(curve, slope)
        longest = float(np.abs(step).max(initial=0.0))
        found += step * min(1.0, _STRIDE / longest) if longest else 0.0
        if longest < _STILL:
            break
    return found


class _Curve(NamedTuple):
    """How the slope changes with what is sought: a symmetric matrix that is never written out."""

    pairings: Pairings
    by_score: Array
    by_both: Array
    by_draw: Array
    alone: Array
    """What the games beforehand add to the diagonal."""

    def times(self, step: Array) -> Array:
        """The matrix times a vector."""
        u = _difference(self.pairings, step)
        found = _spread(self.pairings, self.by_score * u + self.by_both * step[-1])
        found[-1] = (self.by_both * u).sum() + self.by_draw.sum() * step[-1]
        found += self.alone * step
        return found

    @property
    def diagonal(self) -> Array:
        """Its diagonal."""
        found = np.zeros(len(self.alone))
        count, each = self.pairings.players, self.pairings
        found[:count] = np.bincount(each.white, self.by_score, count)
        found[:count] += np.bincount(each.black, self.by_score, count)
        found[count:-1] = (np.square(each.conditions) * self.by_score).sum(axis=1)
        found[-1] = self.by_draw.sum()
        found += self.alone
        return found


def _slope_and_curve(pairings: Pairings, found: Array, p: Parameters) -> tuple[Array, _Curve]:
    """The slope of the logarithmic likelihood, and minus its curvature."""
    made = probabilities(pairings, found, p)
    share, draw = made.expected, made.draw
    games, count = pairings.games, pairings.players
    slope = _spread(pairings, pairings.score - games * share)
    by_score = games * (share - draw / 4 - np.square(share))
    by_both = games * draw * (0.5 - share)
    by_draw = games * draw * (1 - draw)
    # Everybody has drawn with a middling player; each condition has been won and lost once; and of
    # two even games one was drawn.
    even = 1 / (1 + np.exp(-found))
    slope[:count] += p.prior * (0.5 - even[:count])
    slope[count:-1] += 1 - 2 * even[count:-1]
    alone = 2 * even * (1 - even)
    alone[:count] *= p.prior / 2
    if p.ties is Ties.DAVIDSON:
        drawn = np.exp(found[-1]) / (2 + np.exp(found[-1]))
        slope[-1] = (pairings.draws - games * draw).sum() + 1 - 2 * drawn
        alone[-1] = 2 * drawn * (1 - drawn)
    else:
        alone[-1] = 1.0
    return slope, _Curve(pairings, by_score, by_both, by_draw, alone)


def _difference(pairings: Pairings, found: Array) -> Array:
    """White's strength less Black's, with the conditions."""
    made: Array = found[pairings.white] - found[pairings.black]
    for worth, condition in zip(found[pairings.players : -1], pairings.conditions, strict=True):
        made += worth * condition
    return made


def _spread(pairings: Pairings, values: Array) -> Array:
    """A number of each pairing, summed over what is sought; nothing for ln ν."""
    count = pairings.players
    found = np.zeros(count + len(pairings.conditions) + 1)
    found[:count] = np.bincount(pairings.white, values, count)
    found[:count] -= np.bincount(pairings.black, values, count)
    found[count:-1] = (pairings.conditions * values).sum(axis=1)
    return found


def _solved(curve: _Curve, slope: Array) -> Array:
    """The step of Newton's method, by conjugate gradients over the diagonal."""
    diagonal = curve.diagonal
    step = np.zeros(len(slope))
    left = slope.copy()
    ahead = left / diagonal
    way = ahead.copy()
    size = float(left @ ahead)
    enough = max(size, 1e-300) * _RESIDUAL**2
    for _ in range(_PRODUCTS):
        if size <= enough:
            break
        bent = curve.times(way)
        far = size / float(way @ bent)
        step += far * way
        left -= far * bent
        ahead = left / diagonal
        now = float(left @ ahead)
        way = ahead + now / size * way
        size = now
    return step


def _played(columns: GameColumns) -> Array:
    """Games with a result, over the board if one side lost on time."""
    found: Array = (columns.white >= 0) & (columns.black >= 0) & (columns.score != NOT_GIVEN)
    found &= columns.score >= 0
    if columns.status is not None:
        found &= columns.status <= Status.TIME
    return found
