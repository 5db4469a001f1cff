"""Paragraphs 2 and 11, and an event of one player: how it is entered, counted, and left."""

from __future__ import annotations

import math

from ratingbook.model import Event
from ratingbook.rules.bulk import (
    ESTABLISHED,
    NO_NUMBER,
    NOT_GIVEN,
    UNRATED,
    Bulk,
    Entered,
    Fold,
    Listed,
    Outcome,
    Words,
    status_code,
)
from ratingbook.rules.egf.change import (
    at_floor,
    bonus_of,
    con_of,
    no_sides,
    published_rating,
    reckoning_of,
    with_side,
)
from ratingbook.rules.egf.classes import (
    CLASSES,
    FIRST_DAY,
    INTERNET,
    facts_of,
    has_classes,
    has_result,
    is_of_our_time,
    was_played,
)
from ratingbook.rules.egf.columns import (
    NO_RATING,
    Decisions,
    EventTally,
    Facts,
    Known,
    Parameters,
    Reckoning,
    Side,
    Standing,
)
from ratingbook.rules.egf.expected import curve_of, expected_score
from ratingbook.rules.egf.grades import (
    NO_GRADE,
    GradeCode,
    GradeIndex,
    grade_code,
    grade_index,
    index_of,
    initial_rating,
    nominal_rating,
)
from ratingbook.rules.half import Half
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FIXED_SCALE, FloatRating, Games
from ratingbook.rules.wording import KINDS, kind_of


@paragraph(
    "11",
    "entered as {entered}, highest grade so far {best}: {above} higher, a reset takes "
    "{p.reset_grades}: reset",
    otherwise="entered as {entered}, highest grade so far {best}: {above} higher, a reset takes "
    "{p.reset_grades}: no reset",
)
def is_reset(above: int, entered: GradeIndex, best: GradeIndex, p: Parameters) -> bool:
    """Paragraph 11: whether a player enters so many grades above the highest so far."""
    return above >= p.reset_grades


@paragraph("11", "reset from {rating} to the rating of the grade, {value}", role="begin")
def reset_upward(rating: FloatRating, nominal: FloatRating) -> FloatRating:
    """Paragraph 11: set to the nominal rating of the new grade; never downward."""
    return max(rating, nominal)


@paragraph("11", "set from {rating} to {decided} by decision of the office", role="begin")
def reset_by_office(rating: FloatRating, decided: FloatRating) -> FloatRating:
    """Paragraph 11 (1998: "in certain cases"): a reset that the office decided."""
    return decided


def first_rating(grade: GradeCode, p: Parameters) -> FloatRating:
    """Paragraph 2: the rating of a grade, not below the floor."""
    nominal = float(initial_rating(grade))
    return at_floor(nominal, p.floor) if nominal < p.floor else nominal


def rating_by_grade(standing: Standing, grade: GradeCode, p: Parameters) -> FloatRating:
    """Paragraph 11: the rating of a player who enters with a grade, and whom the pool knows."""
    nominal, index = float(nominal_rating(grade)), index_of(grade)
    if p.reset_grades == 0 or nominal <= standing.rating or standing.highest == NO_GRADE:
        return standing.rating
    above = index - standing.highest
    if above > 0 and is_reset(above, index, standing.highest, p):
        return reset_upward(standing.rating, nominal)
    return standing.rating


def entry_rating(standing: Standing, grade: GradeCode, p: Parameters) -> FloatRating:
    """Paragraphs 2 and 11: by the pool, by a higher grade, or for a newcomer by the grade."""
    if grade == NO_GRADE:
        return standing.rating
    if standing.rating == NO_RATING:
        return first_rating(grade, p)
    return rating_by_grade(standing, grade, p)


def between_events(
    rating: FloatRating, games: Games, grade: GradeIndex, highest: GradeIndex
) -> Standing:
    """A standing of which no game needs anything."""
    return Standing(rating, games, grade, highest, con=0.0, bonus=0.0, curve=0.0)


def standing_of(known: Known, p: Parameters) -> Standing:
    """The standing by what is said; a grade gives a rating with the first event only."""
    is_known = not math.isnan(known.rating) and known.status != UNRATED
    rating = known.rating if is_known else float(NO_RATING)
    return between_events(rating, max(0, known.games), index_of(known.grade), known.highest_grade)


def assumed(known: Known, rating: float, p: Parameters) -> Standing:
    """A player who has neither a rating nor a grade gets the one of ``--assume`` (reading E16)."""
    if known.grade != NO_GRADE:
        return standing_of(known, p)
    return between_events(rating, max(0, known.games), NO_GRADE, known.highest_grade)


def known_of(standing: Standing, p: Parameters) -> Known:
    """What is to be said of a standing."""
    rating = NO_NUMBER if standing.rating == NO_RATING else standing.rating
    return Known(rating=rating, games=standing.games, highest_grade=standing.highest)


