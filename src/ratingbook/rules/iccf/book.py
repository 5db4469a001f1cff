"""The ICCF rule book: how the functions of the items rate a period."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from ratingbook.model import (
    Colour,
    Entry,
    Findings,
    FrozenSide,
    Game,
    Report,
    StandingStatus,
)
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.book import Round, Row, TwiceWritten, last_played, results_after
from ratingbook.rules.iccf.batch import IccfBatch
from ratingbook.rules.iccf.change import expectation
from ratingbook.rules.iccf.columns import (
    NO_RATING,
    Parameters,
    Reckoning,
    Rule,
    Side,
    Standing,
)
from ratingbook.rules.iccf.findings import (
    check_dates,
    check_histories,
    check_levels,
    tell_defect,
)
from ratingbook.rules.iccf.games import game_counts, is_in_time, reported_on
from ratingbook.rules.iccf.levels import announced, assumed_rating, tournament_level
from ratingbook.rules.iccf.listing import listing
from ratingbook.rules.iccf.lists import RatingList, list_taking
from ratingbook.rules.iccf.period import is_published, left, reckon
from ratingbook.rules.iccf.substitutes import (
    counts_for_substitute,
    rating_for_opponent,
    substitutes_difference,
)
from ratingbook.rules.listing import Listing, Member
from ratingbook.rules.units import Ratio


class IccfRuleBook(TwiceWritten[IccfBatch, Standing, Side, Reckoning, Parameters]):
    """An edition of the ICCF rating rules."""

    def batches(self, report: Report) -> Iterator[IccfBatch]:
        """One batch: the report is (a part of) a rating period."""
        batch = IccfBatch(report, None, report.entries, report.games)
        standings = {
            entry.id: self.standing(batch, row) for row, entry in enumerate(report.entries)
        }
        yield IccfBatch(
            report,
            None,
            report.entries,
            report.games,
            _taking(report),
            _level(report, standings.values()),
            standings,
        )

    def standing(self, batch: IccfBatch, row: int) -> Standing:
        """The rating and the number of games of the last list."""
        reported = batch.entries[row].standing or ReportedStanding()
        if reported.rating is None or reported.status is StandingStatus.UNRATED:
            return Standing(NO_RATING, 0)
        games = self.parameters.fixed_games if reported.games is None else reported.games
        return Standing(int(reported.rating), games)

    def enter(self, standing: Standing) -> Standing:
        """Nothing is settled beforehand: levels belong to games."""
        return standing

    def sides(self, batch: IccfBatch, entered: Sequence[Standing], row: int) -> list[Side]:
        """The player's sides: all earlier ones while the rating is not fixed, then the period's."""
        entry = batch.entries[row]
        sides = []
        if entered[row].games < self.parameters.fixed_games:
            sides = [_carried(frozen, entered[row]) for frozen in entry.history]
        if any(batch.assumes(batch.games[n]) for n in batch.games_of[row]):
            _level(batch.report, batch.standings.values())
        for game_index in batch.games_of[row]:
            sides += self._side(batch, entry.id, game_index)
        return sides

    def _side(self, batch: IccfBatch, player: str, game_index: int) -> Iterator[Side]:
        """The player's side of one game, if the game counts for him (item 18)."""
        game = batch.games[game_index]
        if not game_counts(game) or not is_in_time(game, _last_day(batch)):
            return
        colour = _colour_of(game, player)
        score = game.result.half_points(colour)
        if not game.rated(colour) or score is None:
            return
        own = self._start_rating(batch, game, colour, player)
        opponent = self._opponent_rating(batch, game, colour)
        if own is None or opponent is None:
            return
        other = game.player(colour.other)
        side = Side(
            own=own,
            opponent=opponent,
            score=score,
            carried=False,
            other=-1 if other is None else batch.rows[other],
            game=game_index,
        )
        if self._counts_for(batch, game, colour, player, side):
            yield side

    def _counts_for(
        self, batch: IccfBatch, game: Game, colour: Colour, player: str, side: Side
    ) -> bool:
        """Item 18a: whether a game in which a substitute played counts for this player."""
        replaced = game.white_for if colour is Colour.WHITE else game.black_for
        if replaced is None:
            return True
        substitute = game.player(colour)
        theirs = self._start_rating(batch, game, colour, substitute)
        if theirs is None:
            return True
        expected = expectation(theirs, side.opponent, self.parameters)
        difference = substitutes_difference(side.score, expected)
        return counts_for_substitute(difference) == (player == substitute)

    def _start_rating(
        self, batch: IccfBatch, game: Game, colour: Colour, player: str | None
    ) -> int | None:
        """The rating of a player at the beginning of the game, or the assumed one (8, 11).

        What the game names is the rating of the player who sat at the board.
        """
        if player is None:
            return None
        named = game.rating(colour)
        if named is not None and player == game.player(colour):
            return int(named)
        rating = batch.standings[player].rating
        if rating != NO_RATING:
            return rating
        return None if batch.level is None else assumed_rating(player, batch.level)

    def _opponent_rating(self, batch: IccfBatch, game: Game, colour: Colour) -> int | None:
        """The rating that the opponent counts with: with a substitute the higher of two."""
        there = colour.other
        rating = self._start_rating(batch, game, there, game.player(there))
        replaced = game.white_for if there is Colour.WHITE else game.black_for
        if replaced is None or rating is None:
            return rating
        theirs = self._start_rating(batch, game, there, replaced)
        return None if theirs is None else rating_for_opponent(rating, theirs)

    def rounds(self, batch: IccfBatch) -> Sequence[Round[Standing, Side, Reckoning, Parameters]]:
        """One round: all ratings are frozen when the game begins."""
        del batch
        return (Round("period", reckon),)

    def leave(self, entered: Standing, value: Reckoning) -> Standing:
        """The rounded rating; a player without a game stays as he was."""
        exact = Ratio(value.numerator, value.denominator)
        return left(entered, value.games, exact, self.parameters)

    def row(
        self,
        batch: IccfBatch,
        row: int,
        sides: Sequence[Side],
        value: Reckoning,
        left: Standing,
    ) -> Row:
        """The player's row; until the rating is fixed the sides stay needed."""
        entry = batch.entries[row]
        before = batch.standings[entry.id]
        rated = left.rating != NO_RATING
        status = self._status(left)
        return Row(
            id=entry.id,
            name=entry.name,
            section=batch.section,
            before=before.rating if before.rating != NO_RATING else None,
            after=left.rating if rated else None,
            exact=value.numerator / value.denominator if rated else None,
            games=value.games,
            score=value.score / 2,
            expected=value.expected / 100 if value.rule == Rule.ITEM_16 else None,
            status=status,
            published=is_published(left.games, self.parameters),
            standing=_reported(batch, entry, sides, left, status),
            history=self._history(batch, entry, sides, left),
        )

    def _status(self, left: Standing) -> StandingStatus:
        if left.rating == NO_RATING:
            return StandingStatus.UNRATED
        fixed = left.games >= self.parameters.fixed_games
        return StandingStatus.ESTABLISHED if fixed else StandingStatus.PROVISIONAL

    def _history(
        self, batch: IccfBatch, entry: Entry, sides: Sequence[Side], left: Standing
    ) -> tuple[FrozenSide, ...]:
        if left.games >= self.parameters.fixed_games:
            return ()
        new = tuple(
            FrozenSide(
                opponent=side.opponent,
                score=side.score / 2,
                own=side.own,
                start=batch.games[side.game].start,
                event=batch.games[side.game].event or batch.event.name,
            )
            for side in sides
            if not side.carried
        )
        return (*entry.history, *new)

    def listing(self, members: Sequence[Member], day: date, *, office: bool = False) -> Listing:
        """The list in force on a day; tournament offices see no other."""
        del office
        return listing(members, day, self.parameters)

    def check(self, batch: IccfBatch) -> Findings:
        """What the ratings commissioner should know before this report is rated."""
        findings = Findings()
        counting = [game for game in batch.games if game_counts(game)]
        check_histories(batch, self.parameters, findings)
        check_levels(batch, counting, self.rating_range, findings)
        check_dates(batch, findings)
        if not findings.refused:
            entered = [batch.standings[entry.id] for entry in batch.entries]
            sides = [self.sides(batch, entered, row) for row in range(len(entered))]
            tell_defect(batch, entered, sides, self.parameters, findings)
        return findings


