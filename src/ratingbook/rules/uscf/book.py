"""The US Chess rule book: how the functions of the paragraphs rate a section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from datetime import date

from ratingbook.model import Entry, Findings, FrozenSide, Report, StandingStatus
from ratingbook.model import Section as ReportedSection
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.book import Round, Row, TwiceWritten, last_played
from ratingbook.rules.units import FIXED_SCALE
from ratingbook.rules.uscf.after import left
from ratingbook.rules.uscf.batch import UscfBatch
from ratingbook.rules.uscf.columns import (
    NO_RATING,
    Formula,
    Kind,
    Parameters,
    Reckoning,
    Side,
    Standing,
    Storage,
)
from ratingbook.rules.uscf.effective import effective_by
from ratingbook.rules.uscf.entries import ADJUSTED, standing_in, standing_of
from ratingbook.rules.uscf.event import is_youth, kind_of
from ratingbook.rules.uscf.findings import check_batch
from ratingbook.rules.uscf.floors import has_established_games, rises
from ratingbook.rules.uscf.games import (
    counts_for_side,
    game_counts,
    is_updated,
    opponent_by_fide,
    opponent_in_youth_event,
)
from ratingbook.rules.uscf.matches import (
    PastMatch,
    has_run_out,
    match_is_rated,
    past_match,
    plain,
)
from ratingbook.rules.uscf.sections import (
    SystemRun,
    pool_of,
    rated_as_dual,
    run_of,
    systems_by_time,
    time_control_of,
)
from ratingbook.rules.uscf.steps import fide_round, match_round, step_3, step_4, step_5
from ratingbook.rules.uscf.storage import unchanged
from ratingbook.rules.uscf.systems import pool_rated


class UscfRuleBook(TwiceWritten[UscfBatch, Standing, Side, Reckoning, Parameters]):
    """An edition of the US Chess rating system."""

    def batches(self, report: Report) -> Generator[UscfBatch, Sequence[Row] | None, None]:
        """Each section by itself, in the order of their numbers, else of their names.

        A run rates one system; sections that do not count in it are left out.  A player
        of several sections enters each with the standing after the one before (reading
        U10).
        """
        entries = {entry.id: entry for entry in report.entries}
        run = run_of(report, self.parameters)
        first: SystemRun | None = run
        for section in run.rated:
            own = tuple(entries[entry.id] for entry in section.entries)
            rows = yield self._batch(report, section, own, run.pool, first)
            first = None
            for row in rows or ():
                entries[row.id] = after_section(entries[row.id], row, run.pool)
        if first:
            yield UscfBatch(report, None, (), (), pool=run.pool, run=run)

    def _batch(
        self,
        report: Report,
        section: ReportedSection,
        entries: tuple[Entry, ...],
        pool: str,
        run: SystemRun | None,
    ) -> UscfBatch:
        event, head = report.event, section.head
        fits = systems_by_time(time_control_of(section, event), self.parameters) or ()
        days = [day for game in section.games if (day := game.end or game.start)]
        return UscfBatch(
            report,
            section.name,
            entries,
            section.games,
            pool=pool,
            kind=kind_of(head.kind or event.kind),
            dual=rated_as_dual(pool, pool_of(section, event), fits),
            named=pool_of(section, event),
            end=head.end or event.end or head.start or event.start or max(days, default=None),
            youth=is_youth(event),
            head=head,
            run=run,
        )

    def standing(self, batch: UscfBatch, row: int) -> Standing:
        """The standing in the system that is rated; unrated players get Step 1."""
        pool_rated(batch.pool)
        return standing_of(
            batch.entries[row], batch.pool, batch.kind, batch.dual, batch.end, self.parameters
        )

    def enter(self, standing: Standing) -> Standing:
        """Step 2: with N', the effective number of games."""
        effective = effective_by(standing.rating, standing.games, self.parameters)
        return standing._replace(effective=effective)

    def sides(self, batch: UscfBatch, entered: Sequence[Standing], row: int) -> list[Side]:
        """The player's sides; each knows how often the player meets the opponent."""
        federation = batch.entries[row].federation
        if batch.kind == Kind.FIDE and not is_updated(federation, entered[row].rated):
            return []
        if batch.kind == Kind.MATCH:
            self._is_rated_match(entered)
        sides = [
            side for index in batch.games_of[row] for side in self._side(batch, entered, row, index)
        ]
        meetings = Counter(side.other for side in sides)
        return [side._replace(meetings=meetings[side.other]) for side in sides]

    def _is_rated_match(self, entered: Sequence[Standing]) -> bool:
        """Section 4: whether the match meets rule 1; a finding refuses it otherwise."""
        established = all(
            standing.rated and has_established_games(standing.games, self.parameters)
            for standing in entered
        )
        ratings = [standing.rating for standing in entered]
        return match_is_rated(established, max(ratings) - min(ratings))

    def _side(
        self, batch: UscfBatch, entered: Sequence[Standing], row: int, index: int
    ) -> Iterator[Side]:
        """The player's side of a game, if it is rated."""
        game = batch.games[index]
        colour = game.colour_of(batch.entries[row].id)
        if colour is None or not game_counts(game) or not counts_for_side(game, game.rated(colour)):
            return
        opponent, score = game.player(colour.other), game.result.half_points(colour)
        if opponent is None or score is None:
            return
        other = batch.rows[opponent]
        rating = entered[other].rating
        if batch.kind == Kind.FIDE:
            named = game.rating(colour.other)
            fide = entered[other].fide if named is None else float(named)
            if fide == NO_RATING:
                return
            if batch.youth:
                rating = opponent_in_youth_event(game, fide)
            else:
                rating = opponent_by_fide(game, fide, self.parameters)
        yield Side(opponent=rating, score=score, meetings=0, other=other, game=index)

    def rounds(self, batch: UscfBatch) -> Sequence[Round[Standing, Side, Reckoning, Parameters]]:
        """Steps 3, 4 and 5; one round in a match (reading U29) and in a FIDE event."""
        if batch.kind == Kind.MATCH:
            return (Round("match", match_round),) * (2 if self.parameters.match_twice else 1)
        if batch.kind == Kind.FIDE:
            return (Round("fide", fide_round),)
        return (Round("step 3", step_3), Round("step 4", step_4), Round("step 5", step_5))

    def moved(self, side: Side, value: Reckoning) -> Side:
        """The opponent counts with what the step before made of him."""
        return side._replace(opponent=value.value)

    def leave(self, entered: Standing, value: Reckoning) -> Standing:
        """Floors, ceiling and rounding; the rounding comes last, the explanation ends in it."""
        if value.games > 0:
            return left(entered, value, self.parameters)
        return entered._replace(published=unchanged(entered.rating)) if entered.rated else entered

    def row(
        self, batch: UscfBatch, row: int, sides: Sequence[Side], value: Reckoning, left: Standing
    ) -> Row:
        """The player's row; the history keeps the matches of three years."""
        entry = batch.entries[row]
        known = standing_in(entry, batch.pool)
        status = StandingStatus.UNRATED
        if left.rated:
            established = has_established_games(left.games, self.parameters)
            status = StandingStatus.ESTABLISHED if established else StandingStatus.PROVISIONAL
        standing = entry.standing or ReportedStanding()
        if left.rated:
            standing = self._reported(batch, known, len(sides), left, status)
        return Row(
            id=entry.id,
            name=entry.name,
            section=batch.section,
            before=known.rating,
            after=left.published if left.rated else None,
            exact=left.exact if left.rated else None,
            games=value.games,
            score=value.score / 2,
            expected=value.expected / FIXED_SCALE if value.formula == Formula.STANDARD else None,
            status=status,
            published=left.rated,
            standing=standing,
            history=self._history(batch, row, sides, left),
        )

    def _reported(
        self,
        batch: UscfBatch,
        old: ReportedStanding,
        games: int,
        left: Standing,
        status: StandingStatus,
    ) -> ReportedStanding:
        """The new standing as a report holds it; what was not known stays so."""
        was_rated = old.rating is not None
        extra = dict(old.extra)
        if left.events >= 0:
            extra["events"] = left.events
        if games and left.peak != NO_RATING:
            extra["peak"] = plain(left.peak)
        if left.money_floor != NO_RATING:
            extra["floor"] = plain(left.money_floor)
        keeps = self.parameters.storage == Storage.DECIMALS
        return ReportedStanding(
            rating=left.rating if keeps else left.published,
            games=None if was_rated and old.games is None else left.games,
            wins=known_total(left.wins),
            draws=known_total(left.draws),
            losses=known_total(left.losses),
            status=status,
            last_played=(batch.head.end if games else None) or last_played(batch, old, games),
            extra=extra,
        )

    def _history(
        self, batch: UscfBatch, row: int, sides: Sequence[Side], left: Standing
    ) -> tuple[FrozenSide, ...]:
        """Matches of three years, and those for which a floor is lowered, with this one."""
        entry = batch.entries[row]
        if not sides:
            return entry.history
        before = self.standing(batch, row)
        risen = rises(before, left)
        kept = [side for frozen in entry.history if (side := _kept(frozen, batch.end, risen))]
        if batch.kind != Kind.MATCH:
            return tuple(kept)
        score = sum(side.score for side in sides)
        match = PastMatch(batch.end, left.rating - before.rating, left.lowered > before.lowered)
        new = FrozenSide(
            opponent=self.standing(batch, sides[0].other).rating,
            score=0.5 if score == len(sides) else float(score > len(sides)),
            own=before.rating,
            start=match.day,
            event=match.text,
        )
        return (*kept, new)

    def check(self, batch: UscfBatch) -> Findings:
        """What an officer should know before this section is rated."""
        return check_batch(batch, self.parameters, self.rating_range)


def after_section(entry: Entry, row: Row, pool: str) -> Entry:
    """The entry with which a player comes to the next section of the event."""
    return replace(
        entry,
        standing=row.standing,
        history=row.history,
        pools={name: standing for name, standing in entry.pools.items() if name != pool},
        decisions={name: value for name, value in entry.decisions.items() if name != ADJUSTED},
    )


def known_total(number: int) -> int | None:
    """A total as a report gives it; None where it is not known."""
    return number if number >= 0 else None


def _kept(frozen: FrozenSide, end: date | None, risen: bool) -> FrozenSide | None:
    """A match as it is still needed: for the limits, or for a floor that it lowered.

    A lowered floor ends when a new peak gives a higher one.
    """
    match = past_match(frozen)
    if match is None:
        return frozen
    lowers = match.lowers_floor and not risen
    if not lowers and has_run_out(match, end):
        return None
    return replace(frozen, event=match._replace(lowers_floor=lowers).text)
