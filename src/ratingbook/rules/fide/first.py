"""Paragraph 6: the first rating of an unrated player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ratingbook.rules.bulk import NOT_GIVEN
from ratingbook.rules.fide.columns import (
    FirstRules,
    Parameters,
    Reckoning,
    Side,
    Standing,
)
from ratingbook.rules.fide.expected import counts_as_rated
from ratingbook.rules.fide.tables import difference_for
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import half_up
from ratingbook.rules.units import (
    SCORE_SCALE,
    Day,
    Difference,
    ExactRating,
    Games,
    HalfPoints,
    Percent,
    Player,
    Rating,
    scaled,
)


class Hypothetical(NamedTuple):
    """The games of a first rating with those that are added to them."""

    total: int
    score: HalfPoints
    games: Games


class Pooled(NamedTuple):
    """The counting events taken together; ``batch`` are those of this batch alone."""

    total: int
    """Sum of the numbers that the opponents count as."""
    score: HalfPoints
    games: Games
    field: int
    batch_games: Games
    batch_score: HalfPoints


class Tally(NamedTuple):
    """The sides of one event: where it ends, and what it comes to."""

    end: int
    games: Games
    score: HalfPoints
    met_rated: Games
    field: int
    start: Day
    carried: bool


@paragraph(
    "6a",
    "games against rated opponents: {met_rated} ({p.first_event_games} needed), score {score} "
    "({p.first_event_half_points} needed): the event counts",
    otherwise="games against rated opponents: {met_rated} ({p.first_event_games} needed), score "
    "{score} ({p.first_event_half_points} needed): the event does not count by itself",
    once=True,
)
def event_counts(met_rated: Games, score: HalfPoints, p: FirstRules) -> bool:
    """Paragraph 6: so many games against rated opponents, and points, make an event count."""
    return met_rated >= p.first_event_games and score >= p.first_event_half_points


@paragraph("6a", "an event that starts no later counts: so does this one", silent=False)
def follows_first(start: Day, since: Day, p: FirstRules) -> bool:
    """Paragraph 6, 2014 to February 2024: only the first event has to meet the conditions.

    Which event is the first is said by the day on which it starts; ``since`` is the day of
    the first that met them.
    """
    return p.first_event_once and start >= since


@paragraph("6b", "opponent {side.opponent}, score {side.score}")
def opponents_number(side: Side) -> Rating:
    """Paragraph 6: what an opponent counts as in the average."""
    return side.opponent


@paragraph(
    "6h",
    "with {p.first_draws} draws against opponents of {p.first_draws_rating}: "
    "{value.score} of {value.games}",
)
def with_hypothetical_draws(
    total: int, score: HalfPoints, games: Games, p: FirstRules
) -> Hypothetical:
    """Paragraph 6, from March 2024: two hypothetical opponents rated 1800, both drawn."""
    return Hypothetical(
        total + p.first_draws * p.first_draws_rating, score + p.first_draws, games + p.first_draws
    )


@paragraph("6i", "{exact} is more than {p.first_maximum}, the greatest first rating")
def at_most_maximum(exact: ExactRating, p: FirstRules) -> ExactRating:
    """Paragraph 6, from March 2024: no first rating above 2200."""
    return p.first_maximum * SCORE_SCALE


@paragraph("6b", "Rc = {total} / {games}, rounded = {value}, the average of the opponents")
def opponents_average(total: int, games: Games) -> Rating:
    """Paragraph 6: Rc, the average rating of the opponents, rounded half up."""
    return half_up(total, games)


@paragraph("6d", "p = {score} / {games}, rounded = {value}")
def percentage_score(score: HalfPoints, games: Games) -> Percent:
    """Paragraph 6: the fractional score in hundredths, rounded half up."""
    return half_up(50 * score, games)


@paragraph("6d", "table 8.1.1: dp = {value} for p = {percentage}")
def performance_difference(percentage: Percent) -> Difference:
    """Paragraph 6: d_p of table 8.1.1."""
    return difference_for(percentage)


@paragraph(
    "6c",
    "Ru = {average} + {p.points_per_half_point} × {half_points_above} half points above 50 % "
    "= {value}",
)
def above_half(average: Rating, half_points_above: int, p: FirstRules) -> ExactRating:
    """Paragraph 6: Ru = Rc + 12.5 for each half point above 50 %; Rc at 50 %."""
    return average * SCORE_SCALE + half_points_above * scaled(p.points_per_half_point)


@paragraph("6d", "Ru = {average} + ({difference}) = {value}")
def below_half(average: Rating, difference: Difference) -> ExactRating:
    """Paragraph 6: Ru = Rc + d_p below 50 %, in a Swiss or team event."""
    return (average + difference) * SCORE_SCALE


@paragraph("6g", "Ru = {average} + ({difference}) × {opponents} / ({opponents} + 1) = {value}")
def below_half_in_round_robin(
    average: Rating, difference: Difference, opponents: Games
) -> ExactRating:
    """Paragraph 6, round robin: Ru = Rc + d_p · n / (n + 1) below 50 %."""
    return average * SCORE_SCALE + half_up(difference * opponents * SCORE_SCALE, opponents + 1)


def rating_from_games(
    average: Rating, score: HalfPoints, games: Games, field: int, p: FirstRules
) -> ExactRating:
    """Paragraphs 6c, 6d, 6g together: Ru, unrounded.

    ``field`` is the number of opponents of each player in a round robin, else 0.
    """
    if score >= games and not p.first_by_performance:
        return above_half(average, score - games, p)
    difference = performance_difference(percentage_score(score, games))
    if field > 0:
        return below_half_in_round_robin(average, difference, field)
    return below_half(average, difference)


def first_rating(
    total: int, score: HalfPoints, games: Games, field: int, p: FirstRules
) -> ExactRating:
    """Paragraphs 6b–6d and 6g–6i together; ``total`` is the sum of the opponents' numbers."""
    if p.first_draws > 0:
        more = with_hypothetical_draws(total, score, games, p)
        total, score, games = more.total, more.score, more.games
    average = opponents_average(total, games)
    exact = rating_from_games(average, score, games, field, p)
    if exact > p.first_maximum * SCORE_SCALE > 0:
        return at_most_maximum(exact, p)
    return exact


