"""Rule books beside each other on the same games: which one knew better what would happen.

Every prediction is made before the game, and before all games that are rated with it.  Only
games count of which all rule books expect something, and which come after the time in which
the ratings are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import numpy as np

from ratingbook.desk.histories import read_history
from ratingbook.engine.history.api import History
from ratingbook.engine.history.columns import GameColumns
from ratingbook.engine.history.predictions import Before, Predictions, predict_history
from ratingbook.lab import bradley_terry
from ratingbook.lab.bootstrap import Interval, intervals, warning
from ratingbook.lab.groups import Group, by_band, by_experience, by_year, grouped
from ratingbook.lab.layer import Layer, fitted
from ratingbook.lab.outcomes import Outcomes
from ratingbook.lab.scores import Calibration, calibration, hits, log_losses, squares
from ratingbook.model import Findings, Severity
from ratingbook.rules import registry
from ratingbook.rules.bulk import EPOCH
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.settings import ParameterError
from ratingbook.rules.wording import counted

Array = np.ndarray[Any, Any]

LAYERED = " + layer"
_OF_ANOTHER_TIME = "edition.outside-validity"
CONSTANT = "constant"
"""The baseline that knows of no ratings: White's mean score so far, and the share of draws."""
_DRAW, _DRAWN = 1, 0.5
"""A draw in half points, and as a share of the point."""


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
class Parted:
    """How good one system was at telling wins, draws and losses apart."""

    name: str
    log_loss: Interval
    """Mean of −ln of the probability of what happened: win, draw or loss."""
    ranked: Interval
    """The ranked probability score (Epstein 1969)."""
    square: Interval
    """The score of Brier over the three outcomes, from 0 to 2."""
    draws: Calibration
    """Probabilities of a draw beside how many were drawn."""
    drawn_more: Interval
    """Share of the games that were drawn, less what was expected."""
    behind: Interval | None
    """By how much its logarithmic loss is above that of the best of these; None: it is the best."""


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
    by: Mapping[str, tuple[Group, ...]]
    """The same games by ``band``, ``experience`` and ``year``."""
    band_of: str
    """Whose ratings make the bands: the first rule book's."""
    outcomes: tuple[Parted, ...] = ()
    """Those that know of draws, the best first; empty without layers, and where nobody draws."""
    findings: Findings = field(default_factory=Findings)
    """What was noticed in the games, and should be looked at."""


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
    name, settings = parts_of(text)
    book = registry.load(name)
    return text, book.with_parameters(settings) if settings else book


def title_of(name: str) -> str:
    """What a rule book, or a baseline beside them, is called in full."""
    return bradley_terry.TITLE if name == bradley_terry.NAME else named(name)[1].title


def parts_of(text: str) -> tuple[str, dict[str, str]]:
    """The name, and the parameters beside it."""
    name, _, said = text.partition(":")
    return name.strip(), dict(each.partition("=")[::2] for each in said.split(",") if each)


def compare(
    games: Any,
    rulebooks: Iterable[str],
    *,
    since: date | None = None,
    assume: float | None = None,
    layers: bool = False,
    layers_since: date | None = None,
    seed: int = 1,
    compiled: bool | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    **beside: Any,
) -> Comparison:
    """Rate games by several rule books, and score what each of them expected.

    ``games`` and what is ``beside`` them are read as by ``ratingbook.history``.  Beside rule
    books there is :mod:`bradley-terry <.bradley_terry>`, with its own parameters.  Games before
    ``since`` are rated and do not count; without it a quarter of the games.  ``assume`` is the
    rating of players whom an edition would leave unrated for ever.  With ``layers`` each rule
    book stands there once more, with what :mod:`.layer` finds on top of it in the games that do
    not count, or in those of them from ``layers_since`` on.  ``progress`` is told the name, the
    games done and all.  Raises :class:`NothingToCompare`, and what reading and rating raise.
    """
    asked = list(dict.fromkeys(rulebooks))
    baselines = {
        text: settings
        for text, (name, settings) in zip(asked, map(parts_of, asked), strict=True)
        if name == bradley_terry.NAME
    }
    for settings in baselines.values():
        bradley_terry.chosen(settings)
    made = predicted(
        games, [each for each in asked if each not in baselines], assume=assume,
        compiled=compiled, before="first", progress=progress, **beside,
    )  # fmt: skip
    first = next(iter(made.values()))
    history, expected = first.history, {name: each.expected for name, each in made.items()}
    columns = history.given.games
    draws: dict[str, Array] = {}
    for name, settings in baselines.items():
        of_all = bradley_terry.outcomes(columns, len(history.given.players), settings)
        expected[name] = of_all.expected
        if bradley_terry.chosen(settings).ties is bradley_terry.Ties.DAVIDSON:
            draws[name] = of_all.draw
    score = columns.score / 2.0
    expected[CONSTANT] = mean_so_far(columns.day, score)
    draws[CONSTANT] = mean_so_far(columns.day, score == _DRAWN, first=1 / 3)
    found = scored(
        columns, expected, draws=draws, before=first.before, since=since, layers=layers,
        layers_since=layers_since, seed=seed,
    )  # fmt: skip
    return replace(found, findings=noticed(made.values()))


