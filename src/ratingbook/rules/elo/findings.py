"""What is noticed about a report: decisions and seasons of the players."""

from collections.abc import Sequence

from ratingbook.model import Entry, Findings, GameStatus, Result, Severity
from ratingbook.rules.book import Batch, RuleBook
from ratingbook.rules.bulk import LAST_YEAR, NOT_GIVEN
from ratingbook.rules.elo.rules import Multiplier, Side, Standing

LOWEST, HIGHEST = -10_000, 10_000
"""No rating is lower or higher."""


class Elo(RuleBook):
    """The edition, with what it notices, and where a better result may cost points."""

    def check(self, batch: Batch) -> Findings:
        """What is wrong with the decisions and the seasons of the players."""
        findings = Findings()
        playing = {
            player
            for game in batch.games
            if game.status in (GameStatus.PLAYED, GameStatus.TIME)
            and game.result is not Result.NONE
            and (game.white_rated or game.black_rated)
            for player in (game.white, game.black)
        }
        for entry in batch.entries:
            _check_decision(entry, findings, is_idle=entry.id not in playing)
            _check_season(entry, findings)
        return findings

    def monotone(self, standing: Standing, before: Sequence[Side], after: Sequence[Side]) -> bool:
        """A margin is that of its result: it says nothing of another one."""
        return self.parameters.margin == Multiplier.NONE or after[0].margin == NOT_GIVEN


def _check_decision(entry: Entry, findings: Findings, *, is_idle: bool) -> None:
    decided = entry.decisions.get("rating")
    if decided is None:
        return
    if type(decided) not in (int, float) or not LOWEST <= float(decided) <= HIGHEST:
        findings.add(
            Severity.ERROR,
            "elo.decision",
            f"The office sets the rating of player {entry.id} to {decided!r}, which is not a "
            "rating.",
            entry.place,
            f"Write a number from {LOWEST} to {HIGHEST}.",
        )
    elif is_idle:
        findings.add(
            Severity.WARNING,
            "elo.decision-unused",
            f"The office sets the rating of player {entry.id}, who has no rated game here; it "
            "stays as it was.",
            entry.place,
            "Set the rating in the report of the player's next game.",
        )


def _check_season(entry: Entry, findings: Findings) -> None:
    season = entry.standing.extra.get("season") if entry.standing else None
    if season is not None and not (type(season) is int and 0 < season <= LAST_YEAR):
        findings.add(
            Severity.WARNING,
            "elo.season",
            f"The standing of player {entry.id} names the season {season!r}, which is not a year; "
            "it is not used.",
            entry.place,
            "Write the year in which the season of the latest game began.",
        )
