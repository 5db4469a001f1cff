"""A batch of a FIDE edition: a report of a period, and what checks ask of its events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property

from ratingbook.model import Colour, Entry, Event, Game, Report
from ratingbook.rules.book import Batch, by_event, span_of
from ratingbook.rules.bulk import is_game, score_of, status_of
from ratingbook.rules.event_games import EventGames, add_up, of_zeros, room_for
from ratingbook.rules.fide.columns import NO_RATING, Facts, Parameters
from ratingbook.rules.fide.events import is_official, is_rated_in_match
from ratingbook.rules.fide.lists import is_long_event, list_taking, month_of_long_event
from ratingbook.rules.fide.period import corrected, entered, rating_for_others
from ratingbook.rules.half import Status
from ratingbook.rules.units import Rating


def decided_rating(entry: Entry) -> int | None:
    """The decision `base_rating`, if it is a whole number."""
    decided = entry.decisions.get("base_rating")
    if isinstance(decided, bool) or not isinstance(decided, int | float):
        return None
    return int(decided) if decided == int(decided) else None


def is_counted(game: Game) -> bool:
    """Whether a game was played and has a result."""
    return is_game(status_of(game), score_of(game, Colour.WHITE))


@dataclass(frozen=True)
class FideBatch(Batch):
    """A report of a period, or the months of a long event that one list takes.

    The games stand by the start of their events.
    """

    p: Parameters = field(kw_only=True)
    facts: Mapping[str | None, Facts] = field(default_factory=dict, kw_only=True)
    """What the edition reads of each event."""
    late: tuple[Game, ...] = field(default=(), kw_only=True)
    """Games whose report came too late (5d)."""
    copied: Mapping[int, Game] = field(default_factory=dict, kw_only=True)
    """By the id of a game that is a copy with a month as its event: the game of the report."""

    @cached_property
    def as_reported(self) -> Sequence[Game]:
        """The games of the batch as the report has them."""
        return [self.copied.get(id(game), game) for game in self.games]

    @cached_property
    def own_games(self) -> Mapping[str | None, Sequence[Game]]:
        """The games of each event, in the order of their start."""
        return by_event(self.games)

    @cached_property
    def numbers(self) -> Mapping[str, Rating]:
        """The ratings in force, with what the office decided; NO_RATING: unrated."""
        found = {}
        for entry, listed in zip(self.entries, self.standings, strict=True):
            decided = decided_rating(entry)
            standing = listed if decided is None else corrected(listed, decided, self.p)
            found[entry.id] = entered(standing, self.p).rating
        return found

    def beside(self, event: str | None) -> EventGames:
        """The games of an event beside each other, as the rules of whole events see them."""
        late = {id(game) for game in self.late}
        own = self.own_games[event]
        nobody = len(self.entries)
        found = room_for(len(own), nobody + 1, of_zeros)
        for place, game in enumerate(own):
            found.white_seat[place] = self.rows[game.white]
            found.black_seat[place] = nobody if game.black is None else self.rows[game.black]
            found.white_number[place] = self._number(game, Colour.WHITE)
            found.black_number[place] = self._number(game, Colour.BLACK)
            found.score[place] = score_of(game, Colour.WHITE)
            found.status[place] = Status.LEFT_OUT if id(game) in late else status_of(game)
        add_up(found, len(own))
        return found

    def _number(self, game: Game, colour: Colour) -> Rating:
        """The rating of a player as the others of the event see it."""
        player = game.player(colour)
        listed = NO_RATING if player is None else self.numbers[player]
        return rating_for_others(listed, int(game.rating(colour) or listed))

    @cached_property
    def left_out(self) -> tuple[Game, ...]:
        """The games that come too late or do not count in a match (5d, 8c)."""
        found = {id(game) for game in self.late}
        for event, facts in self.facts.items():
            if facts.is_match:
                beside = self.beside(event)
                found |= {
                    id(game)
                    for index, game in enumerate(self.own_games[event])
                    if not is_rated_in_match(beside, index, facts.planned)
                }
        return tuple(game for game in self.games if id(game) in found)

    @cached_property
    def kept(self) -> tuple[Game, ...]:
        """The other games."""
        left_out = {id(game) for game in self.left_out}
        return tuple(game for game in self.games if id(game) not in left_out)


def by_start(event: Event, games: Sequence[Game]) -> tuple[Game, ...]:
    """The games by the start of their events, those of an event by section and round."""
    own = by_event(games)
    if len(own) == 1:
        return tuple(sorted(games, key=_turn))
    starts = {name: span_of(event, own[name], name)[0] or date.max for name in own}
    order = sorted(own, key=lambda name: starts[name])
    return tuple(game for name in order for game in sorted(own[name], key=_turn))


def _turn(game: Game) -> tuple[str, int]:
    return game.section or "", game.round or 0


def by_month(games: Sequence[Game], last: date, longest: int) -> Iterator[tuple[date, list[Game]]]:
    """The games of each month, in order; one without a day is of the last."""
    months: dict[date, list[Game]] = {}
    for game in games:
        day = game.end or game.start or last
        months.setdefault(month_of_long_event(day, longest), []).append(game)
    yield from sorted(months.items())


def batches_of(report: Report, p: Parameters) -> Iterator[FideBatch]:
    """One batch, or those of the lists that take the months of a long event (5e).

    The games of a month are copies, with the month as their event.
    """
    games = report.games
    span = _long_span(report, p)
    if span is None:
        yield FideBatch(report, None, report.entries, by_start(report.event, games), p=p)
        return
    lists: dict[date, list[Game]] = {}
    copied: dict[int, Game] = {}
    for month, own in by_month(games, span[1], p.longest_event):
        days = [game.end or game.start or span[1] for game in own]
        begun = max(min(days), span[0])
        taking = list_taking(max(days), is_official(report.event))
        for game in own:
            start = begun if game.start is None else max(game.start, month)
            copy = replace(game, event=f"{month:%Y-%m}", start=start)
            copied[id(copy)] = game
            lists.setdefault(taking, []).append(copy)
    for taking, own in lists.items():
        days = [game.end or game.start or span[1] for game in own]
        event = replace(report.event, start=min(days), end=max(days))
        yield FideBatch(
            report, f"list of {taking}", report.entries, by_start(event, own), described=event,
            p=p, copied=copied,
        )  # fmt: skip


def _long_span(report: Report, p: Parameters) -> tuple[date, date] | None:
    """First and last day of an event that is rated by months."""
    first, last = report.event.start, report.event.end
    if first is None or last is None:
        days = [day for game in report.games for day in (game.start, game.end) if day]
        first, last = first or min(days, default=None), last or max(days, default=None)
    if first is None or last is None or not is_long_event((last - first).days + 1, p):
        return None
    dated = any(game.end or game.start for game in report.games)
    return (first, last) if dated and len({game.event for game in report.games}) == 1 else None
