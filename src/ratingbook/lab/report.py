"""A comparison as a rating commission reads it: findings first, figures, methods, data.

Words, tables and charts are made here; what makes a page of them knows nothing of the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ratingbook.lab.bootstrap import Interval, warning
from ratingbook.lab.charts import SERIES, Bar, Mark, Point, calibration, courses, intervals
from ratingbook.lab.compare import (
    CONSTANT,
    LAYERED,
    Comparison,
    Parted,
    Scored,
    shares_of_draws,
)
from ratingbook.lab.groups import Group, Part
from ratingbook.lab.scores import Band, Calibration

_Z = 1.96
_LEAST_GROUPS = 2
"""Of fewer there is nothing to compare."""


@dataclass(frozen=True)
class Finding:
    """What the numbers say, in a few words and then in some more."""

    head: str
    text: str


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    title: str
    numeric: bool = True
    minor: bool = False
    """Whether a phone leaves it out, and says it below the name."""


@dataclass(frozen=True)
class Table:
    """Numbers as text, the first column being the name of the row."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    below: tuple[str, ...] = ()
    """What a phone says below the name of each row, in place of the minor columns."""


@dataclass(frozen=True)
class Figure:
    """A chart with its table."""

    key: str
    title: str
    text: str
    """What it shows, and how to read it."""
    alt: str
    """What can be seen in it."""
    svg: str
    table: Table


@dataclass(frozen=True)
class Page:
    """All that stands on it, in its order."""

    title: str
    facts: tuple[str, ...]
    findings: tuple[Finding, ...]
    table: Table
    figures: tuple[Figure, ...]
    """How good the systems are."""
    groups: tuple[Figure, ...]
    """How good they are on some of the games: by year, by rating, by experience."""
    calibrations: tuple[Figure, ...]
    """Expected beside scored, one for each system."""
    outcomes: Table | None
    """Win, draw and loss, where there are layers that tell them apart."""
    draws: tuple[Figure, ...]
    """Draws expected beside games drawn, one for each of the best."""
    methods: tuple[Finding, ...]


def page_of(made: Comparison) -> Page:
    """The page of a comparison."""
    return Page(
        title="Which rating system expected best what happened?",
        facts=(
            f"{made.games:,} games from {made.since} on",
            f"{len(made.systems)} systems",
            f"{made.drawn:,} {made.blocks}s",
        ),
        findings=tuple(findings_of(made)),
        table=_overview(made),
        figures=tuple(_figures(made)),
        groups=tuple(_of_groups(made)),
        calibrations=tuple(_calibration(n, each) for n, each in enumerate(made.systems, 1)),
        outcomes=_outcomes(made) if made.outcomes else None,
        draws=tuple(_draws(n, each) for n, each in enumerate(shown_of_draws(made), 1)),
        methods=tuple(_methods(made)),
    )


def findings_of(made: Comparison) -> Iterable[Finding]:
    """What a commission wants to know, the most important first."""
    best, *others = made.systems
    yield Finding(
        f"{best.name} expected best what happened.",
        f"Its mean logarithmic loss over {made.games:,} games is {_number(best.log_loss.mean)} "
        f"(less is better). The side of which it expected more scored more in "
        f"{_percent(best.accuracy.mean)} of the games, draws counting half.",
    )
    level = [each.name for each in others if each.behind is not None and not each.behind.is_sure]
    if level:
        yield Finding(
            f"{_listed(level)} cannot be told apart from it.",
            f"The difference can be chance: with other {made.blocks}s it could be nothing, or the "
            "other way round.",
        )
    behind = [
        f"{each.name} (by {_number(each.behind.mean)}, {_between(each.behind)})"
        for each in others
        if each.behind is not None and each.behind.is_sure
    ]
    if behind:
        yield Finding(
            "More than chance explains lies between it and the rest.",
            f"Behind are {_listed(behind)}. In brackets: by how much the loss is larger, and the "
            "interval of 95 %.",
        )
    constant = next((each for each in others if each.name == CONSTANT), None)
    if constant is not None and constant.behind is not None:
        yield Finding(
            f"To know the ratings is worth {_number(constant.behind.mean)} of loss a game.",
            "That is by how much the loss of the best is below that of a forecast that knows no "
            "ratings, only how often White scored before. Hold the differences between the systems "
            "against it.",
        )
    yield from _calibrated(made)
    yield from _of_draws(made)


