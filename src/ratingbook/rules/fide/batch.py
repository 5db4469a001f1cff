"""A batch of a FIDE edition: a report of a period, and what it says of its events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property

from ratingbook.model import Colour, Game, Report
from ratingbook.rules.book import Batch
from ratingbook.rules.fide.columns import NO_RATING, Facts
from ratingbook.rules.fide.lists import is_too_late, list_in_force, month_of_long_event
from ratingbook.rules.fide.round_robin import RoundRobin
from ratingbook.rules.units import Rating
from ratingbook.rules.wording import kind_of


def span_of(report: Report) -> tuple[date, date] | None:
    """First and last day of the event, if they are known."""
    days = [day for game in report.games for day in (game.start, game.end) if day]
    first, last = report.event.start or min(days, default=None), report.event.end
    last = last or max(days, default=None)
    return (first, last) if first and last else None


def by_month(games: Sequence[Game], last: date, longest: int) -> Iterator[tuple[date, list[Game]]]:
    """The games of each month, in order; one without a day is of the last."""
    months: dict[date, list[Game]] = {}
    for game in games:
        day = game.end or game.start or last
        months.setdefault(month_of_long_event(day, longest), []).append(game)
    yield from sorted(months.items())


def is_match(report: Report) -> bool:
    """Whether the event is a match, or several."""
    return kind_of(report.event) == "match"


def is_official(report: Report) -> bool:
    """Whether it is one of FIDE's own events, with a later closing day."""
    return report.event.category == "official"


def start_of(report: Report, event: str | None, games: Iterable[Game]) -> date | None:
    """The first day of an event: the report's own, or that of its games."""
    first = min((game.start for game in games if game.start), default=None)
    return report.event.start or first if event is None else first or report.event.start


@dataclass(frozen=True)
class FideBatch(Batch):
    """A period's report, with what its events say as a whole."""

    events: tuple[str | None, ...] = ()
    """The events of the batch, in the order of their start."""
    starts: Mapping[str | None, date] = field(default_factory=dict)
    """First day of each event, where known."""
    ends: Mapping[str | None, date] = field(default_factory=dict)
    """Last day of each event, where known."""
    facts: Mapping[str | None, Facts] = field(default_factory=dict)
    """The numbers that hold for each event."""
    round_robins: Mapping[str | None, RoundRobin] = field(default_factory=dict)
    """The events that are rated as round robins with unrated players."""
    left_out: tuple[Game, ...] = ()
    """Games that paragraphs 5d and 8c leave out."""
    late_lists: int = 0
    reported: Mapping[int, Game] = field(default_factory=dict)
    """By the id of a game that is an altered copy: the game as the report has it."""

    def as_reported(self, index: int) -> Game:
        """A game of the batch as the report has it."""
        game = self.games[index]
        return self.reported.get(id(game), game)

    @property
    def is_match(self) -> bool:
        """Whether the event is a match."""
        return is_match(self.report)

    def last_day_of(self, player: str) -> date | None:
        """The last day of the player's last event."""
        events = {self.games[index].event for index in self.games_of[self.rows[player]]}
        days = [self.ends[event] for event in events if event in self.ends]
        return max(days, default=self.event.end or self.event.start)

    @cached_property
    def named(self) -> Mapping[str, Sequence[tuple[date, Rating]]]:
        """The ratings in force that the games name of each player, by the start of the event."""
        found: dict[str, set[tuple[date, Rating]]] = {}
        for game in self.games:
            for colour in Colour:
                player, rating = game.player(colour), game.rating(colour)
                if player is not None and rating is not None:
                    start = self.starts.get(game.event, date.min)
                    found.setdefault(player, set()).add((start, int(rating)))
        return {player: sorted(each) for player, each in found.items()}

    def highest_named(self, player: str, start: date = date.max) -> Rating:
        """The highest of these of events that start no later than a day; or NO_RATING."""
        found = self.named.get(player, ())
        return max((rating for day, rating in found if day <= start), default=NO_RATING)

    def is_late(self, game: Game) -> bool:
        """Whether the report of a game came too late (5d)."""
        end = self.report.event.end or game.end
        if not self.late_lists or end is None or game.reported is None:
            return False
        return is_too_late(end, game.reported, self.late_lists)


def with_numbers(
    part: Report, reported: Mapping[int, Game], lists: Sequence[tuple[date, Mapping[str, Rating]]]
) -> tuple[Report, dict[int, Game]]:
    """Months of a long event at the ratings in force when each begins (reading F29).

    ``lists`` has the ratings of the lists so far.  They may be those of before the months
    that are rated already.  Who was unrated then is no rated opponent (reading F17).
    """
    games, copies = [], {}
    begins: dict[str | None, date] = {}
    for game in part.games:
        start = game.start or part.event.start or date.max
        begins[game.event] = min(start, begins.get(game.event, start))
    for game in part.games:
        begun = list_in_force(begins[game.event])
        numbers = [known for since, known in lists if since <= begun][-1]
        white_number = numbers.get(game.white, NO_RATING)
        black_number = numbers.get(game.black or "", NO_RATING)
        copy = replace(
            game,
            white_rating=game.white_rating or white_number or None,
            black_rating=game.black_rating or black_number or None,
            white_rated=game.white_rated and black_number != NO_RATING,
            black_rated=game.black_rated and white_number != NO_RATING,
        )
        copies[id(copy)] = reported[id(game)]
        games.append(copy)
    return replace(part, games=tuple(games)), copies
