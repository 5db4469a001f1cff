"""How often somebody may ask: so many requests a minute, of an address or by a token."""

from __future__ import annotations

import time

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from ratingbook.site.problems import refusal

RATES = "RATINGBOOK_RATES"
_MINUTE = 60


def too_often(request: HttpRequest, token: int | None) -> HttpResponse | None:
    """The refusal of one request too many; None: it is counted, and answered."""
    most = getattr(settings, RATES)["address" if token is None else "token"]
    who = _address(request) if token is None else f"token-{token}"
    now = time.time()
    key = f"asked:{who}:{int(now // _MINUTE)}"
    count = (cache.get(key) or 0) + 1
    cache.set(key, count, 2 * _MINUTE)
    if count <= most:
        return None
    wait = int(_MINUTE - now % _MINUTE) + 1
    refused = refusal(
        429, "site.too-often", f"At most {most} requests a minute.",
        f"Ask again in {wait} seconds, as Retry-After says.",
    )  # fmt: skip
    refused.headers["Retry-After"] = str(wait)
    return refused


def _address(request: HttpRequest) -> str:
    """Where a request comes from; all whose server does not say count as one."""
    try:
        return str(get_adapter().get_client_ip(request))
    except PermissionDenied:
        return ""
