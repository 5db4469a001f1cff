"""How often somebody may ask: so many requests a minute, of an address or by a token."""

from __future__ import annotations

import ipaddress
import time

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

from ratingbook.site.problems import refusal

RATES = "RATINGBOOK_RATES"
_MINUTE = 60
_NETWORK = 64
"""Bits of an address of IPv6 that name a network: who has one has all addresses in it."""


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
    """Where a request comes from: an address, or a network of IPv6.

    All whose server does not say it count as one.
    """
    said = str(get_adapter().get_client_ip(request))
    try:
        found = ipaddress.ip_address(said)
    except ValueError:
        return said
    if found.version == 4:
        return said
    return str(ipaddress.ip_network((found, _NETWORK), strict=False))
