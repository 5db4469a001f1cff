"""What a rule book is: a text, settings, and what the engine rates with.

``text``
    the regulation, paragraph by paragraph, with its readings and worked examples;
``settings``
    the numbers and readings that can be set, and those of each day;
``bulk``
    the columns of the edition and the functions over them, which rate reports and histories
    alike (:mod:`ratingbook.rules.bulk`).

Besides, a rule book says how a report is divided into batches, what it notices about them,
and what the list of a day looks like; it has a subclass where that is not the usual.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple, Self

from ratingbook.model import (
    Entry,
    Event,
    Findings,
    FrozenSide,
    Game,
    Place,
    Report,
    Section,
    Standing,
    StandingStatus,
)
from ratingbook.model.decimals import change_of
from ratingbook.model.making import QuicklyMade
from ratingbook.rules.bulk import Bulk
from ratingbook.rules.listing import (
    Listing,
    Member,
    columns_in,
    divided,
    placed,
    rating_of,
    row_of,
    with_published,
)
from ratingbook.rules.not_rated import NotRated
from ratingbook.rules.paragraph import Rule, rules_in, usual_rules
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Domain, Paragraph, Regulation
from ratingbook.rules.timeline import Reform, Stage, edition_on, stage_on
from ratingbook.rules.units import GREATEST_RATING, LEAST_RATING

_COLUMNS = columns_in(
    "position = Pos #; id = Id; name = Name; federation = Fed; rating = Rating #; games = Games #; "
    "status = Status"
)

Span = tuple[date | None, date | None]
"""First and last day."""


class RatedBy(StrEnum):
    """What an edition rates at once."""

    SECTION = "section"
    """Each section by itself, an event without sections as one."""
    PERIOD = "period"
    """All that a report holds: what one list takes."""
    GAME = "game"
    """Each game by itself, in the order in which they were played."""


@dataclass(frozen=True)
class Batch:
    """What is rated at once: a section, or all of a period.

    Rule books subclass it where they need facts of the whole batch.
    """

    report: Report
    section: str | None
    entries: tuple[Entry, ...]
    games: tuple[Game, ...]
    """In the order in which the columns have them."""
    standings: tuple[Any, ...] = field(default=(), kw_only=True)
    """How the players stand before it, in the edition's columns, in the order of the entries;
    for checks."""
    described: Event | None = field(default=None, kw_only=True)
    """What is said of the event where it is not all that the report says: of a section."""

    @property
    def event(self) -> Event:
        """The event of the batch."""
        return self.described or self.report.event

    @property
    def as_reported(self) -> Sequence[Game]:
        """The games of the batch as the report has them; a book may rate altered copies."""
        return self.games

    def place_of(self, entry: Entry) -> Place:
        """Where in the batch an entry stands, for findings."""
        return replace(entry.place, section=self.section, player=entry.place.player or entry.id)

    @cached_property
    def last_day(self) -> date | None:
        """The last day of the event, else the latest on which a game ended or was reported."""
        days = (day for game in self.games if (day := game.end or game.reported))
        return self.event.end or max(days, default=None)

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Row of each player in ``entries``, by id."""
        return {entry.id: row for row, entry in enumerate(self.entries)}

    @cached_property
    def games_of(self) -> Sequence[Sequence[int]]:
        """For each row the indices of the player's games, in the order of the report."""
        found: list[list[int]] = [[] for _ in self.entries]
        for index, game in enumerate(self.games):
            for player in dict.fromkeys(
                p for p in (game.white, game.black, game.white_for, game.black_for) if p
            ):
                if player in self.rows:
                    found[self.rows[player]].append(index)
        return found


@dataclass(frozen=True, slots=True)
class Row(metaclass=QuicklyMade):
    """What a batch did to one player, in the federation's own numbers.

    ``after`` is rounded as the federation does, also while it is not yet
    published; ``exact`` is the unrounded value with floors and caps applied.
    ``expected`` is None where a formula has none.
    """

    id: str
    name: str
    section: str | None
    before: float | None
    after: float | None
    exact: float | None
    games: int
    score: float
    expected: float | None
    status: str
    published: bool
    standing: Standing
    history: tuple[FrozenSide, ...] = ()
    performance: float | None = None

    @property
    def change(self) -> float | None:
        """``after − before`` as they are printed, where both exist."""
        return change_of(self.before, self.after)


