"""Signatures of bundles: one Ed25519 key of the office, in a file of its folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ratingbook.model.sentences import sentence
from ratingbook.office.refused import not_installed, refuse

KEY_FILE = "signing.key"
ALGORITHM = "ed25519"


def _keys() -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError as error:
        raise not_installed(error, "Nothing here can sign") from None
    return ed25519


def make_key(folder: Path) -> str:
    """Make the key of an office, for its eyes only; gives the public one."""
    path = folder / KEY_FILE
    key = _keys().Ed25519PrivateKey.generate()
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise refuse(
            "office.key", sentence("There is a key in {path} already.", path=path),
            sentence("Move it away first: what it signed stays good."),
        ) from None  # fmt: skip
    with os.fdopen(handle, "w") as file:
        file.write(key.private_bytes_raw().hex() + "\n")
    public: str = key.public_key().public_bytes_raw().hex()
    return public


def public_key(folder: Path) -> str | None:
    """The public key of an office; None: it signs nothing."""
    key = _private(folder)
    return None if key is None else key.public_key().public_bytes_raw().hex()


def _private(folder: Path) -> Any:
    path = folder / KEY_FILE
    if not path.exists():
        return None
    try:
        return _keys().Ed25519PrivateKey.from_private_bytes(
            bytes.fromhex(path.read_text("ascii").strip())
        )
    except (OSError, ValueError) as error:
        raise refuse(
            "office.key",
            sentence("The key in {path} cannot be read: {error}.", path=path, error=error),
            sentence("Put the right one there, or move it away: bundles are unsigned then."),
        ) from None


def signature(folder: Path, data: bytes) -> dict[str, str] | None:
    """The signature of some bytes; None where the office has no key."""
    key = _private(folder)
    if key is None:
        return None
    public = key.public_key().public_bytes_raw().hex()
    return {"algorithm": ALGORITHM, "public_key": public, "signature": key.sign(data).hex()}


def why_not_signed(data: bytes, said: Mapping[str, Any]) -> str:
    """Why these bytes are not signed as it is said; empty: they are."""
    from cryptography.exceptions import InvalidSignature

    if said.get("algorithm") != ALGORITHM:
        return f"the signature is of the kind {said.get('algorithm')!r}, not {ALGORITHM}"
    try:
        key = _keys().Ed25519PublicKey.from_public_bytes(bytes.fromhex(said["public_key"]))
        key.verify(bytes.fromhex(said["signature"]), data)
    except (KeyError, TypeError, ValueError):
        return "the signature cannot be read"
    except InvalidSignature:
        return "the signature is not of this manifest"
    return ""
