"""Signs that turn the text behind them round, taken out of whatever pages and data show.

Names, reasons and titles come from outside, and one of these signs in them would turn what stands
behind it on the page, so that ``game; score`` reads ``erocs ;emag``.  They are kept as they came,
in the ledger and in files, which have hashes; what is shown is an answer, so here is the one place
through which all of it goes.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

_SIGNS = re.compile(
    "|".join(chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))).encode()
)
"""Embeddings, overrides and isolates of writing from right to left, as UTF-8 has them."""
_ESCAPED = re.compile(rb"\\u(?:202[a-eA-E]|206[6-9])")
"""The same where JSON writes them with letters."""
_SHOWN = (
    "text/html", "text/csv", "application/json", "application/problem+json",
    "application/feed+json", "application/atom+xml",
)  # fmt: skip
"""What is written for an answer; files are given as they are."""
_INSTEAD = "\N{REPLACEMENT CHARACTER}"


def unturned(
    respond: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Every answer that somebody reads is without these signs."""

    def responded(request: HttpRequest) -> HttpResponse:
        response = respond(request)
        if response.streaming or not response.headers.get("Content-Type", "").startswith(_SHOWN):
            return response
        text = response.content
        plain = _SIGNS.sub(_INSTEAD.encode(), text)
        if "json" in response.headers["Content-Type"]:
            plain = _ESCAPED.sub(rb"\\ufffd", plain)
        if plain != text:
            response.content = plain
            if "Content-Length" in response.headers:
                response.headers["Content-Length"] = str(len(plain))
        return response

    return responded
