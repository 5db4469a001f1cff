"""The parameters of a rule book that expect best what happens, and how sure they are.

Games until a day find the ratings, games until another are fitted, and those after that are held
out: they only say whether the fit is worth anything.  Every expected score is from before its
game, so the likelihood is that of predictions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from ratingbook.desk.histories import read_history
from ratingbook.engine.history.predictions import predict_history
from ratingbook.lab.bootstrap import Interval, difference, interval, warning
from ratingbook.lab.compare import NothingToCompare, blocks_of, day_of, named, noticed
from ratingbook.lab.intervals import spread
from ratingbook.lab.likelihood import Likelihood, Values, range_in
from ratingbook.lab.scores import log_losses
from ratingbook.model import Findings
from ratingbook.rules.bulk import EPOCH
from ratingbook.rules.wording import counted

Array = np.ndarray[Any, Any]

_FIRST_STEP, _LAST_STEP = 0.2, 1e-3
"""How far the optimiser looks around, as shares of the ranges, in the beginning and in the end."""
_LEAST_GRID, _MOST_GRID = 2, 10_000
_EVALUATIONS = 60
"""For each parameter, at most."""


@dataclass(frozen=True)
class Fitted:
    """A parameter, as it fits best."""

    name: str
    own: float
    """Its number where the fit began: the edition's own, or what the name set."""
    value: float
    low: float
    high: float
    """The interval that holds the true value in 95 of 100 samples of blocks."""
    least: float
    greatest: float
    """The range in which it was looked for."""

    @property
    def is_at_end(self) -> bool:
        """Whether it stopped at an end of its range: the best may lie beyond."""
        near = 0.002 * (self.greatest - self.least)
        return self.value - self.least <= near or self.greatest - self.value <= near


@dataclass(frozen=True)
class Tried:
    """A set of parameters, and the mean loss of the fitted games with it."""

    values: Values
    loss: float


@dataclass(frozen=True)
class Fit:
    """What was found, and what it is worth on games that were held out."""

    rulebook: str
    fitted_rulebook: str
    """The rule book with the parameters found, as ``compare`` and ``fit`` take it."""
    parameters: tuple[Fitted, ...]
    own_loss: float
    """Mean logarithmic loss of the fitted games with the parameters of the beginning."""
    loss: float
    held_out_own: Interval | None
    """The same of the games held out; None: there are none."""
    held_out: Interval | None
    gained: Interval | None
    """By how much the first is above the second, on the same games."""
    games: int
    games_before: int
    games_held_out: int
    since: date
    until: date
    blocks: str
    drawn: int
    """Blocks among the fitted games."""
    evaluations: int
    seed: int
    findings: Findings
    """What was noticed in the games, and should be looked at."""
    grid: tuple[Tried, ...] = ()
    """What was tried beforehand, if it was asked for."""


class NothingToFit(NothingToCompare):
    """No game, or nothing that can be looked for."""


def fit(
    games: Any,
    rulebook: str,
    parameters: Sequence[str],
    *,
    since: date | None = None,
    until: date | None = None,
    assume: float | None = None,
    seed: int = 1,
    grid: int = 0,
    jobs: int = 1,
    master: str | None = None,
    compiled: bool | None = None,
    progress: Callable[[int, Mapping[str, float], float], None] | None = None,
    **beside: Any,
) -> Fit:
    """Look for parameters of an edition in ranges such as ``k=10..40``.

    It begins at the numbers that the edition has, or its name sets (``elo:k=30``).  Games before
    ``since`` only find the ratings, those from ``until`` on are held out: without them a quarter
    of the games each.  With a ``grid`` so many values of each parameter are tried with each of
    the others before, on ``jobs`` processes or the workers of the Spark ``master``, and the fit
    begins at the best of them; the numbers do not depend on who tries them.  Raises
    :class:`NothingToFit`, and what reading and rating raise.
    """
    _, book = named(rulebook)
    ranges = [range_in(each, book) for each in dict.fromkeys(parameters)]
    names = [each.name for each in ranges]
    if not ranges or len(set(names)) < len(names):
        raise NothingToFit("Name each parameter once, with its range: --parameter k=10..40.")
    if grid and (grid < _LEAST_GRID or grid ** len(ranges) > _MOST_GRID):
        raise NothingToFit(
            f"A grid of {grid:,} values of {counted(len(ranges), 'parameter')}: take 2 or more of "
            f"each, and {_MOST_GRID:,} sets at most."
        )
    history = read_history(games, book, **beside)
    beginning = predict_history(history, book, assume=assume, compiled=compiled)
    likelihood = Likelihood(history, book, ranges, assume, compiled, progress, first=beginning)
    held = book.parameters
    own: Values = tuple(min(r.high, max(r.low, float(getattr(held, r.name)))) for r in ranges)
    began = beginning.expected
    columns = history.given.games
    first, last = _days(columns.day, since, until)
    counts = np.isfinite(began)
    likelihood.fitted = counts & (columns.day >= first) & (columns.day < last)
    if not likelihood.fitted.any():
        raise NothingToFit(
            f"From {day_of(first)} until {day_of(last)} there is no game of which {rulebook} "
            "expects something; name other days, or players with ratings."
        )
    points = likelihood.grid(grid) if grid else []
    likelihood.sweep(rulebook, points, jobs=jobs, master=master)
    best = optimum(likelihood, own)
    kind, blocks = blocks_of(columns)
    low, high = spread(likelihood, best, blocks[likelihood.fitted], seed=seed)
    out = counts & (columns.day >= last)
    score = likelihood.score
    one = log_losses(began[out], score[out])
    other = log_losses(likelihood.expected(best)[out], score[out])
    texts = {name: text for name, text in _said(rulebook).items() if name not in names}
    texts |= likelihood.texts(best)
    return Fit(
        rulebook=rulebook,
        fitted_rulebook=rulebook.partition(":")[0].strip()
        + ":"
        + ",".join(f"{name}={text}" for name, text in texts.items()),
        parameters=tuple(
            Fitted(r.name, float(getattr(held, r.name)), best[n], low[n], high[n], r.low, r.high)
            for n, r in enumerate(ranges)
        ),
        own_loss=float(log_losses(began, score)[likelihood.fitted].mean()),
        loss=likelihood.loss(best),
        held_out_own=interval(one, blocks[out], seed=seed) if out.any() else None,
        held_out=interval(other, blocks[out], seed=seed) if out.any() else None,
        gained=difference(one, other, blocks[out], seed=seed) if out.any() else None,
        games=int(likelihood.fitted.sum()),
        games_before=int((columns.day < first).sum()),
        games_held_out=int(out.sum()),
        since=day_of(first),
        until=day_of(last),
        blocks=kind,
        drawn=len(np.unique(blocks[likelihood.fitted])),
        evaluations=likelihood.evaluations,
        grid=tuple(Tried(each, likelihood.loss(each)) for each in points),
        seed=seed,
        findings=noticed([beginning]),
    )


