"""The loop over batches, and over the games of one.

A batch goes through these steps:

1.  the players of the batch are collected, and enter;
2.  the games are passed in order: where the round is a sum (a *fold*) the side is added
    to its player's tally at once, else it is counted;
3.  the sides that were counted are laid out player by player, kept ones first, and the
    kernels of the rounds go over them (:mod:`.rounds`);
4.  everybody leaves: new standing, row of changes, kept sides, number in force
    (:mod:`.leaving`).

Nothing that is summed here depends on the order of the games.
"""

from __future__ import annotations

from typing import Any

from ratingbook.engine.loops.arrays import (
    NO_CONDITIONS,
    RATED_SAID,
    SEATS,
    Batches,
    Events,
    Games,
    People,
    Room,
    Rows,
)
from ratingbook.engine.loops.events import event_span, lay_event
from ratingbook.engine.loops.games import rate_games
from ratingbook.engine.loops.halves import entering, half_of
from ratingbook.engine.loops.leaving import keep, settle
from ratingbook.engine.loops.names import (
    AHEAD,
    COUNTS_MEETINGS,
    EACH_GAME,
    EVERYBODY,
    EXPLAINS,
    GROWS,
    HAS_CARRIED,
    HAS_DECISIONS,
    HAS_EVENT_RULES,
    HAS_FOLD,
    HAS_IN_FORCE,
    HAS_KEPT,
    HAS_MARGINS,
    HAS_MEMORY,
    HAS_NAMED,
    HAS_PREDICTED,
    HAS_RECALL,
    HAS_REPEATS,
    HAS_STATUS,
    HAS_SUBSTITUTES,
    MANY,
    NOBODY,
    about,
    about_event,
    code_of,
    corrected,
    counts,
    decided_for,
    enter,
    event_facts,
    event_half,
    event_wants,
    fold_add,
    fold_applies,
    fold_begin,
    forget_decided,
    grow,
    in_force,
    is_decided,
    left_unrated,
    load_entered,
    load_facts,
    load_kept,
    load_standing,
    load_tally,
    no_decision,
    number_at,
    place_of,
    plays_in,
    predicted,
    prefetch,
    recalled,
    remembers,
    seat_everybody,
    set_number,
    side_of,
    store_entered,
    store_side,
    store_tally,
    whole,
)
from ratingbook.engine.loops.rounds import (
    count_meetings,
    lay_out,
    play_repeated,
    play_rounds,
)
from ratingbook.rules.bulk import NOT_GIVEN
from ratingbook.rules.half import Part


def rate_batches(
    first: int,
    last: int,
    games: Games,
    events: Events,
    batches: Batches,
    people: People,
    room: Room,
    rows: Rows,
    low: int,
    high: int,
    p: Any,
) -> int:
    """Rate the batches from ``first`` up to ``last``; only players from ``low`` up to ``high``.

    Gives the number of the next batch: less than ``last`` where there is no room for
    its rows, its sides or what is kept of them.
    """
    for batch in range(first, last):
        begin = whole(games.offsets[batch])
        end = whole(games.offsets[batch + 1])
        if lacks_room(end - begin, people, room, rows):
            return batch
        if EACH_GAME:
            rate_games(batch, begin, end, games, events, people, room, rows, p)
        else:
            rate_batch(batch, begin, end, games, events, batches, people, room, rows, low, high, p)
    return last


def lacks_room(count: int, people: People, room: Room, rows: Rows) -> bool:
    """Whether a batch of so many games might not fit."""
    halves = 4 * count if HAS_SUBSTITUTES else 2 * count
    most = halves if EACH_GAME else min(halves, len(people.standings))
    if not EACH_GAME and (count > len(room.seat_white) or most >= len(room.members)):
        return True
    if len(rows.player) and whole(rows.used[0]) + most > len(rows.player):
        return True
    if HAS_KEPT and whole(room.free[1]) < halves:
        return True
    kept = len(room.kept) - whole(room.free[1]) if HAS_CARRIED else 0
    return halves + kept > len(room.sides)


