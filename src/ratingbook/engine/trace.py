"""Tracing: watch the tagged rule functions at work, without touching them.

While a trace is on, Python's profiling hook reports every call and return; calls
of tagged functions become steps.  The functions themselves are the very same
objects that rate without a trace.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

from ratingbook.rules.paragraph import Role, Rule, rules_of

_CALLERS = 5
"""How far up the calls a function is sought that was given one side, or half."""


@dataclass(slots=True)
class Call:
    """One call of a tagged function: what went in, what came out."""

    rule: Rule
    arguments: dict[str, object]
    depth: int
    """How many tagged functions it was called from."""
    value: object = None
    game: int | None = None
    """Index of the game that it was about, where it was about one."""
    phase: int = 0
    """Part of the batch: 0 before the rounds, then each round, then what follows."""
    said_at: int | None = None
    """Index of the game at which it was said, also where it is about more than that."""
    event: int | None = None
    """Number of the event in its batch, of what is said of an event and of no game."""


@dataclass(slots=True)
class Trace:
    """The calls of tagged functions, in the order in which they came to an end."""

    calls: list[Call] = field(default_factory=list)
    phase: int = 0
    """Set by whoever is traced; the calls remember it."""


def watcher(
    trace: Trace, roles: Collection[Role] | None = None
) -> Callable[[FrameType, str, object], None]:
    """A profiling hook that records the tagged functions in a trace; of ``roles`` only those."""
    running: list[tuple[FrameType, Call]] = []
    rule_of = rules_of(roles).get
    arguments_of: dict[int, tuple[str, ...]] = {}

    def watch(frame: FrameType, event: str, value: object) -> None:
        # Called for all that Python does, so the commonest case comes first.
        code = frame.f_code
        rule = rule_of(id(code))
        if rule is None:
            return
        if event == "call":
            names = arguments_of.get(id(code))
            if names is None:
                # Each time they are asked for, code makes its names anew.
                names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
                arguments_of[id(code)] = names
            # Each time it is asked for, a frame writes all of its variables anew; when it begins,
            # they are the arguments, and what a function that was made in another one has of it.
            known = frame.f_locals
            if len(known) == len(names):
                arguments = known.copy()
            else:
                arguments = {name: known[name] for name in names}
            # What is said once is about more than the game at which it is said.
            place = _game_of(frame)
            game = None if rule.once else place
            call = Call(rule, arguments, len(running), None, game, trace.phase, place)
            running.append((frame, call))
        elif event == "return" and running and running[-1][0] is frame:
            call = running.pop()[1]
            call.value = value
            trace.calls.append(call)

    return watch


def listen_again(before: Any) -> None:
    """Let go on who listened before, if anybody did."""
    if before is None or callable(before):
        sys.setprofile(before)
        return
    # The profiler of Python is no function, and begins by itself.
    sys.setprofile(None)
    before.enable()


@contextmanager
def traced() -> Iterator[Trace]:
    """Record the tagged functions that are called within the ``with`` block."""
    trace = Trace()
    before = sys.getprofile()
    sys.setprofile(watcher(trace))
    try:
        yield trace
    finally:
        listen_again(before)


@contextmanager
def those_called() -> Iterator[list[Rule]]:
    """The tagged functions that are called within the block, once each: a third of a trace."""
    found: list[Rule] = []
    rules, seen = rules_of(None), set[int]()

    def watch(frame: FrameType, event: str, value: object) -> None:
        code = id(frame.f_code)
        if event == "call" and code in rules and code not in seen:
            seen.add(code)
            found.append(rules[code])

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        yield found
    finally:
        listen_again(before)


def _game_of(frame: FrameType) -> int | None:
    """The game of the side, or half, that the call, or one of its callers, was given."""
    seen: FrameType | None = frame
    for _ in range(_CALLERS):
        if seen is None:
            return None
        code = seen.f_code
        _, name = _GIVEN.get(id(code)) or _learnt(code)
        if name is not None:
            game = getattr(seen.f_locals.get(name), "game", None)
            return game if isinstance(game, int) and game >= 0 else None
        seen = seen.f_back
    return None


_GIVEN: dict[int, tuple[CodeType, str | None]] = {}
"""Which argument of a function is the side, or half, that it was given, by the code's identity."""


def _learnt(code: CodeType) -> tuple[CodeType, str | None]:
    names = code.co_varnames[: code.co_argcount]
    # It keeps the code, whose identity would else be another's one day.
    known = code, next((name for name in ("side", "half") if name in names), None)
    _GIVEN[id(code)] = known
    return known
