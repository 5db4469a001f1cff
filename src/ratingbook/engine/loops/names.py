"""What the loops call by names that stand for any rule book.

They are bound by :mod:`ratingbook.engine.link`; what stands for them here is what
holds where an edition has no such thing, and how plain Python does what compiled code does
in its own way.
"""

from __future__ import annotations

from typing import Any


def code_of(value: Any) -> Any:
    """A code of a column; in compiled code one of 64 bits."""
    return value


def bound(*_: Any) -> Any:
    """Stands for a function of the rule book until one is bound."""
    raise NotImplementedError


def about(player: Any) -> None:
    """From here on it is about a player; NOBODY: nobody who wants it explained."""


def about_event(event: Any) -> None:
    """From here on it is about an event."""


def plays_in(player: Any, event: Any) -> None:
    """A player has a game in an event, and so is told what was said of it."""


def sure(condition: Any) -> None:
    """It is so; in compiled code nothing asks again that follows from it."""


def is_decided(decided: Any, player: Any) -> bool:
    """Whether the office decided something for a player."""
    return False


def forget_decided(decided: Any, player: Any, batch: Any, wholes: Any) -> None:
    """What was decided for an event, and was used in it, is forgotten in the next one."""


def use_up(decided: Any, player: Any, batch: Any) -> None:
    """A game of the player was rated: what is decided for one batch holds no more."""


def turn_begins(turn: int, settles: bool) -> None:
    """A turn of a round; what a round that settles said in the turn before does not hold."""


def grow(aside: Any, seat: Any, side: Any) -> None:
    """One more side of a player."""


def grown(aside: Any, seat: Any, sides: Any, place: Any) -> None:
    """Puts the sides of a player in their places."""


def left_unrated(half: Any, p: Any) -> None:
    """What an explanation says of a half that is not rated for its player."""


def seat_everybody(batch: int, room: Any) -> int:
    """Those take a seat who are in the batch whether or not they have a game; how many."""
    return 0


def decided_for(decided: Any, player: Any) -> Any:
    """What the office decided for a player; nothing, unless something is bound."""
    return no_decision()


def number_at(numbers: Any, slot: Any, player: Any) -> Any:
    """The number in force of a player."""
    return numbers[slot, player]


def set_number(numbers: Any, slot: Any, player: Any, number: Any) -> None:
    """Another number in force."""
    numbers[slot, player] = number


def copy_numbers(numbers: Any, slot: Any, to: Any) -> None:
    """All numbers of a list as those of the next one."""
    old, new = numbers[slot], numbers[to]
    # A loop compiles in a tenth of the time of a slice, and runs as fast.
    for player in range(len(old)):
        new[player] = old[player]


NOBODY = -1


reformed = told = standing_of = assumed = listed = enter = counts = side_of = kernel_of = bound
kernel_at = moved = leave = outcome = in_force = round_at = between = wants = bound
fold_applies = fold_begin = fold_add = fold_value = fold_rare = fold_changes_rare = bound
keeps = lasts = kept_side = bound
chosen_sides = carried_side = recalled = renewed = load_standing = store_standing = bound
load_entered = store_entered = load_tally = store_tally = load_value = store_value = bound
load_side = store_side = load_known = load_facts = load_kept = store_kept = view = bound
load_others = bound
event_wants = event_number = event_facts = event_half = bound
predicted = bound
other_of = set_meetings = no_decision = rating_decided = remembers = corrected = bound

EACH_GAME = False
HAS_FOLD = False
FOLDS_ALL = False
"""Whether the round of every player is a sum: then there is no other."""
HAS_KEPT = False
HAS_CARRIED = False
HAS_RECALL = False
HAS_RENEWAL = False
HAS_IN_FORCE = False
HAS_GRADES = False
"""Whether players enter with declared grades."""
HAS_REPEATS = False
HAS_BETWEEN = False
CHOOSES = COUNTS_MEETINGS = False
HAS_MARGINS = False
HAS_EVENT_RULES = False
HAS_PREDICTED = False
"""Whether somebody asks what was expected of each game."""
HAS_MEMORY = False
"""Whether a number that a game names as in force is remembered."""
HAS_STATUS = False
"""Whether games can have been played otherwise than over the board, or have no result."""
HAS_NAMED = False
"""Whether games can name ratings in force themselves."""
HAS_DECISIONS = False
HAS_SUBSTITUTES = False
"""Whether a player can sit at the board in place of another: a game has up to four halves."""
EXPLAINS = False
GROWS = False
"""Whether the sides of a player are a list that grows: then one pass over the games does."""
EVERYBODY = False
"""Whether those have a row, too, of whom nothing counted."""

whole = int
"""A whole number of 64 bits, whatever the column."""

place_of = int
"""A number as an index; without a sign in compiled code, where none has to be looked at."""


def prefetch(array: Any, index: Any) -> None:
    """Nothing; in compiled code the element begins to come from memory, and nobody waits."""


AHEAD = 16
"""How many games or players ahead the elements are fetched."""

MANY = 20_000
"""From so many elements on fetching ahead is worth its cost: fewer stay in the cache."""