def rate_batch(
    batch: int,
    begin: int,
    end: int,
    games: Games,
    events: Events,
    batches: Batches,
    people: People,
    room: Room,
    rows: Rows,
    low: int,
    high: int,
    p: Any,
) -> None:
    """One batch: enter, sides, rounds, leave."""
    facts = load_facts(events.facts, whole(batches.event[batch]), p)
    day = whole(batches.day[batch])
    members = collect(batch, begin, end, games, room)
    if len(games.entry_white):
        declare(begin, end, games, room, people.work)
    start = whole(events.start[batches.event[batch]])
    declared = len(games.entry_white) > 0
    solvers = let_enter(
        batch, members, room, people, facts, start, day, declared, batches.event, p
    )  # fmt: skip
    waiting = pass_games(begin, begin, end, batch, games, events, people, room, False, low, high, p)
    settled = True
    if waiting or EVERYBODY:
        lay_out(solvers, room, people, p)
        if not GROWS:
            pass_games(begin, 0, waiting, batch, games, events, people, room, True, low, high, p)
        if COUNTS_MEETINGS:
            count_meetings(batch, solvers, room, people)
        if HAS_REPEATS:
            settled = play_repeated(solvers, room, people, p)
        else:
            play_rounds(solvers, room, people, facts, p)
    if not settled:
        # Nobody's standing changes: as if nobody had been in the batch.
        high = low
        if not whole(room.unsettled[0]):
            room.unsettled[1] = batch
        room.unsettled[0] += 1
    settle(batch, members, people, room, rows, low, high, day, p)
    if HAS_KEPT and settled:
        keep(solvers, games, events, people, room, p)


def collect(batch: int, begin: int, end: int, games: Games, room: Room) -> int:
    """The players of the batch take their seats; gives how many there are.

    Without a branch, since whether a player is new cannot be foreseen.
    """
    white, black, mark = games.white, games.black, room.mark
    members, seat_white, seat_black = room.members, room.seat_white, room.seat_black
    now = (batch + 1) * SEATS
    count = seat_everybody(batch, room)
    far = end - begin > MANY and len(mark) > MANY
    for game in range(begin, end):
        if far:
            coming = place_of(min(game + AHEAD, end - 1))
            prefetch(mark, place_of(white[coming]))
            prefetch(mark, place_of(black[coming]))
        player = place_of(white[place_of(game)])
        is_new = mark[player] < now
        seat = count if is_new else mark[player] - now
        mark[player] = now + seat
        members[place_of(count)] = player
        seat_white[place_of(game - begin)] = seat
        count += whole(is_new)
        player = place_of(black[place_of(game)])
        is_new = mark[player] < now
        seat = count if is_new else mark[player] - now
        mark[player] = now + seat
        members[place_of(count)] = player
        seat_black[place_of(game - begin)] = seat
        count += whole(is_new)
    if HAS_SUBSTITUTES and len(games.white_for):
        for game in range(begin, end):
            for colour in range(2):
                player = (games.black_for if colour else games.white_for)[place_of(game)]
                if player >= 0 and mark[place_of(player)] < now:
                    mark[place_of(player)] = now + count
                    members[place_of(count)] = player
                    count += 1
    return count


def declare(begin: int, end: int, games: Games, room: Room, work: Any) -> None:
    """Notes the grades with which the players entered this event."""
    for game in range(begin, end):
        work[room.seat_white[game - begin]]["grade"] = games.entry_white[game]
        work[room.seat_black[game - begin]]["grade"] = games.entry_black[game]


