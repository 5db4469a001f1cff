"""What if the rules had been others from a day on: parameters, another edition, a one-off lift."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

import numpy as np

from ratingbook.desk.histories import read_history
from ratingbook.engine.history.api import checked, program_for
from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.differences import add_differences
from ratingbook.engine.history.run import Run
from ratingbook.engine.intake import check_validity
from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from ratingbook.rules.bulk import EPOCH, day_number
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.settings import Amendment

Array = np.ndarray[Any, Any]


_MOST_POINTS = 10_000


class ReformError(ValueError):
    """A reform that cannot be tried."""


@dataclass(frozen=True)
class Reform:
    """What is otherwise from ``day`` on; at least one of the others is said."""

    day: date
    edition: str | None = None
    """The edition whose numbers hold from then on."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Parameters that are others from then on, as text."""
    points: float = 0.0
    """What is added to every rating, once."""
    share: float = 0.0
    """The share of the way to ``towards`` by which ratings below it are lifted, once."""
    towards: float = 0.0

    def __post_init__(self) -> None:
        """Look whether anything is otherwise, and can be."""
        for name, value in (("what is added", self.points), ("where a lift leads", self.towards)):
            if not -_MOST_POINTS <= value <= _MOST_POINTS:
                raise ReformError(
                    f"{name} lies between {-_MOST_POINTS:,} and {_MOST_POINTS:,} points, not at "
                    f"{value:g}"
                )
        if not (self.edition or self.settings or self.points or self.share):
            raise ReformError("say what the reform changes: an edition, parameters, or a lift")
        if not 0 <= self.share <= 1:
            raise ReformError(f"the share of a lift lies between 0 and 1, not at {self.share}")

    def text(self) -> str:
        """The reform in words."""
        told = [f"the numbers of {self.edition}"] if self.edition else []
        told += [f"{name} = {value}" for name, value in self.settings.items()]
        if self.points:
            told.append(f"{self.points:+g} points for everybody, once")
        if self.share:
            told.append(f"ratings below {self.towards:g} lifted by {self.share:g} of what they "
                        "lack, once")  # fmt: skip
        return f"from {self.day} on: {'; '.join(told)}"


def lift_of(text: str) -> tuple[float, float]:
    """``0.4@2000``: the share of the way, and to which rating."""
    share, at, towards = text.partition("@")
    try:
        if not at:
            raise ValueError
        return float(share), float(towards)
    except ValueError:
        raise ReformError(f"a lift is SHARE@RATING, such as 0.4@2000, not {text!r}") from None


def one_edition(book: BookOrSeries) -> RuleBook:
    """The book, if it is one edition; raises :class:`ReformError` for a series."""
    if not isinstance(book, RuleBook):
        raise ReformError(
            f"{book.name} is a series: name one of its editions ({book.editions[0].name} …)"
        )
    return book


def with_reform(book: BookOrSeries, reform: Reform) -> RuleBook:
    """The edition with what the reform changes as an amendment of that day.

    Raises :class:`ReformError` for an edition that is of another kind, and
    :class:`.ParameterError` for parameters that are not.
    """
    book = one_edition(book)
    changes: dict[str, object] = {}
    after = book
    if reform.edition is not None:
        after = one_edition(registry.load(reform.edition))
        if after.bulk is not book.bulk:
            raise ReformError(
                f"{after.name} goes by other standings than {book.name}: a reform leads to an "
                "edition of the same federation"
            )
    after = after.with_parameters(reform.settings)
    own = book.on(reform.day).parameters._asdict()
    for name, value in after.on(reform.day).parameters._asdict().items():
        if value != own[name] and (reform.edition is not None or name in reform.settings):
            changes[name] = value
    if not changes:
        return book
    settings = book.settings
    # What was set by hand holds until that day: nobody amends it otherwise.
    own_now = settings.own._replace(**settings.by_hand)
    amendment = Amendment(reform.day, changes, reform.text())
    amendments = sorted((*settings.amendments, amendment), key=lambda each: each.day or date.min)
    made = replace(settings, own=own_now, by_hand={}, amendments=tuple(amendments))
    return replace(book, settings=made)


def batch_of(run: Run, reform: Reform) -> int:
    """The batch before which ratings are lifted: with the list of the day, or before the events."""
    side: Any = "left" if run.program.bulk.calendar is None else "right"
    return int(np.searchsorted(run.plan.keys, day_number(reform.day), side=side))


def lift(run: Run, reform: Reform) -> None:
    """Change the ratings once, if the reform does, of a run that stands before its batch."""
    if not (reform.points or reform.share):
        return
    rating, _ = table_of(run)
    added = np.full(len(rating), reform.points)
    added += reform.share * np.maximum(0.0, reform.towards - rating)
    who = np.flatnonzero(np.isfinite(rating) & (added != 0))
    some = list(zip(who.tolist(), added[who].tolist(), strict=True))
    now = run.state.next_batch
    people = run.state.people
    numbers = people.in_force[now % run.plan.slots]
    parameters = run.stretch_of(max(0, now - 1)).parameters
    add_differences(some, people.standings, numbers, run.program.bulk, parameters)