def _of_draws(made: Comparison) -> Iterable[Finding]:
    """What wins, draws and losses say: who tells them best, and whether draws are as expected."""
    if not made.outcomes:
        return
    best, *_ = made.outcomes
    _, drawn = shares_of_draws(best)
    off = [
        f"{each.name} ({_points(each.drawn_more.mean)})"
        for each in made.outcomes
        if each.drawn_more.is_sure
    ]
    yield Finding(
        f"{best.name} told win, draw and loss best.",
        f"Over the three its loss is {_number(best.log_loss.mean)}. {_percent(drawn)} of the games "
        "were drawn. "
        + (
            f"Draws were more or fewer than expected with {_listed(off)}: in brackets, points in a "
            "hundred games."
            if off
            else "All that know of draws expected about as many, as far as can be told."
        ),
    )


def _calibrated(made: Comparison) -> Iterable[Finding]:
    too_sure, too_timid, right, white = list[str](), list[str](), list[str](), list[str]()
    for each in made.systems:
        if each.name == CONSTANT:
            continue
        off = _favourites(each.calibration)
        told = f"{each.name} ({_points(off.mean)})"
        (too_sure if off.high < 0 else too_timid if off.low > 0 else right).append(
            told if off.is_sure else each.name
        )
        of_white = _white(each.calibration)
        if of_white.is_sure:
            white.append(f"{each.name} ({_points(of_white.mean)})")
    if too_sure:
        yield Finding(
            "Favourites score less than is expected of them.",
            f"So it is with {_listed(too_sure)}: in brackets, points in a hundred games.",
        )
    if too_timid:
        yield Finding(
            "Favourites score more than is expected of them.",
            f"So it is with {_listed(too_timid)}: in brackets, points in a hundred games.",
        )
    if right:
        yield Finding(
            "Favourites score as expected, as far as can be told.", f"With {_listed(right)}."
        )
    if white:
        yield Finding(
            "White's side, or who is at home, is worth something that is not in the ratings.",
            f"White scores other than expected with {_listed(white)}: in brackets, points in a "
            "hundred games.",
        )


def _favourites(made: Calibration) -> Interval:
    """By how much the side of which more is expected scores above that, in a game."""
    return _mean_off(made.bands, lambda band: 1.0 if band.expected > 0.5 else -1.0)


def _white(made: Calibration) -> Interval:
    """By how much White scores above what is expected, in a game."""
    return _mean_off(made.bands, lambda band: 1.0)


def _mean_off(bands: Sequence[Band], sign: Callable[[Band], float]) -> Interval:
    games = sum(each.games for each in bands)
    mean = sum(each.games * sign(each) * (each.scored - each.expected) for each in bands) / games
    errors = (each.games * each.error for each in bands if not math.isnan(each.error))
    error = math.sqrt(sum(each * each for each in errors)) / games
    return Interval(mean, mean - _Z * error, mean + _Z * error)


def _overview(made: Comparison) -> Table:
    names = (
        "System", "Log loss", "95 %", "Behind", "95 %", "Brier", "Right", "Off by", "Resolution",
    )  # fmt: skip
    minor = ("95 %", "Brier", "Right", "Off by", "Resolution")
    rows, below = [], []
    for each in made.systems:
        begun, told = _begun(each)
        off = _number(math.sqrt(each.calibration.reliability))
        brier, right = _number(each.square.mean), _percent(each.accuracy.mean)
        resolution = _number(each.calibration.resolution)
        rows.append((*begun, brier, right, off, resolution))
        below.append(
            f"{told}Brier {brier} · right {right} · off by {off} · resolution {resolution}"
        )
    return _ranking("All systems on the same games, the best first", names, minor, rows, below)


def _begun(made: Scored | Parted) -> tuple[tuple[str, ...], str]:
    """The first columns of a ranking (system, log loss, behind), and the line's beginning below."""
    loss = (_number(made.log_loss.mean), _between(made.log_loss))
    if made.behind is None:
        return (made.name, *loss, "", ""), ""
    between = _between(made.behind)
    return (made.name, *loss, _number(made.behind.mean), between), f"behind by {between} · "


