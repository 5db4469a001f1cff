"""Deliveries of webhooks: whether the office sent them, and lately."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import Any

from ratingbook.model import BadArgument

_PATIENCE = 300


class BadSignature(Exception):
    """The office did not send this, or long ago."""


def verified(
    secret: str,
    header: str | None,
    body: bytes,
    now: float | None = None,
    patience: int = _PATIENCE,
) -> dict[str, Any]:
    """What a delivery says; ``header`` is that of the name Ratingbook-Signature, or None.

    One that is older or newer than ``patience`` seconds may have been kept and sent again.
    """
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise BadArgument(
            "a body is the bytes as they came, before anything is read of them: a text may be "
            "written otherwise than the one that was signed"
        )
    body = bytes(body)
    text = header if isinstance(header, str) else ""
    found = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", text)
    if found is None:
        raise BadSignature("the header is no signature")
    at, given = found.groups()
    right = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(right, given):
        raise BadSignature("it was signed by somebody else, or changed on its way")
    if abs((time.time() if now is None else now) - int(at)) > patience:
        raise BadSignature("it was signed long ago, or the clock of this machine is wrong")
    said: dict[str, Any] = json.loads(body)
    return said
