"""Where a system knows better: the same games by rating, by experience, and over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ratingbook.engine.history.columns import GameColumns
from ratingbook.lab.scores import calibration, hits, log_losses, squares

Array = np.ndarray[Any, Any]

FIFTHS = 5
STEPS = (0, 1, 10, 30, 100)
"""Games before, from which a group of experience begins."""
NO_RATING = "no rating"


@dataclass(frozen=True)
class Part:
    """How good one system was on the games of a group."""

    name: str
    log_loss: float
    error: float | None
    """Standard error of the logarithmic loss, by whole blocks; None: of a single one."""
    square: float
    accuracy: float
    expected: float
    """Mean expected score of White."""
    scored: float
    reliability: float
    resolution: float
    uncertainty: float
    """These three are the score of Brier in its parts, as :class:`~.scores.Calibration` has them,
    within the group."""
    behind: float
    """By how much the logarithmic loss is above that of the system that is best in all games; of
    these very games, so that hard ones make no difference."""
    behind_error: float | None
    """Standard error of that, by whole blocks."""


@dataclass(frozen=True)
class Group:
    """Games that are alike, and each system on them."""

    name: str
    games: int
    systems: tuple[Part, ...]


def grouped(
    names: Sequence[str],
    number: Array,
    expected: Mapping[str, Array],
    score: Array,
    blocks: Array,
) -> tuple[Group, ...]:
    """Every system on every group that has games; ``number`` says which group a game is in.

    The first of the systems is the one that is best in all games.
    """
    found = []
    best = log_losses(next(iter(expected.values())), score)
    for each, name in enumerate(names):
        some = number == each
        if not some.any():
            continue
        parts = tuple(
            part(system, values[some], score[some], blocks[some], best[some])
            for system, values in expected.items()
        )
        found.append(Group(name, int(some.sum()), parts))
    return tuple(found)


def part(name: str, expected: Array, score: Array, blocks: Array, best: Array) -> Part:
    """One system on the games of one group; ``best`` are the losses of the best in all games."""
    losses = log_losses(expected, score)
    parts = calibration(expected, score)
    return Part(
        name=name,
        log_loss=float(losses.mean()),
        error=standard_error(losses, blocks),
        square=float(squares(expected, score).mean()),
        accuracy=float(hits(expected, score).mean()),
        expected=float(expected.mean()),
        scored=float(score.mean()),
        reliability=parts.reliability,
        resolution=parts.resolution,
        uncertainty=parts.uncertainty,
        behind=float((losses - best).mean()),
        behind_error=standard_error(losses - best, blocks),
    )


def standard_error(values: Array, blocks: Array) -> float | None:
    """Of the mean of values that depend on each other within blocks; None: there is one block."""
    _, number = np.unique(blocks, return_inverse=True)
    sums = np.bincount(number, weights=values - values.mean())
    count = len(sums)
    if count < 2:
        return None
    return float(np.sqrt(np.square(sums).sum() * count / (count - 1)) / len(values))


def by_year(columns: GameColumns, some: Array) -> tuple[list[str], Array]:
    """The years in which games ended, and for ``some`` of the games the number of its year."""
    year = columns.day[some].astype("datetime64[D]").astype("datetime64[Y]").astype(int) + 1970
    years, number = np.unique(year, return_inverse=True)
    return [str(each) for each in years], number


def by_experience(columns: GameColumns, some: Array) -> tuple[list[str], Array]:
    """By the games that the less experienced player had on days before, in this history."""
    player = np.concatenate([columns.white, columns.black]).astype(np.int64)
    day = np.concatenate([columns.day, columns.day]).astype(np.int64)
    first = int(day.min(initial=0))
    span = int(day.max(initial=0)) - first + 1
    key = player * span + day - first
    ordered = np.sort(key)
    before = np.searchsorted(ordered, key) - np.searchsorted(ordered, player * span)
    less = np.minimum(*np.split(before, 2))[some]
    names = [
        f"{step}–{after - 1}" if after - step > 1 else str(step) for step, after in pairwise(STEPS)
    ]
    number: Array = np.searchsorted(STEPS, less, side="right") - 1
    return [*names, f"{STEPS[-1]} or more"], number


def by_band(white: Array, black: Array, some: Array) -> tuple[list[str], Array]:
    """By the mean rating of both players before the game, in fifths; last who had none."""
    mean = ((white + black) / 2)[some]
    known = np.isfinite(mean)
    if not known.any():
        return [NO_RATING], np.zeros(len(mean), np.int64)
    edges = np.unique(np.quantile(mean[known], np.linspace(0, 1, FIFTHS + 1)[1:-1]))
    number = np.where(known, np.searchsorted(edges, mean, side="right"), len(edges) + 1)
    told = [f"{each:.0f}" for each in edges]
    between = [f"{low} to {high}" for low, high in pairwise(told)]
    return [f"below {told[0]}", *between, f"{told[-1]} or more", NO_RATING], number
