"""The shape of a manifest: what each value of it must be, said in one place."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from ratingbook.model.patterns import pattern

FIRST_KIND, SECOND_KIND, LAST_KIND = KINDS = ("bundle/1", "bundle/2", "bundle/3")
"""The first had all facts whole, as bundles for auditors have them still, and did not say so; in
both before the last the digest of a list is over persons, ratings and games alone."""
_SINCE: Mapping[str, Mapping[str, Any]] = {
    SECOND_KIND: {"whole_facts": True},
    LAST_KIND: {"list": {"is_by_all": False, "salt": None}},
}
"""By the first kind that says it, what older ones are taken to say."""
_HASH, _SALT = pattern("[0-9a-f]{64}"), pattern("[0-9a-f]{32}")
_MOST_DECIMALS = 6
_LARGEST = 1e9
"""No number of a manifest comes near; comparisons with it hold for no number that is not finite."""


class Misshapen(ValueError):
    """What in a manifest is not as it must be."""


def is_hash(value: object) -> bool:
    """Whether it is a SHA-256 in hexadecimal digits, as the office writes them."""
    return isinstance(value, str) and _HASH.fullmatch(value) is not None


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_salt(value: object) -> bool:
    return value is None or (isinstance(value, str) and _SALT.fullmatch(value) is not None)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_decimals(value: object) -> bool:
    return _is_whole(value) and value in range(_MOST_DECIMALS + 1)


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value is None
    return abs(value) <= _LARGEST


def _is_day(value: object) -> bool:
    try:
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _is_parameters(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(each, str | int | float) for each in value.values()
    )


def _is_files(value: object) -> bool:
    return isinstance(value, dict) and all(is_hash(each) for each in value.values())


_Check = tuple[Callable[[object], bool], str]
_TEXT: _Check = (_is_text, "a text")
_FLAG: _Check = (_is_flag, "true or false")
_WHOLE: _Check = (_is_whole, "a whole number")
_DAY: _Check = (_is_day, "a day (YYYY-MM-DD)")
_SUM: _Check = (is_hash, "a SHA-256")
_SHAPE: Mapping[str, _Check | Mapping[str, _Check]] = {
    "ratingbook": _TEXT,
    "pool": _TEXT,
    "list": {
        "number": _WHOLE, "date": _DAY, "revision": _WHOLE, "title": _TEXT, "rows": _WHOLE,
        "digest": _SUM, "is_by_all": _FLAG, "salt": (_is_salt, "a salt or null"),
        "decimals": (_is_decimals, f"a number from 0 to {_MOST_DECIMALS}"),
    },
    "rules": {
        "rulebook": _TEXT, "parameters": (_is_parameters, "an object of parameters"),
        "assume": (_is_number, "a number or null"), "source": _SUM, "engine": _TEXT,
    },
    "until": _DAY, "digest": _SUM, "birth_dates": _FLAG, "stand_ins": _WHOLE,
    "whole_facts": _FLAG, "head": _SUM,
    "files": (_is_files, "an object of names, each with its SHA-256"),
}  # fmt: skip


def read(data: bytes) -> dict[str, Any]:
    """A manifest; else :class:`Misshapen`."""
    try:
        found = json.loads(data, object_pairs_hook=_once)
    except RecursionError:
        raise Misshapen("it is nested too deeply") from None
    except Misshapen:
        raise
    except ValueError as error:
        raise Misshapen(f"it is no JSON ({error})") from None
    if not isinstance(found, dict):
        raise Misshapen("it is no object")
    kind = found.get("ratingbook")
    if kind not in KINDS:
        raise Misshapen(
            f"it is of the kind {_short(kind)}, not {LAST_KIND}" if kind else "it lacks ratingbook"
        )
    whole: dict[str, Any] = {"stand_ins": 0, **found}
    for since, said in _SINCE.items():
        if KINDS.index(kind) < KINDS.index(since):
            whole = _with(whole, said, kind)
    _check(whole, _SHAPE, "")
    return whole


def _with(found: dict[str, Any], said: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """A manifest with what those of its kind do not say yet."""
    for key, value in said.items():
        if isinstance(value, Mapping):
            if isinstance(of := found.get(key), dict):
                found = {**found, key: _with(of, value, kind)}
        elif key in found:
            raise Misshapen(f"it holds {key}, which no {kind} has")
        else:
            found = {**found, key: value}
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of two of one name nobody knows which one is meant."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Misshapen("a name stands twice in it")
    return found


def _check(found: object, shape: Mapping[str, Any], where: str) -> None:
    if not isinstance(found, dict):
        raise Misshapen(f"{where.rstrip('.')} is not an object")
    for key, of in shape.items():
        if key not in found:
            raise Misshapen(f"it lacks {where}{key}")
        if isinstance(of, Mapping):
            _check(found[key], of, f"{where}{key}.")
        elif not of[0](found[key]):
            raise Misshapen(f"{where}{key} is {_short(found[key])}, not {of[1]}")
    for key in found:
        if key not in shape:
            raise Misshapen(f"it holds {where}{_short(key)}, which no bundle has")


_LONGEST = 40


def _short(value: object) -> str:
    """A value as JSON has it, or its beginning."""
    text = json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else value
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
