"""Section VII and IX.5, and the standing with which a player comes to the period.

A standing of a list is taken over; a player without one is new (section VII); the decisions
``transfer`` and ``class_m_winner`` bring a player of the old scheme over (IX.5).
"""

from __future__ import annotations

import math

from ratingbook.rules.bulk import ESTABLISHED, NOT_GIVEN, PROVISIONAL, STARTING
from ratingbook.rules.iecg.columns import (
    NO_RATING,
    TRANSFERS,
    Known,
    Parameters,
    Standing,
    Status,
)
from ratingbook.rules.iecg.entry_rating import (
    is_new_player,
    is_on_list,
    starting_told,
    status_by_games,
    ter_before,
)
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating, Games, Rating
from ratingbook.rules.usual import is_sum_of_games


@paragraph(
    "VII.1",
    "ICCF rating {rating}, games: {games}: established here as well",
    otherwise="ICCF rating {rating}, games: {games} of {p.iccf_established_games}: provisional",
)
def is_established_by_iccf(rating: Rating, games: Games, p: Parameters) -> bool:
    """VII.1: an established ICCF rating is an established IECG rating."""
    return rating != NO_RATING and games >= p.iccf_established_games


@paragraph(
    "VII.2",
    "rating {rating} elsewhere, games: {games}: starting rating {value}",
    otherwise="rating {rating} elsewhere, games: {games} of {p.foreign_games}: not used",
)
def starting_from_elsewhere(rating: Rating, games: Games, p: Parameters) -> Rating:
    """VII.2: another rating from at least six games is the starting rating, as it is.

    NO_RATING from fewer games (reading B15).
    """
    return rating if games >= p.foreign_games else NO_RATING


@paragraph("VII.3", "the tutor's estimate {estimate}, at most {p.tutor_maximum}: {value}")
def starting_by_tutor(estimate: Rating, p: Parameters) -> Rating:
    """VII.3: a rating estimated by the tutor, which does not exceed 1700 (reading B16)."""
    return min(estimate, p.tutor_maximum)


@paragraph("VII.3", "starting rating {value}")
def starting_by_default(p: Parameters) -> Rating:
    """VII.3: 800 for a player of whom nothing is known."""
    return p.default_starting


GAMES_WITHOUT_AVERAGE = 5
"""Up to so many games the opponents of the old scheme are forgotten."""


@paragraph(
    "IX.5a",
    "established under the old scheme, games: {games}: stays established",
    otherwise="established under the old scheme, games: {games} of {p.established_games}",
)
def stays_established(games: Games, p: Parameters) -> bool:
    """IX.5 a: an old established rating from at least 15 games stays established."""
    return games >= p.established_games


@paragraph("IX.5b", "the old rating is the starting rating: {value}")
def old_rating_as_starting(rating: Rating) -> Rating:
    """IX.5 b: an old established rating from fewer than 15 games is a starting rating."""
    return rating


@paragraph(
    "IX.5b",
    "old games: {games}; they go into the provisional rating",
    otherwise="old games: {games}; they are forgotten",
)
def keeps_old_games(games: Games) -> bool:
    """IX.5 b: with more than five games IV.1 takes in the average of the old opponents."""
    return games > GAMES_WITHOUT_AVERAGE


@paragraph(
    "IX.5c",
    "provisional under the old scheme: stays provisional",
    otherwise="games: {games}; no longer provisional",
)
def stays_provisional(games: Games, p: Parameters) -> bool:
    """IX.5 c: provisional ratings stay as they are until 15 games are finished."""
    return games < p.established_games


@paragraph(
    "IX.5d",
    "ICCF rating {iccf}, higher than {starting}: replaces it and is established",
    otherwise="ICCF rating {iccf}, not higher than {starting}: not used",
)
def is_replaced_by_iccf(starting: Rating, iccf: Rating) -> bool:
    """IX.5 d: an ICCF rating replaces a lower starting rating, as an established one."""
    return iccf > starting


@paragraph("IX.5e", "winner of an old Class M tournament: established", silent=False)
def is_established_by_class_m(won: bool) -> bool:
    """IX.5 e: winners of the old Class M tournaments #001 to #013 are established."""
    return won


def transfer_code(text: str) -> int:
    """The index of a word in :data:`TRANSFERS`."""
    return TRANSFERS.index(text) if text in TRANSFERS else NOT_GIVEN


_OLD_ESTABLISHED = TRANSFERS.index("established")
_OLD_PROVISIONAL = TRANSFERS.index("provisional")


def standing_of(known: Known, p: Parameters) -> Standing:
    """The standing of the last list, or what section VII makes of a new player."""
    rating, ter = whole_rating(known.rating), whole_rating(known.ter)
    starting, games = whole_rating(known.starting_rating), games_of(known, p)
    if is_new_player(rating, starting if starting != NO_RATING else ter, games):
        standing = new_player(known, p)
    else:
        standing = listed_standing(known, rating, games, p)
    return with_ter(transferred(known, standing, p), p)


def whole_rating(number: FloatRating) -> Rating:
    """A rating that is said; NO_RATING where none is."""
    return NO_RATING if math.isnan(number) else int(number)


def games_of(known: Known, p: Parameters) -> Games:
    """The games that a rating rests on (reading B27); a players file knows none without one."""
    if math.isnan(known.rating) and known.history == NOT_GIVEN:
        return 0
    if known.games >= 0:
        return known.games
    if known.history > 0:
        return known.history
    return p.games_unknown if games_are_unknown(known) else 0


