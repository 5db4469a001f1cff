"""Rule books beside each other on the same games: which one knew better what would happen.

Every prediction is made before the game, and before all games that are rated with it.  Only
games count of which all rule books expect something, and which come after the time in which
the ratings are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from ratingbook.desk.histories import read_history
from ratingbook.engine.history.columns import GameColumns
from ratingbook.engine.history.predictions import predict_history
from ratingbook.lab.bootstrap import Interval, difference, interval
from ratingbook.lab.layer import Layer, fitted
from ratingbook.lab.scores import Calibration, calibration, hits, log_losses, squares
from ratingbook.rules import registry
from ratingbook.rules.bulk import EPOCH
from ratingbook.rules.series import BookOrSeries

Array = np.ndarray[Any, Any]

LAYERED = " + layer"
CONSTANT = "constant"
"""The baseline that knows of no ratings: White's mean score so far."""


@dataclass(frozen=True)
class Scored:
    """How good one system was."""

    name: str
    expects: int
    """Games, of all those in time, of which it expects something."""
    log_loss: Interval
    square: Interval
    accuracy: Interval
    calibration: Calibration
    layer: Layer | None
    """What lies on top of the rule book's own numbers; None: nothing."""
    behind: Interval | None
    """By how much its logarithmic loss is above that of the best; None: it is the best."""


@dataclass(frozen=True)
class Comparison:
    """Systems on the same games, the best first."""

    systems: tuple[Scored, ...]
    games: int
    """Games that count."""
    left_out: int
    """Games in time of which one of the systems expects nothing."""
    before: int
    """Games of the time in which the ratings are found."""
    since: date
    blocks: str
    """What is drawn again as a whole: ``event`` or ``month``."""
    drawn: int
    """How many of these there are."""
    seed: int


class NothingToCompare(ValueError):
    """No game of which all systems expect something."""


def names_in(text: str) -> list[str]:
    """``elo:k=32,scale=400,fide-2009`` names two rule books, the first with two parameters."""
    found: list[str] = []
    for part in filter(None, (each.strip() for each in text.split(","))):
        if found and "=" in part and ":" not in part:
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found


def named(text: str) -> tuple[str, BookOrSeries]:
    """A rule book by its name, with parameters: ``elo`` or ``elo:k=32,scale=400``."""
    name, _, said = text.partition(":")
    settings = dict(each.partition("=")[::2] for each in said.split(",") if each)
    book = registry.load(name.strip())
    return text, book.with_parameters(settings) if settings else book


def compare(
    games: Any,
    rulebooks: Iterable[str],
    *,
    since: date | None = None,
    assume: float | None = None,
    layers: bool = False,
    seed: int = 1,
    compiled: bool | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    **beside: Any,
) -> Comparison:
    """Rate games by several rule books, and score what each of them expected.

    ``games`` and what is ``beside`` them are read as by ``ratingbook.history``.  Games before
    ``since`` are rated and do not count; without it a quarter of the games.  ``assume`` is the
    rating of players whom an edition would leave unrated for ever.  With ``layers`` each rule
    book stands there once more, with what :mod:`.layer` finds on top of it in the games that do
    not count.  ``progress`` is told the name, the games done and all.  Raises
    :class:`NothingToCompare`, and what reading and rating raise.
    """
    expected: dict[str, Array] = {}
    columns: GameColumns | None = None
    for name, book in map(named, dict.fromkeys(rulebooks)):
        history = read_history(games, book, **beside)
        told = None if progress is None else _told(progress, name)
        made = predict_history(history, book, assume=assume, compiled=compiled, progress=told)
        columns, expected[name] = history.given.games, made.expected
    if columns is None:
        raise NothingToCompare("No rule book is named.")
    score = columns.score / 2.0
    expected[CONSTANT] = mean_so_far(columns.day, score)
    return scored(columns, expected, since=since, layers=layers, seed=seed)


