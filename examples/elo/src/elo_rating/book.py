"""How the functions of the paragraphs rate a report."""

import math
from collections.abc import Generator, Sequence
from dataclasses import replace

from elo_rating.columns import Parameters, Reckoning, Side, Standing
from elo_rating.rules import entered, left, reckon, turn_of, was_played
from ratingbook.model import Findings, Report, StandingStatus
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.book import Batch, Round, Row, RuleBook, results_after
from ratingbook.rules.bulk import NO_NUMBER


class Elo(RuleBook[Batch, Standing, Side, Reckoning, Parameters]):
    """An edition of Elo that rates every game by itself."""

    def batches(self, report: Report) -> Generator[Batch, Sequence[Row] | None, None]:
        """One batch for each game, in the order of play; last, all who have no game."""
        entries = {entry.id: entry for entry in report.entries}
        rated = [
            game
            for game in report.games
            if was_played(game) and (game.white_rated or game.black_rated)
        ]
        idle = set(entries)
        for game in sorted(rated, key=lambda game: turn_of(game, report.event)):
            players = [player for player in (game.white, game.black) if player is not None]
            both = tuple(entries[player] for player in players)
            idle -= set(players)
            rows = yield Batch(report, game.section, both, (game,))
            for row in rows or ():
                entries[row.id] = replace(entries[row.id], standing=row.standing)
        if idle:
            rest = tuple(entry for entry in report.entries if entry.id in idle)
            yield Batch(report, None, rest, ())

    def check(self, batch: Batch) -> Findings:
        """Nothing beyond what is checked for every rule book."""
        return Findings()

    def standing(self, batch: Batch, row: int) -> Standing:
        """The rating and the games, by the report or after the game before."""
        reported = batch.entries[row].standing or ReportedStanding()
        rating = NO_NUMBER if reported.rating is None else float(reported.rating)
        return Standing(rating, reported.games or 0)

    def enter(self, standing: Standing) -> Standing:
        """Paragraph 1: everybody has a number to start from."""
        return entered(standing, self.parameters)

    def sides(self, batch: Batch, entered: Sequence[Standing], row: int) -> list[Side]:
        """The player's half of the game, if it is rated for the player."""
        sides = []
        for index in batch.games_of[row]:
            game = batch.games[index]
            colour = game.colour_of(batch.entries[row].id)
            if colour is None or not game.rated(colour):
                continue
            opponent, score = game.player(colour.other), game.result.half_points(colour)
            if opponent is None or score is None:
                continue
            other = batch.rows[opponent]
            sides.append(Side(entered[other].rating, score, other, index))
        return sides

    def rounds(self, batch: Batch) -> Sequence[Round[Standing, Side, Reckoning, Parameters]]:
        """One round: both at the ratings of before the game."""
        return (Round("game", reckon),)

    def leave(self, entered: Standing, value: Reckoning) -> Standing:
        """Paragraph 4; the last step is the number of the row."""
        return left(entered, value, self.parameters)

    def row(
        self, batch: Batch, row: int, sides: Sequence[Side], value: Reckoning, left: Standing
    ) -> Row:
        """The player's row; who has neither a rating nor a game has no number."""
        entry = batch.entries[row]
        known = entry.standing or ReportedStanding()
        stored = self.standing(batch, row)
        rated = value.games > 0 or not math.isnan(stored.rating)
        status = StandingStatus.ESTABLISHED if rated else StandingStatus.UNRATED
        standing = known
        if value.games:
            game = batch.games[sides[0].game]
            wins, draws, losses = results_after(known, (side.score for side in sides))
            standing = replace(
                known,
                rating=left.rating,
                games=left.games,
                wins=wins,
                draws=draws,
                losses=losses,
                status=status,
                last_played=game.end or game.start or batch.event.end or known.last_played,
            )
        return Row(
            id=entry.id,
            name=entry.name,
            section=batch.section,
            before=known.rating,
            after=left.rating if rated else None,
            exact=left.rating if rated else None,
            games=value.games,
            score=value.score / 2,
            expected=value.expected,
            status=status,
            published=rated,
            standing=standing,
        )