def optimum(likelihood: Likelihood, own: Values) -> Values:
    """The values of least loss: by COBYQA, which needs no derivatives, from the own numbers."""
    from scipy.optimize import Bounds, minimize

    ranges = likelihood.ranges
    tried = sorted(likelihood.means, key=lambda each: (likelihood.means[each], each))[:1]
    shares = [
        [(v - r.low) / r.width for v, r in zip(p, ranges, strict=True)] for p in (own, *tried)
    ]
    begin = min([*shares, [0.5] * len(ranges)], key=likelihood.at)
    minimize(
        likelihood.at, begin, method="COBYQA",
        bounds=Bounds([0.0] * len(ranges), [1.0] * len(ranges)),
        options={
            "initial_tr_radius": _FIRST_STEP, "final_tr_radius": _LAST_STEP,
            "maxfev": _EVALUATIONS * len(ranges),
        },
    )  # fmt: skip
    means = likelihood.means
    return min(means, key=lambda values: (means[values], values != own, values))


def _days(day: Array, since: date | None, until: date | None) -> tuple[int, int]:
    if not len(day):
        raise NothingToFit("There is no game.")
    first = (since - EPOCH).days if since else int(np.quantile(day, 0.25)) + 1
    last = (until - EPOCH).days if until else int(np.quantile(day, 0.75)) + 1
    return first, last


def _said(rulebook: str) -> dict[str, str]:
    """What the name of a rule book sets."""
    said = rulebook.partition(":")[2]
    return dict(each.partition("=")[::2] for each in said.split(",") if each)


def sentences(made: Fit) -> list[str]:
    """What the numbers say, in words."""
    found = []
    for each in made.parameters:
        line = f"{each.name} fits best at {each.value:g} ({each.low:g} to {each.high:g}): "
        inside = each.low <= each.own <= each.high
        line += f"{each.own:g}, where it began, " + (
            "fits as well as chance can tell." if inside else "does not fit."
        )
        if (each.low, each.high) == (each.least, each.greatest):
            line += " Of these games, or beside the other parameters, nothing can be said of it."
        if each.is_at_end:
            line += (
                f" It stopped at an end of {each.least:g} to {each.greatest:g}: widen its range."
            )
        found.append(line)
    if made.gained is not None and made.held_out is not None:
        gained = made.gained
        apart = f"{abs(gained.mean):.4f} {'better' if gained.mean > 0 else 'worse'}"
        if gained.mean and gained.is_known:
            ends = (gained.low, gained.high) if gained.mean > 0 else (-gained.high, -gained.low)
            apart += f" ({ends[0]:.4f} to {ends[1]:.4f})".replace("-", "−")
        if gained.mean:
            apart += ": more than chance explains" if gained.is_sure else ": that can be chance"
        found.append(
            f"On {made.games_held_out:,} games held out since {made.until} the fit is "
            f"{apart if gained.mean else 'as good as what it began with'}."
        )
    few = warning(made.drawn, made.blocks)
    return found if few is None else [*found, few]
