"""What a new version of a report says otherwise than the one before, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_SHOWN = 20


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """The differences of two report documents, the event first, then players, then games."""
    words = [
        f"the event's {key} is {_shown(after)}, was {_shown(before)}"
        for key, before, after in _changed(old.get("event", {}), new.get("event", {}))
    ]
    words += _players(old, new)
    words += _games(old, new)
    return words if len(words) <= _SHOWN else [*words[:_SHOWN], f"and {len(words) - _SHOWN} more"]


def _players(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    before = {each["id"]: each for each in old["players"]}
    after = {each["id"]: each for each in new["players"]}
    words = [f"player {_name(before[k])} is gone" for k in before if k not in after]
    words += [f"player {_name(after[k])} is new" for k in after if k not in before]
    for key, player in before.items():
        words += [
            f"player {_name(after[key])}: {what} is {_shown(b)}, was {_shown(a)}"
            for what, a, b in _changed(player, after.get(key, player))
        ]
    return words


def _games(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    names = {each["id"]: _name(each) for each in (*old["players"], *new["players"])}
    before, after = _by_pair(old["games"]), _by_pair(new["games"])
    words = []
    for key in before:
        if key not in after:
            words.append(f"the game {_game(before[key], names)} is gone")
            continue
        words += [
            f"the game {_game(after[key], names)}: {what} is {_shown(b)}, was {_shown(a)}"
            for what, a, b in _changed(before[key], after[key])
        ]
    words += [f"the game {_game(after[k], names)} is new" for k in after if k not in before]
    return words


def _by_pair(games: Sequence[Mapping[str, Any]]) -> dict[tuple[Any, ...], Mapping[str, Any]]:
    found: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for game in games:
        pair = sorted((str(game.get("white")), str(game.get("black"))))
        key: tuple[Any, ...] = (
            game.get("event"), game.get("section"), game.get("round"), *pair, 0,
        )  # fmt: skip
        while key in found:
            key = (*key[:-1], key[-1] + 1)
        found[key] = game
    return found


def _changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[tuple[str, object, object]]:
    keys = dict.fromkeys((*old, *new))
    return [(key, old.get(key), new.get(key)) for key in keys if old.get(key) != new.get(key)]


def _name(player: Mapping[str, Any]) -> str:
    return str(player.get("name") or player["id"])


def _game(game: Mapping[str, Any], names: Mapping[str, str]) -> str:
    sides = " – ".join(names.get(str(game.get(side)), "nobody") for side in ("white", "black"))
    number = game.get("round")
    return f"{sides} of round {number}" if number else sides


def _shown(value: object) -> str:
    return "not said" if value is None else str(value)


def same_pairings(old: frozenset[tuple[object, ...]], new: frozenset[tuple[object, ...]]) -> float:
    """The share of the pairings of the shorter report that the other has as well.

    A pairing is a round and two folded names in their order, whoever had White.
    """
    least = min(len(old), len(new))
    return len(old & new) / least if least else 0.0
