"""How the functions of the paragraphs rate a report."""

from collections.abc import Generator, Sequence
from dataclasses import replace

from elo_rating.columns import Multiplier, Parameters, Reckoning, Season, Side, Standing
from elo_rating.entries import check_entry, decided_rating, latest_season, named_season
from elo_rating.rules import (
    brought,
    day_of,
    entered,
    left,
    reckon,
    season_of,
    turn_of,
    was_played,
)
from ratingbook.model import Colour, Findings, Report, StandingStatus
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.book import Batch, Round, Row, TwiceWritten, results_after
from ratingbook.rules.bulk import NO_NUMBER, NOT_GIVEN, day_number


class Elo(TwiceWritten[Batch, Standing, Side, Reckoning, Parameters]):
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
                entry = replace(entries[row.id], standing=row.standing)
                # The office's rating is used up with the first game that is rated.
                entries[row.id] = replace(entry, decisions={}) if row.games else entry
        yield Batch(report, None, tuple(e for e in report.entries if e.id in idle), ())

    def check(self, batch: Batch) -> Findings:
        """What is said once of the whole report, with its last batch."""
        findings = Findings()
        if not batch.games:
            for entry in batch.report.entries:
                check_entry(entry, findings, is_idle=entry.id in batch.rows)
        return findings

    def standing(self, batch: Batch, row: int) -> Standing:
        """The rating and the games, by the report, the office or after the game before."""
        entry = batch.entries[row]
        reported = entry.standing or ReportedStanding()
        rating = NO_NUMBER if reported.rating is None else float(reported.rating)
        decided = decided_rating(entry) if batch.games else NO_NUMBER
        season = latest_season(reported, self.parameters)
        return brought(rating, reported.games or 0, season, self._season(batch), decided)

    def _season(self, batch: Batch) -> Season:
        """Paragraph 8: the season of the game; who does not play is in none."""
        if not batch.games:
            return NOT_GIVEN
        day = day_of(batch.games[0], batch.event)
        number = NOT_GIVEN if day is None else day_number(day)
        return season_of(number, named_season(batch.event), self.parameters)

    def enter(self, standing: Standing) -> Standing:
        """Paragraphs 1 and 8: everybody has a number, and it is that of the season."""
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
            other, sign = batch.rows[opponent], 1 if colour is Colour.WHITE else -1
            margin = NOT_GIVEN if game.margin is None else sign * game.margin
            home = 0 if game.neutral else sign
            sides.append(Side(entered[other].rating, score, other, index, margin, home))
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
        was_rated = known.rating is not None
        rated = value.games > 0 or was_rated
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
                last_played=day_of(game, batch.event) or known.last_played,
                extra=known.extra
                if left.season == NOT_GIVEN
                else {**known.extra, "season": left.season},
            )
        return Row(
            id=entry.id,
            name=entry.name,
            section=batch.section,
            before=self.enter(self.standing(batch, row)).rating if was_rated else None,
            after=left.rating if rated else None,
            exact=left.rating if rated else None,
            games=value.games,
            score=value.score / 2,
            expected=value.expected,
            status=status,
            published=rated,
            standing=standing,
        )

    def monotone(self, standing: Standing, before: Sequence[Side], after: Sequence[Side]) -> bool:
        """A margin is that of its result: it says nothing of another one."""
        return self.parameters.margin == Multiplier.NONE or after[0].margin == NOT_GIVEN