@dataclass(frozen=True, slots=True)
class Seat:
    """How a player went into the last round of a batch, and what came out.

    All in the edition's columns; ``sides`` are those carried from earlier batches, and the
    batch's own.
    """

    player: str
    entered: Any
    sides: Sequence[Any]
    value: Any


class Grades(NamedTuple):
    """Grades beside ratings; ``rating_of`` raises ValueError if the text is not a grade."""

    rating_of: Callable[[str], float]
    """What a player without a rating begins with."""
    of_rating: Callable[[float], str]
    """The grade whose rating is nearest."""

    def begins(self, grade: str) -> float | None:
        """What a player without a rating begins with; None: the text is not a grade."""
        try:
            return self.rating_of(grade)
        except ValueError:
            return None


class Abroad(NamedTuple):
    """Whose lists name the players whom the rules update for games elsewhere."""

    register: str
    """Whose lists they are, as the numbers of players are called: ``fide``."""
    federation: str
    """Under whose flag a player is updated."""
    kind: str
    """The kind of an event that reports such games."""
    where: str
    """The paragraph."""


@dataclass(frozen=True)
class RuleBook:
    """An edition of a regulation."""

    name: str
    """Stable name: federation and year, ``fide-2009``."""
    text: Regulation
    settings: Settings[Any]
    rated_by: RatedBy
    standing_fields: Mapping[str, type] = field(default_factory=dict)
    """Keys of a standing that this edition reads beyond the common ones, and what each holds:
    ``int`` (a count), ``float``, ``bool``, ``str``, or ``object`` for any of them."""
    decisions: frozenset[str] = frozenset()
    """Decisions of the office that this edition knows, besides their ``reason``."""
    rating_range: tuple[int, int] = (LEAST_RATING, GREATEST_RATING)
    """Least and greatest rating that a standing may hold."""
    whole_ratings: bool = True
    """Whether a rating of a report must be a whole number."""
    publishes_whole: bool = field(default=False, kw_only=True)
    """Whether only whole numbers are published, though ratings go on with decimals."""
    domain: Domain = field(default=Domain((1000, 2800)))
    game: str = ""
    """Game that the federation rates: ``chess``, ``Go``; empty: whatever it is."""
    handicaps: bool = False
    """Whether the edition rates handicap games as such."""
    substitutes: bool = False
    """Whether the edition knows substitutes (white_for, black_for)."""
    notation: str = field(default="", kw_only=True)
    """Notation of cross tables that its readers know best: ``us-chess``, ``go``, ``trf``, ``icu``.

    Empty: that of the game.
    """
    grades: Grades | None = field(default=None, kw_only=True)
    """What grades and ratings are to each other; None: the federation has no grades."""
    not_rated: tuple[NotRated, ...] = field(default=(), kw_only=True)
    """Why a half of a game may not be rated, the usual first; empty: nobody says."""
    package: str = field(default="", kw_only=True)
    """Package whose tagged functions implement the paragraphs."""
    bulk: Bulk = field(kw_only=True)
    """What the engine rates with."""
    reforms: tuple[Reform, ...] = field(default=(), kw_only=True)
    """One-off changes of all ratings, in the order of the days."""
    timeline: tuple[Stage, ...] = field(default=(), kw_only=True)
    """The stages among which the events of a report go by their days; empty: the own ones."""

    def __repr__(self) -> str:
        return f"<rule book {self.name}>"

    def __hash__(self) -> int:
        """By the name: what is made of a book is found again by it, and there are few of a name."""
        return hash(self.name)

    @property
    def title(self) -> str:
        """What the edition is called."""
        return self.text.title

    @property
    def federation(self) -> str:
        """Whose regulation it is."""
        return self.text.federation

    @property
    def valid_from(self) -> date | None:
        """The first day; None: from the beginning."""
        return self.text.valid_from

    @property
    def valid_until(self) -> date | None:
        """The last day; None: still valid."""
        return self.text.valid_until

    @property
    def parameters(self) -> Any:
        """The parameters that hold."""
        return self.settings.parameters

    @property
    def by_hand(self) -> frozenset[str]:
        """The parameters that somebody set, if only to what they are."""
        return frozenset(self.settings.by_hand)

    @property
    def abroad(self) -> Abroad | None:
        """Whose lists tell of games elsewhere; None: nobody is updated by lists."""
        return None

    @property
    def rules(self) -> list[Rule]:
        """The tagged functions of the edition, usual ones included."""
        return [*rules_in(self.package_name), *usual_rules(self.name)]

    @property
    def published_decimals(self) -> int | None:
        """How many decimals a published rating has at most; None: the text does not say."""
        if self.whole_ratings or self.publishes_whole:
            return 0
        number = self.parameters._asdict().get("decimals")
        return None if number is None else int(number)

    @property
    def floor(self) -> float | None:
        """The least rating that the edition gives, where its parameter ``floor`` says so."""
        number = self.parameters._asdict().get("floor")
        return None if number is None else float(number)

    @property
    def package_name(self) -> str:
        """The package of the rule functions: by default that of the function for leaving."""
        module: str = self.bulk.leave.__module__
        return self.package or module.rpartition(".")[0] or module

    def rules_of(self, paragraph: Paragraph) -> list[Rule]:
        """The tagged functions that implement a paragraph."""
        return [rule for rule in self.rules if rule.number(self.name) == paragraph.number]

    @property
    def non_default_parameters(self) -> dict[str, object]:
        """The parameters that were set away from the edition's own, by name."""
        return self.settings.changed

    def with_parameters(self, settings: Mapping[str, str]) -> Self:
        """The same edition with other parameters, given as text.

        Raises :class:`.ParameterError` for an unknown name or an impossible value.
        """
        return replace(self, settings=self.settings.with_texts(self.name, settings))

    def with_own(self, changes: Mapping[str, object]) -> Self:
        """The edition with other parameters that nobody set by hand: a report asks for them."""
        return replace(self, settings=self.settings.with_own(changes))

    def on(self, day: date | None) -> Self:
        """The edition with the parameters of a day; None: those of its last days.

        What was set by hand stays as it was set.
        """
        return replace(self, settings=self.settings.on(day))

    def estimating(self) -> Self:
        """The edition as its players' estimators reckon: nobody's opponents move."""
        return self

    def edition(self, day: date | None) -> Self:
        """The edition itself, whatever the day: a series has several."""
        del day
        return self

    def day_of(self, report: Report) -> date | None:
        """The day by which a report's edition is chosen: the last one of its event."""
        if report.event.end:
            return report.event.end
        days = (day for game in report.games if (day := game.end or game.start))
        return max(days, default=None) or report.event.start

    def for_report(self, report: Report) -> Self:
        """The edition with the parameters that hold for a report."""
        return self.chosen((self,), report)

    def parameters_for(self, event: Event, first: date | None, last: date | None) -> Any:
        """The parameters that hold for an event of a report with these days."""
        decides = self.bulk.calendar.decides if self.bulk.calendar else None
        if decides is None or first is None or last is None:
            return self.parameters
        day = decides(first, last, event, self.parameters)
        return stage_on(self.timeline or self.stages(), day).parameters

    def chosen(self, editions: Sequence[Self], report: Report) -> Self:
        """Which of the editions of a series rates a report, with the parameters that hold for it.

        The last edition is asked.  Rule books override it where more than a day decides.
        """
        day = self.day_of(report)
        return edition_on(editions, day).on(day)

    def stages(self) -> tuple[Stage, ...]:
        """The times within which the same parameters hold, in their order."""
        days = self.settings.days
        before = min(days, default=date.max) - timedelta(days=1)
        stages = [Stage(None, self.name, self.on(before).parameters)]
        stages += (Stage(day, self.name, self.on(day).parameters) for day in days)
        return tuple(stages)

    def as_rated(self, entry: Entry) -> Entry:
        """A player of a report with the standing that is rated."""
        return entry

    def batches(self, report: Report) -> Iterable[Batch]:
        """The batches of a report, in the order in which they are rated.

        A section is a batch in editions that rate these (those with numbers come first, in the
        order of these, then the others by their names), and last come those who play in none;
        else all of the report is one, and where each game is rated by itself the games come in
        the order of play.
        """
        if self.rated_by is RatedBy.SECTION:
            idle = {entry.id: entry for entry in report.entries}
            for section in sections_in_turn(report):
                event = event_of(section, report.event)
                yield Batch(report, section.name, section.entries, section.games, described=event)
                for entry in section.entries:
                    idle.pop(entry.id, None)
            if idle:
                yield Batch(report, None, tuple(idle.values()), ())
            return
        games = report.games
        if self.rated_by is RatedBy.GAME:
            games = tuple(sorted(games, key=lambda game: turn_of(game, report.event)))
        yield Batch(report, None, report.entries, games)

    def check(self, batch: Any) -> Findings:
        """What this edition notices about a batch before it is rated; an error refuses the report.

        ``whatif`` asks it about imagined opponents, too.
        """
        del batch
        return Findings()

    def check_rated(self, batch: Any, seats: Sequence[Seat]) -> Findings:
        """What it notices by how the players of the batch were rated."""
        del batch, seats
        return Findings()

    def listing(self, members: Sequence[Member], day: date, *, office: bool = False) -> Listing:
        """The list of a day; ``office`` asks for what only tournament offices see.

        Editions that prescribe columns override this one, which prints what every
        pool knows.
        """
        del office
        published = with_published(members, self.published_decimals)
        listed, left_out = divided(
            published, lambda m: None if m.entry.standing and rating_of(m) else "has no rating"
        )
        return Listing(
            title=f"{self.federation} rating list of {day}",
            day=day,
            facts=(self.title,),
            columns=_COLUMNS,
            rows=tuple(
                row_of(member, _COLUMNS, {"position": place}) for place, member in placed(listed)
            ),
            not_listed=left_out,
        )

    def monotone(self, standing: Any, before: Sequence[Any], after: Sequence[Any]) -> bool:
        """Whether the text promises that the better result of ``after`` never lowers the value.

        Rule books name their exceptions here.
        """
        del standing, before, after
        return True