def event_tally(sides: Sequence[Side], start: int) -> Tally:
    """Sum up the event that begins at ``start``; the sides of an event stand together."""
    event = sides[start].event
    games = 0
    score = 0
    met_rated = 0
    end = start
    while end < len(sides) and sides[end].event == event:
        side = sides[end]
        if counts_as_rated(side):
            games += 1
            score += side.score
            if side.meets_rated:
                met_rated += 1
        end += 1
    first = sides[start]
    return Tally(end, games, score, met_rated, first.field, first.start, event < 0)


ALWAYS = NOT_GIVEN - 1
"""Before any day that an event can have, also before none."""
NEVER = -NOT_GIVEN
"""After any day."""


def counting_since(sides: Sequence[Side]) -> Day:
    """From which day on events count by themselves, or because an earlier one did.

    The first event that met 6a: its day of start.  Games of earlier batches have counted
    already, so that events do from the beginning.
    """
    since = NEVER
    start = 0
    while start < len(sides):
        tally = event_tally(sides, start)
        if tally.carried:
            return ALWAYS
        if tally.games > 0 and event_counts(tally.met_rated, tally.score, sides[start]):
            since = min(since, tally.start)
        start = tally.end
    return since


def tally_counts(tally: Tally, since: Day, p: FirstRules) -> bool:
    """Whether the games of the event go into the first rating; carried ones have already."""
    if tally.games == 0 or tally.carried:
        return tally.games > 0
    return event_counts(tally.met_rated, tally.score, p) or follows_first(tally.start, since, p)


