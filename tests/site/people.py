"""People in front of the site of an office, each with an account."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

PASSWORD = "a long word for tests"
"""Whoever needs one; the tests hash by something quicker than the site does."""


def signed_in(name: str, **options: Any) -> Client:
    """A browser in which somebody has signed in."""
    from django.contrib.auth import get_user_model

    client = Client(headers={"host": "localhost"}, **options)
    user = get_user_model()._default_manager.get(username=name)
    client.force_login(user, "ratingbook.site.adapter.SignedIn")
    return client


def carried(page: bytes | str, path: str = "") -> dict[str, str]:
    """What the form of a page that leads to a path, else any, carries unseen."""
    text = page.decode() if isinstance(page, bytes) else page
    _, found, form = text.partition(f'action="{path}"')
    own = form.partition("</form>")[0] if found else text
    return dict(re.findall(r'<input type="hidden" name="(mark|seen)" value="([^"]*)">', own))


def pressed(client: Client, page: str, path: str = "", **said: Any) -> Any:
    """What comes of a form that is filled in on a page, and sent to itself or to a path."""
    return client.post(path or page, {**carried(client.get(page).content, path), **said})


def nobody(**options: Any) -> Client:
    """A browser in which nobody has signed in."""
    return Client(headers={"host": "localhost"}, **options)


def token_of(owner: str, *scopes: str, name: str = "tests") -> str:
    """A token of somebody, for everything or for some scopes."""
    from django.contrib.auth import get_user_model

    from ratingbook.office.store.ledger import Who
    from ratingbook.site import tokens

    user = get_user_model()._default_manager.get(username=owner)
    return tokens.make(user, name, scopes or tokens.SCOPES, 1, Who(owner))


def by_token(name: str, *scopes: str) -> Client:
    """A program with such a token."""
    token = token_of(name, *scopes)
    return Client(headers={"host": "localhost", "authorization": f"Bearer {token}"})
