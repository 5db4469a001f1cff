"""Section III, IV.2 and IV.4: kinds of ratings, the Tournament Entry Rating, the cut-off."""

from __future__ import annotations

from ratingbook.rules.iecg.columns import (
    NO_RATING,
    CutoffReference,
    Parameters,
    Standing,
    Status,
)
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Games, Rating
from ratingbook.rules.usual import Side


@paragraph(
    "III.1",
    "games finished: {games}, so the rating is established",
    otherwise="games finished: {games} of {p.established_games}, so the rating is provisional",
)
def is_established(games: Games, p: Parameters) -> bool:
    """III.1: a rating is established from 15 finished games on, else provisional."""
    return games >= p.established_games


def status_by_games(games: Games, p: Parameters) -> Status:
    """Section III: what kind of rating rests on so many games."""
    if is_established(games, p):
        return Status.ESTABLISHED
    return Status.PROVISIONAL if games else Status.STARTING


def starting_told(
    starting: Rating, rating: Rating, ter: Rating, status: Status, games: Games, p: Parameters
) -> Rating:
    """The starting rating that is given, if only as what it equals; NO_RATING if it is not.

    It equals the rating of a player who has no other yet, and the TER before the
    tenth game (III.7).
    """
    if starting == NO_RATING and status == Status.STARTING:
        starting = rating
    if starting == NO_RATING and games < p.ter_games:
        starting = ter
    return starting


@paragraph(
    "III.2",
    "no rating and no games before: a new player, who gets a starting rating",
    silent=False,
)
def is_new_player(rating: Rating, starting: Rating, games: Games) -> bool:
    """III.2: new players get a starting rating, by section VII."""
    return rating == NO_RATING and starting == NO_RATING and games == 0


@paragraph(
    "III.3",
    "games accepted: {games}, so the rating is published",
    otherwise="games accepted: {games} of {p.published_games}, so this list does not publish it",
)
def is_published(games: Games, p: Parameters) -> bool:
    """III.3: a provisional rating is published from six games on."""
    return is_on_list(games, p)


def is_on_list(games: Games, p: Parameters) -> bool:
    """III.3 for a rating that is already there."""
    return games >= p.published_games


@paragraph(
    "III.5",
    "performance over the games of the period, after more than {p.published_games} games",
    otherwise="no performance for the first {p.published_games} games",
)
def has_performance(games: Games, p: Parameters) -> bool:
    """III.5: no performance for the first six games; ``games`` are all games so far.

    After exactly six there is the provisional rating only (reading B9).
    """
    return games > p.published_games


@paragraph("III.7", "before the period: TER = {value} ({status}, games finished: {games})")
def ter_before(
    status: Status, games: Games, rating: Rating, starting: Rating, p: Parameters
) -> Rating:
    """III.7: the TER with which a player comes to the games of a period."""
    return tournament_entry_rating(status, games, rating, starting, p)


@paragraph("III.7", "on the new list: TER = {value} ({status}, games finished: {games})")
def ter_after(
    status: Status, games: Games, rating: Rating, starting: Rating, p: Parameters
) -> Rating:
    """III.7: the TER on the list that a period makes."""
    return tournament_entry_rating(status, games, rating, starting, p)


def tournament_entry_rating(
    status: Status, games: Games, rating: Rating, starting: Rating, p: Parameters
) -> Rating:
    """III.7: the TER from a rating list.

    The established rating; for a provisional one the starting rating until ten
    games are finished, then the provisional rating (reading B12).
    """
    if status == Status.ESTABLISHED:
        return rating
    if status == Status.PROVISIONAL and games >= p.ter_games:
        return rating
    return starting


@paragraph("III.8", "differences of opponents are measured from {value}", once=True)
def cutoff_reference(standing: Standing, p: Parameters) -> Rating:
    """III.8: the rating of a provisional player that opponents are compared with (B2)."""
    if p.cutoff_reference == CutoffReference.TER:
        return standing.ter
    if p.cutoff_reference == CutoffReference.LIST and standing.rating != NO_RATING:
        return standing.rating
    return standing.starting


def own_rating(standing: Standing, p: Parameters) -> Rating:
    """What the opponents of a player are compared with: Ro, or the reference of III.8."""
    if standing.status == Status.ESTABLISHED:
        return standing.rating
    return cutoff_reference(standing, p)


@paragraph(
    "III.8",
    "more than {cutoff} points from {own}: the opponent's {opponent} is {value}",
    role="opponent",
)
def cut_off(own: Rating, opponent: Rating, cutoff: Rating) -> Rating:
    """III.8: an opponent's rating, moved to within 400 points of the own."""
    return max(own - cutoff, min(own + cutoff, opponent))


@paragraph("IV.1", "opponent {value}, score {side.score}", role="opponent")
def opponents_number(side: Side, p: Parameters) -> Rating:
    """IV.1: what the opponent of one game counts as in the average."""
    return counted_opponent(side, p)


def counted_opponent(side: Side, p: Parameters) -> Rating:
    """The opponent's rating with which a side is rated; III.8 where it acts."""
    if abs(side.opponent - side.own) > p.cutoff:
        return cut_off(side.own, side.opponent, p.cutoff)
    return side.opponent


@paragraph("IV.2", "the provisional rating is published for the first time", silent=False)
def is_first_publication(before: Games, now: Games, p: Parameters) -> bool:
    """IV.2: published for the first time after six games."""
    return before < p.published_games <= now


@paragraph("IV.4", "end of the period, {games} games: the rating becomes established", silent=False)
def becomes_established(games: Games, p: Parameters) -> bool:
    """IV.4: promotion at 15 games, only at the end of a period."""
    return games >= p.established_games
