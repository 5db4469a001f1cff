"""Forms of second factors, where the office asks more of them than allauth does."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, TypeVar

from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as codes
from allauth.mfa.base.internal.flows import check_rate_limit
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms as passkeys
from allauth.mfa.webauthn.internal.auth import WebAuthn
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from django import forms
from django.core.cache import cache
from django.forms.fields import InvalidJSONInput

T = TypeVar("T")
_RUBBISH = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError,
    ValueError, struct.error, InvalidSignature, UnsupportedAlgorithm,
)  # fmt: skip
"""What readers of JSON, CBOR and keys raise at bytes that no browser has sent."""


def _read(read: Callable[[], T]) -> T:
    """What is read of a passkey; rubbish is told in the form, as a wrong code is."""
    try:
        return read()
    except forms.ValidationError:
        raise
    except _RUBBISH as error:
        raise get_adapter().validation_error("incorrect_code") from error


class _Credential(forms.JSONField):
    """What a browser sends of a passkey, however deep or long somebody else has made it."""

    def to_python(self, value: Any) -> Any:
        """The JSON as it is understood."""
        return _read(lambda: super(_Credential, self).to_python(value))

    def bound_data(self, data: Any, initial: Any) -> Any:
        """What stands in the form that is shown again: the browser makes another one."""
        return InvalidJSONInput("")


def _hidden() -> _Credential:
    return _Credential(required=True, widget=forms.HiddenInput)


class AddPasskey(passkeys.AddWebAuthnForm):  # type: ignore[misc]  # allauth brings no types.
    """A passkey that is new."""

    credential = _hidden()

    def clean(self) -> Any:
        """What was sent, if it is a passkey, and can be shown as one."""
        return _read(self._read_all)

    def _read_all(self) -> Any:
        said = super().clean()
        if credential := said.get("credential"):
            kept = WebAuthn(Authenticator(data={"credential": credential}))
            assert kept.is_passwordless in (True, False, None)
        return said


class _Known(passkeys.AuthenticateWebAuthnForm):  # type: ignore[misc]  # allauth brings no types.
    """A passkey that somebody has."""

    credential = _hidden()

    def clean_credential(self) -> Any:
        """The passkey that was shown."""
        return _read(super().clean_credential)


class PasskeyBesides(_Known):
    """After the password."""


class PasskeyAlone(_Known, passkeys.LoginWebAuthnForm):  # type: ignore[misc]  # allauth brings no types.
    """In place of the password."""


class PasskeyAgain(_Known, passkeys.ReauthenticateWebAuthnForm):  # type: ignore[misc]  # As above.
    """Before something that asks once more."""


class _Once:
    """A code of an app is good once, as long as it is taken for one of now.

    The codes of a step before and after are taken, since clocks differ (RFC 6238, 5.2); allauth
    remembers a code for one step alone.
    """

    def clean_code(self: Any) -> str:
        """The code, if it has not been used."""
        used = f"totp?user={self.user.pk}&code={normalize_user_code(self.cleaned_data['code'])}"
        if cache.get(used) is not None:
            check_rate_limit(self.user)
            raise get_adapter().validation_error("incorrect_code")
        code: str = super().clean_code()  # type: ignore[misc]  # That of the form beside which it stands.
        steps = 2 * app_settings.TOTP_TOLERANCE + 1
        if self.authenticator.type == Authenticator.Type.TOTP and not cache.add(
            used, "y", timeout=steps * app_settings.TOTP_PERIOD
        ):
            raise get_adapter().validation_error("incorrect_code")
        return code


class Code(_Once, codes.AuthenticateForm):  # type: ignore[misc]  # allauth brings no types.
    """After the password."""


class CodeAgain(_Once, codes.ReauthenticateForm):  # type: ignore[misc]  # allauth brings no types.
    """Before something that asks once more."""
