"""How many arguments the functions of a declaration take: looked at when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

from ratingbook.rules.paragraph import place_of

_TAKES_ANY = 0x04
"""The flag of code with ``*arguments``."""

EXPECTED: Mapping[str, Mapping[str, str]] = {
    "Bulk": {
        "leave": "entered, value, p",
        "standing_of": "known, p",
        "enter": "standing, how, facts, p",
        "counts": "half, own, opponent, facts, p",
        "side_of": "half, own, opponent, facts, p",
        "outcome": "stored, entered, value, left, p",
        "listed": "standing, p",
        "facts_of": "event, p",
        "exact": "entered, value, left, p",
        "known_of": "standing, p",
        "predicted": "entered, side, p",
        "performance": "entered, sides, value, p",
        "performance_against": "total, score, games",
        "left_unrated": "half, p",
        "counted": "entered, sides, p",
        "moved": "side, value",
        "kernel_at": "facts, turn, p",
        "round_at": "number, p",
        "wants": "value",
        "between": "entered, value",
        "in_force": "standing, p",
        "corrected": "standing, decided, p",
        "remembers": "standing, number, p",
        "caveat_of": "event, p",
        "assumed_facts": "facts, rating, p",
        "assumed": "known, rating, p",
        "opponents_number": "entered, side, value, p",
        "reformed": "standing, p",
        "kernels": "entered, sides, p",
        "codes": "text",
    },
    "Fold": {
        "begin": "entered, p",
        "add": "tally, entered, side, p",
        "value": "entered, tally, p",
        "applies": "entered, p",
        "needs_rare": "p",
        "changes_rare": "tally, side, p",
        "resumed": "entered, carried, games, p",
        "settled": "tally, entered, games, p",
    },
    "Keeping": {
        "keeps": "left, p",
        "chosen": "sides, entered, left, p",
        "keep": "side, start, entered, left, p",
        "lasts": "kept, day, p",
        "side": "kept, entered, p",
        "recall": "standing, kept, day, p",
        "renewed": "kept, entered, left, p",
        "thawed": "frozen, standing, p",
        "frozen": "kept, was, made, opponent, p",
        "assumed": "known, p",
        "tells_assumed": "games",
    },
    "EventRules": {
        "wants": "facts, p",
        "number": "entered, number, p",
        "facts": "facts, games, count, p",
        "half": "half, own, facts, games, index, p",
    },
    "FieldRules": {"wants": "facts, p", "facts": "facts, numbers, p"},
}
"""The arguments of the fields that are functions, or several functions."""


def check_arities(declared: Any) -> None:
    """Raise TypeError if a function of the declaration cannot be called as it will be."""
    kind = type(declared).__name__
    for field, names in EXPECTED[kind].items():
        given = getattr(declared, field)
        if isinstance(given, tuple):
            several = given
        else:
            several = (*given.values(),) if isinstance(given, Mapping) else (given,)
        for function in several:
            if isinstance(function, FunctionType):
                _check(f"{kind}.{field}", function, names)


def _check(field: str, function: FunctionType, names: str) -> None:
    code, wanted = function.__code__, names.count(",") + 1
    most = code.co_argcount
    least = most - len(function.__defaults__ or ())
    needs_words = code.co_kwonlyargcount - len(function.__kwdefaults__ or {})
    if needs_words == 0 and least <= wanted and (wanted <= most or code.co_flags & _TAKES_ANY):
        return
    own = ", ".join(code.co_varnames[: most + code.co_kwonlyargcount])
    raise TypeError(
        f"{field} is called with ({names}); {function.__name__}({own}) "
        f"({place_of(function)}) takes other arguments"
    )
