"""The pass over the games of a batch: each side into its player's tally, or to its place."""

from __future__ import annotations

from typing import Any, NamedTuple

from ratingbook.engine.loops.arrays import (
    NO_CONDITIONS,
    RATED_SAID,
    SEATS,
    Events,
    Games,
    People,
    Room,
)
from ratingbook.engine.loops.events import event_span, lay_event
from ratingbook.engine.loops.halves import half_of
from ratingbook.engine.loops.names import (
    AHEAD,
    EXPLAINS,
    FOLDS_ALL,
    GROWS,
    HAS_EVENT_RULES,
    HAS_FOLD,
    HAS_IN_FORCE,
    HAS_MARGINS,
    HAS_MEMORY,
    HAS_NAMED,
    HAS_PREDICTED,
    HAS_STATUS,
    HAS_SUBSTITUTES,
    MANY,
    NOBODY,
    about,
    about_event,
    code_of,
    counts,
    event_facts,
    event_half,
    event_wants,
    fold_add,
    fold_changes_rare,
    fold_rare,
    grow,
    left_unrated,
    load_entered,
    load_facts,
    load_tally,
    number_at,
    place_of,
    plays_in,
    predicted,
    prefetch,
    remembers,
    side_of,
    store_side,
    store_tally,
    sure,
    whole,
)
from ratingbook.rules.bulk import NOT_GIVEN
from ratingbook.rules.half import Part

_COUNTED = 1
_WAITS = 2
"""Beside that it counted: the side has to be put in its place."""


class Seen(NamedTuple):
    """A game as the columns have it, with the numbers in force."""

    game: Any
    event: Any
    first_of_event: Any
    """First game of the event, where the event has rules of its own."""
    white: Any
    black: Any
    white_seat: Any
    black_seat: Any
    white_number: Any
    black_number: Any
    white_for: Any
    """Whom White replaces, and the number of that player."""
    black_for: Any
    white_for_number: Any
    black_for_number: Any
    white_reached: Any
    black_reached: Any
    points: Any
    stones: Any
    conditions: Any
    status: Any
    rated: Any
    first_day: Any
    last_day: Any
    reported: Any


