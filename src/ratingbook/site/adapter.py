"""What the office says otherwise than allauth does."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib.auth import get_user_model
from django.http import HttpRequest


class Accounts(DefaultAccountAdapter):  # type: ignore[misc]  # allauth brings no types.
    """Accounts are made by the office; who may, opens sign-up in ``office.json``."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether anybody may make an account."""
        return bool(getattr(settings, "RATINGBOOK_SIGN_UP", False))


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