def predicted(
    games: Any,
    rulebooks: Iterable[str],
    *,
    before: str,
    assume: float | None,
    compiled: bool | None,
    progress: Callable[[str, int, int], None] | None,
    **beside: Any,
) -> dict[str, Predictions]:
    """What several rule books expected of the same games.

    ``before`` says of which the ratings before the games are wanted: ``first`` or ``all``.
    Raises :class:`NothingToCompare` where they do not read the same games of the same people.
    """
    made: dict[str, Predictions] = {}
    for name, book in map(named, dict.fromkeys(rulebooks)):
        history = read_history(games, book, **beside)
        first = next(iter(made.items()), None)
        if first is not None and not same_games(first[1].history, history):
            raise NothingToCompare(
                f"{first[0]} and {name} know the players of these games by other numbers: say by "
                "which, the same for both, such as --id name."
            )
        made[name] = predict_history(
            history, book, assume=assume, compiled=compiled, before=before == "all" or not made,
            progress=None if progress is None else told_of(progress, name),
        )  # fmt: skip
    if not made:
        raise ParameterError("name a rule book: elo, say; `ratingbook rulebooks` has them")
    return made


def same_games(one: History, other: History) -> bool:
    """Whether two histories have the same games of the same players in the same order."""
    mine, others = one.given, other.given
    return mine.players.equals(others.players) and all(
        np.array_equal(getattr(mine.games, name), getattr(others.games, name))
        for name in ("day", "white", "black", "score")
    )


def noticed(made: Iterable[Predictions]) -> Findings:
    """What was noticed in the games, but for what is only for the record.

    That an edition is applied to games of another time, or to columns that it does not use, is what
    a comparison is for: what it makes of them is told of one alone.
    """
    several = [*made]
    alone = several[0].findings if len(several) == 1 else Findings()
    return Findings(
        finding
        for each in several
        for finding in (*each.history.findings, *alone)
        if finding.severity is not Severity.INFO and finding.code != _OF_ANOTHER_TIME
    )


