"""What an event as a whole says of its games: matches (8c) and round robins (6g).

In a round robin the games against unrated players count as well.  The event
itself gives the numbers: its average Ra for the unrated players, and for their
rated opponents the rating that each unrated player reached in it.
"""

from __future__ import annotations

from ratingbook.model import Event
from ratingbook.rules.bulk import LEFT_OUT, EventRules
from ratingbook.rules.event_games import EventGames, takes_part
from ratingbook.rules.fide.columns import NO_RATING, Facts, Parameters, Standing
from ratingbook.rules.fide.first import (
    difference_in_round_robin,
    number_of_unrated,
    rating_from_games,
    round_robin_average,
)
from ratingbook.rules.fide.period import rating_for_others
from ratingbook.rules.half import Half
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Games, HalfPoints, Number, Player, Rating
from ratingbook.rules.wording import kind_of


@paragraph("8c", "a match with an unrated player: not rated", silent=True)
def match_is_rated(both_rated: bool) -> bool:
    """Paragraph 8: a match with an unrated player is not rated."""
    return both_rated


@paragraph(
    "8c",
    "{score} points, of {planned} games: the match is decided, later games are not rated",
    silent=False,
)
def match_is_decided(score: HalfPoints, planned: Games) -> bool:
    """Paragraph 8: games after one player has won the match are not rated.

    The winner is whoever scored more than half of the points of the ``planned`` games.
    """
    return score > planned > 0


def is_rated_in_match(games: EventGames, index: Number, planned: Games) -> bool:
    """Whether a game of an event of matches is rated; each pair of players has its own.

    A game that was won by forfeit counts for the match, though it is not rated.
    """
    if not match_is_rated(NO_RATING not in (games.white_number[index], games.black_number[index])):
        return False
    most = max(games.white_points[index], games.black_points[index])
    return not match_is_decided(most, planned)


def opponents_of_each(games: EventGames, count: Games) -> Games:
    """How many opponents everybody has in a round robin with unrated players; 0: it is not one.

    It is not one where not everybody met everybody equally often (the event is then rated as
    a Swiss), and where all or none of the players are rated.
    """
    played, sides, rated, players = 0, 0, 0, 0
    for place in range(count):
        played += int(takes_part(games, place))
        for seat in (games.white_seat[place], games.black_seat[place]):
            if games.first[seat] == place:
                players += 1
                sides = games.played[seat]
                rated += int(games.number[seat] != NO_RATING)
    opponents = players - 1
    if not 0 < rated < players or sides % opponents != 0 or 2 * played != sides * players:
        return 0
    # As many games as all pairs need: if no pair has more of them than its share, none has less.
    for place in range(count):
        if games.meetings[place] * opponents > sides:
            return 0
    return opponents


def average(games: EventGames, count: Games, opponents: Games) -> Rating:
    """Ra of the event, from the results of its rated players."""
    ratings, differences, rated = 0, 0, 0
    for place in range(count):
        for black in range(2):
            seat = games.black_seat[place] if black else games.white_seat[place]
            if games.first[seat] == place and games.number[seat] != NO_RATING:
                player = games.black[place] if black else games.white[place]
                ratings += games.number[seat]
                rated += 1
                differences += difference_in_round_robin(
                    player, games.number[seat], games.points[seat], games.played[seat]
                )
    return round_robin_average(ratings, differences, rated, opponents)


def number_for_opponents(games: EventGames, seat: Number, player: Player, facts: Facts) -> Rating:
    """What an unrated player counts as for rated opponents: his Ru, or NO_RATING.

    A player whose score is too low for a rating is disregarded, and so are the
    results of his opponents against him.
    """
    score, played = games.points[seat], games.played[seat]
    if score < facts.first_event_half_points:
        return NO_RATING
    exact = rating_from_games(facts.average, score, played, facts.opponents, facts)
    return number_of_unrated(player, exact)


_OF_EVENT = ("official", "is_match", "planned", "is_round_robin", "opponents", "average")


def facts_of(event: Event, p: Parameters) -> Facts:
    """What the event says, and the numbers that hold for it."""
    numbers = {name: getattr(p, name) for name in Facts._fields if name not in _OF_EVENT}
    return Facts(
        official=is_official(event),
        is_match=p.match_rules and kind_of(event) == "match",
        planned=event.rounds or 0,
        is_round_robin=p.round_robins and kind_of(event) == "round_robin",
        opponents=0,
        average=NO_RATING,
        **numbers,
    )


def is_official(event: Event) -> bool:
    """Whether it is one of FIDE's own events, with a later closing day."""
    return event.category == "official"


def looks_at_games(facts: Facts, p: Parameters) -> bool:
    """Whether the games of the event have to be seen together."""
    return facts.is_match or facts.is_round_robin


def number_in_event(entered: Standing, number: Rating, p: Parameters) -> Rating:
    """The rating in force of a player as the others of the event see it."""
    return rating_for_others(entered.rating, number)


def with_games(facts: Facts, games: EventGames, count: Games, p: Parameters) -> Facts:
    """The facts with what a complete round robin gives: its average."""
    opponents = opponents_of_each(games, count) if facts.is_round_robin else 0
    if opponents == 0:
        return facts
    return facts._replace(opponents=opponents, average=average(games, count, opponents))


def half_in_event(
    half: Half,
    own: Standing,
    facts: Facts,
    games: EventGames,
    index: Number,
    p: Parameters,
) -> Half:
    """A game of a match that is not rated; for a rated player the number of an unrated one."""
    if facts.is_match and not is_rated_in_match(games, index, facts.planned):
        return half._replace(status=LEFT_OUT)
    if facts.opponents > 0 and own.rating != NO_RATING:
        is_white = games.white[index] == half.other
        theirs = games.white_number[index] if is_white else games.black_number[index]
        if theirs == NO_RATING:
            seat = games.white_seat[index] if is_white else games.black_seat[index]
            number = number_for_opponents(games, seat, half.other, facts)
            return half._replace(instead=number)
    return half


EVENT_RULES = EventRules(
    looks_at_games, number_in_event, with_games, half_in_event, frozenset({"opponents", "average"})
)