def _ranking(
    title: str,
    names: Sequence[str],
    minor: Container[str],
    rows: Sequence[tuple[str, ...]],
    below: Sequence[str],
) -> Table:
    """A row for each system; the minor columns stand below it where there is no room."""
    columns = (Column(name, numeric=at > 0, minor=name in minor) for at, name in enumerate(names))
    return Table(title, tuple(columns), tuple(rows), tuple(below))


def _figures(made: Comparison) -> Iterable[Figure]:
    losses = {each.name: each.log_loss for each in made.systems}
    best, worst = made.systems[0], made.systems[-1]
    yield Figure(
        "losses",
        "How good each system is",
        "The mean logarithmic loss of each system: the further left, the better. The bars hold it "
        f"in 95 of 100 samples of other {made.blocks}s. Overlapping bars do not mean that two "
        "systems are equal, as easy and hard games are the same for all; for that look at the next "
        "chart.",
        f"{len(losses)} bars from {best.name} at {_number(best.log_loss.mean)} to "
        f"{worst.name} at {_number(worst.log_loss.mean)}.",
        intervals([*map(_bar, losses, losses.values())], "mean logarithmic loss; left is better"),
        _of_bars("Mean logarithmic loss", losses),
    )
    behind = {each.name: each.behind for each in made.systems if each.behind is not None}
    if behind:
        sure = sum(each.is_sure for each in behind.values())
        yield Figure(
            "behind",
            f"How far the others are behind {best.name}",
            "The difference on the same games. Where the bar reaches the line at 0, it can be "
            "chance.",
            f"{sure} of {len(behind)} bars are wholly right of 0.",
            intervals(
                [*map(_bar, behind, behind.values())],
                "loss above that of the best; 0 is as good",
                zero=True,
            ),
            _of_bars(f"Loss above that of {best.name}", behind),
        )


def _bar(name: str, found: Interval) -> Bar:
    """The bar of an interval without ends is a point; the numbers below it say so."""
    if not found.is_known:
        return Bar(name, found.mean, found.mean, found.mean)
    return Bar(name, found.mean, found.low, found.high)


def _of_bars(caption: str, found: Mapping[str, Interval]) -> Table:
    return Table(
        caption,
        (Column("System", numeric=False), Column("Value"), Column("95 %")),
        tuple((name, _number(each.mean), _between(each)) for name, each in found.items()),
    )


_WAYS = {
    "year": ("Over time", "year in which the games ended", "By the year in which the games ended."),
    "band": (
        "By rating", "mean rating of both players before the game",
        "By the mean rating of both players before the game, as {} has it, in fifths of about as "
        "many games each.",
    ),
    "experience": (
        "By experience", "games of the less experienced player before",
        "By the games that the less experienced player had had on earlier days in these files: "
        "how a system does with newcomers.",
    ),
}  # fmt: skip


def _of_groups(made: Comparison) -> Iterable[Figure]:
    """A chart for each way of grouping, of the systems that are worth a look."""
    best, *shown = shown_in_groups(made)
    for way, (title, axis, text) in _WAYS.items():
        groups = made.by.get(way, ())
        if len(groups) < _LEAST_GROUPS or not shown:
            continue
        parts = [
            (group, next(part for part in group.systems if part.name == name))
            for group in groups
            for name in (best, *shown)
        ]
        others = [(group, part) for group, part in parts if part.name != best]
        marks = [_mark(group, part) for group, part in others]
        better = sum(each.low > 0 for each in marks)
        worse = sum(each.high < 0 for each in marks)
        alone = any(part.behind_error is None for _, part in others)
        yield Figure(
            f"groups-{way}",
            title,
            f"{text.format(made.band_of)} Above the line at 0 a system expects worse than {best} "
            "on the same games, below it better. "
            + ("The shade is the interval of 95 % of the first. " if way == "year" else "")
            + ("" if way == "year" else "The bars are intervals of 95 %. ")
            + (f"Games of a single {made.blocks} have none." if alone else ""),
            f"{len(marks)} points of {len(shown)} systems in {len(groups)} groups: the intervals "
            f"of {better} are wholly above 0, of {worse} wholly below.",
            courses(marks, axis, "loss above that of the best", years=way == "year"),
            _of_parts(title, parts),
        )


def _mark(group: Group, part: Part) -> Mark:
    error = _Z * (part.behind_error or 0.0)
    return Mark(part.name, group.name, part.behind, part.behind - error, part.behind + error)