def games_are_unknown(known: Known) -> bool:
    """Whether a rating comes without any word on the games that it rests on."""
    is_new = known.status in (STARTING, PROVISIONAL) or not math.isnan(known.starting_rating)
    says_nothing = known.games < 0 and known.history <= 0
    return says_nothing and not is_new and not math.isnan(known.rating)


def status_told(status: int, games: Games, p: Parameters) -> Status:
    """The kind of a rating, as it is given or else by the games."""
    if status == ESTABLISHED:
        return Status.ESTABLISHED
    if status == PROVISIONAL:
        return Status.PROVISIONAL
    if status == STARTING:
        return Status.STARTING
    return status_by_games(games, p)


def listed_standing(known: Known, rating: Rating, games: Games, p: Parameters) -> Standing:
    """The standing that is given.

    Games of which nothing but the number is known count as draws with equals, which have just
    this rating by IV.1 (reading B29).
    """
    status, ter = status_told(known.status, games, p), whole_rating(known.ter)
    if status == Status.ESTABLISHED:
        return Standing(rating, games, status, NO_RATING, ter, True, 0, 0)
    starting = starting_given(known, status, games, p)
    if starting == NO_RATING:
        starting = starting_assumed(known, rating, p)
    if status == Status.STARTING:
        rating = starting
    published = rating != NO_RATING and is_on_list(games, p)
    score, total = games, games * rating
    if says_sums(known, games):
        score, total = int(2 * known.earlier_score), known.earlier_opponents
    return Standing(rating, games, status, starting, ter, published, score, total)


def says_sums(known: Known, games: Games) -> bool:
    """Whether it is said what so many earlier games come to."""
    return is_sum_of_games(known.earlier_score, known.earlier_opponents, games)


def starting_given(known: Known, status: Status, games: Games, p: Parameters) -> Rating:
    """The starting rating that is given; NO_RATING without any."""
    starting, rating = whole_rating(known.starting_rating), whole_rating(known.rating)
    return starting_told(starting, rating, whole_rating(known.ter), status, games, p)


def starting_assumed(known: Known, rating: Rating, p: Parameters) -> Rating:
    """What stands for a starting rating that is not given; in a report a finding says so."""
    if not math.isnan(known.history_own):
        return whole_rating(known.history_own)
    return rating if rating != NO_RATING else new_player(known, p).rating


def new_player(known: Known, p: Parameters) -> Standing:
    """Section VII: established by ICCF, else with a starting rating."""
    iccf = whole_rating(known.iccf)
    if iccf != NO_RATING:
        games = known.iccf_games if known.iccf_games >= 0 else p.iccf_established_games
        if is_established_by_iccf(iccf, games, p):
            return Standing(iccf, 0, Status.ESTABLISHED, NO_RATING, NO_RATING, True, 0, 0)
    starting = starting_elsewhere(known.iccf, known.iccf_games, p)
    if starting == NO_RATING:
        starting = starting_elsewhere(known.fide, known.fide_games, p)
    if starting == NO_RATING:
        starting = starting_elsewhere(known.national, known.national_games, p)
    if starting == NO_RATING and not math.isnan(known.tutor_rating):
        starting = starting_by_tutor(whole_rating(known.tutor_rating), p)
    if starting == NO_RATING:
        starting = starting_by_default(p)
    return newcomer(starting, p)


def newcomer(starting: Rating, p: Parameters) -> Standing:
    """A player before the first game."""
    return Standing(starting, 0, Status.STARTING, starting, NO_RATING, is_on_list(0, p), 0, 0)


def starting_elsewhere(said: FloatRating, games: Games, p: Parameters) -> Rating:
    """VII.2 for a rating of one organisation, if there is one; unknown games are enough."""
    rating = whole_rating(said)
    if rating == NO_RATING:
        return NO_RATING
    return starting_from_elsewhere(rating, games if games >= 0 else p.foreign_games, p)


def transferred(known: Known, standing: Standing, p: Parameters) -> Standing:
    """IX.5: what a rating of the old scheme is under this one."""
    rating, games = standing.rating, standing.games
    if known.transfer == _OLD_ESTABLISHED:
        if stays_established(games, p):
            standing = standing._replace(status=Status.ESTABLISHED, published=True)
        else:
            rating = old_rating_as_starting(rating)
            games = games if keeps_old_games(games) else 0
            standing = newcomer(rating, p)._replace(
                games=games, published=is_on_list(games, p), score=games, total=games * rating
            )
    elif known.transfer == _OLD_PROVISIONAL:
        if stays_provisional(games, p):
            standing = standing._replace(status=Status.PROVISIONAL)
        else:
            standing = standing._replace(status=Status.ESTABLISHED, published=True)
    iccf = whole_rating(known.iccf)
    can_be_replaced = known.transfer >= 0 and standing.status == Status.STARTING
    if can_be_replaced and iccf != NO_RATING and is_replaced_by_iccf(standing.starting, iccf):
        standing = standing._replace(
            rating=iccf, status=Status.ESTABLISHED, ter=NO_RATING, published=True
        )
    if is_established_by_class_m(known.class_m_winner):
        standing = standing._replace(status=Status.ESTABLISHED, ter=NO_RATING, published=True)
    return standing


def with_ter(standing: Standing, p: Parameters) -> Standing:
    """The standing with the Tournament Entry Rating of III.7, where none is given."""
    if standing.ter != NO_RATING:
        return standing
    return standing._replace(
        ter=ter_before(standing.status, standing.games, standing.rating, standing.starting, p)
    )


def unknown_player(p: Parameters) -> Standing:
    """A new player of whom nothing is known (VII.3)."""
    return with_ter(newcomer(starting_by_default(p), p), p)
