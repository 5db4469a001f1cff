"""Each game by itself, for rule books that rate so."""

from __future__ import annotations

from typing import Any

from ratingbook.engine.loops.arrays import NO_CONDITIONS, Events, Games, People, Room, Rows
from ratingbook.engine.loops.halves import entering, half_of
from ratingbook.engine.loops.names import (
    AHEAD,
    EXPLAINS,
    HAS_DECISIONS,
    HAS_MARGINS,
    HAS_PREDICTED,
    HAS_STATUS,
    MANY,
    about,
    code_of,
    counts,
    decided_for,
    enter,
    fold_add,
    fold_begin,
    fold_value,
    is_decided,
    leave,
    left_unrated,
    load_facts,
    load_standing,
    no_decision,
    outcome,
    place_of,
    predicted,
    prefetch,
    rating_decided,
    side_of,
    store_standing,
    use_up,
    whole,
)
from ratingbook.engine.loops.rows import write_row


def rate_games(
    batch: int,
    begin: int,
    end: int,
    games: Games,
    events: Events,
    people: People,
    room: Room,
    rows: Rows,
    p: Any,
) -> None:
    """Each game by itself, one after the other: both players go on with their new standings."""
    white_column, black_column, score_column = games.white, games.black, games.score
    handicap_column, rated_column, event_column = games.handicap, games.rated, games.event
    start_column, end_column, facts_of_events = games.start, games.end, events.facts
    condition_column = games.conditions
    decided_white, decided_black = games.entry_white, games.entry_black
    has_handicaps, has_rated = len(handicap_column) > 0, len(rated_column) > 0
    has_conditions = HAS_MARGINS and len(condition_column) > 0
    has_decided = len(decided_white) > 0
    standings, last = people.standings, people.last
    birth, adult, grade = people.birth, people.adult, people.grade
    far = len(standings) > MANY
    row, has_rows = whole(rows.used[0]), len(rows.player) > 0
    stones = 0
    rated = 3
    conditions = NO_CONDITIONS
    passed_over = 0
    status = 0
    status_column = games.status
    decided_for_white = decided_for_black = no_decision()
    for game in range(begin, end):
        at = place_of(game)
        white, black = whole(white_column[at]), whole(black_column[at])
        points, event = whole(score_column[at]), whole(event_column[at])
        facts = load_facts(facts_of_events, place_of(event), p)
        first_day, day = whole(start_column[at]), whole(end_column[at])
        if has_handicaps:
            stones = whole(handicap_column[at])
        if has_rated:
            rated = whole(rated_column[at])
        if has_conditions:
            conditions = whole(condition_column[at])
        if has_decided:
            decided_for_white = rating_decided(decided_white[at])
            decided_for_black = rating_decided(decided_black[at])
        if HAS_DECISIONS:
            for colour in range(2):
                player = place_of(black if colour else white)
                if is_decided(people.decided, player):
                    if colour:
                        decided_for_black = decided_for(people.decided, player)
                    else:
                        decided_for_white = decided_for(people.decided, player)
                elif not has_decided and colour:
                    decided_for_black = no_decision()
                elif not has_decided:
                    decided_for_white = no_decision()
        if far:
            coming = place_of(min(game + AHEAD, end - 1))
            prefetch(standings, place_of(white_column[coming]))
            prefetch(standings, place_of(black_column[coming]))
        at_white, at_black = place_of(white), place_of(black)
        # Both enter before either has a new standing.
        stored_white, stored_black = (
            load_standing(standings, at_white), load_standing(standings, at_black),
        )  # fmt: skip
        if HAS_STATUS:
            status = code_of(status_column[at])
        if EXPLAINS:
            about(white)
        declared = whole(grade[at_white])
        how = entering(at_white, declared, birth, adult, last, day, decided_for_white, first_day)
        entered_white = enter(stored_white, how, facts, p)
        if EXPLAINS:
            about(black)
        declared = whole(grade[at_black])
        how = entering(at_black, declared, birth, adult, last, day, decided_for_black, first_day)
        entered_black = enter(stored_black, how, facts, p)
        for colour in range(2):
            if not (EXPLAINS or rated >> colour & 1):
                continue
            player, other = (black, white) if colour else (white, black)
            stored = stored_black if colour else stored_white
            own = entered_black if colour else entered_white
            opponent = entered_white if colour else entered_black
            mine = place_of(player)
            half = half_of(
                colour,
                0,
                0,
                points,
                stones,
                first_day,
                day,
                event,
                1,
                other,
                game,
                conditions,
                status,
                day,
            )
            if EXPLAINS:
                about(player)
                if not rated >> colour & 1:
                    left_unrated(half, p)
                    continue
            if not counts(half, own, opponent, facts, p):
                passed_over += 1
                continue
            side = side_of(half, own, opponent, facts, p)
            if HAS_PREDICTED and colour == 0:
                room.predicted[at] = predicted(own, side, p)
            value = fold_value(own, fold_add(fold_begin(own, p), own, side, p), p)
            left = leave(own, value, p)
            store_standing(standings, mine, left)
            last[mine] = day
            if HAS_DECISIONS:
                use_up(people.decided, mine, batch)
            if not has_rows:
                continue
            made = outcome(stored, own, value, left, p)
            write_row(rows, place_of(row), player, batch, made, left, own, value)
            row += 1
    rows.used[0] = row
    room.passed_over[0] += passed_over
