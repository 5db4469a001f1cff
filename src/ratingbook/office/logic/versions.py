"""What a new version of a report says otherwise than the one before, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from ratingbook.formats.document.schema import DATE, FIELDS
from ratingbook.model.sentences import (
    Sentence,
    day_of,
    number_of,
    row_of,
    sentence,
    stated,
)

_SHOWN = 20
_DAYS = frozenset(
    name for fields in FIELDS.values() for name, kind in fields.items() if kind is DATE
)
_FIELDS = {
    "team": "team's name", "wins": "games won", "losses": "games lost", "rated": "is rated",
    "rating": "rated at",
}  # fmt: skip
"""Fields whose names are words of something else: a team event, a streak, who has a rating."""
_ON_ITS_PAGE = frozenset({"name", "place", "federation", "start", "end", "kind", "time_control"})
"""Fields of an event that everybody sees."""
_SCORES = {"1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½"}
"""Results as pages write them."""
_WORDS = ("kind", "status")
"""Fields whose values are words of ours."""


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Sentence]:
    """The differences of two report documents, the event first, then players, then games."""
    words = _event(_changed(old.get("event", {}), new.get("event", {})))
    return _in_short([*words, *_who_plays(old, new), *_players(old, new), *_games(old, new)])


def public_difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Sentence]:
    """Those that everybody may know: of the event what its page has, who plays, and games."""
    changed = _changed(old.get("event", {}), new.get("event", {}))
    words = _event(each for each in changed if each[0] in _ON_ITS_PAGE)
    return _in_short([*words, *_who_plays(old, new), *_games(old, new)])


def _in_short(words: list[Sentence]) -> list[Sentence]:
    if len(words) <= _SHOWN:
        return words
    return [*words[:_SHOWN], sentence("and {n} more", n=len(words) - _SHOWN)]


def _event(changed: Iterable[tuple[str, object, object]]) -> list[Sentence]:
    return [
        sentence(
            "the event's {key} is {after}, was {before}",
            key=called(key),
            after=_shown(key, after),
            before=_shown(key, before),
        )
        for key, before, after in changed
    ]


def _who_plays(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Sentence]:
    before, after = ({each["id"]: each for each in one["players"]} for one in (old, new))
    gone = [_name(before[key]) for key in before if key not in after]
    words = [sentence("player {who} is gone", who=who) for who in gone]
    come = [_name(after[key]) for key in after if key not in before]
    return words + [sentence("player {who} is new", who=who) for who in come]


def _players(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Sentence]:
    after = {each["id"]: each for each in new["players"]}
    return [
        sentence(
            "player {who}: {what} is {after}, was {before}",
            who=_name(after[player["id"]]),
            what=called(what),
            after=_shown(what, b),
            before=_shown(what, a),
        )
        for player in old["players"]
        for what, a, b in _changed(player, after.get(player["id"], player))
    ]


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
                what=called(what),
                after=_shown(what, b),
                before=_shown(what, a),
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
    white, black = (
        names.get(str(game.get(side)), sentence("nobody")) for side in ("white", "black")
    )
    sides = row_of((white, black), " – ")
    number = game.get("round")
    return sentence("{sides} of round {n}", sides=sides, n=number) if number else sides


def called(field: str) -> Sentence:
    """A field of a report document, or a word that it holds, as catalogues have it."""
    return stated(_FIELDS.get(field, field.replace("_", " ")))


def _shown(field: str, value: object) -> str:
    """A value of a field as people read it."""
    match value:
        case None:
            return sentence("not said")
        case bool():
            return sentence("yes") if value else sentence("no")
        case float():
            return number_of(f"{value:.10g}")
        case list():
            return row_of((_shown(field, each) for each in value), "; ")
        case Mapping():
            return row_of(
                row_of((called(str(key)), _shown(str(key), said)), " ")
                for key, said in value.items()
            )
        case str() if field in _DAYS:
            return day_of(date.fromisoformat(value))
        case str() if field in _WORDS:
            return called(value)
        case str() if field == "result":
            return _SCORES.get(value, value)
    return str(value)


def same_pairings(old: frozenset[tuple[object, ...]], new: frozenset[tuple[object, ...]]) -> float:
    """The share of the pairings of the shorter report that the other has as well.

    A pairing is a round and two folded names in their order, whoever had White.
    """
    least = min(len(old), len(new))
    return len(old & new) / least if least else 0.0