def scored(
    columns: GameColumns,
    expected: Mapping[str, Array],
    *,
    draws: Mapping[str, Array] | None = None,
    before: Before | None = None,
    since: date | None = None,
    layers: bool = False,
    layers_since: date | None = None,
    seed: int = 1,
) -> Comparison:
    """Score what several systems expected of the same games.

    ``draws`` are the probabilities of a draw by those of them that know.  ``before`` are the
    ratings that the first of them had before each game.
    """
    band_of = next(iter(expected))
    day, score = columns.day, columns.score / 2.0
    first = first_day(day, since)
    in_time = day >= first
    kind, blocks = blocks_of(columns)
    finding = ~in_time if layers_since is None else ~in_time & (day >= _number_of(layers_since))
    found = layers_of(expected, score, finding, blocks) if layers else {}
    parted = {f"{name}{LAYERED}": each.outcomes(expected[name]) for name, each in found.items()}
    expected = {**expected, **{name: each.expected for name, each in parted.items()}}
    # Who found no layer knows nothing of draws.
    parted = {
        name: each
        for name, each in parted.items()
        if found[name.removesuffix(LAYERED)].sure is not None
    }
    parted |= {name: Outcomes(expected[name], each) for name, each in (draws or {}).items()}
    common = in_common(in_time, expected, day, first)
    blocks, score = blocks[common], score[common]
    expects = {name: int(np.isfinite(each[in_time]).sum()) for name, each in expected.items()}
    expected = {name: each[common] for name, each in expected.items()}
    losses = {name: log_losses(each, score) for name, each in expected.items()}
    order = sorted(losses, key=lambda name: (float(losses[name].mean()), name))
    best = losses[order[0]]
    rows = [
        row
        for name in order
        for row in (
            losses[name], squares(expected[name], score), hits(expected[name], score),
            losses[name] - best,
        )
    ]  # fmt: skip
    drawn = iter(intervals(np.stack(rows), blocks, seed=seed))
    systems = tuple(
        Scored(
            name=name,
            expects=expects[name],
            log_loss=loss,
            square=square,
            accuracy=right,
            calibration=calibration(expected[name], score),
            layer=found.get(name.removesuffix(LAYERED)) if name.endswith(LAYERED) else None,
            behind=None if name == order[0] else behind,
        )
        for name, (loss, square, right, behind) in zip(
            order, zip(drawn, drawn, drawn, drawn, strict=True), strict=True
        )
    )
    ways = {"experience": by_experience(columns, common), "year": by_year(columns, common)}
    if before is not None:
        ways = {"band": by_band(before.white, before.black, common), **ways}
    in_order = {name: expected[name] for name in order}
    games = int(common.sum())
    return Comparison(
        systems=systems,
        games=games,
        left_out=int(in_time.sum()) - games,
        before=len(day) - int(in_time.sum()),
        since=day_of(first),
        blocks=kind,
        drawn=len(np.unique(blocks)),
        seed=seed,
        by={
            way: grouped(names, number, in_order, score, blocks)
            for way, (names, number) in ways.items()
        },
        band_of=band_of,
        outcomes=_parted(
            {name: each.of(common) for name, each in parted.items()}, score, blocks, seed
        )
        if layers and (columns.score == _DRAW).any()
        else (),
    )


def _parted(
    made: Mapping[str, Outcomes], score: Array, blocks: Array, seed: int
) -> tuple[Parted, ...]:
    """Score what several systems expected of win, draw and loss in the same games."""
    losses = {name: each.log_losses(score) for name, each in made.items()}
    order = sorted(losses, key=lambda name: (float(losses[name].mean()), name))
    drawn = (score == _DRAWN).astype(float)
    rows = [
        row
        for name in order
        for row in (
            losses[name], made[name].ranked(score), made[name].squares(score),
            drawn - made[name].draw, losses[name] - losses[order[0]],
        )
    ]  # fmt: skip
    found = iter(intervals(np.stack(rows), blocks, seed=seed))
    return tuple(
        Parted(
            name, loss, ranked, square, calibration(made[name].draw, drawn), more,
            None if name == order[0] else behind,
        )
        for name, (loss, ranked, square, more, behind) in zip(
            order, zip(found, found, found, found, found, strict=True), strict=True
        )
    )  # fmt: skip


def first_day(day: Array, since: date | None) -> int:
    """The day from which games count: the first quarter of them only finds the ratings."""
    if since is not None:
        return _number_of(since)
    return int(np.quantile(day, 0.25)) + 1 if len(day) else 0


def in_common(in_time: Array, expected: Mapping[str, Array], day: Array, first: int) -> Array:
    """The games in time of which all expect something; raises where there is none."""
    common: Array = in_time & np.all([np.isfinite(each) for each in expected.values()], axis=0)
    if common.any():
        return common
    games = int(in_time.sum())
    if not games:
        # What there is has found the ratings, or there is nothing at all.
        last = f": the last is of {day_of(int(day.max()))}" if len(day) else ""
        raise NothingToCompare(
            f"No game is left to count: they count from {day_of(first)} on{last}. Games before "
            "only find the ratings; --since names another day."
        )
    of_each = {
        name: int(np.isfinite(each[in_time]).sum())
        for name, each in expected.items()
        if name != CONSTANT and not name.endswith(LAYERED)
    }
    told = ", ".join(f"{name} of {count:,}" for name, count in of_each.items() if count < games)
    raise NothingToCompare(
        f"Of the {counted(games, 'game')} since {day_of(first)} there is none of which all expect "
        f"something: {told}. Players with ratings (--players), a level for those without "
        "(--assume), or more games before may help."
    )


