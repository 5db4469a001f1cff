"""What an event as a whole says of its games: matches (8c) and round robins (6g)."""

from __future__ import annotations

from ratingbook.model import Event
from ratingbook.rules.bulk import LEFT_OUT, EventRules
from ratingbook.rules.event_games import EventGames
from ratingbook.rules.fide.columns import NO_RATING, Facts, Parameters, Standing
from ratingbook.rules.fide.first import first_rules
from ratingbook.rules.fide.matches import is_rated_in_match
from ratingbook.rules.fide.period import rating_for_others
from ratingbook.rules.fide.round_robin import average, number_for_opponents, opponents_of_each
from ratingbook.rules.half import Half
from ratingbook.rules.units import Games, Number, Rating
from ratingbook.rules.wording import kind_of

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
            number = number_for_opponents(games, seat, half.other, facts, first_rules(facts))
            return half._replace(instead=number)
    return half


EVENT_RULES = EventRules(looks_at_games, number_in_event, with_games, half_in_event)
