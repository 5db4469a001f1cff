"""What corrections say of a game, one after another, and the game as they say it.

A correction names entries: ``white``, who has White, and ``sides``, as whose result and flag
``half`` and ``rated`` are told, White's first.  So what several say does not hang on what else held
when each was asked for, nor on the colours in the version of a report.  It calls them by the
numbers that they had in the version that counted then; which of them is ``first`` in the key of the
game says who they are in a version that numbers its entries anew.  Older facts lack that, and go by
the numbers where a version has both.  Facts that are older still name nobody: they speak of White
and Black as these were then, and their ``swap`` turns what it finds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

Said = Mapping[str, Any]

_OTHER_SIDE = {"white": "black", "black": "white"}


class Sides(NamedTuple):
    """Who plays a game in a version of its report, by the numbers of their entries."""

    white: str
    black: str
    first: str
    """Who of the two comes first in the key of the game, which is the same in all versions."""


def called(said: Said, sides: Sides) -> tuple[str, str]:
    """What a correction calls White and Black of a version."""
    one, other = said.get("sides", sides[:2])
    if "first" in said:
        is_as_said = (said["first"] == one) == (sides.first == sides.white)
        return (one, other) if is_as_said else (other, one)
    return sides[:2] if {one, other} == {*sides[:2]} else (one, other)


def numbered(said: Said, sides: Sides) -> tuple[str, ...]:
    """Those whom a correction names, in its order, by the numbers of a version."""
    of = dict(zip(called(said, sides), sides[:2], strict=True))
    return tuple(of[each] for each in said.get("sides", of))


def told(every: Iterable[Said], sides: Sides, before: Mapping[str, Any] = {}) -> dict[str, Any]:
    """What holds of a game by them: ``half``, ``rated``, ``status``, and if it is ``turned``.

    Of its sides as a version reports them; of each the last word.  ``before``: what held by others.
    """
    found = dict(before)
    for said in every:
        is_turned = found.get("turned", False)
        white, _black = called(said, sides)
        of_others = said["sides"][0] != white if "sides" in said else is_turned
        if "half" in said:
            found["half"] = _of_other(said["half"]) if of_others else said["half"]
        if "rated" in said:
            found["rated"] = _for_other(said["rated"]) if of_others else said["rated"]
        if "status" in said:
            found["status"] = said["status"]
        if "white" in said:
            found["turned"] = said["white"] != white
        elif said.get("swap"):
            found["turned"] = not is_turned
    return found


def fixed(row: Said, holds: Said) -> dict[str, Any]:
    """A game with what holds of it: with the colours turned each player keeps the points."""
    kept = {name: holds[name] for name in ("half", "rated", "status") if name in holds}
    found = {**row, **kept}
    return turned(found) if holds.get("turned") else found


def turned(row: Said) -> dict[str, Any]:
    """The same game with the other one first."""
    return {
        **row, "white": row["black"], "black": row["white"], "half": _of_other(row["half"]),
        "rated": _for_other(row["rated"]),
    }  # fmt: skip


def attributes(said: Said) -> dict[str, Any]:
    """What is said of each, so that two who say the same of a game say so, whoever is first."""
    found = {name: x for name, x in said.items() if name not in _OF_SIDES}
    if "sides" in said:
        if said.get("half") in (0, 2):
            found["half"] = {"won": _in_key(said, said["sides"][0 if said["half"] else 1])}
        if said.get("rated") in _OTHER_SIDE:
            only = said["sides"][0 if said["rated"] == "white" else 1]
            found["rated"] = {"only": _in_key(said, only)}
    if "white" in said or said.get("swap"):
        # Who has White by an older word hangs on what it finds: that is nobody in particular.
        found["white"] = _in_key(said, said.get("white"))
    return found


_OF_SIDES = ("sides", "first", "white", "swap")


def _in_key(said: Said, side: str | None) -> str | None:
    """A side by its place in the key of the game, whatever its number is; older words lack that."""
    if "first" not in said or side is None:
        return side
    return "first" if side == said["first"] else "second"


def _of_other(half: int | None) -> int | None:
    return None if half is None else 2 - half


def _for_other(rated: Any) -> Any:
    return _OTHER_SIDE.get(rated, rated)