def pass_games(
    base: int,
    begin: int,
    end: int,
    batch: int,
    games: Games,
    events: Events,
    people: People,
    room: Room,
    lays_out: bool,
    low: int,
    high: int,
    p: Any,
) -> int:
    """Each side into its player's tally; gives how many games have to wait for the kernel.

    ``base`` is the first game of the batch.  With ``lays_out`` the pass goes over those that
    wait, and puts them in their places.
    """
    white_column, black_column, score_column = games.white, games.black, games.score
    handicap_column, rated_column = games.handicap, games.rated
    event_column, start_column, end_column = games.event, games.start, games.end
    slot_column, event_start, event_end = games.slot, events.start, events.end
    facts_of_events, numbers, work = events.facts, people.in_force, people.work
    waiting_games, seat_white, seat_black = room.waiting, room.seat_white, room.seat_black
    white_named, black_named, status_column = games.white_number, games.black_number, games.status
    has_named = HAS_NAMED and len(white_named) > 0
    has_reached = HAS_MEMORY and len(games.white_reached) > 0
    has_handicaps, has_rated = len(handicap_column) > 0, len(rated_column) > 0
    condition_column = games.conditions
    has_conditions = HAS_MARGINS and len(condition_column) > 0
    has_days, has_slots = len(start_column) > 0, len(slot_column) > 0
    reported_column = games.reported
    white_for_column, black_for_column = games.white_for, games.black_for
    has_reported = len(reported_column) > 0
    has_replaced = HAS_SUBSTITUTES and len(white_for_column) > 0
    slot = batch % len(numbers)
    row_numbers = numbers[place_of(slot)]
    far = end - begin > MANY and len(numbers) * len(row_numbers) > MANY
    white_for = black_for = NOBODY
    white_for_number = black_for_number = NOT_GIVEN
    white_reached = black_reached = 0
    status = stones = 0
    rated = 3
    conditions = NO_CONDITIONS
    halves = waiting = 0
    current = -1
    first_of_event = after_event = 0
    asks = False
    everybody = low <= 0 and high >= len(people.standings) and not has_rated
    facts = load_facts(facts_of_events, place_of(0), p)
    for place in range(begin, end):
        game = whole(waiting_games[place_of(place)]) if lays_out else place
        at = place_of(game)
        if far and not lays_out:
            coming = place_of(min(place + AHEAD, end - 1))
            prefetch(work, place_of(seat_white[coming - place_of(base)]))
            prefetch(work, place_of(seat_black[coming - place_of(base)]))
            if HAS_IN_FORCE:
                if has_slots:
                    row_numbers = numbers[place_of(slot_column[coming])]
                prefetch(row_numbers, place_of(white_column[coming]))
                prefetch(row_numbers, place_of(black_column[coming]))
        white, black = whole(white_column[at]), whole(black_column[at])
        event = whole(event_column[at])
        if event != current:
            current = event
            facts = load_facts(facts_of_events, place_of(event), p)
            if HAS_EVENT_RULES:
                asks = event_wants(facts, p)
                if asks:
                    first_of_event, after_event = event_span(
                        game, base, whole(games.offsets[batch + 1]), event_column
                    )
                    lay_event(first_of_event, after_event, base, slot, games, people, room, p)
                    if EXPLAINS:
                        about_event(event)
                    facts = event_facts(facts, room.event_games, after_event - first_of_event, p)
        if has_handicaps:
            stones = whole(handicap_column[at])
        if has_rated:
            rated = whole(rated_column[at])
        if has_conditions:
            conditions = whole(condition_column[at])
        white_number = black_number = NOT_GIVEN
        if HAS_IN_FORCE:
            if has_slots:
                slot = whole(slot_column[at])
            white_number = whole(number_at(numbers, place_of(slot), place_of(white)))
            black_number = whole(number_at(numbers, place_of(slot), place_of(black)))
        if has_named:
            white_number = white_number if white_named[at] == NOT_GIVEN else white_named[at]
            black_number = black_number if black_named[at] == NOT_GIVEN else black_named[at]
        if has_replaced:
            white_for, black_for = whole(white_for_column[at]), whole(black_for_column[at])
            white_for_number = black_for_number = NOT_GIVEN
            if white_for >= 0:
                white_for_number = whole(number_at(numbers, place_of(slot), place_of(white_for)))
            if black_for >= 0:
                black_for_number = whole(number_at(numbers, place_of(slot), place_of(black_for)))
        if has_reached:
            white_reached = whole(games.white_reached[at])
            black_reached = whole(games.black_reached[at])
        if HAS_STATUS:
            status = code_of(status_column[at])
        first_day = whole(start_column[at]) if has_days else whole(event_start[place_of(event)])
        last_day = whole(end_column[at]) if has_days else whole(event_end[place_of(event)])
        reported = whole(reported_column[at]) if has_reported else last_day
        points = whole(score_column[at])
        if not HAS_STATUS:
            sure(0 <= points <= 2)
        # Numba does not take conditions within a call of so many keywords.
        seen = Seen(
            game=game,
            event=event,
            first_of_event=first_of_event,
            white=white,
            black=black,
            white_seat=whole(seat_white[place_of(game - base)]),
            black_seat=whole(seat_black[place_of(game - base)]),
            white_number=white_number,
            black_number=black_number,
            white_for=white_for,
            black_for=black_for,
            white_for_number=white_for_number,
            black_for_number=black_for_number,
            white_reached=white_reached,
            black_reached=black_reached,
            points=points,
            stones=stones,
            conditions=conditions,
            status=status,
            rated=rated,
            first_day=first_day,
            last_day=last_day,
            reported=reported,
        )
        # One call a colour, not a loop: in compiled code each becomes a copy for its colour.
        made = pass_side(
            0, seen, everybody, facts, asks, lays_out, batch, people, room, low, high, p
        )
        halves += made & _COUNTED
        waits = made
        made = pass_side(
            1, seen, everybody, facts, asks, lays_out, batch, people, room, low, high, p
        )
        halves += made & _COUNTED
        waits |= made
        if has_replaced:
            for which in range(2, 4):
                made = pass_side(
                    which, seen, everybody, facts, asks, lays_out, batch, people, room, low, high, p
                )
                halves += made & _COUNTED
                waits |= made
        if waits & _WAITS:
            waiting_games[place_of(waiting)] = game
            waiting += 1
    if EXPLAINS:
        about(NOBODY)
    if not lays_out:
        # Until everybody has left: those in a row of changes are taken off.
        room.passed_over[0] += halves
    return waiting


