"""The FIDE rule book: how the functions of the paragraphs rate a batch.

The editions are instances of :class:`FideRuleBook` that differ in parameters,
paragraphs and readings.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Self

from ratingbook.model import (
    Colour,
    Entry,
    Findings,
    FrozenSide,
    Game,
    GameStatus,
    Report,
    StandingStatus,
)
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.book import (
    Round,
    Row,
    TwiceWritten,
    last_played,
    results_after,
)
from ratingbook.rules.bulk import (
    ESTABLISHED,
    NOT_GIVEN,
    STATUSES,
    day_number,
    status_code,
)
from ratingbook.rules.fide.batch import (
    FideBatch,
    by_month,
    is_match,
    is_official,
    span_of,
    start_of,
    with_numbers,
)
from ratingbook.rules.fide.bulk import facts_of
from ratingbook.rules.fide.columns import (
    NO_RATING,
    OF_LISTS,
    Facts,
    Parameters,
    Reckoning,
    Side,
    Standing,
    pool_named,
)
from ratingbook.rules.fide.counting import is_rated_game
from ratingbook.rules.fide.findings import (
    check_decisions,
    check_games,
    check_pool,
    check_rate_of_play,
    check_standings,
    tell_left_out,
    tell_lists,
    tell_months,
    tell_norms,
    tell_other_lists,
)
from ratingbook.rules.fide.first import (
    counting_since,
    event_tally,
    first_rules,
    is_kept,
    tally_counts,
)
from ratingbook.rules.fide.listing import listing
from ratingbook.rules.fide.lists import (
    deciding_day,
    list_in_force,
    list_taking,
)
from ratingbook.rules.fide.matches import rated_in_matches
from ratingbook.rules.fide.performance import performance_rating
from ratingbook.rules.fide.period import (
    entered,
    left,
    listed_standing,
    published_standing,
    rating_in_force,
    reckon,
)
from ratingbook.rules.fide.round_robin import (
    average,
    number_for_opponents,
    round_robin,
)
from ratingbook.rules.fide.side import carried, frozen_side
from ratingbook.rules.listing import Listing, Member
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.timeline import edition_on, in_a_row, stage_on
from ratingbook.rules.units import SCORE_SCALE, Rating
from ratingbook.rules.wording import kind_of

_PLAYED = (GameStatus.PLAYED, GameStatus.TIME)


@paragraph("8", "{game.status}, result {game.result}: not rated", silent=True)
def game_counts(game: Game) -> bool:
    """Paragraph 8: only games that were played over the board and have a result."""
    return game.status in _PLAYED and game.result.half_points(Colour.WHITE) is not None


@paragraph("8", "the report does not rate the game for this side", silent=True)
def counts_for_side(game: Game, rated: bool) -> bool:
    """Paragraph 8: a game may count for one side only; the report says so."""
    del game
    return rated


@paragraph("2b", "by decision of the office the computation starts from {decided}, not {rating}")
def base_of_computation(rating: Rating, decided: Rating) -> Rating:
    """Paragraph 2, with a correction of the list by the office (reading F15)."""
    del rating
    return decided


def decided_rating(entry: Entry) -> int | None:
    """The decision `base_rating`, if it is a whole number."""
    decided = entry.decisions.get("base_rating")
    if (
        isinstance(decided, int | float)
        and not isinstance(decided, bool)
        and decided == int(decided)
    ):
        return int(decided)
    return None


def birth_year(entry: Entry) -> int:
    """The year of birth, if the report says it."""
    if entry.birth_date is not None:
        return entry.birth_date.year
    return NOT_GIVEN if entry.birth_year is None else entry.birth_year


def standard_rating(entry: Entry) -> int:
    """The standard rating of a player whose rapid or blitz rating is asked for."""
    standard = entry.pools.get("standard")
    return int(standard.rating or NO_RATING) if standard else NO_RATING


def after(entry: Entry, row: Row | None) -> Entry:
    """An entry as a batch left it."""
    if row is None or not row.games:
        return entry
    return replace(entry, standing=row.standing, history=row.history)


def in_force(game: Game, colour: Colour, entered: Standing) -> Rating:
    """The rating of the list in force when the event of the game started.

    A player who is unrated on the list of this period is unrated in all games.
    """
    return rating_in_force(entered.rating, int(game.rating(colour) or NO_RATING))


def _ratings_in_force(games: Iterable[Game], entered: Mapping[str, Standing]) -> dict[str, Rating]:
    """The ratings in force of all who play in these games."""
    return {
        player: in_force(game, colour, entered[player])
        for game in games
        for colour in Colour
        if (player := game.player(colour)) is not None
    }


class FideRuleBook(TwiceWritten[FideBatch, Standing, Side, Reckoning, Parameters]):
    """An edition of the FIDE rating regulations."""

    def day_of(self, report: Report) -> date | None:
        """The day on which the event starts, or what else decides (reading F19)."""
        last = super().day_of(report)
        start = start_of(report, None, report.games) or last
        if start is None or last is None:
            return None
        p = (self._of_pool(report)).parameters
        return deciding_day(start, last, is_official(report), p)

    def _of_pool(self, report: Report) -> Self:
        """The edition for the list that the report names as its pool."""
        pool = pool_named(report.event.pool)
        return self if pool in (None, self.parameters.pool) else self.with_own({"pool": pool})

    def chosen(self, editions: Sequence[Self], report: Report) -> Self:
        """The edition by the start of the event; what is of a whole period, by its list."""
        of_pool = [each._of_pool(report) for each in editions]
        day, stages = self.day_of(report), in_a_row(of_pool)
        edition = replace(edition_on(of_pool, day).on(day), timeline=stages)
        last = super().day_of(report)
        if day is None or last is None:
            return edition
        of_list = stage_on(stages, list_taking(last, is_official(report))).parameters
        whole = {name: getattr(of_list, name) for name in OF_LISTS}
        return edition.with_own({n: v for n, v in whole.items() if n not in edition.by_hand})

    def _facts(self, report: Report, start: date | None, last: date | None) -> Facts:
        """The numbers that hold for an event with these days."""
        if start is None or last is None:
            return facts_of(report.event, self.parameters)
        day = deciding_day(start, last, is_official(report), self.parameters)
        return facts_of(report.event, stage_on(self.timeline or self.stages(), day).parameters)

    def batches(self, report: Report) -> Generator[FideBatch, Sequence[Row] | None, None]:
        """One batch: the report is (a part of) a rating period.

        The months of a long event are batches of their own, one after the other.
        """
        entries = report.entries
        lists = [(date.min, self._numbers(report, entries))]
        for month, games, copied in self._parts(report):
            part, reported = games, copied
            if month is not None:
                part, reported = with_numbers(part, reported, lists)
            rows = yield replace(self._batch(part, month, entries), reported=reported)
            if rows:
                known = {row.id: row for row in rows}
                entries = tuple(after(entry, known.get(entry.id)) for entry in entries)
            if month is not None and part.event.end is not None:
                taking = list_taking(part.event.end, is_official(report))
                lists.append((taking, self._numbers(report, entries)))

    def _numbers(self, report: Report, entries: tuple[Entry, ...]) -> dict[str, Rating]:
        """The ratings that a list with these entries has."""
        batch = FideBatch(report, None, entries, ())
        return {
            entry.id: self.enter(self.standing(batch, row)).rating
            for row, entry in enumerate(entries)
        }

    def _parts(self, report: Report) -> Iterator[tuple[str | None, Report, dict[int, Game]]]:
        """The months of a long event (5e) by the lists that take them, or the report as it is.

        The games of a month are copies; with each part comes what they are copies of, by id.
        """
        span = span_of(report)
        longest = self.parameters.longest_event
        is_long = longest and span is not None and (span[1] - span[0]).days > longest
        dated = any(game.end or game.start for game in report.games)
        if not is_long or span is None or not dated or len({g.event for g in report.games}) > 1:
            yield None, report, {}
            return
        lists: dict[date, list[Game]] = {}
        reported: dict[int, Game] = {}
        for month, games in by_month(report.games, span[1], longest):
            days = [game.end or game.start or span[1] for game in games]
            begun = max(min(days), span[0])
            taking = list_taking(max(days), is_official(report))
            for game in games:
                start = begun if game.start is None else max(game.start, month)
                copy = replace(game, event=f"{month:%Y-%m}", start=start)
                reported[id(copy)] = game
                lists.setdefault(taking, []).append(copy)
        for taking, games in lists.items():
            days = [game.end or game.start or span[1] for game in games]
            event = replace(report.event, start=min(days), end=max(days))
            part = replace(report, event=event, games=tuple(games))
            yield f"list of {taking}", part, reported

    def _batch(self, report: Report, month: str | None, entries: tuple[Entry, ...]) -> FideBatch:
        batch = FideBatch(report, month, entries, report.games)
        entered = {
            entry.id: self.enter(self.standing(batch, row)) for row, entry in enumerate(entries)
        }
        round_robins = {}
        starts = {}
        ends = {}
        facts = {}
        of_event: dict[str | None, list[Game]] = {}
        for game in report.games:
            of_event.setdefault(game.event, []).append(game)
        kept: list[Game] = []
        for event, own in of_event.items():
            start = start_of(report, event, own)
            if start is not None:
                starts[event] = start
            days = [day for game in own if (day := game.end or game.start)]
            end = (report.event.end if event is None else None) or max(days, default=None)
            end = end or report.event.end or start
            if end is not None:
                ends[event] = end
            facts[event] = self._facts(report, start, end)
            rated = self._rated_of(own, report, _ratings_in_force(own, entered))
            kept += rated
            if kind_of(report.event) == "round_robin" and self.parameters.round_robins:
                counting = [game for game in rated if game_counts(game)]
                found = round_robin(counting, _ratings_in_force(counting, entered))
                if found:
                    round_robins[event] = found
        held = {id(game) for game in kept}
        return replace(
            batch,
            games=tuple(game for game in report.games if id(game) in held),
            events=tuple(sorted(of_event, key=lambda event: starts.get(event, date.max))),
            starts=starts,
            ends=ends,
            facts=facts,
            round_robins=round_robins,
            left_out=tuple(game for game in report.games if id(game) not in held),
            late_lists=self.parameters.late_lists,
        )

    def _rated_of(
        self, games: Sequence[Game], report: Report, ratings: Mapping[str, Rating]
    ) -> list[Game]:
        """The games of an event without those that paragraphs 5d and 8c leave out."""
        p, kept = self.parameters, list(games)
        if p.late_lists:
            batch = FideBatch(report, None, (), (), late_lists=p.late_lists)
            kept = [game for game in kept if not batch.is_late(game)]
        if p.match_rules and is_match(report):
            return rated_in_matches(kept, ratings, report.event.rounds or 0)
        return kept

    def standing(self, batch: FideBatch, row: int) -> Standing:
        """The standing of the list in force, or the office's correction of it."""
        entry = batch.entries[row]
        reported = entry.standing or ReportedStanding()
        rating = int(reported.rating or NO_RATING)
        decided = decided_rating(entry)
        if decided is not None:
            rating = base_of_computation(rating, decided)
        return listed_standing(
            rating=rating,
            games=NOT_GIVEN if reported.games is None else reported.games,
            status=NOT_GIVEN if reported.status is None else status_code(reported.status),
            reached_top=bool(reported.extra.get("reached_2400")),
            reached_junior=bool(reported.extra.get("reached_2300")),
            birth_year=birth_year(entry),
            standard=standard_rating(entry),
            p=self.parameters,
        )

    def enter(self, standing: Standing) -> Standing:
        """Only a published rating is in force."""
        return entered(standing)

    def sides(self, batch: FideBatch, entered: Sequence[Standing], row: int) -> list[Side]:
        """The sides of a player: those kept towards a first rating, then the batch's."""
        entry = batch.entries[row]
        sides = []
        if entered[row].rating == NO_RATING:
            kept = self._kept(batch, entry)
            sides = [carried(int(each.opponent), int(2 * each.score)) for each in kept]
        for number, event in enumerate(batch.events):
            games = [i for i in batch.games_of[row] if batch.games[i].event == event]
            if games and event in batch.starts:
                list_in_force(batch.starts[event], event or "the event")
            found = batch.round_robins.get(event)
            event_average = average(found) if found and games else NO_RATING
            for index in games:
                sides += self._side(batch, entered, row, number, index, event_average)
        return sides

    def _kept(self, batch: FideBatch, entry: Entry) -> Iterator[FrozenSide]:
        """The sides of earlier batches that are not too old for a first rating."""
        end = batch.last_day_of(entry.id)
        for frozen in entry.history:
            months = 0
            if end and frozen.start:
                months = 12 * (end.year - frozen.start.year) + end.month - frozen.start.month
            if is_kept(months, self.parameters):
                yield frozen

    def _side(
        self,
        batch: FideBatch,
        entered: Sequence[Standing],
        row: int,
        event: int,
        index: int,
        event_average: int,
    ) -> Iterator[Side]:
        """The player's side of one game, if the game has one that can count."""
        game = batch.games[index]
        player = batch.entries[row].id
        colour = game.colour_of(player)
        if colour is None:
            return
        opponent = game.player(colour.other)
        score = game.result.half_points(colour)
        if not game_counts(game) or not counts_for_side(game, game.rated(colour)):
            return
        if opponent is None or score is None:
            return
        other = batch.rows[opponent]
        own_rating = in_force(game, colour, entered[row])
        rating = in_force(game, colour.other, entered[other])
        number = rating
        found = batch.round_robins.get(batch.events[event])
        if found and own_rating == NO_RATING:
            number = event_average
        elif found and rating == NO_RATING:
            rules = first_rules(batch.facts[batch.events[event]])
            number = number_for_opponents(found, opponent, event_average, rules)
        start = batch.starts.get(batch.events[event]) or game.end or batch.event.end
        # What was in force for an earlier event of the report has been published, too.
        highest = batch.highest_named(player, start or date.max)
        known = entered[row]._replace(
            reached_top=entered[row].reached_top or highest >= self.parameters.top_rating,
            reached_junior=entered[row].reached_junior or highest >= self.parameters.junior_rating,
        )
        yield frozen_side(
            standing=known,
            own=own_rating,
            opponent=number,
            meets_rated=rating != NO_RATING,
            score=score,
            event=event,
            field=found.opponents if found else 0,
            start=day_number(start) if start else NOT_GIVEN,
            other=other,
            game=index,
            rules=batch.facts[batch.events[event]],
            p=self.parameters,
        )

    def rounds(self, batch: FideBatch) -> Sequence[Round[Standing, Side, Reckoning, Parameters]]:
        """One round: all ratings are frozen when the event starts."""
        del batch
        return (Round("period", reckon),)

    def leave(self, entered: Standing, value: Reckoning) -> Standing:
        """The rating after the period, settled last: the explanation ends in it."""
        return left(entered, value, self.parameters)

    def row(
        self, batch: FideBatch, row: int, sides: Sequence[Side], value: Reckoning, left: Standing
    ) -> Row:
        """The player's row; an unrated player keeps the counting games as history."""
        entry = batch.entries[row]
        before = self.enter(self.standing(batch, row))
        was_rated = before.rating != NO_RATING
        has_number = was_rated or value.pooled > 0
        reported = entry.standing or ReportedStanding()
        counted = self.counted(before, sides)
        exact: float | None = None
        if was_rated:
            exact = (before.rating * SCORE_SCALE + value.total) / SCORE_SCALE
        elif value.pooled:
            exact = value.total / SCORE_SCALE
        status = StandingStatus(STATUSES[left.status])
        standing = reported
        if has_number:
            highest = batch.highest_named(entry.id)
            after = published_standing(left, highest, self.parameters)
            standing = self._new_standing(batch, reported, counted, after, status)
        return Row(
            id=entry.id,
            name=entry.name,
            section=batch.section,
            before=reported.rating if was_rated else None,
            after=left.rating if has_number else None,
            exact=exact,
            games=value.games,
            score=value.score / 2,
            expected=value.expected / SCORE_SCALE if was_rated else None,
            status=status if has_number else standing.status or status,
            published=left.status == ESTABLISHED,
            standing=standing,
            history=()
            if was_rated or left.status == ESTABLISHED
            else self._history(batch, entry, counted),
            performance=self._performance(sides, was_rated),
        )

    def counted(self, entered: Standing, sides: Sequence[Side]) -> list[Side]:
        """The sides against rated opponents, of an unrated player those of events that count."""
        counted: list[Side] = []
        since = counting_since(sides) if entered.rating == NO_RATING else NOT_GIVEN
        start = 0
        while start < len(sides):
            tally = event_tally(sides, start)
            event = sides[start : tally.end]
            if entered.rating != NO_RATING:
                counted += [side for side in event if is_rated_game(side)]
            elif not tally.carried and tally_counts(tally, since, first_rules(event[0])):
                counted += [side for side in event if side.opponent != NO_RATING]
            start = tally.end
        return counted

    def _new_standing(
        self,
        batch: FideBatch,
        old: ReportedStanding,
        counted: Sequence[Side],
        left: Standing,
        status: StandingStatus,
    ) -> ReportedStanding:
        """The new standing as a report holds it."""
        wins, draws, losses = results_after(old, (side.score for side in counted))
        return ReportedStanding(
            rating=left.rating,
            games=left.games,
            wins=wins,
            draws=draws,
            losses=losses,
            status=status,
            last_played=last_played(batch, old, len(counted)),
            extra={
                **old.extra,
                "reached_2400": left.reached_top,
                "reached_2300": left.reached_junior,
            },
        )

    def _history(
        self, batch: FideBatch, entry: Entry, counted: Sequence[Side]
    ) -> tuple[FrozenSide, ...]:
        """The sides that the next batch still needs for a first rating."""
        new = (
            FrozenSide(
                opponent=side.opponent,
                score=side.score / 2,
                start=batch.starts.get(batch.events[side.event]),
                event=batch.events[side.event] or batch.event.name,
            )
            for side in counted
        )
        return (*self._kept(batch, entry), *new)

    def _performance(self, sides: Sequence[Side], was_rated: bool) -> int | None:
        """Performance over the games of this batch against rated opponents."""
        met = [
            side
            for side in sides
            if side.game >= 0 and side.opponent != NO_RATING and (side.meets_rated or not was_rated)
        ]
        if not met:
            return None
        return performance_rating(
            sum(side.opponent for side in met), sum(side.score for side in met), len(met)
        )

    def monotone(self, standing: Standing, before: Sequence[Side], after: Sequence[Side]) -> bool:
        """Not where the better result makes an event count that did not before (6a)."""
        if standing.rating != NO_RATING:
            return True
        return self._counting(before) == self._counting(after)

    def _counting(self, sides: Sequence[Side]) -> list[bool]:
        """For each event whether it counts for a first rating."""
        since = counting_since(sides)
        counting: list[bool] = []
        start = 0
        while start < len(sides):
            tally = event_tally(sides, start)
            counting.append(tally_counts(tally, since, first_rules(sides[start])))
            start = tally.end
        return counting

    def listing(self, members: Sequence[Member], day: date, *, office: bool = False) -> Listing:
        """The list in force on a day; tournament offices see no other."""
        del office
        return listing(members, day, self.parameters)

    def check(self, batch: FideBatch) -> Findings:
        """What an officer should know before this report is rated."""
        findings = Findings()
        entered = [self.enter(self.standing(batch, row)) for row in range(len(batch.entries))]
        decided = [decided_rating(entry) for entry in batch.entries]
        counting = [game for game in batch.games if game_counts(game)]
        check_standings(batch, self.parameters, findings)
        check_decisions(batch, decided, self.rating_range, findings)
        check_games(batch, entered, counting, self.parameters, findings)
        tell_lists(batch.event, findings)
        tell_months(batch, self.parameters, findings)
        tell_left_out(batch, self.parameters, findings)
        tell_other_lists(batch, findings)
        check_pool(batch.event, self.parameters, findings)
        tell_norms(batch, entered, counting, self.parameters, findings)
        check_rate_of_play(batch.event, entered, self.parameters, findings)
        return findings
