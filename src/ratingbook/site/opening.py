"""An office that is opened for its site: secrets, cookies, and what people are counted by."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ratingbook.office.acts.setup import open_office
from ratingbook.office.home import CONFIG, Home
from ratingbook.office.keys import key_of
from ratingbook.office.refused import refuse
from ratingbook.site.connections import prepare_queries
from ratingbook.site.settings import RATINGBOOK_RATES as RATES

LOCAL = ["localhost", "127.0.0.1", "[::1]"]
HOSTS = "RATINGBOOK_HOSTS"
"""Names beside this machine's by which the site is asked for, with commas between them."""


def open_site(folder: Path) -> Home:
    """The office in a folder, ready for requests.

    ``site`` in ``office.json`` says where the public reaches it: ``{"url": "https://…",
    "proxies": 1, "sign_up": false, "second_factor": true, "rates": {"address": 120,
    "token": 600}}``.
    """
    home = open_office(folder)
    prepare_queries(home)
    said = _said(home)
    url = urlsplit(str(said.get("url", "")))
    named = (each.strip() for each in os.environ.get(HOSTS, "").split(","))
    is_secure = url.scheme == "https"
    proxies = int(said.get("proxies", 0))
    values: dict[str, Any] = {
        "SECRET_KEY": secret_of(home.folder),
        "ALLOWED_HOSTS": [*LOCAL, *filter(None, [url.hostname, *named])],
        "CSRF_TRUSTED_ORIGINS": [f"{url.scheme}://{url.netloc}"] if url.netloc else [],
        "SESSION_COOKIE_SECURE": is_secure,
        "CSRF_COOKIE_SECURE": is_secure,
        "SECURE_HSTS_SECONDS": 365 * 24 * 3600 if is_secure else 0,
        # A proxy that says so is believed only where the office says that there is one.
        "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https") if proxies else None,
        "ALLAUTH_TRUSTED_PROXY_COUNT": proxies,
        "RATINGBOOK_SIGN_UP": said.get("sign_up") is True,
        "RATINGBOOK_SECOND_FACTOR": said.get("second_factor") is not False,
        "RATINGBOOK_RATES": {**RATES, **said.get("rates", {})},
    }
    from django.conf import settings

    for name, value in values.items():
        setattr(settings, name, value)
    _count_in(home)
    # What has models is there once an office is opened.
    from ratingbook.site.accounts import watch

    watch()
    return home


def address_of(home: Home) -> str:
    """Where the public reaches the site, without a slash behind; empty where nobody said so."""
    return str(_said(home).get("url", "")).rstrip("/")


def _said(home: Home) -> Mapping[str, Any]:
    found = json.loads((home.folder / CONFIG).read_text("utf-8")).get("site") or {}
    try:
        int(found.get("proxies", 0))
        urlsplit(str(found.get("url", "")))
        if not all(type(x) is int and x > 0 for x in found.get("rates", {}).values()):
            raise ValueError
    except (AttributeError, TypeError, ValueError):
        raise refuse(
            "office.settings", f"What {home.folder / CONFIG} says of the site cannot be read.",
            'Write {"url": "https://…", "proxies": 1, "sign_up": false} as its site.',
        ) from None  # fmt: skip
    return dict(found)


def secret_of(folder: Path) -> str:
    """What the site of an office signs with."""
    return key_of(folder, "site")


def _count_in(home: Home) -> None:
    """Attempts to sign in are counted in files of the office, so that all processes agree."""
    from django.conf import settings
    from django.core.cache import caches

    backend = "django.core.cache.backends.filebased.FileBasedCache"
    settings.CACHES = {
        "default": {
            "BACKEND": backend, "LOCATION": str(home.folder / "counted"),
            "OPTIONS": {"MAX_ENTRIES": 20_000},
        }
    }  # fmt: skip
    caches.settings = caches.configure_settings(None)
    # What counted for another office is forgotten; there may have been none.
    with suppress(AttributeError):
        del caches["default"]
