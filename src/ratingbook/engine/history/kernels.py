"""The loops over batches, players and games, for any rule book.

They are written once, in the part of Python that compiles.  The names of the rule book
(``enter``, ``side_of``, ``leave`` …) are bound by :mod:`.link`; what stands for them here
is what holds where an edition has no such thing.

A batch goes through these steps:

1.  the players of the batch are collected, and enter;
2.  the games are passed in order: where the round is a sum (a *fold*) the side is added
    to its player's tally at once, else it is counted;
3.  the sides that were counted are laid out player by player, kept ones first, and the
    kernels of the rounds go over them;
4.  everybody leaves: new standing, row of changes, kept sides, number in force.

Nothing that is summed here depends on the order of the games.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ratingbook.engine.history.arrays import Batches, Events, Games, People, Room, Rows
from ratingbook.engine.history.columns import NO_CONDITIONS, NO_MARGIN
from ratingbook.rules.bulk import NO_NUMBER, NOT_GIVEN, Entered, Half

NOBODY = -1


def bound(*_: Any) -> Any:
    """Stands for a function of the rule book until one is bound."""
    raise NotImplementedError


reformed = standing_of = assumed = listed = enter = counts = side_of = bound
kernel_of = kernel_at = moved = leave = outcome = in_force = bound
round_at = between = wants = bound
fold_applies = fold_begin = fold_add = fold_value = bound
keeps = lasts = kept_side = side_is_kept = carried_side = recalled = bound
load_standing = store_standing = load_entered = store_entered = bound
load_tally = store_tally = load_value = store_value = load_side = store_side = bound
whole = int
"""A whole number of 64 bits, whatever the column."""


def lent(array: Any) -> Any:
    """The array itself; in compiled code one whose references are not counted."""
    return array


def prefetch(array: Any, index: Any) -> None:
    """Nothing; in compiled code the element begins to come from memory, and nobody waits."""


AHEAD = 16
"""How many games or players ahead the elements are fetched."""

MANY = 20_000
"""From so many elements on fetching ahead is worth its cost: fewer stay in the cache."""

place_of = int
"""A number as an index; without a sign in compiled code, where none has to be looked at."""

load_known = load_facts = load_kept = store_kept = view = other_of = set_meetings = bound

EACH_GAME = False
HAS_FOLD = False
HAS_KEPT = False
HAS_CARRIED = False
HAS_RECALL = False
HAS_IN_FORCE = False
HAS_REPEATS = False
HAS_BETWEEN = False
COUNTS_MEETINGS = False
HAS_MARGINS = False


def won_by(conditions: Any, colour: Any) -> Any:
    """By how much the side of that colour won a game, if that is asked and said."""
    margin = conditions >> 1
    if not HAS_MARGINS or margin == NO_MARGIN:
        return NOT_GIVEN
    return -margin if colour else margin


def at_home(conditions: Any, colour: Any) -> int:
    """1 for the side at home, −1 for its guest, 0 where there is none."""
    if not HAS_MARGINS or conditions & 1:
        return 0
    return -1 if colour else 1


def first_standings(known: Any, standings: Any, assume: float, in_force_row: Any, p: Any) -> None:
    """The standings before the first batch; ``assume`` NaN: nobody is assumed to have a rating."""
    for player in range(len(standings)):
        said = load_known(known, player)
        standing = standing_of(said, p)
        if not np.isnan(assume) and np.isnan(listed(standing, p).rating):
            standing = assumed(said, assume, p)
        store_standing(standings, player, standing)
        if HAS_IN_FORCE:
            in_force_row[player] = in_force(standing, p)


def reform_all(standings: Any, in_force_row: Any, p: Any) -> None:
    """A one-off change of all standings, after the list to which it belongs."""
    for player in range(len(standings)):
        standing = reformed(load_standing(standings, player), p)
        store_standing(standings, player, standing)
        if HAS_IN_FORCE:
            in_force_row[player] = in_force(standing, p)


def final_table(
    standings: Any, rating: Any, games: Any, status: Any, published: Any, p: Any
) -> None:
    """What the table of ratings says of everybody."""
    for player in range(len(standings)):
        row = listed(load_standing(standings, player), p)
        rating[player] = row.rating
        games[player] = row.games
        status[player] = row.status
        published[player] = row.published


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
            rate_games(batch, begin, end, games, events, people, rows, p)
        else:
            rate_batch(batch, begin, end, games, events, batches, people, room, rows, low, high, p)
    return last


def lacks_room(count: int, people: People, room: Room, rows: Rows) -> bool:
    """Whether a batch of so many games might not fit."""
    most = 2 * count if EACH_GAME else min(2 * count, len(people.standings))
    if not EACH_GAME and (count > len(room.seat_white) or most >= len(room.members)):
        return True
    if len(rows.player) and whole(rows.used[0]) + most > len(rows.player):
        return True
    if HAS_KEPT and whole(room.free[1]) < 2 * count:
        return True
    kept = len(room.kept) - whole(room.free[1]) if HAS_CARRIED else 0
    return 2 * count + kept > len(room.sides)


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
    facts = load_facts(events.facts, whole(batches.event[batch]))
    day = whole(batches.day[batch])
    members = collect(batch, begin, end, games, room)
    if len(games.entry_white):
        declare(begin, end, games, room, people.work)
    start = whole(events.start[batches.event[batch]])
    declared = len(games.entry_white) > 0
    solvers = let_enter(members, room, people, facts, start, day, declared, p)
    waiting = pass_games(begin, begin, end, batch, games, events, people, room, False, low, high, p)
    settled = True
    if waiting:
        lay_out(solvers, room, people, day, p)
        pass_games(begin, 0, waiting, batch, games, events, people, room, True, low, high, p)
        if COUNTS_MEETINGS:
            count_meetings(solvers, room, people)
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
        keep(solvers, games, events, people, room, day, p)


def rate_games(
    batch: int,
    begin: int,
    end: int,
    games: Games,
    events: Events,
    people: People,
    rows: Rows,
    p: Any,
) -> None:
    """Each game by itself, one after the other: both players go on with their new standings."""
    white_column, black_column, score_column = (
        lent(games.white),
        lent(games.black),
        lent(games.score),
    )
    handicap_column, rated_column, event_column = (
        lent(games.handicap),
        lent(games.rated),
        lent(games.event),
    )
    start_column, end_column, facts_of_events = (
        lent(games.start),
        lent(games.end),
        lent(events.facts),
    )
    condition_column = lent(games.conditions)
    decided_white, decided_black = lent(games.entry_white), lent(games.entry_black)
    has_handicaps, has_rated = len(handicap_column) > 0, len(rated_column) > 0
    has_conditions = HAS_MARGINS and len(condition_column) > 0
    has_decided = len(decided_white) > 0
    standings, last = lent(people.standings), lent(people.last)
    birth, adult, grade = lent(people.birth), lent(people.adult), lent(people.grade)
    far = len(standings) > MANY
    written = lent_rows(rows)
    row, has_rows = whole(written.used[0]), len(written.player) > 0
    stones = 0
    rated = 3
    conditions = NO_CONDITIONS
    decided_for_white = decided_for_black = NO_NUMBER
    for game in range(begin, end):
        at = place_of(game)
        white, black = whole(white_column[at]), whole(black_column[at])
        points, event = whole(score_column[at]), whole(event_column[at])
        facts = load_facts(facts_of_events, place_of(event))
        first_day, day = whole(start_column[at]), whole(end_column[at])
        if has_handicaps:
            stones = whole(handicap_column[at])
        if has_rated:
            rated = whole(rated_column[at])
        if has_conditions:
            conditions = whole(condition_column[at])
        if has_decided:
            decided_for_white = float(decided_white[at])
            decided_for_black = float(decided_black[at])
        if far:
            coming = place_of(min(game + AHEAD, end - 1))
            prefetch(standings, place_of(white_column[coming]))
            prefetch(standings, place_of(black_column[coming]))
        stored_white = load_standing(standings, place_of(white))
        stored_black = load_standing(standings, place_of(black))
        # Both enter before either has a new standing.
        entered_white = enter(
            stored_white,
            Entered(
                whole(grade[place_of(white)]),
                whole(birth[place_of(white)]),
                bool(adult[place_of(white)]),
                whole(last[place_of(white)]),
                day,
                decided_for_white,
                first_day,
            ),
            facts,
            p,
        )
        entered_black = enter(
            stored_black,
            Entered(
                whole(grade[place_of(black)]),
                whole(birth[place_of(black)]),
                bool(adult[place_of(black)]),
                whole(last[place_of(black)]),
                day,
                decided_for_black,
                first_day,
            ),
            facts,
            p,
        )
        for colour in range(2):
            if not rated >> colour & 1:
                continue
            player, other = (black, white) if colour else (white, black)
            stored = stored_black if colour else stored_white
            own = entered_black if colour else entered_white
            opponent = entered_white if colour else entered_black
            mine = place_of(player)
            half = Half(
                0,
                0,
                2 - points if colour else points,
                stones if colour else 0,
                0 if colour else stones,
                first_day,
                day,
                event,
                1,
                other,
                game,
                won_by(conditions, colour),
                at_home(conditions, colour),
            )
            if not counts(half, own, opponent, facts, p):
                continue
            side = side_of(half, own, opponent, facts, p)
            value = fold_value(own, fold_add(fold_begin(own, p), own, side, p), p)
            left = leave(own, value, p)
            store_standing(standings, mine, left)
            last[mine] = day
            if not has_rows:
                continue
            made = outcome(stored, own, value, left, p)
            write_row(written, place_of(row), player, batch, made, left)
            row += 1
    rows.used[0] = row


def lent_rows(rows: Rows) -> Rows:
    """The columns of rows, lent."""
    return Rows(
        lent(rows.used),
        lent(rows.player),
        lent(rows.batch),
        lent(rows.before),
        lent(rows.after),
        lent(rows.games),
        lent(rows.score),
        lent(rows.expected),
        lent(rows.left),
    )


def write_row(rows: Rows, at: Any, player: Any, batch: int, made: Any, left: Any) -> None:
    """One row of changes."""
    rows.player[at] = player
    rows.batch[at] = batch
    rows.before[at] = made.before
    rows.after[at] = made.after
    rows.games[at] = made.games
    rows.score[at] = made.score / 2
    rows.expected[at] = made.expected
    if len(rows.left):
        store_standing(rows.left, at, left)


SEATS = 1 << 32
"""A mark is the number of the batch, from 1, times this, and the seat."""


def collect(batch: int, begin: int, end: int, games: Games, room: Room) -> int:
    """The players of the batch take their seats; gives how many there are.

    Without a branch, since whether a player is new cannot be foreseen.
    """
    white, black, mark = lent(games.white), lent(games.black), lent(room.mark)
    members, seat_white, seat_black = (
        lent(room.members), lent(room.seat_white), lent(room.seat_black),
    )  # fmt: skip
    now = (batch + 1) * SEATS
    count = 0
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
    return count


def declare(begin: int, end: int, games: Games, room: Room, work: Any) -> None:
    """Notes the grades with which the players entered this event."""
    for game in range(begin, end):
        work[room.seat_white[game - begin]]["grade"] = games.entry_white[game]
        work[room.seat_black[game - begin]]["grade"] = games.entry_black[game]


def let_enter(
    members: int,
    room: Room,
    people: People,
    facts: Any,
    start: int,
    day: int,
    declared: bool,
    p: Any,
) -> int:
    """Everybody enters, before any game is looked at; gives for how many the round is no sum."""
    work, standings, everybody = lent(people.work), lent(people.standings), lent(room.members)
    solving, solvers = lent(room.solvers), 0
    head, kept, link = lent(people.head), lent(room.kept), lent(room.link)
    grades, birth, adult, last = (
        lent(people.grade),
        lent(people.birth),
        lent(people.adult),
        lent(people.last),
    )
    for number in range(members):
        seat = place_of(number)
        player = place_of(everybody[seat])
        coming = place_of(everybody[place_of(min(number + AHEAD, members - 1))])
        prefetch(standings, coming)
        stored = load_standing(standings, player)
        if HAS_RECALL:
            node = whole(head[player])
            while node >= 0:
                stored = recalled(stored, load_kept(kept, node), day, p)
                node = whole(link[node])
        grade = whole(grades[player])
        if declared and whole(work[seat]["grade"]) != NOT_GIVEN:
            grade = whole(work[seat]["grade"])
        how = Entered(
            grade,
            whole(birth[player]),
            bool(adult[player]),
            whole(last[player]),
            day,
            NO_NUMBER,
            start,
        )
        entered = enter(stored, how, facts, p)
        store_entered(work, seat, entered)
        folds = HAS_FOLD and fold_applies(entered, p)
        work[seat]["folds"] = folds
        work[seat]["sides"] = 0
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
    white_column, black_column, score_column = (
        lent(games.white),
        lent(games.black),
        lent(games.score),
    )
    handicap_column, rated_column = lent(games.handicap), lent(games.rated)
    event_column, start_column, end_column = lent(games.event), lent(games.start), lent(games.end)
    slot_column, event_start, event_end = lent(games.slot), lent(events.start), lent(events.end)
    facts_of_events, numbers, work = lent(events.facts), lent(people.in_force), lent(people.work)
    sides, waiting_games = lent(room.sides), lent(room.waiting)
    seat_white, seat_black = lent(room.seat_white), lent(room.seat_black)
    passed_over = 0
    has_handicaps, has_rated = len(handicap_column) > 0, len(rated_column) > 0
    condition_column = lent(games.conditions)
    has_conditions = HAS_MARGINS and len(condition_column) > 0
    has_days, has_slots = len(start_column) > 0, len(slot_column) > 0
    slot = batch % len(numbers)
    row_numbers = numbers[place_of(slot)]
    far = end - begin > MANY and len(numbers) * len(row_numbers) > MANY
    stones = 0
    rated = 3
    conditions = NO_CONDITIONS
    white_number = 0
    black_number = 0
    waiting = 0
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
        facts = load_facts(facts_of_events, place_of(event))
        if has_handicaps:
            stones = whole(handicap_column[at])
        if has_rated:
            rated = whole(rated_column[at])
        if has_conditions:
            conditions = whole(condition_column[at])
        if HAS_IN_FORCE:
            if has_slots:
                slot = whole(slot_column[at])
            white_number = whole(numbers[place_of(slot), place_of(white)])
            black_number = whole(numbers[place_of(slot), place_of(black)])
        first_day = whole(start_column[at]) if has_days else whole(event_start[place_of(event)])
        last_day = whole(end_column[at]) if has_days else whole(event_end[place_of(event)])
        white_seat = whole(seat_white[place_of(game - base)])
        black_seat = whole(seat_black[place_of(game - base)])
        for colour in range(2):
            player, other = (black, white) if colour else (white, black)
            if not (rated >> colour & 1 and low <= player < high):
                continue
            half = Half(
                black_number if colour else white_number,
                white_number if colour else black_number,
                2 - points if colour else points,
                stones if colour else 0,
                0 if colour else stones,
                first_day,
                last_day,
                event,
                0,
                other,
                game,
                won_by(conditions, colour),
                at_home(conditions, colour),
            )
            mine = place_of(black_seat if colour else white_seat)
            yours = place_of(white_seat if colour else black_seat)
            own, opponent = load_entered(work, mine), load_entered(work, yours)
            if not counts(half, own, opponent, facts, p):
                passed_over += 1
                continue
            side = side_of(half, own, opponent, facts, p)
            if HAS_FOLD and work[mine]["folds"]:
                if not lays_out:
                    tally = fold_add(load_tally(work, mine), own, side, p)
                    store_tally(work, mine, tally)
            elif lays_out:
                free = whole(work[mine]["end"])
                store_side(sides, place_of(free), side)
                work[mine]["end"] = free + 1
            else:
                work[mine]["sides"] += 1
                waits_here = True
        if waits_here:
            waiting_games[place_of(waiting)] = game
            waiting += 1
    if not lays_out:
        room.passed_over[0] += passed_over
    return waiting


def lay_out(solvers: int, room: Room, people: People, day: int, p: Any) -> None:
    """Gives each player a stretch of the sides, and puts the kept ones at its beginning.

    Afterwards ``first`` is where the stretch begins and ``end`` where the next side goes.
    """
    work, solving, sides = lent(people.work), lent(room.solvers), lent(room.sides)
    everybody = lent(room.members)
    head, kept, link = lent(people.head), lent(room.kept), lent(room.link)
    place = 0
    for number in range(solvers):
        seat = place_of(solving[place_of(number)])
        work[seat]["first"] = place
        waiting = whole(work[seat]["sides"])
        if waiting and HAS_CARRIED:
            entered = load_entered(work, seat)
            node = whole(head[place_of(everybody[seat])])
            while node >= 0:
                carried = load_kept(kept, node)
                if lasts(carried, day, p):
                    store_side(sides, place, carried_side(carried, entered, p))
                    place += 1
                node = whole(link[node])
        work[seat]["end"] = place
        place += waiting


def count_meetings(solvers: int, room: Room, people: People) -> None:
    """How often everybody meets each opponent."""
    work, solving, sides = lent(people.work), lent(room.solvers), lent(room.sides)
    for number in range(solvers):
        seat = place_of(solving[place_of(number)])
        first, end = whole(work[seat]["first"]), whole(work[seat]["end"])
        for place in range(first, end):
            meetings = 0
            for another in range(first, end):
                meetings += whole(other_of(sides, place) == other_of(sides, another))
            set_meetings(sides, place, meetings)


def play_rounds(solvers: int, room: Room, people: People, facts: Any, p: Any) -> None:
    """The rounds: everybody's value, from the opponents' values of the round before."""
    turn = 0
    kernel = kernel_at(facts, turn, p)
    while kernel >= 0:
        play_turn(kernel, turn > 0, solvers, room, people, p)
        turn += 1
        kernel = kernel_at(facts, turn, p)


def play_repeated(solvers: int, room: Room, people: People, p: Any) -> bool:
    """The same where rounds are repeated until nothing moves; whether all settled that must."""
    played = False
    number = 0
    turns = round_at(number, p)
    while turns.kernel >= 0:
        if not turns.wanted or somebody_wants(solvers, room, people):
            moves = True
            turn = 0
            while moves and turn < turns.at_most:
                most = play_turn(turns.kernel, played, solvers, room, people, p)
                if turn > 0 or (turns.goes_on and played):
                    moves = most >= turns.still
                played = True
                turn += 1
            if moves and turns.must_settle:
                return False
        number += 1
        turns = round_at(number, p)
    return True


def somebody_wants(solvers: int, room: Room, people: People) -> bool:
    """Whether a value of the round before wants the next round."""
    values, solving, everybody = lent(people.values), lent(room.solvers), lent(room.members)
    for number in range(solvers):
        if wants(load_value(values, place_of(everybody[place_of(solving[place_of(number)])]))):
            return True
    return False


def play_turn(kernel: int, played: bool, solvers: int, room: Room, people: People, p: Any) -> float:
    """One turn of a round; gives by how much a value moved at most, where a round is repeated.

    ``played`` says whether there was a round before.
    """
    work, sides, values = lent(people.work), lent(room.sides), lent(people.values)
    solving, everybody = lent(room.solvers), lent(room.members)
    most = 0.0
    for number in range(solvers if played else 0):
        seat = place_of(solving[place_of(number)])
        for place in range(whole(work[seat]["first"]), whole(work[seat]["end"])):
            side = load_side(sides, place)
            if side.other >= 0:
                store_side(sides, place, moved(side, load_value(values, side.other)))
    for number in range(solvers):
        seat = place_of(solving[place_of(number)])
        first, end = whole(work[seat]["first"]), whole(work[seat]["end"])
        player = place_of(everybody[seat])
        entered = load_entered(work, seat)
        if HAS_BETWEEN and played:
            entered = between(entered, load_value(values, player))
        value = kernel_of(kernel, entered, view(sides, first, end), p)
        if HAS_REPEATS:
            most = max(most, float(abs(value.value - load_value(values, player).value)))
        store_value(values, player, value)
    return most


def settle(
    batch: int,
    members: int,
    people: People,
    room: Room,
    rows: Rows,
    low: int,
    high: int,
    day: int,
    p: Any,
) -> None:
    """Everybody with a game that counted leaves with a new standing."""
    numbers, work, standings, values = (
        lent(people.in_force), lent(people.work), lent(people.standings), lent(people.values),
    )  # fmt: skip
    everybody, last = lent(room.members), lent(people.last)
    written = lent_rows(rows)
    row, has_rows = whole(written.used[0]), len(written.player) > 0
    now = (batch + 1) % len(numbers)
    if HAS_IN_FORCE and len(numbers) > 1:
        numbers[now, :] = numbers[batch % len(numbers), :]
    for number in range(members):
        seat = place_of(number)
        player = place_of(everybody[seat])
        coming = place_of(everybody[place_of(min(number + AHEAD, members - 1))])
        prefetch(standings, coming)
        if not low <= whole(player) < high:
            continue
        folds = HAS_FOLD and bool(work[seat]["folds"])
        if not folds and whole(work[seat]["sides"]) == 0:
            continue
        entered = load_entered(work, seat)
        if folds:
            value = fold_value(entered, load_tally(work, seat), p)
        else:
            value = load_value(values, player)
        stored = load_standing(standings, player)
        left = leave(entered, value, p)
        made = outcome(stored, entered, value, left, p)
        if made.games == 0:
            work[seat]["sides"] = 0
            continue
        store_standing(standings, player, left)
        last[player] = day
        if HAS_IN_FORCE:
            numbers[place_of(now), player] = in_force(left, p)
        if not has_rows:
            continue
        write_row(written, place_of(row), player, batch, made, left)
        row += 1
    rows.used[0] = row


def keep(
    solvers: int, games: Games, events: Events, people: People, room: Room, day: int, p: Any
) -> None:
    """What later batches need of those who have left this one; who is summed up keeps nothing."""
    work, standings, head = lent(people.work), lent(people.standings), lent(people.head)
    solving, everybody = lent(room.solvers), lent(room.members)
    for number in range(solvers):
        seat = place_of(solving[place_of(number)])
        if whole(work[seat]["sides"]) == 0:
            continue
        player = place_of(everybody[seat])
        left = load_standing(standings, player)
        stays = keeps(left, p)
        if whole(head[player]) >= 0:
            forget(player, people, room, day, stays, p)
        if stays:
            keep_sides(seat, player, left, games, events, people, room, p)


def keep_sides(
    seat: Any,
    player: Any,
    left: Any,
    games: Games,
    events: Events,
    people: People,
    room: Room,
    p: Any,
) -> None:
    """Keeps the sides of this batch that the player's later ones need."""
    work = lent(people.work)
    entered = load_entered(work, seat)
    first, end = whole(work[seat]["first"]), whole(work[seat]["end"])
    sides = view(lent(room.sides), first, end)
    for index in range(end - first):
        side = load_side(lent(room.sides), first + index)
        if side.game >= 0 and side_is_kept(sides, index, entered, left, p):
            event = whole(lent(games.event)[side.game])
            start = (
                whole(games.start[side.game]) if len(games.start) else whole(events.start[event])
            )
            node = whole(lent(room.free)[0])
            room.free[0] = room.link[node]
            room.free[1] -= 1
            store_kept(room.kept, node, kept_side(side, start, entered, left, p))
            room.link[node] = NOBODY
            if people.head[player] < 0:
                people.head[player] = node
            else:
                room.link[people.tail[player]] = node
            people.tail[player] = node


def forget(player: Any, people: People, room: Room, day: int, stays: bool, p: Any) -> None:
    """Frees the places of kept sides that are not needed any more."""
    node = whole(lent(people.head)[player])
    before = NOBODY
    while node >= 0:
        following = whole(lent(room.link)[node])
        if stays and lasts(load_kept(room.kept, node), day, p):
            before = node
        else:
            if before < 0:
                people.head[player] = following
            else:
                room.link[before] = following
            room.link[node] = room.free[0]
            room.free[0] = node
            room.free[1] += 1
        node = following
    people.tail[player] = before