def first_reckoning(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """Paragraph 6: all counting events taken together as one tournament.

    The edition of the latest of them says how (reading F33).  With no counting game there
    is no rating, and ``total`` is 0.
    """
    since = counting_since(sides)
    games = 0
    score = 0
    total = 0
    events = 0
    field = 0
    batch_games = 0
    batch_score = 0
    latest = -1
    start = 0
    while start < len(sides):
        tally = event_tally(sides, start)
        if tally_counts(tally, since, sides[start]):
            events += 1
            games += tally.games
            score += tally.score
            for side in sides[start : tally.end]:
                if counts_as_rated(side):
                    total += opponents_number(side)
            field = tally.field if events == 1 else 0
            if not tally.carried:
                batch_games += tally.games
                batch_score += tally.score
                if latest < 0 or tally.start > sides[latest].start:
                    latest = start
        start = tally.end
    if games == 0:
        return Reckoning(standing.rating, 0, 0, 0, 0, 0, False)
    pooled = Pooled(total, score, games, field, batch_games, batch_score)
    if latest < 0:
        return pooled_reckoning(standing, pooled, p)
    return pooled_reckoning(standing, pooled, sides[latest])


def pooled_reckoning(standing: Standing, pooled: Pooled, p: FirstRules) -> Reckoning:
    """Paragraph 6: what the pooled games come to."""
    return Reckoning(
        value=standing.rating,
        total=first_rating(pooled.total, pooled.score, pooled.games, pooled.field, p),
        games=pooled.batch_games,
        score=pooled.batch_score,
        expected=0,
        pooled=pooled.games,
        enough=has_games_for_first_rating(pooled.games, p),
    )


@paragraph("6d", edition="fide-2024")
@paragraph("6c", "first rating {exact}, rounded = {value}")
def rounded_first_rating(exact: ExactRating) -> Rating:
    """Paragraph 6: the first rating, rounded to the nearest whole number, a half up."""
    return half_up(exact, SCORE_SCALE)


@paragraph(
    "6e",
    "games so far: {games}, at least {p.first_games} are needed: enough",
    otherwise="games so far: {games}, at least {p.first_games} are needed: not published yet",
)
def has_games_for_first_rating(games: Games, p: FirstRules) -> bool:
    """Paragraph 6: at least nine games."""
    return games >= p.first_games


@paragraph(
    "6f",
    "{exact}, rounded, is not below the floor of {p.floor}: published",
    otherwise="{exact}, rounded, is below the floor of {p.floor}: not published",
)
def first_rating_is_published(exact: ExactRating, p: Parameters) -> bool:
    """Paragraph 6: no first rating below the floor."""
    return half_up(exact, SCORE_SCALE) >= p.floor


@paragraph("6e", "a game of {months} months ago is no longer kept", silent=True)
def is_kept(months: int, p: Parameters) -> bool:
    """Paragraph 6: games towards a first rating are kept for 26 months."""
    return months <= p.first_months


@paragraph("6g", "{player} ({rating}): {score} of {games}, dp = {value}")
def difference_in_round_robin(
    player: Player, rating: Rating, score: HalfPoints, games: Games
) -> Difference:
    """Paragraph 6, round robin: d_p of a rated player against all opponents."""
    return difference_for(half_up(50 * score, games))


@paragraph("6g", "{player}, unrated, counts with the rating of this event: {value}")
def number_of_unrated(player: Player, exact: ExactRating) -> Rating:
    """Paragraph 6, round robin: what an unrated player counts as for rated opponents."""
    return half_up(exact, SCORE_SCALE)


@paragraph(
    "6g",
    "Ra = {sum_of_ratings} / {rated} − ({sum_of_differences} / {rated}) × {opponents} / "
    "({opponents} + 1), rounded = {value}, the average of the round robin",
)
def round_robin_average(
    sum_of_ratings: int, sum_of_differences: int, rated: Games, opponents: Games
) -> Rating:
    """Paragraph 6, round robin: Ra = Rar − dpa · n / (n + 1), rounded half up.

    Rar is the average rating of the rated players, dpa the average of their d_p
    against all opponents, n the number of opponents of each.
    """
    return half_up(
        sum_of_ratings * (opponents + 1) - sum_of_differences * opponents,
        rated * (opponents + 1),
    )