def sections_in_turn(report: Report) -> list[Section]:
    """The sections by number, those without one by name; numbers in a name by their size."""
    return sorted(report.sections(), key=_turn_of_section)


def _turn_of_section(section: Section) -> tuple[object, ...]:
    number = section.head.number
    parts = re.split(r"(\d+)", section.name or "")
    names = tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)
    return (number is None, number or 0, names)


def event_of(section: Section, event: Event) -> Event:
    """The event as it is for a section, which may say some things itself."""
    head = section.head
    return replace(
        event,
        kind=head.kind or event.kind,
        pool=head.pool or event.pool,
        time_control=head.time_control or event.time_control,
        start=head.start or event.start,
        end=head.end or event.end,
    )


def by_event(games: Iterable[Game]) -> dict[str | None, list[Game]]:
    """The games of each event, by the name that they have for it."""
    found: dict[str | None, list[Game]] = {}
    for game in games:
        found.setdefault(game.event, []).append(game)
    return found


def players_of(games: Iterable[Game]) -> set[str]:
    """Everybody who plays in some games, or was replaced there."""
    named = ((game.white, game.black, game.white_for, game.black_for) for game in games)
    return {player for players in named for player in players if player}


def span_of(event: Event, own: Sequence[Game], name: str | None) -> Span:
    """First and last day of an event with its games, where a report knows them.

    The name None is that of the report's own event.
    """
    if name is None and event.start and event.end:
        return event.start, event.end
    first = min((game.start for game in own if game.start), default=None)
    last = max((day for game in own if (day := game.end or game.start)), default=None)
    if name is None:
        return event.start or first, event.end or last or event.start or first
    return first or event.start, last or event.end or first or event.start


def end_of(event: Event, own: Sequence[Game], name: str | None) -> date | None:
    """The last day of an event, where the report says when it, or a game of it, ended."""
    is_said = event.end or any(game.end for game in own)
    return span_of(event, own, name)[1] if is_said else None


def turn_of(game: Game, event: Event) -> tuple[date, str, str, int]:
    """What orders the games where each is rated by itself: day, event, section, round."""
    day = game.end or game.start or event.end or event.start
    return day or date.min, game.event or "", game.section or "", game.round or 0


def knows_rating(known: Standing | None) -> bool:
    """Whether a standing has a rating; one with the status unrated is as good as none."""
    return bool(known and known.rating is not None and known.status is not StandingStatus.UNRATED)


def results_after(
    old: Standing, scores: Iterable[int]
) -> tuple[int | None, int | None, int | None]:
    """Wins, draws and losses with these scores (in half points) added.

    None stays None: where earlier games were counted without their results.
    """
    played = list(scores)
    known = {2: old.wins, 1: old.draws, 0: old.losses}
    if not old.games and all(count is None for count in known.values()):
        known = dict.fromkeys(known, 0)
    wins, draws, losses = (
        None if count is None else count + played.count(score) for score, count in known.items()
    )
    return wins, draws, losses
