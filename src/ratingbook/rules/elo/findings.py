"""What is noticed about a report: decisions and seasons of the players."""

from collections.abc import Sequence

from ratingbook.model import Colour, Entry, Findings
from ratingbook.rules.book import Batch, RuleBook
from ratingbook.rules.bulk import LAST_YEAR, NOT_GIVEN, is_game, score_of, status_of
from ratingbook.rules.elo.rules import Multiplier, Side, Standing
from ratingbook.rules.wording import Notes, Notices

LOWEST, HIGHEST = -10_000, 10_000
"""No rating is lower or higher."""

NOTICES = Notices("""
elo.decision  error
    The office sets the rating of player {player} to {decided!r}, which is not a rating.
    Remedy: Write a number from {low} to {high}.
elo.decision-unused  warning
    The office sets the rating of player {player}, who has no rated game here; it stays as it was.
    Remedy: Set the rating in the report of the player's next game.
elo.season  warning
    The standing of player {player} names the season {season!r}, which is not a year; it is not
    used.
    Remedy: Write the year in which the season of the latest game began.
""")
"""What is noticed, by its code."""


class Elo(RuleBook):
    """The edition, with what it notices, and where a better result may cost points."""

    def check(self, batch: Batch) -> Findings:
        """What is wrong with the decisions and the seasons of the players."""
        findings = Notes(NOTICES, batch, self.parameters)
        playing = {
            player
            for game in batch.games
            if is_game(status_of(game), score_of(game, Colour.WHITE))
            and (game.white_rated or game.black_rated)
            for player in (game.white, game.black)
        }
        for entry in batch.entries:
            _check_decision(entry, findings, is_idle=entry.id not in playing)
            season = entry.standing.extra.get("season") if entry.standing else None
            if season is not None and not (type(season) is int and 0 < season <= LAST_YEAR):
                findings.tell("elo.season", entry, season=season)
        return findings

    def monotone(self, standing: Standing, before: Sequence[Side], after: Sequence[Side]) -> bool:
        """A margin is that of its result: it says nothing of another one."""
        return self.parameters.margin == Multiplier.NONE or after[0].margin == NOT_GIVEN


def _check_decision(entry: Entry, findings: Notes, *, is_idle: bool) -> None:
    decided = entry.decisions.get("rating")
    if decided is None:
        return
    if type(decided) not in (int, float) or not LOWEST <= float(decided) <= HIGHEST:
        findings.tell("elo.decision", entry, decided=decided, low=LOWEST, high=HIGHEST)
    elif is_idle:
        findings.tell("elo.decision-unused", entry)
