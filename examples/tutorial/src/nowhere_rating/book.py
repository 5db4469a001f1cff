"""How the functions of the paragraphs rate a report."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from nowhere_rating.columns import NO_RATING, Parameters, Reckoning, Side, Standing
from nowhere_rating.rules import has_rating, left, meets_rated, reckon, was_played
from ratingbook.model import Findings, Report, StandingStatus
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.book import Batch, Round, Row, TwiceWritten, last_played, results_after
from ratingbook.rules.units import SCORE_SCALE


class Nowhere(TwiceWritten[Batch, Standing, Side, Reckoning, Parameters]):
    """An edition of the Nowhere rules."""

    def batches(self, report: Report) -> Iterator[Batch]:
        """All games of a report are rated together."""
        yield Batch(report, None, report.entries, report.games)

    def check(self, batch: Batch) -> Findings:
        """Nothing beyond what is checked for every rule book."""
        return Findings()

    def standing(self, batch: Batch, row: int) -> Standing:
        """The rating and the games that the report gives."""
        reported = batch.entries[row].standing or ReportedStanding()
        return Standing(int(reported.rating or NO_RATING), reported.games or 0)

    def enter(self, standing: Standing) -> Standing:
        """Nothing is settled beforehand."""
        return standing

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
            own_rating = int(game.rating(colour) or entered[row].rating)
            their_rating = int(game.rating(colour.other) or entered[other].rating)
            if meets_rated(game, their_rating):
                sides.append(Side(own_rating, their_rating, score, other, index))
        return sides

    def rounds(self, batch: Batch) -> Sequence[Round[Standing, Side, Reckoning, Parameters]]:
        """One round: every game at the ratings of before the report."""
        return (Round("report", reckon),)

    def leave(self, entered: Standing, value: Reckoning) -> Standing:
        """Paragraphs 2 and 6; the last step is the number of the row."""
        return left(entered, value, self.parameters)

    def row(
        self, batch: Batch, row: int, sides: Sequence[Side], value: Reckoning, left: Standing
    ) -> Row:
        """What is reported of the player."""
        entry = batch.entries[row]
        before = entry.standing or ReportedStanding()
        rated = has_rating(left.rating)
        status = StandingStatus.ESTABLISHED if rated else StandingStatus.UNRATED
        wins, draws, losses = results_after(before, (side.score for side in sides))
        after = replace(
            before,
            rating=left.rating,
            games=left.games,
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
            exact=value.value / SCORE_SCALE if rated else None,
            games=value.games,
            score=value.score / 2,
            expected=None if before.rating is None else value.expected / SCORE_SCALE,
            status=status,
            published=rated,
            standing=after if rated else before,
        )