def shown_in_groups(made: Comparison) -> list[str]:
    """The best, and then rather other rule books than the same once more with a layer."""
    best, *others = (each.name for each in made.systems if each.name != CONSTANT)
    books = {_bare(best)}
    first = []
    for name in others:
        if _bare(name) not in books:
            books.add(_bare(name))
            first.append(name)
    rest = [name for name in others if name not in first]
    chosen = [*first, *rest][:SERIES]
    return [best, *(name for name in others if name in chosen)]


def _bare(name: str) -> str:
    """The rule book, without its layer."""
    return name.removesuffix(LAYERED)


def _of_parts(title: str, parts: Sequence[tuple[Group, Part]]) -> Table:
    rows, below = [], []
    for group, each in parts:
        error = "" if each.behind_error is None else f" ± {_number(_Z * each.behind_error)}"
        right, resolution = _percent(each.accuracy), _number(each.resolution)
        behind, off = f"{_number(each.behind)}{error}", _number(math.sqrt(each.reliability))
        rows.append(
            (f"{group.name}: {each.name}", f"{group.games:,}", _number(each.log_loss), behind,
             right, off, resolution)
        )  # fmt: skip
        below.append(f"behind {behind} · right {right} · off by {off} · resolution {resolution}")
    names = ("Games of", "Games", "Log loss", "Behind, 95 %", "Right", "Off by", "Resolution")
    return Table(
        f"{title}: the systems of the chart",
        tuple(Column(name, numeric=at > 0, minor=at > 2) for at, name in enumerate(names)),
        tuple(rows),
        tuple(below),
    )


def _calibration(number: int, made: Scored) -> Figure:
    bands = made.calibration.bands
    points = [
        Point(each.expected, each.scored, each.scored - _error(each), each.scored + _error(each))
        for each in bands
    ]
    off = math.sqrt(made.calibration.reliability)
    on = sum(each.low <= each.expected <= each.high for each in points)
    return Figure(
        f"calibration-{number}",
        made.name,
        f"Off by {_number(off)} in the root mean square of its bands.",
        f"{len(points)} bands; the intervals of {on} of them hold what was expected.",
        calibration(points),
        Table(
            f"{made.name}: expected and scored, White's share in percent",
            (Column("Expected", numeric=False), Column("Games"), Column("mean"), Column("Scored"),
             Column("95 %")),
            _rows_of(bands, points),
        ),
    )  # fmt: skip


def _outcomes(made: Comparison) -> Table:
    names = ("System", "Log loss", "95 %", "Behind", "95 %", "Ranked", "Brier", "Draws", "Off by")
    minor = ("95 %", "Ranked", "Brier", "Off by")
    rows, below = [], []
    for each in made.outcomes:
        begun, told = _begun(each)
        ranked, brier = _number(each.ranked.mean), _number(each.square.mean)
        draws, off = _percent(shares_of_draws(each)[0]), _number(each.draws.reliability**0.5)
        rows.append((*begun, ranked, brier, draws, off))
        below.append(f"{told}ranked {ranked} · Brier {brier} · off by {off}")
    title = "Win, draw and loss on the same games, the best first"
    return _ranking(title, names, minor, rows, below)


def shown_of_draws(made: Comparison) -> Sequence[Parted]:
    """The best, one for each rule book, and the one that knows no ratings."""
    shown: dict[str, Parted] = {}
    for each in made.outcomes:
        if each.name != CONSTANT:
            shown.setdefault(_bare(each.name), each)
    return [*shown.values()][:SERIES]


def _draws(number: int, made: Parted) -> Figure:
    bands = made.draws.bands
    points = [
        Point(each.expected, each.scored, each.scored - _error(each), each.scored + _error(each))
        for each in bands
    ]
    on = sum(each.low <= each.expected <= each.high for each in points)
    return Figure(
        f"draws-{number}",
        made.name,
        f"Drawn less expected: {_points(made.drawn_more.mean)} points in a hundred games"
        + (
            f" ({_points(made.drawn_more.low)} to {_points(made.drawn_more.high)})."
            if made.drawn_more.is_known
            else "."
        ),
        f"{len(points)} bands; the intervals of {on} of them hold what was expected.",
        calibration(points, scored="drawn", whole=False),
        Table(
            f"{made.name}: draws expected and games drawn, in percent",
            (Column("Expected", numeric=False), Column("Games"), Column("mean"), Column("Drawn"),
             Column("95 %")),
            _rows_of(bands, points),
        ),
    )  # fmt: skip


