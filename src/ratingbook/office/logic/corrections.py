"""What a correction asks for: contents of a few kinds, in words, and what is the same.

A content is a mapping with ``kind`` and what belongs to it:

========== ====================================================================================
game       ``key`` of the game and what to ``say``: ``half`` (None takes it out), ``rated``,
           ``status``, ``swap``
player     ``entry_id``, ``person``: who played, instead of whom it was said to be
merge      ``source``, ``target``: two persons are one
undo       ``fact``: a merge, a decision or an earlier correction no longer holds
move       ``sections``, ``days``: an event was on another day
pool       ``sections``, ``pool``: an event belongs to another pool
withdraw   ``sections``: an event is taken out
late       ``sections``: an event that was held, perhaps for years, is let in
opening    ``pool``, ``values``: by person all of that with which one comes in; None: nothing
decision   ``pool``, ``said``: what was decided of persons holds again: each with person, day,
           kind, value and reason
parameters ``pool``, ``parameters``, ``assume``: what the rules of a pool are set to
rules      ``pool``, ``before``, ``now``: the program of the rule book itself was mended
========== ====================================================================================
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ratingbook.office.logic.chain import canonical

Content = Mapping[str, Any]

_SAME = {
    "game": ("key", "say"), "player": ("entry_id", "person"), "merge": ("source", "target"),
    "undo": ("fact",), "move": ("sections", "days"), "pool": ("sections", "pool"),
    "withdraw": ("sections",), "late": ("sections",), "opening": ("pool", "values"),
    "decision": ("pool", "said"),
    "parameters": ("pool", "parameters", "assume"), "rules": ("pool", "before", "now"),
}  # fmt: skip
"""By what two contents of a kind are the same."""
KINDS = tuple(_SAME)
SCORES = {2: "1–0", 1: "½–½", 0: "0–1", None: "no game"}


def mark(contents: Iterable[Content]) -> str:
    """SHA-256 over what is asked for, whoever asks and in whatever words."""
    said = sorted(
        canonical([each["kind"], *(each.get(key) for key in _SAME[each["kind"]])])
        for each in contents
    )
    return hashlib.sha256(b"\n".join(said)).hexdigest()


def about(content: Content) -> list[str]:
    """What a content changes: two corrections of the same thing contradict each other."""
    kind = content["kind"]
    if kind == "game":
        return [f"{content['key']} {what}" for what in content["say"]]
    if kind == "player":
        return [f"entry {content['entry_id']}"]
    if kind == "merge":
        return [f"person {content['source']}"]
    if kind == "undo":
        return [f"fact {content['fact']}"]
    if kind in ("move", "pool", "withdraw", "late"):
        what = "state" if kind in ("withdraw", "late") else kind
        return [f"section {each} {what}" for each in content["sections"]]
    if kind == "opening":
        return [f"opening {content['pool']} {each}" for each in content["values"]]
    if kind == "decision":
        return [f"decision {content['pool']} {each[:3]}" for each in content["said"]]
    return [f"{kind} {content['pool']}"]


def in_words(content: Content) -> str:
    """What a content says, in a sentence without its full stop."""
    kind = content["kind"]
    if kind == "game":
        return _game(content)
    if kind in ("move", "pool", "withdraw", "late"):
        return _event(content)
    if kind == "player":
        return (
            f"{content['where']}: entry {content['entry']} ({content['name']}) is person "
            f"{content['person']}, not {content['before']}"
        )
    if kind == "merge":
        return f"person {content['source']} is person {content['target']}"
    if kind == "undo":
        return f"fact {content['fact']} ({content['of']}) no longer holds"
    if kind == "opening":
        return _opening(content)
    if kind == "decision":
        return _decision(content)
    if kind == "parameters":
        said = [f"{key} {'as usual' if v is None else v}" for key, v in _set(content).items()]
        return f"the rules of the pool {content['pool_name']}: {', '.join(said)}"
    return (
        f"the program of the rules of the pool {content['pool_name']} was mended (source "
        f"{content['before'][:8]} is now {content['now'][:8]})"
    )


def _set(content: Content) -> dict[str, Any]:
    found = dict(content["parameters"])
    if "assume" in content:
        found["assume"] = content["assume"]
    return found


def _game(content: Content) -> str:
    say, before = content["say"], content["before"]
    words = []
    if "half" in say:
        words.append(f"{SCORES[say['half']]} instead of {SCORES[before['half']]}")
    if say.get("swap"):
        words.append("the colours are the other way round")
    if "rated" in say:
        words.append(f"rated for {say['rated']} instead of {before['rated']}")
    if "status" in say:
        words.append(f"{say['status']} instead of {before['status']}")
    return f"{content['where']}: {', '.join(words)}"


def _event(content: Content) -> str:
    kind, where = content["kind"], content["where"]
    if kind == "move":
        days = content["days"]
        return f"{where}: {abs(days)} days {'later' if days > 0 else 'earlier'}"
    if kind == "pool":
        return f"{where}: belongs to the pool {content['pool_name']}"
    if kind == "withdraw":
        return f"{where}: taken out"
    return f"{where}: let in"


_SHOWN = 3


def _opening(content: Content) -> str:
    words = []
    for person, value in list(content["values"].items())[:_SHOWN]:
        old = (content.get("before") or {}).get(person) or {}
        new = value or {}
        keys = [key for key in (*old, *(k for k in new if k not in old))
                if old.get(key) != new.get(key)]  # fmt: skip
        said = ", ".join(
            f"{key} {_plain(new.get(key))}, was {_plain(old.get(key))}" for key in keys
        )
        words.append(f"person {person} comes in with {said or 'the same'}")
    more = len(content["values"]) - _SHOWN
    if more > 0:
        words.append(f"and {more} more persons")
    return f"pool {content['pool_name']}: {'; '.join(words)}"


def _decision(content: Content) -> str:
    said = content["said"]
    words = [
        f"{kind} {value:g} of person {person} from {day} holds again"
        for person, day, kind, value, _ in said[:_SHOWN]
    ]
    if len(said) > _SHOWN:
        words.append(f"and {len(said) - _SHOWN} more decisions")
    return f"pool {content['pool_name']}: {'; '.join(words)}"


def _plain(value: object) -> str:
    return "nothing" if value is None else f"{value}"


def sentences(contents: Sequence[Content]) -> list[str]:
    """All contents in words."""
    return [in_words(each) for each in contents]


def pools_of(contents: Iterable[Content]) -> set[int] | None:
    """The pools that they can reach; None: any."""
    found: set[int] = set()
    for each in contents:
        if each["kind"] in ("merge", "undo"):
            return None
        found |= {each["pool"]} if "pool" in each else set()
        found |= set(each.get("pools", ()))
    return found
