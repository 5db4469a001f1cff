"""Section 1, Step 1: the initial rating of a player who is unrated in this system."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Day, FloatRating, Games, Unit
from ratingbook.rules.uscf.columns import Parameters

Years = Annotated[float, Unit("years")]

FIDE_JOINT = 2000.0
FIDE_MANY_GAMES = 2150.0
CFC_JOINT = 1500.0
GAMES_OF_OTHER_SYSTEM = 4
"""Games that the rating in the other system needs."""
MOST_GAMES_OF_REGULAR = 10
OLDEST = 26.0
PER_YEAR = 50.0
ADULT = 1300.0
UNKNOWN = 750.0
DAYS_OF_A_YEAR = 365.25


class Initial(NamedTuple):
    """An initial rating, and the number N of games that it counts as resting on."""

    rating: FloatRating
    games: Games


BY_AGE, BY_CFC = -1, -2
"""Games of a player without a rating whose initial rating follows from the age, or from the CFC
rating; others are the games of the rating in the other system."""


@paragraph("1.1.1", "FIDE rating {fide}: {p.fide_low} + {p.fide_low_slope} × {fide} = {value}")
def converted_low_fide(fide: FloatRating, p: Parameters) -> FloatRating:
    """Step 1: the line for FIDE ratings up to 2000."""
    return p.fide_low + p.fide_low_slope * fide


@paragraph("1.1.1", "FIDE rating {fide}: {p.fide_high} + {p.fide_high_slope} × {fide} = {value}")
def converted_high_fide(fide: FloatRating, p: Parameters) -> FloatRating:
    """Step 1: the line for FIDE ratings above 2000."""
    return p.fide_high + p.fide_high_slope * fide


def converted_fide(fide: FloatRating, p: Parameters) -> FloatRating:
    """Step 1: two straight lines; those of 2011 meet at 2000."""
    if fide <= FIDE_JOINT:
        return converted_low_fide(fide, p)
    return converted_high_fide(fide, p)


@paragraph("1.1.1", "Step 1: unrated with a FIDE rating: R0 = {value.rating}, N = {value.games}")
def initial_by_fide(fide: FloatRating, p: Parameters) -> Initial:
    """Step 1: N = 10 for a FIDE rating above 2150, otherwise 5."""
    return Initial(converted_fide(fide, p), 10 if fide > FIDE_MANY_GAMES else 5)


@paragraph("1.1.2", "CFC rating above 1500: 1.1 × {cfc} − 240 = {value}")
def converted_high_cfc(cfc: FloatRating) -> FloatRating:
    """Step 1: 1.1 CFC − 240 above 1500."""
    return 1.1 * cfc - 240.0


@paragraph("1.1.2", "CFC rating not above 1500: {cfc} − 90 = {value}")
def converted_low_cfc(cfc: FloatRating) -> FloatRating:
    """Step 1: CFC − 90 up to 1500."""
    return cfc - 90.0


@paragraph(
    "1.1.2", "Step 1: unrated with a CFC rating of {cfc}: R0 = {value.rating}, N = {value.games}"
)
def initial_by_cfc(cfc: FloatRating) -> Initial:
    """Step 1: 1.1 CFC − 240 and N = 5 above 1500, otherwise CFC − 90 and N = 0."""
    if cfc > CFC_JOINT:
        return Initial(converted_high_cfc(cfc), 5)
    return Initial(converted_low_cfc(cfc), 0)


@paragraph("1.1.3", "Step 1: unrated; the office decided on R0 = {value.rating}, N = {value.games}")
def initial_by_office(decided: FloatRating) -> Initial:
    """Step 1: a rating of the office's determination, case by case; N = 0."""
    return Initial(decided, 0)


@paragraph(
    "1.1.4",
    "games that the rating in the other system rests on: {games}, enough",
    otherwise="games that the rating in the other system rests on: {games}, fewer than four",
)
def counts_from_other_system(games: Games) -> bool:
    """Step 1: a rating of the other system counts from four games on."""
    return games >= GAMES_OF_OTHER_SYSTEM


@paragraph(
    "1.1.4", "Step 1: unrated here; the quick rating is R0 = {value.rating}, N = {value.games}"
)
def initial_by_quick(rating: FloatRating) -> Initial:
    """Step 1: the quick rating in a regular event; N = 0."""
    return Initial(rating, 0)


@paragraph(
    "1.1.5", "Step 1: unrated here; the regular rating is R0 = {value.rating}, N = {value.games}"
)
def initial_by_regular(rating: FloatRating, games: Games) -> Initial:
    """Step 1: the regular rating in a quick event; N is its number of games, at most 10."""
    return Initial(rating, min(games, MOST_GAMES_OF_REGULAR))


@paragraph("1.1.6", "age on {end}, in days / 365.25: {value} years")
def age_in_years(birth: Day, end: Day) -> Years:
    """Step 1: (tournament end date − birth date) / 365.25."""
    return (end - birth) / DAYS_OF_A_YEAR


@paragraph("1.1.6", "50 × {age} = {value}")
def rating_by_age(age: Years) -> FloatRating:
    """Step 1: 50 times the age."""
    return PER_YEAR * age


@paragraph("1.1.6", "younger than {p.age_least}: {value}")
def rating_below_least_age(age: Years, p: Parameters) -> FloatRating:
    """Step 1: the birth date is taken for a slip."""
    return p.age_below


@paragraph("1.1.6", "older than 26: {value}")
def rating_of_oldest(age: Years) -> FloatRating:
    """Step 1: whoever is older counts as 26 years old."""
    return ADULT


@paragraph("1.1.6", "Step 1: unrated, by age: R0 = {value.rating}, N = {value.games}")
def initial_by_age(age: Years, p: Parameters) -> Initial:
    """Step 1: 50 times the age from 3 (2015: 2) to 26 years, above 1300.

    Below, the birth date is taken for a slip: 1300 (2015: 100).
    """
    if age < p.age_least:
        return Initial(rating_below_least_age(age, p), 0)
    if age > OLDEST:
        return Initial(rating_of_oldest(age), 0)
    return Initial(rating_by_age(age), 0)


@paragraph(
    "1.1.7",
    "Step 1: unrated, an adult without a birth date: R0 = {value.rating}, N = {value.games}",
)
def initial_of_adult() -> Initial:
    """Step 1: a player who is inferred to be an adult counts as 26 years old."""
    return Initial(ADULT, 0)


@paragraph("1.1.8", "Step 1: unrated, and nothing is known: R0 = {value.rating}, N = {value.games}")
def initial_of_unknown() -> Initial:
    """Step 1: 750 without any rating and without a birth date."""
    return Initial(UNKNOWN, 0)
