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
from ratingbook.office.logic.names import form

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
_SEATS = ("white", "black", "white_for", "black_for")
"""Fields of a game that name players by their numbers."""
_WORDS = ("kind", "status")
"""Fields whose values are words of ours."""


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Sentence]:
    """The differences of two report documents, the event first, then players, then games."""
    words = _event(_changed(old.get("event", {}), new.get("event", {})))
    calls = _called_as_before(old, new)
    had = {str(each["id"]) for each in old["players"]}
    if any(call != number for number, call in calls.items() if call in had):
        words.append(sentence("players have other numbers"))
    new = _by_these(new, calls)
    return _in_short([*words, *_who_plays(old, new), *_players(old, new), *_games(old, new)])


def public_difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Sentence]:
    """Those that everybody may know: of the event what its page has, who plays, and games."""
    changed = _changed(old.get("event", {}), new.get("event", {}))
    words = _event(each for each in changed if each[0] in _ON_ITS_PAGE)
    new = _by_these(new, _called_as_before(old, new))
    return _in_short([*words, *_who_plays(old, new), *_games(old, new)])


def _called_as_before(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, str]:
    """By the numbers of the new version's players those that the old one gave them.

    The same are who have a number of a register in common, then who are called the same, then who
    have the same number of the report, and no other one of the same register.  Who was not there
    keeps the own number, or has one that nobody had.
    """
    before = {str(each["id"]): each for each in old["players"]}
    now = {str(each["id"]): each for each in new["players"]}
    calls: dict[str, str] = {}
    taken: set[str] = set()
    for marks in (_registered, _named):
        was, known = (
            _of_one((mark, number) for number, each in some.items() if number not in found
                    for mark in marks(each))
            for some, found in ((before, taken), (now, calls))
        )  # fmt: skip
        for mark, number in known.items():
            if mark in was and number not in calls and was[mark] not in taken:
                calls[number] = was[mark]
                taken.add(was[mark])
    for number, each in now.items():
        same = before.get(number)
        if number not in calls:
            is_other = same is not None and (number in taken or _schemes(same) & _schemes(each))
            calls[number] = f"{number}+" if is_other else number
    return calls


def _schemes(player: Mapping[str, Any]) -> set[str]:
    return set(player.get("ids") or {})


def _registered(player: Mapping[str, Any]) -> list[str]:
    return [f"{scheme}:{number}" for scheme, number in (player.get("ids") or {}).items()]


def _named(player: Mapping[str, Any]) -> list[str]:
    return [form(str(player.get("name") or "")).sorted]


def _of_one(marked: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Whom a mark means, where it is of one player and no more."""
    found: dict[str, set[str]] = {}
    for mark, number in marked:
        found.setdefault(mark, set()).add(number)
    return {mark: some.pop() for mark, some in found.items() if mark and len(some) == 1}


def _by_these(document: Mapping[str, Any], calls: Mapping[str, str]) -> dict[str, Any]:
    """The document with other numbers of its players."""
    return {
        **document,
        "players": [{**each, "id": calls[str(each["id"])]} for each in document["players"]],
        "games": [
            {**game, **{seat: calls.get(str(game[seat]), game[seat])
                        for seat in _SEATS if game.get(seat) is not None}}
            for game in document["games"]
        ],
    }  # fmt: skip


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
                after=_who(b, names) if what in _SEATS else _shown(what, b),
                before=_who(a, names) if what in _SEATS else _shown(what, a),
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


def _who(number: object, names: Mapping[str, str]) -> str:
    return names.get(str(number), sentence("nobody"))


def _game(game: Mapping[str, Any], names: Mapping[str, str]) -> str:
    white, black = (_who(game.get(side), names) for side in ("white", "black"))
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