def settled(standing: Standing, rating: FloatRating, grade: GradeIndex, p: Parameters) -> Standing:
    """The standing with a rating, and with what games need of it."""
    return Standing(
        rating,
        standing.games,
        grade,
        standing.highest,
        con=con_of(rating, p),
        bonus=bonus_of(rating, p),
        curve=curve_of(rating, p),
    )


def enter(standing: Standing, how: Entered, facts: Facts, p: Parameters) -> Standing:
    """The rating at the start of the event, and what is the same in all its games."""
    rating, grade = entry_rating(standing, how.grade, p), index_of(how.grade)
    if rating == NO_RATING:
        return between_events(rating, standing.games, grade, standing.highest)
    if not math.isnan(how.decided.reset_rating):
        rating = reset_by_office(rating, how.decided.reset_rating)
    return settled(standing, rating, grade, p)


def is_rated(own: FloatRating, opponent: FloatRating) -> bool:
    """Whether both players have a rating to start from."""
    return min(own, opponent) > NO_RATING


def counts(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> bool:
    """Games that were played in recognised events, between players with a rating or a grade."""
    return (
        facts.recognised
        and is_of_our_time(half.start, FIRST_DAY)
        and was_played(half.status)
        and has_result(half.score)
        and is_rated(own.rating, opponent.rating)
    )


def side_of(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> Side:
    """The side of a game, at the ratings of the start, unless the game names others."""
    if half.own != NOT_GIVEN:
        own = settled(own, float(half.own), own.grade, p)
    rating, curve = opponent.rating, opponent.curve
    if half.opponent != NOT_GIVEN:
        rating = float(half.opponent)
        curve = curve_of(rating, p)
    return Side(
        own=own.rating,
        opponent=rating,
        own_stones=half.stones,
        opponent_stones=half.opponent_stones,
        score=half.score,
        weight=facts.weight,
        other=half.other,
        game=half.game,
        con=own.con,
        bonus=own.bonus,
        own_curve=own.curve,
        opponent_curve=curve,
    )


def predicted(entered: Standing, side: Side, p: Parameters) -> float:
    """Paragraphs 3 and 9: S_E of a side before the game, less its part of ε."""
    return expected_score(side, p)


def leave(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """The new rating with its decimals, and the highest grade ever entered with."""
    rating = NO_RATING if entered.rating == NO_RATING else value.value
    highest = max(entered.highest, entered.grade) if value.games > 0 else entered.highest
    return between_events(rating, entered.games + value.games, entered.grade, highest)


def outcome(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The numbers of an event: before any reset, and as published."""
    rating = left.rating if value.games > 0 else stored.rating
    return Outcome(
        before=NO_NUMBER if stored.rating == NO_RATING else stored.rating,
        after=NO_NUMBER if rating == NO_RATING else float(published_rating(rating, p.decimals)),
        games=value.games,
        score=value.score,
        expected=NO_NUMBER if left.rating == NO_RATING else value.expected / FIXED_SCALE,
    )


def exact(entered: Standing, value: Reckoning, left: Standing, p: Parameters) -> float:
    """The rating with its decimals."""
    return left.rating


def listed(standing: Standing, p: Parameters) -> Listed:
    """The published rating; a grade alone does not give one to a player who has not played yet."""
    if standing.rating == NO_RATING:
        return Listed(NO_NUMBER, standing.games, UNRATED, False)
    rating = float(published_rating(standing.rating, p.decimals))
    return Listed(rating, standing.games, ESTABLISHED, True)


def knows_class(event: Event, p: Parameters) -> bool:
    """Whether the class is one that is rated; without classes any will do."""
    return not event.class_ or not has_classes(p) or event.class_.strip().upper() in CLASSES


def knows_kind(event: Event, p: Parameters) -> bool:
    """Whether the kind is one that reports know."""
    return not event.kind or kind_of(event) in (*KINDS, INTERNET)


EGF = Bulk(
    known=Known,
    facts=Facts,
    decisions=Decisions,
    standing=Standing,
    side=Side,
    value=Reckoning,
    standing_of=standing_of,
    assumed=assumed,
    known_of=known_of,
    facts_of=facts_of,
    enter=enter,
    counts=counts,
    side_of=side_of,
    predicted=predicted,
    fold=Fold(EventTally, no_sides, with_side, reckoning_of),
    leave=leave,
    outcome=outcome,
    exact=exact,
    listed=listed,
    codes={"status": status_code, "grade": grade_code, "highest_grade": grade_index},
    event_words={
        "class": Words(knows_class, CLASSES, "the games are not rated"),
        "kind": Words(knows_kind, (*KINDS, INTERNET), "rated like a Swiss"),
    },
)