def pass_side(
    which: int,
    seen: Seen,
    everybody: bool,
    facts: Any,
    asks: bool,
    lays_out: bool,
    batch: int,
    people: People,
    room: Room,
    low: int,
    high: int,
    p: Any,
) -> int:
    """One side of a game: White's, Black's, that of whom White replaces, and Black; its marks.

    ``everybody``: nobody need be asked whether the game is rated for him.
    """
    work, aside = people.work, people.aside
    colour = which & 1
    player, other = (seen.black, seen.white) if colour else (seen.white, seen.black)
    mine = place_of(seen.black_seat if colour else seen.white_seat)
    number = seen.black_number if colour else seen.white_number
    part, partner, opponents_partner = Part.ALONE, NOT_GIVEN, NOT_GIVEN
    reached = 0
    if HAS_SUBSTITUTES:
        partner = seen.black_for_number if colour else seen.white_for_number
        opponents_partner = seen.white_for_number if colour else seen.black_for_number
        if partner != NOT_GIVEN:
            part = Part.SUBSTITUTE
        if which > 1:
            if partner == NOT_GIVEN:
                return 0
            part = Part.REPLACED
            player = seen.black_for if colour else seen.white_for
            mine = place_of(room.mark[place_of(player)] - (batch + 1) * SEATS)
            number, partner = partner, number
    if HAS_MEMORY and which < 2:
        reached = seen.black_reached if colour else seen.white_reached
        aside[mine]["reached"] = max(whole(aside[mine]["reached"]), reached)
    is_rated = everybody or seen.rated >> colour & 1
    if not (everybody or low <= player < high) or not (EXPLAINS or is_rated):
        return 0
    if EXPLAINS:
        # No rule is asked to make a half: nobody need listen.
        about(NOBODY)
    half = half_of(
        colour,
        number,
        seen.white_number if colour else seen.black_number,
        seen.points,
        seen.stones,
        seen.first_day,
        seen.last_day,
        seen.event,
        0,
        other,
        seen.game,
        seen.conditions,
        seen.status,
        seen.reported,
        part,
        partner,
        opponents_partner,
        seen.rated & RATED_SAID > 0,
    )
    if EXPLAINS:
        about(NOBODY if lays_out else player)
        plays_in(player, seen.event)
    own = load_entered(work, aside, mine, p)
    if HAS_EVENT_RULES and asks:
        half = event_half(half, own, facts, room.event_games, seen.game - seen.first_of_event, p)
    if EXPLAINS and not is_rated:
        left_unrated(half, p)
        return 0
    theirs = place_of(seen.white_seat if colour else seen.black_seat)
    opponent = load_entered(work, aside, theirs, p)
    if HAS_MEMORY:
        own = remembers(own, reached, p)
    if not counts(half, own, opponent, facts, p):
        return _COUNTED
    side = side_of(half, own, opponent, facts, p)
    if HAS_PREDICTED and which == 0 and not lays_out:
        room.predicted[place_of(seen.game)] = predicted(own, side, p)
    if FOLDS_ALL or (HAS_FOLD and work[mine]["folds"]):
        if not lays_out:
            # What few sides change lies in memory of its own.
            rare = fold_rare(p)
            if rare:
                rare = fold_changes_rare(load_tally(work, aside, mine, False), side, p)
            tally = fold_add(load_tally(work, aside, mine, rare), own, side, p)
            store_tally(work, aside, mine, tally, rare)
        return _COUNTED
    if lays_out:
        free = whole(aside[mine]["end"])
        store_side(room.sides, place_of(free), side)
        aside[mine]["end"] = free + 1
        return _COUNTED
    if GROWS:
        grow(aside, mine, side)
    aside[mine]["sides"] += 1
    aside[mine]["until"] = max(whole(aside[mine]["until"]), seen.last_day)
    return _COUNTED | _WAITS
