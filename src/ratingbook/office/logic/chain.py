"""The chain: each fact's hash covers the fact and the hash before it."""

from __future__ import annotations

import hashlib
import json
import json.encoder
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any

FIRST = "0" * 64
"""What the first fact follows."""
HASHED = (
    "seq", "kind", "at", "true_from", "true_to", "actor", "origin", "reason", "payload",
    "private_commit", "revokes", "subjects", "evidence",
)  # fmt: skip
"""What a hash covers, besides the hash before."""


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
    """The hash of a fact that follows the one with the hash ``prev``."""
    return hashlib.sha256(prev.encode() + canonical({k: fact[k] for k in HASHED})).hexdigest()


def new_salt() -> str:
    """A salt that nobody can guess."""
    return secrets.token_hex(16)


def commitment(salt: str, private: object) -> str:
    """What stands for a private part: tells nothing of it, and fits nothing else."""
    return hashlib.sha256(salt.encode() + canonical(private)).hexdigest()
