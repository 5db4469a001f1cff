"""How the ICCF editions rate: their columns, and the functions over them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from ratingbook.model import Event, FrozenSide
from ratingbook.model.sentences import sentence
from ratingbook.rules.bulk import (
    ESTABLISHED,
    NO_NUMBER,
    NOT_GIVEN,
    PROVISIONAL,
    UNRATED,
    Bulk,
    Calendar,
    FieldRules,
    Fold,
    Keeping,
    Listed,
    Outcome,
    Words,
    day_number,
    status_code,
)
from ratingbook.rules.iccf.columns import (
    ALWAYS,
    NO_EXPECTATION,
    NO_RATING,
    Facts,
    Parameters,
    Reckoning,
    Source,
    Standing,
    Tally,
)
from ratingbook.rules.iccf.games import counts, predicted, side_of
from ratingbook.rules.iccf.levels import (
    CATEGORIES,
    Level,
    announced,
    field_level,
    normalised,
    tournament_level,
)
from ratingbook.rules.iccf.lists import list_in_force, list_taking
from ratingbook.rules.iccf.performance import opponents_number
from ratingbook.rules.iccf.period import (
    begun,
    earlier_games_assumed,
    is_on_list,
    leave,
    reckoned,
    resumed,
    settled,
    with_side,
)
from ratingbook.rules.units import Games, Rating
from ratingbook.rules.usual import Kept, Side, carried, is_sum_of_games, kept_of


class Known(NamedTuple):
    """What a players file, or a report, says of a player."""

    rating: float = NO_NUMBER
    games: int = NOT_GIVEN
    status: int = NOT_GIVEN
    unpublished: bool = False
    """The rating is one that no list has yet (reading A15)."""
    earlier_score: float = NO_NUMBER
    """Points in the games so far, while the rating is not fixed."""
    earlier_opponents: int = NOT_GIVEN
    """Sum of the opponents' ratings in them, each as it counted."""
    earlier_own: int = NOT_GIVEN
    """Sum of the own ratings in them."""


def standing_of(known: Known, p: Parameters) -> Standing:
    """The standing; a rating without a number of games is fixed.

    A rating that is said is in force, unless it is said that no list has it (reading A14).
    Games of which nothing but the number is known count as draws with equals, which have just
    this rating as their performance (reading A31).
    """
    if math.isnan(known.rating) or known.status == UNRATED:
        return Standing(NO_RATING, 0, 0, 0, 0, False)
    rating, games = int(known.rating), p.fixed_games if known.games < 0 else known.games
    in_force = not known.unpublished
    if games >= p.fixed_games:
        return Standing(rating, games, 0, 0, 0, in_force)
    if says_sums(known, games):
        score, total = int(2 * known.earlier_score), known.earlier_opponents
        own = known.earlier_own if known.earlier_own >= 0 else games * rating
        return Standing(rating, games, score, total, own, in_force)
    return Standing(rating, games, games, games * rating, games * rating, in_force)


def says_sums(known: Known, games: Games) -> bool:
    """Whether it is said what so many earlier games come to."""
    return is_sum_of_games(known.earlier_score, known.earlier_opponents, games)


def assumed_games(known: Known, p: Parameters) -> Games:
    """The earlier games of which only the number is said (reading A31)."""
    standing = standing_of(known, p)
    needs = standing.rating != NO_RATING and standing.games < p.fixed_games
    if not needs or says_sums(known, standing.games):
        return 0
    return standing.games


def known_of(standing: Standing, p: Parameters) -> Known:
    """What a players file says of a standing."""
    if standing.rating == NO_RATING:
        return Known()
    known = Known(float(standing.rating), standing.games, unpublished=not standing.in_force)
    if standing.games >= p.fixed_games:
        return known
    return known._replace(
        earlier_score=standing.score / 2,
        earlier_opponents=standing.total,
        earlier_own=standing.own,
    )


def facts_of(event: Event, p: Parameters) -> Facts:
    """The level of an event, where it is known, and when its report is closed."""
    level, source = tournament_level(event.category, announced(event.level))
    until = ALWAYS if event.end is None else day_number(list_taking(event.end).reports_until)
    return Facts(level, source, until)


def asks_for_field(facts: Facts, p: Parameters) -> bool:
    """Whether it is a national tournament, whose level is an average."""
    return facts.source == Source.AVERAGE


def with_field(facts: Facts, numbers: Sequence[Rating], p: Parameters) -> Facts:
    """The facts of a national tournament with its level."""
    found = field_level(Level(facts.level, facts.source), numbers)
    return facts._replace(level=found.level, source=found.source)


def level_of(event: Event, p: Parameters, numbers: Sequence[Rating]) -> Rating | None:
    """The level of an event, if it is known, with the ratings of those who take part."""
    facts = facts_of(event, p)
    if asks_for_field(facts, p):
        facts = with_field(facts, numbers, p)
    return facts.level or None


