"""Paragraph 6g: what a round robin says of its unrated players.

In a round robin the games against unrated players count as well.  The event
itself gives the numbers: its average Ra for the unrated players, and for their
rated opponents the rating that each unrated player reached in it.
"""

from __future__ import annotations

from ratingbook.rules.event_games import EventGames, takes_part
from ratingbook.rules.fide.columns import NO_RATING, Facts, FirstRules
from ratingbook.rules.fide.first import (
    difference_in_round_robin,
    number_of_unrated,
    rating_from_games,
    round_robin_average,
)
from ratingbook.rules.units import Games, Number, Player, Rating


def opponents_of_each(games: EventGames, count: Games) -> Games:
    """How many opponents everybody has in a round robin with unrated players; 0: it is none.

    It is none where not everybody met everybody equally often (the event is then rated as
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


def number_for_opponents(
    games: EventGames, seat: Number, player: Player, facts: Facts, p: FirstRules
) -> Rating:
    """What an unrated player counts as for rated opponents: his Ru, or NO_RATING.

    A player whose score is too low for a rating is disregarded, and so are the
    results of his opponents against him.
    """
    score, played = games.points[seat], games.played[seat]
    if score < p.first_event_half_points:
        return NO_RATING
    exact = rating_from_games(facts.average, score, played, facts.opponents, p)
    return number_of_unrated(player, exact)
