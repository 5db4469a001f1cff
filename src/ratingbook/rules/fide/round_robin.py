"""Paragraph 6g: what a round robin says of its unrated players.

In a round robin the games against unrated players count as well.  The event
itself gives the numbers: its average Ra for the unrated players, and for their
rated opponents the rating that each unrated player reached in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ratingbook.rules.bulk import EventGame
from ratingbook.rules.fide.columns import NO_RATING, FirstRules
from ratingbook.rules.fide.first import (
    difference_in_round_robin,
    number_of_unrated,
    rating_from_games,
    round_robin_average,
)
from ratingbook.rules.half import Status
from ratingbook.rules.units import Games, HalfPoints, Number, Player, Rating


class Entrant(NamedTuple):
    """A player of the event: of the games that count score and number."""

    rating: Rating
    """The number in force; NO_RATING: unrated."""
    score: HalfPoints
    games: Games
    first: Number
    """Place of the first game."""


def takes_part(game: EventGame) -> bool:
    """Whether a game was played, and so is one of the round robin."""
    return game.status <= Status.TIME and game.score >= 0


def entrant(games: Sequence[EventGame], player: Player) -> Entrant:
    """What the games say of a player."""
    rating, score, count, first = NO_RATING, 0, 0, -1
    for place in range(len(games)):
        game = games[place]
        if player in (game.white, game.black) and takes_part(game):
            is_white = player == game.white
            rating = game.white_number if is_white else game.black_number
            score += game.score if is_white else 2 - game.score
            count += 1
            if first < 0:
                first = place
    return Entrant(rating, score, count, first)


def opponents_of_each(games: Sequence[EventGame]) -> Games:
    """How many opponents everybody has in a round robin with unrated players; 0: it is none.

    It is none where not everybody met everybody equally often (the event is then rated as
    a Swiss), and where all or none of the players are rated.
    """
    played, sides, rated, players = 0, 0, 0, 0
    for place in range(len(games)):
        game = games[place]
        if takes_part(game):
            played += 1
            for black in range(2):
                found = entrant(games, game.black if black else game.white)
                if found.first == place:
                    players += 1
                    sides = found.games
                    rated += int(found.rating != NO_RATING)
    opponents = players - 1
    if not 0 < rated < players or sides % opponents != 0 or 2 * played != sides * players:
        return 0
    for place in range(len(games)):
        if takes_part(games[place]) and meetings(games, place) * opponents != sides:
            return 0
    return opponents


def meetings(games: Sequence[EventGame], index: Number) -> Games:
    """How often the two of a game met."""
    game, count = games[index], 0
    for other in games:
        same = other.white == game.white and other.black == game.black
        turned = other.white == game.black and other.black == game.white
        count += int((same or turned) and takes_part(other))
    return count


def average(games: Sequence[EventGame], opponents: Games) -> Rating:
    """Ra of the event, from the results of its rated players."""
    ratings, differences, rated = 0, 0, 0
    for place in range(len(games)):
        game = games[place]
        for black in range(2):
            player = game.black if black else game.white
            found = entrant(games, player)
            if found.first == place and found.rating != NO_RATING:
                ratings += found.rating
                rated += 1
                differences += difference_in_round_robin(
                    player, found.rating, found.score, found.games
                )
    return round_robin_average(ratings, differences, rated, opponents)


def number_for_opponents(
    games: Sequence[EventGame],
    player: Player,
    opponents: Games,
    event_average: Rating,
    p: FirstRules,
) -> Rating:
    """What an unrated player counts as for rated opponents: his Ru, or NO_RATING.

    A player whose score is too low for a rating is disregarded, and so are the
    results of his opponents against him.
    """
    found = entrant(games, player)
    if found.score < p.first_event_half_points:
        return NO_RATING
    exact = rating_from_games(event_average, found.score, found.games, opponents, p)
    return number_of_unrated(player, exact)