def caveat_of(event: Event, p: Parameters) -> str:
    """Events without a level (readings A24 and A30)."""
    facts = facts_of(event, p)
    if facts.level == NO_RATING and not asks_for_field(facts, p):
        return sentence(
            "without a level, games of players who had no published rating when they began do not "
            "count"
        )
    return ""


def assumed_facts(facts: Facts, rating: float, p: Parameters) -> Facts:
    """An event of which nobody knows the level, under ``--assume`` as if it were announced."""
    if facts.level != NO_RATING:
        return facts
    source = facts.source if asks_for_field(facts, p) else Source.ANNOUNCEMENT
    return facts._replace(level=announced(rating) or NO_RATING, source=source)


def in_force(standing: Standing, p: Parameters) -> Rating:
    """Item 8: the rating that games begun under this list use, once it is published.

    Until then there is none, and the level stands for it (readings A14 to A16).
    """
    return standing.rating if standing.in_force else NO_RATING


def never_foreseen(p: Parameters) -> bool:
    """In a history nobody knows the item, and its coefficient, before the last game."""
    return False


def outcome(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The numbers of a period: only item 6 has an expected score."""
    return Outcome(
        float(entered.rating) if entered.rating != NO_RATING else NO_NUMBER,
        float(left.rating) if left.rating != NO_RATING else NO_NUMBER,
        value.games,
        value.score,
        value.expected / 100 if value.expected != NO_EXPECTATION else NO_NUMBER,
    )


def number_of_opponent(entered: Standing, side: Side, value: Reckoning, p: Parameters) -> Rating:
    """Items 5 and 8: limited where the rating is that of a performance, else as it was."""
    return opponents_number(side, p) if value.expected == NO_EXPECTATION else side.opponent


def exact(entered: Standing, value: Reckoning, left: Standing, p: Parameters) -> float:
    """The new rating, not yet rounded."""
    return value.numerator / value.denominator


def listed(standing: Standing, p: Parameters) -> Listed:
    """The row of the list, those included who are not yet on it (reading A14)."""
    if standing.rating == NO_RATING:
        return Listed(NO_NUMBER, standing.games, UNRATED, False)
    status = ESTABLISHED if standing.games >= p.fixed_games else PROVISIONAL
    return Listed(float(standing.rating), standing.games, status, is_on_list(standing.games, p))


def keeps(left: Standing, p: Parameters) -> bool:
    """Item 15 needs all games until the rating is fixed."""
    return left.games < p.fixed_games


def thawed(frozen: FrozenSide, standing: Standing, p: Parameters) -> Kept | None:
    """A side of a report's history; of no use once the rating is fixed."""
    if not keeps(standing, p):
        return None
    own = standing.rating if frozen.own is None else int(frozen.own)
    return Kept(own, int(frozen.opponent), int(2 * frozen.score), NOT_GIVEN)


def taking(reported: date, facts: Facts) -> date:
    """The list that takes a result, by the day of its report."""
    return list_taking(reported).valid_from


def in_force_on(day: date) -> date:
    """The list that is valid on a day."""
    return list_in_force(day).valid_from


def knows_category(event: Event, p: Parameters) -> bool:
    """Whether item 11 knows the category, which makes no difference beside an announced level."""
    return not event.category or event.level is not None or normalised(event.category) in CATEGORIES


ICCF_BULK = Bulk(
    known=Known,
    facts=Facts,
    standing=Standing,
    side=Side,
    value=Reckoning,
    standing_of=standing_of,
    known_of=known_of,
    facts_of=facts_of,
    assumed_facts=assumed_facts,
    caveat_of=caveat_of,
    counts=counts,
    side_of=side_of,
    predicted=predicted,
    fold=Fold(
        Tally,
        begun,
        with_side,
        reckoned,
        resumed=resumed,
        settled=settled,
        rare=frozenset({"rule", "k"}),
        needs_rare=never_foreseen,
        unread=frozenset({"total", "own"}),
    ),
    field_rules=FieldRules(asks_for_field, with_field),
    keeping=Keeping(
        Kept,
        keeps,
        kept_of,
        side=carried,
        thawed=thawed,
        sums=frozenset({"earlier_score", "earlier_opponents", "earlier_own"}),
        assumed=assumed_games,
        tells_assumed=earlier_games_assumed,
    ),
    leave=leave,
    outcome=outcome,
    exact=exact,
    listed=listed,
    in_force=in_force,
    opponents_number=number_of_opponent,
    calendar=Calendar(
        taking,
        in_force_on,
        by_game=True,
        by_report=True,
        of_reports=frozenset({"until"}),
        kept_lists=24,
    ),
    codes={"status": status_code},
    event_words={"category": Words(knows_category, CATEGORIES, "it gives no level")},
)