def outside(run: Run, reform: Reform) -> Findings:
    """A warning where the day of a reform lies beside the games, or its edition beside the day."""
    findings = Findings()
    days = run.given.games.day
    if not len(days):
        return findings
    # A list may come out after the last game, and the reform with it.
    first, last = int(days.min()), max(int(days.max()), int(run.plan.keys[-1]))
    day = day_number(reform.day)
    if day < first:
        findings.add(
            Severity.WARNING,
            "reform.before-games",
            sentence(
                "The reform is of {day}, before the first games end ({first}): no game is rated "
                "without it.",
                day=reform.day,
                first=_day(first),
            ),
            remedy=sentence("Give a day among the games."),
        )
    elif day > last:
        findings.add(
            Severity.WARNING,
            "reform.after-games",
            sentence(
                "The reform is of {day}, after all that is rated ({last} is the last day): it "
                "changes nothing.",
                day=reform.day,
                last=_day(last),
            ),
            remedy=sentence("Give a day among the games."),
        )
    if reform.edition is not None:
        findings.extend(check_validity(registry.load(reform.edition), reform.day, "reform"))
    return findings


def _day(number: int) -> date:
    return EPOCH + timedelta(days=number)


def table_of(run: Run) -> tuple[Array, Array]:
    """The published ratings after the batches so far, NaN where there is none; and the games."""
    count = run.players
    rating, games = np.empty(count), np.empty(count, np.int32)
    status, published = np.empty(count, np.int8), np.empty(count, np.bool_)
    run.program.final_table(
        run.state.people.standings, rating, games, status, published,
        run.stretch_of(max(0, run.state.next_batch - 1)).parameters,
    )  # fmt: skip
    rating[~published] = np.nan
    return rating, games


@dataclass(frozen=True)
class Band:
    """Players of about one rating without the reform, and what it does to them."""

    least: float
    """Least rating of the band; the greatest is below that of the next."""
    players: int
    mean: float
    """Mean difference, with the reform less without it."""
    low: float
    """The difference below which one in twenty is."""
    median: float
    high: float
    """That above which one in twenty is."""
    unchanged: float
    """Share of the players whose rating is the same."""


@dataclass(frozen=True)
class Reformed:
    """Two runs over the same games, with and without a reform."""

    rulebook: str
    reform: Reform
    games: int
    games_since: int
    """Games that end on the day of the reform or later."""
    players: int
    """Players with a published rating in both."""
    only_with: int
    """Players who have a published rating only with the reform."""
    only_without: int
    mean: float
    bands: tuple[Band, ...]
    findings: Findings


def bands_of(without: Array, with_: Array, width: int = 200) -> tuple[Band, ...]:
    """How ratings differ, in bands of the rating without the reform."""
    both = np.isfinite(without) & np.isfinite(with_)
    before, more = without[both], with_[both] - without[both]
    floor = np.floor(before / width) * width
    made = []
    for least in np.unique(floor).tolist():
        some = more[floor == least]
        low, median, high = np.quantile(some, [0.05, 0.5, 0.95]).tolist()
        made.append(
            Band(
                least=float(least), players=len(some), mean=float(some.mean()), low=low,
                median=median, high=high, unchanged=float((some == 0).mean()),
            )
        )  # fmt: skip
    return tuple(made)


def rated_with(
    given: HistoryInput,
    book: RuleBook,
    reform: Reform | None,
    *,
    assume: float | None = None,
    predictions: bool = False,
    compiled: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """A history rated to its end, with a reform or without one.

    With ``predictions`` the run notes what was expected of each game before it.
    """
    made = book if reform is None else with_reform(book, reform)
    program = program_for(made, len(given.games), compiled)
    run = Run(
        given, program, assume=assume, rows=False, constants=False, predictions=predictions
    )  # fmt: skip
    stops: Sequence[int] = [len(run.plan)]
    if reform is not None:
        stops = sorted({min(batch_of(run, reform), len(run.plan)), len(run.plan)})
    total = int(run.plan.games.offsets[-1])
    for stop in stops:
        for _ in run.batches(stop):
            if progress is not None:
                progress(int(run.plan.games.offsets[run.state.next_batch]), total)
        if reform is not None and stop == batch_of(run, reform):
            lift(run, reform)
    return run


def reformed(
    games: Any,
    rulebook: str | BookOrSeries,
    reform: Reform,
    *,
    settings: Mapping[str, str] | None = None,
    assume: float | None = None,
    compiled: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
    **beside: Any,
) -> Reformed:
    """Rate a history twice, without a reform and with it, and tell how the ratings differ.

    Raises :class:`ReformError`, and what reading and rating raise.
    """
    book = one_edition(registry.load(rulebook) if isinstance(rulebook, str) else rulebook)
    if settings:
        book = book.with_parameters(settings)
    with_reform(book, reform)
    history = read_history(games, book, **beside)
    findings = checked(history, book)
    given = history.given
    runs = [
        rated_with(given, book, each, assume=assume, compiled=compiled, progress=progress)
        for each in (None, reform)
    ]
    findings.extend(outside(runs[0], reform))
    without, with_ = (table_of(run)[0] for run in runs)
    both = np.isfinite(without) & np.isfinite(with_)
    return Reformed(
        rulebook=book.name,
        reform=reform,
        games=len(given.games),
        games_since=int((given.games.day >= day_number(reform.day)).sum()),
        players=int(both.sum()),
        only_with=int((np.isfinite(with_) & ~np.isfinite(without)).sum()),
        only_without=int((np.isfinite(without) & ~np.isfinite(with_)).sum()),
        mean=float((with_ - without)[both].mean()) if both.any() else 0.0,
        bands=bands_of(without, with_),
        findings=findings,
    )
