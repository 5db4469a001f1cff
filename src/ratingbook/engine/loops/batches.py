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
    SEATS,
    Batches,
    Events,
    Games,
    People,
    Room,
    Rows,
)
from ratingbook.engine.loops.games import rate_games
from ratingbook.engine.loops.halves import entering
from ratingbook.engine.loops.leaving import keep, settle
from ratingbook.engine.loops.names import (
    AHEAD,
    COUNTS_MEETINGS,
    EACH_GAME,
    EVERYBODY,
    EXPLAINS,
    FOLDS_ALL,
    GROWS,
    HAS_CARRIED,
    HAS_DECISIONS,
    HAS_FOLD,
    HAS_GRADES,
    HAS_IN_FORCE,
    HAS_KEPT,
    HAS_MEMORY,
    HAS_RECALL,
    HAS_REPEATS,
    HAS_SUBSTITUTES,
    MANY,
    about,
    corrected,
    decided_for,
    enter,
    fold_applies,
    fold_begin,
    fold_rare,
    forget_decided,
    in_force,
    is_decided,
    load_facts,
    load_kept,
    load_standing,
    no_decision,
    place_of,
    prefetch,
    recalled,
    seat_everybody,
    set_number,
    store_entered,
    store_tally,
    whole,
)
from ratingbook.engine.loops.passing import pass_games
from ratingbook.engine.loops.rounds import (
    count_meetings,
    lay_out,
    play_repeated,
    play_rounds,
)
from ratingbook.rules.bulk import NOT_GIVEN


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
    members = collect(batch, begin, end, games, people, room)
    if len(games.entry_white):
        declare(begin, end, games, room, people.aside)
    start = whole(events.start[batches.event[batch]])
    declared = len(games.entry_white) > 0
    solvers = let_enter(
        batch, members, room, people, facts, start, day, declared, batches.whole, p
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


def collect(batch: int, begin: int, end: int, games: Games, people: People, room: Room) -> int:
    """The players of the batch take their seats; gives how many there are.

    Without a branch, since whether a player is new cannot be foreseen.
    """
    white, black, mark = games.white, games.black, room.mark
    members, seat_white, seat_black = room.members, room.seat_white, room.seat_black
    standings, grade, head = people.standings, people.grade, people.head
    now = (batch + 1) * SEATS
    count = seat_everybody(batch, room)
    far = len(mark) > MANY
    # Of a small batch everybody enters before the cache has forgotten them.
    soon = end - begin <= MANY
    for game in range(begin, end):
        if far:
            # Beyond the end of the batch, too: the next one comes soon.
            coming = place_of(min(game + AHEAD, len(white) - 1))
            for colour in range(2):
                player = place_of((black if colour else white)[coming])
                prefetch(mark, player)
                if soon:
                    prefetch(standings, player)
                    if HAS_GRADES:
                        prefetch(grade, player)
                    if HAS_KEPT:
                        prefetch(head, player)
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


def declare(begin: int, end: int, games: Games, room: Room, aside: Any) -> None:
    """Notes the grades with which the players entered this event."""
    for game in range(begin, end):
        aside[room.seat_white[game - begin]]["grade"] = games.entry_white[game]
        aside[room.seat_black[game - begin]]["grade"] = games.entry_black[game]


def let_enter(
    batch: int,
    members: int,
    room: Room,
    people: People,
    facts: Any,
    start: int,
    day: int,
    declared: bool,
    wholes: Any,
    p: Any,
) -> int:
    """Everybody enters, before any game is looked at; gives for how many the round is no sum."""
    work, aside = people.work, people.aside
    standings, everybody = people.standings, room.members
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
        if declared and whole(aside[seat]["grade"]) != NOT_GIVEN:
            grade = whole(aside[seat]["grade"])
        if HAS_DECISIONS:
            forget_decided(people.decided, player, batch, wholes)
        decided = decided_for(people.decided, player) if HAS_DECISIONS else no_decision()
        how = entering(player, grade, birth, adult, last, day, decided, start)
        if HAS_DECISIONS and is_decided(people.decided, player):
            stored = corrected(stored, decided, p)
        entered = enter(stored, how, facts, p)
        if HAS_DECISIONS and HAS_IN_FORCE and is_decided(people.decided, player):
            numbers = people.in_force
            set_number(numbers, batch % len(numbers), player, in_force(entered, p))
        store_entered(work, aside, seat, entered, p)
        folds = FOLDS_ALL or (HAS_FOLD and fold_applies(entered, p))
        work[seat]["folds"] = folds
        if not folds:
            aside[seat]["sides"] = 0
            aside[seat]["until"] = NOT_GIVEN
            solving[place_of(solvers)] = number
            solvers += 1
        if HAS_MEMORY:
            aside[seat]["reached"] = 0
        if HAS_FOLD:
            store_tally(work, aside, seat, fold_begin(entered, p), fold_rare(p))
    return solvers