def scored(
    columns: GameColumns,
    expected: Mapping[str, Array],
    *,
    since: date | None = None,
    layers: bool = False,
    seed: int = 1,
) -> Comparison:
    """Score what several systems expected of the same games."""
    day, score = columns.day, columns.score / 2.0
    first = (since - EPOCH).days if since else int(np.quantile(day, 0.25)) + 1 if len(day) else 0
    in_time = day >= first
    found = layers_of(expected, score, ~in_time) if layers else {}
    expected = {
        **expected,
        **{f"{name}{LAYERED}": each.on(expected[name]) for name, each in found.items()},
    }
    common = in_time & np.all([np.isfinite(each) for each in expected.values()], axis=0)
    if not common.any():
        raise NothingToCompare(
            f"From {_day(first)} on there is no game of which all of {', '.join(expected)} expect "
            "something; name an earlier day, or players with ratings."
        )
    kind, blocks = blocks_of(columns)
    blocks, score = blocks[common], score[common]
    losses = {name: log_losses(each[common], score) for name, each in expected.items()}
    order = sorted(losses, key=lambda name: (float(losses[name].mean()), name))
    best = losses[order[0]]
    systems = tuple(
        Scored(
            name=name,
            expects=int(np.isfinite(expected[name][in_time]).sum()),
            log_loss=interval(losses[name], blocks, seed=seed),
            square=interval(squares(expected[name][common], score), blocks, seed=seed),
            accuracy=interval(hits(expected[name][common], score), blocks, seed=seed),
            calibration=calibration(expected[name][common], score),
            layer=found.get(name.removesuffix(LAYERED)) if name.endswith(LAYERED) else None,
            behind=None if name == order[0] else difference(losses[name], best, blocks, seed=seed),
        )
        for name in order
    )
    games = int(common.sum())
    return Comparison(
        systems=systems,
        games=games,
        left_out=int(in_time.sum()) - games,
        before=len(day) - int(in_time.sum()),
        since=_day(first),
        blocks=kind,
        drawn=len(np.unique(blocks)),
        seed=seed,
    )


def layers_of(expected: Mapping[str, Array], score: Array, before: Array) -> dict[str, Layer]:
    """What the games ``before`` find on top of each system, but for the constant."""
    found = {}
    for name, each in expected.items():
        some = before & np.isfinite(each)
        if name != CONSTANT:
            found[name] = fitted(each[some], score[some])
    return found


def mean_so_far(day: Array, score: Array) -> Array:
    """White's mean score of all days before; of the first day ½."""
    days, number = np.unique(day, return_inverse=True)
    sums = np.bincount(number, weights=score, minlength=len(days))
    games = np.bincount(number, minlength=len(days))
    before, played = np.cumsum(sums) - sums, np.cumsum(games) - games
    means = np.divide(before, played, out=np.full(len(days), 0.5), where=played > 0)
    found: Array = means[number]
    return found


def blocks_of(columns: GameColumns) -> tuple[str, Array]:
    """What is drawn again as a whole: events where they are said, else months."""
    if columns.event is not None:
        return "event", columns.event
    return "month", columns.day.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)


def _told(progress: Callable[[str, int, int], None], name: str) -> Callable[[int, int], None]:
    return lambda done, total: progress(name, done, total)


def _day(number: int) -> date:
    return date.fromordinal(EPOCH.toordinal() + number)


def sentences(made: Comparison) -> Sequence[str]:
    """What the numbers say, in words."""
    best, *others = made.systems
    found = [
        f"{best.name} expected best what happened: a logarithmic loss of "
        f"{best.log_loss.mean:.4f} in {made.games:,} games since {made.since}."
    ]
    for each in others:
        assert each.behind is not None
        told = f"{each.name} is {each.behind.mean:.4f} behind"
        sure = each.behind.low > 0
        between = f"from {each.behind.low:.4f} to {each.behind.high:.4f} if other {made.blocks}s "
        found.append(
            f"{told} ({between}had been played): "
            + ("more than chance explains." if sure else "that can be chance.")
        )
    return found