def _rows_of(bands: Sequence[Band], points: Sequence[Point]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (f"{_share(b.least)} to {_share(b.greatest)}", f"{b.games:,}", _share(b.expected),
         _share(b.scored), f"{_share(max(0.0, p.low))} to {_share(min(1.0, p.high))}")
        for b, p in zip(bands, points, strict=True)
    )  # fmt: skip


def _error(band: Band) -> float:
    return 0.0 if math.isnan(band.error) else _Z * band.error


def _methods(made: Comparison) -> Iterable[Finding]:
    left = (
        f" {made.left_out:,} games in that time are left out, since one of the systems expects "
        "nothing of them: of players without a rating, or of games that it does not rate."
        if made.left_out
        else ""
    )
    yield Finding(
        "What is compared.",
        "Each system rates the same games in their order and says before each game what share of "
        "the point it expects for White. No prediction knows the result of its game, of a game "
        f"that is rated together with it, or of a later one. The first {made.before:,} games, "
        f"before {made.since}, only find the ratings and do not count.{left}",
    )
    yield Finding(
        "How it is scored.",
        "The logarithmic loss of a game is −(s · ln E + (1 − s) · ln(1 − E)) for the expected "
        "score E and the result s, 1, ½ or 0; who is sure and wrong pays most. The score of "
        "Brier is (s − E)². Right is how often the side scored more of which more was expected. "
        "Off by is the distance of expected and scored in bands of about as many games each. "
        "Resolution is how far what was scored in these bands lies from the mean of all games, "
        "squared: more is better, and who has none does not know who is stronger.",
    )
    few = warning(made.drawn, made.blocks)
    yield Finding(
        "How sure it is.",
        f"Games of one {made.blocks} are not independent of each other. So whole {made.blocks}s, "
        f"{made.drawn:,} of them, are drawn again 2,000 times, the same for all systems; the "
        f"intervals hold the middle 95 %.{f' {few}' if few else ''} In the charts of calibration "
        "the bars are 1.96 standard errors, as if games were independent.",
    )
    if any(each.layer is not None for each in made.systems):
        yield Finding(
            "What a layer adds.",
            "A layer makes the expected score E of a rule book into E' by logit E' = shift + "
            "slope · logit E: the shift is what White's side is worth, a slope below 1 says that "
            "the rule book is too sure of favourites. E' is parted into win, draw and loss by "
            "Davidson's model of 1970: win · loss = (draw / ν)², so that even sides draw ν / "
            f"(2 + ν) of their games. All three are found in the games before {made.since} alone. "
            "Those who know of draws are also scored by the probability of what happened, and by "
            "the ranked probability score, to which a draw is nearer to a win than a loss is. "
            "Intervals here are of whole "
            f"{made.blocks}s. {_layers(made)}",
        )
    yield Finding(
        "What it does not say.",
        "A smaller loss means that the numbers foretell better. It does not mean that a system is "
        "fairer, steadier, harder to abuse or easier to explain. And these are these games: other "
        "players may give another order.",
    )


def _layers(made: Comparison) -> str:
    """The numbers of every layer."""
    told = []
    for each in made.systems:
        if each.layer is None:
            continue
        parts = [f"shift {_number(each.layer.shift)}", f"slope {_number(each.layer.slope)}"]
        if each.layer.nu:
            parts.append(f"ν {_number(each.layer.nu)}")
        if each.layer.sure is not None:
            within = each.layer.sure.shift, each.layer.sure.slope, each.layer.sure.nu
            parts = [f"{a} ({_between(b)})" for a, b in zip(parts, within, strict=False)]
        told.append(f"{each.name}: {', '.join(parts)}")
    return "; ".join(told) + "."


def _number(value: float) -> str:
    return f"{value:.4f}".replace("-0.0000", "0.0000").replace("-", "−")


def _between(found: Interval) -> str:
    return f"{_number(found.low)} to {_number(found.high)}" if found.is_known else "unknown"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _share(share: float) -> str:
    return f"{100 * share:.1f}"


def _points(off: float) -> str:
    return f"{100 * off:+.1f}".replace("-", "−")


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
