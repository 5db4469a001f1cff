"""The chain: each fact's hash covers the fact and the hash before it.

Of a fact with a salt it covers commitments to its parts, so that a part can be left out and the
rest is still what the hash was made of.
"""

from __future__ import annotations

import hashlib
import json
import json.encoder
import secrets
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, date, datetime
from typing import Any

FIRST = "0" * 64
"""What the first fact follows."""
HASHED = (
    "seq", "kind", "at", "true_from", "true_to", "actor", "origin", "reason", "payload",
    "private_commit", "revokes", "subjects", "evidence",
)  # fmt: skip
"""What the hash of a fact without a salt covers, besides the hash before."""
ALWAYS = ("seq", "kind", "at", "private_commit", "revokes")
"""What is given of every fact: it tells of nobody."""
PARTS: Mapping[str, tuple[str, ...]] = {
    "who": ("actor", "origin"), "why": ("reason",), "when": ("true_from", "true_to"),
    "about": ("subjects",), "files": ("evidence",), "says": ("payload",),
}  # fmt: skip
"""What can be left out of a fact that has a salt, and what belongs to it."""


def canonical(value: object) -> bytes:
    """JSON with sorted keys and no blanks, in UTF-8; days and times as ISO 8601 in UTC."""
    return _encoded(value).encode()


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is no part of a fact")


_ENCODER = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_plain
)


def _made_once() -> Callable[[object], str]:
    """What encodes as ``_ENCODER`` does, which makes its scanner anew for each value.

    To make it takes as long as a line of a list does, of which there are fifty thousand.
    """
    make: Any = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return _ENCODER.encode
    parts = make(
        None, _plain, json.encoder.encode_basestring, None, ":", ",", True, False, True
    )  # fmt: skip
    return lambda value: "".join(parts(value, 0))


_encoded = _made_once()


def fact_hash(prev: str, fact: Mapping[str, Any]) -> str:
    """The hash of a fact that follows the one with the hash ``prev``.

    Facts that were written before there were parts have no salt, and their hashes stay.
    """
    if fact.get("salt") is None:
        return _hashed(prev, {key: fact[key] for key in HASHED})
    return _hashed_in_parts(prev, fact, _commitments(fact))


def _hashed(prev: str, covered: Mapping[str, Any]) -> str:
    return hashlib.sha256(prev.encode() + canonical(covered)).hexdigest()


def _hashed_in_parts(prev: str, fact: Mapping[str, Any], parts: Mapping[str, str]) -> str:
    return _hashed(prev, {**{key: fact[key] for key in ALWAYS}, "parts": parts})


def _commitments(fact: Mapping[str, Any]) -> dict[str, str]:
    """What stands for each part; there is none for a part that says nothing."""
    said = {name: [fact[key] for key in keys] for name, keys in PARTS.items()}
    return {
        name: commitment(_salt_of(fact["salt"], name), values)
        for name, values in said.items()
        if any(values)
    }


def _salt_of(salt: str, part: str) -> str:
    """Who is told the salt of one part knows nothing of the others."""
    return hashlib.sha256(f"{salt}{part}".encode()).hexdigest()


def in_part(fact: Mapping[str, Any], shown: Collection[str]) -> dict[str, Any]:
    """A fact with a salt, with some of its parts: of the others there is what commits to them."""
    parts = _commitments(fact)
    return {
        **{key: fact[key] for key in ALWAYS},
        "hash": fact["hash"],
        "parts": parts,
        "shown": {
            name: [_salt_of(fact["salt"], name), [fact[key] for key in PARTS[name]]]
            for name in shown
            if name in parts
        },
    }


def part_hash(prev: str, fact: Mapping[str, Any]) -> str | None:
    """The hash of what :func:`in_part` gave; None: a part that it shows is another one."""
    parts = fact["parts"]
    for name, (salt, values) in fact["shown"].items():
        if parts.get(name) != commitment(salt, values):
            return None
    return _hashed_in_parts(prev, fact, parts)


def new_salt() -> str:
    """A salt that nobody can guess."""
    return secrets.token_hex(16)


def commitment(salt: str, private: object) -> str:
    """What stands for a private part: tells nothing of it, and fits nothing else."""
    return hashlib.sha256(salt.encode() + canonical(private)).hexdigest()
