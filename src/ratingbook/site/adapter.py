"""What the office says otherwise than allauth does."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.http import HttpRequest


class Accounts(DefaultAccountAdapter):  # type: ignore[misc]  # allauth brings no types.
    """Accounts are made by the office; who may, opens sign-up in ``office.json``."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether anybody may make an account."""
        return bool(getattr(settings, "RATINGBOOK_SIGN_UP", False))


class SecondFactors(DefaultMFAAdapter):  # type: ignore[misc]  # allauth brings no types.
    """Passkeys are of the host that the browser shows, under the name of the program."""

    def _get_site_name(self) -> str:
        return "ratingbook"
