"""What the office says otherwise than allauth does."""

from __future__ import annotations

import ipaddress
import logging
from functools import cache
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest


class Accounts(DefaultAccountAdapter):  # type: ignore[misc]  # allauth brings no types.
    """Accounts are made by the office; who may, opens sign-up in ``office.json``."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether anybody may make an account."""
        return bool(getattr(settings, "RATINGBOOK_SIGN_UP", False))

    def get_client_ip(self, request: HttpRequest) -> str:
        """Where a request comes from; all of whom nothing is known are one.

        Who comes by fewer proxies than the office has said is known by the connection alone.
        """
        try:
            address = str(super().get_client_ip(request))
        except ImproperlyConfigured:
            told(int(getattr(settings, "ALLAUTH_TRUSTED_PROXY_COUNT", 0)))
            address = str(request.META.get("REMOTE_ADDR") or "")
        except PermissionDenied:
            address = str(request.META.get("REMOTE_ADDR") or "")
        return _as_of_its_kind(address)


@cache
def told(proxies: int) -> None:
    """Tell, once in a process, that fewer proxies forwarded a request."""
    logging.getLogger("ratingbook.site").error(
        "A request came with fewer addresses in X-Forwarded-For than the %s “proxies” of "
        "office.json, and counts by its connection. Say there how many forward every request.",
        proxies,
    )


def _as_of_its_kind(address: str) -> str:
    """An address of IPv4 as such, where a socket of both kinds writes it as one of IPv6."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(getattr(found, "ipv4_mapped", None) or found)


class SignedIn(AuthenticationBackend):  # type: ignore[misc]  # allauth brings no types.
    """Who has signed in is read with what the office knows of them, at once."""

    def get_user(self, user_id: Any) -> Any:
        """The user of a session; None: there is none any more."""
        from ratingbook.site.accounts import with_actor

        user = with_actor(get_user_model()._default_manager.all()).filter(pk=user_id).first()
        return user if user is not None and self.user_can_authenticate(user) else None


class SecondFactors(DefaultMFAAdapter):  # type: ignore[misc]  # allauth brings no types.
    """Passkeys are of the host that the browser shows, under the name of the program."""

    def _get_site_name(self) -> str:
        return "ratingbook"
