"""Paragraphs 1 to 4: one function for each rule."""

import math
from datetime import date

from plain_elo.columns import NO_RATING, Parameters, Reckoning, Side, Standing
from ratingbook.rules.bulk import Bulk, Calendar, Entered, Fold, Half, NoFacts, Status
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import half_away_from_zero
from ratingbook.rules.units import SCORE_SCALE, Difference, Expectation, HalfPoints, Points, Rating


@paragraph("1", "no rating yet: starts at {value}")
def starting_rating(p: Parameters) -> Rating:
    """Paragraph 1: a player without a rating starts at 1500."""
    return p.start


def enter(standing: Standing, how: Entered, facts: NoFacts, p: Parameters) -> Standing:
    """Everybody enters with a number to start from."""
    if standing.rating == NO_RATING:
        return Standing(starting_rating(p), standing.games)
    return standing


@paragraph("2", "expected score 1 / (1 + 10^(({opponent} − {own}) / 400)) = {value}")
def expected_score(own: Rating, opponent: Rating) -> Expectation:
    """Paragraph 2: E = 1 / (1 + 10^((R' − R) / 400)), rounded once to the scale of the sums."""
    return math.floor(SCORE_SCALE / (1 + 10 ** ((opponent - own) / 400)) + 0.5)


@paragraph("3", "{status}: not rated", silent=True)
def was_played(status: Status, score: HalfPoints) -> bool:
    """Paragraph 3: only a game that was played; one lost on time was."""
    return status <= Status.TIME and score >= 0


@paragraph("3", "change {k} × ({score} − {expected}) = {value}")
def game_change(k: int, score: HalfPoints, expected: Expectation) -> Points:
    """Paragraph 3: K · (S − E)."""
    return k * (score * (SCORE_SCALE // 2) - expected)


def no_games(standing: Standing, p: Parameters) -> Reckoning:
    """Nothing played yet: the rating of before the report."""
    return Reckoning(standing.rating * SCORE_SCALE, 0, 0, 0, 0)


def with_game(so_far: Reckoning, standing: Standing, side: Side, p: Parameters) -> Reckoning:
    """Paragraphs 2 and 3 for one side more."""
    expected = expected_score(side.own, side.opponent)
    change = game_change(p.k, side.score, expected)
    return Reckoning(
        so_far.value + change,
        so_far.total + change,
        so_far.games + 1,
        so_far.score + side.score,
        so_far.expected + expected,
    )


@paragraph("4", "all games: {value.games}, score {value.score}, expected {value.expected}")
def sums(standing: Standing, so_far: Reckoning, p: Parameters) -> Reckoning:
    """Paragraph 4: the sums over all games of the report."""
    return so_far


@paragraph(
    "4", "changes together {total}, rounded {value}", otherwise="changes together {total}: nothing"
)
def rounded_change(total: Points) -> Difference:
    """Paragraph 4: the sum as a whole number, a half away from zero (reading P2)."""
    return half_away_from_zero(total, SCORE_SCALE)


@paragraph("4", "new rating {rating} {change:sum} = {value}")
def new_rating(rating: Rating, change: Difference) -> Rating:
    """Paragraph 4: the new rating."""
    return rating + change


def leave(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """The standing after the report."""
    change = rounded_change(value.total)
    return Standing(new_rating(entered.rating, change), entered.games + value.games)


def counts(half: Half, own: Standing, opponent: Standing, facts: NoFacts, p: Parameters) -> bool:
    """Whether a game is rated."""
    return was_played(half.status, half.score)


def side_of(half: Half, own: Standing, opponent: Standing, facts: NoFacts, p: Parameters) -> Side:
    """The player's half of a game, at the ratings of before the report."""
    mine = half.own if half.own > 0 else own.rating
    theirs = half.opponent if half.opponent > 0 else opponent.rating
    return Side(mine, theirs, half.score, half.other, half.game)


def list_taking(end: date, facts: NoFacts) -> date:
    """Paragraph 5: the first day of the month after the event."""
    return date(end.year + end.month // 12, end.month % 12 + 1, 1)


PLAIN_ELO = Bulk(
    standing=Standing,
    side=Side,
    value=Reckoning,
    enter=enter,
    counts=counts,
    side_of=side_of,
    fold=Fold(Reckoning, no_games, with_game, sums),
    leave=leave,
    calendar=Calendar(list_taking),
)