def let_enter(
    batch: int,
    members: int,
    room: Room,
    people: People,
    facts: Any,
    start: int,
    day: int,
    declared: bool,
    batch_events: Any,
    p: Any,
) -> int:
    """Everybody enters, before any game is looked at; gives for how many the round is no sum."""
    work, standings, everybody = people.work, people.standings, room.members
    solving, solvers = room.solvers, 0
    head, kept, link = people.head, room.kept, room.link
    grades, birth, adult, last = people.grade, people.birth, people.adult, people.last
    for number in range(members):
        seat = place_of(number)
        player = place_of(everybody[seat])
        coming = place_of(everybody[place_of(min(number + AHEAD, members - 1))])
        prefetch(standings, coming)
        stored = load_standing(standings, player)
        if EXPLAINS:
            about(player)
        if HAS_RECALL:
            node = whole(head[player])
            while node >= 0:
                stored = recalled(stored, load_kept(kept, node), day, p)
                node = whole(link[node])
        grade = whole(grades[player])
        if declared and whole(work[seat]["grade"]) != NOT_GIVEN:
            grade = whole(work[seat]["grade"])
        if HAS_DECISIONS:
            forget_decided(people.decided, player, batch, batch_events)
        decided = decided_for(people.decided, player) if HAS_DECISIONS else no_decision()
        how = entering(player, grade, birth, adult, last, day, decided, start)
        if HAS_DECISIONS and is_decided(people.decided, player):
            stored = corrected(stored, decided, p)
        entered = enter(stored, how, facts, p)
        if HAS_DECISIONS and HAS_IN_FORCE and is_decided(people.decided, player):
            numbers = people.in_force
            set_number(numbers, batch % len(numbers), player, in_force(entered, p))
        store_entered(work, seat, entered)
        folds = HAS_FOLD and fold_applies(entered, p)
        work[seat]["folds"] = folds
        work[seat]["sides"] = 0
        work[seat]["until"] = NOT_GIVEN
        if HAS_MEMORY:
            work[seat]["reached"] = 0
        solving[place_of(solvers)] = number
        solvers += whole(not folds)
        if HAS_FOLD:
            store_tally(work, seat, fold_begin(entered, p))
    return solvers


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
    sides, waiting_games = room.sides, room.waiting
    seat_white, seat_black = room.seat_white, room.seat_black
    halves = 0
    white_named, black_named, status_column = games.white_number, games.black_number, games.status
    has_named = HAS_NAMED and len(white_named) > 0
    white_reached, black_reached = games.white_reached, games.black_reached
    has_reached = len(white_reached) > 0
    reached = 0
    has_handicaps, has_rated = len(handicap_column) > 0, len(rated_column) > 0
    condition_column = games.conditions
    has_conditions = HAS_MARGINS and len(condition_column) > 0
    has_days, has_slots = len(start_column) > 0, len(slot_column) > 0
    reported_column = games.reported
    white_for_column, black_for_column = games.white_for, games.black_for
    has_reported, has_replaced = len(reported_column) > 0, len(white_for_column) > 0
    mark, now = room.mark, (batch + 1) * SEATS
    white_for = black_for = NOBODY
    white_for_number = black_for_number = NOT_GIVEN
    slot = batch % len(numbers)
    row_numbers = numbers[place_of(slot)]
    far = end - begin > MANY and len(numbers) * len(row_numbers) > MANY
    status = 0
    stones = 0
    rated = 3
    conditions = NO_CONDITIONS
    waiting = 0
    current = -1
    first_of_event = after_event = 0
    asks = False
    facts = load_facts(facts_of_events, place_of(0), p)
    for place in range(begin, end):
        game = whole(waiting_games[place_of(place)]) if lays_out else place
        at = place_of(game)
        waits_here = False
        if far and not lays_out:
            coming = min(place + AHEAD, end - 1)
            prefetch(work, place_of(seat_white[place_of(coming - base)]))
            prefetch(work, place_of(seat_black[place_of(coming - base)]))
            if HAS_IN_FORCE:
                prefetch(row_numbers, place_of(white_column[place_of(coming)]))
                prefetch(row_numbers, place_of(black_column[place_of(coming)]))
        white, black = whole(white_column[at]), whole(black_column[at])
        points, event = whole(score_column[at]), whole(event_column[at])
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
        white_number = NOT_GIVEN
        black_number = NOT_GIVEN
        if HAS_IN_FORCE:
            if has_slots:
                slot = whole(slot_column[at])
            white_number = whole(number_at(numbers, place_of(slot), place_of(white)))
            black_number = whole(number_at(numbers, place_of(slot), place_of(black)))
        if has_named:
            white_number = white_number if white_named[at] == NOT_GIVEN else white_named[at]
            black_number = black_number if black_named[at] == NOT_GIVEN else black_named[at]
        if HAS_SUBSTITUTES and has_replaced:
            white_for, black_for = whole(white_for_column[at]), whole(black_for_column[at])
            white_for_number = black_for_number = NOT_GIVEN
            if white_for >= 0:
                white_for_number = whole(number_at(numbers, place_of(slot), place_of(white_for)))
            if black_for >= 0:
                black_for_number = whole(number_at(numbers, place_of(slot), place_of(black_for)))
        if HAS_STATUS:
            status = code_of(status_column[at])
        first_day = whole(start_column[at]) if has_days else whole(event_start[place_of(event)])
        last_day = whole(end_column[at]) if has_days else whole(event_end[place_of(event)])
        white_seat = whole(seat_white[place_of(game - base)])
        black_seat = whole(seat_black[place_of(game - base)])
        reported = whole(reported_column[at]) if has_reported else last_day
        for which in range(4 if HAS_SUBSTITUTES else 2):
            colour = which & 1
            player, other = (black, white) if colour else (white, black)
            mine = place_of(black_seat if colour else white_seat)
            number = black_number if colour else white_number
            part, partner, opponents_partner = Part.ALONE, NOT_GIVEN, NOT_GIVEN
            if HAS_SUBSTITUTES and has_replaced:
                partner = black_for_number if colour else white_for_number
                opponents_partner = white_for_number if colour else black_for_number
                if partner != NOT_GIVEN:
                    part = Part.SUBSTITUTE
            if HAS_SUBSTITUTES and which > 1:
                if partner == NOT_GIVEN:
                    continue
                part = Part.REPLACED
                player = black_for if colour else white_for
                mine = place_of(mark[place_of(player)] - now)
                number, partner = partner, number
            if HAS_MEMORY and has_reached:
                reached = 0
                if which < 2:
                    reached = whole((black_reached if colour else white_reached)[at])
                    work[mine]["reached"] = max(whole(work[mine]["reached"]), reached)
            if not low <= player < high or not (EXPLAINS or rated >> colour & 1):
                continue
            half = half_of(
                colour,
                number,
                white_number if colour else black_number,
                points,
                stones,
                first_day,
                last_day,
                event,
                0,
                other,
                game,
                conditions,
                status,
                reported,
                part,
                partner,
                opponents_partner,
                rated & RATED_SAID > 0,
            )
            if EXPLAINS:
                about(NOBODY if lays_out else player)
                plays_in(player, event)
            own = load_entered(work, mine)
            if HAS_EVENT_RULES and asks:
                half = event_half(half, own, facts, room.event_games, game - first_of_event, p)
            if EXPLAINS and not rated >> colour & 1:
                left_unrated(half, p)
                continue
            yours = place_of(white_seat if colour else black_seat)
            opponent = load_entered(work, yours)
            if HAS_MEMORY and has_reached:
                own = remembers(own, reached, p)
            halves += 1
            if not counts(half, own, opponent, facts, p):
                continue
            side = side_of(half, own, opponent, facts, p)
            if HAS_PREDICTED and which == 0 and not lays_out:
                room.predicted[at] = predicted(own, side, p)
            if HAS_FOLD and work[mine]["folds"]:
                if not lays_out:
                    tally = fold_add(load_tally(work, mine), own, side, p)
                    store_tally(work, mine, tally)
            elif lays_out:
                free = whole(work[mine]["end"])
                store_side(sides, place_of(free), side)
                work[mine]["end"] = free + 1
            else:
                if GROWS:
                    grow(work, mine, side)
                work[mine]["sides"] += 1
                work[mine]["until"] = max(whole(work[mine]["until"]), last_day)
                waits_here = True
        if waits_here:
            waiting_games[place_of(waiting)] = game
            waiting += 1
    if EXPLAINS:
        about(NOBODY)
    if not lays_out:
        # Until everybody has left: those in a row of changes are taken off.
        room.passed_over[0] += halves
    return waiting
