"""The IECG rule book: how the functions of the paragraphs rate a period."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from ratingbook.model import Colour, Entry, Findings, FrozenSide, Report
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.book import Batch, Round, Row, TwiceWritten, last_played, results_after
from ratingbook.rules.iecg.columns import (
    NO_RATING,
    Parameters,
    Reckoning,
    Side,
    Standing,
    Status,
)
from ratingbook.rules.iecg.entries import STATUSES, standing_of, with_ter
from ratingbook.rules.iecg.entry_rating import (
    has_performance,
    own_rating,
)
from ratingbook.rules.iecg.findings import check_entries, check_games, check_numbers, tell_lists
from ratingbook.rules.iecg.games import is_rated, opponents_ter
from ratingbook.rules.iecg.listing import listing
from ratingbook.rules.iecg.lists import last_day_of, whole
from ratingbook.rules.iecg.period import left, period_reckoning
from ratingbook.rules.iecg.provisional import (
    passes_full_score,
    performance,
    rests_on_earlier_games,
)
from ratingbook.rules.listing import Listing, Member
from ratingbook.rules.units import FIXED_SCALE

_REPORTED = {status: reported for reported, status in STATUSES.items()}


class IecgRuleBook(TwiceWritten[Batch, Standing, Side, Reckoning, Parameters]):
    """An edition of the IECG rating rules."""

    def batches(self, report: Report) -> Iterator[Batch]:
        """One batch: the report is (a part of) a rating period."""
        yield Batch(report, None, report.entries, report.games)

    def standing(self, batch: Batch, row: int) -> Standing:
        """The standing of the last list; new players get theirs by section VII."""
        return standing_of(batch.entries[row], self.parameters)

    def enter(self, standing: Standing) -> Standing:
        """With the Tournament Entry Rating, where the report does not give it."""
        return with_ter(standing, self.parameters)

    def sides(self, batch: Batch, entered: Sequence[Standing], row: int) -> list[Side]:
        """The sides of a player: of a provisional one those of earlier periods first."""
        standing = entered[row]
        games = [index for index in batch.games_of[row] if self._is_rated(batch, row, index)]
        if not games:
            return []
        own = own_rating(standing, self.parameters)
        sides = []
        if rests_on_earlier_games(standing.status, self.parameters):
            sides = [self._carried(frozen, own) for frozen in _kept(batch, row, standing)]
        return sides + [self._side(batch, entered, row, index, own) for index in games]

    def _is_rated(self, batch: Batch, row: int, index: int) -> bool:
        """Whether the game is rated for this player, who may only be named as replaced in it."""
        game, player = batch.games[index], batch.entries[row].id
        if player not in (game.white, game.black) or game.black is None:
            return False
        return is_rated(game, _colour(batch, row, index), self.parameters, last_day_of(batch.event))

    def _carried(self, frozen: FrozenSide, reference: int) -> Side:
        own = reference if frozen.own is None else int(frozen.own)
        return Side(own, int(frozen.opponent), int(2 * frozen.score), other=-1, game=-1)

    def _side(
        self, batch: Batch, entered: Sequence[Standing], row: int, index: int, own: int
    ) -> Side:
        """The player's side of a rated game."""
        game, colour = batch.games[index], _colour(batch, row, index)
        other = batch.rows[game.player(colour.other) or ""]
        named = game.rating(colour.other)
        ter = opponents_ter(game, entered[other].ter, None if named is None else int(named))
        return Side(own, ter, game.result.half_points(colour) or 0, other, index)

    def rounds(self, batch: Batch) -> Sequence[Round[Standing, Side, Reckoning, Parameters]]:
        """One round: all ratings are those of the last list."""
        del batch
        return (Round("period", period_reckoning),)

    def leave(self, entered: Standing, value: Reckoning) -> Standing:
        """The standing on the new list; its rating is settled last, the explanation ends in it."""
        return left(entered, value.games, value.exact, self.parameters)

    def row(
        self, batch: Batch, row: int, sides: Sequence[Side], value: Reckoning, left: Standing
    ) -> Row:
        """The player's row; players who are not established keep all games as history."""
        entry = batch.entries[row]
        entered = self.enter(self.standing(batch, row))
        has_rating = value.games > 0 or entered.rating != NO_RATING
        is_expected = entered.status == Status.ESTABLISHED
        return Row(
            id=entry.id,
            name=entry.name,
            section=batch.section,
            before=entered.rating if entered.rating != NO_RATING else None,
            after=left.rating if has_rating else None,
            exact=value.exact / FIXED_SCALE if has_rating else None,
            games=value.games,
            score=value.score / 2,
            expected=value.expected / FIXED_SCALE if is_expected else None,
            status=_REPORTED[left.status],
            published=left.published,
            standing=self._reported(batch, entry, sides, left),
            history=self._history(batch, row, entered, sides, left),
            performance=self._performance(sides, value, left),
        )

    def _reported(
        self, batch: Batch, entry: Entry, sides: Sequence[Side], left: Standing
    ) -> ReportedStanding:
        """The new standing as a report holds it."""
        old = entry.standing or ReportedStanding()
        wins, draws, losses = results_after(old, (s.score for s in sides if s.game >= 0))
        has_rating = left.status != Status.STARTING and left.rating != NO_RATING
        starting = {} if left.status == Status.ESTABLISHED else {"starting_rating": left.starting}
        return ReportedStanding(
            rating=left.rating if has_rating else None,
            games=left.games,
            wins=wins,
            draws=draws,
            losses=losses,
            status=_REPORTED[left.status],
            last_played=last_played(batch, old, sum(side.game >= 0 for side in sides)),
            extra={**old.extra, **starting, "ter": left.ter},
        )

    def _history(
        self,
        batch: Batch,
        row: int,
        entered: Standing,
        sides: Sequence[Side],
        left: Standing,
    ) -> tuple[FrozenSide, ...]:
        """The sides that the next period still needs, frozen as they were rated."""
        if left.status == Status.ESTABLISHED:
            return ()
        kept = _kept(batch, row, entered)
        if not any(side.game >= 0 for side in sides):
            return tuple(kept)
        own = next(side.own for side in sides if side.game >= 0)
        old = [side if side.own is not None else replace(side, own=own) for side in kept]
        new = [
            FrozenSide(
                opponent=side.opponent,
                score=side.score / 2,
                own=side.own,
                start=batch.games[side.game].start,
                event=batch.games[side.game].event or batch.event.name,
            )
            for side in sides
            if side.game >= 0
        ]
        return (*old, *new)

    def _performance(self, sides: Sequence[Side], value: Reckoning, left: Standing) -> int | None:
        """The performance in this period's games, as III.4 and III.5 publish it."""
        if value.games == 0 or not has_performance(left.games, self.parameters):
            return None
        return whole(performance(sides, self.parameters), self.parameters)

    def listing(self, members: Sequence[Member], day: date, *, office: bool = False) -> Listing:
        """The list that is in force on a day."""
        return listing(members, day, self.parameters, office=office)

    def monotone(self, standing: Standing, before: Sequence[Side], after: Sequence[Side]) -> bool:
        """Not at the ends of IV.1 in a big batch, where 400 is less than the step before (B14)."""
        if standing.status == Status.ESTABLISHED:
            return True
        games = len(after)
        low, high = sum(side.score for side in before), sum(side.score for side in after)
        at_an_end = low == 0 or high == 2 * games
        return not (at_an_end and passes_full_score(high, games))

    def check(self, batch: Batch) -> Findings:
        """What an officer should know before this report is rated."""
        findings = Findings()
        check_numbers(batch, self.rating_range, findings)
        if findings.refused:
            return findings
        entered = [self.enter(self.standing(batch, row)) for row in range(len(batch.entries))]
        sides = [self.sides(batch, entered, row) for row in range(len(batch.entries))]
        check_entries(batch, entered, sides, self.parameters, findings)
        check_games(batch, entered, self.parameters, findings)
        tell_lists(batch, findings)
        return findings


def _colour(batch: Batch, row: int, index: int) -> Colour:
    is_white = batch.games[index].white == batch.entries[row].id
    return Colour.WHITE if is_white else Colour.BLACK


def _kept(batch: Batch, row: int, standing: Standing) -> Sequence[FrozenSide]:
    """The sides of earlier periods; none where IX.5 b has the old games forgotten."""
    return batch.entries[row].history if standing.games else ()