def _level(report: Report, standings: Iterable[Standing]) -> int | None:
    """Item 11 for the event of the report."""
    return tournament_level(
        report.event.category,
        announced(report.event.level),
        [s.rating for s in standings if s.rating != NO_RATING],
    )


def _taking(report: Report) -> RatingList | None:
    """The list that takes the report: by its end, else by its latest result."""
    days = [day for game in report.games if (day := reported_on(game))]
    day = report.event.end or max(days, default=None)
    return list_taking(day) if day else None


def _last_day(batch: IccfBatch) -> date | None:
    return batch.taken_by.reports_until if batch.taken_by else None


def _colour_of(game: Game, player: str) -> Colour:
    return Colour.WHITE if player in (game.white, game.white_for) else Colour.BLACK


def _carried(frozen: FrozenSide, entered: Standing) -> Side:
    own = entered.rating if frozen.own is None else int(frozen.own)
    return Side(own, int(frozen.opponent), int(2 * frozen.score), True, -1, -1)


def _reported(
    batch: IccfBatch, entry: Entry, sides: Sequence[Side], left: Standing, status: StandingStatus
) -> ReportedStanding:
    """The new standing as a report holds it."""
    old = entry.standing or ReportedStanding()
    new = [side.score for side in sides if not side.carried]

    wins, draws, losses = results_after(old, new)
    return ReportedStanding(
        rating=left.rating if left.rating != NO_RATING else None,
        games=left.games,
        wins=wins,
        draws=draws,
        losses=losses,
        status=status,
        last_played=last_played(batch, old, len(new)),
        extra=old.extra,
    )
