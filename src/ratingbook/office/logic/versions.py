"""What a new version of a report says otherwise than the one before, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ratingbook.model.sentences import Sentence, sentence

_SHOWN = 20


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Sentence]:
    """The differences of two report documents, the event first, then players, then games."""
    words = [
        sentence(
            "the event's {key} is {after}, was {before}",
            key=key,
            after=_shown(after),
            before=_shown(before),
        )
        for key, before, after in _changed(old.get("event", {}), new.get("event", {}))
    ]
    words += _players(old, new)
    words += _games(old, new)
    if len(words) <= _SHOWN:
        return words
    return [*words[:_SHOWN], sentence("and {n} more", n=len(words) - _SHOWN)]


def _players(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Sentence]:
    before = {each["id"]: each for each in old["players"]}
    after = {each["id"]: each for each in new["players"]}
    gone = [_name(before[key]) for key in before if key not in after]
    words = [sentence("player {who} is gone", who=who) for who in gone]
    come = [_name(after[key]) for key in after if key not in before]
    words += [sentence("player {who} is new", who=who) for who in come]
    for key, player in before.items():
        words += [
            sentence(
                "player {who}: {what} is {after}, was {before}",
                who=_name(after[key]),
                what=what,
                after=_shown(b),
                before=_shown(a),
            )
            for what, a, b in _changed(player, after.get(key, player))
        ]
    return words


def _games(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Sentence]:
    names = {each["id"]: _name(each) for each in (*old["players"], *new["players"])}
    before, after = _by_pair(old["games"]), _by_pair(new["games"])
    words = []
    for key in before:
        if key not in after:
            words.append(sentence("the game {game} is gone", game=_game(before[key], names)))
            continue
        words += [
            sentence(
                "the game {game}: {what} is {after}, was {before}",
                game=_game(after[key], names),
                what=what,
                after=_shown(b),
                before=_shown(a),
            )
            for what, a, b in _changed(before[key], after[key])
        ]
    come = [_game(after[key], names) for key in after if key not in before]
    return words + [sentence("the game {game} is new", game=game) for game in come]


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
    return sentence("{sides} of round {n}", sides=sides, n=number) if number else sides


def _shown(value: object) -> str:
    if value is None:
        return sentence("not said")
    if isinstance(value, list):
        return "; ".join(map(str, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {said}" for key, said in value.items())
    return str(value)


def same_pairings(old: frozenset[tuple[object, ...]], new: frozenset[tuple[object, ...]]) -> float:
    """The share of the pairings of the shorter report that the other has as well.

    A pairing is a round and two folded names in their order, whoever had White.
    """
    least = min(len(old), len(new))
    return len(old & new) / least if least else 0.0
