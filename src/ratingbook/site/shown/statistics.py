"""Statistics of a pool, each as a chart and as its table; made once for what is published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from django.db.models import Avg, Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratingbook.desk.written import fixed, number, rating_number
from ratingbook.model import GameStatus
from ratingbook.office.acts.published import head_run, table_of
from ratingbook.office.acts.setup import pool_named
from ratingbook.office.acts.snapshots import fed_of_run
from ratingbook.office.engine.rating import batches_of_games
from ratingbook.office.engine.rules import Rules, expected_score
from ratingbook.office.home import current
from ratingbook.office.store import models as m
from ratingbook.site.answers import DRAWN
from ratingbook.site.languages import grouped, localised, month_in_words
from ratingbook.site.shown.plots import Chart, Plot, nice
from ratingbook.site.shown.printed import hidden_since, printed
from ratingbook.site.shown.rated_games import rated_games
from ratingbook.site.templatetags.written import day

_BINS = 24
_MONTHS = 60
"""Five years, as the figure says."""
_LISTS = 60
_STEP = 50
"""Rating points of a step of the difference between two opponents."""
_WIDEST = 600
_FEW = 10
"""Of fewer games nothing is said."""


@dataclass(frozen=True)
class Figure:
    """A chart with its table."""

    key: str
    title: str
    says: str
    """In a sentence what it shows."""
    chart: Chart | None = field(metadata=DRAWN)
    columns: tuple[tuple[str, bool], ...]
    """Heading, and whether the column is numeric."""
    rows: tuple[tuple[object, ...], ...]

    @property
    def cells(self) -> Iterator[list[tuple[object, int]]]:
        """The rows, each number with the decimals of its column: so they stand in line."""
        decimals = [max(map(_decimals, column)) for column in zip(*self.rows, strict=True)]
        return (list(zip(row, decimals, strict=True)) for row in self.rows)


def _decimals(value: object) -> int:
    """With how many decimals a number is written by itself."""
    text = rating_number(value) if isinstance(value, float) else ""
    return len(text.partition(".")[2])


@dataclass(frozen=True)
class StatisticsPage:
    """The statistics of a pool."""

    pool: str
    pools: tuple[str, ...]
    rulebook: str
    players: int
    games: int
    day: date | None
    """Of the newest list."""
    figures: tuple[Figure, ...]


def show(name: str) -> StatisticsPage:
    """The statistics of a pool; without a name of the first one that has published anything."""
    every = {each.name: each for each in m.Pool.objects.order_by("id")}
    pools = tuple(pool for pool, each in every.items() if each.head)
    if not name and not pools:
        return StatisticsPage("", (), "", 0, 0, None, ())
    pool = every.get(name or pools[0]) or pool_named(name)
    run = head_run(pool)
    newest = _newest(pool)
    if run is None:
        return StatisticsPage(pool.name, pools, pool.rulebook, 0, 0, None, ())
    months, differences = _of_games(current().folder, run)
    figures = [
        _distribution(newest[-1][0]) if newest else None,
        _activity(months),
        _over_time(newest),
        _against_expected(differences),
    ]
    return StatisticsPage(
        pool.name, pools, pool.rulebook, newest[-1][2] if newest else 0,
        sum(count for _, count in months), newest[-1][1] if newest else None,
        tuple(each for each in figures if each is not None),
    )  # fmt: skip


def _newest(pool: m.Pool) -> list[tuple[int, date, int]]:
    """Number, day and rows of the last lists, each in its newest revision, by the day."""
    found = m.List.objects.filter(pool=pool).order_by("date", "revision")
    by_day = {day: (n, day, rows) for n, day, rows in found.values_list("id", "date", "rows")}
    return list(by_day.values())[-_LISTS:]


def _figure(value: float) -> str:
    return localised(rating_number(value))


def _rounded(value: float) -> float:
    """With the one decimal with which a number stands in the sentence, the table and the files."""
    return float(fixed(value, 1))


def _distribution(newest: int) -> Figure | None:
    """How many players have which rating on the newest list."""
    ratings = [each for each in printed(newest, hidden_since()).ratings if each is not None]
    if not ratings:
        return None
    width = max(nice((max(ratings) - min(ratings)) / _BINS or 1.0), 1.0)
    first = int(min(ratings) // width)
    counts = [0] * (int(max(ratings) // width) - first + 1)
    for each in ratings:
        counts[int(each // width) - first] += 1
    lows = [(first + at) * width for at in range(len(counts))]
    middle = sorted(ratings)[len(ratings) // 2]
    says = (
        ngettext(
            "{n} player from {low} to {high}; half of them have {middle} or more",
            "{n} players from {low} to {high}; half of them have {middle} or more",
            len(ratings),
        )
    ).format(
        n=grouped(len(ratings)), low=_figure(min(ratings)), high=_figure(max(ratings)),
        middle=_figure(middle),
    )  # fmt: skip
    plot = Plot.over(_("Players by rating"), says, len(counts), counts, from_zero=True)
    for at, (low, count) in enumerate(zip(lows, counts, strict=True)):
        plot.bar(at, count)
        plot.label(at, _figure(low))
    rows = tuple(
        (f"{_figure(low)} – {_figure(low + width)}", count)
        for low, count in zip(lows, counts, strict=True)
    )
    columns = ((_("Rating"), False), (_("Players"), True))
    return Figure("distribution", _("Players by rating"), says, plot.made(), columns, rows)


Months = tuple[tuple[str, int], ...]
Differences = tuple[tuple[int, int, float, float | None], ...]
"""Least difference of a step, games, what the stronger scored on average, and what was expected."""


@lru_cache(maxsize=256)
def _of_games(folder: Path, run: m.Run) -> tuple[Months, Differences]:
    """What the rated games of a publication tell; they never change."""
    del folder
    fed = fed_of_run(current(), run)
    if not len(fed.games):
        return (), ()
    rules = Rules(run.rulebook, run.parameters, run.assume)
    batches = batches_of_games(fed, rules)
    rated = rated_games(current(), run, fed, rules, batches)
    months = pc.value_counts(pc.strftime(fed.games["date"].filter(rated), format="%Y-%m"))
    by_month = sorted((str(each["values"]), int(each["counts"].as_py())) for each in months)
    if not by_month:
        return (), ()
    played = np.asarray(pc.equal(fed.games["status"], GameStatus.PLAYED.value))
    return tuple(by_month), _differences(
        table_of(current(), run.file_id or ""), fed.games, rated & played, batches, rules
    )


def _differences(
    changes: pa.Table,
    games: pa.Table,
    chosen: np.ndarray,
    batches: tuple[Sequence[str], Sequence[date]],
    rules: Rules,
) -> Differences:
    """By the difference of the ratings before the batch: what the stronger scored."""
    rows = zip(
        changes["key"].to_pylist(), changes["player"].to_pylist(), changes["before"].to_pylist(),
        strict=True,
    )  # fmt: skip
    before: dict[tuple[str, str], float | None] = {}
    for key, player, rating in rows:
        before.setdefault((key, player), rating)
    handicaps = (
        games["handicap"].to_pylist() if "handicap" in games.column_names else [0] * len(games)
    )
    found: dict[int, list[tuple[float, float, float]]] = {}
    last = max(batches[1])
    said = zip(
        games["white"].to_pylist(), games["black"].to_pylist(), games["score"].to_pylist(),
        handicaps, batches[0], chosen.tolist(), strict=True,
    )  # fmt: skip
    for white, black, score, stones, key, counts in said:
        a, b = before.get((key, white)), before.get((key, black))
        if not counts or stones or a is None or b is None or score is None:
            continue
        if abs(a - b) < _WIDEST:
            of_stronger = score if a >= b else 1.0 - score
            step = found.setdefault(int(abs(a - b) // _STEP), [])
            step.append((of_stronger, max(a, b), min(a, b)))
    table: list[tuple[int, int, float, float | None]] = []
    for low, of in sorted(found.items()):
        strong = sum(each[1] for each in of) / len(of)
        gap = sum(each[1] - each[2] for each in of) / len(of)
        scored = sum(each[0] for each in of) / len(of)
        expected = expected_score(rules, last, round(strong), round(strong - gap))
        table.append((low * _STEP, len(of), scored, expected))
    return tuple(table)


def _activity(months: Months) -> Figure | None:
    """Rated games by month."""
    if not months:
        return None
    every = _all_months(months)
    shown, is_all = every[-_MONTHS:], len(every) <= _MONTHS
    most = max(shown, key=lambda each: each[1])
    games = sum(count for month, count in shown)
    if is_all:
        said = ngettext(
            "{n} rated game; most, {most}, in {month}",
            "{n} rated games; most, {most}, in {month}",
            games,
        )
    else:
        said = ngettext(
            "{n} rated game in the last five years; most, {most}, in {month}",
            "{n} rated games in the last five years; most, {most}, in {month}",
            games,
        )
    first = date.fromisoformat(f"{most[0]}-01")
    says = said.format(n=grouped(games), most=grouped(most[1]), month=month_in_words(first))
    alike = sum(count == most[1] for _, count in shown)
    if alike > 1:
        says = ngettext(
            "{said}, the first of {k} such month", "{said}, the first of {k} such months", alike
        ).format(said=says, k=alike)
    plot = Plot.over(
        _("Rated games by month"), says, len(shown), [count for month, count in shown],
        from_zero=True,
    )  # fmt: skip
    for at, (month, count) in enumerate(shown):
        plot.bar(at, count)
        plot.label(at, month)
    columns = ((_("Month"), False), (_("Games"), True))
    return Figure("activity", _("Rated games by month"), says, plot.made(), columns, tuple(shown))


def _all_months(months: Months) -> list[tuple[str, int]]:
    """Also those without a game, between the first and the last."""
    known: Mapping[str, int] = dict(months)
    first, last = months[0][0], months[-1][0]
    year, month = int(first[:4]), int(first[5:])
    found = []
    while (name := f"{year:04}-{month:02}") <= last:
        found.append((name, known.get(name, 0)))
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return found


@lru_cache(maxsize=256)
def _means(folder: Path, lists: tuple[int, ...]) -> dict[int, tuple[float, int]]:
    """Mean, as it is printed, and number of the ratings of each list."""
    del folder
    return {number: (_rounded(mean), count) for number, mean, count in _exact_means(lists)}


def _exact_means(lists: tuple[int, ...]) -> Iterable[tuple[int, float, int]]:
    found = m.ListRow.objects.filter(list__in=lists, rating__isnull=False).order_by()
    return found.values_list("list").annotate(Avg("rating"), Count("rating"))


def _over_time(newest: Sequence[tuple[int, date, int]]) -> Figure | None:
    """The mean rating of each list: whether ratings rise or fall as a whole."""
    means = _means(current().folder, tuple(each[0] for each in newest))
    shown = [(day, *means[n]) for n, day, _ in newest if n in means]
    if len(shown) < 2:
        return None
    change = shown[-1][1] - shown[0][1]
    says = _("{first} on {begin}, {last} on {end}: {change}").format(
        first=localised(number(shown[0][1], digits=1)),
        begin=day(shown[0][0]),
        last=localised(number(shown[-1][1], digits=1)),
        end=day(shown[-1][0]),
        change=localised(number(change, signed=True, digits=1)),
    )
    plot = Plot.over(_("Mean rating of the lists"), says, len(shown), [each[1] for each in shown])
    plot.line("live", [(at, each[1]) for at, each in enumerate(shown)])
    for at, (listed, mean, _count) in enumerate(shown):
        plot.dot(at, mean)
        plot.label(at, f"{listed:%Y-%m}")
    rows = tuple((day.isoformat(), mean, count) for day, mean, count in shown)
    columns = ((_("List of"), False), (_("Mean rating"), True), (_("Players"), True))
    return Figure("mean", _("Mean rating of the lists"), says, plot.made(), columns, rows)


def _against_expected(differences: Differences) -> Figure | None:
    """What the stronger player scores beside what the rules expect."""
    shown = [each for each in differences if each[1] >= _FEW]
    games = sum(each[1] for each in differences)
    if not games:
        return None
    scored = sum(each[1] * each[2] for each in differences) / games
    says = _("the stronger player scored {share} % of {n} games between rated players").format(
        share=localised(fixed(100 * scored, 1)), n=grouped(games)
    )
    columns = (
        (_("Difference"), False),
        (_("Games"), True),
        (_("Scored %"), True),
        (_("Expected %"), True),
    )
    rows = tuple(
        (f"{low} – {low + _STEP}", count, _rounded(100 * mean),
         None if expected is None else _rounded(100 * expected))
        for low, count, mean, expected in differences
    )  # fmt: skip
    chart = None
    if len(shown) > 1:
        values = [100 * each[2] for each in shown]
        known = [100 * each[3] for each in shown if each[3] is not None]
        plot = Plot.over(_("Expected and scored"), says, len(shown), [*values, *known])
        plot.line("was", [(at, 100 * x[3]) for at, x in enumerate(shown) if x[3] is not None])
        for at, each in enumerate(shown):
            plot.dot(at, values[at], "dot peak")
            plot.label(at, f"{each[0]}+")
        chart = plot.made()
    title = _("Expected and scored, by the difference of the ratings")
    return Figure("expected", title, says, chart, columns, rows)


def table_for(shown: StatisticsPage) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """All tables in one."""
    rows = [(each.key, *row) for each in shown.figures for row in each.rows]
    widest = max((len(row) for row in rows), default=1)
    columns = ["figure", *(f"column_{at}" for at in range(1, widest))]
    return columns, [(*row, *[None] * (widest - len(row))) for row in rows]