def layers_of(
    expected: Mapping[str, Array], score: Array, before: Array, blocks: Array
) -> dict[str, Layer]:
    """What the games ``before`` find on top of each system, but for the constant."""
    found = {}
    for name, each in expected.items():
        some = before & np.isfinite(each)
        if name != CONSTANT:
            found[name] = fitted(each[some], score[some], blocks[some])
    return found


def mean_so_far(day: Array, values: Array, first: float = 0.5) -> Array:
    """The mean of all days before, of White's scores, say; on the first day ``first``."""
    days, number = np.unique(day, return_inverse=True)
    sums = np.bincount(number, weights=values, minlength=len(days))
    games = np.bincount(number, minlength=len(days))
    before, played = np.cumsum(sums) - sums, np.cumsum(games) - games
    means = np.divide(before, played, out=np.full(len(days), first), where=played > 0)
    found: Array = means[number]
    return found


def blocks_of(columns: GameColumns) -> tuple[str, Array]:
    """What is drawn again as a whole: events where they are said, else months."""
    if columns.event is not None:
        return "event", columns.event
    return "month", columns.day.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)


def told_of(progress: Callable[[str, int, int], None], name: str) -> Callable[[int, int], None]:
    """What one rule book's rating tells, with its name."""
    return lambda done, total: progress(name, done, total)


def _number_of(day: date) -> int:
    return (day - EPOCH).days


def day_of(number: int) -> date:
    """The day with that number."""
    return date.fromordinal(EPOCH.toordinal() + number)


def sentences(made: Comparison) -> Sequence[str]:
    """What the numbers say, in words."""
    best, *others = made.systems
    found = [
        f"{best.name} expected best what happened: a logarithmic loss of "
        f"{best.log_loss.mean:.4f} in {counted(made.games, 'game')} since {made.since}."
    ]
    for each in others:
        assert each.behind is not None
        told = f"{each.name} is {each.behind.mean:.4f} behind"
        if each.behind.is_known:
            told += (
                f" (from {each.behind.low:.4f} to {each.behind.high:.4f} if other "
                f"{made.blocks}s had been played)"
            ).replace("-", "−")
        sure = each.behind.is_sure
        found.append(told + (": more than chance explains." if sure else ": that can be chance."))
    found += of_draws(made)
    few = warning(made.drawn, made.blocks)
    return found if few is None else [*found, few]


def shares_of_draws(made: Parted) -> tuple[float, float]:
    """The share of draws that a system expected, and that of those that were drawn."""
    games = sum(each.games for each in made.draws.bands)
    drawn = sum(each.games * each.scored for each in made.draws.bands) / games
    return drawn - made.drawn_more.mean, drawn


def of_draws(made: Comparison) -> list[str]:
    """What the numbers say of wins, draws and losses, in words."""
    if not made.outcomes:
        return []
    best = made.outcomes[0]
    found = [
        f"Of win, draw and loss {best.name} told best: a logarithmic loss of "
        f"{best.log_loss.mean:.4f} over the three. {100 * shares_of_draws(best)[1]:.1f} % of the "
        "games were drawn."
    ]
    for more, word in ((True, "more"), (False, "fewer")):
        off = [
            f"{each.name} ({100 * abs(each.drawn_more.mean):.1f})"
            for each in made.outcomes
            if each.drawn_more.is_sure and (each.drawn_more.mean > 0) is more
        ]
        if off:
            found.append(
                f"Of a hundred games {word} were drawn than expected, for more than chance "
                f"explains, by: {', '.join(off)}."
            )
    return found
