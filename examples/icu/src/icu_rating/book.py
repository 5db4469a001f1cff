"""How the functions of the paragraphs rate a report."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from icu_rating.columns import (
    NO_NUMBER_YET,
    NO_RATING,
    Following,
    Kind,
    Parameters,
    Reckoning,
    Side,
    Standing,
)
from icu_rating.findings import findings_of
from icu_rating.phases import (
    KERNELS,
    NAMES,
    RATE_AGAIN,
    between,
    bonus_rating_follows,
    has_bonus,
    moved,
    round_at,
)
from icu_rating.reported import born_of, decided_k, is_foreign, joined_of, number_of_day, start_of
from icu_rating.rules import (
    entered,
    games_so_far,
    kind_of,
    left,
    rating_after,
    side_against,
    was_played,
)
from ratingbook.model import Findings, Report, StandingStatus
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.book import Batch, Round, Row, TwiceWritten, last_played, results_after
from ratingbook.rules.bulk import NEVER_STILL, NOT_GIVEN
from ratingbook.rules.units import SCORE_SCALE


class Icu(TwiceWritten[Batch, Standing, Side, Reckoning, Parameters]):
    """An edition of the Irish rules."""

    def batches(self, report: Report) -> Iterator[Batch]:
        """Paragraph 1: each event, or section of one, is rated at once."""
        for section in report.sections():
            yield Batch(report, section.name, section.entries, section.games)

    def check(self, batch: Batch) -> Findings:
        """What is unclear about kinds of player and K."""
        return findings_of(batch)

    def standing(self, batch: Batch, row: int) -> Standing:
        """The player as the report says."""
        entry = batch.entries[row]
        reported = entry.standing or ReportedStanding()
        rating = NO_RATING if reported.rating is None else int(reported.rating)
        return Standing(
            rating=rating,
            games=games_so_far(rating, NOT_GIVEN if reported.games is None else reported.games),
            foreign=is_foreign(reported),
            joined=number_of_day(joined_of(reported)),
            born=number_of_day(born_of(entry)),
            start=number_of_day(start_of(batch.event)),
            decided_k=decided_k(entry) or 0,
            kind=Kind.UNRATED,
            k=0,
            performance=NO_NUMBER_YET,
            change=0,
            expected=0,
            bonus=0,
            bonus_rating=NO_NUMBER_YET,
        )

    def enter(self, standing: Standing) -> Standing:
        """Paragraphs 2 and 3."""
        return entered(standing)

    def sides(self, batch: Batch, entered: Sequence[Standing], row: int) -> list[Side]:
        """The player's half of every game that is rated."""
        sides = []
        for index in batch.games_of[row]:
            game = batch.games[index]
            colour = game.colour_of(batch.entries[row].id)
            if colour is None or not game.rated(colour) or not was_played(game):
                continue
            opponent, score = game.player(colour.other), game.result.half_points(colour)
            if opponent is None or score is None:
                continue
            other = batch.rows[opponent]
            sides.append(side_against(entered[other], score, other, index))
        return sides

    def counted(self, entered: Standing, sides: Sequence[Side]) -> list[Side]:
        """Those against opponents who have a number."""
        del entered
        return [side for side in sides if side.opponent != NO_NUMBER_YET]

    def rounds(self, batch: Batch) -> Sequence[Round[Standing, Side, Reckoning, Parameters]]:
        """Paragraphs 4, 7 and 8: the rounds of :func:`icu_rating.phases.round_at`."""
        del batch
        p = self.parameters
        rounds: list[Round[Standing, Side, Reckoning, Parameters]] = []
        while (turns := round_at(len(rounds), p)).kernel >= 0:
            follows = turns.kernel == RATE_AGAIN and bonus_rating_follows(p.version)
            rounds.append(
                Round(
                    NAMES[len(rounds)],
                    KERNELS[turns.kernel],
                    at_most=turns.at_most,
                    still=None if turns.still == NEVER_STILL else turns.still,
                    goes_on=turns.goes_on,
                    must_settle=turns.must_settle,
                    wanted=has_bonus if turns.wanted else None,
                    in_turn=follows and p.following == Following.IN_TURN,
                )
            )
        return rounds

    def moved(self, side: Side, value: Reckoning) -> Side:
        """Paragraphs 4 and 7: the opponent's number after the round before."""
        return moved(side, value)

    def between(self, entered: Standing, value: Reckoning) -> Standing:
        """The player with the own numbers of the round before."""
        return between(entered, value)

    def leave(self, entered: Standing, value: Reckoning) -> Standing:
        """Paragraph 6; the last step is the number of the row."""
        return left(entered, value)

    def row(
        self, batch: Batch, row: int, sides: Sequence[Side], value: Reckoning, left: Standing
    ) -> Row:
        """The player's row."""
        entry = batch.entries[row]
        before = entry.standing or ReportedStanding()
        rated = left.rating != NO_RATING
        status = status_of(left)
        after = before
        if rated and value.games:
            counted = () if left.foreign else self.counted(left, sides)
            wins, draws, losses = results_after(before, (side.score for side in counted))
            keeps_count = before.games is None and before.rating is not None
            after = replace(
                before,
                rating=left.rating,
                games=None if keeps_count else left.games,
                wins=wins,
                draws=draws,
                losses=losses,
                status=status,
                last_played=last_played(batch, before, value.games),
            )
        return Row(
            id=entry.id,
            name=entry.name,
            section=batch.section,
            before=before.rating,
            after=left.rating if rated else None,
            exact=exact_of(self.standing(batch, row).rating, value, left) if rated else None,
            games=value.games,
            score=value.score / 2,
            expected=value.expected / SCORE_SCALE,
            status=status,
            published=rated,
            standing=after,
            performance=None if value.value == NO_NUMBER_YET else value.value / SCORE_SCALE,
        )


def exact_of(rating: int, value: Reckoning, left: Standing) -> float:
    """The unrounded new rating of who had this one before."""
    if left.kind == Kind.RATED:
        return rating_after(rating, value.change, value.bonus) / SCORE_SCALE
    if left.kind == Kind.FOREIGN or value.value == NO_NUMBER_YET:
        return float(rating)
    return value.value / SCORE_SCALE


def status_of(left: Standing) -> StandingStatus:
    """What the list thinks of the new rating."""
    kind = kind_of(left.rating, left.games, left.foreign)
    if kind == Kind.UNRATED:
        return StandingStatus.UNRATED
    return StandingStatus.PROVISIONAL if kind == Kind.PROVISIONAL else StandingStatus.ESTABLISHED
